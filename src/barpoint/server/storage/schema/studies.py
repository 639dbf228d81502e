"""Studies: positions in a tree with names and comments."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

STUDY_TREE: Final = sa.Table(
    "study_tree",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("guest"),
    column("tree", sa.Text),
    column("version", sa.Integer),
    time("created_at"),
    time("changed_at"),
    sa.Index("study_tree_by_person", "guest_id", "changed_at"),
)
"""Studies of accounts; everybody with the link may read one. tree: as JSON. version: counts the changes."""
