"""Whom the director of a tournament can enter, in the database. All functions take an open connection."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from barpoint.server.domain.guests import Guest
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage


@dataclass(frozen=True, slots=True)
class EntryCandidate:
    """The owner of an account whom a director wants to enter.

    banned: their account is. apart: one of them has blocked the other. admitted: they may see the tournament.
    language: the one in which they are written to.
    """

    person: Guest
    banned: bool
    apart: bool
    admitted: bool
    language: str | None = None


def find_candidate(connection: Connection, tournament_id: str, name: str, director_id: str) -> EntryCandidate | None:
    """The owner of the account of that name; None if there is no such account."""
    account = account_storage.find_account(connection, name)
    person = guest_storage.get_guest(connection, account.id) if account is not None else None
    if account is None or person is None:
        return None
    return EntryCandidate(
        person,
        account.banned_at is not None,
        person.id in lobby_storage.kept_apart(connection, director_id),
        club_storage.may_see(connection, tournament_id, person.id),
        account_storage.language_of(connection, account.id),
    )
