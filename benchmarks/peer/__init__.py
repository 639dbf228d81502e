"""Players for benchmarks: ours and other programs behind one interface."""
