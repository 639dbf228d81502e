"""The archive that a file of eXtreme Gammon is: a header with a picture, then files packed by zlib, one after the other."""

from __future__ import annotations

import struct
import zlib
from typing import Final

from barpoint.error import FormatError
from barpoint.language import Said
from barpoint.record.oddity import Oddities
from barpoint.record.xg_record import RECORD_BYTES, Kind, int_at

HEADER: Final = struct.Struct("<IIIqI")
HEADER_BYTES: Final = 8232
HEADER_MAGIC: Final = 0x484D4752
BEGINNING: Final = HEADER_MAGIC.to_bytes(4, "little")
MATCH_MAGIC: Final = 0x494C4D44
"""Sizes and signatures of the format."""

MAX_RECORDS: Final = 20_000
"""Maximum records of a match, two for each turn."""

MAX_FILES: Final = 4
MAX_COMMENTS_BYTES: Final = 4_000_000
"""Maximum files of an archive after the match, and the maximum size of each, unpacked."""


def records_of(data: bytes, oddities: Oddities) -> tuple[list[bytes], list[bytes]]:
    """The records of the match, and the files that follow them in the archive."""
    if not data.startswith(BEGINNING):
        raise FormatError("no file of eXtreme Gammon: it begins with something else than RGMH")
    if len(data) < HEADER_BYTES:
        raise FormatError(
            "a file of eXtreme Gammon that ends within its header: %(count)s bytes of %(whole)s",
            count=len(data),
            whole=HEADER_BYTES,
        )
    picture_bytes = HEADER.unpack_from(data)[4]
    packed = data[HEADER_BYTES + picture_bytes :]
    most = MAX_RECORDS * RECORD_BYTES
    while packed:
        stream = zlib.decompressobj()
        try:
            found = stream.decompress(packed, most + 1)
        except zlib.error as error:
            found = _undamaged(packed, most)
            if not _begins_match(found):
                raise FormatError("the archive in this file is damaged: %(error)s", error=error) from None
            oddities.add(
                Said("the archive in this file is damaged: %(error)s", {"error": str(error)}),
                Said("read as far as it can be unpacked"),
            )
        else:
            whole = _whole_records(found)
            if not stream.eof and len(found) <= most and _begins_match(whole):
                found = whole
                oddities.add(Said("the archive in this file is cut off"), Said("read as far as it goes"))
        if len(found) > most:
            raise FormatError("more than %(max_records)s records", max_records=MAX_RECORDS)
        if _begins_match(found):
            records = [found[at : at + RECORD_BYTES] for at in range(0, len(found), RECORD_BYTES)]
            return records, _others(stream.unused_data)
        if not stream.eof:
            break
        packed = stream.unused_data
    raise FormatError("no match in this file of eXtreme Gammon")


def _others(packed: bytes) -> list[bytes]:
    """The files of an archive as far as they can be unpacked; those that are too large are left out."""
    found: list[bytes] = []
    while packed and len(found) < MAX_FILES:
        stream = zlib.decompressobj()
        try:
            found.append(stream.decompress(packed, MAX_COMMENTS_BYTES))
        except zlib.error:
            break
        if not stream.eof:
            break
        packed = stream.unused_data
    return found


def _undamaged(packed: bytes, most: int) -> bytes:
    """The whole records that stand before the damage."""
    stream = zlib.decompressobj()
    found = b""
    for at in range(0, len(packed), 64):
        try:
            found += stream.decompress(packed[at : at + 64], most)
        except zlib.error:
            break
        if len(found) > most:
            break
    return _whole_records(found)


def _whole_records(found: bytes) -> bytes:
    return found[: len(found) // RECORD_BYTES * RECORD_BYTES]


def _begins_match(found: bytes) -> bool:
    whole = len(found) >= RECORD_BYTES and len(found) % RECORD_BYTES == 0
    return whole and found[8] == Kind.MATCH and int_at(found, 556) == MATCH_MAGIC
