"""Several processes on one database: each shows what another writes, even after pubsub or the database was down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import update

from barpoint.error import StoreError
from barpoint.game import Roll
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.live import shared_pubsub
from barpoint.server.live.event_log import StaleCommand
from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.pubsub_channels import connector
from barpoint.server.live.shared_pubsub import SharedPubSub
from barpoint.server.services import Services, running
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.store import Store
from barpoint.server.telemetry import Metrics
from tests.support import databases
from tests.support.live_server import Clock, DrivenMatch, fold_equals_snapshot, seated
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBots, ScriptedDice


@pytest.fixture(autouse=True)
def on_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[databases.Postgres]:
    """A PostgreSQL that a test may stop."""
    made = databases.Postgres.start_new()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def own_redis() -> Iterator[databases.Redis]:
    """A Redis that a test may stop."""
    made = databases.Redis.start_new()
    yield made
    made.remove()


@asynccontextmanager
async def process(database: str, pubsub: str = "") -> AsyncIterator[Services]:
    """A server process without its network part."""
    settings = Settings(database, pubsub, heartbeat_ms=50, scheduler_ms=50)
    async with running(settings, SeededDice(), ChanceBots(), Clock()) as services:
        yield services


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    """Waits until a condition holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not await true():
            await asyncio.sleep(0.01)


async def sees(services: Services, match_id: str, seq: int) -> None:
    """Waits until a process has received an event without asking for it."""
    live_match = await services.matches.live_match(match_id)

    async def there() -> bool:
        return live_match.seq >= seq

    with services.pubsub.listening(match_id, lambda _: None):
        await until(there)


@pytest.mark.parametrize("pubsub", ["postgresql", "redis"])
async def test_what_one_process_writes_the_other_reads(tmp_path: Path, pubsub: str) -> None:
    address = databases.redis_server().address if pubsub == "redis" else ""
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        database = databases.address(tmp_path)
        async with process(database, address) as one, process(database, address) as other:
            news: list[str] = []
            with other.pubsub.listening(driven.id, news.append):
                await other.matches.live_match(driven.id)
                here = DrivenMatch(one.matches, driven.header, driven.clock)
                await here.turn()
                await sees(other, driven.id, (await here.live_match()).seq)
                assert driven.id in news


@pytest.mark.parametrize("seat_of_the_first", [0, 1])
async def test_two_processes_that_race_for_a_match_never_both_win(tmp_path: Path, seat_of_the_first: int) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        database = databases.address(tmp_path)
        async with process(database) as one, process(database) as other:
            servers = [one.matches, other.matches][:: 1 - 2 * seat_of_the_first]
            for turn in range(12):
                match = (await driven.matches.live_match(driven.id)).match
                if match.game.faces:
                    await driven.play_first()
                    continue
                seq, event = len(match.events), Roll(match.game.player)
                asked = [
                    matches.act(driven.id, event.player, f"{turn}-{n}", seq, event) for n, matches in enumerate(servers)
                ]
                answers = await asyncio.gather(*asked, return_exceptions=True)
                assert sum(answer == seq + 1 for answer in answers) == 1
                assert sum(isinstance(answer, StaleCommand) for answer in answers) == 1
                await driven.matches.pubsub.changed_elsewhere(driven.id)
            await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_the_same_command_to_both_is_done_once(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        await driven.turn()
        async with process(databases.address(tmp_path)) as one, process(databases.address(tmp_path)) as other:
            match = (await one.matches.live_match(driven.id)).match
            seq, event = len(match.events), Roll(match.game.player)
            asked = [
                matches.act(driven.id, event.player, "same", seq, event) for matches in (one.matches, other.matches)
            ]
            assert await asyncio.gather(*asked) == [seq + 1, seq + 1]


async def test_a_deadline_is_met_by_one_of_them(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        stores = [driven.matches.store, await Store.open(databases.address(tmp_path))]
        now = driven.clock.now
        await stores[0].write(lambda connection: connection.execute(update(MATCH).values(deadline_at=now)))
        claims = await asyncio.gather(
            *(
                store.write(lambda connection: deadline_storage.claim_due(connection, now, now + 1000))
                for store in stores
            )
        )
        assert sorted(claims, key=len) == [[], [driven.id]]
        await stores[1].close()


async def test_a_bus_that_is_gone_delays_and_loses_nothing(tmp_path: Path, own_redis: databases.Redis) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        database = databases.address(tmp_path)
        async with process(database, own_redis.address) as one, process(database, own_redis.address) as other:
            here = DrivenMatch(one.matches, driven.header, driven.clock)
            live_match = await other.matches.live_match(driven.id)
            with other.pubsub.listening(driven.id, lambda _: None):
                own_redis.stop()
                await here.turn()
                own_redis.start()
                await sees(other, driven.id, (await here.live_match()).seq)
            assert live_match.seq == (await here.live_match()).seq


async def test_who_watches_a_log_is_told_of_what_this_process_writes_alone(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        matches, told = driven.matches, list[str]()
        with matches.log.watching(told.append), matches.pubsub.listening(driven.id, lambda _: None):
            await matches.pubsub.look_again()  # as after pubsub was down
            assert told == []
            await driven.turn()
            assert set(told) == {driven.id}


async def test_a_database_that_is_gone_refuses_and_is_found_again(
    tmp_path: Path, own_postgres: databases.Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "postgres", lambda: own_postgres)
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        database = databases.address(tmp_path)
        async with process(database) as one, process(database) as other:
            here = DrivenMatch(one.matches, driven.header, driven.clock)
            await here.turn()
            own_postgres.stop()
            with pytest.raises(StoreError):
                await here.turn()
            with pytest.raises(StoreError):
                await other.matches.act(driven.id, 0, "x", 2, Roll(0))
            own_postgres.start()

            async def plays() -> bool:
                try:
                    await here.turn()
                except StoreError:
                    return False
                return True

            await until(plays)
            await sees(other, driven.id, (await here.live_match()).seq)
            await fold_equals_snapshot(one.store, driven.id)


class Stubborn:
    """A channel whose library makes an error of its own of a cancellation."""

    async def send(self, text: str) -> None: ...

    async def heard(self) -> AsyncIterator[str]:
        try:
            await asyncio.sleep(PATIENCE_S)
        except asyncio.CancelledError:
            raise ConnectionError("lost") from None
        yield ""

    async def close(self) -> None: ...


async def test_a_process_ends_though_the_connection_fails_as_it_is_closed() -> None:
    async def connect() -> Stubborn:
        return Stubborn()

    shared = SharedPubSub(PubSub(), Metrics(), connect)
    shared.start()
    async with asyncio.timeout(PATIENCE_S / 10):
        await shared.connected.wait()
        await asyncio.sleep(0)
        await shared.stop()


class Deaf(Stubborn):
    """A channel that is lost while it sends, and swallows the first cancellation of that."""

    def __init__(self) -> None:
        self.sending = asyncio.Event()

    async def send(self, text: str) -> None:
        self.sending.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(PATIENCE_S)

    async def heard(self) -> AsyncIterator[str]:
        await self.sending.wait()
        raise ConnectionError("lost")
        yield ""


async def test_a_lost_connection_is_made_anew_though_the_library_swallows_a_cancellation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shared_pubsub, "CANCEL_S", 0.01)
    channels: list[Deaf] = []

    async def connect() -> Deaf:
        channels.append(Deaf())
        return channels[-1]

    pubsub = PubSub()
    shared = SharedPubSub(pubsub, Metrics(), connect)
    shared.start()
    async with asyncio.timeout(PATIENCE_S / 10):
        await shared.connected.wait()
        pubsub.publish("m1")
        while len(channels) < 2:
            await asyncio.sleep(0.01)
        await shared.stop()


class Noting(Stubborn):
    """A channel that notes what is sent."""

    def __init__(self) -> None:
        self.sent: list[list[str]] = []

    async def send(self, text: str) -> None:
        self.sent.append(text.split(" ")[1:])


async def test_changes_of_a_moment_are_told_together_and_the_first_at_once() -> None:
    channel, pubsub = Noting(), PubSub()

    async def connect() -> Noting:
        return channel

    shared = SharedPubSub(pubsub, Metrics(), connect)
    shared.start()
    async with asyncio.timeout(PATIENCE_S):
        await shared.connected.wait()
        names = [f"m{number}" for number in range(100)]
        for name in names:
            pubsub.publish(name)
            await asyncio.sleep(0)
        await shared.stop()
    assert channel.sent[0] == names[: len(channel.sent[0])]
    assert [name for message in channel.sent for name in message] == names
    assert len(channel.sent) < 50


class Losing(Noting):
    """A channel that is lost as it sends, while something changes anew."""

    def __init__(self, pubsub: PubSub) -> None:
        super().__init__()
        self._pubsub = pubsub

    async def send(self, text: str) -> None:
        await super().send(text)
        self._pubsub.publish("gone")
        raise ConnectionError("lost")


async def test_names_go_out_in_the_order_of_their_latest_changes_also_after_a_loss() -> None:
    pubsub = PubSub()
    channels = [Losing(pubsub), Noting()]
    left = iter(channels)

    async def connect() -> Noting:
        return next(left)

    shared = SharedPubSub(pubsub, Metrics(), connect)
    shared.start()
    async with asyncio.timeout(PATIENCE_S):
        await shared.connected.wait()
        for name in ("here", "gone", "here"):
            pubsub.publish(name)
        while not channels[1].sent:
            await asyncio.sleep(0.01)
        await shared.stop()
    assert [channel.sent for channel in channels] == [[["gone", "here"]], [["here", "gone"]]]


async def test_a_change_that_concerns_nobody_here_is_not_looked_at(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5)])) as driven:
        matches = driven.matches
        assert matches.pubsub.concerns(driven.id), "it is in memory"
        assert not matches.pubsub.concerns("0" * len(driven.id))
        with matches.pubsub.listening("lobby:", lambda _: None):
            assert matches.pubsub.concerns("lobby:")
        assert not matches.pubsub.concerns("lobby:")


@pytest.mark.parametrize("wrong", ["nothing", "http://host", "postgresql://host"])
def test_what_is_no_bus_is_refused_in_words(wrong: str) -> None:
    with pytest.raises(StoreError, match="redis://"):
        connector(wrong, "postgresql://host/db")


def test_a_file_has_one_process_and_needs_no_bus(tmp_path: Path) -> None:
    assert connector("", f"sqlite:///{tmp_path}/x") is None


class Silent(Stubborn):
    """A channel on which nothing is heard. sent: what went out."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, text: str) -> None:
        self.sent.append(text)


class Busy:
    """Copies whose reading does not end, such as of a match that is locked."""

    def concerns(self, topic: str) -> bool:
        return False

    async def reread(self, topic: str | None = None) -> None:
        await asyncio.sleep(PATIENCE_S)

    def renamed(self, guest_id: str) -> None: ...


async def test_what_changes_is_told_although_rereading_takes_long() -> None:
    channel, pubsub = Silent(), PubSub()
    pubsub.copies.append(Busy())

    async def connect() -> Silent:
        return channel

    shared = SharedPubSub(pubsub, Metrics(), connect)
    shared.start()
    pubsub.publish("m1")

    async def told() -> bool:
        return any(text.endswith(" m1") for text in channel.sent)

    await until(told)
    assert not shared.connected.is_set(), "changes of others may still be unknown"
    await shared.stop()


class Cancelling(Silent):
    """A channel whose library cancels the task that hears, over a lost connection."""

    async def heard(self) -> AsyncIterator[str]:
        raise asyncio.CancelledError
        yield ""


async def test_a_connection_is_made_anew_after_the_library_has_cancelled_a_task() -> None:
    channels: list[Silent] = []

    async def connect() -> Silent:
        channels.append(Silent() if channels else Cancelling())
        return channels[-1]

    shared = SharedPubSub(PubSub(), Metrics(), connect)
    shared.start()

    async def anew() -> bool:
        return len(channels) == 2 and shared.connected.is_set()

    await until(anew)
    await shared.stop()
