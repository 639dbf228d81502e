"""Results of real boards that count for ratings: who played there, and who has confirmed. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, exists, insert, select, update

from barpoint.server.domain.guests import Guest
from barpoint.server.storage.guests import person, select_people
from barpoint.server.storage.schema.matches import GUEST
from barpoint.server.storage.schema.results import BOARD_PLAYER, RATING_CHANGE


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """The account of a player at a real board, and whether they have confirmed the result."""

    person: Guest
    confirmed: bool


def board_players(connection: Connection, match_id: str) -> tuple[BoardPlayer, ...]:
    """The two players of a real board by seat; () before they are named."""
    rows = connection.execute(
        select_people(BOARD_PLAYER.c.confirmed_at)
        .join(BOARD_PLAYER, BOARD_PLAYER.c.guest_id == GUEST.c.id)
        .where(BOARD_PLAYER.c.match_id == match_id)
        .order_by(BOARD_PLAYER.c.seat)
    )
    return tuple(BoardPlayer(person(row), row.confirmed_at is not None) for row in rows)


def name_players(connection: Connection, match_id: str, players: Sequence[str], by: str, at: int) -> None:
    """Names the players of a real board, in place of those named before; who names themselves has confirmed."""
    drop_players(connection, match_id)
    rows = [
        {"match_id": match_id, "seat": seat, "guest_id": one, "confirmed_at": at if one == by else None}
        for seat, one in enumerate(players)
    ]
    connection.execute(insert(BOARD_PLAYER), rows)


def confirm(connection: Connection, match_id: str, guest_id: str, at: int) -> bool:
    """Records that a player confirms the result; False if they had, or do not play there."""
    own = and_(BOARD_PLAYER.c.match_id == match_id, BOARD_PLAYER.c.guest_id == guest_id)
    waiting = and_(own, BOARD_PLAYER.c.confirmed_at.is_(None))
    return connection.execute(update(BOARD_PLAYER).where(waiting).values(confirmed_at=at)).rowcount == 1


def drop_players(connection: Connection, match_id: str) -> None:
    """Forgets who played at a real board."""
    connection.execute(delete(BOARD_PLAYER).where(BOARD_PLAYER.c.match_id == match_id))


def is_counted(connection: Connection, match_id: str) -> bool:
    """Whether a match has changed ratings."""
    return bool(connection.scalar(select(exists().where(RATING_CHANGE.c.match_id == match_id))))


def confirmed_players(connection: Connection, match_id: str) -> tuple[str, str] | None:
    """The ids of the players of a real board by seat; None until both have confirmed."""
    found = board_players(connection, match_id)
    if len(found) != 2 or not all(one.confirmed for one in found):
        return None
    return found[0].person.id, found[1].person.id


def unconfirmed(connection: Connection, guest_id: str, limit: int) -> list[str]:
    """Matches of real boards whose result a person has still to confirm or refuse."""
    own = and_(BOARD_PLAYER.c.guest_id == guest_id, BOARD_PLAYER.c.confirmed_at.is_(None))
    return list(connection.scalars(select(BOARD_PLAYER.c.match_id).where(own).limit(limit)))
