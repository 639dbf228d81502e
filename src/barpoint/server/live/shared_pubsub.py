"""Connects several processes on one database: each hears of the others' changes, and reads them there.

Messages only affect how soon a change is seen. The next message makes up for a lost one, and after a reconnect the
server rereads everything that has listeners.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import Final

from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.pubsub_channels import Channel, Connect
from barpoint.server.telemetry import Metrics, OutageLog

LOG: Final = logging.getLogger("barpoint.server")

MIN_PAUSE_S: Final = 0.1
MAX_PAUSE_S: Final = 5.0
"""Maximum pause between two attempts to connect."""

PAUSE_S: Final = 0.01
"""Time from one message to the next. What changes in between goes together, since each message costs every process."""

CANCEL_S: Final = 1.0
"""Time after which a task that has not ended is cancelled again."""

CLOSE_S: Final = 5.0
"""Time a connection has to close."""

MAX_NAMES: Final = 200
"""Maximum names in one message; PostgreSQL takes 8,000 bytes."""


class SharedPubSub:
    """Carries the names of changes to the other processes, and theirs to this one."""

    def __init__(self, pubsub: PubSub, metrics: Metrics, connect: Connect) -> None:
        self._pubsub, self._metrics, self._connect = pubsub, metrics, connect
        self._own = secrets.token_hex(8)
        self._waiting: dict[str, None] = {}
        self._something = asyncio.Event()
        self._heard: list[str] = []
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._outage = OutageLog("pubsub, by which the other processes are heard")
        self.connected = asyncio.Event()

    def start(self) -> None:
        """Starts to connect; changes before that are sent once connected."""
        self._pubsub.outward = self._take_note
        self._task = asyncio.create_task(self._run(), name="shared pubsub")

    async def stop(self) -> None:
        """Sends what is still pending, if connected, and closes the connection."""
        self._pubsub.outward, self._stopping = None, True
        if self._task is None:
            return
        if self.connected.is_set():
            for _ in range(100):
                if not self._waiting:
                    break
                await asyncio.sleep(0.01)
        await _end([self._task])

    def _take_note(self, name: str) -> None:
        self._waiting.pop(name, None)  # each goes out in the order of its latest change: some say who came and who left
        self._waiting[name] = None
        self._something.set()

    async def _run(self) -> None:
        pause = MIN_PAUSE_S
        while not self._stopping:  # a library may make an error of its own of the cancellation, and that one is caught
            try:
                channel = await self._connect()
                try:
                    LOG.info("the pubsub is connected")
                    self._outage.worked()
                    pause = MIN_PAUSE_S
                    await self._serve(channel)
                finally:
                    self.connected.clear()
                    self._metrics.pubsub.set(0)
                    async with asyncio.timeout(CLOSE_S):
                        await channel.close()
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise  # otherwise a library has cancelled a part, over a lost connection
                self._outage.failed("a part of it was cancelled")
            except Exception as error:  # noqa: BLE001 - the outermost handler: it tries again
                self._outage.failed(str(error) or type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(MAX_PAUSE_S, 2 * pause)

    async def _serve(self, channel: Channel) -> None:
        """Sends and hears messages until the connection is lost; nothing waits until everything is reread."""
        parts = (self._hear(channel), self._take_over(), self._say(channel), self._look_again())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        finally:
            await _end(tasks)

    async def _look_again(self) -> None:
        """Rereads everything, since messages may have been missed; then it has nothing to do until the connection is lost."""
        await self._pubsub.look_again()
        self.connected.set()
        self._metrics.pubsub.set(1)
        await asyncio.Event().wait()

    async def _say(self, channel: Channel) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while self._waiting:
                names = list(self._waiting)[:MAX_NAMES]
                for name in names:
                    del self._waiting[name]
                try:
                    await channel.send(" ".join((self._own, *names)))
                except Exception:
                    older = [name for name in names if name not in self._waiting]
                    self._waiting = dict.fromkeys((*older, *self._waiting))  # sent after the reconnect
                    self._something.set()
                    raise
                await asyncio.sleep(PAUSE_S)

    async def _hear(self, channel: Channel) -> None:
        async for text in channel.heard():
            sender, *names = text.split(" ")
            if sender != self._own:
                self._heard += filter(self._pubsub.concerns, names)
                self._news.set()

    async def _take_over(self) -> None:
        """Takes over what was heard: all of it at once, since each takes a read of the database."""
        while True:
            await self._news.wait()
            self._news.clear()
            names, self._heard = self._heard, []
            await asyncio.gather(*(self._pubsub.changed_elsewhere(name) for name in names))


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancels tasks until they have ended: a library that is busy with a lost connection may swallow a cancellation."""
    while not all(task.done() for task in tasks):
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=CANCEL_S)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at here, since only the first failure is reported
