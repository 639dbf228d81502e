"""Tables to download as comma-separated values, with the names of the columns in English."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from starlette.responses import Response

FORMULA: Final = ("=", "+", "-", "@")
"""Beginnings of a cell that spreadsheets would compute."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows as text, the first with the names of the columns. Texts that a spreadsheet would compute begin with an apostrophe."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    for row in rows:
        table.writerow([f"'{one}" if isinstance(one, str) and one.startswith(FORMULA) else one for one in row])
    return out.getvalue()


def csv_answer(name: str, text: str) -> Response:
    """A table as a file of that name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
