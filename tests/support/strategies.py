"""Positions for tests of any rules: from random games, and strange but possible ones.

Both come from a seed (`Random`) or from Hypothesis; a position is seen by the side to act and the game is not over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Final

from hypothesis import assume
from hypothesis import strategies as st

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.dice import DiceRow
from barpoint.rules import Capture, Prime, Rules
from tests.reference import forbidden, reference_outcome, reference_plays
from tests.reference.play import row_of

Pick = Callable[[int, int], int]
"""Chooses an integer between two, both included."""

OURS: Final = "ours"
THEIRS: Final = "theirs"
BOTH: Final = "both"
NOBODY: Final = "nobody"


# ---------------------------------------------------------------- rolls


def rows_of(rules: Rules) -> st.SearchStrategy[DiceRow]:
    """The rolls of these rules, all equally likely."""
    return st.sampled_from(rules.dice.rows)


def random_row(rules: Rules, random: Random) -> DiceRow:
    """A roll, all rows equally likely."""
    return random.choice(rules.dice.rows)


def owed_row(rules: Rules, position: Position) -> DiceRow | None:
    """The row that the side to act plays without rolling it; None where it rolls."""
    return rules.dice.rows[position.us.owed - 1] if position.us.owed else None


# ---------------------------------------------------------------- positions of games


def game_positions(
    rules: Rules, random: Random, roll: Callable[[Rules, Random], DiceRow] = random_row
) -> Iterator[tuple[Position, DiceRow, set[tuple[Position, bool]]]]:
    """An endless stream of positions of random games, with a roll and the plays that the reference finds.

    Each side has its own style, so that some games are races, some blitzes, some long.
    """
    while True:
        position, habit, next_habit = rules.start, random.choice(HABITS), random.choice(HABITS)
        while reference_outcome(rules, position) is None:
            row = owed_row(rules, position) or roll(rules, random)
            plays = reference_plays(rules, position, row.faces)
            yield position, row, plays
            choose = habit if random.random() < 0.8 else any_play
            position, again = choose(list(plays), random)  # hashes of numbers: the same order every time
            if not again:
                position, habit, next_habit = position.flip(), next_habit, habit


PlayChosen = tuple[Position, bool]


def any_play(plays: list[PlayChosen], random: Random) -> PlayChosen:
    """Any of the plays."""
    return random.choice(plays)


def hitting_play(plays: list[PlayChosen], random: Random) -> PlayChosen:
    """The play that costs the other side most, by hits or pins."""
    return max(plays, key=lambda play: (play[0].them.pips, play[0].them.pinned, random.random()))


def gathering_play(plays: list[PlayChosen], random: Random) -> PlayChosen:
    """The play that leaves the fewest blots and brings most home."""
    return min(plays, key=lambda play: (play[0].us.points.count(1), sum(play[0].us.points[7:]), random.random()))


def spreading_play(plays: list[PlayChosen], random: Random) -> PlayChosen:
    """The play that leaves the most blots."""
    return max(plays, key=lambda play: (play[0].us.points.count(1), random.random()))


HABITS: Final = (any_play, any_play, hitting_play, gathering_play, spreading_play)


# ---------------------------------------------------------------- strange positions


def strange_position(rules: Rules, pick: Pick) -> Position | None:
    """A position with checkers anywhere these rules allow; None when the draw gave an impossible one."""
    about_a_prime = rules.movement.prime is not Prime.FREE and pick(0, 7) == 0
    owners = _owners_about_a_prime(rules, pick) if about_a_prime else _owners(rules, pick)
    us, them = _side(rules, pick, owners, OURS), _side(rules, pick, owners, THEIRS)
    position = _with_dice(rules, pick, _pin(rules, pick, owners, us, them))
    if position is None or reference_outcome(rules, position) is not None:
        return None
    # we may have to open a prime that the other side's last move closed; otherwise both sides must be legal on their
    # own
    if forbidden(rules, position.flip()) or (
        forbidden(rules, position) and not forbidden_by_prime_alone(rules, position)
    ):
        return None
    return position


def forbidden_by_prime_alone(rules: Rules, position: Position) -> bool:
    """Whether our position breaks the rule on primes only because the other side has gathered behind our prime."""
    scattered = Side.of(dict.fromkeys(range(1, 1 + min(6, rules.checkers)), 1))
    return not forbidden(rules, Position(position.us, scattered))


def strange_positions(rules: Rules) -> st.SearchStrategy[Position]:
    """Hypothesis: strange but possible positions."""

    @st.composite
    def strategy(draw: st.DrawFn) -> Position:
        position = strange_position(rules, lambda low, high: draw(st.integers(low, high)))
        assume(position is not None)
        assert position is not None
        return position

    return strategy()


def rolled_positions(rules: Rules) -> st.SearchStrategy[tuple[Position, DiceRow]]:
    """Hypothesis: strange but possible positions, each with a roll that may be played in it."""

    @st.composite
    def strategy(draw: st.DrawFn) -> tuple[Position, DiceRow]:
        position = draw(strange_positions(rules))
        return position, owed_row(rules, position) or draw(rows_of(rules))

    return strategy()


def random_strange_position(rules: Rules, random: Random) -> Position:
    """A strange but possible position from a seed."""
    while True:
        position = strange_position(rules, random.randint)
        if position is not None:
            return position


def _owners(rules: Rules, pick: Pick) -> list[str]:
    """[25] the owner of each of our points; a crowded board, a sparse one, or one that both sides have nearly left."""
    crowd = pick(1, 8)
    owners = [NOBODY] * 25
    home_only = pick(0, 3) == 0
    other = rules.movement.meeting.other
    for point in range(1, 25):
        if pick(0, 8) > crowd:
            continue
        may_stand = [OURS] * (point <= 6 or not home_only) + [THEIRS] * (other(point) <= 6 or not home_only)
        if rules.movement.capture is Capture.PIN and len(may_stand) == 2:
            may_stand.append(BOTH)
        if may_stand:
            owners[point] = may_stand[pick(0, len(may_stand) - 1)]
    return owners


def _owners_about_a_prime(rules: Rules, pick: Pick) -> list[str]:
    """[25] the owners when all checkers of one side are on one point, and the other holds most points before it."""
    owners = [NOBODY] * 25
    other = rules.movement.meeting.other
    behind, gap = pick(7, 24), pick(1, 12)
    ours_are_behind = pick(0, 1) == 1
    at = (lambda point: point) if ours_are_behind else other
    owners[at(behind)] = OURS if ours_are_behind else THEIRS
    for point in range(behind - 6, behind):
        owners[at(point)] = NOBODY if behind - point == gap else (THEIRS if ours_are_behind else OURS)
    for _ in range(pick(0, 3)):
        point = pick(1, 24)
        if owners[point] == NOBODY:
            owners[point] = THEIRS if ours_are_behind else OURS
    return owners


def _side(rules: Rules, pick: Pick, owners: list[str], name: str) -> list[int]:
    """[27] one side's checkers by own point, off, bar and hand, without those of shared points."""
    other = rules.movement.meeting.other
    points = [point if name == OURS else other(point) for point in range(1, 25) if owners[point] == name]
    places = list(points)
    if not places or pick(0, 1):
        places.append(OFF)
    if rules.movement.capture is Capture.HIT and pick(0, 3) == 0:
        places.append(BAR)
    if rules.setup.hand and pick(0, 1):
        places.append(HAND)
    checkers = [0] * 27
    left = rules.checkers - sum(owner == BOTH for owner in owners)
    if rules.start_point in points and pick(0, 2) == 0:  # a game in its opening
        staying = max(0, left - pick(0, 4))
        checkers[rules.start_point] += staying
        left -= staying
    elif pick(0, 3) == 0:  # a game that is nearly over
        gone = max(0, left - pick(0, 6))
        checkers[OFF] += gone
        left -= gone
    for _ in range(max(0, left)):
        checkers[places[pick(0, len(places) - 1)]] += 1
    return checkers


def _with_dice(rules: Rules, pick: Pick, position: Position | None) -> Position | None:
    """Sometimes a roll is owed, or there are plain rolls left."""
    if position is None or not rules.follow_ups.rolls:
        return position
    us, them = (
        replace(side, plain_rolls=pick(0, rules.follow_ups.plain_rolls)) for side in (position.us, position.them)
    )
    following = sorted({rules.dice.rows.index(row_of(rules, after)) for _, after in rules.follow_ups.rolls})
    if pick(0, 1):
        us = replace(us, plain_rolls=0, owed=1 + following[pick(0, len(following) - 1)])
    return Position(us, them)


def _pin(rules: Rules, pick: Pick, owners: list[str], us: list[int], them: list[int]) -> Position | None:
    """Places both sides' checkers on the points they share: one of each, and more of the pinning side."""
    pinned = [0, 0]
    other = rules.movement.meeting.other
    for point in range(1, 25):
        if owners[point] == BOTH:
            us[point] += 1
            them[other(point)] += 1
            captive = pick(0, 1)
            pinned[captive] |= 1 << (other(point) if captive else point)
            captor, own = (us, point) if captive else (them, other(point))
            if captor[OFF] and pick(0, 1):
                captor[OFF] -= 1
                captor[own] += 1
    if sum(us) != rules.checkers or sum(them) != rules.checkers:
        return None
    return Position(
        Side(tuple(us[:HAND]), us[HAND], pinned[0]),
        Side(tuple(them[:HAND]), them[HAND], pinned[1]),
    )
