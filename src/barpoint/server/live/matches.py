"""Where every change of a match passes: checked against the fold of its log, written, and only then known to anybody.

No process owns a match. What is in memory is a copy of the log up to some event; a write that does not follow the
last event in the database is refused there, and the copy is brought up to date.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import msgspec
from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.game import Abort, Event, Next, Opening, Phase, Roll, Rollover
from barpoint.game.event import MoveMade
from barpoint.match import Match, MatchTerms
from barpoint.rules import Rules
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ledger import LedgerError
from barpoint.server.domain.matches import BOTH, MatchHeader, MatchSeat
from barpoint.server.domain.matches import real_board_seats as real_board_seats
from barpoint.server.domain.matches import seat_for as seat_for
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.time_control import after_event
from barpoint.server.live.live_match import LiveMatch, logged, snapshot
from barpoint.server.live.match_cache import MatchCache
from barpoint.server.live.match_cache import UnknownMatch as UnknownMatch
from barpoint.server.live.new_match import new_entry, put_new
from barpoint.server.live.pubsub import PubSub, seats_of
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.matches import Conflict, Draft, Logged
from barpoint.server.storage.results import MatchOutcome
from barpoint.server.storage.store import Store

T = TypeVar("T")

SERVER: Final = "server"
"""The actor of what happens by itself."""

Clock = Callable[[], int]
"""The time in ms since 1970."""


class StaleCommand(BarpointError):
    """The command was made for an earlier state of the match."""


class OutOfTime(StaleCommand):
    """The command came after its time, and the match has gone on without it."""


class ForeignSeat(BarpointError):
    """The command is for a seat that the client does not hold."""


@dataclass(frozen=True, slots=True)
class Command:
    """What the holder of a seat asks for; the fields as in `Matches.act`."""

    seat: int
    id: str
    seq: int
    event: Event
    lag_ms: int = 0


class Matches:
    """All matches of a server."""

    def __init__(self, store: Store, pubsub: PubSub, dice: DiceSource, clock: Clock, settings: Settings) -> None:
        self.store, self.pubsub, self.clock = store, pubsub, clock
        self._dice, self._settings = dice, settings
        self.cache = MatchCache(store, settings)
        store.metrics.watch("barpoint_matches_in_memory", "Matches held in memory.", lambda: len(self.cache))

    async def live_match(self, match_id: str) -> LiveMatch:
        """A match, read from the log where it is not in memory; UnknownMatch."""
        return await self.cache.live_match(match_id)

    async def create(self, rules: Rules, terms: MatchTerms, seats: tuple[MatchSeat, MatchSeat]) -> MatchHeader:
        """A new match without clock, rating and fee. Where nobody has still to come it begins at once."""
        return await self.make(Agreement(rules, terms), seats)

    async def make(
        self,
        agreement: Agreement,
        seats: tuple[MatchSeat, MatchSeat],
        also: Callable[[Connection, MatchHeader], None] | None = None,
        *,
        players_seed: bool = False,
    ) -> MatchHeader:
        """A new match on what was agreed. Where nobody has still to come it begins at once.

        also: what is written in the same transaction, after the match; what it raises undoes the match.
        players_seed: it waits for a seed of the dice from each person at the table (`Adjournments.seal_seed`), so for both of them.
        """
        header = new_entry(agreement, seats, self.clock(), players_seed=players_seed)

        def work(connection: Connection) -> None:
            put_new(connection, header)
            if also is not None:
                also(connection, header)

        await self.store.write(work)
        await self.begin(header.id)
        return header

    async def join(self, token: str, guest: Guest) -> str:
        """Seats a guest by the link of an open seat, and says at which match; Conflict when he cannot have it."""
        match_id = await self.store.write(lambda connection: result_storage.sit_down(connection, token, guest))
        await self.cache.refresh(match_id)
        await self.begin(match_id)
        self.pubsub.publish(match_id)
        return match_id

    async def call_off(self, match_id: str) -> None:
        """Ends a match whose other player never came."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            if not live_match.header.complete and not live_match.match.over:
                await self._append(live_match, [(Abort(), SERVER, None)])
        self.pubsub.publish(match_id)

    def _call(self, header: MatchHeader) -> None:
        """Tells whoever waits for matches of a player that one has begun or ended."""
        for guest in {seat.guest for seat in header.seats if seat.guest is not None}:
            self.pubsub.publish(seats_of(guest))

    async def rematch(self, match_id: str, guest: Guest, *, players_seed: bool = False) -> str:
        """The match that follows one that is over, on the same terms with changed seats; the first to ask makes it."""
        old = (await self.live_match(match_id)).header
        if old.seat_of(guest.id) is None:
            raise ForeignSeat("only the players can agree on a rematch")
        if old.rematch:
            return old.rematch
        first, second = (
            MatchSeat(seat.kind, seat.name, guest=seat.guest, level=seat.level) for seat in reversed(old.seats)
        )
        header = new_entry(old.agreement, (first, second), self.clock(), players_seed=players_seed)

        def work(connection: Connection) -> None:
            match_storage.set_rematch(connection, match_id, header.id)
            put_new(connection, header)

        try:
            await self.store.write(work)
        except Conflict:
            await self.cache.refresh(match_id)
            return (await self.live_match(match_id)).header.rematch or match_id
        await self.begin(header.id)
        await self.cache.refresh(match_id)
        self.pubsub.publish(match_id)
        return header.id

    async def act(
        self, match_id: str, seat: int | None, command_id: str, seq: int, event: Event, lag_ms: int = 0
    ) -> int:
        """Does what the holder of a seat asks for, and says which event it became.

        A command id that was used before changes nothing and gives the event it became then. StaleCommand when `seq`
        is not the last event; but a call is judged by the roll it names, since it may be made while the other side
        acts (rulings 2.3). OutOfTime when the time of whoever was to act had passed before. ForeignSeat, IllegalEvent.
        lag_ms: what the client says its command takes on the way; the clock gives no more of it back than LAG_LIMIT.
        """
        if seat is None:
            raise ForeignSeat("you have no seat in this match; you may watch")
        live_match = await self.live_match(match_id)
        if live_match.header.by_hand:
            raise ForeignSeat("this match is played at a real board, with real dice; what happens there is entered")
        with self.store.metrics.acting():
            async with live_match.lock:
                done = await self._attempt(live_match, Command(seat, command_id, seq, event, lag_ms))
        self.pubsub.publish(match_id)
        return done

    async def enter(self, match_id: str, seat: int | None, command_id: str, seq: int, event: Event) -> int:
        """Writes down what happened at a real board, dice included, and says which event it became.

        Ids and `seq` as for `act`. ForeignSeat for anybody but who keeps the record, IllegalEvent.
        """
        live_match = await self.live_match(match_id)
        if seat != BOTH or not live_match.header.by_hand:
            raise ForeignSeat("only who keeps the record of a real board can enter what happens there")
        async with live_match.lock:
            player: int = getattr(event, "player", 0)
            done = await self._attempt(live_match, Command(player, command_id, seq, event))
        self.pubsub.publish(match_id)
        return done

    async def try_moves(
        self, match_id: str, seat: int | None, seq: int, version: int, moves: tuple[MoveMade, ...]
    ) -> None:
        """Keeps moves that are tried for the roll of event `seq`. ForeignSeat, StaleCommand, IllegalMove."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            if seq > live_match.seq:
                await self.cache.catch_up(live_match)
            game = live_match.match.game
            if seat not in (game.player, BOTH):
                raise ForeignSeat("it is not your turn")
            if seq != live_match.roll_seq or version != live_match.version + 1:
                raise StaleCommand("these moves belong to an earlier roll, or others were tried since")
            live_match.check_draft(moves)
            draft = Draft(seq, version, msgspec.json.encode(moves).decode())
            try:
                await self.store.write(lambda connection: match_storage.put_draft(connection, match_id, draft))
            except Conflict as error:
                raise StaleCommand(str(error)) from None
            live_match.try_moves(draft)
        self.pubsub.publish(match_id)

    async def expire(self, match_id: str) -> None:
        """Does what is due when a deadline has passed (`verdict`), once, however many processes look at the match."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            due = live_match.due(self.clock())
            if due is None:
                await self.cache.catch_up(live_match)
                due = live_match.due(self.clock())
            if due is None:
                return
            await self._append_once(live_match, due)  # unless the player acted elsewhere in time
        self.pubsub.publish(match_id)

    async def begin(self, match_id: str) -> None:
        """The contest for the start, where nobody has still to come and it is still owed."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            if (
                live_match.header.by_hand
                or not live_match.header.ready
                or live_match.match.game.phase is not Phase.OPENING
            ):
                return
            try:
                await self._append_once(
                    live_match, self._opening(live_match, live_match.match, live_match.openings + 1)
                )
            except LedgerError:
                await self._append_once(live_match, Abort())  # a player cannot pay the entry fee (any more)
        self.pubsub.publish(match_id)

    async def decide(self, match_id: str, seq: int, event: Event) -> None:
        """An event that the server decides on; nothing where event `seq` is not the last one any more."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            if live_match.seq == seq:
                await self._append_once(live_match, event)
        self.pubsub.publish(match_id)

    async def proceed(self, match_id: str) -> None:
        """Begins the next game where no person is there to ask for it."""
        live_match = await self.live_match(match_id)
        async with live_match.lock:
            if live_match.match.game.over and not live_match.match.over:
                await self._append_once(live_match, Next())
        self.pubsub.publish(match_id)

    async def changed_elsewhere(self, name: str) -> None:
        """Reads what another process has written about a match that is in memory here, and tells who listens."""
        if name in self.cache:
            await self.cache.refresh(name)
        self.pubsub.tell(name)

    async def look_again(self) -> None:
        """Reads again whatever somebody looks at, since it is not known what has changed meanwhile."""
        topics = self.pubsub.topics
        self.cache.keep(topics)
        for topic in topics:
            await self.changed_elsewhere(topic)

    async def renamed(self, guest_id: str) -> None:
        """Takes in that a guest is called otherwise."""
        for match_id in self.cache.matches_of(guest_id):
            await self.cache.refresh(match_id)
            self.pubsub.publish(match_id)

    async def _attempt(self, live_match: LiveMatch, command: Command) -> int:
        actor, event = str(command.seat), command.event
        if command.seq > live_match.seq:
            await self.cache.catch_up(live_match)  # it was made on what another process has written
        for last_chance in (False, True):
            known = live_match.commands.get((actor, command.id))
            if known is not None:
                return known
            if command.seq != live_match.seq and not isinstance(event, Rollover):
                raise StaleCommand(f"the match has gone on: event {live_match.seq} is the last one, not {command.seq}")
            try:
                await self._in_time(live_match, command)
                wanted = (self._with_faces(live_match, event), actor, command.id)
                return await self._append(live_match, [wanted], live_match.lag_of(command.seat, command.lag_ms))
            except Conflict:
                if last_chance:
                    raise
                await self.cache.catch_up(live_match)
        raise AssertionError("returns or raises")

    async def _in_time(self, live_match: LiveMatch, command: Command) -> None:
        """OutOfTime when the time of whoever is to act had passed before the command was sent; that is done instead."""
        if live_match.header.recess.adjourned_at is not None:
            raise StaleCommand("the match is adjourned; it can be gone on with when both want to")
        due = live_match.due(self.clock(), command.seat, command.lag_ms)
        if due is not None:
            await self._append(live_match, [(due, SERVER, None)])
            raise OutOfTime("the time was up before this came")

    async def _append_once(self, live_match: LiveMatch, event: Event) -> None:
        """What the server does by itself, unless another process has done it or something else at this moment."""
        try:
            await self._append(live_match, [(event, SERVER, None)])
        except Conflict:
            await self.cache.catch_up(live_match)

    async def _append(self, live_match: LiveMatch, wanted: list[tuple[Event, str, str | None]], lag_ms: int = 0) -> int:
        """Applies events and what follows by itself, writes all of it in one go, and then shows it.

        The number of the first event. IllegalEvent, Conflict: nothing has changed.
        """
        now, first = self.clock(), live_match.seq + 1
        match, clock = live_match.match, live_match.clock
        given_back = (lag_ms, live_match.header.pause_ms)
        steps: list[tuple[Match, Logged]] = []
        attempt = live_match.openings
        queue = list(wanted)
        while queue:
            event, actor, command_id = queue.pop(0)
            match = match.apply(event)
            clock = after_event(clock, match, now, given_back[0])
            made = logged(match.events[-1], len(match.events), actor, command_id, now)
            steps.append((match, replace(made, lag_ms=given_back[0], pause_ms=given_back[1])))
            given_back = (0, 0)
            if isinstance(event, Next):
                attempt = 0
            attempt += isinstance(event, Opening)
            owed = match.game.phase is Phase.OPENING and live_match.header.ready and not live_match.header.by_hand
            if owed and not queue:
                queue.append((self._opening(live_match, match, attempt + 1), SERVER, None))
        cache = snapshot(match, clock.deadline_at)
        await self._put(live_match, [step[1] for step in steps], match, cache)
        for after, header in steps:
            live_match.take(after, header)
        live_match.goes_on(clock.deadline_at)
        if first == 1 or match.over:
            self._call(live_match.header)
        return first

    async def _put(
        self, live_match: LiveMatch, events: list[Logged], match: Match, cache: match_storage.Snapshot
    ) -> None:
        """Writes events with everything that follows from them: fees at the first, prize and ratings at the last."""
        header, begins, now = live_match.header, events[0].seq == 1 and not match.over, events[0].at

        def work(connection: Connection) -> MatchOutcome | None:
            match_storage.append_events(connection, header.id, events, cache)
            if begins:
                result_storage.begin(connection, header, now)
            if match.over:
                result_storage.conclude(connection, header, match, now)
            return result_storage.outcome(connection, header) if match.over else None

        found: MatchOutcome | None = await self.store.write(work)
        for event in events:
            self.store.metrics.events.labels(event.kind).inc()
        live_match.outcome = found or live_match.outcome

    def _opening(self, live_match: LiveMatch, match: Match, attempt: int) -> Opening:
        sides = match.rules.dice.sides
        return Opening(self._dice.opening(live_match.header.seeds, len(match.finished) + 1, attempt, sides))

    def _with_faces(self, live_match: LiveMatch, event: Event) -> Event:
        """A wish to roll gets its faces here and nowhere else."""
        if not isinstance(event, Roll) or live_match.header.by_hand:
            return event
        match = live_match.match
        if match.over or match.game.phase not in (Phase.TO_ROLL, Phase.MUST_REROLL):
            return event  # refused without faces, with what is allowed
        number = match.game.roll_id + 1
        return Roll(
            event.player,
            self._dice.roll(live_match.header.seeds, live_match.game_number, number, match.rules.dice.rows),
        )
