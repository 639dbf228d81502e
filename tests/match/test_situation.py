"""What a situation refuses to describe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from barpoint.error import ArgumentError, StakesError
from barpoint.game import MAX_CUBE, Opening
from barpoint.match import Match
from barpoint.match.situation import GameState, Offer, Situation, match_at, situation_of
from barpoint.record import format_gnuid, format_ogid, format_xgid, parse_id, parse_xgid
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


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"cube": 3}, r"^cube of a situation is 3; allowed: powers of two up to 2\*\*62$"),
        ({"cube_limit": 0}, "^cube_limit of a situation is 0; allowed: powers of two"),
        ({"dice": None}, r"^dice of a situation is None; allowed: what the dice show, as in \(3, 1\), or \(\)$"),
        ({"dice": (0, 1)}, r"^dice of a situation is \(0, 1\)"),
        ({"score": 5}, "^score of a situation is 5; allowed: points from 0 of player 0 and player 1$"),
        ({"score": (9, 9), "length": 7}, "^score 9-9 in a match to 7 points that still goes on$"),
        ({"length": -1}, "^length of a situation is -1"),
        ({"offer": "x"}, "^offer of a situation is 'x'; allowed: none, double, beaver, raccoon$"),
        ({"resignation": 4}, "^resignation of a situation is 4; allowed: 0 to 3$"),
        ({"crawford": 1.5}, "^crawford of a situation is 1.5; allowed: True or False$"),
    ],
)
def test_a_situation_that_cannot_be_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(StakesError, match=says):
        Situation(Rules().start, **given)


def test_a_situation_is_of_a_position_and_its_numbers_are_plain() -> None:
    with pytest.raises(ArgumentError, match=r"position is None \(NoneType\); allowed: Position"):
        Situation(None)  # type: ignore[arg-type]
    named = Situation(Rules().start, offer="double", state="playing")  # type: ignore[arg-type]
    assert (named.offer, named.state) == (Offer.DOUBLE, GameState.PLAYING)
    assert format_gnuid(named) == format_gnuid(Situation(Rules().start, offer=Offer.DOUBLE))
    given = Situation(Rules().start, dice=np.array([1, 3]), cube=np.int64(4), score=[1, 2], length=5)  # type: ignore[arg-type]
    said = Situation(Rules().start, dice=(3, 1), cube=4, score=(1, 2), length=5)
    assert (given, hash(given), repr(given)) == (said, hash(said), repr(said))


@pytest.mark.parametrize("found", [None, Rules().start, "x"])
def test_only_games_and_matches_have_a_situation(found: Any) -> None:
    with pytest.raises(ArgumentError, match="allowed: Match, Game"):
        situation_of(found)


@pytest.mark.parametrize("write", [format_xgid, format_gnuid, format_ogid])
@pytest.mark.parametrize("length", [0, 5])
def test_no_limit_of_the_cube_is_the_same_in_every_id(write: Any, length: int) -> None:
    match = Match.start(length).apply(Opening((3, 1)))
    assert parse_id(write(match)) == situation_of(match)
    assert situation_of(match).cube_limit == MAX_CUBE
    assert format_xgid(match).endswith(":10")
