"""Variants as small text files: what differs from another game, in TOML (docs/own_games.md).

A file has the variant's name and, for each axis of the rules, a table with the fields that differ.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final

from barpoint.dice import MAX_NUMBERS, THREE_DICE, TWO_DICE, DiceRow, Stage, twelve_sided
from barpoint.error import BarpointError, FormatError, UnknownVariant, brief, check_kind, hint_of
from barpoint.number_text import number_in
from barpoint.rules import BASE, Axis, Dice, FollowUps, Rules, Setup, Variant
from barpoint.variants import register, registered, variant
from barpoint.variants.check import PLAYABLE, playable
from barpoint.variants.toml_text import read_toml

SUFFIX: Final = ".toml"

MAX_FILE_BYTES: Final = 100_000

MAX_TITLE: Final = 60
MAX_LINE: Final = 300
"""Most characters of a title, and of a line or source."""

DICE_TABLES: Final[dict[str, tuple[DiceRow, ...]]] = {
    "two dice": TWO_DICE,
    "three dice": THREE_DICE,
    "twelve sides": twelve_sided(),
}
"""The tables of rolls that a file can begin with."""

_MAX_NUMBER: Final = 2**31 - 1
"""Larger numbers are refused wherever they stand; `check_rules` says what each field allows."""

_ABOUT: Final = ("name", "title", "line", "source", "aliases", "base")
_DICE_FIELDS: Final = ("table", "doubles", "obligation", "plays", "weights", "again")
_PLAIN: Final = Rules()
_files: dict[str, Path] = {}
"""Where the variants stand that were read, by name."""

_AXES: Final = tuple(field.name for field in fields(Rules)[1:])


def read_variant(path: str | os.PathLike[str]) -> Rules:
    """Registers the variant in a file, as `register` does, and returns its rules. A file that has changed is read again.

    FormatError for a file that describes no variant, or rules that cannot be played; it says where, and what is allowed. So it is for
    a name that another file has, unless that one is gone or says the same.
    """
    check_kind("path", path, str, os.PathLike)
    with open(path, "rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    name = os.fspath(path)
    if len(data) > MAX_FILE_BYTES:
        raise FormatError("%(file)s is longer than %(most)s bytes", file=name, most=MAX_FILE_BYTES)
    try:
        entry = parse_variant(data.decode("utf-8-sig"), Path(name).stem)
        return _registered_from(Path(name).resolve(), entry)
    except UnicodeDecodeError:
        raise FormatError("%(file)s is no text in UTF-8", file=name) from None
    except BarpointError as error:
        raise FormatError("%(file)s: %(why)s", file=name, why=error) from None


def _registered_from(file: Path, entry: Variant) -> Rules:
    """The rules of a file; UnknownVariant where another file has given another variant this name."""
    known = next((one for one in registered() if one.name == entry.name), None)
    other = _files.get(entry.name, file)
    if known not in (None, entry) and other != file and other.exists():
        raise UnknownVariant("%(name)r is the name of the variant in %(file)s", name=entry.name, file=other)
    rules = register(entry, overwrite=True)
    _files[entry.name] = file
    return rules


def file_of(name: str) -> Path | None:
    """Where the variant of this name was read; None for one that was not."""
    return _files.get(name)


def from_files() -> tuple[Variant, ...]:
    """Those that were read from files in this process, in the order in which they were registered."""
    return tuple(entry for entry in registered() if entry.name in _files)


def parse_variant(text: str, name: str = "") -> Variant:
    """The variant that a text in TOML describes; it is not registered. name: where the text says none.

    FormatError for a key that is not known, or a value that is not allowed; UnknownVariant for a `base` that there is not.
    """
    check_kind("text", text, str)
    said = read_toml(text)
    _check_keys("", said, (*_ABOUT, *_AXES))
    name = _text(said, "name", name)
    if not name:
        raise FormatError('a name is missing, such as name = "short-game"')
    base = variant(_text(said, "base", BASE))
    base.check_one_game()
    axes: dict[str, Axis] = {}
    for axis in _AXES:
        begun = getattr(base, axis)
        found = _axis(axis, said[axis], begun) if axis in said else begun
        if found != getattr(_PLAIN, axis):
            axes[axis] = found
    aliases = tuple(_strings("aliases", said.get("aliases", [])))
    title = _text(said, "title", name, MAX_TITLE)
    title = title if title.strip() else name
    line, source = _text(said, "line", "", MAX_LINE), _text(said, "source", "", MAX_LINE)
    return Variant(name, title, line, source, axes, aliases=aliases)


def format_variant(entry: Variant) -> str:
    """The text of a file that describes the variant; its options are left out.

    `parse_variant` makes the same rules of it. FormatError for dice that no table of a file shows.
    """
    check_kind("entry", entry, Variant)
    lines = [f"{key} = {_quoted(getattr(entry, key))}" for key in ("name", "title", "line", "source")]
    if entry.aliases:
        lines.append(f"aliases = {_listed(map(_quoted, entry.aliases))}")
    if "cube" in entry.axes:
        lines.append(f"cube = {_quoted(entry.axes['cube'])}")
    for axis in _AXES:
        if axis in entry.axes and axis != "cube":
            lines += ["", f"[{axis}]", *_lines_of(axis, entry.axes[axis])]
    return "\n".join(lines) + "\n"


def _axis(axis: str, said: object, begun: Any) -> Any:
    """An axis with the fields that were said."""
    if isinstance(begun, bool):
        return _value(axis, said, begun)
    table = _table(f"[{axis}]", said)
    if isinstance(begun, Dice):
        return _dice(table, begun)
    _check_keys(f"[{axis}] ", table, [field.name for field in fields(begun)])
    return replace(begun, **{key: _field(f"[{axis}] {key}", key, value, begun) for key, value in table.items()})


def _field(place: str, key: str, value: object, begun: Any) -> object:
    """A field of an axis, by its name where it has a form of its own, otherwise by the kind of its present value."""
    match begun, key:
        case Setup(), "points":
            return tuple((_point(place, point), _whole(place, count)) for point, count in _table(place, value).items())
        case FollowUps(), "rolls":
            return tuple(
                (_faces(place, played), _faces(place, next_)) for played, next_ in _table(place, value).items()
            )
        case _, "quarter_limits":
            return tuple(_limits(place, one) for one in _list(place, value))
        case _, "leave_two":
            return tuple(_whole(place, one) for one in _list(place, value))
        case _, "games":
            return tuple(_strings(place, value))
    return _value(place, value, getattr(begun, key))


def _dice(said: dict[str, Any], begun: Dice) -> Dice:
    """The table of rolls with what a file changes of it."""
    _check_keys("[dice] ", said, _DICE_FIELDS)
    rows = begun.rows
    if "table" in said:
        name = said["table"]
        if not isinstance(name, str) or name not in DICE_TABLES:
            raise _refused("[dice] table", name, ", ".join(DICE_TABLES))
        rows = DICE_TABLES[name]
    if "doubles" in said:
        rows = _with_doubles(rows, _whole("[dice] doubles", said["doubles"]))
    table = {row.faces: row for row in rows}
    for text, plays in _table("[dice] plays", said.get("plays", {})).items():
        row = _row(f"[dice] plays {text}", text, table)
        table[row.faces] = replace(row, stages=_stages(f"[dice] plays {text}", plays))
    for text, weight in _table("[dice] weights", said.get("weights", {})).items():
        row = _row(f"[dice] weights {text}", text, table)
        table[row.faces] = replace(row, weight=_whole(f"[dice] weights {text}", weight))
    if "again" in said:
        again = {_row("[dice] again", text, table).faces for text in _strings("[dice] again", said["again"])}
        table = {faces: replace(row, again=faces in again) for faces, row in table.items()}
    obligation = _value("[dice] obligation", said.get("obligation", begun.obligation), begun.obligation)
    return Dice(tuple(table.values()), obligation)


def _with_doubles(rows: tuple[DiceRow, ...], times: int) -> tuple[DiceRow, ...]:
    """The same dice, with the number of a double played so many times."""
    if rows[0].faces != TWO_DICE[0].faces:
        raise FormatError("[dice] doubles are those of two dice; write the others under plays")
    if not 1 <= times <= 4:
        raise _refused("[dice] doubles", times, "1 to 4 times")
    return tuple(
        replace(row, stages=(((row.faces[0],) * times,),)) if row.faces[0] == row.faces[1] else row for row in rows
    )


def _row(place: str, text: str, table: Mapping[tuple[int, ...], DiceRow]) -> DiceRow:
    """The row of a roll such as "6-5"."""
    faces = _faces(place, text)
    if faces not in table:
        first, *_, last = table
        raise _refused(place, text, f"a roll of these dice, {_rolled(first)} to {_rolled(last)}")
    return table[faces]


def _stages(place: str, said: object) -> tuple[Stage, ...]:
    """What is played with a roll: numbers; a list of them, one of which is chosen; or a list of such lists, played in turn."""
    depth, inner = 0, said
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0] if inner else 0
    if not 1 <= depth <= 3 or not isinstance(said, list):
        raise _refused(place, said, "numbers such as [6, 6], or alternatives such as [[6, 5], [4, 4]]")
    stages = [[said]] if depth == 1 else [said] if depth == 2 else said
    if not all(map(partial(_list, place), stages)):
        raise _refused(place, said, "one alternative or more in each part")
    return tuple(tuple(_option(place, option) for option in stage) for stage in stages)


def _option(place: str, said: object) -> tuple[int, ...]:
    """The numbers of an alternative."""
    numbers = tuple(_whole(place, number) for number in _list(place, said))
    if not playable(numbers):
        raise _refused(place, said, PLAYABLE)
    return numbers


def _limits(place: str, said: object) -> tuple[int, int, int]:
    numbers = tuple(_whole(place, one) for one in _list(place, said))
    if len(numbers) != 3:
        raise _refused(place, said, "three numbers: lowest point, highest point, points that may be held")
    return numbers


def _value(place: str, said: object, begun: Any) -> Any:
    """A value of the kind that the field has now."""
    if isinstance(begun, bool):
        if not isinstance(said, bool):
            raise _refused(place, said, "true, false")
        return said
    if isinstance(begun, StrEnum):
        choices = [str(choice) for choice in type(begun)]
        if said not in choices:
            raise _refused(place, said, ", ".join(choices))
        return type(begun)(said)
    return _whole(place, said)


def _whole(place: str, said: object) -> int:
    if not isinstance(said, int) or isinstance(said, bool):
        raise _refused(place, said, "a whole number")
    if abs(said) > _MAX_NUMBER:
        raise _refused(place, said, "a smaller number")
    return said


def _point(place: str, text: str) -> int:
    if (number := number_in(text, 1, 24)) is None:
        raise FormatError(
            "%(place)s: %(found)s names no point; allowed: 1 to 24, as in { 24 = 2, 13 = 5 }",
            place=place,
            found=brief(text),
        )
    return number


def _faces(place: str, text: object) -> tuple[int, ...]:
    """The numbers of a text such as "6-5", highest first."""
    parts = text.split("-") if isinstance(text, str) else []
    found = [number for part in parts if (number := number_in(part, 1, 99)) is not None]
    if not found or len(found) != len(parts) or len(found) > MAX_NUMBERS:
        raise _refused(place, text, 'numbers joined by hyphens, such as "6-5"')
    return tuple(sorted(found, reverse=True))


def _table(place: str, said: object) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise _refused(place, said, "a table")
    return said


def _list(place: str, said: object) -> list[Any]:
    if not isinstance(said, list):
        raise _refused(place, said, "a list")
    return said


def _strings(place: str, said: object) -> Iterator[str]:
    for one in _list(place, said):
        if not isinstance(one, str):
            raise _refused(place, one, "texts in quotation marks")
        yield one


def _text(said: Mapping[str, Any], key: str, usual: str, most: int = MAX_FILE_BYTES) -> str:
    value = said.get(key, usual)
    if not isinstance(value, str):
        raise _refused(key, value, "a text in quotation marks")
    if len(value) > most:
        raise _refused(key, value, f"at most {most} characters")
    return value


def _check_keys(place: str, said: Iterable[str], known: Iterable[str]) -> None:
    """FormatError for a key that is not known, with the one that was probably meant."""
    known = tuple(known)
    for key in said:
        if key not in known:
            raise FormatError("%(place)s%(key)s is not known; %(hint)s", place=place, key=key, hint=hint_of(key, known))


def _refused(place: str, said: object, allowed: str) -> FormatError:
    return FormatError("%(place)s is %(value)s; allowed: %(allowed)s", place=place, value=brief(said), allowed=allowed)


def _lines_of(axis: str, value: Any) -> Iterator[str]:
    """The fields of an axis that are not those of backgammon."""
    if isinstance(value, Dice):
        yield from _dice_lines(value)
        return
    plain = getattr(_PLAIN, axis)
    for field in fields(value):
        said = getattr(value, field.name)
        if said != getattr(plain, field.name):
            yield f"{field.name} = {_written(field.name, said, value)}"


def _written(key: str, said: Any, axis: object) -> str:
    match axis, key:
        case Setup(), "points":
            return "{ " + ", ".join(f"{point} = {count}" for point, count in said) + " }" if said else "{}"
        case FollowUps(), "rolls":
            return "{ " + ", ".join(f'"{_rolled(played)}" = "{_rolled(after)}"' for played, after in said) + " }"
    return _nested(said)


def _dice_lines(dice: Dice) -> Iterator[str]:
    faces = tuple(row.faces for row in dice.rows)
    name = next((name for name, rows in DICE_TABLES.items() if tuple(row.faces for row in rows) == faces), None)
    if name is None:
        raise FormatError("dice that no file describes; allowed: %(allowed)s", allowed=", ".join(DICE_TABLES))
    plain = DICE_TABLES[name]
    yield f"table = {_quoted(name)}"
    for times in (1, 2, 3) if plain is TWO_DICE else ():
        changed = _with_doubles(plain, times)
        if all(row.stages == dice.rows[index].stages for index, row in enumerate(changed)):
            plain = changed
            yield f"doubles = {times}"
    if dice.obligation is not _PLAIN.dice.obligation:
        yield f"obligation = {_quoted(dice.obligation)}"
    if again := [_quoted(_rolled(row.faces)) for row in dice.rows if row.again]:
        yield f"again = {_listed(again)}"
    rows = list(zip(plain, dice.rows, strict=True))
    for old, row in rows:
        if row.stages != old.stages:
            yield f'plays."{_rolled(row.faces)}" = {_played(row.stages)}'
    for old, row in rows:
        if row.weight != old.weight:
            yield f'weights."{_rolled(row.faces)}" = {row.weight}'


def _played(stages: tuple[Stage, ...]) -> str:
    """As short as `_stages` reads it."""
    if len(stages) > 1:
        return _nested(stages)
    return _nested(stages[0]) if len(stages[0]) > 1 else _nested(stages[0][0])


def _nested(said: object) -> str:
    return _listed(map(_nested, said)) if isinstance(said, tuple) else _quoted(said)


def _listed(parts: Iterable[str]) -> str:
    return f"[{', '.join(parts)}]"


def _quoted(said: object) -> str:
    return json.dumps(said, ensure_ascii=False).replace("\x7f", "\\u007f")  # the one control character that JSON allows


def _rolled(faces: Iterable[int]) -> str:
    return "-".join(map(str, faces))
