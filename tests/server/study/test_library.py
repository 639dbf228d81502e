"""A person's library: decisions of all their matches, searched by page and API, and positions like another one."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html import escape, unescape
from pathlib import Path

import httpx
import pytest
from msgspec import structs
from sqlalchemy import update

from barpoint.analysis.answer import before
from barpoint.analysis.decision_table import (
    FEATURES,
    KINDS,
    pack_table,
    position_at,
    table_of,
    that_hold,
    unpack_table,
    with_luck,
)
from barpoint.analysis.position_features import features
from barpoint.error import FormatError
from barpoint.record import parse_mat
from barpoint.record.file import parse_books
from barpoint.record.zip_worker import LEFT_OUT
from barpoint.server.domain.time_control import DAY
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage.library import OwnMatch, latest_first
from barpoint.server.storage.schema.study import REVIEW_ANALYSIS
from barpoint.variants import variant
from tests.analysis.test_statistics import MATCH
from tests.server.study.test_statistics import REPORT, imported
from tests.support.accounts import register
from tests.support.serving import Served

BOOK = parse_mat(MATCH)
TABLE = table_of(BOOK.match, REPORT)


@pytest.fixture(scope="module")
def token(served: Served) -> Iterator[httpx.Client]:
    """Anna's browser, with two imported matches, and an access token for programs."""
    with httpx.Client(base_url=served.address, timeout=60) as client:
        register(client, "Anna")
        imported(served, client, MATCH)
        imported(served, client, MATCH.replace("Ben", "Cleo"))
        made = client.post("/access-tokens", data={"name": "test", "scope": "play"})
        found = re.search(r"bp_[A-Za-z0-9_-]+", made.text)
        assert found, made.text
        client.headers["authorization"] = f"Bearer {found[0]}"
        yield client


def test_a_table_holds_every_decision_with_what_each_side_holds() -> None:
    assert [(int(row["event"]), KINDS[row["kind"]], int(row["player"])) for row in TABLE] == [
        (one.event, one.kind, one.player) for one in REPORT.decisions
    ]
    for row, decision in zip(TABLE, REPORT.decisions, strict=True):
        game = before(BOOK.match, decision.event).game
        position = position_at(row)
        assert position == (game.position if game.player == decision.player else game.position.flip())
        found = features(position, game.rules)
        for side, counts in zip((found.us, found.them), row["features"].tolist(), strict=True):
            sizes = (len(side.anchors), side.bar, len(side.home), len(side.prime), len(side.blots), side.off)
            assert tuple(counts) == sizes
    assert unpack_table(pack_table(TABLE)).tobytes() == TABLE.tobytes()


def test_conditions_count_what_a_side_holds() -> None:
    assert that_hold(TABLE, "own-anchors-0").all()
    bars = TABLE["features"][:, 0, FEATURES.index("bar")] >= 1
    points = TABLE["features"][:, 1, FEATURES.index("home")] >= 2
    assert (that_hold(TABLE, "own-bar-1+their-home-2") == bars & points).all()
    with pytest.raises(FormatError, match="such as own-anchors-2"):
        that_hold(TABLE, "own-anchors")
    rolled = {one.event: one.luck for one in REPORT.rolls}
    lucky = with_luck(TABLE, "lucky")
    for row, held in zip(TABLE, lucky, strict=True):
        if KINDS[row["kind"]] == "play":
            assert held == (max(pair for pair in rolled.items() if pair[0] < row["event"])[1] >= 0.3)
        else:
            assert not held


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"loss": "0"}, lambda one: one.player == 0),
        ({"loss": "0", "side": "their", "kind": "plays"}, lambda one: one.player == 1 and one.kind == "play"),
        ({"side": "both"}, lambda one: one.loss >= 0.02),
        ({"side": "both", "stage": "opening", "loss": "0.04"}, lambda one: one.stage == "opening" and one.loss >= 0.04),
    ],
)
def test_decisions_are_found_by_what_they_are(token: httpx.Client, query: dict[str, str], wanted: object) -> None:
    assert callable(wanted)
    found = token.get("/api/library", params={"opponent": "cle", **query}).json()
    expected = [one for one in REPORT.decisions if (one.counted or one.loss) and wanted(one)]
    assert found["count"] == len(expected) > 0
    losses = [one["loss"] for one in found["decisions"]]
    assert losses == sorted(losses, reverse=True)
    assert {(one["event"], one["kind"]) for one in found["decisions"]} <= {(one.event, one.kind) for one in expected}
    assert {one["names"][1] for one in found["decisions"]} == {"Cleo"}
    assert token.get("/api/library", params=query).json()["count"] == 2 * len(expected)


def test_what_cannot_be_asked_is_refused_in_a_sentence(token: httpx.Client) -> None:
    for query in ("score=x", "page=0", "stage=nonsense", "holds=own-luck-3", "luck=some"):
        answer = token.get(f"/api/library?{query}")
        assert answer.status_code == 400, query
        assert "allowed" in answer.text or "expected" in answer.text
        assert 'class="problem" role="alert"' in token.get(f"/library?{query}").text
    assert token.get("/api/library?holds=their-home-1&holds=own-bar-9&loss=0").json()["count"] == 0


def test_the_page_shows_boards_with_their_links(token: httpx.Client) -> None:
    page = token.get("/library?loss=0&side=both").text
    assert page.count('<li class="card">') == 2 * sum(bool(one.counted or one.loss) for one in REPORT.decisions)
    replay, board, similar = (
        re.search(rf'href="(/review/[^"]+/{name}[^"]*)"', page) for name in ("replay", "analysis-board", "similar")
    )
    assert replay
    assert board
    assert similar
    assert token.get(board[1].replace("&amp;", "&")).headers["location"].startswith("/analysis?")
    near = token.get(similar[1].replace("&amp;", "&"))
    assert near.headers["location"].startswith("/library/similar?")
    assert "0 pips away" in token.get(near.headers["location"]).text
    matches = token.get("/library?show=matches").text
    assert "2 matches" in matches
    assert "Anna – Cleo" in matches
    assert "PR " in matches


def test_a_position_of_ones_own_match_is_nearest_to_itself(token: httpx.Client) -> None:
    one = token.get("/api/library?loss=0").json()["decisions"][3]
    found = token.get("/api/library/similar", params={"position": one["position"]}).json()["decisions"]
    assert (found[0]["pips"], found[0]["position"]) == (0, one["position"])
    pips = [each["pips"] for each in found]
    assert pips == sorted(pips)


def test_positions_like_one_are_those_of_the_same_game_also_where_games_take_turns(
    served: Served, token: httpx.Client
) -> None:
    person = served.call(served.services.store.read(account_storage.find_account, "Anna"))
    assert person
    library = served.call(served.services.library.of(person.id))
    matches = tuple((one, structs.replace(match, rules="tavli")) for one, match in library.studied.matches)
    in_turn = replace(library, studied=replace(library.studied, matches=matches))
    everything = len(library.similar(variant(), variant().start, 1000))
    counts = {
        name: in_turn.similar(variant(name), variant().start, 1000) for name in ("backgammon", "portes", "plakoto")
    }
    assert len(counts["backgammon"]) == 0
    assert len(counts["portes"]) + len(counts["plakoto"]) == everything
    assert {int(row["game"]) % 3 for row in counts["portes"].table} == {1}
    assert len(in_turn.similar(variant("tavli"), variant().start, 1000)) == len(counts["portes"]) > 0


def test_tables_of_an_older_version_are_made_again(served: Served, token: httpx.Client) -> None:
    expected = token.get("/api/library").json()
    older = update(REVIEW_ANALYSIS).values(decisions=b"", decisions_version=1)
    served.call(served.services.store.write(lambda connection: connection.execute(older) and None))
    served.services.library._tables._kept.clear()
    assert token.get("/api/library").json() == expected


def test_a_deck_for_anki_has_a_card_with_a_picture_for_each_decision(token: httpx.Client, tmp_path: Path) -> None:
    expected = token.get("/api/library?side=both").json()["decisions"]
    answer = token.get("/library/export.apkg?side=both")
    assert answer.headers["content-disposition"] == 'attachment; filename="barpoint.apkg"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        media = json.loads(pack.read("media"))
        pictures = {name: pack.read(number).decode() for number, name in media.items()}
        (tmp_path / "collection.anki2").write_bytes(pack.read("collection.anki2"))
    with closing(sqlite3.connect(tmp_path / "collection.anki2")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (model,) = json.loads(connection.execute("SELECT models FROM col").fetchone()[0]).values()
        decks = json.loads(connection.execute("SELECT decks FROM col").fetchone()[0])
        cards = connection.execute(
            "SELECT notes.guid, flds, tags, did, due, mid FROM cards JOIN notes ON notes.id = nid ORDER BY due"
        ).fetchall()
    assert [field["name"] for field in model["flds"]] == ["Question", "Answer"]
    assert len({guid for guid, *_ in cards}) == len(cards) == len(pictures) == len(expected) > 0
    for (guid, fields, tags, deck, _due, mid), decision in zip(cards, expected, strict=True):
        question, answered = fields.split("\x1f")
        assert (mid, decks[str(deck)]["name"]) == (model["id"], "Barpoint")
        assert f'<img src="barpoint-{guid}.svg">' in question
        assert pictures[f"barpoint-{guid}.svg"].startswith("<svg")
        assert decision["stage"].replace(" ", "-") in tags.split()
        assert escape(decision["best"]) in answered
        assert f"{token.base_url}{decision['replay']}".replace("&", "&amp;") in answered
    again = token.get("/library/export.apkg?side=both").content
    with zipfile.ZipFile(io.BytesIO(again)) as pack:
        assert json.loads(pack.read("media")) == media, "the same decision is the same card"


def test_decisions_and_matches_are_taken_away_as_table_page_and_files(token: httpx.Client) -> None:
    expected = token.get("/api/library?opponent=cleo&loss=0").json()["decisions"]
    rows = list(csv.DictReader(token.get("/library/export.csv?opponent=cleo&loss=0").text.splitlines()))
    assert [(row["event"], row["best"], row["names"]) for row in rows] == [
        (str(one["event"]), one["best"], "Anna - Cleo") for one in expected
    ]
    page = token.get("/library/export.html?opponent=cleo&loss=0").text
    assert page.count("<article>") == page.count("<svg") == len(expected)
    for suffix in ("mat", "sgf"):
        with zipfile.ZipFile(io.BytesIO(token.get(f"/library/export.{suffix}.zip?opponent=cleo").content)) as pack:
            (name,) = pack.namelist()
            (book,) = parse_books(pack.read(name), f".{suffix}")
        assert (book.players, book.match.events) == (("Anna", "Cleo"), BOOK.match.events)
    assert token.get("/library/export.docx").status_code == 404
    assert token.get("/library/export.csv?stage=nonsense").status_code == 400


@pytest.mark.parametrize(
    "asked", [{"opponent": "Zoë & Max"}, {"holds": "own-bar-1+their-home-4"}, {"opponent": "100%"}]
)
def test_what_is_found_is_taken_away_also_where_the_search_must_be_escaped_in_an_address(
    token: httpx.Client, asked: dict[str, str]
) -> None:
    page = token.get("/library", params=asked)
    assert page.status_code == 200
    links = [unescape(link) for link in re.findall(r'href="(/library/export[^"]+)"', page.text)]
    assert [httpx.URL(link).path.partition(".")[2] for link in links] == [
        "apkg",
        "csv",
        "html",
        "mat.zip",
        "sgf.zip",
        "xg.zip",
    ]
    assert all(dict(httpx.URL(link).params) == asked for link in links)
    assert token.get(links[1]).status_code == 200


def test_the_matches_without_a_place_in_xg_are_named_in_the_zip(token: httpx.Client) -> None:
    assert any(getattr(event, "illegal", False) for event in BOOK.match.events)
    with zipfile.ZipFile(io.BytesIO(token.get("/library/export.xg.zip").content)) as pack:
        assert pack.namelist() == [LEFT_OUT]
        assert " is not in this file: " in pack.read(LEFT_OUT).decode()


def test_a_stranger_has_no_library(http: httpx.Client) -> None:
    assert "once there are some" in http.get("/library").text
    assert http.get("/api/library").status_code == 401
    assert http.get("/library/export.csv").status_code == 404


def test_matches_are_listed_by_when_they_were_played_not_by_when_they_came() -> None:
    def match(name: str, at: int, played_on: str = "") -> OwnMatch:
        return OwnMatch("review", name, None, ("a", "b"), "backgammon", 7, at, played_on)

    found = [match("here", 30 * DAY), match("old", 31 * DAY, "1969-05-01"), match("next", 2 * DAY, "1970-02-01")]
    assert [one.day for one in found] == ["1970-01-31", "1969-05-01", "1970-02-01"]
    assert [one.id for one in latest_first(found)] == ["next", "here", "old"]
