"""Make opening books by rollout: python -m training.opening_book [--games N] [--rolls N] [--only STAKE] [VARIANT ...]

The first plays of every roll for each variant and each stake, then the replies to every first play within NEAR of the
best in the books of WITH_REPLIES. Each of the engine's best few plays of a roll is rolled out, on the same dice for all; a
play behind by three standard errors of the difference is dropped. Writes data/openings/VARIANT.STAKE.tsv, a line when
it is judged, so that the same command goes on where it was stopped (Ctrl-C at any time). --anew: forgets what is there.
Where a table of whole games is kept (`barpoint build hypergammon`), it has all values, which are exact and without an error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from barpoint.board import Position
from barpoint.engine import Engine, contact
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.decision_point import DecisionPoint
from barpoint.engine.opening_book import (
    CANDIDATES,
    CLOSE,
    STAKES,
    BookLine,
    BookSettings,
    format_book_line,
    opening_rolls,
    parse_book_line,
)
from barpoint.moves import parse_play
from barpoint.rules import Rules

FOLDER: Final = Path(__file__).parents[1] / "src" / "barpoint" / "data" / "openings"
NEAR: Final = 0.02
"""First plays whose replies are judged lose at most this, in points or as much of the match."""

CLEAR_ERRORS: Final = 3.0
WITH_REPLIES: Final = tuple(("backgammon", stake) for stake in STAKES)
VARIANTS: Final = {
    "backgammon": tuple(STAKES),
    "nackgammon": ("money",),
    "longgammon": ("money",),
    "hypergammon": ("money",),
    "duodecagammon": ("money",),
    "roll-over": ("money",),
    "cancelgammon": ("money",),
    "roll-over+duodecagammon": ("money",),
    "cancelgammon+duodecagammon": ("money",),
}
"""Variants and the stakes they are judged for; where there are reroll tokens, both sides have all of them.

Without Acey-Deucey: a roll takes half a minute, since games there are long and doubles have thousands of plays.
"""


class Making:
    """A book on its way: its file, and how its lines are judged."""

    def __init__(self, name: str, stake: str, games: int, rolls: int, anew: bool) -> None:
        self.engine = Engine(name, plies=1)
        self.rules: Rules = self.engine.rules
        net = None if contact.find(self.rules) else self.engine.entry
        self.settings = BookSettings(name, stake, net.file.removesuffix(".net") if net else "", games, rolls)
        self.file = FOLDER / f"{name}.{stake}.tsv"
        self.lines: dict[str, BookLine] = {}
        FOLDER.mkdir(parents=True, exist_ok=True)
        if anew or not self.file.exists():
            self.file.write_text(msgspec.json.encode(self.settings).decode() + "\n", encoding="utf-8")
        first, *rest = self.file.read_text(encoding="utf-8").splitlines()
        if msgspec.json.decode(first, type=BookSettings) != self.settings:
            raise SystemExit(f"{self.file.name} was made otherwise, {first}; --anew forgets it")
        for line in map(parse_book_line, rest):
            self.lines[line.name] = line

    def judge(self, before: tuple[str, ...], position: Position, faces: tuple[int, ...], info: CubeInfo) -> BookLine:
        """The line of a roll, read or judged and written."""
        line = BookLine(before, faces, ())
        if line.name in self.lines:
            return self.lines[line.name]
        point = DecisionPoint(position, info, None, faces)
        ranked = [item for item in self.engine.rank(point) if item.loss <= CLOSE][:CANDIDATES]
        rolled = self.engine.rollout_plays(
            point,
            (),
            [item.play for item in ranked],
            trials=self.settings.games,
            truncate=self.settings.rolls,
            stop_clear=CLEAR_ERRORS,
        )
        line = BookLine(
            before,
            faces,
            tuple((str(item.play), item.rollout.equity.mean, item.rollout.equity.error) for item in rolled),
        )
        self.lines[line.name] = line
        with self.file.open("a", encoding="utf-8") as out:
            out.write(format_book_line(line) + "\n")
        return line


def first_lines(book: Making) -> Iterator[BookLine]:
    """A line for each roll that may open the game."""
    for faces in opening_rolls(book.rules):
        yield book.judge((), book.rules.start, faces, STAKES[book.settings.stake])


def reply_lines(book: Making, first: list[BookLine]) -> Iterator[BookLine]:
    """A line for each roll after each good first play; positions that two rolls lead to are judged once."""
    seen: set[Position] = set()
    info = STAKES[book.settings.stake].flip()
    for line in first:
        best = line.plays[0][1]
        for text, equity, _ in line.plays:
            position = parse_play(book.rules, book.rules.start, line.faces, text).result.flip()
            if equity < best - NEAR or position in seen:
                continue
            seen.add(position)
            for row in book.rules.dice.rows:
                yield book.judge((f"{'-'.join(map(str, line.faces))} {text}",), position, row.faces, info)


def make(book: Making, lines: Iterable[BookLine]) -> list[BookLine]:
    """Makes lines of one book, and shows how far it is."""
    began, found = time.monotonic(), []
    for line in lines:
        found.append(line)
        seconds = time.monotonic() - began
        print(f"\r{book.file.name}: {len(book.lines)} rolls, {seconds:.0f} s  ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def main() -> None:
    """Makes all or some books."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(VARIANTS))
    parser.add_argument("--games", type=int, default=576)
    parser.add_argument("--rolls", type=int, default=8)
    parser.add_argument("--only", choices=STAKES)
    parser.add_argument("--anew", action="store_true")
    wanted = parser.parse_args()
    try:
        books = [
            Making(name, stake, wanted.games, wanted.rolls, wanted.anew)
            for name in wanted.names
            for stake in ([wanted.only] if wanted.only else VARIANTS[name])
        ]
        first = [make(book, first_lines(book)) for book in books]
        for book, lines in zip(books, first, strict=True):
            if (book.settings.variant, book.settings.stake) in WITH_REPLIES:
                make(book, reply_lines(book, lines))
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)


if __name__ == "__main__":
    main()
