"""The profile page: statistics that add up, correct ranges, and names that cannot break it."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from itertools import product

import httpx
import pytest

from barpoint.dice import THREE_DICE
from barpoint.game import Timeout
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.lobby import ListedMatch
from barpoint.server.storage.results import RatingChange
from barpoint.server.web.profiles import Luck, luck_of, plot
from tests.support.accounts import register
from tests.support.serving import Served


def test_a_player_has_a_page_by_any_way_to_write_the_name(served: Served) -> None:
    with httpx.Client(base_url=served.address) as http:
        register(http, "Jean Luc")
        page = http.get("/player/jean%20luc").text
        assert "<h1>Jean Luc</h1>" in page
        assert "No rated match yet" in page
        assert "My account" in page
        with httpx.Client(base_url=served.address) as other:
            assert "My account" not in other.get("/player/Jean%20Luc").text


@pytest.mark.parametrize("name", ["Nobody", "%3Cscript%3E", "x'%20OR%201=1%20--", "%00", "Former%20player"])
def test_who_is_not_here_has_none(served: Served, name: str) -> None:
    answer = httpx.get(f"{served.address}/player/{name}")
    assert answer.status_code == (400 if name == "%00" else 404)
    assert "<script>" not in answer.text


def test_a_profile_shows_how_its_reader_has_fared_against_the_player(served: Served) -> None:
    with httpx.Client(base_url=served.address) as anna, httpx.Client(base_url=served.address) as ben:
        register(anna, "Hannah")
        register(ben, "Bernard")
        assert 'id="record"' not in ben.get("/player/Hannah").text
        form = {"name": "Bernard", "variant": "backgammon", "length": "1", "rated": "1"}
        for _ in range(3):
            match_id = anna.post("/challenge", data=form).headers["location"].rpartition("/")[2]
            ben.post(f"/lobby/invitation/{match_id}/accept", data={"x": "1"})
            live = served.call(served.services.matches.live_match(match_id))
            served.call(served.services.matches.decide(match_id, live.seq, Timeout(live.match.game.actor or 0)))
            assert live.match.winner is not None
        won = sum(one.winner == 1 for one in listed_between(served, "Bernard", "Hannah"))
        page = ben.get("/player/Hannah").text
        assert f"You against this player: {won} won, {3 - won} lost" in page
        assert "3 rated matches" in page
        assert f"{3 - won} won, {won} lost" in page
        assert 'id="record"' not in anna.get("/player/Hannah").text
        for reader, times in ((ben, won), (anna, 3 - won)):
            own = reader.get("/matches").text
            assert own.count("won on time") == times, "a list says that no game was played to its end"
            assert own.count("lost on time") == 3 - times


def listed_between(served: Served, name: str, other: str) -> list[ListedMatch]:
    """The finished matches of two accounts."""
    store = served.services.store
    first, second = (served.call(store.read(account_storage.find_account, one)) for one in (name, other))
    assert first is not None
    assert second is not None
    return served.call(store.read(lobby_storage.matches_between, first.id, second.id, 9))


def test_every_roll_once_is_exactly_what_is_expected() -> None:
    rolls: dict[tuple[int, ...], int] = {}
    for one, other in product(range(1, 7), repeat=2):
        faces = (max(one, other), min(one, other))
        rolls[faces] = rolls.get(faces, 0) + 1
    rolls |= {(face,): 3 for face in range(1, 13)} | {row.faces: row.weight for row in THREE_DICE}
    (two, pairs), (three, triples), (twelve, single) = luck_of(rolls)
    assert two == "Two dice, 36 rolls"
    assert three == "Three dice, 216 rolls"
    assert twelve == "The twelve-sided die, 36 rolls"
    for line in (*pairs, *triples, *single):
        assert line.share == pytest.approx(line.chance)
        assert line.usual
    assert sum(line.count for line in pairs[1:]) == 72
    assert sum(line.count for line in triples) == 3 * 216


def test_the_range_is_two_standard_deviations_of_a_binomial_share() -> None:
    line = Luck("doubles", 30, 100, 1 / 6)
    assert line.band == pytest.approx(2 * math.sqrt((1 / 6) * (5 / 6) / 100))
    assert not line.usual
    assert Luck("doubles", 20, 100, 1 / 6).usual
    assert luck_of({}) == []


@pytest.mark.parametrize("values", [[1500.0], [1502.9, 1490.1, 1511.0], [1500.0 + 30 * i for i in range(200)]])
def test_ratings_are_drawn_within_the_picture(values: list[float]) -> None:
    changes = [
        RatingChange(i, "m", "o", 3, True, 0, before, after, 3, 300.0)
        for i, (before, after) in enumerate(zip([1500.0, *values], values, strict=False))
    ]
    drawn = ElementTree.fromstring(plot(changes, "Roll-Over"))
    points = [point.split(",") for point in (drawn.find("polyline").get("points") or "").split()]  # type: ignore[union-attr]
    assert len(points) == len(values) + 1
    assert all(0 <= float(x) <= 640 and 0 <= float(y) <= 220 for x, y in points)
    assert 2 <= len(drawn.findall("g[@class='grid']/text")) <= 7


def test_the_line_of_a_rating_says_its_first_and_last_day_and_the_day_of_each_point() -> None:
    day = 86_400_000
    changes = [RatingChange(i, "m", "o", 3, True, i * day, 1500.0 + i, 1501.0 + i, 3, 300.0) for i in range(3)]
    drawn = ElementTree.fromstring(plot(changes, "Roll-Over"))
    labels = [text.text for text in drawn.findall("g[@class='labels']/text")]
    assert labels == ["1 January 1970", "3 January 1970"]
    assert [one.text for one in drawn.findall("circle/title")][-2:] == ["2 January 1970: 1502", "3 January 1970: 1503"]
    assert len(drawn.findall("circle")) == 4
