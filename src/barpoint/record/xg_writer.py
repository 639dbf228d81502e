"""Writes matches as eXtreme Gammon does (.xg), by the description its maker has published (docs/formats.md).

Every turn is a record of the cube and one of the play. Evaluations are marked as not made. What the format has no place
for is refused: the file is read again, and must tell the same match. What does not change its course is left out, and
`left_out` names it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Final

import msgspec

from barpoint.error import BarpointError, FormatError
from barpoint.game import (
    Abort,
    Accept,
    Beaver,
    Claim,
    Correct,
    Double,
    Event,
    Game,
    Next,
    Opening,
    Pass,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Settle,
    Take,
    Timeout,
    Void,
)
from barpoint.language import N_
from barpoint.match import Match, MatchTerms
from barpoint.match.starting_position import StartingPosition
from barpoint.record.book import Book
from barpoint.record.transcriber import RAISES, VARIATIONS
from barpoint.record.xg_archive import HEADER, HEADER_BYTES, HEADER_MAGIC, MATCH_MAGIC
from barpoint.record.xg_reader import NOT_ANSWERED, UNLIMITED, parse_xg
from barpoint.record.xg_record import CANNOT_DOUBLE, DAY_AT, FIRST_DAY, RECORD_BYTES, Kind, shown_counts

VERSION: Final = 30
NOT_JUDGED: Final = -1000.0
"""The error of a decision that nobody has analysed."""

MAX_CUBE_POWER: Final = 10
NO_COMMENT: Final = -1
NO_ROLL: Final = "77"
"""The dice after a double that was passed."""

RATING: Final = 1600.0
RESIGNED: Final = 100
SETTLED: Final = 1000
"""What is added to the level of a game that was not played to its end."""

TIES: Final = N_("ties of opening rolls")
REJECTED: Final = N_("rejected resignations")
REASONS: Final = N_("why a game ended that was not played out")
BEAVERS: Final = N_("how many beavers and raccoons are allowed")
UNANSWERED: Final = N_("a resignation without an answer")
NOTES: Final = N_("comments and evaluations")
FACTS: Final = N_("facts other than event, place, round and date")
LONG: Final = N_("the ends of very long names and facts")
OF_PLAYED: Final = (TIES, REJECTED, REASONS, BEAVERS)
"""What may be left out of a match that was played here; files can hold more."""

_KEPT_FACTS: Final = ("Event", "Site", "Round")
_MAX_TEXT_BYTES: Final = 256

_ANSWERS: Final = {Pass: 0, Take: 1, Beaver: 2, Raccoon: 2}


def format_xg(book: Book) -> bytes:
    """The file of a match. FormatError for what it cannot hold: other variants, illegal plays, terms of ours."""
    match = book.match
    if match.rules.name not in VARIATIONS:
        raise FormatError(
            "%(name)s has no place in .xg; allowed: %(allowed)s", name=match.rules.name, allowed=", ".join(VARIATIONS)
        )
    records = list(_records(book))
    data = _container(book, records)
    try:
        back = parse_xg(data, strict=True).match
    except BarpointError as error:
        raise FormatError("this match has no place in .xg: %(error)s", error=error) from None
    lost = [name for name in MatchTerms.__struct_fields__ if _term(match.terms, name) != _term(back.terms, name)]
    if lost:
        raise FormatError("terms that .xg has no place for: %(terms)s", terms=", ".join(lost))
    if _course(back) != _course(match) or back.score != match.score:
        raise FormatError("this match has no place in .xg: it would be read otherwise")
    return data


def left_out(book: Book) -> tuple[str, ...]:
    """What the file of a match leaves out of it; texts for `_`, in a fixed order."""
    events = book.match.events
    others = {name for name, value in book.facts.items() if value and name not in _KEPT_FACTS}
    if _days(book.facts.get("EventDate", "")):
        others.discard("EventDate")
    texts = (*book.players, *(book.facts.get(name, "") for name in _KEPT_FACTS))
    found = {
        TIES: any(isinstance(event, Opening) and len(set(event.faces)) == 1 for event in events),
        REJECTED: any(isinstance(event, Reject) for event in events),
        REASONS: any(isinstance(event, Timeout | Claim | Abort | Void) for event in events),
        BEAVERS: book.match.terms.beavers not in (0, RAISES),
        UNANSWERED: bool(events) and isinstance(events[-1], Resign),
        NOTES: bool(book.annotations),
        FACTS: bool(others),
        LONG: any(len(text.encode("utf-16-le")) > _MAX_TEXT_BYTES for text in texts),
    }
    return tuple(name for name, out in found.items() if out)


def _term(terms: MatchTerms, name: str) -> object:
    """A term as far as the format tells it: whether there are beavers, not how high the cube goes or when a first roll was made."""
    value = getattr(terms, name)
    if isinstance(value, StartingPosition):
        return msgspec.structs.replace(value, faces=())
    return bool(value) if name == "beavers" else None if name == "cube_limit" else value


def _course(match: Match) -> list[object]:
    """What must come back: the rolls, plays, cubes and ends of games; not ties, and resignations that were not accepted."""
    begins = match.terms.begins_at
    found: list[object] = [sorted(begins.faces)] if begins is not None and begins.faces else []
    for event, after in pairwise((*match.events, None)):
        match event:
            case Opening(faces) | Roll(faces=faces) if len(set(faces)) > 1 or isinstance(event, Roll):
                found.append(sorted(faces))
            case PlayMade(player=player, position=position):
                found.append((player, position))
            case Resign(player=player, level=level) if isinstance(after, Accept):
                found.append((player, "resigns", level))
            case Opening() | Resign():
                pass
            case Double() | Take() | Pass() | Beaver() | Raccoon() | Next() | Settle() | Correct():
                found.append(event)
            case _:
                pass
    return found


# -- records


def _records(book: Book) -> Iterator[bytes]:
    match = Match.start(rules=book.match.rules, terms=book.match.terms)
    yield _match_record(book)
    events = book.match.events
    yield _game_record(match, events)
    cube_written = False
    if match.game.faces:  # the position in which it begins has been rolled for
        yield _cube_record(match.game, match.game.player, CANNOT_DOUBLE, events)
        if not _is_played(events):
            yield _move_record(match.game, match.game, None)
    for index, event in enumerate(events):
        before, match = match, match.replay(event)
        match_game = before.game
        if isinstance(event, Double):
            yield _cube_record(match_game, event.player, 1, events[index + 1 :])
            cube_written = True
        elif isinstance(event, Opening | Roll) and match.game.faces:
            if not cube_written:
                player = match.game.player
                free = match_game.cube_in_play and match_game.cube.owner in (None, player)
                alive = before.terms.money or before.away(player) > match_game.cube.value
                can = isinstance(event, Roll) and free and alive
                yield _cube_record(match.game, player, 0 if can else CANNOT_DOUBLE, events[index:])
            cube_written = False
            if not _is_played(events[index + 1 :]):
                yield _move_record(match.game, match.game, None)
        elif isinstance(event, PlayMade):
            yield _move_record(match_game, match.game, event)
        elif isinstance(event, Next):
            cube_written = False
            yield _game_record(match, events[index + 1 :])
        if match.game.over and not match_game.over:
            yield _game_end(match)
    yield bytes(_record(Kind.MATCH_END, {12: int(match.score[0]), 16: int(match.score[1]), 20: _sign(match.winner)}))


def _is_played(events: tuple[Event, ...]) -> bool:
    """Whether a roll is followed by its play, resignations that were rejected left out."""
    return any(isinstance(event, PlayMade) for event in events[: _next_roll(events)])


def _next_roll(events: tuple[Event, ...]) -> int:
    return _first_of(events, (Opening, Roll, Next))


def _first_of(events: tuple[Event, ...], kinds: tuple[type[Event], ...]) -> int:
    """The index of the first event of these kinds; how many there are if none is."""
    return next((at for at, event in enumerate(events) if isinstance(event, kinds)), len(events))


def _record(kind: Kind, values: dict[int, int]) -> bytearray:
    """A record with these four-byte numbers at these offsets."""
    found = bytearray(RECORD_BYTES)
    found[8] = kind
    for at, value in values.items():
        struct.pack_into("<i", found, at, value)
    return found


def _match_record(book: Book) -> bytes:
    terms, facts = book.match.terms, book.facts
    found = _record(
        Kind.MATCH,
        {
            92: terms.length or UNLIMITED,
            96: VARIATIONS.index(book.match.rules.name),
            268: int.from_bytes(_digest(book)[:3], "little"),
            272: -1,
            276: -1,
            552: VERSION,
            556: MATCH_MAGIC,
            576: NO_COMMENT,
            580: NO_COMMENT,
            608: -1,
            612: min(MAX_CUBE_POWER, terms.cube_limit.bit_length() - 1),
            616: terms.automatic_doubles,
        },
    )
    found[100:104] = bytes((terms.crawford, terms.jacoby, bool(terms.beavers), bool(terms.automatic_doubles)))
    found[584], found[620] = terms.money, True
    struct.pack_into("<dd", found, 104, RATING, RATING)
    struct.pack_into("<d", found, DAY_AT, _days(facts.get("EventDate", "")))
    event, site, turn = (facts.get(name, "") for name in _KEPT_FACTS)
    texts = (event, *book.players, site, turn)
    for text, narrow, size, wide in zip(
        texts, (136, 9, 50, 287, 421), (128, 40, 40, 128, 128), range(622, 1912, 258), strict=True
    ):
        short = text.encode("cp1252", errors="replace")[:size]
        found[narrow : narrow + 1 + len(short)] = bytes((len(short),)) + short
        units = text.encode("utf-16-le")[:_MAX_TEXT_BYTES]
        found[wide : wide + len(units)] = units
    return bytes(found)


def _days(text: str) -> float:
    """A date such as 2026.11.23 as the program counts it; 0 where there is none."""
    try:
        return float((date.fromisoformat(text.strip().replace(".", "-").replace("/", "-")) - FIRST_DAY).days)
    except ValueError:
        return 0.0


def _game_record(match: Match, events: tuple[Event, ...]) -> bytes:
    """The record with which a game begins. events: what follows."""
    number = len(match.finished) + 1
    found = _record(
        Kind.GAME,
        {
            12: int(match.score[0]),
            16: int(match.score[1]),
            48: number,
            56: NO_COMMENT,
            60: NO_COMMENT,
            64: _automatic_doubles(match, events),
        },
    )
    found[20] = match.crawford
    struct.pack_into("<26b", found, 21, *shown_counts(match.game.seen_by(0)))
    return bytes(found)


def _automatic_doubles(match: Match, events: tuple[Event, ...]) -> int:
    """How often ties of the opening roll double the cube of a game that begins. events: what follows."""
    for event in events[: _first_of(events, (PlayMade, Roll, Next))]:
        match = match.replay(event)
    return match.game.cube.ties


def _cube_record(game: Game, player: int, double: int, events: tuple[Event, ...]) -> bytes:
    """The cube before a roll. events: what follows, beginning with the answers to a double or with the roll."""
    answers = [NOT_ANSWERED] * 3
    if double == 1:
        said = (event for event in events if not isinstance(event, Resign))
        for number, event in enumerate(said):
            if type(event) not in _ANSWERS or number > 2:
                break
            answers[number] = _ANSWERS[type(event)]
    found = _record(
        Kind.CUBE,
        {
            12: _sign(player),
            16: double,
            20: answers[0],
            24: answers[1],
            28: answers[2],
            32: _cube(game),
            224: -1,
            292: NO_COMMENT,
        },
    )
    struct.pack_into("<26b", found, 36, *shown_counts(game.seen_by(0)))
    for at in (200, 216, 240, 248, 272, 280):
        struct.pack_into("<d", found, at, NOT_JUDGED)
    roll = next((event.faces for event in events if isinstance(event, Opening | Roll)), ())
    passed = 0 in answers
    text = (NO_ROLL if passed else "".join(map(str, sorted(roll, reverse=True)))).encode()
    found[208 : 209 + len(text)] = bytes((len(text),)) + text
    return bytes(found)


def _move_record(game: Game, after: Game, event: PlayMade | None) -> bytes:
    """A roll and its play; None when it was not played."""
    player = game.player
    found = _record(
        Kind.MOVE,
        {64: _sign(player), 100: game.faces[0], 104: game.faces[1], 108: _cube(game), 2524: NO_COMMENT},
    )
    struct.pack_into("<26b", found, 9, *shown_counts(game.seen_by(0)))
    struct.pack_into("<32i", found, 2344, *([-1] * 32))
    for at in (112, 2312, 2320, 2512):
        struct.pack_into("<d", found, at, NOT_JUDGED)
    if event is None:
        return bytes(found)
    moves = [number for move in event.moves for number in (move[0] - 1, move[0] - 1 - move[2])]
    struct.pack_into("<8i", found, 68, *(moves + [-1] * 8)[:8])
    struct.pack_into("<26b", found, 35, *shown_counts(after.seen_by(player)))
    found[2308] = True
    return bytes(found)


def _game_end(match: Match) -> bytes:
    result = match.game.result
    assert result is not None
    if result.points != int(result.points) or result.points >= 2**31:
        raise FormatError("points of %(points)s; .xg holds whole ones below 2147483648", points=result.points)
    how = {"pass": 0, "play": result.level, "resign": RESIGNED + result.level}.get(result.how, SETTLED)
    found = _record(
        Kind.GAME_END,
        {12: int(match.score[0]), 16: int(match.score[1]), 24: _sign(result.winner), 28: int(result.points), 32: how},
    )
    found[20] = not match.over and match.apply(Next()).crawford
    return bytes(found)


def _cube(game: Game) -> int:
    """The power of two of the cube, below zero for player 1, 0 while it is centred."""
    power = game.cube.value.bit_length() - 1
    return 0 if game.cube.owner is None else power if game.cube.owner == 0 else -power


def _sign(player: int | None) -> int:
    return 0 if player is None else 1 if player == 0 else -1


# -- the file around them


def _container(book: Book, records: list[bytes]) -> bytes:
    """Header, packed files, their packed table of contents, and where it lies."""
    whole = b"".join(records), records[0] + records[-1]
    packed = [zlib.compress(data) for data in whole]
    starts = (0, len(packed[0]))
    table = b"".join(
        _short(name) + _short("") + struct.pack("<iiiIBBH", len(data), len(file), start, zlib.crc32(data), 0, 2, 0)
        for name, data, file, start in zip(("temp.xg", "temp.xgi"), whole, packed, starts, strict=True)
    )
    files, registry = b"".join(packed), zlib.compress(table)
    body = files + registry
    place = struct.pack("<IiiiiI12x", zlib.crc32(body), len(whole), 1, len(registry), len(files), 1)
    return _header(book) + body + place


def _header(book: Book) -> bytes:
    first, second = book.players
    length = f"{book.match.length} point match" if book.match.length else "money session"
    texts = (book.facts.get("Site", ""), f"{first} vs. {second}, {length}", book.facts.get("Event", ""), "")
    head = HEADER.pack(HEADER_MAGIC, 1, HEADER_BYTES, 0, 0) + _digest(book)[:16]
    return head + b"".join(text.encode("utf-16-le")[:2046].ljust(2048, b"\0") for text in texts)


def _digest(book: Book) -> bytes:
    """Identifies the match: the same one is written in the same bytes."""
    from hashlib import sha256  # loads OpenSSL, 3.5 MB that nobody needs who only imports the package

    return sha256(msgspec.json.encode((book.match.events, book.players, book.match.terms))).digest()


def _short(text: str) -> bytes:
    return bytes((len(text),)) + text.encode("ascii").ljust(255, b"\0")
