"""Runs an analysis in a process of its own, so that it does not slow down a server.

`python -m barpoint.analysis.worker PLIES` reads the log of a match and writes lines: every now and then how many events
are done, at last the report. It runs at low priority, and ends when nobody reads its output.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import Final

from barpoint.analysis.study import Study
from barpoint.error import BarpointError
from barpoint.match import read_log

PAUSE_S: Final = 0.3
"""Seconds between two lines of progress."""

BEHIND: Final = 10
"""Added to the niceness of the starting process: about a tenth of the time when others need all of it."""


def main() -> int:
    """Analyse the log on standard input; 2 when it cannot be analysed."""
    with suppress(OSError, AttributeError):  # not every system knows priorities
        os.nice(BEHIND)
    try:
        study = Study(read_log(sys.stdin.buffer.read()), plies=int(sys.argv[1]))
        told = time.monotonic()
        for done in study:
            if time.monotonic() - told >= PAUSE_S:
                told = time.monotonic()
                print(done, flush=True)
    except BarpointError as error:
        print(error, file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    sys.stdout.buffer.write(study.report().json() + b"\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
