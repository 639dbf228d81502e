"""Names of people in FIBS: only letters and underscores, which is all its clients accept in a name."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import SEPARATORS

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MARK: Final = 4
"""Letters appended to the names of guests, and to names that FIBS cannot spell."""


def alias(person: Guest) -> str:
    """The FIBS name of a person: their account's name if FIBS allows it, otherwise its letters and `_MARK` more.

    Separators become underscores. No two accounts differ in separators alone (`name.look`).
    """
    joined = re.sub(f"[{re.escape(SEPARATORS)}]+", "_", person.name).strip("_")
    if person.registered and re.fullmatch("[A-Za-z_]+", joined):
        return joined
    return f"{_letters(joined) or 'Player'}_{_mark(person.id)}"


def bot_alias(name: str) -> str:
    """The name of a bot of this server: "Barpoint_Expert", "GNU_Backgammon_two_ply"."""
    spelled = re.sub("[0-9]", lambda digit: f"_{_DIGITS[int(digit[0])]}_", name)
    return _letters(re.sub("[^A-Za-z]", "_", spelled)) or "Bot"


def _letters(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name)
    return re.sub("_+", "_", re.sub("[^A-Za-z_]", "", plain)).strip("_")


def _mark(person_id: str) -> str:
    digest = hashlib.sha256(person_id.encode()).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_MARK])
