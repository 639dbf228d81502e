"""Times at which two players want to play their match."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

APPOINTMENT: Final = sa.Table(
    "appointment",
    METADATA,
    reference("match", primary_key=True),
    reference("guest"),
    reference("guest", "other_id"),
    column("times", sa.String(60)),
    time("last_at"),
    time("agreed_at", nullable=True),
    time("told_at", nullable=True),
    column("reminded", sa.Boolean),
    sa.Index("appointment_by_guest", "guest_id"),
    sa.Index("appointment_by_other", "other_id"),
    sa.Index("appointment_by_time", "agreed_at"),
    sa.Index("appointment_untold", "told_at", "last_at"),
)
"""The latest proposal for each match. guest_id: who made it, or called it off; other_id: who accepts one of its times. times: ms since 1970, separated by blanks.

last_at: the last of them; 0 once other_id has seen that it was called off. agreed_at: the one accepted; null before, 0 once it was called off, when it
stands in times, before what guest_id has proposed instead while other_id was not told. times and last_at are 0 once guest_id has withdrawn them. told_at: when other_id
was told of what guest_id did by mail or push, or saw that they called a time off, or guest_id of the agreement; null before. reminded: both, shortly before.
"""
