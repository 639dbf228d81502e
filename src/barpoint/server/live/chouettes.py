"""Where every change of a chouette passes: checked against the fold of its log, written, and only then known to anybody.

As with matches (`hall`), no process owns a table. What is in memory is a copy of the log up to some event; a write that
does not follow the last event in the database is refused there, and the copy is brought up to date.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec
from sqlalchemy import Connection

from barpoint.chouette import (
    BOX,
    MAX_PLAYERS,
    TEAM,
    Act,
    Chouette,
    ChouetteTerms,
    Event,
    Join,
    Leave,
    Order,
    Seed,
    Waive,
)
from barpoint.error import BarpointError, IllegalEvent
from barpoint.game import Abort, Phase, Rollover, Timeout
from barpoint.game.event import MoveMade
from barpoint.rules import RULES_VERSION, Rules
from barpoint.server.domain.chouettes import ChouetteHeader, ChouetteSeat, ListedChouette, opening, with_dice
from barpoint.server.domain.dice import DiceSource, new_server_seed
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.live.live_chouette import LiveChouette, logged
from barpoint.server.live.matches import SERVER, Clock, ForeignSeat, StaleCommand
from barpoint.server.live.pubsub import LOBBY, PubSub, table_of
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage.chouettes import cache
from barpoint.server.storage.matches import Conflict, Draft, Logged
from barpoint.server.storage.store import Store

KEPT: Final = 500
"""Tables held in memory."""

LISTED_MS: Final = 6 * 60 * MINUTE
"""A table at which nothing has happened for so long is in no list."""

FORGOTTEN_MS: Final = 3 * DAY
"""A table between two games at which nothing has happened for so long is closed, and its dice can be checked."""

MAX_LISTED: Final = 50
MAX_SEEN: Final = 40
"""People that a table can have seen."""


class UnknownChouette(BarpointError):
    """No table of that id."""


class ChouetteRefused(BarpointError):
    """Something that this table does not take."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A table as somebody opens it. bots: levels of those who sit down with him, and their names."""

    rules: Rules
    terms: ChouetteTerms
    decision_ms: int = 3 * MINUTE
    listed: bool = True
    bots: tuple[tuple[str, str], ...] = ()


@dataclass
class _Step:
    """An event on its way into the log. also: what is written with it."""

    event: Event
    actor: str = SERVER
    command_id: str | None = None
    also: list[ChouetteSeat] = field(default_factory=list)


class Chouettes:
    """All chouettes of a server. wakened: is told the id of each table that this process has changed."""

    def __init__(self, store: Store, pubsub: PubSub, dice: DiceSource, clock: Clock) -> None:
        self.store, self.pubsub, self.clock = store, pubsub, clock
        self._dice = dice
        self._sittings: OrderedDict[str, tuple[LiveChouette, ExitStack]] = OrderedDict()
        self.wakened: Callable[[str], None] = lambda _: None

    def close(self) -> None:
        """Forgets every table, and stops listening."""
        while self._sittings:
            self._sittings.popitem()[1][1].close()

    async def live_chouette(self, table_id: str) -> LiveChouette:
        """A table, with all that others have said to have written; UnknownChouette."""
        found = self._sittings.get(table_id)
        if found is None:
            made = await self._load(table_id)
            found = self._sittings.setdefault(table_id, (made, ExitStack()))
            if found[0] is made:
                found[1].enter_context(self.pubsub.listening(table_of(table_id), lambda _: _mark(made)))
            while len(self._sittings) > KEPT:
                self._sittings.popitem(last=False)[1][1].close()
        self._sittings.move_to_end(table_id)
        live_chouette = found[0]
        while live_chouette.stale:
            async with live_chouette.lock:
                if live_chouette.stale:  # else somebody has read it while this waited
                    await self._catch_up(live_chouette)
        return live_chouette

    async def _load(self, table_id: str) -> LiveChouette:
        found = await self.store.read(lambda connection: chouette_storage.get_header(connection, table_id))
        if found is None:
            raise UnknownChouette(f"no table is called {table_id[:20]}")
        live_chouette = LiveChouette(found[0], ())
        await self._catch_up(live_chouette)
        return live_chouette

    async def _catch_up(self, live_chouette: LiveChouette) -> None:
        """Reads what others have written."""
        table_id, after, heard = live_chouette.header.id, live_chouette.seq, live_chouette.heard

        def work(connection: Connection) -> tuple[tuple[ChouetteSeat, ...], list[Logged], Draft | None, int | None]:
            events = chouette_storage.get_events(connection, table_id, after)
            places = chouette_storage.get_seats(connection, table_id)
            header = chouette_storage.get_header(connection, table_id)
            return places, events, chouette_storage.get_draft(connection, table_id), header[1] if header else None

        places, events, draft, deadline = await self.store.read(work)
        live_chouette.places = places
        live_chouette.read(event for event in events if event.seq > live_chouette.seq)
        live_chouette.deadline_at = deadline
        if draft is not None:
            live_chouette.try_moves(draft)
        live_chouette.read_until = heard  # what is said meanwhile is read next time

    async def open(self, host: Guest, wanted: Proposed) -> str:
        """A new table, at which its host and the bots he wants sit down; its id."""
        places = [_place(host, 0)]
        places += [ChouetteSeat(index + 1, name, level=level) for index, (level, name) in enumerate(wanted.bots)]
        if len(places) > MAX_PLAYERS:
            raise ChouetteRefused(f"{len(places)} players; a chouette has room for {MAX_PLAYERS}")
        now = self.clock()
        header = ChouetteHeader(
            id="".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(12)),
            rules=wanted.rules,
            terms=wanted.terms,
            rules_version=RULES_VERSION,
            server_seed=new_server_seed(),
            created_at=now,
            decision_ms=wanted.decision_ms,
            listed=wanted.listed,
        )
        empty = Chouette.start(wanted.rules, wanted.terms)
        table, events = empty, []
        for place in places:
            table = table.apply(Join(place.player))
            events.append(logged(table.events[-1], len(table.events), SERVER, None, now))

        def work(connection: Connection) -> None:
            chouette_storage.put_chouette(connection, header, places, cache(empty, now, None))
            chouette_storage.append_events(connection, header.id, events, cache(table, now, None))

        await self.store.write(work)
        self._publish(header.id, LOBBY)
        return header.id

    async def join(self, table_id: str, guest: Guest) -> int:
        """Seats somebody, and says which number he has; nothing changes where he sits. ChouetteRefused, Conflict."""
        live_chouette = await self.live_chouette(table_id)
        async with live_chouette.lock:
            for last_chance in (False, True):
                number = live_chouette.number_of(guest.id)
                if number is not None and number in live_chouette.table.present:
                    return number
                if len(live_chouette.places) >= MAX_SEEN:
                    raise ChouetteRefused("this table has seen enough people; open another one")
                also = [] if number is not None else [_place(guest, len(live_chouette.places))]
                player = number if number is not None else len(live_chouette.places)
                try:
                    await self._append(live_chouette, [_Step(Join(player), also=also)])
                except IllegalEvent as error:
                    raise ChouetteRefused(str(error)) from None
                except Conflict:
                    if last_chance:
                        raise
                    await self._catch_up(live_chouette)
                    continue
                break
        self._publish(table_id, LOBBY)
        return player

    async def act(self, table_id: str, player: int | None, command_id: str, seq: int, event: Event) -> int:
        """Does what a player at the table asks for, and says which event it became.

        A command id that was used before changes nothing and gives the event it became then. StaleCommand when something
        has happened since event `seq` that the command depends on. ForeignSeat, IllegalEvent.
        """
        if player is None:
            raise ForeignSeat("you do not sit at this table; you may watch")
        live_chouette = await self.live_chouette(table_id)
        async with live_chouette.lock:
            if seq > live_chouette.seq:
                await self._catch_up(live_chouette)
            done = await self._attempt(live_chouette, player, command_id, seq, event)
        self._publish(table_id, *([LOBBY] if isinstance(event, Leave | Order) else []))
        return done

    async def _attempt(self, live_chouette: LiveChouette, player: int, command_id: str, seq: int, event: Event) -> int:
        for last_chance in (False, True):
            known = live_chouette.commands.get((str(player), command_id))
            if known is not None:
                return known
            annuls = isinstance(event, Act) and isinstance(event.event, Rollover)  # judged by the roll it names
            if seq < live_chouette.needed_seq(player, event) and not annuls:
                raise StaleCommand(f"the game has gone on: event {live_chouette.seq} is the last one, not {seq}")
            try:
                step = _Step(
                    with_dice(self._dice, live_chouette.header, live_chouette.table, event), str(player), command_id
                )
                return await self._append(live_chouette, [step])
            except Conflict:
                if last_chance:
                    raise
                await self._catch_up(live_chouette)
        raise AssertionError("returns or raises")

    async def give_seed(self, table_id: str, player: int | None, text: str) -> None:
        """Takes what somebody gives for the dice; told twice, it is the same. ForeignSeat, IllegalEvent, Conflict."""
        if player is None:
            raise ForeignSeat("who sits at the table gives a seed; whoever watches does not")
        live_chouette = await self.live_chouette(table_id)
        async with live_chouette.lock:
            for last_chance in (False, True):
                if any((given.player, given.text) == (player, text) for given in live_chouette.table.seeds):
                    return
                try:
                    await self._append(live_chouette, [_Step(Seed(player, text), str(player))])
                    break
                except Conflict:
                    if last_chance:
                        raise
                    await self._catch_up(live_chouette)
        self._publish(table_id)

    async def try_moves(
        self, table_id: str, player: int | None, seq: int, version: int, moves: tuple[MoveMade, ...]
    ) -> None:
        """Keeps moves that are tried for the roll of event `seq`. ForeignSeat, StaleCommand, IllegalMove."""
        if player is None:
            raise ForeignSeat("you do not sit at this table; you may watch")
        live_chouette = await self.live_chouette(table_id)
        async with live_chouette.lock:
            if seq > live_chouette.seq:
                await self._catch_up(live_chouette)
            if seq != live_chouette.roll_seq or version != live_chouette.version + 1:
                raise StaleCommand("these moves belong to an earlier roll, or others were tried since")
            live_chouette.check_draft(player, moves)
            draft = Draft(seq, version, msgspec.json.encode(moves).decode())
            try:
                await self.store.write(lambda connection: chouette_storage.put_draft(connection, table_id, draft))
            except Conflict as error:
                raise StaleCommand(str(error)) from None
            live_chouette.try_moves(draft)
        self._publish(table_id)

    async def decide(self, table_id: str, seq: int, events: Sequence[Event]) -> bool:
        """Events that the server decides on; False, and nothing, where event `seq` is not the last one any more."""
        live_chouette = await self.live_chouette(table_id)
        async with live_chouette.lock:
            if live_chouette.seq != seq:
                return False
            try:
                await self._append(
                    live_chouette,
                    [
                        _Step(with_dice(self._dice, live_chouette.header, live_chouette.table, event))
                        for event in events
                    ],
                )
            except Conflict:
                await self._catch_up(live_chouette)
                return False
        self._publish(table_id)
        return True

    async def expire(self, table_id: str) -> None:
        """Who is out of time loses the games that wait for him, and leaves after the game; who is only asked, is asked no more."""
        live_chouette = await self.live_chouette(table_id)
        if live_chouette.deadline_at is None or live_chouette.deadline_at > self.clock():
            return
        table, events = live_chouette.table, list[Event]()
        for player in table.waits_for:
            if live_chouette.place(player).guest is None:
                continue
            if player in table.undecided:
                events.append(Waive(player))
            else:
                events.append(Act(Timeout(BOX if player == table.line[0] else TEAM), player))
            if player not in table.leaving:
                events.append(Leave(player))
        seq = live_chouette.seq
        for event in events:
            with suppress(IllegalEvent):  # what was done for another may have taken it along
                if not await self.decide(table_id, seq, [event]):
                    return  # somebody has acted in time elsewhere
            seq = live_chouette.seq

    async def closes(self, table_id: str) -> bool:
        """Closes a table that everybody but the bots has left, or at which no game has begun for long; whether it is closed."""
        live_chouette = await self.live_chouette(table_id)
        table = live_chouette.table
        if table.over or table.playing:
            return table.over
        here = any(live_chouette.place(player).guest for player in table.present)
        if here and self.clock() < live_chouette.acted_at + FORGOTTEN_MS:
            return False
        await self.decide(table_id, live_chouette.seq, [Act(Abort(voided=True))])
        self._publish(table_id, LOBBY)
        return True

    def renamed(self, guest_id: str) -> None:
        """Has it read again what a guest is called who sits at a table."""
        for table_id, (live_chouette, _) in list(self._sittings.items()):
            if live_chouette.number_of(guest_id) is not None:
                self.pubsub.publish(table_of(table_id))

    async def listed(self) -> list[ListedChouette]:
        """The tables for everybody."""
        since = self.clock() - LISTED_MS
        return await self.store.read(lambda connection: chouette_storage.listed(connection, since, MAX_LISTED))

    async def _append(self, live_chouette: LiveChouette, wanted: list[_Step]) -> int:
        """Applies events and what follows by itself, writes all of it in one go, and then shows it.

        The number of the first event. IllegalEvent, Conflict: nothing has changed.
        """
        now, first, table = self.clock(), live_chouette.seq + 1, live_chouette.table
        attempt = live_chouette.openings
        steps: list[tuple[Chouette, Logged]] = []
        places = list(live_chouette.places)
        queue = list(wanted)
        while queue:
            step = queue.pop(0)
            before, table = table, table.apply(step.event)
            places += step.also
            steps.append((table, logged(table.events[-1], len(table.events), step.actor, step.command_id, now)))
            attempt = 0 if table.first != before.first else attempt
            if table.playing and table.board.phase is Phase.OPENING and not queue:
                attempt += 1
                queue.append(_Step(Act(opening(self._dice, live_chouette.header, table, attempt))))
        deadline = self._deadline(live_chouette, table, now)
        also = [place for step in wanted for place in step.also]
        kept = cache(table, now, deadline)

        def work(connection: Connection) -> None:
            chouette_storage.append_events(connection, live_chouette.header.id, [made for _, made in steps], kept)
            for place in also:
                chouette_storage.put_seat(connection, live_chouette.header.id, place)

        await self.store.write(work)
        live_chouette.places = tuple(places)
        for after, made in steps:
            live_chouette.take(after, made)
        live_chouette.deadline_at = deadline
        return first

    def _deadline(self, live_chouette: LiveChouette, table: Chouette, now: int) -> int | None:
        """A new one for whoever is waited for; the old one where the same people are still waited for."""
        fresh = live_chouette.deadline(table, now)
        same = (
            table.waits_for
            and table.waits_for == live_chouette.table.waits_for
            and table.board is live_chouette.table.board
        )
        return (
            live_chouette.deadline_at if fresh is not None and same and live_chouette.deadline_at is not None else fresh
        )

    def _publish(self, table_id: str, *others: str) -> None:
        known = self._sittings.get(table_id)
        fresh = known is not None and not known[0].stale
        for name in (table_of(table_id), *others):
            self.pubsub.publish(name)
        if known is not None and fresh:
            known[0].read_until = known[0].heard  # it was this process that wrote
        self.wakened(table_id)


def _place(guest: Guest, player: int) -> ChouetteSeat:
    return ChouetteSeat(player, guest.name, guest=guest.id, marked=guest.bot)


def _mark(live_chouette: LiveChouette) -> None:
    live_chouette.heard += 1
