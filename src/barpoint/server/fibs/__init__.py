"""FIBS and its client protocol CLIP over TCP: another way to the same accounts, lobby, hall and matches (docs/protocol.md)."""
