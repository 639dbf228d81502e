"""Presence at matches: which seats have a connection, and since when the others have none.

Processes tell each other by topics that carry the news: a process that joins asks, each repeats what it has, and one that
falls silent counts as gone. Nothing is written to the database.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from barpoint.server.domain.matches import BOTH
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.presence import AWAY_MS
from barpoint.server.live.pubsub import PubSub

HERE: Final = "here"
GONE: Final = "gone"
WHO: Final = "who"

SeatKey = tuple[str, int]
"""A match and a seat of it."""


@dataclass(frozen=True, slots=True)
class Connected:
    """Whether a seat has a connection. left_at: when the last one ended, in ms since 1970; None if that is not known."""

    here: bool
    left_at: int | None = None


HERE_NOW: Final = Connected(True)


class SeatPresence:
    """Counts the connections of this process, and knows those of the others."""

    def __init__(self, pubsub: PubSub, clock: Callable[[], int]) -> None:
        self._pubsub, self._clock = pubsub, clock
        self._process = secrets.token_hex(4)
        self._here: Counter[SeatKey] = Counter()
        self._elsewhere: dict[SeatKey, dict[str, int]] = {}
        self._left: dict[SeatKey, int] = {}
        pubsub.copies.append(self)

    @contextmanager
    def present(self, match_id: str, seat: int | None) -> Iterator[None]:
        """Marks a seat as connected to this process, for the duration of the context; None is a spectator."""
        self.enter(match_id, seat)
        try:
            yield
        finally:
            self.leave(match_id, seat)

    def enter(self, match_id: str, seat: int | None) -> None:
        """Marks a seat as connected to this process, until as many calls of `leave`; None is a spectator."""
        self._send(WHO, match_id)
        if seat is None:
            return
        key = (match_id, seat)
        with self._noticed(key):
            self._here[key] += 1
        self._send(HERE, *self._signed(key))

    def leave(self, match_id: str, seat: int | None) -> None:
        """Ends a connection of a seat."""
        if seat is None:
            return
        key = (match_id, seat)
        with self._noticed(key):
            self._here[key] -= 1
            if not self._here[key]:
                del self._here[key]
        if key not in self._here:
            self._send(GONE, *self._signed(key))

    def of(self, match_id: str, seat: int) -> Connected:
        """Whether a seat is connected now, to any process."""
        key = (match_id, seat)
        if key in self._here or key in self._elsewhere:
            return HERE_NOW
        return Connected(False, self._left.get(key))

    def matches_here(self) -> set[str]:
        """The matches in which a seat is connected to this process."""
        return {match_id for match_id, _ in self._here}

    async def repeat(self) -> None:
        """Tells the other processes again who is here, and forgets those that have fallen silent."""
        self._announce()
        now = self._clock()
        for key, processes in tuple(self._elsewhere.items()):
            for process, heard_at in tuple(processes.items()):
                if heard_at < now - AWAY_MS:
                    self._drop(key, process)
        self._left = {key: left_at for key, left_at in self._left.items() if left_at > now - DAY}

    def concerns(self, topic: str) -> bool:
        """Whether a topic tells who is where."""
        return topic.startswith((f"{WHO}:", f"{HERE}:", f"{GONE}:"))

    async def reread(self, topic: str | None = None) -> None:
        """Takes over what another process has sent; None if messages may have been missed."""
        if topic is None:
            self._announce()
            self._send(WHO, "")
            return
        kind, _, rest = topic.partition(":")
        if kind == WHO:
            self._announce(rest)
        elif kind in (HERE, GONE):
            match_id, seat, process = rest.split(":")
            key = (match_id, int(seat))
            if kind == GONE:
                self._drop(key, process)
            else:
                with self._noticed(key):
                    self._elsewhere.setdefault(key, {})[process] = self._clock()

    def renamed(self, guest_id: str) -> None:
        """Names do not matter here."""

    def _announce(self, match_id: str = "") -> None:
        """Tells who is here, at one match or at all."""
        wanted = [(match_id, seat) for seat in (0, 1, BOTH)] if match_id else [*self._here]
        for key in wanted:
            if key in self._here:
                self._send(HERE, *self._signed(key))

    def _drop(self, key: SeatKey, process: str) -> None:
        with self._noticed(key):
            processes = self._elsewhere.get(key, {})
            processes.pop(process, None)
            if not processes:
                self._elsewhere.pop(key, None)

    @contextmanager
    def _noticed(self, key: SeatKey) -> Iterator[None]:
        """Tells the viewers of a match in this process if a seat's presence is another one after the context."""
        before = self.of(*key).here
        yield
        after = self.of(*key).here
        if before == after:
            return
        if after:
            self._left.pop(key, None)
        else:
            self._left[key] = self._clock()
        self._pubsub.tell(key[0])

    def _signed(self, key: SeatKey) -> tuple[str, str, str]:
        return key[0], str(key[1]), self._process

    def _send(self, kind: str, *parts: str) -> None:
        """Sends to the other processes, if there are any."""
        if self._pubsub.outward is not None:
            self._pubsub.outward(":".join((kind, *parts)))
