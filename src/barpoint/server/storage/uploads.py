"""Uploaded files in the database: those that wait to be read, and of the last upload those that were refused or hold a position."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from barpoint.language import Said
from barpoint.record.collection import MatchFile
from barpoint.server.storage.database import count
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.schema.study import UPLOADED_FILE

MAX_NAME = 200

_WAITS: ColumnElement[bool] = UPLOADED_FILE.c.refused.is_(None)
"""That a file waits to be read."""

_NO_REASON = "[]"
"""In place of the reasons, where a file was read and holds a position: its data is then the text of that."""


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file of a person's last upload that was refused. why: for the file, or for each match of it that is not taken."""

    name: str
    why: tuple[Said, ...]


def put(
    connection: Connection, upload: str, guest_id: str, files: Iterable[MatchFile], until: int, limit: int
) -> list[int]:
    """Stores files to be read, and forgets what was refused and found before; returns their ids, in order. until: of the lease.

    Conflict if `limit` uploads of the person wait already.
    """
    waiting = select(func.count(UPLOADED_FILE.c.upload.distinct())).where(UPLOADED_FILE.c.guest_id == guest_id, _WAITS)
    if (connection.scalar(waiting) or 0) >= limit:
        raise Conflict("%(limit)s uploads of yours still wait to be read; try again when one is done", limit=limit)
    refused = and_(UPLOADED_FILE.c.guest_id == guest_id, UPLOADED_FILE.c.refused.is_not(None))
    connection.execute(delete(UPLOADED_FILE).where(refused))
    stored = []
    for file in files:
        packed, name = gzip.compress(file.data, 1), file.name[-MAX_NAME:]
        values = {"upload": upload, "guest_id": guest_id, "name": name, "data": packed, "leased_until": until}
        key = connection.execute(insert(UPLOADED_FILE).values(**values)).inserted_primary_key
        assert key is not None
        stored.append(int(key[0]))
    return stored


def renew(connection: Connection, uploads: Collection[str], until: int) -> None:
    """Keeps uploads for the process that reads them."""
    connection.execute(update(UPLOADED_FILE).where(UPLOADED_FILE.c.upload.in_(uploads)).values(leased_until=until))


def claim(connection: Connection, now: int, until: int) -> tuple[str, str] | None:
    """Takes up an upload whose process has ended: its id, and whose it is; None if there is none."""
    left = and_(UPLOADED_FILE.c.leased_until < now, _WAITS)
    found = connection.execute(select(UPLOADED_FILE.c.upload, UPLOADED_FILE.c.guest_id).where(left).limit(1)).first()
    if found is None:
        return None
    mine = update(UPLOADED_FILE).where(and_(left, UPLOADED_FILE.c.upload == found.upload))
    taken = connection.execute(mine.values(leased_until=until)).rowcount
    return (found.upload, found.guest_id) if taken else None


def waiting(connection: Connection, upload: str) -> list[int]:
    """The ids of the files of an upload that wait to be read, in order."""
    left = and_(UPLOADED_FILE.c.upload == upload, _WAITS)
    return list(connection.scalars(select(UPLOADED_FILE.c.id).where(left).order_by(UPLOADED_FILE.c.id)))


def get(connection: Connection, file_id: int) -> MatchFile | None:
    """A file that waits to be read; None if it does no longer."""
    chosen = select(UPLOADED_FILE.c.name, UPLOADED_FILE.c.data).where(UPLOADED_FILE.c.id == file_id, _WAITS)
    row = connection.execute(chosen).first()
    return MatchFile(row.name, gzip.decompress(row.data)) if row is not None else None


def finish(connection: Connection, file_id: int, why: tuple[Said, ...] = (), position: str = "") -> None:
    """Forgets a file that was read; keeps the reasons where some of it was refused, or the position that it holds, as text."""
    one = UPLOADED_FILE.c.id == file_id
    if why:
        said = msgspec.json.encode(why).decode()
        connection.execute(update(UPLOADED_FILE).where(one).values(refused=said, data=b""))
    elif position:
        packed = gzip.compress(position.encode(), 6)
        connection.execute(update(UPLOADED_FILE).where(one).values(refused=_NO_REASON, data=packed))
    else:
        connection.execute(delete(UPLOADED_FILE).where(one))


def state(connection: Connection, guest_id: str) -> tuple[int, list[RefusedFile]]:
    """How many files of a person wait, and which ones of the last upload were refused."""
    own = UPLOADED_FILE.c.guest_id == guest_id
    left = count(connection, UPLOADED_FILE, own, _WAITS)
    chosen = select(UPLOADED_FILE.c.name, UPLOADED_FILE.c.refused).where(own, UPLOADED_FILE.c.refused != _NO_REASON)
    rows = connection.execute(chosen.order_by(UPLOADED_FILE.c.id))
    return left, [RefusedFile(row.name, msgspec.json.decode(row.refused, type=tuple[Said, ...])) for row in rows]


def positions(connection: Connection, guest_id: str) -> list[tuple[str, str]]:
    """The files of a person's last upload that hold a position: the name of each, and the text."""
    found = and_(UPLOADED_FILE.c.guest_id == guest_id, UPLOADED_FILE.c.refused == _NO_REASON)
    chosen = select(UPLOADED_FILE.c.name, UPLOADED_FILE.c.data).where(found).order_by(UPLOADED_FILE.c.id)
    return [(row.name, gzip.decompress(row.data).decode()) for row in connection.execute(chosen)]
