"""Uploads: files are stored first, then read one after the other, also when the browser or this process goes away."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from barpoint.error import StoreError
from barpoint.record.collection import MatchFile
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import uploads as upload_storage
from barpoint.server.storage.store import Store
from barpoint.server.storage.uploads import RefusedFile
from barpoint.server.study.file_reader import FileReader
from barpoint.server.study.reviews import HoldsPosition, Imported, Reviews, Unreadable

LOG: Final = logging.getLogger("barpoint.server")

LEASE_MS: Final = 60_000
"""An upload whose process is silent for so long is taken up by another one, or after the next start."""

LOOK_S: Final = 10.0
"""Pause between two looks at leases."""

MAX_AT_ONCE: Final = 4
"""Uploads of people with an account that are read at the same time, each with a subprocess, and as many of people without; others wait."""

MAX_OF_ONE: Final = 2
"""Uploads of one person that wait or are being read."""


@dataclass(frozen=True, slots=True)
class ReadUpload:
    """What became of a file. matches: those in it. refused: why there is none. position: what it holds instead, as a text that `parse_annotated` reads."""

    name: str
    matches: tuple[Imported, ...] = ()
    refused: Unreadable | None = None
    position: str = ""

    @property
    def why(self) -> tuple[Unreadable, ...]:
        """Every reason for which something was refused."""
        return (self.refused,) if self.refused else tuple(one.refused for one in self.matches if one.refused)


Outcomes = asyncio.Queue[ReadUpload | None]
"""What became of the files of an upload, in order; None at the end."""


class Uploads:
    """Accepts uploads and reads them."""

    def __init__(self, store: Store, clock: TimeSource, reviews: Reviews, lease_ms: int = LEASE_MS) -> None:
        self._store, self._clock, self._reviews, self._lease_ms = store, clock, reviews, lease_ms
        self._turns = {registered: asyncio.Semaphore(MAX_AT_ONCE) for registered in (False, True)}
        self._one_of: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._running: dict[str, asyncio.Task[None]] = {}

    async def accept(self, person: Guest, files: Sequence[MatchFile]) -> AsyncIterator[ReadUpload]:
        """Stores files, then says what became of each. They are read to the end, whoever listens.

        Conflict if MAX_OF_ONE uploads of the person wait already.
        """
        upload = secrets.token_urlsafe(9)
        ids = await self._store.write(upload_storage.put, upload, person.id, files, self._until(), MAX_OF_ONE)
        return _told(self._begin(upload, person, ids))

    async def state(self, person_id: str) -> tuple[int, list[RefusedFile]]:
        """How many files of a person wait to be read, and which ones of the last upload were refused."""
        return await self._store.read(upload_storage.state, person_id)

    async def positions(self, person_id: str) -> list[ReadUpload]:
        """The files of a person's last upload that hold a position."""
        found = await self._store.read(upload_storage.positions, person_id)
        return [ReadUpload(name, position=text) for name, text in found]

    async def look(self) -> None:
        """Keeps the leases of the uploads that are read here, and takes up some of those that other processes have left."""
        if self._running:
            await self._store.write(upload_storage.renew, tuple(self._running), self._until())
        for _ in range(MAX_AT_ONCE):
            left = await self._store.write(upload_storage.claim, self._clock(), self._until())
            if left is None:
                return
            upload, guest_id = left
            person = await self._store.read(guest_storage.get_guest, guest_id)
            waiting = await self._store.read(upload_storage.waiting, upload)
            assert person is not None, "the person of an upload is there as long as its files are"
            if waiting and upload not in self._running:
                LOG.info("upload %s: %s files are read now", upload, len(waiting))
                self._begin(upload, person, waiting)

    async def stop(self) -> None:
        """Stops reading; the files wait for another process, or the next start."""
        uploads, tasks = tuple(self._running), tuple(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if uploads:
            with suppress(StoreError):
                await self._store.write(upload_storage.renew, uploads, 0)

    def _until(self) -> int:
        return self._clock() + self._lease_ms

    def _begin(self, upload: str, person: Guest, file_ids: list[int]) -> Outcomes:
        outcomes: Outcomes = asyncio.Queue()
        task = asyncio.create_task(self._read(person, file_ids, outcomes), name=f"upload {upload}")
        self._running[upload] = task
        task.add_done_callback(lambda done: self._ended(upload, done))
        return outcomes

    def _ended(self, upload: str, task: asyncio.Task[None]) -> None:
        self._running.pop(upload, None)
        if not task.cancelled() and task.exception() is not None:  # taken up again when the lease has ended
            LOG.error("%s failed", task.get_name(), exc_info=task.exception())

    async def _read(self, person: Guest, file_ids: list[int], outcomes: Outcomes) -> None:
        """Reads files, each from the database at its turn: what waits takes no memory."""
        try:
            own_turn = self._one_of.setdefault(person.id, asyncio.Lock())  # one upload of a person after the other
            async with own_turn, self._turns[person.registered], FileReader() as reader:
                for file_id in file_ids:
                    file = await self._store.read(upload_storage.get, file_id)
                    if file is None:
                        continue  # another process has read it, or the account was deleted
                    outcome = await self._one(person, file, reader)
                    why = tuple(error.said for error in outcome.why)
                    await self._store.write(upload_storage.finish, file_id, why, outcome.position)
                    outcomes.put_nowait(outcome)
        finally:
            outcomes.put_nowait(None)

    async def _one(self, person: Guest, file: MatchFile, reader: FileReader) -> ReadUpload:
        try:
            return ReadUpload(file.name, tuple(await self._reviews.add(person, file.name, file.data, reader)))
        except HoldsPosition as found:
            return ReadUpload(file.name, position=found.position)
        except Unreadable as error:
            return ReadUpload(file.name, refused=error)
        except StoreError:
            raise  # the file is read again when the database is back
        except Exception:  # the outermost handler: the other files are read all the same
            LOG.exception("an uploaded file cannot be imported")
            return ReadUpload(file.name, refused=Unreadable("This file cannot be read."))


async def _told(outcomes: Outcomes) -> AsyncIterator[ReadUpload]:
    while (outcome := await outcomes.get()) is not None:
        yield outcome
