"""Migrations create and change the SQL tables, and end with the program's own schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from barpoint.error import StoreError
from barpoint.server.storage import migration
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.server.storage.store import Store
from tests.support.databases import address
from tests.support.later_version import LATER, SUITABLE, later_migrations


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, METADATA))


def columns(connection: Connection) -> set[str]:
    return set(connection.execute(text("SELECT * FROM guest")).keys())


def tables(connection: Connection) -> dict[str, Any]:
    """All that the database says of its tables: columns, keys, indexes, constraints.

    Neither their order matters nor what the database itself calls keys and counters, since tables have been renamed.
    """
    found = inspect(connection)

    def told(one: Any) -> str:
        named = ("name", "duplicates_constraint")
        told = repr({key: str(value) for key, value in one.items() if key not in named})
        return re.sub(r"nextval\('\w+'", "nextval(", told)

    return {
        name: [
            sorted(f"{one['name']} {told(one)}" for one in found.get_columns(name)),
            *(
                sorted(map(told, keys(name)))
                for keys in (
                    found.get_indexes,
                    found.get_unique_constraints,
                    found.get_foreign_keys,
                    found.get_check_constraints,
                )
            ),
            told(found.get_pk_constraint(name)),
        ]
        for name in found.get_table_names()
    }


def add_step(folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = "pass", revision: str = LATER) -> None:
    """Adds another migration after the existing ones, as a later version of the program would."""
    monkeypatch.setattr(migration, "FOLDER", later_migrations(folder, more, revision))
    monkeypatch.setattr(migration, "HEAD", revision)


@pytest.mark.usefixtures("each_database")
async def test_the_steps_lead_to_the_tables_that_the_program_describes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migration, "create", lambda connection: migration.upgrade_to(connection, migration.HEAD))
    store = await Store.open(address(tmp_path))
    try:
        assert await store.read(differences) == [], "a change of schema.py needs a migration (CONTRIBUTING.md)"
    finally:
        await store.close()


@pytest.mark.usefixtures("each_database")
async def test_an_empty_database_gets_the_tables_to_which_the_steps_lead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [await Store.open(address(tmp_path))]
    monkeypatch.setattr(migration, "create", lambda connection: migration.upgrade_to(connection, migration.HEAD))
    made.append(await Store.open(address(tmp_path, "migrated")))
    try:
        at_once, by_steps = [await store.read(tables) for store in made]
        assert at_once == by_steps
        assert await made[0].read(migration.found_revision) == migration.HEAD
    finally:
        for store in made:
            await store.close()


def test_the_last_step_is_the_one_the_program_expects() -> None:
    assert migration.known_revisions()[0] == migration.HEAD


@pytest.mark.usefixtures("each_database")
async def test_an_older_database_is_brought_up_to_date_with_all_that_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(address(tmp_path))
    await store.write(
        lambda connection: connection.execute(text("INSERT INTO guest (id, name, created_at) VALUES ('a', 'Anna', 1)"))
    )
    await store.close()
    add_step(tmp_path, monkeypatch)
    store = await Store.open(address(tmp_path))
    assert "colour" in await store.read(columns)
    assert await store.read(lambda connection: connection.scalar(text("SELECT name FROM guest"))) == "Anna"
    await store.close()


async def test_a_file_is_copied_before_its_tables_are_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await (await Store.open(address(tmp_path))).close()
    add_step(tmp_path, monkeypatch)
    await (await Store.open(address(tmp_path))).close()
    monkeypatch.undo()
    copy = await Store.open(f"{address(tmp_path)}.{migration.HEAD}")
    assert "colour" not in await copy.read(columns)
    await copy.close()
    modes = {file.stat().st_mode & 0o777 for file in tmp_path.iterdir() if ".sqlite3" in file.name}
    assert modes == {0o600}, "both hold the key that signs cookies"


async def test_where_that_copy_cannot_be_made_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Store.open(address(tmp_path))).close()
    kept = Path(f"{address(tmp_path).removeprefix('sqlite:///')}.{migration.HEAD}")
    kept.mkdir()
    with monkeypatch.context() as later:
        add_step(tmp_path, later)
        with pytest.raises(StoreError, match=f"cannot copy the database to {kept} .*; nothing was changed"):
            await Store.open(address(tmp_path))
    store = await Store.open(address(tmp_path))
    assert await store.read(migration.found_revision) == migration.HEAD
    await store.close()


@pytest.mark.usefixtures("each_database")
async def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        add_step(tmp_path, later)
        await (await Store.open(address(tmp_path))).close()
    with pytest.raises(StoreError, match=f"revision {LATER}, this program knows them up to {migration.HEAD}"):
        await Store.open(address(tmp_path))


@pytest.mark.usefixtures("each_database")
async def test_a_newer_database_that_suits_this_program_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Store.open(address(tmp_path))).close()
    with monkeypatch.context() as later:
        add_step(tmp_path, later, revision=SUITABLE)
        await (await Store.open(address(tmp_path))).close()
    store = await Store.open(address(tmp_path))
    try:
        assert "colour" in await store.read(columns)
        assert await store.read(migration.found_revision) == SUITABLE
    finally:
        await store.close()


def test_a_revision_that_names_the_oldest_program_names_one_that_came_before_it() -> None:
    known = migration.known_revisions()
    for place, revision in enumerate(known):
        assert migration.oldest_program(revision) in ("", *map(migration.number, known[place + 1 :]))


def test_the_oldest_program_is_named_by_its_number_alone() -> None:
    assert migration.oldest_program("0047_since_0031") == "0031"
    assert migration.oldest_program("0047_since_0031_since_0024") == "0031"
    assert migration.oldest_program("0047") == ""


@pytest.mark.usefixtures("each_database")
async def test_a_step_that_fails_leaves_the_tables_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Store.open(address(tmp_path))).close()
    with monkeypatch.context() as later:
        add_step(tmp_path, later, more="op.execute('SELECT x FROM nowhere')")
        with pytest.raises(StoreError, match="nowhere"):
            await Store.open(address(tmp_path))
    store = await Store.open(address(tmp_path))
    assert "colour" not in await store.read(columns)
    await store.close()


async def test_tables_made_without_steps_are_refused(tmp_path: Path) -> None:
    store = await Store.open(address(tmp_path))
    await store.write(lambda connection: connection.execute(text("DROP TABLE alembic_version")))
    await store.close()
    with pytest.raises(StoreError, match="older than the first release"):
        await Store.open(address(tmp_path))
