"""Comments and analyses in SGF, as GNU Backgammon writes them, and in properties of our own (docs/formats.md).

`A` holds plays, `DA` the cube: no double, then double and take, each with five chances, an equity without a cube, and an equity,
in a match the chance to win it. `XN` holds plays of a list that the play made is not in, `XD` what `DA` has no place for,
`XE` how deep each was looked at where GNU Backgammon has no word or no place for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Final

from barpoint.record.annotation import MAX_COMMENT, MAX_PLAYS, Annotation, EvaluatedCube, EvaluatedPlay, PlayStep

COMMENTS: Final = ("GC", "C")
PLAYS: Final = ("A", "XN")

_PLAY = re.compile(r"([a-zH]{0,32}) E (?:ver \d+ )?([-\d.e ]{1,120}?) (\d{1,2})C\b", re.ASCII)
_CUBE = re.compile(r"E (?:ver \d+ )?(\d{1,2})C (?:\S+ ){3}([-\d.e ]{1,300})", re.ASCII)
_PLIES = re.compile(r"(\d{1,2})-ply", re.ASCII)

SgfProperties = Mapping[str, Sequence[str]]
PlaceOf = Callable[[str], int]
LetterOf = Callable[[int], str]


def comment_of(properties: SgfProperties) -> str:
    """The comments of a node."""
    return "\n".join(text.strip() for name in COMMENTS for text in properties.get(name, ()))[:MAX_COMMENT]


def parse_annotation(properties: SgfProperties, place_of: PlaceOf, money: bool) -> Annotation:
    """What a node says about the event that it is. place_of: the mover's point of a letter."""
    levels = list(properties.get("XE", ()))
    plays = [
        _play(text, place_of, levels[index] if index < len(levels) else "")
        for index, text in enumerate(_plays_in(properties))
    ]
    return Annotation(
        comment_of(properties),
        tuple(play for play in plays if play is not None)[:MAX_PLAYS],
        _cube(properties, money, levels[-1] if levels else ""),
    )


def _plays_in(properties: SgfProperties) -> list[str]:
    """The values of the plays, without the number of the one made."""
    return [text for name in PLAYS for text in properties.get(name, ()) if not text.isdecimal()]


def _play(text: str, place_of: PlaceOf, level: str) -> EvaluatedPlay | None:
    found = _PLAY.match(text)
    numbers = _floats(found[2]) if found else []
    if not found or len(numbers) != 6 or len(found[1]) % 2:
        return None
    letters = found[1]
    try:
        steps = tuple((place_of(a), place_of(b)) for a, b in zip(letters[::2], letters[1::2], strict=True))
    except StopIteration:
        return None
    return EvaluatedPlay(steps, numbers[5], tuple(numbers[:5]), level or f"{found[3]}-ply")


def _cube(properties: SgfProperties, money: bool, level: str) -> EvaluatedCube | None:
    own = _floats(" ".join(properties.get("XD", ())))
    if len(own) in (3, 8):
        return EvaluatedCube(own[0], own[1], own[2], chances=tuple(own[3:]), level=level)
    for text in properties.get("DA", ()):
        found = _CUBE.match(text)
        numbers = _floats(found[2]) if found else []
        if found and len(numbers) == 14:
            return EvaluatedCube(
                numbers[6],
                numbers[13],
                1.0 if money else None,
                not money,
                tuple(numbers[:5]),
                level or f"{found[1]}-ply",
            )
    return None


def _floats(text: str) -> list[float]:
    """The numbers of a text; none if any is not one."""
    try:
        found = [float(part) for part in text.split()]
    except ValueError:
        return []
    return found if all(map(isfinite, found)) else []


def annotated(
    annotation: Annotation, made: Sequence[PlayStep] | None, letter_of: LetterOf, money: bool
) -> dict[str, Sequence[str]]:
    """The properties of an annotation. made: the play that the event is, None if it is none."""
    found: dict[str, Sequence[str]] = {}
    if annotation.comment:
        found["C"] = [annotation.comment]
    cube, plays = annotation.cube, annotation.plays
    if cube is not None:
        found |= _cube_properties(cube, money)
    if plays:
        index = next((at for at, play in enumerate(plays) if made is not None and play.leads_where(made)), None)
        values = [_play_value(play, letter_of) for play in plays]
        found |= {"XN": values} if index is None else {"A": [str(index), *values]}
    levels = [play.level for play in plays] + ([cube.level] if cube else [])
    if "XD" in found or any(not _PLIES.fullmatch(level) for level in levels):
        found["XE"] = levels if cube else [*levels, ""]
    return found


def _cube_properties(cube: EvaluatedCube, money: bool) -> dict[str, Sequence[str]]:
    chances = cube.chances or (0.0,) * 5
    if cube.mwc != money and cube.drop in ((1.0,) if money else (None,)):
        halves = [*chances, _cubeless(chances), cube.no_double, *chances, _cubeless(chances), cube.take]
        return {"DA": [f"E ver 3 {_plies(cube.level)}C 1 0.000000 1 {_written(halves)}"]}
    drop = 1.0 if cube.drop is None else cube.drop
    return {"XD": [_written([cube.no_double, cube.take, drop, *cube.chances])]}


def _play_value(play: EvaluatedPlay, letter_of: LetterOf) -> str:
    letters = "".join(letter_of(a) + letter_of(b) for a, b in play.steps)
    numbers = [*(play.chances or (0.0,) * 5), play.equity]
    return f"{letters} E ver 3 {_written(numbers)} {_plies(play.level)}C 0 1 0.000000 1"


def _cubeless(chances: Sequence[float]) -> float:
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon


def _plies(level: str) -> int:
    found = _PLIES.fullmatch(level)
    return int(found[1]) if found else 0


def _written(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.6f}" for number in numbers)
