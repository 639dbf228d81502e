"""Whether the matches that somebody played here look as if they had used an engine, from analyses already made."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from sqlalchemy import Connection

from barpoint.analysis.engine_use import EngineUse, UnforcedPlay, engine_use, unforced_plays
from barpoint.analysis.report import Report
from barpoint.match import read_log
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.storage.statistics import FinishedAnalysis
from barpoint.server.storage.store import Store

GAME: Final = "backgammon"
"""The game whose players the model of people was fitted to."""

MOST: Final = 100
"""Matches of one report, the latest ones."""


@dataclass(frozen=True, slots=True)
class ComparedMatch:
    """A match behind the report. use: of this match alone; None without unforced plays of the player."""

    match_id: str
    opponent: str
    at: int
    plies: int
    use: EngineUse | None


@dataclass(frozen=True, slots=True)
class EngineUseReport:
    """A player's matches against people of their rating. use: of all together, None without unforced plays.

    matches: the latest first. others: finished analyses of the period that do not count: of other games, or beyond MOST.
    """

    use: EngineUse | None
    matches: tuple[ComparedMatch, ...]
    others: int


async def engine_use_report(store: Store, person_id: str, since: int) -> EngineUseReport:
    """The report about a player's matches here that began at `since` (ms since 1970) or later."""
    found = await store.read(statistics_storage.finished, person_id)
    chosen = [one for one in reversed(found) if one.seat is not None and one.at >= since]
    plays: list[UnforcedPlay] = []
    matches: list[ComparedMatch] = []
    for one in chosen:
        if len(matches) == MOST:
            break
        read = await store.read(_read, one)
        if read is not None:
            own = await asyncio.to_thread(_plays, one, *read)
            plays += own
            matches.append(await asyncio.to_thread(_compared, one, own))
    use = await asyncio.to_thread(engine_use, plays)
    return EngineUseReport(use, tuple(matches), len(chosen) - len(matches))


def _read(connection: Connection, one: FinishedAnalysis) -> tuple[bytes, Sequence[int], bytes] | None:
    """The log of the match, the times of its events and the report; None for a match of another game."""
    header = match_storage.get_header(connection, one.key.match_id)
    packed = analysis_storage.report(connection, one.key)
    if header is None or packed is None or header.rules.name != GAME or header.by_hand:
        return None
    times = [event.at for event in log_storage.get_events(connection, log_storage.MATCHES, one.key.match_id)]
    return match_storage.read_match_log(connection, one.key.match_id), times, packed


def _plays(one: FinishedAnalysis, log: bytes, times: Sequence[int], packed: bytes) -> list[UnforcedPlay]:
    report = msgspec.json.decode(gzip.decompress(packed), type=Report)
    assert one.seat is not None, "matches played here have a seat"
    return list(unforced_plays(read_log(log), report, one.seat, times))


def _compared(one: FinishedAnalysis, plays: list[UnforcedPlay]) -> ComparedMatch:
    assert one.seat is not None, "matches played here have a seat"
    return ComparedMatch(one.key.match_id, one.names[1 - one.seat], one.at, one.key.plies, engine_use(plays))
