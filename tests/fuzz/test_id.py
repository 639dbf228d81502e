"""Parsers of IDs: any text is read and comes back the same, or is refused as a format; nothing else happens."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from barpoint.board import Position, Side
from barpoint.error import FormatError, PositionError
from barpoint.record import (
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
)

BASE64 = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def base64_text(least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(BASE64, min_size=least, max_size=most)


POSITION_TEXT = st.one_of(
    st.text(max_size=60),
    base64_text(14, 14),
    base64_text(1, 40).map("~".__add__),
    st.text(st.sampled_from("A"), min_size=13, max_size=15),
)
BOARD_TEXT = st.text(st.sampled_from("-" * 20 + "ABCDabcd"), min_size=26, max_size=26)
NUMBERS = st.sampled_from(("0", "1", "-1", "2", "3", "7", "00", "11", "65", "D", "B", "R", "10", "x", "", "99999"))
XGID_TEXT = st.builds(lambda board, fields: ":".join(("XGID=" + board, *fields)), BOARD_TEXT, st.tuples(*[NUMBERS] * 9))


@st.composite
def sides(draw: st.DrawFn, checkers: int = 15, extended: bool = False) -> Side:
    where = st.integers(0, 26 if extended else 25)
    places = draw(st.lists(where, min_size=checkers, max_size=checkers))
    points = tuple(places.count(point) for point in range(26))
    mask = sum(1 << point for point in range(1, 25) if points[point] == 1)
    pinned = mask & draw(st.integers(0, (1 << 25) - 1)) if extended else 0
    return Side(points, places.count(26), pinned)


@given(POSITION_TEXT, st.sampled_from((3, 15, 30)))
def test_any_text_is_a_position_or_is_refused(text: str, checkers: int) -> None:
    try:
        position = parse_position(text, checkers)
    except (FormatError, PositionError):
        return
    assert parse_position(format_position(position), checkers) == position
    if not text.strip().startswith("~"):
        assert format_position(position) == text.strip()


@given(st.one_of(st.text(max_size=80), base64_text(12, 12).map("4HPwATDgc/ABMA:".__add__)))
@example("4HPwATDgc/ABMA:")
@example("GNUBG ID: \n")
def test_any_text_is_a_gnu_id_or_is_refused(text: str) -> None:
    try:
        said = parse_gnuid(text)
    except (FormatError, PositionError):
        return
    assert parse_gnuid(format_gnuid(said)) == said


@given(st.one_of(st.text(max_size=80), XGID_TEXT))
def test_any_text_is_an_xgid_or_is_refused(text: str) -> None:
    try:
        said = parse_xgid(text)
    except (FormatError, PositionError):
        return
    assert parse_xgid(format_xgid(said)) == said


OGID_TEXT = st.builds(
    lambda white, black, fields: ":".join((white, black, *fields)),
    st.text(st.sampled_from("0126cjop"), max_size=16),
    st.text(st.sampled_from("0126cjopq"), max_size=16),
    st.lists(
        st.sampled_from(("N0N", "W1O", "B63N", "?2T", "", "31", "W", "B", "IW", "D", "0", "7C", "x", "3")), max_size=9
    ),
)
DRAWN = st.lists(
    st.sampled_from(
        (
            " +13-14-15-16-17-18------19-20-21-22-23-24-+",
            " +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Ben  43",
            " +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Anna 42",
            " |             O    | X | O  X  O  X       | +---+",
            " |             9    | 4 | 6  9  2  9       | | 4 |",
            "",
            "X to play 21",
            " Ben to move 6-1",
            " Pip count X-O: 3-6/7",
        )
    ),
    max_size=24,
).map("\n".join)


@given(st.one_of(st.text(max_size=80), OGID_TEXT))
def test_any_text_is_an_ogid_or_is_refused(text: str) -> None:
    try:
        said = parse_ogid(text)
    except (FormatError, PositionError):
        return
    assert parse_ogid(format_ogid(said)) == said


@given(st.one_of(st.text(max_size=80), POSITION_TEXT, XGID_TEXT, OGID_TEXT, DRAWN))
def test_any_text_is_the_id_of_a_position_or_is_refused(text: str) -> None:
    try:
        said = parse_id(text)
    except (FormatError, PositionError):
        return
    assert said.position.us.total == said.position.them.total == 15


@given(sides(), sides())
def test_every_position_comes_back_from_its_gnu_id(us: Side, them: Side) -> None:
    text = format_position(Position(us, them))
    assert len(text) == 14
    assert parse_position(text) == Position(us, them)


@pytest.mark.parametrize("checkers", [1, 15, 40])
@given(data=st.data())
def test_every_position_comes_back_from_its_id(checkers: int, data: st.DataObject) -> None:
    position = Position(data.draw(sides(checkers, True)), data.draw(sides(checkers, True)))
    assert parse_position(format_position(position), checkers) == position


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    length = draw(st.integers(0, 25))
    score = st.integers(0, max(length - 1, 0)) if length else st.integers(0, 50)
    player = draw(st.integers(0, 1))
    offer = draw(st.sampled_from((Offer.NONE, Offer.DOUBLE)))
    die = st.integers(1, 6)
    dice = draw(st.one_of(st.just(()), st.tuples(die, die).map(lambda pair: tuple(sorted(pair, reverse=True)))))
    scores = draw(score), draw(score)
    one_needs_one = length > 0 and scores.count(length - 1) == 1
    return Situation(
        position=Position(draw(sides()), draw(sides())),
        player=player,
        actor=1 - player if offer is Offer.DOUBLE else player,
        dice=() if offer is Offer.DOUBLE else dice,
        cube=1 << draw(st.integers(0, 10)),
        owner=draw(st.sampled_from((None, 0, 1))),
        length=length,
        score=scores,
        crawford=one_needs_one and draw(st.booleans()),
        jacoby=length == 0 and draw(st.booleans()),
        offer=offer,
    )


@given(situations())
def test_every_situation_comes_back_from_its_gnu_id(said: Situation) -> None:
    assert parse_gnuid(format_gnuid(said)) == said


@given(situations())
def test_every_situation_comes_back_from_its_xgid_where_points_are_not_shared(said: Situation) -> None:
    us, them = said.position.us.points, said.position.them.points
    if any(us[point] and them[25 - point] for point in range(1, 25)):
        with pytest.raises(FormatError, match="both sides on one"):
            format_xgid(said)
    else:
        assert parse_xgid(format_xgid(said)) == said


@given(situations())
def test_every_situation_comes_back_from_its_ogid(said: Situation) -> None:
    said = replace(said, jacoby=False)
    assert parse_ogid(format_ogid(said)) == said
