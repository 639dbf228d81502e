"""Judged values of positions of hard families, one a line, in benchmarks/data/families.tsv.

Family, GNU position ID of the side to act, its cubeless equity for money by rollout and the error of that, in units of 0.0001 points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from barpoint.board import Position
from barpoint.engine import Engine
from barpoint.engine.executors import in_order
from barpoint.record.position_id import format_position, parse_position
from benchmarks.judged.families import FAMILIES, family_position

FILE: Final = Path(__file__).parents[1] / "data" / "families.tsv"
UNIT: Final = 10_000
SEED: Final = 1
TRIALS: Final = 20_736  # at most; ERROR ends nearly all within a thousand
ERROR: Final = 0.01


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """equity, error: in points, cubeless, for the side to act."""

    family: str
    position: Position
    equity: float
    error: float


def judge(family: str, number: int, position: Position | None = None) -> JudgedValue:
    """Position `number` of a family, rolled out to the end with variance reduction by the net alone, until its error is ERROR.

    position: that one; found from the number if not given.
    """
    position = position or family_position(family, SEED, number)
    found = Engine("backgammon").rollout(position, trials=TRIALS, stop_error=ERROR, seed=number + 1, threads=1).equity
    return JudgedValue(family, position, round(UNIT * found.mean) / UNIT, round(UNIT * found.error) / UNIT)


def format_line(judged: JudgedValue) -> str:
    """One line, without its end."""
    numbers = (str(round(UNIT * value)) for value in (judged.equity, judged.error))
    return "\t".join([judged.family, format_position(judged.position), *numbers])


def parse_line(line: str) -> JudgedValue:
    """Parses a line."""
    family, position, equity, error = line.split("\t")
    return JudgedValue(family, parse_position(position), int(equity) / UNIT, int(error) / UNIT)


def read(path: Path = FILE) -> list[JudgedValue]:
    """All judged values, in the order of their numbers within each family."""
    return [parse_line(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def judge_more(
    count: int, families: Sequence[str] = tuple(FAMILIES), executor: Executor | None = None, path: Path = FILE
) -> Iterator[JudgedValue]:
    """Judges until each of the families has `count` positions, and anew those whose error is above ERROR, in turn.

    Each is in the file before it is given. Goes on from what the file holds; the file is the same on any executor, however often
    the work was stopped.
    """
    have: Counter[str] = Counter()
    known: dict[tuple[str, int], JudgedValue] = {}
    for each in read(path):
        known[each.family, have[each.family]] = each
        have[each.family] += 1
    path.parent.mkdir(parents=True, exist_ok=True)
    names = [(family, number) for number in range(count) for family in families]
    left = [name for name in names if name not in known or known[name].error > ERROR]
    tasks = [(*name, known[name].position if name in known else None) for name in left]
    with closing(in_order(executor, judge, tasks)) as found:
        for name, judged in zip(left, found, strict=True):
            known[name] = judged
            part = path.with_suffix(".part")
            part.write_text("".join(f"{format_line(each)}\n" for each in known.values()), encoding="utf-8")
            part.replace(path)
            yield judged
