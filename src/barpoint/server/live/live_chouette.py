"""A chouette in memory: the fold of its log, with the moves being tried and the last event of each player's game."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection

from barpoint.chouette import BOX, Act, Chouette, Propose, event_from_dict, event_to_dict, kind_of
from barpoint.chouette.event import ChouetteEvent
from barpoint.error import IllegalMove
from barpoint.game import Game, Next, Opening, Phase
from barpoint.game.event import MoveMade
from barpoint.moves import Turn
from barpoint.server.domain.chouettes import ChouetteHeader, ChouetteSeat, seeds_of
from barpoint.server.domain.dice import Seeds
from barpoint.server.live.board_session import BoardSession, is_rolled
from barpoint.server.protocol.chouette_text import ChouetteTold, tell
from barpoint.server.protocol.chouette_view import ChouetteScene
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage.event_log import CHOUETTES, Draft, Logged, get_draft, get_events


@dataclass(frozen=True, slots=True)
class FoundChouette:
    """The database's record of a chouette."""

    header: ChouetteHeader
    places: tuple[ChouetteSeat, ...]
    events: list[Logged]
    draft: Draft | None
    deadline_at: int | None


def find_chouette(connection: Connection, chouette_id: str, after: int) -> FoundChouette | None:
    """The database's record of a chouette, with the events after a given one; None if there is no such chouette."""
    events = get_events(connection, CHOUETTES, chouette_id, after)
    places = chouette_storage.get_seats(connection, chouette_id)
    found = chouette_storage.get_header(connection, chouette_id)  # last, so that it is never older than they are
    if found is None:
        return None
    return FoundChouette(found[0], places, events, get_draft(connection, CHOUETTES, chouette_id), found[1])


class LiveChouette(BoardSession[Chouette, FoundChouette]):
    """One chouette in memory.

    told: every event, with the data to describe it. board_seq: number of the last event on the board. touched: number of the last event in
    each player's own game. acted_at: time of the last event.
    """

    def __init__(self, header: ChouetteHeader, places: tuple[ChouetteSeat, ...]) -> None:
        super().__init__(header.id)
        self.header, self.places = header, places
        self.chouette = Chouette.start(header.rules, header.terms)
        self.told: list[ChouetteTold] = []
        self.board_seq = 0
        self.touched: dict[int, int] = {}
        self.acted_at = header.created_at
        self.deadline_at: int | None = None

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before any."""
        return len(self.chouette.events)

    @property
    def board(self) -> Game:
        """The game on the board."""
        return self.chouette.board

    @property
    def people(self) -> Collection[str]:
        """The ids of everybody who has been in the chouette."""
        return {place.guest for place in self.places if place.guest is not None}

    @property
    def game_number(self) -> int:
        """The number of the current or latest game, counted from 1."""
        return max(1, len(self.chouette.finished) + (1 if self.chouette.playing else 0))

    @property
    def seeds(self) -> Seeds:
        """The seeds of the dice of the current or latest game."""
        return seeds_of(self.header, self.chouette, self.game_number)

    @property
    def openings(self) -> int:
        """The number of opening rolls so far in this game."""
        running = self.chouette.events[self.chouette.first :]
        return sum(isinstance(event, Act) and isinstance(event.event, Opening) for event in running)

    @property
    def scene(self) -> ChouetteScene:
        """The input of a viewer's picture of the chouette."""
        return ChouetteScene(
            self.header,
            self.places,
            self.chouette,
            self.told,
            self.made,
            self.roll_seq,
            self.version,
            self.deadline_at,
        )

    def number_of(self, guest: str | None) -> int | None:
        """The number of a person who is or was in the chouette."""
        for place in self.places:
            if guest is not None and place.guest == guest:
                return place.player
        return None

    def player_of(self, guest: str | None) -> int | None:
        """The number of a person who is in the chouette now."""
        number = self.number_of(guest)
        return number if number in self.chouette.present else None

    def update(self, found: FoundChouette) -> None:
        """Takes over what the database has."""
        self.places = found.places
        self.read(found.events)
        self.deadline_at = found.deadline_at
        self.show_draft(found.draft)

    def read(self, events: Iterable[Logged]) -> None:
        """Takes over further events of the log, as recorded."""
        for logged in events:
            self.take(self.chouette.replay(event_from_dict(msgspec.json.decode(logged.payload))), logged)

    def advance(self, state: Chouette, event: Logged) -> None:
        """Takes over the chouette after one more event of the log."""
        before, self.chouette = self.chouette, state
        number = max(1, len(before.finished) + 1)
        self.told.append(tell(before, state, state.events[-1], event.seq, event.at, number))
        self.acted_at = event.at
        known = {pair.player: pair for pair in before.pairs}
        self.touched |= {pair.player: event.seq for pair in state.pairs if known.get(pair.player) != pair}
        rolled = before.first != state.first or is_rolled(before.board, state.board)
        if rolled or before.board.phase != state.board.phase:
            self.board_seq = event.seq
        if rolled:
            self.roll_seq = event.seq
        if rolled or state.board.phase not in (Phase.TO_PLAY, Phase.RESIGNED):
            self.drop_draft()

    def needed_seq(self, player: int, event: ChouetteEvent) -> int:
        """The last event a player must have seen for their command to mean what they intend."""
        if isinstance(event, Propose):
            return max(self.board_seq, self.touched.get(event.member, 0))
        if not isinstance(event, Act) or isinstance(event.event, Next):
            return 0
        if player != self.chouette.box:
            return max(self.board_seq, self.touched.get(player, 0)) if self.chouette.pair(player) else 0
        meant = event.to or tuple(self.touched)
        return max(self.board_seq, *(self.touched.get(member, 0) for member in meant), 0)

    def check_mover(self, seat: int) -> None:
        """Allows every seat: `check_moves` decides who may try moves."""

    def check_moves(self, seat: int, moves: tuple[MoveMade, ...]) -> None:
        """Raises IllegalMove unless these moves can begin this player's play of the current roll."""
        chouette, game = self.chouette, self.chouette.board
        mover = chouette.line[0] if game.player == BOX else chouette.captain
        if not chouette.playing or seat != mover or game.phase is not Phase.TO_PLAY:
            raise IllegalMove("there is no roll for you to play")
        Turn(game.rules, game.position, game.faces, moves)

    def deadline(self, chouette: Chouette, now: int) -> int | None:
        """The deadline of the players on turn."""
        waits = any(place.guest is not None and place.player in chouette.waits_for for place in self.places)
        return now + self.header.decision_ms if waits else None


def logged(event: ChouetteEvent, seq: int, actor: str, command_id: str | None, at: int) -> Logged:
    """An event in the form of the log."""
    return Logged(seq, actor, command_id, kind_of(event), msgspec.json.encode(event_to_dict(event)).decode(), at)
