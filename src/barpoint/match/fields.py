"""Fields of values that people and files make: what is checked in a file is checked in a program too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, get_args

from msgspec import Struct, ValidationError, convert
from msgspec.structs import fields

from barpoint.error import StakesError

_fields = lru_cache(maxsize=8)(fields)


def check_fields(value: Struct, words: str) -> None:
    """StakesError unless every field is of its type and within its bounds. words: with a place for the %(error)s."""
    check_values(type(value), {field.name: getattr(value, field.name) for field in _fields(type(value))}, words)


def check_values(kind: type[Struct], found: Mapping[str, object], words: str) -> None:
    """StakesError for a value that no field of this name takes; names of no field are not looked at. words: as above."""
    for field in _fields(kind):
        if field.name not in found:
            continue
        try:
            convert(found[field.name], field.type)
        except ValidationError as error:
            said, _, path = str(error).partition(" - at `$")
            for name in _structs(field.type):
                said = said.replace("`object", f"`{name}")
            raise StakesError(words, error=f"{field.name}{path.rstrip('`')}: {said}") from None


def _structs(kind: Any) -> Iterator[str]:
    """The names of the structs in an annotation."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind.__name__
    for inner in get_args(kind):
        yield from _structs(inner)
