"""Accounts, their logins, and how to notify their owners."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from barpoint.server.storage.schema.metadata import METADATA

ACCOUNT: Final = Table(
    "account",
    METADATA,
    Column("id", String(24), ForeignKey("guest.id"), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("name_key", String(80), nullable=False),
    Column("look", String(80), nullable=False),
    Column("password", Text, nullable=False),
    Column("email", String(254)),
    Column("email_confirmed", Boolean, nullable=False),
    Column("notices", Boolean, nullable=False),
    Column("administrator", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("banned_at", BigInteger),
    Column("ban_reason", String(200)),
    UniqueConstraint("name_key"),
    UniqueConstraint("look"),
)
"""Accounts. A guest who registers keeps their id, and so their matches. name_key: folded name for logging in.

look: what the name looks like, so that no two accounts can be confused. password: an argon2 hash. email_confirmed: the
link sent to the address was followed; no other mail is sent to it before.
"""

SESSION: Final = Table(
    "session",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("account_id", String(24), ForeignKey("account.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("agent", String(120), nullable=False),
    Index("session_by_account", "account_id"),
)
"""id: SHA-256 of the secret in the cookie, so that a leaked table gives no access. agent: the user agent."""

RECOVERY_CODE: Final = Table(
    "recovery_code",
    METADATA,
    Column("account_id", String(24), ForeignKey("account.id"), nullable=False),
    Column("code", String(64), nullable=False),
    PrimaryKeyConstraint("account_id", "code"),
)
"""SHA-256 of recovery codes; each sets a new password once."""

MAIL_LINK: Final = Table(
    "mail_link",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("account_id", String(24), ForeignKey("account.id"), nullable=False),
    Column("purpose", String(8), nullable=False),
    Column("email", String(254), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index("mail_link_by_account", "account_id"),
)
"""Links sent by mail. id: SHA-256 of the secret in the link. purpose: confirm an address, or recover a password."""

ACCESS_TOKEN: Final = Table(
    "access_token",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("name", String(40), nullable=False),
    Column("scopes", String(80), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("access_token_by_guest", "guest_id"),
)
"""Keys with which programs act for a person. id: SHA-256 of the secret. scopes: names separated by blanks."""

PUSH_SUBSCRIPTION: Final = Table(
    "push_subscription",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("endpoint", String(1000), nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("push_subscription_by_guest", "guest_id"),
)
"""Web push subscriptions of browsers. id: SHA-256 of the endpoint. p256dh, auth: the browser's keys."""

NOTICE: Final = Table(
    "notice",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    PrimaryKeyConstraint("match_id", "guest_id"),
)
"""The latest event after which a player was notified that it is their turn."""
