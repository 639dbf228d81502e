"""Tournaments announced and directed over the API, and what it refuses to do."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from barpoint.server.domain.clubs import Admission
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.live.clubs import ClubPlan
from barpoint.server.live.tournaments import MAX_OWN
from tests.support.programs import Bot, Member
from tests.support.serving import Served

SWISS: dict[str, Any] = {
    "name": "By program", "form": "swiss", "lengths": [1], "rounds": 3, "max_players": 8, "bots": True,
    "late": 1, "boards": True, "round_ms": 60 * MINUTE,
}  # fmt: skip


SERVED = {"scheduler_ms": 20}


NAMES = iter(("Olga", "Odette", "Oksana", "Ophelia", "Orla", "Octavia"))


@pytest.fixture
def olga(served: Served) -> Member:
    """A director, another one for each test, because nobody may have many tournaments at once."""
    return Member(served, next(NAMES))


def announced(director: Bot, **fields: Any) -> str:
    answer = director.post("/api/tournament", plan={**SWISS, **fields})
    assert answer.status_code == 201, answer.text
    return f"/api/tournament/{answer.json()['tournament']['id']}"


def refusal(answer: httpx.Response) -> tuple[int, str]:
    assert answer.status_code >= 400, answer.text
    return answer.status_code, answer.json()["error"]["code"]


def open_games(shown: dict[str, Any]) -> list[dict[str, Any]]:
    return [game for game in shown["matches"] if game["how"] is None and not game["bye"]]


def test_a_swiss_is_announced_entered_directed_and_told_over_the_api(served: Served, olga: Member) -> None:
    players = [Bot(served, name) for name in ("One", "Two", "Three")]
    path = announced(olga, byes=2, bye_won=True, by_lot=True)
    changed = olga.get(path)["plan"] | {"name": "  Renamed\n", "max_players": 6}
    shown = olga.post(f"{path}/plan", plan=changed, seq=0).json()
    assert (shown["plan"]["name"], shown["tournament"]["max_players"], shown["seq"]) == ("Renamed", 6, 1)
    assert shown["director"]["id"] == olga.id
    for number, player in enumerate(players, 2):
        assert player.post(f"{path}/join").json() == {"seq": number}
    assert players[0].post(f"{path}/ask-bye").status_code == 200
    assert [one["name"] for one in olga.get(path)["players"] if one["asks_bye"]] == ["One"]
    assert olga.post(f"{path}/give-bye", player=players[0].id).status_code == 200
    assert olga.post(f"{path}/begin", sure=True).status_code == 200
    shown = olga.get(path)
    assert (shown["tournament"]["stage"], shown["round"], shown["rounds"], shown["late"]) == ("running", 1, 3, True)
    assert [game["players"][0] for game in shown["matches"] if game["bye"]] == [players[0].id]
    assert Bot(served, "Late").post(f"{path}/join").status_code == 200
    while olga.get(path)["round"] == 1:
        game = open_games(olga.get(path))[0]
        assert game["due_at"] < game["ends_at"], "a match waits for its players less long than a round lasts"
        assert olga.post(f"{path}/decide", game=game["number"], winner=game["players"][0], sure=True).status_code == 200
    shown = olga.get(path)
    assert (shown["round"], shown["late"]) == (2, False), "the next round is paired by itself"
    by_id = {player.id: player for player in players}
    game = next(game for game in open_games(shown) if set(game["players"]) <= by_id.keys())
    first, second = (by_id[player] for player in game["players"])
    assert first.post(f"{path}/report", game=game["number"], winner=first.id, score=[5, 0]).status_code == 200
    told = next(one for one in olga.get(path)["matches"] if one["number"] == game["number"])
    assert (told["reports"], told["how"]) == ({first.id: first.id}, None), "one report decides nothing"
    assert told["reported_scores"] == {first.id: [5, 0]}
    assert second.post(f"{path}/report", game=game["number"], winner=first.id).status_code == 200
    told = next(one for one in olga.get(path)["matches"] if one["number"] == game["number"])
    assert (told["winner"], told["how"]) == (first.id, "board")
    assert told["score"] == ([5, 0] if told["players"][0] == first.id else [0, 5])
    while (shown := olga.get(path))["tournament"]["stage"] == "running":
        number = open_games(shown)[0]["number"]
        assert olga.post(f"{path}/decide", game=number, winner=None, sure=True).status_code == 200
    assert len(shown["standings"]) == 4
    assert shown["standings"][0]["rank"] == 1
    events = olga.get(f"{path}/log")["events"]
    assert [one["seq"] for one in events] == [*range(1, shown["seq"] + 1)]
    assert [(one["event"]["kind"], one["by"]) for one in events][:2] == [("change", served_name(olga)), ("join", "One")]
    assert "By program" in str(events[0]["event"]["before"])
    page = olga.client.get(path.removeprefix("/api") + "/log").text
    assert "The plan was changed" in page
    assert olga.client.get(path.removeprefix("/api") + "/standings.csv").text.count("\n") == 5
    assert path.rpartition("/")[2] in [one["id"] for one in olga.get("/api/tournament?stage=over")["tournaments"]]
    assert path.rpartition("/")[2] not in [one["id"] for one in olga.get("/api/tournament")["tournaments"]]


def served_name(member: Member) -> str:
    name: str = member.get("/api/account")["name"]
    return name


def test_only_who_directs_a_tournament_directs_it_and_only_accounts_announce_one(served: Served, olga: Member) -> None:
    path, other, guest = announced(olga), Member(served, "Petra"), Bot(served, "Guest")
    assert refusal(guest.post("/api/tournament", plan=SWISS)) == (422, "refused")
    said = {"player": other.id, "game": 0, "winner": other.id, "level": "easy", "minutes": 60, "sure": True}
    for action in ("begin", "cancel", "remove", "seat", "decide", "correct", "extend", "give-bye", "enter"):
        assert refusal(other.post(f"{path}/{action}", **said)) == (403, "director"), action
        assert refusal(olga.post(f"/api/tournament/nothing/{action}", **said)) == (404, "unknown"), action
    assert refusal(other.post(f"{path}/plan", plan=SWISS)) == (403, "director")
    assert refusal(olga.post("/api/tournament/nothing/plan", plan=SWISS)) == (404, "unknown")
    assert refusal(olga.client.get("/api/tournament/nothing/log")) == (404, "unknown")
    assert olga.get(path)["seq"] == 0
    assert (olga.get(path)["directs"], other.get(path)["directs"]) == (True, False)
    reader = Member(served, "Quentin", scopes=("play",))
    assert refusal(reader.post("/api/tournament", plan=SWISS)) == (403, "scope")
    assert refusal(reader.post(f"{path}/join")) == (403, "scope")
    assert reader.get(path)["plan"]["name"] == "By program"
    for _ in range(MAX_OWN - 1):
        announced(olga)
    assert refusal(olga.post("/api/tournament", plan=SWISS)) == (409, "conflict")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "x"}, {"form": "ladder"}, {"lengths": []}, {"lengths": [1, 2]}, {"lengths": [99]}, {"rounds": 99},
        {"fee": -1}, {"prizes": []}, {"prizes": [60, 60]}, {"max_players": 1}, {"min_players": 9}, {"starts_at": 1},
        {"starts_at": 10**18}, {"patience_ms": 10**30}, {"round_ms": 1}, {"time_control": "None"}, {"crew": 3},
        {"form": "groups", "groups": 4},
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_played_is_refused(served: Served, fields: dict[str, Any]) -> None:
    wrong = Bot(served, "Wrong")
    assert refusal(wrong.post("/api/tournament", plan={**SWISS, **fields})) == (400, "format")
    assert refusal(wrong.post("/api/tournament", plan={**SWISS, "variant": "chess"})) == (422, "refused")


def test_what_is_out_of_turn_stale_or_not_meant_changes_nothing(served: Served, olga: Member) -> None:
    path, player = announced(olga), Bot(served, "Player")
    assert player.post(f"{path}/join", id="one").json() == {"seq": 1}
    assert player.post(f"{path}/join", id="one").json() == {"seq": 1}, "what is repeated is done once"
    assert refusal(player.post(f"{path}/join", id="two")) == (422, "refused")
    assert refusal(olga.post(f"{path}/remove", player=player.id)) == (422, "sure")
    assert refusal(olga.post(f"{path}/remove", player=player.id, sure=True, seq=0)) == (409, "stale")
    assert refusal(olga.post(f"{path}/remove", player="nobody", sure=True)) == (422, "refused")
    assert refusal(olga.post(f"{path}/begin", sure=True)) == (422, "refused"), "one player is too few"
    assert refusal(olga.post(f"{path}/decide", sure=True)) == (400, "format"), "a match and its winner are needed"
    assert refusal(olga.post(f"{path}/decide", game=0, sure=True)) == (400, "format"), "null says that both lose"
    assert refusal(olga.post(f"{path}/decide", game=0, winner=None, sure=True)) == (422, "refused")
    assert refusal(olga.post(f"{path}/extend", minutes=1)) == (400, "format")
    assert refusal(olga.post(f"{path}/seat", level="king")) == (400, "format")
    assert refusal(olga.post(f"{path}/fly")) == (404, "unknown")
    assert olga.get(path)["seq"] == 1
    agreed = olga.get(path)["plan"]
    assert refusal(olga.post(f"{path}/plan", plan=agreed | {"fee": 5})) == (422, "refused"), "somebody has entered"
    assert refusal(olga.post(f"{path}/plan", plan=agreed | {"lengths": [3]})) == (422, "refused")
    assert refusal(olga.post(f"{path}/plan", plan=agreed, seq=7)) == (409, "stale")
    assert Bot(served, "Third").post(f"{path}/join").status_code == 200
    assert Bot(served, "Fourth").post(f"{path}/join").status_code == 200
    assert refusal(olga.post(f"{path}/plan", plan=agreed | {"max_players": 2})) == (422, "refused")
    assert olga.post(f"{path}/extend", minutes=60, id="longer").json() == {"seq": 4}
    later = agreed | {"starts_at": served.services.matches.clock() + DAY}
    assert olga.post(f"{path}/plan", plan=later).json()["tournament"]["starts_at"] == later["starts_at"]
    assert olga.post(f"{path}/begin", sure=True).status_code == 200
    assert refusal(olga.post(f"{path}/plan", plan=later)) == (422, "refused"), "it has begun"
    assert refusal(player.post(f"{path}/leave")) == (422, "sure"), "after the start nobody comes back"
    assert olga.post(f"{path}/cancel", reason="storm", sure=True).status_code == 200
    assert (olga.get(path)["tournament"]["stage"], olga.get(path)["reason"]) == ("cancelled", "storm")


def test_a_plan_changed_to_fewer_places_than_were_once_taken_is_read_again_from_its_log(
    served: Served, olga: Member
) -> None:
    path = announced(olga, max_players=4)
    players = [Bot(served, name) for name in ("Un", "Deux", "Trois")]
    for player in players:
        player.post(f"{path}/join")
    players[2].post(f"{path}/leave")
    assert olga.post(f"{path}/plan", plan=olga.get(path)["plan"] | {"max_players": 3}).status_code == 200
    players[1].post(f"{path}/leave")
    assert olga.post(f"{path}/plan", plan=olga.get(path)["plan"] | {"max_players": 2}).status_code == 200
    tournaments = served.services.tournaments
    tournaments.log._sessions.clear()
    shown = olga.get(path)
    assert [one["name"] for one in shown["players"]] == ["Un"]
    assert (shown["plan"]["max_players"], shown["seq"]) == (2, 7)
    assert "The plan was changed" in olga.client.get(path.removeprefix("/api") + "/log").text


def test_a_tournament_of_a_club_is_announced_by_its_directors_and_seen_by_its_members(
    served: Served, olga: Member
) -> None:
    owner = Guest(olga.id, served_name(olga), registered=True)
    club_id = served.call(served.services.clubs.found(owner, ClubPlan("Secret", "", Admission.OPEN), "2026"))
    ann, stranger = Member(served, "Annabel"), Member(served, "Stanley")
    assert ann.post(f"/api/club/{club_id}/join").status_code == 200
    body = {"plan": SWISS, "club": club_id, "private": True}
    assert refusal(ann.post("/api/tournament", **body)) == (422, "refused")
    shown = olga.post("/api/tournament", **body).json()
    path = f"/api/tournament/{shown['tournament']['id']}"
    assert shown["club"] == club_id
    assert ann.get(path)["seq"] == 0
    assert stranger.client.get(path).status_code == 404
    assert stranger.client.get(f"{path}/log").status_code == 404
    assert stranger.post(f"{path}/join").status_code == 404
    assert stranger.post(f"{path}/plan", plan=SWISS).status_code == 404
    assert shown["tournament"]["id"] not in [one["id"] for one in ann.get("/api/tournament")["tournaments"]]
    assert refusal(olga.post(f"{path}/enter", name="Stanley")) == (422, "refused"), "no member"
    assert olga.post(f"{path}/enter", name="annabel").json() == {"seq": 1}
    assert olga.post(f"{path}/enter", name="Zoe", walk_in=True, id="e").json() == {"seq": 2}
    assert olga.post(f"{path}/enter", name="Zoe", walk_in=True, id="e").json() == {"seq": 2}, "sent again"
    players = [(one["id"], one["name"], one["bot"]) for one in ann.get(path)["players"]]
    assert players == [(ann.id, "Annabel", False), ("walk-in:1", "Zoe", False)]
    assert [one["by"] for one in ann.get(f"{path}/log")["events"]] == [owner.name] * 2
