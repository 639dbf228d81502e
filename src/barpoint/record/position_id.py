"""Position IDs: GNU's fourteen characters, and an extended form for positions that those cannot hold.

GNU's form (rulings 7.1) counts checkers of two sides on points 1..24 and the bar, at most fifteen a side. The extended
form, "~" and base64, adds the hand, the pinned points and what the dice still have to do, and has no limit. Both begin with the side that is not to act,
each side in its own numbering. Both omit the checkers borne off; the rules give their number.
"""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import Final

from barpoint.board import BAR, Position, Side, dice_of
from barpoint.error import FormatError, PositionError, check_kind, whole_number

EXTENDED: Final = "~"
MAX_CHECKERS: Final = 255
"""Maximum checkers of one side; the core counts in one byte."""

_GNU_CHARACTERS = 14
_GNU_BYTES = 10
_GNU_CHECKERS = 15
_MAX_LENGTH = 160
_BASE64 = re.compile(r"[A-Za-z0-9+/]+")


def format_position(position: Position) -> str:
    """The ID of a position seen by the side to act: GNU's form if it can hold the position, else the extended one."""
    check_kind("position", position, Position)
    sides = (position.them, position.us)
    if all(_fits_gnu(side) for side in sides):
        return _encode([bit for side in sides for bit in _unary(side.points[1:])], _GNU_BYTES)
    return EXTENDED + _encode(_extended_bits(*sides))


def parse_position(text: str, checkers: int = 15) -> Position:
    """Parses an ID of either form, with or without the padding of base64, into a position seen by the side to act.

    checkers: of each side; those not on the board, the bar or in the hand are borne off.
    FormatError when the text is no ID; PositionError when a side has more checkers than that.
    """
    checkers = whole_number("checkers", checkers)
    text = text.strip().removesuffix("=").removesuffix("=")
    if text.startswith(EXTENDED):
        them, us = _parse_extended(text[1:])
    else:
        them, us = _parse_gnu(text)
    return Position(_complete(us, checkers, "the side to act"), _complete(them, checkers, "the other side"))


def decode_base64(text: str, size: int | None = None) -> bytes:
    """Decodes unpadded base64; FormatError unless it is spelled canonically and holds `size` bytes."""
    if not _BASE64.fullmatch(text):
        raise FormatError("%(shown)s holds a character outside A-Z a-z 0-9 + /", shown=_shown(text))
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        raise FormatError(
            "%(shown)s has %(count)s characters, which no base64 has", shown=_shown(text), count=len(text)
        ) from None
    if size is not None and len(data) != size:
        raise FormatError(
            "%(shown)s holds %(count)s bytes; %(size)s are needed", shown=_shown(text), count=len(data), size=size
        )
    if encode_base64(data) != text:
        raise FormatError("%(shown)s: the last character holds bits beyond the end", shown=_shown(text))
    return data


def encode_base64(data: bytes) -> str:
    """Base64 without padding."""
    return base64.b64encode(data).decode("ascii").rstrip("=")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _fits_gnu(side: Side) -> bool:
    return not side.hand and not side.pinned and not side.dice and sum(side.points[1:]) <= _GNU_CHECKERS


def _unary(counts: tuple[int, ...]) -> list[int]:
    return [bit for count in counts for bit in (*(1,) * count, 0)]


def _extended_bits(*sides: Side) -> list[int]:
    dice = [side.dice >> bit & 1 for side in sides for bit in range(8)]
    return [bit for side in sides for bit in _side_bits(side)] + (dice if any(dice) else [])


def _side_bits(side: Side) -> list[int]:
    pins = [side.pinned >> point & 1 for point in range(1, BAR)]
    return [*_unary((*side.points[1:], side.hand)), int(any(pins)), *(pins if any(pins) else [])]


def _encode(bits: list[int], size: int | None = None) -> str:
    value = sum(bit << index for index, bit in enumerate(bits))
    return encode_base64(value.to_bytes(size or (len(bits) + 7) // 8, "little"))


class _Bits:
    """Reads bits from the lowest of the first byte upwards; FormatError past the end."""

    def __init__(self, data: bytes) -> None:
        self.value = int.from_bytes(data, "little")
        self.left = 8 * len(data)

    def take(self, count: int = 1) -> int:
        if count > self.left:
            raise FormatError("the ID ends before its last point")
        taken = self.value & ((1 << count) - 1)
        self.value >>= count
        self.left -= count
        return taken

    def unary(self) -> int:
        count = 0
        while self.take():
            count += 1
        return count

    def check_end(self) -> None:
        if self.value:
            raise FormatError("the ID goes on after its last point")


def _parse_gnu(text: str) -> tuple[Side, Side]:
    if len(text) != _GNU_CHARACTERS:
        raise FormatError(
            "%(shown)s has %(count)s characters; a position ID has %(gnu_characters)s, or begins with %(extended)s",
            shown=_shown(text),
            count=len(text),
            gnu_characters=_GNU_CHARACTERS,
            extended=EXTENDED,
        )
    bits = _Bits(decode_base64(text, _GNU_BYTES))
    sides = [Side((0, *(bits.unary() for _ in range(25)))) for _ in range(2)]
    bits.check_end()
    if any(sum(side.points) > _GNU_CHECKERS for side in sides):
        raise PositionError(
            "%(found)r gives a side more than %(gnu_checkers)s checkers", found=text, gnu_checkers=_GNU_CHECKERS
        )
    return sides[0], sides[1]


def _parse_extended(text: str) -> tuple[Side, Side]:
    if len(text) > _MAX_LENGTH:
        raise FormatError(
            "an ID of %(count)s characters; at most %(max_length)s are read", count=len(text), max_length=_MAX_LENGTH
        )
    data = decode_base64(text)
    bits = _Bits(data)
    sides = []
    for _ in range(2):
        points = (0, *(bits.unary() for _ in range(25)))
        hand = bits.unary()
        pinned = bits.take(24) << 1 if bits.take() else 0
        sides.append((points, hand, pinned))
    dice = [bits.take(8) if bits.value else 0 for _ in sides]
    bits.check_end()
    them, us = (Side(*counts, *dice_of(byte)) for counts, byte in zip(sides, dice, strict=True))
    if _encode(_extended_bits(them, us)) != text:
        raise FormatError("%(shown)s is not the one spelling of its position", shown=_shown(text))
    return them, us


def _complete(side: Side, checkers: int, who: str) -> Side:
    if side.total > checkers:
        raise PositionError(
            "%(who)s has %(total)s checkers; these rules have %(checkers)s",
            who=who,
            total=side.total,
            checkers=checkers,
        )
    return replace(side, points=(checkers - side.total, *side.points[1:]))
