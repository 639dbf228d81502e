"""The last decision of a match that is pasted as text, from its first line or from the start of a game to any line of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from barpoint.analysis.answer import before
from barpoint.error import BarpointError, FormatError
from barpoint.game import Beaver, Double, Pass, PlayMade, Raccoon, Take
from barpoint.game.event import Correct
from barpoint.language import _
from barpoint.match import Match
from barpoint.moves import find_play
from barpoint.record.book import Book
from barpoint.record.log_notes import parse_book_log
from barpoint.record.mat_reader import LENGTH, SPACE
from barpoint.server.child_process import JobFailed
from barpoint.server.domain.analysis_board import BoardSetup, setup_from_game
from barpoint.server.study.file_reader import FileReader

MAX_MATCH_TEXT: Final = 100_000
"""Characters of a pasted match."""

_GAME = re.compile(rf"^{SPACE}*Game (\d+){SPACE}*$", re.MULTILINE)
_ROW = re.compile(rf"^{SPACE}*(\d{{1,3}})\)", re.MULTILINE)
_LONE_ROLL = re.compile(r"^\s*[1-6]-?[1-6]:\s")
_MONEY: Final = " 0 point match\n"
_FIRST_GAME: Final = " Game 1\n Left : 0                          Right : 0\n"


def match_in(text: str) -> tuple[bytes, str] | None:
    """The content and the suffix of the file that a pasted match would be; None for text that is none.

    Rows from the first one on, without the length of a match, are read as money play. FormatError for rows without
    what came before them.
    """
    begun = text.lstrip("\ufeff \t\r\n")
    if begun.startswith("(;"):
        return begun.encode(), ".sgf"
    if begun.startswith("{") and '"barpoint-match"' in begun:
        return begun.encode(), ".json"
    length, row, game = LENGTH.search(text), _ROW.search(text), _GAME.search(text)
    if length and (length["points"] or game):
        return text.encode(), ".mat"
    if game and (row is None or game.start() < row.start()):
        if game[1] != "1":
            raise FormatError(
                'game %(game)s of a match; its first line is missing, such as " 7 point match"', game=game[1]
            )
        return (_MONEY + text).encode(), ".mat"
    if row and row[1] == "1":
        return (_MONEY + _FIRST_GAME + text[row.start() :]).encode(), ".mat"
    if row or _LONE_ROLL.match(text):
        raise FormatError(
            "a line of a match says nothing about the position before it; paste the match, or its game, from its first "
            "line down to this one, or an ID such as XGID"
        )
    return None


async def read_pasted(data: bytes, suffix: str) -> tuple[BoardSetup, str]:
    """The last decision of the last match in such a file, and what happened there, in the language that holds now.

    FormatError says what cannot be read.
    """
    async with FileReader() as reader:
        try:
            found = await reader.read(data, suffix)
        except JobFailed:
            raise FormatError("this match takes too long to read") from None
    refused = found.refused or (found.matches[-1].refused if found.matches else None)
    if refused is not None or not found.matches:
        raise FormatError(refused or "no match")
    last = found.matches[-1]
    book = parse_book_log(bytes(last.log))
    setup, said = last_decision(book)
    return setup, f"{said} ({last.oddities[0].translated()})" if last.oddities else said


def last_decision(book: Book) -> tuple[BoardSetup, str]:
    """The board of the last decision of a match, seen by whoever had to make it, and what they did; "" if they have not."""
    match = book.match
    if match.game.faces and not match.game.over:
        return setup_from_game(match, match.game.player), ""
    for event in _decisions(match):
        made, then = match.events[event - 1], before(match, event)
        near = getattr(made, "player", then.game.player)
        if isinstance(made, PlayMade | Correct):
            return setup_from_game(then, near), _("%(play)s was played here", play=_notation(then, made))
        said = {
            Double: _("a double was offered here"),
            Take: _("the double was taken here"),
            Pass: _("the double was passed here"),
        }.get(type(made), _("the cube was turned again here"))
        return setup_from_game(then, near), said
    return setup_from_game(match, match.game.player), ""


def _decisions(match: Match) -> Iterator[int]:
    """The numbers of plays and cube actions, the last one first."""
    for number in range(len(match.events), 0, -1):
        if isinstance(match.events[number - 1], PlayMade | Correct | Double | Take | Pass | Beaver | Raccoon):
            yield number


def _notation(then: Match, made: PlayMade | Correct) -> str:
    game = then.game
    try:
        play = str(find_play(game.rules, game.position, game.faces, made.moves)) if made.moves else _("No play")
    except BarpointError:  # against the rules
        play = " ".join(f"{source}/{target}" for source, target, _number in made.moves)
    return f"{''.join(map(str, game.faces))}: {play}"
