"""Clubs: who belongs to one, its seasons, its notices, its events and their results, and its ladders."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_CLUB_NAME, MAX_CLUB_TEXT, MAX_NOTICE_TEXT, MAX_SEASON_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

CLUB: Final = sa.Table(
    "club",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    column("name", sa.String(MAX_CLUB_NAME)),
    column("text", sa.String(MAX_CLUB_TEXT)),
    column("joining", sa.String(12)),
    column("invitation", sa.String(24)),
    time("created_at"),
    time("closed_at", nullable=True),
    column("results_shown", sa.Boolean, server_default=sa.false()),
    sa.UniqueConstraint("invitation"),
)
"""joining: an Admission. invitation: the secret of the link with which anybody joins. results_shown: see the domain's Club."""

CLUB_MEMBER: Final = sa.Table(
    "club_member",
    METADATA,
    reference("club"),
    reference("guest"),
    column("role", sa.String(12)),
    time("at"),
    sa.PrimaryKeyConstraint("club_id", "guest_id"),
    sa.Index("club_member_by_guest", "guest_id"),
)
"""role: a ClubRole. at: since when; of somebody who has asked to join, when they asked."""

CLUB_KEPT_OUT: Final = sa.Table(
    "club_kept_out",
    METADATA,
    reference("club"),
    reference("guest"),
    time("at"),
    sa.PrimaryKeyConstraint("club_id", "guest_id"),
    sa.Index("club_kept_out_by_guest", "guest_id"),
)
"""People who were removed and cannot join again. at: since when."""

CLUB_SEASON: Final = sa.Table(
    "club_season",
    METADATA,
    reference("club"),
    column("number", sa.Integer),
    column("name", sa.String(MAX_SEASON_NAME)),
    time("begun_at"),
    sa.PrimaryKeyConstraint("club_id", "number"),
)
"""number: from 1. A season lasts until the next one begins."""

CLUB_NOTICE: Final = sa.Table(
    "club_notice",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("club"),
    reference("guest"),
    column("text", sa.String(MAX_NOTICE_TEXT)),
    time("at"),
    sa.Index("club_notice_by_club", "club_id", "id"),
    sa.Index("club_notice_by_guest", "guest_id"),
)
"""What those who run a club tell its members. guest_id: who wrote it."""

CLUB_EVENT: Final = sa.Table(
    "club_event",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("club"),
    column("kind", sa.String(12)),
    column("private", sa.Boolean),
    time("created_at"),
    sa.Index("club_event_by_club", "club_id", "kind", "created_at"),
)
"""Tournaments, chouettes and matches of clubs. id: of the tournament, chouette or match. kind: an EventKind.

private: only members, and those who sit there, see it. The matches of a private tournament are in the table too.
"""

CLUB_RESULT: Final = sa.Table(
    "club_result",
    METADATA,
    column("event_id", sa.String(16)),
    column("number", sa.Integer),
    reference("guest"),
    reference("club"),
    column("won", sa.Boolean),
    column("played", sa.Boolean),
    time("at"),
    sa.PrimaryKeyConstraint("event_id", "number", "guest_id"),
    sa.Index("club_result_by_club", "club_id", "at"),
    sa.Index("club_result_by_guest", "guest_id"),
)
"""How each person did in the matches of a club's events; derived from their logs.

event_id: a tournament or a ladder. number: of its match. played: False for somebody who did not come or had left.
"""

LADDER: Final = sa.Table(
    "ladder",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("club"),
    column("plan", sa.Text),
    time("created_at"),
    time("closed_at", nullable=True),
    sa.Index("ladder_by_club", "club_id"),
)
"""plan: a LadderPlan in JSON."""

LADDER_PLACE: Final = sa.Table(
    "ladder_place",
    METADATA,
    reference("ladder"),
    reference("guest"),
    column("place", sa.Integer),
    sa.PrimaryKeyConstraint("ladder_id", "guest_id"),
    sa.Index("ladder_place_by_guest", "guest_id"),
)
"""place: from 1, with gaps where somebody is no member any more."""

LADDER_MATCH: Final = sa.Table(
    "ladder_match",
    METADATA,
    reference("match", primary_key=True),
    reference("ladder"),
    column("number", sa.Integer),
    reference("guest"),
    reference("guest", "other_id"),
    time("at"),
    time("due_at"),
    column("outcome", sa.String(12), nullable=True),
    sa.UniqueConstraint("ladder_id", "number"),
    sa.Index("ladder_match_by_guest", "guest_id"),
    sa.Index("ladder_match_open", "outcome", "due_at"),
)
"""Challenges on ladders. guest_id: the challenger; other_id: who stood above. outcome: a LadderOutcome; null while open.

due_at: until then the match must have begun.
"""
