"""Imported match files: parsed in a separate process, stored for their owner, replayed and analysed."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import Connection, func, select

from barpoint.analysis import Report
from barpoint.game import Opening
from barpoint.match import Match, write_log
from barpoint.record import Book, format_book, format_mat, format_sgf, parse_book, parse_mat, parse_sgf, parse_xg
from barpoint.record.annotation import Annotation
from barpoint.record.log_notes import book_log
from barpoint.record.worker import MAX_EVENTS, read
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Allowance
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.reviews import ListedReview, StoredReview
from barpoint.server.storage.schema.jobs import JOB
from barpoint.server.storage.schema.study import REVIEW, REVIEW_ANALYSIS
from barpoint.server.storage.store import Store
from barpoint.server.study import costly_pages, reviews
from barpoint.server.study.reviews import MAX_UPLOAD_BYTES, Reviews
from barpoint.server.web import reviews as pages
from barpoint.server.web.reviews import LINES
from tests.record.test_annotation import GNU
from tests.record.test_collection import zipped
from tests.record.test_mat import MATCH
from tests.support import databases
from tests.support.accounts import PASSWORD, account_of, register
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.recorded import played
from tests.support.serving import Served
from tests.support.xg_file import xg_file

BOOK = parse_mat(MATCH)


def bring(client: httpx.Client, data: bytes = MATCH.encode(), name: str = "match.mat") -> httpx.Response:
    return client.post("/review", files={"file": (name, data)})


def brought(client: httpx.Client, data: bytes = MATCH.encode(), name: str = "match.mat") -> str:
    """The URL of the pages of an imported match."""
    answer = bring(client, data, name)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removesuffix("/replay")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("match.mat", MATCH.encode()),
        ("MATCH.TXT", MATCH.encode()),
        ("match.sgf", format_sgf(BOOK).encode()),
        ("match.json", write_log(BOOK.match)),
        ("match.xg", xg_file(BOOK)),
    ],
)
def test_a_file_is_read_and_leads_to_its_replay(http: httpx.Client, name: str, data: bytes) -> None:
    address = brought(http, data, name)
    page = http.get(f"{address}/replay")
    assert page.status_code == 200
    assert f'data-path="{address}"' in page.text
    found = http.get(f"{address}/replay.json").json()
    assert (found["over"], len(found["lines"])) == (BOOK.match.over, len(BOOK.match.events))
    boards = http.get(f"{address}/replay.json?game=1").json()
    assert len(boards) == found["chapters"][0]["last"] + 1
    if name.endswith(".mat"):
        assert (boards[0]["labels"]["near"], boards[0]["labels"]["far"]) == BOOK.players


def test_what_the_file_says_of_its_match_is_shown_and_taken_away_again(http: httpx.Client) -> None:
    address = brought(http, GNU.encode(), "analysed.sgf")
    found = http.get(f"{address}/replay.json").json()
    notes = {note["seq"]: note["lines"] for note in found["notes"]}
    assert (notes[1], notes[2]) == (["From the file: Final"], ["From the file: The only play ] here."])
    assert {(one["event"], one["kind"], one["best"]): one["lines"] for one in found["verdicts"]} == {
        (2, "play", "8/5 6/5"): ["GNU Backgammon 1.08.003, 2-ply: 8/5 6/5", "8/5 6/5 +0.088; 24/23 13/10 -0.154, 0-ply"],
        (3, "no double", "No double"): [
            "GNU Backgammon 1.08.003, 2-ply: No double", "no double +0.003, take -0.211, pass +1.000"
        ],
    }  # fmt: skip
    kept = parse_sgf(http.get(f"{address}/export.sgf").text).annotations.keys()
    assert kept >= notes.keys() - {1}
    log = http.get(f"{address}/export.json").content
    assert parse_book(log, ".json").annotations.keys() == kept | {1}


def test_the_analysis_board_finds_what_the_file_says_of_the_decision(http: httpx.Client) -> None:
    address = brought(http, GNU.encode(), "analysed.sgf")
    opened = http.get(f"{address}/analysis-board", params={"after": "1"})
    assert opened.headers["location"].rpartition("/")[0].endswith(f"#{address[1:]}/2")
    found = http.get(f"{address}/decision.json", params={"before": "2"}).json()
    said = found["said"]
    assert opened.headers["location"].startswith(f"/analysis?{found['query']}#")
    assert found["names"] == list(parse_sgf(GNU).players)
    assert said[:2] == ["From the file: The only play ] here.", "GNU Backgammon 1.08.003, 2-ply: 8/5 6/5"]
    other = found["other"]
    assert (other["program"], other["options"][0]["text"]) == ("GNU Backgammon 1.08.003", "8/5 6/5")
    nothing = http.get(f"{address}/decision.json", params={"before": "6"}).json()
    assert (nothing["said"], nothing["other"]) == ([], {})


def test_what_a_second_file_says_is_added_to_the_match_that_a_bare_one_brought(http: httpx.Client) -> None:
    def noted(address: str) -> int:
        return len(http.get(f"{address}/replay.json").json()["notes"])

    bare = format_mat(replace(parse_sgf(GNU), annotations={})).encode()
    first = brought(http, bare)
    assert noted(first) == 0
    assert brought(http, GNU.encode(), "analysed.sgf") == first
    assert noted(first) > 2
    assert brought(http, bare) == first
    assert noted(first) > 2, "a file that says nothing takes nothing away"


def test_a_second_file_adds_its_notes_to_the_events_and_terms_that_are_stored(http: httpx.Client) -> None:
    def stored() -> Book:
        return parse_book(http.get(f"{address}/export.json").content, ".json")

    def shown() -> dict[int, list[str]]:
        return {note["seq"]: note["lines"] for note in http.get(f"{address}/replay.json").json()["notes"]}

    book = Book(played("backgammon", 0, 1, events=8), ("Anna", "Ben"))
    other = Match.start(0, jacoby=True).apply(Opening((4, 4)))
    for event in book.match.events:
        other = other.apply(event)
    address = brought(http, format_book(replace(book, annotations={2: Annotation("Clear")}), ".sgf"), "first.sgf")
    before = stored()
    assert shown() == {2: ["From the file: Clear"]}
    tied = Book(other, book.players, annotations={3: Annotation("Was it?"), 4: Annotation("Lucky")})
    for _ in range(2):
        assert brought(http, format_book(tied, ".json"), "second.json") == address
        assert shown() == {2: ["From the file: Clear\nWas it?"], 3: ["From the file: Lucky"]}
    assert (stored().match, stored().players) == (before.match, before.players)


@pytest.mark.usefixtures("each_database")
async def test_what_a_file_adds_in_one_process_is_seen_in_another(tmp_path: Path) -> None:
    here, there = [await Store.open(databases.address(tmp_path)) for _process in range(2)]
    person, about = Guest("anna", "Anna"), ListedReview("m", "", BOOK.players, "backgammon", 3, "", 0)
    logs = [gzip.compress(book_log(replace(BOOK, annotations={2: Annotation(said)}))) for said in ("Bold", "Calm")]

    def make(connection: Connection) -> None:
        guest_storage.put_guest(connection, person, 0)
        review_storage.put(connection, StoredReview(about, person.id, "", logs[0]), 1)

    await here.write(make)
    kept = Reviews(there, lambda: 0)
    assert (await kept.open("m", None)).book.annotations == {2: Annotation("Bold")}
    await here.write(review_storage.set_log, "m", logs[1])
    assert (await kept.open("m", None)).book.annotations == {2: Annotation("Calm")}
    for store in (here, there):
        await store.close()


def test_costly_pages_of_a_match_show_what_a_second_file_says(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costly_pages, "LONG", 1)
    address = brought(http, format_mat(replace(parse_sgf(GNU), annotations={})).encode())
    assert http.get(f"{address}/replay.json").json()["notes"] == []
    assert brought(http, GNU.encode(), "analysed.sgf") == address
    assert http.get(f"{address}/replay.json").json()["notes"] != []


def test_the_day_that_a_second_file_says_is_kept(http: httpx.Client) -> None:
    first = brought(http, format_mat(Book(BOOK.match, BOOK.players)).encode())
    assert "no date, imported on" in http.get("/review").text
    dated = format_mat(Book(BOOK.match, BOOK.players, {"EventDate": "2026.05.03"})).encode()
    assert brought(http, dated) == first
    assert "3 May 2026" in http.get("/review").text


def test_it_is_taken_away_in_every_format(http: httpx.Client) -> None:
    address = brought(http)
    assert parse_mat(http.get(f"{address}/export.mat").text).match.events == BOOK.match.events
    assert http.get(f"{address}/export.sgf").status_code == 200
    assert parse_xg(http.get(f"{address}/export.xg").content).match.events == BOOK.match.events
    page = http.get(f"{address}/replay").text
    assert [suffix for suffix in ("mat", "sgf", "xg", "json") if f'href="{address}/export.{suffix}"' in page] == [
        "mat",
        "sgf",
        "xg",
        "json",
    ]
    assert http.get(f"{address}/export.docx").status_code == 404


def test_what_an_xg_file_leaves_out_is_said_beside_its_link(served: Served, http: httpx.Client) -> None:
    assert "Left out there" not in http.get(f"{brought(http)}/replay").text
    commented = brought(http, GNU.encode(), "gnu.sgf")
    assert "Left out there: comments and evaluations" in http.get(f"{commented}/replay").text
    here = f"/match/{served.call(play_match(served.services, 'backgammon'))}"
    assert "Left out there: ties of opening rolls, rejected resignations, why a game ended" in http.get(here).text


def test_a_game_without_a_place_in_xg_is_not_offered_and_refused_in_a_sentence(
    served: Served, http: httpx.Client
) -> None:
    address = f"/match/{served.call(play_match(served.services, 'rollover'))}"
    assert f'href="{address}/export.mat"' in http.get(f"{address}/replay").text
    assert ".xg" not in http.get(f"{address}/replay").text
    assert ".xg" not in http.get(address).text
    refused = http.get(f"{address}/export.xg")
    assert refused.status_code == 422
    assert "has no place in .xg; allowed: backgammon" in refused.text


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("match.docx", b"x", "allowed: .json, .mat, .txt, .sgf"),
        ("match", b"x", "no suffix"),
        ("match.mat", b"", "0 bytes"),
        ("match.mat", b"no match at all", "before the length of the match"),
        ("match.mat", bytes(range(256)) * 20, "no match that can be read"),
        ("match.json", b"[" * 100_000, "no match that can be read"),
        ("match.json", b'{"rules": "backgammon"}', "no match that can be read"),
        ("match.sgf", b"(;" * 100_000, "no match that can be read"),
        ("match.xg", b"RGMH" * 10_000, "no match that can be read"),
        ("match.mat", MATCH.splitlines()[0].encode() + b"\n 5 point match\n", "a match of 0 events"),
        ("match.mat", b" Game 1\n A : 0   B : 0\n  1) 31: 24/10\n", "no match that can be read"),
    ],
)
def test_what_is_no_match_is_refused_with_what_was_found(http: httpx.Client, name: str, data: bytes, said: str) -> None:
    answer = bring(http, data, name)
    assert answer.status_code == 422
    assert said in answer.text
    assert "Traceback" not in answer.text


def test_a_file_may_be_larger_than_other_forms_and_not_endless(http: httpx.Client) -> None:
    assert brought(http, MATCH.encode() + b"\n" * 100_000)
    assert bring(http, MATCH.encode() + b"\n" * 2_000_000).status_code == 413
    assert bring(http, MATCH.encode() + b"\n" * MAX_UPLOAD_BYTES).status_code == 413
    assert http.post("/review", files={"other": ("a.mat", b"x")}).status_code == 422
    assert http.post("/review", data={"file": "text"}).status_code == 422
    assert http.post("/name", data={"name": "x" * 20_000}).status_code == 413, "no other form is longer for it"


def test_a_file_from_another_site_is_not_taken(http: httpx.Client) -> None:
    answer = http.post("/review", files={"file": ("match.mat", MATCH)}, headers={"origin": "https://elsewhere.example"})
    assert answer.status_code == 403


def test_names_in_a_file_are_text_and_nothing_else(http: httpx.Client) -> None:
    names = ("<script>alert(1)</script>", '\u202eevil\u0007 "onload=x')
    data = format_mat(Book(BOOK.match, names)).encode()
    address = brought(http, data, '"><img src=x>.mat')
    for page in ("/review", f"{address}/replay"):
        text = http.get(page).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "\u202e" not in text


def test_the_same_match_is_kept_once_and_somebody_elses_copy_is_their_own(served: Served, http: httpx.Client) -> None:
    first = brought(http)
    assert brought(http) == first
    moves_apart = MATCH.replace("8/5 6/5", "6/5 8/5").replace("24/18 13/11", "13/11 24/18")
    again = [
        ("file", ("a.sgf", format_sgf(BOOK))),
        ("file", ("b.txt", MATCH + "\n")),
        ("file", ("c.mat", moves_apart)),
        ("file", ("d.xg", xg_file(BOOK))),
        ("file", ("e.mat", SECOND)),
    ]
    told = http.post("/review", files=again).text
    assert (told.count("you had it already"), told.count(f'href="{first}/replay"')) == (4, 5), "of any format"
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as other:
        assert brought(other) != first


def test_a_match_that_was_played_here_is_not_imported_again_whatever_the_file_calls_the_players(
    served: Served, http: httpx.Client
) -> None:
    register(http, "Anna")
    anna, ben = account_of(served, http), served.call(served.services.accounts.new_guest())
    match_id = served.call(play_match(served.services, "backgammon", people=(anna, ben)))
    book = parse_sgf(http.get(f"/match/{match_id}/export.sgf").text)
    for name, data in (("own.sgf", format_sgf(book)), ("other.mat", format_mat(Book(book.match, ("Kim", "Lou"))))):
        assert brought(http, data.encode(), name) == f"/match/{match_id}"
    both = http.post("/review", files=[("file", ("own.sgf", format_sgf(book))), ("file", ("new.mat", SECOND))]).text
    assert f'href="/match/{match_id}/replay">own.sgf</a>' in both
    assert both.count("you have played it here") == 1
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as other:
        assert brought(other, format_sgf(book).encode(), "own.sgf").startswith("/review/"), "not played by them"


def test_what_a_file_says_of_a_match_that_was_played_here_is_kept_in_an_import_that_is_not_analysed_by_itself(
    served: Served, http: httpx.Client
) -> None:
    register(http, "Dora")
    dora, ben = account_of(served, http), served.call(served.services.accounts.new_guest())
    match_id = served.call(play_match(served.services, "backgammon", people=(dora, ben)))
    book = parse_sgf(http.get(f"/match/{match_id}/export.sgf").text)
    noted = format_sgf(replace(book, annotations={2: Annotation("Bold")})).encode()
    answer = bring(http, noted, "noted.sgf")
    assert answer.status_code == 200
    (address,) = re.findall(r'<a href="(/review/[^"]+)/replay">noted.sgf</a>', answer.text)
    assert f'<a href="/match/{match_id}/replay">you have played it here</a>; what the file says of it' in answer.text
    assert [note["lines"] for note in http.get(f"{address}/replay.json").json()["notes"]] == [["From the file: Bold"]]
    jobs = select(func.count()).select_from(JOB).where(JOB.c.subject == address.rpartition("/")[2])
    assert served.call(served.services.store.read(lambda connection: connection.scalar(jobs))) == 0
    assert brought(http, noted, "noted.sgf") == address, "the second time it is known"
    (line,) = told(http.post("/review", files={"file": ("noted.sgf", noted)}, headers={"Accept": LINES}))
    assert line["to"] == f"{address}/replay"


def test_who_brought_it_sees_it_in_their_list_and_deletes_it(served: Served, http: httpx.Client) -> None:
    address = brought(http)
    assert f'href="{address}/replay"' in http.get("/review").text
    assert f'action="{address}/delete"' in http.get(f"{address}/replay").text
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as other:
        seen = other.get(f"{address}/replay")
        assert seen.status_code == 200, "whoever has the link can see it"
        assert "delete" not in seen.text
        assert address not in other.get("/review").text
        assert other.post(f"{address}/delete", data={"x": ""}).status_code == 404
        brought(other, name="other.txt")
        assert other.post(f"{address}/delete", data={"x": ""}).status_code == 404
    assert http.post(f"{address}/delete", data={"x": ""}).status_code == 303
    assert http.get(f"{address}/replay").status_code == 404
    assert address not in http.get("/review").text
    assert http.post(f"{address}/delete", data={"x": ""}).status_code == 404


def test_the_page_reads_no_more_imported_matches_than_it_shows(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "BROUGHT_SHOWN", 1)
    brought(http)
    latest, read, listed = brought(http, SECOND.encode()), list[str](), review_storage._listed

    def noted(row: Any) -> review_storage.ListedReview:
        read.append(row.id)
        return listed(row)

    monkeypatch.setattr(review_storage, "_listed", noted)
    assert "The latest 1 of 2." in http.get("/review").text
    assert read == [latest.rpartition("/")[2]]


def test_who_has_said_which_name_is_theirs_sees_the_match_from_that_side_and_nobody_else_does(
    http: httpx.Client, other: httpx.Client
) -> None:
    address = brought(http)

    def seen(client: httpx.Client) -> tuple[int, str]:
        page = client.get(f"{address}/replay").text
        chosen = re.search(r'id="whose"[^>]* data-chosen="(.?)"', page)
        assert chosen
        return client.get(f"{address}/replay.json").json()["near"], chosen[1]

    assert seen(http) == (0, "")
    http.post("/statistics/names", data={"name": BOOK.players[1].upper()})
    assert seen(http) == (1, "1")
    assert seen(other) == (0, "")


@pytest.mark.parametrize(
    ("names", "seat"), [((), None), (("Cid",), None), (("anna", "Ben"), None), (("anna",), 0), (("Cid", "BEN"), 1)]
)
def test_a_person_has_a_seat_where_one_of_the_names_is_theirs(names: tuple[str, ...], seat: int | None) -> None:
    assert reviews.seat_of(("Anna", "Ben"), names) == seat


@pytest.mark.parametrize("page", ["replay", "replay.json", "analysis.json", "export.mat"])
def test_what_nobody_brought_is_not_found(http: httpx.Client, page: str) -> None:
    assert http.get(f"/review/nosuchfile/{page}").status_code == 404


def test_nobody_keeps_more_than_their_share(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = brought(http)
    monkeypatch.setattr(reviews, "MAX_OF_GUEST", 1)
    answer = bring(http, SECOND.encode())
    assert answer.status_code == 409
    assert "delete one" in answer.text
    http.post(f"{address}/delete", data={"x": ""})
    assert bring(http, SECOND.encode()).status_code == 303


def test_files_of_guests_are_kept_for_thirty_days_and_those_of_accounts_for_good(
    served: Served, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = brought(http)
    assert "for 30 days" in http.get("/review").text
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as member:
        register(member, "Cornelia")
        own = brought(member)
        assert "until you delete them" in member.get("/review").text
        bring(http, SECOND.encode())
        monkeypatch.setattr(reviews, "GUESTS_KEPT_MS", -60_000)  # as if a month had gone by
        monkeypatch.setattr(review_storage, "MAX_DROPPED", 1)
        later = brought(member, SECOND.encode())
        assert http.get(f"{address}/replay").status_code == 200, "who imports a match has no time for those of others"
        served.call(served.services.reviews.drop_of_guests())
        assert member.get(f"{own}/replay").status_code == member.get(f"{later}/replay").status_code == 200
    assert http.get(f"{address}/replay").status_code == 404
    assert "/replay" not in http.get("/review").text


def test_many_files_at_once_are_too_many(served: Served, http: httpx.Client) -> None:
    kept = served.services.allowance.files
    try:
        object.__setattr__(served.services.allowance, "files", Allowance().files)
        answers = {bring(http, b"x", "match.docx").status_code for _ in range(30)}
    finally:
        object.__setattr__(served.services.allowance, "files", kept)
    assert answers == {422, 429}


def test_it_is_judged_although_it_is_not_over_and_the_report_goes_with_it(served: Served, http: httpx.Client) -> None:
    address = brought(http)
    assert http.get(f"{address}/replay.json").json()["over"] is False
    assert http.post(f"{address}/analysis", data={"plies": "0"}).status_code == 202
    rules, analyst = BOOK.match.rules, served.services.analyses

    async def done() -> None:
        key = analyst.key(address.rpartition("/")[2], rules, 0, "review")
        while (await analyst.state(key)).state != "done":
            await asyncio.sleep(0.02)

    asyncio.run_coroutine_threadsafe(done(), served._server.loop).result(PATIENCE_S)
    report = msgspec.json.decode(http.get(f"{address}/analysis.json?plies=0").content, type=Report)
    assert report.complete
    assert report.decisions
    http.post(f"{address}/delete", data={"x": ""})
    left = select(func.count()).select_from(REVIEW_ANALYSIS)
    assert served.call(served.services.store.read(lambda connection: connection.scalar(left))) == 0


def test_own_data_hold_it_and_the_end_of_an_account_is_its_end(served: Served, http: httpx.Client) -> None:
    register(http, "Bertram")
    address = brought(http)
    with zipfile.ZipFile(io.BytesIO(http.get("/account/barpoint.zip").content)) as pack:
        found = json.loads(pack.read(f"review/{address.rpartition('/')[2]}.json"))
    assert (found["first"], found["second"]) == BOOK.players
    assert len(found["log"]["events"]) == len(BOOK.match.events)
    count = select(func.count()).select_from(REVIEW).where(REVIEW.c.id == address.rpartition("/")[2])
    assert served.call(served.services.store.read(lambda connection: connection.scalar(count))) == 1
    assert http.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    assert served.call(served.services.store.read(lambda connection: connection.scalar(count))) == 0


def test_a_log_is_checked_against_the_rules_before_anything_is_done_with_it() -> None:
    """Our own records are trusted for positions; a stranger's are checked."""
    log = msgspec.json.decode(write_log(BOOK.match))
    play = next(event for event in log["events"] if event["kind"] == "play")
    play["moves"] = [[24, 3, 21]]
    assert "cannot be replayed" in str(read(msgspec.json.encode(log), ".json").refused)


def test_a_match_without_end_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.record.worker.MAX_EVENTS", 5)
    assert str(read(MATCH.encode(), ".mat").matches[0].refused).endswith("allowed: 1 to 5")
    assert MAX_EVENTS > 5


ODD = MATCH.replace("8/5 6/5", "8/5 8/6")


def test_a_file_with_an_illegal_play_is_imported_and_what_was_odd_is_shown(http: httpx.Client) -> None:
    answer = bring(http, ODD.encode())
    assert answer.status_code == 200
    assert "line 7, column 6: 8/5 8/6 is no legal play of 3-1; kept as an illegal play" in answer.text
    (link,) = set(re.findall(r"/review/[^/\"]+/replay", answer.text))
    assert http.get(link).status_code == 200


def test_what_was_odd_is_kept_with_the_review_and_told_again(http: httpx.Client) -> None:
    told = "line 7, column 6: 8/5 8/6 is no legal play of 3-1; kept as an illegal play"
    bring(http, ODD.encode())
    page = http.get("/review").text
    assert "1 thing was odd" in page
    assert told in page
    assert told in bring(http, ODD.encode()).text
    bring(http)
    assert http.get("/review").text.count("thing was odd") == 1


def test_several_files_and_zips_are_imported_together_and_each_is_told_of(http: httpx.Client) -> None:
    files = [
        ("file", ("a.mat", MATCH)),
        ("file", ("b.mat", "nothing")),
        ("file", ("c.zip", zipped(d_mat=ODD.encode()))),
    ]
    answer = http.post("/review", files=files)
    assert answer.status_code == 200
    assert len(set(re.findall(r"/review/[^/\"]+/replay", answer.text))) == 2
    assert "kept as an illegal play" in answer.text
    assert "no match that can be read" in answer.text


def test_a_zip_without_matches_is_refused(http: httpx.Client) -> None:
    answer = bring(http, zipped(readme_md=b"x"), "some.zip")
    assert (answer.status_code, "0 match files" in answer.text) == (422, True)


SECOND = MATCH.replace("Anna", "Clara").replace("Ben ", "Dora")


def told(answer: httpx.Response) -> list[dict[str, Any]]:
    """The lines of an answer to the script of the page."""
    assert answer.headers["content-type"] == LINES
    return [json.loads(line) for line in answer.text.splitlines()]


def test_every_match_of_a_file_is_imported_and_named(http: httpx.Client) -> None:
    both = f"{MATCH}\n{SECOND}".encode()
    answer = bring(http, both, "two.mat")
    assert answer.status_code == 200
    links = re.findall(r'href="(/review/[^/"]+/replay)">two.mat \((\d)\)</a>, (\w+) – (\w+)', answer.text)
    assert [found[1:] for found in links] == [("1", "Anna", "Ben"), ("2", "Clara", "Dora")]
    assert [http.get(found[0]).status_code for found in links] == [200, 200]
    again = bring(http, both, "two.mat")
    assert [found[0] for found in links] == re.findall(r'href="(/review/[^/"]+/replay)">two', again.text)


def test_what_one_match_of_a_file_breaks_does_not_keep_out_the_others(http: httpx.Client) -> None:
    answer = bring(http, f"{MATCH}\n 5 point match\n".encode(), "half.mat")
    assert "half.mat (2)</b>: This is no match that can be read: a match of 0 events" in answer.text
    assert "half.mat (1)</a>, Anna – Ben" in answer.text


def test_the_script_of_the_page_is_told_of_each_file_as_it_is_read(http: httpx.Client) -> None:
    files = [
        ("file", ("a.mat", MATCH)),
        ("file", ("b.mat", "nothing")),
        ("file", ("bad.zip", "no zip")),
        ("file", ("c.zip", zipped(d_mat=ODD.encode()))),
    ]
    lines = told(http.post("/review", files=files, headers={"accept": LINES}))
    assert [(line["done"], line["count"]) for line in lines] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [line["refused"] for line in lines] == [1, 1, 2, 2]
    for line, said in zip(lines, ("no zip that can be read", "a.mat", "b.mat", "kept as an illegal play"), strict=True):
        assert said in line["html"]
    assert [line["to"] for line in lines] == ["", "", "", "/review"]
    assert 'class="match-summary"' in http.get("/review").text


def test_the_script_is_sent_on_to_a_single_match_in_which_nothing_is_odd(http: httpx.Client) -> None:
    answer = http.post("/review", files={"file": ("match.mat", MATCH)}, headers={"accept": LINES})
    (line,) = told(answer)
    assert http.get(line["to"]).status_code == 200
    odd = http.post("/review", files={"file": ("odd.mat", ODD)}, headers={"accept": LINES})
    assert told(odd)[-1]["to"] == "/review"
    none = http.post("/review", files={"other": ("odd.mat", ODD)}, headers={"accept": LINES})
    assert (none.status_code, "No file was chosen" in none.text) == (422, True)


def test_lines_are_in_the_language_of_the_reader(http: httpx.Client) -> None:
    headers = {"accept": LINES, "accept-language": "de"}
    (line,) = told(http.post("/review", files={"file": ("match.mat", ODD)}, headers=headers))
    assert "gelesen" in line["html"]


def test_people_with_an_account_bring_and_keep_more(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_FILES_OF_GUEST", 2)
    monkeypatch.setattr(pages, "MAX_FILES_OF_ACCOUNT", 3)
    monkeypatch.setattr(reviews, "MAX_OF_GUEST", 1)
    files = [("file", (f"{number}.mat", MATCH)) for number in range(3)]
    first = http.post("/review", files=files)
    assert "<b>2.mat</b>: At most 2 files at once; with an account 3." in first.text
    assert "1.mat</a>" in first.text, "the others are read"
    full = http.post("/review", files=files[:2])
    assert "You have 1 matches here" not in full.text, "the same match twice is one"
    assert "You have 1 matches here; delete one" in bring(http, SECOND.encode()).text
    register(http, "Konrad")
    assert "3 at once" in http.get("/review").text
    kept = http.post("/review", files=[*files[:2], ("file", ("c.mat", SECOND))])
    assert 'class="problem"' not in kept.text
    many = http.post("/review", files=[("file", (f"{number}.mat", MATCH)) for number in range(4)])
    assert (many.status_code, "At most 3 files at once." in many.text) == (422, True)
    assert "up to 5000 of them" in http.get("/review").text


def test_a_zip_that_is_small_and_unpacks_to_very_much_is_refused(http: httpx.Client) -> None:
    """Two megabytes of spaces pack into two kilobytes; what a zip says of its sizes is not believed."""
    bomb = zipped(**{f"a{number}_mat": b" " * 1_999_000 for number in range(15)})
    assert len(bomb) < 100_000
    answer = bring(http, bomb, "bomb.zip")
    assert (answer.status_code, "bomb.zip unpacks to more than 20000000 bytes" in answer.text) == (422, True)
    single = bring(http, zipped(a_mat=b" " * 3_000_000), "bomb.zip")
    assert (single.status_code, "is larger than 2000000 bytes" in single.text) == (422, True)
    many = bring(http, zipped(**{f"a{number}_mat": b"" for number in range(30)}), "many.zip")
    assert many.text.count("At most 20 files at once; with an account 1000.") == 10, "the first ones are read"


def test_all_zips_of_an_upload_unpack_to_no_more_than_one_may(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MAX_UPLOAD_BYTES", 2 * len(ODD) - 1)
    files = [("file", (f"{name}.zip", zipped(m_mat=ODD.encode()))) for name in "abc"]
    answer = http.post("/review", files=files).text
    assert "a.zip/m.mat</a>" in answer
    for name in "bc":
        assert f"{name}.zip: the zips of one upload unpack to more than {2 * len(ODD) - 1} bytes together" in answer


def test_files_of_a_zip_beyond_the_limit_are_named(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_FILES_OF_GUEST", 2)
    files = [("file", ("a.mat", MATCH)), ("file", ("b.zip", zipped(c_mat=ODD.encode(), d_mat=ODD.encode())))]
    files.append(("file", ("e.zip", b"never opened")))
    answer = http.post("/review", files=files)
    assert "<b>e.zip</b>: At most 2 files at once; with an account 1000." in answer.text
    assert "<b>b.zip/d.mat</b>: At most 2 files at once; with an account 1000." in answer.text
    assert "b.zip/c.mat</a>" in answer.text
