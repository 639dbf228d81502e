"""Applies commands to matches: validate against the event log, append, publish."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from sqlalchemy import Connection

from barpoint.error import BarpointError, UnsupportedRules
from barpoint.game import Abort, Event, Next, Rollover
from barpoint.game.event import MoveMade, is_made_of
from barpoint.match import Match
from barpoint.server.bots.opponents import BotPlayer
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.automatic import AutomaticTurns, may_be_automatic
from barpoint.server.domain.clubs import EventKind
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ledger import LedgerError
from barpoint.server.domain.matches import BOTH, MatchHeader, MatchSeat, SeatKind
from barpoint.server.domain.matches import real_board_seats as real_board_seats
from barpoint.server.domain.matches import seat_for as seat_for
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.time_control import UNTIMED, after_event, in_days
from barpoint.server.live.automatic import AskedTurns, Follower, Followers
from barpoint.server.live.board_session import try_moves
from barpoint.server.live.bots import BotTurn
from barpoint.server.live.event_log import SERVER, Aggregate, Change, EventLog, ForeignSeat, StaleCommand
from barpoint.server.live.live_match import LiveMatch, LoadedMatch, find_match, logged, snapshot
from barpoint.server.live.match_transactions import new_header, put_new
from barpoint.server.live.pubsub import PubSub, seats_of
from barpoint.server.storage import automatic as automatic_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.event_log import MATCHES, Conflict, Logged
from barpoint.server.storage.lobby import kept_apart
from barpoint.server.storage.store import Store

TimeSource = Callable[[], int]
"""The time in ms since 1970."""


AtEnd = Callable[[Connection, MatchHeader, Match], None]
"""What else is written when a match ends, in the same transaction; it may run twice."""

Waits = Callable[[MatchHeader], Awaitable[bool]]
"""Whether a match whose dice can be rolled still waits for its players."""


class UnknownMatch(BarpointError):
    """No match has this id."""


class OutOfTime(StaleCommand):
    """The command arrived after its time, and the match has gone on without it."""


def _repeats(asked: Event) -> Callable[[LiveMatch, int], bool]:
    """Whether an event of a match is the one that a command asks for."""
    return lambda live_match, seq: is_made_of(live_match.match.events[seq - 1], asked)


def gone_on(live_match: LiveMatch, named: int) -> StaleCommand:
    """The refusal of a command for another event than the last one."""
    return StaleCommand(
        "the match has gone on: event %(last)s is the last one, not %(named)s", last=live_match.seq, named=named
    )


class Matches:
    """All matches of a server. at_end: what is written at the end of each, besides its result. waits: before its beginning."""

    def __init__(self, store: Store, pubsub: PubSub, dice: DiceSource, clock: TimeSource, settings: Settings) -> None:
        self.store, self.pubsub, self.clock = store, pubsub, clock
        self._followers, self._settings = Followers(dice), settings
        self.at_end: list[AtEnd] = []
        self.waits: Waits | None = None
        self.log: EventLog[LiveMatch] = EventLog(
            store,
            pubsub,
            Aggregate(
                MATCHES,
                lambda connection, match_id, known: find_match(connection, match_id, known.seq if known else 0),
                self._start,
                lambda match_id: UnknownMatch("no match is called %(match_id)s", match_id=match_id[:20]),
            ),
        )
        store.metrics.watch("barpoint_matches_in_memory", "Matches held in memory.", lambda: len(self.log))

    async def live_match(self, match_id: str) -> LiveMatch:
        """A match, read from the log if it is not in memory; UnknownMatch."""
        return await self.log.get(match_id)

    async def seated(self, match_id: str) -> LiveMatch:
        """The match, with whoever has taken its open seat in another process that could not tell; UnknownMatch."""
        live_match = await self.live_match(match_id)
        return live_match if live_match.header.complete else await self.log.fresh(match_id)

    def _start(self, found: LoadedMatch) -> LiveMatch:
        """A match in memory; without a time control, only a roll that ended the game has a deadline."""
        agreed = found.header.clock_preset
        return LiveMatch(
            found.header, replace(agreed, final_ms=self._settings.provisional_ms) if agreed == UNTIMED else agreed
        )

    # ---------------------------------------------------------------- starting and aborting matches

    async def make(
        self,
        agreement: Agreement,
        seats: tuple[MatchSeat, MatchSeat],
        also: Callable[[Connection, MatchHeader], None] | None = None,
        *,
        players_seed: bool = False,
    ) -> MatchHeader:
        """Creates a match on agreed terms. It begins at once if nobody has still to join.

        also: writes more in the same transaction, after the match; its exceptions undo the match.
        players_seed: the match waits for a dice seed from each person in it (`Adjournments.seal_seed`).
        """
        header = new_header(agreement, seats, self.clock(), players_seed=players_seed)

        def work(connection: Connection) -> None:
            put_new(connection, header)
            if also is not None:
                also(connection, header)

        await self.store.write(work)
        await self.begin(header.id)
        if header.terms.begins(0) is not None:
            self.log.publish(header.id)  # no opening roll wakes the bot that may have to act
        return header

    async def join(self, token: str, guest: Guest, also: Callable[[Connection], None] = lambda _: None) -> str:
        """Seats a guest by the link of an open seat, and returns the match id; Conflict if they cannot have it.

        also: writes more in the same transaction.
        """

        def work(connection: Connection) -> str:
            also(connection)
            return result_storage.sit_down(connection, token, guest)

        match_id = await self.store.write(work)
        await self.log.reread(match_id)
        await self.begin(match_id)
        self.log.publish(match_id)
        return match_id

    async def begin(self, match_id: str) -> None:
        """Does what follows by itself, if nobody has still to join or to come to the board: the opening roll, or an automatic turn."""
        async with self.log.locked(match_id) as live_match:
            header, match = live_match.header, live_match.match
            follower = self._followers.after(match, AskedTurns(header, live_match.automatic))
            if follower is None or live_match.due(self.clock()) is not None:
                return
            if not match.events and self.waits is not None and await self.waits(header):
                return
            try:
                await self._append_once(live_match, follower)
            except LedgerError:
                await self._append_once(live_match, Follower(Abort()))  # a player can no longer pay the entry fee

    async def call_off(self, match_id: str, by: int | None = None, *, joined: bool = False) -> None:
        """Ends a match that has not begun. by: the seat that withdraws or declines; None for the server. joined: also if both have joined."""
        async with self.log.locked(match_id) as live_match:
            if (joined or not live_match.header.complete) and not live_match.seq:
                await self._append(live_match, Abort(), SERVER if by is None else str(by))

    async def rematch(self, match_id: str, guest: Guest, *, players_seed: bool = False) -> str:
        """The rematch of a finished match, on the same terms with changed seats; the first request creates it.

        ForeignSeat unless the two play each other. That of a match of a club is the club's too, and seen by as many.
        """
        old = (await self.live_match(match_id)).header
        if old.seat_of(guest.id) is None:
            raise ForeignSeat("only the players can agree on a rematch")
        if old.rematch:
            return old.rematch
        first, second = (
            MatchSeat(seat.kind, seat.name, guest=seat.guest, level=seat.level, tutored=seat.tutored)
            for seat in reversed(old.seats)
        )
        header = new_header(old.agreement, (first, second), self.clock(), players_seed=players_seed)

        def work(connection: Connection) -> None:
            if not kept_apart(connection, guest.id).isdisjoint(seat.guest for seat in old.seats):
                raise ForeignSeat("you two do not play each other")
            match_storage.set_rematch(connection, match_id, header.id)
            put_new(connection, header)
            club = club_storage.club_of(connection, match_id)
            if club is not None:
                at = header.created_at
                club_storage.put_event(connection, club.id, header.id, EventKind.MATCH, club.private, at)

        try:
            await self.store.write(work)
        except Conflict:
            return (await self.log.fresh(match_id)).header.rematch or match_id
        await self.begin(header.id)
        await self.log.refresh(match_id)
        return header.id

    async def set_tutored(self, match_id: str, seat: int, tutored: bool) -> None:
        """Notes whether the holder of a seat wants a tutor."""
        await self.store.write(match_storage.set_tutored, match_id, seat, tutored)
        await self.log.refresh(match_id)

    async def set_automatic(self, match_id: str, seat: int | None, turns: AutomaticTurns) -> None:
        """Stores what the server does for the holder of a seat, and does at once what is possible now. ForeignSeat, Conflict."""
        async with self.log.locked(match_id) as live_match:
            header = live_match.header
            if seat is None or not may_be_automatic(header, seat):
                raise ForeignSeat("the server acts for players alone, in matches with days for a turn")
            if live_match.match.over:
                raise ForeignSeat("the match is over")
            await self.log.change(live_match, lambda one: automatic_storage.put_turns(one, header, seat, turns))
        await self.begin(match_id)

    # ---------------------------------------------------------------- commands of players

    async def act(
        self, match_id: str, seat: int | None, command_id: str, seq: int, event: Event, lag_ms: int = 0
    ) -> int:
        """Applies the event of the holder of a seat, and returns its number.

        The same command with its id again changes nothing and returns its first event; UsedId for another command with it.
        StaleCommand if `seq` is not the last event; but a reroll is judged by the roll it names, because it may be requested while the other side acts.
        OutOfTime if the time of the player on turn had passed before. ForeignSeat, IllegalEvent.
        lag_ms: the command's lag according to the client; the clock gives back at most LAG_LIMIT of it.
        """
        if seat is None:
            raise ForeignSeat("you have no seat in this match; you may watch")

        async def work(live_match: LiveMatch) -> int:
            if live_match.header.by_hand:
                raise ForeignSeat("this match is played at a real board, with real dice; what happens there is entered")
            return await self._do(live_match, seat, command_id, seq, event, lag_ms)

        with self.store.metrics.acting():
            return await self.log.command(match_id, str(seat), command_id, seq, work, repeats=_repeats(event))

    async def enter(self, match_id: str, seat: int | None, command_id: str, seq: int, event: Event) -> int:
        """Records an event at a real board, dice included, and returns its number.

        Ids and `seq` as for `act`. ForeignSeat for anybody but the person who keeps the record, IllegalEvent.
        """
        player: int = getattr(event, "player", 0)

        async def work(live_match: LiveMatch) -> int:
            if seat != BOTH or not live_match.header.by_hand:
                raise ForeignSeat("only who keeps the record of a real board can enter what happens there")
            if live_match.header.replaced_by is not None:
                raise ForeignSeat("this record has been corrected; its corrected version goes on")
            return await self._do(live_match, player, command_id, seq, event)

        return await self.log.command(match_id, str(player), command_id, seq, work, repeats=_repeats(event))

    async def try_moves(
        self, match_id: str, seat: int | None, seq: int, version: int, moves: tuple[MoveMade, ...]
    ) -> None:
        """Stores tried moves for the roll of event `seq`. ForeignSeat, StaleCommand, IllegalMove."""
        if seat is None:
            raise ForeignSeat("it is not your turn")
        await try_moves(self.log, MATCHES, match_id, seat, seq, version, moves)

    # ---------------------------------------------------------------- actions of the server

    async def expire(self, match_id: str) -> None:
        """Applies a passed deadline (`verdict`), exactly once across all processes."""
        async with self.log.locked(match_id) as live_match:
            due = live_match.due(self.clock())
            if due is None:
                await self.log.catch_up(live_match)
                due = live_match.due(self.clock())
            if due is not None:
                await self._append_once(live_match, Follower(due))  # unless the player acted elsewhere in time

    async def decide(self, match_id: str, seq: int, event: Event) -> None:
        """Adds an event of the server; changes nothing if event `seq` is no longer the last one."""
        async with self.log.locked(match_id) as live_match:
            if live_match.seq == seq:
                await self._append_once(live_match, Follower(event))

    async def proceed(self, match_id: str) -> None:
        """Begins the next game if no person is there to ask for it."""
        async with self.log.locked(match_id) as live_match:
            if live_match.match.game.over and not live_match.match.over:
                await self._append_once(live_match, Follower(Next()))

    # ---------------------------------------------------------------- bots

    def needs_bots(self, match_id: str) -> bool:
        """Whether a bot has a seat in a match, or may have one because it is not in memory."""
        known = self.log.held(match_id)
        return known is None or any(seat.kind is SeatKind.BOT for seat in known.header.seats)

    async def waiting_for_bots(self, idle_ms: int) -> Sequence[str]:
        """Ids of matches where a bot may have to act and nothing has happened for this long."""
        return await self.store.read(deadline_storage.waiting_for_bots, since=self.clock() - idle_ms)

    async def bot_turn(self, match_id: str) -> BotTurn | None:
        """The turn of a bot that must act now; the server makes the opening roll and begins games by itself."""
        await self.begin(match_id)  # a killed server may not have done it
        live_match = await self.live_match(match_id)
        match, seats = live_match.match, live_match.header.seats
        if match.over or not live_match.header.complete:
            return None
        if match.game.over and all(seat.kind is SeatKind.BOT for seat in seats):
            await self.proceed(match_id)
            return await self.bot_turn(match_id)
        seat, seq = match.game.actor, live_match.seq
        if seat is None or seats[seat].kind is not SeatKind.BOT:
            return None
        level = seats[seat].level
        assert level is not None, "a bot's seat has a level"

        def choose(player: BotPlayer) -> Callable[[], Awaitable[object]]:
            event = player.event(match, seat)
            if event is None:
                raise UnsupportedRules("the bot does not know what to do: %(phase)s", phase=match.game.phase)
            return lambda: self.act(match_id, seat, f"bot-{seq + 1}", seq, event)

        return BotTurn(match.game.rules, level, choose)

    # ---------------------------------------------------------------- implementation

    async def _do(
        self, live_match: LiveMatch, seat: int, command_id: str, seq: int, event: Event, lag_ms: int = 0
    ) -> int:
        if seq != live_match.seq and not isinstance(event, Rollover):
            raise gone_on(live_match, seq)
        if live_match.header.adjournment.adjourned_at is not None:
            raise StaleCommand("the match is adjourned; it can be gone on with when both want to")
        due = live_match.due(self.clock(), seat, lag_ms)
        if due is not None:
            await self._append(live_match, due)
            raise OutOfTime("the time was up before this came")
        event = self._followers.with_faces(live_match.header, live_match.match, event)
        return await self._append(live_match, event, str(seat), command_id, live_match.lag_of(seat, lag_ms))

    async def _append_once(self, live_match: LiveMatch, event: Follower) -> None:
        """Adds an event that follows by itself, unless another process adds it, or another event, first."""
        with suppress(Conflict):
            await self.log.attempt(live_match, lambda: self._append(live_match, *event), attempts=1)

    async def _append(
        self, live_match: LiveMatch, event: Event, actor: str = SERVER, command_id: str | None = None, lag_ms: int = 0
    ) -> int:
        """Writes an event with those that follow by themselves; returns its number. IllegalEvent, Conflict."""
        now, header = self.clock(), live_match.header
        asked = AskedTurns(header, live_match.automatic)
        match = live_match.match.apply(event)
        clock = after_event(live_match.clock, match, now, lag_ms)
        made = logged(match.events[-1], len(match.events), actor, command_id, now)
        steps = [(match, replace(made, lag_ms=lag_ms, pause_ms=header.pause_ms))]
        while (follower := self._followers.after(match, asked, len(steps))) is not None:
            match = match.apply(follower.event)
            clock = after_event(clock, match, now, 0)
            steps.append((match, logged(match.events[-1], len(match.events), follower.actor, follower.command_id, now)))
        return await self.log.append(live_match, self._change(live_match, steps, clock.deadline_at, asked))

    def _change(
        self, live_match: LiveMatch, steps: list[tuple[Match, Logged]], deadline_at: int | None, asked: AskedTurns
    ) -> Change[Match]:
        """Events with all their consequences: fees at the first, prize and ratings at the last."""
        header, now, match, events = live_match.header, steps[0][1].at, steps[-1][0], [event for _, event in steps]
        begins, outcome = not live_match.seq and not match.over, live_match.outcome

        def also(connection: Connection) -> None:
            nonlocal outcome
            asked.settle(connection, events, over=match.over)
            if begins:
                result_storage.begin(connection, header, now)
            if match.over:
                result_storage.conclude(connection, header, match, now)
                outcome = result_storage.outcome(connection, header)
                for write in self.at_end:
                    write(connection, header, match)

        def done() -> None:
            for event in events:
                self.store.metrics.events.labels(event.kind).inc()
            live_match.outcome, live_match.automatic = outcome, asked.after(events)
            live_match.start_period(deadline_at)

        return Change(
            steps,
            row=snapshot(match, deadline_at).row,
            known={"pause_ms": header.pause_ms, "adjourned_at": None, "replaced_by": None},
            also=also,
            done=done,
            topics=tuple(map(seats_of, live_match.people))
            if begins or match.over or in_days(header.time_control)
            else (),
        )
