"""The HTTP interface for bots."""
