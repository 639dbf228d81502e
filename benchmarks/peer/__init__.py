"""Players that benchmarks let meet: ours, and other programs behind one face."""
