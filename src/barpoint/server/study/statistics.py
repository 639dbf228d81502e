"""A person's statistics: over their matches here, and over imported ones in which they play under some name."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, structs

from barpoint.analysis.findings import GROUPS
from barpoint.analysis.statistics import PlayedMatch, played_by
from barpoint.analysis.summary import VERSION, AnalysedMatch, AnalysedPlayer, Losses, added
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.storage.analyses import AnalysisSource, Key
from barpoint.server.storage.statistics import FinishedAnalysis
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import summary_of
from barpoint.server.study.made_of_reports import TOGETHER, MadeOfReports

KEPT_SUMMARIES: Final = 2_000
"""Summaries that are kept in memory, those that were looked at last; each takes about 30 kB, of a long match 80."""

KEPT_LOSSES: Final = 10_000
"""Matches whose losses alone are kept in memory, those that were looked at last; each takes about 1 kB."""

MADE_AT_ONCE: Final = 50
"""Summaries that one page of a group's ratings makes; so many take some seconds."""

MAX_NAMES: Final = 20
"""Names of one person in imported matches."""

MAX_NAME: Final = 48
"""Characters of one."""

PlayerName = Annotated[str, Meta(max_length=MAX_NAME)]

Day = Annotated[str, Meta(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]


class StatisticsQuery(Struct, frozen=True):
    """Which matches count. "" and 0 mean all of them.

    source: played here or imported. since, until: the first and the last day, such as 2026-01-01. last: so many, the latest.
    name: the person's names in imported matches. theme: which mistakes are listed, on the page alone.
    against: what these matches are compared with: everything before them, or the period from against_since to against_until.
    """

    source: Literal["", "match", "review"] = ""
    variant: Annotated[str, Meta(max_length=300)] = ""
    opponent: PlayerName = ""
    since: Day = ""
    until: Day = ""
    last: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    name: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_NAMES)] = ()
    theme: Annotated[str, Meta(max_length=24)] = ""
    against: Literal["", "before", "period"] = ""
    against_since: Day = ""
    against_until: Day = ""


def covers(since: str, until: str, played_on: str) -> bool:
    """Whether a match of that day is asked for; one without a day is where no days are. since, until: days, or ""."""
    if not played_on:
        return not (since or until)
    return since <= played_on and (not until or played_on <= until)


def query_of(said: Iterable[tuple[str, str]]) -> StatisticsQuery:
    """The query of an address, which can name several names; empty values count as left out. ValidationError."""
    items = [(name, value) for name, value in said if value]
    names = [value for name, value in items if name == "name"]
    return msgspec.convert(dict(items) | {"name": names}, StatisticsQuery, strict=False)


@dataclass(frozen=True, slots=True)
class Studied:
    """A person's analysed matches.

    not_analysed: how many others they have. imported: the names of both players of each imported match, analysed or not. said: which of
    these names are theirs, None where they have said nothing.
    """

    matches: tuple[tuple[FinishedAnalysis, AnalysedMatch], ...]
    not_analysed: int
    imported: tuple[tuple[str, str], ...] = ()
    said: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names in imported matches, the most frequent first."""
        return tuple(self._counted)

    @property
    def _counted(self) -> dict[str, int]:
        """How often each name stands there, the most frequent first; upper and lower case are one name, in its most frequent spelling."""
        found: dict[str, tuple[str, int]] = {}
        for name, times in Counter(name for names in self.imported for name in names if name).most_common():
            spelling, others = found.get(name.casefold(), (name, 0))
            found[name.casefold()] = spelling, others + times
        return dict(sorted(found.values(), key=lambda one: -one[1]))

    def own_names(self, account: str) -> tuple[str, ...]:
        """The names that the person has said to be theirs, or else those that probably are: the account's, and one that is
        in most imported matches.
        """
        if self.said is not None:
            return self.said
        found = self._counted
        frequent = [name for name, times in list(found.items())[:1] if times > len(self.imported) / 2 and times > 1]
        same = [name for name in found if name.casefold() == account.casefold()]
        return tuple(dict.fromkeys((*same, *frequent)))

    def played(self, query: StatisticsQuery, names: tuple[str, ...]) -> list[PlayedMatch]:
        """The matches that count, oldest first. names: the person's in imported matches."""
        found = []
        for one, match in self.matches:
            address = f"/{one.key.source}/{one.key.match_id}/replay"
            if one.seat is not None:
                found.append(PlayedMatch(match, one.seat, address))
            else:
                found += [replace(played, address=address) for played in played_by([match], names)]
        chosen = [one for one in found if _counts(one, query)]
        ordered = sorted(chosen, key=lambda one: one.match.played_on)
        return ordered[-query.last :] if query.last else ordered

    def periods(
        self, query: StatisticsQuery, names: tuple[str, ...]
    ) -> tuple[list[PlayedMatch], list[PlayedMatch] | None]:
        """The matches that count, and others that they are compared with, if they are; oldest first."""
        played = self.played(query, names)
        match query.against:
            case "":
                return played, None
            case "period":
                period = structs.replace(query, since=query.against_since, until=query.against_until, last=0)
                own = {one.address for one in played}
                return played, [one for one in self.played(period, names) if one.address not in own]
            case "before":
                every = self.played(structs.replace(query, since="", until="", last=0), names)
                first = [one.address for one in every].index(played[0].address) if played else 0
                dated = bool(query.since or query.until)
                return played, [one for one in every[:first] if one.match.played_on or not dated]


def _counts(one: PlayedMatch, query: StatisticsQuery) -> bool:
    return (
        one.address.startswith(f"/{query.source}")
        and query.variant in ("", one.match.rules)
        and query.opponent.casefold() in ("", one.opponent.casefold())
        and covers(query.since, query.until, one.match.played_on)
    )


@dataclass(frozen=True, slots=True)
class PlayerLosses:
    """The losses of one player of a match: all decisions together, plays of the checkers and actions with the cube."""

    total: Losses
    plays: Losses
    cube: Losses


def _losses_of(player: AnalysedPlayer) -> PlayerLosses:
    plays, cube = (added(part.losses for part in player.parts if part.kind in GROUPS[one]) for one in ("plays", "cube"))
    return PlayerLosses(player.losses, plays, cube)


BothLosses = tuple[PlayerLosses, PlayerLosses]
"""Those of both players of a match."""


class AnalysedMatches:
    """Finds the analysed matches of people; keeps what statistics need of them in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        decode = msgspec.json.Decoder(AnalysedMatch).decode
        self._summaries = MadeOfReports(store, "summary", VERSION, summary_of, decode, KEPT_SUMMARIES)
        self._losses: OrderedDict[Key, BothLosses] = OrderedDict()

    async def of(self, person_id: str) -> Studied:
        """A person's analysed matches; makes and stores the summaries that nobody has asked for yet."""
        found = await self._store.read(statistics_storage.finished, person_id)
        summaries = await self._summaries.of(person_id, [one.key for one in found])
        return Studied(
            tuple((one, _named(summaries[one.key], one)) for one in found if one.key in summaries),
            await self._store.read(statistics_storage.not_analysed, person_id),
            await self._store.read(statistics_storage.imported_names, person_id),
            await self._store.read(statistics_storage.own_names, person_id),
        )

    async def losses(self, keys: Sequence[Key]) -> dict[Key, BothLosses]:
        """The losses of both players in each of these analyses of matches; without those that are gone.

        Makes and stores summaries that are missing, up to MADE_AT_ONCE; whoever asks again gets more.
        """
        left = MADE_AT_ONCE
        found = {key: self._losses[key] for key in keys if key in self._losses}
        missing = [key for key in keys if key not in found]
        for first in range(0, len(missing), TOGETHER):
            some = missing[first : first + TOGETHER]
            stored = await self._store.read(analysis_storage.made, "summary", VERSION, some)
            not_made = [key for key in some if key not in stored][:left]
            left -= len(not_made)
            made = await self._summaries.of("", not_made)
            found |= await asyncio.to_thread(_decoded, stored)
            found |= {key: _both(one.players) for key, one in made.items()}
        for key, both in found.items():
            self._losses[key] = both
            self._losses.move_to_end(key)
        while len(self._losses) > KEPT_LOSSES:
            self._losses.popitem(last=False)
        return found


def _both(players: tuple[AnalysedPlayer, AnalysedPlayer]) -> BothLosses:
    return _losses_of(players[0]), _losses_of(players[1])


def _decoded(stored: Mapping[Key, bytes]) -> dict[Key, BothLosses]:
    """The losses in summaries of which nothing else is read."""
    decoder = msgspec.json.Decoder(_Players)
    return {key: _both(decoder.decode(packed).players) for key, packed in stored.items()}


def _named(match: AnalysedMatch, one: FinishedAnalysis) -> AnalysedMatch:
    """A match with its players' names and its day, which reports leave out."""
    return structs.replace(match, names=one.names, played_on=one.played_on)


class _Players(Struct, frozen=True):
    """The players of a summary."""

    players: tuple[AnalysedPlayer, AnalysedPlayer]


async def match_ratings(
    store: Store, ids: Collection[str], source: AnalysisSource = "match"
) -> dict[str, tuple[float, float]]:
    """The PR of both players in each of these matches that is analysed, by its deepest analysis. Without decisions there is none."""
    if not ids:
        return {}
    decoder, found = msgspec.json.Decoder(_Players), dict[str, tuple[float, float]]()
    for match_id, packed in (await store.read(analysis_storage.summaries, ids, source)).items():
        first, second = (player.losses for player in decoder.decode(packed).players)
        if first.decisions or second.decisions:
            found[match_id] = first.rating, second.rating
    return found
