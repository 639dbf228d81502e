"""Studies: positions in a tree with names and comments, and what readers answered."""

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

STUDY_ANSWER: Final = sa.Table(
    "study_answer",
    METADATA,
    reference("study_tree", "study_id"),
    reference("guest"),
    column("node", sa.Integer),
    time("at"),
    column("answer", sa.String(80)),
    column("loss", sa.Float),
    sa.PrimaryKeyConstraint("study_id", "guest_id", "node"),
    sa.Index("study_answer_by_person", "guest_id"),
)
"""First answers to positions of studies. answer: a play, or a cube action in English. loss: 0 where it is as good as the best."""
