"""Draws a position as one self-contained SVG text, for notebooks, pages and files."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from html import escape
from typing import Any, Final, Never

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.draw.layout import BAND, CHECKER, FAR, FRAME, GAP, NEAR, POINT, SLAB, TABLE, TRAY, Layout, Seat
from barpoint.draw.scene import Drawable, DrawnScene, points_of_both, scene_of
from barpoint.draw.text import describe
from barpoint.draw.theme import THEMES, Theme
from barpoint.error import ArgumentError, brief, check_names
from barpoint.rules import Meeting, Rules
from barpoint.variants import rules_of

TAPER: Final = 0.92
"""How much of a point's length its triangle takes, as on the board of the pages."""

_FONT = (  # the last families by name too: what makes PNG of it knows no sans-serif
    "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "'Noto Sans','Liberation Sans','DejaVu Sans',sans-serif"
)
_PIPS: Final = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The dots of each face: cells a to i of three rows of three."""


def svg(
    position: Drawable,
    *,
    rules: Rules | str | None = None,
    meeting: Meeting | None = None,
    near_to_act: bool = True,
    mirrored: bool = False,
    dice: Sequence[int] | None = None,
    dice_near: bool | None = None,
    moves: Sequence[tuple[int, ...]] = (),
    cube: int | None = None,
    cube_near: bool | None = None,
    tokens: tuple[int, int] | None = None,
    labels: tuple[str, str] | None = None,
    theme: str | Theme = "linen",
    width_px: int = 640,
    **unknown: Never,
) -> str:
    """Draws the board as an SVG document.

    position: a position, or a situation, game or match with its dice, cube and tokens, or what a play or a turn leads to. The
        side whose turn it is is drawn near, at the bottom, unless `near_to_act` is False.
    rules: of a position, situation or play, as backgammon where nothing is said; games and matches know theirs. meeting: where the
        sides' paths meet, instead of the rules (`rules.movement.meeting`).
    mirrored: with the homes on the left.
    dice: faces; a single face above 6 is drawn as a die with twelve sides. dice_near: whether the near side owns them;
        None for the side to act.
    moves: (from, to, ...) of the side to act, drawn as arrows from the position before them.
    cube: its value, not drawn when None; cube_near: whether the near side owns it, in the middle when None.
    tokens: reroll tokens of the near and the far side.
    labels: names of the near and the far side, with their pips.
    theme: a name in `THEMES`, or a `Theme`. width_px: of the whole picture; its height follows.
    What is not said is as in the game or match. ArgumentError for an unknown theme and what cannot be drawn, such as a
    position that opposite directions do not allow.
    """
    check_names(unknown, svg.__kwdefaults__ or ())
    _check(dice, moves, cube, tokens, labels, width_px)
    colours, scene = _theme(theme), scene_of(position)
    near = scene if near_to_act else scene.flip()
    board, meeting = near.position, meeting or _meeting(rules, scene)
    dice = near.dice if dice is None else tuple(dice)
    tokens = near.tokens if tokens is None else (tokens[0], tokens[1])
    if cube is None and near.cube is not None:
        cube, cube_near = near.cube, near.own_cube
    layout = Layout.of(board, meeting, mirrored)
    margin = 58.0 if labels else 0.0
    parts = [
        *([_box(0, -margin, layout.width, layout.height + 2 * margin, colours.frame, 22)] if labels else ()),
        *_table(layout, colours),
        _outline(1.5, 1.5 - margin, layout.width - 3, layout.height + 2 * margin - 3, 20.5, colours.shine, 0.12),
        *_checkers(layout, colours, board),
        *_dice(layout, colours, dice, near_to_act if dice_near is None else dice_near),
        *(_cube(layout, colours, cube, cube_near) if cube is not None else ()),
        *_arrows(layout, colours, board, NEAR if near_to_act else FAR, moves),
        *_words(layout, colours, board, labels, tokens),
    ]
    return _document(layout, margin, width_px, describe(scene.position, meeting), parts)


def _document(layout: Layout, margin: float, width_px: int, title: str, parts: Sequence[str]) -> str:
    """The SVG document of these parts. margin: above and below the board, for labels."""
    height = layout.height + 2 * margin
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width_px}" '
        f'height="{round(width_px * height / layout.width)}" '
        f'viewBox="0 {_n(-margin)} {_n(layout.width)} {_n(height)}" font-family="{_FONT}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _meeting(rules: Rules | str | None, scene: DrawnScene) -> Meeting:
    """Where the paths meet by these rules, by what is drawn, or in backgammon; ArgumentError where that cannot be."""
    if rules is not None:
        rules = rules_of(rules)
        rules.check_one_game()
        return rules.movement.meeting
    if scene.meeting is None and (points := points_of_both(scene.position)):
        raise ArgumentError(
            "both sides stand on our point %(point)s of backgammon; say of which game, as in svg(position, rules='fevga')",
            point=points[0],
        )
    return scene.meeting or Meeting.OPPOSITE


def _check(dice: object, moves: object, cube: object, tokens: object, labels: object, width_px: object) -> None:
    """ArgumentError for a value that cannot be drawn."""
    arrows = isinstance(moves, Sequence) and all(
        isinstance(move, Sequence) and len(move) > 1 and _whole(move[:1], 1, HAND) and _whole(move[1:2], 0, 24)
        for move in moves
    )
    for name, value, drawable, allowed in (
        (
            "dice",
            dice,
            dice is None or _whole(dice, 1, 6) or _whole(dice, 1, 12, 1),
            "faces from 1 to 6, or one up to 12",
        ),
        ("moves", moves, arrows, "(from, to), from 1 to 26 and to 0 to 24; those of a Play are `play.moves`"),
        ("cube", cube, cube is None or _whole([cube], 1), "a whole number from 1 on, or None"),
        ("tokens", tokens, tokens is None or _whole(tokens, 0, count=2), "a number of each side, or None"),
        ("labels", labels, labels is None or _names(labels), "the names of both sides, or None"),
        ("width_px", width_px, _whole([width_px], 1), "a whole number from 1 on"),
    ):
        if not drawable:
            raise ArgumentError(
                "%(name)s is %(value)s; allowed: %(allowed)s", name=name, value=brief(value), allowed=allowed
            )


def _whole(values: Any, least: int, most: float = math.inf, count: int | None = None) -> bool:
    """Whether these are whole numbers within bounds, and so many."""
    try:
        return count in (None, len(values)) and all(least <= operator.index(value) <= most for value in values)
    except TypeError:
        return False


def _names(labels: object) -> bool:
    return isinstance(labels, tuple | list) and len(labels) == 2 and all(isinstance(name, str) for name in labels)


def _theme(theme: str | Theme) -> Theme:
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise ArgumentError(
            "no theme is called %(theme)r; there are %(allowed)s", theme=theme, allowed=", ".join(THEMES)
        )
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
    parts = [_box(0, 0, layout.width, layout.height, colours.frame, 22)]
    for left in (layout.table_left, layout.table_right):
        parts.append(_box(left, layout.top, TABLE, tall, colours.field, 4))
    for point in range(1, 25):
        left, (column, up) = layout.point_left(point), layout.cell(point)
        length = POINT * TAPER
        edge, tip = (layout.top, layout.top + length) if up else (layout.bottom, layout.bottom - length)
        colour = colours.points[(column + up) % 2]
        corners = f"{_n(left + 4)},{_n(edge)} {_n(left + CHECKER - 4)},{_n(edge)} {_n(left + CHECKER / 2)},{_n(tip)}"
        parts.append(f'<polygon points="{corners}" fill="{colour}"/>')
        row = layout.top - BAND / 2 if up else layout.bottom + BAND / 2
        parts.append(_text(left + CHECKER / 2, row, str(point), colours.number, 25))
    for left in (layout.table_left, layout.table_right):
        parts += _depth(left, layout.top, TABLE, tall, 4, colours)
    parts.append(_box(layout.bar_left + 1.5, layout.top, CHECKER - 3, tall, colours.bar))
    for side in (NEAR, FAR):
        for place in (OFF, HAND) if layout.hands else (OFF,):
            top = layout.top if layout.at_top(side) else layout.bottom - POINT
            parts.append(_box(layout.tray_left(side, place), top, TRAY, POINT, colours.tray, 10))
            parts += _depth(layout.tray_left(side, place), top, TRAY, POINT, 10, colours)
    return parts


def _outline(x: float, y: float, width: float, height: float, round_px: float, stroke: str, opacity: float) -> str:
    more = f' stroke="{stroke}" stroke-width="3" stroke-opacity="{opacity}"'
    return _box(x, y, width, height, "none", round_px, more)


def _depth(x: float, y: float, width: float, height: float, round_px: float, colours: Theme) -> list[str]:
    """The short shadow of the frame on what lies lower; no gradients, whose names would meet those of other pictures."""
    shadow = colours.umbra
    return [
        *(
            _box(x, y, width, tall, shadow, round_px, f' fill-opacity="{faint}"')
            for tall, faint in ((20, 0.1), (9, 0.14))
        ),
        _box(x, y, 9, height, shadow, round_px, ' fill-opacity=".1"'),
        _outline(x - 1.5, y - 1.5, width + 3, height + 3, round_px + 1.5, shadow, 0.5),
    ]


def _checkers(layout: Layout, colours: Theme, board: Position) -> list[str]:
    parts = []
    sides = ((NEAR, board.us, colours.near), (FAR, board.them, colours.far))
    for side, checkers, look in sides:  # pinned ones first: the checkers that pin them are drawn on top
        for point in range(1, 25):
            if checkers.pinned >> point & 1:
                parts += [_checker(layout.seat(side, point, 0, 1), side, look, colours)]
    for side, checkers, look in sides:
        other = sides[1 - side][1]
        for place in (*range(26), HAND):
            count = checkers.hand if place == HAND else checkers.points[place]
            if 1 <= place <= 24 and checkers.pinned >> place & 1:
                continue
            below = _pinned_below(layout, other, place)
            seats = [layout.seat(side, place, index + below, count + below) for index in range(count)]
            parts += [_checker(seat, side, look, colours) for seat in seats]
            if (count > 5 and 1 <= place <= 24) or (place == BAR and count > 4):
                parts.append(_text(seats[-1].x, seats[-1].y, str(count), look[2], 42, weight=600))
    return parts


def _pinned_below(layout: Layout, other: Side, place: int) -> int:
    """1 when a checker of the other side is pinned beneath this side's on its own point `place`."""
    return other.pinned >> layout.meeting.other(place) & 1 if 1 <= place <= 24 else 0


def _checker(seat: Seat, side: int, look: tuple[str, str, str], colours: Theme) -> str:
    """A disc on its short shadow with a rim of light; the ring is wide on the near side's and narrow on the far side's."""
    fill, edge, _ = look
    x, y = seat.x, seat.y
    bright = 0.9 if side == NEAR else 0.3
    light = f'fill="none" stroke="{colours.shine}" stroke-width="3" stroke-linecap="round" stroke-opacity="{bright}"'
    if seat.flat:
        slab = _box(x - 48, y - SLAB / 2 + 2, 96, SLAB - 4, fill, 9, f' stroke="{edge}" stroke-width="2"')
        return f'{slab}<path d="M{_n(x - 40)} {_n(y - SLAB / 2 + 6)}h80" {light}/>'
    at = f'cx="{_n(x)}" cy="{_n(y)}"'
    return (
        f'<ellipse cx="{_n(x + 1)}" cy="{_n(y + 6)}" rx="49" ry="48" fill="{colours.umbra}" fill-opacity=".26"/>'
        f'<circle {at} r="47" fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        f'<path d="M{_n(x - 37)} {_n(y - 24)}A44 44 0 0 1 {_n(x + 37)} {_n(y - 24)}" {light}/>'
        f'<circle {at} r="{32 if side == NEAR else 20}" fill="none" stroke="{edge}" stroke-width="2.5" stroke-opacity=".6"/>'
    )


def _block(x: float, y: float, size: float, round_px: float, look: tuple[str, str, str], umbra: str) -> list[str]:
    """A die's or the cube's face on its short shadow."""
    half = size / 2
    return [
        _box(x - half + 1, y - half + 6, size, size, umbra, round_px, ' fill-opacity=".3"'),
        _box(x - half, y - half, size, size, look[0], round_px, f' stroke="{look[1]}" stroke-width="2"'),
    ]


def _dice(layout: Layout, colours: Theme, faces: Sequence[int], near: bool) -> list[str]:
    look = colours.near if near else colours.far
    middle, gap = layout.dice_middle(NEAR if near else FAR), 120.0
    first = middle - gap * (len(faces) - 1) / 2
    parts = []
    for index, face in enumerate(faces):
        x, y = first + index * gap, layout.middle
        if len(faces) == 1:
            parts += _twelve_sided(x, y, face, look)
        elif face in _PIPS:
            parts += _die(x, y, face, look, colours.umbra)
    return parts


def _die(x: float, y: float, face: int, look: tuple[str, str, str], umbra: str) -> list[str]:
    parts = _block(x, y, 94, 22, look, umbra)
    for cell in _PIPS[face]:
        row, column = divmod("abcdefghi".index(cell), 3)
        parts.append(
            f'<circle cx="{_n(x + 24.5 * (column - 1))}" cy="{_n(y + 24.5 * (row - 1))}" r="9.4" fill="{look[2]}"/>'
        )
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


def _power(value: int) -> str:
    """A power of two with small digits, where its own have no room."""
    return "2" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(value.bit_length() - 1))


def _cube(layout: Layout, colours: Theme, value: int, near: bool | None) -> list[str]:
    if near is None:
        y = layout.middle
    else:
        y = layout.bottom - CHECKER * 0.52 if near else layout.top + CHECKER * 0.52
    x = layout.bar_left + CHECKER / 2
    shown = _power(value) if value > 999_999 else str(64 if value == 1 else value)
    size = 46 if len(shown) < 3 else 34 if len(shown) == 3 else 26
    return [
        *_block(x, y, 82, 14, colours.cube, colours.umbra),
        _text(x, y, shown, colours.cube[2], size, weight=600),
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
