"""Runs tournaments: what persons ask for, and what comes of itself when a match ends or a time is up.

Every step is one transaction: what has happened goes to the log of the tournament, the matches that follow are made, the
fees move. It is refused when the log has gone on, and then worked out again. So any process may take it, several at once
take it once, and one that is killed leaves nothing half done; what it did not begin another one finds (`needing`).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from functools import partial
from random import Random, SystemRandom
from typing import Final
from weakref import WeakValueDictionary

from barpoint.error import BarpointError, StoreError
from barpoint.server.bots.opponents import Opponents, find_level
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.tournament_events import (
    BOT,
    Decided,
    Extended,
    How,
    Joined,
    Left,
    Plan,
    TournamentCancelled,
    TournamentError,
    TournamentStage,
)
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import LOBBY, seats_of, tournament_named
from barpoint.server.live.tournament_step import Step, Wish, begins, compose, nothing, started, write
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.matches import Conflict
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.variants import variant

LOG: Final = logging.getLogger("barpoint.server")

MAX_OWN: Final = 3
"""Tournaments of one director that are not over."""

MAX_LEFT: Final = 1000
"""Tournaments that somebody leaves in one go."""

ATTEMPTS: Final = 12
"""How often a step is worked out again because others were quicker."""


class UnknownTournament(BarpointError):
    """No tournament of that id."""


class NotDirector(BarpointError):
    """Only who directs a tournament, or an administrator, can do this."""


class Tournaments:
    """Runs all tournaments of a server."""

    def __init__(self, matches: Matches, opponents: Opponents, sweep_ms: int = 500, lot: Random | None = None) -> None:
        self._matches, self._opponents, self._sweep_ms = matches, opponents, sweep_ms
        self._lot = lot or SystemRandom()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._task: asyncio.Task[None] | None = None
        self._reading: dict[str, asyncio.Task[TournamentRecord]] = {}
        self._queued: dict[str, asyncio.Task[TournamentRecord]] = {}

    def start(self) -> None:
        """Begins to look for what is due."""
        self._task = asyncio.create_task(self._watch(), name="tournaments")

    async def stop(self) -> None:
        """Stops looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._sweep_ms / 1000)
            try:
                await self.look()
            except StoreError as error:
                LOG.warning("tournaments are not looked after: %s", error)
            except Exception:  # the outermost handler: what fails now is looked at again
                LOG.exception("tournaments are not looked after")

    async def look(self) -> None:
        """Does everything that is due now, in every tournament."""
        now = self._matches.clock()
        for tournament_id in await self._matches.store.read(partial(tournament_storage.needing, now=now)):
            try:
                await self._do(tournament_id)
            except Exception:  # as above: one that fails holds up no other
                LOG.exception("tournament %s does not go on", tournament_id)

    async def known(self, tournament_id: str) -> TournamentRecord:
        """A tournament as it stands; UnknownTournament."""
        found = await self._matches.store.read(
            lambda connection: tournament_storage.get_tournament(connection, tournament_id)
        )
        if found is None:
            raise UnknownTournament(f"no tournament is called {tournament_id[:20]!r}")
        return found

    async def seen(self, tournament_id: str) -> TournamentRecord:
        """As `known`, for many who look at the same moment: they share a read that begins after they have asked."""
        queued = self._queued.get(tournament_id)
        if queued is None:
            queued = asyncio.create_task(self._read_next(tournament_id, self._reading.get(tournament_id)))
            self._queued[tournament_id] = queued
        return await asyncio.shield(queued)

    async def _read_next(self, tournament_id: str, before: asyncio.Task[TournamentRecord] | None) -> TournamentRecord:
        if before is not None:
            await asyncio.wait([before])
        task = self._queued.pop(tournament_id)
        self._reading[tournament_id] = task
        try:
            return await self.known(tournament_id)
        finally:
            if self._reading.get(tournament_id) is task:
                del self._reading[tournament_id]

    # ---------------------------------------------------------------- what persons ask for

    async def announce(self, by: Guest, plan: Plan) -> str:
        """The id of a new tournament that somebody directs; Conflict when he has too many."""
        if not by.registered:
            raise TournamentError("tournaments are made by players with an account; log in first")
        tournament_id = "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(12))
        now = self._matches.clock()
        await self._matches.store.write(
            lambda connection: tournament_storage.put_tournament(connection, tournament_id, by, plan, now, MAX_OWN)
        )
        self._matches.pubsub.publish(LOBBY)
        return tournament_id

    async def join(self, tournament_id: str, by: Guest, program: bool = False) -> None:
        """Enters somebody, whose fee goes into the pot. program: he comes by the interface for bots. TournamentError."""

        def wish(known: TournamentRecord, step: Step) -> None:
            plan = known.now.plan
            if (plan.rated or plan.fee) and not by.registered:
                raise TournamentError("this tournament is rated or has an entry fee; log in to enter")
            if (program or by.bot) and not plan.bots:
                raise TournamentError("programs may not enter this tournament")
            step.take(Joined(by.id), by.id)

        await self._do(tournament_id, wish)
        await self._do(tournament_id)  # it may be complete now

    async def leave(self, tournament_id: str, by: Guest, *, for_good: bool = False) -> None:
        """Takes somebody out: before the start with his fee, later without it and what he has still to play.

        for_good: also out of a match that has begun, since his account goes. TournamentError.
        """

        def wish(known: TournamentRecord, step: Step) -> None:
            if not for_good and any(by.id in bout.seats and bout.seq and not bout.over for bout in known.bouts):
                raise TournamentError("your match has begun; play it, or resign it first")
            step.take(Left(by.id), by.id)

        await self._do(tournament_id, wish)

    async def leave_all(self, by: Guest) -> None:
        """Takes somebody out of every tournament that is not over, for good."""
        going = (TournamentStage.OPEN, TournamentStage.RUNNING)
        found = await self._matches.store.read(
            partial(tournament_storage.listed, stages=going, limit=MAX_LEFT, of=by.id)
        )
        for one in found:
            with suppress(TournamentError):  # he has left it before
                await self.leave(one.id, by, for_good=True)

    async def seat_bot(self, tournament_id: str, by: Guest, level: str) -> None:
        """Enters a bot of this server; NotDirector, TournamentError, FormatError where no bot of that level plays this."""

        def wish(known: TournamentRecord, step: Step) -> None:
            _check_director(known, by)
            plan = known.now.plan
            if not plan.bots or plan.fee:
                raise TournamentError("bots may not enter this tournament")
            found = find_level(self._opponents, variant(plan.variant), level)
            number = 1
            while f"{BOT}{found.name}:{number}" in known.now.entrants:
                number += 1
            name = found.bot if number == 1 else f"{found.bot} {number}"
            step.take(Joined(f"{BOT}{found.name}:{number}", name), by.id)

        await self._do(tournament_id, wish)
        await self._do(tournament_id)

    async def remove(self, tournament_id: str, by: Guest, player: str) -> None:
        """Sends a player away; NotDirector, TournamentError."""

        def wish(known: TournamentRecord, step: Step) -> None:
            _check_director(known, by)
            step.take(Left(player, removed=True), by.id)

        await self._do(tournament_id, wish)

    async def begin(self, tournament_id: str, by: Guest) -> None:
        """Begins now, with whoever is there; NotDirector, TournamentError."""
        ratings = await self._ratings(await self.known(tournament_id))

        def wish(known: TournamentRecord, step: Step) -> None:
            _check_director(known, by)
            step.take(started(known.now, ratings, self._lot), by.id)

        await self._do(tournament_id, wish)

    async def decide(self, tournament_id: str, by: Guest, game: int, winner: str | None) -> None:
        """Decides a game that is not over, and ends its match; None as winner where both lose. NotDirector, TournamentError."""

        def wish(known: TournamentRecord, step: Step) -> None:
            _check_director(known, by)
            step.take(Decided(game, winner, How.DIRECTOR), by.id)

        await self._do(tournament_id, wish)

    async def extend(self, tournament_id: str, by: Guest, by_ms: int) -> None:
        """Has the rounds that are being played end that much later, from now on; NotDirector, TournamentError."""

        def wish(known: TournamentRecord, step: Step) -> None:
            _check_director(known, by)
            ends = [bout.ends_at for bout in known.bouts if not bout.settled and bout.ends_at is not None]
            step.take(Extended(max(self._matches.clock(), known.now.until, *ends) + by_ms), by.id)

        await self._do(tournament_id, wish)

    async def cancel(self, tournament_id: str, by: Guest, reason: str = "") -> None:
        """Ends a tournament without a winner; all fees go back. NotDirector, TournamentError."""

        def wish(known: TournamentRecord, step: Step) -> None:
            _check_director(known, by)
            step.take(TournamentCancelled(reason), by.id)

        await self._do(tournament_id, wish)

    # ---------------------------------------------------------------- how it is done

    async def _do(self, tournament_id: str, wish: Wish = nothing) -> None:
        """What is asked for, and everything that is due and that follows; UnknownTournament, Conflict, what the wish raises."""
        matches = self._matches
        async with self._locks.setdefault(tournament_id, asyncio.Lock()):
            for chance in range(ATTEMPTS):
                known, time = await self.known(tournament_id), matches.clock()
                ratings = await self._ratings(known) if begins(known.now, time) else {}
                step = await asyncio.to_thread(compose, known, wish, ratings, self._lot, time)
                if step.empty:
                    return
                try:
                    await matches.store.write(partial(write, known=known, step=step, at=time))
                    break
                except Conflict:
                    if chance + 1 == ATTEMPTS:
                        raise
        await self._tell(known, step)

    async def _ratings(self, known: TournamentRecord) -> dict[str, float]:
        """What the persons who have entered are rated."""
        pool, entrants = variant(known.now.plan.variant).name, known.now.entrants
        found = await self._matches.store.read(partial(tournament_storage.standings_of, players=entrants, pool=pool))
        return {player: standing.glicko.rating for player, standing in found.items()}

    async def _tell(self, known: TournamentRecord, step: Step) -> None:
        """Lets everybody know what was written, and the matches of bots begin."""
        pubsub = self._matches.pubsub
        people = {guest for bout in known.bouts if bout.match_id in step.annulled for guest in bout.seats}
        for match_id in step.annulled:
            await self._matches.changed_elsewhere(match_id)
            pubsub.publish(match_id)
        for _, _, header in step.made:
            people |= {seat.guest for seat in header.seats}
            await self._matches.begin(header.id)
        for guest in people - {None}:
            pubsub.publish(seats_of(guest or ""))
        pubsub.publish(tournament_named(known.id))
        pubsub.publish(LOBBY)


def _check_director(known: TournamentRecord, by: Guest) -> None:
    if by.id != known.by.id and not by.administrator:
        raise NotDirector("only who directs the tournament, or an administrator, can do this")
