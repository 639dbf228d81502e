"""Reads matches of eXtreme Gammon (.xg), by the description its maker has published (docs/formats.md).

A header with a picture comes first, then files packed by zlib, one after the other. The first of them that begins with
a match record holds the match, in records of 2560 bytes; the others repeat it or hold rollouts and comments. The reader
takes names, length, rules, rolls, plays, cubes and results, comments and evaluations. It finds each play by the position that
follows, so that only legal plays are accepted.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Final

from barpoint.board import BAR, OFF, Position
from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game import Beaver, Double, Event, Pass, Phase, PlayMade, Raccoon, Take
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.moves import Play, legal_plays
from barpoint.record.annotation import Annotation, Annotations, EvaluatedCube
from barpoint.record.book import Book
from barpoint.record.oddity import Oddities, Place
from barpoint.record.transcriber import LEFT_OUT, RAISES, REST_LEFT_OUT, VARIATIONS, Transcriber, hand_moves_of
from barpoint.record.xg_annotations import (
    CUBE_COMMENT,
    PLAY_COMMENT,
    comment,
    comments_of,
    cube_evaluation,
    play_evaluations,
)
from barpoint.rules import Rules
from barpoint.variants import variant

HEADER: Final = struct.Struct("<IIIqI")
HEADER_BYTES: Final = 8232
HEADER_MAGIC: Final = 0x484D4752
MATCH_MAGIC: Final = 0x494C4D44
RECORD_BYTES: Final = 2560
UNLIMITED: Final = 99_999
"""Sizes and signatures of the format; the last one is the length of a money session."""

NOT_ANSWERED: Final = -1
"""The answer to a cube that is still waited for, or not asked for."""

MAX_RECORDS: Final = 20_000
"""Maximum records of a match, two for each turn."""

UNICODE: Final = 24
"""The version from which names are kept in Unicode."""

PROGRAM: Final = "eXtreme Gammon"

MAX_FILES: Final = 4
MAX_COMMENTS_BYTES: Final = 4_000_000
"""Maximum files of an archive after the match, and the maximum size of each, unpacked."""


class Kind(IntEnum):
    """The kind of a record, in its byte 8."""

    MATCH = 0
    GAME = 1
    CUBE = 2
    MOVE = 3
    GAME_END = 4
    MATCH_END = 5


def parse_xg(data: bytes, *, strict: bool = False) -> Book:
    """Parses a file, with what is odd about it; strict: FormatError, with the record counted from 0, for anything odd.

    FormatError in any case when the file holds no match.
    """
    oddities = Oddities(strict)
    records, others = records_of(data, oddities)
    head, reader = records[0], _Reader(_begin(records[0]), oddities, comments_of(others))
    for number, (record, after) in enumerate(pairwise((*records[1:], b"")), start=1):
        reader.scribe.place = Place(offset=number * RECORD_BYTES)
        try:
            if not reader.read(record, last=not after or after[8] in (Kind.GAME_END, Kind.MATCH_END)):
                break
        except BarpointError as error:
            raise FormatError("record %(number)s: %(error)s", number=number, error=error) from None
    reader.scribe.end()
    match = reader.scribe.match
    annotations = {number: one for number, one in reader.annotations.items() if number <= len(match.events)}
    return Book(match, _names(head), _facts(head), tuple(oddities.found), annotations, PROGRAM)


def records_of(data: bytes, oddities: Oddities) -> tuple[list[bytes], list[bytes]]:
    """The records of the match, and the files that follow them in the archive."""
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
            found = _undamaged(packed, most)
            if not _begins_match(found):
                raise FormatError("the archive in this file is damaged: %(error)s", error=error) from None
            oddities.add(
                Said("the archive in this file is damaged: %(error)s", {"error": str(error)}),
                Said("read as far as it can be unpacked"),
            )
        if len(found) > most:
            raise FormatError("more than %(max_records)s records", max_records=MAX_RECORDS)
        if _begins_match(found):
            records = [found[at : at + RECORD_BYTES] for at in range(0, len(found), RECORD_BYTES)]
            return records, _others(stream.unused_data)
        if not stream.eof:
            break
        packed = stream.unused_data
    raise FormatError("no match in this file of eXtreme Gammon")


def _others(packed: bytes) -> list[bytes]:
    """The files of an archive as far as they can be unpacked; those that are too large are left out."""
    found: list[bytes] = []
    while packed and len(found) < MAX_FILES:
        stream = zlib.decompressobj()
        try:
            found.append(stream.decompress(packed, MAX_COMMENTS_BYTES))
        except zlib.error:
            break
        if not stream.eof:
            break
        packed = stream.unused_data
    return found


def _undamaged(packed: bytes, most: int) -> bytes:
    """The whole records that stand before the damage."""
    stream = zlib.decompressobj()
    found = b""
    for at in range(0, len(packed), 64):
        try:
            found += stream.decompress(packed[at : at + 64], most)
        except zlib.error:
            break
        if len(found) > most:
            break
    return found[: len(found) // RECORD_BYTES * RECORD_BYTES]


def _begins_match(found: bytes) -> bool:
    whole = len(found) >= RECORD_BYTES and len(found) % RECORD_BYTES == 0
    return whole and found[8] == Kind.MATCH and int_at(found, 556) == MATCH_MAGIC


def rules_and_length(head: bytes) -> tuple[Rules, int]:
    """The rules and the points of a match by its first record, 0 for money; FormatError."""
    length, variation = int_at(head, 92), int_at(head, 96)
    if not 0 <= variation < len(VARIATIONS):
        raise FormatError(
            "variation %(variation)s; known: 0 to %(count)s, %(allowed)s",
            variation=variation,
            count=len(VARIATIONS) - 1,
            allowed=", ".join(VARIATIONS),
        )
    money = length == UNLIMITED
    if not money and not 1 <= length <= 9_999:
        raise FormatError(
            "a match of %(length)s points; allowed: 1 to 9999, and %(unlimited)s for money",
            length=length,
            unlimited=UNLIMITED,
        )
    return variant(VARIATIONS[variation]), 0 if money else length


def _begin(head: bytes) -> Match:
    rules, length = rules_and_length(head)
    crawford, jacoby, beaver, automatic = head[100:104]
    money = length == 0
    terms = MatchTerms(
        length,
        crawford=bool(crawford),
        jacoby=money and bool(jacoby),
        beavers=RAISES if money and beaver else 0,
        automatic_doubles=min(9, max(1, int_at(head, 616))) if money and automatic else 0,
    )
    return Match.start(rules=rules, terms=terms)


class _Reader:
    """Builds the match record by record; player 0 is the file's player 1."""

    def __init__(self, match: Match, oddities: Oddities, comments: Sequence[str] = ()) -> None:
        self.scribe = Transcriber(match, oddities)
        self.comments = comments
        self.annotations: Annotations = {}
        self.waiting: tuple[EvaluatedCube | None, str] = (None, "")

    def read(self, record: bytes, last: bool) -> bool:
        """Reads one more record; whether the match goes on. last: the game ends after it."""
        before = len(self.scribe.match.events)
        match record[8]:
            case Kind.GAME:
                self._game(record)
            case Kind.CUBE:
                self._cube(record)
                self._note_cube(record, before)
            case Kind.MOVE:
                self._move(record, last)
                self._note_play(record, before)
            case Kind.GAME_END:
                self.scribe.won(player_of(int_at(record, 24)), float(int_at(record, 28)))
            case Kind.MATCH:
                self.scribe.odd(Said("a second match in one file"), Said("only the first one is read"))
                return False
            case _:
                pass
        return True

    def _note_cube(self, record: bytes, before: int) -> None:
        """Keeps what the record says about the double that was made, or for the play that follows."""
        cube, said = cube_evaluation(record), comment(record, CUBE_COMMENT, self.comments)
        doubled = self._first(Double, before)
        if doubled:
            self.annotations |= {doubled: Annotation(said, (), cube)} if cube or said else {}
        else:
            self.waiting = cube, said

    def _note_play(self, record: bytes, before: int) -> None:
        """Keeps what the record says about the play, and the cube record before it about not doubling."""
        (cube, said), self.waiting = self.waiting, (None, "")
        found = Annotation(said, play_evaluations(record), cube).with_comment(
            comment(record, PLAY_COMMENT, self.comments)
        )
        played = self._first(PlayMade, before)
        if played and found:
            self.annotations[played] = found

    def _first(self, kind: type[Event], before: int) -> int:
        """The number of the first new event of this kind; 0 if there is none."""
        events = enumerate(self.scribe.match.events[before:], start=before + 1)
        return next((number for number, event in events if isinstance(event, kind)), 0)

    def _game(self, record: bytes) -> None:
        scribe = self.scribe
        money = scribe.match.terms.money
        scribe.begin_game(None if money else (int_at(record, 12), int_at(record, 16)))
        if not record[20]:
            scribe.begin_after_crawford()
        start = _counts(record, 21)
        if any(start) and start != shown_counts(scribe.match.rules.start):  # matches entered by hand leave it empty
            raise FormatError("a game that begins with a position somebody has set up")
        scribe.openings = [(1, 1)] * min(int_at(record, 64), scribe.match.terms.automatic_doubles)

    def _cube(self, record: bytes) -> None:
        actor, double, take, beaver, raccoon = (int_at(record, at) for at in (12, 16, 20, 24, 28))
        if double != 1:
            return
        player = player_of(actor)
        self.scribe.cube(Double(player))
        answers: list[Event] = [Pass(1 - player), Take(1 - player), Beaver(1 - player)]
        more: list[Event] = [Pass(player), Take(player), Raccoon(player)]
        last: list[Event] = [Pass(1 - player), Take(1 - player)]
        for said, events in ((take, answers), (beaver, more), (raccoon, last)):
            if said == NOT_ANSWERED:
                return
            if not 0 <= said < len(events):
                self.scribe.odd(
                    Said(
                        "an answer %(found)s to the cube; allowed: 0 to %(most)s",
                        {"found": said, "most": len(events) - 1},
                    ),
                    LEFT_OUT,
                )
                return
            self.scribe.cube(events[said])
            if said != 2:
                return

    def _move(self, record: bytes, last: bool) -> None:
        player, faces = player_of(int_at(record, 64)), (int_at(record, 100), int_at(record, 104))
        if not all(1 <= face <= 6 for face in faces):
            self.scribe.odd(
                Said("a roll of %(first)s-%(second)s; each shows 1 to 6", {"first": faces[0], "second": faces[1]}),
                REST_LEFT_OUT,
            )
            self.scribe.lost = True
            return
        self.scribe.roll(player, faces)
        if not record[2308] and last:
            return  # rolled, and resigned before it was played
        game = self.scribe.match.game
        if self.scribe.lost or game.phase is not Phase.TO_PLAY:
            return
        after = _counts(record, 35)

        def find() -> Play:
            for play in legal_plays(game.rules, game.position, game.faces):
                if shown_counts(play.result) == after:
                    return play
            raise IllegalMove(
                "no legal play of %(first)s-%(second)s leads to the position after it", first=faces[0], second=faces[1]
            )

        self.scribe.play(player, find, hand_moves_of(_carried(shown_counts(game.position), after)))


def _carried(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[int, int]]:
    """What the mover's hands did between two positions: the farthest checker that left a point to the farthest place."""
    own = [(max(0, before[point]), max(0, after[point])) for point in range(1, BAR + 1)]
    left = [point for point, (old, new) in enumerate(own, 1) for _ in range(old - new)]
    come = [point for point, (old, new) in enumerate(own, 1) for _ in range(new - old)]
    come += [OFF] * (len(left) - len(come))
    return list(zip(sorted(left, reverse=True), sorted(come, reverse=True), strict=False))


def int_at(record: bytes, at: int) -> int:
    """The 32-bit number at a place of a record."""
    found: tuple[int] = struct.unpack_from("<i", record, at)
    return found[0]


def _counts(record: bytes, at: int) -> tuple[int, ...]:
    """[26] the mover's checkers on their points 1 to 24 and bar 25, minus the other's, whose bar is 0."""
    return struct.unpack_from("<26b", record, at)


def shown_counts(position: Position) -> tuple[int, ...]:
    """The same array for a position: [26], as `_counts` reads it."""
    us, them = position.us.points, position.them.points
    return (-them[BAR], *(us[point] - them[BAR - point] for point in range(1, BAR)), us[BAR])


def player_of(sign: int) -> int:
    if sign not in (1, -1):
        raise FormatError("player %(sign)s; allowed: 1 and -1", sign=sign)
    return 0 if sign == 1 else 1


def _names(head: bytes) -> tuple[str, str]:
    first, second = _text(head, 880, 9), _text(head, 1138, 50)
    return first or "Player 1", second or "Player 2"


def _facts(head: bytes) -> dict[str, str]:
    found = {"Event": _text(head, 622, 136), "Site": _text(head, 1396, 287), "Round": _text(head, 1654, 421)}
    return {name: text for name, text in found.items() if text}


def _text(head: bytes, wide_at: int, narrow_at: int) -> str:
    """Decodes a text: Unicode ended by a zero, or in older versions bytes after their length."""
    if int_at(head, 552) >= UNICODE:
        units = struct.unpack_from("<129H", head, wide_at)
        end = units.index(0) if 0 in units else len(units)
        found = head[wide_at : wide_at + 2 * end].decode("utf-16-le", errors="replace")
    else:
        found = head[narrow_at + 1 : narrow_at + 1 + head[narrow_at]].decode("cp1252", errors="replace")
    return "".join(letter for letter in found if letter.isprintable()).strip()[:128]
