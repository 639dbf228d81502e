"""A person's statistics by score and by error with the cube, and over two periods side by side: page, library and API."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from barpoint.analysis import analyse
from barpoint.analysis.statistics import played_by, statistics_of
from barpoint.analysis.statistics_text import format_statistics
from barpoint.analysis.summary import summarise
from barpoint.record import parse_mat
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import Key
from tests.support.accounts import register
from tests.support.serving import Served

SCORES = """\
; [EventDate "DAY"]

 3 point match

 Game 1
 Anna : 0                        BEN : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 21: 6/5 6/4                 Doubles => 2
  3) Takes                       66: 24/18 14/8 13/7(2)
  4) Resigns                     Wins 2 points

 Game 2
 Anna : 0                        BEN : 2
  1) 31: 8/5 6/5                 64: 24/14
  2) 21: 6/5 6/4                 Resigns
      Wins 1 point

 Game 3
 Anna : 1                        BEN : 2
  1) 31: 6/3 6/5                 64: 24/14
  2) 21: 6/5 6/4                 66: 24/18 14/8 13/7(2)
  3) Resigns                     Wins 1 point
"""


def text(day: str, opponent: str) -> str:
    return SCORES.replace("DAY", day).replace("BEN", opponent)


BOOK = parse_mat(text("2026.05.03", "Ben"))
REPORT = analyse(BOOK, plies=0)


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[httpx.Client]:
    """Anna's browser and access token, with analysed matches in three months and one without a day."""
    with httpx.Client(base_url=served.address, timeout=60) as client:
        register(client, "Anna")
        for day, opponent in (
            ("2026.03.01", "Cleo"),
            ("2026.04.01", "Dora"),
            ("2026.05.03", "Ben"),
            ("no day", "Emil"),
        ):
            answer = client.post("/review", files={"file": ("a.mat", text(day, opponent).encode())})
            found = re.search(r"/review/([^/]+)/replay", answer.headers.get("location", answer.text))
            assert found
            key, packed = Key(found[1], REPORT.net, 0, "review"), gzip.compress(REPORT.json())
            served.call(served.services.store.write(analysis_storage.put, key, packed, REPORT.events, 1))
        made = client.post("/access-tokens", data={"name": "test", "scope": "play"})
        token = re.search(r"bp_[A-Za-z0-9_-]+", made.text)
        assert token
        client.headers["authorization"] = f"Bearer {token[0]}"
        yield client


def test_each_decision_counts_at_one_score_and_the_library_has_those_of_a_row(anna: httpx.Client) -> None:
    found = anna.get("/api/statistics").json()
    lines = {line["name"]: line for line in found["by"]["score"]}
    assert set(lines) == {"level", "crawford", "post-crawford"}
    assert sum(line["decisions"] for line in lines.values()) == found["total"]["decisions"]
    page = anna.get("/statistics").text
    for name, line in lines.items():
        link = re.search(rf'href="(/library\?score_kind={name})"', page)
        assert link
        mistakes = line["doubtful"] + line["errors"] + line["blunders"]
        assert anna.get(f"/api{link[1]}").json()["count"] == mistakes
        assert anna.get(f"/api{link[1]}&loss=0").json()["count"] == line["decisions"]
    assert anna.get("/api/library?score_kind=nonsense").status_code == 400


def test_errors_with_the_cube_are_told_apart_with_what_they_lost(anna: httpx.Client) -> None:
    found = {one["name"]: one for one in anna.get("/api/statistics").json()["cube_errors"]}
    assert list(found)[:5] == ["missed-double", "premature-double", "too-good", "wrong-take", "wrong-pass"]
    own = [one for one in REPORT.decisions if one.player == 0 and one.mark and one.counted and one.kind != "play"]
    assert own, "Anna errs with the cube"
    assert sum(one["mistakes"] for one in found.values()) == 4 * len(own)
    assert sum(one["loss"] for one in found.values()) == pytest.approx(4 * sum(one.loss for one in own))
    takes = [one for one in REPORT.decisions if one.player == 0 and one.kind == "take"]
    assert found["wrong-take"]["decisions"] == 4 * len(takes) == 4
    page = anna.get("/statistics?since=2026-04-01").text
    links = [unescape(link) for link in re.findall(r'href="(/library\?[^"]*theme=[^"]*)"', page)]
    assert sum(anna.get(f"/api{link}").json()["count"] for link in links) == 2 * len(own)


def test_a_period_ends_with_its_last_day(anna: httpx.Client) -> None:
    def days(query: str) -> list[str]:
        return [one["played_on"] for one in anna.get(f"/api/statistics?{query}").json()["course"]]

    assert days("until=2026-04-01") == ["2026-03-01", "2026-04-01"]
    assert days("since=2026-04-01&until=2026-04-30") == ["2026-04-01"]
    assert days("") == ["", "2026-03-01", "2026-04-01", "2026-05-03"]


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        ("", None),
        ("since=2026-05-01&against=before", (1, 2)),
        ("last=1&against=before", (1, 3)),
        ("since=2026-05-01&against=period&against_since=2026-03-01&against_until=2026-03-31", (1, 1)),
        ("since=2026-04-01&against=period&against_since=2026-03-01", (2, 1)),
        ("since=2099-01-01&against=before", (0, 0)),
    ],
)
def test_the_other_period_holds_other_matches(anna: httpx.Client, query: str, counts: tuple[int, int] | None) -> None:
    found = anna.get(f"/api/statistics?{query}").json()
    compared = found["compared"]
    assert (None if compared is None else (found["matches"], compared["matches"])) == counts
    page = anna.get(f"/statistics?{query}").text
    assert ("Compared with" in page) == (counts is not None and counts[0] > 0)
    if counts and min(counts):
        assert compared["total"]["difference"] == pytest.approx(0), "the same match in both"
        assert compared["total"]["beyond_chance"] is None
        assert "fewer than 30 decisions" in page


def test_the_command_and_the_page_have_the_same_words() -> None:
    said = format_statistics(statistics_of(played_by([summarise(REPORT, BOOK.match)], ["Anna"])))
    for words in ("By score\n", "level score", "post-Crawford", "Errors with the cube\n", "Missed double"):
        assert words in said
