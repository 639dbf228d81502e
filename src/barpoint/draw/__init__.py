"""Pictures of positions."""

from barpoint.board import Position
from barpoint.draw.png import pixels, png
from barpoint.draw.scene import Drawable
from barpoint.draw.summary import summary
from barpoint.draw.svg import svg
from barpoint.draw.text import board, describe, plain
from barpoint.draw.theme import THEMES, Theme
from barpoint.draw.thumbnail import thumbnail
from barpoint.error import ArgumentError
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import Situation
from barpoint.moves import Play, Turn

__all__ = ["THEMES", "Drawable", "Theme", "board", "describe", "pixels", "plain", "png", "svg", "thumbnail"]


def _picture(source: Drawable) -> str | None:
    """The picture that a notebook shows; None where it takes the rules to draw one, and the notebook shows the `repr`."""
    try:
        return svg(source)
    except ArgumentError:
        return None


# Notebooks ask a value for its picture, but the layers below may not import the drawing code.
for _kind in (Position, Situation, Game, Match, Play, Turn):
    _kind._repr_svg_ = _picture
Position._text_ = Situation._text_ = Game._text_ = Match._text_ = Turn._text_ = summary
