"""BGBlitz's files, written here as real ones are."""

from __future__ import annotations

import contextlib
import gzip
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.game import Accept, PlayMade, Resign, Roll
from barpoint.record import parse_bgf, parse_mat, read_match
from barpoint.record.transcriber import RAISES
from tests.support.smile import smile

GREEN, RED = -1, 1
START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0]


NO_PLAY = 7
DOUBLE, TAKE, PASS, END, DANCE, RESIGNATION = 1, 2, 3, 4, 5, 9


def move(player: int, dice: tuple[int, int], *steps: tuple[int, int], **more: Any) -> dict[str, Any]:
    sources, targets = ([*(step[part] for step in steps), -1, -1, -1, -1][:4] for part in (0, 1))
    return {"type": "amove", "player": player, "red": dice[0], "green": dice[1], "from": sources, "to": targets, **more}


def act(player: int, action: int) -> dict[str, Any]:
    return move(player, (action, NO_PLAY))


def cube(player: int, accepted: bool) -> list[dict[str, Any]]:
    return [act(player, DOUBLE), act(-player, TAKE if accepted else PASS)]


def document(*games: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "matchlen": 3, "nameGreen": "Anna", "nameRed": "Ben", "date": "2026-05-03", "finalGreen": 2, "finalRed": 0,
        "useCube": True, "useCrawford": True, "useJacoby": False,
        "games": [
            {"scoreGreen": 0, "scoreRed": 0, "wonPoints": 2, "initial": {"points": START, "cube": 1}, "moves": moves}
            for moves in games
        ], **more,
    }  # fmt: skip


EQ = {
    "equity": "0.16000000",
    "emg": "0.17000000",
    "myWins": "0.55000000",
    "myGammon": "0.15000000",
    "myBackGammon": "0.01000000",
    "oppGammon": "0.12000000",
    "oppBackGammon": "0.00000000",
}
"""Numbers are texts."""

GAME = [
    move(GREEN, (3, 1), (8, 5), (6, 5), moveAnalysis=[
        {"move": move(GREEN, (3, 1), (24, 23), (13, 10)), "eq": {"equity": "-0.10000000", "emg": "-999.00000000"}, "ply": 2, "played": False},
        {"move": move(GREEN, (3, 1), (8, 5), (6, 5)), "eq": EQ, "ply": 2, "played": True},
    ]),
    move(RED, (6, 4), (24, 18), (18, 14)),
    *cube(GREEN, True),
    move(GREEN, (2, 1), (13, 11), (6, 5)),
    *cube(RED, False),
    act(GREEN, END),
]  # fmt: skip
TEXT = """ 3 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
  3) 21: 13/11 6/5                Doubles => 4
  4)  Drops
      Wins 2 points
"""


def still_gzip(data: bytes) -> bytes:
    """gzip without the time in it, so that the names of tests are the same in every process."""
    return gzip.compress(data, mtime=0)


def file(
    content: dict[str, Any], pack: Callable[[bytes], bytes] = still_gzip, write: Callable[[Any], bytes] = smile
) -> bytes:
    return b'{"version":"1.0","compression":"gzip","encoding":"smile"}\n' + pack(write(content))


@pytest.mark.parametrize("pack", [still_gzip, zlib.compress, bytes])
@pytest.mark.parametrize("write", [smile, lambda content: json.dumps(content).encode()])
def test_a_match_is_read_as_match_text_says_it(pack: Callable[[bytes], bytes], write: Callable[[Any], bytes]) -> None:
    # Game of Anna, who wins 2 points when Ben's redouble is passed: she is the one who passes, so Ben wins
    data = file(document(GAME, finalGreen=0, finalRed=2), pack, write)
    book = read_match(data, suffix=".bgf", strict=True)
    expected = parse_mat(TEXT.replace("      Wins 2 points", "                                  Wins 2 points"))
    assert book.match.events == expected.match.events
    assert (book.match.score, book.players, book.played_on) == ((0, 2), ("Anna", "Ben"), "2026-05-03")
    found = book.annotations[2].plays
    assert [(play.text, play.equity, play.level) for play in found] == [
        ("8/5 6/5", 0.17, "2-ply"),
        ("24/23 13/10", -0.1, "2-ply"),
    ]
    assert found[0].chances == (0.55, 0.15, 0.01, 0.12, 0.0)


def test_a_resignation_is_a_record_of_its_own() -> None:
    book = parse_bgf(file(document([GAME[0], act(RED, RESIGNATION), act(GREEN, END)])), strict=True)
    assert book.match.events[-2:] == (Resign(1, 2), Accept(0))
    assert book.match.score == (2, 0)


def test_the_last_game_of_a_session_pays_what_the_score_shows() -> None:
    data = document([GAME[0], act(RED, RESIGNATION), act(GREEN, END)], matchlen=0, finalGreen=3)
    data["games"][0]["wonPoints"] = 0
    assert parse_bgf(file(data), strict=True).match.score == (3, 0)


def test_a_session_with_beavers_says_so() -> None:
    terms = [parse_bgf(file(document([], matchlen=0, useBeaver=beaver))).match.terms for beaver in (True, False)]
    assert [term.beavers for term in terms] == [RAISES, 0]


def test_an_action_that_is_not_known_ends_what_is_read_of_the_game() -> None:
    found = parse_bgf(file(document([GAME[0], act(RED, 6), GAME[1]], finalGreen=None)))
    assert [str(oddity) for oddity in found.oddities] == [
        "ply 2: a roll of 6-7; each shows 1 to 6; the rest of this game is left out, but for its result"
    ]


def test_a_roll_without_a_play_is_read_by_its_dice() -> None:
    danced = act(RED, DANCE) | {"from": [6, -1, -1, -1], "to": [4, -1, -1, -1], "dancingEquity": {"equity": "-1.0"}}
    found = parse_bgf(file(document([GAME[0], danced], finalGreen=None)))
    rolled, played = found.match.events[2:4]
    assert isinstance(played, PlayMade)
    assert (rolled, played) == (Roll(1, (6, 4)), PlayMade(1, (), played.position, illegal=True))
    assert found.oddities


def test_a_checker_that_was_carried_backwards_is_kept_as_an_illegal_play() -> None:
    found = parse_bgf(file(document([GAME[0], move(RED, (2, 1), (6, 8), (8, 7))], finalGreen=None)))
    assert found.match.events[3].moves == ((6, 8, 1), (8, 7, 1))
    assert [str(oddity) for oddity in found.oddities] == [
        "ply 2: '6/8' does not move towards off; kept as an illegal play"
    ]


def test_facts_are_read() -> None:
    book = parse_bgf(file(document(GAME, event="Club night", site="Galaxy", round="")))
    assert book.facts == {"Event": "Club night", "Site": "Galaxy", "EventDate": "2026-05-03"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"RGMH", "does not begin with a line of JSON"),
        (b"{}\n" + still_gzip(b":)\n\x03\xf8\xf9"), "an object was expected"),
        (b"{}\n[1", "no match in this file"),
        (file({"games": []}), "no match in this file: KeyError"),
        (file(document(matchlen=-1)), "allowed: 0 to 9999"),
        (file(document([move(0, (3, 1), (8, 5))])), "player 0; allowed: 1 and -1"),
        (file(document(games=[{"scoreGreen": 0, "scoreRed": 0, "initial": {"points": [1, *START[1:]]}, "moves": []}])), "somebody has set up"),
    ],
)  # fmt: skip
def test_what_is_no_match_is_refused_with_the_reason(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_bgf(data)


WHOLE = file(document(GAME), bytes)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-30, 30) | st.text(max_size=3),
    lambda one: st.lists(one, max_size=3),
    max_leaves=4,
)
PLACES = ("player", "red", "green", "from", "to", "equity", "moveAnalysis", "dancingEquity")


@given(st.integers(0, len(WHOLE) - 1), st.binary(max_size=6), st.integers(0, 12))
def test_a_damaged_file_is_read_or_refused(place: int, put: bytes, cut: int) -> None:
    with contextlib.suppress(FormatError):
        parse_bgf(WHOLE[:place] + put + WHOLE[place + cut :])


@given(st.lists(st.tuples(st.integers(0, len(GAME) - 1), st.sampled_from(PLACES), JSON), max_size=3), JSON)
def test_records_with_anything_in_them_are_read_or_refused(changes: list[tuple[int, str, Any]], final: Any) -> None:
    moves = [dict(one) for one in GAME]
    for index, name, value in changes:
        moves[index][name] = value
    with contextlib.suppress(FormatError):
        parse_bgf(file(document(moves, finalGreen=final), bytes))
