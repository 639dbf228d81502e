"""TOML that anybody may have written: what the parser of the standard library would take minutes or too much memory for is refused."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from barpoint.error import FormatError

_MAX_KEY_PARTS: Final = 8
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{_MAX_KEY_PARTS}}}")
"""A key of more parts than any of a variant has, in a text without quoted texts and comments."""

_QUOTED = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|"(?:\\.|[^"\\\n])*"?|\'[^\'\n]*\'?|#[^\n]*''', re.DOTALL
)


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text; FormatError says what is wrong with it."""
    plain = _QUOTED.sub(lambda found: "" if found[0][0] == "#" else "q", text)
    if _LONG_KEY.search(plain):  # the parser of the standard library would take minutes over thousands of parts
        raise FormatError("a key has more than %(most)s parts", most=_MAX_KEY_PARTS)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError("no TOML: %(error)s", error=error) from None
    except RecursionError:
        raise FormatError("lists or tables are nested too deeply; a variant needs four levels at most") from None
    except ValueError:  # of `int`, which reads some thousands of digits
        raise FormatError("a number has too many digits") from None
