"""Reads matches of eXtreme Gammon (.xg), by the description its maker has published (docs/formats.md).

A header with a picture comes first, then files packed by zlib, one after the other. The first of them that begins with
a match record holds the match, in records of 2560 bytes; the others repeat it or hold rollouts and comments. The reader
takes names, length, rules, rolls, plays, cubes and results, but no evaluations. It finds each play by the position that
follows, so that only legal plays are accepted.
"""

from __future__ import annotations

import struct
import zlib
from enum import IntEnum
from itertools import pairwise
from typing import Final

from barpoint.board import BAR, Position
from barpoint.error import BarpointError, FormatError
from barpoint.game import Beaver, Double, Event, Next, Opening, Pass, Phase, PlayMade, Raccoon, Roll, Take
from barpoint.match import Match, MatchTerms
from barpoint.moves import legal_plays
from barpoint.record.book import Book
from barpoint.record.concession import won
from barpoint.variants import variant

HEADER: Final = struct.Struct("<IIIqI")
HEADER_BYTES: Final = 8232
HEADER_MAGIC: Final = 0x484D4752
MATCH_MAGIC: Final = 0x494C4D44
RECORD_BYTES: Final = 2560
UNLIMITED: Final = 99_999
"""Sizes and signatures of the format; the last one is the length of a money session."""

MAX_RECORDS: Final = 20_000
"""Maximum records of a match, two for each turn."""

VARIATIONS: Final = ("backgammon", "nackgammon", "hypergammon", "longgammon")

UNICODE: Final = 24
"""The version from which names are kept in Unicode."""

RAISES: Final = 2
"""Maximum beavers and raccoons after one double."""


class Kind(IntEnum):
    """The kind of a record, in its byte 8."""

    MATCH = 0
    GAME = 1
    CUBE = 2
    MOVE = 3
    GAME_END = 4
    MATCH_END = 5


def parse_xg(data: bytes) -> Book:
    """Parses a file; FormatError, with the record counted from 0, when it holds no match or is not legal."""
    records = _records(data)
    head, reader = records[0], _Reader(_begin(records[0]))
    for number, (record, after) in enumerate(pairwise((*records[1:], b"")), start=1):
        try:
            reader.read(record, last=not after or after[8] in (Kind.GAME_END, Kind.MATCH_END))
        except BarpointError as error:
            raise FormatError(f"record {number}: {error}") from None
    return Book(reader.match, _names(head), _facts(head))


def _records(data: bytes) -> list[bytes]:
    if len(data) < HEADER_BYTES or HEADER.unpack_from(data)[0] != HEADER_MAGIC:
        raise FormatError("no file of eXtreme Gammon: it begins with something else than RGMH")
    picture_bytes = HEADER.unpack_from(data)[4]
    packed = data[HEADER_BYTES + picture_bytes :]
    most = MAX_RECORDS * RECORD_BYTES
    while packed:
        stream = zlib.decompressobj()
        try:
            found = stream.decompress(packed, most + 1)
        except zlib.error as error:
            raise FormatError(f"the archive in this file is damaged: {error}") from None
        if len(found) > most:
            raise FormatError(f"more than {MAX_RECORDS} records")
        if _begins_match(found):
            return [found[at : at + RECORD_BYTES] for at in range(0, len(found), RECORD_BYTES)]
        if not stream.eof:
            break
        packed = stream.unused_data
    raise FormatError("no match in this file of eXtreme Gammon")


def _begins_match(found: bytes) -> bool:
    whole = len(found) >= RECORD_BYTES and len(found) % RECORD_BYTES == 0
    return whole and found[8] == Kind.MATCH and _int(found, 556) == MATCH_MAGIC


def _begin(head: bytes) -> Match:
    length, variation = _int(head, 92), _int(head, 96)
    crawford, jacoby, beaver, automatic = head[100:104]
    if not 0 <= variation < len(VARIATIONS):
        raise FormatError(f"variation {variation}; known: 0 to {len(VARIATIONS) - 1}, {', '.join(VARIATIONS)}")
    money = length == UNLIMITED
    if not money and not 1 <= length <= 9_999:
        raise FormatError(f"a match of {length} points; allowed: 1 to 9999, and {UNLIMITED} for money")
    terms = MatchTerms(
        0 if money else length,
        crawford=bool(crawford),
        jacoby=money and bool(jacoby),
        beavers=RAISES if money and beaver else 0,
        automatic_doubles=min(9, max(1, _int(head, 616))) if money and automatic else 0,
    )
    return Match.start(rules=variant(VARIATIONS[variation]), terms=terms)


class _Reader:
    """Builds the match record by record; player 0 is the file's player 1."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def read(self, record: bytes, last: bool) -> None:
        """Reads one more record; last: the game ends after it."""
        match record[8]:
            case Kind.GAME:
                self._game(record)
            case Kind.CUBE:
                self._cube(record)
            case Kind.MOVE:
                self._move(record, last)
            case Kind.GAME_END:
                self.match = won(self.match, _player(_int(record, 24)), float(_int(record, 28)))
            case Kind.MATCH:
                raise FormatError("a second match in one file")
            case _:
                pass

    def _apply(self, event: Event) -> None:
        self.match = self.match.apply(event)

    def _game(self, record: bytes) -> None:
        if self.match.game.over:
            self._apply(Next())
        elif self.match.game.opening_dice:
            raise FormatError("a new game begins, and nobody has won the one before")
        score = (_int(record, 12), _int(record, 16))
        if not self.match.terms.money and score != self.match.score:
            first, second = self.match.score
            raise FormatError(f"score {score[0]}-{score[1]}; the games before make it {first:g}-{second:g}")
        start = _counts(record, 21)
        if any(start) and start != _shown(self.match.rules.start):  # matches entered by hand leave it empty
            raise FormatError("a game that begins with a position somebody has set up")
        for _ in range(min(_int(record, 64), self.match.terms.automatic_doubles)):
            self._apply(Opening((1, 1)))

    def _cube(self, record: bytes) -> None:
        actor, double, take, beaver, raccoon = (_int(record, at) for at in (12, 16, 20, 24, 28))
        if double != 1:
            return
        player = _player(actor)
        self._apply(Double(player))
        answers: list[Event] = [Pass(1 - player), Take(1 - player), Beaver(1 - player)]
        more: list[Event] = [Pass(player), Take(player), Raccoon(player)]
        last: list[Event] = [Pass(1 - player), Take(1 - player)]
        for said, events in ((take, answers), (beaver, more), (raccoon, last)):
            if not 0 <= said < len(events):
                raise FormatError(f"an answer {said} to the cube; allowed: 0 to {len(events) - 1}")
            self._apply(events[said])
            if said != 2:
                return

    def _move(self, record: bytes, last: bool) -> None:
        player, faces = _player(_int(record, 64)), (_int(record, 100), _int(record, 104))
        if not all(1 <= face <= 6 for face in faces):
            raise FormatError(f"a roll of {faces[0]}-{faces[1]}; each shows 1 to 6")
        if self.match.game.phase is Phase.OPENING:
            high, low = max(faces), min(faces)
            self._apply(Opening((high, low) if player == 0 else (low, high)))
        else:
            self._apply(Roll(player, faces))
        if not record[2308] and last:
            return  # rolled, and resigned before it was played
        game = self.match.game
        after = _counts(record, 35)
        for play in legal_plays(game.rules, game.position, game.faces):
            if _shown(play.result) == after:
                self._apply(PlayMade(player, play.moves))
                return
        raise FormatError(f"no legal play of {faces[0]}-{faces[1]} leads to the position after it")


def _int(record: bytes, at: int) -> int:
    found: tuple[int] = struct.unpack_from("<i", record, at)
    return found[0]


def _counts(record: bytes, at: int) -> tuple[int, ...]:
    """[26] the mover's checkers on their points 1 to 24 and bar 25, minus the other's, whose bar is 0."""
    return struct.unpack_from("<26b", record, at)


def _shown(position: Position) -> tuple[int, ...]:
    """The same array for a position."""
    us, them = position.us.points, position.them.points
    return (-them[BAR], *(us[point] - them[BAR - point] for point in range(1, BAR)), us[BAR])


def _player(sign: int) -> int:
    if sign not in (1, -1):
        raise FormatError(f"player {sign}; allowed: 1 and -1")
    return 0 if sign == 1 else 1


def _names(head: bytes) -> tuple[str, str]:
    first, second = _text(head, 880, 9), _text(head, 1138, 50)
    return first or "Player 1", second or "Player 2"


def _facts(head: bytes) -> dict[str, str]:
    found = {"Event": _text(head, 622, 136), "Site": _text(head, 1396, 287), "Round": _text(head, 1654, 421)}
    return {name: text for name, text in found.items() if text}


def _text(head: bytes, wide_at: int, narrow_at: int) -> str:
    """Decodes a text: Unicode ended by a zero, or in older versions bytes after their length."""
    if _int(head, 552) >= UNICODE:
        units = struct.unpack_from("<129H", head, wide_at)
        end = units.index(0) if 0 in units else len(units)
        found = head[wide_at : wide_at + 2 * end].decode("utf-16-le", errors="replace")
    else:
        found = head[narrow_at + 1 : narrow_at + 1 + head[narrow_at]].decode("cp1252", errors="replace")
    return "".join(letter for letter in found if letter.isprintable()).strip()[:128]
