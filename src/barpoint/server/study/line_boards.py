"""The board at a line of a match that is written down: what may be entered there, and the lines that it gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET, UnsetType, structs

from barpoint.analysis.answer import before
from barpoint.error import BarpointError
from barpoint.game import Event, Opening, Roll
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.record.turn_lines import ReadLines, after_roll, lines_of_events, made_in, read_lines
from barpoint.server.domain.matches import BOTH
from barpoint.server.protocol.board_view import BoardView, RollAwaited
from barpoint.server.protocol.match_text import EventTold, Names, tell
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.server.study.recordings import Recording

MAX_KEPT: Final = 16
"""Matches whose lines are kept as they have been read, to go on from there."""

STEP: Final = 50
"""Lines at most that are read again for a board before one that was shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is done at a line. event: what happens there, or None. made: the moves tried before that."""

    event: Event | None = None
    made: tuple[MoveMade, ...] = ()


@dataclass(frozen=True, slots=True)
class LineBoard:
    """The board at a line. at: index of the line at which something was entered. written: the lines that take its place, none if nothing was.

    line: index of the line that is due then. roll: that it can begin with, also where `shown` is the board after its roll.
    wrong: the text of the first line found that is not possible, and why.
    """

    at: int
    written: tuple[str, ...]
    line: int
    shown: BoardView
    roll: RollAwaited | UnsetType
    wrong: tuple[str, BarpointError] | None = None


class _Reading:
    """A match of which lines are read: those up to the first one that has changed are not read again."""

    def __init__(self, recording: Recording, first: int) -> None:
        self._players, self._made = recording.players, made_in(recording.match)
        self._lines, self._match = list[str](), before(recording.match, first + 1)
        self._marks = [self._mark()]

    def _mark(self) -> tuple[int, Match]:
        """The match now, with the number of its events in place of them; one is kept after every STEP lines."""
        return len(self._match.events), structs.replace(self._match, events=())

    def known(self, lines: Sequence[str]) -> int:
        """How many of these lines have been read."""
        both = enumerate(zip(self._lines, lines, strict=False))
        return next((index for index, (old, new) in both if old != new), min(len(self._lines), len(lines)))

    def after(self, match: Match, lines: Sequence[str]) -> ReadLines:
        """The match after lines that follow on it; they are not kept."""
        return read_lines(match, lines, self._players, self._made)

    def read(self, lines: Sequence[str]) -> ReadLines:
        """The match after these lines."""
        known = self.known(lines)
        if known < len(self._lines):
            events, begun = self._marks[known // STEP]
            begun = structs.replace(begun, events=self._match.events[:events])
            if known == len(lines):
                return self.after(begun, lines[known // STEP * STEP :])
            del self._marks[known // STEP + 1 :], self._lines[known // STEP * STEP :]
            self._match = begun
        while (count := len(self._lines)) < len(lines):
            part = lines[count : (count // STEP + 1) * STEP]
            read = self.after(self._match, part)
            self._lines += part[: read.line]
            self._match = read.match
            if read.line is not None:
                return ReadLines(read.match, count + read.line, read.why)
            if len(self._lines) % STEP == 0:
                self._marks.append(self._mark())
        return ReadLines(self._match)


class LineBoards:
    """Makes them; not for several threads at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, int], _Reading] = OrderedDict()

    def unread(self, recording: Recording, first: int, lines: Sequence[str], at: int, entry: Entry) -> int:
        """How many lines `at` would have to read; an event of a match that is not kept counts as one."""
        kept = self._kept.get(_key(recording, first))
        known = -len(recording.match.events) if kept is None else kept.known(lines[:at])
        return (at if entry.event is None or isinstance(entry.event, Roll) else len(lines)) - known

    def at(self, recording: Recording, first: int, lines: Sequence[str], at: int, entry: Entry) -> LineBoard:
        """The board at the line of index `at`; lines begin at the event of index `first`.

        Of a line that begins with a roll it is the board after the roll. IllegalEvent, IllegalMove if the entry is not possible.
        If a line before is not possible it is the board there, and nothing is entered.
        """
        players, reading = recording.players, self._reading(recording, first)
        read = reading.read(lines[:at])
        if read.line is not None:
            at, entry = read.line, Entry()
        match, line = read.match, lines[at] if at < len(lines) else ""
        rolled = after_roll(match, line, players)
        if entry.event is None:
            wrong = _wrong(lines, read) or _wrong((line,), reading.after(match, (line,)))
            return LineBoard(at, (), at, *_shown(recording, match, rolled, entry.made), wrong)
        rolls = isinstance(entry.event, Opening | Roll)
        state = match if rolls else rolled
        after = state.apply(entry.event)
        history = [] if state is match else [(match, state.events[-1])]
        history.append((state, after.events[-1]))
        written = tuple(one.text for one in lines_of_events(history, players))
        last = tell(state.game, after.events[-1], len(after.events), 0, len(after.finished) + (not after.game.over))
        if isinstance(entry.event, Roll):  # the line waits for the play
            return LineBoard(at, written, at, *_shown(recording, match, after, last=last))
        rest = lines[at + 1 :]
        then = after_roll(after, rest[0] if rest else "", players)
        shown = _shown(recording, after, then, last=last if then is after else None)
        return LineBoard(at, written, at + len(written), *shown, _wrong(rest, reading.after(after, rest)))

    def _reading(self, recording: Recording, first: int) -> _Reading:
        """What is kept of a match."""
        key = _key(recording, first)
        if key not in self._kept:
            self._kept[key] = _Reading(recording, first)
        self._kept.move_to_end(key)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]


def _key(recording: Recording, first: int) -> tuple[str, int, int]:
    return recording.path, len(recording.match.events), first


def _wrong(lines: Sequence[str], read: ReadLines) -> tuple[str, BarpointError] | None:
    return None if read.line is None or read.why is None else (lines[read.line], read.why)


def _shown(
    recording: Recording, match: Match, rolled: Match, made: tuple[MoveMade, ...] = (), last: EventTold | None = None
) -> tuple[BoardView, RollAwaited | UnsetType]:
    """The board after the roll of a line, and the roll that is possible before it. match: before the line."""
    names = Names(recording.players, BOTH)
    shown = view(BoardScene(rolled, last, made, playing=True), names)
    roll = shown.roll if rolled is match else view(BoardScene(match, None, (), playing=True), names).roll
    if shown.turn is not None and not (rolled.game.stakes.manual or rolled.game.stakes.transcript):
        shown = structs.replace(shown, turn=structs.replace(shown.turn, free=UNSET))  # only legal plays are possible
    allowed = tuple(one for one in shown.allowed if one.kind != "abort" or rolled.game.over)
    return structs.replace(shown, allowed=allowed), roll
