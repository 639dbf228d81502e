"""Fields of values that people and files make: what is checked in a file is checked in a program too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import lru_cache, partial
from numbers import Real
from operator import index
from typing import Any, Final, get_args, get_type_hints

from msgspec import Struct, ValidationError, convert, defstruct
from msgspec.structs import astuple, force_setattr
from msgspec.structs import fields as struct_fields

from barpoint.error import BarpointError, StakesError

FieldRefusal = Callable[[str, ValidationError], BarpointError]
"""The error for a field of this name, by what msgspec says of it."""

_DEEPEST: Final = 3
"""Sequences in one another: the moves of a play."""


@lru_cache(maxsize=64)
def field_kinds(kind: Any) -> dict[str, Any]:
    """The annotation of each field of a struct or dataclass, by its name."""
    if issubclass(kind, Struct):
        return {field.name: field.type for field in struct_fields(kind)}
    assert is_dataclass(kind)
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in dataclass_fields(kind)}


def row(name: str, kinds: Mapping[str, Any]) -> type[Struct]:
    """Fields of these kinds as one row: msgspec keeps what it finds out about a struct, of other annotations nothing."""
    return defstruct(name, kinds.items(), array_like=True, gc=False)


@lru_cache(maxsize=64)
def _row_of(kind: Any) -> type[Struct]:
    return row(kind.__name__, field_kinds(kind))


def check_fields(value: object, words: str) -> None:
    """StakesError unless every field is of its type and within its bounds; numbers of other libraries become int and float, lists
    tuples. words: with a place for the %(error)s."""
    kind: Any = type(value)
    fit_fields(value, partial(_refusal, words, field_kinds(kind)))


def fit_fields(value: object, refusal: FieldRefusal) -> None:
    """As `check_fields`, for a struct or dataclass, with an error of one's own."""
    kind: Any = type(value)
    found = {name: getattr(value, name) for name in field_kinds(kind)}
    try:
        # Equal values stay the same objects: msgspec leaves defaults out of a log by that.
        made = astuple(convert(tuple(found.values()), _row_of(kind)))
        pairs = zip(found.items(), made, strict=True)
        changed = {name: one for (name, before), one in pairs if type(one) is not type(before) or one != before}
    except ValidationError:
        changed = fitted_fields(field_kinds(kind), found, refusal)
    put = force_setattr if isinstance(value, Struct) else object.__setattr__
    for name, one in changed.items():
        put(value, name, one)  # type: ignore[arg-type] # a struct where it is one


def check_values(kind: Any, found: Mapping[str, object], words: str) -> dict[str, object]:
    """The values as the fields of these names have them, StakesError for one that its field does not take; names of no field are left
    out. words: as above.
    """
    kinds = field_kinds(kind)
    known = {name: one for name, one in kinds.items() if name in found}
    return fitted_fields(known, found, partial(_refusal, words, kinds))


def fitted_fields(kinds: Mapping[str, Any], found: Mapping[str, object], refusal: FieldRefusal) -> dict[str, object]:
    """These fields, each `fitted`. refusal: the error for one that cannot be."""
    made: dict[str, object] = {}
    for name, kind in kinds.items():
        try:
            made[name] = fitted(found[name], kind)
        except ValidationError as error:
            raise refusal(name, error) from None
    return made


def _refusal(words: str, kinds: Mapping[str, Any], name: str, error: ValidationError) -> StakesError:
    said, _, path = str(error).partition(" - at `$")
    for struct in _structs(kinds[name]):
        said = said.replace("`object", f"`{struct}")
    field = name + path.rstrip("`")
    return StakesError(words, error=": ".join((field, said)))


def _structs(kind: Any) -> Iterator[str]:
    """The names of the structs in an annotation."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind.__name__
    for inner in get_args(kind):
        yield from _structs(inner)


def fitted(value: object, kind: Any) -> Any:
    """The value as this annotation has it: numbers of any library as int or float, sequences and arrays as tuples.

    msgspec.ValidationError for anything else.
    """
    found = value.tolist() if hasattr(value, "tolist") else value  # of arrays and their numbers; a bool stays one
    try:
        return convert(found, kind)
    except ValidationError:
        return convert(_plain(found), kind)


def _plain(value: Any, depth: int = _DEEPEST) -> object:
    if hasattr(value, "tolist"):  # arrays and their numbers
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(_plain(item, depth - 1) for item in value) if depth else value
    try:
        return int(index(value))
    except TypeError:
        return float(value) if isinstance(value, Real) else value
