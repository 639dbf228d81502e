"""Reads matches of eXtreme Gammon (.xg), by the description its maker has published (docs/formats.md).

The first file of its archive that begins with a match record holds the match, in records of 2560 bytes; the others repeat it or
hold rollouts and comments. The reader takes names, length, rules, rolls, plays, cubes and results, comments and evaluations. It
finds each play by the position that follows, so that only legal plays are accepted.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from barpoint.board import BAR, OFF
from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game import Beaver, Double, Event, Pass, Phase, PlayMade, Raccoon, Take
from barpoint.game.manual import hand_moves_of
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.match.starting_position import StartingPosition
from barpoint.moves import Play, legal_plays
from barpoint.record.annotation import Annotation, Annotations, EvaluatedCube
from barpoint.record.book import Book
from barpoint.record.oddity import Oddities, Place
from barpoint.record.transcriber import LEFT_OUT, RAISES, REST_LEFT_OUT, VARIATIONS, Transcriber
from barpoint.record.xg_annotations import (
    CUBE_COMMENT,
    PLAY_COMMENT,
    comment,
    comments_of,
    cube_evaluation,
    play_evaluations,
)
from barpoint.record.xg_archive import records_of
from barpoint.record.xg_record import (
    CANNOT_DOUBLE,
    DAY_AT,
    FIRST_DAY,
    RECORD_BYTES,
    Before,
    Kind,
    as_recorded,
    before,
    counts_at,
    int_at,
    player_of,
    shown_counts,
    shown_position,
)
from barpoint.rules import Rules
from barpoint.variants import variant

UNLIMITED: Final = 99_999
"""The length of a money session."""

NOT_ANSWERED: Final = -1
"""The answer to a cube that is still waited for, or not asked for."""

UNICODE: Final = 24
"""The version from which names are kept in Unicode."""

PROGRAM: Final = "eXtreme Gammon"

MAX_DAYS: Final = (date.max - FIRST_DAY).days


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
    match = reader.end()
    annotations = {number: one for number, one in reader.annotations.items() if number <= len(match.events)}
    return Book(match, _names(head), _facts(head), tuple(oddities.found), annotations, PROGRAM)


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
        self.set_up: bytes | None = (
            None  # the record of a first game that begins in a position, until it has begun there
        )

    def read(self, record: bytes, last: bool) -> bool:
        """Reads one more record; whether the match goes on. last: the game ends after it."""
        known = len(self.scribe.match.events)
        match record[8]:
            case Kind.GAME:
                self._game(record)
            case Kind.CUBE:
                self._begin_before(record)
                self._cube(record)
                self._note_cube(record, known)
            case Kind.MOVE:
                self._begin_before(record)
                self._move(record, last)
                self._note_play(record, known)
            case Kind.GAME_END:
                self.scribe.won(player_of(int_at(record, 24)), float(int_at(record, 28)))
            case Kind.MATCH:
                self.scribe.odd(Said("a second match in one file"), Said("only the first one is read"))
                return False
            case _:
                pass
        return True

    def _note_cube(self, record: bytes, known: int) -> None:
        """Keeps what the record says about the double that was made, or for the play that follows."""
        cube, said = cube_evaluation(record), comment(record, CUBE_COMMENT, self.comments)
        doubled = self._first(Double, known)
        if doubled:
            self.annotations |= {doubled: Annotation(said, (), cube)} if cube or said else {}
        else:
            self.waiting = cube, said

    def _note_play(self, record: bytes, known: int) -> None:
        """Keeps what the record says about the play, and the cube record before it about not doubling."""
        (cube, said), self.waiting = self.waiting, (None, "")
        found = Annotation(said, play_evaluations(record), cube).with_comment(
            comment(record, PLAY_COMMENT, self.comments)
        )
        played = self._first(PlayMade, known)
        if played and found:
            self.annotations[played] = found

    def _first(self, kind: type[Event], known: int) -> int:
        """The number of the first new event of this kind; 0 if there is none."""
        events = enumerate(self.scribe.match.events[known:], start=known + 1)
        return next((number for number, event in events if isinstance(event, kind)), 0)

    def _game(self, record: bytes) -> None:
        scribe = self.scribe
        money = scribe.match.terms.money
        scribe.begin_game(None if money else (int_at(record, 12), int_at(record, 16)))
        start = counts_at(record, 21)
        if any(start) and start != shown_counts(scribe.match.rules.start):  # matches entered by hand leave it empty
            if scribe.match.events:
                scribe.odd(Said("a game that begins with a position somebody has set up"), REST_LEFT_OUT)
                scribe.lost = True
            else:
                self.set_up = record
            return
        if not record[20]:
            scribe.begin_after_crawford()
        scribe.openings = [(1, 1)] * min(int_at(record, 64), scribe.match.terms.automatic_doubles)

    def _begin_before(self, record: bytes) -> None:
        """The match begins before its first cube or play, where a position has been set up.

        Where a player may double, and the record of the cube says that they cannot, their roll is part of the position.
        """
        if self.set_up is None:
            return
        scribe = self.scribe
        cannot_double = record[8] == Kind.CUBE and int_at(record, 16) == CANNOT_DOUBLE
        may_double = any(event.kind == "double" for event in scribe.match.legal_events())
        rolled = record[8] == Kind.MOVE and scribe.match.terms.begins_at is not None and may_double
        self._begin_at(before(record, scribe.match.rules.checkers), _faces(record) if rolled else ())
        if not cannot_double:
            self.set_up = None

    def _begin_at(self, found: Before, faces: tuple[int, ...] = ()) -> None:
        assert self.set_up is not None
        crawford = bool(self.set_up[20]) and not self.scribe.match.terms.money
        self.scribe.begin_at(
            StartingPosition.of(
                found.position, found.player, faces=faces, cube=found.cube, owner=found.owner, crawford=crawford
            )
        )

    def end(self) -> Match:
        """The match, at the end of its records."""
        if self.set_up is not None and self.scribe.match.terms.begins_at is None:
            shown = counts_at(self.set_up, 21)
            self._begin_at(Before(shown_position(shown, self.scribe.match.rules.checkers), 0, 1, None))
        self.scribe.end()
        return self.scribe.match

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
        player, faces = player_of(int_at(record, 64)), _faces(record)
        if not all(1 <= face <= 6 for face in faces):
            self.scribe.odd(
                Said("a roll of %(first)s-%(second)s; each shows 1 to 6", {"first": faces[0], "second": faces[1]}),
                REST_LEFT_OUT,
            )
            self.scribe.lost = True
            return
        if self.scribe.match.events or not self.scribe.match.game.faces:
            self.scribe.roll(player, faces)
        if not record[2308] and last:
            return  # rolled, and resigned before it was played
        game = self.scribe.match.game
        if self.scribe.lost or game.phase is not Phase.TO_PLAY:
            return
        after = counts_at(record, 35)

        def find() -> Play:
            for play in legal_plays(game.rules, game.position, game.faces):
                if shown_counts(play.result) == after:
                    return as_recorded(game, record, play)
            raise IllegalMove(
                "no legal play of %(first)s-%(second)s leads to the position after it", first=faces[0], second=faces[1]
            )

        self.scribe.play(player, find, hand_moves_of(_carried(shown_counts(game.position), after)))


def _faces(record: bytes) -> tuple[int, int]:
    """The roll of a play, highest first."""
    first, second = int_at(record, 100), int_at(record, 104)
    return max(first, second), min(first, second)


def _carried(was: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[int, int]]:
    """What the mover's hands did between two positions: the farthest checker that left a point to the farthest place."""
    own = [(max(0, was[point]), max(0, after[point])) for point in range(1, BAR + 1)]
    left = [point for point, (old, new) in enumerate(own, 1) for _ in range(old - new)]
    come = [point for point, (old, new) in enumerate(own, 1) for _ in range(new - old)]
    come += [OFF] * (len(left) - len(come))
    return list(zip(sorted(left, reverse=True), sorted(come, reverse=True), strict=False))


def _names(head: bytes) -> tuple[str, str]:
    first, second = _text(head, 880, 9), _text(head, 1138, 50)
    return first or "Player 1", second or "Player 2"


def _facts(head: bytes) -> dict[str, str]:
    found = {"Event": _text(head, 622, 136), "Site": _text(head, 1396, 287), "Round": _text(head, 1654, 421)}
    return {name: text for name, text in (found | {"EventDate": _day(head)}).items() if text}


def _day(head: bytes) -> str:
    """The day of the match, as the program writes it in match text; "" where there is none."""
    (days,) = struct.unpack_from("<d", head, DAY_AT)
    return (FIRST_DAY + timedelta(days)).strftime("%Y.%m.%d") if 1 <= days <= MAX_DAYS else ""


def _text(head: bytes, wide_at: int, narrow_at: int) -> str:
    """Decodes a text: Unicode ended by a zero, or in older versions bytes after their length."""
    if int_at(head, 552) >= UNICODE:
        units = struct.unpack_from("<129H", head, wide_at)
        end = units.index(0) if 0 in units else len(units)
        found = head[wide_at : wide_at + 2 * end].decode("utf-16-le", errors="replace")
    else:
        found = head[narrow_at + 1 : narrow_at + 1 + head[narrow_at]].decode("cp1252", errors="replace")
    return "".join(letter for letter in found if letter.isprintable()).strip()[:128]
