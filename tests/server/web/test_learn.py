"""The learning pages over HTTP: every variant begins with its start, and every picture of a page is drawn."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from barpoint.server.study.lessons import lessons, lessons_of
from barpoint.variants import variants


def test_the_rules_of_a_game_begin_with_its_start_and_a_button_to_play_it(http: httpx.Client) -> None:
    for header in variants():
        page = http.get(f"/rules/{header.name}").text
        article = page[page.index("<h1>") :]
        assert article.index(f'href="/?variant={header.name}"') < article.index(
            "<h2>" if "<h2>" in article else "</article>"
        )
        assert article.index(f"/picture?variant={header.name}") < article.index("</article>")
        assert http.get(f"/?variant={header.name}").status_code == 200


def test_every_picture_on_a_page_to_learn_from_is_drawn(http: httpx.Client) -> None:
    for path in ("questions", *(header.name for header in variants())):
        page = http.get(f"/rules/{path}").text
        pictures = {unescape(found) for found in re.findall(r'<img src="([^"]+)"', page)}
        assert pictures
        for picture in pictures:
            drawn = http.get(picture)
            assert drawn.status_code == 200, picture
            assert drawn.headers["content-type"].startswith("image/svg+xml")


def test_every_common_question_has_a_position(http: httpx.Client) -> None:
    page = http.get("/rules/questions").text
    assert "<h1>Common questions</h1>" in page
    for section in page.split("<h2>")[1:]:
        assert "/picture.svg" in section, section[:60]
    assert len(lessons_of("questions")) == page.count("<h2>")


def test_pages_of_rules_name_no_net_and_the_openings_have_boards(http: httpx.Client) -> None:
    for header in variants():
        page = http.get(f"/rules/{header.name}").text
        assert "by the net" not in page
        if "best play" in page:
            assert page.count("/openings/picture.svg") >= 10, header.name


def test_the_board_of_a_lesson_and_the_answer_to_a_play(http: httpx.Client) -> None:
    shown = http.get("/learn/making-points/board.json").json()
    assert shown["dice"]["faces"] == [3, 1]
    assert [may["kind"] for may in shown["allowed"]] == ["play"]
    said = http.get("/learn/making-points/answer.json", params={"moves": "[[8,5,3],[6,5,1]]"}).json()
    assert said == {"legal": True, "right": True, "text": f"Right: {lessons()['making-points'].right}"}
    assert http.get("/learn/the-cube/answer.json", params={"event": "pass"}).json()["right"] is False


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/learn/nowhere/board.json", 404),
        ("/learn/nowhere/answer.json", 404),
        ("/learn/nowhere/picture.svg", 404),
        ("/learn/making-points/board.json?moves=x", 422),
        ("/learn/making-points/board.json?moves=[[8,4,4]]", 422),
        ("/learn/making-points/answer.json?moves=[[1]]", 422),
    ],
)
def test_what_is_no_lesson_and_no_play_is_refused(http: httpx.Client, path: str, status: int) -> None:
    assert http.get(path).status_code == status


def test_the_guide_lists_its_steps_and_leads_to_a_match(http: httpx.Client) -> None:
    assert http.get("/learn").headers["location"] == "/rules"
    page = http.get("/learn/first-game").text
    explained = False
    for step in lessons_of("first-game"):
        assert f'data-lesson="{step.id}"' in page
        explained |= step.id == "the-cube"
        shown = http.get(f"/learn/{step.id}/board.json").json()
        assert (shown["cube"] is not None) == explained, f"{step.id}: the cube comes when it is explained"
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page[page.index('id="end"') :]))
    assert http.post("/match", data=fields).status_code == 303
