"""People correct what they have entered or imported; the version before stays, and can be taken back."""

from __future__ import annotations

import asyncio
import html
import json
import re
import time
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from barpoint.match import Match
from barpoint.record import Book
from barpoint.server.domain.matches import BOTH
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.study import corrections, reviews
from barpoint.server.study.costly_pages import TooManyPages
from barpoint.server.study.line_boards import Entry
from barpoint.server.study.recordings import of_book
from tests.record.test_mat import MATCH
from tests.support.accounts import browser_of, register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served

SERVED = {"analyse_ended": "quick"}


@pytest.fixture(autouse=True)
def rested(served: Served) -> None:
    """Each test begins with all the pages that an address may ask for at once."""
    served.services.allowance.pages._credits.clear()


TURNS = ["opening 3-1", "X: 8/5 6/5", "Y: 64 24/14", "X: double", "Y: pass"]


def board(http: httpx.Client, length: int = 3) -> str:
    """The path of a new match of a real board."""
    fields = {
        "variant": "backgammon",
        "opponent": "board",
        "player1": "X",
        "player2": "Y",
        "length": str(length),
        "cube": "1",
    }
    answer = http.post("/match", data=fields)
    assert answer.status_code == 303
    return answer.headers["location"]


def imported(http: httpx.Client, text: str = MATCH) -> str:
    answer = http.post("/review", files={"file": ("match.mat", text)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removesuffix("/replay")


def form(page: str) -> dict[str, str]:
    """The form of the page as it is."""
    text = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', page))
    assert text
    return {**hidden, "lines": html.unescape(text[1])}


def correct(
    http: httpx.Client, path: str, do: str = "save", lines: list[str] | None = None, after: str = ""
) -> httpx.Response:
    fields = form(http.get(f"{path}/correct", params={"after": after} if after else {}).text)
    if lines is not None:
        fields["lines"] = "\r\n".join(lines)
    return http.post(f"{path}/correct", data={**fields, "do": do})


def lines_of(http: httpx.Client, path: str) -> list[str]:
    return form(http.get(f"{path}/correct?after=0").text)["lines"].splitlines()


def saved(answer: httpx.Response) -> str:
    assert answer.status_code == 303, re.findall(r'<p class="problem".*', answer.text)
    return str(answer.headers["location"]).removesuffix("/replay")


def test_the_record_of_a_real_board_is_replaced_in_lists_and_goes_on_from_the_last_line(
    served: Served, http: httpx.Client
) -> None:
    old = board(http)
    wrong = correct(http, old, lines=[*TURNS[:2], "Y: 62 24/14", "X: 55"])
    assert "“Y: 62 24/14” is not possible here: 24/14 is no legal play of 6-2" in wrong.text
    assert "data-unsaved" in wrong.text
    assert "data-unsaved" in correct(http, old, "check", TURNS).text
    assert "data-unsaved" not in http.get(f"{old}/correct").text
    assert form(wrong.text)["lines"].splitlines() == [*TURNS[:2], "Y: 62 24/14", "X: 55"], "nothing is lost"
    assert lines_of(http, old) == []
    first = saved(correct(http, old, "cut2", [*TURNS[:2], "Y: 62 24/14", "X: 55"]))
    assert lines_of(http, first) == TURNS[:2]
    live = served.call(served.services.matches.live_match(first.split("/")[2]))
    assert (live.header.seat_of(live.header.seats[0].guest), live.seq, live.match.game.player) == (BOTH, 2, 1)
    assert f'href="{first}"' in http.get("/matches").text
    assert f'href="{old}"' not in http.get("/matches").text
    assert f'<a href="{first}">Current version</a>' in http.get(old).text
    replaced = http.get(f"{old}/correct").text
    assert f'href="{first}/replay"' in replaced
    assert 'value="save"' not in replaced
    keeper, store = str(live.header.seats[0].guest), served.services.store
    for event in (0, 2):
        kept = OwnNote("match", live.id, event, starred=True)
        served.call(store.write(note_storage.put, keeper, kept, 1))
    assert saved(correct(http, first, "back")) == old
    assert lines_of(http, old) == []
    noted = {(one.path, one.event) for one in served.call(store.read(note_storage.notes, keeper))}
    assert noted == {(old, 0), (first, 2)}, "the play is not in the version before"
    assert saved(correct(http, old, "back")) == first
    assert lines_of(http, first) == TURNS[:2]


def test_a_match_is_entered_at_the_board_line_by_line_and_saved(http: httpx.Client) -> None:
    """As the page does it: the server says which lines stand instead of the one that is due, and which is due then."""
    path = board(http)
    lines, at = [""], 0

    def enter(**event: object) -> dict[str, Any]:
        fields = {"first": "0", "lines": "\n".join(lines), "at": str(at), "event": json.dumps(event)}
        answer = http.post(f"{path}/correct/board", data=fields)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    for event in (
        {"kind": "opening", "faces": [3, 1]},
        {"kind": "play", "player": 0, "moves": [[8, 5, 3], [6, 5, 1]]},
        {"kind": "roll", "player": 1, "faces": [6, 2]},
        {"kind": "roll", "player": 1, "faces": [6, 4]},  # that was a slip
        {"kind": "play", "player": 1, "moves": [[24, 18, 6], [18, 14, 4]]},
        {"kind": "double", "player": 0},
        {"kind": "pass", "player": 1},
    ):
        found = enter(**event)
        lines[found["at"] : found["at"] + 1], at = found["written"], found["line"]
    assert lines == TURNS
    assert [may["kind"] for may in found["view"]["allowed"]] == ["next"]
    assert lines_of(http, saved(correct(http, path, lines=lines))) == TURNS


def test_what_cannot_be_entered_at_a_line_is_refused_with_the_reason(http: httpx.Client) -> None:
    path = board(http)
    for fields, said in (
        ({"event": '{"kind":"take","player":0}'}, "No double is pending."),
        ({"event": '{"kind":"dance"}'}, "dance"),
        ({"moves": "[[30,1,2]]"}, "<= 26"),
    ):
        answer = http.post(f"{path}/correct/board", data={"first": "0", "lines": TURNS[0], "at": "1", **fields})
        assert answer.status_code == 422
        assert said in answer.json()["message"]


def test_what_is_no_line_or_no_event_of_the_match_is_refused_and_lines_end_where_browsers_end_them(
    http: httpx.Client,
) -> None:
    path = board(http)
    lines = f"{TURNS[0]}\r\n{TURNS[1]}\rY:\u202864 24/14\x0c\x85\nX: 21"
    found = http.post(f"{path}/correct/board", data={"first": "0", "lines": lines, "at": "3"}).json()
    assert (found["line"], found["problem"], found["view"]["dice"]["faces"]) == (3, "", [2, 1])
    for first in ("1", "-1", ""):
        fields = {"first": first, "lines": lines, "at": "3", "do": "check"}
        assert [http.post(f"{path}/{one}", data=fields).status_code for one in ("correct", "correct/board")] == [
            422
        ] * 2


def test_of_questions_about_boards_a_person_waits_with_one_and_many_lines_count_as_a_costly_page(
    served: Served,
) -> None:
    asks, person = served.services.corrections.board, SimpleNamespace(id="keeper")
    begun = Match.start(length=3)
    known = of_book("review", Book(begun, ("X", "Y")), 0)

    async def ask(*counts: int, may: bool = True) -> list[int | str]:
        asked = [asks(known, 0, [""] * count, count, Entry(), person, lambda: may) for count in counts]  # type: ignore[arg-type]
        found = await asyncio.gather(*asked, return_exceptions=True)
        return [str(one) if isinstance(one, TooManyPages) else one.line for one in found]  # type: ignore[union-attr]

    refused = "too many requests; try again in a minute"
    assert served.call(ask(1, 2, 3)) == [1, refused, 3], "the first was read already"
    many = corrections.MANY_LINES
    assert served.call(ask(3 + many + 1, may=False)) == [refused]
    assert served.call(ask(3 + many, may=False)) == [3 + many]
    assert served.call(ask(3 + many + 1, may=False)) == [3 + many + 1], "only what is new is read"


def test_of_several_versions_the_one_that_was_replaced_last_is_taken_back(http: httpx.Client) -> None:
    first = board(http)
    second = saved(correct(http, first, lines=TURNS[:1], do="save"))
    assert saved(correct(http, second, "back")) == first
    third = saved(correct(http, first, lines=TURNS[:2], do="save"))
    assert saved(correct(http, third, "back")) == first, "the second one had been taken back"


def test_a_match_of_many_turns_is_checked(http: httpx.Client) -> None:
    lines = [*TURNS[:2], *["Y: 62 24/14"] * 5_000]
    assert "is not possible here" in correct(http, board(http), lines=lines).text


def test_an_import_is_corrected_and_its_replay_and_export_tell_the_corrected_match(http: httpx.Client) -> None:
    old = imported(http)
    begun = ["Anna: double", "Ben: pass", "next", "opening 2-6", "Ben: 24/18 13/11"]
    assert form(http.get(f"{old}/correct?after=5").text)["lines"].splitlines() == begun
    new = saved(correct(http, old, lines=["Anna: double", "Ben: take", "Anna: 55 8/3(2) 6/1*(2)"], after="5"))
    assert new != old
    assert lines_of(http, new)[-3:] == ["Anna: double", "Ben: take", "Anna: 55 8/3(2) 6/1*(2)"]
    page = http.get("/review").text
    assert f'href="{new}/replay"' in page
    assert f'href="{old}/replay"' not in page
    assert "Takes" in http.get(f"{new}/export.mat").text
    newest = f'This version has been corrected. <a href="{new}/replay">Current version</a>'
    for page in ("replay", "embedded"):
        assert newest in http.get(f"{old}/{page}").text, "who has its link still sees it, and where the match goes on"
        assert "has been corrected" not in http.get(f"{new}/{page}").text
    assert saved(correct(http, new, "back")) == old
    assert f'href="{new}/replay"' not in http.get("/review").text
    assert http.post(f"{old}/delete").status_code == 303
    assert [http.get(f"{one}/replay").status_code for one in (old, new)] == [404, 404]


def test_cards_of_a_corrected_match_lead_to_the_same_decisions_in_it_and_keep_their_comments(
    http: httpx.Client,
) -> None:
    register(http, "Cora")
    old = imported(http)
    place = {"source": "review", "match": old.split("/")[2]}
    for event, player in ((4, 1), (6, 1), (9, 1)):
        assert http.post("/api/practice/moment", json={**place, "event": event, "player": player}).status_code == 201
    assert http.post("/api/note", json={**place, "event": 9, "comment": "Why not 24/16?"}).status_code == 200

    def sources() -> list[str]:
        return sorted(one["source"] for one in http.get("/api/practice/session").json()["cards"])

    inserted = ["Anna: 21 24/21", "Ben: 21 13/10"]
    rest = ["Anna: double", "Ben: pass", "next", "opening 2-6", "Ben: 24/18 13/11"]
    new = saved(correct(http, old, lines=[*inserted, *rest], after="5"))
    assert sources() == sorted(f"{new}/replay#{moment}" for moment in (3, 9, 12))
    (card,) = (one for one in http.get("/api/practice/session").json()["cards"] if one["source"].endswith("#12"))
    body = {"moves": [[24, 18, 6], [13, 11, 2]]}
    assert http.post(f"/api/practice/card/{card['id']}/answer", json=body).json()["comment"] == "Why not 24/16?"
    assert saved(correct(http, new, "back")) == old
    assert sources() == [f"{old}/replay#{moment}" for moment in (3, 5)]  # the third is not due for days


def test_earlier_versions_are_no_matches_more_and_a_full_list_can_be_corrected(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (reviews, corrections):
        monkeypatch.setattr(module, "max_reviews", lambda _person: 2)
    path = imported(http, MATCH.replace("Ben", "Dora"))
    for play in ("24/16", "24/22 13/7"):
        path = saved(correct(http, path, lines=[f"Dora: {play}"], after="9"))
    imported(http)
    path = saved(correct(http, path, lines=["Dora: 13/7 13/11"], after="9"))
    refused = http.post("/review", files={"file": ("match.mat", MATCH.replace("Ben", "Emma"))})
    assert "You have 2 matches here" in http.get("/review").text + refused.text


def test_what_was_found_of_the_same_decisions_is_not_found_again(served: Served, http: httpx.Client) -> None:
    old = imported(http, MATCH.replace("Anna", "Cleo"))

    def report(path: str) -> dict[str, object]:
        until = time.monotonic() + PATIENCE_S
        http.post(f"{path}/analysis", data={"plies": "0"})
        while "decisions" not in (found := http.get(f"{path}/analysis.json?plies=0").json()):
            assert time.monotonic() < until
            time.sleep(0.05)
        return dict(found)

    before = report(old)
    after = report(saved(correct(http, old, lines=["Ben: 24/16"], after="9")))
    assert before["decisions"][:-1] == after["decisions"][:-1]  # type: ignore[index]
    assert before["decisions"] != after["decisions"]


def test_only_who_keeps_the_record_or_has_imported_the_match_corrects_it_and_never_one_played_here(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    played = http.post("/match", data={"variant": "backgammon", "opponent": "friend", "length": "1"}).headers[
        "location"
    ]
    for browser, path in ((other, board(http)), (other, imported(http)), (http, played)):
        assert browser.get(f"{path}/correct").status_code == 404
        for form_path in ("correct", "correct/board"):
            fields = {"do": "save", "first": "0", "lines": "next"}
            assert browser.post(f"{path}/{form_path}", data=fields).status_code == 404


def test_a_result_that_counts_in_ratings_is_not_corrected(served: Served, http: httpx.Client) -> None:
    register(http, "Keeper")
    path = saved(correct(http, board(http, 1), lines=[*TURNS[:3], "X: resign 1", "Y: accept"]))
    with browser_of(served, "Xenia") as first, browser_of(served, "Yves") as second:
        http.post(f"{path}/result", data={"do": "name", "player1": "Xenia", "player2": "Yves"})
        assert first.post(f"{path}/result", data={"do": "confirm"}).status_code == 303
        assert second.post(f"{path}/result", data={"do": "confirm"}).status_code == 303
    refused = correct(http, path, lines=TURNS[:2])
    assert refused.status_code == 422
    assert "This match counts in ratings" in refused.text


def test_who_has_not_seen_that_the_record_has_gone_on_saves_nothing(http: httpx.Client) -> None:
    old = board(http)
    seen = form(http.get(f"{old}/correct").text)
    new = saved(correct(http, old, lines=TURNS[:2]))
    for path in (old, new):
        answer = http.post(f"{path}/correct", data={**seen, "do": "save", "lines": TURNS[0]})
        assert answer.status_code == 422
        assert "look again" in answer.text
    assert lines_of(http, new) == TURNS[:2]
