"""A person's statistics on the server: over matches played here and imported ones, by page, table and API."""

from __future__ import annotations

import asyncio
import csv
import gzip
import io
import json
import re
import zipfile
from dataclasses import replace
from unittest.mock import Mock

import httpx
import pytest
from msgspec import structs
from sqlalchemy import func, select, update

from barpoint.analysis import analyse
from barpoint.analysis.summary import VERSION
from barpoint.record import Annotation, format_sgf, parse_mat, parse_sgf
from barpoint.server.domain import guests
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import AnalysisSource, Key
from barpoint.server.storage.schema.study import OWN_NAME, REVIEW, REVIEW_ANALYSIS
from tests.analysis.test_statistics import MATCH
from tests.support.accounts import PASSWORD, register
from tests.support.played import play_match
from tests.support.serving import Served

REPORT = analyse(parse_mat(MATCH), plies=0)


def imported(served: Served, http: httpx.Client, text: str, *, name: str = "a.mat", analysed: bool = True) -> str:
    """The id of an imported match, with its analysis."""
    answer = http.post("/review", files={"file": (name, text.encode())})
    found = re.search(r"/review/([^/]+)/replay", answer.headers.get("location", answer.text))
    assert found, answer.text
    review_id = found[1]
    if analysed:
        finish(served, "review", review_id, 0)
    return review_id


def finish(served: Served, source: AnalysisSource, match_id: str, plies: int) -> None:
    key = Key(match_id, REPORT.net, plies, source)

    packed = gzip.compress(structs.replace(REPORT, plies=plies).json())
    served.call(served.services.store.write(analysis_storage.put, key, packed, REPORT.events, 1))


def test_a_stranger_is_told_how_to_come_by_statistics(http: httpx.Client) -> None:
    page = http.get("/statistics")
    assert page.status_code == 200
    assert "once matches of yours are analysed" in page.text


def test_imported_matches_count_under_the_most_frequent_name_or_the_names_asked_for(
    served: Served, http: httpx.Client
) -> None:
    for opponent in ("Ben", "Cleo", "Dora"):
        imported(served, http, MATCH.replace("Ben", opponent))
    imported(served, http, MATCH.replace("Ben", "Emil"), analysed=False)
    page = http.get("/statistics").text
    assert "In imported matches you are: Anna" in page
    assert "1 other match is not analysed yet." in page
    assert re.search(r"<dd>3 <small>3 won, 0 lost</small>", page)
    page = http.get("/statistics", params={"name": ["Cleo", "ben"]}).text
    assert re.search(r"<dd>2 <small>0 won, 2 lost</small>", page)
    table = http.get("/statistics.csv", params={"opponent": "dora"}).text
    (row,) = csv.DictReader(table.splitlines())
    assert (row["opponent"], row["won"]) == ("Dora", "1")


def test_names_that_are_ticked_are_kept_and_count_on_every_page(served: Served, http: httpx.Client) -> None:
    imported(served, http, MATCH)
    made = http.post("/practice/mistakes", data={"least": "0.02"}).text
    assert "No name in your imported matches is ticked as yours." in made
    for page in (made, http.get("/statistics").text, http.get("/library").text):
        assert "Tick your name in imported matches" in page
        assert 'action="/statistics/names"' in page
    assert "Once you have ticked your name" in http.get("/statistics?source=review").text
    assert "0 decisions" not in http.get("/library").text

    kept = http.post("/statistics/names", data={"name": "Anna", "back": "/library?opponent=Ben"})
    assert (kept.status_code, kept.headers["location"]) == (303, "/library?opponent=Ben")
    for address in ("/statistics", "/library"):
        assert "In imported matches you are: Anna" in http.get(address).text
    assert "<dd>1 <small>1 won, 0 lost</small>" in http.get("/statistics").text
    assert re.search(r"[1-9]\d* decisions?<", http.get("/library").text)
    assert re.search(r"[1-9]\d* cards? (is|are) made", http.post("/practice/mistakes", data={"least": "0.02"}).text)

    http.post("/statistics/names", data={"name": ["Ben", "x" * 49, ""], "back": "//elsewhere"})
    assert "In imported matches you are: Ben" in http.get("/library").text
    http.post("/statistics/names", data={"back": "/library"})
    assert "Tick your name in imported matches" in http.get("/library").text


def test_every_imported_name_can_be_ticked_or_written_before_anything_is_analysed(
    served: Served, http: httpx.Client
) -> None:
    matches = [
        MATCH.replace("Ben", f"Ben {number}").replace("Anna", "ANNA" if number % 3 else "ANNa") for number in range(14)
    ]
    imported(served, http, "\n".join(matches), analysed=False)
    for address in ("/statistics", "/library"):
        page = http.get(address).text
        ticks = re.findall(r'type="checkbox" name="name" value="([^"]*)"', page)
        suggested = re.findall(r'<option value="(Ben [^"]*)">', page)
        assert (len(ticks), ticks.count("ANNA"), "ANNa" in ticks) == (12, 1, False), (
            "capital letters make no other name"
        )
        assert {*ticks, *suggested} == {"ANNA", *(f"Ben {number}" for number in range(14))}
    http.post("/statistics/names", data={"name": ["ANNa", f" {suggested[-1]} ", ""]})
    page = http.get("/statistics").text
    assert re.findall(r'name="name" value="([^"]*)" checked', page) == ["ANNa", suggested[-1]]
    assert 'value="ANNA"' not in page


def test_the_page_says_how_deep_its_matches_were_analysed(served: Served, http: httpx.Client) -> None:
    for opponent in ("Ben", "Cleo", "Dora"):
        review_id = imported(served, http, MATCH.replace("Ben", opponent))
    first_look = "Numbers of 0-ply are a first look"
    finish(served, "review", review_id, 2)
    for address in ("/statistics", "/library", "/library?show=matches"):
        page = http.get(address, params={"name": "Anna"}).text
        assert f"Analysed: 2 matches at 0-ply and 1 match at 2-ply. {first_look}" in page
    assert first_look not in http.get("/statistics", params={"name": "Anna", "opponent": "Dora"}).text


def test_a_stranger_keeps_no_names(http: httpx.Client) -> None:
    assert http.post("/statistics/names", data={"name": "Anna"}).status_code == 403


def test_the_guess_counts_until_somebody_says_that_none_of_the_names_is_theirs(
    served: Served, http: httpx.Client
) -> None:
    for opponent in ("Ben", "Cleo"):
        imported(served, http, MATCH.replace("Ben", opponent))
    assert "In imported matches you are: Anna" in http.get("/statistics").text
    http.post("/statistics/names", data={"back": "/statistics"})
    assert "Tick your name in imported matches" in http.get("/statistics").text


def test_the_names_are_part_of_ones_own_data_and_go_with_the_account(served: Served, http: httpx.Client) -> None:
    register(http, "Fritz")
    imported(served, http, MATCH)
    http.post("/statistics/names", data={"name": "Ben"})
    with zipfile.ZipFile(io.BytesIO(http.get("/account/barpoint.zip").content)) as pack:
        (row,) = json.loads(pack.read("own_name.json"))
    assert row["name"] == "Ben"
    count = select(func.count()).select_from(OWN_NAME).where(OWN_NAME.c.guest_id == row["guest_id"])
    http.post("/account/delete", data={"password": PASSWORD})
    assert served.call(served.services.store.read(lambda connection: connection.scalar(count))) == 0


def test_numbers_have_a_real_minus_sign_and_words_their_singular(served: Served, http: httpx.Client) -> None:
    imported(served, http, MATCH)
    page = http.get("/statistics", params={"name": "Anna"}).text
    assert re.search(r'class="loss">−0\.\d{3}<', page)
    assert not re.search(r">-\d", page)
    for count, word in re.findall(r"(\d+) (errors?|blunders?)\b", page):
        assert word.endswith("s") == (count != "1")


def test_each_mistake_leads_to_its_moment(served: Served, http: httpx.Client) -> None:
    review_id = imported(served, http, MATCH)
    mistakes = [one for one in REPORT.worst() if one.counted and one.player == 0]
    page = http.get("/statistics", params={"name": "Anna"}).text
    assert mistakes
    assert re.findall(r'href="(/review/[^"]*)"', page) == [
        f"/review/{review_id}/replay#{mistake.event - 1}" for mistake in mistakes
    ]


def test_matches_played_here_count_for_whoever_sat_there(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon"))
    seats = served.call(served.services.matches.live_match(match_id)).header.seats
    http.cookies.set(guests.COOKIE, guests.sign(served.services.key, seats[0].guest))
    assert "1 other match is not analysed yet." in http.get("/statistics").text
    finish(served, "match", match_id, 0)
    assert "<dd>1 <small>" in http.get("/statistics").text
    assert "No analysed match is like that." in http.get("/statistics?source=review").text
    assert "No analysed match is like that." in http.get("/statistics?since=2099-01-01").text


def test_a_match_that_was_played_here_and_imported_too_counts_once(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon"))
    seats = served.call(served.services.matches.live_match(match_id)).header.seats
    http.cookies.set(guests.COOKIE, guests.sign(served.services.key, seats[0].guest))
    record = parse_sgf(http.get(f"/match/{match_id}/export.sgf").text)
    copy = imported(served, http, format_sgf(replace(record, annotations={2: Annotation("Bold")})), name="a.sgf")
    assert "1 other match is not analysed yet." in http.get("/statistics").text, "the copy counts as its match"
    assert "<dd>1 <small>" in http.get("/statistics").text
    finish(served, "match", match_id, 0)
    for query in ("", "?source=match"):
        assert "<dd>1 <small>" in http.get(f"/statistics{query}").text
    assert "No analysed match is like that." in http.get("/statistics?source=review").text
    assert http.get(f"/review/{copy}/replay").status_code == 200


def test_the_ratings_of_a_match_stand_in_lists_and_are_told_to_its_players(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon"))
    seats = served.call(served.services.matches.live_match(match_id)).header.seats
    assert http.get(f"/match/{match_id}/pr").json() == {"text": "", "coming": False}
    http.cookies.set(guests.COOKIE, guests.sign(served.services.key, seats[1].guest))
    assert "PR" not in http.get("/matches").text
    finish(served, "match", match_id, 0)
    http.get("/statistics")  # makes the summary
    first, second = (f"{one.total.rating:.1f}" for one in REPORT.players)
    assert http.get(f"/match/{match_id}/pr").json() == {
        "text": f"Your PR {second}, theirs {first}",
        "coming": False,
    }
    for path in ("/matches", "/review"):
        assert f"Your PR {second}, theirs {first}" in http.get(path).text
    http.cookies.clear()
    told = http.get(f"/match/{match_id}/pr").json()["text"]
    assert told == f"PR: {seats[0].shown_name} {first}, {seats[1].shown_name} {second}"


def test_the_ratings_of_an_imported_match_stand_beside_its_name(served: Served, http: httpx.Client) -> None:
    imported(served, http, MATCH)
    http.get("/statistics")  # makes the summary
    first, second = (f"{one.total.rating:.1f}" for one in REPORT.players)
    assert f"PR: Anna {first}, Ben {second}" in http.get("/review").text


@pytest.mark.parametrize("query", ["last=-1", "since=yesterday", "source=elsewhere", "name=" + "x" * 49, "unknown"])
def test_a_query_that_makes_no_sense_is_named_and_everything_counts(
    served: Served, http: httpx.Client, query: str
) -> None:
    imported(served, http, MATCH)
    page = http.get(f"/statistics?{query}")
    assert page.status_code == 200
    assert ('class="problem" role="alert"' in page.text) == (query != "unknown")


def test_summaries_are_made_once_for_all_pages_and_anew_by_a_newer_version(
    served: Served, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    review_id = imported(served, http, MATCH)
    first = http.get("/statistics", params={"name": "Anna"}).text
    store, analysed = served.services.store, served.services.analysed_matches
    summaries, where = analysed._summaries, REVIEW_ANALYSIS.c.review_id == review_id
    make = Mock(side_effect=summaries._make)
    monkeypatch.setattr(summaries, "_make", make)

    def spoil(version: int) -> None:
        empty = update(REVIEW_ANALYSIS).where(where).values(summary=b"", summary_version=version)
        served.call(store.write(lambda db: db.execute(empty) and None))

    async def twice() -> None:
        person = await served.services.guest(dict(http.cookies))
        assert person
        await asyncio.gather(*(analysed.of(person.id) for _page in range(2)))

    spoil(VERSION)
    assert http.get("/statistics", params={"name": "Anna"}).text == first, "it is in memory"
    spoil(VERSION - 1)
    summaries._kept.clear()
    served.call(twice())
    assert make.call_count == 1
    assert http.get("/statistics", params={"name": "Anna"}).text == first
    version = select(REVIEW_ANALYSIS.c.summary_version).where(where)
    assert served.call(store.read(lambda db: db.scalar(version))) == VERSION


def test_the_deepest_analysis_counts_and_a_deleted_match_no_longer(served: Served, http: httpx.Client) -> None:
    review_id = imported(served, http, MATCH)
    finish(served, "review", review_id, 2)
    assert "Analysed: 1 match at 2-ply." in http.get("/statistics", params={"name": "Anna"}).text
    http.post(f"/review/{review_id}/delete")
    assert "once matches of yours are analysed" in http.get("/statistics").text
    left = served.call(served.services.store.read(lambda db: db.execute(REVIEW.select()).all()))
    assert review_id not in {row.id for row in left}


def test_programs_get_the_same_by_token(served: Served, http: httpx.Client) -> None:
    token = http.post("/api/guest", json={"name": "reader"}).json()["token"]
    head = {"Authorization": f"Bearer {token}"}
    found = http.get("/api/statistics?last=10", headers=head)
    assert found.status_code == 200
    assert (found.json()["matches"], found.json()["course"]) == (0, [])
    assert http.get("/api/statistics?last=ten", headers=head).json()["error"]["code"] == "format"
    assert http.get("/api/statistics").status_code == 401


def test_an_imported_match_has_the_day_that_its_file_says(served: Served, http: httpx.Client) -> None:
    imported(served, http, MATCH)
    imported(served, http, MATCH.replace("2026.05.03", "no day").replace("Ben", "Cleo"))
    rows = csv.DictReader(http.get("/statistics.csv", params={"name": "Anna"}).text.splitlines())
    assert [row["played_on"] for row in rows] == ["", "2026-05-03"], "it is not as if it had been played today"
    assert "No analysed match is like that" not in http.get("/statistics?since=2026-05-01&name=Anna").text
    page = http.get("/statistics", params={"name": "Anna"}).text
    assert re.findall(r"<text[^>]*>([^<0-9][^<]*|[^<]* 2026)</text>", page) == ["no date", "3 May 2026"]
    for address in ("/review", "/library?show=matches"):
        listed = http.get(address).text
        assert "3 May 2026" in listed
        assert "no date, imported on" in listed


def test_the_day_of_a_file_is_shown_before_its_match_is_analysed(served: Served, http: httpx.Client) -> None:
    imported(served, http, MATCH, analysed=False)
    for address in ("/review", "/library?show=matches", "/library?show=matches&since=2026-05-03&until=2026-05-03"):
        assert "3 May 2026" in http.get(address).text
    assert "3 May 2026" not in http.get("/library?show=matches&since=2026-05-04").text
