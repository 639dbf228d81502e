"""Clubs over the API: the list, one with its table, joining and leaving."""

from __future__ import annotations

from barpoint.server.domain.clubs import Admission
from barpoint.server.domain.guests import Guest
from barpoint.server.live.clubs import ClubPlan
from tests.support.programs import Bot, Member
from tests.support.serving import Served
from tests.support.tournaments import Club


def test_programs_read_clubs_and_only_accounts_join_them(served: Served) -> None:
    (owner,) = served.call(Club(served.services, served.services.matches.clock).enroll(1))  # type: ignore[arg-type]
    club_id = served.call(served.services.clubs.found(owner, ClubPlan("Readers", "Books", Admission.OPEN), "2026"))
    bot = Bot(served, "Reader")
    assert [(one["name"], one["members"], one["role"]) for one in bot.get("/api/club")["clubs"]] == [
        ("Readers", 1, None)
    ]
    shown = bot.get(f"/api/club/{club_id}")
    assert shown["club"]["text"] == "Books"
    assert [(one["name"], one["role"]) for one in shown["people"]] == [(owner.name, "owner")]
    assert (shown["season"], shown["table"], shown["tournaments"]) == ("2026", [], [])
    assert shown["notices"] == []
    served.call(served.services.clubs.post_notice(club_id, owner, "We read on Tuesday"))
    (notice,) = bot.get(f"/api/club/{club_id}")["notices"]
    assert (notice["by"], notice["text"]) == (owner.name, "We read on Tuesday")
    refused = bot.post(f"/api/club/{club_id}/join")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "refused"), "a guest is no member"
    assert bot.post(f"/api/club/{club_id}/fly").status_code == 404
    assert bot.post("/api/club/nothing/join").status_code == 404


def test_a_club_and_its_ladder_are_run_over_the_api_by_who_runs_the_club_alone(served: Served) -> None:
    owner, ann, ben = (Member(served, name) for name in ("Olga", "Annika", "Benno"))
    club_id = served.call(
        served.services.clubs.found(
            Guest(owner.id, "Olga", registered=True), ClubPlan("Runners", "", Admission.REQUEST), "2026"
        )
    )
    for bot in (ann, ben):
        assert bot.post(f"/api/club/{club_id}/join").status_code == 200
    asking = [one["name"] for one in owner.get(f"/api/club/{club_id}")["asking"]]
    assert sorted(asking) == ["Annika", "Benno"]
    assert ann.get(f"/api/club/{club_id}")["asking"] == []
    refused = ann.post(f"/api/club/{club_id}/person/Benno/admit")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "director")
    for name in ("Annika", "Benno"):
        assert owner.post(f"/api/club/{club_id}/person/{name}/admit").status_code == 200
    assert owner.post(f"/api/club/{club_id}/person/Benno/director").status_code == 200
    assert owner.post(f"/api/club/{club_id}/person/Benno/king").status_code == 404
    assert owner.post(f"/api/club/{club_id}/season", name="2027").status_code == 200
    shown = owner.get(f"/api/club/{club_id}")
    assert {one["name"]: one["role"] for one in shown["people"]}["Benno"] == "director"
    assert (shown["season"], shown["seasons"]) == ("2027", ["2027", "2026"])

    assert ann.post(f"/api/club/{club_id}/ladder", name="Heights").status_code == 403
    assert ben.post(f"/api/club/{club_id}/ladder", name="Heights", reach=99).status_code == 400
    made = ben.post(f"/api/club/{club_id}/ladder", name="Heights", length=1, reach=1)
    assert made.status_code == 201
    path = f"/api/ladder/{made.json()['id']}"
    for bot in (ben, ann):
        assert bot.post(f"{path}/join").status_code == 200
    assert [one["name"] for one in owner.get(f"/api/club/{club_id}")["ladders"]] == ["Heights"]
    assert [one["name"] for one in ann.get(path)["people"]] == ["Benno", "Annika"]
    assert ben.post(f"{path}/challenge/Annika").status_code == 422, "nobody challenges downwards"
    match_id = ann.post(f"{path}/challenge/Benno").json()["match"]
    challenges = ann.get(path)["challenges"]
    assert [(one["match"], one["challenger"]["name"], one["outcome"]) for one in challenges] == [
        (match_id, "Annika", None)
    ]
    assert ann.post(f"{path}/result", match=match_id, winner="Annika").status_code == 422, "who has lost enters it"
    assert ben.post(f"{path}/result", match=match_id, winner="Nobody").status_code == 404
    assert ben.post(f"{path}/result", match=match_id, winner="Annika").status_code == 200
    assert [one["name"] for one in ann.get(path)["people"]] == ["Annika", "Benno"]
    assert ann.post(f"{path}/close").status_code == 403
    assert owner.post(f"{path}/close").status_code == 200
    assert owner.get(path)["closed"] is True
    assert owner.post("/api/ladder/nothing/join").status_code == 404
