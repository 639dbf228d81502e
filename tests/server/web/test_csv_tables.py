"""Tables as files: what a spreadsheet would compute is shown."""

from barpoint.server.web.csv_tables import csv_text


def test_texts_that_begin_like_formulas_are_quoted_and_numbers_are_not() -> None:
    rows = [("name", "points"), ("=1+1", -3), ("@x", "-3"), ("a,b", "")]
    assert csv_text(rows) == "name,points\n'=1+1,-3\n'@x,'-3\n\"a,b\",\n"
