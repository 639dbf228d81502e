"""Judged values of positions of hard families, one a line, in benchmarks/data/families.tsv.

Family, GNU position ID of the side to act, its cubeless equity for money by rollout and the error of that, in units of 0.0001 points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from barpoint.board import Position
from barpoint.engine import Engine
from barpoint.record.position_id import format_position, parse_position
from benchmarks.judged.families import FAMILIES, family_position
from benchmarks.judged.numbered import NumberedFile

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


def judge(family: str, number: int, old: JudgedValue | None = None) -> JudgedValue:
    """Position `number` of a family, rolled out to the end with variance reduction by the net alone, until its error is ERROR.

    old: has the position; it is found from the number if not given.
    """
    position = old.position if old else family_position(family, SEED, number)
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


def file_at(path: Path) -> NumberedFile[JudgedValue]:
    """A file of judged values."""
    return NumberedFile(path, lambda judged: judged.family, format_line, parse_line)


def read(path: Path = FILE) -> list[JudgedValue]:
    """All judged values, in the order of their numbers within each family."""
    return file_at(path).read()


def judge_more(
    count: int, families: Sequence[str] = tuple(FAMILIES), executor: Executor | None = None, path: Path = FILE
) -> Iterator[JudgedValue]:
    """Judges until each of the families has `count` positions, and anew those whose error is above ERROR; see NumberedFile."""
    return file_at(path).judge_more(count, families, judge, executor, lambda known: known.error <= ERROR)


def judge_again(executor: Executor | None = None, path: Path = FILE) -> Iterator[JudgedValue]:
    """Judges all values of a file anew by the present net; see NumberedFile."""
    return file_at(path).judge_again(judge, executor)
