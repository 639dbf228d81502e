"""One reader for every notation of positions."""

from __future__ import annotations

from typing import Any

import pytest

from barpoint.error import ArgumentError, FormatError, PositionError
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
    parse_gnuid,
    parse_id,
    parse_ogid,
    parse_position,
    parse_xgid,
)
from barpoint.record.any_id import MAX_TEXT, decoded_text
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


def test_the_number_of_checkers_is_given_where_it_is_not_fifteen() -> None:
    rules = variant("hypergammon")
    assert parse_id("AACgAgAAKgAAAA", checkers=3).position == parse_id("AACgAgAAKgAAAA", rules.checkers).position
    assert parse_id("AACgAgAAKgAAAA", rules.checkers).position.us.points[0] == 0
    assert parse_id("AACgAgAAKgAAAA").position.us.points[0] == 12


@pytest.mark.parametrize("parse", [parse_id, parse_gnuid, parse_xgid, parse_ogid, parse_position])
@pytest.mark.parametrize("checkers", [variant("hypergammon"), "3", None, 3.0])
def test_a_number_of_checkers_that_is_none_is_refused(parse: Any, checkers: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^checkers is .*; allowed: int$"):
        parse("4HPwATDgc/ABMA", checkers)


@pytest.mark.parametrize("name", ["acey-deucey", "plakoto", "backgammon"])
def test_the_gnu_id_of_any_game_is_read_alone_and_in_a_text(name: str) -> None:
    situation = Situation(variant(name).start, player=0, actor=0, length=5)
    text = format_gnuid(situation)
    assert id_format(text) is IdFormat.GNUID
    assert parse_id(text) == parse_id(f"look ({text}), here") == situation


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABMA cAngAAAAAAAA",
        "4HPwATDgc/ABMA : cAngAAAAAAAA",
        "4HPwATDgc/ABMA:\n  cAngAAAAAAAA\n",
        "4HPwATDgc/ABMA\r\ncAngAAAAAAAA",
        "4HPwATDgc/ABMA==:cAngAAAAAAAA",
    ],
)
def test_a_match_id_counts_however_it_is_set_apart(text: str) -> None:
    assert parse_id(text) == parse_gnuid(text) == Situation(START, length=7)
    assert parse_id(f"GNUBG ID: {text}") == parse_id(f"look ({text.strip()}), here") == Situation(START, length=7)


def test_a_match_id_counts_in_an_address_and_behind_the_padding_of_the_position() -> None:
    assert parse_id("https://x.org/?id=4HPwATDgc%2FABMA%3AcAngAAAAAAAA&b=1") == Situation(START, length=7)
    assert parse_id("Position ID: 4HPwATDgc/ABMA== Match ID: cAngAAAAAAAA") == Situation(START, length=7)


@pytest.mark.parametrize("text", ["4HPwATDgc/ABMA==", "4HPwATDgc/ABMA professional", "4HPwATDgc/ABMA : white, 31"])
def test_padding_and_words_behind_a_position_are_no_match_id(text: str) -> None:
    assert parse_id(text) == Situation(START)


BLEMISHED = [
    XGID.replace(":", " : "),
    XGID.replace(":", ": "),
    XGID.replace("=", ": "),
    XGID.replace("=", " = "),
    f"`{XGID}`",
    f"> {XGID}\n",
    XGID.replace("=", "%3D").replace(":", "%3a"),
    *(XGID[:cut] + "\r\n" + XGID[cut:] for cut in range(5, len(XGID))),
    *(XGID[:cut] + " \n> " + XGID[cut:] for cut in range(5, len(XGID))),
]


@pytest.mark.parametrize("text", BLEMISHED)
def test_an_xgid_is_read_as_mails_and_pages_show_it(text: str) -> None:
    expected = Situation(START, dice=(3, 1), length=7, score=(4, 2))
    assert parse_id(f"Hello,\n{text}\nwhat now?") == parse_id(text) == expected
    assert text.startswith(">") or parse_xgid(text) == expected


@pytest.mark.parametrize(
    "around", ["https://x.org/?id={}&b=1", "**{}**", "_{}_", "[{}]: why?", "{}?", "play <b>{}</b>"]
)
def test_an_xgid_is_found_in_an_address_and_in_marked_text(around: str) -> None:
    expected = Situation(START, dice=(3, 1), length=7, score=(4, 2))
    assert parse_id(around.format(XGID)) == parse_id(around.format(XGID.removeprefix("XGID="))) == expected


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
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4",
            "'-b----E-C---eE---c-e----B-:0:0:1:31:2:4': fields between colons: 7; an XGID has 10",
        ),
        ("OGID=1:z:N0N", "black has a checker on 'z'"),
        ("XGID: -b----E-C---eE---c-e----B:0:0:1:31:2:4:0:7:10", "'-b----E-C---eE---c-e----B' is no board of 26"),
        ("4HPwATDgc/ABMA cAngAAAAAAA", "has 14 and 11 characters around its colon; a GNU ID has 14 and 12"),
        ("4HPwATDgc/ABMA : cAngAAAAAAA", "has 14 and 11 characters around its colon; a GNU ID has 14 and 12"),
        ("look: 4HPwATDgc/ABMA cAngAAAAAAAZ, here", "bits are set that no field uses"),
        ("GNUID=4HPwATDgc/ABMA:cAngAAAAAAA", "'cAngAAAAAAA' holds 8 bytes; 9 are needed"),
        ("Position ID: 4HPwATDgc/ABMA Match ID: cAngAAAAAAA", "'cAngAAAAAAA' holds 8 bytes; 9 are needed"),
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_in_a_file_is_decoded_as_editors_and_shells_write_it(encoding: str) -> None:
    assert decoded_text("Zoë: 4HPwATDgc/ABMA\n".encode(encoding)) == "Zoë: 4HPwATDgc/ABMA\n"


def test_bytes_that_are_no_text_are_decoded_to_something_that_is_no_position() -> None:
    for data in (b"", b"\xff\xfe\x00", b"\xff\xff", b"\x80abc"):
        with pytest.raises(FormatError):
            parse_id(decoded_text(data))
