"""What users can do with their own account, and that nobody else can."""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import zipfile

import httpx
import pytest
from sqlalchemy import String, Text, func, select

from barpoint.language import date
from barpoint.server.domain.accounts import kept_agent
from barpoint.server.domain.seat_names import FORMER
from barpoint.server.domain.web_push import Subscription
from barpoint.server.storage import push as push_storage
from barpoint.server.storage.schema.accounts import ACCESS_TOKEN
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.server.web.account import browser_named
from tests.support.accounts import PASSWORD, account_of, browser_of, known_as, login, register
from tests.support.serving import Served

NEW = "another horse"


@pytest.mark.parametrize("path", ["/account", "/account/barpoint.zip"])
def test_who_is_not_logged_in_is_asked_to(http: httpx.Client, path: str) -> None:
    http.post("/name", data={"name": "A Guest"})
    answer = http.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/login?back={path}"


def test_the_way_back_after_logging_in_is_the_whole_address(http: httpx.Client, other: httpx.Client) -> None:
    register(other, "Theo")
    page = http.get(http.get("/account?done=email&x=%2B1").headers["location"]).text
    back = html.unescape(re.findall(r'name="back" value="([^"]*)"', page)[0])
    answer = http.post("/login", data={"name": "Theo", "password": PASSWORD, "back": back})
    assert answer.headers["location"] == "/account?done=email&x=%2B1"


@pytest.mark.parametrize("path", ["password", "email", "notices", "codes", "logout-one", "logout-everywhere", "delete"])
def test_who_is_not_logged_in_changes_nothing(http: httpx.Client, path: str) -> None:
    assert http.post(f"/account/{path}", data={"password": PASSWORD, "new": NEW}).status_code == 403


@pytest.mark.parametrize("path", ["password", "email", "codes", "delete"])
def test_whoever_sits_at_an_open_browser_needs_the_password_for_what_matters(
    http: httpx.Client, other: httpx.Client, path: str
) -> None:
    name = f"Tom {path}"
    register(http, name)
    answer = http.post(f"/account/{path}", data={"password": "wrong horse", "new": NEW, "email": "a@example.org"})
    assert answer.status_code == 403
    assert "not your password" in answer.text
    assert "Too many tries" not in answer.text
    assert login(other, name).status_code == 303


def test_a_new_password_logs_everybody_else_out(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Uma")
    login(other, "Uma")
    answer = http.post("/account/password", data={"password": PASSWORD, "new": NEW})
    assert "The password is changed" in http.get(answer.headers["location"]).text
    assert known_as(http) == "Uma"
    assert known_as(other) is None
    assert login(other, "Uma").status_code == 403
    assert login(other, "Uma", NEW).status_code == 303


@pytest.mark.parametrize("new", ["short", "x" * 201, "password1"])
def test_a_weak_new_password_is_refused(http: httpx.Client, other: httpx.Client, new: str) -> None:
    http.post("/register", data={"name": "Vera", "password": PASSWORD})
    login(http, "Vera")
    assert http.post("/account/password", data={"password": PASSWORD, "new": new}).status_code == 422
    assert login(other, "Vera").status_code == 303


def test_logging_out_everywhere_ends_every_session(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Walter")
    login(other, "Walter")
    assert len(logins(http)) == 2
    http.post("/account/logout-everywhere", data={"x": ""})
    assert known_as(http) is None
    assert known_as(other) is None


def logins(http: httpx.Client) -> list[str]:
    """What the account page says of each login, the one of this browser first."""
    rows = re.findall(r'<li id="login-\d+">(.*?)</li>', http.get("/account").text, re.DOTALL)
    return [html.unescape(" ".join(re.sub("<[^>]+>", " ", row).split())) for row in rows]


WINDOWS = "(Windows NT 10.0; Win64; x64)"
KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
AGENTS = {
    f"Mozilla/5.0 {WINDOWS} {KIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0": "Edge on Windows",
    f"Mozilla/5.0 {WINDOWS} {KIT} Chrome/138.0.0.0 Safari/537.36 OPR/120.0.0.0": "Opera on Windows",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {KIT} Chrome/138.0.0.0 Safari/537.36": "Chrome on ChromeOS",
    f"Mozilla/5.0 (Linux; Android 10; K) {KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": "Samsung Internet on Android",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1": "Chrome on iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15": "Safari on Mac",
    "python-httpx/0.28": "A program",
    "FIBS BGOnline": "FIBS BGOnline",
    "": "A program",
}


@pytest.mark.parametrize(("agent", "name"), AGENTS.items())
def test_a_login_is_named_by_its_browser_and_system(agent: str, name: str) -> None:
    assert browser_named(kept_agent(agent)) == name


def test_each_login_says_which_browser_it_is_and_when_it_was_last_used(
    http: httpx.Client, other: httpx.Client, served: Served
) -> None:
    register(http, "Waldo")
    other.headers["user-agent"] = next(iter(AGENTS))
    login(other, "Waldo")
    now = served.services.matches.clock()
    first, second = logins(http)
    assert first == f"A program this browser Logged in on {date(now)}"
    assert second.startswith("Edge on Windows Last used ")
    assert second.endswith(f"UTC Logged in on {date(now)} Log out")
    assert logins(other)[0].startswith("Edge on Windows this browser")


def test_one_login_is_ended_and_the_others_go_on(http: httpx.Client, other: httpx.Client, served: Served) -> None:
    register(http, "Wilma")
    login(other, "Wilma")
    store, person = served.services.store, account_of(served, http).id
    here, there = (Subscription(f"https://push.example/{one}", "k", "a") for one in (1, 2))
    for one in (here, there):
        served.call(store.write(push_storage.put, person, one, 1))
    (session,) = re.findall(r'name="session" value="([^"]+)"', http.get("/account").text)
    answer = http.post("/account/logout-one", data={"session": session, "endpoint": here.endpoint})
    assert "That browser is logged out." in http.get(answer.headers["location"]).text
    assert known_as(http) == "Wilma"
    assert known_as(other) is None
    assert served.call(store.read(push_storage.of, person)) == (here,)
    assert len(logins(http)) == 1


def test_nobody_ends_the_login_of_somebody_else(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Wim")
    register(other, "Wolf")
    session = hashlib.sha256(other.cookies["barpoint_session"].encode()).hexdigest()
    assert http.post("/account/logout-one", data={"session": session, "endpoint": ""}).status_code == 303
    assert http.post("/account/logout-one", data={}).status_code == 303
    assert known_as(other) == "Wolf"


@pytest.mark.parametrize("path", ["password", "logout-everywhere"])
def test_tokens_of_programs_end_with_the_old_password_and_with_logging_out_everywhere(
    http: httpx.Client, path: str
) -> None:
    register(http, f"Wanda {path[0]}")
    page = http.post("/access-tokens", data={"name": "mine", "scope": "play"}).text
    secret = re.findall(r'value="(bp_[^"]+)"', page)[0]
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.Client(base_url=http.base_url, headers=headers) as program:
        assert program.get("/api/account").status_code == 200
        http.post(f"/account/{path}", data={"password": PASSWORD, "new": NEW})
        assert program.get("/api/account").status_code == 401


def test_new_codes_make_the_old_ones_worthless(http: httpx.Client, other: httpx.Client) -> None:
    old = register(http, "Xenia")
    answer = http.post("/account/codes", data={"password": PASSWORD})
    assert old[0] not in answer.text
    assert other.post("/recover", data={"name": "Xenia", "code": old[0], "password": NEW}).status_code == 403


def test_all_own_data_can_be_downloaded_and_opens_nothing(
    http: httpx.Client, other: httpx.Client, served: Served
) -> None:
    where = http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
    invitation = served.call(served.services.matches.live_match(where.rpartition("/")[2])).header.seats[1].invitation
    register(http, "Yvonne", email="yvonne@example.org")
    other.post(f"/join/{invitation}", data={"x": ""})
    for seat in (0, 1):  # both have joined, and the match begins
        served.call(served.services.adjournments.commit_to_seed(where.rpartition("/")[2], seat, None))
    found = http.get("/account/barpoint.zip")
    assert found.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(found.content)) as pack:
        texts = {name: pack.read(name).decode() for name in pack.namelist()}
    account = json.loads(texts["account.json"])[0]
    assert (account["name"], account["email"]) == ("Yvonne", "yvonne@example.org")
    match = json.loads(texts[f"match/{where.rpartition('/')[2]}.json"])
    assert match["events"][0]["kind"] == "opening"
    everything = "".join(texts.values())
    assert "$argon2" not in everything
    for name, secret in http.cookies.items():
        assert name == "barpoint_language" or secret not in everything
    seeds = served.call(served.services.matches.live_match(where.rpartition("/")[2])).header
    assert seeds.server_seed.hex() not in everything
    assert seeds.seats[1].client_seed not in everything


def test_a_deleted_account_leaves_its_matches_and_no_name(
    http: httpx.Client, other: httpx.Client, served: Served
) -> None:
    where = http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
    register(http, "Zacharias", email="zacharias@example.org")
    match_id = where.rpartition("/")[2]
    invitation = served.call(served.services.matches.live_match(match_id)).header.seats[1].invitation
    other.post(f"/join/{invitation}", data={"x": ""})
    before = len(served.call(served.services.matches.live_match(match_id)).match.events)
    made = http.post("/access-tokens", data={"name": "my bot", "scope": "play"})
    assert made.status_code < 400
    assert (
        served.call(served.services.store.read(lambda c: c.scalar(select(func.count()).select_from(ACCESS_TOKEN)))) == 1
    )
    assert http.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    assert known_as(http) is None
    assert login(http, "Zacharias").status_code == 403
    assert (
        served.call(served.services.store.read(lambda c: c.scalar(select(func.count()).select_from(ACCESS_TOKEN)))) == 0
    )
    live_match = served.call(served.services.matches.live_match(match_id))
    assert live_match.header.seats[0].name == FORMER
    assert len(live_match.match.events) == before
    for table in METADATA.tables.values():
        columns = [column for column in table.c if isinstance(column.type, String | Text)]
        if not columns:
            continue
        rows = served.call(served.services.store.read(lambda c, columns=columns: c.execute(select(*columns)).all()))
        assert not [row for row in rows if "zacharias" in str(row).lower()], table.name


def test_the_form_that_deletes_the_account_stays_open_after_a_wrong_password(http: httpx.Client) -> None:
    register(http, "Wanda")
    assert "<details open>" not in http.get("/account").text
    assert "<details open>" in http.post("/account/delete", data={"password": "wrong horse"}).text


def test_whoever_deletes_their_account_is_told_that_it_is_gone(http: httpx.Client) -> None:
    register(http, "Gone")
    where = http.post("/account/delete", data={"password": PASSWORD}).headers["location"]
    assert "Your account is deleted." in http.get(where).text
    assert "deleted" not in http.get("/").text


def test_the_clubs_of_a_deleted_account_go_to_the_longest_standing_director_or_member_or_close(
    http: httpx.Client, other: httpx.Client, served: Served
) -> None:
    register(http, "Owner")
    register(other, "Late Director")
    form = {"text": "", "joining": "open", "season": "1"}
    directed, alone = (
        http.post("/clubs/new", data={**form, "name": name}).headers["location"] for name in ("Directed", "Alone")
    )
    with browser_of(served, "Early Member") as early:
        early.post(f"{directed}/join")
        other.post(f"{directed}/join")
        person = account_of(served, other).id
        http.post(f"{directed}/role", data={"person": person, "role": "director"})
        page = http.get("/account").text
        assert "The club Directed goes to Late Director." in page
        assert "The club Alone has no other member and closes." in page
        http.post("/account/delete", data={"password": PASSWORD})
        assert "You are here as owner" in other.get(directed).text
        assert "closed" in early.get(alone).text
        assert "The club Directed goes to Early Member." in other.get("/account").text
        early.post(f"{directed}/leave", data={"sure": "1"})
        assert "The club Directed has no other member and closes." in other.get("/account").text


def test_the_own_clubs_are_listed_on_the_account_page_and_in_the_lobby(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Club Member")
    assert "My clubs" not in http.get("/account").text + http.get("/lobby").text
    form = {"name": "Mondays", "text": "", "joining": "request", "season": "1"}
    club = http.post("/clubs/new", data=form).headers["location"]
    register(other, "Club Asker")
    other.post(f"{club}/join")
    for page in ("/account", "/lobby"):
        assert f'href="{club}" id="club-' in http.get(page).text
        assert f'href="{club}" id="club-' not in other.get(page).text, "who has asked is no member yet"


def test_what_is_typed_into_the_own_page_comes_back_as_text(http: httpx.Client) -> None:
    register(http, "Aaron")
    answer = http.post("/account/email", data={"password": PASSWORD, "email": '"><script>alert(1)</script>@b.org'})
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text
    assert "<script>alert" not in http.get("/account?done=<script>alert(1)</script>").text
