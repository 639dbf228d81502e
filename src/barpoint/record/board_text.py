"""Boards drawn in text, as eXtreme Gammon and BGBlitz export positions, when the line with the ID has been cut off.

Only what does not depend on the language is read: the board between its two rows of numbers, the box of the cube, the
line that begins with who is to act, and the score. X plays at the bottom, as player 1; O is player 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.error import FormatError, PositionError
from barpoint.match.situation import Situation
from barpoint.number_text import number_in
from barpoint.record.gnuid import check_score

CHECKERS: Final = 15

_UPPER = re.compile(r"\+13-14-15-16-17-18-+19-20-21-22-23-24-\+")
_LOWER = re.compile(r"\+12-11-10--9--8--7-+6--5--4--3--2--1-\+")
_ROWS: Final = 11
_PLAYERS: Final = "OX"
_XG_SCORE = re.compile(r"X-O:[ ]?([0-9]{1,5})-([0-9]{1,5})(?:/([0-9]{1,5}))?")
_XG_TURN = re.compile(r"([XO])[ :](?:.*[^0-9])?(?:([1-6])([1-6]))?")
_BGBLITZ_SCORE = re.compile(r"- ([0-9]{1,5}) .*- ([0-9]{1,5}) in a ([0-9]{1,5}) point match")
_BGBLITZ_ROLL = re.compile(r"([1-6])-([1-6])")


def has_board(text: str) -> bool:
    """Whether a board is drawn in this text."""
    return _UPPER.search(text) is not None and _LOWER.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The lines of the text, where the board stands in them, and the column of every point."""

    lines: list[str]
    top: int
    upper: dict[int, int]  # point 13 to 24: column
    lower: dict[int, int]  # point 1 to 12
    bar: int

    @property
    def rows(self) -> list[str]:
        """The rows between the numbers, from the top."""
        return self.lines[self.top + 1 : self.top + 1 + _ROWS]

    @property
    def after(self) -> list[str]:
        """The lines below the board."""
        return self.lines[self.top + _ROWS + 2 :]

    @property
    def bgblitz(self) -> bool:
        """Whether BGBlitz drew it: the players stand beside the rows of numbers."""
        return " O:" in self.lines[self.top][self.upper[24] :]


def parse_board_text(text: str) -> Situation:
    """The situation that is drawn; FormatError says what is missing, PositionError when checkers are too many."""
    drawing = _find(text)
    counts = _counts(drawing)
    sides = {letter: _side(letter, counts) for letter in _PLAYERS}
    player, dice = _turn(drawing)
    length, score, crawford = _score(drawing)
    cube, owner = _cube(drawing)
    head = "\n".join(drawing.lines[: drawing.top])
    return Situation(
        position=Position(sides[_PLAYERS[player]], sides[_PLAYERS[1 - player]]),
        player=player,
        actor=player,
        dice=dice,
        cube=cube,
        owner=owner,
        length=length,
        score=score,
        crawford=crawford,
        jacoby=not length and "Jacoby" in head,
        beavers=not length and "Beaver" in head,
    )


def _find(text: str) -> _Drawing:
    lines = text.splitlines()
    top = next(index for index, line in enumerate(lines) if _UPPER.search(line))
    bottom = top + _ROWS + 1
    if bottom >= len(lines) or not _LOWER.search(lines[bottom]):
        raise FormatError(
            "the board has no row of the points 12 to 1, %(rows)s lines below the other", top + 1, 1, rows=_ROWS + 1
        )
    columns = []
    for line, pattern in ((lines[top], _UPPER), (lines[bottom], _LOWER)):
        found = pattern.search(line)
        assert found is not None
        numbers = re.finditer(r"[0-9]+", found[0])
        columns.append({int(number[0]): found.start() + number.end() - 1 for number in numbers})
    return _Drawing(lines, top, columns[0], columns[1], bar=(columns[0][18] + columns[0][19]) // 2)


def _counts(drawing: _Drawing) -> dict[tuple[str, int], int]:
    """Checkers by the letter of their player and the point as X counts it; the bar is 25, in both halves."""
    counts: dict[tuple[str, int], int] = {}
    rows = drawing.rows
    for half, columns in ((rows[:5], drawing.upper), (rows[:5:-1], drawing.lower)):
        for point, column in (*columns.items(), (BAR, drawing.bar)):
            letter, count = _stack([row[column - 1 : column + 1] for row in half], drawing.bgblitz)
            if count:
                counts[letter, point] = counts.get((letter, point), 0) + count
    return counts


def _stack(cells: list[str], bgblitz: bool) -> tuple[str, int]:
    """The letter and the number of the checkers in these cells, from the edge of the board.

    A number stands for the checkers that have no room: BGBlitz writes how many they are, eXtreme Gammon how many all are.
    """
    letter, count = "", 0
    for cell in cells:
        if cell[-1:] in ("X", "O"):
            letter, count = cell[-1], count + 1
        elif letter and (number := number_in(cell.strip(), 0, 99)) is not None:
            count = count + number if bgblitz else max(count + 1, number)
    return letter, count


def _side(letter: str, counts: dict[tuple[str, int], int]) -> Side:
    points = [0] * (BAR + 1)
    for (owner, point), count in counts.items():
        if owner == letter:
            points[point if letter == "X" or point == BAR else BAR - point] = count
    if sum(points) > CHECKERS:
        raise PositionError(
            "%(letter)s has %(sum)s checkers on the board; at most %(checkers)s are allowed",
            letter=letter,
            sum=sum(points),
            checkers=CHECKERS,
        )
    return Side((CHECKERS - sum(points), *points[1:]))


def _turn(drawing: _Drawing) -> tuple[int, tuple[int, ...]]:
    """Who is to act, and the roll."""
    if not drawing.bgblitz:
        for line in drawing.after:
            found = _XG_TURN.fullmatch(line.strip())
            if found:
                return _PLAYERS.index(found[1]), _sorted(found[2], found[3])
        raise FormatError("the text does not say who is to act: no line below the board begins with X or O")
    names = [_name(line, letter) for line, letter in zip(_edges(drawing), _PLAYERS, strict=True)]
    for line in drawing.after:
        for player in (0, 1):
            rest = line.strip().removeprefix(names[player])
            if names[player] and rest != line.strip() and not _BGBLITZ_SCORE.search(line) and not rest[:1].isalnum():
                roll = _BGBLITZ_ROLL.search(rest)
                return player, _sorted(*roll.groups()) if roll else ()
    raise FormatError("the text does not say who is to act: no line below the board begins with a player's name")


def _edges(drawing: _Drawing) -> tuple[str, str]:
    return drawing.lines[drawing.top], drawing.lines[drawing.top + _ROWS + 1]


def _name(line: str, letter: str) -> str:
    """The player's name beside a row of numbers; the pip count follows it."""
    words = line.partition(f" {letter}:")[2].split()
    return " ".join(words[:-1] if words and words[-1].isdigit() else words)


def _sorted(one: str | None, other: str | None) -> tuple[int, ...]:
    return tuple(sorted((int(one), int(other)), reverse=True)) if one and other else ()


def _score(drawing: _Drawing) -> tuple[int, tuple[int, int], bool]:
    """The length of the match, the score of O and X, and whether this is the Crawford game; money without a score."""
    pattern = _BGBLITZ_SCORE if drawing.bgblitz else _XG_SCORE
    for line in drawing.after:
        found = pattern.search(line)
        if not found:
            continue
        one, other, length = int(found[1]), int(found[2]), int(found[3] or 0)
        score = (one, other) if drawing.bgblitz else (other, one)
        if length:
            check_score(score, length)
        return length, score, length > 0 and "Crawford" in "\n".join([*drawing.lines[: drawing.top], line])
    return 0, (0, 0), False


def _cube(drawing: _Drawing) -> tuple[int, int | None]:
    """The cube in its box at the right: at the top it belongs to O, at the bottom to X."""
    for index, row in enumerate(drawing.rows):
        found = re.search(r"\|[ ]*([0-9]{1,19})[ ]*\|", row[drawing.upper[24] + 2 :])
        if found:
            value = int(found[1])
            if value < 1 or value & (value - 1):
                raise FormatError(
                    "a cube of %(value)s; cubes show 1, 2, 4, 8 and so on", drawing.top + index + 2, 1, value=value
                )
            middle = _ROWS // 2
            return value, None if index == middle else int(index > middle)
    return 1, None
