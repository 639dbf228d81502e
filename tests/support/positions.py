"""Positions in the notation of docs/rulings.md: both sides' checkers by the mover's numbers, the rest borne off."""

from __future__ import annotations

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.moves import legal_plays
from barpoint.rules import Rules
from barpoint.variants import variant


def place(
    us: str, them: str, rules: Rules | None = None, pins_us: tuple[int, ...] = (), pins_them: tuple[int, ...] = ()
) -> Position:
    """us: such as "bar(2) 13(5) 6 hand"; them: the same, but two on a point by default.

    pins_us, pins_them: points, by the mover's numbers, on which a checker of that side is pinned.
    """
    rules = rules or variant()
    meets = rules.movement.meeting.other
    ours = _counts(us, 1)
    theirs = {meets(point) if point <= 24 else point: count for point, count in _counts(them, 2).items()}
    return Position(
        _side(ours, rules, sum(1 << point for point in pins_us)),
        _side(theirs, rules, sum(1 << meets(point) for point in pins_them)),
    )


def _side(counts: dict[int, int], rules: Rules, pinned: int) -> Side:
    hand = counts.pop(HAND, 0)
    return Side.of({OFF: rules.checkers - hand - sum(counts.values()), **counts}, hand, pinned)


def _counts(text: str, usual: int) -> dict[int, int]:
    counts = {}
    for item in text.split():
        name, _, count = item.partition("(")
        point = {"bar": BAR, "hand": HAND}.get(name) or int(name)
        counts[point] = int(count.rstrip(")")) if count else usual
    return counts


def from_xgid(xgid: str, rules: Rules | None = None) -> Position:
    """The position of an XGID for its bottom player (rulings 7.3); every side has all the rules' checkers."""
    rules = rules or variant()
    us: dict[int, int] = {}
    them: dict[int, int] = {}
    for index, letter in enumerate(xgid.removeprefix("XGID=").split(":")[0]):
        if letter.isupper():
            us[index] = ord(letter) - ord("A") + 1
        elif letter.islower():
            them[25 - index] = ord(letter) - ord("a") + 1
    return Position(_side(us, rules, 0), _side(them, rules, 0))


def texts(rules: Rules, position: Position, *faces: int) -> list[str]:
    """The notation of every legal play."""
    return sorted(str(play) for play in legal_plays(rules, position, faces))
