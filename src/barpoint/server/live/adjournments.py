"""Changes of a match without an event: the players' seeds for its dice, its beginning, adjournments and claims."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from barpoint.error import BarpointError
from barpoint.game import Phase
from barpoint.game.event import Claim
from barpoint.language import Word
from barpoint.server.domain.dice import commitment_of
from barpoint.server.domain.matches import Adjournment, MatchHeader, SeatKind, SeedState
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import Matches
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.storage import adjournments as adjournment_storage
from barpoint.server.storage import seeds as seed_storage
from barpoint.server.storage import tournament_reports as report_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.store import Work

CLAIM_MS: Final = 3 * MINUTE
"""Time for an absent player to return, once the opponent claims the match."""

KEPT_MS: Final = 30 * DAY
"""How long an adjourned match waits for both players; then either may claim it."""


class SeedRefused(BarpointError):
    """An invalid seed for the dice."""


class AdjournmentRefused(BarpointError):
    """A match that cannot be adjourned, resumed or claimed now."""


class Adjournments:
    """Seeds, adjournments and claims of all matches. presence: a match is claimed only from a player who is not there."""

    def __init__(self, matches: Matches, presence: SeatPresence) -> None:
        self._matches, self.presence = matches, presence
        matches.waits = self._waits

    def both_here(self, header: MatchHeader) -> bool:
        """Whether both players are at the board; bots always are."""
        return all(
            seat.kind is not SeatKind.GUEST or self.presence.of(header.id, index).here
            for index, seat in enumerate(header.seats)
        )

    async def _waits(self, header: MatchHeader) -> bool:
        """Whether a match of a tournament waits until both players are at the board, or the time for that is over.

        It waits as long as somebody says that it is played at a real board.
        """
        if await self._matches.store.read(report_storage.has_report, header.id):
            return True
        if self.both_here(header):
            return False
        until = await self._matches.store.read(tournament_storage.waits_until, header.id)
        return until is not None and self._matches.clock() < until

    async def expire(self, match_id: str) -> None:
        """Applies a passed deadline, exactly once across all processes."""
        live_match = await self._matches.live_match(match_id)
        header, now = live_match.header, self._matches.clock()
        if header.deadline_at is not None and header.deadline_at <= now and not live_match.match.over:
            if header.all_committed and not header.ready:
                await self._seed(live_match, lambda connection: seed_storage.fill(connection, header.id))
                return
            if header.adjournment.claimed_by is not None:
                await self._matches.decide(match_id, live_match.seq, Claim(header.adjournment.claimed_by))
                return
        await self._matches.expire(match_id)

    async def commit_to_seed(self, match_id: str, seat: int | None, commitment: str | None) -> None:
        """Stores a player's commitment to their seed, its SHA-256; None if they give no seed.

        Ignored if none is awaited: the first commitment of a seat holds.
        """
        live_match = await self._matches.live_match(match_id)
        if seat is None or not _awaits(live_match, seat, SeedState.AWAITED):
            return
        now = self._matches.clock()
        await self._seed(
            live_match, lambda connection: seed_storage.commit(connection, match_id, seat, commitment, now)
        )

    async def reveal_seed(self, match_id: str, seat: int | None, seed: str) -> None:
        """Reveals the seed a player committed to; SeedRefused if it does not match, or too early."""
        live_match = await self._matches.live_match(match_id)
        if seat in (0, 1) and live_match.header.seats[seat].client_seed == seed:
            return  # repeated
        if seat is None or not _awaits(live_match, seat, SeedState.COMMITTED):
            raise SeedRefused("no seed of this seat is waited for")
        if not live_match.header.all_committed:
            raise SeedRefused("seeds are revealed once both players have committed to theirs")
        if commitment_of(seed) != live_match.header.seats[seat].commitment:
            raise SeedRefused("this is not the seed committed to")
        await self._seed(live_match, lambda connection: seed_storage.reveal(connection, match_id, seat, seed))

    async def _seed(self, live_match: LiveMatch, work: Work[None]) -> None:
        await self._matches.store.write(work)
        await self._matches.log.reread(live_match.id)
        await self._matches.begin(live_match.id)
        self._matches.log.publish(live_match.id)

    async def seen(self, match_id: str, seat: int | None) -> None:
        """Notes activity of a seat: nobody can claim a match from a player who is there."""
        live_match = await self._matches.live_match(match_id)
        claimed_by = live_match.header.adjournment.claimed_by
        if seat is not None and claimed_by is not None and claimed_by != seat:
            async with live_match.lock:
                await self._change(live_match, replace(live_match.header.adjournment, claimed_by=None))

    def may(self, live_match: LiveMatch, seat: int | None) -> tuple[str, ...]:
        """The requests open to the holder of a seat: adjourn, resume, claim, decline."""
        match, adjournment = live_match.match, live_match.header.adjournment
        if seat not in (0, 1) or match.over or not match.events:
            return ()
        if live_match.header.seats[1 - seat].kind is not SeatKind.GUEST:
            return ()
        found = []
        if adjournment.adjourned_at is None and adjournment.asked_by != seat:
            found.append("adjourn")
        if adjournment.adjourned_at is not None and adjournment.asked_by != seat:
            found.append("resume")
        if adjournment.asked_by == 1 - seat:
            found.append("decline")
        if self._claimable(live_match, seat):
            found.append("claim")
        return tuple(found)

    def _claimable(self, live_match: LiveMatch, seat: int) -> bool:
        adjournment, game = live_match.header.adjournment, live_match.match.game
        if adjournment.claimed_by is not None or self.presence.of(live_match.header.id, 1 - seat).here:
            return False
        if adjournment.adjourned_at is not None:
            return self._matches.clock() >= adjournment.adjourned_at + KEPT_MS
        waits = game.actor == 1 - seat and game.phase is not Phase.PROVISIONAL_END
        return waits and not live_match.clock.time_control.timed  # with a clock, the clock decides

    async def ask(self, match_id: str, seat: int | None, action: str) -> None:
        """Adjourns, resumes or claims, or asks the other player for it; ForeignSeat, AdjournmentRefused, Conflict.

        Both players must agree to adjourn a match with a time control, and to resume any match. Either player
        adjourns a match without one. A claim takes effect after CLAIM_MS, unless the other player comes back.
        """
        if seat is None:
            raise ForeignSeat("you have no seat in this match; you may watch")
        async with self._matches.log.locked(match_id) as live_match:
            allowed = self.may(live_match, seat)
            if action not in allowed:
                raise AdjournmentRefused(
                    "%(action)s; possible now: %(value)s",
                    action=action,
                    value=", ".join(allowed) or Word("nothing of this kind"),
                )
            await self._change(live_match, self._adjournment_after(live_match, seat, action))
        if action == "resume":
            await self._matches.begin(match_id)  # an automatic turn may have waited

    def _adjournment_after(self, live_match: LiveMatch, seat: int, action: str) -> Adjournment:
        adjournment, now = live_match.header.adjournment, self._matches.clock()
        agreed = adjournment.asked_by == 1 - seat
        match action:
            case "adjourn" if agreed or not live_match.clock.time_control.timed:
                return Adjournment(adjourned_at=now)
            case "resume" if agreed:
                return Adjournment()
            case "adjourn" | "resume":
                return replace(adjournment, asked_by=seat)
            case "claim":
                return Adjournment(claimed_by=seat)
            case _:
                return replace(adjournment, asked_by=None)

    async def _change(self, live_match: LiveMatch, adjournment: Adjournment) -> None:
        """Writes an adjournment state; the clock gives back the time of the adjournment."""
        header, now, seq = live_match.header, self._matches.clock(), live_match.seq
        since = header.adjournment.adjourned_at
        pause_ms = header.pause_ms + (now - since if since is not None and adjournment.adjourned_at is None else 0)
        deadline = live_match.logged_clock.pushed(pause_ms).deadline_at
        if adjournment.adjourned_at is not None:
            deadline = None
        elif adjournment.claimed_by is not None:
            deadline = now + CLAIM_MS
        await self._matches.log.change(
            live_match,
            lambda connection: adjournment_storage.put_adjournment(
                connection, header, seq, adjournment, deadline, pause_ms
            ),
        )


def _awaits(live_match: LiveMatch, seat: int, seeding: SeedState) -> bool:
    return seat in (0, 1) and live_match.header.seats[seat].seeding is seeding
