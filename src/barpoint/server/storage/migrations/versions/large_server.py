"""Indexes for what a large server looks up often: sessions that have expired, who has blocked somebody, old imports."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0030_since_0024"
down_revision: Final = "0029_since_0024"


def upgrade() -> None:
    """Three indexes more."""
    op.create_index("session_by_expiry", "session", ["expires_at"])
    op.create_index("block_by_other", "block", ["other_id"])
    op.create_index("review_by_time", "review", ["created_at", "guest_id"])
