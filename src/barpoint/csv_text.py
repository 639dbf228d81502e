"""Tables as comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@")
"""Beginnings of a cell that spreadsheets would compute."""


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]], exact: Collection[str] = ()) -> str:
    """A line with the names of the columns, then the rows; None is an empty cell.

    Texts that a spreadsheet would compute begin with an apostrophe, but not in the columns named in `exact`, which are for programs.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    for row in rows:
        table.writerow([one if name in exact else _harmless(one) for name, one in zip(columns, row, strict=True)])
    return out.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
