"""Who wants to hear that something changed. Only names travel: the receiver reads the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

EVERYTHING: Final = "*"

LOBBY: Final = "lobby:"
"""What is shown in the lobby has changed."""


def chat_of(match_id: str) -> str:
    """Something was said at a match."""
    return f"chat:{match_id}"


def person_named(guest_id: str) -> str:
    """Somebody has logged out, was banned or changed otherwise."""
    return f"person:{guest_id}"


Listener = Callable[[str], None]


class Bus:
    """Tells listeners in this process that a match has changed. A listener only takes note; it never waits."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)

    @contextmanager
    def listening(self, topic: str, listener: Listener) -> Iterator[None]:
        """Calls the listener with the match's id for every change of it, or of all matches for EVERYTHING."""
        self._listeners[topic].add(listener)
        try:
            yield
        finally:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def publish(self, name: str) -> None:
        """Says that a match has changed, or what else has such a name: one with a colon is no match."""
        for topic in (name,) if ":" in name else (name, EVERYTHING):
            for listener in tuple(self._listeners.get(topic, ())):
                listener(name)
