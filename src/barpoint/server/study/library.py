"""A person's library: the decisions of all their analysed matches, searched by what they are and what the board holds."""

from __future__ import annotations

import asyncio
import gzip
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from barpoint.analysis import Decision, Report
from barpoint.analysis.decision_table import (
    KINDS,
    MONEY,
    ROW,
    VERSION,
    DecisionTable,
    LuckRange,
    position_at,
    shape_of,
    that_hold,
    unpack_table,
    with_luck,
)
from barpoint.analysis.findings import DOUBTFUL, GROUPS, STAGES, UNRATED
from barpoint.analysis.score_kinds import SCORE_KINDS, ScoreKind, score_kinds
from barpoint.analysis.similar import PositionCollection, counts_of_places
from barpoint.analysis.summary import AnalysedMatch
from barpoint.analysis.themes import NAMES
from barpoint.board import Position
from barpoint.error import FormatError, UnknownVariant
from barpoint.rules import Rules
from barpoint.server.domain.dates import iso_day
from barpoint.server.domain.own_notes import MAX_TAG
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.library import OwnMatch
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.storage.statistics import FinishedAnalysis
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import decisions_of
from barpoint.server.study.made_of_reports import MadeOfReports
from barpoint.server.study.statistics import MAX_NAMES, AnalysedMatches, Day, PlayerName, Studied, covers
from barpoint.variants import games_of, rules_of_game, variant

KEPT_TABLES: Final = 3_000
"""Matches whose decisions are kept in memory, the most recently searched; each takes about 20 kB."""

MAX_CONDITIONS: Final = 8


class LibraryQuery(Struct, frozen=True):
    """Which decisions are meant. "" and 0 mean all of them.

    source, variant, name: as in `StatisticsQuery`. opponent: a part of the name. since, until: days. side: whose
    decisions. kind: of GROUPS. stage: of STAGES. theme: of `themes.NAMES`. loss: at least. score: points to go of whoever
    decides and the other side, such as 3-5, or money. score_kind: of `score_kinds.SCORE_KINDS`. luck: of the roll that was played. holds: conditions that all hold, such as own-anchors-2
    or own-bar-1+their-home-4 (`decision_table.that_hold`). tag, starred, comment: what own notes have, a part of the comment; a match is meant
    by its own note and by those on its decisions. sort: the largest loss or the latest match first.
    """

    source: Literal["", "match", "review"] = ""
    variant: Annotated[str, Meta(max_length=300)] = ""
    opponent: PlayerName = ""
    since: Day = ""
    until: Day = ""
    name: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_NAMES)] = ()
    side: Literal["own", "their", "both"] = "own"
    kind: Literal["", "plays", "cube", "calls", "resignations"] = ""
    stage: Annotated[str, Meta(max_length=16)] = ""
    theme: Annotated[str, Meta(max_length=24)] = ""
    loss: Annotated[float, Meta(ge=0, le=100)] = DOUBTFUL
    score: Annotated[str, Meta(pattern="^(money|[0-9]{1,2}-[0-9]{1,2})?$")] = ""
    score_kind: Literal[ScoreKind, ""] = ""
    luck: LuckRange = ""
    holds: Annotated[tuple[Annotated[str, Meta(max_length=80)], ...], Meta(max_length=MAX_CONDITIONS)] = ()
    tag: Annotated[str, Meta(max_length=MAX_TAG)] = ""
    starred: bool = False
    comment: Annotated[str, Meta(max_length=80)] = ""
    sort: Literal["loss", "date"] = "loss"
    page: Annotated[int, Meta(ge=1, le=100_000)] = 1

    def means(self, match: OwnMatch) -> bool:
        """Whether a match that is not analysed is meant."""
        return (
            self.source in ("", match.source)
            and self.variant in ("", match.variant)
            and any(self.opponent.casefold() in name.casefold() for name in match.names)
            and covers(self.since, self.until, match.played_on)
        )

    @property
    def noted(self) -> bool:
        """Whether it asks for own notes."""
        return bool(self.tag or self.starred or self.comment)

    def means_note(self, note: OwnNote) -> bool:
        """Whether an own note has what it asks for."""
        tags = [tag.casefold() for tag in note.tags]
        return (
            (note.starred or not self.starred)
            and (not self.tag or self.tag.casefold() in tags)
            and self.comment.casefold() in note.comment.casefold()
        )


MANY: Final = ("name", "holds")
"""Fields that an address can name several times."""


def library_query_of(said: Iterable[tuple[str, str]]) -> LibraryQuery:
    """The query of an address; empty values count as left out. ValidationError."""
    items = [(name, value) for name, value in said if value]
    many = {field: [value for name, value in items if name == field] for field in MANY}
    return msgspec.convert(dict(items) | many, LibraryQuery, strict=False)


@dataclass(frozen=True, slots=True)
class LibraryMatch:
    """An analysed match of a library. seat: the person's, None where no name is theirs."""

    finished: FinishedAnalysis
    match: AnalysedMatch
    seat: int | None

    @property
    def path(self) -> str:
        """The common prefix of the URLs of its pages."""
        return f"/{self.finished.key.source}/{self.finished.key.match_id}"

    @property
    def day(self) -> str:
        """When it was played, as in 2026-11-29, else when it came here."""
        return self.match.played_on or iso_day(self.finished.at)

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the games that it plays in turn, or of its one game."""
        try:
            return tuple(rules.name for rules in games_of(variant(self.match.rules)))
        except UnknownVariant:  # a game of somebody's own, which this process has not registered
            return (self.match.rules,)

    def counts(self, query: LibraryQuery) -> bool:
        """Whether its decisions are meant."""
        names = self.match.names if self.seat is None else (self.match.names[1 - self.seat],)
        return (
            query.source in ("", self.finished.key.source)
            and query.variant in ("", self.match.rules)
            and any(query.opponent.casefold() in name.casefold() for name in names)
            and covers(query.since, query.until, self.match.played_on)
        )


@dataclass(frozen=True, slots=True)
class FoundDecision:
    """A decision that was found. row: as in ROW. pips: how far it is from a position, 0 unless one was given."""

    of: LibraryMatch
    row: Any
    decision: Decision
    pips: int = 0

    @property
    def variant(self) -> str:
        """The name of the game in which it was made."""
        games = self.of.games
        return games[(self.decision.game - 1) % len(games)]

    @property
    def position(self) -> Position:
        """The position seen by whoever decides."""
        return position_at(self.row)

    @property
    def replay(self) -> str:
        """The link of the moment."""
        return f"{self.of.path}/replay#{self.decision.event - 1}"

    @property
    def board(self) -> str:
        """The link of the position on the analysis board."""
        return f"{self.of.path}/analysis-board?before={self.decision.event}&player={self.decision.player}"


@dataclass(frozen=True, slots=True)
class Hits:
    """Decisions that were found, in order: which matches, and which rows of their tables. pips: as in `FoundDecision`."""

    matches: tuple[LibraryMatch, ...]
    table: DecisionTable
    of: npt.NDArray[np.intp]
    pips: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.of)

    def part(self, first: int, count: int) -> Hits:
        """Some of them."""
        chosen = slice(first, first + count)
        return Hits(self.matches, self.table[chosen], self.of[chosen], None if self.pips is None else self.pips[chosen])


@dataclass(frozen=True, slots=True)
class PersonLibrary:
    """All analysed matches of a person with their decisions, and their own notes on these and on other matches."""

    studied: Studied
    tables: dict[Key, DecisionTable]
    notes: tuple[OwnNote, ...] = ()

    def matches(self, query: LibraryQuery, names: Sequence[str]) -> list[LibraryMatch]:
        """The matches that are meant, the latest first. names: the person's in imported matches."""
        wanted = {name.casefold() for name in names}
        found = []
        for one, match in self.studied.matches:
            named = (player for player in (0, 1) if match.names[player].casefold() in wanted)
            found.append(LibraryMatch(one, match, one.seat if one.seat is not None else next(named, None)))
        noted = self._noted(query)
        chosen = [one for one in found if one.counts(query) and (not query.noted or one.path in noted)]
        return sorted(chosen, key=lambda one: (one.day, one.finished.at), reverse=True)

    def not_analysed(self, query: LibraryQuery, every: Iterable[OwnMatch]) -> list[OwnMatch]:
        """Those of a person's matches that are meant though they are not analysed."""
        known = {f"/{one.key.source}/{one.key.match_id}" for one, _match in self.studied.matches}
        noted = self._noted(query)
        meant = (one for one in every if one.path not in known and query.means(one))
        return [one for one in meant if not query.noted or one.path in noted]

    def _noted(self, query: LibraryQuery) -> dict[str, list[int]]:
        """The matches that have the own notes a query asks for, and the events of these."""
        found = defaultdict[str, list[int]](list)
        for note in self.notes:
            if query.means_note(note):
                found[note.path].append(note.event)
        return dict(found)

    def search(self, query: LibraryQuery, names: Sequence[str]) -> Hits:
        """The decisions that are meant. FormatError for a condition or a name that there is not."""
        matches = self.matches(query, names)
        table, of = _joined([self.tables[one.finished.key] for one in matches])
        seats = np.array([-1 if one.seat is None else one.seat for one in matches], np.int8)[of]
        held = _meant(query, table, seats)
        if query.score_kind:
            crawford = np.array([one.match.crawford for one in matches], np.uint16)[of] == table["game"]
            held &= score_kinds(table["away"], crawford) == SCORE_KINDS.index(query.score_kind)
        if query.noted:
            noted = self._noted(query)
            events = [np.isin(self.tables[one.finished.key]["event"], noted[one.path]) for one in matches]
            held &= np.concatenate([np.zeros(0, np.bool_), *events])
        at = np.flatnonzero(held)
        if query.sort == "loss":
            at = at[np.argsort(-table["loss"][at], kind="stable")]
        return Hits(tuple(matches), table[at], of[at])

    def similar(self, rules: Rules, position: Position, count: int) -> Hits:
        """The decisions whose positions are nearest to one, seen by the side to act, in the same game and class."""
        wanted = rules_of_game(rules).name
        matches = self.matches(LibraryQuery(), ())
        table, of = _joined([_of_game(wanted, one.games, self.tables[one.finished.key]) for one in matches])
        collection = PositionCollection(np.ascontiguousarray(table["position"]), np.ascontiguousarray(table["shape"]))
        found = collection.nearest(counts_of_places(position), shape_of(rules, position), count)
        return Hits(tuple(matches), table[found.indices], of[found.indices], found.pips)


def _of_game(name: str, games: tuple[str, ...], table: DecisionTable) -> DecisionTable:
    """The decisions of one game, of a match that plays these in turn."""
    meant = np.array([game == name for game in games])
    found: DecisionTable = table[meant[(table["game"] - 1) % len(games)]]
    return found


def _joined(tables: list[DecisionTable]) -> tuple[DecisionTable, npt.NDArray[np.intp]]:
    """All decisions of some matches, from the table of each, and the number of the match of each decision."""
    if not tables:
        return np.zeros(0, ROW), np.zeros(0, np.intp)
    return np.concatenate(tables), np.repeat(np.arange(len(tables)), [len(table) for table in tables])


def _meant(query: LibraryQuery, table: DecisionTable, seats: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """bool [n]: the rows that a query means. seats: of the person, -1 for none."""
    held = table["loss"] >= np.float32(query.loss)
    if query.kind != UNRATED and (query.kind or not query.noted):
        # A resignation counts for no rating, and yet it loses; statistics by score leave it out.
        held &= table["counted"] | ((table["loss"] > 0) & (not query.score_kind))
    if query.side != "both":
        held &= seats >= 0
        held &= (table["player"] == seats) == (query.side == "own")
    if query.kind:
        held &= np.isin(table["kind"], [KINDS.index(kind) for kind in GROUPS[query.kind]])
    for field, name, allowed in (("stage", query.stage, STAGES), ("theme", query.theme, ("", *NAMES))):
        if name and name not in allowed:
            raise FormatError(
                "the %(field)s %(name)r; allowed: %(allowed)s", field=field, name=name, allowed=", ".join(allowed)
            )
        if name:
            held &= table[field] == allowed.index(name)
    if query.score:
        own, _dash, other = query.score.partition("-")
        wanted = (MONEY, MONEY) if own == "money" else (int(own), int(other))
        held &= (table["away"] == np.array(wanted, np.uint8)).all(axis=1)
    for condition in query.holds:
        held &= that_hold(table, condition)
    return held & with_luck(table, query.luck)


class Library:
    """Opens libraries; keeps the decisions of matches in memory."""

    def __init__(self, store: Store, analysed: AnalysedMatches) -> None:
        self._store, self._analysed = store, analysed
        self._tables = MadeOfReports(store, "decisions", VERSION, decisions_of, unpack_table, KEPT_TABLES)

    async def of(self, person_id: str) -> PersonLibrary:
        """The library of a person; makes and stores what is missing in it."""
        mine = await self._analysed.of(person_id)
        tables = await self._tables.of(person_id, [one.key for one, _match in mine.matches])
        mine = replace(mine, matches=tuple(one for one in mine.matches if one[0].key in tables))
        return PersonLibrary(mine, tables, await self._store.read(note_storage.notes, person_id))

    async def decisions(self, hits: Hits) -> list[FoundDecision]:
        """What was found, with all that its reports say; without those that were deleted meanwhile."""
        rows: dict[int, list[int]] = defaultdict(list)
        for index, number in enumerate(hits.of.tolist()):
            rows[number].append(index)
        found: dict[int, FoundDecision] = {}
        for number, indices in rows.items():
            of = hits.matches[number]
            packed = await self._store.read(analysis_storage.report, of.finished.key)
            if packed is not None:
                found |= await asyncio.to_thread(_found, of, packed, hits, indices)
        return [found[index] for index in sorted(found)]


def _found(of: LibraryMatch, packed: bytes, hits: Hits, indices: list[int]) -> dict[int, FoundDecision]:
    report = msgspec.json.decode(gzip.decompress(packed), type=Report)
    decisions = {(one.event, one.kind, one.player): one for one in report.decisions}
    found = {}
    for index in indices:
        row = hits.table[index]
        decision = decisions[int(row["event"]), KINDS[row["kind"]], int(row["player"])]
        found[index] = FoundDecision(of, row, decision, 0 if hits.pips is None else int(hits.pips[index]))
    return found
