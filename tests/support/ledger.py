"""The balances that follow from transfers of play money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from barpoint.server.domain.ledger import TICKETS, LedgerError, Transfer


def balances(transfers: Iterable[Transfer]) -> dict[str, int]:
    """The balance of every account, from all transfers; LedgerError for a repeated key or a negative balance.

    Only the account that issues play money may be negative.
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
