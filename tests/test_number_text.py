"""Whole numbers in texts: what is one, and what is none."""

import pytest

from barpoint.number_text import number_in


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("07", 7), ("007", 7), ("000", 0), ("99", 99)])
def test_digits_within_the_limits_are_a_number(text: str, number: int) -> None:
    assert number_in(text, 0, 99) == number


@pytest.mark.parametrize(
    "text", ["", "100", "00100", "-1", "+1", " 1", "1 ", "1\n", "1_0", "1.0", "0x1", "²", "٣", "१", "nine"]
)
def test_any_other_text_is_none(text: str) -> None:
    assert number_in(text, 0, 99) is None


def test_limits_are_allowed_themselves() -> None:
    assert [number_in(str(number), 3, 5) for number in range(2, 7)] == [None, 3, 4, 5, None]


def test_more_digits_than_python_reads_are_no_error() -> None:
    assert number_in("9" * 5_000, 0, 2**63) is None
