"""Tables as files: what a spreadsheet would compute is shown."""

import pytest

from barpoint.csv_text import csv_text


def test_texts_that_begin_like_formulas_are_quoted_and_numbers_are_not() -> None:
    rows = [("=1+1", -3), ("@x", "-3"), ("a,b", None)]
    assert csv_text(("name", "points"), rows) == "name,points\n'=1+1,-3\n'@x,'-3\n\"a,b\",\n"


def test_columns_for_programs_stay_as_they_are() -> None:
    assert csv_text(("name", "id"), [("+", "+AAA")], exact=("id",)) == "name,id\n'+,+AAA\n"


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        csv_text(("name", "points"), [("Anna",)])
