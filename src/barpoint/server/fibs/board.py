"""The board of a match as its players and watchers receive it: a line for a program, a drawing for a person."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.draw.text import board as drawn
from barpoint.draw.text import plain
from barpoint.game import Phase, in_digits
from barpoint.match import Match
from barpoint.record.fibs_board import FibsBoard, format_board
from barpoint.server.fibs.notation import moves_wanted

RAW = 3
"""The style of boards that programs read."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who receives the lines of a match.

    seat: the side they see the board from: their own, or that of the player they watch. playing: the seat is their own.
    names: of both seats, as FIBS spells them. style: of their boards, 1 to 3.
    """

    seat: int
    playing: bool
    names: tuple[str, str]
    style: int = RAW

    def is_you(self, seat: int) -> bool:
        """Whether the text calls this seat You."""
        return self.playing and seat == self.seat

    def name(self, seat: int) -> str:
        """ "You", or the player's name."""
        return "You" if self.is_you(seat) else self.names[seat]


def board_of(match: Match, viewer: Viewer) -> FibsBoard:
    """The fields of a board line for a match; seat 0 plays O.

    A player who doubles or resigns keeps the turn until the answer (rulings 7.6); both of their flags are 0 until then.
    """
    game, us, them = match.game, viewer.seat, 1 - viewer.seat
    mine = game.player == us
    own = [game.cube.owner in (None, seat) for seat in (us, them)]
    doubled = game.phase is Phase.DOUBLED
    if doubled and game.actor != us:
        own = [False, False]
    return FibsBoard(
        names=(viewer.name(us), viewer.name(them)),
        length=match.length,
        score=(int(match.score[us]), int(match.score[them])),
        position=game.seen_by(us),
        yours=None if game.over or game.phase is Phase.OPENING else mine,
        dice=game.faces,
        cube=game.cube.value,
        may_double=(own[0], own[1]),
        doubled=doubled and game.actor == us,
        colour=1 if us == 0 else -1,
        can_move=moves_wanted(game) if game.faces and mine else 0,
        after_crawford=match.after_crawford or not match.terms.crawford,
    )


def board_lines(match: Match, viewer: Viewer) -> list[str]:
    """The board in the viewer's style; a drawing has O at the bottom, since players type moves in the points of O."""
    if viewer.style == RAW:
        return [format_board(board_of(match, viewer))]
    game = match.game
    top, bottom = (f"{side} {viewer.name(seat)}: {in_digits(match.score[seat])}" for seat, side in ((1, "X"), (0, "O")))
    length = f"{match.length} point match" if match.length else "unlimited match"
    middle = (f"cube {game.cube.value}", "-".join(map(str, game.faces)))
    lines = drawn(game.seen_by(0), letters=("O", "X"), middle=middle, beside=[top, "", "", "", "", "", length])
    return ["", *plain(lines).split("\n"), f" {bottom}", ""]
