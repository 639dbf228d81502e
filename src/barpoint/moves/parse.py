"""Parses notation: the roll and the legal play that a text such as "24/18* 13/8(2)" means (rulings 7.7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from typing import Final

from barpoint import native
from barpoint.board import BAR, HAND, OFF, Position
from barpoint.dice import DiceRow, row_index
from barpoint.error import FormatError, IllegalMove, RollError, check_kind
from barpoint.moves.notation import HIT, Move
from barpoint.moves.play import Play, legal_plays, no_legal_play
from barpoint.moves.turn import Turn, keep_play
from barpoint.number_text import number_in
from barpoint.rules import Rules
from barpoint.variants import rules_of

_NAMES: Final = {"off": OFF, "o": OFF, "-": OFF, "bar": BAR, "b": BAR, "hand": HAND, "h": HAND}
_NOTHING: Final = frozenset({"", "(no play)", "no play", "cannot move", "can't move", "can’t move", "dance", "dances"})
_ITEM: Final = re.compile(r"^([^()]+?)(?:\(([1-9])\))?$")
_ROLL: Final = re.compile(r"\s*([0-9][0-9, -]{0,20}):")
_DASH: Final = re.compile(r"(?<=[0-9bdhr*])-(?=[0-9o])", re.IGNORECASE)
_MAX_TEXT: Final = 200
_MAX_MOVES: Final = 32
_NEAREST: Final = 3
_MAX_COMPARED: Final = 200
"""With more legal plays the nearest are not looked for: Acey-Deucey has rolls with 60,000."""
"""Plays that an error names."""

Way = tuple[int, ...]
"""The points one checker visits in turn: where it is, then those it must still touch."""


def parse_faces(rows: tuple[DiceRow, ...], text: str) -> tuple[int, ...]:
    """The faces of a roll written as "63", "6-3" or "6 3", or "11" on one die with twelve sides; RollError when no roll shows them."""
    numbers = re.findall(r"[0-9]{1,4}", text)
    dice = len(rows[0].faces)
    if len(numbers) == 1 and dice > 1:
        numbers = list(numbers[0])
    faces = tuple(map(int, numbers))
    try:
        return rows[row_index(rows, faces)].faces
    except ValueError:
        example = "632"[:dice] if dice > 1 else str(rows[-1].faces[0])
        raise RollError(
            "%(found)r is no roll of these dice; a roll is written as in %(example)s",
            found=text.strip()[:40],
            example=example,
        ) from None


def parse_play(
    rules: Rules | str, position: Position, faces: native.RollFaces, text: str, *, hint: bool = True
) -> Play:
    """The legal play of a roll that the text means. rules: these, or a name. hint: the error says what is missing or which plays are near.

    Accepts 25 for the bar, 0, "o" or "-" for off, any letter case, shortened paths (24/13 with 6-5), items in any order, the roll
    before them ("31: 8/5 6/5") and dashes between points ("8-5 6-5"). When two orders differ in hits, the stars decide, also one behind a path on which something is hit. Raises FormatError when the text is no notation,
    IllegalMove when it is no legal play or only the beginning of one, RollError and PositionError as legal_plays.
    """
    rules = rules_of(rules)
    check_kind("text", text, str)
    row = native.row_index(rules, faces)
    faces = rules.dice.rows[row].faces
    ways, stars = parse_paths(_plain_paths(rules, faces, text))
    found: dict[tuple[Position, bool], Play] = {}
    unfinished: list[Turn] = []
    for play in _plays(Turn(rules, position, faces), tuple(sorted(ways, reverse=True)), set(), unfinished):
        key = (play.result, play.again)
        if key not in found or play.moves > found[key].moves:
            found[key] = play
    if not found:
        if not text.strip():
            raise IllegalMove("%(shown)s can be played; a play is needed", shown="-".join(map(str, faces)))
        if hint and ways and unfinished:
            raise IllegalMove("the play is not finished: %(why_not)s", why_not=unfinished[0].why_not)
        error = no_legal_play(text, faces)
        legal = legal_plays(rules, position, faces) if hint else ()
        raise _with_nearest(error, legal, text) if 0 < len(legal) <= _MAX_COMPARED else error
    # Many write the star behind the whole path of a checker that has hit on its way.
    doubt = {key: (bool(_hits(play)) != bool(stars), len(_hits(play) ^ stars)) for key, play in found.items()}
    best = [play for key, play in found.items() if doubt[key] == min(doubt.values())]
    if len(best) > 1:
        raise IllegalMove("%(found)s means plays that differ; write the points between", found=text.strip())
    keep_play(rules, position, row, best[0])
    return best[0]


def _plain_paths(rules: Rules, faces: tuple[int, ...], text: str) -> str:
    """The text without the roll before it, and with slashes instead of dashes; IllegalMove for another roll."""
    rolled = _ROLL.match(text)
    if rolled and not _means(rules, rolled[1], faces):
        raise no_legal_play(text, faces)
    return _DASH.sub("/", text[rolled.end() :] if rolled else text)


def _means(rules: Rules, text: str, faces: tuple[int, ...]) -> bool:
    try:
        return parse_faces(rules.dice.rows, text) == faces
    except RollError:
        return False


def parse_paths(text: str, *, backwards: bool = False) -> tuple[list[Way], set[int]]:
    """Each checker's path, and the points with a star; FormatError when the text is no notation.

    backwards: checkers may be carried away from off, as in a record of what hands have done.
    """
    check_kind("text", text, str)
    if len(text) > _MAX_TEXT:
        raise FormatError(
            "a play of %(count)s characters; at most %(max_text)s are read", count=len(text), max_text=_MAX_TEXT
        )
    ways, stars = _paths(text, backwards)
    return list(ways), set(stars)


@lru_cache(maxsize=1024)
def _paths(text: str, backwards: bool) -> tuple[tuple[Way, ...], frozenset[int]]:
    """What `parse_paths` gives: a file is read as its moves, then as a play, and the same plays come again and again."""
    if " ".join(text.lower().split()) in _NOTHING:
        return (), frozenset()
    ways: list[Way] = []
    stars: set[int] = set()
    for item in text.lower().replace(",", " ").split():
        parts = _ITEM.match(item)
        points = parts[1].split("/") if parts else []
        if parts is None or len(points) < 2:
            raise FormatError("%(item)r is no move; write from/to, as in 24/18, bar/20* or 6/off(2)", item=item)
        way = tuple(_point(point.rstrip("*"), item) for point in points)
        if not backwards and any(ahead >= behind for behind, ahead in pairwise(way)):
            raise FormatError("%(item)r does not move towards off", item=item)
        stars.update(number for number, point in zip(way, points, strict=True) if point.endswith("*"))
        ways.extend([way] * int(parts[2] or 1))
    if len(ways) > _MAX_MOVES:
        raise FormatError("%(count)s moves; no roll has so many", count=len(ways))
    return tuple(ways), frozenset(stars)


def _point(text: str, item: str) -> int:
    if text in _NAMES:
        return _NAMES[text]
    if (point := number_in(text, 0, HAND)) is not None:
        return point
    raise FormatError("%(found)r in %(item)r is no point; points are 0 to 24, bar, off and hand", found=text, item=item)


def _with_nearest(error: IllegalMove, plays: Sequence[Play], text: str) -> IllegalMove:
    """The error with the plays that look most like the text."""
    known = list(map(str, plays))
    near = get_close_matches(text.strip().lower(), known, n=_NEAREST, cutoff=0)
    return IllegalMove(
        "%(said)s; the nearest of %(count)s legal plays: %(near)s", said=error, count=len(known), near=", ".join(near)
    )


def _plays(turn: Turn, ways: tuple[Way, ...], seen: set[object], unfinished: list[Turn]) -> list[Play]:
    """The plays that take every checker along its path. seen: what the same moves in another order, or others to the same
    position, have led to. unfinished: gets the turns in which more must be played.
    """
    key = (turn.position.packed, turn.numbers, ways)
    if key in seen:
        return []
    seen.add(key)
    if not ways:
        if turn.may_commit:
            return [turn.play()]
        unfinished.append(turn)
        return []
    plays: list[Play] = []
    for move in turn.next_moves():
        for index, way in enumerate(ways):
            if way[0] == move[0] and way[1] <= move[1] and way not in ways[:index]:
                rest = _advance(way, move)
                left = tuple(sorted(ways[:index] + ways[index + 1 :] + ((rest,) if rest else ()), reverse=True))
                same = (tuple(sorted((*turn.made, move))), left)
                if same not in seen:  # a turn may take milliseconds
                    seen.add(same)
                    plays += _plays(turn.move(*move), left, seen, unfinished)
    return plays


def _advance(way: Way, move: Move) -> Way:
    """The rest of a path after a move along it; empty at its end."""
    rest = way[2:] if way[1] == move[1] else way[1:]
    return (move[1], *rest) if rest else ()


def _hits(play: Play) -> set[int]:
    return {move[1] for move, effect in zip(play.moves, play.effects, strict=True) if effect == HIT}
