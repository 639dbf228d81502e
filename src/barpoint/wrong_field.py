"""What is said of JSON in which a field is wrong: what was found there, and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET, DecodeError, ValidationError, inspect, json

from barpoint.error import brief, hint_of
from barpoint.number_text import number_in

_STEP: Final = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_type_info = lru_cache(maxsize=64)(inspect.type_info)


def wrong_field(error: ValidationError, found: object, kind: Any) -> str:
    """The message of an error with what was found and what is allowed. found: plain values, as JSON has them. kind: the type they were to be."""
    said, _, path = str(error).partition(" - at `$")
    path = path.rstrip("`")
    info, value = _type_info(kind), found
    for name, number in _STEP.findall(path):
        info, value = _inner(info, value, name), _part(value, name or number)
    where = path.lstrip(".")
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", said):
        known = [field.encode_name for one in _structs(info, value) for field in one.fields]
        within = f" in {where}" if where else ""
        return f"no field{within} is called {unknown[1]!r}; {hint_of(unknown[1], known)}"
    if missing := re.fullmatch(r"Object missing required field `(.+)`", said):
        return f"{f'{where}.' if where else ''}{missing[1]} is missing"
    if said.startswith("Invalid") and (allowed := _values(info)):
        return f"{where or 'this'} is {brief(value)}; allowed: {', '.join(str(one) or 'nothing' for one in allowed)}"
    return f"{where or 'this'} is {brief(value)}; {said[0].lower()}{said[1:]}"


def wrong_json(error: ValidationError, text: str | bytes, kind: Any) -> str:
    """The same of a text that holds the JSON; it may be none beyond the wrong field."""
    try:
        found = json.decode(text)
    except (DecodeError, UnicodeError, RecursionError):
        return str(error)
    return wrong_field(error, found, kind)


def _part(value: object, at: str) -> object:
    if isinstance(value, dict):
        return value.get(at)
    if isinstance(value, list | tuple) and (index := number_in(at, 0, len(value) - 1)) is not None:
        return value[index]
    return None


def _inner(info: inspect.Type, value: object, name: str) -> inspect.Type:
    """The type of a field, or of an item where there is no name."""
    if name:
        structs = _structs(info, value)
        for struct in structs:
            for field in struct.fields:
                if field.encode_name == name:
                    return field.type
        return inspect.LiteralType(_tags(_alternatives(info), name))
    for one in _alternatives(info):
        item = getattr(one, "item_type", None) or getattr(one, "value_type", None)
        if item is not None:
            return item  # type: ignore[no-any-return]
        if isinstance(one, inspect.TupleType) and one.item_types:
            return one.item_types[0]
    return inspect.AnyType()


def _structs(info: inspect.Type, value: object) -> list[inspect.StructType]:
    """The one that the tag of a value names, or all that it may be."""
    structs = [one for one in _alternatives(info) if isinstance(one, inspect.StructType)]
    said = [one for one in structs if isinstance(value, dict) and one.tag == value.get(one.tag_field, UNSET)]
    return said or structs


def _alternatives(info: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(info, inspect.Metadata):
        return _alternatives(info.type)
    return info.types if isinstance(info, inspect.UnionType) else (info,)


def _tags(types: Iterable[inspect.Type], name: str) -> tuple[Any, ...]:
    return tuple(one.tag for one in types if isinstance(one, inspect.StructType) and one.tag_field == name)


def _values(info: inspect.Type) -> tuple[Any, ...]:
    """What a literal or an enumeration may be."""
    for one in _alternatives(info):
        if isinstance(one, inspect.LiteralType):
            return tuple(one.values)
        if isinstance(one, inspect.EnumType):
            return tuple(member.value for member in one.cls)
    return ()
