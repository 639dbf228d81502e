"""Quick pairing by rating: the nearest first, with a range that widens as one waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection, insert

from barpoint.server.domain.pairing import ANYBODY_MS, Waiting, in_reach, nearest, pairs
from barpoint.server.domain.ratings import Glicko, Rating
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.results import NEW, RatingStanding
from barpoint.server.storage.schema.results import RATING
from barpoint.server.web.lobby import rating_text
from tests.server.live.test_lobby import hear, listening
from tests.support.accounts import register, serving
from tests.support.live_server import Clock
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served


def known(rating: float, deviation: float = 60) -> Glicko:
    return Glicko(rating, deviation)


def waiting(name: str, rating: float, since: int = 0, deviation: float = 60) -> Waiting:
    return Waiting(f"of {name}", name, known(rating, deviation), since)


def test_who_is_known_well_meets_their_like_at_first_and_others_later() -> None:
    assert in_reach(known(1500), known(1580), 0)
    assert not in_reach(known(1500), known(1700), 0)
    assert not in_reach(known(1500), known(1700), 20_000)
    assert in_reach(known(1500), known(1700), 30_000)
    assert in_reach(known(1500), known(2500), ANYBODY_MS)


def test_a_newcomer_meets_almost_anybody() -> None:
    assert in_reach(Glicko(), known(1850), 0)
    assert not in_reach(Glicko(), known(2100), 0)


def test_the_nearest_is_met_and_of_equals_whoever_waits_longest() -> None:
    others = [waiting("far", 1570), waiting("later", 1510, 5), waiting("near", 1510, 1), waiting("beyond", 1900)]
    assert [other.person for other in nearest(waiting("own", 1500, 5), others, 5)] == ["near", "later", "far"]


def test_either_ones_waiting_counts() -> None:
    patient = waiting("patient", 1900, since=0)
    assert nearest(waiting("own", 1500, 120_000), [patient], 120_000) == [patient]
    assert nearest(waiting("own", 1500, 0), [waiting("new", 1900, 120_000)], 120_000)


def test_a_crowd_is_paired_with_nobody_twice_and_nobody_with_whom_they_blocked() -> None:
    crowd = [waiting("a", 1500, 0), waiting("b", 1505, 1), waiting("c", 1510, 2), waiting("d", 1900, 3)]
    assert [(one.person, other.person) for one, other in pairs(crowd, 10)] == [("a", "b")]
    assert [(one.person, other.person) for one, other in pairs(crowd, 10, {("b", "a")})] == [("a", "c")]
    assert len(pairs(crowd, ANYBODY_MS + 10)) == 2
    assert pairs([waiting("a", 1500), waiting("a", 1500)], 0) == []


@pytest.mark.parametrize(
    ("standing", "shown"),
    [(None, ""), (NEW, "1500?"), (RatingStanding(Rating(1612.4, 500), Glicko(1600, 70), 80), "1612")],
)
def test_a_rating_is_shown_with_a_question_mark_while_little_is_known(
    standing: RatingStanding | None, shown: str
) -> None:
    assert rating_text(standing) == shown


# ---------------------------------------------------------------- over HTTP

WISH = {"variant": "backgammon", "length": "5", "time_control": "Correspondence 3", "cube": "1", "rated": "1"}
"""Days for a turn: the challenge stays open whoever is on line, so the test may move the clock freely."""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def served(tmp_path: Path, clock: Clock) -> Iterator[Served]:
    with serving(tmp_path, clock=clock) as running:
        yield running


def rated(served: Served, name: str, value: float, deviation: float = 60) -> httpx.Client:
    """A user with an account and a backgammon rating in both systems."""
    http = served.guests.enter_context(httpx.Client(base_url=served.address, timeout=PATIENCE_S))
    register(http, name)

    def rate(connection: Connection) -> None:
        account = account_storage.find_account(connection, name)
        assert account is not None
        numbers = {"value": value, "experience": 500, "glicko": value, "deviation": deviation, "volatility": 0.06}
        connection.execute(insert(RATING).values(guest_id=account.id, pool="backgammon", matches=50, **numbers))

    served.call(served.services.store.write(rate))
    return http


def test_the_nearest_of_those_who_wait_is_met(served: Served) -> None:
    low, high, middle = rated(served, "Low", 1400), rated(served, "High", 1700), rated(served, "Middle", 1650)
    for one in (low, high):
        assert one.post("/lobby/pair", data=WISH).headers["location"] == "/lobby"
    where = middle.post("/lobby/pair", data=WISH).headers["location"]
    header = served.call(served.services.matches.live_match(where.rpartition("/")[2])).header
    assert {seat.name for seat in header.seats} == {"High", "Middle"}


def test_who_waits_is_paired_with_somebody_further_away_and_led_to_the_match(served: Served, clock: Clock) -> None:
    low, high = rated(served, "Low", 1400), rated(served, "High", 1800, 120)
    with listening(served, low) as one, listening(served, high) as other:
        for http in (low, high):
            assert http.post("/lobby/pair", data=WISH).headers["location"] == "/lobby"
        hear(one, "looking for somebody near your rating")
        hear(other, "Low", "1400<", "1800?")  # uncertain ratings are marked
        assert served.call(served.services.lobby.pair_waiting()) == 0
        clock.now += 100_000
        led = []
        for link in (one, other):
            while (message := json.loads(link.recv(timeout=PATIENCE_S)))["say"] != "go":
                continue
            led.append(message["to"])
    assert led[0] == led[1]
    header = served.call(served.services.matches.live_match(led[0].rpartition("/")[2])).header
    assert header.rated
    left = partial(lobby_storage.open_challenges, present_since=0, limit=9)
    assert served.call(served.services.store.read(left)) == []
