"""A match in memory: the fold of its log with the tried moves, and the views made from them."""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from barpoint.error import IllegalMove
from barpoint.game import Event, Game, Object, Phase
from barpoint.game.event import MoveMade, event_from_json, event_to_dict, kind_of
from barpoint.game.manual import carry
from barpoint.language import language
from barpoint.match import Match
from barpoint.moves import Turn
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.automatic import NOTHING, BothTurns
from barpoint.server.domain.matches import BOTH, Adjournment, MatchHeader, MatchSeat, SeatKind
from barpoint.server.domain.time_control import Clock, TimeControl, after_event, in_days, verdict
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.automatic import MARK
from barpoint.server.live.board_session import BoardSession, is_rolled
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.protocol.board_view import BoardView, LogLine
from barpoint.server.protocol.match_text import DECLINED, LEFT_AND_LOST, NO_REMATCH, EventTold, Names, tell
from barpoint.server.protocol.match_view import BoardScene, line, view
from barpoint.server.protocol.matches import MatchShown, SeatShown
from barpoint.server.storage import automatic as automatic_storage
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.event_log import MATCHES, Draft, Logged, get_draft, get_events
from barpoint.server.storage.matches import Snapshot
from barpoint.server.storage.results import UNRATED, MatchOutcome

NOT_STATE: Final = frozenset({"rules", "stakes", "before", "last"})
"""Fields of a game that its terms or its log already contain."""

STATE: Final = tuple(name for name in Game.__struct_fields__ if name not in NOT_STATE)
"""The other fields of a game."""

NO_DICE: Final = ',"plain_rolls":0,"owed":0'
"""What a side whose dice have nothing to do says of them: left out, as in rows from before rolls could follow others."""


NEITHER: Final[BothTurns] = (NOTHING, NOTHING)
"""Nothing is done for either player."""


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """The database's record of a match. outcome: None if it is not over and was read before.

    leaving_loses: who leaves the board before the first roll loses it; only said while that can happen.
    automatic: what both players have asked the server to do for them.
    """

    header: MatchHeader
    events: list[Logged]
    draft: Draft | None
    outcome: MatchOutcome | None
    leaving_loses: bool = False
    automatic: BothTurns = NEITHER


def find_match(connection: Connection, match_id: str, after: int) -> LoadedMatch | None:
    """The database's record of a match, with the events after a given one; None if there is no such match."""
    events = get_events(connection, MATCHES, match_id, after)
    found = match_storage.get_header_and_end(connection, match_id)  # last, so that it is never older than they are
    if found is None:
        return None
    header, over = found
    draft = get_draft(connection, MATCHES, match_id)
    outcome = result_storage.outcome(connection, header) if over or not after else None
    leaving_loses = not after and ladder_storage.leaving_loses(connection, match_id)
    automatic = automatic_storage.turns_of(connection, match_id) if in_days(header.time_control) else NEITHER
    return LoadedMatch(header, events, draft, outcome, leaving_loses, automatic)


class LiveMatch(BoardSession[Match, LoadedMatch]):
    """One match in memory.

    outcome: the players' ratings, and how the match changed them.
    leaving_loses: who leaves the board before the first roll loses it. left_by: the seat that has left it then.
    automatic: what both players have asked the server to do for them; no viewer sees that of the other one.
    logged_clock: both clocks after the last event, as logged. Without a time control they use the agreed one.
    """

    def __init__(self, header: MatchHeader, time_control: TimeControl | None = None) -> None:
        super().__init__(header.id)
        self.header = header
        self.logged_clock = Clock.start(time_control or header.clock_preset, header.terms.length)
        self.match = Match.start(rules=header.rules, terms=header.terms)
        self._told: list[EventTold] = []
        self._automatic_seqs = set[int]()
        self._untold = array("q")  # the times of the events before these
        self.outcome = UNRATED
        self.leaving_loses = False
        self.automatic = NEITHER
        self.left_by: int | None = None
        self._scene: BoardScene | None = None
        self._views: dict[tuple[int | None, str], BoardView] = {}
        self._shown: dict[str, MatchShown] = {}

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before any."""
        return len(self.match.events)

    @property
    def board(self) -> Game:
        """The game on the board."""
        return self.match.game

    @property
    def people(self) -> Collection[str]:
        """The ids of the persons who have a seat."""
        return {seat.guest for seat in self.header.seats if seat.guest is not None}

    @property
    def game_number(self) -> int:
        """The number of the current or latest game, counted from 1."""
        return _game_number(self.match)

    def update(self, found: LoadedMatch) -> None:
        """Takes over what the database has."""
        self.read(found.events)
        self.outcome = found.outcome or self.outcome
        self.leaving_loses = self.leaving_loses or found.leaving_loses
        self.automatic = found.automatic
        self.set_header(found.header)
        self.show_draft(found.draft)

    def read(self, events: Sequence[Logged]) -> None:
        """Takes over further events of the log, as recorded."""
        if not self.seq:
            self._untold = array("q", [event.at for event in events[:-1]])
        for logged in events:
            self.take(self.match.replay(event_from_json(logged.payload)), logged)

    @property
    def told(self) -> Sequence[EventTold]:
        """Every event, with the data to describe it; those that were read from the log are described when asked for."""
        if self._untold:
            match, told = Match.start(rules=self.header.rules, terms=self.header.terms), list[EventTold]()
            for event, at in zip(self.match.events, self._untold, strict=False):
                before, match = match, match.replay(event)
                told.append(tell(before.game, event, len(told) + 1, at, _game_number(match), match.game))
            self._told[:0] = told
            self._untold = array("q")
        return self._told

    def _told_after(self, seq: int) -> Sequence[EventTold]:
        """The events after event `seq`."""
        first = len(self._untold)
        return self._told[seq - first :] if seq >= first else self.told[max(0, seq) :]

    def advance(self, state: Match, event: Logged) -> None:
        """Takes over the match after one more event of the log."""
        before, self.match = self.match, state
        if event.seq > len(self._untold):
            self._told.append(tell(before.game, state.events[-1], event.seq, event.at, self.game_number, state.game))
        if event.command_id is not None and event.command_id.startswith(MARK):
            self._automatic_seqs.add(event.seq)
        if event.kind == "abort" and event.actor in ("0", "1"):
            self.left_by = int(event.actor)
        self.logged_clock = after_event(self.logged_clock.pushed(event.pause_ms), state, event.at, event.lag_ms)
        rolled = state.first != before.first or is_rolled(before.game, state.game)
        if rolled or isinstance(state.events[-1], Object):
            self.roll_seq = event.seq
        if self.roll_seq == event.seq or state.game.phase not in (Phase.TO_PLAY, Phase.TO_CORRECT, Phase.RESIGNED):
            self.drop_draft()
        self._forget_views()

    def set_header(self, header: MatchHeader) -> None:
        """Takes over a change of the match header without an event."""
        self.header = header
        self._shown.clear()
        self._forget_views()

    def start_period(self, deadline_at: int | None) -> None:
        """Starts the period after an event: without pauses, and without requests made before it."""
        header, nothing = self.header, Adjournment()
        if (header.deadline_at, header.pause_ms, header.adjournment) != (deadline_at, 0, nothing):
            self.header = dataclasses.replace(header, deadline_at=deadline_at, pause_ms=0, adjournment=nothing)
            self._forget_views()  # what `shown` says of the match stays true

    def check_mover(self, seat: int) -> None:
        """Raises ForeignSeat if it is not this seat's turn to play."""
        if seat not in (self.match.game.player, BOTH):
            raise ForeignSeat("it is not your turn")

    def check_moves(self, seat: int, moves: tuple[MoveMade, ...]) -> None:
        """Raises IllegalMove or PositionError unless these moves can begin the play of the current roll."""
        game = self.match.game
        if self.header.by_hand and game.phase is Phase.TO_PLAY:
            carry(game.rules, game.position, moves)
            return
        if game.phase not in (Phase.TO_PLAY, Phase.TO_CORRECT):
            raise IllegalMove("there is no roll to play")
        Turn(game.rules, game.position, game.faces, moves)

    def show_draft(self, draft: Draft | None) -> None:
        """Shows tried moves."""
        super().show_draft(draft)
        self._forget_views()

    def names(self, seat: int | None) -> Names:
        """The players' names for a viewer."""
        first, second = self.shown().seats
        return Names((first.name, second.name), seat)

    def shown(self) -> MatchShown:
        """The fixed part of the match, in the language that holds now."""
        spoken = language()
        if spoken not in self._shown:
            self._shown[spoken] = match_shown(self.header)
        return self._shown[spoken]

    def view(self, seat: int | None) -> BoardView:
        """The match as a viewer sees it: the holder of a seat, or a spectator."""
        viewer = seat, language()
        if viewer not in self._views:
            if self._scene is None:
                going_on = self.header.complete and self.header.adjournment.adjourned_at is None
                last = self._told[-1] if self._told else None
                self._scene = BoardScene(self.match, last, self.made, going_on, self.leaving_loses, self._quitting)
            self._views[viewer] = view(self._scene, self.names(seat))
        return self._views[viewer]

    @property
    def _quitting(self) -> tuple[int, tuple[str, str]] | None:
        """Who has ended the match before its first roll, and what is said of that; None if it means nothing."""
        if self.left_by is None:
            return None
        if self.header.seats[self.left_by].kind is SeatKind.OPEN:
            return self.left_by, DECLINED
        if self.leaving_loses:
            return self.left_by, LEFT_AND_LOST
        return (self.left_by, NO_REMATCH) if self.seq == 1 else None

    def _forget_views(self) -> None:
        """Forgets what was made of an earlier state."""
        self._scene = None
        self._views.clear()

    def lines(self, seat: int | None, after: int | None) -> tuple[LogLine, ...]:
        """The events after a given one, or for None the one that began the current game and all later ones, in words for this
        viewer."""
        start = max(0, self.match.first - 1) if after is None else after
        names = self.names(seat)
        made = self._automatic_seqs
        return tuple(
            line(told, names, self.match.rules, automatic=told.seq in made) for told in self._told_after(start)
        )

    @property
    def clock(self) -> Clock:
        """Both clocks, with the pauses since the last event given back."""
        return self.logged_clock.pushed(self.header.pause_ms)

    def lag_of(self, seat: int, lag_ms: int) -> int:
        """The lag compensation for a command of a seat: only while their clock runs, and within limit and quota."""
        return self.clock.lag_given(seat, lag_ms)

    def due(self, now: int, seat: int | None = None, lag_ms: int = 0) -> Event | None:
        """The event that the clock forces at `now`, ms since 1970. A command sent in time may still be under way.

        seat, lag_ms: of a command that has arrived; only its own lag counts.
        """
        if self.match.over or self.header.adjournment.adjourned_at is not None:
            return None
        clock = self.clock
        own = seat is not None and clock.running is not None and clock.running.player == seat
        way = self.lag_of(seat, lag_ms) if own and seat is not None else clock.grace_ms
        return verdict(clock, self.match, now - way)

    @property
    def deadline_at(self) -> int | None:
        """The next deadline, in ms since 1970."""
        return self.header.deadline_at


def _game_number(match: Match) -> int:
    """The number of the current or latest game, counted from 1."""
    return len(match.finished) + (0 if match.game.over else 1)


def match_shown(header: MatchHeader) -> MatchShown:
    """The fixed part of a match, as everybody may see it."""
    first, second = header.seats
    return MatchShown(
        id=header.id,
        variant=header.rules.name,
        title=variant_title(header.rules),
        terms=describe_agreement(header.agreement),
        length=header.terms.length,
        seats=(_seat_shown(first), _seat_shown(second)),
        commitment=header.seeds.commitment,
        rematch=header.rematch,
        rated=header.rated,
        fee=header.fee,
    )


def _seat_shown(seat: MatchSeat) -> SeatShown:
    """A seat as everybody may see it. The server's own seed appears only in the dice report."""
    told = seat.client_seed if seat.by_player else ""
    return SeatShown(seat.kind.value, seat.shown_name, seat.bot, seat.by_player, seat.commitment, told or None)


def snapshot(match: Match, deadline_at: int | None) -> Snapshot:
    """The state of a match that the database caches beside the log; a function of the fold alone."""
    return Snapshot(
        seq=len(match.events),
        state=msgspec.json.encode(_state(match)).decode().replace(NO_DICE, ""),
        to_act=match.game.actor if not match.over else None,
        over=match.over,
        deadline_at=deadline_at,
    )


def logged(event: Event, seq: int, actor: str, command_id: str | None, at: int) -> Logged:
    """An event in the form of the log, without lag compensation."""
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
    return {name: getattr(game, name) for name in STATE}
