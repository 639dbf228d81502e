"""What happens around the events of a match: the seeds of its dice, adjourning it, claiming it, and what time does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from barpoint.error import BarpointError
from barpoint.game import Phase
from barpoint.game.event import Claim
from barpoint.server.domain.dice import seal_of
from barpoint.server.domain.matches import Kind, Recess, Seeding
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.live.live_match import Room
from barpoint.server.live.matches import ForeignSeat, Hall
from barpoint.server.storage import adjournments as adjournment_storage
from barpoint.server.storage import seeds as seed_storage
from barpoint.server.storage.store import Work

CLAIM_MS: Final = 3 * MINUTE
"""Time for a player who has left to come back, once the other claims the match."""

KEPT_MS: Final = 30 * DAY
"""How long an adjourned match waits for both; then either may claim it."""


class SeedRefused(BarpointError):
    """A seed for the dice that cannot be taken."""


class RecessRefused(BarpointError):
    """A match that cannot be adjourned, gone on with or claimed now."""


class Keeper:
    """Keeps the table of every match of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._present: Counter[tuple[str, int]] = Counter()

    async def expire(self, match_id: str) -> None:
        """Does what is due when a deadline has passed, once, however many processes look at the match."""
        room = await self._hall.room(match_id)
        entry, now = room.entry, self._hall.clock()
        if entry.deadline_at is not None and entry.deadline_at <= now and not room.match.over:
            if entry.all_sealed and not entry.ready:
                await self._seed(room, lambda connection: seed_storage.fill(connection, entry.id))
                return
            if entry.recess.claimed_by is not None:
                await self._hall.decide(match_id, room.seq, Claim(entry.recess.claimed_by))
                return
        await self._hall.expire(match_id)

    async def seal_seed(self, match_id: str, seat: int | None, sealed: str | None) -> None:
        """Takes the seal of the seed that a player will give, its SHA-256; None from one who gives none.

        Nothing changes where none is awaited: the first seal of a seat holds.
        """
        room = await self._hall.room(match_id)
        if seat is None or not _awaits(room, seat, Seeding.AWAITED):
            return
        now = self._hall.clock()
        await self._seed(room, lambda connection: seed_storage.seal(connection, match_id, seat, sealed, now))

    async def tell_seed(self, match_id: str, seat: int | None, seed: str) -> None:
        """Takes the seed that a player has sealed before; SeedRefused when it is another one, or the time has not come."""
        room = await self._hall.room(match_id)
        if seat in (0, 1) and room.entry.seats[seat].client_seed == seed:
            return  # told twice
        if seat is None or not _awaits(room, seat, Seeding.SEALED):
            raise SeedRefused("no seed of this seat is waited for")
        if not room.entry.all_sealed:
            raise SeedRefused("seeds are told once both are sealed")
        if seal_of(seed) != room.entry.seats[seat].sealed:
            raise SeedRefused("this is not the seed that was sealed")
        await self._seed(room, lambda connection: seed_storage.tell(connection, match_id, seat, seed))

    async def _seed(self, room: Room, work: Work[None]) -> None:
        await self._hall.store.write(work)
        await self._hall.shelf.refresh(room.entry.id)
        await self._hall.begin(room.entry.id)
        self._hall.bus.publish(room.entry.id)

    @contextmanager
    def present(self, match_id: str, seat: int | None) -> Iterator[None]:
        """While the holder of a seat is connected to this process."""
        if seat is None:
            yield
            return
        self._present[match_id, seat] += 1
        self._hall.bus.tell(match_id)  # what the other may ask for depends on it
        try:
            yield
        finally:
            self._present[match_id, seat] -= 1
            self._present += Counter()  # drops what is nobody's any more
            self._hall.bus.tell(match_id)

    async def seen(self, match_id: str, seat: int | None) -> None:
        """Notes a sign of life: nobody can claim a match from a player who is there."""
        room = await self._hall.room(match_id)
        claimed_by = room.entry.recess.claimed_by
        if seat is not None and claimed_by is not None and claimed_by != seat:
            async with room.lock:
                await self._change(room, replace(room.entry.recess, claimed_by=None))

    def may(self, room: Room, seat: int | None) -> tuple[str, ...]:
        """What the holder of a seat may ask for: adjourn, resume, claim, decline."""
        match, recess = room.match, room.entry.recess
        if seat not in (0, 1) or match.over or not match.events or _other_is_bot(room, seat):
            return ()
        found = []
        if recess.adjourned_at is None and recess.asked_by != seat:
            found.append("adjourn")
        if recess.adjourned_at is not None and recess.asked_by != seat:
            found.append("resume")
        if recess.asked_by == 1 - seat:
            found.append("decline")
        if self._claimable(room, seat):
            found.append("claim")
        return tuple(found)

    def _claimable(self, room: Room, seat: int) -> bool:
        recess, game = room.entry.recess, room.match.game
        if recess.claimed_by is not None or self._present[room.entry.id, 1 - seat]:
            return False
        if recess.adjourned_at is not None:
            return self._hall.clock() >= recess.adjourned_at + KEPT_MS
        waits = game.actor == 1 - seat and game.phase is not Phase.PROVISIONAL_END
        return waits and not room.clock.pace.timed  # with a clock, the clock decides

    async def ask(self, match_id: str, seat: int | None, wish: str) -> None:
        """Adjourns, goes on or claims, or asks the other player for it; ForeignSeat, RecessRefused, Conflict.

        Both must want to adjourn a match on the clock, and to go on with any; a match without clock is put off by
        either. A claim is due after CLAIM_MS, unless the other player comes back.
        """
        if seat is None:
            raise ForeignSeat("you have no seat in this match; you may watch")
        room = await self._hall.room(match_id)
        async with room.lock:
            allowed = self.may(room, seat)
            if wish not in allowed:
                raise RecessRefused(f"{wish}; possible now: {', '.join(allowed) or 'nothing of this kind'}")
            await self._change(room, self._recess_after(room, seat, wish))

    def _recess_after(self, room: Room, seat: int, wish: str) -> Recess:
        recess, now = room.entry.recess, self._hall.clock()
        agreed = recess.asked_by == 1 - seat
        match wish:
            case "adjourn" if agreed or not room.clock.pace.timed:
                return Recess(adjourned_at=now)
            case "resume" if agreed:
                return Recess()
            case "adjourn" | "resume":
                return replace(recess, asked_by=seat)
            case "claim":
                return Recess(claimed_by=seat)
            case _:
                return replace(recess, asked_by=None)

    async def _change(self, room: Room, recess: Recess) -> None:
        """Writes what has been asked for; the clock gives back the time in which the match was put off."""
        entry, now, seq = room.entry, self._hall.clock(), room.seq
        since = entry.recess.adjourned_at
        pause_ms = entry.pause_ms + (now - since if since is not None and recess.adjourned_at is None else 0)
        deadline = room.logged_clock.pushed(pause_ms).deadline_at
        if recess.adjourned_at is not None:
            deadline = None
        elif recess.claimed_by is not None:
            deadline = now + CLAIM_MS
        await self._hall.store.write(
            lambda connection: adjournment_storage.put_recess(connection, entry, seq, recess, deadline, pause_ms)
        )
        await self._hall.shelf.catch_up(room)
        self._hall.bus.publish(entry.id)


def _awaits(room: Room, seat: int, seeding: Seeding) -> bool:
    return seat in (0, 1) and room.entry.seats[seat].seeding is seeding


def _other_is_bot(room: Room, seat: int) -> bool:
    return room.entry.seats[1 - seat].kind is not Kind.GUEST
