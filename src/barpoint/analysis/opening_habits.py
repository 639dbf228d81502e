"""What a player does in the opening: each roll with the plays made, how often, and what they lost by the book or the analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from barpoint.analysis.opening_plays import OpeningMade
from barpoint.analysis.statistics import PlayedMatch
from barpoint.board import Position
from barpoint.engine.opening_book import NoSuchBook, OpeningBook, opening_book, position_after
from barpoint.error import BarpointError
from barpoint.rules import Rules

USUAL_STAKE = "money"
"""The stake whose book scores without a book of their own are shown beside."""


@dataclass(frozen=True, slots=True)
class OpeningMoment:
    """A play in the opening of a game. loss: by the book at its stake, else by the analysis of the match."""

    played: PlayedMatch
    made: OpeningMade
    loss: float

    @property
    def address(self) -> str:
        """Where the moment can be looked at."""
        return f"{self.played.address}#{self.made.event - 1}"


@dataclass(frozen=True, slots=True)
class OpeningHabit:
    """A play and every time that it was made. position: before it, of whoever plays. before: the roll and play that it answers, "" at the
    start. faces: highest first. moments: oldest first."""

    position: Position
    before: str
    faces: tuple[int, ...]
    play: str
    moments: tuple[OpeningMoment, ...]

    @property
    def times(self) -> int:
        """How often it was made."""
        return len(self.moments)

    @property
    def lost(self) -> float:
        """What it lost, all times together."""
        return sum(one.loss for one in self.moments)


def opening_habits(rules: Rules, stake: str, played: Iterable[PlayedMatch]) -> tuple[OpeningHabit, ...]:
    """The player's first plays and replies at a stake, the most frequent first. played: matches of these rules, oldest first.

    Games at scores that no stake means are among those for money, and judged by the analysis of their match.
    """
    book, positions = _book(rules, stake), dict[str, Position | None]()
    found: dict[tuple[Position, tuple[int, ...], str], list[OpeningMoment]] = defaultdict(list)
    before: dict[Position, str] = {}
    for one in played:
        for made in one.match.openings:
            if made.player != one.player or (made.stake or USUAL_STAKE) != stake:
                continue
            if made.before not in positions:
                positions[made.before] = _position(rules, made.before)
            position = positions[made.before]
            if position is None:
                continue
            before.setdefault(position, made.before)
            faces = tuple(sorted(made.faces, reverse=True))
            loss = made.loss if book is None or not made.stake else _judged(book, position, faces, made)
            found[position, faces, made.made].append(OpeningMoment(one, made, loss))
    habits = [OpeningHabit(key[0], before[key[0]], key[1], key[2], tuple(each)) for key, each in found.items()]
    return tuple(sorted(habits, key=lambda habit: (-habit.times, habit.lost)))


def costliest_habits(habits: Iterable[OpeningHabit], most: int) -> list[OpeningHabit]:
    """The plays made more than once that have lost most in all."""
    found = [one for one in habits if one.times > 1 and one.lost > 0]
    return sorted(found, key=lambda one: -one.lost)[:most]


def _book(rules: Rules, stake: str) -> OpeningBook | None:
    try:
        return opening_book(rules.name, stake)
    except NoSuchBook:
        return None


def _position(rules: Rules, before: str) -> Position | None:
    """The position of a reply, or the start; None where these rules do not know the play any more."""
    try:
        return position_after(rules, (before,) if before else ())
    except BarpointError:
        return None


def _judged(book: OpeningBook, position: Position, faces: tuple[int, ...], made: OpeningMade) -> float:
    """What a play loses by the book. One that the book leaves out was clearly worse: it loses no less than those that it has."""
    known = book.losses(position, faces)
    if made.made in known:
        return known[made.made]
    return max([made.loss, *known.values()])
