"""A position as text: the board for a terminal, and a sentence for people who cannot see the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.rules import Meeting

NEAR_STYLE: Final = "near"
FAR_STYLE: Final = "far"
FRAME_STYLE: Final = "frame"
NUMBER_STYLE: Final = "number"
PLAIN_STYLE: Final = ""

ROWS: Final = 5
"""Maximum checkers drawn on a point; beyond them the last one is a number."""

_ROOM = 4  # width of a point and of the bar


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line and its kind, for callers that colour it."""

    text: str
    style: str = PLAIN_STYLE


Line = tuple[Span, ...]


def board(
    position: Position,
    *,
    meeting: Meeting = Meeting.OPPOSITE,
    near_to_act: bool = True,
    letters: tuple[str, str] = ("X", "O"),
    middle: tuple[str, str] = ("", ""),
    beside: Sequence[str] = (),
) -> tuple[Line, ...]:
    """Draws the board as thirteen lines, 58 columns wide.

    position: seen by the side to act, which is drawn near, at the bottom, unless `near_to_act` is False.
    letters: one character for a near and a far checker.
    middle: text between the rows, left and right of the bar, up to 24 columns each.
    beside: text to the right of the lines, from the top.
    """
    near, far = (position.us, position.them) if near_to_act else (position.them, position.us)
    table = _Table(near, far, meeting, letters)
    upper, lower = range(13, 25), range(12, 0, -1)
    lines = [
        _numbers(upper),
        *(table.row(upper, row) for row in range(ROWS)),
        _middle(middle),
        *(table.row(lower, row) for row in reversed(range(ROWS))),
        _numbers(lower),
    ]
    words = list(beside) + [""] * (len(lines) - len(beside))
    return tuple((*line, Span("  " + word)) if word else line for line, word in zip(lines, words, strict=True))


def plain(lines: Sequence[Line]) -> str:
    """The lines without their styles."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def describe(position: Position, meeting: Meeting = Meeting.OPPOSITE) -> str:
    """The position in words, seen by the side to act."""
    parts = []
    for who, side in (("To act", position.us), ("Other side", position.them)):
        places = [f"{side.hand} in hand"] if side.hand else []
        places += [f"{side.points[BAR]} on the bar"] if side.points[BAR] else []
        places += [f"{point} point {side.points[point]}" for point in range(24, 0, -1) if side.points[point]]
        places += [f"{side.points[0]} off"] if side.points[0] else []
        pinned = [str(point) for point in range(24, 0, -1) if side.pinned >> point & 1]
        places += [f"pinned on {', '.join(pinned)}"] if pinned else []
        parts.append(f"{who}, {side.pips} pips: {', '.join(places) or 'nothing'}.")
    return " ".join(parts) + ("" if meeting is Meeting.OPPOSITE else " Both sides travel the same way round.")


@dataclass(frozen=True, slots=True)
class _Table:
    near: Side
    far: Side
    meeting: Meeting
    letters: tuple[str, str]

    def row(self, points: range, row: int) -> Line:
        """One line of checkers; row 0 is at the edge."""
        spans = [Span(" |", FRAME_STYLE)]
        for index, point in enumerate(points):
            if index == 6:
                spans += [Span("|", FRAME_STYLE), self.bar(points[0] == 13, row), Span("|", FRAME_STYLE)]
            spans.append(self.point(point, row))
        return (*spans, Span("|", FRAME_STYLE))

    def point(self, point: int, row: int) -> Span:
        """The character of a near point in one row, counted from the edge."""
        other = self.meeting.other(point)
        stack = [NEAR_STYLE] * self.near.points[point] + [FAR_STYLE] * self.far.points[other]
        if self.near.pinned >> point & 1 or not self.far.pinned >> other & 1:
            return self.checker(stack, row)
        return self.checker(stack[::-1], row)  # pinned checkers lie at the edge

    def bar(self, upper: bool, row: int) -> Span:
        """The bar's character: a side's checkers are on the half in which they enter, next to the middle."""
        side, style = (self.near, NEAR_STYLE) if upper else (self.far, FAR_STYLE)
        return self.checker([style] * side.points[BAR], ROWS - 1 - row)

    def checker(self, stack: list[str], row: int) -> Span:
        if row >= len(stack):
            return Span(" " * _ROOM)
        if row == ROWS - 1 and len(stack) > ROWS:
            return Span(f"{len(stack):^{_ROOM}}", stack[row])
        return Span(f" {self.letters[stack[row] == FAR_STYLE]}  ", stack[row])


def _numbers(points: range) -> Line:
    halves = ["".join(f"{point:-^{_ROOM}}" for point in half) for half in (points[:6], points[6:])]
    return (Span(f" +{halves[0]}+-{'BAR'}+{halves[1]}+".replace("+-BAR+", "+BAR-+"), NUMBER_STYLE),)


def _middle(words: tuple[str, str]) -> Line:
    width = 6 * _ROOM
    left, right = (Span(f"{word[:width]:^{width}}") for word in words)
    edge = Span("|", FRAME_STYLE)
    return (Span(" |", FRAME_STYLE), left, edge, Span(" " * _ROOM), edge, right, edge)
