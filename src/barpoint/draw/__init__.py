"""Pictures of positions."""

from barpoint.board import Position
from barpoint.draw.svg import THEMES, Theme, svg
from barpoint.draw.text import board, describe, plain
from barpoint.draw.thumbnail import thumbnail

__all__ = ["THEMES", "Theme", "board", "describe", "plain", "svg", "thumbnail"]

# Notebooks ask a position for its picture, but `board` may not import the drawing code.
Position._repr_svg_ = svg
