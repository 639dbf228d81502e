"""Vacations: announcing and ending them, and keeping the clocks of correspondence matches still during them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY
from barpoint.server.domain.vacations import VacationRefused, check_vacation
from barpoint.server.live.matches import Matches
from barpoint.server.storage import vacations as vacation_storage

LOOK_S: Final = 60.0
"""Time between two looks at clocks that run in a vacation."""


class Vacations:
    """The vacations of all players."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def announce(self, by: Guest, begins_at: int, days: int) -> None:
        """Announces a vacation, from a time in ms since 1970 on; VacationRefused."""
        if not by.registered:
            raise VacationRefused("vacations are for players with an account")
        now = self._matches.clock()

        def work(connection: Connection) -> None:
            check_vacation(vacation_storage.vacations_of(connection, by.id), begins_at, days, now)
            vacation_storage.put_vacation(connection, by.id, begins_at, begins_at + days * DAY, now)

        await self._matches.store.write(work)

    async def end(self, by: Guest, vacation_id: int) -> None:
        """Ends a vacation now, or drops one that has not begun; VacationRefused."""
        now = self._matches.clock()
        if not await self._matches.store.write(vacation_storage.end_vacation, by.id, vacation_id, now):
            raise VacationRefused("this vacation is over")

    async def look(self) -> None:
        """Gives the time of vacations back to the clocks that run in them."""
        store, now = self._matches.store, self._matches.clock()
        if not await store.read(vacation_storage.has_running, now):
            return
        for match_id in await store.write(vacation_storage.give_back, now):
            await self._matches.log.refresh(match_id)
