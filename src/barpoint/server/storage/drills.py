"""Answers to drills in the database, and what they add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, case, func, select

from barpoint.server.storage.database import columns_of, insert_where_absent, values_of
from barpoint.server.storage.practice import DAY_MS, PracticeDay
from barpoint.server.storage.practice_days import note_drill_answer
from barpoint.server.storage.schema.practice import DRILL_ANSWER

LATEST: Final = 50
"""Answers of a drill that its present level is taken from."""


@dataclass(frozen=True, slots=True)
class DrillAnswer:
    """An answer. question: its id. off: how far from the truth. ms: how long it took."""

    question: str
    drill: str
    at: int
    right: bool
    off: float
    ms: int


@dataclass(frozen=True, slots=True)
class DrillSum:
    """Answers to a drill added up. right: a count. off: the mean. ms: the mean."""

    answers: int
    right: int
    off: float
    ms: float


def put(connection: Connection, guest_id: str, answer: DrillAnswer) -> bool:
    """Stores an answer, the tenth of a day makes that count; False if the question was answered before."""
    if not insert_where_absent(connection, DRILL_ANSWER, guest_id=guest_id, **values_of(DRILL_ANSWER, answer)):
        return False
    note_drill_answer(connection, guest_id, answer.at)
    return True


def find(connection: Connection, guest_id: str, question: str) -> DrillAnswer | None:
    """A person's answer to a question."""
    own = DRILL_ANSWER.c.guest_id == guest_id, DRILL_ANSWER.c.question == question
    row = connection.execute(select(*columns_of(DRILL_ANSWER, DrillAnswer)).where(*own)).first()
    return DrillAnswer(*row) if row else None


def sums(connection: Connection, guest_id: str) -> dict[str, DrillSum]:
    """The latest answers to each drill, added up."""
    table = DRILL_ANSWER.c
    rank = func.row_number().over(partition_by=table.drill, order_by=table.at.desc()).label("rank")
    latest = select(table.drill, table.right, table.off, table.ms, rank).where(table.guest_id == guest_id).subquery()
    of = latest.c
    right = func.sum(case((of.right, 1), else_=0))
    chosen = select(of.drill, func.count(), right, func.avg(of.off), func.avg(of.ms)).where(of.rank <= LATEST)
    rows = connection.execute(chosen.group_by(of.drill))
    return {row[0]: DrillSum(int(row[1]), int(row[2]), float(row[3]), float(row[4])) for row in rows}


def progress(connection: Connection, guest_id: str, drill: str, since: int) -> list[PracticeDay]:
    """The days on which a person answered a drill, oldest first; `loss` is the mean distance. since: ms since 1970."""
    table = DRILL_ANSWER.c
    day = (table.at // DAY_MS).label("day")
    right = func.sum(case((table.right, 1), else_=0))
    own = (table.guest_id == guest_id, table.drill == drill, table.at >= since)
    rows = connection.execute(
        select(day, func.count(), right, func.avg(table.off)).where(*own).group_by(day).order_by(day)
    )
    return [PracticeDay(int(row[0]), int(row[1]), int(row[2]), float(row[3])) for row in rows]
