"""Analyses, imported matches, and own notes."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time


def _of_an_analysis() -> tuple[sa.Column[Any], ...]:
    """The columns that both tables of analyses have."""
    return (
        column("net", sa.String(24)),
        column("plies", sa.Integer),
        time("made_at"),
        column("events", sa.Integer),
        column("report", sa.LargeBinary),
        column("summary", sa.LargeBinary, nullable=True),
        column("summary_version", sa.Integer, nullable=True),
        column("decisions", sa.LargeBinary, nullable=True),
        column("decisions_version", sa.Integer, nullable=True),
    )


ANALYSIS: Final = sa.Table(
    "analysis",
    METADATA,
    reference("match"),
    *_of_an_analysis(),
    sa.PrimaryKeyConstraint("match_id", "net", "plies"),
)
"""Analyses of finished matches; a cache that can be recomputed. It names no player.

net: by its content. events: of the match. report: as JSON, compressed with gzip. summary: what statistics keep of it,
as JSON, and by which version of them. decisions: what the library searches, as an array, and its version.
"""

REVIEW: Final = sa.Table(
    "review",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("guest"),
    column("digest", sa.String(64)),
    column("file", sa.String(80)),
    column("first", sa.String(48)),
    column("second", sa.String(48)),
    column("variant", sa.String(MAX_VARIANT_NAME)),
    column("length", sa.Integer),
    column("score", sa.String(24)),
    column("log", sa.LargeBinary),
    column("oddities", sa.Text, server_default="[]"),
    column("played_on", sa.String(10), server_default=sa.text("''")),
    time("created_at"),
    column("replaced_by", sa.String(16), nullable=True),
    time("replaced_at", nullable=True),
    column("played_here", sa.String(16), nullable=True),
    sa.UniqueConstraint("guest_id", "digest"),
    sa.Index("review_by_time", "created_at", "guest_id"),
    sa.Index("review_by_replacement", "replaced_by"),
)
"""Imported matches. digest: SHA-256 of its players and events; of those imported earlier, of the file. file: its name.

first, second: names of the players in the file. log: our log of the match, compressed with gzip. oddities: what was odd
about the file, as JSON. played_on: the day, such as 2026-05-03, or "". replaced_by: the corrected version, which stands in lists in its place. replaced_at: since when.
played_here: the id of the same match, where the person has played it on this server.
"""

OWN_NAME: Final = sa.Table(
    "own_name",
    METADATA,
    reference("guest"),
    column("name", sa.String(48)),
    sa.PrimaryKeyConstraint("guest_id", "name"),
)
"""The names under which a person plays in imported matches, as they have said; an empty one where they said none."""

OWN_NOTE: Final = sa.Table(
    "own_note",
    METADATA,
    reference("guest"),
    column("source", sa.String(8)),
    column("match_id", sa.String(16)),
    column("event", sa.Integer),
    column("starred", sa.Boolean),
    column("tags", sa.Text),
    column("comment", sa.Text),
    time("changed_at"),
    sa.PrimaryKeyConstraint("guest_id", "source", "match_id", "event"),
    sa.Index("own_note_by_match", "match_id"),
)
"""What accounts keep of their matches, for themselves. source: match, or review for an imported one. event: with which a decision was made,
0 for the whole match. tags: as JSON.
"""

UPLOADED_FILE: Final = sa.Table(
    "uploaded_file",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    column("upload", sa.String(16)),
    reference("guest"),
    column("name", sa.String(200)),
    column("data", sa.LargeBinary),
    time("leased_until"),
    column("refused", sa.Text, nullable=True),
    sa.Index("uploaded_file_by_guest", "guest_id"),
)
"""Files that wait to be read, and those of a person's last upload that were refused.

upload: which files came together. name: with the folder or zip. data: compressed with gzip, empty once it is refused.
leased_until: a process reads it until then. refused: why, as JSON; null while it waits.
"""

REVIEW_ANALYSIS: Final = sa.Table(
    "review_analysis",
    METADATA,
    reference("review"),
    *_of_an_analysis(),
    sa.PrimaryKeyConstraint("review_id", "net", "plies"),
)
"""Analyses of imported matches, like those of matches played here."""

POSITION_ANSWER: Final = sa.Table(
    "position_answer",
    METADATA,
    column("digest", sa.String(64)),
    column("kind", sa.String(12)),
    column("net", sa.String(24)),
    column("plies", sa.Integer),
    time("made_at"),
    column("answer", sa.LargeBinary),
    column("games", sa.LargeBinary, nullable=True),
    sa.PrimaryKeyConstraint("digest", "kind", "net", "plies"),
)
"""Answers about positions of the analysis board; a cache that can be recomputed. It names no player.

digest: of the position and what is at stake. kind: of the question. answer: as JSON. games: of a rollout.
"""
