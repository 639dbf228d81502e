"""The tables. The event log is the truth; what stands in `match.state` is a cache of its fold.

Longer than a file should be, because it is one list: every table there is.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

METADATA: Final = MetaData()

SETTING: Final = Table(
    "setting",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the server keeps about itself: the key that signs cookies."""

GUEST: Final = Table(
    "guest",
    METADATA,
    Column("id", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("bot", Boolean, nullable=False, server_default=false()),
)
"""bot: a program plays for this guest or account, and everybody is told so; it is never taken back."""

MATCH: Final = Table(
    "match",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("variant", String(300), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    Column("server_seed", LargeBinary(32), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("to_act", Integer),
    Column("over", Boolean, nullable=False),
    Column("deadline_at", BigInteger),
    Column("rematch", String(16)),
    Column("time_control", String(24), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("fee", Integer, nullable=False),
    Column("pause_ms", BigInteger, nullable=False, default=0),
    Column("adjourned_at", BigInteger),
    Column("asked_by", Integer),
    Column("claimed_by", Integer),
    Column("claimed_until", BigInteger),
    Index("match_by_deadline", "deadline_at"),
    Index("match_by_actor", "over", "to_act"),
)
"""seq: of the last event. to_act: the seat that must act; null for both, none or the server. Times in ms since 1970.

time_control: the clock, by name. fee: whole tickets. pause_ms: given back since the last event, for time in which nobody could
play. adjourned_at, asked_by, claimed_by: as in `Adjournment`. claimed_until: a process looks after the deadline, others need not.
"""

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id")),
    Column("level", String(24)),
    Column("name", String(48), nullable=False),
    Column("client_seed", String(64), nullable=False),
    Column("commitment", String(64)),
    Column("by_player", Boolean, nullable=False),
    Column("invitation", String(24)),
    PrimaryKeyConstraint("match_id", "seat"),
    UniqueConstraint("invitation"),
    Index("seat_by_guest", "guest_id"),
)
"""kind: guest, bot or open. invitation: the secret of the link that takes an open seat. client_seed: "" while it is to come.

commitment: its SHA-256, published before it. by_player: the player gives the seed, not the server.
"""

EVENT: Final = Table(
    "event",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(8), nullable=False),
    Column("command_id", String(64)),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("lag_ms", Integer, nullable=False, default=0),
    Column("pause_ms", BigInteger, nullable=False, default=0),
    PrimaryKeyConstraint("match_id", "seq"),
    UniqueConstraint("match_id", "actor", "command_id"),
)
"""actor: "0" or "1" for a seat, "server" for what the server does by itself (then command_id is null).

lag_ms: given back for the way of the command. pause_ms: given back for time before it in which nobody could play.
"""

DRAFT: Final = Table(
    "draft",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moves", Text, nullable=False),
)
"""Moves tried and not yet committed, by whoever is to play after event `seq`. Never part of the log."""

HEARTBEAT: Final = Table(
    "heartbeat",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

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
"""A guest who has registered keeps his id, so that his matches come along. name_key: folded, to log in by.

look: what the name looks like, so that no two can be mistaken for each other. password: as argon2 writes it.
email_confirmed: a link sent there was followed; nothing else is sent to an address before.
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
"""id: SHA-256 of the secret in the cookie, so that the table opens no door. agent: what the browser calls itself."""

RECOVERY_CODE: Final = Table(
    "recovery_code",
    METADATA,
    Column("account_id", String(24), ForeignKey("account.id"), nullable=False),
    Column("code", String(64), nullable=False),
    PrimaryKeyConstraint("account_id", "code"),
)
"""SHA-256 of codes that set a new password, each once."""

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

CHALLENGE: Final = Table(
    "challenge",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("variant", String(300), nullable=False),
    Column("terms", Text, nullable=False),
    Column("time_control", String(24), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("fee", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("match_id", String(16), ForeignKey("match.id")),
    Column("quick", Boolean, nullable=False, server_default=false()),
    Index("challenge_by_guest", "guest_id"),
    Index("challenge_by_match", "match_id"),
)
"""An invitation to anybody, which carries an agreement. match_id: the match it became; null while it is open. One that is withdrawn is deleted.

quick: made by quick pairing, which looks on for somebody of like strength."""

PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
    Index("presence_by_time", "seen_at"),
)
"""When somebody's browser was last connected."""

CHAT: Final = Table(
    "chat",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("chat_by_match", "match_id", "id"),
    Index("chat_by_guest", "guest_id"),
)

MUTE: Final = Table(
    "mute",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    PrimaryKeyConstraint("match_id", "guest_id"),
)
"""Who does not want to read what others write in a match."""

BLOCK: Final = Table(
    "block",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("guest_id", "other_id"),
)
"""Whom somebody does not want to meet: neither sees the other's challenges, and neither's words reach the other."""

CHAT_REPORT: Final = Table(
    "chat_report",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("about_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("match_id", String(16), ForeignKey("match.id")),
    Column("text", String(1000), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Index("chat_report_by_about", "about_id"),
)
"""What somebody tells the administrators about somebody else."""

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
"""A key with which a program acts for somebody. id: SHA-256 of the secret. scopes: names with blanks between them."""

DIRECT_CHALLENGE: Final = Table(
    "direct_challenge",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("closed_at", BigInteger),
    Index("direct_challenge_by_guest", "guest_id"),
    Index("direct_challenge_by_other", "other_id"),
)
"""A challenge to one person: the match waits with its open seat. closed_at: accepted, declined or withdrawn."""

NOTICE: Final = Table(
    "notice",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    PrimaryKeyConstraint("match_id", "guest_id"),
)
"""The last event after which somebody was told by mail that it is his turn."""

RATING: Final = Table(
    "rating",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("pool", String(300), nullable=False),
    Column("value", Double, nullable=False),
    Column("experience", Integer, nullable=False),
    Column("glicko", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    PrimaryKeyConstraint("guest_id", "pool"),
    Index("rating_by_pool", "pool", "value"),
)
"""What somebody is rated in a pool, which is the name of the rules with their options. It follows from RATING_CHANGE."""

RATING_CHANGE: Final = Table(
    "rating_change",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("pool", String(300), nullable=False),
    Column("length", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("before", Double, nullable=False),
    Column("after", Double, nullable=False),
    Column("experience", Integer, nullable=False),
    Column("deviation", Double, nullable=False),
    UniqueConstraint("match_id", "guest_id"),
    Index("rating_change_by_guest", "guest_id", "pool", "number"),
)
"""What a match changed. number: in the order in which the changes followed from each other. after, experience,
deviation: with the match."""

TRANSFER: Final = Table(
    "transfer",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("key", String(64), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("match_id", String(16), ForeignKey("match.id")),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("key"),
    Index("transfer_by_match", "match_id"),
)
"""Play money on its way (`ledger.Transfer`); nothing is ever changed or deleted."""

LEDGER_LINE: Final = Table(
    "ledger_line",
    METADATA,
    Column("key", String(64), ForeignKey("transfer.key"), nullable=False),
    Column("account", String(40), nullable=False),
    Column("amount", BigInteger, nullable=False),
    PrimaryKeyConstraint("key", "account"),
    Index("ledger_line_by_account", "account"),
)
"""The lines of a transfer sum to zero."""

BALANCE: Final = Table(
    "balance",
    METADATA,
    Column("account", String(40), primary_key=True),
    Column("amount", BigInteger, nullable=False),
)
"""What an account has: the sum of its lines, kept so that nobody can spend twice at the same time."""

TOURNAMENT: Final = Table(
    "tournament",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("plan", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("stage", String(12), nullable=False),
    Column("starts_at", BigInteger),
    Column("players", Integer, nullable=False),
    Column("max_players", Integer, nullable=False),
    Index("tournament_by_stage", "stage", "starts_at"),
    Index("tournament_by_guest", "guest_id"),
)
"""guest_id: the director. plan: JSON. seq: of the last event; stage, players: as it stands after it."""

TOURNAMENT_EVENT: Final = Table(
    "tournament_event",
    METADATA,
    Column("tournament_id", String(16), ForeignKey("tournament.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(24)),
    Column("command_id", String(64)),
    Column("kind", String(12), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("tournament_id", "seq"),
    Index("tournament_event_command", "tournament_id", "actor", "command_id", unique=True),
)
"""What has happened in a tournament. actor: a person; null for what the server does by itself."""

TOURNAMENT_PLAYER: Final = Table(
    "tournament_player",
    METADATA,
    Column("tournament_id", String(16), ForeignKey("tournament.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    PrimaryKeyConstraint("tournament_id", "guest_id"),
    Index("tournament_player_by_guest", "guest_id"),
)
"""Persons who play, or have played, in a tournament; it follows from its events."""

TOURNAMENT_MATCH: Final = Table(
    "tournament_match",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("tournament_id", String(16), ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("settled", Boolean, nullable=False),
    Column("ends_at", BigInteger),
    UniqueConstraint("tournament_id", "number", "attempt"),
    Index("tournament_match_open", "settled", "due_at"),
)
"""A match of a tournament. number: its place in the bracket or the rounds. attempt: from 0; a voided match is played again.
due_at: a player who is not there by then loses.

settled: what became of the match stands in the tournament's log. ends_at: who has put it off by then, has it decided.
"""

FIBS_PLAYER: Final = Table(
    "fibs_player",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), primary_key=True),
    Column("preferences", Text, nullable=False),
    Column("login_at", BigInteger, nullable=False),
    Column("logout_at", BigInteger),
)
"""What somebody has set who comes by a FIBS client, as JSON, and when he was here last."""

FIBS_MESSAGE: Final = Table(
    "fibs_message",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("fibs_message_by_other", "other_id"),
)
"""Words that guest_id has left for other_id, until he comes; then they are gone."""


def _of_an_analysis() -> tuple[Column[Any], ...]:
    """How far it is, and what it says; the tables differ in what is analysed."""
    return (
        Column("net", String(24), nullable=False),
        Column("plies", Integer, nullable=False),
        Column("asked_at", BigInteger, nullable=False),
        Column("alive_at", BigInteger, nullable=False),
        Column("done", Integer, nullable=False),
        Column("events", Integer, nullable=False),
        Column("report", LargeBinary),
    )


ANALYSIS: Final = Table(
    "analysis",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    *_of_an_analysis(),
    PrimaryKeyConstraint("match_id", "net", "plies"),
)
"""Analyses of finished matches, a cache: what stands here can be worked out again. It names no player.

net: by its content. done, events: how many events are looked at, of how many. alive_at: when the process at it last said so.
report: as JSON, packed by gzip; null while it is not done.
"""

CHOUETTE: Final = Table(
    "chouette",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("variant", String(300), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    Column("server_seed", LargeBinary(32), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("decision_ms", BigInteger, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("acted_at", BigInteger, nullable=False),
    Column("deadline_at", BigInteger),
    Index("chouette_by_deadline", "deadline_at"),
    Index("chouette_by_act", "over", "acted_at"),
)
"""A table of a chouette. seq, state: as of a match. decision_ms: how long a decision may take. listed: in the lobby.

acted_at: the time of the last event. Times in ms since 1970.
"""

CHOUETTE_SEAT: Final = Table(
    "chouette_seat",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("player", Integer, nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id")),
    Column("level", String(24)),
    Column("name", String(48), nullable=False),
    PrimaryKeyConstraint("chouette_id", "player"),
    UniqueConstraint("chouette_id", "guest_id"),
    Index("chouette_seat_by_guest", "guest_id"),
)
"""Everybody a table has seen, by his number there. level: of a bot. name: of a bot; people are called as `guest` says."""

CHOUETTE_EVENT: Final = Table(
    "chouette_event",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(8), nullable=False),
    Column("command_id", String(64)),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("chouette_id", "seq"),
    UniqueConstraint("chouette_id", "actor", "command_id"),
)
"""actor: a player's number, or "server"."""

CHOUETTE_DRAFT: Final = Table(
    "chouette_draft",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moves", Text, nullable=False),
)

CHOUETTE_CHAT: Final = Table(
    "chouette_chat",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("chouette_chat_by_table", "chouette_id", "id"),
    Index("chouette_chat_by_guest", "guest_id"),
)

CHOUETTE_MUTE: Final = Table(
    "chouette_mute",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    PrimaryKeyConstraint("chouette_id", "guest_id"),
)
"""Who does not want to read what others write at a table."""

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
"""Browsers that want to be told while they are closed. id: SHA-256 of the endpoint. p256dh, auth: the browser's keys."""

REVIEW: Final = Table(
    "review",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("file", String(80), nullable=False),
    Column("first", String(48), nullable=False),
    Column("second", String(48), nullable=False),
    Column("variant", String(300), nullable=False),
    Column("length", Integer, nullable=False),
    Column("score", String(24), nullable=False),
    Column("log", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("guest_id", "digest"),
)
"""Matches from files that somebody has brought to review. digest: SHA-256 of the file. file: its name.

first, second: names of the players, as the file has them. log: our log of the match, packed by gzip.
"""

REVIEW_ANALYSIS: Final = Table(
    "review_analysis",
    METADATA,
    Column("review_id", String(16), ForeignKey("review.id"), nullable=False),
    *_of_an_analysis(),
    PrimaryKeyConstraint("review_id", "net", "plies"),
)
"""Analyses of such matches, as of those that were played here."""
