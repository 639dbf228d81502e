"""Accounts: guests, login attempts, sessions and registrations, for pages, FIBS and programs alike."""

from __future__ import annotations

import asyncio
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from barpoint.language import N_, language
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import (
    SEEN_MS,
    SESSION_MS,
    Account,
    AccountRefused,
    Passwords,
    check_open,
    checked_email,
    checked_password,
    new_codes,
    new_secret,
)
from barpoint.server.domain.guests import Guest, clean_name
from barpoint.server.domain.limits import Allowance
from barpoint.server.domain.names import checked_name, folded, is_reserved
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import person_named
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import personal_data
from barpoint.server.storage.store import Store

WRONG: Final = N_("There is no account with this name and password.")
SLOWER: Final = N_("Too many tries; try again in a few minutes.")
MANY: Final = N_("Too many accounts from one address; try again later.")


class TooOften(AccountRefused):
    """Too many attempts; the text may be shown."""


class Accounts:
    """Logs people in and registers them, through any interface. passwords: hashes and compares them."""

    def __init__(self, store: Store, matches: Matches, allowance: Allowance) -> None:
        self._store, self._matches, self._allowance = store, matches, allowance
        self.passwords = Passwords()
        self._packing = asyncio.Lock()

    async def new_guest(self) -> Guest:
        """A new guest, without an account."""
        made, now = guests.new_guest(), self._matches.clock()
        await self._store.write(guest_storage.put_guest, made, now)
        return made

    async def guest(self, person: Guest | None, name: str) -> Guest:
        """This person, a new guest where nobody is known. name: what a guest wants to be called, ignored where they may not be."""
        person = person or await self.new_guest()
        called = None if person.registered else await self.guest_name(name)
        if called in (None, person.name, person.shown_name):
            return person
        person = Guest(person.id, called)
        await self._store.write(guest_storage.rename_guest, person)
        self._matches.pubsub.renamed(person.id)
        return person

    async def guest_name(self, text: str) -> str | None:
        """A name that somebody without an account may bear, cleaned for display; None where it is empty, reserved, or looks like an account's."""
        name = clean_name(text)
        if name is None or is_reserved(name) or await self._store.read(account_storage.looks_registered, name):
            return None
        return name

    def may_try(self, address: str, name: str, known: bool = False) -> bool:
        """Whether this address may try a password or code for this name; counts the attempt.

        known: it comes from a device that has logged in to this account before, or is logged in; what others try
        elsewhere does not count then, so that nobody can be locked out of their account.
        """
        allowance, key = self._allowance, folded(name)
        if known:
            return allowance.guesses.spend(key)
        return (
            allowance.entries.spend(address)
            and allowance.guesses.spend(f"{address} {key}")
            and allowance.names.spend(key)
        )

    async def tried(self, address: str, name: str, device: str | None = None) -> Account | None:
        """The account with this name, after counting an attempt to get into it; None if there is none, TooOften.

        device: the account that this device has logged in to before.
        """
        account = await self._store.read(account_storage.find_account, name)
        if not self.may_try(address, name, account is not None and account.id == device):
            raise TooOften(SLOWER)
        return account

    async def proven(self, address: str, name: str, password: str, device: str | None = None) -> Account:
        """The account with this name and password; AccountRefused, TooOften. device: as `tried`."""
        account = await self.tried(address, name, device)
        if not await self.passwords.fits(account.password if account else None, password) or account is None:
            raise AccountRefused(WRONG)
        check_open(account)
        return account

    async def begin_session(self, account_id: str, agent: str) -> str:
        """The secret of a new session of an account. agent: what the browser or program calls itself."""
        secret, now = new_secret(), self._matches.clock()
        await self._store.write(account_storage.put_session, account_id, secret, now, agent)
        return secret

    async def prolonged(self, secret: str, end: int) -> bool:
        """Lets a session last anew where it was last seen a while ago; whether it did. end: when it ends otherwise."""
        now = self._matches.clock()
        return end - now <= SESSION_MS - SEEN_MS and await self._store.write(
            account_storage.prolong_session, secret, now
        )

    async def make_account(
        self,
        address: str,
        person: Guest | None,
        name: str,
        password: str,
        email: str = "",
        session: tuple[str, str] | None = None,
    ) -> tuple[Account, tuple[str, ...]]:
        """Creates an account; returns it with its recovery codes.

        person: the guest whose matches it takes over, None for a new player. session: secret and agent of a session that
        begins with it, in one commit, so that nobody has an account without having seen its codes. NameRefused,
        AccountRefused, TooOften.
        """
        name = checked_name(name)
        checked_password(password, name)
        checked = checked_email(email)
        await self._store.read(account_storage.check_free, name)
        if not self._allowance.registrations.spend(address):  # what was refused above does not count
            raise TooOften(MANY)
        kept = await self.passwords.hash(password)
        person = person or await self.new_guest()
        account = Account(person.id, name, kept, checked, created_at=self._matches.clock(), language=language())
        codes = new_codes()

        def work(connection: Connection) -> None:
            account_storage.put_account(connection, account, codes)
            if session is not None:
                secret, agent = session
                account_storage.put_session(connection, account.id, secret, account.created_at, agent)

        try:
            await self._store.write(work)
        except IntegrityError:
            raise AccountRefused("the name %(name)r was taken just now", name=name) from None
        self._matches.pubsub.renamed(person.id)
        self._matches.pubsub.publish(person_named(person.id))
        return account, codes

    async def change_password(self, account: Account, password: str) -> None:
        """Sets another password and ends every session; AccountRefused."""
        kept = await self.passwords.hash(checked_password(password, account.name))
        await self._store.write(account_storage.set_password, account.id, kept)
        self._matches.pubsub.publish(person_named(account.id))

    async def own_data(self, account_id: str) -> bytes:
        """A ZIP file with everything about an account, as `personal_data.own_data`.

        One is made at a time, read a few matches at a time and packed in a thread of its own, so that others can read meanwhile.
        """
        async with self._packing:
            found, pack = await self._store.read(personal_data.own_tables, account_id), personal_data.Pack()
            await asyncio.to_thread(pack.put, found.files)
            for read, ids in found.reads():
                await asyncio.to_thread(pack.put, await self._store.read(read, ids))
            return await asyncio.to_thread(pack.closed)
