"""Uploads: one subprocess reads all files of one; nothing is lost when a server is killed while it reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from barpoint.record.collection import MatchFile
from barpoint.server.domain.guests import Guest
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import uploads as upload_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.schema.study import UPLOADED_FILE
from barpoint.server.storage.store import Store
from barpoint.server.study import file_reader
from barpoint.server.study.file_reader import FileReader
from barpoint.server.study.reviews import Reviews, Unreadable
from barpoint.server.study.uploads import MAX_AT_ONCE, MAX_OF_ONE, ReadUpload, Uploads
from tests.record.test_mat import MATCH
from tests.record.test_text_annotations import ROLLED as XGID
from tests.support import databases
from tests.support.live_server import Clock
from tests.support.machine import PATIENCE_S

pytestmark = pytest.mark.usefixtures("each_database")

PERSON = Guest("anna", "Anna")
FILES = [
    MatchFile("a.mat", MATCH.encode()),
    MatchFile("b.mat", b"nothing"),
    MatchFile("c.mat", MATCH.replace("Anna", "Clara").encode()),
    MatchFile("d.mat", MATCH.replace("Anna", "Dora").encode()),
]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(databases.address(tmp_path))
    await opened.write(guest_storage.put_guest, PERSON, 0)
    yield opened
    await opened.close()


async def read(uploads: Uploads) -> list[ReadUpload]:
    return [one async for one in await uploads.accept(PERSON, FILES)]


async def test_all_files_are_read_by_one_process(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    starts, real = [], file_reader.working
    monkeypatch.setattr(file_reader, "working", lambda *given, **more: starts.append(given) or real(*given, **more))
    found = await read(Uploads(store, Clock(), Reviews(store, Clock())))
    assert [(one.name, len(one.matches), bool(one.refused)) for one in found] == [
        ("a.mat", 1, False),
        ("b.mat", 0, True),
        ("c.mat", 1, False),
        ("d.mat", 1, False),
    ]
    assert len(starts) == 1


async def test_a_file_that_ends_the_process_is_refused_and_the_next_one_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = file_reader._asked

    async def breaks(process: asyncio.subprocess.Process, question: bytes) -> bytes:
        if question.endswith(b"nothing"):
            process.kill()
        return await real(process, question)

    monkeypatch.setattr(file_reader, "_asked", breaks)
    found = await read(Uploads(store, Clock(), Reviews(store, Clock())))
    assert [one.name for one in found if one.refused] == ["b.mat"]
    assert "takes too long" in str(found[1].refused)


async def test_files_of_guests_that_take_long_keep_nobody_with_an_account_waiting(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, go = file_reader._asked, asyncio.Event()

    async def slow(process: asyncio.subprocess.Process, question: bytes) -> bytes:
        if b"nothing" in question and not go.is_set():
            await go.wait()
        return await real(process, question)

    monkeypatch.setattr(file_reader, "_asked", slow)
    uploads = Uploads(store, Clock(), Reviews(store, Clock()))
    waiting = []
    for one in (Guest(f"guest {number}", "Guest") for number in range(6)):
        await store.write(guest_storage.put_guest, one, 0)
        waiting.append(await uploads.accept(one, FILES[1:2]))
    ben = Guest("ben", "Ben", registered=True)
    await store.write(guest_storage.put_guest, ben, 0)
    async with asyncio.timeout(PATIENCE_S):
        upload = await uploads.accept(ben, FILES[:1])
        assert [len(one.matches) async for one in upload] == [1]
        go.set()
        for one in waiting:
            assert [each.name async for each in one] == ["b.mat"]


async def test_each_file_is_taken_from_the_database_at_its_turn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, get, asked = list[str](), upload_storage.get, file_reader._asked

    def taken(connection: Connection, file_id: int) -> MatchFile | None:
        file = get(connection, file_id)
        steps.append(f"take {file.name if file else None}")
        return file

    async def reads(process: asyncio.subprocess.Process, question: bytes) -> bytes:
        steps.append("read")
        return await asked(process, question)

    monkeypatch.setattr(upload_storage, "get", taken)
    monkeypatch.setattr(file_reader, "_asked", reads)
    found = await read(Uploads(store, Clock(), Reviews(store, Clock())))
    assert steps == ["take a.mat", "read", "take b.mat", "read", "take c.mat", "read", "take d.mat", "read"]
    assert [one.refused is None for one in found] == [True, False, True, True]
    assert not any(one.position for one in found)


async def test_a_position_is_kept_until_the_next_upload_and_is_an_unreadable_match_to_who_wants_one(
    store: Store,
) -> None:
    uploads, text = Uploads(store, Clock(), Reviews(store, Clock())), f"{XGID}\n"
    (found,) = [one async for one in await uploads.accept(PERSON, [MatchFile("a/one.txt", text.encode())])]
    assert found.position.startswith(XGID)
    assert await uploads.positions(PERSON.id) == [ReadUpload("a/one.txt", position=found.position)]
    assert await uploads.state(PERSON.id) == (0, [])
    async with FileReader() as reader:
        with pytest.raises(Unreadable, match="holds a position, not a match") as refused:
            await Reviews(store, Clock()).add(PERSON, "one.txt", text.encode(), reader)
    assert refused.value.status == 422
    await read(uploads)
    assert await uploads.positions(PERSON.id) == []


async def test_who_has_two_uploads_waiting_is_asked_to_wait(store: Store) -> None:
    uploads = Uploads(store, Clock(), Reviews(store, Clock()))
    await store.write(upload_storage.put, "first", PERSON.id, FILES, Clock()() + 1_000, MAX_OF_ONE)
    (file_id,) = await store.write(upload_storage.put, "second", PERSON.id, FILES[:1], Clock()() + 1_000, MAX_OF_ONE)
    with pytest.raises(Conflict, match="2 uploads of yours still wait"):
        await uploads.accept(PERSON, FILES)
    await store.write(upload_storage.finish, file_id)
    assert len(await read(uploads)) == len(FILES)


async def test_one_process_takes_up_a_few_uploads_at_once_and_leaves_the_others_to_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, go, clock, count = file_reader._asked, asyncio.Event(), Clock(), MAX_AT_ONCE + 2

    async def slow(process: asyncio.subprocess.Process, question: bytes) -> bytes:
        await go.wait()
        return await real(process, question)

    async def left() -> int:
        chosen = select(func.count()).select_from(UPLOADED_FILE).where(UPLOADED_FILE.c.leased_until < clock())
        return await store.read(lambda connection: connection.scalar(chosen) or 0)

    monkeypatch.setattr(file_reader, "_asked", slow)
    for number in range(count):
        await store.write(guest_storage.put_guest, Guest(f"guest {number}", "Guest"), 0)
        await store.write(upload_storage.put, f"u{number}", f"guest {number}", FILES[:1], clock() - 1, MAX_OF_ONE)
    uploads = Uploads(store, clock, Reviews(store, clock))
    await uploads.look()
    assert await left() == count - MAX_AT_ONCE
    await uploads.look()
    assert await left() == 0
    go.set()
    await uploads.stop()


async def test_what_a_killed_server_has_not_read_is_read_by_the_next_one(store: Store) -> None:
    clock = Clock()
    ids = await store.write(upload_storage.put, "upload", PERSON.id, FILES, clock() + 1_000, 1)
    await store.write(upload_storage.finish, ids[0])  # the killed one had read this
    reviews = Reviews(store, clock)
    uploads = Uploads(store, clock, reviews)
    await uploads.look()
    assert await uploads.state(PERSON.id) == (3, []), "its lease has not ended yet"
    clock.now += 2_000
    await uploads.look()
    async with asyncio.timeout(PATIENCE_S):
        while (await uploads.state(PERSON.id))[0]:
            await asyncio.sleep(0.02)
    _, refused = await uploads.state(PERSON.id)
    assert [one.name for one in refused] == ["b.mat"]
    assert "no match that can be read" in str(refused[0].why[0])
    assert sorted(one.names[0] for one in await reviews.listed(PERSON.id)) == ["Clara", "Dora"]
    await read(uploads)
    assert len(await reviews.listed(PERSON.id)) == 3, "those that were read before are not stored again"
