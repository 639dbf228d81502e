"""Match files one by one: single files, and those in folders and zips."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from barpoint.error import FormatError
from barpoint.record.file import SUFFIXES

MAX_MEMBERS: Final = 10_000
"""Maximum files of a zip that are looked at."""

MAX_MEMBER_BYTES: Final = 8_000_000
"""Maximum size of a file in a zip, unpacked."""

MAX_UNPACKED_BYTES: Final = 2_000_000_000
"""Maximum size of all match files in a zip together, unpacked."""

ZIP: Final = ".zip"


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A file that may hold a match. name: with the folder or zip it is from."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The end of its name, which tells the format; lower case."""
        return PurePath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """Its name without folders and suffix."""
        return PurePath(self.name).stem


def match_files(paths: Iterable[Path]) -> Iterator[MatchFile]:
    """The match files that the paths name: files as they are, of folders and zips those with a known suffix, by name.

    FormatError for a zip that is damaged or too large, OSError for what cannot be read.
    """
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in (*SUFFIXES, ZIP) and one.is_file())
            yield from match_files(inside)
        elif path.suffix.lower() == ZIP:
            yield from unzipped(str(path), path.read_bytes())
        else:
            yield MatchFile(str(path), path.read_bytes())


def unzipped(
    name: str,
    data: bytes,
    max_members: int = MAX_MEMBERS,
    max_bytes: int = MAX_MEMBER_BYTES,
    max_unpacked: int = MAX_UNPACKED_BYTES,
    suffixes: Collection[str] = SUFFIXES,
) -> Iterator[MatchFile]:
    """The match files of a zip, those with these suffixes, by name; zips inside it are left alone. FormatError when it is damaged or too large.

    max_members, max_bytes, max_unpacked: limits of their number, of the size of each and of all. What a zip says of its
    sizes is not believed: nothing is unpacked beyond them.
    """
    unpacked = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [one for one in archive.infolist() if PurePath(one.filename).suffix.lower() in suffixes]
            if len(members) > max_members:
                raise FormatError(
                    "%(name)s: %(count)s match files; at most %(max_members)s are read",
                    name=name,
                    count=len(members),
                    max_members=max_members,
                )
            for member in sorted(members, key=lambda one: one.filename):
                with archive.open(member) as opened:
                    found = opened.read(max_bytes + 1)
                if len(found) > max_bytes:
                    raise FormatError(
                        "%(name)s: %(filename)s is larger than %(max_bytes)s bytes",
                        name=name,
                        filename=member.filename,
                        max_bytes=max_bytes,
                    )
                unpacked += len(found)
                if unpacked > max_unpacked:
                    raise FormatError(
                        "%(name)s unpacks to more than %(max_bytes)s bytes", name=name, max_bytes=max_unpacked
                    )
                yield MatchFile(f"{name}/{member.filename}", found)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError("%(name)s: no zip that can be read: %(error)s", name=name, error=error) from None
