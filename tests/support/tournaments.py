"""Tournaments on a server without a network."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import Connection, select

from barpoint.game import Accept, Resign, Roll
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.tournament_events import Plan, TournamentStage
from barpoint.server.domain.tournament_matches import games
from barpoint.server.services import Services, running
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import audit
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.schema.results import BALANCE
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord
from tests.support import databases
from tests.support.live_server import Clock
from tests.support.scripted_bots import ChanceBot, ChanceBots

NEVER_MS = 10**9
"""Interval of the tournament scheduler, long enough that it runs only when a test asks."""

LETTERS = "abcdefghjkmnprstuwyz"
"""Letters that names allow, without lookalikes."""


@dataclass
class Club:
    """A server, its clock and its members."""

    services: Services
    clock: Clock
    members: list[Guest] = field(default_factory=list)

    async def enroll(self, count: int) -> list[Guest]:
        """Users with accounts."""

        def work(connection: Connection) -> list[Guest]:
            made = []
            for number in range(len(self.members), len(self.members) + count):
                name = f"Member {LETTERS[number // 20]}{LETTERS[number % 20]}"
                guest_storage.put_guest(connection, Guest(f"m{number}", name), 0)
                account_storage.put_account(connection, Account(f"m{number}", name, "x"), [])
                made.append(Guest(f"m{number}", name, registered=True))
            return made

        self.members += await self.services.store.write(work)
        return self.members[-count:]

    async def announce(self, plan: Plan, players: int) -> str:
        """A tournament that its first player directs; all of them have entered, in order."""
        people = await self.enroll(players)
        tournament_id = await self.services.tournaments.announce(people[0], plan)
        for person in people:
            await self.services.tournaments.join(tournament_id, person)
        return tournament_id

    async def known(self, tournament_id: str) -> TournamentRecord:
        return await self.services.tournaments.known(tournament_id)

    async def open_bouts(self, tournament_id: str) -> list[MatchProgress]:
        """Matches still to play."""
        return [bout for bout in (await self.known(tournament_id)).bouts if not bout.settled and not bout.over]

    async def arrive(self, bout: MatchProgress, *seats: int) -> None:
        """Players come to the board and stay; nobody gives a seed for the dice."""
        for seat in seats or (0, 1):
            self.services.seat_presence.enter(bout.match_id, seat)
            await self.services.adjournments.commit_to_seed(bout.match_id, seat, None)

    async def resign(self, bout: MatchProgress, loser: int) -> None:
        """Both join, and one resigns the match: as many games as it takes."""
        await self.arrive(bout)
        matches = self.services.matches
        for event in (Resign(loser, 3), Accept(1 - loser)):
            live_match = await matches.live_match(bout.match_id)
            await matches.act(bout.match_id, event.player, f"c{live_match.seq}", live_match.seq, event)
        assert (await matches.live_match(bout.match_id)).match.over, "3 points are enough"

    async def play(self, bout: MatchProgress, seed: int = 5) -> None:
        """Both join and take random legal actions until it is over."""
        await self.arrive(bout)
        matches, bot = self.services.matches, ChanceBot(seed)
        live_match = await matches.live_match(bout.match_id)
        while not live_match.match.over:
            game = live_match.match.game
            seat = game.actor if game.actor is not None else 0
            event = bot.event(live_match.match, seat)
            if isinstance(event, Roll):
                event = Roll(seat)
            await matches.act(bout.match_id, seat, f"c{live_match.seq}", live_match.seq, event)

    async def finish(self, tournament_id: str, random: Random) -> TournamentRecord:
        """Somebody resigns every match, until the tournament is over."""
        while (known := await self.known(tournament_id)).now.stage is TournamentStage.RUNNING:
            for bout in await self.open_bouts(tournament_id):
                await self.resign(bout, random.randrange(2))
            await self.services.tournaments.look()
        return known

    async def tickets(self, person: Guest) -> int:
        return await self.services.store.read(lambda connection: result_storage.tickets_of(connection, person.id))

    async def check(self) -> None:
        """Checks that everything agrees with the logs, and that all accounts sum to zero."""
        assert await self.services.store.read(audit.differences) == []
        sums = await self.services.store.read(lambda connection: list(connection.scalars(select(BALANCE.c.amount))))
        assert sum(sums) == 0


@asynccontextmanager
async def club(folder: Path, clock: Clock | None = None, scheduler_ms: int = NEVER_MS) -> AsyncIterator[Club]:
    """A server on the database of a folder."""
    clock = clock or Clock()
    settings = Settings(
        databases.address(folder), bot_delay_ms=0, scheduler_ms=scheduler_ms, heartbeat_ms=NEVER_MS, workers=0
    )
    async with running(settings, SeededDice(), ChanceBots(), clock) as services:
        yield Club(services, clock)


def one_match_for_each_game(known: TournamentRecord) -> bool:
    """Whether no pairing has two matches and every playable one has an open match."""
    made = [(bout.game, bout.attempt) for bout in known.bouts]
    waiting = {bout.game for bout in known.bouts if not bout.settled}
    return len(made) == len(set(made)) and {game.number for game in games(known.now) if game.playable} == waiting
