"""Accounts, sessions and mail links in the database. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, and_, delete, exists, func, insert, select, update

from barpoint.error import StoreError
from barpoint.server.domain.accounts import FORMER, SESSION_MS, Account, AccountRefused, digest
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import folded, look
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.schema.accounts import (
    ACCESS_TOKEN,
    ACCOUNT,
    MAIL_LINK,
    NOTICE,
    PUSH_SUBSCRIPTION,
    RECOVERY_CODE,
    SESSION,
)
from barpoint.server.storage.schema.chouettes import CHOUETTE_CHAT, CHOUETTE_MUTE
from barpoint.server.storage.schema.fibs import FIBS_MESSAGE, FIBS_PLAYER
from barpoint.server.storage.schema.lobby import BLOCK, CHALLENGE, CHAT, DIRECT_CHALLENGE, MUTE, PRESENCE
from barpoint.server.storage.schema.matches import GUEST, SEAT

_FIELDS = (
    ACCOUNT.c.id,
    ACCOUNT.c.name,
    ACCOUNT.c.password,
    ACCOUNT.c.email,
    ACCOUNT.c.email_confirmed,
    ACCOUNT.c.notices,
    ACCOUNT.c.administrator,
    ACCOUNT.c.created_at,
    ACCOUNT.c.banned_at,
    ACCOUNT.c.ban_reason,
)


def put_account(connection: Connection, account: Account, codes: Iterable[str]) -> None:
    """Turns a guest into an account with recovery codes; AccountRefused if the name is taken or looks like another.

    Renames the player's seats too.
    """
    same = connection.scalar(
        select(ACCOUNT.c.name).where(
            (ACCOUNT.c.name_key == folded(account.name)) | (ACCOUNT.c.look == look(account.name))
        )
    )
    if same is not None:
        alike = "is taken" if folded(same) == folded(account.name) else f"looks like {same!r}, who is here already"
        raise AccountRefused(f"the name {account.name!r} {alike}; choose another one")
    if connection.scalar(select(exists().where(ACCOUNT.c.id == account.id))):
        raise AccountRefused("this guest has an account already; log in with it")
    connection.execute(
        insert(ACCOUNT).values(
            id=account.id,
            name=account.name,
            name_key=folded(account.name),
            look=look(account.name),
            password=account.password,
            email=account.email,
            email_confirmed=account.email_confirmed,
            notices=account.notices,
            administrator=account.administrator,
            created_at=account.created_at,
            banned_at=account.banned_at,
            ban_reason=account.ban_reason,
        )
    )
    _name(connection, account.id, account.name)
    put_codes(connection, account.id, codes)


def _name(connection: Connection, account_id: str, name: str) -> None:
    connection.execute(update(GUEST).where(GUEST.c.id == account_id).values(name=name))
    connection.execute(update(SEAT).where(SEAT.c.guest_id == account_id).values(name=name))


def put_codes(connection: Connection, account_id: str, codes: Iterable[str]) -> None:
    """Gives an account new recovery codes; the old ones stop working."""
    connection.execute(delete(RECOVERY_CODE).where(RECOVERY_CODE.c.account_id == account_id))
    rows = [{"account_id": account_id, "code": digest(code)} for code in codes]
    if rows:
        connection.execute(insert(RECOVERY_CODE), rows)


def use_code(connection: Connection, account_id: str, code: str) -> bool:
    """Uses up a recovery code; returns whether it was valid."""
    used = connection.execute(
        delete(RECOVERY_CODE).where(
            and_(RECOVERY_CODE.c.account_id == account_id, RECOVERY_CODE.c.code == digest(code))
        )
    )
    return used.rowcount == 1


def find_account(connection: Connection, name: str) -> Account | None:
    """The account of that name, in any spelling that folds to it."""
    row = connection.execute(select(*_FIELDS).where(ACCOUNT.c.name_key == folded(name)[:80])).first()
    return Account(**row._mapping) if row else None


def get_account(connection: Connection, account_id: str) -> Account | None:
    """The account with that id."""
    row = connection.execute(select(*_FIELDS).where(ACCOUNT.c.id == account_id)).first()
    return Account(**row._mapping) if row else None


def all_accounts(connection: Connection) -> list[Account]:
    """Every account, in order of registration."""
    rows = connection.execute(select(*_FIELDS).order_by(ACCOUNT.c.created_at, ACCOUNT.c.id))
    return [Account(**row._mapping) for row in rows]


def looks_registered(connection: Connection, name: str) -> bool:
    """Whether a name could be mistaken for that of an account."""
    return bool(connection.scalar(select(exists().where(ACCOUNT.c.look == look(name)[:80]))))


def set_password(connection: Connection, account_id: str, password: str) -> None:
    """Stores a new password, already hashed, and ends all sessions and mail links of the account."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(password=password))
    end_sessions(connection, account_id)
    connection.execute(delete(MAIL_LINK).where(MAIL_LINK.c.account_id == account_id))


def set_email(connection: Connection, account_id: str, email: str | None) -> None:
    """Stores an address that is still to be confirmed, or None."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(email=email, email_confirmed=False))
    connection.execute(delete(MAIL_LINK).where(MAIL_LINK.c.account_id == account_id))


def set_notices(connection: Connection, account_id: str, wanted: bool) -> None:
    """Stores whether the player wants mail when it is their turn."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(notices=wanted))


def set_administrator(connection: Connection, account_id: str, administrator: bool) -> None:
    """Grants or revokes administrator rights."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(administrator=administrator))


def ban(connection: Connection, account_id: str, now: int, reason: str) -> None:
    """Bans an account; ends its sessions and withdraws its challenges."""
    connection.execute(
        update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(banned_at=now, ban_reason=reason[:200] or None)
    )
    end_sessions(connection, account_id)
    _withdraw_all(connection, account_id)


def unban(connection: Connection, account_id: str) -> None:
    """Lifts the ban of an account."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(banned_at=None, ban_reason=None))


def put_session(connection: Connection, account_id: str, secret: str, now: int, agent: str) -> None:
    """Starts a session and deletes expired ones."""
    connection.execute(delete(SESSION).where(SESSION.c.expires_at <= now))
    connection.execute(
        insert(SESSION).values(
            id=digest(secret), account_id=account_id, created_at=now, expires_at=now + SESSION_MS, agent=agent[:120]
        )
    )


def session_account(connection: Connection, secret: str, now: int) -> Guest | None:
    """Who is logged in with this secret; None if the session has expired or ended, or the account is banned."""
    row = connection.execute(
        select(ACCOUNT.c.id, ACCOUNT.c.name, ACCOUNT.c.administrator, GUEST.c.bot)
        .join(SESSION, SESSION.c.account_id == ACCOUNT.c.id)
        .join(GUEST, GUEST.c.id == ACCOUNT.c.id)
        .where(and_(SESSION.c.id == digest(secret), SESSION.c.expires_at > now, ACCOUNT.c.banned_at.is_(None)))
    ).first()
    return Guest(row.id, row.name, registered=True, administrator=row.administrator, bot=row.bot) if row else None


def end_session(connection: Connection, secret: str) -> None:
    """Logs out."""
    connection.execute(delete(SESSION).where(SESSION.c.id == digest(secret)))


def end_sessions(connection: Connection, account_id: str) -> None:
    """Ends all sessions of an account."""
    connection.execute(delete(SESSION).where(SESSION.c.account_id == account_id))


def sessions_of(connection: Connection, account_id: str, now: int) -> list[tuple[int, int, str]]:
    """(started at, expires at, user agent) of each session, latest first."""
    rows = connection.execute(
        select(SESSION.c.created_at, SESSION.c.expires_at, SESSION.c.agent)
        .where(and_(SESSION.c.account_id == account_id, SESSION.c.expires_at > now))
        .order_by(SESSION.c.created_at.desc())
    )
    return [(row.created_at, row.expires_at, row.agent) for row in rows]


def put_letter(connection: Connection, account_id: str, purpose: str, email: str, secret: str, expires_at: int) -> None:
    """Stores a link that is sent by mail; it replaces an earlier one for the same purpose."""
    connection.execute(
        delete(MAIL_LINK).where(and_(MAIL_LINK.c.account_id == account_id, MAIL_LINK.c.purpose == purpose))
    )
    connection.execute(
        insert(MAIL_LINK).values(
            id=digest(secret), account_id=account_id, purpose=purpose, email=email, expires_at=expires_at
        )
    )


def find_letter(connection: Connection, secret: str, purpose: str, now: int) -> str | None:
    """The account that a mail link belongs to."""
    wanted = and_(MAIL_LINK.c.id == digest(secret), MAIL_LINK.c.purpose == purpose, MAIL_LINK.c.expires_at > now)
    found = connection.scalar(select(MAIL_LINK.c.account_id).where(wanted))
    return None if found is None else str(found)


def confirm_email(connection: Connection, secret: str, now: int) -> bool:
    """Confirms the address that a link was sent to; returns whether the link was valid. It works only once."""
    wanted = and_(MAIL_LINK.c.id == digest(secret), MAIL_LINK.c.purpose == "confirm", MAIL_LINK.c.expires_at > now)
    row = connection.execute(select(MAIL_LINK.c.account_id, MAIL_LINK.c.email).where(wanted)).first()
    if row is None:
        return False
    connection.execute(delete(MAIL_LINK).where(MAIL_LINK.c.id == digest(secret)))
    changed = connection.execute(
        update(ACCOUNT)
        .where(and_(ACCOUNT.c.id == row.account_id, ACCOUNT.c.email == row.email))
        .values(email_confirmed=True)
    )
    return changed.rowcount == 1


def forget_account(connection: Connection, account_id: str) -> None:
    """Deletes an account. Its matches stay, without its name; StoreError if there is no such account.

    Its id, a random text, stays in seats, ratings and the ledger, so that other players' results still add up.
    """
    end_sessions(connection, account_id)
    _withdraw_all(connection, account_id)
    for table in (RECOVERY_CODE, MAIL_LINK):
        connection.execute(delete(table).where(table.c.account_id == account_id))
    for table in (CHOUETTE_MUTE, FIBS_PLAYER, MUTE, NOTICE, PRESENCE, PUSH_SUBSCRIPTION, ACCESS_TOKEN):
        connection.execute(delete(table).where(table.c.guest_id == account_id))
    for table in (BLOCK, FIBS_MESSAGE, DIRECT_CHALLENGE):
        connection.execute(delete(table).where((table.c.guest_id == account_id) | (table.c.other_id == account_id)))
    review_storage.drop_all(connection, account_id)
    for chat in (CHAT, CHOUETTE_CHAT):
        connection.execute(update(chat).where(chat.c.guest_id == account_id).values(text="(deleted)"))
    if connection.execute(delete(ACCOUNT).where(ACCOUNT.c.id == account_id)).rowcount != 1:
        raise StoreError("there is no such account")
    _name(connection, account_id, FORMER)


def count_accounts(connection: Connection) -> int:
    """The number of accounts."""
    return connection.scalar(select(func.count()).select_from(ACCOUNT)) or 0


def _withdraw_all(connection: Connection, account_id: str) -> None:
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.guest_id == account_id))


def who(connection: Connection, secret: str | None, guest_id: str | None, now: int) -> Guest | None:
    """Identifies a person by the secret of a session or by the verified id of a guest; the session takes precedence.

    The guest cookie stops working once the guest has an account.
    """
    if secret is not None and (known := session_account(connection, secret, now)) is not None:
        return known
    if guest_id is None:
        return None
    row = connection.execute(
        select(GUEST.c.id, GUEST.c.name, GUEST.c.bot)
        .outerjoin(ACCOUNT, ACCOUNT.c.id == GUEST.c.id)
        .where(and_(GUEST.c.id == guest_id, ACCOUNT.c.id.is_(None), GUEST.c.name != FORMER))
    ).first()
    return Guest(row.id, row.name, bot=row.bot) if row else None
