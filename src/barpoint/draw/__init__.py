"""Pictures of positions."""

from barpoint.board import Position
from barpoint.draw.png import png
from barpoint.draw.scene import Drawable
from barpoint.draw.summary import summary
from barpoint.draw.svg import svg
from barpoint.draw.text import board, describe, plain
from barpoint.draw.theme import THEMES, Theme
from barpoint.draw.thumbnail import thumbnail
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import Situation
from barpoint.moves import Play

__all__ = ["THEMES", "Drawable", "Theme", "board", "describe", "plain", "png", "svg", "thumbnail"]

# Notebooks ask a value for its picture, but the layers below may not import the drawing code.
Position._repr_svg_ = Situation._repr_svg_ = Game._repr_svg_ = Match._repr_svg_ = Play._repr_svg_ = svg
Position._text_ = lambda position: plain(board(position))
Situation._text_ = Game._text_ = Match._text_ = summary
