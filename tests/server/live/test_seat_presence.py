"""Who is connected to a match: in one process, and told from each process to the others."""

from __future__ import annotations

import asyncio

from barpoint.server.live.presence import AWAY_MS
from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.seat_presence import Connected, SeatPresence
from tests.support.live_server import Clock

MATCH = "abcdefgh"


class Wire:
    """Carries topics from process to process, as SharedPubSub does; can be cut."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.ends: list[PubSub] = []
        self.sent: list[tuple[PubSub, str]] = []

    def process(self) -> tuple[PubSub, SeatPresence]:
        pubsub = PubSub()
        pubsub.outward = lambda topic: self.sent.append((pubsub, topic))
        self.ends.append(pubsub)
        return pubsub, SeatPresence(pubsub, self.clock)

    async def deliver(self) -> None:
        """Delivers everything that has been sent, and the answers to it."""
        while self.sent:
            sender, topic = self.sent.pop(0)
            await asyncio.gather(*(end.changed_elsewhere(topic) for end in self.ends if end is not sender))


def test_a_seat_is_connected_while_any_of_its_connections_is_open() -> None:
    clock, pubsub = Clock(), PubSub()
    presence = SeatPresence(pubsub, clock)
    news: list[str] = []
    with pubsub.listening(MATCH, news.append):
        assert presence.of(MATCH, 0) == Connected(False)
        with presence.present(MATCH, 0):
            with presence.present(MATCH, 0):
                assert presence.of(MATCH, 0) == Connected(True)
            assert presence.of(MATCH, 0) == Connected(True)
            assert presence.of(MATCH, 1) == Connected(False)
        clock.now += 5000
        assert presence.of(MATCH, 0) == Connected(False, clock.now - 5000)
    assert news == [MATCH, MATCH], "viewers hear of it when it changes, and only then"


def test_a_spectator_is_nobody_s_presence() -> None:
    presence = SeatPresence(PubSub(), Clock())
    with presence.present(MATCH, None):
        assert not presence.of(MATCH, 0).here
        assert not presence.of(MATCH, 1).here


async def test_another_process_hears_who_comes_and_who_goes_and_when() -> None:
    wire = Wire()
    (_, one), (pubsub, other) = wire.process(), wire.process()
    news: list[str] = []
    with pubsub.listening(MATCH, news.append):
        with one.present(MATCH, 0):
            await wire.deliver()
            assert other.of(MATCH, 0) == Connected(True)
        await wire.deliver()
        assert other.of(MATCH, 0) == Connected(False, wire.clock.now)
    assert news == [MATCH, MATCH]


async def test_whoever_leaves_one_process_and_stays_at_another_is_not_away() -> None:
    wire = Wire()
    (_, one), (_, other) = wire.process(), wire.process()
    with one.present(MATCH, 0):
        with other.present(MATCH, 0):
            await wire.deliver()
        await wire.deliver()
        assert one.of(MATCH, 0) == other.of(MATCH, 0) == Connected(True)


async def test_a_process_that_comes_later_asks_and_is_told() -> None:
    wire = Wire()
    _, one = wire.process()
    with one.present(MATCH, 0):
        wire.sent.clear()
        _, later = wire.process()
        assert not later.of(MATCH, 0).here
        with later.present(MATCH, 1):
            await wire.deliver()
            assert later.of(MATCH, 0) == Connected(True)
            assert one.of(MATCH, 1) == Connected(True)


async def test_after_a_break_both_sides_tell_again() -> None:
    wire = Wire()
    (_, one), (pubsub, other) = wire.process(), wire.process()
    with one.present(MATCH, 0):
        wire.sent.clear()  # lost
        await pubsub.look_again()
        await wire.deliver()
        assert other.of(MATCH, 0) == Connected(True)


async def test_a_process_that_falls_silent_counts_as_gone_and_one_that_repeats_does_not() -> None:
    wire = Wire()
    (_, one), (_, other) = wire.process(), wire.process()
    with one.present(MATCH, 0):
        await wire.deliver()
        for _ in range(4):
            wire.clock.now += AWAY_MS // 2
            await one.repeat()
            await wire.deliver()
            await other.repeat()
        assert other.of(MATCH, 0) == Connected(True)
        wire.clock.now += AWAY_MS + 1
        await other.repeat()
        assert other.of(MATCH, 0) == Connected(False, wire.clock.now)
