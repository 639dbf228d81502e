"""One move of one checker (rulings 6.1; hand 4.2; pins and same-way games 4.7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.rules import BearOff, Capture, Meeting, Movement, Prime, Rules

HOME = 6
"""The last point of one's own home; a checker behind it prevents bearing off."""


@cache
def meets(meeting: Meeting) -> tuple[int, ...]:
    """[25] the other side's number of each own point; entry 0 is unused."""
    return (OFF, *(meeting.other(point) for point in range(1, 25)))


def sources(side: Side) -> Iterator[int]:
    """Sources of a move: the bar comes first; a pinned checker cannot leave (S2-17, 4.2, 4.7)."""
    if side.points[BAR]:
        yield BAR
        return
    if side.hand:
        yield HAND
    for point in range(1, BAR):
        if side.points[point] and not side.pinned >> point & 1:
            yield point


def reference_step(rules: Rules, position: Position, source: int, number: int) -> Position | None:
    """The position after one of our checkers moves `number` pips from `source`, one of `sources`; None if illegal."""
    us, them, movement = position.us, position.them, rules.movement
    target = (BAR if source == HAND else source) - number
    if target <= OFF:
        if not _may_bear_off(us, movement, source, target):
            return None
        target = OFF
    elif _blocked(position, movement, target) or _enters_later(us, movement, source, target):
        return None
    after = Position(_move_one(us, source, target), them)
    after = _leave(after, movement, source)
    if target != OFF:
        after = _land(after, movement, target)
    return None if forbidden(rules, after) else after


def _may_bear_off(us: Side, movement: Movement, source: int, target: int) -> bool:
    if us.hand or any(us.points[HOME + 1 :]):
        return False
    if target == OFF:
        return True
    return movement.bear_off is BearOff.HIGHEST and source == us.rearmost


def _enters_later(us: Side, movement: Movement, source: int, target: int) -> bool:
    """Whether the move goes further than allowed while checkers have yet to enter (4.12)."""
    return source != HAND and us.hand > 0 and target < movement.lowest_while_entering


def _blocked(position: Position, movement: Movement, target: int) -> bool:
    enemies = position.them.points[meets(movement.meeting)[target]]
    a_checker_of_ours_is_pinned_there = position.us.pinned >> target & 1
    if enemies == 1 and not movement.hit_before_home and not any(position.us.points[: HOME + 1]):
        return True
    return enemies >= movement.block or bool(a_checker_of_ours_is_pinned_there)


def _move_one(us: Side, source: int, target: int) -> Side:
    points, hand = list(us.points), us.hand
    if source == HAND:
        hand -= 1
    else:
        points[source] -= 1
    points[target] += 1
    return Side(tuple(points), hand, us.pinned, us.plain_rolls, us.owed)


def _leave(after: Position, movement: Movement, source: int) -> Position:
    """When the last checker leaves a point, the one pinned there is free."""
    us, them = after.us, after.them
    if not them.pinned or source > 24 or us.points[source]:
        return after
    free = them.pinned & ~(1 << meets(movement.meeting)[source])
    return Position(us, Side(them.points, them.hand, free, them.plain_rolls, them.owed))


def _land(after: Position, movement: Movement, target: int) -> Position:
    """Hits or pins a single enemy checker."""
    us, them = after.us, after.them
    there = meets(movement.meeting)[target]
    if not them.points[there]:
        return after
    if movement.capture is Capture.PIN:
        return Position(us, Side(them.points, them.hand, them.pinned | 1 << there, them.plain_rolls, them.owed))
    points = list(them.points)
    points[there] -= 1
    points[BAR] += 1
    return Position(us, Side(tuple(points), them.hand, them.pinned, them.plain_rolls, them.owed))


def forbidden(rules: Rules, position: Position) -> bool:
    """Whether our checkers form an illegal position, forbidden even in the middle of a play (4.7)."""
    us, movement = position.us, rules.movement
    if movement.runner and _second_left_before_runner_arrived(rules, us):
        return True
    for lowest, highest, most in movement.quarter_limits:
        if sum(us.points[point] > 0 for point in range(lowest, highest + 1)) > most:
            return True
    if movement.prime is Prime.ENEMY_AHEAD:
        return any(not _enemy_ahead(position, row[0]) for row in _rows_of_six(position, movement))
    return movement.prime is Prime.NEVER_BEFORE_ALL and _prime_before_all(position, movement)


def _rows_of_six(position: Position, movement: Movement) -> Iterator[range]:
    """Six points in a row that we hold, in the other side's numbers."""
    other = meets(movement.meeting)
    for lowest in range(1, 20):
        row = range(lowest, lowest + 6)
        if all(position.us.points[other[point]] for point in row):
            yield row


def _enemy_ahead(position: Position, point: int) -> bool:
    """Whether some enemy checker has passed this point of its path."""
    return any(position.them.points[:point])


def _second_left_before_runner_arrived(rules: Rules, us: Side) -> bool:
    left_the_start = us.total - us.points[rules.start_point]
    arrived = sum(us.points[: rules.movement.runner + 1])
    return left_the_start > 1 and not arrived


def _prime_before_all(position: Position, movement: Movement) -> bool:
    """All enemy checkers still in play stand on one point, and we hold the six points before it."""
    them = position.them
    in_play = sum(them.points[1:]) + them.hand
    behind = them.rearmost
    if behind <= HOME or not in_play or them.points[behind] != in_play:
        return False
    other = meets(movement.meeting)
    return all(position.us.points[other[point]] for point in range(behind - 6, behind))
