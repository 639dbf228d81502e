"""Pages of long matches, which take seconds to make: made one at a time, kept for a while, and counted by address."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final

from barpoint.error import BarpointError
from barpoint.language import language
from barpoint.server.domain.limits import Credits
from barpoint.server.study.recordings import Recording

LONG: Final = 1_000
"""Events of a match from which its pages count as costly."""

MAX_KEPT_BYTES: Final = 16 * 1024 * 1024
"""Memory for pages that are kept."""

MAX_WAITING: Final = 20
"""Pages that may wait for the one that is being made."""


class TooManyPages(BarpointError):
    """So many costly pages were asked for that this one is not made."""


class CostlyPages:
    """Makes pages of matches, in a thread. allowance: of addresses, for pages that are costly and not kept."""

    def __init__(self, allowance: Credits) -> None:
        self._allowance = allowance
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = self._waiting = 0
        self._turn = asyncio.Lock()

    async def page(self, recording: Recording, address: str, make: Callable[[], bytes | str], *what: Hashable) -> bytes:
        """What `make` returns, as bytes; TooManyPages.

        what: tells this page from others of the same match, for this viewer in this language.
        """
        events = len(recording.match.events)
        if events < LONG:
            return _bytes(await asyncio.to_thread(make))
        key = (recording.path, recording.edition, events, recording.players, recording.seat, language(), what)
        return await self.kept(key, address, lambda: asyncio.to_thread(make))

    async def kept(self, key: Hashable, address: str, make: Callable[[], Awaitable[bytes | str]]) -> bytes:
        """What `make` returns for this key, as bytes: made once, as long as it is kept; TooManyPages."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if self._waiting >= MAX_WAITING or not self._allowance.spend(address):
            raise TooManyPages("too many requests; try again in a minute")
        self._waiting += 1
        try:
            async with self._turn:
                if key not in self._kept:  # nobody has asked for the same meanwhile
                    self._keep(key, _bytes(await make()))
                return self._kept[key]
        finally:
            self._waiting -= 1

    def _keep(self, key: Hashable, page: bytes) -> None:
        self._kept[key] = page
        self._bytes += len(page)
        while self._bytes > MAX_KEPT_BYTES and len(self._kept) > 1:
            self._bytes -= len(self._kept.popitem(last=False)[1])


def _bytes(page: bytes | str) -> bytes:
    return page.encode() if isinstance(page, str) else page
