"""The opening book: first and second plays of a game, judged by rollouts, read from data/openings.

A file holds one variant at one stake: a line of settings, then a line a roll. A line names the rolls and plays that lead
to it, the roll, and its plays, best first (`judged`):

    3-1<TAB>8/5 6/5=2409,42<TAB>24/23 13/10=-136,42
    3-1 8/5 6/5; 5-2<TAB>13/11 13/8=...

training/opening_book.py writes these files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

import msgspec

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.engine.decision_point import DecisionPoint, tokens_left
from barpoint.engine.judged import JudgedChoice, format_judged, parse_judged
from barpoint.error import BarpointError, FormatError
from barpoint.language import N_
from barpoint.moves import Play, parse_play
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import variant

STAKES: Final[Mapping[str, CubeInfo]] = {
    "money": CubeInfo(CubeState()),
    "dmp": CubeInfo(None, Score(1, 1)),
    "gammon-go": CubeInfo(None, Score(2, 1, crawford=True)),
    "gammon-save": CubeInfo(None, Score(1, 2, crawford=True)),
}
"""What the book's files are judged for: money with a centred cube, then match scores, seen by the player to act first."""

STAKE_NAMES: Final = {
    "money": N_("money"),
    "dmp": N_("double match point"),
    "gammon-go": N_("gammon-go"),
    "gammon-save": N_("gammon-save"),
}


CLOSE: Final = 0.08
"""Plays are judged that lose at most this by a search of one ply ..."""

CANDIDATES: Final = 4
"""... and at most this many of a roll."""


class NoSuchBook(BarpointError):
    """No book covers this variant at this stake."""


@dataclass(frozen=True, slots=True)
class BookPlay:
    """A play of an opening, for the player who makes it: equity as in `Rollout`, its standard error, loss against the best.

    error: None where the play was searched instead of rolled out.
    """

    play: Play
    equity: float
    error: float | None
    loss: float


class BookSettings(msgspec.Struct, frozen=True):
    """How a book was made. net: "" where a table of whole games has all values. games: of each play at most. rolls: after which the net's
    evaluation ends a game; 0: never.
    """

    variant: str
    stake: str
    net: str
    games: int
    rolls: int


@dataclass(frozen=True, slots=True)
class BookLine:
    """A line of a file. before: rolls and plays that lead to it, as "3-1 8/5 6/5". plays: text, equity, error."""

    before: tuple[str, ...]
    faces: tuple[int, ...]
    plays: tuple[JudgedChoice, ...]

    @property
    def name(self) -> str:
        """What comes first on the line, the same for no two lines."""
        return "; ".join([*self.before, "-".join(map(str, self.faces))])


def format_book_line(line: BookLine) -> str:
    """One line, without its end."""
    return "\t".join([line.name, *format_judged(line.plays)])


def parse_book_line(text: str) -> BookLine:
    """Parses a line; FormatError."""
    name, *items = text.split("\t")
    *before, roll = name.split("; ")
    try:
        for step in before:
            _faces(step.partition(" ")[0])
        return BookLine(tuple(before), _faces(roll), parse_judged(items))
    except ValueError:
        raise FormatError("%(text)s is no line of an opening book", text=repr(text)) from None


def _faces(roll: str) -> tuple[int, ...]:
    return tuple(map(int, roll.split("-")))


class OpeningBook:
    """The judged first and second plays of a variant at a stake.

    Its positions are those of the player to act; `find` answers for any order of moves that leads to one of them.
    """

    def __init__(self, settings: BookSettings, lines: Iterable[BookLine]) -> None:
        self.settings = settings
        self.rules: Rules = variant(settings.variant)
        self._lines = {(line.before, line.faces): line for line in lines}
        self._before: dict[Position, tuple[str, ...]] | None = None

    def find(self, position: Position, faces: tuple[int, ...]) -> tuple[BookPlay, ...]:
        """The plays judged for a roll, best first; () when the book does not hold the position or the roll.

        faces: in any order.
        """
        before = self._positions().get(position)
        line = None if before is None else self._lines.get((before, tuple(sorted(faces, reverse=True))))
        if line is None or not line.plays:
            return ()
        best = line.plays[0][1]
        return tuple(
            BookPlay(parse_play(self.rules, position, faces, text), equity, error, best - equity)
            for text, equity, error in line.plays
        )

    def losses(self, position: Position, faces: tuple[int, ...]) -> dict[str, float]:
        """What the plays judged for a roll lose, by notation, best first; nothing where the book does not hold it. faces: in any order."""
        before = self._positions().get(position)
        line = None if before is None else self._lines.get((before, tuple(sorted(faces, reverse=True))))
        return {} if line is None else {text: line.plays[0][1] - equity for text, equity, _error in line.plays}

    def rolls(self, position: Position) -> tuple[tuple[int, ...], ...]:
        """The rolls that the book holds for a position; () when it does not hold the position."""
        before = self._positions().get(position)
        return () if before is None else tuple(faces for known, faces in self._lines if known == before)

    @property
    def replies(self) -> tuple[Position, ...]:
        """The positions after first plays whose replies the book holds."""
        return tuple(position for position, before in self._positions().items() if before)

    def _positions(self) -> dict[Position, tuple[str, ...]]:
        """{position to act: the line's `before`}; the first of two orders that lead to the same position counts."""
        if self._before is None:
            found: dict[Position, tuple[str, ...]] = {self.rules.start: ()}
            for before in {before: None for before, _ in self._lines if before}:
                found.setdefault(position_after(self.rules, before), before)
            self._before = found
        return self._before


def opening_step(faces: tuple[int, ...], play: str) -> str:
    """A roll and its play as one step that leads to a line, such as "3-1 8/5 6/5"."""
    return f"{'-'.join(map(str, sorted(faces, reverse=True)))} {play}"


def position_after(rules: Rules, steps: Iterable[str]) -> Position:
    """The position after the steps of a line, of the player to act; IllegalMove where one is no play."""
    position = rules.start
    for step in steps:
        roll, _, play = step.partition(" ")
        position = parse_play(rules, position, _faces(roll), play).result.flip()
    return position


def opening_rolls(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The rolls that may open a game."""
    unlike = rules.opening.first_roll is FirstRoll.OPENING_ROLL
    return tuple(row.faces for row in rules.dice.rows if not unlike or len(set(row.faces)) > 1)


@cache
def book_names() -> tuple[tuple[str, str], ...]:
    """(variant, stake) of all books."""
    return tuple(
        (name, stake)
        for file in sorted(_folder().iterdir(), key=lambda file: file.name)
        if file.name.endswith(".tsv")
        for name, _, stake in (file.name.removesuffix(".tsv").rpartition("."),)
    )


@cache
def opening_book(name: str = "backgammon", stake: str = "money") -> OpeningBook:
    """The book of a variant at a stake of `STAKES`; NoSuchBook names those that there are."""
    file = _folder() / f"{name}.{stake}.tsv"
    if (name, stake) not in book_names():
        known = ", ".join(f"{known} ({stake})" for known, stake in book_names())
        raise NoSuchBook(
            "no opening book covers %(name)s (%(stake)s); there are %(known)s", name=name, stake=stake, known=known
        )
    first, *rest = file.read_text(encoding="utf-8").splitlines()
    return OpeningBook(msgspec.json.decode(first, type=BookSettings), map(parse_book_line, rest))


def book_play(rules: Rules, point: DecisionPoint) -> Play | None:
    """The best play of the book for a roll, where it holds the position at what is at stake; else None.

    A cube that nobody can turn counts as none; tokens must all be there, as in the book.
    """
    stake = stake_of(point.cube_info if point.position == rules.start else point.cube_info.flip())
    if (rules.name, stake) not in book_names():
        return None
    if tokens_left(rules, point.tokens) != tokens_left(rules, None):
        return None
    found = opening_book(rules.name, stake).find(point.position, point.faces)
    return found[0].play if found else None


def stake_of(info: CubeInfo) -> str:
    """Which of STAKES it is, for the player to act first; "" for none of them."""
    played = replace(info.stakes, manual=False, dice_on_checkers_count=False, transcript=False)  # these change no play
    info = replace(info, stakes=played)
    return next((name for name, of_book in STAKES.items() if _alike(of_book, info)), "")


def _alike(of_book: CubeInfo, info: CubeInfo) -> bool:
    """Whether the same is at stake."""
    if of_book.score is None:
        return (of_book.cube, None, of_book.stakes) == (info.cube, info.score, info.stakes)
    return info.score == of_book.score and info.cube_value == 1 and (info.cube is None or info.cube.owner is None)


def _folder() -> Traversable:
    return resources.files("barpoint") / "data" / "openings"
