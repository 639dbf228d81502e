"""Tournaments over the API for bots: list, enter, play to the end, leave."""

from __future__ import annotations

import json
from contextlib import ExitStack

import httpx
import pytest

from barpoint.server.domain.tournament_events import Form, Plan
from tests.support.programs import Bot, lines
from tests.support.serving import Served
from tests.support.tournaments import Club

PLAN = Plan("Bots", form=Form.SWISS, variant="hypergammon", lengths=(1,), max_players=3, bots=True)


SERVED = {"scheduler_ms": 20}


@pytest.fixture(scope="module")
def club(served: Served) -> Club:
    return Club(served.services, served.services.matches.clock)  # type: ignore[arg-type]


def announced(served: Served, club: Club, plan: Plan) -> str:
    (person,) = served.call(club.enroll(1))
    return served.call(served.services.tournaments.announce(person, plan))


def hear_of(bot: Bot, match_id: str) -> None:
    """Reads the event stream until a match begins."""
    with bot.client.stream("GET", "/api/stream/event") as events:
        for line in events.iter_lines():
            told = json.loads(line) if line else {}
            if told.get("type") == "matchStart" and told["match"]["id"] == match_id:
                return
    raise AssertionError(f"nothing was told of {match_id}")


def come(match_id: str, *bots: Bot) -> None:
    """Joins the match and waits for its first roll: opening its stream means that the program gives no seed."""
    with ExitStack() as streams:
        opened = [streams.enter_context(bot.client.stream("GET", f"/api/bot/match/stream/{match_id}")) for bot in bots]
        assert any(state["seq"] for state in lines(opened[0])), "it begins while both are there"


def test_programs_find_a_tournament_enter_it_and_play_it_to_the_end(served: Served, club: Club) -> None:
    bots = {bot.id: bot for bot in (Bot(served, name) for name in ("One", "Two", "Three"))}
    tournament_id = announced(served, club, PLAN)
    for bot in bots.values():
        found = bot.get("/api/tournament")["tournaments"]
        assert [one["name"] for one in found if one["id"] == tournament_id] == ["Bots"]
        assert bot.post(f"/api/tournament/{tournament_id}/join").json()["seq"]
    played = set[str]()
    while (shown := next(iter(bots.values())).get(f"/api/tournament/{tournament_id}"))["tournament"]["stage"] != "over":
        game = next((game for game in shown["matches"] if game["match"] and not game["how"]), None)
        if game is None or game["match"] in played:
            continue
        winner, loser = (bots[player] for player in game["players"])
        hear_of(loser, game["match"])
        come(game["match"], winner, loser)
        assert loser.post(f"/api/bot/match/{game['match']}/resign", level=3).status_code == 200
        assert winner.post(f"/api/bot/match/{game['match']}/accept").status_code == 200
        played.add(game["match"])
    assert len(played) == 2
    assert sum(game["bye"] for game in shown["matches"]) == 2
    assert sorted(row["name"] for row in shown["standings"]) == ["One", "Three", "Two"]
    assert shown["standings"][0]["rank"] == 1


def test_what_a_program_may_not_do_is_refused_with_its_reason(served: Served, club: Club) -> None:
    bot, other = Bot(served, "Eager"), Bot(served, "Late")
    closed, open_one = announced(served, club, Plan("People only")), announced(served, club, PLAN)
    assert bot.post(f"/api/tournament/{closed}/join").status_code == 422
    assert "bots may not" in bot.post(f"/api/tournament/{closed}/join").json()["error"]["message"]
    assert bot.post(f"/api/tournament/{open_one}/leave").status_code == 422
    assert bot.post(f"/api/tournament/{open_one}/join").status_code == 200
    assert "entered already" in bot.post(f"/api/tournament/{open_one}/join").json()["error"]["message"]
    assert bot.get(f"/api/tournament/{open_one}")["players"] == [
        {"id": bot.id, "name": "Eager", "bot": True, "away": False, "asks_bye": False, "has_bye": False}
    ]
    assert other.post(f"/api/tournament/{open_one}/leave").status_code == 422
    assert bot.post(f"/api/tournament/{open_one}/leave").status_code == 200
    assert bot.post(f"/api/tournament/{open_one}/fly").status_code == 404
    assert bot.client.get("/api/tournament/nothing").status_code == 404
    assert bot.post("/api/tournament/nothing/join").json()["error"]["code"] == "unknown"
    assert httpx.get(f"{served.address}/api/tournament").status_code == 401
