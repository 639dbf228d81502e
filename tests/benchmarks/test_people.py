"""The comparison of levels with people: shares, ratings, and who stands beside whom."""

from math import log

import pytest

from barpoint.engine import levels
from barpoint.engine.people import AVERAGE_PR
from benchmarks.people import EDGES, HEAD, nearest, people, rating, row, shares
from training.seen_decisions import JudgedLoss, SeenMatch

LEVELS = [each for each in levels() if each.people]
LOSSES = tuple(JudgedLoss(0, "play", loss) for loss in (0.0, 0.0, 0.01, 0.05, 0.5))


def test_every_decision_is_in_one_column() -> None:
    assert shares(LOSSES) == pytest.approx([0.4, 0.2, 0.0, 0.2, 0.0, 0.2])
    assert len(shares(LOSSES)) == len(EDGES) + 1
    assert row("somebody", LOSSES).count("|") == HEAD.count("|")


def test_a_rating_has_its_error() -> None:
    assert rating(LOSSES).startswith("56.00 +- ")
    assert rating(LOSSES[:1]) == "-"


def test_people_stand_beside_the_level_nearest_by_ratio() -> None:
    assert [nearest(log(pr / AVERAGE_PR), LEVELS).name for pr in (40, 9.3, 9.5, 1)] == [
        "pr-20",
        "pr-8",
        "pr-11",
        "pr-4",
    ]
    found = people([SeenMatch(("Anna", "Ben"), LOSSES)], LEVELS)
    assert [len(found[each.name]) for each in LEVELS] == [5, 0, 0, 0, 0, 0]
    assert people([], LEVELS) == {}
