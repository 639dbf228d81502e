"""Looks again at chosen decisions of an analysed match, deeper than before; also as a process of its own.

`python -m barpoint.analysis.deepening` reads a `DeepeningQuestion` as a JSON line. It writes a line after each event, how many are
done and of how many, and ends as `barpoint.analysis.worker` does. It ends early when its time is up or its input ends.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable, Collection, Iterator
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, structs

from barpoint.analysis.findings import GROUPS, Decision, Findings, RolloutDepth, totals
from barpoint.analysis.judge import CLOSE
from barpoint.analysis.process import exit_status, stopped_with_input
from barpoint.analysis.report import Report
from barpoint.analysis.rolled_decisions import DecisionRollouts
from barpoint.analysis.study import Study
from barpoint.analysis.worker import result_of, write_result
from barpoint.engine import Engine, OutcomeProbabilities
from barpoint.engine.deepest import SEARCH_PLIES
from barpoint.engine.limits import MAX_PLIES
from barpoint.match import Match, read_log

Which = Literal["blunder", "error", "doubtful", "close"]
"""The decisions that are looked at: marked so or worse, or of the cube with a choice that loses less than `CLOSE`."""

MARKS: Final = ("doubtful", "error", "blunder")
CUBE: Final = GROUPS["cube"]
KINDS: Final = (*GROUPS["plays"], *CUBE)


class Depth(Struct, frozen=True):
    """How deep. plies: of the search. rollout: how it is rolled out; None: it is not."""

    plies: Annotated[int, Meta(ge=1, le=MAX_PLIES)] = SEARCH_PLIES
    rollout: RolloutDepth | None = None

    def reached(self, one: Decision, plies: int) -> bool:
        """Whether a decision of a report of so many plies was looked at so deeply."""
        if self.rollout:
            return one.games > 0 and self.rollout.within(one.rolled or RolloutDepth())
        rolled_out = one.games > 0 or any(option.error is not None for option in one.options)
        return rolled_out or (one.plies or plies) >= self.plies


ROLLED: Final = RolloutDepth()
"""Rolled out as the deepest level does it."""


class DeepeningQuestion(Struct, frozen=True):
    """What to look at. log: of the match. report: of its analysis as JSON, compressed with gzip. seconds: after which none is begun."""

    log: bytes
    report: bytes
    events: tuple[int, ...]
    depth: Depth
    seconds: float


def chosen(report: Findings, which: Which, depth: Depth) -> tuple[int, ...]:
    """The events with decisions that are to be looked at and were not looked at so deeply before, in order."""
    found = (
        one
        for one in report.decisions
        if _wanted(one, which) and not depth.reached(one, report.plies) and not (depth.rollout and _to_beaver(one))
    )
    return tuple(sorted({one.event for one in found}))


def _wanted(one: Decision, which: Which) -> bool:
    if which == "close":
        return one.kind in CUBE and one.counted and len(one.options) > 1 and one.options[1].loss < CLOSE
    return one.kind in KINDS and one.mark in MARKS[MARKS.index(which) :]


def _to_beaver(one: Decision) -> bool:
    """Whether it answers a beaver or raccoon, for which no cube is rolled out."""
    return one.kind in CUBE and one.cube is None


class Deepening:
    """A second look at some events of an analysed match. `for done in deepening: ...` carries it out; `report()` is possible at any time.

    stopped: asked again and again; what was being rolled out when it says so is left as it was. engine: of the first look; its net and table of match equities judge again.
    """

    def __init__(
        self,
        match: Match,
        report: Report,
        events: Collection[int],
        depth: Depth,
        engine: Engine[OutcomeProbabilities],
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._first, self._events, self._depth, self._stopped = report, frozenset(events), depth, stopped
        rollouts = DecisionRollouts(depth.rollout, lambda: not stopped()) if depth.rollout else None
        self._study = Study(match, engine=engine.at_depth(depth.plies), luck=False, rollouts=rollouts)

    def __iter__(self) -> Iterator[int]:
        """Looks at one event after the other, and yields how many are done."""
        done = 0
        for seq, (before, event) in enumerate(self._study.match.history(), start=1):
            if seq in self._events:
                known = len(self._study.decisions)
                self._study.analyse_event(before, event, before.replay(event), seq)
                if self._stopped():
                    del self._study.decisions[known:]
                    return
                done += 1
                yield done

    def report(self) -> Report:
        """The report with what was found in place of the shallower findings, and its totals."""
        first, depth = self._first, self._depth
        plies = None if depth.rollout else depth.plies
        rolled = None if depth.rollout == RolloutDepth() else depth.rollout
        found = {_key(one): structs.replace(one, plies=plies, rolled=rolled) for one in self._study.decisions}
        if depth.rollout:
            found = {key: one for key, one in found.items() if one.games}
        old = {_key(one) for one in first.decisions if one.kind in KINDS and not depth.reached(one, first.plies)}
        found = {key: one for key, one in found.items() if key in old}
        decisions = tuple(found.get(_key(one), one) for one in first.decisions)
        events = {one.event for one in found.values() if one.kind == "play"}
        curve = {point.event: point for point in self._study.curve if point.event in events}
        names = first.names
        return structs.replace(
            first,
            decisions=decisions,
            curve=tuple(curve.get(point.event, point) for point in first.curve),
            players=(
                totals(names[0], 0, decisions, first.rolls),
                totals(names[1], 1, decisions, first.rolls),
            ),
        )


def _key(one: Decision) -> tuple[int, int, str]:
    return one.event, one.player, one.kind


def main() -> None:
    """Look at what the question on standard input says."""
    begun = time.monotonic()
    question = msgspec.json.decode(sys.stdin.buffer.readline(), type=DeepeningQuestion)
    stopped = stopped_with_input()
    match = read_log(question.log)
    report = msgspec.json.decode(gzip.decompress(question.report), type=Report)
    deepening = Deepening(match, report, question.events, question.depth, Engine(match.rules), stopped.is_set)
    for done in deepening:
        print(done, len(question.events), flush=True)
        if time.monotonic() - begun >= question.seconds:
            break
    write_result(result_of(match, deepening.report()))


if __name__ == "__main__":
    raise SystemExit(exit_status(main))
