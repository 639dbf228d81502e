"""Pictures of positions."""

from barpoint.draw.svg import THEMES, Theme, svg
from barpoint.draw.text import board, describe, plain

__all__ = ["THEMES", "Theme", "board", "describe", "plain", "svg"]
