"""Reads a single position of eXtreme Gammon (.xgp): an archive as of a match, with one game of one or two records."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Final

from barpoint.board import BAR, OFF, Position, Side
from barpoint.error import FormatError, PositionError, check_kind
from barpoint.match.situation import Offer, Situation
from barpoint.record.any_id import parse_id
from barpoint.record.oddity import Oddities
from barpoint.record.xg_reader import Kind, int_at, player_of, records_of, rules_and_length

POSITIONS: Final = (".xgp", ".txt")
MAX_BYTES: Final = 8_000_000
MAX_CUBE: Final = 30
"""Largest cube, as a power of two."""


def read_position(path: str | os.PathLike[str]) -> Situation:
    """Reads the position in a file: .xgp, or .txt with a position in any notation of `parse_id`.

    FormatError for what is none, OSError when it cannot be read.
    """
    check_kind("path", path, str, os.PathLike)
    file = Path(path)
    if file.suffix.lower() not in POSITIONS:
        raise FormatError(
            "%(name)r holds no position; known: %(allowed)s", name=file.name, allowed=", ".join(POSITIONS)
        )
    if file.stat().st_size > MAX_BYTES:
        raise FormatError("a file of more than %(bytes)s bytes", bytes=MAX_BYTES)
    data = file.read_bytes()
    return parse_xgp(data) if file.suffix.lower() == ".xgp" else parse_id(data.decode("utf-8", errors="replace"))


def parse_xgp(data: bytes) -> Situation:
    """The position of a file; of several the first. FormatError or PositionError for anything else.

    The file's player 1 is player 1 of the situation, as with an XGID.
    """
    records, _ = records_of(data, Oddities(strict=True))
    head = records[0]
    game = next((record for record in records if record[8] == Kind.GAME), None)
    if game is None:
        raise FormatError("no position in this file of eXtreme Gammon")
    for at, record in enumerate(records):
        if record[8] == Kind.MOVE:
            return _situation(head, game, record, 9, 64, 108, (int_at(record, 100), int_at(record, 104)), Offer.NONE)
        follows = records[at + 1][8] if at + 1 < len(records) else Kind.MATCH_END
        if record[8] == Kind.CUBE and follows != Kind.MOVE:
            doubled = int_at(record, 16) == 1 and int_at(record, 20) < 0
            return _situation(head, game, record, 36, 12, 32, (), Offer.DOUBLE if doubled else Offer.NONE)
    raise FormatError("no position in this file of eXtreme Gammon")


def _situation(
    head: bytes,
    game: bytes,
    record: bytes,
    counts_at: int,
    player_at: int,
    cube_at: int,
    dice: tuple[int, ...],
    offer: Offer,
) -> Situation:
    """The situation of a record; the numbers say where it holds the position, who acts, and the cube."""
    rules, length = rules_and_length(head)
    money = length == 0
    if any(dice) and not all(1 <= face <= 6 for face in dice):
        raise FormatError("a roll of %(first)s-%(second)s; each shows 1 to 6", first=dice[0], second=dice[1])
    score = int_at(game, 16), int_at(game, 12)
    if min(score) < 0 or (not money and max(score) >= length):
        raise FormatError("score %(score)s in a match to %(length)s", score=f"{score[1]}-{score[0]}", length=length)
    cube = int_at(record, cube_at)  # a power of two; below zero the other player's
    if not -MAX_CUBE <= cube <= MAX_CUBE:
        raise FormatError("a cube of 2^%(power)s; at most 2^%(most)s is read", power=abs(cube), most=MAX_CUBE)
    player = 1 - player_of(int_at(record, player_at))
    owner = None if not cube else player if cube > 0 else 1 - player
    return Situation(
        position=_position(struct.unpack_from("<26b", record, counts_at), rules.checkers),
        player=player,
        actor=1 - player if offer is Offer.DOUBLE else player,
        dice=tuple(sorted(dice, reverse=True)) if any(dice) else (),
        cube=2 ** abs(cube),
        owner=owner,
        length=length,
        score=score,
        crawford=not money and bool(game[20]),
        jacoby=money and bool(head[101]),
        beavers=money and bool(head[102]),
        offer=offer,
    )


def _position(counts: tuple[int, ...], checkers: int) -> Position:
    """The position of [26] counts as the mover sees them: the other's bar, points 1 to 24, their own bar."""
    us = {point: count for point, count in enumerate(counts) if count > 0 and point}
    them = {BAR - point: -count for point, count in enumerate(counts) if count < 0 and point != BAR}
    if counts[0] > 0 or counts[BAR] < 0:
        raise PositionError("a checker on the other side's bar")
    for side in (us, them):
        side[OFF] = checkers - sum(side.values())
        if side[OFF] < 0:
            raise PositionError("%(count)s checkers; a side has %(most)s", count=checkers - side[OFF], most=checkers)
    return Position(Side.of(us), Side.of(them))
