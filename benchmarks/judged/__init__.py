"""A set of decisions of our own, judged by rollouts: how it is made and kept."""
