"""Stored settings of players by FIBS clients, on SQLite and on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert

from barpoint.server.domain.accounts import Account
from barpoint.server.domain.guests import Guest
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import fibs as fibs_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.schema.results import RATING
from barpoint.server.storage.store import Store
from tests.support.databases import address

pytestmark = pytest.mark.usefixtures("each_database")

NAMES = {"a": "Anna", "b": "Ben B", "c": "Carl"}


async def opened(folder: Path) -> Store:
    """A database with three accounts."""
    store = await Store.open(address(folder))
    for person_id, name in NAMES.items():
        person, account = Guest(person_id, name), Account(person_id, name, "x")
        await store.write(lambda c, person=person: guest_storage.put_guest(c, person, 1))
        await store.write(lambda c, account=account: account_storage.put_account(c, account, ()))
    return store


async def test_an_account_is_found_with_underscores_for_blanks(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for typed, found in {"anna": "Anna", "Ben_B": "Ben B", "ben b": "Ben B", "Dora": None, "": None}.items():
        account = await store.read(lambda c, typed=typed: fibs_storage.account_named(c, typed))
        assert (account.name if account else None) == found
    assert await store.read(lambda c: guest_storage.get_guest(c, "b")) == Guest("b", "Ben B", registered=True)
    await store.close()


async def test_what_was_set_is_there_at_the_next_visit(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    assert await store.read(lambda c: fibs_storage.last_visit(c, "a")) == fibs_storage.Visit()
    await store.write(lambda c: fibs_storage.note_login(c, "a", "{}", 10))
    await store.write(lambda c: fibs_storage.put_preferences(c, "a", '{"bell":true}'))
    await store.write(lambda c: fibs_storage.note_logout(c, "a", 20))
    await store.write(lambda c: fibs_storage.note_login(c, "a", "{}", 30))
    assert await store.read(lambda c: fibs_storage.last_visit(c, "a")) == fibs_storage.Visit('{"bell":true}', 30, 20)
    await store.close()


async def test_places_in_the_ratings_are_those_of_one_pool(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    for person_id, pool, value in (
        ("a", "backgammon", 1490.0),
        ("b", "backgammon", 1510.0),
        ("c", "nackgammon", 1700.0),
    ):
        row = {"guest_id": person_id, "pool": pool, "value": value, "experience": 7}
        glicko = {"glicko": 1500.0, "deviation": 350.0, "volatility": 0.06, "matches": 1}
        await store.write(lambda c, row=row, glicko=glicko: c.execute(insert(RATING).values(**row, **glicko)) and None)
    best = await store.read(lambda c: fibs_storage.ranked(c, "backgammon", 1, 20))
    assert [(one.rank, one.person.name, one.value) for one in best] == [(1, "Ben B", 1510.0), (2, "Anna", 1490.0)]
    assert [one.rank for one in await store.read(lambda c: fibs_storage.ranked(c, "backgammon", 2, 2))] == [2]
    mine = await store.read(lambda c: fibs_storage.rank_of(c, "backgammon", "a"))
    assert mine is not None
    assert (mine.rank, mine.experience) == (2, 7)
    assert await store.read(lambda c: fibs_storage.rank_of(c, "backgammon", "c")) is None
    await store.close()
