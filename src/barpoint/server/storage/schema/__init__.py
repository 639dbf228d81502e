"""The SQL tables, by feature. The event logs are the source of truth; `match.state` caches the state they lead to."""

from barpoint.server.storage.schema.accounts import (
    ACCESS_TOKEN,
    ACCOUNT,
    MAIL_LINK,
    NOTICE,
    PUSH_SUBSCRIPTION,
    RECOVERY_CODE,
    SESSION,
)
from barpoint.server.storage.schema.chouettes import (
    CHOUETTE,
    CHOUETTE_CHAT,
    CHOUETTE_DRAFT,
    CHOUETTE_EVENT,
    CHOUETTE_MUTE,
    CHOUETTE_SEAT,
)
from barpoint.server.storage.schema.fibs import FIBS_MESSAGE, FIBS_PLAYER
from barpoint.server.storage.schema.lobby import BLOCK, CHALLENGE, CHAT, CHAT_REPORT, DIRECT_CHALLENGE, MUTE, PRESENCE
from barpoint.server.storage.schema.matches import DRAFT, EVENT, GUEST, HEARTBEAT, MATCH, SEAT, SETTING
from barpoint.server.storage.schema.metadata import METADATA
from barpoint.server.storage.schema.results import BALANCE, LEDGER_LINE, RATING, RATING_CHANGE, TRANSFER
from barpoint.server.storage.schema.study import ANALYSIS, REVIEW, REVIEW_ANALYSIS
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_EVENT, TOURNAMENT_MATCH, TOURNAMENT_PLAYER

__all__ = [
    "ACCESS_TOKEN",
    "ACCOUNT",
    "ANALYSIS",
    "BALANCE",
    "BLOCK",
    "CHALLENGE",
    "CHAT",
    "CHAT_REPORT",
    "CHOUETTE",
    "CHOUETTE_CHAT",
    "CHOUETTE_DRAFT",
    "CHOUETTE_EVENT",
    "CHOUETTE_MUTE",
    "CHOUETTE_SEAT",
    "DIRECT_CHALLENGE",
    "DRAFT",
    "EVENT",
    "FIBS_MESSAGE",
    "FIBS_PLAYER",
    "GUEST",
    "HEARTBEAT",
    "LEDGER_LINE",
    "MAIL_LINK",
    "MATCH",
    "METADATA",
    "MUTE",
    "NOTICE",
    "PRESENCE",
    "PUSH_SUBSCRIPTION",
    "RATING",
    "RATING_CHANGE",
    "RECOVERY_CODE",
    "REVIEW",
    "REVIEW_ANALYSIS",
    "SEAT",
    "SESSION",
    "SETTING",
    "TOURNAMENT",
    "TOURNAMENT_EVENT",
    "TOURNAMENT_MATCH",
    "TOURNAMENT_PLAYER",
    "TRANSFER",
]
