"""What can go wrong, as one small family: what was found, then what was allowed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from operator import index
from typing import Final, SupportsIndex

from barpoint.language import N_, Said, Word, gettext


class BarpointError(Exception):
    """Any refusal of ours; its text says what was found, then what is allowed.

    str() is English, for logs and programs; translated() is for people. text: the words, or another error that says it.
    values fill the %(name)s places of the words.
    """

    text: str
    values: dict[str, object]

    def __init__(self, text: object = "", /, **values: object) -> None:
        if isinstance(text, BarpointError | Said):
            self.text, self.values = text.text, dict(text.values)
        else:
            self.text, self.values = str(text), values
        super().__init__(self.text % self.values if self.values else self.text)

    @property
    def said(self) -> Said:
        """What is said, to be kept: without anything that could not be written down."""
        return Said(self.text, {name: _kept(value) for name, value in self.values.items()})

    def translated(self) -> str:
        """What is said, in the language that holds now; errors and words among the values are translated too."""
        return gettext(self.text, **{name: _translated(value) for name, value in self.values.items()})


def _translated(value: object) -> object:
    if isinstance(value, BarpointError | Said):
        return value.translated()
    return gettext(value) if isinstance(value, Word) else value


class ArgumentError(BarpointError, TypeError):
    """An argument of another kind than asked for, or of a name that is not known."""


def brief(value: object) -> str:
    """Its repr, at most 60 characters of it."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists within lists
        return f"a very large {type(value).__name__}"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


NOT_ALLOWED: Final = N_("%(name)s is %(value)s (%(kind)s); allowed: %(allowed)s")
"""What is said of a value that is not allowed, with the values of `not_allowed`."""


def not_allowed(name: str, value: object, allowed: str) -> dict[str, str]:
    """What `NOT_ALLOWED` says."""
    return {"name": name, "value": brief(value), "kind": type(value).__name__, "allowed": allowed}


READERS: Final = {"Position": "bp.parse_id (IDs)", "Match": "bp.read_match (files)"}
"""What makes such a value of a text, by its type."""


def check_kind(name: str, value: object, *kinds: type) -> None:
    """ArgumentError unless the argument is of one of these kinds."""
    if isinstance(value, kinds):
        return
    allowed = [kind.__name__ for kind in kinds]
    readers = [READERS[kind] for kind in allowed if kind in READERS] if isinstance(value, str) else []
    said = not_allowed(name, value, ", ".join(allowed))
    if readers:
        raise ArgumentError(
            "%(name)s is %(value)s (%(kind)s); allowed: %(allowed)s; texts are read by %(readers)s",
            **said,
            readers=" and ".join(readers),
        )
    raise ArgumentError(NOT_ALLOWED, **said)


def whole_number(name: str, value: SupportsIndex, *others: type) -> int:
    """The number as an int, whichever library made it; ArgumentError for what is none. others: kinds that the caller allows besides."""
    try:
        return int(index(value))
    except TypeError:
        allowed = ", ".join(kind.__name__ for kind in (int, *others))
        raise ArgumentError(NOT_ALLOWED, **not_allowed(name, value, allowed)) from None


def plain_number(value: object) -> object:
    """The value as a bool or an int, whichever library made it; what is neither stays as it is."""
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, bool):
        with suppress(TypeError):
            return int(index(value))  # type: ignore[arg-type] # that is asked here
    return value


def check_seat(name: str, value: object) -> int:
    """The player as an int; OptionError unless it is 0 or 1."""
    with suppress(TypeError):
        if (seat := int(index(value))) in (0, 1):  # type: ignore[arg-type] # that is asked here
            return seat
    raise OptionError(NOT_ALLOWED, **not_allowed(name, value, "0 or 1"))


def hint_of(name: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """The name that was probably meant, or all that are known. also: other spellings that may have been meant."""
    names = tuple(known)
    close = get_close_matches(name, (*names, *also), n=1)
    return f"did you mean {close[0]}?" if close else f"known: {', '.join(names) or 'none'}"


def check_names(given: Iterable[str], known: Iterable[str]) -> None:
    """ArgumentError for a keyword that is not known, with the one that was probably meant."""
    known = sorted(known)
    for name in given:
        if name not in known:
            raise ArgumentError("no option is called %(name)r; %(hint)s", name=name, hint=hint_of(name, known))


def _kept(value: object) -> int | float | str | Said:
    if isinstance(value, BarpointError):
        return value.said
    if isinstance(value, Word):
        return Said(str(value))
    return value if isinstance(value, int | float | str | Said) else str(value)


class OptionError(BarpointError, ValueError):
    """An option or another argument with a value that is not offered, or two of them that exclude each other."""


class UnknownVariant(BarpointError, ValueError):
    """No variant, option or option value of that name."""


class VariantsClash(BarpointError, ValueError):
    """Two variants set the same axis of the rules differently."""


class PositionError(BarpointError, ValueError):
    """A position these rules do not allow."""


class RollError(BarpointError, ValueError):
    """A roll these dice cannot show."""


class IllegalMove(BarpointError, ValueError):
    """A move or play that may not be made now."""


class IllegalEvent(BarpointError, ValueError):
    """An event that may not happen now; nothing was changed."""


class StakesError(BarpointError, ValueError):
    """Stakes, a score or a cube that there cannot be, or terms of a match that do not go together."""


class FormatError(BarpointError, ValueError):
    """Text that is not in the format it should be in.

    line, column: where, counted from 1; 0 when the whole text is meant.
    """

    def __init__(self, text: object, /, line: int = 0, column: int = 0, **values: object) -> None:
        super().__init__(text, **values)
        self.line, self.column = line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {super().__str__()}" if self.line else super().__str__()

    def translated(self) -> str:
        """What is said and where, in the language that holds now."""
        said = super().translated()
        if not self.line:
            return said
        return gettext("line %(line)d, column %(column)d: %(said)s", line=self.line, column=self.column, said=said)


class UnsupportedRules(BarpointError):
    """No net covers these rules: refused, never approximated."""


class NetError(BarpointError):
    """A net file that is damaged or does not fit the rules."""


class TableError(BarpointError):
    """A bear-off table that cannot be made for these rules, or whose file is damaged or does not fit them."""


class RolloutError(BarpointError):
    """The file of a rollout that is damaged or belongs to another one."""


class StoreError(BarpointError):
    """The server's storage refused."""


class StoreFull(StoreError):
    """The server's storage has no room; nothing was written."""
