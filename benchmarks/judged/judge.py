"""Adds decisions to the set: python -m benchmarks.judged.judge [A KIND] [SEED] [KIND ...]

Adds this many of every kind, three plays to one cube. Cubeless plays for money: the plays our engine ranks highest at
2-ply and those other programs choose, all rolled out on the same dice, 324 games of eight rolls. Centred cubes for
money, without the Jacoby rule: 324 games of twelve rolls, twice, and more until both choices are settled. Only close decisions are kept: two plays within 0.15
points, a cube action within 0.15 of the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final, Unpack

from barpoint.board import Position
from barpoint.chances import Chances
from barpoint.engine import Engine
from barpoint.engine.decision import CubeDecision
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.moves import Play
from benchmarks.judged.place import KINDS, decisions
from benchmarks.judged.store import FILE, Judged, append, read
from benchmarks.peer.gnubg import Gnubg, find_gnubg
from benchmarks.peer.player import Player, Sage

NEAR = 0.15
TIED = 0.001
"""Actions that differ by less are the same: where the other side has lost anyway, doubling or not is no decision."""

TRIALS = 324
PLAY_ROLLS, CUBE_ROLLS = 8, 12
CLEAR, ERROR = 4.0, 0.002
SETTLED: Final[RolloutOptions] = {"trials": 20_736, "minimum": TRIALS, "stop_clear": CLEAR, "stop_error": ERROR}
"""A cube is rolled out until both choices are clear by so many standard errors, or both equities known as well as ERROR says."""


def is_settled(stay: float, take: float, errors: tuple[float, float, float]) -> bool:
    """Whether more games would hardly tell more of a cube: both choices are clear, or both equities known as well as ERROR says.

    errors: of the equities of no double and double/take, and of their difference.
    """
    stay_error, take_error, apart = errors
    doubled = (1 - stay, stay_error) if take > 1 else (take - stay, apart)
    choices = (doubled, (take - 1, take_error))
    return max(stay_error, take_error) <= ERROR or all(abs(gap) >= CLEAR * error for gap, error in choices)


JudgedValues = dict[str, tuple[float, float]]


def play_values(
    engine: Engine, position: Position, faces: tuple[int, ...], plays: list[Play], **options: Unpack[RolloutOptions]
) -> JudgedValues:
    """{play: loss against the best, its error}"""
    rolled = engine.rollout_plays(position, faces, plays, trials=TRIALS, stop_clear=4.0, minimum=144, **options)
    return {str(item.play): (item.loss.mean, item.loss.error) for item in rolled}


def cube_values(engine: Engine, position: Position, **options: Unpack[RolloutOptions]) -> JudgedValues:
    """{action: equity, its error}"""
    found = engine.rollout_cube(position, **{**SETTLED, **options})
    stay, take = found.no_double.equity, found.double_take.equity
    return {"no double": (stay.mean, stay.error), "double/take": (take.mean, take.error)}


def judge_play(engine: Engine, others: list[Player], position: Position, faces: tuple[int, ...]) -> JudgedValues | None:
    """{play: loss against the best, its error}; None when the decision is not close."""
    ranked = engine.rank(position, faces)
    if len(ranked) < 2 or ranked[1].loss > NEAR:
        return None
    results: dict[Position, Play] = {item.play.result: item.play for item in ranked}
    chosen = {item.play.result for item in ranked[:4] if item.loss < NEAR}
    chosen |= {other.play(position, faces) for other in others}
    plays = [results[result] for result in results if result in chosen]
    return play_values(engine, position, faces, plays, truncate=PLAY_ROLLS)


def is_close(seen: CubeDecision[Chances], near: float = NEAR, tied: float = TIED) -> bool:
    """Whether doubling is within `near` of not doubling but farther than `tied`, or taking within `near` of passing."""
    double = abs(min(seen.double_take, seen.double_pass) - seen.no_double)
    return tied < double <= near or abs(seen.double_take - seen.double_pass) <= near


def judge_cube(engine: Engine, position: Position) -> JudgedValues | None:
    """{action: equity, its error}; None when the decision is not close."""
    if not is_close(engine.cube(position)):
        return None
    return cube_values(engine, position, truncate=CUBE_ROLLS)


def judge(kind: str, count: int, seed: int, others: list[Player]) -> Iterator[Judged]:
    """This many new decisions of a kind."""
    engine = Engine("backgammon", plies=2)
    sources = decisions(kind, seed)
    for number in range(count):
        while True:
            position, faces = next(sources)
            cube = number % 4 == 3
            values = judge_cube(engine, position) if cube else judge_play(engine, others, position, faces)
            if values and (cube or len(values) > 1):
                yield Judged(kind, position, () if cube else faces, values)
                break


def main(count: int = 40, seed: int = 1, *kinds: str) -> None:
    """Adds decisions and reports progress."""
    others: list[Player] = [Sage(0), Sage(1)]
    if find_gnubg():
        others += [Gnubg(0), Gnubg(2)]
    known = len(read())
    for kind in kinds or KINDS:
        for each in append(judge(kind, count, seed, others)):
            known += 1
            print(f"{known}: {each.kind}, {len(each.values)} judged, in {FILE.name}", flush=True)


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
