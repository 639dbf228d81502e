"""What follows an event of a match by itself: opening rolls, and the automatic turns of players who have asked for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from sqlalchemy import Connection

from barpoint.game import Event, Opening, Phase, Roll
from barpoint.match import Match
from barpoint.server.domain.automatic import (
    KEEP_ANSWERS,
    BothTurns,
    StandingAnswer,
    automatic_event,
    may_be_automatic,
)
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.domain.time_control import in_days
from barpoint.server.live.event_log import SERVER
from barpoint.server.storage import automatic as automatic_storage
from barpoint.server.storage.event_log import Logged

MAX_AT_ONCE: Final = 200
"""Events written in one step; a position that neither side can leave would have no end."""

MARK: Final = "automatic:"
"""Begins the command ids of automatic turns. No client can send one with a colon."""


class Follower(NamedTuple):
    """An event that follows by itself, with its actor and command as the log has them."""

    event: Event
    actor: str = SERVER
    command_id: str | None = None


@dataclass(frozen=True, slots=True)
class AskedTurns:
    """What both players of a match ask for while events are made."""

    header: MatchHeader
    turns: BothTurns

    def after(self, events: Sequence[Logged]) -> BothTurns:
        """What they still ask for after these events: a standing answer is gone once it was given, or no longer fits."""
        if all(event.kind in KEEP_ANSWERS for event in events):
            return self.turns
        first, second = (replace(one, answer=StandingAnswer.NONE) for one in self.turns)
        return first, second

    def settle(self, connection: Connection, events: Sequence[Logged], *, over: bool) -> None:
        """Writes what is asked for after these events, in their transaction. Conflict if they were made by something older."""
        if not in_days(self.header.time_control):
            return
        if over:
            automatic_storage.forget_turns(connection, self.header.id)
            return
        automatic_storage.check_turns(connection, self.header.id, self.turns)
        if self.after(events) != self.turns:
            automatic_storage.drop_answers(connection, self.header.id)


class Followers:
    """Finds what follows, and rolls the dice of all matches: the only place that does."""

    def __init__(self, dice: DiceSource) -> None:
        self._dice = dice

    def after(self, match: Match, asked: AskedTurns, made: int = 0) -> Follower | None:
        """What follows now; None for nothing. made: events of this step so far."""
        header = asked.header
        if match.over or header.by_hand or not header.ready or made >= MAX_AT_ONCE:
            return None
        if match.game.phase is Phase.OPENING:
            return Follower(self.opening(header, match))
        seat = match.game.actor
        if seat is None or not may_be_automatic(header, seat) or header.adjournment.adjourned_at is not None:
            return None
        event = automatic_event(match, seat, asked.turns[seat])
        if event is None:
            return None
        return Follower(self.with_faces(header, match, event), str(seat), f"{MARK}{len(match.events) + 1}")

    def opening(self, header: MatchHeader, match: Match) -> Opening:
        """The next opening roll of the running game."""
        attempt = sum(isinstance(event, Opening) for event in match.events[match.first :]) + 1
        sides = match.game.rules.dice.sides
        return Opening(self._dice.opening(header.seeds, len(match.finished) + 1, attempt, sides))

    def with_faces(self, header: MatchHeader, match: Match, event: Event) -> Event:
        """Adds the dice to a request to roll."""
        if not isinstance(event, Roll) or header.by_hand:
            return event
        if match.over or match.game.phase not in (Phase.TO_ROLL, Phase.MUST_REROLL):
            return event  # refused without dice, with a message on what is allowed
        game, number = len(match.finished) + 1, match.game.roll_id + 1
        return Roll(event.player, self._dice.roll(header.seeds, game, number, match.game.rules.dice.rows))
