"""Accounts, their logins, and how to notify their owners."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_BAN_REASON, MAX_EMAIL, MAX_LANGUAGE, MAX_NAME_KEY, MAX_TOKEN_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

ACCOUNT: Final = sa.Table(
    "account",
    METADATA,
    reference("guest", "id", primary_key=True),
    column("name", sa.String(24)),
    column("name_key", sa.String(MAX_NAME_KEY)),
    column("look", sa.String(MAX_NAME_KEY)),
    column("password", sa.Text),
    column("email", sa.String(MAX_EMAIL), nullable=True),
    column("email_confirmed", sa.Boolean),
    column("notices", sa.Boolean),
    column("administrator", sa.Boolean),
    time("created_at"),
    time("banned_at", nullable=True),
    column("ban_reason", sa.String(MAX_BAN_REASON), nullable=True),
    column("language", sa.String(MAX_LANGUAGE), nullable=True),
    column("settings", sa.Text, nullable=True),
    column("rating_shown", sa.Boolean, server_default=sa.true()),
    sa.UniqueConstraint("name_key"),
    sa.UniqueConstraint("look"),
)
"""Accounts. A guest who registers keeps their id, and so their matches. name_key: folded name for logging in.

look: what the name looks like, so that no two accounts can be confused. password: an argon2 hash. email_confirmed: the
link sent to the address was followed; no other mail is sent to it before. settings: of boards and pages, and the time zone in which
they agree on times, as JSON; null until one is kept. rating_shown: they stand in the tables of performance ratings of their clubs, and of who has them among their friends.
"""

SESSION: Final = sa.Table(
    "session",
    METADATA,
    column("id", sa.String(64), primary_key=True),
    reference("account"),
    time("created_at"),
    time("expires_at"),
    column("agent", sa.String(120)),
    sa.Index("session_by_account", "account_id"),
    sa.Index("session_by_expiry", "expires_at"),
)
"""id: SHA-256 of the secret in the cookie, so that a leaked table gives no access. expires_at: SESSION_MS after it was last used. agent: as `kept_agent`."""

RECOVERY_CODE: Final = sa.Table(
    "recovery_code",
    METADATA,
    reference("account"),
    column("code", sa.String(64)),
    sa.PrimaryKeyConstraint("account_id", "code"),
)
"""SHA-256 of recovery codes; each sets a new password once."""

MAIL_LINK: Final = sa.Table(
    "mail_link",
    METADATA,
    column("id", sa.String(64), primary_key=True),
    reference("account"),
    column("purpose", sa.String(8)),
    column("email", sa.String(MAX_EMAIL)),
    time("expires_at"),
    sa.Index("mail_link_by_account", "account_id"),
)
"""Links sent by mail. id: SHA-256 of the secret in the link. purpose: confirm an address, or recover a password."""

ACCESS_TOKEN: Final = sa.Table(
    "access_token",
    METADATA,
    column("id", sa.String(64), primary_key=True),
    reference("guest"),
    column("name", sa.String(MAX_TOKEN_NAME)),
    column("scopes", sa.String(80)),
    time("created_at"),
    sa.Index("access_token_by_guest", "guest_id"),
)
"""Keys with which programs act for a person. id: SHA-256 of the secret. scopes: names separated by blanks."""

PUSH_SUBSCRIPTION: Final = sa.Table(
    "push_subscription",
    METADATA,
    column("id", sa.String(64), primary_key=True),
    reference("guest"),
    column("endpoint", sa.String(1000)),
    column("p256dh", sa.String(100)),
    column("auth", sa.String(40)),
    time("created_at"),
    sa.Index("push_subscription_by_guest", "guest_id"),
)
"""Web push subscriptions of browsers. id: SHA-256 of the endpoint. p256dh, auth: the browser's keys."""

NOTICE: Final = sa.Table(
    "notice",
    METADATA,
    reference("match"),
    reference("guest"),
    column("seq", sa.Integer),
    sa.PrimaryKeyConstraint("match_id", "guest_id"),
)
"""The latest event after which a player was notified that it is their turn."""

ADMINISTRATION: Final = sa.Table(
    "administration",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("guest", nullable=True),
    column("act", sa.String(24)),
    column("about", sa.String(60)),
    column("note", sa.String(MAX_BAN_REASON)),
    time("at"),
    sa.Index("administration_by_guest", "guest_id"),
)
"""What administrators have done. guest_id: who; null for the command line. about: an account's name or a match's id."""
