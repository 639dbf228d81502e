"""The pages over HTTP: what they offer, refuse and explain, and what no page may do."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from barpoint.document import rules_folder
from barpoint.rules import Setup, Variant
from barpoint.server.domain import guests
from barpoint.variants import register, variants
from tests.support.serving import Served

NO_BOT = "plakoto"


def create(http: httpx.Client, **fields: str | list[str]) -> httpx.Response:
    return http.post("/match", data={"length": "3", "cube": "1", **fields})


def test_the_first_page_offers_every_variant_and_every_length(http: httpx.Client) -> None:
    text = http.get("/").text
    for header in variants():
        assert f'value="{header.name}"' in text
        assert header.line in text.replace("&#39;", "'")
    for points in range(1, 16):
        assert f'<option value="{points}"' in text
    assert "Money session" in text


def test_pages_and_scripts_come_compressed_and_what_programs_read_does_not(http: httpx.Client) -> None:
    for path in ("/", "/static/board/theme.css", "/picture?variant=backgammon"):
        answer = http.get(path)
        assert answer.headers["content-encoding"] == "gzip", path
        assert "accept-encoding" in answer.headers["vary"].lower()
        assert answer.text == http.get(path, headers={"Accept-Encoding": "identity"}).text
    assert "content-encoding" not in http.get("/api/openapi.json").headers
    known = http.get("/static/board/theme.css").headers["etag"]
    assert http.get("/static/board/theme.css", headers={"If-None-Match": known}).status_code == 304


def test_one_form_makes_a_match_against_the_bot_with_the_first_level_that_is_chosen(http: httpx.Client) -> None:
    answer = create(http, variant="roll-over", level="easy", opponent="bot")
    assert answer.status_code == 303
    page = http.get(answer.headers["location"])
    assert page.status_code == 200
    assert "Roll-Over" in page.text
    assert "3 points, cube" in page.text


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"variant": "nosuchgammon"}, 422, "no variant is called"),
        ({"variant": ["nackgammon", "hypergammon"]}, 422, "set setup differently"),
        ({"variant": ["roll-over", "cancelgammon"]}, 422, "set rerolls differently"),
        ({"variant": "roll-over", "opt-roll-over-tokens": "9"}, 422, "tokens is 9"),
        ({"variant": "roll-over", "opt-roll-over-tokens": "<b>"}, 422, "is no value"),
        ({"variant": NO_BOT, "opponent": "bot"}, 422, "is not played by the bot yet"),
        ({"length": "16"}, 422, "allowed: 0 to 15"),
        ({"length": "x"}, 422, "allowed: 0 to 15"),
        ({"length": "-1"}, 422, "allowed: 0 to 15"),
        ({"level": "godlike"}, 422, "allowed: easy, chance"),
        ({"opponent": "nobody"}, 422, "allowed: bot, friend, lobby or board"),
        ({"length": "0", "beavers": "99"}, 422, "allowed: 0 to 3"),
    ],
)
def test_what_cannot_be_played_is_said_on_the_page(
    http: httpx.Client, fields: dict[str, str | list[str]], status: int, said: str
) -> None:
    answer = create(http, **fields)
    assert answer.status_code == status
    assert said in answer.text
    assert 'class="problem" role="alert"' in answer.text
    assert "<b>'" not in answer.text
    assert guests.COOKIE not in http.cookies, "nobody was made for nothing"


def test_the_card_says_what_no_bot_plays_and_what_clashes(http: httpx.Client) -> None:
    card = http.get("/card", params=[("variant", NO_BOT)]).text
    assert 'data-covered="no"' in card
    assert "it is for two people" in card
    both = http.get("/card", params=[("variant", "roll-over"), ("variant", "duodecagammon")])
    assert "Roll-Over + Duodecagammon" in both.text
    assert 'data-covered="yes"' in both.text
    clash = http.get("/card", params=[("variant", "nackgammon"), ("variant", "longgammon")])
    assert clash.status_code == 422
    assert "choose one of them" in clash.text


def test_options_of_a_variant_reach_the_match(served: Served, http: httpx.Client) -> None:
    answer = create(
        http,
        variant=["roll-over", "duodecagammon"],
        opponent="friend",
        **{
            "opt-roll-over-tokens": "2",
            "opt-roll-over-early_call": ["true", "false"],
            "opt-duodecagammon-include_3_3": ["false", "true"],
        },
    )
    match_id = answer.headers["location"].rpartition("/")[2]
    live_match = served.call(served.services.matches.live_match(match_id))
    assert live_match.header.rules.name == "roll-over(tokens=2,early_call=false)+duodecagammon(include_3_3)"


def test_stakes_belong_to_money_and_the_crawford_rule_to_matches(served: Served, http: httpx.Client) -> None:
    fields = {"crawford": "1", "jacoby": "1", "beavers": "3", "automatic_doubles": "1", "opponent": "friend"}
    for length, money in (("0", True), ("5", False)):
        match_id = create(http, length=length, **fields).headers["location"].rpartition("/")[2]
        terms = served.call(served.services.matches.live_match(match_id)).header.terms
        assert terms.length == int(length)
        assert (terms.jacoby, terms.beavers, terms.automatic_doubles) == ((True, 3, 1) if money else (False, 0, 0))
        assert terms.crawford is not money


def test_a_guest_is_known_by_a_cookie_that_scripts_cannot_read(http: httpx.Client) -> None:
    answer = create(http)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_only_the_players_see_the_invitation(served: Served, http: httpx.Client) -> None:
    where = create(http, opponent="friend").headers["location"]
    assert "/join/" in http.get(where).text
    with httpx.Client(base_url=served.address) as stranger:
        assert "/join/" not in stranger.get(where).text


def test_an_invitation_is_not_taken_by_looking_at_it(served: Served, http: httpx.Client) -> None:
    where = create(http, opponent="friend").headers["location"]
    link = re.search(r"/join/[\w-]+", http.get(where).text)
    assert link
    with httpx.Client(base_url=served.address) as friend:
        page = friend.get(link[0]).text
        assert "invites you" in page
        assert 'name="name"' in page, "who has no account can say a name"
        live_match = served.call(served.services.matches.live_match(where.rpartition("/")[2]))
        assert not live_match.header.complete
        assert friend.post(link[0], data={"name": " Gustav "}).headers["location"] == where
        assert live_match.header.complete
        assert {seat.name for seat in live_match.header.seats} >= {"Gustav"}
        assert friend.get(link[0]).status_code == 303
    own = http.get(link[0])
    assert own.headers["location"] == where


@pytest.mark.parametrize(
    "path", ["/nowhere", "/match/nowhere", "/join/nowhere", "/rules/nowhere", "/rules/..%2f..%2fREADME"]
)
def test_an_address_that_leads_nowhere_has_a_page(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert "Nothing here" in answer.text
    assert "Traceback" not in answer.text


def test_a_fault_of_ours_has_a_page_and_shows_nothing_of_itself(
    served: Served, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("barpoint.server.web.play.choices", broken)
    answer = http.get("/")
    assert answer.status_code == 500
    assert "Your matches are safe" in answer.text
    assert "secret detail" not in answer.text
    assert "default-src" in answer.headers["content-security-policy"]
    assert http.get("/healthz").json() == {"status": "ok"}


def test_no_page_may_load_run_or_send_anything_elsewhere(http: httpx.Client) -> None:
    where = create(http).headers["location"]
    for path in ("/", where, "/rules", "/rules/roll-over", "/nowhere"):
        answer = http.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not re.search(r"<script(?![^>]*\bsrc=)", answer.text), "no script in a page"
        assert not re.search(r"\sstyle=|\son\w+=", answer.text), "no style and no handler in a page"
        assert not re.findall(r'(?:src|action)="(?!/)[^"]*"', answer.text)


def test_a_form_from_another_site_is_refused(http: httpx.Client, served: Served) -> None:
    for origin in ("http://elsewhere.example", "null", "https://127.0.0.1.example"):
        answer = http.post("/match", data={"length": "3"}, headers={"Origin": origin})
        assert answer.status_code == 403
    assert http.post("/match", data={"length": "3"}, headers={"Origin": served.address}).status_code == 303


def test_a_form_of_any_length_is_not_read(http: httpx.Client) -> None:
    assert http.post("/match", data={"variant": "x" * 100_000}).status_code == 413

    def endless() -> Iterator[bytes]:
        yield b"length=3"

    assert http.post("/match", content=endless()).status_code == 411


def test_names_are_shown_as_text(http: httpx.Client) -> None:
    where = create(http, opponent="friend").headers["location"]
    http.post("/name", data={"name": "<script>alert(1)</script>", "back": "/"})
    for path in ("/", where):
        assert "<script>alert" not in http.get(path).text
    assert "&lt;script&gt;alert(1)" in http.get("/").text


@pytest.mark.parametrize("back", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example"])
def test_renaming_leads_back_to_this_server_only(http: httpx.Client, back: str) -> None:
    assert http.post("/name", data={"name": "Anna", "back": back}).headers["location"] == "/"


def test_too_many_matches_at_once_are_refused(
    http: httpx.Client, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    credits = served.services.allowance.creations
    monkeypatch.setattr(type(credits), "spend", lambda self, name: False)
    answer = create(http)
    assert answer.status_code == 429
    assert "try again" in answer.text


def test_every_page_of_rules_is_served_and_every_link_in_it_leads_somewhere(http: httpx.Client) -> None:
    pages = sorted(file.stem for file in rules_folder().glob("*.md"))
    assert {header.name for header in variants()} <= set(pages)
    assert {"cube", "match-play", "questions"} <= set(pages)
    contents = http.get("/rules").text
    links: dict[str, str] = {}
    for name in pages:
        answer = http.get(f"/rules/{name}")
        assert answer.status_code == 200
        assert f'href="/rules/{name}"' in contents
        links |= dict.fromkeys(re.findall(r'href="(/[^"#]*)"', answer.text), name)
    for link, name in links.items():
        assert http.get(link).status_code == 200, f"{link} in {name}"


def test_a_page_weighs_less_than_300_kb(http: httpx.Client) -> None:
    where = create(http).headers["location"]
    for path in ("/", where):
        seen, waiting, weight = set(), {path}, 0
        while waiting:
            url = waiting.pop()
            seen.add(url)
            answer = http.get(url)
            assert answer.status_code == 200, url
            weight += answer.num_bytes_downloaded  # compressed, as browsers get it
            found = re.findall(r'(?:src|href)="(/(?:static|picture)[^"]*)"', answer.text.replace("&amp;", "&"))
            base = httpx.URL(served_url(http, url))
            found += [
                base.join(name).raw_path.decode()
                for name in re.findall(r'from "(\.[^"]+)"|import "(\.[^"]+)"', answer.text)
                for name in name
                if name
            ]
            waiting |= set(found) - seen
        assert weight < 300_000, f"{path}: {weight}"


def quick(http: httpx.Client, path: str = "/") -> list[tuple[str, str]]:
    """The fields that "Play now" sends."""
    form = re.search(r'<form class="quick".*?</form>', http.get(path).text, re.DOTALL)
    assert form
    return re.findall(r'name="([^"]+)" value="([^"]*)"', form[0].replace("&#39;", "'"))


def quick_line(http: httpx.Client, path: str = "/") -> str:
    found = re.search(r'id="quick-line">([^<]*)<', http.get(path).text)
    assert found
    return found[1]


def test_a_newcomer_starts_backgammon_for_three_points_against_a_weak_bot(http: httpx.Client) -> None:
    assert set(quick(http)) == {
        ("variant", "backgammon"), ("opponent", "bot"), ("level", "chance"), ("length", "3"), ("cube", "1"),
        ("crawford", "1"),
    }  # fmt: skip
    assert quick_line(http) == "Backgammon against a bot: Chance; 3 points, cube, Crawford rule."
    assert "/learn/first-game" in http.get("/").text
    answer = http.post("/match", data=dict(quick(http)))
    assert "/learn/first-game" not in http.get("/").text, "somebody who has played is no newcomer"
    assert "3 points, cube, Crawford rule" in http.get(answer.headers["location"]).text


def test_the_last_choice_is_filled_in_and_started_again(served: Served, http: httpx.Client) -> None:
    chosen = {
        "variant": ["roll-over", "duodecagammon"], "opponent": "friend", "length": "7", "time_control": "Fast",
        "opt-roll-over-tokens": "2",
    }  # fmt: skip
    first = http.post("/match", data=chosen).headers["location"]
    page = http.get("/").text
    for ticked in ("v-roll-over", "v-duodecagammon", "o-friend"):
        assert re.search(rf'id="{ticked}"[^>]*checked', page), ticked
    assert not re.search(r'id="v-backgammon"[^>]*checked', page)
    assert not re.search(r'name="cube"[^>]*checked', page), "a box that was empty stays empty"
    assert re.search(r'<option value="7" selected', page)
    assert re.search(r'<option value="Fast" selected', page)
    assert quick_line(http) == "Roll-Over + Duodecagammon with a friend, by a link; 7 points, no cube, Fast clock."
    fields: dict[str, list[str]] = {}
    for name, value in quick(http):
        fields.setdefault(name, []).append(value)
    second = http.post("/match", data=fields).headers["location"]
    matches = [
        served.call(served.services.matches.live_match(where.rpartition("/")[2])).header for where in (first, second)
    ]
    assert matches[0].agreement == matches[1].agreement
    assert matches[1].rules.name == "roll-over(tokens=2)+duodecagammon"


def test_an_address_chooses_a_game_over_the_last_choice(http: httpx.Client) -> None:
    create(http, variant="roll-over", length="5", **{"opt-roll-over-tokens": "2"})
    assert quick_line(http, "/?variant=nackgammon").startswith("Nackgammon against a bot")
    assert ("length", "5") in quick(http, "/?variant=nackgammon")
    assert quick_line(http, f"/?variant={NO_BOT}").startswith("Plakoto with a friend, by a link")
    assert quick_line(http, "/?variant=nosuch").startswith("Roll-Over")
    assert quick_line(http, "/?level=easy&variant=backgammon").startswith("Backgammon against a bot: Easy")


@pytest.mark.parametrize(
    "kept", ["variant=nosuch", "length=99", "%00", "x" * 3000, "variant=roll-over&time_control=No"]
)
def test_a_kept_choice_that_cannot_be_played_is_forgotten(http: httpx.Client, kept: str) -> None:
    http.cookies.set("barpoint_choice", kept)
    assert quick_line(http).startswith("Backgammon against a bot")


def test_three_unfinished_matches_are_in_sight_and_the_others_are_folded(http: httpx.Client) -> None:
    for _ in range(5):
        create(http, opponent="friend")
    page = http.get("/").text
    shown, folded = page.partition("<details><summary>All 5 unfinished matches")[::2]
    assert shown.count('class="match-summary') == 3
    assert folded.count('class="match-summary') == 2


def test_the_bar_names_every_part_of_the_site_and_the_settings(http: httpx.Client) -> None:
    for path in ("/", "/rules", "/login", "/tournaments"):
        text = http.get(path).text
        bar = text[text.index("<nav") : text.index("</nav>")]
        for name in ("Play", "Lobby", "Watch", "Tournaments", "Chouettes", "Review", "Learn", "Settings", "Log in"):
            assert re.search(rf">\s*{name}<", bar), (path, name)


def served_url(http: httpx.Client, url: str) -> str:
    return str(http.base_url.join(url))


def test_a_variant_that_is_registered_while_the_server_runs_is_offered_without_a_page_of_rules(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = sys.modules["barpoint.variants"]
    monkeypatch.setattr(catalogue, "_registered", [])
    assert http.get("/").status_code == 200
    register(
        Variant("short-game", "Short game", "Ten checkers.", "this test", {"setup": Setup(((24, 2), (8, 3), (6, 5)))})
    )
    page = http.get("/?variant=short-game").text
    assert 'value="short-game"' in page
    assert "Short game" in page
    assert http.get("/picture?variant=short-game").text.startswith("<svg")
    where = create(http, variant="short-game", opponent="friend").headers["location"]
    for path in ("/?variant=short-game", "/card?variant=short-game", "/rules", "/rules/cube", where):
        answer = http.get(path)
        assert answer.status_code == 200, path
        assert "/rules/short-game" not in answer.text, path
    assert "Short game" in http.get(where).text
    assert "/rules/roll-over" in http.get("/card?variant=roll-over%2Bshort-game").text
    catalogue._rules.cache_clear()


def test_pictures_of_starts_are_drawn(http: httpx.Client) -> None:
    for header in variants():
        answer = http.get("/picture", params={"variant": header.name})
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg")
        small = http.get("/picture", params={"variant": header.name, "small": "1"})
        assert small.text.startswith("<svg")
        assert len(small.content) < 8_000
        assert "max-age" in small.headers["cache-control"]
    assert http.get("/picture/scene").text.startswith("<svg")
    assert http.get("/picture", params={"variant": "nosuch"}).status_code == 404


def test_a_rematch_needs_a_finished_match_and_a_player(served: Served, http: httpx.Client) -> None:
    where = create(http, opponent="friend").headers["location"]
    assert http.post(f"{where}/rematch", data={"x": ""}).headers["location"] == where
    assert http.post("/match/nowhere/rematch", data={"x": ""}).status_code == 404


def test_every_template_is_a_page_that_something_shows() -> None:
    folder = Path(__file__).parents[3] / "src" / "barpoint" / "server" / "web"
    code = "".join(file.read_text() for file in (*folder.rglob("*.py"), *folder.glob("templates/*.html")))
    for file in folder.glob("templates/*.html"):
        assert f'"{file.name}"' in code
