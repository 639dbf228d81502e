"""Connections between processes: none is left open, and one whose other end has vanished is given up."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
import redis

from barpoint.server.live import pubsub_channels
from barpoint.server.live.pubsub_channels import PostgresChannel, RedisChannel
from barpoint.server.storage.database import KEEPALIVE, close, engines, parse_address
from tests.support import databases
from tests.support.stalling_proxy import stalling_proxy


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[psycopg.AsyncConnection[Any]]:
    """The connections to PostgreSQL that the test makes."""
    found: list[psycopg.AsyncConnection[Any]] = []
    real = psycopg.AsyncConnection.connect

    async def connect(*address: Any, **options: Any) -> psycopg.AsyncConnection[Any]:
        found.append(await real(*address, **options))
        return found[-1]

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", connect)
    return found


async def opened() -> PostgresChannel:
    return await PostgresChannel.connect(parse_address(databases.postgres().address("channels")))


async def test_a_channel_that_cannot_be_opened_leaves_no_connection_open(
    made: list[psycopg.AsyncConnection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = psycopg.AsyncConnection.execute

    async def execute(self: psycopg.AsyncConnection[Any], *query: Any) -> Any:
        if len(made) == 2:
            raise psycopg.OperationalError("lost")
        return await real(self, *query)

    monkeypatch.setattr(psycopg.AsyncConnection, "execute", execute)
    with pytest.raises(psycopg.OperationalError):
        await opened()
    assert [one.closed for one in made] == [True, True]


async def test_both_connections_are_closed_though_that_fails(
    made: list[psycopg.AsyncConnection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = psycopg.AsyncConnection.close

    async def closes(self: psycopg.AsyncConnection[Any]) -> None:
        await real(self)
        raise OSError("lost")

    monkeypatch.setattr(psycopg.AsyncConnection, "close", closes)
    channel = await opened()
    with pytest.raises(OSError, match="lost"):
        await channel.close()
    assert [one.closed for one in made] == [True, True]


async def test_connections_to_postgresql_ask_whether_the_other_end_is_still_there(
    made: list[psycopg.AsyncConnection[Any]],
) -> None:
    channel = await opened()
    writer, reader = engines(parse_address(databases.postgres().address("channels")))
    with writer.connect() as connection:
        driver = connection.connection.dbapi_connection
        assert isinstance(driver, psycopg.Connection)
        told = [one.info.get_parameters() for one in (*made, driver)]
    close(writer, reader)
    await channel.close()
    wanted = {name: str(value) for name, value in KEEPALIVE.items()}
    assert [{name: one.get(name) for name in wanted} for one in told] == [wanted] * 3


async def test_a_redis_that_falls_silent_is_given_up_and_one_without_news_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pubsub_channels, "ANSWER_S", 1.0)
    with stalling_proxy(databases.redis_server().port) as proxy:
        channel = await RedisChannel.connect(proxy.address.replace("http:", "redis:"))
        heard = asyncio.ensure_future(anext(channel.heard()))
        await channel.send("news")
        assert await heard == "news"
        waits = asyncio.ensure_future(anext(channel.heard()))
        proxy.stall()
        with pytest.raises(redis.TimeoutError):
            await channel.send("more")
        assert not waits.done(), "a reader may wait for longer than an answer"
        waits.cancel()
        await asyncio.gather(waits, return_exceptions=True)
        await channel.close()
