"""A chouette in memory: the fold of its log, the moves being tried, and since when each player's part has stood as it does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec

from barpoint.chouette import BOX, Act, Chouette, event_from_dict, event_to_dict, kind_of
from barpoint.chouette.event import Event
from barpoint.error import IllegalMove
from barpoint.game import Next, Opening, Phase
from barpoint.game.event import MoveMade
from barpoint.moves import Turn
from barpoint.server.domain.chouettes import ChouetteHeader, ChouetteSeat, seeds_of
from barpoint.server.domain.dice import Seeds
from barpoint.server.protocol.chouette_text import ChouetteLine, told
from barpoint.server.protocol.chouette_view import ChouetteScene
from barpoint.server.storage.matches import Draft, Logged


class LiveChouette:
    """One table in memory. Only the salon changes it, under `lock`.

    lines: every event in words. commands: (actor, id) -> seq. board_seq: of the last event on the board. touched: of the
    last event in each player's own game. roll_seq, version, made: as of a match. heard: how often it was said that somebody has written; read_until: up to
    which of these it was read again.
    """

    def __init__(self, header: ChouetteHeader, places: tuple[ChouetteSeat, ...]) -> None:
        self.header, self.places = header, places
        self.table = Chouette.start(header.rules, header.terms)
        self.lines: list[ChouetteLine] = []
        self.commands: dict[tuple[str, str], int] = {}
        self.board_seq = 0
        self.touched: dict[int, int] = {}
        self.roll_seq = 0
        self.version = 0
        self.made: tuple[MoveMade, ...] = ()
        self.acted_at = header.created_at
        self.deadline_at: int | None = None
        self.heard = 0
        self.read_until = 0
        self.lock = asyncio.Lock()

    @property
    def stale(self) -> bool:
        """Whether others may have written what is not read yet."""
        return self.heard != self.read_until

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before any."""
        return len(self.table.events)

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

    def read(self, events: Iterable[Logged]) -> None:
        """Takes in events that follow from the log, as recorded."""
        for logged in events:
            event = event_from_dict(msgspec.json.decode(logged.payload))
            self.take(self.table.replay(event), logged)

    def take(self, table: Chouette, logged: Logged) -> None:
        """The table after one more event, which is in the log."""
        before, self.table = self.table, table
        event = table.events[-1]
        number = max(1, len(before.finished) + 1)
        self.lines.append(told(before, table, event, logged.seq, logged.at, number, self.name))
        if logged.command_id is not None:
            self.commands[logged.actor, logged.command_id] = logged.seq
        self.acted_at = logged.at
        known = {pair.player: pair for pair in before.pairs}
        for pair in table.pairs:
            if known.get(pair.player) != pair:
                self.touched[pair.player] = logged.seq
        if (before.board.roll_id, before.first, before.board.phase) != (
            table.board.roll_id,
            table.first,
            table.board.phase,
        ):
            self.board_seq = logged.seq
        if (before.first, before.board.roll_id) != (table.first, table.board.roll_id):
            self.roll_seq = logged.seq
        if self.roll_seq == logged.seq or table.board.phase not in (Phase.TO_PLAY, Phase.RESIGNED):
            self.made, self.version = (), 0

    def needed_seq(self, player: int, event: Event) -> int:
        """The event that a player must have seen for what he asks for to mean what he means by it."""
        if not isinstance(event, Act) or isinstance(event.event, Next):
            return 0
        if player != self.table.box:
            return max(self.board_seq, self.touched.get(player, 0)) if self.table.pair(player) else 0
        meant = event.to or tuple(self.touched)
        return max(self.board_seq, *(self.touched.get(member, 0) for member in meant), 0)

    def check_draft(self, player: int, moves: tuple[MoveMade, ...]) -> None:
        """IllegalMove when these moves cannot begin the play of the roll on the table by this player."""
        table, game = self.table, self.table.board
        mover = table.line[0] if game.player == BOX else table.captain
        if not table.playing or player != mover or game.phase is not Phase.TO_PLAY:
            raise IllegalMove("there is no roll for you to play")
        Turn(game.rules, game.position, game.faces, moves)

    def try_moves(self, draft: Draft) -> None:
        """Shows moves that are tried; those of an older roll, or of one already played, are passed over."""
        moves: tuple[MoveMade, ...] = msgspec.json.decode(draft.moves, type=tuple[tuple[int, int, int], ...])
        if draft.seq != self.roll_seq or draft.version <= self.version or not self.table.board.faces:
            return
        self.made, self.version = moves, draft.version

    def deadline(self, table: Chouette, now: int) -> int | None:
        """When whoever is waited for is out of time."""
        waits = any(place.guest is not None and place.player in table.waits_for for place in self.places)
        return now + self.header.decision_ms if waits else None


def logged(event: Event, seq: int, actor: str, command_id: str | None, at: int) -> Logged:
    """An event as the log keeps it."""
    return Logged(seq, actor, command_id, kind_of(event), msgspec.json.encode(event_to_dict(event)).decode(), at)
