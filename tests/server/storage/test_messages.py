"""Messages in the database: kept for both, read once, bounded, and forgotten with an account; on SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection

from barpoint.server.domain.accounts import Account
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.messages import MAX_KEPT, MAX_UNREAD
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import messages as message_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.storage.personal_data import forget_account
from barpoint.server.storage.store import Store
from tests.support.databases import address

pytestmark = pytest.mark.usefixtures("each_database")

NAMES = {"a": "Anna", "b": "Ben", "c": "Cleo"}


async def opened(folder: Path) -> Store:
    """A database with three accounts."""
    store = await Store.open(address(folder))

    def work(connection: Connection) -> None:
        for person_id, name in NAMES.items():
            guest_storage.put_guest(connection, Guest(person_id, name), 1)
            account_storage.put_account(connection, Account(person_id, name, "x"), ())

    await store.write(work)
    return store


async def say(store: Store, by: str, to: str, text: str, now: int = 5, *, read: bool = False) -> bool:
    return await store.write(message_storage.put_message, by, to, text, now, read=read)


async def told(store: Store, one: str, other: str, limit: int = 100, before: int | None = None) -> list[str]:
    found = await store.read(message_storage.messages_between, one, other, limit, before)
    return [f"{message.by}: {message.text}" for message in found]


async def test_both_have_the_same_messages_and_nobody_else(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for by, to, text in (("a", "b", "Hello"), ("b", "a", "Hello you"), ("c", "a", "A match?"), ("a", "b", "Tonight?")):
        assert await say(store, by, to, text)
    assert await told(store, "a", "b") == await told(store, "b", "a") == ["a: Hello", "b: Hello you", "a: Tonight?"]
    assert await told(store, "b", "c") == []
    latest = await store.read(message_storage.messages_between, "a", "b", 1)
    assert await told(store, "a", "b", before=latest[0].id) == ["a: Hello", "b: Hello you"]
    await store.close()


async def test_a_list_has_the_latest_message_of_each_and_counts_what_is_unread(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for by, to, text in (("b", "a", "One"), ("b", "a", "Two"), ("c", "a", "Three"), ("a", "c", "Four")):
        assert await say(store, by, to, text)
    found = await store.read(message_storage.conversations_of, "a", 10)
    assert [(one.other.name, one.last.text, one.last.by, one.unread) for one in found] == [
        ("Cleo", "Four", "a", 1),
        ("Ben", "Two", "b", 2),
    ]
    assert await store.read(message_storage.unread_from, "a", 3) == [("Cleo", 5), ("Ben", 5)]
    last = found[1].last.id
    assert await store.write(message_storage.mark_read, "a", "b", last, 9)
    assert not await store.write(message_storage.mark_read, "a", "b", last, 9), "it was read before"
    assert await store.read(message_storage.unread_from, "a", 3) == [("Cleo", 5)]
    assert [one.read_at for one in await store.read(message_storage.messages_between, "a", "b", 9)] == [9, 9]
    await store.close()


async def test_what_is_unread_is_given_out_once_but_not_from_whom_one_has_blocked(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for by, text in (("b", "One"), ("c", "Two"), ("b", "Three")):
        assert await say(store, by, "a", text)
    await store.write(lobby_storage.put_block, "a", "c", 6)
    taken = await store.write(message_storage.take_unread, "a", 7)
    assert [(by.name, message.text) for by, message in taken] == [("Ben", "One"), ("Ben", "Three")]
    assert await store.write(message_storage.take_unread, "a", 8) == []
    await store.write(lobby_storage.remove_block, "a", "c")
    assert [by.name for by, _ in await store.write(message_storage.take_unread, "a", 9)] == ["Cleo"]
    await store.close()


async def test_only_so_many_wait_to_be_read_and_the_same_sent_twice_is_one(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for number in range(MAX_UNREAD):
        assert await say(store, "a", "b", f"no. {number}")
        assert await say(store, "a", "b", f"no. {number}"), "sent again by a page that got no answer"
    assert not await say(store, "a", "b", "one more")
    assert await say(store, "c", "b", "somebody else")
    assert len(await told(store, "a", "b")) == MAX_UNREAD
    await store.write(message_storage.take_unread, "b", 7)
    assert await say(store, "a", "b", "one more")
    await store.close()


async def test_the_oldest_messages_are_forgotten(tmp_path: Path) -> None:
    store = await opened(tmp_path)

    def work(connection: Connection) -> None:
        for number in range(MAX_KEPT + 2):
            message_storage.put_message(connection, "a", "b", f"no. {number}", 5, read=True)
        message_storage.put_message(connection, "c", "b", "hello", 5)

    await store.write(work)
    kept = await told(store, "b", "a", MAX_KEPT + 9)
    assert (len(kept), kept[0]) == (MAX_KEPT, "a: no. 2")
    assert await told(store, "b", "c") == ["c: hello"]
    await store.close()


async def test_people_know_each_other_once_one_has_written_or_made_the_other_a_friend(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    assert not await store.read(message_storage.are_acquainted, "a", "b")
    await store.write(player_storage.put_friend, "a", "b", 1)
    assert not await store.read(message_storage.are_acquainted, "a", "b"), "the other did not choose that"
    assert await store.read(message_storage.are_acquainted, "b", "a")
    assert await say(store, "a", "c", "Hello")
    assert await store.read(message_storage.are_acquainted, "c", "a")
    await store.close()


async def test_messages_go_with_the_account_of_either(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for by, to in (("a", "b"), ("b", "a"), ("c", "b")):
        assert await say(store, by, to, "Hello")
    await store.write(forget_account, "a", 9)
    assert [one.other.name for one in await store.read(message_storage.conversations_of, "b", 10)] == ["Cleo"]
    await store.close()
