"""The small values that a game's state is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import fields

from barpoint.board import Position


class Phase(StrEnum):
    """What a game waits for; the letters are the states of rulings 2.2."""

    OPENING = "opening"  # the opening roll
    TO_ROLL = "to_roll"  # A: a roll, or a double
    MUST_REROLL = "must_reroll"  # D: a roll, because one was rerolled
    TO_PLAY = "to_play"  # C: the play of the roll
    DOUBLED = "doubled"  # B: the answer to a double, beaver or raccoon
    RESIGNED = "resigned"  # the answer to a resignation
    TO_CORRECT = "to_correct"  # manual mode: a legal play in place of an illegal one
    PROVISIONAL_END = "provisional_end"  # E: the loser keeps or rerolls the roll that ended the game
    OVER = "over"  # F


class RollRecord(Struct, frozen=True, gc=False):
    """A roll that was made.

    id: 1, 2, 3 ... within a game. player: who rolled. faces: highest first.
    before: the position before it, seen by the roller. turn: the number of the turn it belongs to.
    count: 1 for a first roll, 2 and 3 for those that replace a rerolled one.
    further: a roll that an earlier one of the same turn has earned.
    opening: the numbers of the opening roll, played as the first roll of the game.
    """

    id: int
    player: int
    faces: tuple[int, ...]
    before: Position
    turn: int
    count: int = 1
    further: bool = False
    opening: bool = False


class Cube(Struct, frozen=True, gc=False):
    """The doubling cube.

    value: points a plain game pays. owner: who alone may double; None when it is in the middle.
    offered: the value a pending double, beaver or raccoon would give it; 0 when none is pending.
    raises: beavers and raccoons on the pending double.
    turned: a player has offered a double in this game (Jacoby).
    ties: automatic doubles so far.
    """

    value: int = 1
    owner: int | None = None
    offered: int = 0
    raises: int = 0
    turned: bool = False
    ties: int = 0


CENTRED: Final = Cube()
"""The cube as a game begins with it."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    winner: None for a draw and for a game that was not played.
    points: what the winner gets, cube included.
    level: 1 single, 2 gammon, 3 backgammon, or the loser's checkers where each of them is paid for; 0 for no level.
    how: "play", "pass", "resign", "timeout", "claim", "settle" or "abort".
    """

    winner: int | None
    points: float
    level: int
    how: str


class Allowed(Struct, frozen=True, gc=False):
    """Something that may happen now.

    kind: of the event. player: who may do it; None where it is nobody's own: opening, settle, abort, next.
    value: the cube after a double, take, beaver or raccoon.
    levels: of a resignation.
    points: what the loser pays if the game ends by this: one number for a pass and for accepting a resignation, one for
    each level of a resignation.
    roll_id, faces, on ("own" or "other"): the roll that a token would reroll, or a void cancel.
    """

    kind: str
    player: int | None = None
    value: int = 0
    levels: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    roll_id: int = 0
    faces: tuple[int, ...] = ()
    on: str = ""

    def __repr__(self) -> str:
        said = ((field.name, getattr(self, field.name), field.default) for field in fields(Allowed))
        return f"Allowed({', '.join(f'{name}={value!r}' for name, value, usual in said if value != usual)})"
