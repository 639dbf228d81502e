"""Trains nets from nothing: self-play, labels, fitting. Finished nets go to src/barpoint/data/nets."""
