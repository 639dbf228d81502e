"""What a situation refuses to describe."""

from __future__ import annotations

from typing import Any

import pytest

from barpoint.error import StakesError
from barpoint.match.situation import Situation, match_at
from barpoint.record import format_xgid, parse_xgid
from barpoint.rules import Rules


def test_a_match_goes_on_with_the_cube_limit_of_its_situation() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:3"
    match = match_at(parse_xgid(text))
    assert match.terms.cube_limit == 8
    assert format_xgid(match) == text


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({"player": 2}, "0 or 1"),
        ({"actor": -1}, "0 or 1"),
        ({"player": None}, "0 or 1"),
        ({"owner": 5}, "0, 1 or None"),
    ],
)
def test_players_are_0_and_1(given: dict[str, Any], allowed: str) -> None:
    ((name, found),) = given.items()
    with pytest.raises(StakesError, match=f"{name} of a situation is {found}; allowed: {allowed}$"):
        Situation(Rules().start, **given)
