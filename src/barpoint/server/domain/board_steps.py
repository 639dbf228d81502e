"""What leads from one analysis board to the next: a play, or a double that is taken."""

from __future__ import annotations

from dataclasses import replace

from barpoint.error import FormatError, IllegalMove
from barpoint.language import N_
from barpoint.moves import Play
from barpoint.server.domain.analysis_board import MAX_CUBE_VALUE, BoardSetup, BoardSide

OTHER: dict[BoardSide, BoardSide] = {"near": "far", "far": "near"}


def check_playable(setup: BoardSetup) -> None:
    """IllegalMove unless the board has a position and a roll to play."""
    if setup.problem or not setup.faces:
        raise IllegalMove("no play can be made here: a position and a roll are needed")


def after_play(setup: BoardSetup, play: Play) -> BoardSetup:
    """The board after a play of its roll: the other side is to act, unless the mover rolls again."""
    near = play.result if setup.turn == "near" else play.result.flip()
    return replace(setup, position=near, faces=(), turn=setup.turn if play.again else OTHER[setup.turn])


def may_double(setup: BoardSetup) -> bool:
    """Whether the player to act may double here."""
    return not _against_doubling(setup)


def after_double(setup: BoardSetup) -> BoardSetup:
    """The board after the player to act has doubled and the other one has taken; FormatError where nobody may double."""
    if reason := _against_doubling(setup):
        raise FormatError(reason, value=2 * setup.cube, limit=MAX_CUBE_VALUE)
    return replace(setup, cube=2 * setup.cube, owner=OTHER[setup.turn])


def _against_doubling(setup: BoardSetup) -> str:
    """Why the player to act cannot double; "" where they can."""
    if setup.problem or setup.faces:
        return N_("a double is offered before the roll, in a position where somebody is to act")
    if not setup.cube or setup.crawford or setup.length == 1:
        return N_("this game has no cube")
    if setup.owner == OTHER[setup.turn]:
        return N_("the other player owns the cube")
    return N_("a cube of %(value)s; the highest is %(limit)s") if 2 * setup.cube > MAX_CUBE_VALUE else ""


def play_text(setup: BoardSetup, play: Play) -> str:
    """ "31: 8/5 6/5", as moves of matches are written; "31: –" where no move is possible, in any language."""
    faces = "".join(map(str, setup.faces)) if max(setup.faces) < 10 else "-".join(map(str, setup.faces))
    return f"{faces}: {play if play.moves else '–'}"
