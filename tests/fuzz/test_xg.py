"""The reader of eXtreme Gammon's files: any bytes are a match or are refused in a sentence; nothing else happens."""

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.record import parse_mat, parse_xg
from tests.record.test_mat import MATCH
from tests.support.deep import DEEP
from tests.support.xg_file import RECORD_BYTES, xg_file, xg_records

BOOK = parse_mat(MATCH)
RECORDS = list(xg_records(BOOK))
FILE = xg_file(BOOK)

PLACES = st.one_of(st.integers(8, 130), st.sampled_from((552, 556, 616, 880, 1138, 2308)))


@given(st.integers(0, len(FILE) - 1), st.binary(max_size=6), st.integers(0, 12))
def test_a_damaged_file_is_read_or_refused(place: int, put: bytes, cut: int) -> None:
    with contextlib.suppress(FormatError):
        parse_xg(FILE[:place] + put + FILE[place + cut :])


@given(st.lists(st.tuples(st.integers(0, len(RECORDS) - 1), PLACES, st.binary(min_size=1, max_size=4)), max_size=4))
@settings(max_examples=200 if DEEP else 100)
def test_records_with_anything_in_them_are_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    records = [bytearray(record) for record in RECORDS]
    for index, place, put in changes:
        records[index][place : place + len(put)] = put
    assert all(len(record) == RECORD_BYTES for record in records)
    with contextlib.suppress(FormatError):
        parse_xg(xg_file(BOOK, [bytes(record) for record in records]))


@given(st.lists(st.integers(0, len(RECORDS) - 1), min_size=1, max_size=12))
def test_records_in_any_order_are_read_or_refused(order: list[int]) -> None:
    with contextlib.suppress(FormatError):
        parse_xg(xg_file(BOOK, [RECORDS[index] for index in order]))
