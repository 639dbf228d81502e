"""FIBS board lines: a position of standard backgammon in one line of text, seen by its player (rulings 7.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.error import FormatError
from barpoint.number_text import number_in

FIELDS: Final = 52
"""Number of values after the word "board"."""

UNLIMITED: Final = 9999
"""The match length that stands for unlimited play."""

MAX_LINE_LENGTH: Final = 600
"""Maximum length of a line, in characters."""

CHECKERS: Final = 15


@dataclass(frozen=True, slots=True)
class FibsBoard:
    """The contents of a line; `us` of the position is the player the line is for.

    names: of that player and of the other. length: 0 for unlimited play. score: in the order of the names. yours: it is
    that player's turn; None when the game is over. dice: already rolled, by either player; () before the roll.
    cube, may_double: in the order of the names. doubled: the other has offered the cube. colour: 1 plays O, -1 plays X;
    an O moves down here. can_move: how many moves of the roll can be made. after_crawford: the Crawford game is over,
    or there is none.
    """

    names: tuple[str, str]
    length: int
    score: tuple[int, int]
    position: Position
    yours: bool | None = True
    dice: tuple[int, ...] = ()
    cube: int = 1
    may_double: tuple[bool, bool] = (True, True)
    doubled: bool = False
    colour: int = 1
    can_move: int = 0
    after_crawford: bool = False

    @property
    def crawford(self) -> bool:
        """This is the Crawford game: one side needs one point, and no such game was played (rulings 7.6)."""
        return self.length > 1 and not self.after_crawford and self.length - 1 in self.score


def parse_board(line: str) -> FibsBoard:
    """Parses a board line; FormatError says which value is wrong."""
    if len(line) > MAX_LINE_LENGTH:
        raise FormatError(
            "a board line of %(count)s characters; at most %(max_line_length)s are read",
            count=len(line),
            max_line_length=MAX_LINE_LENGTH,
        )
    word, *values = line.strip("\r\n\0 ").split(":")
    if word != "board" or len(values) != FIELDS:
        raise FormatError(
            "%(word)r with %(count)s values; a board line is board: and %(fields)s values",
            word=word[:20],
            count=len(values),
            fields=FIELDS,
        )
    numbers = [_number(text, index) for index, text in enumerate(values[2:], start=2)]
    length, score, points = numbers[0], (numbers[1], numbers[2]), numbers[3:29]
    turn, dice, cube, may, doubled = numbers[29], numbers[30:34], numbers[34], numbers[35:37], numbers[37]
    colour, direction = numbers[38], numbers[39]
    if colour not in (-1, 1) or direction not in (-1, 1):
        raise FormatError(
            "colour %(colour)s, direction %(direction)s; each is 1 or -1", colour=colour, direction=direction
        )
    if not all(0 <= face <= 6 for face in dice) or cube < 1 or length < 1 or min(score) < 0:
        raise FormatError(
            "dice %(dice)s, cube %(cube)s, length %(length)s, score %(score)s: not those of a game",
            dice=dice,
            cube=cube,
            length=length,
            score=score,
        )
    if direction == 1:
        points.reverse()
    us = _side([max(0, count * colour) for count in points], numbers[42])
    them = _side([max(0, -count * colour) for count in reversed(points)], numbers[43])
    rolled = tuple(dice[:2] if dice[0] else dice[2:])
    return FibsBoard(
        names=(values[0], values[1]),
        length=0 if length >= UNLIMITED else length,
        score=score,
        position=Position(us, them),
        yours=None if turn == 0 else turn == colour,
        dice=tuple(sorted(rolled, reverse=True)) if all(rolled) else (),
        cube=cube,
        may_double=(bool(may[0]), bool(may[1])),
        doubled=bool(doubled),
        colour=colour,
        can_move=numbers[46],
        after_crawford=bool(numbers[48]) or numbers[47] == 3,
    )


def _number(text: str, index: int) -> int:
    number = number_in(text.removeprefix("-"), 0, 99_999)
    if number is None:
        raise FormatError(
            "value %(index)s of a board line is %(found)r; a number is wanted", index=index + 1, found=text[:20]
        )
    return -number if text.startswith("-") else number


def _side(points: list[int], off: int) -> Side:
    """Checkers by the side's own numbering, 25 its bar; the rest are borne off, whatever the line says."""
    total = sum(points[1:])
    if points[0] or total > CHECKERS or not 0 <= off <= CHECKERS:
        raise FormatError(
            "%(total)s checkers on one side, %(off)s off; allowed: %(checkers)s in all, each on its own path",
            total=total,
            off=off,
            checkers=CHECKERS,
        )
    return Side((CHECKERS - total, *points[1:]))


def format_board(board: FibsBoard) -> str:
    """Formats a board as a line, without a line end; FormatError for a position the format cannot express."""
    us, them = board.position.us, board.position.them
    if (
        us.total > CHECKERS
        or them.total > CHECKERS
        or us.hand
        or them.hand
        or us.pinned
        or them.pinned
        or us.dice
        or them.dice
    ):
        raise FormatError("board lines are for standard backgammon with up to 15 checkers a side")
    points = [(us.points[place] - them.points[BAR - place]) * board.colour for place in range(1, BAR)]
    places = [-them.points[BAR] * board.colour, *points, us.points[BAR] * board.colour]
    direction = -1 if board.colour == 1 else 1
    if direction == 1:
        places.reverse()
    home, bar = (0, BAR) if direction == -1 else (BAR, 0)
    faces = [*board.dice, 0, 0][:2]
    turn = {True: board.colour, False: -board.colour, None: 0}[board.yours]
    dice = [*faces, 0, 0] if board.yours else [0, 0, *faces]
    crawford = [3 if board.after_crawford else 0, int(board.after_crawford)]
    numbers = [board.length or UNLIMITED, *board.score, *places, turn, *dice, board.cube, *map(int, board.may_double)]
    numbers += [int(board.doubled), board.colour, direction, home, bar, us.points[0], them.points[0]]
    numbers += [us.points[BAR], them.points[BAR], board.can_move, *crawford, 0]
    return ":".join(["board", *board.names, *map(str, numbers)])
