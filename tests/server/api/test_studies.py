"""Studies over HTTP: made and edited by their owner, read by everybody with the link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.studies import MAX_NODES, AddBoard, AddPlay, StudyFull, edited_study, new_study
from barpoint.server.storage.personal_data import forget_account, own_data
from barpoint.server.study import practice
from barpoint.server.study.practice import KINDS
from barpoint.server.web import studies as study_pages
from tests.server.api.test_practice import REPORT, imported
from tests.support.accounts import register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[httpx.Client]:
    """The browser of Anna, who has an account."""
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        register(client, "Anna")
        yield client


@pytest.fixture
def anybody(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        yield client


def made(anna: httpx.Client, **board: object) -> dict[str, Any]:
    answer = anna.post("/api/study", json={"title": "Opening 31", "board": board})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def edited(http: httpx.Client, study: dict[str, Any], kind: str, **edit: object) -> dict[str, Any]:
    answer = http.post(f"/api/study/{study['id']}/edit", json={"edit": {"kind": kind, **edit}})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def steps(study: dict[str, Any]) -> list[tuple[int, str]]:
    return [(node.get("parent", 0), node.get("step", "")) for node in study["nodes"]]


def test_a_study_grows_by_plays_doubles_and_positions_and_anybody_reads_it(
    anna: httpx.Client, anybody: httpx.Client
) -> None:
    study = made(anna, roll="31", length=7)
    study = edited(anna, study, "play", parent=1, play="8/5 6/5")
    assert study["at"] == 2
    assert study["nodes"][1]["board"]["turn"] == "far"
    study = edited(anna, study, "play", parent=2, roll="64", moves=[[24, 18, 6], [18, 14, 4]])
    study = edited(anna, study, "play", parent=1, play="24/23 13/10")
    study = edited(anna, study, "double", parent=3)
    study = edited(anna, study, "board", parent=0, board={"turn": "far"}, name="Another")
    study = edited(anna, study, "note", node=2, name="Golden point", comment="Makes the five point.")
    assert steps(study) == [
        (0, ""),
        (1, "31: 8/5 6/5"),
        (2, "64: 24/14"),
        (1, "31: 24/23 13/10"),
        (3, "double, take"),
        (0, ""),
    ]
    assert study["nodes"][4]["board"] | {"position": ""} == {"position": "", "cube": 2, "owner": "far", "length": 7}

    read = anybody.get(f"/api/study/{study['id']}").json()
    assert (read["title"], read["owner"], read["mine"]) == ("Opening 31", "Anna", False)
    assert read["nodes"] == study["nodes"]
    assert "Opening 31" in anybody.get(f"/study/{study['id']}").text
    assert anna.get(f"/api/study/{study['id']}").json()["mine"]
    listed = anna.get("/api/study").json()["studies"]
    assert (listed[0]["id"], listed[0]["positions"]) == (study["id"], 6)


def test_the_same_play_leads_to_the_position_there_is_and_lines_are_promoted_and_removed(anna: httpx.Client) -> None:
    study = made(anna, roll="31")
    study = edited(anna, study, "play", parent=1, play="8/5 6/5")
    study = edited(anna, study, "play", parent=2, roll="52", play="13/8 13/11")
    study = edited(anna, study, "play", parent=1, play="24/20")
    again = edited(anna, study, "play", parent=1, moves=[[6, 5, 1], [8, 5, 3]])
    assert (again["at"], len(again["nodes"])) == (2, 4)
    first = edited(anna, again, "first", node=4)
    assert [node["id"] for node in first["nodes"]] == [1, 4, 2, 3]
    less = edited(anna, first, "remove", node=2)
    assert ([node["id"] for node in less["nodes"]], less["at"]) == ([1, 4], 1)
    more = edited(anna, less, "play", parent=4, roll="11", play="8/7(2) 6/5(2)")
    assert more["at"] == 5, "ids are never given again"
    assert edited(anna, more, "title", title="  New   title ")["title"] == "New title"


@pytest.mark.parametrize(
    ("edit", "status", "said"),
    [
        ({"kind": "play", "parent": 1, "play": "13/1"}, 422, "13/1"),
        ({"kind": "play", "parent": 9, "play": "8/5"}, 404, "position 9"),
        ({"kind": "double", "parent": 1}, 400, "before the roll"),
        ({"kind": "remove", "node": 1}, 400, "only position"),
        ({"kind": "board", "board": {"position": "x"}}, 400, "characters"),
        ({"kind": "title", "title": ""}, 400, "length"),
        ({"kind": "burn"}, 400, "burn"),
    ],
    ids=lambda value: value["kind"] + str(value.get("parent", "")) if isinstance(value, dict) else "",
)
def test_an_edit_that_cannot_be_is_refused_with_the_reason(
    anna: httpx.Client, edit: dict[str, object], status: int, said: str
) -> None:
    study = made(anna, roll="31")
    answer = anna.post(f"/api/study/{study['id']}/edit", json={"edit": edit})
    assert (answer.status_code, said in answer.text) == (status, True), answer.text
    assert anna.get(f"/api/study/{study['id']}").json()["nodes"] == study["nodes"]


def test_only_its_owner_changes_a_study_and_only_accounts_make_one(
    served: Served, anna: httpx.Client, anybody: httpx.Client
) -> None:
    study = made(anna)
    path = f"/api/study/{study['id']}"
    assert anybody.post("/api/study", json={"title": "Mine"}).status_code == 401
    token = anybody.post("/api/guest", json={"name": "Gus"}).json()["token"]
    guest = {"Authorization": f"Bearer {token}"}
    assert anybody.post("/api/study", json={"title": "Mine"}, headers=guest).status_code == 403
    note = {"edit": {"kind": "note", "node": 1, "name": "Mine"}}
    assert anybody.post(f"{path}/edit", json=note, headers=guest).status_code == 403
    assert anybody.post(f"{path}/remove", headers=guest).status_code == 404

    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as ben:
        register(ben, "Ben")
        copied = ben.post(f"{path}/copy").json()
        assert (copied["owner"], copied["mine"], copied["nodes"]) == ("Ben", True, study["nodes"])
        assert ben.post(f"{path}/edit", json=note).status_code == 403
    assert anna.post(f"{path}/remove").status_code == 200
    assert anybody.get(path).status_code == 404
    assert anybody.get(f"/study/{study['id']}").status_code == 404


def test_a_study_is_part_of_ones_own_data_and_goes_with_the_account(served: Served) -> None:
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as kim:
        register(kim, "Kim")
        study = made(kim)
        kept = served.call(served.services.studies.study(study["id"]))
        assert kept.owner == "Kim"
        packed = served.call(served.services.store.read(own_data, kept.guest_id))
        assert b"study_tree.json" in packed
        served.call(served.services.store.write(forget_account, kept.guest_id, served.services.matches.clock()))
        assert kim.get(f"/api/study/{study['id']}").status_code == 404


def test_a_study_holds_only_so_many_positions() -> None:
    tree = new_study("Much", BoardAddress(roll="31"))
    tree, _at = edited_study(tree, AddPlay(1, play="8/5 6/5"))
    while len(tree.nodes) < MAX_NODES:
        tree, _at = edited_study(tree, AddBoard(BoardAddress(roll="31")))
    with pytest.raises(StudyFull, match=str(MAX_NODES)):
        edited_study(tree, AddPlay(1, play="24/20"))
    assert edited_study(tree, AddPlay(1, play="8/5 6/5")) == (tree, 2), "what there is can still be reached"


def asking(anna: httpx.Client) -> dict[str, Any]:
    """A study that asks for 3-1, with a comment and a line, and for a double; the position between them is not asked."""
    study = made(anna, roll="31", length=7)
    study = edited(anna, study, "play", parent=1, play="8/5 6/5")
    study = edited(anna, study, "note", node=1, comment="The point everybody wants.", asked=True)
    study = edited(anna, study, "board", parent=0, board={})
    study = edited(anna, study, "note", node=3, name="Too early", asked=True)
    return edited(anna, study, "note", node=3, name="Too early")


def answered(http: httpx.Client, study: dict[str, Any], status: int = 200, **answer: object) -> dict[str, Any]:
    got = http.post(f"/api/study/{study['id']}/answer", json=answer)
    assert got.status_code == status, got.text
    found: dict[str, Any] = got.json()
    return found


def test_a_position_asked_first_shows_comment_and_lines_to_whoever_has_answered(
    served: Served, anna: httpx.Client, anybody: httpx.Client
) -> None:
    study = asking(anna)
    path = f"/api/study/{study['id']}"
    assert [node.get("asked", False) for node in study["nodes"]] == [True, False, True]
    read = anybody.get(path).json()
    assert [(node["id"], node.get("comment")) for node in read["nodes"]] == [(1, None), (3, None)]
    assert "everybody wants" not in anybody.get(f"/study/{study['id']}").text
    asked = anybody.get(f"{path}/question/1", params={"moves": "[[8,5,3]]"}).json()
    assert (asked["choices"], asked["view"]["turn"]["made"]) == ([], [[8, 5, 3]])
    double = anybody.get(f"{path}/question/3").json()
    assert [one["name"] for one in double["choices"]] == ["No double", "Double"]
    assert anybody.get(f"{path}/question/2").status_code == 404, "what follows is not shown yet"
    answered(anybody, study, 401, node=1, moves=[[8, 5, 3], [6, 5, 1]])

    anybody.post("/practice/drills")  # makes a guest, as the page does
    first = answered(anybody, study, node=1, moves=[[24, 23, 1], [13, 10, 3]])
    assert (first["decision"]["loss"] > 0, first["study"]["score"]) == (True, "")
    assert [node["id"] for node in first["study"]["nodes"]] == [1, 2, 3]
    assert first["study"]["nodes"][0]["comment"] == "The point everybody wants."
    again = answered(anybody, study, node=1, moves=[[8, 5, 3], [6, 5, 1]])
    assert again["decision"]["loss"] == 0
    (kept,) = again["study"]["answers"]
    assert kept["loss"] == first["decision"]["loss"], "the first answer counts"
    answered(anybody, study, 422, node=3, choice="Take")
    answered(anybody, study, 404, node=2, moves=[])
    score = answered(anybody, study, node=3, choice="No double")["study"]["score"]
    lost = kept["loss"]
    assert score == f"1 of 2 right, {lost:.3f} lost, PR {500 * lost / 2:.1f}"


def test_the_owner_of_a_study_sees_who_answered_how_and_what_was_hardest(
    served: Served, anna: httpx.Client, anybody: httpx.Client
) -> None:
    study = asking(anna)
    page = f"/study/{study['id']}"
    assert "Results" not in anna.get(page).text
    anybody.post("/practice/drills")
    answered(anybody, study, node=3, choice="Double")
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as lea:
        register(lea, "Lea")
        answered(lea, study, node=1, moves=[[8, 5, 3], [6, 5, 1]])
        answered(lea, study, node=3, choice="Double")
        lines = re.findall(r"<li>(.*?)</li>", anna.get(page).text)
        assert re.search(r'#3">Too early</a> 2 people .* 0\.[1-9]\d+ <small>Lea: Double · Guest: Double<', lines[0])
        assert re.search(r'#1">Position, roll 31</a> 1 person .* 0\.000 <small>Lea: 8/5 6/5<', lines[1])
        assert lines[2].startswith("Lea: 1 of 2 right")
        assert lines[3].startswith("Guest: 0 of 1 right")
        assert "Results" not in lea.get(page).text
        copied = lea.post(f"/api/study/{study['id']}/copy").json()
        assert len(copied["nodes"]) == 3

        me = served.call(served.services.studies.study(copied["id"])).guest_id
        assert b"study_answer.json" in served.call(served.services.store.read(own_data, me))
        served.call(served.services.store.write(forget_account, me, served.services.matches.clock()))
    lines = re.findall(r"<li>(.*?)</li>", anna.get(page).text)
    assert [line[:5] for line in lines] == ["<a hr", "Guest"], "answers go with their account"
    assert anna.post(f"/api/study/{study['id']}/remove").status_code == 200, "with the answers to it"


def test_a_copy_of_a_study_holds_only_what_its_reader_has_seen(served: Served, anna: httpx.Client) -> None:
    study = asking(anna)
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as tom:
        register(tom, "Tom")
        copied = tom.post(f"/api/study/{study['id']}/copy").json()
        assert [(node["id"], node.get("comment")) for node in copied["nodes"]] == [(1, None), (3, None)]


def test_only_a_position_with_something_to_decide_is_asked(anna: httpx.Client) -> None:
    study = made(anna, crawford=True, score="6-3", length=7)
    edit = {"kind": "note", "node": 1, "asked": True}
    answer = anna.post(f"/api/study/{study['id']}/edit", json={"edit": edit})
    assert (answer.status_code, "nothing to decide" in answer.text) == (422, True), answer.text


def test_a_deck_and_the_mistakes_of_a_match_become_studies_that_ask(
    served: Served, anna: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = anna.post("/api/practice/deck", json={"name": "Replies"}).json()["id"]
    for roll in ("21", "41"):
        anna.post("/api/practice/position", json={"address": {"roll": roll}, "deck": deck})
    made_at = anna.post(f"/practice/deck/{deck}/study")
    study = anna.get(f"/api{made_at.headers['location']}").json()
    assert (study["title"], [node["asked"] for node in study["nodes"]]) == ("Replies", [True, True])

    match = imported(served, anna)
    made_at = anna.post(f"/review/{match}/study", data={"player": "0", "size": "error"})
    study = anna.get(f"/api{made_at.headers['location']}").json()
    wanted = [one for one in REPORT.decisions if one.player == 0 and one.loss >= 0.04 and one.kind in KINDS]
    assert len(study["nodes"]) == len(wanted) > 0
    assert f"which gave away {wanted[0].loss:.3f}" in study["nodes"][0]["comment"]

    looked_at, check = list[object](), practice.check_card
    monkeypatch.setattr(practice, "check_card", lambda setup: (looked_at.append(setup), check(setup)))
    monkeypatch.setattr(study_pages, "MAX_NODES", 1)
    made_at = anna.post(f"/review/{match}/study", data={"player": "0", "size": "error"})
    assert anna.get(f"/api{made_at.headers['location']}").json()["nodes"] == study["nodes"][:1]
    assert len(looked_at) == 1, "of a long match no more are made than a study holds"
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as guest:
        guest.post("/practice/drills")
        assert guest.post(f"/review/{match}/study").status_code == 403
