"""What the processes share that look for a long time: their priority, how they end, and how they are told to."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec

from barpoint.error import BarpointError
from barpoint.priority import lower_priority

BEHIND: Final = 10
"""Added to the niceness of the starting process: after play, and after answers that somebody waits for; about a
tenth of the time when others need all of it."""


def exit_status(work: Callable[[], None]) -> int:
    """Works at low priority; 2 when it cannot be done, which standard error explains, 1 when nobody reads its output."""
    lower_priority(BEHIND)
    try:
        work()
    except (BarpointError, msgspec.DecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return 0


def stopped_with_input() -> threading.Event:
    """An event that is set when the input ends."""
    stopped = threading.Event()
    threading.Thread(target=_end, args=(stopped,), daemon=True).start()
    return stopped


def _end(stopped: threading.Event) -> None:
    with suppress(OSError):
        while os.read(0, 4096):  # not the buffered reader, whose lock a process cannot end with
            pass
    stopped.set()
