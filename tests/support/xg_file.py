"""Writes eXtreme Gammon files from matches by the published layout, for the tests of their reader."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence

from barpoint.board import BAR, Position
from barpoint.game import Double, Event, Next, Opening, PlayMade, Roll, Take
from barpoint.match import Match
from barpoint.moves import find_play
from barpoint.record import Book
from barpoint.record.xg_archive import HEADER, HEADER_BYTES, HEADER_MAGIC, MATCH_MAGIC
from barpoint.record.xg_reader import UNLIMITED
from barpoint.record.xg_record import RECORD_BYTES

VARIATIONS = ("backgammon", "nackgammon", "hypergammon", "longgammon")


def xg_file(
    book: Book, records: Sequence[bytes] | None = None, picture: bytes = b"picture", comments: bytes = b""
) -> bytes:
    """The file of a match: header, picture, the records, their first and last, rollouts, comments if there are any, and a directory at the end."""
    found = list(xg_records(book)) if records is None else list(records)
    files = (b"".join(found), found[0] + found[-1], bytes(100), *((comments,) if comments else ()))
    head = HEADER.pack(HEADER_MAGIC, 1, HEADER_BYTES, 0, len(picture)).ljust(HEADER_BYTES, b"\0")
    return head + picture + b"".join(map(zlib.compress, files)) + b"a table of contents"


def xg_records(book: Book) -> Iterator[bytes]:
    """The records of a match; of its cubes only doubles that were taken or passed."""
    match = Match.start(rules=book.match.rules, terms=book.match.terms)
    yield match_record(book)
    yield game_record(match)
    faces: tuple[int, ...] = ()
    events = book.match.events
    for index, event in enumerate(events):
        after = match.replay(event)
        if isinstance(event, Opening | Roll):
            faces = event.faces
        elif isinstance(event, PlayMade):
            yield move_record(event.player, faces, after_play(match, event))
        elif isinstance(event, Double):
            yield cube_record(event.player, int(isinstance(_next(events, index), Take)))
        elif isinstance(event, Next):
            yield game_record(after)
        if after.game.over and not match.game.over:
            result = after.game.result
            assert result is not None
            yield record(
                4,
                {
                    12: int(after.score[0]),
                    16: int(after.score[1]),
                    24: 1 if result.winner == 0 else -1,
                    28: int(result.points),
                },
            )
        match = after
    yield record(5, {12: int(match.score[0]), 16: int(match.score[1])})


def _next(events: Sequence[Event], index: int) -> Event | None:
    return events[index + 1] if index + 1 < len(events) else None


def after_play(match: Match, event: PlayMade) -> Position:
    return find_play(match.rules, match.game.position, match.game.faces, event.moves).result


def record(kind: int, values: dict[int, int]) -> bytes:
    """A record with these four-byte numbers at these offsets."""
    found = bytearray(RECORD_BYTES)
    found[8] = kind
    for at, value in values.items():
        struct.pack_into("<i", found, at, value)
    return bytes(found)


def match_record(book: Book, version: int = 30) -> bytes:
    terms = book.match.terms
    found = bytearray(
        record(
            0,
            {
                92: terms.length or UNLIMITED,
                96: VARIATIONS.index(book.match.rules.name),
                552: version,
                556: MATCH_MAGIC,
            },
        )
    )
    found[100:104] = bytes((terms.crawford, terms.jacoby, bool(terms.beavers), bool(terms.automatic_doubles)))
    for at, name in zip((880, 1138), book.players, strict=True):
        text = name.encode("utf-16-le") + b"\0\0" + b"\x00\xd8 what stood there before"
        found[at : at + len(text)] = text
    for at, name in zip((9, 50), book.players, strict=True):
        text = name.encode("cp1252", errors="replace")[:40]
        found[at : at + 1 + len(text)] = bytes([len(text)]) + text
    return bytes(found)


def game_record(match: Match, start: Position | None = None) -> bytes:
    found = bytearray(record(1, {12: int(match.score[0]), 16: int(match.score[1])}))
    struct.pack_into("<26b", found, 21, *counts(start or match.rules.start))
    return bytes(found)


def cube_record(player: int, take: int, beaver: int = -1, raccoon: int = -1, double: int = 1) -> bytes:
    return record(2, {12: 1 if player == 0 else -1, 16: double, 20: take, 24: beaver, 28: raccoon})


def move_record(player: int, faces: Sequence[int], after: Position, played: bool = True) -> bytes:
    found = bytearray(record(3, {64: 1 if player == 0 else -1, 100: faces[0], 104: faces[1]}))
    struct.pack_into("<26b", found, 35, *counts(after))
    found[2308] = played
    return bytes(found)


def counts(position: Position) -> list[int]:
    """The mover's checkers on their points, minus the other's; the other's bar first, their own last."""
    us, them = position.us.points, position.them.points
    return [-them[BAR], *(us[point] - them[25 - point] for point in range(1, 25)), us[BAR]]
