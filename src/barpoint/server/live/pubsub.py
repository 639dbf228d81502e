"""Notifications of changes. They carry only names: the receiver reads the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

LOBBY: Final = "lobby:"
"""Topic: the lobby has changed."""


def chat_of(match_id: str) -> str:
    """Topic: somebody wrote in the chat of a match."""
    return f"chat:{match_id}"


def person_named(guest_id: str) -> str:
    """Topic: somebody has logged out, was banned or otherwise changed."""
    return f"person:{guest_id}"


def seats_of(guest_id: str) -> str:
    """Topic: a match of somebody has begun or ended, or somebody has challenged them."""
    return f"seats:{guest_id}"


def tournament_named(tournament_id: str) -> str:
    """Topic: a tournament has a new event."""
    return f"tournament:{tournament_id}"


def chouette_of(chouette_id: str) -> str:
    """Topic: a chouette has changed."""
    return f"chouette:{chouette_id}"


Listener = Callable[[str], None]


class Copies(Protocol):
    """Copies in memory of data that several processes write."""

    def concerns(self, topic: str) -> bool:
        """Whether a change under a topic may be one of what is copied."""
        ...

    async def reread(self, topic: str | None = None) -> None:
        """Takes over another process's writes under a topic; None for everything."""
        ...

    def renamed(self, guest_id: str) -> None:
        """Takes over somebody's new name."""
        ...


class PubSub:
    """Notifies listeners in this process of changes. A listener only sets a flag; it never waits.

    outward: carries this process's changes to other processes, if there are any. copies: updated before listeners
    hear of another process's changes.
    """

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self.outward: Listener | None = None
        self.copies: list[Copies] = []

    def listening(self, topic: str, listener: Listener) -> AbstractContextManager[None]:
        """Calls the listener with the topic whenever something changes under it."""
        return self.listening_to((topic,), listener)

    @contextmanager
    def listening_to(self, topics: Collection[str], listener: Listener) -> Iterator[None]:
        """Calls the listener with the topic whenever something changes under one of several."""
        self.listen(topics, listener)
        try:
            yield
        finally:
            self.leave(topics, listener)

    def listen(self, topics: Collection[str], listener: Listener) -> None:
        """Calls the listener with the topic whenever something changes under one of several, until it leaves them."""
        for topic in topics:
            self._listeners[topic].add(listener)

    def leave(self, topics: Collection[str], listener: Listener) -> None:
        """Ends that."""
        for topic in topics:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def has_listeners(self, topic: str) -> bool:
        """Whether a topic has listeners."""
        return topic in self._listeners

    def publish(self, topic: str) -> None:
        """Publishes a change by this process: a match by its id, anything else by a topic with a colon."""
        self.tell(topic)
        if self.outward is not None:
            self.outward(topic)

    def tell(self, topic: str) -> None:
        """Notifies listeners in this process of a change from anywhere."""
        for listener in tuple(self._listeners.get(topic, ())):
            listener(topic)

    def concerns(self, topic: str) -> bool:
        """Whether a change by another process is to be handled here; most are of matches that nobody here follows."""
        return topic in self._listeners or any(copies.concerns(topic) for copies in self.copies)

    async def changed_elsewhere(self, topic: str) -> None:
        """Handles a change by another process."""
        for copies in self.copies:
            await copies.reread(topic)
        self.tell(topic)

    async def look_again(self) -> None:
        """Rereads everything, after changes of other processes may have been missed."""
        for copies in self.copies:
            await copies.reread()
        for topic in tuple(self._listeners):
            self.tell(topic)

    def renamed(self, guest_id: str) -> None:
        """Publishes that this process has renamed somebody."""
        for copies in self.copies:
            copies.renamed(guest_id)
