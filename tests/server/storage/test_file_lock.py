"""An SQLite file belongs to one server: no second one serves it, and nobody changes its tables under it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from barpoint.error import StoreError
from barpoint.server.live.administration import Admin
from barpoint.server.storage import migration
from barpoint.server.storage.file_lock import HeldElsewhere, holding
from barpoint.server.storage.store import Store
from tests.support.later_version import later_migrations
from tests.support.machine import PATIENCE_S

SERVE = [sys.executable, "-c", "from barpoint.cli import main; main()", "serve", "--port", "0", "--database"]


def test_an_sqlite_file_belongs_to_one_server_until_it_stops(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
    with holding(database), holding(f"sqlite:///{tmp_path / 'other.sqlite3'}"):
        with pytest.raises(HeldElsewhere, match="another server runs on"), holding(database):
            pass
        with holding("postgresql://host/name"), holding("postgresql://host/name"):
            pass
    with holding(database):
        pass


def test_a_file_that_cannot_be_made_beside_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "club.sqlite3.lock").mkdir()
    with (
        pytest.raises(StoreError, match=r"club\.sqlite3\.lock: Is a directory"),
        holding(f"sqlite:///{tmp_path}/club.sqlite3"),
    ):
        pass


def test_a_second_server_changes_nothing_of_the_file_of_the_first(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'club.sqlite3'}"
    with holding(database):
        refused = subprocess.run([*SERVE, database], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert refused.returncode == 2
    assert "another server runs on" in refused.stderr
    assert not (tmp_path / "club.sqlite3").exists()


async def test_a_command_of_a_newer_version_leaves_the_tables_of_a_running_server_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"sqlite:///{tmp_path / 'club.sqlite3'}"
    await (await Store.open(database)).close()
    with holding(database):
        assert await Admin(database, 0).accounts() == []
        with monkeypatch.context() as later:
            later.setattr(migration, "FOLDER", later_migrations(tmp_path, revision="9999"))
            later.setattr(migration, "HEAD", "9999")
            with pytest.raises(StoreError, match="a server of an older version runs on this database"):
                await Admin(database, 0).accounts()
    store = await Store.open(database)
    assert await store.read(migration.found_revision) == migration.HEAD
    await store.close()
    monkeypatch.setattr(migration, "FOLDER", later_migrations(tmp_path, revision="9999"))
    monkeypatch.setattr(migration, "HEAD", "9999")
    assert await Admin(database, 0).accounts() == [], "once it is stopped"
