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
    time("agreed_at", nullable=True),
    column("told", sa.Boolean),
    column("reminded", sa.Boolean),
    sa.Index("appointment_by_guest", "guest_id"),
    sa.Index("appointment_by_other", "other_id"),
    sa.Index("appointment_by_time", "agreed_at"),
)
"""The latest proposal for each match. guest_id: who made it; other_id: who accepts one of its times. times: ms since 1970, separated by blanks.

agreed_at: the one accepted; null before. told: the proposal to other_id by mail or push, or the agreement to guest_id. reminded: both, shortly
before.
"""
