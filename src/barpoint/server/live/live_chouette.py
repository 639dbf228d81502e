"""A chouette in memory: the fold of its log, with the moves being tried and the last event of each player's game."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection

from barpoint.chouette import BOX, Act, Chouette, event_from_dict, event_to_dict, kind_of
from barpoint.chouette.event import ChouetteEvent
from barpoint.error import IllegalMove
from barpoint.game import Game, Next, Opening, Phase
from barpoint.game.event import MoveMade
from barpoint.moves import Turn
from barpoint.server.domain.chouettes import ChouetteHeader, ChouetteSeat, seeds_of
from barpoint.server.domain.dice import Seeds
from barpoint.server.live.board_session import BoardSession
from barpoint.server.protocol.chouette_text import ChouetteLine, told
from barpoint.server.protocol.chouette_view import ChouetteScene
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage.event_log import CHOUETTES, Draft, Logged, get_draft, get_events


@dataclass(frozen=True, slots=True)
class FoundChouette:
    """What the database knows about a chouette."""

    header: ChouetteHeader
    places: tuple[ChouetteSeat, ...]
    events: list[Logged]
    draft: Draft | None
    deadline_at: int | None


def find_chouette(connection: Connection, chouette_id: str, after: int) -> FoundChouette | None:
    """What the database knows about a chouette, with the events after one; None where there is no such chouette."""
    events = get_events(connection, CHOUETTES, chouette_id, after)
    places = chouette_storage.get_seats(connection, chouette_id)
    found = chouette_storage.get_header(connection, chouette_id)  # read later, so that it is never older than they are
    if found is None:
        return None
    return FoundChouette(found[0], places, events, get_draft(connection, CHOUETTES, chouette_id), found[1])


class LiveChouette(BoardSession[Chouette, FoundChouette]):
    """One chouette in memory.

    lines: every event in words. board_seq: of the last event on the board. touched: of the last event in each player's own
    game. acted_at: when the last event was.
    """

    def __init__(self, header: ChouetteHeader, places: tuple[ChouetteSeat, ...]) -> None:
        super().__init__(header.id)
        self.header, self.places = header, places
        self.table = Chouette.start(header.rules, header.terms)
        self.lines: list[ChouetteLine] = []
        self.board_seq = 0
        self.touched: dict[int, int] = {}
        self.acted_at = header.created_at
        self.deadline_at: int | None = None

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before any."""
        return len(self.table.events)

    @property
    def board(self) -> Game:
        """The game on the board."""
        return self.table.board

    @property
    def people(self) -> Collection[str]:
        """The ids of the persons whom the chouette has seen."""
        return {place.guest for place in self.places if place.guest is not None}

    @property
    def game_number(self) -> int:
        """The running game, or the one just finished, counted from 1."""
        return max(1, len(self.table.finished) + (1 if self.table.playing else 0))

    @property
    def seeds(self) -> Seeds:
        """What the dice of the running game, or the one just finished, are made of."""
        return seeds_of(self.header, self.table, self.game_number)

    @property
    def openings(self) -> int:
        """How often the contest for the start has been rolled in this game."""
        running = self.table.events[self.table.first :]
        return sum(isinstance(event, Act) and isinstance(event.event, Opening) for event in running)

    @property
    def scene(self) -> ChouetteScene:
        """What a viewer's picture of it is made of."""
        return ChouetteScene(
            self.header,
            self.places,
            self.table,
            self.lines,
            self.made,
            self.roll_seq,
            self.version,
            self.deadline_at,
        )

    def place(self, player: int) -> ChouetteSeat:
        """Who has a number."""
        return self.places[player]

    def name(self, player: int) -> str:
        """What a player is called."""
        return self.places[player].name if player < len(self.places) else f"Player {player + 1}"

    def number_of(self, guest: str | None) -> int | None:
        """The number of a person whom the table has seen."""
        for place in self.places:
            if guest is not None and place.guest == guest:
                return place.player
        return None

    def player_of(self, guest: str | None) -> int | None:
        """The number of a person who is at the table now."""
        number = self.number_of(guest)
        return number if number in self.table.present else None

    def update(self, found: FoundChouette) -> None:
        """Takes over what the database has."""
        self.places = found.places
        self.read(found.events)
        self.deadline_at = found.deadline_at
        self.show_draft(found.draft)

    def read(self, events: Iterable[Logged]) -> None:
        """Takes over events that follow from the log, as recorded."""
        for logged in events:
            self.take(self.table.replay(event_from_dict(msgspec.json.decode(logged.payload))), logged)

    def advance(self, state: Chouette, event: Logged) -> None:
        """Takes over the chouette after one more event, which is in the log."""
        before, self.table = self.table, state
        number = max(1, len(before.finished) + 1)
        self.lines.append(told(before, state, state.events[-1], event.seq, event.at, number, self.name))
        self.acted_at = event.at
        known = {pair.player: pair for pair in before.pairs}
        self.touched |= {pair.player: event.seq for pair in state.pairs if known.get(pair.player) != pair}
        rolled = (before.first, before.board.roll_id) != (state.first, state.board.roll_id)
        if rolled or before.board.phase != state.board.phase:
            self.board_seq = event.seq
        if rolled:
            self.roll_seq = event.seq
        if rolled or state.board.phase not in (Phase.TO_PLAY, Phase.RESIGNED):
            self.drop_draft()

    def needed_seq(self, player: int, event: ChouetteEvent) -> int:
        """The last event that a player must have seen for their command to mean what they intend."""
        if not isinstance(event, Act) or isinstance(event.event, Next):
            return 0
        if player != self.table.box:
            return max(self.board_seq, self.touched.get(player, 0)) if self.table.pair(player) else 0
        meant = event.to or tuple(self.touched)
        return max(self.board_seq, *(self.touched.get(member, 0) for member in meant), 0)

    def check_mover(self, seat: int) -> None:
        """A chouette says with its moves who may try them."""

    def check_moves(self, seat: int, moves: tuple[MoveMade, ...]) -> None:
        """IllegalMove when these moves cannot begin the play of the roll on the board by this player."""
        table, game = self.table, self.table.board
        mover = table.line[0] if game.player == BOX else table.captain
        if not table.playing or seat != mover or game.phase is not Phase.TO_PLAY:
            raise IllegalMove("there is no roll for you to play")
        Turn(game.rules, game.position, game.faces, moves)

    def deadline(self, table: Chouette, now: int) -> int | None:
        """When whoever is waited for is out of time."""
        waits = any(place.guest is not None and place.player in table.waits_for for place in self.places)
        return now + self.header.decision_ms if waits else None


def logged(event: ChouetteEvent, seq: int, actor: str, command_id: str | None, at: int) -> Logged:
    """An event as the log keeps it."""
    return Logged(seq, actor, command_id, kind_of(event), msgspec.json.encode(event_to_dict(event)).decode(), at)
