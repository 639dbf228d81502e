"""Position IDs, match IDs and XGIDs (rulings 7.1 to 7.3, 4.1)."""

import csv

import pytest

from barpoint import dice
from barpoint.board import Position, Side
from barpoint.driver import play_match
from barpoint.error import ArgumentError, FormatError, PositionError
from barpoint.game import Double, Opening, Pass, PlayMade
from barpoint.match import Match
from barpoint.record import (
    GameState,
    Offer,
    Situation,
    format_gnuid,
    format_ogid,
    format_position,
    format_xgid,
    parse_gnuid,
    parse_id,
    parse_ogid,
    parse_position,
    parse_xgid,
    situation_of,
)
from barpoint.variants import CATALOGUE, variant
from tests.support.games import AnythingAllowed, session_with_highest_cube
from tests.support.samples import SAMPLES, needs_samples

START = variant("backgammon").start
PAIRS = SAMPLES / "xgid_ogid_pairs.tsv"


def checkers_of(side: Side) -> dict[int, int]:
    return {point: count for point, count in enumerate(side.points) if point and count}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("backgammon", "4HPwATDgc/ABMA"),
        ("nackgammon", "4Dl4ADbgOXgANg"),
        ("hypergammon", "AACgAgAAKgAAAA"),
        ("longgammon", "AACA/z8AAID/Pw"),
    ],
)
def test_starts_have_the_ids_of_the_field(name: str, text: str) -> None:
    rules = variant(name)
    assert format_position(rules.start) == text
    assert parse_position(text, rules.checkers) == rules.start


@pytest.mark.parametrize(
    ("text", "checkers", "roller", "other"),
    [
        ("HC/wATDg8+AxAA", 15, {16: 2, 13: 4, 8: 4, 6: 5}, {24: 2, 13: 5, 7: 1, 6: 4, 3: 3}),
        ("4OeFATCw5+ABMA", 15, {24: 2, 13: 4, 8: 3, 6: 4, 5: 2}, {24: 2, 13: 2, 9: 1, 8: 4, 6: 6}),
        ("sGfwATDgc/ABMA", 15, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}),
        ("ADAAAQAkIAAAAA", 3, {24: 1, 17: 1, 15: 1}, {23: 1, 13: 2}),
        ("AAAAkAAAAAAAAA", 15, {6: 1, 4: 1}, {}),
    ],
)
def test_the_side_that_is_not_to_act_comes_first(
    text: str, checkers: int, roller: dict[int, int], other: dict[int, int]
) -> None:
    position = parse_position(text, checkers)
    assert (checkers_of(position.us), checkers_of(position.them)) == (roller, other)
    assert position.us.total == position.them.total == checkers
    assert format_position(position) == text


def test_a_checker_on_the_bar_of_the_roller_is_read() -> None:
    assert parse_position("zGbiIYCYD3gALA").us.points[25] == 1


def test_the_key_of_the_start_is_the_one_of_the_manual() -> None:
    import base64

    key = base64.b64decode(format_position(START) + "==")
    assert key.hex(" ") == "e0 73 f0 01 30 e0 73 f0 01 30"


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_start_of_the_catalogue_has_an_id(entry: object) -> None:
    rules = variant(entry.name)  # type: ignore[attr-defined]
    assert parse_position(format_position(rules.start), rules.checkers) == rules.start


def test_hand_and_pins_take_the_extended_form() -> None:
    us = Side.of({0: 2, 24: 1, 3: 4}, hand=8)
    them = Side.of({1: 1, 22: 1, 6: 13}, pinned=1 << 1 | 1 << 22)
    text = format_position(Position(us, them))
    assert text.startswith("~")
    assert parse_position(text) == Position(us, them)


def test_more_checkers_than_gnu_counts_take_the_extended_form() -> None:
    side = Side.of({24: 20})
    text = format_position(Position(side, side))
    assert text.startswith("~")
    assert parse_position(text, 20) == Position(side, side)


def test_the_extended_form_is_written_only_where_it_is_needed() -> None:
    needless = "~" + "4HPwATDgc/ABMA"
    with pytest.raises(FormatError):
        parse_position(needless)  # the extended form also says hand and pins, so GNU's bits are not its bits
    assert format_position(START) == "4HPwATDgc/ABMA"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMAA",
        "4HPwATDgc/AB*A",
        "4HPwATDgc/ABMB",  # spare bits of the last character
        "/////////////w",
        "4HPwATDgc/ABMP",
        "~",
        "~A",
        "~4HPwATDgc/ABMA",
        "~" + "A" * 200,
        "４HPwATDgc/ABMA",
    ],
)
def test_what_is_no_position_id_is_refused(text: str) -> None:
    with pytest.raises((FormatError, PositionError)):
        parse_position(text)


def test_more_checkers_than_the_rules_have_are_refused() -> None:
    with pytest.raises(PositionError, match="15 checkers; these rules have 3"):
        parse_position("4HPwATDgc/ABMA", 3)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "QYkqASAAIAAA",
            {"length": 9, "score": (2, 4), "owner": 0, "cube": 2, "player": 1, "actor": 1, "dice": (5, 2)},
        ),
        ("cIkKAAAAAAAA", {"length": 0, "owner": None, "player": 1, "dice": (5, 2), "jacoby": True}),
        ("cAkAAAAAAAAA", {"length": 0, "player": 1, "dice": (), "state": GameState.PLAYING}),
        ("MAHgAAAAAAAA", {"length": 7, "score": (0, 0), "player": 0, "actor": 0, "crawford": False}),
        ("cAngAAAAAAAA", {"length": 7, "score": (0, 0), "player": 1, "actor": 1}),
        ("8AngAGAAIAAA", {"length": 7, "score": (6, 4), "crawford": True, "player": 1, "away": (1, 3)}),
        ("MBkAAIAAKAAA", {"score": (8, 5), "offer": Offer.DOUBLE, "player": 0, "actor": 1}),
    ],
)
def test_match_ids_say_what_gnu_says(text: str, facts: dict[str, object]) -> None:
    said = parse_gnuid(f"4HPwATDgc/ABMA:{text}")
    assert {name: getattr(said, name) for name in facts} == facts
    assert format_gnuid(said) == f"4HPwATDgc/ABMA:{text}"


def test_the_start_of_the_readme_parses() -> None:
    said = parse_gnuid("4HPwATDgc/ABMA:cAkAAAAAAAAA")
    assert said == Situation(START, player=1, actor=1, jacoby=True)
    assert parse_gnuid("GNUBG ID: 4HPwATDgc/ABMA:cAkAAAAAAAAA") == said
    assert parse_gnuid("4HPwATDgc/ABMA") == Situation(START)


def test_while_a_double_is_pending_the_doubler_owns_the_position() -> None:
    position = Position(Side.of({24: 2, 6: 13}), Side.of({13: 15}))
    said = Situation(position, player=0, actor=1, offer=Offer.DOUBLE, length=5)
    assert parse_gnuid(format_gnuid(said)) == said
    assert said.position_of_actor == position.flip()


@pytest.mark.parametrize(
    "match",
    [
        "",
        "cAkAAAAAAAA",
        "cAkAAAAAAAAA=",
        "IAkAAAAAAAAA",
        "cA0AAAAAAAAA",
        "cIkDAAAAAAAA",
        "cAngADAAAAAAB",
        "8AkAAAAAAAAA",
    ],
)
def test_what_is_no_match_id_is_refused(match: str) -> None:
    with pytest.raises(FormatError):
        parse_gnuid(f"4HPwATDgc/ABMA:{match}")


def test_a_match_id_has_no_room_for_a_beaver_or_twelve_sides() -> None:
    with pytest.raises(FormatError, match="beaver"):
        format_gnuid(Situation(START, offer=Offer.BEAVER))
    with pytest.raises(FormatError, match="roll 9"):
        format_gnuid(Situation(START, dice=(9,)))


def test_the_xgid_of_the_start_is_the_one_of_the_field() -> None:
    assert format_xgid(START) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    assert parse_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10") == Situation(START)


def test_the_board_of_an_xgid_does_not_change_with_the_side_to_act() -> None:
    bottom = parse_xgid("-bb---D-C---dD---c-d---B-A:1:-1:1:64:3:5:1:6:10")
    top = parse_xgid("-bb---D-C---dD---c-d---B-A:1:-1:-1:64:3:5:1:6:10")
    assert bottom.position == top.position.flip()
    assert checkers_of(bottom.position.us) == {25: 1, 23: 2, 13: 4, 8: 3, 6: 4}
    assert (bottom.cube, bottom.owner, bottom.score, bottom.crawford) == (2, 0, (5, 3), True)


@pytest.mark.parametrize(
    ("dice", "offer", "actor"), [("D", "double", 0), ("d", "double", 0), ("B", "beaver", 1), ("R", "raccoon", 0)]
)
def test_an_xgid_tells_who_answers_a_cube(dice: str, offer: str, actor: int) -> None:
    said = parse_xgid(f"-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:2:0:10")
    assert (said.offer, said.player, said.actor, said.beavers, said.jacoby) == (offer, 1, actor, True, False)


@pytest.mark.parametrize(("score", "crawford"), [("2:3", False), ("6:6", False), ("2:6", True), ("6:0", True)])
def test_an_xgid_says_the_crawford_game_where_one_player_needs_a_point(score: str, crawford: bool) -> None:
    """The flag counts for nothing elsewhere, as in eXtreme Gammon."""
    assert parse_xgid(f"-b----E-C---eE---c-e----B-:0:0:1:00:{score}:1:7:10").crawford is crawford


@pytest.mark.parametrize("dash", ["\u2011", "\u2013", "\u2212"])
def test_an_xgid_of_a_page_with_longer_dashes_and_escaped_colons_is_read(dash: str) -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    assert parse_id(text.replace("-", dash)) == parse_xgid(text)
    assert parse_id(f"See {text.replace(':', '&#58;')} here") == parse_xgid(text)


def test_gnu_ids_and_xgids_say_the_same() -> None:
    said = parse_xgid("XGID=-b---CE-B--acB---bacbAaA-A:1:-1:-1:63:1:4:1:5:10")
    assert parse_gnuid(format_gnuid(said)) == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10:1",
        "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",
        "XGID=-b----Z-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----Ba:0:0:1:00:0:0:0:0:10",
        "XGID=-b----P-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:7:10",
        "XGID=-b----E-C---eE---c-e----B-:x:0:1:00:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:٣:0:1:00:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:63:0:1:00:0:0:0:0:10",
    ],
)
def test_what_is_no_xgid_is_refused(text: str) -> None:
    with pytest.raises((FormatError, PositionError)):
        parse_xgid(text)


def test_an_xgid_has_no_room_for_a_hand() -> None:
    with pytest.raises(FormatError, match="hand"):
        format_xgid(variant("acey-deucey").start)


def test_a_game_in_a_match_has_an_id() -> None:
    match = Match.start(length=5).apply(Opening((3, 1)))
    assert format_gnuid(match) == format_gnuid(Situation(START, player=0, actor=0, dice=(3, 1), length=5))
    match = match.apply(PlayMade(0, ((8, 5, 3), (6, 5, 1)))).apply(Double(1))
    said = situation_of(match)
    assert (said.player, said.actor, said.offer, said.cube, said.dice) == (1, 0, Offer.DOUBLE, 1, ())
    assert format_gnuid(match).startswith("sGfwATDgc/ABMA:")
    assert format_xgid(match) == "XGID=-b----E-C---eE---b-db---B-:0:0:1:D:0:0:0:5:10"
    dropped = situation_of(match.apply(Pass(0)))
    assert (dropped.state, dropped.score) == (GameState.DROPPED, (0, 1))


def test_ids_with_less_room_refuse_the_highest_cube_and_the_others_hold_it() -> None:
    match = session_with_highest_cube()
    with pytest.raises(FormatError, match=f"no room for a cube of {2**62}; at most 32768"):
        format_gnuid(match)
    for read, write in ((parse_xgid, format_xgid), (parse_ogid, format_ogid)):
        assert read(write(match)).cube == 2**62
    said = Situation(START, cube=2**15, owner=0)
    assert parse_gnuid(format_gnuid(said)) == said


@pytest.mark.parametrize("seed", range(5))
def test_every_moment_of_a_match_has_an_id_that_says_the_same(seed: int) -> None:
    match = Match.start(length=3)
    players = AnythingAllowed(seed), AnythingAllowed(seed + 50)
    for state in play_match(match, *players, dice=dice.seeded(seed)):
        said = situation_of(state)
        assert parse_gnuid(format_gnuid(state)) == said


@needs_samples
def test_real_xgids_agree_with_the_other_notation_of_the_same_positions() -> None:
    """OGIDs list the points of each side's checkers, so they are an independent reading of the board."""
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        said = parse_xgid(row["xgid"])
        assert format_xgid(said).split("=")[1].rsplit(":", 1)[0] == row["xgid"].rsplit(":", 1)[0]
        fields = row["ogid"].split(":")
        bottom = said.position if said.player == 1 else said.position.flip()
        sides = [sorted("0123456789abcdefghijklmnop".index(letter) for letter in letters) for letters in fields[:2]]
        absolute = [
            sorted(25 - point for point, count in checkers_of(bottom.them).items() for _ in range(count)),
            sorted(point for point, count in checkers_of(bottom.us).items() for _ in range(count)),
        ]
        assert sorted(sides) == sorted(absolute), row
        assert fields[4] == ("B" if said.player == 1 else "W")
        assert (int(fields[6]), int(fields[7])) == said.score
    assert len(rows) >= 18


@pytest.mark.parametrize("write", [format_gnuid, format_xgid, format_ogid, format_position])
def test_what_has_no_id_is_refused(write) -> None:
    with pytest.raises(ArgumentError, match=r"is 'x' \(str\); allowed: .*Position"):
        write("x")
