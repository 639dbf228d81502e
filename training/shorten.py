"""Round the weights of published nets to fewer bits, so that they take less room: python -m training.shorten NAME ... [--bits 6]

A net file holds floats of 16 bits, with 10 bits of mantissa; so many of them remain, and the package compresses the zeros away. Each
NAME is an entry of nets.toml, whose net is replaced. What that changes is small beside a net's error (docs/engine.md, What a net is).
"""

from __future__ import annotations

import argparse
from typing import Final

import numpy as np

from barpoint.engine.net import entries, entry_named
from barpoint.engine.net_file import unpacked
from training.publish import NETS, publish_net

BITS: Final = 6
MANTISSA_BITS: Final = 10
HEADER, CHECKSUM = 32, 8
"""Bytes of a net file before and after its weights."""


def shortened(data: bytes, bits: int = BITS) -> bytes:
    """The net file with all weights rounded to so many bits of mantissa."""
    body = bytearray(data[:-CHECKSUM])
    weights = np.frombuffer(body, "<u2", offset=HEADER)
    unit = 1 << (MANTISSA_BITS - bits)
    weights[:] = (weights.astype(np.uint32) + unit // 2) // unit * unit
    return signed(bytes(body))


def signed(body: bytes) -> bytes:
    """The body with the checksum of core/nets/checksum.hpp."""
    total = 0xCBF29CE484222325
    for byte in body:
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return body + total.to_bytes(CHECKSUM, "little")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=[entry.name for entry in entries()], metavar="NAME")
    parser.add_argument("--bits", type=int, default=BITS, choices=range(1, MANTISSA_BITS + 1))
    said = parser.parse_args()
    for name in said.names:
        entry = entry_named(name)
        data = shortened(unpacked((NETS / entry.file).read_bytes()), said.bits)
        print(name, entry.file, "->", publish_net(name, data))


if __name__ == "__main__":
    main()
