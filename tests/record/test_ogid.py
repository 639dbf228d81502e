"""OpenGammon's IDs. Positions and fields follow HedgeHog's description; samples are compared where they are."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from barpoint.board import Position, Side
from barpoint.error import FormatError, PositionError
from barpoint.match import Match
from barpoint.record import GameState, Offer, Situation, format_ogid, parse_ogid, parse_xgid
from barpoint.variants import variant
from tests.support.samples import SAMPLES, needs_samples

PAIRS = SAMPLES / "xgid_ogid_pairs.tsv"
START = variant("backgammon").start
BOARD = "11ccccchhhjjjjj:66666888dddddoo"


def test_the_player_who_acted_last_is_named_and_the_other_one_is_to_act() -> None:
    said = parse_ogid(f"{BOARD}:N0N:13:B:R:0:0:0:0")
    assert said == Situation(START, player=0, actor=0, dice=(3, 1))


def test_white_makes_the_first_roll_where_nobody_has_rolled_yet() -> None:
    assert parse_ogid("OGID=11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0") == Situation(
        START, player=0, actor=0, length=1
    )


def test_whoever_is_offered_a_double_must_act() -> None:
    said = parse_ogid(f"{BOARD}:N0O::W:D:2:4:7C:12")
    assert (said.player, said.actor, said.offer, said.cube, said.owner) == (0, 1, Offer.DOUBLE, 1, None)
    assert (said.length, said.score, said.crawford) == (7, (2, 4), True)


def test_the_two_sides_have_their_bars_at_the_two_ends() -> None:
    said = parse_ogid("0j:5pp:B3N:64:W")
    assert said.position == Position(Side.of({5: 1, 25: 2, 0: 12}), Side.of({25: 1, 6: 1, 0: 13}))
    assert (said.cube, said.owner, said.player) == (8, 1, 1)


def test_fields_that_are_absent_say_money_and_black_to_act() -> None:
    assert parse_ogid(f"{BOARD}:N0N") == Situation(START)


def test_a_checker_that_is_borne_off_may_be_written() -> None:
    assert parse_ogid("1q:oq:N0N").position.us == Side.of({24: 1, 0: 14})


def test_the_last_field_is_the_number_of_checkers() -> None:
    rules = variant("hypergammon")
    text = format_ogid(rules.start)
    assert text == "OGID=123:mno:N0N::W::0:0:0:0:3"
    assert parse_ogid(text, rules.checkers).position == rules.start
    with pytest.raises(PositionError, match="3 checkers a side; these rules have 15"):
        parse_ogid(text)


def test_a_game_that_is_over_says_so() -> None:
    assert parse_ogid(f"{BOARD}:N0P::W:P:1:0:7:3").state is GameState.DROPPED
    assert parse_ogid(f"{BOARD}:N0N::W:RG:7:0:7:3").state is GameState.RESIGNED
    assert parse_ogid(f"{BOARD}:N0N::W:M:7:0:7:3").state is GameState.OVER


def test_a_cube_of_any_value_is_written() -> None:
    said = Situation(START, cube=1 << 40, owner=0)
    assert parse_ogid(format_ogid(said)) == said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "fields between colons: 1; an OGID has 3 to 11"),
        (":::::::::::", "fields between colons: 12; an OGID has 3 to 11"),
        ("1z:o:N0N", "white has a checker on 'z'"),
        ("p:o:N0N", "the other player's bar"),
        ("1:0:N0N", "the other player's bar"),
        ("1:o:X0N", "cube"),
        ("1:o:N63N", "cube"),
        ("1:o:N0N:70", "dice"),
        ("1:o:N0N:6", "dice"),
        ("1:o:N0N::X", "colour"),
        ("1:o:N0N::W:QQ", "state"),
        ("1:o:N0N::W::x", "White's score"),
        ("1:o:N0N::W::7:0:7", "score 7-0"),
        ("1:o:N0N::W::0:0:7D", "match length"),
    ],
)
def test_what_is_no_ogid_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_ogid(text)


def test_too_many_checkers_are_refused() -> None:
    with pytest.raises(PositionError, match="16 checkers"):
        parse_ogid("1111111111111111:o:N0N")


def test_what_an_ogid_cannot_express_is_refused() -> None:
    with pytest.raises(FormatError, match="hand"):
        format_ogid(variant("acey-deucey").start)
    with pytest.raises(FormatError, match="beaver"):
        format_ogid(Situation(START, offer=Offer.BEAVER))
    with pytest.raises(FormatError, match="roll 9"):
        format_ogid(Situation(START, dice=(9,)))


def test_a_match_has_an_ogid() -> None:
    assert format_ogid(Match.start(length=5)) == f"OGID={BOARD}:N0N::B::0:0:5:0"


@needs_samples
def test_real_ogids_say_what_the_xgids_of_the_same_positions_say() -> None:
    """The program that wrote them named the player to act in the fifth field, not the one who had acted."""
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        fields = row["ogid"].split(":")
        fields[4] = "W" if fields[4] == "B" else "B"
        said = parse_ogid(":".join(fields))
        assert replace(parse_xgid(row["xgid"]), cube_limit=said.cube_limit) == said
        assert parse_ogid(format_ogid(said)) == said
    assert len(rows) >= 18
