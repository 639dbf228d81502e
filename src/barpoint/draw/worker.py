"""Makes a PNG of a picture in a process of its own: `python -m barpoint.draw.worker WIDTH` reads an SVG text and writes the file.

The library holds Python's lock while it draws, a tenth of a second, in which a server would answer nobody.
"""

from __future__ import annotations

import sys
from typing import Final

from barpoint.draw.png import png
from barpoint.priority import lower_priority

BEHIND: Final = 5
"""Niceness that is added."""


def main() -> int:
    """Draws what standard input says."""
    lower_priority(BEHIND)
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), width_px=int(sys.argv[1])))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
