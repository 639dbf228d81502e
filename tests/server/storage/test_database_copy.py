"""Copies of whole databases, from each kind to each, hold the same and go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Connection, Float, Integer, LargeBinary, insert, select, text

from barpoint.error import StoreError
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.tournament_events import Form, Plan, TournamentStage
from barpoint.server.services import running
from barpoint.server.storage import audit, database, migration
from barpoint.server.storage.database_copy import copy_database
from barpoint.server.storage.schema.lobby import CHAT
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.server.storage.store import Store
from tests.support import databases
from tests.support.later_version import later_migrations
from tests.support.live_server import Clock
from tests.support.scripted_bots import ChanceBots
from tests.support.tournaments import NEVER_MS, Club, club

Rows = dict[str, list[tuple[Any, ...]]]

REFERRED = {key.column for table in METADATA.sorted_tables for key in table.foreign_keys}
"""Columns to which others refer."""

PAIRS = [("sqlite", "postgresql"), ("postgresql", "sqlite")]
"""Each kind as a source and as a target."""

ALIKE = [(kind, kind) for kind in ("sqlite", "postgresql")]


@pytest.fixture(
    params=[*PAIRS, *(pytest.param(pair, marks=pytest.mark.deep) for pair in ALIKE)],
    ids=["-to-".join(pair) for pair in (*PAIRS, *ALIKE)],
)
def pair(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The addresses of two empty databases; tests open servers on the first."""
    source, target = request.param
    monkeypatch.setattr(databases.BACKEND, "name", target)
    there = databases.address(tmp_path, "copy")
    monkeypatch.setattr(databases.BACKEND, "name", source)
    return databases.address(tmp_path), there


async def within(address: str, work: Callable[[Connection], Any]) -> Any:
    """What work returns for a database, in one transaction."""
    store = await Store.open(address)
    try:
        return await store.write(work)
    finally:
        await store.close()


def rows(connection: Connection) -> Rows:
    """Every row of every table."""
    found = {table.name: connection.execute(select(table)).all() for table in METADATA.sorted_tables}
    return {name: sorted((tuple(row) for row in lines), key=repr) for name, lines in found.items()}


def a_row_of_each_table(connection: Connection) -> None:
    """Fills every table with two rows of odd values: text of many alphabets, all bytes, the largest numbers, nulls."""
    for table in METADATA.sorted_tables:
        for number in (1, 2):
            values = {column.name: _value(column, number) for column in table.c}
            connection.execute(insert(table).values(**values))


def _value(column: Column[Any], number: int) -> Any:
    if column.nullable and number == 2:
        return None
    if isinstance(column.type, Boolean):
        return number == 1
    if isinstance(column.type, Float):
        return number / 3
    if isinstance(column.type, LargeBinary):
        return bytes(range(256))[: column.type.length] if number == 1 else b""
    if isinstance(column.type, Integer):
        return number
    length = getattr(column.type, "length", None) or 40
    return str(number) if column in REFERRED or column.foreign_keys else f"{number} ñ漢字 🎲\n'\"\\"[:length]


def deadlines(connection: Connection) -> list[int]:
    """When the clocks that run will be at zero."""
    running_out = select(MATCH.c.deadline_at).where(MATCH.c.deadline_at.is_not(None))
    return list(connection.scalars(running_out.order_by(MATCH.c.id)))


async def test_every_column_of_every_table_comes_through(pair: tuple[str, str]) -> None:
    source, target = pair
    await within(source, a_row_of_each_table)
    before = await within(source, rows)
    assert copy_database(source, target) == sum(len(lines) for lines in before.values())
    assert await within(target, rows) == before


async def test_a_tournament_in_progress_is_the_same_in_the_copy_and_is_played_to_its_end_there(
    pair: tuple[str, str], tmp_path: Path
) -> None:
    clock = Clock()
    async with club(tmp_path, clock) as first:
        plan = Plan("Wednesday", Form.SWISS, "backgammon", (1,), max_players=8, rounds=3, fee=5, rated=True)
        tournament_id = await first.announce(plan, 8)
        await first.services.tournaments.look()
        bouts = await first.open_bouts(tournament_id)
        await first.play(bouts[0])
        await first.arrive(bouts[1])  # its clocks run
        copy_database(*pair)  # while the server runs
        before, due = await first.services.store.read(rows), await first.services.store.read(deadlines)
    assert await within(pair[1], rows) == before
    assert due
    assert await within(pair[1], audit.differences) == []

    clock.now += 3_600_000
    settings = Settings(pair[1], bot_delay_ms=0, scheduler_ms=NEVER_MS)
    async with running(settings, SeededDice(), ChanceBots(), clock) as services:
        second = Club(services, clock, first.members)
        assert await services.store.read(deadlines) == [at + 3_600_000 for at in due], "clocks have stood still"
        known = await second.finish(tournament_id, Random(3))
        assert known.now.stage is TournamentStage.OVER
        await second.check()


async def test_new_rows_get_numbers_after_those_of_the_copy(pair: tuple[str, str]) -> None:
    await within(pair[0], a_row_of_each_table)
    copy_database(*pair)
    said = {"match_id": "1", "guest_id": "1", "text": "next", "at": 3}
    await within(pair[1], lambda connection: connection.execute(insert(CHAT).values(**said)))
    assert await within(
        pair[1], lambda connection: list(connection.scalars(select(CHAT.c.id).order_by(CHAT.c.id)))
    ) == [
        1,
        2,
        3,
    ]


async def test_nothing_is_copied_over_a_database_that_holds_something(pair: tuple[str, str]) -> None:
    source, target = pair
    await within(source, a_row_of_each_table)
    await within(
        target, lambda connection: connection.execute(text("INSERT INTO setting (name, value) VALUES ('a', 'b')"))
    )
    with pytest.raises(StoreError, match="holds tables already"):
        copy_database(source, target)
    assert sum(len(lines) for lines in (await within(target, rows)).values()) == 1


async def test_a_copy_that_fails_leaves_its_target_empty(
    pair: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = pair
    await within(source, a_row_of_each_table)
    with monkeypatch.context() as broken:
        broken.setattr("barpoint.server.storage.database_copy.insert", lambda _table: text("SELECT nothing"))
        with pytest.raises(
            StoreError, match=f"cannot copy {source.partition(':')[0]}:.* to {target.partition(':')[0]}:"
        ):
            copy_database(source, target)
    assert not (tmp_path / "copy.sqlite3").exists(), "nobody takes it for a backup"
    copy_database(source, target)
    assert await within(target, rows) == await within(source, rows)


async def test_an_empty_database_and_a_missing_file_are_refused(pair: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="empty" if "postgresql" in pair[0] else "there is no such file"):
        copy_database(*pair)
    assert not (tmp_path / "test.sqlite3").exists()


async def test_a_newer_database_is_refused(
    pair: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(migration, "FOLDER", later_migrations(tmp_path, "pass", "9999"))
        later.setattr(migration, "HEAD", "9999")
        await within(pair[0], lambda _connection: None)
    with pytest.raises(StoreError, match="revision 9999, this program knows them up to"):
        copy_database(*pair)


async def test_a_copy_keeps_the_revision_of_its_source_until_a_server_opens_it(
    pair: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await within(pair[0], a_row_of_each_table)
    head = migration.HEAD
    monkeypatch.setattr(migration, "FOLDER", later_migrations(tmp_path, "pass", "9999"))
    monkeypatch.setattr(migration, "HEAD", "9999")
    assert copy_database(*pair) > 0
    engines = database.engines(database.parse_address(pair[1]))
    with engines[1].connect() as connection:
        assert migration.found_revision(connection) == head
    database.close(*engines)
    assert await within(pair[1], migration.found_revision) == "9999"


async def test_a_backup_file_is_readable_by_its_owner_only(pair: tuple[str, str], tmp_path: Path) -> None:
    await within(pair[0], a_row_of_each_table)
    copy_database(pair[0], f"sqlite:///{tmp_path / 'backup.sqlite3'}")
    assert (tmp_path / "backup.sqlite3").stat().st_mode & 0o777 == 0o600
