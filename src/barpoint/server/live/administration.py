"""Administrator commands for the database of a running or stopped server."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from argon2 import PasswordHasher
from sqlalchemy import Connection

from barpoint.error import StoreError
from barpoint.server.bots.catalogue import SeatedOpponents
from barpoint.server.domain import ledger
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import checked_name
from barpoint.server.domain.settings import Settings
from barpoint.server.live.match_transactions import void_match
from barpoint.server.live.matches import Matches
from barpoint.server.live.own_games import known_games
from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.tournaments import Tournaments
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import administration, audit, personal_data
from barpoint.server.storage import chat as chat_storage
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.administration import AdministratorAct
from barpoint.server.storage.chat import ChatReport
from barpoint.server.storage.file_lock import holding_to_upgrade
from barpoint.server.storage.store import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Admin:
    """Acts on one database. Every method raises StoreError if the database or the account does not exist.

    store: an open one, which is then used, with the tournaments on it. by: the id of the administrator; None for the
    command line. What is done is recorded.

    A running server sees changes on the next page request, and closes open connections within some seconds.
    """

    address: str
    now: int
    store: Store | None = None
    by: str | None = None
    tournaments: Tournaments | None = None

    async def accounts(self) -> list[Account]:
        """Every account."""
        return await self._do(account_storage.all_accounts)

    async def kick(self, name: str) -> None:
        """Ends all sessions of an account."""
        await self._to(name, lambda connection, account: account_storage.end_sessions(connection, account.id), "kick")

    async def ban(self, name: str, reason: str) -> None:
        """Bans an account, and withdraws its owner from tournaments and ladders, for good."""

        def close(connection: Connection, account: Account) -> None:
            account_storage.ban(connection, account.id, self.now, reason)
            ladder_storage.leave_all(connection, account.id)

        await self._leave_tournaments(await self._to(name, close, "ban", reason))

    async def unban(self, name: str) -> None:
        """Lifts the ban of an account."""
        await self._to(name, lambda connection, account: account_storage.unban(connection, account.id), "unban")

    async def make_administrator(self, name: str, administrator: bool) -> None:
        """Grants or revokes administrator rights."""
        await self._to(
            name,
            lambda connection, account: account_storage.set_administrator(connection, account.id, administrator),
            "administrator" if administrator else "no administrator",
        )

    async def reset_password(self, name: str) -> str:
        """Sets and returns a new password to pass on to its owner; all their sessions end."""
        password = secrets.token_urlsafe(12)
        kept = PasswordHasher().hash(password)
        await self._to(
            name, lambda connection, account: account_storage.set_password(connection, account.id, kept), "reset"
        )
        return password

    async def delete(self, name: str) -> None:
        """Deletes an account, as its owner can: it leaves its tournaments; its matches stay, without a name."""
        await self._leave_tournaments(await self._do(lambda connection: _found(connection, name)))
        await self._to(
            name, lambda connection, account: personal_data.forget_account(connection, account.id, self.now), "delete"
        )

    async def rename(self, name: str, to: str) -> str:
        """Gives an account another name, also in its matches; returns it. NameRefused, AccountRefused if it is taken."""
        new = checked_name(to)

        def change(connection: Connection, account: Account) -> None:
            account_storage.rename_account(connection, account, new)

        await self._to(name, change, "rename", new)
        return new

    async def export(self, name: str) -> bytes:
        """Everything stored about somebody, as their own download has it: a ZIP file of JSON."""

        def pack(connection: Connection) -> bytes:
            account = _found(connection, name)
            self._record(connection, "export", account.name)
            return personal_data.own_data(connection, account.id)

        return await self._do(pack)

    async def reports(self) -> list[ChatReport]:
        """Reports that are still open."""
        return await self._do(chat_storage.open_reports)

    async def close_report(self, number: int) -> None:
        """Closes a report."""

        def close(connection: Connection) -> None:
            if not chat_storage.close_report(connection, number, self.now):
                raise StoreError(
                    "no open report has the number %(number)s; `barpoint admin reports` lists them", number=number
                )
            self._record(connection, "close", f"report {number}")

        await self._do(close)

    async def differences(self) -> list[str]:
        """Disagreements with the logs of the matches, one line each (`audit.differences`)."""
        return await self._do(audit.differences)

    async def void(self, match_id: str) -> None:
        """Voids a match: no winner, fees are refunded, and nothing is rated."""

        def end(connection: Connection) -> None:
            void_match(connection, match_id, self.now)
            self._record(connection, "void", match_id)

        await self._do(end)

    async def grant(self, name: str, tickets: int) -> None:
        """Gives somebody play money. LedgerError unless it is one ticket or more."""

        def give(connection: Connection, account: Account) -> None:
            key = f"admin:{account.id}:{self.now}"
            result_storage.post(connection, ledger.grant(account.id, tickets, key), self.now)

        await self._to(name, give, "grant", str(tickets))

    async def acts(self, limit: int) -> list[AdministratorAct]:
        """What administrators have done, the latest first."""
        return await self._do(lambda connection: administration.acts(connection, limit))

    async def _to(self, name: str, change: Callable[[Connection, Account], None], act: str, note: str = "") -> Account:
        """Changes an account, and records the act in the same transaction; returns the account as it was."""

        def work(connection: Connection) -> Account:
            account = _found(connection, name)
            change(connection, account)
            self._record(connection, act, account.name, note)
            return account

        return await self._do(work)

    async def _leave_tournaments(self, account: Account) -> None:
        """Withdraws somebody from every unfinished tournament, with what follows for the others."""
        person = Guest(account.id, account.name, registered=True)
        if self.tournaments is not None:
            await self.tournaments.leave_all(person)
            return
        async with self._opened() as store:
            matches = Matches(store, PubSub(), SeededDice(), lambda: self.now, Settings(self.address))
            await Tournaments(matches, SeatedOpponents()).leave_all(person)

    def _record(self, connection: Connection, act: str, about: str, note: str = "") -> None:
        administration.put_act(connection, self.by, act, about, note, self.now)

    async def _do(self, work: Callable[[Connection], T]) -> T:
        async with self._opened() as store:
            return await store.write(work)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Store]:
        if self.store is not None:
            yield self.store
            return
        with holding_to_upgrade(self.address):
            store = await Store.open(self.address)
        try:
            await known_games(store)
            yield store
        finally:
            await store.close()


def _found(connection: Connection, name: str) -> Account:
    account = account_storage.find_account(connection, name)
    if account is None:
        raise StoreError("no account is called %(name)r; `barpoint admin list` lists them", name=name[:40])
    return account


def status(account: Account) -> str:
    """The special states of an account, in words."""
    words = ["administrator"] if account.administrator else []
    if account.banned_at is not None:
        words.append(f"banned{f': {account.ban_reason}' if account.ban_reason else ''}")
    return ", ".join(words)
