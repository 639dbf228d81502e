"""The file of judged decisions, one a line so that it grows and diffs by line.

A play: kind, position, roll, then every judged play with its loss against the best and the error of that, in units of
0.0001 points. A cube: kind, position, "cube", then no double and double/take in points with errors in the same units;
double/pass is 1. Tabs separate fields; positions are GNU position IDs of the side to act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from barpoint.board import Position
from barpoint.moves import parse_play
from barpoint.record.position_id import format_position, parse_position
from barpoint.variants import variant

FILE = Path(__file__).parents[1] / "data" / "decisions.tsv"
UNIT = 10_000


@dataclass(frozen=True, slots=True)
class Judged:
    """faces: () for a cube. values: {play as text, or action: (loss or equity, its error)} in points."""

    kind: str
    position: Position
    faces: tuple[int, ...]
    values: dict[str, tuple[float, float]]

    @property
    def key(self) -> tuple[Position, tuple[int, ...]]:
        """Which decision it is, whoever judged it."""
        return self.position, self.faces

    @property
    def results(self) -> dict[Position, float]:
        """{position after the play, seen by the mover: its loss}; for plays only."""
        rules = variant("backgammon")
        return {
            parse_play(rules, self.position, self.faces, text).result: loss for text, (loss, _) in self.values.items()
        }


def format_line(judged: Judged) -> str:
    """One line, without its end."""
    roll = "".join(map(str, judged.faces)) or "cube"
    items = [f"{text}={round(UNIT * value)},{round(UNIT * error)}" for text, (value, error) in judged.values.items()]
    return "\t".join([judged.kind, format_position(judged.position), roll, *items])


def parse_line(line: str) -> Judged:
    """Parses a line."""
    kind, position, roll, *items = line.split("\t")
    values = {}
    for item in items:
        text, _, numbers = item.rpartition("=")
        value, error = (int(number) / UNIT for number in numbers.split(","))
        values[text] = value, error
    faces = () if roll == "cube" else tuple(map(int, roll))
    return Judged(kind, parse_position(position), faces, values)


def read(path: Path = FILE) -> list[Judged]:
    """All decisions."""
    return [parse_line(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def append(judged: Iterable[Judged], path: Path = FILE) -> Iterator[Judged]:
    """Writes each decision as it comes and passes it on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for each in judged:
        with path.open("a", encoding="utf-8") as file:
            file.write(format_line(each) + "\n")
        yield each
