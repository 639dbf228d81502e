"""The two columns of match text: what stands in a row, and rows whose runs of spaces a page or a mail has made short."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from barpoint.record.mat_names import names_and_scores

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
_POINTS = re.compile(r"\bwins?\s+([0-9]{1,6})\s.*\bmatch\b", re.IGNORECASE)
_LENGTH = re.compile(r"^\s*([0-9]{1,4})\s+point match\b", re.IGNORECASE)
_GIVEN_UP = ("drop", "pass", "reject", "refuse", "los", "resign", "concede")


def in_columns(lines: Sequence[str]) -> list[str]:
    """The lines with single actions in the column of the player who made them.

    Where runs of spaces were kept, that is where they stand. Where they were not, a first row with one action before a second row is
    the right player's, who began; and points are won by whose score is higher above the next game, by the only player whom they win the
    match, or else by who acted last, or by the other player where that one gave up.
    """
    at = [number for number, line in enumerate(lines) if line.strip() and not line.startswith(";")]
    if any(_RUN.search(lines[number]) for number in at):
        return [line.expandtabs() for line in lines]
    rows = [line.replace("\t", " ") for line in lines]
    for number, following in pairwise(at):
        if _row(rows[number]) == 1 and _row(rows[following]) == 2 and _actions(rows[number]) == 1:
            rows[number] = f"  1) {_RIGHT[5:]}{ROW.sub('', rows[number]).strip()}"
    scores = _Scores(rows, at)
    for before, number in pairwise(at):
        if _WINS.match(rows[number]) and _actions(rows[number]) == 1:
            right = scores.won_on_the_right(number, rows[number])
            if _won_on_the_right(rows[before]) if right is None else right:
                rows[number] = _WINS.sub(_RIGHT, rows[number])
    return rows


class _Scores:
    """The scores above the games of a match, by the numbers of their lines, and how long the match is, 0 if that is not known."""

    def __init__(self, rows: Sequence[str], at: Sequence[int]) -> None:
        self._lines: list[int] = []
        self._scores: list[tuple[int, int]] = []
        for number in at:
            found = None if ROW.match(rows[number]) else names_and_scores(rows[number], {})
            if found is not None:
                self._lines.append(number)
                self._scores.append(found[1])
        lengths = (_LENGTH.match(rows[number]) for number in at)
        self._length = next((int(found[1]) for found in lengths if found), 0)

    def won_on_the_right(self, number: int, row: str) -> bool | None:
        """Whether the right player wins the points of a row; None where the scores do not say it."""
        game = bisect_left(self._lines, number)
        if game == 0:
            return None
        left, right = self._scores[game - 1]
        if game < len(self._scores):
            more = self._scores[game][0] - left, self._scores[game][1] - right
            return more[1] > 0 if sorted(more)[0] == 0 < sorted(more)[1] else None
        won = _POINTS.search(row)
        if won is None or not self._length:
            return None
        ends = [score + int(won[1]) >= self._length for score in (left, right)]
        return ends[1] if ends[0] != ends[1] else None


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
