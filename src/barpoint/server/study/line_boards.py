"""The board at a line of a match that is written down: what may be entered there, and the lines that it gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET, UnsetType, structs

from barpoint.error import BarpointError
from barpoint.game import Event, Opening, Roll
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.record.turn_lines import ReadLines, after_roll, lines_of_events, read_lines
from barpoint.server.domain.matches import BOTH
from barpoint.server.protocol.board_view import BoardView, RollAwaited
from barpoint.server.protocol.match_text import EventTold, Names, tell
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.server.study.recordings import Recording

MAX_KEPT: Final = 16
"""Matches whose lines are kept as they have been read, to go on from there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is done at a line. event: what happens there, or None. made: the moves tried before that."""

    event: Event | None = None
    made: tuple[MoveMade, ...] = ()


@dataclass(frozen=True, slots=True)
class LineBoard:
    """The board at a line. at: index of the line at which something was entered. written: the lines that take its place.

    line: index of the line that is due then. roll: that it can begin with, also where `shown` is the board after its roll.
    wrong: the text of the first line found that is not possible, and why.
    """

    at: int
    written: tuple[str, ...]
    line: int
    shown: BoardView
    roll: RollAwaited | UnsetType
    wrong: tuple[str, BarpointError] | None = None


class LineBoards:
    """Makes them; not for several threads at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, int], tuple[tuple[str, ...], Match]] = OrderedDict()

    def at(self, recording: Recording, first: int, lines: Sequence[str], at: int, entry: Entry) -> LineBoard:
        """The board at the line of index `at`, or at the first before it that is not possible; lines begin at the event of index `first`.

        Of a line that begins with a roll it is the board after the roll. IllegalEvent, IllegalMove if the entry is not possible.
        """
        known, players = recording.match, recording.players
        read = self._read(recording, first, lines[:at])
        at, match = at if read.line is None else read.line, read.match
        line = lines[at] if at < len(lines) else ""
        rolled = after_roll(match, line, players)
        if entry.event is None:
            wrong = _wrong(lines, read) or _wrong((line,), read_lines(match, (line,), players, known))
            return LineBoard(at, (), at, *_shown(recording, match, rolled, entry.made), wrong)
        rolls = isinstance(entry.event, Opening | Roll)
        before = match if rolls else rolled
        after = before.apply(entry.event)
        history = [] if before is match else [(match, before.events[-1])]
        history.append((before, after.events[-1]))
        written = tuple(one.text for one in lines_of_events(history, players))
        last = tell(before.game, after.events[-1], len(after.events), 0, len(after.finished) + (not after.game.over))
        if isinstance(entry.event, Roll):  # the line waits for the play
            return LineBoard(at, written, at, *_shown(recording, match, after, last=last))
        rest = lines[at + 1 :]
        then = after_roll(after, rest[0] if rest else "", players)
        shown = _shown(recording, after, then, last=last if then is after else None)
        wrong = _wrong(rest, read_lines(after, rest, players, known))
        return LineBoard(at, written, at + len(written), *shown, wrong)

    def _read(self, recording: Recording, first: int, lines: Sequence[str]) -> ReadLines:
        """The match after lines; those that were read the last time are not read again."""
        match, players = recording.match, recording.players
        key = recording.path, len(match.events), first
        done, begun = self._kept.pop(key, ((), None))
        if begun is None or tuple(lines[: len(done)]) != done:
            done, begun = (), Match.fold(match.rules, match.terms, match.events[:first])
        rest = lines[len(done) :]
        read = read_lines(begun, rest, players, match) if any(rest) else ReadLines(begun)
        line = None if read.line is None else read.line + len(done)
        self._kept[key] = tuple(lines[:line]), read.match
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return ReadLines(read.match, line, read.why)


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
