"""Channels between processes of one server: PostgreSQL's NOTIFY, or Redis. Short broadcasts, delivered at most once."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from sqlalchemy.engine import URL

from barpoint.error import StoreError
from barpoint.server.storage.database import KEEPALIVE, parse_address, without_password

NAME: Final = "barpoint"
"""The name of the channel in PostgreSQL and Redis."""

QUIET_S: Final = 10.0
"""After this long without a message the connection is checked."""

CONNECT_S: Final = 5

ANSWER_S: Final = 5.0
"""Time in which Redis must answer a command."""

KEEPALIVE_OPTIONS: Final = {
    "TCP_KEEPIDLE": KEEPALIVE["keepalives_idle"],
    "TCP_KEEPINTVL": KEEPALIVE["keepalives_interval"],
    "TCP_KEEPCNT": KEEPALIVE["keepalives_count"],
    "TCP_USER_TIMEOUT": KEEPALIVE["tcp_user_timeout"],
}
"""KEEPALIVE for the sockets of Redis; a system may lack some of them."""


class Channel(Protocol):
    """One connection; raises its library's exceptions when it is lost."""

    async def send(self, text: str) -> None:
        """Broadcasts at most 7,000 bytes of text, also to this process."""
        ...

    def heard(self) -> AsyncIterator[str]:
        """Messages from now on."""
        ...

    async def close(self) -> None:
        """Closes the connection."""
        ...


Connect = Callable[[], Awaitable[Channel]]


def connector(pubsub: str, database: str) -> Connect | None:
    """Creates the connections for a pubsub and a database as named in the settings; None for a single process.

    pubsub: redis://host, or "" for the database's own. StoreError for an invalid URL.
    """
    scheme = urlsplit(pubsub).scheme
    if scheme in ("redis", "rediss", "unix"):
        try:
            import redis  # noqa: F401 - only to report now that it is missing
        except ModuleNotFoundError as error:
            raise StoreError("Redis as pub/sub needs another package: pip install 'barpoint[redis]'") from error
        return lambda: RedisChannel.connect(pubsub)
    if pubsub:
        raise StoreError(
            "%(pubsub)r is not a pub/sub URL; allowed: redis://host, or nothing for the pub/sub of the database",
            pubsub=without_password(pubsub),
        )
    url = parse_address(database)
    if url.get_backend_name() == "postgresql":
        return lambda: PostgresChannel.connect(url)
    return None


class PostgresChannel:
    """LISTEN and NOTIFY, on separate connections, because a listening one is busy. closing: closes both."""

    def __init__(self, listener: Any, speaker: Any, closing: AsyncExitStack) -> None:
        self._listener, self._speaker, self._closing = listener, speaker, closing

    @classmethod
    async def connect(cls, url: URL) -> PostgresChannel:
        """Two connections to the database."""
        import psycopg

        address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        connect = psycopg.AsyncConnection.connect
        async with AsyncExitStack() as opened:
            options: dict[str, Any] = {"connect_timeout": CONNECT_S, **KEEPALIVE}
            listener = await connect(address, autocommit=True, **options)
            opened.push_async_callback(listener.close)
            await listener.execute(f"LISTEN {NAME}".encode())
            speaker = await connect(address, autocommit=True, **options)
            opened.push_async_callback(speaker.close)
            await speaker.execute("SET synchronous_commit TO off")  # a message need not outlive a crash
            return cls(listener, speaker, opened.pop_all())

    async def send(self, text: str) -> None:
        """Broadcasts text."""
        await self._speaker.execute("SELECT pg_notify(%s, %s)", (NAME, text))

    async def heard(self) -> AsyncIterator[str]:
        """Messages from now on."""
        while True:
            async for notice in self._listener.notifies(timeout=QUIET_S):
                yield notice.payload
            await self._listener.execute("SELECT 1")

    async def close(self) -> None:
        """Closes both connections, the second also if closing the first fails."""
        await self._closing.aclose()


class RedisChannel:
    """Publish and subscribe. closing: closes both connections."""

    def __init__(self, client: Any, subscription: Any, closing: AsyncExitStack) -> None:
        self._client, self._subscription, self._closing = client, subscription, closing

    @classmethod
    async def connect(cls, address: str) -> RedisChannel:
        """One connection to publish, and one to subscribe."""
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        client = Redis.from_url(
            address,
            socket_connect_timeout=CONNECT_S,
            socket_timeout=ANSWER_S,
            health_check_interval=QUIET_S,
            decode_responses=True,
            retry=Retry(NoBackoff(), 0),  # who reconnects in silence never learns that messages were missed
            **_keepalive(address),
        )
        subscription = client.pubsub(ignore_subscribe_messages=True)
        async with AsyncExitStack() as opened:
            opened.push_async_callback(client.aclose)
            opened.push_async_callback(subscription.aclose)
            await subscription.subscribe(NAME)
            return cls(client, subscription, opened.pop_all())

    async def send(self, text: str) -> None:
        """Broadcasts text."""
        await self._client.publish(NAME, text)

    async def heard(self) -> AsyncIterator[str]:
        """Messages from now on."""
        while True:
            message = await self._subscription.get_message(timeout=QUIET_S)
            if message is not None:
                yield message["data"]

    async def close(self) -> None:
        """Closes both connections, the second also if closing the first fails."""
        await self._closing.aclose()


def _keepalive(address: str) -> dict[str, Any]:
    """The options of a Redis client by which it notices that the other machine has vanished; a socket of this one needs none."""
    if urlsplit(address).scheme == "unix":
        return {}
    options = {getattr(socket, name): value for name, value in KEEPALIVE_OPTIONS.items() if hasattr(socket, name)}
    return {"socket_keepalive": True, "socket_keepalive_options": options}
