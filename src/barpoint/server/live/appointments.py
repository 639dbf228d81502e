"""Agreeing on a time to play: one player of a match proposes up to three times or withdraws them, the other accepts one or proposes others; either calls it off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from barpoint.language import N_
from barpoint.server.domain.appointments import REMIND_MS, AppointmentRefused, checked_times
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import seats_of
from barpoint.server.storage import appointments as appointment_storage
from barpoint.server.storage.lobby import kept_apart

LOOK_S: Final = 60.0
"""Time between two looks for agreed times that come soon."""

APART: Final = N_("you two do not play each other")


async def propose(matches: Matches, match_id: str, by: Guest, times: Sequence[int]) -> None:
    """Proposes times, in the place of whatever was proposed before; AppointmentRefused."""
    now = matches.clock()

    def work(connection: Connection) -> Guest:
        other, before = _other(connection, match_id, by), appointment_storage.due_of(connection, match_id)
        if not appointment_storage.propose(connection, match_id, by, other, checked_times(times, now, before), now):
            raise AppointmentRefused("you have agreed on a time; call it off first")
        return other

    _tell(matches, by, await matches.store.write(work))


async def accept(matches: Matches, match_id: str, by: Guest, at: int) -> None:
    """Accepts one of the times that the other player proposes; AppointmentRefused."""
    now = matches.clock()

    def work(connection: Connection) -> Guest:
        other, found = _other(connection, match_id, by), appointment_storage.appointment_of(connection, match_id)
        proposed = found is not None and found.other.id == by.id and at in found.offered(now)
        if found is None or not proposed or not appointment_storage.accept(connection, found, at):
            raise AppointmentRefused("this time is not proposed any more")
        return other

    _tell(matches, by, await matches.store.write(work))


async def withdraw(matches: Matches, match_id: str, by: Guest) -> None:
    """Withdraws what somebody has proposed, so that nobody accepts it any more; AppointmentRefused."""

    def work(connection: Connection) -> Guest:
        found = appointment_storage.appointment_of(connection, match_id)
        own = found is not None and found.by.id == by.id and found.offered(matches.clock())
        if found is None or not own or not appointment_storage.withdraw(connection, found):
            raise AppointmentRefused("you propose no time now that you could withdraw")
        return found.other

    _tell(matches, by, await matches.store.write(work))


async def call_off(matches: Matches, match_id: str, by: Guest, at: int) -> None:
    """Calls off the time that both have agreed on, unless the other player has; whoever has blocked them may, too."""

    def work(connection: Connection) -> Guest | None:
        found = appointment_storage.appointment_of(connection, match_id)
        if found is None or by.id not in (found.by.id, found.other.id) or found.agreed(matches.clock()) != at:
            return None
        other = found.opponent_of(by.id)
        return other if appointment_storage.call_off(connection, match_id, by, other, at) else None

    if (other := await matches.store.write(work)) is not None:
        _tell(matches, by, other)


class Reminders:
    """Shows agreed times that come soon on the pages that people have open; every process tells its own."""

    def __init__(self, matches: Matches) -> None:
        self._matches, self._until = matches, matches.clock()

    async def look(self) -> None:
        """Tells both players of the times that have come near since the last look."""
        until = self._matches.clock() + REMIND_MS
        for one in await self._matches.store.read(appointment_storage.agreed_between, self._until, until):
            for person in (one.by, one.other):
                self._matches.pubsub.tell(seats_of(person.id))
        self._until = until


def _other(connection: Connection, match_id: str, person: Guest) -> Guest:
    players = appointment_storage.players_of(connection, match_id) or ()
    if person.id not in {one.id for one in players}:
        raise AppointmentRefused("a time is agreed on by two players with accounts, while their match is not over")
    if not kept_apart(connection, person.id).isdisjoint(one.id for one in players):
        raise AppointmentRefused(APART)
    return next(one for one in players if one.id != person.id)


def _tell(matches: Matches, *people: Guest) -> None:
    for person in people:
        matches.pubsub.publish(seats_of(person.id))
