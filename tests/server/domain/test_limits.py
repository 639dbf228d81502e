"""Credits that refill with time."""

from barpoint.server.domain.limits import Credit, Credits


def test_a_credit_is_spent_and_refills() -> None:
    credit = Credit(burst=3, per_second=1, left=3, at=0)
    assert [credit.spend(0) for _ in range(4)] == [True, True, True, False]
    assert not credit.spend(0.5)
    assert credit.spend(1.1)
    assert [credit.spend(1000) for _ in range(4)] == [True, True, True, False]


def test_everybody_has_their_own_and_the_oldest_are_forgotten() -> None:
    now = [0.0]
    credits = Credits(1, 0, lambda: now[0], kept=2)
    assert credits.spend("a")
    assert not credits.spend("a")
    assert credits.spend("b")
    assert credits.spend("c")
    assert credits.spend("a"), "forgotten, so that no flood of names fills the memory"
