"""Practice: when a card is asked again, by FSRS, and which grade an answer gets from what it lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta, Struct

from barpoint.analysis.findings import DOUBTFUL, ERROR
from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest

if TYPE_CHECKING:
    from fsrs import Scheduler

CardGrade = Literal["again", "hard", "good", "easy"]
GRADES: Final[tuple[CardGrade, ...]] = ("again", "hard", "good", "easy")

CardKind = Literal["play", "double", "take"]
"""What a card asks for: a play, whether to double, whether to take."""

RETENTION: Final = 0.9
"""A card is asked again when it would be remembered so often."""

MAX_INTERVAL_DAYS: Final = 3650

EARLY_MS: Final = 8 * 3600 * 1000
"""A card counts as due so long before its time, so that whoever practises daily need not come later every day."""

SESSION: Final = 10
"""Cards of a session, unless more or fewer are asked for."""

MAX_SESSION: Final = 50

DRILLS_A_DAY: Final = 10
"""Answers to drills that make a day count."""

MISSED_EVERY: Final = 7
"""One missed day in so many does not break a row of days."""

MAX_DECK_NAME: Final = 60
MAX_DECKS: Final = 100
MAX_CARDS_OF_ACCOUNT: Final = 5000
MAX_CARDS_OF_GUEST: Final = 200
MAX_MADE_AT_ONCE: Final = 200
"""Cards made from mistakes in one request."""

MAX_COPIED: Final = 1000
"""Cards copied from a deck."""

DECK_ACTIONS: Final = ("share", "unshare", "copy", "remove")
"""What can be done with a deck."""

DeckName = Annotated[str, Meta(min_length=1, max_length=MAX_DECK_NAME)]


class PracticeFull(BarpointError):
    """A person has as many cards or decks as are kept for them."""


class CardMemory(Struct, frozen=True):
    """What FSRS knows of a card. due_at, reviewed_at: ms since 1970; reviewed_at is None for a new card.

    stability: days after which it is remembered 9 times in 10. difficulty: 1 to 10. lapses: how often it was forgotten.
    """

    due_at: int
    stability: float | None = None
    difficulty: float | None = None
    reviewed_at: int | None = None
    reviews: int = 0
    lapses: int = 0


@dataclass(frozen=True, slots=True)
class CardsHeld:
    """How many cards a deck holds. due: of them, seen before and to be asked now; fresh: never asked."""

    total: int
    due: int
    fresh: int


@dataclass(frozen=True, slots=True)
class PracticeStanding:
    """Where a person stands. due: cards to be asked now that were seen before. streak: days in a row."""

    due: int
    streak: int


def days_in_a_row(days: Iterable[int], today: int) -> int:
    """How many of these days are in a row up to today or, where today does not count yet, up to yesterday.

    A missed day adds nothing. It breaks the row only where another one of the six days after it was missed as well.
    """
    done, missed, row = set(days), None, 0
    day = today if today in done else today - 1
    while True:
        if day in done:
            row += 1
        elif missed is not None and missed - day < MISSED_EVERY:
            return row
        else:
            missed = day
        day -= 1


def grade_of(loss: float) -> CardGrade:
    """The grade of an answer: good below 0.020 lost, hard below 0.040, else again; easy is given by hand alone."""
    if loss >= ERROR:
        return "again"
    return "hard" if loss >= DOUBTFUL else "good"


def after_review(memory: CardMemory, grade: CardGrade, now: int) -> CardMemory:
    """The memory of a card after an answer. now: ms since 1970."""
    from fsrs import Card, Rating, State

    card = Card(
        card_id=1,
        state=State.Learning if memory.reviewed_at is None else State.Review,
        step=0 if memory.reviewed_at is None else None,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_moment(memory.due_at),
        last_review=None if memory.reviewed_at is None else _moment(memory.reviewed_at),
    )
    found, _log = _scheduler().review_card(card, Rating(1 + GRADES.index(grade)), _moment(now))
    forgot = grade == "again" and memory.reviewed_at is not None
    return CardMemory(
        due_at=now + round((found.due - _moment(now)) / timedelta(milliseconds=1)),
        stability=found.stability,
        difficulty=found.difficulty,
        reviewed_at=now,
        reviews=memory.reviews + 1,
        lapses=memory.lapses + forgot,
    )


def intervals(memory: CardMemory, now: int) -> dict[CardGrade, int]:
    """Days until the card would be asked again, by grade."""
    day_ms = 24 * 3600 * 1000
    return {grade: max(1, round((after_review(memory, grade, now).due_at - now) / day_ms)) for grade in GRADES}


def max_cards(person: Guest) -> int:
    """How many cards are kept for a person."""
    return MAX_CARDS_OF_ACCOUNT if person.registered else MAX_CARDS_OF_GUEST


@lru_cache(maxsize=1)
def _scheduler() -> Scheduler:
    """FSRS without steps of minutes: a card that was missed comes again in the same session, and then another day."""
    from fsrs import Scheduler

    return Scheduler(
        desired_retention=RETENTION,
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=MAX_INTERVAL_DAYS,
        enable_fuzzing=False,
    )


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
