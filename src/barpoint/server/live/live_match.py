"""A match in memory: the fold of its log with the moves being tried, and the views made of them."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from barpoint.error import IllegalMove
from barpoint.game import Event, Game, Object, Opening, Phase
from barpoint.game.event import MoveMade, event_from_dict, event_to_dict, kind_of
from barpoint.game.manual import carry
from barpoint.match import Match
from barpoint.moves import Turn
from barpoint.server.domain.matches import Adjournment, MatchHeader
from barpoint.server.domain.time_control import LAG_LIMIT, Clock, TimeControl, after_event, verdict
from barpoint.server.protocol.match_text import EventTold, Names, tell
from barpoint.server.protocol.match_view import BoardScene, BoardView, LogLine, line, view
from barpoint.server.storage.matches import Draft, Logged, Snapshot
from barpoint.server.storage.results import UNRATED

NOT_STATE: Final = frozenset({"rules", "stakes", "before", "last"})
"""Fields of a game that its terms or its log say already."""


class LiveMatch:
    """One match in memory. Only the hall changes it, under `lock`.

    seq: of the last event. told: every event, with what is needed to say it. commands: (actor, id) -> seq.
    roll_seq: the event that made the roll on the table, or opened its play again; tried moves belong to it.
    version: of those moves. outcome: what the players are rated, and what the match has changed.
    logged_clock: both clocks after the last event, as the log has it. Without a time control they go by what was agreed on.
    """

    def __init__(self, header: MatchHeader, time_control: TimeControl | None = None) -> None:
        self.header = header
        self.logged_clock = Clock.start(time_control or header.clock_preset, header.terms.length)
        self.match = Match.start(rules=header.rules, terms=header.terms)
        self.told: list[EventTold] = []
        self.commands: dict[tuple[str, str], int] = {}
        self.roll_seq = 0
        self.version = 0
        self.made: tuple[MoveMade, ...] = ()
        self.lock = asyncio.Lock()
        self.outcome = UNRATED
        self._views: dict[int | None, BoardView] = {}

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before any."""
        return len(self.match.events)

    @property
    def game_number(self) -> int:
        """The running game, or the one just finished, counted from 1."""
        return len(self.match.finished) + (0 if self.match.game.over else 1)

    @property
    def openings(self) -> int:
        """How often the contest for the start has been rolled in this game."""
        return sum(isinstance(event, Opening) for event in self.match.events[self.match.first :])

    def read(self, events: Iterable[Logged]) -> None:
        """Takes in events that follow from the log, as recorded."""
        for logged in events:
            event = event_from_dict(msgspec.json.decode(logged.payload))
            self.take(self.match.replay(event), logged)

    def take(self, match: Match, logged: Logged) -> None:
        """The match after one more event, which is in the log."""
        before, self.match = self.match, match
        number = self.game_number
        self.told.append(tell(before.game, match.events[-1], logged.seq, logged.at, number))
        if logged.command_id is not None:
            self.commands[logged.actor, logged.command_id] = logged.seq
        self.logged_clock = after_event(self.logged_clock.pushed(logged.pause_ms), match, logged.at, logged.lag_ms)
        if (match.first, match.game.roll_id) != (before.first, before.game.roll_id) or isinstance(
            match.events[-1], Object
        ):
            self.roll_seq = logged.seq
        if self.roll_seq == logged.seq or match.game.phase not in (Phase.TO_PLAY, Phase.TO_CORRECT, Phase.RESIGNED):
            self.made, self.version = (), 0
        self._views.clear()

    def sit(self, header: MatchHeader) -> None:
        """Takes in what has changed about the match outside its events."""
        self.header = header
        self._views.clear()

    def goes_on(self, deadline_at: int | None) -> None:
        """Takes in that an event was written: a new stretch without pauses, and nothing that was asked for before it."""
        self.sit(dataclasses.replace(self.header, deadline_at=deadline_at, pause_ms=0, recess=Adjournment()))

    def check_draft(self, moves: tuple[MoveMade, ...]) -> None:
        """IllegalMove, or PositionError, when these moves cannot begin the play of the roll on the table."""
        game = self.match.game
        if self.header.by_hand and game.phase is Phase.TO_PLAY:
            carry(game.rules, game.position, moves)
            return
        if game.phase not in (Phase.TO_PLAY, Phase.TO_CORRECT):
            raise IllegalMove("there is no roll to play")
        Turn(game.rules, game.position, game.faces, moves)

    def try_moves(self, draft: Draft) -> None:
        """Shows moves that are tried; those of an older roll, or of one already played, are passed over."""
        moves: tuple[MoveMade, ...] = msgspec.json.decode(draft.moves, type=tuple[tuple[int, int, int], ...])
        if draft.seq != self.roll_seq or draft.version <= self.version or not self.match.game.faces:
            return
        self.made, self.version = moves, draft.version
        self._views.clear()

    def names(self, seat: int | None) -> Names:
        """What the players are called for a viewer."""
        first, second = self.header.seats
        return Names((first.name, second.name), seat)

    def view(self, seat: int | None) -> BoardView:
        """The match as the holder of a seat, or a spectator, sees it."""
        if seat not in self._views:
            going_on = self.header.complete and self.header.recess.adjourned_at is None
            scene = BoardScene(self.match, self.told[-1] if self.told else None, self.made, going_on)
            self._views[seat] = view(scene, self.names(seat))
        return self._views[seat]

    def lines(self, seat: int | None, after: int | None) -> tuple[LogLine, ...]:
        """The events after one, None for those of the game on the board, as this viewer reads them."""
        start = self.match.first if after is None else after
        names = self.names(seat)
        return tuple(line(told, names) for told in self.told[max(0, start) :])

    @property
    def clock(self) -> Clock:
        """Both clocks, with the pauses since the last event given back."""
        return self.logged_clock.pushed(self.header.pause_ms)

    def lag_of(self, seat: int, lag_ms: int) -> int:
        """What the clock gives back for the way of a command of a seat: only to whose time runs, and up to LAG_LIMIT."""
        running = self.clock.running
        return min(max(lag_ms, 0), LAG_LIMIT) if running is not None and running.player == seat else 0

    def due(self, now: int, seat: int | None = None, lag_ms: int = 0) -> Event | None:
        """What the clock demands at `now`, ms since 1970. A command that was sent in time may still be on its way.

        seat, lag_ms: of a command that has come, and by which alone its own way is counted.
        """
        if self.match.over or self.header.recess.adjourned_at is not None:
            return None
        clock = self.clock
        own = seat is not None and clock.running is not None and clock.running.player == seat
        way = self.lag_of(seat, lag_ms) if own and seat is not None else clock.grace_ms
        return verdict(clock, self.match, now - way)

    @property
    def deadline_at(self) -> int | None:
        """When something is due that nobody does, in ms since 1970."""
        return self.header.deadline_at

    def snapshot(self) -> Snapshot:
        """The cache that goes with the last event."""
        return snapshot(self.match, self.deadline_at)


def snapshot(match: Match, deadline_at: int | None) -> Snapshot:
    """The state of a match as the database keeps it beside the log; a function of the fold alone."""
    return Snapshot(
        seq=len(match.events),
        state=msgspec.json.encode(_state(match)).decode(),
        to_act=match.game.actor if not match.over else None,
        over=match.over,
        deadline_at=deadline_at,
    )


def logged(event: Event, seq: int, actor: str, command_id: str | None, at: int) -> Logged:
    """An event as the log keeps it, with nothing given back by the clock."""
    payload = msgspec.json.encode(event_to_dict(event)).decode()
    return Logged(seq, actor, command_id, kind_of(event), payload, at)


def _state(match: Match) -> dict[str, Any]:
    return {
        "score": match.score,
        "games": [{"winner": done.result.winner, "points": done.result.points} for done in match.finished],
        "crawford": match.crawford,
        "over": match.over,
        "winner": match.winner,
        "game": _game_state(match.game),
    }


def _game_state(game: Game) -> dict[str, Any]:
    return {field.name: getattr(game, field.name) for field in dataclasses.fields(game) if field.name not in NOT_STATE}
