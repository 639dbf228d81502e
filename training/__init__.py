"""Trains nets from scratch: self-play, labels, fitting. Finished nets go to src/barpoint/data/nets."""
