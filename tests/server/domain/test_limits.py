"""Credits that refill with time, and places that are given back."""

from barpoint.server.domain.limits import Credit, Credits, Places, counted_as


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


def test_places_end_in_all_and_for_one_address_and_come_back() -> None:
    places = Places(most=4, from_one=2)
    assert [places.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [places.enter("192.0.2.2") for _ in range(2)] == [True, True]
    assert not places.enter("192.0.2.3"), "no place is left"
    places.leave("192.0.2.1")
    assert places.enter("192.0.2.1")
    assert places.taken == 4


def test_many_people_behind_one_proxy_share_no_limit() -> None:
    places = Places(most=4, from_one=2)
    assert [places.enter("192.0.2.1", shared=True) for _ in range(5)] == [True] * 4 + [False]


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    assert counted_as("2001:db8:1:2:3:4:5:6") == counted_as("2001:db8:1:2::7") == "2001:db8:1:2::"
    assert counted_as("2001:db8:1:3::7") != counted_as("2001:db8:1:2::7")
    assert counted_as("::ffff:192.0.2.1") == counted_as("192.0.2.1") == "192.0.2.1"
    assert counted_as("testclient") == "testclient"
    assert counted_as("not:an:address") == "not:an:address"
