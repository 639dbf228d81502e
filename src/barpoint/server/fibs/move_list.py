"""The moves of a game as FIBS lists them."""

from __future__ import annotations

from barpoint.game import Accept, Double, Opening, Pass, PlayMade, Reject, Resign, Roll, Take, in_digits
from barpoint.match import Match
from barpoint.server.fibs.board import Viewer
from barpoint.server.fibs.match_text import an
from barpoint.server.fibs.notation import moves_text

SIDES = ("O", "X")
"""The side of each seat."""


def transcript(match: Match, viewer: Viewer) -> list[str]:
    """The moves of the current or latest game, with the score of the match."""
    mine, theirs = match.score[viewer.seat], match.score[1 - viewer.seat]
    lines = [
        f"Score is {in_digits(mine)}-{in_digits(theirs)} in {an(match.length)}.",
        f"{viewer.names[1]} is {SIDES[1]} - {viewer.names[0]} is {SIDES[0]}",
    ]
    faces: tuple[int, ...] = ()
    for event in match.events[match.first :]:
        match event:
            case Opening():
                faces = event.faces
            case Roll():
                faces = event.faces
            case PlayMade(player, moves):
                made = moves_text(moves, player) if moves else "can't move"
                lines.append(f"{SIDES[player]}: ({' '.join(map(str, faces))}) {made}")
            case Double(player):
                lines.append(f"{SIDES[player]}: doubles")
            case Take(player) | Accept(player):
                lines.append(f"{SIDES[player]}: accepts")
            case Pass(player) | Reject(player):
                lines.append(f"{SIDES[player]}: rejects")
            case Resign(player):
                lines.append(f"{SIDES[player]}: wants to resign")
            case _:
                pass
    result = match.game.result
    if result is not None and result.winner is not None:
        lines.append(f"{SIDES[result.winner]}: wins")
    return lines
