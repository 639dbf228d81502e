"""FIBS and its client protocol CLIP over TCP, with the same accounts, lobby and matches (docs/protocol.md)."""
