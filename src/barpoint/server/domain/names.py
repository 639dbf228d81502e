"""Account names: which are allowed, which count as the same, and which are too similar."""

from __future__ import annotations

import unicodedata
from typing import Final

from barpoint.error import BarpointError
from barpoint.server.domain.limits import MAX_NAME, MAX_NAME_KEY, MIN_NAME

SEPARATORS: Final = " -_."
"""Characters that may stand alone between letters and digits."""

TOGETHER: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL"})
"""Scripts that may be mixed."""

RESERVED: Final = frozenset({"system", "support", "server", "moderator", "you", "anonymous", "nobody", "everybody"})
RESERVED_STARTS: Final = ("barpoint", "gnubg", "gnubackgammon", "bgsage", "admin", "guest", "formerplayer", "afriend")
"""Names that suggest the server, one of its bots, a guest, or a deleted account."""

_ALIKE: Final = str.maketrans(
    "аеіїјкмнорстухѕһԁԛԝвпгьαβεικμνορτυχηωγϲϳı01ł",
    "aelljkmhopctyxshdqwbnrbabelkmvoptuxnwycjloll"[:44],
)
"""Letters of other alphabets, and digits, mapped to the Latin letter they resemble; i and l are one below."""


class NameRefused(BarpointError, ValueError):
    """A name that is not allowed."""


def checked_name(text: str) -> str:
    """The name as it is stored and shown; NameRefused says what is allowed.

    Letters of one script and digits, starting with a letter, with single spaces, dots, hyphens and underscores between.
    """
    name = unicodedata.normalize("NFKC", text).strip()
    if not MIN_NAME <= len(name) <= MAX_NAME:
        raise NameRefused(
            "a name of %(count)s characters; allowed: %(min_name)s to %(max_name)s",
            count=len(name),
            min_name=MIN_NAME,
            max_name=MAX_NAME,
        )
    if not name[0].isalpha():
        raise NameRefused("%(name)r; a name begins with a letter", name=name)
    scripts = set()
    for before, character in zip(" " + name, name, strict=False):
        if character in SEPARATORS:
            if before in SEPARATORS:
                raise NameRefused(
                    "%(name)r; single spaces, dots, hyphens and underscores stand between letters", name=name
                )
        elif character.isalpha() or unicodedata.category(character) in ("Mn", "Mc"):
            scripts.add(unicodedata.name(character, "?").split()[0].removesuffix("-B"))
        elif not (character.isascii() and character.isdigit()):
            raise NameRefused(
                "%(name)r has %(character)r; allowed: letters, digits, space, dot, hyphen, underscore",
                name=name,
                character=character,
            )
    if name[-1] in SEPARATORS:
        raise NameRefused("%(name)r; a name ends with a letter or a digit", name=name)
    if len(scripts) > 1 and not scripts <= TOGETHER:
        raise NameRefused("%(name)r mixes alphabets; all its letters must be of one", name=name)
    if is_reserved(name):
        raise NameRefused("%(name)r is kept for the server, or looks so; choose another name", name=name)
    return name


def is_reserved(name: str) -> bool:
    """Whether a name suggests the server, one of its bots, a guest, or a deleted account, or looks as if it did."""
    seen = look(name)
    return seen in {look(word) for word in RESERVED} or seen.startswith(tuple(look(word) for word in RESERVED_STARTS))


def folded(name: str) -> str:
    """The name used for logging in: case and Unicode variants of a letter make no difference."""
    return _folded(name)[:MAX_NAME_KEY]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())


def look(name: str) -> str:
    """A key for what a name looks like; two names with the same key are too easily confused."""
    plain = "".join(character for character in _folded(name) if character not in SEPARATORS)
    return plain.translate(_ALIKE).replace("i", "l")[:MAX_NAME_KEY]
