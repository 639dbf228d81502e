"""Push messages to closed browsers: encrypts, sends, and forgets browsers that are gone."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from urllib.parse import urlsplit

from barpoint.error import StoreError
from barpoint.server.domain.web_push import GONE, SERVICES, PushKey, Subscription, post
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import push as push_storage
from barpoint.server.storage.store import Store

LOG: Final = logging.getLogger("barpoint.server")

THREADS: Final = 2


class Pusher:
    """Sends messages. key: None without encryption; then push is disabled. services: hosts of known push services."""

    def __init__(
        self, store: Store, clock: TimeSource, key: PushKey | None, contact: str, services: Sequence[str] = SERVICES
    ) -> None:
        self._store, self._clock, self._contact = store, clock, contact
        self.key, self.services = key, tuple(services)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="push")
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def works(self) -> bool:
        """Whether push is enabled."""
        return self.key is not None

    async def close(self) -> None:
        """Drops messages still under way."""
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def tell(self, guest_id: str, title: str, text: str, path: str, topic: str) -> None:
        """Sends to all of somebody's browsers in the background. path: page to open. topic: replaces earlier ones."""
        if self.key is None:
            return
        message = json.dumps({"title": title, "text": text, "path": path, "topic": topic}).encode()
        task = asyncio.create_task(self._tell(guest_id, message, topic), name=f"push {topic}")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _tell(self, guest_id: str, message: bytes, topic: str) -> None:
        try:
            for one in await self._store.read(push_storage.of, guest_id):
                await self._send(one, message, topic)
        except StoreError as error:
            LOG.warning("nobody is told by push: %s", error)

    async def _send(self, one: Subscription, message: bytes, topic: str) -> None:
        loop, key = asyncio.get_running_loop(), self.key
        assert key is not None
        now = self._clock() // 1000
        try:
            status = await loop.run_in_executor(self._threads, post, one, message, key, now, self._contact, topic)
        except StoreError as error:
            LOG.warning("%s", error)
            return
        if status in GONE:
            await self._store.write(push_storage.drop, one.endpoint)
        elif status >= 300:
            LOG.warning("the push service %s answered %s", urlsplit(one.endpoint).hostname, status)
