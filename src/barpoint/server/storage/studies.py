"""Studies in the database: whose they are, and their trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, and_, delete, insert, select, update

from barpoint.server.domain.studies import MAX_STUDIES, StudyFull, StudyTree
from barpoint.server.storage.database import count
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.schema.matches import GUEST
from barpoint.server.storage.schema.studies import STUDY_TREE


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study. owner: the name of the person. version: counts its changes. changed_at: ms since 1970."""

    id: str
    guest_id: str
    owner: str
    tree: StudyTree
    version: int
    changed_at: int


_FOUND: Final = select(STUDY_TREE, GUEST.c.name.label("owner")).join(GUEST, GUEST.c.id == STUDY_TREE.c.guest_id)


def _stored(row: Row[Any]) -> StoredStudy:
    tree = msgspec.json.decode(row.tree, type=StudyTree)
    return StoredStudy(row.id, row.guest_id, row.owner, tree, row.version, row.changed_at)


def _text(tree: StudyTree) -> str:
    return msgspec.json.encode(tree).decode()


def study(connection: Connection, study_id: str) -> StoredStudy | None:
    """The study with that id, whoever's it is."""
    row = connection.execute(_FOUND.where(STUDY_TREE.c.id == study_id)).first()
    return None if row is None else _stored(row)


def studies_of(connection: Connection, guest_id: str) -> list[StoredStudy]:
    """A person's studies, the one changed last first."""
    rows = connection.execute(
        _FOUND.where(STUDY_TREE.c.guest_id == guest_id).order_by(STUDY_TREE.c.changed_at.desc(), STUDY_TREE.c.id)
    )
    return [_stored(row) for row in rows]


def put_study(connection: Connection, study_id: str, guest_id: str, tree: StudyTree, now: int) -> None:
    """Stores a new study; StudyFull if the person has too many."""
    if count(connection, STUDY_TREE, STUDY_TREE.c.guest_id == guest_id) >= MAX_STUDIES:
        raise StudyFull("you have %(count)s studies; remove one to make another", count=MAX_STUDIES)
    values = {"id": study_id, "guest_id": guest_id, "tree": _text(tree), "version": 1, "created_at": now}
    connection.execute(insert(STUDY_TREE).values(**values, changed_at=now))


def change_study(connection: Connection, before: StoredStudy, tree: StudyTree, now: int) -> None:
    """Stores a study after an edit; Conflict if it was changed meanwhile."""
    same = and_(STUDY_TREE.c.id == before.id, STUDY_TREE.c.version == before.version)
    changed = update(STUDY_TREE).where(same).values(tree=_text(tree), version=before.version + 1, changed_at=now)
    if connection.execute(changed).rowcount != 1:
        raise Conflict("this study was changed meanwhile; load it again")


def drop_study(connection: Connection, guest_id: str, study_id: str) -> bool:
    """Deletes a study; False if the person has no such study."""
    own = and_(STUDY_TREE.c.id == study_id, STUDY_TREE.c.guest_id == guest_id)
    return connection.execute(delete(STUDY_TREE).where(own)).rowcount == 1
