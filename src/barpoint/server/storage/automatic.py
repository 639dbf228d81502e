"""What players of a match have asked the server to do for them. All functions take an open connection."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from barpoint.server.domain.automatic import NOTHING, AutomaticTurns, BothTurns, Rolling, StandingAnswer
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.storage.database import insert_or_update
from barpoint.server.storage.event_log import MATCHES, Conflict, lock
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.matches import AUTOMATIC_TURNS as TABLE
from barpoint.server.storage.schema.matches import MATCH


def turns_of(connection: Connection, match_id: str) -> BothTurns:
    """What both players have asked for."""
    found = {
        row.seat: AutomaticTurns(Rolling(row.rolls), row.passes, row.forced, row.bears_off, StandingAnswer(row.answer))
        for row in _TURNS.all(connection, match_id=match_id)
    }
    return found.get(0, NOTHING), found.get(1, NOTHING)


_TURNS: Final = PreparedSelect(select(TABLE).where(TABLE.c.match_id == bindparam("match_id")))


def put_turns(connection: Connection, header: MatchHeader, seat: int, turns: AutomaticTurns) -> None:
    """Stores what the holder of a seat asks for, before or after any event of the match; Conflict if it is over."""
    lock(connection, MATCHES, header.id)
    if connection.scalar(select(MATCH.c.over).where(MATCH.c.id == header.id)):
        raise Conflict("the match is over")
    values = {**asdict(turns), "rolls": turns.rolls.value, "answer": turns.answer.value}
    key = {"match_id": header.id, "seat": seat}
    insert_or_update(connection, TABLE, key, guest_id=header.seats[seat].guest, **values)


def check_turns(connection: Connection, match_id: str, known: BothTurns) -> None:
    """Conflict unless this is what both players have asked for; something may have been withdrawn."""
    if turns_of(connection, match_id) != known:
        raise Conflict("what is done automatically has been changed")


def drop_answers(connection: Connection, match_id: str) -> None:
    """Drops the standing answers of a match."""
    connection.execute(update(TABLE).where(TABLE.c.match_id == match_id).values(answer=StandingAnswer.NONE.value))


def forget_turns(connection: Connection, match_id: str) -> None:
    """Deletes what players of a match have asked for, at its end."""
    connection.execute(delete(TABLE).where(TABLE.c.match_id == match_id))
