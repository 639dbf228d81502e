"""Event logs in memory: one mechanism for matches, chouettes and tournaments.

No process owns a log. Memory holds a copy of it up to some event. A change is validated against the copy, written, and
only then published. If another process wrote first, the database refuses the change, and the copy catches up.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from barpoint.error import BarpointError, StoreError
from barpoint.server.live.pubsub import PubSub
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage.event_log import Conflict, Log, Logged
from barpoint.server.storage.store import CommitUnknown, Store

FoldState = TypeVar("FoldState")
Found = TypeVar("Found")
Live = TypeVar("Live", bound="Session[Any, Any]")
T = TypeVar("T")

LOOKED_AT: Final = 8
"""Sessions that are looked at when one more is loaded and there are too many."""

MAX_SESSIONS: Final = 2000
"""Maximum sessions of one kind in memory; a match takes about 100 KiB."""

FIND_OUT_S: Final = 1.0
FIND_OUT_TRIES: Final = 60
"""How often, and after which pauses, it is asked whether an interrupted write has happened."""

SERVER: Final = "server"
"""The actor of the server's own events."""


class StaleCommand(BarpointError):
    """The command was made for an earlier state."""


class UsedId(StaleCommand):
    """The id of the command was used before, for another one."""


class ForeignSeat(BarpointError):
    """The command is for a seat that the client does not hold."""


def used_id(command_id: str, seq: int) -> UsedId:
    """The refusal of a command whose id belongs to another one, which made event `seq`."""
    return UsedId(
        "the id %(id)r belongs to another command, which made event %(seq)s; allowed: a new id for each command",
        id=command_id[:64],
        seq=seq,
    )


class Session(ABC, Generic[FoldState, Found]):
    """One match, chouette or tournament in memory: the fold of its log. Only its `EventLog` changes it, under `lock`.

    commands: (actor, command id) -> number of its event. announced: how many writes of other processes were announced;
    read_up_to: how many of these the copy includes.
    """

    def __init__(self, session_id: str) -> None:
        self.id = session_id
        self.lock = asyncio.Lock()
        self.commands: dict[tuple[str | None, str], int] = {}
        self.announced = self.read_up_to = 0

    @property
    @abstractmethod
    def seq(self) -> int:
        """The number of the last event, 0 before any."""

    @property
    @abstractmethod
    def people(self) -> Collection[str]:
        """The ids of the participants."""

    @abstractmethod
    def update(self, found: Found) -> None:
        """Takes over new events and other changes from the database."""

    @abstractmethod
    def advance(self, state: FoldState, event: Logged) -> None:
        """Takes over the state after one more event of the log."""

    def take(self, state: FoldState, event: Logged) -> None:
        """The same, and remembers the event's command."""
        self.advance(state, event)
        self.note(event)

    def note(self, event: Logged) -> None:
        """Remembers an event's command."""
        if event.command_id is not None:
            self.commands[event.actor, event.command_id] = event.seq


@dataclass(frozen=True, slots=True)
class Change(Generic[FoldState]):
    """A change to write: events with the state after each, and everything else in the same transaction.

    row: columns of the row to update. known: required values of other columns. also: further writes; it may run twice.
    done: called after the commit, before the session takes the events over. topics: listeners to notify besides those
    of the log.
    """

    steps: Sequence[tuple[FoldState, Logged]]
    row: Mapping[str, object]
    known: Mapping[str, object] = field(default_factory=dict)
    also: Callable[[Connection], None] = lambda _: None
    done: Callable[[], None] = lambda: None
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregate(Generic[Live, Found]):
    """What a feature supplies for its kind of log.

    find: reads what the database has beyond a session, or for an id without one; None for an unknown id. start: creates
    a session from it. unknown: the error for an unknown id. topic: the name listeners use.
    """

    log: Log
    find: Callable[[Connection, str, Live | None], Found | None]
    start: Callable[[Found], Live]
    unknown: Callable[[str], BarpointError]
    topic: Callable[[str], str] = str
    max_sessions: int = MAX_SESSIONS


class EventLog(Generic[Live]):
    """All logs of one kind, with the sessions in memory."""

    def __init__(self, store: Store, pubsub: PubSub, aggregate: Aggregate[Live, Any]) -> None:
        self.store, self.pubsub, self._aggregate = store, pubsub, aggregate
        self.max_sessions = aggregate.max_sessions
        self._sessions: OrderedDict[str, Live] = OrderedDict()
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._watchers: set[Callable[[str], None]] = set()
        self._unsure: set[asyncio.Task[None]] = set()
        pubsub.copies.append(self)

    def __len__(self) -> int:
        """The number of sessions in memory."""
        return len(self._sessions)

    def held(self, session_id: str) -> Live | None:
        """A session as it is in memory, perhaps without the newest writes of other processes; None if it is not there."""
        return self._sessions.get(self._aggregate.topic(session_id))

    async def get(self, session_id: str) -> Live:
        """A session with every announced write of other processes; `Aggregate.unknown`."""
        topic = self._aggregate.topic(session_id)
        session = self._sessions.get(topic)
        if session is None:
            async with self._loading.setdefault(topic, asyncio.Lock()):
                session = self._sessions.get(topic) or await self._load(session_id, topic)
        if topic in self._sessions:
            self._sessions.move_to_end(topic)
        wanted = session.announced
        while session.read_up_to < wanted:
            async with session.lock:
                if session.read_up_to < wanted:  # otherwise somebody read it during the wait
                    await self.catch_up(session)
        return session

    async def fresh(self, session_id: str) -> Live:
        """A session with everything written before this call. Simultaneous callers share a read."""
        topic = self._aggregate.topic(session_id)
        session = self._sessions.get(topic)
        if session is None and topic in self._loading:  # its read may have begun before this call
            session = await self.get(session_id)
        if session is not None:
            session.announced += 1
            await asyncio.sleep(0)
        return await self.get(session_id)

    @asynccontextmanager
    async def locked(self, session_id: str) -> AsyncIterator[Live]:
        """A session locked against other changes in this process."""
        session = await self.get(session_id)
        async with session.lock:
            yield session

    async def _load(self, session_id: str, topic: str) -> Live:
        found = await self._find(session_id, None)
        if found is None:
            raise self._aggregate.unknown(session_id)
        session = self._sessions[topic] = self._aggregate.start(found)
        session.update(found)
        self._drop_unused()
        return session

    def _drop_unused(self) -> None:
        """Drops the least recently used sessions that are too many, except those with listeners, in use, or the newest.

        Each call looks at a few; those it finds in use count as used just now.
        """
        newest = next(reversed(self._sessions))
        for _ in range(LOOKED_AT):
            topic, session = next(iter(self._sessions.items()))
            if len(self._sessions) <= self.max_sessions or topic == newest:
                return
            if session.lock.locked() or self.pubsub.has_listeners(topic):
                self._sessions.move_to_end(topic)
            else:
                del self._sessions[topic]

    async def _find(self, session_id: str, session: Live | None) -> Any:
        return await self.store.read(self._aggregate.find, session_id, session)

    async def catch_up(self, session: Live) -> None:
        """Reads what other processes have written; the caller holds the lock."""
        announced, seq = session.announced, session.seq
        session.update(await self._find(session.id, session))
        session.read_up_to = announced  # later announcements are read next time
        if session.seq != seq:
            self.pubsub.tell(self._aggregate.topic(session.id))

    async def attempt(self, session: Live, work: Callable[[], Awaitable[T]], attempts: int = 2) -> T:
        """Runs work on a session, and repeats it while other processes write first. Conflict after the last attempt."""
        for chance in range(attempts):
            try:
                return await work()
            except Conflict:
                await self.catch_up(session)
                if chance + 1 == attempts:
                    raise
        raise AssertionError("returns or raises")

    async def command(
        self,
        session_id: str,
        actor: str | None,
        command_id: str | None,
        seq: int | None,
        work: Callable[[Live], Awaitable[int]],
        attempts: int = 2,
        repeats: Callable[[Live, int], bool] = lambda _session, _seq: True,
    ) -> int:
        """Runs a command, and returns the number of its event; a command that is sent again with its id changes nothing.

        seq: the last event its sender knows, None for any. work: executes it, and returns the number of its event.
        repeats: whether event `seq` is what this command asks for. UsedId if another one has its id.
        """

        async def once() -> int:
            known = session.commands.get((actor, command_id)) if command_id is not None else None
            if known is None:
                return await work(session)
            if not repeats(session, known):
                raise used_id(command_id or "", known)
            return known

        async with self.locked(session_id) as session:
            if seq is None or seq > session.seq:
                await self.catch_up(session)
            return await self.attempt(session, once, attempts)

    async def append(self, session: Live, change: Change[Any]) -> int:
        """Writes a change, takes it over and notifies listeners, in this order; returns the number of its first event.

        Raises Conflict, and changes nothing, if another process wrote first. The caller holds the lock.
        """
        last, events = session.seq, [event for _, event in change.steps]

        def work(connection: Connection) -> None:
            log_storage.append(connection, self._aggregate.log, session.id, last, events, change.known, change.row)
            change.also(connection)

        await self._written(session, work, change.topics)
        change.done()
        for state, event in change.steps:
            session.take(state, event)
        self.publish(session.id, *change.topics)
        return last + 1

    async def change(self, session: Live, work: Callable[[Connection], None]) -> None:
        """Writes a change without an event, takes it over and notifies listeners. The caller holds the lock."""
        await self._written(session, work)
        await self.catch_up(session)
        self.publish(session.id)

    async def _written(self, session: Live, work: Callable[[Connection], None], topics: tuple[str, ...] = ()) -> None:
        """Writes; if that is cut short, the session is read again once it is known whether the write has happened."""
        try:
            await self.store.write(work)
        except (asyncio.CancelledError, CommitUnknown):
            unsure = asyncio.create_task(self._find_out(session, topics), name=f"write of {session.id}")
            self._unsure.add(unsure)
            unsure.add_done_callback(self._unsure.discard)
            raise

    async def _find_out(self, session: Live, topics: tuple[str, ...]) -> None:
        """Reads a session after everything that was to be written, and notifies listeners if it has changed."""
        seq = session.seq
        for _ in range(FIND_OUT_TRIES):
            with suppress(StoreError):
                await self.store.write(lambda _: None)  # the writes are made in order
                async with session.lock:
                    await self.catch_up(session)
                if session.seq != seq:
                    self.publish(session.id, *topics)
                return
            await asyncio.sleep(FIND_OUT_S)

    def publish(self, session_id: str, *topics: str) -> None:
        """Notifies all listeners, here and in other processes, of a write by this process."""
        for topic in (self._aggregate.topic(session_id), *topics):
            self.pubsub.publish(topic)
        for watcher in tuple(self._watchers):
            watcher(session_id)

    @contextmanager
    def watching(self, watcher: Callable[[str], None]) -> Iterator[None]:
        """Calls the watcher with the id of every log of this kind that this process writes to."""
        self._watchers.add(watcher)
        try:
            yield
        finally:
            self._watchers.discard(watcher)

    def concerns(self, topic: str) -> bool:
        """Whether a topic is that of a session in memory, or of one that is being read."""
        return topic in self._sessions or topic in self._loading

    async def reread(self, topic: str | None = None) -> None:
        """Takes over another process's writes under a topic, None for all: now if it has listeners, otherwise later."""
        names = [*self._sessions] if topic is None else [topic]
        await asyncio.gather(*map(self._reread, names))  # one that is busy keeps no other waiting

    async def _reread(self, topic: str) -> None:
        async with self._loading.get(topic) or nullcontext():  # a read in progress may miss it
            session = self._sessions.get(topic)
        if session is not None:
            session.announced += 1
            if self.pubsub.has_listeners(topic):
                await self.get(session.id)

    async def refresh(self, session_id: str) -> None:
        """Takes over a write without an event, and notifies listeners."""
        await self.reread(self._aggregate.topic(session_id))
        self.publish(session_id)

    def renamed(self, guest_id: str) -> None:
        """Rereads the sessions of a renamed guest, and notifies listeners."""
        for session in list(self._sessions.values()):
            if guest_id in session.people:
                session.announced += 1
                self.publish(session.id)
