"""Who comes in: passwords that are tried, accounts that are made; the same by whatever way somebody comes."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import IntegrityError

from barpoint.server.domain.accounts import (
    Account,
    AccountRefused,
    checked_email,
    checked_password,
    new_codes,
    new_secret,
)
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import checked_name, folded
from barpoint.server.live.pubsub import person_named
from barpoint.server.services import Services
from barpoint.server.storage import accounts as account_storage

WRONG: Final = "There is no account with this name and password."
SLOWER: Final = "So many tries; try again in some minutes."
MANY: Final = "So many accounts from one place; try again later."


class TooOften(AccountRefused):
    """It was tried too often; the text may be shown."""


def may_try(services: Services, address: str, name: str) -> bool:
    """Whether a password or code may be tried for this name from this address; the try is then counted."""
    allowance = services.allowance
    return allowance.entries.spend(address) and allowance.guesses.spend(folded(name)[:80])


async def proven(services: Services, address: str, name: str, password: str) -> Account:
    """The account with this name and password; AccountRefused, TooOften."""
    if not may_try(services, address, name):
        raise TooOften(SLOWER)
    account = await services.store.read(lambda connection: account_storage.find_account(connection, name))
    if not await services.passwords.fits(account.password if account else None, password[:1000]) or account is None:
        raise AccountRefused(WRONG)
    if account.banned_at is not None:
        reason = f": {account.ban_reason}" if account.ban_reason else ""
        raise AccountRefused(f"This account has been closed by an administrator{reason}.")
    return account


async def begin_session(services: Services, account_id: str, agent: str) -> str:
    """The secret of a new session of an account. agent: what the browser or program calls itself."""
    secret, now = new_secret(), services.matches.clock()
    await services.store.write(
        lambda connection: account_storage.put_session(connection, account_id, secret, now, agent)
    )
    return secret


async def make_account(
    services: Services, address: str, person: Guest | None, name: str, password: str, email: str = ""
) -> tuple[Account, tuple[str, ...]]:
    """A new account with its codes of recovery. person: the guest whose matches come along; None for somebody new.

    NameRefused, AccountRefused, TooOften.
    """
    if not services.allowance.registrations.spend(address):
        raise TooOften(MANY)
    name = checked_name(name)
    checked_password(password, name)
    checked = checked_email(email)
    kept = await services.passwords.hash(password)
    person = person or await services.new_guest()
    account = Account(person.id, name, kept, checked, created_at=services.matches.clock())
    codes = new_codes()
    try:
        await services.store.write(lambda connection: account_storage.put_account(connection, account, codes))
    except IntegrityError:
        raise AccountRefused(f"the name {name!r} was taken just now") from None
    await services.matches.renamed(person.id)
    services.chouettes.renamed(person.id)
    services.pubsub.publish(person_named(person.id))
    return account, codes


async def change_password(services: Services, account: Account, password: str) -> None:
    """Sets another password and ends every session; AccountRefused."""
    kept = await services.passwords.hash(checked_password(password, account.name))
    await services.store.write(lambda connection: account_storage.set_password(connection, account.id, kept))
    services.pubsub.publish(person_named(account.id))
