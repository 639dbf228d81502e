"""Drills over HTTP: every one is asked, judged by the truth, answered once, and added up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qsl

import httpx
import pytest

from barpoint.analysis.inquiry import cube_info_of_inquiry
from barpoint.analysis.reference import reference_collection
from barpoint.engine.opening_book import opening_book
from barpoint.match.met import Met
from barpoint.moves import parse_play
from barpoint.server.domain.analysis_board import parse_address
from barpoint.server.study.drill_questions import CUBE_CHOICES, DRILLS, cube_losses, task, truth
from tests.support.accounts import hasten
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = hasten(serve(tmp_path_factory.mktemp("served")))
    running.services.allowance.answers._burst = 10_000
    yield running
    running.stop()


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        assert client.post("/match", data={"opponent": "board", "length": "1"}).status_code == 303
        yield client


def asked(http: httpx.Client, drill: str) -> dict[str, object]:
    found = http.get(f"/api/practice/drills/question/{drill}")
    assert found.status_code == 200, found.text
    return dict(found.json())


def answered(http: httpx.Client, question: object, **given: object) -> dict[str, object]:
    found = http.post("/api/practice/drills/answer", json={"question": question, **given})
    assert found.status_code == 200, found.text
    return dict(found.json())


def of(question: dict[str, object]) -> tuple[str, int]:
    """The drill and the number of a question."""
    drill, seed, *_rest = str(question["id"]).split(".")
    return drill, int(seed)


@pytest.mark.parametrize("drill", ["pips", "take-point", "gammon-value", "match-equity"])
def test_the_true_numbers_are_right_and_others_are_not(http: httpx.Client, drill: str) -> None:
    question = asked(http, drill)
    values = truth(task(*of(question)), None)
    right = answered(http, question["id"], numbers=values)
    assert (right["right"], right["off"]) == (True, 0)
    percent = DRILLS[drill].unit == "%"
    wrong = answered(http, asked(http, drill)["id"], numbers=[0.0 if percent else -900.0] * len(values))
    assert wrong["right"] is False
    assert wrong["off"] > (2 if percent else 100)  # type: ignore[operator]


@pytest.mark.parametrize("given", [-5, 100.5, 500])
def test_percent_beyond_0_and_100_are_refused_and_count_for_nothing(http: httpx.Client, given: float) -> None:
    question = asked(http, "match-equity")["id"]
    refused = http.post("/api/practice/drills/answer", json={"question": question, "numbers": [given]})
    assert refused.status_code == 422
    assert refused.json()["error"]["message"] == f"{given:g} percent; allowed: 0 to 100"
    answered(http, question, numbers=[50])


def test_one_point_is_needed_and_not_one_points() -> None:
    texts = {one.away: one.text for one in (task("match-equity", seed) for seed in range(400)) if one.away}
    assert texts[1, 4] == "You need 1 point, the opponent 4, in the Crawford game: your chance?"
    assert texts[4, 1] == "You need 4 points, the opponent 1, in the Crawford game: your chance?"
    assert texts[2, 3] == "You need 2 points, the opponent 3: your chance?"


def test_engine_questions_are_judged_by_the_engine(http: httpx.Client) -> None:
    chances = asked(http, "chances")
    known = http.get(f"/api/analysis?{chances['address']}&plies=2").json()["chances"][0]
    assert answered(http, chances["id"], numbers=[100 * known + 4.9])["right"] is True
    bear_off = asked(http, "epc")
    effective = http.get(f"/api/analysis?{bear_off['address']}&plies=0").json()["counts"]["effective"][0]
    assert answered(http, bear_off["id"], numbers=[effective - 1.1])["right"] is False


@pytest.mark.parametrize("drill", ["opening", "reply"])
def test_openings_are_judged_by_the_opening_book(http: httpx.Client, drill: str) -> None:
    for place in (0, -1):
        question = asked(http, drill)
        setup = parse_address(dict(parse_qsl(str(question["address"]))))
        found = opening_book().find(setup.of_actor, setup.faces)
        judged = answered(http, question["id"], moves=[list(move) for move in found[place].play.moves])
        assert judged["truth"] == str(found[0].play)
        assert judged["off"] == pytest.approx(found[place].loss, abs=1e-6)
        assert judged["right"] is (found[place].loss < 0.02)


def test_plays_of_the_middle_game_are_judged_by_their_rollouts(http: httpx.Client) -> None:
    collection = reference_collection()
    for place in (0, -1):
        question = asked(http, "play")
        setup = parse_address(dict(parse_qsl(str(question["address"]))))
        found = collection.find(setup.of_actor, setup.faces, cube_info_of_inquiry(setup.inquiry))
        assert found is not None
        text, equity, _error = found.choices[place]
        play = parse_play(setup.rules, found.position, found.faces, text)
        judged = answered(http, question["id"], moves=[list(move) for move in play.moves])
        assert judged["truth"] == str(found.best_play(setup.rules))
        assert judged["off"] == pytest.approx(found.equity - equity, abs=1e-6)


def test_cube_actions_are_judged_by_their_rollouts(http: httpx.Client) -> None:
    question = asked(http, "cube")
    setup = parse_address(dict(parse_qsl(str(question["address"]))))
    found = reference_collection().find(setup.of_actor, (), cube_info_of_inquiry(setup.inquiry))
    assert found is not None
    right = {"no double": 0, "double/take": 1, "double/pass": 2, "too good": 3}[found.best]
    assert answered(http, question["id"], choice=CUBE_CHOICES[right])["off"] == 0
    refused = http.post("/api/practice/drills/answer", json={"question": asked(http, "cube")["id"], "choice": "Maybe"})
    assert refused.status_code == 422


def test_a_cube_action_loses_what_both_sides_give_away() -> None:
    def losses(no_double: float, take: float) -> list[float]:
        choices = (("no double", no_double, 0.01), ("double/take", take, 0.01))
        return list(cube_losses(replace(reference_collection().cube_problems[0], choices=choices)).values())

    assert losses(0.7, 0.4) == pytest.approx([0, 0.3, 0.9, 0.6]), "no double; who doubles is taken"
    assert losses(0.9, 1.2) == pytest.approx([0.3, 0.2, 0, 0.1]), (
        "double and pass: who waits gives away 0.1, who takes 0.2"
    )
    assert losses(1.1, 1.4) == pytest.approx([0.4, 0.5, 0.1, 0]), "too good to double"


@pytest.mark.parametrize("drill", ["play", "cube"])
def test_positions_can_be_asked_about_one_stage_alone(http: httpx.Client, drill: str) -> None:
    def stage_of(stage: str) -> str:
        found = http.get(f"/api/practice/drills/question/{drill}", params={"stage": stage}).json()
        return task(*of(found)).stage

    assert [stage_of(stage) for stage in ("race", "back game", "race")] == ["race", "back game", "race"]
    assert http.get(f"/api/practice/drills/question/{drill}?stage=storm").status_code == 404
    assert http.get("/api/practice/drills/question/pips?stage=race").status_code == 404
    page = http.get(f"/practice/drills/{drill}?stage=race").text
    assert 'data-only="race"' in page
    assert page.count('aria-current="true"') == 2, "the drill and the stage"


def test_a_question_is_ones_own_and_answered_once(served: Served, http: httpx.Client) -> None:
    question = asked(http, "match-equity")["id"]
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as other:
        other.post("/match", data={"opponent": "board", "length": "1"})
        theirs = other.post("/api/practice/drills/answer", json={"question": question, "numbers": [50]})
        assert theirs.status_code == 404
    first = answered(http, question, numbers=[50])
    assert answered(http, question, numbers=[50]) == first, "what was said of it may have got lost"
    again = http.post("/api/practice/drills/answer", json={"question": question, "numbers": [51]})
    assert again.status_code == 404
    assert "answered already" in again.json()["error"]["message"]
    forged = str(question).replace("match-equity", "pips")
    assert http.post("/api/practice/drills/answer", json={"question": forged, "numbers": [1, 1]}).status_code == 404
    assert http.post("/api/practice/drills/answer", json={"question": "ä.1.2.3"}).status_code == 404


def test_answers_add_up_by_drill(http: httpx.Client) -> None:
    values = truth(task(*of(question := asked(http, "take-point"))), None)
    answered(http, question["id"], numbers=values)
    answered(http, asked(http, "take-point")["id"], numbers=[100])
    (line,) = (one for one in http.get("/api/practice/drills").json()["drills"] if one["name"] == "take-point")
    assert (line["answers"], line["right"]) == (2, 1)
    assert line["off"] > 20
    for page in ("/practice/drills", "/practice/drills/take-point"):
        assert http.get(page).status_code == 200
    assert http.get("/practice/drills/nothing").status_code == 404


def test_numbers_of_scores_are_those_of_the_table() -> None:
    win = Met.load().win
    for seed in range(60):
        take, gammon = task("take-point", seed), task("gammon-value", seed)
        assert take.away is not None
        assert gammon.away is not None
        us, them = take.away
        (point,) = truth(take, None)
        chance = point / 100
        assert chance * win(us - 2, them) + (1 - chance) * win(us, them - 2) == pytest.approx(win(us, them - 1))
        (value,) = truth(gammon, None)
        assert 0 <= value < 2
    assert {name: len({task(name, seed).text for seed in range(40)}) > 5 for name in DRILLS if "-" in name} == {
        "take-point": True, "gammon-value": True, "match-equity": True,
    }  # fmt: skip
