"""One reader for every notation of positions."""

from __future__ import annotations

import pytest

from barpoint.error import FormatError, PositionError
from barpoint.record import (
    GameState,
    IdFormat,
    Offer,
    Situation,
    format_gnuid,
    format_ogid,
    format_position,
    format_xgid,
    id_format,
    parse_id,
)
from barpoint.record.any_id import MAX_TEXT
from barpoint.variants import variant

START = variant("backgammon").start
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"
FIBS = (
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25"
    ":0:0:0:0:2:0:0:0"
)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("4HPwATDgc/ABMA", IdFormat.POSITION, Situation(START)),
        (" 4HPwATDgc/ABMA\n", IdFormat.POSITION, Situation(START)),
        ("GNUBG ID: 4HPwATDgc/ABMA", IdFormat.POSITION, Situation(START)),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", IdFormat.GNUID, Situation(START, jacoby=True)),
        ("GNUID=4HPwATDgc/ABMA:cAngAAAAAAAA, my first match", IdFormat.GNUID, Situation(START, length=7)),
        (
            "  GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                  Match ID   : cAngAAAAAAAA\n",
            IdFormat.GNUID,
            Situation(START, length=7),
        ),
        ("Position ID : 4HPwATDgc/ABMA", IdFormat.POSITION, Situation(START)),
        ("Pos: 4HPwATDgc/ABMA", IdFormat.POSITION, Situation(START)),
        ("look (4HPwATDgc/ABMA:cAngAAAAAAAA), here", IdFormat.GNUID, Situation(START, length=7)),
        ("4HPwATDgc/ABMA 4HPwATDgc/ABMA.", IdFormat.POSITION, Situation(START)),
        ("4HPwATDgc/ABMA is 4HPwATDgc/ABMA:cAngAAAAAAAA", IdFormat.GNUID, Situation(START, length=7)),
        ("characteristic: 4HPwATDgc/ABMA", IdFormat.POSITION, Situation(START)),
        (XGID, IdFormat.XGID, Situation(START, dice=(3, 1), length=7, score=(4, 2))),
        (f"Look at <b>{XGID}</b>, and {XGID}!", IdFormat.XGID, Situation(START, dice=(3, 1), length=7, score=(4, 2))),
        (XGID.removeprefix("XGID="), IdFormat.XGID, Situation(START, dice=(3, 1), length=7, score=(4, 2))),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N", IdFormat.OGID, Situation(START)),
        ("ogid=11ccccchhhjjjjj:66666888dddddoo:N0N:31:W", IdFormat.OGID, Situation(START, dice=(3, 1))),
        (FIBS, IdFormat.FIBS, Situation(START, dice=(6, 2), length=3)),
        (f"fibs says\n{FIBS}\n", IdFormat.FIBS, Situation(START, dice=(6, 2), length=3)),
    ],
)
def test_every_notation_is_recognised_and_read(text: str, kind: IdFormat, said: Situation) -> None:
    assert id_format(text) is kind
    assert parse_id(text) == said


@pytest.mark.parametrize("name", ["acey-deucey", "plakoto", "hypergammon"])
def test_positions_of_other_games_are_read_under_their_rules(name: str) -> None:
    rules = variant(name)
    written = format_position(rules.start)
    assert parse_id(written, rules.checkers).position == rules.start
    assert parse_id(f"what now, {written}?", rules.checkers).position == rules.start


@pytest.mark.parametrize("write", [format_gnuid, format_xgid, format_ogid])
def test_whatever_is_written_is_read(write) -> None:  # type: ignore[no-untyped-def]
    said = Situation(START, 0, 1, (), 4, 0, 9, (3, 5), offer=Offer.DOUBLE)
    assert parse_id(write(said)) == said


def fibs(turn: str, cube: str, may_double: str, doubled: str = "0", dice: str = "00") -> str:
    """The board line with these values."""
    values = FIBS.split(":")
    values[32], values[33:35], values[37], values[38:40], values[40] = turn, dice, cube, may_double, doubled
    return ":".join(values)


@pytest.mark.parametrize(
    ("line", "player", "actor", "owner"),
    [
        (fibs("1", "2", "11"), 1, 1, None),  # automatic doubles: both may double
        (fibs("1", "2", "10"), 1, 1, 1),
        (fibs("-1", "2", "01"), 0, 0, 0),
        (fibs("-1", "2", "01", doubled="1"), 0, 1, 0),
        (fibs("1", "2", "00"), 1, 0, 1),  # this player has doubled
        (fibs("1", "1", "00"), 1, 0, None),
        (fibs("1", "1", "00", dice="62"), 1, 1, None),  # a game without a cube
    ],
)
def test_a_fibs_board_says_who_owns_the_cube_and_who_answers(
    line: str, player: int, actor: int, owner: int | None
) -> None:
    said = parse_id(line)
    assert (said.player, said.actor, said.owner) == (player, actor, owner)
    assert said.offer is (Offer.NONE if player == actor else Offer.DOUBLE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty text"),
        ("hello, world", "'hello, world' is in no notation of positions; allowed: a GNU ID"),
        ("4HPwATDgc/ABM", "has 13 characters; a position ID has 14"),
        ("4HPwATDgc/ABMA:cAkAAAAAA", "has 14 and 9 characters around its colon; a GNU ID has 14 and 12"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4", "fields between colons: 7; an XGID has 10"),
        ("OGID=1:z:N0N", "black has a checker on 'z'"),
        ("board:a:b:3", "with 3 values; a board line is board: and 52 values"),
        (f"{XGID} XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:9:10", "2 different positions"),
        ("4HPwATDgc/ABM_", "in no notation"),
        ("4HPwATDgc/ABMA or 4PPgATDgc/ABMA", "2 different positions, the first is '4HPwATDgc/ABMA'; give one"),
        ("Position ID: 4HPwATDgc/ABMA, Position ID: 4PPgATDgc/ABMA", "2 different positions"),
        ("x" * (MAX_TEXT + 1), f"at most {MAX_TEXT} are read"),
    ],
)
def test_an_error_says_what_was_found_and_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "a characteristic position",
        "the AAAAAAAAAAAAAA file",  # nobody has a checker
        "ends with /4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:cAkAA is cut",
        "4HPwATDgc/ABMB has bits beyond its end",
        "~approximately 4 points",
    ],
)
def test_words_of_a_text_are_no_positions(text: str) -> None:
    with pytest.raises(FormatError, match="in no notation of positions"):
        parse_id(text)


def test_a_fibs_board_is_for_fifteen_checkers() -> None:
    with pytest.raises(PositionError, match="FIBS board is for 15 checkers a side; these rules have 3"):
        parse_id(FIBS, checkers=3)


def test_a_fibs_board_of_a_finished_game_says_so() -> None:
    assert parse_id(fibs("0", "1", "11")).state is GameState.OVER


def test_a_fibs_board_with_an_odd_cube_is_refused() -> None:
    with pytest.raises(FormatError, match="a cube of 3"):
        parse_id(fibs("1", "3", "11"))
