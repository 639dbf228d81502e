"""Invitations over HTTP: the QR code shows the link, and only its maker withdraws what nobody has accepted."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import httpx
import segno

from tests.support.serving import Served


def invite(http: httpx.Client, length: int = 3, **fields: str) -> tuple[str, str]:
    """The paths of a new match that waits for a friend, and of its invitation."""
    where = http.post("/match", data={"length": str(length), "opponent": "friend", **fields}).headers["location"]
    link = re.search(r"/join/[\w-]+", http.get(where).text)
    assert link
    return where, link[0]


def test_the_qr_code_is_that_of_the_link(served: Served, http: httpx.Client) -> None:
    _, link = invite(http)
    answer = http.get(f"{link}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "no-store" in answer.headers["cache-control"]
    drawn = ElementTree.fromstring(answer.text)
    path = drawn.find(".//{http://www.w3.org/2000/svg}path[@stroke]")
    assert path is not None
    modules = sum(int(width) for width in re.findall(r"h(\d+)", path.get("d", "")))
    wanted = segno.make(f"{served.address}{link}", error="m", micro=False)
    assert modules == sum(sum(row) for row in wanted.matrix)
    assert http.get("/join/nowhere/qr.svg").status_code == 404


def test_a_withdrawn_invitation_says_so_and_leaves_the_lists(served: Served, http: httpx.Client) -> None:
    where, link = invite(http)
    assert where in http.get("/").text
    assert http.post(f"{where}/withdraw", data={"x": ""}).headers["location"] == "/"
    assert where not in http.get("/").text
    with httpx.Client(base_url=served.address) as friend:
        late = friend.get(link)
        assert late.status_code == 410
        assert "This invitation was withdrawn" in late.text
        assert "Sit down" not in late.text
        assert friend.post(link, data={"x": ""}).headers["location"] == link
    live_match = served.call(served.services.matches.live_match(where.rpartition("/")[2]))
    assert live_match.match.over
    assert not live_match.header.complete


def test_an_invitation_says_only_what_counts_in_the_match(served: Served, http: httpx.Client) -> None:
    links = {length: invite(http, length)[1] for length in (1, 3)}
    with httpx.Client(base_url=served.address) as friend:
        single, longer = (
            friend.get(links[length]).text.partition('<ul class="facts">')[2].partition("</ul>")[0] for length in (1, 3)
        )
    assert "15 checkers each" in single
    assert "cube" not in single
    assert "gammon" not in single
    assert "gammon 2, backgammon 3" in longer
    assert "cube" not in longer, "the line above says whether there is one"


def test_an_invitation_to_misere_says_that_gammons_do_not_count(served: Served, http: httpx.Client) -> None:
    _, link = invite(http, variant="misere")
    with httpx.Client(base_url=served.address) as friend:
        page = friend.get(link).text
    assert "gammons do not count" in page
    assert "a gammon is worth 2" not in page


def test_block_and_report_wait_for_the_other_player(served: Served, http: httpx.Client) -> None:
    where, link = invite(http)
    assert '<section id="trouble" hidden>' in http.get(where).text, "the page shows them when somebody has come"
    with httpx.Client(base_url=served.address) as friend:
        friend.post(link, data={"x": ""})
        for player in (http, friend):
            assert '<section id="trouble">' in player.get(where).text


def test_a_guest_gets_the_name_they_sit_down_with_only_if_the_seat_is_free(served: Served, http: httpx.Client) -> None:
    where, link = invite(http)
    with httpx.Client(base_url=served.address) as friend, httpx.Client(base_url=served.address) as late:
        for guest in (friend, late):
            guest.post("/name", data={"name": "Early"})
            guest.post(link, data={"name": "Seated"})
        live_match = served.call(served.services.matches.live_match(where.rpartition("/")[2]))
        assert "Seated" in [seat.shown_name for seat in live_match.header.seats]
        assert [name in friend.get("/").text for name in ("Early", "Seated")] == [False, True]
        assert [name in late.get("/").text for name in ("Early", "Seated")] == [True, False]


def test_nobody_else_withdraws_an_invitation(served: Served, http: httpx.Client) -> None:
    where, link = invite(http)
    with httpx.Client(base_url=served.address) as stranger:
        assert stranger.post(f"{where}/withdraw", data={"x": ""}).headers["location"] == where
        assert "invites you" in stranger.get(link).text


def test_a_match_that_has_begun_is_not_withdrawn(served: Served, http: httpx.Client) -> None:
    where, link = invite(http)
    with httpx.Client(base_url=served.address) as friend:
        friend.post(link, data={"x": ""})
    assert http.post(f"{where}/withdraw", data={"x": ""}).headers["location"] == where
    live_match = served.call(served.services.matches.live_match(where.rpartition("/")[2]))
    assert not live_match.match.over
    assert http.post("/match/nowhere/withdraw", data={"x": ""}).status_code == 404
