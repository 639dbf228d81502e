"""The analysis board as an address: read, written, edited, and what the engine is asked about it."""

from __future__ import annotations

from dataclasses import replace as with_fields
from random import Random

import pytest
from msgspec.structs import replace

import barpoint as bp
from barpoint.board import BAR, HAND, OFF, Position
from barpoint.error import BarpointError, FormatError, StakesError
from barpoint.game import Cube
from barpoint.match import Match
from barpoint.moves import outcome
from barpoint.server.domain.analysis_board import (
    BoardAddress,
    BoardSetup,
    parse_address,
    path_of,
    query_of,
    setup_from_game,
    setup_from_situation,
    setup_of,
)
from barpoint.server.domain.board_edits import BoardEdit, edited

START = setup_of(BoardAddress())


def test_the_start_needs_no_fields() -> None:
    assert path_of(START) == "/analysis"
    assert START.position == bp.Rules().start
    assert (START.turn, START.cube, START.problem) == ("near", 1, "")


def test_an_address_holds_everything() -> None:
    fields = {
        "variant": "roll-over",
        "position": "4HPwATDgc/ABMA",
        "turn": "far",
        "roll": "3-1",
        "cube": "4",
        "owner": "near",
    }
    fields |= {"length": "7", "score": "2-6", "crawford": "1", "tokens": "1-0"}
    found = parse_address(fields)
    assert (found.rules.name, found.turn, found.faces) == ("roll-over", "far", (3, 1))
    assert (found.cube, found.owner, found.length, found.score) == (4, "near", 7, (2, 6))
    assert (found.crawford, found.tokens) == (True, (1, 0))
    assert (
        parse_address(dict(part.split("=") for part in query_of(found.address).replace("%2F", "/").split("&"))) == found
    )


@pytest.mark.parametrize("name", ["backgammon", "nackgammon", "acey-deucey", "plakoto", "hypergammon"])
def test_a_link_is_the_position(name: str) -> None:
    rules, random = bp.variant(name), Random(7)
    position = rules.start
    for number in range(40):
        faces = random.choice(rules.dice.rows).faces
        setup = BoardSetup(
            rules=rules,
            position=position,
            turn=random.choice(("near", "far")),
            faces=random.choice(((), faces)),
            cube=2 if rules.cube else 0,
            owner=random.choice(("", "near", "far")) if rules.cube else "",
            length=5,
            score=(3, 4) if number % 2 else (0, 0),
        )
        assert setup_of(setup.address) == setup
        play = random.choice(bp.legal_plays(rules, position, faces))
        if outcome(rules, play.next) is not None:
            break
        position = play.next


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"cube": "3"}, "power of two"),
        ({"cube": "x"}, "int"),
        ({"length": "3", "score": "3-0"}, "below its length"),
        ({"score": "1", "length": "3"}, "two numbers"),
        ({"roll": "71"}, "no roll"),
        ({"position": "short"}, "characters"),
        ({"variant": "chess"}, "chess"),
        ({"turn": "left"}, "turn"),
        ({"variant": "roll-over", "tokens": "5-0"}, "tokens"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_address_that_means_nothing_is_refused(fields: dict[str, str], said: str) -> None:
    with pytest.raises(BarpointError, match=said):
        parse_address(fields)


def test_what_means_nothing_under_the_rules_is_left_out() -> None:
    money = parse_address({"score": "1-2", "crawford": "1", "jacoby": "1", "owner": "near"})
    assert (money.score, money.crawford, money.jacoby, money.owner) == ((0, 0), False, True, "")
    match = parse_address({"length": "5", "score": "1-2", "crawford": "1", "jacoby": "1"})
    assert (match.crawford, match.jacoby) == (False, False), "nobody needs one point, and Jacoby is for money"


def test_the_engine_is_asked_for_the_player_to_act() -> None:
    setup = parse_address({"turn": "far", "length": "7", "score": "2-5", "cube": "2", "owner": "far", "roll": "31"})
    inquiry = setup.inquiry
    assert (inquiry.away, inquiry.owner, inquiry.faces) == ((2, 5), "us", (3, 1))
    other = edited(setup, BoardEdit("flip"))
    assert other.turn == "near"
    assert other.inquiry == inquiry, "seen from the other side of the table it is the same question"


def test_checkers_are_added_removed_and_carried() -> None:
    empty = edited(START, BoardEdit("clear"))
    assert empty.position.us.points[OFF] == empty.position.them.points[OFF] == 15
    assert empty.problem
    one = edited(empty, BoardEdit("add", "near", 6))
    assert (one.position.us.points[6], one.position.us.points[OFF]) == (1, 14)
    carried = edited(one, BoardEdit("move", "near", 6, BAR))
    assert (carried.position.us.points[6], carried.position.us.points[BAR]) == (0, 1)
    assert edited(carried, BoardEdit("remove", "near", BAR)).position == empty.position


def test_a_checker_put_on_the_other_side_s_point_takes_it() -> None:
    found = edited(edited(START, BoardEdit("remove", "near", 24)), BoardEdit("add", "near", 19))
    assert found.position.us.points[19] == 1
    assert (found.position.them.points[6], found.position.them.points[OFF]) == (0, 5)
    assert found.position.us.total == found.position.them.total == 15


def test_a_checker_that_is_not_there_cannot_be_taken() -> None:
    for edit, said in (
        (BoardEdit("add", "near", 5), "all 15 checkers"),
        (BoardEdit("remove", "near", 5), "no checker"),
        (BoardEdit("move", "far", HAND, 5), "hand"),
        (BoardEdit("move", "near", 6, HAND), "no checkers in the hand"),
    ):
        with pytest.raises(FormatError, match=said):
            edited(START, edit)


def test_a_single_checker_is_pinned_where_the_rules_pin() -> None:
    plakoto = parse_address({"variant": "plakoto"})
    rules = plakoto.rules
    one = edited(edited(plakoto, BoardEdit("clear")), BoardEdit("add", "far", 20))
    both = edited(one, BoardEdit("add", "near", rules.movement.meeting.other(20)))
    assert both.position.them.pinned == 1 << 20
    freed = edited(both, BoardEdit("remove", "near", rules.movement.meeting.other(20)))
    assert freed.position.them.pinned == 0


def test_a_roll_that_follows_is_the_one_to_play_until_something_is_changed() -> None:
    """Rulings 4.10."""
    rules = bp.variant("gul-bara")
    sides = bp.Side.of({24: 15}), bp.Side.of({24: 15})
    position = Position(with_fields(sides[0], owed=10), sides[1])  # row 9 is 4-4
    for turn, seen in (("near", position), ("far", position.flip())):
        found = BoardSetup(rules, seen, turn=turn, cube=0)
        assert (found.faces, found.of_actor, found.problem) == ((4, 4), position, "")
        assert setup_of(found.address) == found
        assert setup_of(replace(found.address, roll="55")).of_actor == Position(*sides)
        assert edited(found, BoardEdit("turn")).position == Position(*sides)
        assert edited(found, BoardEdit("move", turn, 24, 23)).of_actor.us == bp.Side.of({24: 14, 23: 1})


def test_an_id_is_read_and_written() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:2:4:0:7:10"
    setup = setup_from_situation(bp.parse_xgid(text), bp.Rules())
    assert (setup.turn, setup.faces, setup.owner, setup.score) == ("far", (6, 3), "far", (2, 4))
    assert bp.format_xgid(setup.situation) == text


def test_the_moment_of_a_match_is_seen_from_either_side() -> None:
    match = Match.start(5)
    game = replace(match.game, position=Position(START.position.us, START.position.them), player=1, cube=Cube(2, 1))
    match = replace(match, game=game, score=(3, 1))
    first, second = setup_from_game(match, 0), setup_from_game(match, 1)
    assert (first.turn, first.owner, first.score) == ("far", "far", (3, 1))
    assert (second.turn, second.owner, second.score) == ("near", "near", (1, 3))
    assert first.inquiry == second.inquiry


@pytest.mark.parametrize(
    ("length", "score", "shown"),
    [
        (99, (60, 58), (64, (25, 23))),
        (99, (98, 0), (64, (63, 0))),
        (200, (0, 150), (64, (0, 14))),
        (64, (60, 58), (64, (60, 58))),
        (7, (6, 2), (7, (6, 2))),
    ],
)
def test_of_a_longer_match_the_points_to_go_are_kept(
    length: int, score: tuple[int, int], shown: tuple[int, tuple[int, int]]
) -> None:
    moments = [setup_from_game(replace(Match.start(length), score=score), 0)]
    text = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{score[0]}:{score[1]}:0:{length}:10"
    moments.append(setup_from_situation(bp.parse_xgid(text), bp.Rules()))
    for setup in moments:
        assert (setup.length, setup.score) == shown
        assert setup_of(setup.address) == setup


def test_the_crawford_game_of_a_longer_match_stays_one() -> None:
    match = Match.start(99, first_score=(98, 0))
    assert match.crawford
    setup = setup_from_game(match, 1)
    assert (setup.score, setup.crawford, setup_of(setup.address).crawford) == ((0, 63), True, True)


def test_a_score_that_is_too_high_is_refused() -> None:
    with pytest.raises(StakesError, match="below its length"):
        setup_of(BoardAddress(length=3, score="0-3"))
