"""Formats moves as text (rulings 7.7): one item a checker, highest source first, `*` for a hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Final

from barpoint.board import BAR, HAND, OFF
from barpoint.error import IllegalMove, brief

Move = tuple[int, int, int]
"""(from, to, number): from 1..24, 25 the bar or 26 the hand; to 0 (off) or 1..24; number is the part of the roll used."""


def moves_of(found: Iterable[Sequence[int]]) -> tuple[Move, ...]:
    """These moves as tuples; IllegalMove for what are no moves."""
    try:
        return tuple((index(source), index(target), index(number)) for source, target, number in found)
    except (TypeError, ValueError):
        raise IllegalMove(
            "%(found)s are no moves; moves are (from, to, number), and those of a Play are `play.moves`",
            found=brief(found),
        ) from None


NO_EFFECT: Final = 0
HIT: Final = 1
PIN: Final = 2

NO_PLAY: Final = "(no play)"
_NAMES: Final = {OFF: "off", BAR: "bar", HAND: "hand"}


def point_name(point: int) -> str:
    """A point as notation writes it."""
    return _NAMES.get(point, str(point))


def _paths(moves: Sequence[Move], effects: Sequence[int]) -> list[list[tuple[int, bool]]]:
    """Each checker's path as (point, hit there); a move continues the path of the checker that has just reached its
    source.
    """
    paths: list[list[tuple[int, bool]]] = []
    for (source, target, _), effect in zip(moves, effects, strict=True):
        for path in paths:
            if path[-1][0] == source:
                path.append((target, effect == HIT))
                break
        else:
            paths.append([(source, False), (target, effect == HIT)])
    return paths


def _shown(path: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    return [path[0], *(stop for stop in path[1:-1] if stop[1]), path[-1]]


def format_moves(moves: Sequence[Move], effects: Sequence[int]) -> str:
    """The notation of moves in the order in which they were made; effects: [len(moves)] the effect of each."""
    if not moves:
        return NO_PLAY
    counts: dict[tuple[int, ...], int] = {}
    hits: dict[tuple[int, ...], set[int]] = {}
    for path in map(_shown, _paths(moves, effects)):
        points = tuple(point for point, _ in path)
        counts[points] = counts.get(points, 0) + 1
        hits.setdefault(points, set()).update(index for index, (_, hit) in enumerate(path) if hit)
    return " ".join(_item(points, hits[points], counts[points]) for points in sorted(counts, reverse=True))


def _item(points: tuple[int, ...], hits: Iterable[int], count: int) -> str:
    text = "/".join(point_name(point) + ("*" if index in hits else "") for index, point in enumerate(points))
    return f"{text}({count})" if count > 1 else text
