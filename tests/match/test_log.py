"""The log of a match as JSON: there and back, and nothing else is read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from barpoint import dice
from barpoint.driver import next_event
from barpoint.error import FormatError
from barpoint.game import Accept, PlayMade, Resign, event_from_dict, event_to_dict
from barpoint.game.event import KINDS, Opening, Roll, Settle, position_of
from barpoint.match import Match, log_of_payloads, read_log, write_log
from barpoint.rules import RULES_VERSION
from tests.support.games import AnythingAllowed, session_with_highest_cube


def played(name: str, events: int = 60, **options: bool | int) -> Match:
    match = Match.start(rules=name, **options)
    players, numbers = (AnythingAllowed(1), AnythingAllowed(2)), dice.seeded(3)
    while len(match.events) < events and not match.over:
        match = match.apply(next_event(match, players, numbers))
    return match


@pytest.mark.parametrize("name", ["backgammon", "roll-over+duodecagammon(include_3_3)", "acey-deucey", "plakoto"])
def test_a_log_there_and_back_is_the_match(name: str):
    match = played(name, length=5)
    assert read_log(write_log(match)) == read_log(write_log(match), audit=True) == match


def test_a_money_log_keeps_its_terms():
    match = played("backgammon", length=0, jacoby=True, beavers=2, stake=25)
    assert read_log(write_log(match)).terms == match.terms


def test_the_highest_cube_and_its_points_are_kept_exactly():
    """D-12."""
    match = session_with_highest_cube()
    assert read_log(write_log(match)).game.cube.value == 2**62
    won = match.apply(Resign(1, 3)).apply(Accept(0))
    assert read_log(write_log(won)).score == (3 * 2**62, 0)
    settled = match.apply(Settle(2**62 + 1))
    assert read_log(write_log(settled)).score == (2**62 + 1, 0)


def test_a_log_names_its_rules_terms_and_version():
    found = json.loads(write_log(played("roll-over", length=3, crawford=False)))
    assert (found["rules"], found["rules_version"]) == ("roll-over", RULES_VERSION)
    assert found["terms"] == {"length": 3, "crawford": False}
    assert found["events"][0]["kind"] == "opening"


def test_every_recorded_play_keeps_its_position():
    match = played("backgammon", length=3)
    plays = [event for event in match.events if isinstance(event, PlayMade)]
    assert len(plays) > 10
    for event in plays:
        assert event.position is not None
        assert position_of(event.position).us.total == 15


def log() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(write_log(played("backgammon", 6, length=3)))
    return found


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rules": "gamon"}, "no variant"),
        ({"rules": "nackgammon+hypergammon"}, "differently"),
        ({"rules_version": RULES_VERSION + 1}, "rules version"),
        ({"version": 2}, "version"),
        ({"format": "other"}, "format"),
        ({"more": 1}, "unknown field"),
        ({"terms": {"length": 3, "jacoby": True}}, "money play only"),
        ({"terms": {"length": 3, "colour": 1}}, "unknown field"),
        ({"events": [{"kind": "nothing"}]}, "nothing"),
        ({"events": [{"kind": "roll", "player": 0, "faces": [3, 1]}]}, "event 0"),
        ({"events": [{"kind": "opening", "faces": [3, 1], "position": None}]}, "unknown field"),
        ({"events": [{"kind": "opening", "faces": [3]}]}, "length 2"),
        ({"events": "none"}, "array"),
    ],
)
def test_what_is_not_the_log_of_a_match_is_refused_with_the_reason(change: dict[str, object], says: str):
    with pytest.raises(FormatError, match=says):
        read_log(json.dumps(log() | change))


def test_a_log_of_values_inside_each_other_is_refused():
    with pytest.raises(FormatError, match="no log of a match"):
        read_log(b'{"rules":"backgammon","events":[{"kind":' + b"[" * 100_000)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", "[]", "null", "1" * 5000, b'{"rules": "backgammon"}'])
def test_text_that_is_no_log_is_refused(text: bytes):
    with pytest.raises(FormatError):
        read_log(text)


def test_an_audit_finds_a_play_against_the_rules_that_a_replay_takes():
    found = log()
    [first] = [event for event in found["events"] if event["kind"] == "play"][:1]
    first["moves"] = [[24, 23, 1]]
    read_log(json.dumps(found))
    with pytest.raises(FormatError, match="cannot be replayed"):
        read_log(json.dumps(found), audit=True)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("change", [(6, 40), (3, 2), (25, 16)])
def test_a_play_that_keeps_an_impossible_position_is_refused(side: int, change: tuple[int, int]):
    found = log()
    index, play = next((index, event) for index, event in enumerate(found["events"]) if event["kind"] == "play")
    point, checkers = change
    play["position"][side][point] += checkers
    with pytest.raises(FormatError, match=f"event {index}: the position after this play"):
        read_log(json.dumps(found))


def test_a_log_of_rules_without_a_name_is_not_written():
    match = played("backgammon", length=3)
    with pytest.raises(FormatError, match="have no name"):
        write_log(structs.replace(match, rules=replace(match.rules, cube=False)))


# ---------------------------------------------------------------- events


@pytest.mark.parametrize("kind", KINDS, ids=KINDS.values())
def test_every_event_there_and_back_is_the_same(kind: type):
    fields = {"player": 1, "level": 2, "roll_id": 7, "points": 1.5, "moves": ((8, 5, 3),), "faces": (5, 3)}
    event = kind(**{name: value for name, value in fields.items() if name in kind.__struct_fields__})  # type: ignore[attr-defined]
    found = event_to_dict(event)
    assert found["kind"] == KINDS[kind]
    assert event_from_dict(json.loads(json.dumps(found))) == event


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        {},
        {"kind": "roll"},
        {"kind": "roll", "player": 2},
        {"kind": "roll", "player": "0"},
        {"kind": "roll", "player": 0, "faces": [0, 1]},
        {"kind": "roll", "player": 0, "faces": [1] * 9},
        {"kind": "resign", "player": 0, "level": 4},
        {"kind": "play", "player": 0, "moves": [[1, 2]]},
        {"kind": "play", "player": 0, "moves": [[27, 2, 1]]},
        {"kind": "play", "player": 0, "moves": [[8, 5, 3]] * 65},
        {"kind": "play", "player": 0, "moves": [[10**30, 5, 3]]},
        {"kind": "rollover", "player": 0, "throw": 10**12},
        {"kind": "settle", "points": 1e300},
        {"kind": "keep", "player": 0, "more": 1},
    ],
)
def test_what_is_no_event_is_refused(found: object):
    with pytest.raises(FormatError, match="no event"):
        event_from_dict(found)


def test_what_is_at_its_default_is_not_written():
    assert event_to_dict(Roll(0)) == {"kind": "roll", "player": 0}
    assert event_to_dict(Settle(2)) == {"kind": "settle", "points": 2}


def test_a_log_put_together_from_the_json_of_its_events_is_the_same_log():
    match = Match.start(3, "roll-over").apply(Opening((3, 1)))
    payloads = [json.dumps(event_to_dict(event), separators=(",", ":")) for event in match.events]
    assert log_of_payloads(match.rules, match.terms, payloads) == write_log(match)
