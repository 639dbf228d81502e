"""Entry fees: the sum stays zero, whatever happens and in whatever order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from barpoint.server.domain.ledger import (
    TICKETS,
    LedgerError,
    LedgerLine,
    Transfer,
    account,
    escrow,
    grant,
    hold,
    refund,
    settle,
)
from tests.support.ledger import balances

USERS = ("anna", "ben", "cleo")
FUNDED = [grant(user, 100, user) for user in USERS]


def held(fee: int = 30) -> list[Transfer]:
    return [*FUNDED, hold("m", ("anna", "ben"), fee, balances(FUNDED))]


def test_a_hold_moves_both_fees_into_escrow() -> None:
    found = balances(held())
    assert found == {TICKETS: -300, "user:anna": 70, "user:ben": 70, "user:cleo": 100, "escrow:m": 60}


def test_the_winner_gets_both_fees_and_no_more() -> None:
    found = balances([*held(), settle("m", "ben", 30)])
    assert (found[account("anna")], found[account("ben")], found[escrow("m")]) == (70, 130, 0)


def test_a_refund_leaves_everything_as_it_was() -> None:
    found = balances([*held(), refund("m", ("anna", "ben"), 30)])
    assert found.pop(escrow("m")) == 0
    assert found == balances(FUNDED)


@pytest.mark.parametrize("second", [settle("m", "anna", 30), refund("m", ("anna", "ben"), 30)])
def test_a_match_is_closed_once(second: Transfer) -> None:
    with pytest.raises(LedgerError, match="written twice"):
        balances([*held(), settle("m", "ben", 30), second])


def test_a_match_is_held_once() -> None:
    with pytest.raises(LedgerError, match="written twice"):
        balances([*held(), held()[-1]])


def test_what_was_never_held_cannot_be_paid_out() -> None:
    with pytest.raises(LedgerError, match="would owe 60"):
        balances([*FUNDED, settle("m", "ben", 30)])
    with pytest.raises(LedgerError, match="would owe 2"):
        balances([*held(30), settle("m", "ben", 31)])


def test_who_has_less_than_the_fee_does_not_play_for_it() -> None:
    assert hold("m", ("anna", "ben"), 100, balances(FUNDED)).lines[0] == LedgerLine("user:anna", -100)
    with pytest.raises(LedgerError, match="100 tickets; the entry fee is 101"):
        hold("m", ("anna", "ben"), 101, balances(FUNDED))
    with pytest.raises(LedgerError, match="0 tickets"):
        hold("m", ("anna", "stranger"), 1, balances(FUNDED))


@pytest.mark.parametrize("fee", [0, -5])
def test_a_fee_is_at_least_one_ticket(fee: int) -> None:
    with pytest.raises(LedgerError, match="entry fee"):
        hold("m", ("anna", "ben"), fee, balances(FUNDED))
    with pytest.raises(LedgerError, match="entry fee"):
        settle("m", "anna", fee)
    with pytest.raises(LedgerError, match="entry fee"):
        refund("m", ("anna", "ben"), fee)
    with pytest.raises(LedgerError, match="1 or more"):
        grant("anna", fee, "x")


def test_nobody_plays_themselves_for_money() -> None:
    with pytest.raises(LedgerError, match="same player"):
        hold("m", ("anna", "anna"), 1, balances(FUNDED))


@given(st.lists(st.integers(-50, 50), max_size=5))
def test_only_lines_that_sum_to_zero_are_a_transfer(amounts: list[int]) -> None:
    lines = tuple(LedgerLine(f"user:{index}", amount) for index, amount in enumerate(amounts))
    if len(amounts) >= 2 and sum(amounts) == 0 and 0 not in amounts:
        assert sum(line.amount for line in Transfer("k", "test", lines).lines) == 0
    else:
        with pytest.raises(LedgerError):
            Transfer("k", "test", lines)


class Desk(RuleBasedStateMachine):
    """Matches with fees that begin, end and are voided in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger: list[Transfer] = []
        self.running: dict[str, tuple[tuple[str, str], int]] = {}
        self.given = 0

    @rule(user=st.sampled_from(USERS), amount=st.integers(1, 200))
    def give(self, user: str, amount: int) -> None:
        self.ledger.append(grant(user, amount, str(len(self.ledger))))
        self.given += amount

    @rule(players=st.permutations(USERS), fee=st.integers(1, 150))
    def begin(self, players: list[str], fee: int) -> None:
        match_id, two, have = f"m{len(self.ledger)}", (players[0], players[1]), balances(self.ledger)
        if any(have.get(account(player), 0) < fee for player in two):
            with pytest.raises(LedgerError):
                hold(match_id, two, fee, have)
            return
        self.ledger.append(hold(match_id, two, fee, have))
        self.running[match_id] = (two, fee)

    @precondition(lambda self: self.running)
    @rule(data=st.data(), end=st.sampled_from(["first", "second", "back"]))
    def end(self, data: st.DataObject, end: str) -> None:
        match_id = data.draw(st.sampled_from(sorted(self.running)))
        players, fee = self.running.pop(match_id)
        if end == "back":
            self.ledger.append(refund(match_id, players, fee))
        else:
            self.ledger.append(settle(match_id, players[end == "second"], fee))

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        found = balances(self.ledger)
        assert sum(found.values()) == 0
        assert found.get(TICKETS, 0) == -self.given

    @invariant()
    def escrow_holds_the_fees_of_running_matches_and_nothing_else(self) -> None:
        held = {name: amount for name, amount in balances(self.ledger).items() if name.startswith("escrow:") and amount}
        assert held == {escrow(match_id): 2 * fee for match_id, (_, fee) in self.running.items()}


TestDesk = Desk.TestCase
TestDesk.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
