"""Comments and analyses in files of eXtreme Gammon (docs/formats.md)."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from math import isfinite
from typing import Final

from barpoint.board import BAR, OFF
from barpoint.record.annotation import MAX_COMMENT, MAX_PLAYS, EvaluatedCube, EvaluatedPlay

CUBE_COMMENT: Final = 292
PLAY_COMMENT: Final = 2524
"""Where a record says which line of the comments is about it; -1 for none."""

_NOT_MADE: Final = -1000.0
"""Evaluations of this value and below were not made."""

_EVALUATIONS: Final = 32
_LEVELS: Final = {
    100: "rollout", 998: "opening book", 999: "opening book", 1000: "XG Roller", 1001: "XG Roller+", 1002: "XG Roller++",
}  # fmt: skip
_RTF_TOKEN = re.compile(
    r"((?:\\'[0-9a-fA-F]{2})+)|\\u(-?\d{1,5})\s?(?:\?|\\'[0-9a-fA-F]{2})?|\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\([^a-zA-Z])"
    r"|([{}])|[\r\n]+"
)
_FONT = re.compile(r"\{\\f(\d{1,5})[^{}]{0,100}\\fcharset(\d{1,3})")
_CODE_PAGE = re.compile(r"\\ansicpg(874|9(?:32|36|49|50)|125[0-8])(?!\d)")
_CHARSETS: Final = {
    0: "cp1252", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
"""The encoding of a font by the number that RTF has for it."""

_NO_TEXT: Final = ("fonttbl", "colortbl", "stylesheet", "info", "generator", "pict")


def play_evaluations(record: bytes) -> tuple[EvaluatedPlay, ...]:
    """The plays that a record of a move evaluates, best first: the program's own order, in which a deeper look counts more."""
    count = struct.unpack_from("<i", record, 188)[0]
    found = []
    for index in range(min(max(count, 0), _EVALUATIONS)):
        numbers = struct.unpack_from("<7f", record, 1408 + 28 * index)
        level = struct.unpack_from("<h", record, 1280 + 4 * index)[0]
        moves = struct.unpack_from("<8b", record, 1024 + 8 * index)
        steps = _steps(moves)
        if steps is not None and _made(numbers):
            found.append(EvaluatedPlay(steps, numbers[6], _chances(numbers), _level(level)))
    return tuple(found[:MAX_PLAYS])


def cube_evaluation(record: bytes) -> EvaluatedCube | None:
    """What a record of a cube says about doubling; None if nothing was evaluated."""
    numbers = struct.unpack_from("<10f", record, 124)
    level = struct.unpack_from("<i", record, 92)[0]
    evaluated = struct.unpack_from("<i", record, 232)[0] != -1 and any(numbers[:6])
    if not evaluated or not _made(numbers):
        return None
    no_double, take, drop = numbers[7:10]
    return EvaluatedCube(no_double, take, drop, False, _chances(numbers), _level(level))


def comments_of(files: Sequence[bytes]) -> list[str]:
    """The comments among the files of an archive, one a line, as plain text."""
    texts = next((data for data in files if data.startswith(b"{\\rtf")), b"")
    return [_plain(line) for line in texts.split(b"\r\n") if line]


def comment(record: bytes, place: int, comments: Sequence[str]) -> str:
    """The comment that a record points to; "" for none."""
    number = struct.unpack_from("<i", record, place)[0]
    return comments[number] if 0 <= number < len(comments) else ""


def _level(level: int) -> str:
    return _LEVELS.get(level) or ("3-ply red" if level == 12 else f"{level + 1}-ply")


def _chances(numbers: Sequence[float]) -> tuple[float, ...]:
    lost_backgammon, lost_gammon, _, win, gammon, backgammon = numbers[:6]
    return win, gammon, backgammon, lost_gammon, lost_backgammon


def _made(numbers: Sequence[float]) -> bool:
    return all(isfinite(number) and number > _NOT_MADE for number in numbers) and all(
        0 <= chance <= 1.001 for chance in numbers[:6]
    )


def _steps(moves: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    """The steps, whose points are counted from 0, up to the first -1 that is a source; None for places that there are none of."""
    found = []
    for source, target in zip(moves[::2], moves[1::2], strict=True):
        if source < 0:
            break
        if source >= BAR or target >= source:
            return None
        found.append((source + 1, max(OFF, target + 1)))
    return tuple(found)


def _plain(line: bytes) -> str:
    """The text of a comment in RTF, with the line breaks that the file keeps as two control characters."""
    text = line.decode("cp1252", errors="replace").replace("\x01\x02", "\n")[: 20 * MAX_COMMENT]
    written: list[str] = []
    at = depth = 0
    hidden = 0  # the depth of a group without text, 0 outside one
    page = _CODE_PAGE.search(text)
    usual = f"cp{page[1]}" if page else "cp1252"
    fonts = {found[1]: _CHARSETS.get(int(found[2]), usual) for found in _FONT.finditer(text)}
    encodings = [usual]  # of the text in each group that is open
    for token in _RTF_TOKEN.finditer(text):
        if not hidden:
            written.append(text[at : token.start()])
        at = token.end()
        code, letter, word, number, sign, brace = token.groups()
        if brace == "{":
            depth += 1
            encodings.append(encodings[-1])
        elif brace == "}":
            depth -= 1
            if len(encodings) > 1:
                encodings.pop()
            hidden = 0 if hidden > depth else hidden
        elif word in _NO_TEXT or sign == "*":
            hidden = hidden or depth
        elif word == "f" and not hidden:
            encodings[-1] = fonts.get(number, usual)
        elif code and not hidden:
            written.append(bytes.fromhex(code.replace("\\'", "")).decode(encodings[-1], errors="replace"))
        elif not hidden:
            written.append(_said(letter, word, sign))
    if not hidden:
        written.append(text[at:])
    lines = (" ".join(part.split()) for part in "".join(written).split("\n"))
    return "\n".join(part for part in lines if part)[:MAX_COMMENT]


def _said(letter: str | None, word: str | None, sign: str | None) -> str:
    """The text that a control word or symbol stands for."""
    if letter:
        number = int(letter) % 65_536
        return chr(number) if not 0xD800 <= number < 0xE000 else "\ufffd"
    if word in ("par", "line", "tab"):
        return " " if word == "tab" else "\n"
    return sign if sign in ("\\", "{", "}") else " " if sign == "~" else "-" if sign == "_" else ""
