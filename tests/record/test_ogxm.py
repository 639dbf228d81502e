"""Files of OpenGammon's match format, written by its own library from what it documents of itself."""

from __future__ import annotations

import builtins
from typing import Any

import ogxm
import pytest

from barpoint.error import FormatError
from barpoint.game import Accept, Beaver, Double, Opening, Pass, PlayMade, Raccoon, Resign, Take
from barpoint.match import MatchTerms
from barpoint.record import ogxm_reader, parse_mat, parse_ogid, parse_ogxm, read_match

WHITE, BLACK = 1, 0
"""The colours of plies; the winner of a game is 0 for white and 1 for black."""

WHITE_31 = {"color": WHITE, "action_id": 2, "moves": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}]}
BLACK_31 = {"color": BLACK, "action_id": 2, "moves": [{"from": 8, "pips": 3}, {"from": 6, "pips": 1}]}
"""White's points are counted from black's end: its 8 point is 17."""

DOUBLE, TAKE, DROP, RESIGN, BEAVER, RACCOON = 21, 22, 23, 27, 32, 33


def act(color: int, action: int, **more: Any) -> dict[str, Any]:
    return {"color": color, "action_id": action, **more}


def file(*games: dict[str, Any], **more: Any) -> bytes:
    made: bytes = ogxm.json_to_binary(
        {"player_white": "Anna", "player_black": "Ben", "match_length": 3, "games": list(games), **more}
    )
    return made


def test_a_match_is_read_as_match_text_says_it() -> None:
    data = file(
        {
            "plies": [WHITE_31, act(BLACK, DOUBLE), act(WHITE, TAKE), BLACK_31, act(WHITE, DOUBLE), act(BLACK, DROP)],
            "winner": 0,
            "points_won": 2,
        },
        {"plies": [BLACK_31], "is_crawford": True},
        crawford=True,
        event="Club",
        city="Paris",
    )
    text = """ 3 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Takes                      31: 8/5 6/5
  3)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 Anna : 2                        Ben : 0
  1)                             31: 8/5 6/5
"""
    found = parse_ogxm(data, strict=True)
    assert found.match == parse_mat(text, strict=True).match
    assert (found.players, found.facts) == (("Anna", "Ben"), {"Event": "Club", "Site": "Paris"})


def test_it_is_read_by_its_suffix() -> None:
    assert read_match(file({"plies": [WHITE_31]}), suffix=".ogxm").match.events[0] == Opening((3, 1))


def test_money_with_beavers_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library of today does not write them, so this is a document as it describes it."""
    plies = [
        WHITE_31 | {"d1": 1, "d2": 3},
        act(BLACK, DOUBLE),
        act(WHITE, BEAVER),
        act(BLACK, RACCOON),
        act(WHITE, TAKE),
    ]
    games = [{"plies": [*plies, act(WHITE, RESIGN, resign_value="single")], "winner": 1, "points_won": 8}]
    document = {"match_length": 0, "jacoby": True, "beavers": True, "games": games}
    monkeypatch.setattr(ogxm_reader, "_document", lambda _: document)
    match = parse_ogxm(b"", strict=True).match
    assert match.terms == MatchTerms(0, crawford=False, jacoby=True, beavers=2)
    assert [type(event) for event in match.events[2:6]] == [Double, Beaver, Raccoon, Take]
    assert isinstance(match.events[-2], Resign)
    assert match.score == (0, 8)


def test_a_game_that_is_given_up_pays_what_the_file_says() -> None:
    plies = [WHITE_31, BLACK_31, act(WHITE, RESIGN, resign_value=2)]
    match = parse_ogxm(file({"plies": plies, "winner": 1, "points_won": 2}), strict=True).match
    assert [type(event) for event in match.events[-2:]] == [Resign, Accept]
    assert match.score == (0, 2)


def test_a_player_who_cannot_move_has_a_roll_without_steps() -> None:
    assert ogxm_reader._move(1, 25, 3) == (25, 22, 3)
    assert ogxm_reader._move(0, 0, 3) == (25, 22, 3)
    assert ogxm_reader._move(0, 22, 6) == (3, 0, 6)
    found = parse_ogxm(file({"plies": [WHITE_31, BLACK_31 | {"moves": []}]}))
    assert [str(oddity) for oddity in found.oddities] == [
        "ply 2: no play of 3-1, although there is one; kept as an illegal play"
    ]


def test_an_illegal_play_is_kept_and_told_with_the_number_of_its_ply() -> None:
    odd = act(BLACK, 2, moves=[{"from": 8, "pips": 3}])
    found = parse_ogxm(file({"plies": [WHITE_31, odd]}))
    assert [str(oddity) for oddity in found.oddities] == [
        "ply 2: the play is not finished: a 1 can still be played; kept as an illegal play"
    ]
    with pytest.raises(FormatError):
        parse_ogxm(file({"plies": [WHITE_31, odd]}), strict=True)


def test_a_record_that_begins_later_begins_at_its_score() -> None:
    found = parse_ogxm(file({"plies": [WHITE_31]}, white_score_start=1))
    assert found.match.score == (1, 0)


@pytest.mark.parametrize("data", [b"", b"OGXM", b"OGXM" + bytes(60), file({"plies": [WHITE_31]})[:-9], b"RGMH" * 20])
def test_what_is_no_such_file_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="no OGXM file"):
        parse_ogxm(data)


@pytest.mark.parametrize("games", [[1], 1, [{"plies": [1]}], [{"plies": [], "auto_doubles": 1e400}], [{}]])
def test_a_document_of_another_shape_is_refused(games: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ogxm_reader, "_document", lambda _: {"match_length": 0, "games": games})
    with pytest.raises(FormatError, match="no match in this file"):
        parse_ogxm(b"")


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "ogxm":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(FormatError, match=r"pip install 'barpoint\[ogxm\]'"):
        parse_ogxm(b"OGXM")


def test_a_passed_double_ends_the_game() -> None:
    match = parse_ogxm(
        file({"plies": [WHITE_31, act(BLACK, DOUBLE), act(WHITE, DROP)], "winner": 1, "points_won": 1})
    ).match
    assert isinstance(match.events[-1], Pass)
    assert match.score == (0, 1)


@pytest.mark.parametrize("marker", [{"action_id": 24}, {"action_id": 26}, act(WHITE, 25)])
def test_the_end_of_a_game_may_be_marked(marker: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The library gives no colour to such plies, and to some that of the winner."""
    plies = [WHITE_31 | {"d1": 1, "d2": 3}, act(BLACK, RESIGN), marker]
    document = {"match_length": 3, "games": [{"plies": plies, "winner": 0, "points_won": 1}]}
    monkeypatch.setattr(ogxm_reader, "_document", lambda _: document)
    assert parse_ogxm(b"", strict=True).match.score == (1, 0)


def test_colours_are_those_of_its_positions() -> None:
    """The library says after each ply where the checkers stand; the first field of an OGID is white's."""
    (ply,) = ogxm.binary_to_json(file({"plies": [BLACK_31]}))["games"][0]["plies"]
    (played,) = (event for event in parse_ogxm(file({"plies": [BLACK_31]})).match.events if isinstance(event, PlayMade))
    after = parse_ogid(ply["ogid_after"])
    assert (after.player, played.player) == (0, 1)
    assert played.position is not None
    assert after.position.them.points == played.position[0][: len(after.position.them.points)]
