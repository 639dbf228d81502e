"""Pictures: every checker is drawn once, where it stands."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from barpoint import draw
from barpoint.board import Position, Side
from barpoint.draw import THEMES, board, describe, layout, plain, svg, thumbnail
from barpoint.draw.layout import FAR, NEAR, Layout
from barpoint.draw.svg import TAPER
from barpoint.error import ArgumentError
from barpoint.match.situation import Situation
from barpoint.moves import legal_plays
from barpoint.rules import Meeting
from barpoint.variants import CATALOGUE, variant
from tests.fuzz.test_id import sides

START = variant("backgammon").start
PLAY = legal_plays(variant(), START, (3, 1))[0]
SPACE = "{http://www.w3.org/2000/svg}"
RINGS = {NEAR: "32", FAR: "20"}


def checkers_drawn(picture: str) -> int:
    """Rings of lying checkers and slabs in the trays."""
    root = ElementTree.fromstring(picture)
    rings = [circle for circle in root.iter(f"{SPACE}circle") if circle.get("r") in RINGS.values()]
    slabs = [box for box in root.iter(f"{SPACE}rect") if box.get("rx") == "9"]
    return len(rings) + len(slabs)


@given(sides(), sides())
def test_every_checker_is_drawn_once(us: Side, them: Side) -> None:
    assert checkers_drawn(svg(Position(us, them), meeting=Meeting.OPPOSITE)) == 30


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_start_of_the_catalogue_can_be_drawn(entry: object) -> None:
    rules = variant(entry.name)  # type: ignore[attr-defined]
    picture = svg(rules.start, meeting=rules.movement.meeting)
    assert checkers_drawn(picture) == 2 * rules.checkers


def test_a_pinned_checker_lies_beneath_its_captors() -> None:
    us = Side.of({24: 1, 6: 14}, pinned=1 << 24)
    them = Side.of({1: 2, 6: 13})
    root = ElementTree.fromstring(svg(Position(us, them)))
    rings = [
        (float(circle.get("cy", 0)), circle.get("stroke"))
        for circle in root.iter(f"{SPACE}circle")
        if circle.get("r") in RINGS.values() and float(circle.get("cx", 0)) > 1250
    ]
    assert [y for y, _ in sorted(rings)] == [94, 194, 294]
    assert sorted(rings)[0][1] == THEMES["linen"].near[1]


def test_the_side_to_act_is_near_unless_told_otherwise() -> None:
    position = Position(Side.of({1: 15}), Side.of({6: 15}))
    assert svg(position, near_to_act=False) != svg(position)
    assert svg(position, near_to_act=False).split("</title>")[1] == svg(position.flip()).split("</title>")[1]


def test_a_mirrored_board_has_the_home_on_the_left() -> None:
    assert Layout().seat(NEAR, 1, 0, 1).x > Layout().width / 2
    mirrored = Layout(mirrored=True)
    assert mirrored.seat(NEAR, 1, 0, 1).x < mirrored.width / 2


@pytest.mark.parametrize("meeting", Meeting)
def test_the_trays_of_both_sides_lie_apart(meeting: Meeting) -> None:
    layout = Layout(meeting)
    assert layout.seat(NEAR, 0, 0, 15) != layout.seat(FAR, 0, 0, 15)


@pytest.mark.parametrize("meeting", Meeting)
@pytest.mark.parametrize("mirrored", [False, True])
def test_everything_lies_on_the_board(meeting: Meeting, mirrored: bool) -> None:
    layout = Layout(meeting, mirrored, hands=True)
    seats = [layout.seat(side, place, 14, 15) for side in (NEAR, FAR) for place in range(27)]
    assert all(0 < seat.x < layout.width and 0 < seat.y < layout.height for seat in seats)
    lying = [seat for seat in seats if not seat.flat]
    assert all(layout.top < seat.y < layout.bottom for seat in lying)


def test_a_twelve_sided_die_carries_its_number() -> None:
    root = ElementTree.fromstring(svg(START, dice=(9,)))
    assert root[-1].text == "9"


def test_names_are_written_as_text_not_as_markup() -> None:
    root = ElementTree.fromstring(svg(START, labels=("<b>&", 'x"')))
    assert {"<b>&", 'x"'} <= {element.text for element in root.iter(f"{SPACE}text")}


def test_a_picture_stands_alone() -> None:
    picture = svg(START, dice=(3, 1), cube=2, cube_near=True, moves=[(8, 5, 3), (6, 5, 1)], tokens=(1, 1))
    assert "url(" not in picture
    assert "href" not in picture
    assert " id=" not in picture  # two pictures on one page do not meet


def test_a_notebook_is_given_a_picture() -> None:
    assert START._repr_svg_() == svg(START)


def test_a_theme_of_no_known_name_is_refused() -> None:
    with pytest.raises(ArgumentError, match="linen, slate, night"):
        svg(START, theme="plaid")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dice": 3}, "dice is 3; allowed: faces from 1 to 6, or one up to 12"),
        ({"dice": (7, 7)}, "dice is (7, 7)"),
        ({"cube": "x"}, "cube is 'x'; allowed: a whole number from 1 on"),
        ({"labels": ("a",)}, "labels is ('a',); allowed: the names of both sides"),
        ({"moves": ((30, 21),)}, "moves is ((30, 21),); allowed: (from, to), from 1 to 26"),
        ({"moves": PLAY}, "those of a Play are `play.moves`"),
        ({"tokens": 1}, "tokens is 1; allowed: a number of each side"),
        ({"width_px": 0}, "width_px is 0; allowed: a whole number from 1 on"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(said)):
        svg(START, **given)


def test_the_start_in_letters() -> None:
    assert plain(board(START)) == "\n".join(
        (
            " +-13--14--15--16--17--18-+BAR-+-19--20--21--22--23--24-+",
            " | X               O      |    | O                   X  |",
            " | X               O      |    | O                   X  |",
            " | X               O      |    | O                      |",
            " | X                      |    | O                      |",
            " | X                      |    | O                      |",
            " |                        |    |                        |",
            " | O                      |    | X                      |",
            " | O                      |    | X                      |",
            " | O               X      |    | X                      |",
            " | O               X      |    | X                   O  |",
            " | O               X      |    | X                   O  |",
            " +-12--11--10--9---8---7--+BAR-+-6---5---4---3---2---1--+",
        )
    )


@given(sides(), sides())
def test_a_board_in_letters_shows_every_stack(us: Side, them: Side) -> None:
    if any(us.points[point] and them.points[25 - point] for point in range(1, 25)):
        them = Side.of({0: 15})
    rows = plain(board(Position(us, them))).splitlines()[1:12]
    shown = sum(
        5 - 1 if count > 5 else count for side in (us, them) for count in side.points[1:]
    )  # the fifth of a higher stack is a number
    assert sum(row.count("X") + row.count("O") for row in rows) == shown
    high = [count for side in (us, them) for count in side.points[1:] if count > 5]
    assert sorted(map(int, re.findall(r"\d+", "".join(rows)))) == sorted(high)


def test_a_board_in_letters_fits_eighty_columns() -> None:
    lines = plain(board(START, beside=("x" * 20,), middle=("a" * 40, "b" * 40))).splitlines()
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("position", "line"),
    [
        (START.copy_with(us={6: 0, 0: 5}), " X: 5 off"),
        (variant("acey-deucey").start, " X: 15 in hand   O: 15 in hand"),
        (Position(Side.of({0: 3}, hand=12), Side.of({1: 14, 0: 1})), " X: 12 in hand, 3 off   O: 1 off"),
    ],
)
def test_below_a_board_in_letters_stand_the_checkers_in_hand_and_off(position: Position, line: str) -> None:
    assert plain(board(position)).splitlines()[13:] == str(position).splitlines()[13:] == [line]
    assert str(Situation(position)).splitlines()[13:] == [line]


def test_a_position_in_words() -> None:
    us = Side.of({25: 1, 6: 14})
    assert describe(Position(us, Side.of({24: 2, 0: 13}))) == (
        "To act, 109 pips: 1 on the bar, 6 point 14. Other side, 48 pips: 24 point 2, 13 off."
    )


def test_the_sides_differ_in_shape_as_well_as_in_lightness() -> None:
    root = ElementTree.fromstring(svg(START))
    rings = {
        (circle.get("r"), circle.get("stroke"))
        for circle in root.iter(f"{SPACE}circle")
        if circle.get("r") in RINGS.values()
    }
    assert rings == {("32", THEMES["linen"].near[1]), ("20", THEMES["linen"].far[1])}


def test_a_picture_has_the_proportions_of_the_board_on_the_pages() -> None:
    static = Path(draw.__file__).parents[1] / "server" / "web" / "static" / "board"
    geometry, wood = (
        (static / "geometry.js").read_text(encoding="utf-8"),
        (static / "wood.js").read_text(encoding="utf-8"),
    )
    assert f"const TRAY = {layout.TRAY:.0f};" in geometry
    assert f"const FRAME = {{ wide: {layout.FRAME:.0f}," in geometry
    assert f"const BAND = {{ wide: {layout.BAND:.0f}," in geometry
    assert f"const TAPER = {TAPER};" in wood


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_a_mini_board_shows_every_checker_of_a_start(entry: object) -> None:
    rules = variant(entry.name)  # type: ignore[attr-defined]
    picture = thumbnail(rules.start, meeting=rules.movement.meeting)
    dots = "".join(re.findall(r'd="([^"]+)" stroke="[^"]+" stroke-width="84"', picture))
    slabs = "".join(re.findall(r'd="([^"]+)" stroke="[^"]+" stroke-width="27"', picture))
    assert dots.count("h0") + slabs.count("h90") == 2 * rules.checkers
    ElementTree.fromstring(picture)
