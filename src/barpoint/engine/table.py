"""Files of exact databases (bear-off, whole games): their location, header and validation.

A file has a line that names its kind, a line with the fingerprint of the rules, the checkers a side and the SHA-256 of
the values, padded with blanks so that the values start at a multiple of 64, and then the values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from barpoint.atomic_file import replacing
from barpoint.error import TableError
from barpoint.number_text import number_in
from barpoint.rules import Rules

HEAD_BYTES: Final = 192
"""Length of both lines together."""

READABLE: Final = 0o644
"""Mode of a database: all users of a cache or of a cluster's folder may read it."""

_BLOCK: Final = 1 << 20
"""Bytes that the checksum reads at a time; the result does not depend on it."""


def fingerprint(*said: object) -> str:
    """Twelve hexadecimal digits of everything a database depends on."""
    return sha256(repr(said).encode()).hexdigest()[:12]


def cache_folder() -> Path:
    """Where databases are stored: $XDG_CACHE_HOME/barpoint, by default ~/.cache/barpoint."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "barpoint"


def save(file: Path, kind: str, mark: str, checkers: int, values: Iterable[bytes | memoryview]) -> None:
    """Writes a database atomically, its values in any number of pieces. OSError."""
    digest = sha256()
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as out:
        out.write(bytes(HEAD_BYTES))
        for piece in values:
            digest.update(piece)
            out.write(piece)
        out.seek(0)
        out.write(_head(kind, mark, checkers, digest.hexdigest()))
    file.chmod(READABLE)


def _head(kind: str, mark: str, checkers: int, digest: str) -> bytes:
    first = f"{kind}\n".encode()
    second = f"{mark} {checkers} {digest}".encode()
    return first + second.ljust(HEAD_BYTES - len(first) - 1) + b"\n"


def check(file: Path, kind: str, mark: str, rules: Rules, needed: Callable[[int], tuple[int, ...]]) -> tuple[int, int]:
    """The checkers a side of a database and the offset of its values in the file.

    needed: the allowed sizes in bytes for each number of checkers. TableError for a wrong or damaged file, OSError.
    """
    with file.open("rb") as source:
        if source.readline(len(kind) + 1) != f"{kind}\n".encode():
            raise TableError("%(name)s is no table of this version", name=file.name)
        words = source.readline(2 * HEAD_BYTES).decode("ascii", "replace").split()
        checkers = number_in(words[1], 0, 99) if len(words) == 3 else None
        if checkers is None:
            raise TableError("%(name)s is damaged: its second line does not say what it holds", name=file.name)
        if words[0] != mark:
            raise TableError(
                "%(file)s was made for other rules, %(found)s; %(rules)s is %(expected)s",
                file=file.name,
                found=words[0],
                rules=rules.name,
                expected=mark,
            )
        # Check before allocating memory: a damaged header could name the largest database.
        start = source.tell()
        length, wanted = file.stat().st_size - start, needed(checkers)
        if length not in wanted:
            wants = " or ".join(f"{count:,}" for count in wanted)
            raise TableError(
                "%(name)s is damaged: %(length)s bytes of values; %(checkers)s checkers need %(wants)s",
                name=file.name,
                length=length,
                checkers=checkers,
                wants=wants,
            )
        digest = sha256()
        while piece := source.read(_BLOCK):
            digest.update(piece)
    if digest.hexdigest() != words[2]:
        raise TableError("%(name)s is damaged: its values do not have the checksum it names", name=file.name)
    return checkers, start
