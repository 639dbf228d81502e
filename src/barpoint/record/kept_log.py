"""The log of a match inside its match text or SGF, for what these formats cannot express.

It stands in comment lines "; Log ..." of match text and in the property XL of the first node of SGF: eight bytes of the
SHA-256 of the rest of the text without white space, then the log packed by zlib, all in base64. A text that somebody has
changed since is read as it is, without its log.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from itertools import pairwise
from typing import Final

import msgspec

from barpoint.error import BarpointError
from barpoint.game import Correct, Event, PlayMade
from barpoint.match import Match, read_log, write_log

DIGEST_BYTES: Final = 8
LINE_LENGTH: Final = 100
MAX_LOG_BYTES: Final = 8_000_000

_LINE = re.compile(r"^; Log ([A-Za-z0-9+/=]{1,200})\s*$\n?", re.MULTILINE)
_TREE_HEAD = "(;FF[4]GM[6]CA[UTF-8]AP[Barpoint:1]"
_FIRST_TREE = re.compile(re.escape(_TREE_HEAD) + r"(?:XL\[[A-Za-z0-9+/=]*\])?MI\[length:[0-9]+\]\[game:0\]")
_PROPERTY = re.compile(re.escape(_TREE_HEAD) + r"XL\[([A-Za-z0-9+/=]*)\]")


def same_match(one: Match, other: Match) -> bool:
    """Whether two matches went the same way, however their plays are spelled."""
    return (one.rules, one.terms, _way(one)) == (other.rules, other.terms, _way(other))


def _way(match: Match) -> list[Event]:
    return [_without_moves(event) if isinstance(event, PlayMade | Correct) else event for event in match.events]


def _without_moves(event: PlayMade | Correct) -> PlayMade | Correct:
    return msgspec.structs.replace(event, moves=())


def text_with_log(text: str, match: Match) -> str:
    """Match text that carries the log of its match."""
    packed = _packed(text, match)
    lines = (packed[at : at + LINE_LENGTH] for at in range(0, len(packed), LINE_LENGTH))
    return text + "".join(f"; Log {line}\n" for line in lines)


def tree_with_log(text: str, match: Match) -> str:
    """SGF as `format_sgf` writes it that carries the log of its match."""
    assert text.startswith(_TREE_HEAD)
    return f"{_TREE_HEAD}XL[{_packed(text, match)}]{text.removeprefix(_TREE_HEAD)}"


def tree_texts(text: str) -> list[str]:
    """The text of each match of an SGF file that `format_sgf` wrote; of other programs' files the whole text."""
    begins = [found.start() for found in _FIRST_TREE.finditer(text)]
    if len(begins) < 2:
        return [text]
    return [text[begin:end] for begin, end in pairwise((0, *begins[1:], len(text)))]


def kept_match(text: str) -> tuple[Match | None, bool]:
    """The match of the log in a text; None when there is none that fits. Then: whether there is one that does not fit."""
    lines = _LINE.findall(text)
    found = _PROPERTY.match(text)
    if lines:
        packed, rest = "".join(lines), _LINE.sub("", text)
    elif found:
        packed, rest = found[1], _TREE_HEAD + text[found.end() :]
    else:
        return None, False
    try:
        data = base64.b64decode(packed, validate=True)
        if data[:DIGEST_BYTES] != _digest(rest):
            return None, True
        stream = zlib.decompressobj()
        log = stream.decompress(data[DIGEST_BYTES:], MAX_LOG_BYTES)
        return (read_log(log, audit=True), False) if stream.eof else (None, True)
    except (binascii.Error, zlib.error, BarpointError):
        return None, True


def _packed(text: str, match: Match) -> str:
    return base64.b64encode(_digest(text) + zlib.compress(write_log(match), 9)).decode("ascii")


def _digest(text: str) -> bytes:
    from hashlib import sha256  # loads OpenSSL, 3.5 MB that nobody needs who only imports the package

    return sha256("".join(text.split()).encode()).digest()[:DIGEST_BYTES]
