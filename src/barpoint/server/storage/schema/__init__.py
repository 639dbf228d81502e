"""The SQL tables, by feature. The event logs are the source of truth; `match.state` caches the state they lead to.

Importing one of these modules imports all, so that the metadata always knows every table.
"""

from barpoint.server.storage.schema import (
    accounts,
    appointments,
    chouettes,
    clubs,
    fibs,
    jobs,
    lobby,
    matches,
    messages,
    own_games,
    practice,
    results,
    studies,
    study,
    tournaments,
)

__all__ = [
    "accounts",
    "appointments",
    "chouettes",
    "clubs",
    "fibs",
    "jobs",
    "lobby",
    "matches",
    "messages",
    "own_games",
    "practice",
    "results",
    "studies",
    "study",
    "tournaments",
]
