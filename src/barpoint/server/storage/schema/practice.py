"""Practice: decks, cards and the answers to them, drills, the position of the day, and the days of practice."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.practice import MAX_DECK_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

DECK: Final = sa.Table(
    "deck",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("guest"),
    column("name", sa.String(MAX_DECK_NAME)),
    column("shared", sa.Boolean),
    time("created_at"),
    sa.UniqueConstraint("guest_id", "name"),
)
"""Decks of cards. shared: everybody with the link may see and copy it."""

CARD: Final = sa.Table(
    "card",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("guest"),
    reference("deck", nullable=True),
    column("digest", sa.String(64)),
    column("address", sa.Text),
    column("kind", sa.String(8)),
    column("theme", sa.String(24)),
    column("source", sa.String(120)),
    column("made", sa.String(80)),
    column("loss", sa.Float, nullable=True),
    time("created_at"),
    time("due_at"),
    column("stability", sa.Float, nullable=True),
    column("difficulty", sa.Float, nullable=True),
    time("reviewed_at", nullable=True),
    column("reviews", sa.Integer),
    column("lapses", sa.Integer),
    sa.UniqueConstraint("guest_id", "digest"),
    sa.Index("card_by_due", "guest_id", "due_at"),
)
"""Positions to practise. digest: of the address. address: of the analysis board, as JSON. kind: what is asked for.

theme: of the mistake, "" if unknown. source: the link of the moment it comes from, or "". made, loss: what was chosen
there, and what it lost. The other columns are what FSRS knows.
"""

CARD_REVIEW: Final = sa.Table(
    "card_review",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("card"),
    reference("guest"),
    time("at"),
    column("grade", sa.String(8)),
    column("loss", sa.Float),
    column("answer", sa.String(80)),
    column("before", sa.Text),
    sa.Index("card_review_by_card", "card_id", "id"),
    sa.Index("card_review_by_person", "guest_id", "at"),
)
"""Answers to cards. loss: of the answer. before: what FSRS knew of the card before it, as JSON, so that a grade can be changed."""

DRILL_ANSWER: Final = sa.Table(
    "drill_answer",
    METADATA,
    reference("guest"),
    column("question", sa.String(80)),
    column("drill", sa.String(16)),
    time("at"),
    column("right", sa.Boolean),
    column("off", sa.Float),
    column("ms", sa.Integer),
    sa.PrimaryKeyConstraint("guest_id", "question"),
    sa.Index("drill_answer_by_drill", "guest_id", "drill", "at"),
)
"""Answers to drills. question: its id, so that it is answered once. off: how far from the truth. ms: how long it took."""

DAILY_ANSWER: Final = sa.Table(
    "daily_answer",
    METADATA,
    reference("guest"),
    column("day", sa.Integer),
    column("question", sa.String(40)),
    time("at"),
    column("answer", sa.String(80)),
    column("right", sa.Boolean),
    column("off", sa.Float),
    sa.PrimaryKeyConstraint("guest_id", "day", "question"),
    sa.Index("daily_answer_by_day", "day", "question"),
)
"""Answers to positions of the day, one a person. day: since 1970. question: the decision, since another version of the program may ask
something else that day. answer: a play, or a cube action in English. off: what it loses.
"""

PRACTICE_DAY: Final = sa.Table(
    "practice_day",
    METADATA,
    reference("guest"),
    column("day", sa.Integer),
    sa.PrimaryKeyConstraint("guest_id", "day"),
)
"""The days, since 1970, on which a person practised enough for them to count."""
