"""What the page of the openings shows of a person: their plays of each roll, and what they do that costs most."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.datastructures import URL

from barpoint.analysis.opening_habits import OpeningHabit, OpeningMoment, costliest_habits, opening_habits
from barpoint.analysis.text import faces_text
from barpoint.board import Position
from barpoint.language import _, day, listed, ngettext, number
from barpoint.rules import Rules
from barpoint.server.domain.guests import Guest
from barpoint.server.study.statistics import AnalysedMatches, StatisticsQuery, Studied
from barpoint.server.web.statistics import own_names_shown

COSTLIEST: Final = 5
"""Habits on the page."""

LATEST: Final = 3
"""Moments of each that are linked, the latest."""

SHOWN: Final = 4
"""Plays of a roll that are told, the most frequent."""


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A link to a moment of a replay, and what a card of it needs."""

    address: str
    title: str
    source: str
    match: str
    event: int
    player: int


@dataclass(frozen=True, slots=True)
class ShownHabit:
    """A play that costs. what: the roll, the play and what it answers. moments: the latest first."""

    what: str
    said: str
    moments: tuple[ShownMoment, ...]


@dataclass(frozen=True, slots=True)
class OwnOpenings:
    """A person's openings at one stake. matches: how many count. habits: the costliest first."""

    matches: int
    habits: tuple[ShownHabit, ...]
    by_roll: dict[tuple[Position, tuple[int, ...]], str]
    names: dict[str, Any]

    def said_of(self, position: Position, faces: tuple[int, ...]) -> str:
        """What they play with a roll, in a sentence; "" where they never had it."""
        return self.by_roll.get((position, tuple(sorted(faces, reverse=True))), "")


async def own_openings(
    analysed: AnalysedMatches, person: Guest | None, rules: Rules, stake: str, query: StatisticsQuery, back: URL
) -> OwnOpenings | None:
    """The openings of the person's matches that the query asks for; None where none of theirs are analysed."""
    if person is None:
        return None
    mine = await analysed.of(person.id)
    if not mine.matches:
        return None
    return await asyncio.to_thread(_own, mine, mine.own_names(person.name), rules, stake, query, back)


def _own(
    mine: Studied, names: tuple[str, ...], rules: Rules, stake: str, query: StatisticsQuery, back: URL
) -> OwnOpenings:
    played = mine.played(query, names)
    habits = opening_habits(rules, stake, played)
    rolls: dict[tuple[Position, tuple[int, ...]], list[OpeningHabit]] = defaultdict(list)
    for one in habits:
        rolls[one.position, one.faces].append(one)
    return OwnOpenings(
        matches=len(played),
        habits=tuple(_shown(one) for one in costliest_habits(habits, COSTLIEST)),
        by_roll={key: _sentence(each) for key, each in rolls.items()},
        names=own_names_shown(mine, names, back),
    )


def _sentence(habits: Sequence[OpeningHabit]) -> str:
    """What a person plays with a roll, how often, and what it lost on average."""
    times = sum(one.times for one in habits)
    lost = number(sum(one.lost for one in habits) / times, 3)
    plays = [
        ngettext("%(play)s %(num)s time", "%(play)s %(num)s times", one.times, play=one.play) for one in habits[:SHOWN]
    ]
    if len(habits) > SHOWN:
        others = sum(one.times for one in habits[SHOWN:])
        plays.append(ngettext("another play %(num)s time", "other plays %(num)s times", others))
    return _("You: %(plays)s; %(lost)s lost a time.", plays=listed(plays), lost=lost)


def _shown(habit: OpeningHabit) -> ShownHabit:
    roll = faces_text(habit.faces)
    if habit.before:
        what = _("%(roll)s: %(play)s after %(before)s", roll=roll, play=habit.play, before=habit.before)
    else:
        what = _("%(roll)s: %(play)s", roll=roll, play=habit.play)
    said = ngettext(
        "%(lost)s lost in %(num)s game",
        "%(lost)s lost in %(num)s games, %(each)s a time",
        habit.times,
        lost=number(habit.lost, 3),
        each=number(habit.lost / habit.times, 3),
    )
    return ShownHabit(what, said, tuple(_moment(one) for one in reversed(habit.moments[-LATEST:])))


def _moment(one: OpeningMoment) -> ShownMoment:
    _empty, source, match, _replay = one.played.address.split("/")
    title = _(
        "against %(opponent)s, %(day)s",
        opponent=one.played.opponent or _("unknown"),
        day=day(one.played.match.played_on) or _("no date"),
    )
    return ShownMoment(one.address, title, source, match, one.made.event, one.made.player)
