"""Applies commands to chouettes: validate against the event log, append, publish."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from barpoint.chouette import (
    BOX,
    MAX_PLAYERS,
    TEAM,
    Act,
    Chouette,
    ChouetteEvent,
    ChouetteTerms,
    Join,
    Leave,
    Order,
    Seed,
    Waive,
    check_offer,
)
from barpoint.chouette.agent import decide
from barpoint.chouette.event import is_made_of
from barpoint.error import BarpointError, IllegalEvent
from barpoint.game import Abort, Phase, Rollover, Timeout
from barpoint.game.event import MoveMade
from barpoint.rules import RULES_VERSION, Rules
from barpoint.server.bots.opponents import BotPlayer
from barpoint.server.domain.chouettes import (
    ChouetteHeader,
    ChouetteSeat,
    ListedChouette,
    OwnChouette,
    opening,
    with_dice,
)
from barpoint.server.domain.dice import DiceSource, new_server_seed
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.live.board_session import try_moves
from barpoint.server.live.bots import BotTurn
from barpoint.server.live.clubs import Also
from barpoint.server.live.event_log import SERVER, Aggregate, Change, EventLog, ForeignSeat, StaleCommand
from barpoint.server.live.live_chouette import LiveChouette, find_chouette, logged
from barpoint.server.live.match_transactions import new_id
from barpoint.server.live.matches import TimeSource
from barpoint.server.live.pubsub import LOBBY, PubSub, chouette_of
from barpoint.server.live.scheduler import each
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage.chouettes import cache
from barpoint.server.storage.event_log import CHOUETTES, Conflict, Logged
from barpoint.server.storage.store import Store

MAX_SESSIONS: Final = 500
"""Maximum chouettes in memory."""

LISTED_MS: Final = 6 * 60 * MINUTE
"""Chouettes idle for this long are not listed."""

FORGOTTEN_MS: Final = 3 * DAY
"""A chouette idle between two games for this long is closed, so that its dice can be verified."""

MAX_LISTED: Final = 50
MAX_SEEN: Final = 40
"""Maximum people a chouette can ever have had."""


class UnknownChouette(BarpointError):
    """No chouette has this id."""


class ChouetteRefused(BarpointError):
    """A request that this chouette refuses."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A request to open a chouette. bots: levels and names of the bots in it."""

    rules: Rules
    terms: ChouetteTerms
    decision_ms: int = 3 * MINUTE
    listed: bool = True
    bots: tuple[tuple[str, str], ...] = ()


class Chouettes:
    """All chouettes of a server."""

    def __init__(self, store: Store, pubsub: PubSub, dice: DiceSource, clock: TimeSource) -> None:
        self.store, self.pubsub, self.clock = store, pubsub, clock
        self._dice = dice
        self.log: EventLog[LiveChouette] = EventLog(
            store,
            pubsub,
            Aggregate(
                CHOUETTES,
                lambda connection, chouette_id, known: find_chouette(
                    connection, chouette_id, known.seq if known else 0
                ),
                lambda found: LiveChouette(found.header, found.places),
                lambda chouette_id: UnknownChouette(
                    "no chouette is called %(chouette_id)s", chouette_id=chouette_id[:20]
                ),
                chouette_of,
                MAX_SESSIONS,
            ),
        )

    async def live_chouette(self, chouette_id: str) -> LiveChouette:
        """A chouette, read from the log if it is not in memory; UnknownChouette."""
        return await self.log.get(chouette_id)

    # ---------------------------------------------------------------- opening and joining

    async def open(self, host: Guest, wanted: Proposed, also: Also | None = None) -> str:
        """Opens a chouette with its host and the requested bots; returns its id.

        also: writes more in the same transaction, such as the club that it belongs to.
        """
        places = [_place(host, 0)]
        places += [ChouetteSeat(index + 1, name, level=level) for index, (level, name) in enumerate(wanted.bots)]
        if len(places) > MAX_PLAYERS:
            raise ChouetteRefused(
                "%(count)s players; a chouette has room for %(max_players)s", count=len(places), max_players=MAX_PLAYERS
            )
        now = self.clock()
        header = ChouetteHeader(
            id=new_id(),
            rules=wanted.rules,
            terms=wanted.terms,
            rules_version=RULES_VERSION,
            server_seed=new_server_seed(),
            created_at=now,
            decision_ms=wanted.decision_ms,
            listed=wanted.listed,
        )
        empty = Chouette.start(wanted.rules, wanted.terms)
        chouette, events = empty, []
        for place in places:
            chouette = chouette.apply(Join(place.player))
            events.append(logged(chouette.events[-1], len(chouette.events), SERVER, None, now))

        def work(connection: Connection) -> None:
            chouette_storage.put_chouette(connection, header, places, cache(empty, now, None))
            log_storage.append(connection, CHOUETTES, header.id, 0, events, {}, cache(chouette, now, None).row)
            if also is not None:
                also(connection, header.id)

        await self.store.write(work)
        self.log.publish(header.id, LOBBY)
        return header.id

    async def join(self, chouette_id: str, guest: Guest) -> int:
        """Seats somebody, and returns their number; nothing changes if they already sit. ChouetteRefused, Conflict."""
        async with self.log.locked(chouette_id) as live_chouette:
            return await self.log.attempt(live_chouette, lambda: self._seat(live_chouette, guest))

    async def _seat(self, live_chouette: LiveChouette, guest: Guest) -> int:
        number = live_chouette.number_of(guest.id)
        if number is not None and number in live_chouette.chouette.present:
            return number
        if len(live_chouette.places) >= MAX_SEEN:
            raise ChouetteRefused("this chouette has had too many players; open another one")
        newcomer = _place(guest, len(live_chouette.places)) if number is None else None
        player = len(live_chouette.places) if number is None else number
        try:
            await self._append(live_chouette, [Join(player)], newcomer=newcomer, topics=(LOBBY,))
        except IllegalEvent as error:
            raise ChouetteRefused(error) from None
        return player

    # ---------------------------------------------------------------- commands of players

    async def act(self, chouette_id: str, player: int | None, command_id: str, seq: int, event: ChouetteEvent) -> int:
        """Applies a player's event, and returns its number.

        The same command with its id again changes nothing and returns its first event; UsedId for another command with it. StaleCommand if something has
        happened since event `seq` that the command depends on. ForeignSeat, IllegalEvent.
        """
        if player is None:
            raise ForeignSeat("you do not play in this chouette; you may watch")
        topics = (LOBBY,) if isinstance(event, Leave | Order) else ()

        async def work(live_chouette: LiveChouette) -> int:
            by_roll = isinstance(event, Act) and isinstance(event.event, Rollover)  # judged by the roll it names
            if seq < live_chouette.needed_seq(player, event) and not by_roll:
                raise StaleCommand(
                    "the game has gone on: event %(last)s is the last one, not %(named)s",
                    last=live_chouette.seq,
                    named=seq,
                )
            check_offer(live_chouette.chouette, event)
            return await self._append(live_chouette, [event], str(player), command_id, topics=topics)

        def repeats(live_chouette: LiveChouette, number: int) -> bool:
            return is_made_of(live_chouette.chouette.events[number - 1], event)

        return await self.log.command(chouette_id, str(player), command_id, seq, work, repeats=repeats)

    async def give_seed(self, chouette_id: str, player: int | None, text: str) -> None:
        """Takes a player's seed for the dice; repeating it changes nothing. ForeignSeat, IllegalEvent, Conflict."""
        if player is None:
            raise ForeignSeat("players of the chouette give seeds; spectators do not")

        async def work() -> None:
            if not any((given.player, given.text) == (player, text) for given in live_chouette.chouette.seeds):
                await self._append(live_chouette, [Seed(player, text)], str(player))

        async with self.log.locked(chouette_id) as live_chouette:
            await self.log.attempt(live_chouette, work)

    async def try_moves(
        self, chouette_id: str, player: int | None, seq: int, version: int, moves: tuple[MoveMade, ...]
    ) -> None:
        """Stores tried moves for the roll of event `seq`. ForeignSeat, StaleCommand, IllegalMove."""
        if player is None:
            raise ForeignSeat("you do not play in this chouette; you may watch")
        await try_moves(self.log, CHOUETTES, chouette_id, player, seq, version, moves)

    # ---------------------------------------------------------------- actions of the server

    async def decide(self, chouette_id: str, seq: int, event: ChouetteEvent, *topics: str) -> bool:
        """Adds an event of the server; returns False and changes nothing if event `seq` is no longer the last one."""
        async with self.log.locked(chouette_id) as live_chouette:
            if live_chouette.seq != seq:
                return False
            with suppress(Conflict):
                await self.log.attempt(
                    live_chouette, lambda: self._append(live_chouette, [event], topics=topics), attempts=1
                )
                return True
            return False

    async def expire(self, chouette_id: str) -> None:
        """Applies the deadline: a late player loses the games that wait for them, and leaves after the game.

        If only their decision whether to double is open, they do not double.
        """
        live_chouette = await self.live_chouette(chouette_id)
        if live_chouette.deadline_at is None or live_chouette.deadline_at > self.clock():
            return
        chouette, events = live_chouette.chouette, list[ChouetteEvent]()
        for player in chouette.waits_for:
            if live_chouette.places[player].guest is None:
                continue
            if player in chouette.undecided:
                events.append(Waive(player))
            else:
                events.append(Act(Timeout(BOX if player == chouette.line[0] else TEAM), player))
            if player not in chouette.leaving:
                events.append(Leave(player))
        seq = live_chouette.seq
        for event in events:
            with suppress(IllegalEvent):  # an action for another player may have settled it
                if not await self.decide(chouette_id, seq, event):
                    return  # somebody has acted in time elsewhere
            seq = live_chouette.seq

    async def closes(self, chouette_id: str) -> bool:
        """Closes a chouette with only bots left, or without a new game for long; returns whether it closed."""
        live_chouette = await self.live_chouette(chouette_id)
        chouette = live_chouette.chouette
        if chouette.over or chouette.playing:
            return chouette.over
        here = any(live_chouette.places[player].guest for player in chouette.present)
        if here and self.clock() < live_chouette.acted_at + FORGOTTEN_MS:
            return False
        await self.decide(chouette_id, live_chouette.seq, Act(Abort(voided=True)), LOBBY)
        return True

    async def listed(self, club: str | None = None) -> list[ListedChouette]:
        """The chouettes listed in the lobby, or those of a club."""
        since = self.clock() - LISTED_MS
        return await self.store.read(chouette_storage.listed, since, MAX_LISTED, club)

    async def waiting_for(self, person: Guest | None, among: Iterable[ListedChouette | OwnChouette]) -> frozenset[str]:
        """The ids of those of these chouettes that wait for a person to act; none for nobody."""
        return frozenset([one.id for one in among if person is not None and await self._waits_for(person, one)])

    async def _waits_for(self, person: Guest, one: ListedChouette | OwnChouette) -> bool:
        if isinstance(one, ListedChouette) and person.id not in one.guests:
            return False
        live_chouette = await self.live_chouette(one.id)
        return live_chouette.player_of(person.id) in live_chouette.chouette.waits_for

    async def running_of(self, guest: str, limit: int) -> list[OwnChouette]:
        """The running chouettes in which a person sits, latest first."""
        seated = await self.store.read(chouette_storage.chouettes_of, guest, limit, running=True)
        return [one for one in seated if (await self.live_chouette(one.id)).player_of(guest) is not None]

    async def expire_due(self) -> None:
        """Applies the deadline in every chouette where it has passed."""
        now = self.clock()
        await each(await self.store.read(chouette_storage.due, now), self.expire, "deadlines of chouettes")

    async def close_forgotten(self) -> None:
        """Closes chouettes that have been idle for long."""
        since = self.clock() - FORGOTTEN_MS
        await each(await self.store.read(chouette_storage.forgotten, since), self.closes, "forgotten chouettes")

    # ---------------------------------------------------------------- bots

    def needs_bots(self, chouette_id: str) -> bool:
        """Always: `bot_turn` also closes a chouette that people have left."""
        return True

    async def waiting_for_bots(self, idle_ms: int) -> Sequence[str]:
        """Ids of chouettes where a bot may have to act and nothing has happened for this long."""
        return await self.store.read(chouette_storage.quiet_since, since=self.clock() - idle_ms)

    async def bot_turn(self, chouette_id: str) -> BotTurn | None:
        """The turn of a bot that must act now; closes a chouette with only bots left."""
        live_chouette = await self.live_chouette(chouette_id)
        chouette, seq = live_chouette.chouette, live_chouette.seq
        if await self.closes(chouette_id) or not chouette.playing:
            return None
        levels = {place.player: place.level for place in live_chouette.places if place.level is not None}
        player = next((one for one in chouette.waits_for if one in levels), None)
        if player is None:
            return None

        def choose(bot: BotPlayer) -> Callable[[], Awaitable[object]]:
            return partial(self._act_for_bot, chouette_id, player, seq, decide(chouette, player, bot))

        return BotTurn(chouette.rules, levels[player], choose)

    async def _act_for_bot(self, chouette_id: str, player: int, seq: int, event: ChouetteEvent) -> None:
        try:
            await self.act(chouette_id, player, f"bot-{seq + 1}", seq, event)
        except IllegalEvent:
            if (await self.live_chouette(chouette_id)).seq == seq:
                raise  # otherwise somebody else has acted meanwhile

    # ---------------------------------------------------------------- implementation

    async def _append(
        self,
        live_chouette: LiveChouette,
        events: Sequence[ChouetteEvent],
        actor: str = SERVER,
        command_id: str | None = None,
        newcomer: ChouetteSeat | None = None,
        topics: tuple[str, ...] = (),
    ) -> int:
        """Writes events with their automatic followers; returns the number of the first. IllegalEvent, Conflict."""
        now, header, chouette = self.clock(), live_chouette.header, live_chouette.chouette
        places = live_chouette.places if newcomer is None else (*live_chouette.places, newcomer)
        steps: list[tuple[Chouette, Logged]] = []
        attempt = live_chouette.openings
        queue = [(with_dice(self._dice, header, chouette, event), actor, command_id) for event in events]
        while queue:
            event, by, command = queue.pop(0)
            before, chouette = chouette, chouette.apply(event)
            steps.append((chouette, logged(chouette.events[-1], len(chouette.events), by, command, now)))
            attempt = 0 if chouette.first != before.first else attempt
            if chouette.playing and chouette.board.phase is Phase.OPENING and not queue:
                attempt += 1
                queue.append((Act(opening(self._dice, header, chouette, attempt)), SERVER, None))
        deadline = self._deadline(live_chouette, chouette, now)

        def also(connection: Connection) -> None:
            if newcomer is not None:
                chouette_storage.put_seat(connection, header.id, newcomer)

        def done() -> None:
            live_chouette.places, live_chouette.deadline_at = places, deadline

        change = Change(steps, row=cache(chouette, now, deadline).row, also=also, done=done, topics=topics)
        return await self.log.append(live_chouette, change)

    def _deadline(self, live_chouette: LiveChouette, chouette: Chouette, now: int) -> int | None:
        """A new deadline for the players on turn; the old one while the same players are on turn."""
        fresh = live_chouette.deadline(chouette, now)
        same = (
            chouette.waits_for
            and chouette.waits_for == live_chouette.chouette.waits_for
            and chouette.board is live_chouette.chouette.board
        )
        return (
            live_chouette.deadline_at if fresh is not None and same and live_chouette.deadline_at is not None else fresh
        )


def _place(guest: Guest, player: int) -> ChouetteSeat:
    return ChouetteSeat(player, guest.name, guest=guest.id, marked=guest.bot)
