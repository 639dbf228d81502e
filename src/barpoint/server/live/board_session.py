"""A session with a board, on which moves are tried before they are played."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

import msgspec

from barpoint.game import Game
from barpoint.game.event import MoveMade
from barpoint.server.live.event_log import EventLog, FoldState, Found, Session, StaleCommand
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage.event_log import Conflict, Draft, Log

Board = TypeVar("Board", bound="BoardSession[Any, Any]")


class BoardSession(Session[FoldState, Found]):
    """A session with a board.

    roll_seq: the event that made the roll on the board, or opened its play again; tried moves belong to it.
    made: the moves that are tried. version: counts how often that was.
    """

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self.roll_seq = self.version = 0
        self.made: tuple[MoveMade, ...] = ()

    @property
    @abstractmethod
    def board(self) -> Game:
        """The game on the board."""

    @abstractmethod
    def check_mover(self, seat: int) -> None:
        """ForeignSeat where it is not for this seat to play."""

    @abstractmethod
    def check_moves(self, seat: int, moves: tuple[MoveMade, ...]) -> None:
        """IllegalMove, or PositionError, when these moves cannot begin the play of the roll on the board by this seat."""

    def show_draft(self, draft: Draft | None) -> None:
        """Shows moves that are tried; those of an older roll, or of one already played, are passed over."""
        if draft is None or draft.seq != self.roll_seq or draft.version <= self.version or not self.board.faces:
            return
        self.made = msgspec.json.decode(draft.moves, type=tuple[tuple[int, int, int], ...])
        self.version = draft.version

    def drop_draft(self) -> None:
        """Forgets the moves that are tried."""
        self.made, self.version = (), 0


async def try_moves(
    log: EventLog[Board],
    tables: Log,
    session_id: str,
    seat: int,
    seq: int,
    version: int,
    moves: tuple[MoveMade, ...],
) -> None:
    """Keeps moves that are tried for the roll of event `seq`. ForeignSeat, StaleCommand, IllegalMove."""
    async with log.locked(session_id) as session:
        if seq > session.seq:
            await log.catch_up(session)
        session.check_mover(seat)
        if seq != session.roll_seq or version != session.version + 1:
            raise StaleCommand("these moves belong to an earlier roll, or others were tried since")
        session.check_moves(seat, moves)
        draft = Draft(seq, version, msgspec.json.encode(moves).decode())
        try:
            await log.store.write(lambda connection: log_storage.put_draft(connection, tables, session.id, draft))
        except Conflict as error:
            raise StaleCommand(str(error)) from None
        session.show_draft(draft)
        log.publish(session.id)
