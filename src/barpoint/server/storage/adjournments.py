"""Matches that are put off, gone on with, and claimed because the other player has left."""

from __future__ import annotations

from sqlalchemy import Connection, and_, update

from barpoint.server.domain.matches import Adjournment, MatchHeader
from barpoint.server.storage.matches import Conflict
from barpoint.server.storage.schema import MATCH


def put_recess(
    connection: Connection, header: MatchHeader, seq: int, recess: Adjournment, deadline_at: int | None, pause_ms: int
) -> None:
    """Changes what has been asked for after event `seq`; Conflict when anything has happened since it was looked at.

    pause_ms: all that the clock gives back in the running stretch.
    """
    old = header.recess
    same = and_(
        MATCH.c.adjourned_at.is_not_distinct_from(old.adjourned_at),
        MATCH.c.asked_by.is_not_distinct_from(old.asked_by),
        MATCH.c.claimed_by.is_not_distinct_from(old.claimed_by),
    )
    changed = connection.execute(
        update(MATCH)
        .where(and_(MATCH.c.id == header.id, MATCH.c.seq == seq, MATCH.c.pause_ms == header.pause_ms, same))
        .values(
            adjourned_at=recess.adjourned_at,
            asked_by=recess.asked_by,
            claimed_by=recess.claimed_by,
            deadline_at=deadline_at,
            pause_ms=pause_ms,
        )
    )
    if changed.rowcount != 1:
        raise Conflict(f"match {header.id} has gone on")
