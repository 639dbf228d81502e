"""The matches in memory: copies of their logs, read when they are asked for and brought up to date when others have written."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.time_control import UNTIMED, TimeControl
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.matches import Draft, Logged
from barpoint.server.storage.results import MatchOutcome
from barpoint.server.storage.store import Store

ROOMS_KEPT: Final = 2000
"""Matches held in memory, some 100 KiB each; others are read again when they are asked for."""


class UnknownMatch(BarpointError):
    """No match of that id."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the database knows about a match."""

    header: MatchHeader
    events: list[Logged]
    draft: Draft | None
    outcome: MatchOutcome


class MatchCache:
    """The matches in memory."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._rooms: OrderedDict[str, LiveMatch] = OrderedDict()

    async def live_match(self, match_id: str) -> LiveMatch:
        """A match, read from the log where it is not in memory; UnknownMatch."""
        live_match = self._rooms.get(match_id)
        if live_match is None:
            live_match = await self._load(match_id)
            live_match = self._rooms.setdefault(match_id, live_match)
            while len(self._rooms) > ROOMS_KEPT:
                self._rooms.popitem(last=False)
        self._rooms.move_to_end(match_id)
        return live_match

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._rooms)

    def __contains__(self, match_id: str) -> bool:
        """Whether a match is in memory."""
        return match_id in self._rooms

    def keep(self, match_ids: Collection[str]) -> None:
        """Forgets all but these; they are read again when they are asked for."""
        self._rooms = OrderedDict((name, live_match) for name, live_match in self._rooms.items() if name in match_ids)

    def matches_of(self, guest_id: str) -> list[str]:
        """Those in memory in which a guest has a seat."""
        return [
            match_id for match_id, live_match in self._rooms.items() if live_match.header.seat_of(guest_id) is not None
        ]

    async def _load(self, match_id: str) -> LiveMatch:
        found = await self._read(match_id, 0)
        if found is None:
            raise UnknownMatch(f"no match is called {match_id[:20]}")
        live_match = LiveMatch(found.header, self._pace(found.header))
        _take_in(live_match, found)
        return live_match

    def _pace(self, header: MatchHeader) -> TimeControl:
        """How fast is to be played; without a clock only a roll that ended the game has its time."""
        time_control = header.clock_preset
        return (
            replace(time_control, final_ms=self._settings.provisional_ms) if time_control == UNTIMED else time_control
        )

    async def catch_up(self, live_match: LiveMatch) -> None:
        """Reads what others have written."""
        found = await self._read(live_match.header.id, live_match.seq)
        assert found is not None, "matches are never deleted"
        _take_in(live_match, found)

    async def refresh(self, match_id: str) -> None:
        """Reads what others have written about a match, while nobody else changes it."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            await self.catch_up(live_match)

    async def _read(self, match_id: str, after: int) -> Found | None:
        """What the database knows about a match, with the events after one; None where there is no such match."""

        def work(connection: Connection) -> Found | None:
            events = match_storage.get_events(connection, match_id, after)
            header = match_storage.get_header(
                connection, match_id
            )  # after them, so that it is never older than they are
            if header is None:
                return None
            draft = match_storage.get_draft(connection, match_id)
            return Found(header, events, draft, result_storage.outcome(connection, header))

        return await self._store.read(work)


def _take_in(live_match: LiveMatch, found: Found) -> None:
    live_match.read(found.events)
    live_match.outcome = found.outcome
    live_match.sit(found.header)
    if found.draft is not None:
        live_match.try_moves(found.draft)
