"""Entry fees in play money, as double entries: what is taken somewhere is given elsewhere, always.

Nothing is changed or deleted: a balance is the sum of an account's entries. Whoever writes a transfer writes it in the
transaction of what it belongs to, and its key once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from barpoint.error import BarpointError

TICKETS: Final = "tickets"
"""The account that all play money comes from; its balance is what was ever given, negative."""


class LedgerError(BarpointError, ValueError):
    """A transfer that may not be made."""


def account(user_id: str) -> str:
    """The account of a user."""
    return f"user:{user_id}"


def escrow(match_id: str) -> str:
    """The account in which the fees of a match wait for its end."""
    return f"escrow:{match_id}"


def pot(tournament_id: str) -> str:
    """The account in which the fees of a tournament wait for its end."""
    return f"pot:{tournament_id}"


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One side of a transfer. amount: whole tickets that the account gets; negative for what it gives."""

    account: str
    amount: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Lines that are written together, and only together; they sum to zero.

    key: unique in the ledger. The end of a match has one key whatever that end is, so that fees cannot be both paid out
    and given back.
    """

    key: str
    reason: str
    lines: tuple[LedgerLine, ...]

    def __post_init__(self) -> None:
        if sum(line.amount for line in self.lines) != 0:
            raise LedgerError(f"{self.key}: the lines sum to {sum(line.amount for line in self.lines)}, not to 0")
        if any(line.amount == 0 for line in self.lines) or len(self.lines) < 2:
            raise LedgerError(f"{self.key}: a transfer has two lines or more, and none of nothing")


def grant(user_id: str, amount: int, key: str) -> Transfer:
    """Tickets for a user out of nothing; LedgerError unless they are more than none."""
    if amount < 1:
        raise LedgerError(f"{amount} tickets; a user can be given 1 or more")
    return Transfer(f"grant:{key}", "grant", (LedgerLine(TICKETS, -amount), LedgerLine(account(user_id), amount)))


def hold(match_id: str, players: tuple[str, str], fee: int, balances: Mapping[str, int]) -> Transfer:
    """Both fees into escrow, at the first roll.

    balances: of the players' accounts now. LedgerError when a player cannot pay, plays himself, or the fee is nothing.
    """
    _check(players, fee)
    for player in players:
        if balances.get(account(player), 0) < fee:
            raise LedgerError(f"{balances.get(account(player), 0)} tickets; the entry fee is {fee}")
    paid = tuple(LedgerLine(account(player), -fee) for player in players)
    return Transfer(f"hold:{match_id}", "hold", (*paid, LedgerLine(escrow(match_id), 2 * fee)))


def settle(match_id: str, winner: str, fee: int) -> Transfer:
    """Both fees to the winner, in the transaction that ends the match, however it was lost and by whatever score."""
    if fee < 1:
        raise LedgerError(f"an entry fee of {fee}; with none there is nothing to settle")
    return Transfer(
        f"close:{match_id}", "settle", (LedgerLine(escrow(match_id), -2 * fee), LedgerLine(account(winner), 2 * fee))
    )


def refund(match_id: str, players: tuple[str, str], fee: int) -> Transfer:
    """Each fee back to who paid it: an abort, a draw, or a match that an administrator annuls."""
    _check(players, fee)
    back = tuple(LedgerLine(account(player), fee) for player in players)
    return Transfer(f"close:{match_id}", "refund", (LedgerLine(escrow(match_id), -2 * fee), *back))


def enter(tournament_id: str, seq: int, player: str, fee: int) -> Transfer:
    """A fee into the pot of a tournament, by what happened in it as event `seq`."""
    lines = (LedgerLine(account(player), -fee), LedgerLine(pot(tournament_id), fee))
    return Transfer(f"enter:{tournament_id}:{seq}", "enter", lines)


def leave(tournament_id: str, seq: int, player: str, fee: int) -> Transfer:
    """A fee back to who leaves a tournament before it begins."""
    lines = (LedgerLine(pot(tournament_id), -fee), LedgerLine(account(player), fee))
    return Transfer(f"leave:{tournament_id}:{seq}", "leave", lines)


def share_out(tournament_id: str, reason: str, amounts: Mapping[str, int]) -> Transfer:
    """The whole pot of a tournament to its players: prizes, or all fees back. It has one end, whatever that is."""
    given = tuple(LedgerLine(account(player), amount) for player, amount in sorted(amounts.items()))
    return Transfer(f"pot:{tournament_id}", reason, (LedgerLine(pot(tournament_id), -sum(amounts.values())), *given))


def _check(players: tuple[str, str], fee: int) -> None:
    if fee < 1:
        raise LedgerError(f"an entry fee of {fee}; allowed is 1 or more, or none and no transfer")
    if players[0] == players[1]:
        raise LedgerError("the same player twice")


def balances(transfers: Iterable[Transfer]) -> dict[str, int]:
    """What every account has, from all transfers; LedgerError where a key was written twice or an account owes.

    Only the account that play money comes from may owe.
    """
    keys: set[str] = set()
    found: Counter[str] = Counter()
    for transfer in transfers:
        if transfer.key in keys:
            raise LedgerError(f"{transfer.key} was written twice")
        keys.add(transfer.key)
        for line in transfer.lines:
            found[line.account] += line.amount
        for line in transfer.lines:
            if found[line.account] < 0 and line.account != TICKETS:
                raise LedgerError(f"{transfer.key}: {line.account} would owe {-found[line.account]}")
    return dict(found)
