"""Adjourning and resuming matches, and claiming a win because the other player has left."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection

from barpoint.server.domain.matches import Adjournment, MatchHeader
from barpoint.server.storage.event_log import MATCHES, change


def put_adjournment(
    connection: Connection, header: MatchHeader, seq: int, wanted: Adjournment, deadline_at: int | None, pause_ms: int
) -> None:
    """Changes the request that is pending after event `seq`; Conflict if anything has happened since.

    pause_ms: total time that the clock gives back in the running period.
    """
    known = {"seq": seq, "pause_ms": header.pause_ms, **asdict(header.adjournment)}
    change(connection, MATCHES, header.id, known, {**asdict(wanted), "deadline_at": deadline_at, "pause_ms": pause_ms})
