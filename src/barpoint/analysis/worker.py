"""Runs an analysis in a process of its own, so that it does not slow down a server.

`python -m barpoint.analysis.worker PLIES [LOG_BYTES]` reads the log of a match. With LOG_BYTES the log has that length, and an
`EarlierVersion` as MessagePack follows it. Lines are written: every now and then how many events are done, of how many; at last "result" with a number of bytes, and after that line an `AnalysisResult` of this size as
MessagePack. It runs at low priority, and ends when nobody reads its output.
"""

from __future__ import annotations

import gzip
import sys
import time
from typing import Final

import msgspec

from barpoint.analysis.decision_table import pack_table, table_of
from barpoint.analysis.earlier_findings import EarlierFindings
from barpoint.analysis.process import exit_status
from barpoint.analysis.report import Report
from barpoint.analysis.study import Study
from barpoint.analysis.summary import summarise
from barpoint.match import Match, read_log

PAUSE_S: Final = 0.3
"""Seconds between two lines of progress."""

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


class EarlierVersion(msgspec.Struct, frozen=True):
    """A match before it was corrected. log: its log. report: as JSON, compressed with gzip, of the same net and depth."""

    log: bytes
    report: bytes


def _earlier(data: bytes) -> EarlierFindings | None:
    if not data:
        return None
    found = msgspec.msgpack.decode(data, type=EarlierVersion)
    return EarlierFindings(read_log(found.log), msgspec.json.decode(gzip.decompress(found.report), type=Report))


def analysed(study: Study) -> AnalysisResult:
    """The result of an analysis that is done."""
    return result_of(study.match, study.report())


def result_of(match: Match, report: Report) -> AnalysisResult:
    """What is stored of a report."""
    return AnalysisResult(
        report.events,
        gzip.compress(report.json(), 6),
        msgspec.json.encode(summarise(report, match)),
        pack_table(table_of(match, report)),
    )


def write_result(result: AnalysisResult) -> None:
    """Writes the line before the result, and the result."""
    packed = msgspec.msgpack.encode(result)
    sys.stdout.buffer.write(b"%s %d\n" % (RESULT, len(packed)) + packed)
    sys.stdout.buffer.flush()


def main() -> None:
    """Analyse the log on standard input."""
    data = sys.stdin.buffer.read()
    end = int(sys.argv[2]) if len(sys.argv) > 2 else len(data)
    study = Study(read_log(data[:end]), plies=int(sys.argv[1]), earlier=_earlier(data[end:]))
    events, told = len(study.match.events), 0.0
    for done in study:
        if time.monotonic() - told >= PAUSE_S:
            told = time.monotonic()
            print(done, events, flush=True)
    write_result(analysed(study))


if __name__ == "__main__":
    raise SystemExit(exit_status(main))
