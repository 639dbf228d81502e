"""Our own set of decisions, judged by rollouts: how it is made and stored."""
