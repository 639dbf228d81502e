"""What a situation refuses to describe."""

from __future__ import annotations

from typing import Any

import pytest

from barpoint.error import StakesError
from barpoint.match.situation import Situation
from barpoint.rules import Rules


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
