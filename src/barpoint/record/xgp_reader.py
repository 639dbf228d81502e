"""Reads a single position of eXtreme Gammon (.xgp): an archive as of a match, with one game of one or two records."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from barpoint.error import FormatError, check_kind
from barpoint.match.situation import Offer, Situation
from barpoint.record.annotation import AnnotatedPosition, Annotation
from barpoint.record.any_id import decoded_text, parse_id
from barpoint.record.oddity import Oddities
from barpoint.record.text_annotations import parse_annotated
from barpoint.record.xg_annotations import (
    CUBE_COMMENT,
    PLAY_COMMENT,
    comment,
    comments_of,
    cube_evaluation,
    play_evaluations,
)
from barpoint.record.xg_archive import BEGINNING, records_of
from barpoint.record.xg_reader import PROGRAM, rules_and_length
from barpoint.record.xg_record import Kind, before, int_at

ARCHIVE: Final = ".xgp"
POSITIONS: Final = (ARCHIVE, ".txt")
MAX_BYTES: Final = 8_000_000


def read_position(path: str | os.PathLike[str]) -> Situation:
    """Reads the position in a file: .xgp, or .txt with a position in any notation of `parse_id`.

    FormatError for what is none, OSError when it cannot be read.
    """
    data, archive = _content(path)
    return parse_xgp(data) if archive else parse_id(decoded_text(data))


def read_annotated_position(path: str | os.PathLike[str]) -> AnnotatedPosition:
    """The same with what the program that wrote the file says of the decision."""
    data, archive = _content(path)
    return parse_annotated_xgp(data) if archive else parse_annotated(decoded_text(data))


def annotated_position(data: bytes, checkers: int = 15) -> AnnotatedPosition:
    """The position of the content of such a file, with what it says of the decision. checkers: of each side, for a text. FormatError, PositionError."""
    return parse_annotated_xgp(data) if _is_xgp(data) else parse_annotated(decoded_text(data), checkers)


def _content(path: str | os.PathLike[str]) -> tuple[bytes, bool]:
    """The content of a file that may hold a position, and whether it is an archive."""
    check_kind("path", path, str, os.PathLike)
    file = Path(path)
    if file.suffix.lower() not in POSITIONS:
        raise FormatError(
            "%(name)r holds no position; known: %(allowed)s", name=file.name, allowed=", ".join(POSITIONS)
        )
    if file.stat().st_size > MAX_BYTES:
        raise FormatError("a file of more than %(bytes)s bytes", bytes=MAX_BYTES)
    data = file.read_bytes()
    return data, _is_xgp(data) or file.suffix.lower() == ARCHIVE


def _is_xgp(data: bytes) -> bool:
    return data.startswith(BEGINNING)


def parse_xgp(data: bytes) -> Situation:
    """The position of a file; of several the first. FormatError or PositionError for anything else.

    The file's player 1 is player 1 of the situation, as with an XGID.
    """
    return parse_annotated_xgp(data).situation


def parse_annotated_xgp(data: bytes) -> AnnotatedPosition:
    """The same with the analysis and the comment that the file holds."""
    records, others = records_of(data, Oddities(strict=True))
    head = records[0]
    game = next((record for record in records if record[8] == Kind.GAME), None)
    if game is None:
        raise FormatError("no position in this file of eXtreme Gammon")
    comments = comments_of(others)
    for at, record in enumerate(records):
        if record[8] == Kind.MOVE:
            dice = int_at(record, 100), int_at(record, 104)
            situation = _situation(head, game, record, dice, Offer.NONE)
            note = Annotation(comment(record, PLAY_COMMENT, comments), play_evaluations(record))
            return AnnotatedPosition(situation, note, PROGRAM)
        follows = records[at + 1][8] if at + 1 < len(records) else Kind.MATCH_END
        if record[8] == Kind.CUBE and follows != Kind.MOVE:
            doubled = int_at(record, 16) == 1 and int_at(record, 20) < 0
            situation = _situation(head, game, record, (), Offer.DOUBLE if doubled else Offer.NONE)
            note = Annotation(comment(record, CUBE_COMMENT, comments), cube=cube_evaluation(record))
            return AnnotatedPosition(situation, note, PROGRAM)
    raise FormatError("no position in this file of eXtreme Gammon")


def _situation(head: bytes, game: bytes, record: bytes, dice: tuple[int, ...], offer: Offer) -> Situation:
    """The situation before a cube action or a play."""
    rules, length = rules_and_length(head)
    money = length == 0
    if any(dice) and not all(1 <= face <= 6 for face in dice):
        raise FormatError("a roll of %(first)s-%(second)s; each shows 1 to 6", first=dice[0], second=dice[1])
    score = int_at(game, 16), int_at(game, 12)
    if min(score) < 0 or (not money and max(score) >= length):
        raise FormatError("score %(score)s in a match to %(length)s", score=f"{score[1]}-{score[0]}", length=length)
    found = before(record, rules.checkers)
    player = 1 - found.player
    return Situation(
        position=found.position,
        player=player,
        actor=1 - player if offer is Offer.DOUBLE else player,
        dice=tuple(sorted(dice, reverse=True)) if any(dice) else (),
        cube=found.cube,
        owner=None if found.owner is None else 1 - found.owner,
        length=length,
        score=score,
        crawford=not money and bool(game[20]),
        jacoby=money and bool(head[101]),
        beavers=money and bool(head[102]),
        offer=offer,
    )
