"""Draws a position as one self-contained SVG text, for notebooks, pages and files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.draw.layout import BAND, CHECKER, FAR, FRAME, GAP, NEAR, POINT, SLAB, TABLE, TRAY, Layout, Seat
from barpoint.draw.palette import BOARDS, Colours
from barpoint.draw.text import describe
from barpoint.rules import Meeting


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a board; `near`, `far` and `cube` are (face, edge and ring, text)."""

    frame: str = "#5a4334"
    field: str = "#ece3d2"
    bar: str = "#6c5241"
    tray: str = "#4a372b"
    points: tuple[str, str] = ("#d8bf9c", "#b9b79b")
    near: tuple[str, str, str] = ("#fbf8f1", "#a8977f", "#3c3228")
    far: tuple[str, str, str] = ("#3a3733", "#77706a", "#f6f1e6")
    number: str = "#cdbba4"
    name: str = "#f6f1e6"
    arrow: str = "#c2571a"
    token: str = "#e0b04a"
    cube: tuple[str, str, str] = near


def _as_on_pages(board: Colours) -> Theme:
    """A board theme of the pages, for still pictures."""
    light, dark = board["light"], board["dark"]
    return Theme(
        frame=board["wood"],
        field=board["field"],
        bar=board["wood"],
        tray=board["tray"],
        points=(board["even"], board["odd"]),
        near=(light, board["light-line"], dark),
        far=(dark, board["dark-inlay"], light),
        number=board["wood-text"],
    )


THEMES: Final = {
    "linen": Theme(),
    "slate": Theme(
        frame="#2d3439",
        field="#c9d0d0",
        bar="#3b444a",
        tray="#22282c",
        points=("#aab8bb", "#93a3ad"),
        near=("#fbf8f1", "#9aa3a5", "#2d3439"),
        far=("#7c2f2a", "#b5675c", "#fbf3ee"),
        number="#aebabf",
    ),
    "night": Theme(
        frame="#1d1a18",
        field="#3a3530",
        bar="#282420",
        tray="#141210",
        points=("#574d43", "#4b4f49"),
        near=("#efe8da", "#a8977f", "#2a2520"),
        far=("#a4502f", "#d08a67", "#fff6ee"),
        number="#8d8175",
    ),
    **{name: _as_on_pages(board) for name, board in BOARDS.items()},
}
"""Themes by name, for `svg(theme=...)`; walnut, harbour and orchard are the board themes of the pages."""

_FONT = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_PIPS: Final = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The dots of each face: cells a to i of three rows of three."""


def svg(
    position: Position,
    *,
    meeting: Meeting = Meeting.OPPOSITE,
    near_to_act: bool = True,
    mirrored: bool = False,
    dice: Sequence[int] = (),
    dice_near: bool | None = None,
    moves: Sequence[tuple[int, ...]] = (),
    cube: int | None = None,
    cube_near: bool | None = None,
    tokens: tuple[int, int] | None = None,
    labels: tuple[str, str] | None = None,
    theme: str | Theme = "linen",
    width_px: int = 640,
) -> str:
    """Draws the board as an SVG document.

    position: seen by the side to act, which is drawn near, at the bottom, unless `near_to_act` is False.
    meeting: where the sides' paths meet (`rules.movement.meeting`).
    dice: faces; a single face above 6 is drawn as a die with twelve sides. dice_near: whether the near side owns them;
    the
        side to act's when None.
    moves: (from, to, ...) of the side to act, drawn as arrows from the position before them.
    cube: its value, not drawn when None; cube_near: whether the near side owns it, in the middle when None.
    tokens: reroll tokens of the near and the far side.
    labels: names of the near and the far side, with their pips.
    theme: a name in `THEMES`, or a `Theme`.
    ValueError for an unknown theme.
    """
    colours = _theme(theme)
    board = position if near_to_act else position.flip()
    layout = Layout.of(board, meeting, mirrored)
    parts = [
        *_table(layout, colours),
        *_checkers(layout, colours, board),
        *_dice(layout, colours, dice, near_to_act if dice_near is None else dice_near),
        *(_cube(layout, colours, cube, cube_near) if cube is not None else ()),
        *_arrows(layout, colours, board, NEAR if near_to_act else FAR, moves),
        *_words(layout, colours, board, labels, tokens),
    ]
    margin = 58.0 if labels else 0.0
    height = layout.height + 2 * margin
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width_px}" '
        f'height="{round(width_px * height / layout.width)}" '
        f'viewBox="0 {_n(-margin)} {_n(layout.width)} {_n(height)}" font-family="{_FONT}">'
        f"<title>{escape(describe(position, meeting))}</title>"
        + (_box(0, -margin, layout.width, height, colours.frame, 14) if labels else "")
        + "".join(parts)
        + "</svg>"
    )


def _theme(theme: str | Theme) -> Theme:
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise ValueError(f"no theme is called {theme!r}; there are {', '.join(THEMES)}")
    return THEMES[theme]


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _box(x: float, y: float, width: float, height: float, fill: str, round_px: float = 0, more: str = "") -> str:
    corner = f' rx="{_n(round_px)}"' if round_px else ""
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{corner} fill="{fill}"{more}/>'


def _text(x: float, y: float, text: str, fill: str, size: float, anchor: str = "middle", weight: int = 400) -> str:
    heavy = f' font-weight="{weight}"' if weight != 400 else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y + size * 0.35)}" font-size="{_n(size)}" fill="{fill}" text-anchor="{anchor}"{heavy} '
        f'style="font-variant-numeric:tabular-nums">{escape(text)}</text>'
    )


def _table(layout: Layout, colours: Theme) -> list[str]:
    """The frame, the field, the points, the bar and the trays, still empty."""
    tall = 2 * POINT + GAP
    parts = [_box(0, 0, layout.width, layout.height, colours.frame, 14)]
    for left in (layout.table_left, layout.table_right):
        parts.append(_box(left, layout.top, TABLE, tall, colours.field, 3))
    for point in range(1, 25):
        left, (column, up) = layout.point_left(point), layout.cell(point)
        edge, tip = (layout.top, layout.top + POINT * 0.92) if up else (layout.bottom, layout.bottom - POINT * 0.92)
        colour = colours.points[(column + up) % 2]
        corners = f"{_n(left + 3)},{_n(edge)} {_n(left + CHECKER - 3)},{_n(edge)} {_n(left + CHECKER / 2)},{_n(tip)}"
        parts.append(f'<polygon points="{corners}" fill="{colour}"/>')
        row = layout.top - BAND / 2 if up else layout.bottom + BAND / 2
        parts.append(_text(left + CHECKER / 2, row, str(point), colours.number, 25))
    parts.append(_box(layout.bar_left, layout.top, CHECKER, tall, colours.bar))
    for side in (NEAR, FAR):
        for place in (OFF, HAND) if layout.hands else (OFF,):
            top = layout.top if layout.at_top(side) else layout.bottom - POINT
            parts.append(_box(layout.tray_left(side, place), top, TRAY, POINT, colours.tray, 6))
    return parts


def _checkers(layout: Layout, colours: Theme, board: Position) -> list[str]:
    parts = []
    sides = ((NEAR, board.us, colours.near), (FAR, board.them, colours.far))
    for side, checkers, look in sides:  # pinned ones first: the checkers that pin them are drawn on top
        for point in range(1, 25):
            if checkers.pinned >> point & 1:
                parts += [_checker(layout.seat(side, point, 0, 1), look)]
    for side, checkers, look in sides:
        other = sides[1 - side][1]
        for place in (*range(26), HAND):
            count = checkers.hand if place == HAND else checkers.points[place]
            if 1 <= place <= 24 and checkers.pinned >> place & 1:
                continue
            below = _pinned_below(layout, other, place)
            seats = [layout.seat(side, place, index + below, count + below) for index in range(count)]
            parts += [_checker(seat, look) for seat in seats]
            if (count > 5 and 1 <= place <= 24) or (place == BAR and count > 4):
                parts.append(_text(seats[-1].x, seats[-1].y, str(count), look[2], 42, weight=600))
    return parts


def _pinned_below(layout: Layout, other: Side, place: int) -> int:
    """1 when a checker of the other side is pinned beneath this side's on its own point `place`."""
    return other.pinned >> layout.meeting.other(place) & 1 if 1 <= place <= 24 else 0


def _checker(seat: Seat, look: tuple[str, str, str]) -> str:
    fill, edge, _ = look
    if seat.flat:
        more = f' stroke="{edge}" stroke-width="2"'
        return _box(seat.x - TRAY / 2 + 8, seat.y - SLAB / 2 + 2, TRAY - 16, SLAB - 4, fill, 5, more)
    at = f'cx="{_n(seat.x)}" cy="{_n(seat.y)}"'
    return (
        f'<circle {at} r="48" fill="{fill}" stroke="{edge}" stroke-width="2.5"/>'
        f'<circle {at} r="33" fill="none" stroke="{edge}" stroke-width="2" stroke-opacity=".55"/>'
    )


def _dice(layout: Layout, colours: Theme, faces: Sequence[int], near: bool) -> list[str]:
    look = colours.near if near else colours.far
    middle, gap = layout.dice_middle(NEAR if near else FAR), 112.0
    first = middle - gap * (len(faces) - 1) / 2
    parts = []
    for index, face in enumerate(faces):
        x, y = first + index * gap, layout.middle
        if len(faces) == 1:
            parts += _twelve_sided(x, y, face, look)
        elif face in _PIPS:
            parts += _die(x, y, face, look)
    return parts


def _die(x: float, y: float, face: int, look: tuple[str, str, str]) -> list[str]:
    fill, edge, ink = look
    parts = [_box(x - 44, y - 44, 88, 88, fill, 17, f' stroke="{edge}" stroke-width="2.5"')]
    for cell in _PIPS[face]:
        row, column = divmod("abcdefghi".index(cell), 3)
        parts.append(f'<circle cx="{_n(x + 25 * (column - 1))}" cy="{_n(y + 25 * (row - 1))}" r="8.5" fill="{ink}"/>')
    return parts


def _twelve_sided(x: float, y: float, face: int, look: tuple[str, str, str]) -> list[str]:
    """A dodecahedron from above: ten corners around, the upper face a pentagon joined to every other one."""
    fill, edge, ink = look
    turns = [math.radians(36 * index - 90) for index in range(10)]
    rim = [(x + 62 * math.cos(turn), y + 62 * math.sin(turn)) for turn in turns]
    face_corners = [(x + 40 * math.cos(turn), y + 40 * math.sin(turn)) for turn in turns[::2]]
    lines = "".join(
        f"M{_n(a[0])} {_n(a[1])}L{_n(b[0])} {_n(b[1])}" for a, b in zip(face_corners, rim[::2], strict=True)
    )
    stroke = f'stroke="{edge}" stroke-width="2.5" stroke-linejoin="round"'
    return [
        f'<polygon points="{_corners(rim)}" fill="{fill}" {stroke}/>',
        f'<polygon points="{_corners(face_corners)}" fill="none" {stroke}/><path d="{lines}" {stroke}/>',
        _text(x, y, str(face), ink, 44, weight=600),
    ]


def _corners(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)


def _cube(layout: Layout, colours: Theme, value: int, near: bool | None) -> list[str]:
    fill, edge, ink = colours.cube
    if near is None:
        y = layout.middle
    else:
        y = layout.bottom - CHECKER * 0.52 if near else layout.top + CHECKER * 0.52
    x = layout.bar_left + CHECKER / 2
    shown = str(64 if value == 1 else value)
    size = 46 if len(shown) < 3 else 34 if len(shown) == 3 else 26
    return [
        _box(x - 41, y - 41, 82, 82, fill, 12, f' stroke="{edge}" stroke-width="2.5"'),
        _text(x, y, shown, ink, size, weight=600),
    ]


def _arrows(layout: Layout, colours: Theme, board: Position, mover: int, moves: Sequence[tuple[int, ...]]) -> list[str]:
    """One arrow a move, from the checker's source to its target."""
    points = (board.us if mover == NEAR else board.them).points
    counts = {place: points[place] for place in range(26)} | {HAND: (board.us, board.them)[mover].hand}
    parts = []
    for move in moves:
        source, target = move[:2]
        lifted = layout.seat(mover, source, max(counts[source] - 1, 0), max(counts[source], 1))
        counts[source] -= 1
        counts[target] += 1
        put = layout.seat(mover, target, counts[target] - 1, counts[target])
        parts.append(_arrow(lifted, put, colours.arrow))
    return parts


def _arrow(source: Seat, target: Seat, colour: str) -> str:
    x, y = target.x - source.x, target.y - source.y
    length = math.hypot(x, y) or 1.0
    x, y = x / length, y / length
    neck = (target.x - 34 * x, target.y - 34 * y)
    head = [
        (target.x, target.y),
        (neck[0] - 22 * y - 6 * x, neck[1] + 22 * x - 6 * y),
        (neck[0] + 22 * y - 6 * x, neck[1] - 22 * x - 6 * y),
    ]
    return (
        f'<g opacity=".9"><path d="M{_n(source.x)} {_n(source.y)}L{_n(neck[0])} {_n(neck[1])}" stroke="{colour}" '
        f'stroke-width="13" stroke-linecap="round"/><polygon points="{_corners(head)}" fill="{colour}"/></g>'
    )


def _words(
    layout: Layout,
    colours: Theme,
    board: Position,
    labels: tuple[str, str] | None,
    tokens: tuple[int, int] | None,
) -> list[str]:
    """Names, pips and reroll tokens: the far side's above, the near side's below."""
    parts = []
    for side, checkers, look in ((NEAR, board.us, colours.near), (FAR, board.them, colours.far)):
        y = layout.height + 22 if side == NEAR else -22.0
        if labels:
            parts.append(f'<circle cx="{_n(FRAME + 16)}" cy="{_n(y)}" r="15" fill="{look[0]}" stroke="{look[1]}"/>')
            parts.append(_text(FRAME + 46, y, labels[side], colours.name, 34, "start", 600))
            pips = f"{checkers.pips} pips"
            parts.append(_text(layout.width - FRAME, y, pips, colours.number, 32, "end"))
        for index in range(tokens[side] if tokens else 0):
            x = layout.tray_left(NEAR, OFF) + TRAY / 2 + 30 * index - 15 * (max(tokens or ()) - 1)
            parts.append(_token(x, layout.middle + (36 if side == NEAR else -36), colours))
    return parts


def _token(x: float, y: float, colours: Theme) -> str:
    """A reroll token: a disc with an arrow that turns back."""
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="30" fill="{colours.token}" stroke="{colours.frame}" stroke-width="2"/>'
        f'<path d="M{_n(x - 13)} {_n(y - 6)}A14 14 0 1 1 {_n(x - 10)} {_n(y + 10)}" fill="none" '
        f'stroke="{colours.frame}" stroke-width="5" stroke-linecap="round"/>'
        f'<path d="M{_n(x - 22)} {_n(y - 8)}l18 2l-10 -15z" fill="{colours.frame}"/>'
    )
