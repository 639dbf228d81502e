"""What an analysis says: decisions with their errors, the luck of rolls, and what they add up to.

Equities are those of whoever decides or rolls, normalised: a plain win at the present cube is +1. A worth is what counts
in the end: the chance to win the match, or points of a money session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from barpoint.game.event import MoveMade, PositionCounts

DOUBTFUL: Final = 0.020
ERROR: Final = 0.040
BLUNDER: Final = 0.080
"""Losses from which a decision is marked. 0.020 is where eXtreme Gammon speaks of an error, 0.040 where GNU Backgammon
calls a play doubtful, 0.080 what both of them take for a bad one."""

LUCKY: Final = 0.3
VERY_LUCKY: Final = 0.6
"""Luck from which a roll is marked, and its opposite; GNU Backgammon's."""

PR_FACTOR: Final = 500
"""The performance rating is so many times the mean loss of an unforced decision, as eXtreme Gammon has it."""

STAGES: Final = ("opening", "contact", "race", "bear-off")
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "plays": ("play",),
    "cube": ("double", "no double", "take", "pass", "beaver", "raccoon"),
    "calls": ("call", "keep"),
    "resignations": ("resign", "accept", "reject"),
}
"""Kinds of decisions, in the groups that are added up."""

Mark = Literal["", "doubtful", "error", "blunder"]


def mark_of(loss: float) -> Mark:
    """How a decision is marked that loses so much."""
    if loss >= BLUNDER:
        return "blunder"
    return "error" if loss >= ERROR else "doubtful" if loss >= DOUBTFUL else ""


def luck_mark(luck: float) -> str:
    """How a roll of so much luck is marked."""
    if abs(luck) < LUCKY:
        return ""
    return f"{'very ' if abs(luck) >= VERY_LUCKY else ''}{'lucky' if luck > 0 else 'unlucky'}"


class Option(Struct, frozen=True, omit_defaults=True):
    """Something that could be done.

    loss: against the best option. worth: as above. chances: five figures as in Chances, or three as in Margins, after it.
    moves, position: of a play; the position after it is seen by the mover.
    """

    text: str
    equity: float
    loss: float
    worth: float
    chances: tuple[float, ...] = ()
    moves: tuple[MoveMade, ...] = ()
    position: PositionCounts | None = None


class CubeFigures(Struct, frozen=True):
    """What the cube is about, for whoever may double: three equities, and the chances to win at which decisions change."""

    no_double: float
    double_take: float
    double_pass: float
    action: str
    win: float
    take: float
    double: float
    cash: float
    too_good: float


class Decision(Struct, frozen=True, omit_defaults=True):
    """A decision as it was made.

    event: the number of the event in the match, from 1, with which it was made. game: from 1.
    kind: see GROUPS; "no double" and "keep" are what a player did by rolling or playing on.
    stage: see STAGES. faces: the roll that was played, or called. chosen: which of the options, best first, was taken.
    cost: its loss in worth. counted: it was unforced, and counts for the rating. lesson: what the better choice gains.
    """

    event: int
    game: int
    player: int
    kind: str
    stage: str
    chosen: int
    options: tuple[Option, ...]
    loss: float
    cost: float
    counted: bool
    mark: Mark = ""
    faces: tuple[int, ...] = ()
    cube: CubeFigures | None = None
    lesson: str = ""

    @property
    def made(self) -> Option:
        """What was done."""
        return self.options[self.chosen]

    @property
    def best(self) -> Option:
        """What should have been done."""
        return self.options[0]


class Luck(Struct, frozen=True, omit_defaults=True):
    """The luck of a roll: its equity with the best play, less the mean over all rolls. worth: the same as a worth."""

    event: int
    game: int
    player: int
    faces: tuple[int, ...]
    luck: float
    worth: float
    mark: str = ""


class Point(Struct, frozen=True):
    """Player 0's chance after an event: to win the match, or the running game of a money session."""

    event: int
    win: float


class Tally(Struct, frozen=True):
    """Decisions added up. loss, cost: summed. error_rate: mean loss of an unforced decision, in thousandths."""

    decisions: int
    unforced: int
    loss: float
    cost: float
    doubtful: int
    errors: int
    blunders: int
    error_rate: float
    rating: float


class PlayerTotals(Struct, frozen=True):
    """Everything that one player's decisions and rolls add up to. rating: PR. luck: of his rolls, summed."""

    name: str
    total: Tally
    groups: dict[str, Tally]
    stages: dict[str, Tally]
    luck: float
    luck_worth: float
    luckiest: int
    unluckiest: int

    @property
    def rating(self) -> float:
        """The performance rating: 500 times the mean loss of an unforced decision; 0 without any."""
        return self.total.rating


class Report(Struct, frozen=True):
    """The analysis of a match.

    net: which evaluated it. events: how many were looked at; complete: that is all of them.
    result: what player 0 got: 1 or 0 for a match that was won or lost, points of a session; None while it is not over.
    adjusted: the result less the luck of both sides.
    """

    rules: str
    length: int
    names: tuple[str, str]
    plies: int
    net: str
    events: int
    complete: bool
    decisions: tuple[Decision, ...]
    rolls: tuple[Luck, ...]
    curve: tuple[Point, ...]
    players: tuple[PlayerTotals, PlayerTotals]
    result: float | None = None
    adjusted: float | None = None
    format: Literal["barpoint-analysis"] = "barpoint-analysis"
    version: Literal[1] = 1

    def worst(self, most: int | None = None, player: int | None = None) -> tuple[Decision, ...]:
        """Marked decisions, the dearest first."""
        marked = [one for one in self.decisions if one.mark and player in (None, one.player)]
        return tuple(sorted(marked, key=lambda one: -one.loss)[:most])

    def json(self) -> bytes:
        """The report as JSON, UTF-8; docs/analysis.md has its fields."""
        return msgspec.json.encode(self)

    def text(self, worst: int | None = 20) -> str:
        """The report as text: the summary, then the worst errors first. worst: how many, None for all."""
        from barpoint.analysis.text import format_report  # it is written in terms of this file

        return format_report(self, worst)

    def html(self) -> str:
        """The report as a page that stands alone, with a picture of every marked play."""
        from barpoint.analysis.sheet import format_sheet

        return format_sheet(self)


def tally(decisions: Iterable[Decision]) -> Tally:
    """What decisions add up to."""
    found = list(decisions)
    unforced = [one for one in found if one.counted]
    loss = sum(one.loss for one in unforced)
    mean = loss / len(unforced) if unforced else 0.0
    marks = [one.mark for one in found]
    return Tally(
        decisions=len(found),
        unforced=len(unforced),
        loss=loss,
        cost=sum(one.cost for one in unforced),
        doubtful=marks.count("doubtful"),
        errors=marks.count("error"),
        blunders=marks.count("blunder"),
        error_rate=1000 * mean,
        rating=PR_FACTOR * mean,
    )


def totals(name: str, player: int, decisions: Iterable[Decision], rolls: Iterable[Luck]) -> PlayerTotals:
    """What one player's decisions and rolls add up to."""
    own = [one for one in decisions if one.player == player]
    rolled = [one for one in rolls if one.player == player]
    groups = {group: tally(one for one in own if one.kind in kinds) for group, kinds in GROUPS.items()}
    stages = {stage: tally(one for one in own if one.stage == stage) for stage in STAGES}
    return PlayerTotals(
        name,
        tally(own),
        {group: found for group, found in groups.items() if found.decisions},
        {stage: found for stage, found in stages.items() if found.decisions},
        luck=sum(one.luck for one in rolled),
        luck_worth=sum(one.worth for one in rolled),
        luckiest=sum(one.luck >= LUCKY for one in rolled),
        unluckiest=sum(one.luck <= -LUCKY for one in rolled),
    )
