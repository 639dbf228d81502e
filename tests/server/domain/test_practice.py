"""When cards come again: grades from losses, and intervals by FSRS."""

from __future__ import annotations

import pytest
from msgspec import structs

from barpoint.server.domain.practice import GRADES, CardMemory, after_review, days_in_a_row, grade_of, intervals

NOW = 1_800_000_000_000
DAY_MS = 24 * 3600 * 1000


def test_the_grade_follows_from_the_loss_at_the_limits_of_the_marks() -> None:
    losses = (0.0, 0.0199, 0.02, 0.0399, 0.04, 1.5)
    assert [grade_of(loss) for loss in losses] == ["good", "good", "hard", "hard", "again", "again"]


def test_a_new_card_comes_again_after_days_that_grow_with_the_grade() -> None:
    assert intervals(CardMemory(NOW), NOW) == {"again": 1, "hard": 1, "good": 2, "easy": 8}


def test_a_card_that_is_known_comes_ever_later_and_one_that_is_forgotten_soon() -> None:
    memory, gaps = CardMemory(NOW), []
    for grade in ("good", "good", "good", "again"):
        after = after_review(memory, grade, memory.due_at)
        gaps.append((after.due_at - memory.due_at) / DAY_MS)
        memory = after
    assert gaps[0] < gaps[1] < gaps[2]
    assert gaps[3] < gaps[1]
    assert (memory.reviews, memory.lapses) == (4, 1)
    assert memory.difficulty is not None
    assert memory.difficulty > 5, "it has become a difficult one"


def test_a_better_grade_is_never_followed_by_an_earlier_time() -> None:
    known = after_review(CardMemory(NOW), "good", NOW)
    late = structs.replace(known, due_at=known.due_at - 20 * DAY_MS)
    for memory in (CardMemory(NOW), known, late):
        found = intervals(memory, NOW + 3 * DAY_MS)
        assert [found[grade] for grade in GRADES] == sorted(found.values())


@pytest.mark.parametrize(
    ("days", "streak"),
    [
        ("", 0),
        ("x", 1),
        ("xxxx", 4),
        ("xxx.", 3),
        ("xx..", 2),
        ("x...", 0),
        ("xx.xx", 4),
        ("xx..xx", 2),
        ("xx.xxxxx.xx", 7),
        ("xx.xxxxxx.xx", 10),
        ("x.xxxxxx.", 7),
    ],
)
def test_one_missed_day_in_seven_does_not_break_a_row_and_today_is_not_missed_yet(days: str, streak: int) -> None:
    """x: a day that counts, the last one is today."""
    done = [index for index, day in enumerate(days) if day == "x"]
    assert days_in_a_row(done, len(days) - 1) == streak
