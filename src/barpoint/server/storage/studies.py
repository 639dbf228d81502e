"""Studies in the database: whose they are, their trees, and what readers answered."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, and_, case, delete, insert, select, update

from barpoint.server.domain.studies import MAX_STUDIES, StudyFull, StudyTree
from barpoint.server.storage.database import count, fields_from, insert_where_absent, values_of
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import GUEST
from barpoint.server.storage.schema.studies import STUDY_ANSWER, STUDY_TREE


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study. owner: the name of the person. version: counts its changes. changed_at: ms since 1970."""

    id: str
    guest_id: str
    owner: str
    tree: StudyTree
    version: int
    changed_at: int


@dataclass(frozen=True, slots=True)
class StudyAnswer:
    """A reader's first answer to a position. answer: a play, or a cube action in English. loss: 0 where it is as good as the best."""

    node: int
    at: int
    answer: str
    loss: float


@dataclass(frozen=True, slots=True)
class ReaderAnswer:
    """Somebody's answer to a position. name: "" for guests."""

    guest_id: str
    name: str
    node: int
    answer: str
    loss: float


MAX_ANSWERS: Final = 5000
"""Answers that the results of a study count, the latest ones."""

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
    drop_answers(connection, guest_id, study_id)
    return connection.execute(delete(STUDY_TREE).where(own)).rowcount == 1


def drop_answers(connection: Connection, guest_id: str, study_id: str | None = None) -> None:
    """Deletes what readers answered in a study of a person, or in all of them."""
    own = select(STUDY_TREE.c.id).where(STUDY_TREE.c.guest_id == guest_id)
    if study_id is not None:
        own = own.where(STUDY_TREE.c.id == study_id)
    connection.execute(delete(STUDY_ANSWER).where(STUDY_ANSWER.c.study_id.in_(own)))


def put_answer(connection: Connection, study_id: str, guest_id: str, answer: StudyAnswer) -> bool:
    """Stores an answer; False if the reader has answered the position already."""
    values = values_of(STUDY_ANSWER, answer)
    return insert_where_absent(connection, STUDY_ANSWER, study_id=study_id, guest_id=guest_id, **values)


def answers_of(connection: Connection, study_id: str, guest_id: str) -> list[StudyAnswer]:
    """What a reader answered in a study."""
    own = and_(STUDY_ANSWER.c.study_id == study_id, STUDY_ANSWER.c.guest_id == guest_id)
    return [StudyAnswer(**fields_from(row, StudyAnswer)) for row in connection.execute(select(STUDY_ANSWER).where(own))]


def answers_to(connection: Connection, study: StoredStudy, nodes: Collection[int]) -> list[ReaderAnswer]:
    """What everybody but its owner answered to these positions of a study, the latest answer first."""
    table, name = STUDY_ANSWER.c, case((ACCOUNT.c.id.is_(None), ""), else_=GUEST.c.name)
    chosen = select(table.guest_id, name, table.node, table.answer, table.loss)
    joined = chosen.join(GUEST, GUEST.c.id == table.guest_id).outerjoin(ACCOUNT, ACCOUNT.c.id == table.guest_id)
    found = joined.where(table.study_id == study.id, table.guest_id != study.guest_id, table.node.in_(nodes))
    rows = connection.execute(found.order_by(table.at.desc(), table.guest_id, table.node).limit(MAX_ANSWERS))
    return [ReaderAnswer(*row) for row in rows]
