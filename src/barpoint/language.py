"""The language of whoever reads: catalogues of texts, and numbers and dates as the language writes them.

English is the language of the sources. Each other language is a file `data/languages/<code>.po`, read when it is first
needed. The language holds for the current context: the server sets it for each request and WebSocket, a command once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel import Locale
    from babel.messages import Catalog

SOURCE: Final = "en"
"""The language in which texts stand in the sources."""

FOLDER: Final = Path(__file__).parent / "data" / "languages"

SCRIPT: Final = "script"
"""What catalogues remark on texts that stand in scripts of the pages."""

REGIONS: Final = {"en": "en_GB"}
"""Where the dates of a language are written as we write them, if not as in most of its countries."""

_language: ContextVar[str] = ContextVar("language", default=SOURCE)


@lru_cache(maxsize=1)
def languages() -> Mapping[str, str]:
    """The name of each language in itself, by code, English first."""
    names = {SOURCE: "English"}
    for file in sorted(FOLDER.glob("*.po")):
        names[file.stem] = _locale(file.stem).get_display_name() or file.stem
    return {code: f"{name[:1].upper()}{name[1:]}" for code, name in names.items()}


def language() -> str:
    """The code of the language that holds now."""
    return _language.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """A language for the length of a block; English for a code that there is not."""
    before = _language.set(code if code in languages() else SOURCE)
    try:
        yield
    finally:
        _language.reset(before)


def speak(code: str) -> None:
    """Sets the language for the rest of a task of asyncio."""
    _language.set(code)


def known_language(code: str) -> str | None:
    """The language that a code such as "de-AT" or "de_DE.UTF-8" means; None if there is none."""
    found = code.strip().lower().replace("_", "-").partition(".")[0].partition("-")[0]
    return found if found in languages() else None


def accepted_language(header: str) -> str:
    """The language that an Accept-Language header prefers among ours; English if it names none."""
    wanted: list[tuple[float, str]] = []
    for item in header[:500].split(","):
        code, _, quality = item.partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        found = known_language(code)
        if found and weight > 0:
            wanted.append((weight, found))
    return max(wanted, key=lambda one: one[0])[1] if wanted else SOURCE


def environment_language(environ: Mapping[str, str]) -> str:
    """The language of a terminal, from LC_ALL, LC_MESSAGES or LANG; English if there is none of ours."""
    said = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return known_language(said) or SOURCE


# ---------------------------------------------------------------- texts


@lru_cache(maxsize=16)
def catalogue(code: str) -> Catalog:
    """The catalogue of a language other than English."""
    from babel.messages.pofile import read_po

    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


@lru_cache(maxsize=16)
def _translations(code: str) -> NullTranslations:
    if code == SOURCE:
        return NullTranslations()
    from babel.messages.mofile import write_mo

    packed = BytesIO()
    write_mo(packed, catalogue(code))
    packed.seek(0)
    return GNUTranslations(packed)


_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE: Final = "\u2068"
_END_OF_ISOLATE: Final = "\u2069"


def isolated(text: str) -> str:
    """A text to stand in a sentence: what is written from right to left is kept from moving the numbers and words around it.

    So "Opening roll: NAME 4, You 5" keeps each number beside its name. Unicode's isolates do that (UAX 9); they are not seen.
    """
    if _ISOLATE in text or not _RIGHT_TO_LEFT.search(text):
        return text
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}"


class _Placed(str):
    """A value in a sentence: `isolated` at %s, as it is at %r."""

    __slots__ = ()

    def __str__(self) -> str:
        return isolated(str.__str__(self))


def _placed(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _Placed(value) if type(value) is str else value for name, value in values.items()}


def gettext(text: str, /, **values: object) -> str:
    """A text in the language that holds now, with its %(name)s places filled in."""
    found = _translations(_language.get()).gettext(text) if text else ""
    return found % _placed(values) if values else found


def ngettext(one: str, many: str, count: float, /, **values: object) -> str:
    """The form of a text that fits a number; %(num)s in it is the number."""
    return ngettext_as_written(one, many, count) % {"num": number(count), **_placed(values)}


def ngettext_as_written(one: str, many: str, count: float) -> str:
    """The form of a text that fits a number, its places not filled in; a fraction counts as many."""
    return _translations(_language.get()).ngettext(one, many, int(count) if count == int(count) else 2)


def pgettext(context: str, text: str, /, **values: object) -> str:
    """A text whose word has several meanings; context: which is meant."""
    found = _translations(_language.get()).pgettext(context, text)
    return found % _placed(values) if values else found


_ = gettext


def N_(text: str) -> str:
    """Marks a text that is translated where it is shown, not where it stands."""
    return text


@dataclass(frozen=True, slots=True)
class Said:
    """A text that is kept, and told later to each reader in their language. str() is English.

    values: fill its %(name)s places; texts among them are translated too.
    """

    text: str
    values: dict[str, int | float | str | Said] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text % self.values if self.values else self.text

    def translated(self) -> str:
        """The text in the language that holds now."""
        values = {name: one.translated() if isinstance(one, Said) else one for name, one in self.values.items()}
        return gettext(self.text, **values)


class Word(str):
    """A word among the values of an error: English here, translated with the text around it."""

    __slots__ = ()


# ---------------------------------------------------------------- numbers and dates


def _locale(code: str) -> Locale:
    from babel import Locale

    return Locale.parse(REGIONS.get(code, code))


def number(value: float, decimals: int | None = None, *, sign: bool = False) -> str:
    """A number with so many decimals, without groups: "0.125" or "0,125"; as short as possible if decimals is None.

    sign: also where it is positive. What is shown as zero has none.
    """
    if decimals is not None:
        text = f"{value:z.{decimals}f}"
    else:
        text = f"{int(value)}" if value == int(value) else f"{value:.15g}"
    if sign and float(text) > 0:
        text = f"+{text}"
    if _language.get() == SOURCE:
        return text
    from babel.numbers import get_decimal_symbol

    return text.replace(".", get_decimal_symbol(_locale(_language.get())))


def percent(share: float, decimals: int = 0) -> str:
    """A share as a percentage: "52.3%" or "52,3 %"."""
    return _("%(number)s%%", number=number(100 * share, decimals))


def date(at_ms: float, *, year: bool = True, zone: tzinfo = UTC) -> str:
    """A day: "3 May 2026" or "3. Mai 2026". at_ms: since 1970."""
    from babel.dates import format_date, format_skeleton

    at, locale = datetime.fromtimestamp(at_ms / 1000, zone), _locale(_language.get())
    return format_date(at, "long", locale) if year else format_skeleton("MMMd", at, locale=locale)


def day(iso: str) -> str:
    """A day such as "2026-05-03" as `date` writes it; "" for one that is not known."""
    return date(datetime.fromisoformat(iso).replace(tzinfo=UTC).timestamp() * 1000) if iso else ""


def time(at_ms: float, *, year: bool = False, zone: tzinfo = UTC) -> str:
    """A day and a time: "3 May, 18:05"."""
    from babel.dates import format_time

    at = datetime.fromtimestamp(at_ms / 1000, zone)
    return f"{date(at_ms, year=year, zone=zone)}, {format_time(at, 'short', locale=_locale(_language.get()))}"


def listed(items: list[str]) -> str:
    """ "Anna, Ben and Kim"."""
    from babel.lists import format_list

    return format_list(items, locale=_locale(_language.get())) if items else ""
