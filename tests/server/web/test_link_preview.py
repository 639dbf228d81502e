"""What other programs show of a pasted link, and which pages other sites may frame."""

from __future__ import annotations

import asyncio
import re
from html import unescape

import httpx
import pytest

from barpoint.analysis.answer import before
from barpoint.game.event import PlayMade
from barpoint.server.domain.analysis_board import BoardAddress, query_of, setup_from_game, setup_of
from barpoint.server.domain.limits import Credits
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.study import link_pictures
from barpoint.server.study.costly_pages import TooManyPages
from barpoint.server.study.link_pictures import LinkPictures
from tests.support.accounts import account_of, register
from tests.support.played import play_match
from tests.support.serving import Served

LONG = "Παναγιώτης Οικονόμου"
AGAIN = {"again": "1", "games": "10", "change": "1"}


def preview(http: httpx.Client, path: str) -> dict[str, str]:
    """What a page says to other programs."""
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', http.get(path).text)
    return {name: unescape(text) for name, text in found if name.startswith(("og:", "twitter:"))}


def named_match(served: Served, http: httpx.Client, other: httpx.Client) -> LiveMatch:
    """A finished match of two people whose names are long."""
    for browser, name in ((http, LONG), (other, "Владимир-Александр")):
        register(browser, name)
    people = account_of(served, http), account_of(served, other)
    match_id = served.call(play_match(served.services, "backgammon", 3, people=people))
    found: LiveMatch = served.call(served.services.matches.live_match(match_id))
    return found


def test_a_match_and_a_moment_of_its_replay_are_shown_with_names_score_and_board(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    live = named_match(served, http, other)
    match, path = live.match, f"/match/{live.header.id}"
    shown = preview(http, path)
    assert shown["og:title"] == f"{LONG} – Владимир-Александр"
    assert shown["og:description"].startswith("Backgammon: 3 points, cube")
    assert shown["og:description"].endswith(f" {match.score[0]:g} : {match.score[1]:g}.")
    assert (shown["og:url"], shown["twitter:card"]) == (f"{served.address}{path}", "summary_large_image")

    number = next(
        number for number, event in enumerate(match.events) if isinstance(event, PlayMade) and event.player == 0
    )
    setup = setup_from_game(before(match, number + 1), 0)
    moment = preview(http, f"{path}/replay?at={number}")
    assert moment["og:url"] == f"{served.address}{path}/replay?at={number}"
    assert moment["og:description"].endswith(f"How do you play {'-'.join(map(str, setup.faces))}?")
    assert moment["og:image"] == f"{served.address}/analysis/picture.png?{query_of(setup.address)}"
    for odd in ("-1", "x", "9" * 30, str(len(match.events) + 1)):
        assert preview(http, f"{path}/replay?at={odd}")["og:url"] == f"{served.address}{path}/replay"

    answer = http.get(moment["og:image"])
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    sizes = int.from_bytes(answer.content[16:20], "big"), int.from_bytes(answer.content[20:24], "big")
    assert sizes == (int(moment["og:image:width"]), int(moment["og:image:height"])) == (1200, 630)
    assert answer.headers["cache-control"] == "public, max-age=604800"
    assert "set-cookie" not in answer.headers


def test_boards_studies_invitations_and_the_position_of_the_day_have_a_preview(
    http: httpx.Client, other: httpx.Client
) -> None:
    board = query_of(BoardAddress(roll="31", length=7, score="2-5"))
    assert preview(other, f"/analysis?{board}")["og:description"] == "Match to 7, 2-5. How do you play 3-1?"
    assert preview(other, "/practice/today")["og:title"] == "Position of the day"
    proposed = http.post("/analysis/play", data={"board": "roll=31", "side": "near", "level": "friend", **AGAIN})
    token = re.search(r'/join/([\w-]+)"', http.get(proposed.headers["location"]).text)
    assert token
    invited = preview(other, f"/join/{token[1]}")
    assert invited["og:title"].endswith("invites you")
    assert "roposition" in invited["og:description"]
    assert "turn=far&roll=31" in invited["og:image"], "seen by whoever is invited"

    register(http, "Lena")
    made = http.post("/api/study", json={"title": LONG * 3, "board": {"roll": "31"}}).json()["id"]
    asked = {"kind": "note", "node": 1, "name": "Opening", "comment": "The golden point.", "asked": True}
    assert http.post(f"/api/study/{made}/edit", json={"edit": asked}).status_code == 200
    shown = preview(other, f"/study/{made}")
    assert (shown["og:title"], shown["og:description"]) == ((LONG * 3)[:80], "Opening. by Lena"), (
        "readers find it first"
    )
    http.post(f"/api/study/{made}/edit", json={"edit": {**asked, "asked": False}})
    assert preview(other, f"/study/{made}?at=1")["og:description"] == "Opening. by Lena. The golden point."


@pytest.mark.parametrize(
    "path",
    [
        "/match/zzz/replay?at=3",
        "/study/%3Cscript%3E",
        "/join/zzz",
        "/analysis/picture.png?position=zzz",
        "/analysis/picture.png?variant=zzz&roll=99",
        "/analysis/picture.png?cube=3",
        "/analysis/embedded?position=zzz",
        "/match/zzz/embedded",
        "/review/zzz/embedded",
    ],
)
def test_what_there_is_not_shows_nothing_and_no_site_may_frame_the_page_that_says_so(
    http: httpx.Client, path: str
) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert "og:" not in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_a_private_match_shows_strangers_nothing(served: Served, http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Benedict")
    founded = http.post("/clubs/new", data={"name": "Tuesday club", "text": "", "joining": "open", "season": "1"})
    form = {"variant": "backgammon", "length": "1", "time_control": "Normal", "private": "1"}
    match = http.post(f"{founded.headers['location']}/match", data=form).headers["location"]
    assert preview(http, match)["og:title"].startswith("Benedict – ")
    for path in (match, f"{match}/replay", f"{match}/embedded"):
        answer = other.get(path)
        assert answer.status_code == 404
        assert "Benedict" not in answer.text
        assert "og:" not in answer.text


def test_clubs_tournaments_and_chouettes_have_a_preview_in_words_and_private_ones_none(
    http: httpx.Client, other: httpx.Client
) -> None:
    register(http, "Clara")
    club = http.post("/clubs/new", data={"name": "Monday club", "text": "", "joining": "open", "season": "1"})
    place = club.headers["location"]
    fields = {"name": "Autumn Open", "variant": "backgammon", "length": "3", "form": "knockout"}
    told = {}
    for private in ({}, {"private": "1"}):
        of_club = {"params": {"club": place.split("/")[2]}, "data": {**fields, **private}}
        for path in ("/tournaments/new", "/chouette"):
            made = http.post(path, **of_club)  # type: ignore[arg-type]
            assert made.status_code == 303, made.text
            told[path, bool(private)] = preview(other, made.headers["location"])
    told["club", False] = preview(other, place)
    shown = {
        key: (one.get("og:title"), one.get("og:description"), one.get("twitter:card")) for key, one in told.items()
    }
    nothing = None, None, None
    assert shown == {
        ("/tournaments/new", False): (
            "Autumn Open",
            "Backgammon: Knock-out, 3 points, no cube, Normal clock.",
            "summary",
        ),
        ("/tournaments/new", True): nothing,
        ("/chouette", False): ("Chouette, Backgammon", "A cube each, 3 minutes a decision.", "summary"),
        ("/chouette", True): nothing,
        ("club", False): ("Monday club", "Anybody with an account joins.", "summary"),
    }
    assert told["club", False]["og:url"].endswith(place)
    invitation = re.search(r"/clubs/invitation/[\w-]+", http.get(place).text)
    assert invitation
    assert preview(other, invitation[0])["og:title"] == "The club Monday club invites you"


def test_other_sites_may_frame_embedded_pages_alone_and_these_have_no_forms(served: Served, http: httpx.Client) -> None:
    path = f"/match/{served.call(play_match(served.services))}"
    for page in (f"{path}/embedded?at=3", "/analysis/embedded?roll=31"):
        answer = http.get(page)
        assert "frame-ancestors *" in answer.headers["content-security-policy"]
        assert '<base target="_blank">' in answer.text
        assert "<form" not in answer.text
    for page in ("/", path, f"{path}/replay", "/analysis?roll=31", "/analysis/picture.png"):
        assert "frame-ancestors 'none'" in http.get(page).headers["content-security-policy"]


def test_pictures_are_kept_and_those_that_are_not_count_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    async def drawn(module: str, *_arguments: str, data: bytes, patience_s: float) -> bytes:
        made.append(module)
        return data[-6:]

    monkeypatch.setattr(link_pictures, "run", drawn)
    pictures = LinkPictures(Credits(1, 0, lambda: 0.0))
    one, another = (setup_of(BoardAddress(roll=roll)) for roll in ("31", "64"))

    async def asked() -> None:
        for _time in range(3):
            assert await pictures.png(one, "here") == b"</svg>"
        with pytest.raises(TooManyPages):
            await pictures.png(another, "here")
        await pictures.png(another, "there")

    asyncio.run(asked())
    assert made == ["barpoint.draw.worker"] * 2
