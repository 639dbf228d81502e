"""What the analysis of another version of a match has found, for the decisions that are the same in both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Final

from msgspec.structs import replace

from barpoint.analysis.findings import CurvePoint, Decision, Findings, RollLuck
from barpoint.game import Event, Void
from barpoint.match import Match

Kept = tuple[list[Decision], list[RollLuck], list[CurvePoint]]
"""What was found of one event."""

NOTHING: Final[Kept] = ([], [], [])


class EarlierFindings:
    """What a report says of a match, by what happened in it. The report is of the same net and depth as the analysis that asks."""

    def __init__(self, match: Match, report: Findings) -> None:
        self._found: defaultdict[int, Kept] = defaultdict(lambda: ([], [], []))
        for decision in report.decisions:  # a resignation is judged when it is accepted
            self._found[decision.event + (decision.kind == "resign")][0].append(decision)
        for roll in report.rolls:
            self._found[roll.event][1].append(roll)
        for point in report.curve:
            self._found[point.event][2].append(point)
        self._seqs: dict[Hashable, tuple[Match, int]] = {}
        for seq, (before, event) in enumerate(match.history(), start=1):
            follower = match.events[seq] if seq < len(match.events) else None
            if (
                seq <= report.events and not isinstance(event, Void) and not isinstance(follower, Void)
            ):  # these rolls do not count
                self._seqs[_place(before, event)] = before, seq

    def of(self, before: Match, event: Event, seq: int) -> Kept | None:
        """What was found of this event, which has now this number; None where it did not happen so."""
        match, was = self._seqs.get(_place(before, event), (None, 0))
        if match is None or match.game != before.game or match.crawford != before.crawford:
            return None
        if before.game.rules.rerolls.other:  # whether to make the other side roll again is judged by the play before it
            return None
        decisions, rolls, curve = self._found.get(was, NOTHING)
        return (
            [replace(one, event=seq - (one.kind == "resign")) for one in decisions],
            [replace(one, event=seq) for one in rolls],
            [replace(one, event=seq) for one in curve],
        )


def _place(before: Match, event: Event) -> Hashable:
    """Where in the match something happens, and what."""
    return (
        len(before.finished),
        before.score,
        before.after_crawford,
        before.game.turn_number,
        before.game.roll_id,
        event,
    )
