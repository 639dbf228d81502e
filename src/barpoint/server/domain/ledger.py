"""Entry fees in play money, with double-entry bookkeeping.

Entries are never changed or deleted: a balance is the sum of an account's entries. A transfer is written in the
transaction of the event that causes it, and its key only once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from barpoint.error import BarpointError

TICKETS: Final = "tickets"
"""The account that issues all play money; its balance is minus the total issued."""


class LedgerError(BarpointError, ValueError):
    """A transfer that is not allowed."""


def account(user_id: str) -> str:
    """The account of a user."""
    return f"user:{user_id}"


def escrow(match_id: str) -> str:
    """The escrow account that holds the fees of a match until its end."""
    return f"escrow:{match_id}"


def pot(tournament_id: str) -> str:
    """The account that holds the fees of a tournament until its end."""
    return f"pot:{tournament_id}"


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One side of a transfer. amount: whole tickets that the account receives; negative for what it pays."""

    account: str
    amount: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Lines that are written together or not at all; they sum to zero.

    key: unique in the ledger. The end of a match has the same key whatever the outcome, so that fees cannot be both
    paid out and refunded.
    """

    key: str
    reason: str
    lines: tuple[LedgerLine, ...]

    def __post_init__(self) -> None:
        if sum(line.amount for line in self.lines) != 0:
            raise LedgerError(
                "%(key)s: the lines sum to %(sum)s, not to 0",
                key=self.key,
                sum=sum(line.amount for line in self.lines),
            )
        if any(line.amount == 0 for line in self.lines) or len(self.lines) < 2:
            raise LedgerError("%(key)s: a transfer has two lines or more, and none of nothing", key=self.key)


def grant(user_id: str, amount: int, key: str) -> Transfer:
    """Newly issued tickets for a user; LedgerError unless there is at least one."""
    if amount < 1:
        raise LedgerError("%(amount)s tickets; a user can be given 1 or more", amount=amount)
    return Transfer(f"grant:{key}", "grant", (LedgerLine(TICKETS, -amount), LedgerLine(account(user_id), amount)))


def hold(match_id: str, players: tuple[str, str], fee: int, balances: Mapping[str, int]) -> Transfer:
    """Moves both fees into escrow, at the first roll.

    balances: of the players' accounts now. LedgerError if a player cannot pay, both players are the same, or the fee is
    0.
    """
    _check(players, fee)
    for player in players:
        if balances.get(account(player), 0) < fee:
            raise LedgerError(
                "%(get)s tickets; the entry fee is %(fee)s", get=balances.get(account(player), 0), fee=fee
            )
    paid = tuple(LedgerLine(account(player), -fee) for player in players)
    return Transfer(f"hold:{match_id}", "hold", (*paid, LedgerLine(escrow(match_id), 2 * fee)))


def settle(match_id: str, winner: str, fee: int) -> Transfer:
    """Pays both fees to the winner, in the transaction that ends the match, whatever the reason and the score."""
    if fee < 1:
        raise LedgerError("an entry fee of %(fee)s; with none there is nothing to settle", fee=fee)
    return Transfer(
        f"close:{match_id}", "settle", (LedgerLine(escrow(match_id), -2 * fee), LedgerLine(account(winner), 2 * fee))
    )


def refund(match_id: str, players: tuple[str, str], fee: int) -> Transfer:
    """Refunds each player's fee: after an abort, a draw, or a match that an administrator voids."""
    _check(players, fee)
    back = tuple(LedgerLine(account(player), fee) for player in players)
    return Transfer(f"close:{match_id}", "refund", (LedgerLine(escrow(match_id), -2 * fee), *back))


def enter(tournament_id: str, seq: int, player: str, fee: int) -> Transfer:
    """Pays a fee into the pot of a tournament, for event `seq`."""
    lines = (LedgerLine(account(player), -fee), LedgerLine(pot(tournament_id), fee))
    return Transfer(f"enter:{tournament_id}:{seq}", "enter", lines)


def leave(tournament_id: str, seq: int, player: str, fee: int) -> Transfer:
    """Refunds the fee of a player who leaves a tournament before it begins."""
    lines = (LedgerLine(pot(tournament_id), -fee), LedgerLine(account(player), fee))
    return Transfer(f"leave:{tournament_id}:{seq}", "leave", lines)


def share_out(tournament_id: str, reason: str, amounts: Mapping[str, int]) -> Transfer:
    """Pays the whole pot of a tournament to its players: as prizes, or as refunds. This happens only once."""
    given = tuple(LedgerLine(account(player), amount) for player, amount in sorted(amounts.items()))
    return Transfer(f"pot:{tournament_id}", reason, (LedgerLine(pot(tournament_id), -sum(amounts.values())), *given))


def _check(players: tuple[str, str], fee: int) -> None:
    if fee < 1:
        raise LedgerError("an entry fee of %(fee)s; allowed is 1 or more, or none and no transfer", fee=fee)
    if players[0] == players[1]:
        raise LedgerError("the same player twice")
