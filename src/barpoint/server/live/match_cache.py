"""The matches in memory: copies of their logs, read when they are asked for and brought up to date when others have written."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.domain.matches import Entry
from barpoint.server.domain.settings import Setting
from barpoint.server.domain.time_control import UNTIMED, Pace
from barpoint.server.live.live_match import Room
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.matches import Draft, Logged
from barpoint.server.storage.results import Outcome
from barpoint.server.storage.store import Store

ROOMS_KEPT: Final = 2000
"""Matches held in memory, some 100 KiB each; others are read again when they are asked for."""


class UnknownMatch(BarpointError):
    """No match of that id."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the database knows about a match."""

    entry: Entry
    events: list[Logged]
    draft: Draft | None
    outcome: Outcome


class Shelf:
    """The matches in memory."""

    def __init__(self, store: Store, setting: Setting) -> None:
        self._store, self._setting = store, setting
        self._rooms: OrderedDict[str, Room] = OrderedDict()

    async def room(self, match_id: str) -> Room:
        """A match, read from the log where it is not in memory; UnknownMatch."""
        room = self._rooms.get(match_id)
        if room is None:
            room = await self._load(match_id)
            room = self._rooms.setdefault(match_id, room)
            while len(self._rooms) > ROOMS_KEPT:
                self._rooms.popitem(last=False)
        self._rooms.move_to_end(match_id)
        return room

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._rooms)

    def __contains__(self, match_id: str) -> bool:
        """Whether a match is in memory."""
        return match_id in self._rooms

    def keep(self, match_ids: Collection[str]) -> None:
        """Forgets all but these; they are read again when they are asked for."""
        self._rooms = OrderedDict((name, room) for name, room in self._rooms.items() if name in match_ids)

    def matches_of(self, guest_id: str) -> list[str]:
        """Those in memory in which a guest has a seat."""
        return [match_id for match_id, room in self._rooms.items() if room.entry.seat_of(guest_id) is not None]

    async def _load(self, match_id: str) -> Room:
        found = await self._read(match_id, 0)
        if found is None:
            raise UnknownMatch(f"no match is called {match_id[:20]}")
        room = Room(found.entry, self._pace(found.entry))
        _take_in(room, found)
        return room

    def _pace(self, entry: Entry) -> Pace:
        """How fast is to be played; without a clock only a roll that ended the game has its time."""
        pace = entry.clock_pace
        return replace(pace, final_ms=self._setting.provisional_ms) if pace == UNTIMED else pace

    async def catch_up(self, room: Room) -> None:
        """Reads what others have written."""
        found = await self._read(room.entry.id, room.seq)
        assert found is not None, "matches are never deleted"
        _take_in(room, found)

    async def refresh(self, match_id: str) -> None:
        """Reads what others have written about a match, while nobody else changes it."""
        room = await self.room(match_id)
        async with room.lock:
            await self.catch_up(room)

    async def _read(self, match_id: str, after: int) -> Found | None:
        """What the database knows about a match, with the events after one; None where there is no such match."""

        def work(connection: Connection) -> Found | None:
            events = match_storage.get_events(connection, match_id, after)
            entry = match_storage.get_entry(connection, match_id)  # after them, so that it is never older than they are
            if entry is None:
                return None
            draft = match_storage.get_draft(connection, match_id)
            return Found(entry, events, draft, result_storage.outcome(connection, entry))

        return await self._store.read(work)


def _take_in(room: Room, found: Found) -> None:
    room.read(found.events)
    room.outcome = found.outcome
    room.sit(found.entry)
    if found.draft is not None:
        room.try_moves(found.draft)
