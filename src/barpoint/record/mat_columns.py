"""The two columns of match text: what stands in a row, and rows whose runs of spaces a page or a mail has made short."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

ROW: Final = re.compile(r"^\s*([0-9]{1,4})\)")
"""The number in front of a row."""

CELL: Final = re.compile(
    r"(?<!\S)(?:(?P<roll>[0-9](?:-?[0-9])?)(?:=[0-9+]+)?:|(?P<word>doubles?|redoubles?|beavers?|raccoons?|takes?|accepts?"
    r"|drops?|pass(?:es)?|rejects?|refuses?|wins?|loss(?:es)?|loses?|resigns?|concedes?)\b)",
    re.IGNORECASE,
)
"""How an action begins."""

_RIGHT: Final = " " * 34
"""What stands before an action in the right column that has none to its left."""

_RUN = re.compile(r"\s{3}(?=.*\S)")
_WINS = re.compile(r"^(?:\s*[0-9]{1,4}\))?\s*(?=wins?\b)", re.IGNORECASE)
_GIVEN_UP = ("drop", "pass", "reject", "refuse", "los", "resign", "concede")


def in_columns(lines: Sequence[str]) -> list[str]:
    """The lines with single actions in the column of the player who made them.

    Where runs of spaces were kept, that is where they stand. Where they were not, a first row with one action before a second row is
    the right player's, who began; and points are won by who acted last, or by the other player where that one gave up.
    """
    at = [number for number, line in enumerate(lines) if line.strip() and not line.startswith(";")]
    if any(_RUN.search(lines[number]) for number in at):
        return [line.expandtabs() for line in lines]
    rows = [line.replace("\t", " ") for line in lines]
    for number, following in pairwise(at):
        if _row(rows[number]) == 1 and _row(rows[following]) == 2 and _actions(rows[number]) == 1:
            rows[number] = f"  1) {_RIGHT[5:]}{ROW.sub('', rows[number]).strip()}"
    for before, number in pairwise(at):
        if _WINS.match(rows[number]) and _actions(rows[number]) == 1 and _won_on_the_right(rows[before]):
            rows[number] = _WINS.sub(_RIGHT, rows[number])
    return rows


def _row(line: str) -> int:
    """The number of a row; 0 for another line."""
    found = ROW.match(line)
    return int(found[1]) if found else 0


def _actions(line: str) -> int:
    """How many actions stand in a line."""
    return len(CELL.findall(ROW.sub("", line)))


def _won_on_the_right(row: str) -> bool:
    """Whether the right player wins a game that ends after this row."""
    found = list(CELL.finditer(row))
    if not found:
        return False
    last_is_right = len(found) > 1 or found[0].start() >= len(_RIGHT)
    return last_is_right != (found[-1]["word"] or "").lower().startswith(_GIVEN_UP)
