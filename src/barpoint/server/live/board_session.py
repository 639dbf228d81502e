"""A session with a board, on which players try moves before they play them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

import msgspec

from barpoint.game import Game
from barpoint.game.event import MoveMade
from barpoint.server.live.event_log import EventLog, FoldState, Found, Session, StaleCommand
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage.event_log import Conflict, Draft, Log

AnyBoard = TypeVar("AnyBoard", bound="BoardSession[Any, Any]")


def is_rolled(before: Game, after: Game) -> bool:
    """Another roll lies on the board: it was made, or follows the one before without being rolled."""
    owed = after.position.us.owed
    return before.roll_id != after.roll_id or bool(owed and owed != before.position.us.owed)


class BoardSession(Session[FoldState, Found]):
    """A session with a board.

    roll_seq: the event that made the roll on the board, or the play that it follows, or reopened its play; tried moves belong to it.
    made: the tried moves. version: counts their changes.
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
        """Raises ForeignSeat if it is not this seat's turn to play."""

    @abstractmethod
    def check_moves(self, seat: int, moves: tuple[MoveMade, ...]) -> None:
        """Raises IllegalMove or PositionError unless these moves can begin this seat's play of the current roll."""

    def show_draft(self, draft: Draft | None) -> None:
        """Shows tried moves; ignores those of an earlier roll, or of one already played."""
        if draft is None or draft.seq != self.roll_seq or draft.version <= self.version or not self.board.faces:
            return
        self.made = msgspec.json.decode(draft.moves, type=tuple[tuple[int, int, int], ...])
        self.version = draft.version

    def drop_draft(self) -> None:
        """Forgets the tried moves."""
        self.made, self.version = (), 0


async def try_moves(
    log: EventLog[AnyBoard],
    tables: Log,
    session_id: str,
    seat: int,
    seq: int,
    version: int,
    moves: tuple[MoveMade, ...],
) -> None:
    """Stores tried moves for the roll of event `seq`. ForeignSeat, StaleCommand, IllegalMove."""
    async with log.locked(session_id) as session:
        if seq > session.seq:
            await log.catch_up(session)
        session.check_mover(seat)
        if seq != session.roll_seq or version != session.version + 1:
            raise StaleCommand("these moves belong to an earlier roll, or others were tried since")
        session.check_moves(seat, moves)
        draft = Draft(seq, version, msgspec.json.encode(moves).decode())
        try:
            await log.store.write(log_storage.put_draft, tables, session.id, draft)
        except Conflict as error:
            raise StaleCommand(error) from None
        session.show_draft(draft)
        log.publish(session.id)
