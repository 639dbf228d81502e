"""Smile documents: what the specification says is read, what is damaged is refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.record.smile import parse_smile
from tests.support.smile import smile

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=70), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(VALUES, st.booleans())
def test_every_value_is_read_back(value: object, shared: bool) -> None:
    assert parse_smile(smile(value, shared=shared)) == value


def test_many_names_and_texts_are_referred_to() -> None:
    value = [{f"name {index}": f"text {index}" for index in range(300)}] * 2
    data = smile(value)
    assert parse_smile(data) == value
    assert len(data) < len(smile(value, shared=False))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}\n\0\xfa\xfb", "something else than a smiley"),
        (b":)\n\x03\xfa", "cut off or damaged"),
        (b":)\n\x03\x05", "a text that has not occurred"),
        (b":)\n\x00\xfa\x40\x21\xfb", "a text that has not occurred"),
        (b":)\n\x00\x26\x00", "0x26 begins no value"),
        (b":)\n\x00\xfa\x00", "0x00 begins no name"),
        (b":)\n\x00\x24" + bytes(12), "does not end"),
        (b":)\n\x00" + b"\xf8" * 100, "too deep"),
    ],
)
def test_what_is_damaged_is_refused_with_its_byte(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_smile(data)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(FormatError):
        parse_smile(b":)\n\x03" + data)
