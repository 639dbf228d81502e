"""Checks a position against the rules, and tells whether the game is over in it, or contact is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, Position
from barpoint.moves.complaint import position_error
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules
from barpoint.variants import rules_of

US: Final = 1
THEM: Final = -1
DRAWN: Final = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, seen by the side that would act next.

    winner: 1 that side, -1 the other one, 0 nobody.
    level: 1 single, 2 gammon, 3 backgammon; 0 drawn.
    points: points won with the cube at 1; per checker where the rules score so.
    """

    winner: int
    level: int
    points: int


def check_position(rules: Rules, position: Position) -> None:
    """Raises PositionError with what these rules forbid: totals, shared points, pins, hands, both sides borne off."""
    complaint = core.complaint(core_rules(rules), pack(position))
    if complaint:
        raise position_error(complaint)


def outcome(rules: Rules | str, position: Position) -> Outcome | None:
    """The result of the game in this position, seen by the side that would act next; None while it goes on. rules: these, or a name."""
    if not isinstance(rules, Rules):  # as in legal_plays
        rules = rules_of(rules)
    found = core.outcome(core_rules(rules), pack(position))
    return None if found is None else Outcome(*found)


def in_contact(rules: Rules, position: Position) -> bool:
    """Whether the sides still have to pass each other."""
    us, them = position.us, position.them
    meets = rules.movement.meeting.other
    behind = us.rearmost
    blocked = any(them.points[point] and (point == BAR or meets(point) < behind) for point in range(1, BAR + 1))
    return bool(them.hand or us.hand or blocked)
