"""What is written for eXtreme Gammon reads back as the same match, lies where real files have it, or is refused."""

from __future__ import annotations

import struct
import zlib
from itertools import islice
from typing import Any

import msgspec
import pytest

from barpoint import dice
from barpoint.driver import play_match
from barpoint.error import FormatError
from barpoint.game import (
    Accept,
    Beaver,
    Double,
    Next,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Settle,
    Take,
    Timeout,
)
from barpoint.match import Match, MatchTerms
from barpoint.match.starting_position import StartingPosition
from barpoint.record import Book, format_xg, parse_mat, parse_xg, parse_xgid, read_match
from barpoint.record.annotation import Annotation
from barpoint.record.oddity import Oddities
from barpoint.record.xg_archive import HEADER, HEADER_BYTES, records_of
from barpoint.record.xg_record import RECORD_BYTES, Kind
from barpoint.record.xg_writer import BEAVERS, FACTS, LONG, NOTES, REASONS, REJECTED, TIES, UNANSWERED, left_out
from barpoint.variants import variant
from tests.record.test_mat import MATCH
from tests.record.test_xg import played
from tests.support.games import AnythingAllowed
from tests.support.samples import needs_samples, sample_files

BOOK = parse_mat(MATCH)
LATER = parse_xgid("XGID=-b-B--D-C--aeE---c-d----A-:0:0:1:00:0:0:0:5:10").position


def written(match: Match) -> Match:
    return parse_xg(format_xg(Book(match)), strict=True).match


@pytest.mark.parametrize("name", ["backgammon", "nackgammon", "hypergammon", "longgammon"])
@pytest.mark.parametrize("length", [0, 1, 5])
def test_random_matches_come_back_as_they_were(name: str, length: int) -> None:
    for seed in range(4):
        players = AnythingAllowed(seed), AnythingAllowed(seed + 9)
        *_, match = islice(play_match(Match.start(length, name), *players, dice=dice.seeded(seed)), 250)
        back = written(match)
        ends = (Opening, Resign, Accept, Reject)
        kept = [[event for event in one.events if not isinstance(event, ends)] for one in (back, match)]
        assert kept[0] == kept[1]
        assert (back.score, back.over, back.winner) == (match.score, match.over, match.winner)
        assert [one.result for one in back.finished] == [one.result for one in match.finished]


def test_names_and_facts_are_kept_in_any_script() -> None:
    book = Book(BOOK.match, ("Žofie", "Ωμέγα"), {"Event": "Klubabend", "Site": "東京", "Round": "3"})
    again = parse_xg(format_xg(book))
    assert (again.players, again.facts, again.match) == (book.players, book.facts, book.match)


def test_cubes_with_beavers_and_raccoons_come_back() -> None:
    match = played(Match.start(rules=variant("backgammon"), terms=MatchTerms(0, jacoby=True, beavers=2)), 2)
    one, two = match.game.player, 1 - match.game.player
    for answers in ([Take(two)], [Pass(two)], [Beaver(two), Take(one)], [Beaver(two), Pass(one)]):
        doubled = match.apply(Double(one))
        for answer in answers:
            doubled = doubled.apply(answer)
        assert written(doubled).events == doubled.events
    raccoon = match.apply(Double(one)).apply(Beaver(two)).apply(Raccoon(one)).apply(Take(two))
    assert written(played(raccoon, 2)).events == played(raccoon, 2).events


@pytest.mark.parametrize(("said", "read"), [("2026.11.23", "2026.11.23"), ("2026-11-23", "2026.11.23"), ("", "")])
def test_the_day_comes_back(said: str, read: str) -> None:
    again = parse_xg(format_xg(Book(played(Match.start(1), 3), facts={"EventDate": said})))
    assert again.facts.get("EventDate", "") == read
    assert again.played_on == read.replace(".", "-")


def test_ends_by_resignation_come_back_and_rejected_ones_are_left_out() -> None:
    match = played(Match.start(5), 3)
    rejected = match.apply(Resign(1, 1)).apply(Reject(0))
    assert written(rejected).events == match.events
    assert written(rejected.apply(Resign(1, 2)).apply(Accept(0))).score == (2, 0)
    rolled = match.apply(Roll(match.game.player, (6, 4))).apply(Resign(1, 3)).apply(Accept(0))
    assert written(rolled).events == rolled.events


def test_what_is_left_out_is_named() -> None:
    match = played(Match.start(5), 3)
    assert left_out(Book(match, facts={"Event": "Club", "Site": "Here", "Round": "1", "EventDate": "2026.11.23"})) == ()
    tied = Match.start(5).apply(Opening((3, 3)))
    assert left_out(Book(tied)) == (TIES,)
    rejected = match.apply(Resign(1, 1)).apply(Reject(0))
    assert left_out(Book(rejected)) == (REJECTED,)
    assert left_out(Book(match.apply(Resign(1, 1)).apply(Accept(0)))) == ()
    assert left_out(Book(rejected.apply(Timeout(1)))) == (REJECTED, REASONS)
    assert left_out(Book(match.apply(Resign(1, 2)))) == (UNANSWERED,)
    commented = Book(match, facts={"Transcriber": "Kim", "Event": "x" * 129}, annotations={1: Annotation("Why?")})
    assert left_out(commented) == (NOTES, FACTS, LONG)
    assert left_out(Book(match, facts={"EventDate": "long ago"})) == (FACTS,)


@pytest.mark.parametrize("beavers", range(4))
def test_how_many_beavers_are_allowed_is_left_out_where_the_file_says_it_otherwise(beavers: int) -> None:
    match = played(Match.start(0, beavers=beavers), 3)
    said = written(match).terms.beavers
    assert bool(said) == bool(beavers)
    assert left_out(Book(match)) == (() if said == beavers else (BEAVERS,))


@pytest.mark.parametrize(("allowed", "ties", "cube"), [(1, 1, 2), (1, 3, 2), (3, 2, 4), (3, 0, 1), (0, 2, 1)])
def test_automatic_doubles_come_back_in_every_game(allowed: int, ties: int, cube: int) -> None:
    match = Match.start(0, automatic_doubles=allowed)
    for number in (1, 2):
        for face in range(1, ties + 1):
            match = match.apply(Opening((face, face)))
        match = played(match, 3)
        back = written(match)
        assert (back.game.cube.value, back.score) == (cube, match.score)
        if number == 1:
            match = match.apply(Resign(1, 2)).apply(Accept(0))
            assert (written(match).score, match.score) == ((2 * cube, 0),) * 2
            match = match.apply(Next())
    first = match.apply(Resign(0, 1)).apply(Reject(1))
    assert written(first).game.cube.value == cube


def test_a_cube_limit_that_ends_automatic_doubles_comes_back() -> None:
    match = Match.start(0, automatic_doubles=3, cube_limit=2)
    for face in (1, 2, 3):
        match = match.apply(Opening((face, face)))
    assert written(played(match, 3)).game.cube.value == match.game.cube.value == 2


def test_a_resignation_that_waits_for_its_answer_is_left_out() -> None:
    match = played(Match.start(5), 3)
    assert written(match.apply(Resign(1, 2))).events == match.events


def test_the_crawford_game_and_a_first_score_are_kept() -> None:
    match = played(Match.start(terms=MatchTerms(3)), 3).apply(Resign(1, 2)).apply(Accept(0))
    assert written(match).terms == match.terms


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (Match.start(5, "roll-over"), "roll-over has no place in .xg; allowed: backgammon, nackgammon"),
        (played(Match.start(5, holland=True), 3), "terms that .xg has no place for: holland"),
        (played(Match.start(0, stake=5), 3), "terms that .xg has no place for: stake"),
        (played(Match.start(0), 3).apply(Settle(0.5)), "points of 0.5; .xg holds whole ones"),
        (played(Match.start(0), 3).apply(Settle(0)), "no place in .xg"),
        (played(Match.start(5, manual=True), 3), "terms that .xg has no place for: manual"),
    ],
)
def test_what_has_no_place_is_refused_with_the_reason(match: Match, said: str) -> None:
    with pytest.raises(FormatError) as refused:
        format_xg(Book(match))
    assert said in str(refused.value)


def test_illegal_plays_are_refused() -> None:
    odd = parse_mat(MATCH.replace("8/5 6/5", "8/5 8/6"))
    with pytest.raises(FormatError, match="no place in"):
        format_xg(odd)


def test_the_archive_is_built_as_the_program_does() -> None:
    data = format_xg(BOOK)
    magic, version, size, offset, picture = HEADER.unpack_from(data)
    assert (magic.to_bytes(4, "little"), version, size, offset, picture) == (b"RGMH", 1, HEADER_BYTES, 0, 0)
    assert data[40 + 2048 :].decode("utf-16-le", errors="replace").startswith("Anna vs. Ben, 3 point match\0")
    crc, count, one, registry, length, packed = struct.unpack_from("<IiiiiI", data, len(data) - 36)
    body = data[HEADER_BYTES:-36]
    assert (crc, count, one, packed, registry + length) == (zlib.crc32(body), 2, 1, 1, len(body))
    table = zlib.decompress(body[length:])
    assert len(table) == 2 * 532
    for at, name in ((0, b"temp.xg"), (532, b"temp.xgi")):
        assert table[at + 1 : at + 1 + table[at]] == name
        unpacked, length, start, crc = struct.unpack_from("<iiiI", table, at + 512)
        file = zlib.decompress(body[start : start + length])
        assert (len(file), zlib.crc32(file), len(file) % RECORD_BYTES) == (unpacked, crc, 0)
    assert format_xg(BOOK) == data


MATCH_GIVEN_UP = 104

FIELDS: dict[int, tuple[tuple[str, int], ...]] = {
    Kind.MATCH: (("<ii4B", 92), ("<dd", 104), ("<I", 556), ("<ii", 576)),
    Kind.GAME: (("<iiB", 12), ("<i", 48), ("<ii", 56)),
    Kind.CUBE: (("<i", 12), ("<3i", 20), ("<i", 32), ("<26b", 36)),
    Kind.MOVE: (("<26b", 9), ("<26b", 35), ("<i", 64), ("<i", 108), ("<B", 2308)),
    Kind.GAME_END: (("<iiB", 12), ("<ii", 24)),
    Kind.MATCH_END: (("<iii", 12),),
}
"""What the program and we write alike, at the same place."""


def fields(record: bytes, given_up: bool) -> list[tuple[Any, ...]]:
    found = [struct.unpack_from(form, record, at) for form, at in FIELDS[record[8]]]
    if record[8] == Kind.MOVE and not record[2308]:
        found[1] = ()  # the program leaves there what it likes
    if record[8] in (Kind.GAME_END, Kind.MATCH_END) and given_up:
        found[0] = ()  # a match that is given up has no more points than it needs there
    return found


@needs_samples
@pytest.mark.parametrize("path", sample_files("xg/*.xg"), ids=lambda path: path.stem)
def test_a_real_file_that_is_written_again_has_the_same_records(path: Any) -> None:
    real, _ = records_of(path.read_bytes(), Oddities())
    ours = iter(records_of(format_xg(read_match(path)), Oddities())[0])
    own = next(ours)
    left_out, given_up = 0, False
    for record in real:
        if record[8] != own[8]:
            assert record[8] == Kind.CUBE, "a cube that was looked at before a game was given up"
            left_out += 1
            continue
        given_up = given_up or (record[8] == Kind.GAME_END and record[32] == MATCH_GIVEN_UP)
        assert fields(record, given_up) == fields(own, given_up)
        own = next(ours, bytes(RECORD_BYTES))
    assert left_out <= 2


def test_a_game_that_waits_for_its_roll_or_its_play_is_written() -> None:
    match = played(Match.start(3), 4)
    waiting = match.apply(Roll(match.game.player, (6, 1)))
    for one in (match, waiting, Match.start(3).apply(Opening((3, 1)))):
        assert [type(event) for event in written(one).events] == [type(event) for event in one.events]
    assert isinstance(match.events[-1], PlayMade)
    assert msgspec.json.encode(written(waiting).events) == msgspec.json.encode(waiting.events)


def test_a_double_that_waits_for_its_answer_is_written() -> None:
    doubled = played(Match.start(0, beavers=3), 2)
    for event in (Double(doubled.game.player), Beaver(1 - doubled.game.player)):
        doubled = doubled.apply(event)
        assert written(doubled).events[-1] == event
        assert written(doubled).game.phase is Phase.DOUBLED


@pytest.mark.parametrize("length", [0, 5])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("faces", "cube", "owner"), [((), 1, None), ((4, 2), 1, None), ((4, 2), 2, 0), ((), 2, 1), ((3, 3), 4, 1)]
)
def test_a_match_that_begins_in_a_position_comes_back(
    length: int, player: int, faces: tuple[int, ...], cube: int, owner: int | None
) -> None:
    begins = StartingPosition.of(LATER, player, faces=faces, cube=cube, owner=owner)
    start = Match.start(length, begins_at=begins)
    random = AnythingAllowed(7), AnythingAllowed(8)
    for match in islice(play_match(start, *random, dice=dice.seeded(3)), 1, 40):
        if isinstance(match.events[-1], PlayMade):
            back = written(match)
            assert back.score == match.score
            assert back.game.position == match.game.position
            if (
                faces and owner == 1 - player
            ):  # who cannot double rolls at once: the file does not say that they had rolled
                assert back.terms.begins_at == msgspec.structs.replace(begins, faces=())
                assert back.events[0] == Roll(player, faces)
            else:
                assert back.terms.begins_at == begins
