"""When a game is over, and its points with the cube at 1 (S3-6, S3-8, D-1, 4.2, 4.6, 4.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from barpoint.board import BAR, OFF, Position, Side
from barpoint.rules import Rules, Winner
from tests.reference.step import HOME, meets, reference_step, sources

Outcome = tuple[Literal["us", "them"] | None, int]
"""The winner (None: a draw) and the points."""


def reference_outcome(rules: Rules, position: Position) -> Outcome | None:
    """The winner in this position between two turns and the points; None while the game goes on."""
    ended = ended_by_a_move(rules, position)
    if ended is None and rules.ending.standstill_draws and not any(map(_can_move(rules), (position, position.flip()))):
        return None, 0
    return ended


def _can_move(rules: Rules) -> Callable[[Position], bool]:
    """Whether some number moves a checker of the side to act."""

    def can_move(position: Position) -> bool:
        return any(
            reference_step(rules, position, source, number)
            for source in sources(position.us)
            for number in range(1, HOME + 1)
        )

    return can_move


def ended_by_a_move(rules: Rules, position: Position) -> Outcome | None:
    """The same in the middle of a turn, where a standstill is not yet one: all numbers are played that can be."""
    us, them = position.us, position.them
    if rules.ending.start_pin_loses:
        we_are_pinned, they_are_pinned = _pinned_on_start(rules, us), _pinned_on_start(rules, them)
        if we_are_pinned and they_are_pinned:
            return None, 0
        if we_are_pinned and not them.points[rules.start_point]:
            return "them", rules.scoring.gammon
        if they_are_pinned and not us.points[rules.start_point]:
            return "us", rules.scoring.gammon
    first_off_wins = rules.ending.winner is Winner.FIRST_OFF
    if _all_off(us):
        return ("us", _points(rules, loser=them)) if first_off_wins else ("them", _points(rules, loser=us))
    if _all_off(them):
        return ("them", _points(rules, loser=us)) if first_off_wins else ("us", _points(rules, loser=them))
    return None


def _all_off(side: Side) -> bool:
    return not any(side.points[1:]) and not side.hand


def _pinned_on_start(rules: Rules, side: Side) -> bool:
    return bool(side.pinned >> rules.start_point & 1)


def _points(rules: Rules, loser: Side) -> int:
    if rules.scoring.per_checker:
        return loser.total - loser.points[OFF]
    if loser.points[OFF]:
        return 1
    winners_home = [meets(rules.movement.meeting)[point] for point in range(1, HOME + 1)]
    if loser.points[BAR] or loser.hand or any(loser.points[point] for point in winners_home):
        return rules.scoring.backgammon
    return rules.scoring.gammon
