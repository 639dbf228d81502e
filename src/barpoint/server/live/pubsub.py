"""Who wants to hear that something changed. Only names travel: the receiver reads the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

LOBBY: Final = "lobby:"
"""What is shown in the lobby has changed."""


def chat_of(match_id: str) -> str:
    """Something was said at a match."""
    return f"chat:{match_id}"


def person_named(guest_id: str) -> str:
    """Somebody has logged out, was banned or changed otherwise."""
    return f"person:{guest_id}"


def seats_of(guest_id: str) -> str:
    """A match of somebody has begun or ended, or somebody has challenged them."""
    return f"seats:{guest_id}"


def tournament_named(tournament_id: str) -> str:
    """Something has happened in a tournament."""
    return f"tournament:{tournament_id}"


def table_of(table_id: str) -> str:
    """A chouette has changed."""
    return f"chouette:{table_id}"


Listener = Callable[[str], None]


class Copies(Protocol):
    """What is kept in memory of what several processes write."""

    async def reread(self, topic: str | None = None) -> None:
        """Takes over what another process has written under a topic; None for everything."""
        ...

    def renamed(self, guest_id: str) -> None:
        """Takes over that somebody has another name now."""
        ...


class PubSub:
    """Tells listeners in this process that something has changed. A listener only takes note; it never waits.

    outward: carries what this process has changed to the others, where there are any. copies: brought up to date before
    listeners are told of what another process has changed.
    """

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self.outward: Listener | None = None
        self.copies: list[Copies] = []

    @contextmanager
    def listening(self, topic: str, listener: Listener) -> Iterator[None]:
        """Calls the listener with the topic whenever something has changed under it."""
        self._listeners[topic].add(listener)
        try:
            yield
        finally:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def has_listeners(self, topic: str) -> bool:
        """Whether somebody listens to a topic."""
        return topic in self._listeners

    def publish(self, topic: str) -> None:
        """Says that this process has changed something: a match by its id, anything else by a topic with a colon."""
        self.tell(topic)
        if self.outward is not None:
            self.outward(topic)

    def tell(self, topic: str) -> None:
        """Says to listeners here that something has changed, wherever that was."""
        for listener in tuple(self._listeners.get(topic, ())):
            listener(topic)

    async def changed_elsewhere(self, topic: str) -> None:
        """Says that another process has changed something."""
        for copies in self.copies:
            await copies.reread(topic)
        self.tell(topic)

    async def look_again(self) -> None:
        """Has everything read again, since it is not known what others have changed meanwhile."""
        for copies in self.copies:
            await copies.reread()
        for topic in tuple(self._listeners):
            self.tell(topic)

    def renamed(self, guest_id: str) -> None:
        """Says that this process has given somebody another name."""
        for copies in self.copies:
            copies.renamed(guest_id)
