"""Fields of values that people and files make: what is checked in a file is checked in a program too."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import fields

from barpoint.error import StakesError

_fields = lru_cache(maxsize=8)(fields)


def check_fields(value: Struct, words: str) -> None:
    """StakesError unless every field is of its type and within its bounds. words: with a place for the %(error)s."""
    for field in _fields(type(value)):
        found: Any = getattr(value, field.name)
        try:
            convert(found, field.type)
        except ValidationError as error:
            raise StakesError(words, error=f"{field.name}: {error}") from None
