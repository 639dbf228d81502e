"""Lowers the priority of processes, so that those beside them go first on a busy CPU."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

TRIES: Final = 5
PAUSE_S: Final = 0.1
"""Linux lets a user change the priority of one session in this time."""


def lower_priority(by: int, pid: int = 0) -> None:
    """Adds to the niceness of a process, 0 for this one. Does nothing where the system knows no priorities.

    Linux may share the CPU between sessions before it looks at processes; so a session that the process leads gets the
    same niceness.
    """
    pid = pid or os.getpid()
    with suppress(OSError, AttributeError):
        niceness = os.getpriority(os.PRIO_PROCESS, pid) + by
        os.setpriority(os.PRIO_PROCESS, pid, niceness)
        if os.getsid(pid) == pid:
            _set_session(Path(f"/proc/{pid}/autogroup"), niceness)


def _set_session(file: Path, niceness: int) -> None:
    """Sets the niceness of a session; OSError where sessions have none."""
    for _ in range(TRIES):
        with suppress(BlockingIOError):
            file.write_text(str(niceness))
            return
        time.sleep(PAUSE_S)
