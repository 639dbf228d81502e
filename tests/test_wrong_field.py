"""What is said of JSON with a wrong field: what was found there, and what is allowed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.cli.protocol import EngineRequest
from barpoint.server.api.tournament_messages import TournamentQuery
from barpoint.server.protocol.chouettes import ChouetteRequest
from barpoint.server.protocol.matches import MatchRequest
from barpoint.wrong_field import wrong_field, wrong_json

RANK: dict[str, Any] = {"id": 1, "do": "rank", "position": "4HPwATDgc/ABMA"}
ACT: dict[str, Any] = {"do": "act", "id": "c1", "seq": 2}


def said(found: object, kind: Any = EngineRequest) -> str:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(found, kind)
    return wrong_field(error.value, found, kind)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (RANK | {"rol": [3, 1]}, "no field is called 'rol'; did you mean roll?"),
        (RANK | {"plies": 9}, "plies is 9; expected `int` <= 4"),
        (RANK | {"plies": "9"}, "plies is '9'; expected `int`, got `str`"),
        (RANK | {"stakes": {"away": [0, 1]}}, "stakes.away[0] is 0; expected `int` >= 1"),
        (RANK | {"stakes": {"lenght": 7}}, "no field in stakes is called 'lenght'; did you mean length?"),
        (RANK | {"stakes": {"owner": "me"}}, "stakes.owner is 'me'; allowed: them, us"),
        ({"id": 1, "do": "rank"}, "position is missing"),
        ({"id": 1, "do": "dance"}, "do is 'dance'; allowed: version, plays, evaluate, rank, cube, rollover, rollout, cancel"),
        ([], "this is []; expected `object`, got `array`"),
    ],
)  # fmt: skip
def test_a_field_is_named_with_its_value_and_what_is_allowed(found: object, expected: str) -> None:
    assert said(found) == expected


def test_an_event_that_does_not_exist_is_answered_with_those_that_do() -> None:
    assert said(ACT | {"event": {"kind": "dance"}}, MatchRequest).startswith(
        "event.kind is 'dance'; allowed: roll, play, rollover, keep, double"
    )


def test_where_a_field_may_be_empty_that_is_said_by_a_word() -> None:
    assert said({"stage": "foo"}, TournamentQuery) == "stage is 'foo'; allowed: nothing, cancelled, open, over, running"


def test_a_text_that_is_no_json_beyond_the_wrong_field_is_no_fault() -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.json.decode(b"[", type=MatchRequest)
    assert wrong_json(error.value, b"[", MatchRequest) == "Expected `object`, got `array`"


def test_what_is_shown_of_a_long_value_is_short() -> None:
    assert len(said(RANK | {"position": "x" * 10_000})) < 150


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(["id", "do", "position", "roll", "stakes", "plies", "event", "kind", "moves", "seq", "to"])
words = st.sampled_from(["rank", "act", "cube", "roll", "play", "join", "say", "x"])


@given(
    found=st.dictionaries(names, words | json_values | st.dictionaries(names, words | json_values)),
    kind=st.sampled_from([EngineRequest, MatchRequest, ChouetteRequest]),
)
def test_something_is_said_of_whatever_is_wrong(found: dict[str, Any], kind: Any) -> None:
    text = "nothing is wrong"
    try:
        msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        text = wrong_field(error, found, kind)
    assert text
