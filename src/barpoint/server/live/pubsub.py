"""Who wants to hear that something changed. Only names travel: the receiver reads the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

EVERYTHING: Final = "*"
"""Every change of a match that this process has made."""

LOBBY: Final = "lobby:"
"""What is shown in the lobby has changed."""


def chat_of(match_id: str) -> str:
    """Something was said at a match."""
    return f"chat:{match_id}"


def person_named(guest_id: str) -> str:
    """Somebody has logged out, was banned or changed otherwise."""
    return f"person:{guest_id}"


def seats_of(guest_id: str) -> str:
    """A match of somebody has begun or ended, or somebody wants to play against him."""
    return f"seats:{guest_id}"


def tournament_named(tournament_id: str) -> str:
    """Something has happened in a tournament."""
    return f"tournament:{tournament_id}"


def table_of(table_id: str) -> str:
    """A chouette has changed."""
    return f"chouette:{table_id}"


Listener = Callable[[str], None]


class PubSub:
    """Tells listeners in this process that a match has changed. A listener only takes note; it never waits.

    outward: carries what this process has changed to the others, where there are any.
    """

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self.outward: Listener | None = None

    @contextmanager
    def listening(self, topic: str, listener: Listener) -> Iterator[None]:
        """Calls the listener with the match's id for every change of it, or of all matches by this process for EVERYTHING."""
        self._listeners[topic].add(listener)
        try:
            yield
        finally:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    @property
    def topics(self) -> tuple[str, ...]:
        """The names that somebody listens to."""
        return tuple(topic for topic in self._listeners if topic and topic != EVERYTHING)

    def publish(self, name: str) -> None:
        """Says that this process has changed a match, or what else has such a name: one with a colon is no match."""
        self.tell(name)
        if ":" not in name:
            self._call(EVERYTHING, name)
        if self.outward is not None:
            self.outward(name)

    def tell(self, name: str) -> None:
        """Says to listeners here that something has changed, wherever that was."""
        self._call(name, name)

    def _call(self, topic: str, name: str) -> None:
        for listener in tuple(self._listeners.get(topic, ())):
            listener(name)
