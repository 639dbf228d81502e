"""The days of practice in the database: which of them count, and how a person stands."""

from __future__ import annotations

from sqlalchemy import Connection, select

from barpoint.server.domain.practice import DRILLS_A_DAY, SESSION, CardGrade, PracticeStanding, days_in_a_row
from barpoint.server.storage.database import count, insert_where_absent
from barpoint.server.storage.practice import DAY_MS, CardSelection, StoredAnswer, due, review, session
from barpoint.server.storage.schema.practice import CARD_REVIEW, DRILL_ANSWER, PRACTICE_DAY


def _counts(connection: Connection, guest_id: str, day: int) -> bool:
    """Whether a day counts already."""
    return count(connection, PRACTICE_DAY, PRACTICE_DAY.c.guest_id == guest_id, PRACTICE_DAY.c.day == day) > 0


def note_day(connection: Connection, guest_id: str, day: int) -> None:
    """Notes that a day counts."""
    insert_where_absent(connection, PRACTICE_DAY, guest_id=guest_id, day=day)


def answer_card(
    connection: Connection,
    guest_id: str,
    card_id: str,
    grade: CardGrade,
    loss: float,
    answer: str,
    now: int,
    asked: CardSelection,
    known: int | None = None,
) -> StoredAnswer | None:
    """Stores an answer as `review` does, and lets the day count if it finishes a session: the tenth answer, or the last card.

    asked: the cards that the session is about.
    """
    stored, day = review(connection, guest_id, card_id, grade, loss, answer, now, known), now // DAY_MS
    own = (CARD_REVIEW.c.guest_id == guest_id, CARD_REVIEW.c.at >= day * DAY_MS)
    if (
        stored is not None
        and not _counts(connection, guest_id, day)
        and (count(connection, CARD_REVIEW, *own) >= SESSION or not session(connection, guest_id, asked, now, 1))
    ):
        note_day(connection, guest_id, day)
    return stored


def note_drill_answer(connection: Connection, guest_id: str, now: int) -> None:
    """Notes the day of an answer to a drill if there are enough of them."""
    day = now // DAY_MS
    own = (DRILL_ANSWER.c.guest_id == guest_id, DRILL_ANSWER.c.at >= day * DAY_MS)
    if not _counts(connection, guest_id, day) and count(connection, DRILL_ANSWER, *own) >= DRILLS_A_DAY:
        note_day(connection, guest_id, day)


def standing(connection: Connection, guest_id: str, now: int) -> PracticeStanding:
    """How many cards of a person are due, and how many days in a row they have practised."""
    days = connection.scalars(select(PRACTICE_DAY.c.day).where(PRACTICE_DAY.c.guest_id == guest_id))
    return PracticeStanding(due(connection, guest_id, now), days_in_a_row(days, now // DAY_MS))
