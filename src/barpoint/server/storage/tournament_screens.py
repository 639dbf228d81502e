"""Links that show a tournament on a big screen to whoever has them."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from barpoint.server.storage.schema.tournaments import TOURNAMENT_SCREEN


def screen_link_of(connection: Connection, tournament_id: str) -> str | None:
    """The secret of the link that shows a tournament on a big screen; None without one."""
    return connection.scalar(
        select(TOURNAMENT_SCREEN.c.secret).where(TOURNAMENT_SCREEN.c.tournament_id == tournament_id)
    )


def find_screen_link(connection: Connection, secret: str) -> str | None:
    """The tournament that a link shows on a big screen."""
    return connection.scalar(select(TOURNAMENT_SCREEN.c.tournament_id).where(TOURNAMENT_SCREEN.c.secret == secret))


def set_screen_link(connection: Connection, tournament_id: str, secret: str | None) -> None:
    """Replaces the link of the big screen; None withdraws it."""
    connection.execute(delete(TOURNAMENT_SCREEN).where(TOURNAMENT_SCREEN.c.tournament_id == tournament_id))
    if secret is not None:
        connection.execute(insert(TOURNAMENT_SCREEN).values(tournament_id=tournament_id, secret=secret))
