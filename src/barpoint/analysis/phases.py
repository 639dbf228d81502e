"""The kind of game that a position belongs to: opening, blitz, prime, back game, holding game, race, bear-off, ..."""

from __future__ import annotations

from typing import Final

from barpoint.analysis.board_change import FIRST_ANCHOR, HOME
from barpoint.board import BAR, OFF, Position, Side
from barpoint.moves import in_contact
from barpoint.rules import Capture, Rules

PHASES: Final = ("opening", "blitz", "prime", "back game", "holding game", "contact", "race", "bear-off")
"""All kinds; "contact" is whatever is none of the others. Plans such as a blitz belong to games in which checkers are hit."""

OPENING_TURNS: Final = 6
PRIME: Final = 4
"""Points of a prime, within PRIME_WIDTH in a row."""

PRIME_WIDTH: Final = 5
ZONE: Final = 11
"""A blitz brings checkers to the points up to here ..."""

ATTACKERS: Final = 10
"""... so many at least, or two in three of them where the game has fewer checkers."""

LAST_HOLDING: Final = 22
"""The rearmost anchor of a holding game: the other side's three point."""

BACK_GAME_PIPS: Final = 25
"""Who plays a back game is behind by this at least."""


def phase_of(rules: Rules, position: Position, turn: int) -> str:
    """One of PHASES. turn: its number in the game, from 1."""
    us, them = position.us, position.them
    if not in_contact(rules, position):
        return "bear-off" if us.rearmost <= HOME else "race"
    if us.rearmost <= HOME and us.points[OFF]:
        return "bear-off"
    hits = rules.movement.capture is Capture.HIT
    if hits and (plan := _plan(rules, us, them)):
        return plan
    if turn <= OPENING_TURNS:
        return "opening"
    return "holding game" if hits and (_holding(us) or _holding(them)) else "contact"


def _plan(rules: Rules, us: Side, them: Side) -> str:
    """What one side or the other is about, "" for nothing that has a name."""
    if _back_game(us, them) or _back_game(them, us):
        return "back game"
    if _prime(rules, us, them, PRIME_WIDTH) or _prime(rules, them, us, PRIME_WIDTH):
        return "prime"
    if _blitz(rules, us, them) or _blitz(rules, them, us):
        return "blitz"
    if _prime(rules, us, them, PRIME) or _prime(rules, them, us, PRIME):
        return "prime"
    return ""


def _anchors(side: Side) -> list[int]:
    return [point for point in range(FIRST_ANCHOR, BAR) if side.points[point] > 1]


def _back_game(side: Side, other: Side) -> bool:
    """Two anchors in the other side's home, and far behind."""
    home = [point for point in _anchors(side) if point > FIRST_ANCHOR]
    return len(home) > 1 and side.pips - other.pips >= BACK_GAME_PIPS


def _prime(rules: Rules, side: Side, other: Side, points: int) -> bool:
    """So many points of five in a row, with a checker of the other side behind them."""
    meets = rules.movement.meeting.other
    behind = [0] if other.points[BAR] else []  # on the bar: before all points
    behind += [meets(point) for point in range(1, BAR) if other.points[point]]
    for first in range(2, FIRST_ANCHOR - PRIME_WIDTH):
        held = sum(side.points[point] > 1 for point in range(first, first + PRIME_WIDTH))
        if held >= points and any(point < first for point in behind):
            return True
    return False


def _blitz(rules: Rules, side: Side, other: Side) -> bool:
    """Many checkers near the home, and the other side has no anchor there but a blot or a checker on the bar."""
    meets = rules.movement.meeting.other
    if any(other.points[meets(point)] > 1 for point in range(1, HOME + 1)):
        return False
    alone = other.points[BAR] + sum(other.points[meets(point)] for point in range(1, HOME + 1))
    most = min(ATTACKERS, 2 * rules.checkers // 3)
    return alone > 0 and sum(side.points[1 : ZONE + 1]) >= most


def _holding(side: Side) -> bool:
    """One advanced anchor, and nothing else behind."""
    anchors = _anchors(side)
    return (
        len(anchors) == 1 and anchors[0] <= LAST_HOLDING and sum(side.points[FIRST_ANCHOR:]) == side.points[anchors[0]]
    )
