"""Files of eXtreme Gammon, by the description its maker has published: https://extremegammon.com/XGformat.aspx."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from barpoint.error import FormatError
from barpoint.game import Accept, Beaver, Double, Next, Opening, Pass, PlayMade, Raccoon, Resign, Roll, Take
from barpoint.match import Match, MatchTerms
from barpoint.match.starting_position import StartingPosition
from barpoint.moves import legal_plays
from barpoint.record import Book, parse_mat, parse_xg, parse_xgid, read_match, write_match
from barpoint.record.xg_archive import HEADER_BYTES, MAX_RECORDS
from barpoint.record.xg_record import RECORD_BYTES
from barpoint.variants import variant
from tests.record.test_mat import MATCH
from tests.support.samples import SAMPLES, needs_samples, sample_files
from tests.support.xg_file import (
    counts,
    cube_record,
    game_record,
    match_record,
    move_record,
    record,
    xg_file,
    xg_records,
)


def played(match: Match, turns: int, faces: tuple[int, int] = (5, 3)) -> Match:
    """The match after so many turns, each by the last legal play."""
    for _ in range(turns):
        if match.game.over:
            return match
        match = match.apply(Roll(match.game.player, faces)) if match.game.roll_id and not match.game.faces else match
        if not match.game.faces:
            match = match.apply(Opening((5, 3)))
        game = match.game
        match = match.apply(PlayMade(game.player, legal_plays(game.rules, game.position, game.faces)[-1].moves))
    return match


BOOK = parse_mat(MATCH)
"""Two games: a double that was passed, and one that goes on."""


def test_a_match_is_read_with_its_names_its_score_and_every_event() -> None:
    found = parse_xg(xg_file(BOOK))
    assert found.players == ("Anna", "Ben")
    assert found.match == BOOK.match


@pytest.mark.parametrize("name", ["backgammon", "nackgammon", "hypergammon", "longgammon"])
def test_every_game_of_the_program_is_read(name: str) -> None:
    match = played(Match.start(rules=variant(name), terms=MatchTerms(length=5)), 12)
    assert parse_xg(xg_file(Book(match))).match.events == match.events


def test_a_game_that_is_given_up_ends_with_its_points() -> None:
    match = played(Match.start(3), 3).apply(Resign(1, 2)).apply(Accept(0))
    match = played(match.apply(Next()), 2)
    found = parse_xg(xg_file(Book(match))).match
    assert found.score == (2, 0)
    assert found.events == match.events


def test_a_roll_that_was_given_up_before_it_was_played_is_kept() -> None:
    match = played(Match.start(3), 3)
    rolled = match.apply(Roll(match.game.player, (6, 4)))
    records = [
        *list(xg_records(Book(match)))[:-1],
        move_record(match.game.player, (6, 4), match.game.position, played=False),
        record(4, {24: 1 if match.game.player == 1 else -1, 28: 1}),
    ]
    found = parse_xg(xg_file(Book(match), records)).match
    assert rolled.events[-1] in found.events
    assert sum(found.score) == 1


def test_older_files_have_their_names_in_one_byte_a_letter() -> None:
    book = Book(BOOK.match, ("Zoë", "Bünde"))
    records = [match_record(book, version=20), *list(xg_records(book))[1:]]
    assert parse_xg(xg_file(book, records)).players == ("Zoë", "Bünde")


def test_money_with_a_beaver_and_a_raccoon_is_read() -> None:
    match = played(Match.start(rules=variant("backgammon"), terms=MatchTerms(0, jacoby=True, beavers=2)), 2)
    one, two = match.game.player, 1 - match.game.player
    book = Book(match)
    records = [*list(xg_records(book))[:-1], cube_record(one, take=2, beaver=2, raccoon=1)]
    found = parse_xg(xg_file(book, records)).match
    expected = match.apply(Double(one)).apply(Beaver(two)).apply(Raccoon(one)).apply(Take(two))
    assert (found.events, found.terms) == (expected.events, expected.terms)
    passed = [*list(xg_records(book))[:-1], cube_record(one, take=2, beaver=0)]
    assert parse_xg(xg_file(book, passed)).match.events[-1] == Pass(one)


def test_cubes_that_were_left_alone_are_no_events() -> None:
    records = list(xg_records(BOOK))
    records[2:2] = [cube_record(0, take=-1, double=0), cube_record(1, take=-1, double=-2)]
    assert parse_xg(xg_file(BOOK, records)).match == BOOK.match


def test_a_start_that_is_left_empty_is_that_of_the_game() -> None:
    records = list(xg_records(BOOK))
    records[1] = record(1, {})
    assert parse_xg(xg_file(BOOK, records)).match == BOOK.match


@pytest.mark.parametrize("crawford", [0, 1])
def test_a_record_says_whether_its_first_game_is_the_crawford_game(crawford: int) -> None:
    records = list(xg_records(Book(played(Match.start(5, first_score=(4, 2)), 2))))
    records[1] = records[1][:20] + bytes([crawford]) + records[1][21:]
    match = parse_xg(xg_file(BOOK, [match_record(Book(Match.start(5))), *records[1:]])).match
    assert (match.score, match.crawford, match.after_crawford) == ((4, 2), bool(crawford), not crawford)


def test_a_position_that_was_set_up_is_where_the_match_begins() -> None:
    """The file counts its player 1 as positive, also where player 2 acts."""
    position = parse_xgid("XGID=-b-B--D-C--aeE---c-d----A-:0:0:1:00:0:0:0:5:10").position
    after = legal_plays(variant("backgammon"), position.flip(), (6, 3))[0]
    first = bytearray(cube_record(1, take=-1, double=0))
    struct.pack_into("<26b", first, 36, *counts(position))
    struct.pack_into("<i", first, 32, -1)  # player 2 owns a cube of 2
    records = [
        match_record(BOOK),
        game_record(Match.start(3), position),
        bytes(first),
        move_record(1, (3, 6), after.result),
    ]
    match = parse_xg(xg_file(BOOK, records), strict=True).match
    assert match.terms.begins_at == StartingPosition.of(position.flip(), 1, cube=2, owner=1)
    assert match.events[0] == Roll(1, (6, 3))
    assert match.game.seen_by(1) == after.result
    crawford = bytearray(game_record(Match.start(3, first_score=(2, 1)), position))
    for crawford[20] in (0, 1):
        match = parse_xg(xg_file(BOOK, [records[0], bytes(crawford), bytes(first), *records[3:]])).match
        assert (match.score, match.crawford, match.after_crawford) == ((2, 1), bool(crawford[20]), not crawford[20])
    alone = parse_xg(xg_file(BOOK, records[:2]), strict=True).match
    assert (alone.terms.begins_at, alone.events) == (StartingPosition.of(position, 0), ())


def test_a_position_that_is_set_up_in_a_later_game_ends_its_reading_but_not_that_of_the_match() -> None:
    first = played(Match.start(5), 3).apply(Resign(1, 2)).apply(Accept(0))
    records = list(xg_records(Book(first)))
    after = game_record(first, variant("nackgammon").start)
    end = record(4, {12: 2, 16: 1, 24: -1, 28: 1})
    book = parse_xg(xg_file(BOOK, [*records[:-1], after, end, records[-1]]))
    assert "somebody has set up; the rest of this game is left out" in str(book.oddities[0])
    assert book.match.score == (2, 1)


RECORDS = list(xg_records(BOOK))
GAME = Match.start(3).game


@pytest.mark.parametrize(
    ("at", "put", "said"),
    [
        (0, match_record(BOOK)[:96] + b"\x07" + match_record(BOOK)[97:], "variation 7; known: 0 to 3"),
        (0, match_record(BOOK)[:92] + b"\0\0\0\0" + match_record(BOOK)[96:], "a match of 0 points; allowed: 1 to 9999"),
        (1, record(1, {12: 2}), "record 1: score 2-0; the games before make it 0-0"),
        (2, move_record(0, (7, 1), GAME.position), "record 2: a roll of 7-1; each shows 1 to 6"),
        (2, move_record(0, (3, 1), GAME.position), "record 2: no legal play of 3-1 leads to the position"),
        (2, record(3, {100: 3, 104: 1}), "record 2: player 0; allowed: 1 and -1"),
        (2, cube_record(0, 1), "record 2: double"),
        (2, match_record(BOOK), "record 2: a second match"),
        (4, cube_record(0, 7), "record 4: an answer 7 to the cube; allowed: 0 to 2"),
        (5, record(4, {24: 1, 28: 8}), "record 5: player 1 wins 8 points; by the moves it is player 1 by 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_record(at: int, put: bytes, said: str) -> None:
    records = [*RECORDS[:at], put, *RECORDS[at + 1 :]]
    with pytest.raises(FormatError) as error:
        parse_xg(xg_file(BOOK, records), strict=True)
    assert said in str(error.value)


FILE = xg_file(BOOK)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "begins with something else than RGMH"),
        (b"RGMH", "ends within its header: 4 bytes of 8232"),
        (b"X" + FILE[1:], "begins with something else than RGMH"),
        (FILE[:HEADER_BYTES], "no match in this file"),
        (FILE[:HEADER_BYTES] + b"no archive", "damaged"),
        (FILE[: HEADER_BYTES + 7] + zlib.compress(b"x" * RECORD_BYTES), "no match in this file"),
        (FILE[: HEADER_BYTES + 200], "the archive in this file is cut off"),
    ],
)
def test_what_is_no_such_file_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_xg(data, strict=True)


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    """As the end of a text is in the middle of a game."""
    whole, start = parse_xg(FILE).match, HEADER_BYTES + 7
    stream = zlib.decompressobj()
    stream.decompress(FILE[start:])
    packed = len(FILE) - start - len(stream.unused_data)
    for part in (packed * 4 // 5, packed * 9 // 10):
        book = parse_xg(FILE[: start + part])
        assert str(book.oddities[0]) == "the archive in this file is cut off; read as far as it goes"
        events = book.match.events
        assert 0 < len(events) < len(whole.events)
        assert events == whole.events[: len(events)]


def test_an_archive_that_grows_without_end_is_given_up() -> None:
    """A megabyte of zeros packs into a kilobyte."""
    bomb = zlib.compress(RECORDS[0] + bytes((MAX_RECORDS + 5) * RECORD_BYTES), 9)
    with pytest.raises(FormatError, match="more than 20000 records"):
        parse_xg(FILE[: HEADER_BYTES + 7] + bomb, strict=True)


def test_it_is_read_and_written_by_its_suffix(tmp_path: Path) -> None:
    file = tmp_path / "match.XG"
    file.write_bytes(FILE)
    assert read_match(file).match == BOOK.match
    write_match(BOOK, tmp_path / "match.xg")
    assert read_match(tmp_path / "match.xg", strict=True) == BOOK


@needs_samples
def test_matches_of_the_program_itself_are_read_as_their_match_text_is() -> None:
    def told(book: Book) -> list[tuple[object, ...]]:
        fields = ("player", "faces", "position", "level")
        return [(type(event), *(getattr(event, name, None) for name in fields)) for event in book.match.events]

    for path in sample_files("xg/*"):
        book = read_match(path)
        assert book.match.over, path.name
        text = SAMPLES / "mat" / f"{path.stem}.mat"
        if text.exists():
            assert (book.players, told(book)) == (read_match(text).players, told(read_match(text))), path.name
