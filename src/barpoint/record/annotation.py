"""What a file says about the decisions of its match, or about one position: comments, and what another program found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from barpoint.board import BAR, HAND, OFF
from barpoint.game import Event
from barpoint.match import Match
from barpoint.match.situation import Situation

MAX_COMMENT: Final = 4_000
"""Maximum characters of a comment that are kept."""

MAX_PLAYS: Final = 32
"""Maximum plays of a decision that are kept; eXtreme Gammon and GNU Backgammon write fewer."""

_NAMES: Final = {BAR: "bar", OFF: "off", HAND: "hand"}

PlayStep = tuple[int, int]
"""A checker's way in a play, from and to, on the mover's own path; 25 is the bar, 26 the hand, 0 off."""


@dataclass(frozen=True, slots=True)
class EvaluatedPlay:
    """A play as another program evaluates it.

    equity: of the mover, normalised: a plain win at the present cube is +1. chances: [5] of the mover to win, to win a gammon and a
    backgammon, to lose a gammon and a backgammon; () where the file has none. level: how deep it looked, in the words
    of the file, such as "2-ply". mwc: the equity is a chance to win the match instead.
    """

    steps: tuple[PlayStep, ...]
    equity: float
    chances: tuple[float, ...] = ()
    level: str = ""
    mwc: bool = False

    def leads_where(self, steps: Iterable[PlayStep]) -> bool:
        """Whether other steps move the same checkers to the same places, by whatever points between."""
        return _moved(self.steps) == _moved(steps)

    @property
    def text(self) -> str:
        """The play as its checkers move, such as "13/8 6/5"; "" for none."""
        return " ".join(f"{_NAMES.get(a, a)}/{_NAMES.get(b, b)}" for a, b in self.steps)


@dataclass(frozen=True, slots=True)
class EvaluatedCube:
    """A cube decision as another program evaluates it, for the player who may double.

    no_double, take, drop: if they do not double, if the double is taken, if it is passed; drop is None where the file does not say it.
    mwc: these are chances to win the match; otherwise equities. chances, level: as in `EvaluatedPlay`, before the decision.
    """

    no_double: float
    take: float
    drop: float | None = None
    mwc: bool = False
    chances: tuple[float, ...] = ()
    level: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a file says about one event. plays: best first; cube: of the double before it, made or not."""

    comment: str = ""
    plays: tuple[EvaluatedPlay, ...] = ()
    cube: EvaluatedCube | None = None

    def __bool__(self) -> bool:
        return bool(self.comment or self.plays or self.cube)

    def with_comment(self, text: str) -> Annotation:
        """The same with one more comment."""
        whole = f"{self.comment}\n{text.strip()}".strip()
        return replace(self, comment=whole[:MAX_COMMENT])


@dataclass(frozen=True, slots=True)
class AnnotatedPosition:
    """A position with what a text or file says about its decision. program: which one judged; "" where it is not said."""

    situation: Situation
    annotation: Annotation = Annotation()
    program: str = ""

    def shortened(self, plays: int) -> AnnotatedPosition:
        """The same with so many plays at most, and nothing of their chances."""
        note = self.annotation
        kept = tuple(replace(one, chances=()) for one in note.plays[:plays])
        cube = None if note.cube is None else replace(note.cube, chances=())
        return replace(self, annotation=replace(note, plays=kept, cube=cube))


Annotations = dict[int, Annotation]
"""By the number of the event in the match, from 1, as in reports. What is about a turn stands at its play."""


def _moved(steps: Iterable[PlayStep]) -> Counter[int]:
    """How many checkers more stand on each place, fewer below zero."""
    found: Counter[int] = Counter()
    for source, target in steps:
        found[source] -= 1
        found[target] += 1
    return Counter({place: count for place, count in found.items() if count})


def numbered_as(found: Annotations, events: Sequence[Event], match: Match) -> Annotations:
    """The annotations of a list of events by the numbers of the same events in a match, which may have more of them."""
    numbers: dict[int, int] = {}
    at = 0
    for number, event in enumerate(events, start=1):
        if event in match.events[at:]:
            at = match.events.index(event, at) + 1
            numbers[number] = at
    return {numbers[number]: one for number, one in found.items() if number in numbers}


def best_first(plays: Iterable[EvaluatedPlay]) -> tuple[EvaluatedPlay, ...]:
    """The plays by their equity, at most `MAX_PLAYS`."""
    return tuple(sorted(plays, key=lambda play: -play.equity)[:MAX_PLAYS])
