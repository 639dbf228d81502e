"""Every reader of foreign text on damaged and hostile input: read, or refused by an error of the family; never a crash, a hang
or a heap of memory.

Inputs are mutated from files that are made here, and from real ones where they lie beside the checkout.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from importlib import resources
from random import Random
from types import FrameType
from typing import Final

import ogxm
import pytest

from barpoint.analysis.reference import ReferenceCollection, ReferenceSettings, parse_reference
from barpoint.board import Position, Side
from barpoint.dice import seeded
from barpoint.driver import next_event
from barpoint.engine.gnu_bearoff import GnuOneSided, parse_gnu_bearoff
from barpoint.engine.opening_book import BookSettings, OpeningBook, parse_book_line
from barpoint.error import BarpointError
from barpoint.match import Match
from barpoint.match.met import read_met, read_met_xml
from barpoint.moves import parse_play
from barpoint.record import (
    Book,
    format_book,
    format_gnuid,
    format_ogid,
    format_xgid,
    ogxm_reader,
    parse_books,
    parse_id,
    parse_xgp,
)
from barpoint.record.fibs_board import parse_board
from barpoint.variants import variant
from tests.engine.test_gnu_bearoff import packed, plain, two_sided
from tests.match.test_met import XML
from tests.record.test_any_id import FIBS
from tests.record.test_bgf import GAME, document, move
from tests.record.test_bgf import file as bgf_file
from tests.record.test_board_text import BGBLITZ, XG
from tests.record.test_ogxm import BLACK_31, WHITE_31, act
from tests.record.test_ogxm import file as ogxm_file
from tests.support.deep import DEEP
from tests.support.games import AnythingAllowed
from tests.support.samples import SAMPLES
from tests.support.xg_file import xg_file, xg_records

CPU_S: Final = float(os.environ.get("BARPOINT_FUZZ_S") or (600 if DEEP else 0))
"""CPU time for each reader in the long run; BARPOINT_FUZZ_S sets another."""

TRIES: Final = 60
"""Inputs for each reader in the ordinary run."""

MAX_ONE_S: Final = 20
"""CPU time after which one input counts as a hang."""

MAX_MORE_KIB: Final = 200 * 1024
"""Memory that a reader may need beyond what is used already."""

Read = Callable[[bytes], object]


def played(seed: int, name: str = "backgammon", length: int = 3) -> Book:
    match, players, dice = Match.start(length, name), (AnythingAllowed(seed), AnythingAllowed(seed + 1)), seeded(seed)
    while len(match.events) < 60 and not match.over:
        match = match.apply(next_event(match, players, dice))
    return Book(match, ("Anna", "Ben: the 2nd"))


BOOKS: Final = (played(1), played(2, "roll-over+duodecagammon"), played(3, "backgammon", 0), played(4, "acey-deucey"))
SITUATIONS: Final = (BOOKS[0].match, BOOKS[2].match)


def files(suffix: str, *folders: str) -> list[bytes]:
    """Content of our own files of this suffix, and of real ones."""
    own = [xg_file(played(1))] if suffix == ".xg" else [format_book(book, suffix) for book in BOOKS]
    real = [file for folder in folders for file in sorted((SAMPLES / folder).glob("*")) if file.suffix != ".md"]
    return own + [file.read_bytes() for file in real if file.stat().st_size < 300_000]


def of_suffix(suffix: str) -> Read:
    return lambda data: parse_books(data, suffix)


def of_text(read: Callable[[str], object]) -> Read:
    return lambda data: read(data.decode("utf-8", "replace"))


def of_records(data: bytes) -> object:
    """Damaged records in a whole archive, which damage to the file would seldom leave."""
    whole = xg_file(played(1), [data])
    with contextlib.suppress(BarpointError):
        parse_xgp(whole)
    return parse_books(whole, ".xg")


def of_document(data: bytes) -> object:
    """Damaged JSON in a whole .bgf."""
    return parse_books(b"{}\n" + data, ".bgf")


def of_ogxm_document(data: bytes) -> object:
    """A document as the library gives it, damaged."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ogxm_reader, "_document", lambda _: document)
        return ogxm_reader.parse_ogxm(b"")


def of_bearoff(data: bytes) -> object:
    """A database is read, and a row of it."""
    table = parse_gnu_bearoff(data)
    side = Side.of({1: 1})
    return table.turns(side) if isinstance(table, GnuOneSided) else table.equity(Position(side, side))


def of_book_line(text: str) -> object:
    """A line of an opening book is read, and its position looked up."""
    settings = BookSettings("backgammon", "money", "", 0, 0)
    return OpeningBook(settings, [parse_book_line(text)]).find(variant("backgammon").start, (3, 1))


def of_reference_line(text: str) -> object:
    """A line of the reference positions is read, and it is asked what is right in it and what is near."""
    one = parse_reference(text)
    near = ReferenceCollection(ReferenceSettings("", 0, 0, 0), [one]).nearest(one.position, 1)
    return near, one.best, one.equity, one.best_play(variant("backgammon")) if one.faces else None


BGF_GAME: Final = [
    *GAME,
    move(-1, (5, 7)) | {"from": [6, -1, -1, -1], "to": [4, -1, -1, -1]},
]
OGXM_GAMES: Final = (
    {"plies": [WHITE_31, act(0, 21), act(1, 22), BLACK_31, act(1, 21), act(0, 23)], "winner": 0, "points_won": 2},
    {"plies": [BLACK_31], "is_crawford": True},
)
OGXM: Final = [
    json.dumps(ogxm.binary_to_json(ogxm_file(*OGXM_GAMES, match_length=length))).encode() for length in (0, 3)
]
BOOK_LINES: Final = [
    line.encode()
    for line in (resources.files("barpoint") / "data/openings/backgammon.money.tsv").read_text().splitlines()[1:40]
]
REFERENCE_LINES: Final = [
    line.encode()
    for line in (resources.files("barpoint") / "data/reference_positions.tsv").read_text().splitlines()[1::20]
]
IDS: Final = [
    *(write(match).encode() for match in SITUATIONS for write in (format_gnuid, format_xgid, format_ogid)),
    b"~AAAA/v8AAAD4/wM",
    FIBS.encode(),
    XG.format(head="Score is", score="3-6/7 Crawford", cube="Cube: 4, O own cube", turn="X to play 21").encode(),
    BGBLITZ.format(o="Big Bill", x="Red", turn="Red to move 6-1").encode(),
]
READERS: Final[dict[str, tuple[Read, list[bytes]]]] = {
    "json": (of_suffix(".json"), files(".json")),
    "mat": (of_suffix(".mat"), files(".mat", "mat", "refused")),
    "sgf": (of_suffix(".sgf"), files(".sgf", "sgf")),
    "xg": (of_suffix(".xg"), files(".xg", "xg")),
    "xg records": (of_records, [b"".join(xg_records(played(1))), b"".join(xg_records(played(3, "backgammon", 0)))]),
    "xgp": (parse_xgp, [xg_file(played(1))]),
    "bgf": (of_suffix(".bgf"), [bgf_file(document(BGF_GAME), bytes), bgf_file(document(BGF_GAME))]),
    "bgf document": (of_document, [json.dumps(document(BGF_GAME, matchlen=length)).encode() for length in (0, 3)]),
    "ogxm": (of_suffix(".ogxm"), [ogxm_file(*OGXM_GAMES), ogxm_file(*OGXM_GAMES, match_length=0)]),
    "ogxm document": (of_ogxm_document, OGXM),
    "bd": (of_bearoff, [packed(3, 4), plain(2, 3), two_sided(2, 2)]),
    "met xml": (read_met_xml, [XML.encode()]),
    "met json": (read_met, [(resources.files("barpoint") / "data/met/woolsey.json").read_bytes()]),
    "opening line": (of_text(of_book_line), BOOK_LINES),
    "reference line": (of_text(of_reference_line), REFERENCE_LINES),
    "id": (of_text(parse_id), IDS),
    "fibs": (of_text(parse_board), [FIBS.encode()]),
    "play": (
        of_text(lambda text: parse_play(variant("backgammon"), variant("backgammon").start, (3, 1), text)),
        [b"8/5 6/5", b"24/23*/20(2)", b"bar/off, 6/off(3)", b"(no play)"],
    ),
    "variant": (of_text(variant), [b"roll-over+nackgammon", b"duodecagammon(include_3_3)", b"hypergammon(checkers=5)"]),
}


def mutated(data: bytes, random: Random) -> bytes:
    """The same with a few changes: bytes turned, cut, doubled, moved, or replaced by what is awkward."""
    awkward = (
        b"\0",
        b" " * 500,
        b"[" * 300,
        b"(" * 300,
        b"9" * 40,
        b"\xff\xfe",
        b":" * 50,
        b"-1",
        b'"',
        b"\\",
        b"\n" * 50,
    )
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        at, size = random.randrange(len(data) + 1), random.choice((1, 2, 8, 60, 400))
        match random.randrange(6):
            case 0:
                data = data[:at] + data[at + size :]
            case 1:
                data = data[:at] + random.choice(awkward) + data[at:]
            case 2:
                data = data[:at] + data[at : at + size] * random.choice((2, 3, 40)) + data[at + size :]
            case 3:
                data = data[:at] + bytes(random.randrange(256) for _ in range(min(size, 8))) + data[at + size :]
            case 4:
                other = random.randrange(len(data) + 1)
                data = data[:at] + data[other : other + size] + data[at:]
            case _:
                data = data[:at]
    return data[:600_000]


@contextlib.contextmanager
def no_hang() -> Iterator[None]:
    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"no answer after {MAX_ONE_S} s of CPU time")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_ONE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def used_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.parametrize("name", READERS)
def test_damaged_input_is_read_or_refused(name: str) -> None:
    read, seeds = READERS[name]
    begun, before, number = time.process_time(), used_kib(), 0
    while number < TRIES or time.process_time() - begun < CPU_S:
        data = mutated(Random(number).choice(seeds), Random(f"{name} {number}"))
        number += 1
        try:
            with no_hang(), contextlib.suppress(BarpointError):
                read(data)
        except Exception as error:
            raise AssertionError(f"{name}, input {number - 1}: {error!r} on {data[:200]!r}") from error
    assert used_kib() - before < MAX_MORE_KIB


HOSTILE: Final = {
    "blanks before a colon": (".mat", b" 3 point match\n\n Game 1\n" + b" " * 200_000 + b"x\n"),
    "blanks in a fact": (".mat", b" 3 point match\n; [" + b" " * 200_000 + b"x\n"),
    "quotes in a fact": (".mat", b' 3 point match\n; [a "' + b'" ' * 100_000 + b"x\n"),
    "a session without end": (
        ".mat",
        b" 0 point match\n\n"
        + b" Game 1\n A : 0   B : 0\n  1)  Doubles => 2   Drops\n Wins 1 point\n" * (20_000 if DEEP else 5_000),
    ),
    "colons in the names": (".mat", b" 3 point match\n\n Game 1\n" + b"a : 1 " * 100_000 + b"x\n"),
    "notes of rerolls": (
        ".mat",
        b'; [Variation "roll-over"]\n 3 point match\n\n Game 1\n A : 0   B : 0\n'
        + b"; 1 left: RollOver(own 31)\n" * 30_000
        + b"  2) 31: 8/5 6/5\n" * 2_000,
    ),
    "a log with blank lines": (".mat", b" 3 point match\n; Log AAAA" + b"\n " * 200_000 + b"x\n"),
    "one property again and again": (".sgf", b"(;GM[6]MI[length:3][game:0]" + b"XB[1]" * 100_000 + b")"),
    "empty nodes": (".sgf", b"(;GM[6]MI[length:3][game:0]\n" + b";\n" * 150_000 + b")"),
    "games without end": (".sgf", b"(;GM[6]MI[length:3][game:1]" * 3),
    "what is no node": (".sgf", b"(;GM[6]MI[length:3][game:0]" + b"\n!" * 150_000 + b")"),
    "a value full of brackets": (".sgf", b"(;GM[6]MI[length:3][game:0]C[" + b"\\]" * 400_000 + b"])"),
    "a value without an end": (".sgf", b"(;GM[6]MI[length:3][game:0]" + b"C[" * 300_000),
    "ties for the start": (
        ".json",
        b'{"format":"barpoint-match","version":1,"rules":"backgammon","rules_version":1,"terms":{},"events":['
        + b",".join([b'{"kind":"opening","faces":[3,3]}'] * 60_000)
        + b"]}",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_input_made_to_be_slow_or_large_is_answered(name: str) -> None:
    suffix, data = HOSTILE[name]
    before = used_kib()
    with no_hang(), contextlib.suppress(BarpointError):
        parse_books(data, suffix)
    assert used_kib() - before < MAX_MORE_KIB
