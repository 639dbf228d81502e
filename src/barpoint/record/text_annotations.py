"""Analyses below a position in texts of eXtreme Gammon and GNU Backgammon: plays with their equities, or the three equities of a double.

Languages differ, so lines are known by their numbers: a play ends with a word, a colon and its equity; chances are percentages with
`(G:` and `(B:`, or six of them with a dash in the middle; the equities of a double are three lines that follow each other. The comment of a
file is a line that we alone write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from barpoint.error import FormatError, check_kind
from barpoint.moves.parse import parse_paths
from barpoint.record.annotation import (
    MAX_COMMENT,
    MAX_PLAYS,
    AnnotatedPosition,
    Annotation,
    EvaluatedCube,
    EvaluatedPlay,
    PlayStep,
)
from barpoint.record.any_id import parse_id
from barpoint.record.xgid import format_xgid

MAX_LINES: Final = 2_000
_MAX_LINE: Final = 300
_NEAR: Final = 8
"""Lines after a play or before a double in which its chances stand."""

_NUMBER: Final = r"[+-]?[0-9]{1,3}[.,][0-9]{1,6}"
_PLAY = re.compile(rf"^\*?\s{{0,20}}[0-9]{{1,3}}\.(.*?)[^\s\d:]{{1,12}}\s?[:：]\s{{0,8}}({_NUMBER})(%?)(?![\w.,%])")
_CHANCES = re.compile(
    r"[:：]\s{0,20}([0-9]{1,3}[.,][0-9]{1,4})\s?%\s{0,5}\(G\s?[:：]\s{0,5}([0-9]{1,3}[.,][0-9]{1,4})\s?%"
    r"\s{1,5}B\s?[:：]\s{0,5}([0-9]{1,3}[.,][0-9]{1,4})\s?%"
)
_SIX = re.compile(
    r"^([01][.,][0-9]{1,6}) +([01][.,][0-9]{1,6}) +([01][.,][0-9]{1,6}) +- +([01][.,][0-9]{1,6}) +([01][.,][0-9]{1,6}) +([01][.,][0-9]{1,6})(?: |$)"
)
_ROW = re.compile(rf"^[^=:：]{{1,40}}[:：]\s{{0,20}}({_NUMBER})(%?)\s{{0,8}}(?:\([+-][0-9.,]{{1,12}}%?\))?\s{{0,20}}$")
_RANKED_ROW = re.compile(rf"^[123]\.\s{{1,8}}([^:]{{2,40}}?)\s{{1,40}}({_NUMBER})(%?)(?:\s|$)")
_LEVEL = re.compile(
    r"XG Roller\+{0,2}|(?<![\w-])[0-9]-[^\W\d_]{2,8}(?: red\b)?|\b(?:rollout|(?:opening )?book)(?![a-z])", re.IGNORECASE
)
NO_PLAY: Final = "Cannot move"
"""Written for a play that moves nothing. In texts of other languages, words without digits and slashes stand for it behind a level."""

_PROGRAMS: Final = (
    ("eXtreme Gammon", "eXtreme Gammon"),
    ("XG Roller", "eXtreme Gammon"),
    ("GNU Backgammon", "GNU Backgammon"),
    ("gnubg", "GNU Backgammon"),
)

_COMMENT: Final = "Comment "
"""Begins the line with a comment, which follows as a text of JSON."""

_ESCAPED: Final = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "%:=：\x7f\x85\u2028\u2029"})
"""Signs without which a comment holds no ID, no equity and no other line, as JSON writes them too."""

_Chances = tuple[float, ...]


def parse_annotated(text: str, checkers: int = 15) -> AnnotatedPosition:
    """The position of a text, as `parse_id` reads it, with the analysis that stands in it. FormatError, PositionError as there.

    An analysis that cannot be read is left out.
    """
    check_kind("text", text, str)
    text, comment = _without_comment(text)
    situation = parse_id(text, checkers)
    lines = [line.expandtabs().lstrip("> ")[:_MAX_LINE] for line in text.splitlines()[:MAX_LINES]]
    plays, cube = tuple(_plays(lines)) if situation.dice else (), None if situation.dice else _cube(lines)
    note = Annotation(comment, plays[:MAX_PLAYS], cube)
    return AnnotatedPosition(situation, note, _program(text)) if note else AnnotatedPosition(situation)


def format_annotated(what: AnnotatedPosition) -> str:
    """A text that `parse_annotated` reads as the same, its equities and chances rounded. FormatError for what an XGID cannot express."""
    note = what.annotation
    lines = [format_xgid(what.situation), what.program]
    for rank, play in enumerate(note.plays, start=1):
        value = f"{100 * play.equity:.3f}%" if play.mwc else f"{play.equity:+.5f}"
        lines += [f"{rank}. {play.level} {play.text or NO_PLAY} eq: {value}", *_chances_lines(play.chances)]
    if note.cube is not None:
        lines += [note.cube.level, *_chances_lines(note.cube.chances)]
        lines += [
            f"{name}: {value}" for name, value in zip(("No double", "Take", "Pass"), _values(note.cube), strict=True)
        ]
    if note.comment:
        lines.append(_COMMENT + json.dumps(note.comment, ensure_ascii=False).translate(_ESCAPED))
    return "\n".join(lines) + "\n"


def _without_comment(text: str) -> tuple[str, str]:
    """A text without the line of its comment, and the comment; "" where there is none."""
    before, found, line = text.rstrip().rpartition(f"\n{_COMMENT}")
    if not found or not line.startswith('"'):
        return text, ""
    try:
        said = json.loads(line)
    except ValueError:
        return text, ""
    clean = said.replace("\0", "").encode(errors="ignore").decode()  # no halves of signs, which nothing can write
    return before, clean[:MAX_COMMENT]


def _values(cube: EvaluatedCube) -> Iterator[str]:
    for value in (cube.no_double, cube.take, 1.0 if cube.drop is None else cube.drop):
        yield f"{100 * value:.3f}%" if cube.mwc else f"{value:+.5f}"


def _chances_lines(chances: _Chances) -> Iterator[str]:
    if len(chances) == 5:
        win, gammon, backgammon, lost_gammon, lost_backgammon = (100 * one for one in chances)
        yield f"  X: {win:.2f}% (G:{gammon:.2f}% B:{backgammon:.2f}%)"
        yield f"  O: {100 - win:.2f}% (G:{lost_gammon:.2f}% B:{lost_backgammon:.2f}%)"


def _program(text: str) -> str:
    return next((name for sign, name in _PROGRAMS if sign.lower() in text.lower()), "")


def _plays(lines: Sequence[str]) -> Iterator[EvaluatedPlay]:
    """The plays in the order of the text, the program's own."""
    for at, line in enumerate(lines):
        found = _PLAY.match(line)
        said = _level_and_steps(found[1].split()) if found else None
        if found and said is not None:
            level, steps = said
            share = found[3] == "%"
            equity = _float(found[2]) / (100 if share else 1)
            if not share or 0 <= equity <= 1:
                yield EvaluatedPlay(steps, equity, _chances(lines[at + 1 : at + 1 + _NEAR]), level, share)


def _level_and_steps(words: Sequence[str]) -> tuple[str, tuple[PlayStep, ...]] | None:
    """How deep a play was looked at, and its steps; None for what is no play."""
    moves = [word for word in words if "/" in word]
    before = " ".join(words[: len(words) - len(moves)])
    level = _level(before)
    if words[len(words) - len(moves) :] != moves or not (moves or _moves_nothing(before)):
        return None
    try:
        ways, _stars = parse_paths(" ".join(moves)) if moves else ([], set())
    except FormatError:
        return None
    return level, tuple(step for way in ways for step in pairwise(way))


def _moves_nothing(text: str) -> bool:
    """Whether what stands before the equity, without a slash, is a play that moves nothing, behind its level if it has one."""
    if text.lower() == NO_PLAY.lower():
        return True
    found = _LEVEL.search(text)
    return found is not None and not any(character.isdecimal() for character in text[found.end() :])


def _level(text: str) -> str:
    """The level in a text, as files of matches name it: "4-ply" for "4-plis"; "" for none."""
    found = _LEVEL.search(text)
    if found is None:
        return ""
    level = found[0]
    if level[0].isdigit():
        return f"{level[0]}-ply" + (" red" if level.endswith(" red") else "")
    return {"rollout": "rollout", "book": "opening book", "opening book": "opening book"}.get(level.lower(), level)


def _chances(lines: Sequence[str]) -> _Chances:
    """The chances at the beginning of these lines, before the next play; () where there are none."""
    known: list[tuple[float, ...]] = []
    for line in lines:
        if _PLAY.match(line):
            break
        if six := _SIX.match(line):
            win, gammon, backgammon, _lost, lost_gammon, lost_backgammon = map(_float, six.groups())
            return _sound((win, gammon, backgammon, lost_gammon, lost_backgammon))
        if found := _CHANCES.search(line):
            known.append(tuple(round(_float(one) / 100, 6) for one in found.groups()))
        if len(known) == 2:
            (win, gammon, backgammon), (_lost, lost_gammon, lost_backgammon) = known
            return _sound((win, gammon, backgammon, lost_gammon, lost_backgammon))
    return ()


def _sound(chances: _Chances) -> _Chances:
    return chances if all(0 <= one <= 1 for one in chances) else ()


def _cube(lines: Sequence[str]) -> EvaluatedCube | None:
    """The equities of a double: three rows in a fixed order, or ranked with English names."""
    found = _rows(lines) or _ranked_rows(lines)
    if found is None:
        return None
    at, values, share = found
    if share:
        values = [value / 100 for value in values]
        if not all(0 <= value <= 1 for value in values):
            return None
    before = lines[:at]
    first = next((index for index, line in enumerate(before) if _CHANCES.search(line) or _SIX.match(line)), at)
    chances = _chances(before[first:]) if first < at else ()
    level = next(filter(None, map(_level, reversed(before[max(0, first - _NEAR) : first]))), "")
    stay, take, drop = values
    return EvaluatedCube(stay, take, drop, share, chances, level)


def _rows(lines: Sequence[str]) -> tuple[int, list[float], bool] | None:
    """Where three rows with equities begin: no double, take, pass."""
    for at in range(len(lines) - 2):
        found = [row for line in lines[at : at + 3] if (row := _ROW.match(line))]
        if len(found) == 3 and len({row[2] for row in found}) == 1:
            return at, [_float(row[1]) for row in found], found[0][2] == "%"
    return None


def _ranked_rows(lines: Sequence[str]) -> tuple[int, list[float], bool] | None:
    """The same where the best row comes first."""
    for at in range(len(lines) - 2):
        rows = [row for line in lines[at : at + 3] if (row := _RANKED_ROW.match(line))]
        named = {_cube_row(row[1].lower()): row for row in rows}
        if len(rows) == 3 and set(named) == {0, 1, 2} and len({row[3] for row in rows}) == 1:
            return at, [_float(named[index][2]) for index in range(3)], rows[0][3] == "%"
    return None


def _cube_row(name: str) -> int:
    """Which row it is: no double, take or beaver, pass."""
    return 0 if name.startswith("no ") else 2 if "pass" in name or "drop" in name else 1


def _float(text: str) -> float:
    return float(text.replace(",", "."))
