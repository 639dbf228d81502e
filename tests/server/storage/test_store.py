"""The database: commits shared but independent, optional durability, and invalid URLs refused with a clear message."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, bindparam, insert, select, text
from sqlalchemy.exc import IntegrityError

from barpoint.error import StoreError
from barpoint.server.domain.guests import Guest
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.event_log import Conflict, Draft
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.matches import GUEST
from barpoint.server.storage.store import READERS, Store, Work, pause_after
from tests.support.databases import address
from tests.support.live_server import seated

pytestmark = pytest.mark.usefixtures("each_database")


def put(name: str) -> Work[str]:
    def work(connection: Connection) -> str:
        connection.execute(insert(GUEST).values(id=name, name=name, created_at=1))
        return name

    return work


async def names(store: Store) -> set[str]:
    return await store.read(lambda connection: set(connection.scalars(select(GUEST.c.id))))


async def test_a_refused_write_undoes_nothing_of_those_it_shares_a_commit_with(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    results = await asyncio.gather(*(store.write(put(name)) for name in "abcadbe"), return_exceptions=True)
    assert [result for result in results if isinstance(result, str)] == list("abcde")
    assert sum(isinstance(result, IntegrityError) for result in results) == 2
    assert await names(store) == set("abcde")
    await store.close()


@pytest.mark.parametrize(
    ("writes", "took_s", "pause_s"),
    [(1, 0.0, 0.0), (2, 0.0, 0.005), (3, 0.004, 0.006), (200, 0.0, 0.02), (9, 0.1, 0.0)],
)
def test_writes_come_together_after_a_shared_commit_and_never_after_a_single_one(
    writes: int, took_s: float, pause_s: float
) -> None:
    assert pause_after(writes, took_s) == pytest.approx(pause_s)


async def test_a_write_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))

    def half(connection: Connection) -> None:
        put("a")(connection)
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        await store.write(half)
    assert await names(store) == set()
    await store.close()


async def test_a_write_whose_caller_is_gone_is_finished_all_the_same(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    task = asyncio.create_task(store.write(put("a")))
    await asyncio.sleep(0)
    task.cancel()
    await store.close()
    again = await Store.open(address(tmp_path))
    assert await names(again) == {"a"}
    await again.close()


async def test_durability_is_chosen(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'durable.sqlite3'}")
    for name, value in {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}.items():  # 2 is FULL
        for door in (store.read, store.write):
            assert await door(lambda connection, name=name: connection.scalar(text(f"PRAGMA {name}"))) == value
    await store.close()


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "nothing",
        "mysql://host/db",
        "sqlite://",
        "sqlite://club.sqlite3",
        "sqlite:///:memory:",
        "sqlite:////no/such/folder/x",
    ],
)
async def test_an_address_that_cannot_be_had_is_refused_in_words(wrong: str) -> None:
    with pytest.raises(StoreError, match=r"sqlite:///|cannot open"):
        await Store.open(wrong)


async def test_a_secret_is_kept_from_the_first_start_on(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    assert await store.write(lambda connection: match_storage.secret(connection, "key", "first")) == "first"
    assert await store.write(lambda connection: match_storage.secret(connection, "key", "second")) == "first"
    await store.close()


async def test_a_read_that_fails_harms_none_of_those_it_shares_a_turn_with(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    await store.write(put("anna"))

    def wrong(connection: Connection) -> None:
        connection.execute(text("select nothing from nowhere"))

    def refused(_: Connection) -> None:
        raise ValueError("refused")

    reads = (names(store), store.read(wrong), names(store), store.read(refused), names(store))
    first, failed, second, said, third = await asyncio.gather(*reads, return_exceptions=True)
    assert first == second == third == {"anna"}
    assert isinstance(failed, StoreError)
    assert isinstance(said, ValueError)
    await store.close()


async def test_a_read_sees_every_write_committed_before_it(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    for name in "abcdefgh":
        await store.write(put(name))
        found = await asyncio.gather(*(names(store) for _ in range(20)))
        assert all(name in one for one in found)
    await store.close()


async def test_a_connection_lost_after_a_read_takes_nothing_from_it_and_stops_no_later_read(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))

    def last_words(connection: Connection) -> str:
        found = connection.scalar(text("select 'read'"))
        connection.connection.driver_connection.close()
        return str(found)

    for _ in range(2 * READERS):
        assert await store.read(last_words) == "read"
    assert await names(store) == set()
    await store.close()


async def test_reads_that_wait_when_the_store_closes_are_answered(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    reads = [asyncio.create_task(names(store)) for _ in range(50)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*reads) == [set()] * 50


async def test_a_prepared_query_gives_values_in_the_types_of_their_columns(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    await store.write(put("anna"))
    query = PreparedSelect(
        select(GUEST.c.name.label("called"), GUEST.c.bot, GUEST.c.created_at)
        .where(GUEST.c.id == bindparam("guest_id"), GUEST.c.created_at > 0)
        .limit(5)
    )
    for _ in range(2):
        row = await store.read(query.first, guest_id="anna")
        assert (row.called, row.bot, row.created_at) == ("anna", False, 1)
        assert row.bot is False
        assert await store.read(query.first, guest_id="ben") is None
    await store.close()


async def test_a_guest_is_found_under_their_new_name(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    await store.write(put("anna"))
    await store.write(lambda connection: guest_storage.rename_guest(connection, Guest("anna", "Anna")))
    assert await store.read(lambda connection: guest_storage.get_guest(connection, "anna")) == Guest("anna", "Anna")
    assert await store.read(lambda connection: guest_storage.get_guest(connection, "ben")) is None
    await store.close()


async def test_the_draft_of_a_newer_roll_wins(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        store = driven.matches.store
        for draft in (Draft(1, 1, "[]"), Draft(1, 3, "[1]"), Draft(4, 1, "[2]")):
            await store.write(
                lambda connection, draft=draft: log_storage.put_draft(connection, log_storage.MATCHES, driven.id, draft)
            )
        for late in (Draft(1, 9, "[]"), Draft(4, 1, "[]"), Draft(3, 2, "[]")):
            with pytest.raises(Conflict):
                await store.write(
                    lambda connection, late=late: log_storage.put_draft(
                        connection, log_storage.MATCHES, driven.id, late
                    )
                )
        assert await store.read(
            lambda connection: log_storage.get_draft(connection, log_storage.MATCHES, driven.id)
        ) == Draft(4, 1, "[2]")
