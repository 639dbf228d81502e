"""What a database must be to be opened: writable, with room for every name; and no password is shown of one that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from barpoint.error import StoreError
from barpoint.server.storage.database_copy import copy_database
from barpoint.server.storage.store import Store
from tests.support import databases


@pytest.mark.parametrize("wrong", ["postgresql:/u:secret@host/x", "postgresql://u:secret@host:port/x"])
async def test_no_password_is_shown_of_an_address_that_cannot_be_had(wrong: str) -> None:
    with pytest.raises(StoreError, match=r"u:\*\*\*@host") as refused:
        await Store.open(wrong)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_a_database_that_cannot_hold_every_name_is_refused(encoding: str, tmp_path: Path) -> None:
    server, name = databases.postgres(), f"of_{encoding}"
    server.execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
    address = f"postgresql://postgres@/{name}?host={server.folder}"
    with pytest.raises(StoreError, match=f"has the encoding {encoding}; allowed: UTF8"):
        await Store.open(address)
    await (await Store.open(f"sqlite:///{tmp_path / 'full.sqlite3'}")).close()
    with pytest.raises(StoreError, match=f"has the encoding {encoding}; allowed: UTF8"):
        copy_database(f"sqlite:///{tmp_path / 'full.sqlite3'}", address)


async def test_a_file_that_cannot_be_written_is_refused_with_what_it_needs(tmp_path: Path) -> None:
    await (await Store.open(f"sqlite:///{tmp_path / 'full.sqlite3'}")).close()
    (tmp_path / "folder").mkdir()
    needed = (
        "folder: unable to open database file; whoever runs this must be able to write to the file and to its folder"
    )
    with pytest.raises(StoreError, match=needed):
        await Store.open(f"sqlite:///{tmp_path / 'folder'}")
    with pytest.raises(StoreError, match=needed):
        copy_database(f"sqlite:///{tmp_path / 'full.sqlite3'}", f"sqlite:///{tmp_path / 'folder'}")
