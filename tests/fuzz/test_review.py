"""Files that strangers bring: any bytes under any suffix are a match or are refused in a sentence; nothing else happens."""

from contextlib import suppress

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.game import Opening
from barpoint.match import Match, write_log
from barpoint.record import SUFFIXES, Book, format_book, parse_mat
from barpoint.record.collection import unzipped
from barpoint.record.log_notes import book_log, parse_book_log
from barpoint.record.worker import read
from barpoint.server.study.recordings import of_book
from barpoint.server.study.replay import frames
from tests.record.test_collection import zipped
from tests.record.test_mat import MATCH
from tests.support.deep import DEEP

LOG = write_log(parse_mat(MATCH).match)


def check(data: bytes, suffix: str) -> None:
    found = read(data, suffix)
    if found.refused:
        return
    for one in found.matches:
        if one.refused:
            continue
        book = parse_book_log(bytes(one.log), audit=True)
        assert book_log(book) == bytes(one.log)
        recording = of_book("any", book, 0)
        for game in range(1, recording.reel.games + 1):
            assert msgspec.json.encode(frames(recording.reel, recording.names, game))


@given(st.binary(max_size=200), st.sampled_from(SUFFIXES))
def test_any_bytes_are_read_or_refused(data: bytes, suffix: str) -> None:
    check(data, suffix)


@given(st.integers(0, len(LOG) - 1), st.binary(max_size=4), st.integers(0, 12))
@settings(max_examples=200 if DEEP else 100)
def test_a_damaged_log_is_read_or_refused(place: int, put: bytes, cut: int) -> None:
    check(LOG[:place] + put + LOG[place + cut :], ".json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)


@given(st.integers(0, 8), st.sampled_from(("player", "faces", "moves", "position", "kind", "level")), JSON)
@settings(max_examples=200 if DEEP else 100)
def test_a_log_with_anything_in_an_event_is_read_or_refused(index: int, field: str, value: object) -> None:
    log = msgspec.json.decode(LOG)
    log["events"][index][field] = value
    check(msgspec.json.encode(log), ".json")


@given(
    st.sampled_from(("length", "stake", "beavers", "automatic_doubles", "cube_limit", "jacoby", "manual", "holland")),
    JSON,
)
@settings(max_examples=200 if DEEP else 100)
def test_a_log_on_any_terms_is_read_or_refused(field: str, value: object) -> None:
    log = msgspec.json.decode(LOG)
    log["terms"][field] = value
    check(msgspec.json.encode(log), ".json")


HELD = {
    suffix: format_book(Book(Match.start(0, stake=25).apply(Opening((3, 1)))), suffix) for suffix in (".mat", ".sgf")
}


@given(st.sampled_from(sorted(HELD)), st.integers(0, 600), st.binary(max_size=4), st.integers(0, 12))
@settings(max_examples=200 if DEEP else 100)
def test_a_damaged_file_with_a_log_in_it_is_read_or_refused(suffix: str, place: int, put: bytes, cut: int) -> None:
    check(HELD[suffix][:place] + put + HELD[suffix][place + cut :], suffix)


@given(st.binary(max_size=300), st.integers(0, 60), st.integers(0, 20))
def test_any_bytes_are_a_zip_or_are_refused(data: bytes, place: int, cut: int) -> None:
    real = zipped(a_mat=MATCH.encode())
    for one in (data, real[:place] + data[:3] + real[place + cut :]):
        with suppress(FormatError):
            list(unzipped("some.zip", one))
