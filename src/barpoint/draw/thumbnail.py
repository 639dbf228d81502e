"""Draws a position small: points and checkers without numbers, dice and rings, in about two kilobytes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.draw.layout import CHECKER, FAR, GAP, NEAR, POINT, SLAB, TABLE, TRAY, Layout
from barpoint.draw.text import describe
from barpoint.draw.theme import THEMES
from barpoint.rules import Meeting

_MARGIN: Final = 24.0
_TIP: Final = 0.86


def thumbnail(
    position: Position,
    *,
    meeting: Meeting = Meeting.OPPOSITE,
    moves: Sequence[tuple[int, ...]] = (),
    theme: str = "walnut",
) -> str:
    """A small SVG picture of a position seen by the side to act, which is drawn at the bottom.

    Checkers of one side are one path of dots, so that a page can show many boards. moves: (from, to, ...) drawn as lines
    with a dot where they end.
    """
    layout, colours = Layout.of(position, meeting, mirrored=False), THEMES[theme]
    trays = {
        layout.tray_left(side, place) for side in (NEAR, FAR) for place in ((OFF, HAND) if layout.hands else (OFF,))
    }
    parts = [
        f'<rect width="{layout.width:.0f}" height="{2 * (POINT + _MARGIN) + GAP:.0f}" rx="20" fill="{colours.frame}"/>',
        *(_box(left, 0, TABLE, 2 * POINT + GAP, colours.field) for left in (layout.table_left, layout.table_right)),
        *_points(layout, colours.points),
        *(_box(left, 0, TRAY, 2 * POINT + GAP, colours.tray) for left in sorted(trays)),
    ]
    for side, (face, edge, _) in ((FAR, colours.far), (NEAR, colours.near)):
        parts += _side(layout, position, side, face, edge)
    parts += [part for move in moves for part in _line(layout, position.us, move[0], move[1], colours.arrow)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {layout.width:.0f} '
        f'{2 * (POINT + _MARGIN) + GAP:.0f}"><title>{escape(describe(position, meeting))}</title>{"".join(parts)}</svg>'
    )


def _box(left: float, top: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{left:.0f}" y="{top + _MARGIN:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}"/>'


def _points(layout: Layout, colours: tuple[str, str]) -> list[str]:
    """The points as one path for each of the two colours."""
    paths = ["", ""]
    for point in range(1, 25):
        column, upper = layout.cell(point)
        left = layout.point_left(point) + 4
        edge, tip = (0.0, POINT * _TIP) if upper else (2 * POINT + GAP, 2 * POINT + GAP - POINT * _TIP)
        paths[(column + upper) % 2] += (
            f"M{left:.0f} {edge + _MARGIN:.0f}h{CHECKER - 8:.0f}L{left + CHECKER / 2 - 4:.0f} {tip + _MARGIN:.0f}z"
        )
    return [f'<path d="{path}" fill="{colour}"/>' for path, colour in zip(paths, colours, strict=True)]


def _side(layout: Layout, position: Position, side: int, face: str, edge: str) -> list[str]:
    """The checkers of a side: dots on the board, drawn twice for an edge, and slabs in the trays."""
    checkers = position.us if side == NEAR else position.them
    dots, slabs, piled = "", "", []
    for place in (*range(BAR + 1), HAND):
        count = checkers.hand if place == HAND else checkers.points[place]
        for index in range(count):
            seat = layout.seat(side, place, index, count)
            x, y = seat.x, seat.y - layout.top + _MARGIN
            if seat.flat:
                slabs += f"M{x - 45:.0f} {y:.0f}h90"
            elif count > 5:  # each covers a part of the one below it
                piled += _dots(f"M{x:.0f} {y:.0f}h0", face, edge)
            else:
                dots += f"M{x:.0f} {y:.0f}h0"
    drawn = [*(_dots(dots, face, edge) if dots else ()), *piled]
    if slabs:
        drawn.append(f'<path d="{slabs}" stroke="{face}" stroke-width="{SLAB - 6:.0f}"/>')
    return drawn


def _line(layout: Layout, us: Side, source: int, target: int, colour: str) -> list[str]:
    """A move of the near side, from its highest checker to the place where it ends."""
    count = max(1, us.hand if source == HAND else us.points[source])
    start = layout.seat(NEAR, source, count - 1, count)
    there = us.points[target] + 1
    end = layout.seat(NEAR, target, there - 1, there)
    lift = _MARGIN - layout.top
    return [
        f'<path d="M{start.x:.0f} {start.y + lift:.0f}L{end.x:.0f} {end.y + lift:.0f}" stroke="{colour}" stroke-width="22"/>',
        f'<circle cx="{end.x:.0f}" cy="{end.y + lift:.0f}" r="34" fill="{colour}"/>',
    ]


def _dots(path: str, face: str, edge: str) -> list[str]:
    return [
        f'<path d="{path}" stroke="{colour}" stroke-width="{width:.0f}" stroke-linecap="round"/>'
        for colour, width in ((edge, CHECKER - 4), (face, CHECKER - 16))
    ]
