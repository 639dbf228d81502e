"""What is made of the reports of analyses, for statistics and the library: kept in memory, and beside the reports."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from barpoint.match import Match, read_log
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import Key, MadeKind
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import log_of

T = TypeVar("T")

TOGETHER: Final = 25
"""So many are made and stored together where there are none yet."""


class MadeOfReports(Generic[T]):
    """One kind of what is made of reports.

    version: of what is stored; another one is made again. make: of the match and the report as JSON. unpack: what was made.
    most: so many are kept in memory, those that were asked for last.
    """

    def __init__(
        self,
        store: Store,
        kind: MadeKind,
        version: int,
        make: Callable[[Match, bytes], bytes],
        unpack: Callable[[bytes], T],
        most: int,
    ) -> None:
        self._store, self._kind, self._version = store, kind, version
        self._make, self._unpack, self._most = make, unpack, most
        self._kept: OrderedDict[Key, T] = OrderedDict()
        self._one_of: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def of(self, person_id: str, keys: Sequence[Key]) -> dict[Key, T]:
        """What is made of these analyses of a person's matches; makes and stores what is missing.

        Without those that are gone.
        """
        own_turn = self._one_of.setdefault(person_id, asyncio.Lock())
        async with own_turn:  # pages that are asked for together make nothing twice
            found = {key: self._kept[key] for key in keys if key in self._kept}
            if missing := [key for key in keys if key not in found]:
                found |= await self._loaded(missing)
            self._keep(found)
            return found

    async def _loaded(self, keys: list[Key]) -> dict[Key, T]:
        stored = await self._store.read(analysis_storage.made, self._kind, self._version, keys)
        found = await asyncio.to_thread(self._unpacked, stored)
        left = [key for key in keys if key not in stored]
        for first in range(0, len(left), TOGETHER):
            tried = {key: await self._made(key) for key in left[first : first + TOGETHER]}
            fresh = {key: one for key, one in tried.items() if one is not None}
            await self._store.write(analysis_storage.keep_made, self._kind, self._version, fresh)
            found |= await asyncio.to_thread(self._unpacked, fresh)
        return found

    async def _made(self, key: Key) -> bytes | None:
        """What is made of a report; None if it has gone since it was asked for."""

        def work(connection: Connection) -> tuple[bytes, bytes] | None:
            report = analysis_storage.report(connection, key)
            return (report, log_of(connection, key)) if report is not None else None

        if (found := await self._store.read(work)) is None:
            return None
        report, log = found
        return await asyncio.to_thread(lambda: self._make(read_log(log), gzip.decompress(report)))

    def _unpacked(self, packed: Mapping[Key, bytes]) -> dict[Key, T]:
        return {key: self._unpack(one) for key, one in packed.items()}

    def _keep(self, found: Mapping[Key, T]) -> None:
        for key, one in found.items():
            self._kept[key] = one
            self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
