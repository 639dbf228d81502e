"""Positions and plays as text, for test cases: boards of an XGID, and plays made without checking any rule."""

from __future__ import annotations

import re

from barpoint.board import BAR, OFF, Position, Side


def read_board(text: str, checkers: int = 15, of: str = "bottom") -> Position:
    """The board part of an XGID (rulings 7.3), seen by the bottom player or the top one; the rest is borne off."""
    board = text.removeprefix("XGID=").split(":")[0]
    bottom = {point: ord(char) - ord("A") + 1 for point, char in enumerate(board) if char.isupper()}
    top = {25 - point: ord(char) - ord("a") + 1 for point, char in enumerate(board) if char.islower()}
    us, them = (Side.of(count | {OFF: checkers - sum(count.values())}) for count in (bottom, top))
    return Position(us, them) if of == "bottom" else Position(them, us)


def place(ours: str, theirs: str = "", checkers: int = 15) -> Position:
    """A position from lists such as "bar 13(2) 6", both in our numbering; the other checkers are borne off.

    In `theirs` a point without a count has two checkers and `5(1)` one, as in rulings 6.5.
    """
    us, them = _count(ours, 1), {25 - point: count for point, count in _count(theirs, 2).items()}
    return Position(
        Side.of(us | {OFF: checkers - sum(us.values())}), Side.of(them | {OFF: checkers - sum(them.values())})
    )


def _count(text: str, default: int) -> dict[int, int]:
    found = re.findall(r"(bar|\d+)(?:\((\d+)\))?", text)
    return {_point(point): int(count or default) for point, count in found}


def _point(word: str) -> int:
    return {"bar": BAR, "off": OFF}[word] if word in ("bar", "off") else int(word)


def carry_out(position: Position, play: str) -> Position:
    """The position after a play such as "bar/20*/19 13/7(2)", made as written (opposite directions, with hits)."""
    us, them = list(position.us.points), list(position.them.points)
    for path, times in re.findall(r"([a-z0-9/*]+)(?:\((\d+)\))?", play):
        words = path.split("/")
        stops = [_point(word.rstrip("*")) for word in words]
        for _ in range(int(times or 1)):
            us[stops[0]] -= 1
            us[stops[-1]] += 1
        for stop, word in zip(stops, words, strict=True):
            if word.endswith("*"):
                them[25 - stop] -= 1
                them[BAR] += 1
    return Position(Side(tuple(us)), Side(tuple(them)))
