"""Growing nets from nothing: self-play, labels a roll ahead, fitting. What comes out goes to src/barpoint/data/nets."""
