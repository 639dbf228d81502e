"""The command line."""

from barpoint.cli.main import main

__all__ = ["main"]
