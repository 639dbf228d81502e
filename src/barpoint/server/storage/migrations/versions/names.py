"""Tables, columns and stored values under the names of protocol version 2 (CHANGELOG has the table of renames)."""

from __future__ import annotations

import json
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0012"
down_revision: Final = "0011"

TABLES: Final = (
    ("letter", "mail_link"),
    ("push", "push_subscription"),
    ("recovery", "recovery_code"),
    ("report", "chat_report"),
    ("summons", "direct_challenge"),
    ("token", "access_token"),
    ("tournament_game", "tournament_match"),
)
"""(name before, name after)."""

COLUMNS: Final = (
    ("match", "pace", "time_control"),
    ("challenge", "pace", "time_control"),
    ("seat", "sealed", "commitment"),
    ("seat", "token", "invitation"),
    ("mail_link", "token", "id"),
    ("tournament", "most", "max_players"),
    ("tournament_match", "game", "number"),
)
"""(table, name before, name after)."""

INDEXES: Final = (
    ("letter_by_account", "mail_link_by_account", "mail_link", ("account_id",)),
    ("push_by_guest", "push_subscription_by_guest", "push_subscription", ("guest_id",)),
    ("report_by_about", "chat_report_by_about", "chat_report", ("about_id",)),
    ("summons_by_guest", "direct_challenge_by_guest", "direct_challenge", ("guest_id",)),
    ("summons_by_other", "direct_challenge_by_other", "direct_challenge", ("other_id",)),
    ("token_by_guest", "access_token_by_guest", "access_token", ("guest_id",)),
    ("tournament_game_open", "tournament_match_open", "tournament_match", ("settled", "due_at")),
)
"""(name before, name after, table, columns)."""

PLAN: Final = {"pace": "time_control"}
"""Fields of a tournament's plan."""

GAME: Final = {
    "thrown": "last_roll",
    "throw": "roll_id",
    "throws": "roll_count",
    "open_throw": "rerollable_id",
    "called_by": "rerolled_by",
    "contest": "opening_dice",
}
"""Fields of the running game in the cached state of a match."""

ROLL: Final = {"contest": "opening"}
"""Fields of the last roll in it."""


def upgrade() -> None:
    """Renames tables, columns and stored fields; no other value changes. Deletes cached analyses."""
    for name, _, _, _ in INDEXES:
        op.drop_index(name)
    for before, after in TABLES:
        op.rename_table(before, after)
    for table, before, after in COLUMNS:
        op.alter_column(table, before, new_column_name=after)
    for _, name, table, columns in INDEXES:
        op.create_index(name, table, list(columns))
    _rewrite("tournament", "plan", lambda plan: _renamed(plan, PLAN))
    _rewrite("match", "state", _state)
    for cache in ("analysis", "review_analysis"):  # their reports have an old format; they are recomputed on request
        op.execute(sa.text(f"DELETE FROM {cache}"))


def _rewrite(table: str, column: str, change: Any) -> None:
    """Rewrites the JSON of a column with a function, row by row."""
    connection = op.get_bind()
    for row in connection.execute(sa.text(f'SELECT id, {column} AS value FROM "{table}"')).all():
        value = json.dumps(change(json.loads(row.value)), ensure_ascii=False, separators=(",", ":"))
        connection.execute(
            sa.text(f'UPDATE "{table}" SET {column} = :value WHERE id = :id'), {"id": row.id, "value": value}
        )


def _state(state: dict[str, Any]) -> dict[str, Any]:
    game = _renamed(state["game"], GAME)
    if game["last_roll"] is not None:
        game["last_roll"] = _renamed(game["last_roll"], ROLL)
    return {**state, "game": game}


def _renamed(found: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in found.items()}
