"""The queue of jobs for workers."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.storage.schema.shapes import METADATA, column, time

JOB: Final = sa.Table(
    "job",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    column("kind", sa.String(12)),
    column("subject", sa.String(120)),
    column("net", sa.String(24)),
    column("task", sa.LargeBinary),
    column("owner", sa.String(24)),
    column("priority", sa.Integer),
    column("turn", sa.Integer),
    time("asked_at"),
    column("worker", sa.String(24), nullable=True),
    time("leased_until", nullable=True),
    column("attempts", sa.Integer),
    column("stopped", sa.Boolean),
    column("done", sa.Integer),
    column("total", sa.Integer),
    column("progress", sa.LargeBinary, nullable=True),
    sa.UniqueConstraint("kind", "subject"),
    sa.Index("job_by_order", "priority", "turn", "id"),
)
"""Jobs that wait or run; a finished job is deleted. kind, subject, net, task, owner, priority: as in `Job`.

turn: the place in its owner's queue, so that owners take turns. worker: who works on it; null while it waits.
leased_until: the worker has it until then, and longer if it reports again. attempts: how often it was taken up.
stopped: no more is wanted than there is. done, total, progress: as in `JobState`.
"""
