"""Runs an analysis in a process of its own, so that it does not slow down a server.

`python -m barpoint.analysis.worker PLIES` reads the log of a match and writes lines: every now and then how many events
are done, of how many; at last "result" with a number of bytes, and after that line an `AnalysisResult` of this size as
MessagePack. It runs at low priority, and ends when nobody reads its output.
"""

from __future__ import annotations

import gzip
import sys
import time
from typing import Final

import msgspec

from barpoint.analysis.decision_table import pack_table, table_of
from barpoint.analysis.study import Study
from barpoint.analysis.summary import summarise
from barpoint.error import BarpointError
from barpoint.match import read_log
from barpoint.priority import lower_priority

PAUSE_S: Final = 0.3
"""Seconds between two lines of progress."""

BEHIND: Final = 10
"""Added to the niceness of the starting process: about a tenth of the time when others need all of it."""

RESULT: Final = b"result"
"""The first word of the line before the result."""


class AnalysisResult(msgspec.Struct, frozen=True):
    """A finished analysis as it is stored, so that a server has nothing to compute.

    report: as JSON, compressed with gzip. summary: as JSON. decisions: as `pack_table`.
    """

    events: int
    report: bytes
    summary: bytes
    decisions: bytes


def analysed(study: Study) -> AnalysisResult:
    """The result of an analysis that is done."""
    report = study.report()
    return AnalysisResult(
        report.events,
        gzip.compress(report.json(), 6),
        msgspec.json.encode(summarise(report, study.match)),
        pack_table(table_of(study.match, report)),
    )


def main() -> int:
    """Analyse the log on standard input; 2 when it cannot be analysed."""
    lower_priority(BEHIND)
    try:
        study = Study(read_log(sys.stdin.buffer.read()), plies=int(sys.argv[1]))
        events, told = len(study.match.events), 0.0
        for done in study:
            if time.monotonic() - told >= PAUSE_S:
                told = time.monotonic()
                print(done, events, flush=True)
        result = msgspec.msgpack.encode(analysed(study))
        sys.stdout.buffer.write(b"%s %d\n" % (RESULT, len(result)) + result)
        sys.stdout.buffer.flush()
    except BarpointError as error:
        print(error, file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
