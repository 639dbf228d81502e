"""What a cube decision says: the points of the market window only where they agree with what a search has found."""

from __future__ import annotations

import pytest

from barpoint.analysis.findings import CubeEquities
from barpoint.analysis.lesson import double_lesson


@pytest.mark.parametrize(
    ("action", "win", "agrees"),
    [
        ("no double", 0.60, True),
        ("no double", 0.624, False),
        ("double/take", 0.70, True),
        ("double/take", 0.60, False),
        ("double/pass", 0.80, True),
        ("double/pass", 0.75, False),
    ],
)
def test_shares_of_games_are_told_where_they_do_not_contradict_what_is_right(
    action: str, win: float, agrees: bool
) -> None:
    cube = CubeEquities(0.5, 0.6, 1.0, action, win, take=0.2, double=0.622, cash=0.78, too_good=0.9)
    said = double_lesson(cube)
    assert ("%" in said) == agrees
    assert said.startswith("No double" if action == "no double" else "Double")
    assert "equity +0.600 with a double, +0.500 without" in said
