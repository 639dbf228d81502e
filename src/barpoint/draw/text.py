"""A position as text: the board for a terminal, and a sentence for people who cannot see the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.language import _
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
    """Draws the board as thirteen lines, 58 columns wide, and below it a line with the checkers in hand and off, where there are any.

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
    if away := _away(near, far, letters):
        lines.append((Span(f" {away}"),))
    words = list(beside) + [""] * (len(lines) - len(beside))
    return tuple((*line, Span("  " + word)) if word else line for line, word in zip(lines, words, strict=True))


def plain(lines: Sequence[Line]) -> str:
    """The lines without their styles."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def describe(position: Position, meeting: Meeting = Meeting.OPPOSITE) -> str:
    """The position in words, seen by the side to act, in the language that holds now."""
    us, them = position.us, position.them
    said = [
        _("To act, %(pips)s pips: %(places)s.", pips=us.pips, places=_places(us)),
        _("Other side, %(pips)s pips: %(places)s.", pips=them.pips, places=_places(them)),
    ]
    if meeting is not Meeting.OPPOSITE:
        said.append(_("Both sides travel the same way round."))
    return " ".join(said)


def _places(side: Side) -> str:
    """Where the checkers of a side are."""
    points = [(point, side.points[point]) for point in range(24, 0, -1) if side.points[point]]
    pinned = ", ".join(str(point) for point in range(24, 0, -1) if side.pinned >> point & 1)
    places = _in_hand(side)
    places += [_("%(count)s on the bar", count=side.points[BAR])] if side.points[BAR] else []
    places += [_("%(point)s point %(count)s", point=point, count=count) for point, count in points]
    places += _off(side)
    places += [_("pinned on %(points)s", points=pinned)] if pinned else []
    return ", ".join(places) or _("nothing")


def _in_hand(side: Side) -> list[str]:
    return [_("%(count)s in hand", count=side.hand)] if side.hand else []


def _off(side: Side) -> list[str]:
    return [_("%(count)s off", count=side.points[0])] if side.points[0] else []


def _away(near: Side, far: Side, letters: tuple[str, str]) -> str:
    """The checkers of both sides that are not on the board, the near side's first."""
    found = []
    for side, letter in zip((near, far), letters, strict=True):
        if counts := [*_in_hand(side), *_off(side)]:
            found.append(f"{letter}: {', '.join(counts)}")
    return "   ".join(found)


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
