"""Accounts, sessions and mail links in the database. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import tzinfo
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, insert, or_, select, update

from barpoint.server.domain.accounts import SESSION_MS, Account, AccountRefused, AccountSession, digest, kept_agent
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_BAN_REASON
from barpoint.server.domain.names import folded, look
from barpoint.server.domain.own_settings import OwnSettings, changed, in_zone, zone_of
from barpoint.server.domain.seat_names import FORMER
from barpoint.server.storage import push as push_storage
from barpoint.server.storage.database import columns_of, count
from barpoint.server.storage.guests import REGISTERED, person, select_people
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.accounts import ACCESS_TOKEN, ACCOUNT, MAIL_LINK, RECOVERY_CODE, SESSION
from barpoint.server.storage.schema.lobby import CHALLENGE
from barpoint.server.storage.schema.matches import GUEST, SEAT

_FIELDS = columns_of(ACCOUNT, Account)


def check_free(connection: Connection, name: str, own_id: str = "") -> None:
    """AccountRefused if the name is taken or looks like another. own_id: the account that may have it already."""
    alike = or_(ACCOUNT.c.name_key == folded(name), ACCOUNT.c.look == look(name))
    same = connection.scalar(select(ACCOUNT.c.name).where(alike, ACCOUNT.c.id != own_id))
    if same is None:
        return
    if folded(same) == folded(name):
        raise AccountRefused("the name %(name)r is taken; choose another one", name=name)
    raise AccountRefused(
        "the name %(name)r looks like %(same)r, who is here already; choose another one", name=name, same=same
    )


def put_account(connection: Connection, account: Account, codes: Iterable[str]) -> None:
    """Turns a guest into an account with recovery codes; AccountRefused if the name is not free.

    Renames the player's seats too.
    """
    check_free(connection, account.name)
    if count(connection, ACCOUNT, ACCOUNT.c.id == account.id):
        raise AccountRefused("this guest has an account already; log in with it")
    keys = {"name_key": folded(account.name), "look": look(account.name)}
    connection.execute(insert(ACCOUNT).values(**asdict(account), **keys))
    rename(connection, account.id, account.name)
    put_codes(connection, account.id, codes)


def rename(connection: Connection, account_id: str, name: str) -> None:
    """Changes the name of an account's owner where others see it, and in their matches."""
    connection.execute(update(GUEST).where(GUEST.c.id == account_id).values(name=name))
    connection.execute(update(SEAT).where(SEAT.c.guest_id == account_id).values(name=name))


def rename_account(connection: Connection, account: Account, name: str) -> None:
    """Gives an account another name; AccountRefused if it is not free. The old one is free then."""
    check_free(connection, name, account.id)
    _update(connection, account.id, name=name, name_key=folded(name), look=look(name))
    rename(connection, account.id, name)


def put_codes(connection: Connection, account_id: str, codes: Iterable[str]) -> None:
    """Gives an account new recovery codes; the old ones stop working."""
    connection.execute(delete(RECOVERY_CODE).where(RECOVERY_CODE.c.account_id == account_id))
    rows = [{"account_id": account_id, "code": digest(code)} for code in codes]
    if rows:
        connection.execute(insert(RECOVERY_CODE), rows)


def use_code(connection: Connection, account_id: str, code: str) -> bool:
    """Uses up a recovery code; returns whether it was valid."""
    own = and_(RECOVERY_CODE.c.account_id == account_id, RECOVERY_CODE.c.code == digest(code))
    return connection.execute(delete(RECOVERY_CODE).where(own)).rowcount == 1


def find_account(connection: Connection, name: str) -> Account | None:
    """The account of that name, in any spelling that folds to it."""
    return _account(connection, ACCOUNT.c.name_key == folded(name))


def get_account(connection: Connection, account_id: str) -> Account | None:
    """The account with that id."""
    return _account(connection, ACCOUNT.c.id == account_id)


def _account(connection: Connection, condition: ColumnElement[bool]) -> Account | None:
    row = connection.execute(select(*_FIELDS).where(condition)).first()
    return Account(*row) if row else None


def all_accounts(connection: Connection) -> list[Account]:
    """Every account, in order of registration."""
    chosen = select(*_FIELDS).order_by(ACCOUNT.c.created_at, ACCOUNT.c.id)
    return [Account(*row) for row in connection.execute(chosen)]


def looks_registered(connection: Connection, name: str) -> bool:
    """Whether a name could be mistaken for that of an account."""
    return count(connection, ACCOUNT, ACCOUNT.c.look == look(name)) > 0


def _update(connection: Connection, account_id: str, **values: object) -> None:
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(**values))


def set_password(connection: Connection, account_id: str, password: str) -> None:
    """Stores a new password, already hashed, and ends all access and mail links of the account."""
    _update(connection, account_id, password=password)
    end_access(connection, account_id)
    connection.execute(delete(MAIL_LINK).where(MAIL_LINK.c.account_id == account_id))


def set_email(connection: Connection, account_id: str, email: str | None) -> None:
    """Stores an address that is still to be confirmed, or None."""
    _update(connection, account_id, email=email, email_confirmed=False)
    connection.execute(delete(MAIL_LINK).where(MAIL_LINK.c.account_id == account_id))


def set_notices(connection: Connection, account_id: str, wanted: bool) -> None:
    """Stores whether the player wants mail when it is their turn."""
    _update(connection, account_id, notices=wanted)


def set_language(connection: Connection, account_id: str, language: str) -> None:
    """Stores the language in which the player is written to."""
    _update(connection, account_id, language=language)


def language_of(connection: Connection, account_id: str) -> str | None:
    """The language that the owner of an account has chosen."""
    return connection.scalar(select(ACCOUNT.c.language).where(ACCOUNT.c.id == account_id))


def change_settings(connection: Connection, account_id: str, change: OwnSettings) -> None:
    """Stores the settings of boards and pages that are changed."""
    _update(connection, account_id, settings=changed(_settings(connection, account_id), change))


def set_zone(connection: Connection, account_id: str, zone: tzinfo) -> None:
    """Stores the time zone in which the player is written to."""
    kept = _settings(connection, account_id)
    if zone_of(kept) != zone:
        _update(connection, account_id, settings=in_zone(kept, zone))


def _settings(connection: Connection, account_id: str) -> str | None:
    return connection.scalar(select(ACCOUNT.c.settings).where(ACCOUNT.c.id == account_id).with_for_update())


def set_administrator(connection: Connection, account_id: str, administrator: bool) -> None:
    """Grants or revokes administrator rights."""
    _update(connection, account_id, administrator=administrator)


def ban(connection: Connection, account_id: str, now: int, reason: str) -> None:
    """Bans an account; ends all access to it and withdraws its challenges."""
    _update(connection, account_id, banned_at=now, ban_reason=reason[:MAX_BAN_REASON] or None)
    end_access(connection, account_id)
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.guest_id == account_id))


def unban(connection: Connection, account_id: str) -> None:
    """Lifts the ban of an account."""
    _update(connection, account_id, banned_at=None, ban_reason=None)


def put_session(connection: Connection, account_id: str, secret: str, now: int, agent: str) -> None:
    """Starts a session and deletes expired ones."""
    connection.execute(delete(SESSION).where(SESSION.c.expires_at <= now))
    connection.execute(
        insert(SESSION).values(
            id=digest(secret),
            account_id=account_id,
            created_at=now,
            expires_at=now + SESSION_MS,
            agent=kept_agent(agent),
        )
    )


_OF_SESSION: Final = PreparedSelect(
    select_people(ACCOUNT.c.administrator, ACCOUNT.c.settings, SESSION.c.expires_at)
    .join(SESSION, SESSION.c.account_id == ACCOUNT.c.id)
    .where(SESSION.c.id == bindparam("session"), SESSION.c.expires_at > bindparam("now"), ACCOUNT.c.banned_at.is_(None))
)
"""Who is logged in with session :session at :now, and when it ends if nobody prolongs it."""


def prolong_session(connection: Connection, secret: str, now: int) -> bool:
    """Lets a session last as long as one that begins now; False if there is none."""
    own = update(SESSION).where(SESSION.c.id == digest(secret))
    return connection.execute(own.values(expires_at=now + SESSION_MS)).rowcount == 1


def end_session(connection: Connection, secret: str) -> None:
    """Logs out."""
    connection.execute(delete(SESSION).where(SESSION.c.id == digest(secret)))


def end_sessions(connection: Connection, account_id: str) -> None:
    """Ends all sessions of an account; its browsers are told nothing by push any more."""
    connection.execute(delete(SESSION).where(SESSION.c.account_id == account_id))
    push_storage.drop_all(connection, account_id)


def end_access(connection: Connection, account_id: str) -> None:
    """Ends all sessions of an account and withdraws the tokens of its programs."""
    end_sessions(connection, account_id)
    connection.execute(delete(ACCESS_TOKEN).where(ACCESS_TOKEN.c.guest_id == account_id))


def end_one_session(connection: Connection, account_id: str, session_id: str, endpoint: str) -> bool:
    """Ends a session of an account; whether it was one.

    Nobody knows which browser is told by push of which session: all but the one with this endpoint are told nothing any more.
    """
    own = and_(SESSION.c.account_id == account_id, SESSION.c.id == session_id)
    if connection.execute(delete(SESSION).where(own)).rowcount == 0:
        return False
    push_storage.drop_others(connection, account_id, endpoint)
    return True


def sessions_of(connection: Connection, account_id: str, now: int) -> list[AccountSession]:
    """The sessions of an account, the one that was last used first."""
    open_ones = and_(SESSION.c.account_id == account_id, SESSION.c.expires_at > now)
    rows = connection.execute(
        select(SESSION.c.id, SESSION.c.created_at, SESSION.c.expires_at, SESSION.c.agent)
        .where(open_ones)
        .order_by(SESSION.c.expires_at.desc(), SESSION.c.created_at.desc())
    )
    return [AccountSession(row.id, row.created_at, row.expires_at - SESSION_MS, row.agent) for row in rows]


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


def find_letter(connection: Connection, secret: str, purpose: str, now: int) -> tuple[str, str] | None:
    """The account that a mail link belongs to, and the address it was sent to; None for one that is not valid."""
    valid = and_(MAIL_LINK.c.id == digest(secret), MAIL_LINK.c.purpose == purpose, MAIL_LINK.c.expires_at > now)
    row = connection.execute(select(MAIL_LINK.c.account_id, MAIL_LINK.c.email).where(valid)).first()
    return None if row is None else (row.account_id, row.email)


def confirm_email(connection: Connection, secret: str, now: int) -> bool:
    """Confirms the address that a link was sent to; returns whether the link was valid. It works only once."""
    found = find_letter(connection, secret, "confirm", now)
    if found is None:
        return False
    account_id, email = found
    connection.execute(delete(MAIL_LINK).where(MAIL_LINK.c.id == digest(secret)))
    same = and_(ACCOUNT.c.id == account_id, ACCOUNT.c.email == email)
    return connection.execute(update(ACCOUNT).where(same).values(email_confirmed=True)).rowcount == 1


def who(connection: Connection, secret: str | None, guest_id: str | None, now: int) -> Guest | None:
    """Identifies a person by the secret of a session or by the verified id of a guest; the session takes precedence.

    A session that has expired or ended, or of a banned account, is none. The guest cookie stops working once the guest has an account.
    """
    return who_until(connection, secret, guest_id, now)[0]


def who_until(
    connection: Connection, secret: str | None, guest_id: str | None, now: int
) -> tuple[Guest | None, int | None, str | None]:
    """The same, when their session ends, and the settings of their account as JSON, "null" for none; None without a session."""
    row = _OF_SESSION.first(connection, session=digest(secret), now=now) if secret is not None else None
    if row:
        return replace(person(row), administrator=row.administrator), row.expires_at, row.settings or "null"
    row = _UNREGISTERED.first(connection, guest_id=guest_id) if guest_id is not None else None
    return (person(row) if row else None), None, None


_UNREGISTERED: Final = PreparedSelect(
    select_people().where(GUEST.c.id == bindparam("guest_id"), ~REGISTERED, GUEST.c.name != FORMER)
)
"""Guest :guest_id, who has no account."""
