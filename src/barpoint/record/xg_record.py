"""Records of eXtreme Gammon: numbers at fixed places, and the position before a cube action or a play."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import Final

from barpoint.board import BAR, OFF, Position, Side
from barpoint.error import FormatError, IllegalMove, PositionError
from barpoint.game import Game
from barpoint.moves import Play, find_play

RECORD_BYTES: Final = 2560

FIRST_DAY: Final = date(1899, 12, 30)
"""Day 0 of the program's dates."""

DAY_AT: Final = 128
"""Where the first record of a match has its day, as a float."""

MAX_CUBE: Final = 30
"""Largest cube, as a power of two."""

CANNOT_DOUBLE: Final = -2
"""What the record of a cube says of a player who may not turn it."""


class Kind(IntEnum):
    """The kind of a record, in its byte 8."""

    MATCH = 0
    GAME = 1
    CUBE = 2
    MOVE = 3
    GAME_END = 4
    MATCH_END = 5


@dataclass(frozen=True, slots=True)
class Before:
    """Where a game stands before a cube action or a play.

    position: as `player` sees it, who acts; the file's player 1 is player 0. cube, owner: its value, and who alone may double.
    """

    position: Position
    player: int
    cube: int
    owner: int | None


def before(record: bytes, checkers: int) -> Before:
    """What a record of a cube or a play begins with. checkers: of a side. FormatError, PositionError.

    The file counts its player 1 as positive, whoever acts: the checkers, and the power of two of a cube that somebody owns.
    """
    counts, actor, cube_at = (36, 12, 32) if record[8] == Kind.CUBE else (9, 64, 108)
    player, power = player_of(int_at(record, actor)), int_at(record, cube_at)
    if not -MAX_CUBE <= power <= MAX_CUBE:
        raise FormatError("a cube of 2^%(power)s; at most 2^%(most)s is read", power=abs(power), most=MAX_CUBE)
    seen = shown_position(counts_at(record, counts), checkers)
    owner = None if not power else 0 if power > 0 else 1
    return Before(seen if player == 0 else seen.flip(), player, 2 ** abs(power), owner)


def int_at(record: bytes, at: int) -> int:
    """The 32-bit number at a place of a record."""
    found: tuple[int] = struct.unpack_from("<i", record, at)
    return found[0]


def player_of(sign: int) -> int:
    """The player that a record calls 1 or -1."""
    if sign not in (1, -1):
        raise FormatError("player %(sign)s; allowed: 1 and -1", sign=sign)
    return 0 if sign == 1 else 1


def counts_at(record: bytes, at: int) -> tuple[int, ...]:
    """[26] one side's checkers on its points 1 to 24 and bar 25, minus the other's, whose bar is 0."""
    return struct.unpack_from("<26b", record, at)


def shown_counts(position: Position) -> tuple[int, ...]:
    """The same array for a position: [26], as `counts_at` reads it, of the side that the position calls `us`."""
    us, them = position.us.points, position.them.points
    return (-them[BAR], *(us[point] - them[BAR - point] for point in range(1, BAR)), us[BAR])


def shown_position(counts: tuple[int, ...], checkers: int) -> Position:
    """The position of such an array; the checkers that are missing are borne off. PositionError for what is none."""
    us = {point: count for point, count in enumerate(counts) if count > 0 and point}
    them = {BAR - point: -count for point, count in enumerate(counts) if count < 0 and point != BAR}
    if counts[0] > 0 or counts[BAR] < 0:
        raise PositionError("a checker on the other side's bar")
    for side in (us, them):
        side[OFF] = checkers - sum(side.values())
        if side[OFF] < 0:
            raise PositionError("%(count)s checkers; a side has %(most)s", count=checkers - side[OFF], most=checkers)
    return Position(Side.of(us), Side.of(them))


def as_recorded(game: Game, record: bytes, play: Play) -> Play:
    """A play by the moves of its record, where they are ours: other programs join them, and bear off to any place."""
    numbers = struct.unpack_from("<8i", record, 68)
    steps = [step for step in zip(numbers[::2], numbers[1::2], strict=True) if 0 <= step[0] < BAR]
    if not all(source - target in game.faces for source, target in steps):
        return play
    try:
        moves = tuple((source + 1, max(OFF, target + 1), source - target) for source, target in steps)
        found = find_play(game.rules, game.position, game.faces, moves)
    except IllegalMove:
        return play
    return found if found == play else play
