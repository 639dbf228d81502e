"""What the page of the openings says of a person: their plays beside the book, what costs most, and a card of it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from barpoint.analysis import analyse
from barpoint.engine.opening_book import opening_book
from barpoint.language import number
from barpoint.record import parse_mat
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import Key
from barpoint.variants import variant
from tests.support.accounts import register
from tests.support.serving import Served

MONEY = """\
; [EventDate "DAY"]

 0 point match

 Game 1
 Anna : 0                        BEN : 0
  1) 21: FIRST                   31: 8/5 6/5
  2) 43: 24/20 13/10             11: 8/7(2) 6/5(2)
"""
PLAYS = ("24/21", "13/10", "24/21")
REPORTS = {play: analyse(parse_mat(MONEY.replace("FIRST", play)), plies=0) for play in set(PLAYS)}


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[httpx.Client]:
    """Anna's browser, with three analysed sessions in which she opens with 21 and replies nowhere."""
    with httpx.Client(base_url=served.address, timeout=60) as client:
        register(client, "Anna")
        for month, play in enumerate(PLAYS, start=1):
            text = MONEY.replace("DAY", f"2026.0{month}.01").replace("FIRST", play).replace("BEN", f"Ben {month}")
            answer = client.post("/review", files={"file": ("a.mat", text.encode())})
            found = re.search(r"/review/([^/]+)/replay", answer.headers.get("location", answer.text))
            assert found, answer.text
            key, report = Key(found[1], REPORTS[play].net, 0, "review"), REPORTS[play]
            packed = gzip.compress(report.json())
            served.call(served.services.store.write(analysis_storage.put, key, packed, report.events, 1))
        yield client


def own(page: str) -> list[str]:
    return [unescape(said) for said in re.findall(r'class="yours">([^<]*)<', page)]


def lost(times: int, *plays: str) -> str:
    known = opening_book("backgammon", "money").losses(variant().start, (2, 1))
    return number(sum(known[play] for play in plays) / times, 3)


def test_each_roll_says_what_one_played_how_often_and_what_it_lost_by_the_book(anna: httpx.Client) -> None:
    assert own(anna.get("/openings").text) == [f"You: 24/21 2 times and 13/10 1 time; {lost(3, *PLAYS)} lost a time."]
    assert own(anna.get("/openings?last=1").text) == [f"You: 24/21 1 time; {lost(1, '24/21')} lost a time."]
    assert own(anna.get("/openings?since=2026-02-01&last=2").text) == [
        f"You: 24/21 1 time and 13/10 1 time; {lost(2, '24/21', '13/10')} lost a time."
    ]
    assert own(anna.get("/openings?stake=dmp").text) == []
    assert own(anna.get("/openings?variant=nackgammon").text) == []


def test_replies_are_those_of_whoever_answered(anna: httpx.Client) -> None:
    replies = "/openings?roll=21&play=24%2F21"
    assert own(anna.get(replies).text) == []
    anna.post("/statistics/names", data={"name": "Ben 1"})
    (said,) = own(anna.get(replies).text)
    anna.post("/statistics/names", data={"name": "Anna"})
    assert re.fullmatch(r"You: 8/5 6/5 1 time; 0\.\d{3} lost a time\.", said)


def test_what_costs_most_leads_to_its_moments_and_makes_a_card(anna: httpx.Client) -> None:
    page = anna.get("/openings?since=2026-01-01").text
    assert "<b>21: 24/21</b>" in page
    assert "13/10</b>" not in page, "it was made once"
    moments = re.findall(r'href="(/review/[^"]+/replay)#\d+">against Ben (\d)', page)
    assert [number for _address, number in moments] == ["3", "1"]
    form = re.search(r'action="(/openings/card\?[^"]*)">(.*?)</form>', page)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2]))
    for said in ("The card is made", "You have this card already"):
        made = anna.post(unescape(form[1]), data=fields)
        assert made.status_code == 303, "loading the page again makes no card again"
        there = made.headers["location"]
        assert there.startswith("/openings?since=2026-01-01&card=")
        assert said in anna.get(there).text
    (card,) = anna.get("/api/practice/session").json()["cards"]
    assert (card["source"], card["made"]) == (f"{moments[0][0]}#1", "24/21")
    refused = anna.post("/openings/card", data={**fields, "match": "nosuch"})
    assert refused.status_code == 422
    assert 'class="problem" role="alert"' in refused.text
    for event in ("x", f"{fields['event']:0<10}"):
        assert anna.post("/openings/card", data={**fields, "event": event}).status_code == 400


def test_whoever_has_no_analysed_matches_sees_the_book_alone(http: httpx.Client) -> None:
    page = http.get("/openings").text
    assert "My costliest openings" not in page
    assert 'name="last"' not in page
    assert http.post("/openings/card", data={"source": "match"}).status_code == 403
    assert http.get("/openings?last=-1").status_code == 404
