"""Channels between processes of one server: PostgreSQL's NOTIFY, or Redis. Short broadcasts, delivered at most once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from sqlalchemy.engine import URL

from barpoint.error import StoreError
from barpoint.server.storage.database import parse_address

NAME: Final = "barpoint"
"""The name of the channel in PostgreSQL and Redis."""

QUIET_S: Final = 10.0
"""After this long without a message the connection is checked."""

CONNECT_S: Final = 5


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
            pubsub=pubsub,
        )
    url = parse_address(database)
    if url.get_backend_name() == "postgresql":
        return lambda: PostgresChannel.connect(url)
    return None


class PostgresChannel:
    """LISTEN and NOTIFY, on separate connections, because a listening one is busy."""

    def __init__(self, listener: Any, speaker: Any) -> None:
        self._listener, self._speaker = listener, speaker

    @classmethod
    async def connect(cls, url: URL) -> PostgresChannel:
        """Two connections to the database."""
        import psycopg

        address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        connect = psycopg.AsyncConnection.connect
        listener = await connect(address, autocommit=True, connect_timeout=CONNECT_S)
        try:
            await listener.execute(f"LISTEN {NAME}".encode())
            speaker = await connect(address, autocommit=True, connect_timeout=CONNECT_S)
            await speaker.execute("SET synchronous_commit TO off")  # a message need not outlive a crash
            return cls(listener, speaker)
        except BaseException:
            await listener.close()
            raise

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
        """Closes both connections."""
        await self._listener.close()
        await self._speaker.close()


class RedisChannel:
    """Publish and subscribe."""

    def __init__(self, client: Any, subscription: Any) -> None:
        self._client, self._subscription = client, subscription

    @classmethod
    async def connect(cls, address: str) -> RedisChannel:
        """One connection to publish, and one to subscribe."""
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        client = Redis.from_url(
            address,
            socket_connect_timeout=CONNECT_S,
            health_check_interval=QUIET_S,
            decode_responses=True,
            retry=Retry(NoBackoff(), 0),  # who reconnects in silence never learns that messages were missed
        )
        subscription = client.pubsub(ignore_subscribe_messages=True)
        try:
            await subscription.subscribe(NAME)
        except BaseException:
            await client.aclose()
            raise
        return cls(client, subscription)

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
        """Closes both connections."""
        await self._subscription.aclose()
        await self._client.aclose()
