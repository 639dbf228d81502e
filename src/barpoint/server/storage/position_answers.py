"""Answers of the engine about positions in the database, so that nothing is computed twice; a cache that may be dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, select

from barpoint.server.storage.database import count, insert_or_update
from barpoint.server.storage.schema.study import POSITION_ANSWER

MAX_ANSWERS: Final = 20_000
DROPPED_TOGETHER: Final = 2_000
"""Answers kept, and how many of the oldest go when there are more."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Identifies an answer. digest: of the position and what is at stake. kind: of the question."""

    digest: str
    kind: str
    net: str
    plies: int


def _same(key: AnswerKey) -> ColumnElement[bool]:
    table = POSITION_ANSWER.c
    return and_(table.digest == key.digest, table.kind == key.kind, table.net == key.net, table.plies == key.plies)


def answer(connection: Connection, key: AnswerKey) -> bytes | None:
    """The answer as JSON; None where there is none."""
    found = connection.scalar(select(POSITION_ANSWER.c.answer).where(_same(key)))
    return None if found is None else bytes(found)


def games(connection: Connection, key: AnswerKey) -> bytes | None:
    """The games of a rollout, from which it can go on; None where there are none."""
    found = connection.scalar(select(POSITION_ANSWER.c.games).where(_same(key)))
    return None if found is None else bytes(found)


def put(connection: Connection, key: AnswerKey, answer: bytes, now: int, games: bytes | None = None) -> None:
    """Stores an answer instead of an older one, and drops the oldest of all when there are too many."""
    values = {"digest": key.digest, "kind": key.kind, "net": key.net, "plies": key.plies}
    insert_or_update(connection, POSITION_ANSWER, values, made_at=now, answer=answer, games=games)
    if count(connection, POSITION_ANSWER) > MAX_ANSWERS:
        oldest = select(POSITION_ANSWER.c.made_at).order_by(POSITION_ANSWER.c.made_at).offset(DROPPED_TOGETHER).limit(1)
        connection.execute(delete(POSITION_ANSWER).where(POSITION_ANSWER.c.made_at < connection.scalar(oldest)))
