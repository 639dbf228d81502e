"""Answers to positions of the day in the database, one a person, and how everybody answered."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from barpoint.server.storage.database import fields_from, insert_where_absent, values_of
from barpoint.server.storage.practice import DAY_MS
from barpoint.server.storage.practice_days import note_day
from barpoint.server.storage.schema.practice import DAILY_ANSWER


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """An answer. day: since 1970. question: the key of the decision. answer: a play, or a cube action in English. off: what it loses."""

    day: int
    question: str
    at: int
    answer: str
    right: bool
    off: float


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """How many persons gave an answer. off: what it loses."""

    answer: str
    persons: int
    off: float


def put(connection: Connection, guest_id: str, answer: DailyAnswer) -> bool:
    """Stores an answer, and lets its day count for practice if it is that of the position; False if there is one already."""
    if not insert_where_absent(connection, DAILY_ANSWER, guest_id=guest_id, **values_of(DAILY_ANSWER, answer)):
        return False
    if answer.at // DAY_MS == answer.day:
        note_day(connection, guest_id, answer.day)
    return True


def find(connection: Connection, guest_id: str, day: int, question: str) -> DailyAnswer | None:
    """A person's answer to the position of a day."""
    table = DAILY_ANSWER.c
    own = (table.guest_id == guest_id, table.day == day, table.question == question)
    row = connection.execute(select(DAILY_ANSWER).where(*own)).first()
    return None if row is None else DailyAnswer(**fields_from(row, DailyAnswer))


def shares(connection: Connection, day: int, question: str) -> list[AnswerShare]:
    """How everybody answered the position of a day, the most frequent answer first."""
    table = DAILY_ANSWER.c
    persons = func.count()
    chosen = select(table.answer, persons, func.max(table.off)).where(table.day == day, table.question == question)
    rows = connection.execute(chosen.group_by(table.answer).order_by(persons.desc(), table.answer))
    return [AnswerShare(row[0], int(row[1]), float(row[2])) for row in rows]


def answered_since(connection: Connection, guest_id: str, day: int) -> dict[tuple[int, str], bool]:
    """Whether a person's answers to the positions of the days from one on were right, by day and question."""
    table = DAILY_ANSWER.c
    chosen = select(table.day, table.question, table.right).where(table.guest_id == guest_id, table.day >= day)
    return {(int(row.day), row.question): bool(row.right) for row in connection.execute(chosen)}
