"""The position of the day: the same for everybody, answered once by each, and the days of practice that follow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from barpoint.analysis.reference import ReferencePosition, reference_collection
from barpoint.moves import parse_play
from barpoint.server.services import wall_clock
from barpoint.server.storage.practice import DAY_MS
from barpoint.server.study.daily_positions import DAYS_KEPT, day_text, reference_of_day
from tests.support.accounts import hasten, register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve

LATER = [0]
"""Time that has passed beyond the real one, in ms."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = hasten(serve(tmp_path_factory.mktemp("served"), clock=lambda: wall_clock() + LATER[0]))
    running.services.allowance.answers._burst = 10_000
    yield running
    running.stop()


@contextmanager
def guest(served: Served) -> Iterator[httpx.Client]:
    """The browser of a new guest."""
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        assert client.post("/practice/drills").status_code == 204
        yield client


def today(served: Served) -> int:
    return served.services.daily_positions.today


def day_about(served: Served, kind: str) -> tuple[str, ReferencePosition]:
    """A day before today whose position asks for a play or a cube action."""
    days = range(today(served) - 1, today(served) - DAYS_KEPT - 1, -1)
    day = next(day for day in days if bool(reference_of_day(day).faces) == (kind == "play"))
    return day_text(day), reference_of_day(day)


def moves_of(one: ReferencePosition, place: int) -> list[list[int]]:
    play = parse_play(reference_collection().rules, one.position, one.faces, one.choices[place][0])
    return [list(move) for move in play.moves]


def test_no_position_comes_again_before_all_have_been() -> None:
    count = len(reference_collection().mixed_problems)
    keys = [reference_of_day(day).key for day in range(20_787, 20_787 + count)]
    assert len(set(keys)) == count > 800
    assert reference_of_day(20_787 + count).key == keys[0]


def test_everybody_sees_the_position_and_who_has_answered_how_everybody_did(served: Served) -> None:
    day, one = day_about(served, "play")
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as anybody:
        question = anybody.get(f"/api/practice/day/{day}").json()
        assert (question["day"], question["stage"], question["choices"]) == (day, one.stage, [])
        assert question["view"]["turn"]["nodes"]
        assert anybody.get("/practice/today").status_code == 200
        assert not anybody.cookies, "who only looks is no guest yet"
        assert anybody.post(f"/api/practice/day/{day}/answer", json={"moves": []}).status_code == 401
    answers = []
    for place in (0, 0, len(one.choices) - 1):
        with guest(served) as http:
            assert http.get(f"/api/practice/day/{day}/answers").status_code == 404, "not before one has answered"
            body = {"moves": moves_of(one, place)}
            answers.append(http.post(f"/api/practice/day/{day}/answer", json=body).json())
            assert http.get(f"/api/practice/day/{day}/answers").json() == answers[-1]
            assert http.post(f"/api/practice/day/{day}/answer", json=body).json() == answers[-1], "whose reply was lost"
            other = http.post(f"/api/practice/day/{day}/answer", json={"moves": moves_of(one, 1)})
            assert (other.status_code, "already" in other.json()["error"]["message"]) == (404, True)
    first, _second, last = answers
    assert first["judged"]["right"] is True
    assert last["judged"]["off"] == pytest.approx(one.equity - one.choices[-1][1], abs=1e-6)
    assert [told["persons"] for told in answers] == [1, 2, 3]
    rows = last["choices"][: len(one.choices)]
    assert [row["equity"] for row in rows] == [equity for _text, equity, _error in one.choices]
    assert [row["error"] for row in rows] == [error for _text, _equity, error in one.choices]
    assert (rows[0]["persons"], rows[-1]["persons"], rows[-1]["own"]) == (2, 1, True)


def test_a_cube_action_of_the_day_is_judged_by_both_sides_errors(served: Served) -> None:
    day, one = day_about(served, "cube")
    right = {"no double": "No double", "double/take": "Double, take", "double/pass": "Double, pass"}
    right["too good"] = "Too good to double"
    with guest(served) as http:
        refused = http.post(f"/api/practice/day/{day}/answer", json={"choice": "Maybe"})
        assert refused.status_code == 422
        told = http.post(f"/api/practice/day/{day}/answer", json={"choice": right[one.best]}).json()
    assert (told["judged"]["right"], told["judged"]["off"], told["persons"]) == (True, 0, 1)
    assert (told["choices"][0]["text"], told["choices"][0]["loss"], told["choices"][0]["own"]) == (
        right[one.best],
        0,
        True,
    )
    equities = {row["text"]: row["equity"] for row in told["choices"]}
    assert (equities["No double"], equities["Double, take"]) == one.cube_equities
    assert equities["Double, pass"] == 1


def test_only_the_last_thirty_days_have_a_page(served: Served) -> None:
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as http:
        for back, status in ((0, 200), (DAYS_KEPT, 200), (DAYS_KEPT + 1, 404), (-1, 404)):
            day = day_text(today(served) - back)
            assert http.get(f"/practice/day/{day}").status_code == status
            assert http.get(f"/api/practice/day/{day}").status_code == status
        assert http.get("/practice/day/yesterday").status_code == 404
        page = http.get("/practice/today").text
        assert page.count("/practice/day/") == DAYS_KEPT + 1, "thirty days and the link to yesterday"


def test_days_in_a_row_are_counted_from_the_position_of_the_day_and_ten_drill_answers(served: Served) -> None:
    with guest(served) as http:
        register(http, "Rowena")
        assert http.get("/api/practice").json()["streak"] == 0
        one, day = reference_of_day(today(served)), day_text(today(served))
        old, _one = day_about(served, "cube")
        http.post(f"/api/practice/day/{old}/answer", json={"choice": "No double"})
        assert http.get("/api/practice").json()["streak"] == 0, "the position of another day"
        given = {"moves": moves_of(one, 0)} if one.faces else {"choice": "No double"}
        assert http.post(f"/api/practice/day/{day}/answer", json=given).status_code == 200
        assert http.get("/api/practice").json()["streak"] == 1
        LATER[0] += DAY_MS
        rows = []
        for _answer in range(10):
            question = http.get("/api/practice/drills/question/match-equity").json()["id"]
            http.post("/api/practice/drills/answer", json={"question": question, "numbers": [50]})
            rows.append(http.get("/api/practice").json()["streak"])
        assert rows == [1] * 9 + [2]
        assert "2 days in a row" in http.get("/").text
        assert "2 days in a row" in http.get("/practice").text
        LATER[0] += 3 * DAY_MS
        assert "in a row" not in http.get("/").text


def test_a_finished_session_makes_a_day_count_and_the_menu_says_what_is_due(served: Served) -> None:
    with guest(served) as http:
        cards = {}
        deck = http.post("/api/practice/deck", json={"name": "Openings"}).json()["id"]
        for roll, put in (("31", ""), ("42", deck)):
            made = http.post("/api/practice/position", json={"address": {"roll": roll}, "deck": put})
            cards[roll] = made.json()["cards"][0]

        def answered(roll: str, moves: list[list[int]], **session: str) -> int:
            answer = http.post(f"/api/practice/card/{cards[roll]}/answer", json={"moves": moves, **session})
            assert answer.status_code == 200, answer.text
            return int(http.get("/api/practice").json()["streak"])

        assert answered("31", [[8, 5, 3], [6, 5, 1]], deck=deck) == 0, "the other card of the session is still to come"
        assert answered("42", [[8, 4, 4], [6, 4, 2]], deck=deck) == 1
        assert "card due" not in http.get("/rules").text
        LATER[0] += 3 * DAY_MS
        page = http.get("/rules").text
        assert '<b class="due" aria-hidden="true">2</b><span class="hidden">2 cards due</span>' in page
        assert "2 cards due" in http.get("/practice").text


def test_reference_positions_are_listed_by_kind_and_stage_and_become_cards(served: Served) -> None:
    wanted = [one for one in reference_collection().positions if not one.faces and one.stage == "race"]
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as http:
        page = http.get("/library/reference", params={"kind": "cube", "stage": "race"}).text
        assert f"{len(wanted)} positions" in page
        assert "Page 1 of 2" in page
        every = http.get("/library/reference?kind=x&stage=y&page=999").text
        assert f"{len(reference_collection().positions)} positions" in every
        form = {"key": wanted[0].key, "kind": "cube", "stage": "race", "page": "1"}
        made = http.post("/library/reference/card", data=form)
        assert made.status_code == 303
        assert made.headers["location"].startswith("/library/reference?kind=cube&stage=race#")
        page = http.get("/library/reference", params={"kind": "cube", "stage": "race"}).text
        assert page.count("You have a card of it.") == 1
        (asked,) = http.get("/api/practice/session").json()["cards"]
        assert asked["asked"] == "double"
        assert http.post("/library/reference/card", data={"key": "nothing"}).status_code == 404
