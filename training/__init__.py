"""Growing nets from nothing: self-play, labels a throw ahead, fitting. What comes out goes to src/barpoint/data/nets."""
