"""The value of a turn in games of few checkers, by rulings 2.7 and the rules of the cube: slow, one checker a side."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from barpoint.board import BAR, Position, Side
from barpoint.rules import Rules
from tests.reference.ending import reference_outcome
from tests.reference.play import reference_plays

HOLDERS = ("cubeless", "owned", "centred", "theirs", "jacoby")
_OTHER = {"owned": "theirs", "theirs": "owned"}


class State(NamedTuple):
    """The key of a value: the player to act, their token and the other side's, and where the cube is."""

    position: Position
    own: int
    other: int
    holder: str


Table = dict[State, float]
"""Points for the player to act at the start of their turn, cube at 1, before a double."""

Rolls = list[tuple[int, list[Position]]]


def positions(rules: Rules) -> list[Position]:
    """All positions in which the game goes on, for one checker a side."""
    sides = [Side.of({place: 1}) for place in range(1, BAR + 1)]
    meeting = rules.movement.meeting
    return [
        Position(us, them)
        for us, them in product(sides, sides)
        if not any(us.points[p] and them.points[meeting.other(p)] for p in range(1, BAR))
    ]


def paid(rules: Rules, position: Position, holder: str) -> float | None:
    """Points of a game that is over, for the player to act; None when it is not."""
    end = reference_outcome(rules, position)
    if end is None:
        return None
    winner, points = end
    points = 1 if holder == "jacoby" else points
    return points if winner == "us" else -points


def rolls_of(rules: Rules, position: Position) -> Rolls:
    """(weight, positions after the plays) of every roll, the other side to act."""
    return [
        (row.weight, [after.flip() for after, _ in reference_plays(rules, position, row.faces)])
        for row in rules.dice.rows
    ]


def solve(rules: Rules, accuracy: float = 1e-12) -> Table:
    """[state] cubeless points at the start of a turn, no tokens left."""
    rolls = {position: rolls_of(rules, position) for position in positions(rules)}
    table = {State(position, 0, 0, "cubeless"): 0.0 for position in rolls}
    while True:
        change = 0.0
        for state in table:
            value = turn(rules, table, rolls[state.position], state)
            change = max(change, abs(value - table[state]))
            table[state] = value
        if change < accuracy:
            return table


def turn(rules: Rules, table: Table, rolls: Rolls, state: State) -> float:
    """W: the player to act may double before they roll, when the cube is theirs or centred."""
    value = rolling(rules, table, rolls, state)
    if state.holder in ("cubeless", "theirs"):
        return value
    doubled = 2 * rolling(rules, table, rolls, state._replace(holder="theirs"))
    return max(value, min(doubled, 1.0))


def rolling(rules: Rules, table: Table, rolls: Rolls, state: State) -> float:
    """R: the mean over rolls; either side may spend its token to reroll each."""
    rerolls = rules.rerolls
    rerolled_by_other = rerolled_by_own = None
    if state.other and rerolls.other:
        again = state._replace(other=0)
        after_reroll = turn if rerolls.double_after_cancel else rolling
        rerolled_by_other = after_reroll(rules, table, rolls, again)
    if state.own and rerolls.own:
        rerolled_by_own = rolling(rules, table, rolls, state._replace(own=0))
    total = 0.0
    for weight, results in rolls:
        values = [after_play(rules, table, result, state) for result in results]
        if rerolled_by_other is not None:
            values = [min(value, rerolled_by_other) for value in values]
        best = max(values)
        total += weight * (best if rerolled_by_own is None else max(best, rerolled_by_own))
    return total / sum(weight for weight, _ in rolls)


def after_play(rules: Rules, table: Table, result: Position, state: State) -> float:
    """The value of a position to the mover; the other side is to act in it."""
    holder = _OTHER.get(state.holder, state.holder)
    over = paid(rules, result, holder)
    seen = table[State(result, state.other, state.own, holder)] if over is None else over
    return -seen
