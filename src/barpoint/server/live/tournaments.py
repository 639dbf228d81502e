"""Applies commands to tournaments, and reacts to finished matches and passed deadlines.

Each step is one transaction: it appends to the event log, creates the matches that follow and moves the fees. If the
log has gone on, the step is refused and composed again. So any process may take a step, and several processes at once
take it only once. A killed process leaves no step half done; another process finds its pending steps (`needing`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from random import Random, SystemRandom
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.bots.opponents import Opponents
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.tournament_events import (
    ByeAsked,
    ByeGiven,
    Changed,
    Decided,
    HelperNamed,
    How,
    Left,
    Plan,
    Reported,
    TournamentCancelled,
    TournamentError,
    TournamentEvent,
    TournamentStage,
)
from barpoint.server.live.clubs import Also
from barpoint.server.live.event_log import Aggregate, EventLog
from barpoint.server.live.live_tournament import LiveTournament
from barpoint.server.live.match_transactions import new_id
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import LOBBY, seats_of, tournament_named
from barpoint.server.live.push import Pusher
from barpoint.server.live.tournament_direction import (
    entered_result,
    extension,
    late_entries,
    pairing_again,
    played_here,
    report_of,
    require_director,
    result_taken_back,
    to_real_board,
)
from barpoint.server.live.tournament_entries import (
    account_entry,
    bot_entry,
    departure,
    helper_named,
    own_entry,
    renamed,
    tell_entered,
    walk_in_entry,
    with_bye,
)
from barpoint.server.live.tournament_step import (
    UNNUMBERED,
    SentCommand,
    Step,
    TournamentCommand,
    begins,
    change_of,
    compose,
    overdue,
    started,
)
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import tournament_entries as entry_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import TOURNAMENTS
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.variants import variant

LOG: Final = logging.getLogger("barpoint.server")

MAX_OWN: Final = 20
"""Maximum unfinished tournaments per director."""

MAX_LEFT: Final = 1000
"""Maximum tournaments somebody leaves at once."""

ATTEMPTS: Final = 12
"""Attempts to compose a step when others are faster."""


class UnknownTournament(BarpointError):
    """No tournament has this id."""


class Tournaments:
    """All tournaments of a server."""

    def __init__(
        self, matches: Matches, opponents: Opponents, lot: Random | None = None, pusher: Pusher | None = None
    ) -> None:
        self._matches, self._opponents, self._pusher = matches, opponents, pusher
        self._lot = lot or SystemRandom()
        self.log: EventLog[LiveTournament] = EventLog(
            matches.store,
            matches.pubsub,
            Aggregate(
                TOURNAMENTS,
                lambda connection, tournament_id, known: tournament_storage.find_tournament(
                    connection, tournament_id, known.record.now if known else None
                ),
                lambda found: LiveTournament(found.record),
                lambda tournament_id: UnknownTournament(
                    "no tournament is called %(tournament_id)r", tournament_id=tournament_id[:20]
                ),
                tournament_named,
            ),
        )

    async def look(self) -> None:
        """Takes all due steps, in every tournament."""
        now = self._matches.clock()
        for tournament_id in await self._matches.store.read(tournament_storage.needing, now=now):
            try:
                await self._do(tournament_id)
                for match_id in overdue(await self.known(tournament_id), now):
                    await self._matches.begin(match_id)
            except Exception:  # the outermost handler: a failing one does not delay the others
                LOG.exception("tournament %s does not go on", tournament_id)

    async def known(self, tournament_id: str) -> TournamentRecord:
        """The current tournament, shared by simultaneous readers; UnknownTournament."""
        return (await self.log.fresh(tournament_id)).record

    # ---------------------------------------------------------------- commands of players

    async def announce(self, by: Guest, plan: Plan, also: Also | None = None) -> str:
        """Announces a tournament with its director; returns its id. Conflict if they have too many.

        also: writes more in the same transaction, such as the club that it belongs to.
        """
        if not by.registered:
            raise TournamentError("tournaments are made by players with an account; log in first")
        tournament_id = new_id()
        now = self._matches.clock()

        def work(connection: Connection) -> None:
            tournament_storage.put_tournament(connection, tournament_id, by, plan, now, MAX_OWN)
            if also is not None:
                also(connection, tournament_id)

        await self._matches.store.write(work)
        self._matches.pubsub.publish(LOBBY)
        return tournament_id

    async def join(
        self, tournament_id: str, by: Guest, program: bool = False, *, sent: SentCommand = UNNUMBERED
    ) -> int:
        """Enters somebody, and adds their fee to the prize pool. program: they use the bot API. TournamentError."""

        command = TournamentCommand(by.id, lambda known: own_entry(known, by, program), *sent, newcomer=by)
        number = await self._do(tournament_id, command)
        await self._do(tournament_id)  # it may be full now
        return number

    async def leave(
        self, tournament_id: str, by: Guest, *, for_good: bool = False, sent: SentCommand = UNNUMBERED
    ) -> int:
        """Withdraws somebody: with a refund before the start, without one later; they forfeit their remaining matches.

        They forfeit a match that is adjourned, too; one that is being played is finished first. In an arena they finish the match in
        progress, and may come back. for_good: also from a match in progress, because their account is deleted. TournamentError.
        """

        command = TournamentCommand(by.id, lambda known: departure(known, by, for_good=for_good), *sent)
        return await self._do(tournament_id, command)

    async def ask_bye(self, tournament_id: str, by: Guest, *, wanted: bool, sent: SentCommand = UNNUMBERED) -> int:
        """Asks the director for a bye in the next round, or does so no longer; TournamentError."""

        def event(known: TournamentRecord) -> TournamentEvent:
            if by.id not in known.now.entrants:
                raise TournamentError("nobody of that name plays in it")
            return ByeAsked(by.id, wanted)

        return await self._do(tournament_id, TournamentCommand(by.id, event, *sent))

    async def report(
        self,
        tournament_id: str,
        by: Guest,
        game: int,
        winner: str | None,
        sent: SentCommand = UNNUMBERED,
        *,
        score: tuple[int, int] | None = None,
    ) -> int:
        """Says who won one's own match at a real board, None while it is played there; it counts once both say the same. TournamentError."""
        said = Reported(game, by.id, winner or "", score=score)
        return await self._do(tournament_id, TournamentCommand(by.id, lambda known: report_of(known, said), *sent))

    async def play_here(self, tournament_id: str, by: Guest, game: int, sent: SentCommand = UNNUMBERED) -> int:
        """Takes back that one's own match is played at a real board; TournamentError, also where it is too late to play it here."""
        now = self._matches.clock()
        number = await self._do(
            tournament_id, TournamentCommand(by.id, lambda known: played_here(known, by, game, now), *sent)
        )
        for bout in (await self.known(tournament_id)).bouts:
            if bout.game == game and not bout.settled:
                await self._matches.begin(bout.match_id)  # both may be at its board
        return number

    async def leave_all(self, by: Guest) -> None:
        """Withdraws somebody from every unfinished tournament, for good."""
        going = (TournamentStage.OPEN, TournamentStage.RUNNING)
        found = await self._matches.store.read(
            tournament_lists.listed, stages=going, limit=MAX_LEFT, of=by.id, public=False
        )
        for one in found:
            with suppress(TournamentError):  # they have left it before
                await self.leave(one.id, by, for_good=True)

    # ---------------------------------------------------------------- commands of directors

    async def change(self, tournament_id: str, by: Guest, plan: Plan, sent: SentCommand = UNNUMBERED) -> int:
        """Changes the plan before the start; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda known: Changed(plan, known.now.plan), sent)

    async def change_late(self, tournament_id: str, by: Guest, rounds: int, sent: SentCommand = UNNUMBERED) -> int:
        """Changes until which round players enter a running Swiss tournament; NotDirector, TournamentError, FormatError."""
        return await self._direct(tournament_id, by, lambda known: late_entries(known, rounds), sent)

    async def seat_bot(self, tournament_id: str, by: Guest, level: str, sent: SentCommand = UNNUMBERED) -> int:
        """Enters a bot of this server; NotDirector, TournamentError, FormatError if no bot of that level plays this."""

        seated = await self._direct(tournament_id, by, lambda known: bot_entry(known, self._opponents, level), sent)
        await self._do(tournament_id)
        return seated

    async def enter(
        self, tournament_id: str, by: Guest, name: str, sent: SentCommand = UNNUMBERED, *, bye: int | None = None
    ) -> int:
        """Enters the owner of an account in a tournament of a club, and tells them; NotDirector, TournamentError.

        bye: the match of the first round of a knock-out whose bye they take.
        """
        found = await self._matches.store.read(entry_storage.find_candidate, tournament_id, name, by.id)

        def event(known: TournamentRecord) -> TournamentEvent:
            return with_bye(known, account_entry(known, found, name), bye)

        newcomer = found.person if found is not None else None
        entered = await self._direct(tournament_id, by, event, sent, newcomer)
        await self._do(tournament_id)
        if found is not None:
            self._matches.pubsub.publish(seats_of(found.person.id))
            if self._pusher is not None:
                tell_entered(self._pusher, await self.known(tournament_id), found, by)
        return entered

    async def enter_walk_in(
        self, tournament_id: str, by: Guest, name: str, sent: SentCommand = UNNUMBERED, *, bye: int | None = None
    ) -> int:
        """Enters somebody without an account in a tournament at real boards; bye: as in `enter`. NotDirector, TournamentError."""
        taken = await self._matches.store.read(account_storage.looks_registered, name)

        def event(known: TournamentRecord) -> TournamentEvent:
            return with_bye(known, walk_in_entry(known, name, of_account=taken), bye)

        entered = await self._direct(tournament_id, by, event, sent)
        await self._do(tournament_id)
        return entered

    async def rename(
        self, tournament_id: str, by: Guest, player: str, name: str, sent: SentCommand = UNNUMBERED
    ) -> int:
        """Gives a player without an account another name; NotDirector, TournamentError."""
        taken = await self._matches.store.read(account_storage.looks_registered, name)
        return await self._direct(tournament_id, by, lambda known: renamed(known, player, name, of_account=taken), sent)

    async def to_real_board(self, tournament_id: str, by: Guest, game: int, sent: SentCommand = UNNUMBERED) -> int:
        """Has an open match played at a real board, where the plan allows it; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda known: to_real_board(known, game), sent, results=True)

    async def remove(self, tournament_id: str, by: Guest, player: str, sent: SentCommand = UNNUMBERED) -> int:
        """Removes a player; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda _: Left(player, removed=True), sent)

    async def begin(self, tournament_id: str, by: Guest, sent: SentCommand = UNNUMBERED) -> int:
        """Begins now, with the current entrants; NotDirector, TournamentError."""
        ratings = await self._ratings(await self.known(tournament_id))
        return await self._direct(
            tournament_id, by, lambda known: started(known.now, ratings, self._lot, self._matches.clock()), sent
        )

    async def give_bye(
        self, tournament_id: str, by: Guest, player: str, *, given: bool, sent: SentCommand = UNNUMBERED
    ) -> int:
        """Gives a player a bye in the next round, or refuses it or takes it back; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda _: ByeGiven(player, given), sent)

    async def decide(
        self,
        tournament_id: str,
        by: Guest,
        game: int,
        winner: str | None,
        sent: SentCommand = UNNUMBERED,
        *,
        score: tuple[int, int] | None = None,
        corrects: bool = False,
    ) -> int:
        """Decides an open match, or corrects a result and what follows from it; with winner None both lose. NotDirector, TournamentError."""
        wanted = Decided(game, winner, How.DIRECTOR, corrects, score)
        return await self._direct(tournament_id, by, lambda known: entered_result(known, wanted), sent, results=True)

    async def take_back(self, tournament_id: str, by: Guest, game: int, sent: SentCommand = UNNUMBERED) -> int:
        """Takes a result back, or what is being played of a match: it is open again; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda known: result_taken_back(known, game), sent)

    async def name_helper(self, tournament_id: str, by: Guest, name: str, sent: SentCommand = UNNUMBERED) -> int:
        """Names the owner of an account who may enter results; NotDirector, TournamentError."""
        found = await self._matches.store.read(entry_storage.find_candidate, tournament_id, name, by.id)
        return await self._direct(tournament_id, by, lambda known: helper_named(known, found, name), sent)

    async def drop_helper(self, tournament_id: str, by: Guest, player: str, sent: SentCommand = UNNUMBERED) -> int:
        """Lets somebody enter results no longer; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda _: HelperNamed(player, named=False), sent)

    async def pair_again(self, tournament_id: str, by: Guest, sent: SentCommand = UNNUMBERED) -> int:
        """Pairs the last round of a Swiss tournament again, before anybody has played in it; NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, pairing_again, sent)

    async def extend(self, tournament_id: str, by: Guest, minutes: int, sent: SentCommand = UNNUMBERED) -> int:
        """Extends the current rounds by this much, and the time to come to the board; NotDirector, TournamentError, FormatError."""
        return await self._direct(
            tournament_id, by, lambda known: extension(known, minutes, self._matches.clock()), sent
        )

    async def cancel(self, tournament_id: str, by: Guest, reason: str = "", sent: SentCommand = UNNUMBERED) -> int:
        """Cancels a tournament: no winner, all fees refunded. NotDirector, TournamentError."""
        return await self._direct(tournament_id, by, lambda _: TournamentCancelled(reason.strip()), sent)

    async def _direct(
        self,
        tournament_id: str,
        by: Guest,
        event: Callable[[TournamentRecord], TournamentEvent],
        sent: SentCommand,
        newcomer: Guest | None = None,
        *,
        results: bool = False,  # helpers may do it, too
    ) -> int:
        def checked(known: TournamentRecord) -> TournamentEvent:
            require_director(known, by, results=results)
            return event(known)

        return await self._do(tournament_id, TournamentCommand(by.id, checked, *sent, newcomer))

    # ---------------------------------------------------------------- implementation

    async def _do(self, tournament_id: str, command: TournamentCommand | None = None) -> int:
        """Executes a command, with everything due and its consequences; returns the number of its event.

        UnknownTournament, Conflict, exceptions of the command. A command id that was used before changes nothing.
        """
        done: list[Step] = []

        async def work(tournament: LiveTournament) -> int:
            known, time = tournament.record, self._matches.clock()
            ratings = await self._ratings(known) if begins(known.now, time) else {}
            step = await asyncio.to_thread(compose, known, command, ratings, self._lot, time)
            if not step.empty:
                await self.log.append(tournament, change_of(known, step))
                done.append(step)
            return next((event.seq for _, event in step.steps if event.actor is not None), step.now.seq)

        actor, command_id = (command.by, command.id) if command else (None, None)
        number = await self.log.command(tournament_id, actor, command_id, None, work, ATTEMPTS)
        for step in done:
            for match_id in step.voided:
                await self._matches.log.refresh(match_id)
            for _, _, header in step.made:
                await self._matches.begin(header.id)
        return number

    async def _ratings(self, known: TournamentRecord) -> dict[str, float]:
        """The ratings of the entrants."""
        pool, entrants = variant(known.now.plan.variant).name, known.now.entrants
        found = await self._matches.store.read(tournament_storage.standings_of, players=entrants, pool=pool)
        return {player: standing.glicko.rating for player, standing in found.items()}
