"""Registration, login, logout and lost passwords over HTTP, and attempts that must fail."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select, update

from barpoint.error import StoreError
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import SEEN_MS, SESSION_COOKIE, SESSION_MS
from barpoint.server.domain.limits import Allowance, Credits
from barpoint.server.storage.schema.accounts import ACCOUNT, SESSION
from barpoint.server.web import auth_pages
from tests.support.accounts import PASSWORD, hasten, known_as, login, register, serving
from tests.support.serving import Served, serve


def test_a_name_and_a_password_make_an_account(http: httpx.Client, served: Served) -> None:
    assert known_as(http) is None
    assert len(register(http, "Clara")) == 8
    assert known_as(http) == "Clara"
    kept = served.call(served.services.store.read(lambda c: c.scalar(select(ACCOUNT.c.password))))
    assert kept.startswith("$argon2id$")


def test_the_page_of_recovery_codes_greets_the_new_account_by_its_name(http: httpx.Client) -> None:
    form = {"name": "Frieda", "password": PASSWORD}
    page = http.post("/register", data=form)
    assert page.status_code == 200
    assert 'href="/player/Frieda"' in page.text
    assert 'href="/login"' not in page.text


def test_a_guest_who_registers_keeps_their_matches(http: httpx.Client, served: Served) -> None:
    where = http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
    register(http, "Dora")
    assert guests.COOKIE not in http.cookies
    live_match = served.call(served.services.matches.live_match(where.rpartition("/")[2]))
    assert live_match.header.seats[0].name == "Dora"
    assert "/join/" in http.get(where).text, "the seat is still hers"


def test_the_cookie_of_a_guest_opens_nothing_once_he_has_an_account(http: httpx.Client, other: httpx.Client) -> None:
    http.post("/name", data={"name": "Somebody"})
    old = http.cookies[guests.COOKIE]
    where = http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
    register(http, "Emil")
    other.cookies.set(guests.COOKIE, old)
    assert "/join/" not in other.get(where).text
    assert known_as(other) is None


def test_logging_out_ends_the_session_and_not_the_browser_alone(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Fanny")
    other.cookies.set(SESSION_COOKIE, http.cookies[SESSION_COOKIE])
    assert known_as(other) == "Fanny"
    http.post("/logout", data={"x": ""})
    assert known_as(http) is None
    assert known_as(other) is None


def test_logging_in_again_ends_the_earlier_session_of_this_browser(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Ottilie")
    other.cookies.set(SESSION_COOKIE, http.cookies[SESSION_COOKIE])
    assert known_as(other) == "Ottilie"
    login(http, "Ottilie")
    assert known_as(http) == "Ottilie"
    assert known_as(other) is None


def test_logging_in_ends_sessions_elsewhere_where_one_says_so(
    http: httpx.Client, other: httpx.Client, served: Served
) -> None:
    register(http, "Gustav")
    login(other, "Gustav")
    assert known_as(http) == known_as(other) == "Gustav"
    with httpx.Client(base_url=served.address) as third:
        assert 'name="alone"' in third.get("/login").text
        third.post("/login", data={"name": "Gustav", "password": "wrong", "alone": "1"})
        assert known_as(http) == "Gustav", "a wrong password ends nothing"
        third.post("/login", data={"name": "Gustav", "password": PASSWORD, "alone": "1"})
        assert known_as(third) == "Gustav"
    assert known_as(http) is None
    assert known_as(other) is None


def test_a_session_cookie_is_out_of_reach_of_scripts_and_other_sites(http: httpx.Client) -> None:
    answer = http.post("/register", data={"name": "Greta", "password": PASSWORD})
    cookie = next(line for line in answer.headers.get_list("set-cookie") if line.startswith(SESSION_COOKIE))
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert http.cookies[SESSION_COOKIE] not in answer.text


def test_behind_tls_a_cookie_is_never_sent_in_the_clear(tmp_path: Path) -> None:
    running = hasten(serve(tmp_path, address="https://play.example.org"))
    try:
        with httpx.Client(base_url=running.address) as http:
            answer = http.post("/register", data={"name": "Greta", "password": PASSWORD})
            assert all("Secure" in line for line in answer.headers.get_list("set-cookie") if "Max-Age=0" not in line)
    finally:
        running.stop()


def test_a_session_runs_out(http: httpx.Client, served: Served) -> None:
    register(http, "Hans")
    assert known_as(http) == "Hans"
    ended = served.services.matches.clock() - 1
    served.call(served.services.store.write(lambda c: c.execute(update(SESSION).values(expires_at=ended))))
    assert known_as(http) is None
    assert http.get("/account").headers["location"] == "/login?back=/account"
    assert SESSION_MS > 0


def test_a_session_that_is_used_goes_on(http: httpx.Client, served: Served) -> None:
    store, now = served.services.store, served.services.matches.clock

    def left_ms(change: int | None = None) -> int:
        if change is not None:
            served.call(store.write(lambda c: c.execute(update(SESSION).values(expires_at=now() + change))))
        return served.call(store.read(lambda c: c.scalar(select(SESSION.c.expires_at)))) - now()

    register(http, "Hanna")
    assert left_ms(SESSION_MS - SEEN_MS + 60_000) < SESSION_MS
    assert "set-cookie" not in http.get("/rules").headers
    assert left_ms() <= SESSION_MS - SEEN_MS + 60_000
    left_ms(SESSION_MS - SEEN_MS - 60_000)
    assert "set-cookie" not in http.get("/healthz").headers
    assert left_ms() <= SESSION_MS - SEEN_MS - 60_000, "only a page prolongs it"
    cookie = http.get("/rules").headers["set-cookie"]
    assert cookie.startswith(f"{SESSION_COOKIE}={http.cookies[SESSION_COOKIE]};")
    assert f"Max-Age={SESSION_MS // 1000};" in cookie
    assert left_ms() > SESSION_MS - 60_000


def test_whoever_registers_is_logged_in_sees_the_codes_and_joins_the_club_whatever_else_fails_afterwards(
    http: httpx.Client, other: httpx.Client, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("the database does not answer")

    register(other, "Owner of a club")
    form = {"name": "Sundays", "text": "", "joining": "open", "season": "1"}
    club = other.post("/clubs/new", data=form).headers["location"]
    link = re.findall(r"/clubs/invitation/[\w-]+", other.get(club).text)[0]
    monkeypatch.setattr(auth_pages, "_confirmation_sent", fail)
    page = http.post("/register", data={"name": "Judith", "password": PASSWORD, "back": link}).text
    assert "You are a member of the club Sundays now." in page
    assert "A mail is on its way" not in page
    http.cookies.clear()
    for part, name in ((served.services.clubs, "join"), (served.services.accounts, "begin_session")):
        monkeypatch.setattr(part, name, fail)
    assert len(register(http, "Ilse", back=link)) == 8
    assert known_as(http) == "Ilse"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ida", "is taken"),
        ("1da", "begins with a letter"),
        ("lda", "looks like"),
        ("<script>alert(1)</script>", "allowed: 2 to 20"),
        ("<i>Ida</i>", "begins with a letter"),
        ("'; DROP TABLE x", "begins with a letter"),
        ("x' OR '1'='1", "allowed: letters"),
    ],
)
def test_names_that_are_taken_or_dangerous_are_refused_in_words(
    http: httpx.Client, other: httpx.Client, name: str, said: str
) -> None:
    http.post("/register", data={"name": "Ida", "password": PASSWORD})
    answer = other.post("/register", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 422
    assert said in answer.text
    assert "<script>alert" not in answer.text
    assert "<i>" not in answer.text
    assert SESSION_COOKIE not in other.cookies


@pytest.mark.parametrize("typed", ["jana", "JANA", " Jana "])
def test_one_logs_in_however_the_name_is_written(http: httpx.Client, other: httpx.Client, typed: str) -> None:
    http.post("/register", data={"name": "Jana", "password": PASSWORD})
    assert login(other, typed).status_code == 303
    assert known_as(other) == "Jana"


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Karl", "wrong horse"),
        ("Karl", ""),
        ("Karl", PASSWORD + " "),
        ("Nobody Here", PASSWORD),
        ("", ""),
        ("Karl' --", PASSWORD),
        ("Karl' OR '1'='1", "x' OR '1'='1"),
        ("K\0arl\0", "x" * 5000),
        ("<b>Karl</b>", "x"),
    ],
)
def test_nothing_but_name_and_password_opens_an_account(
    http: httpx.Client, other: httpx.Client, name: str, password: str
) -> None:
    http.post("/register", data={"name": "Karl", "password": PASSWORD})
    answer = login(other, name, password)
    assert answer.status_code in (403, 429)
    assert "<b>Karl" not in answer.text
    assert known_as(other) is None


def test_an_unknown_name_and_a_wrong_password_are_told_alike(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Lena")
    wrong, unknown = login(other, "Lena", "wrong horse"), login(other, "Lenaa", "wrong horse")
    assert (wrong.status_code, unknown.status_code) == (403, 403)
    assert wrong.text.replace("Lena", "") == unknown.text.replace("Lenaa", "")


def test_guessing_passwords_ends_soon_for_the_name_and_the_right_one_is_then_refused_too(
    http: httpx.Client, other: httpx.Client
) -> None:
    register(http, "Mona")
    found = [login(other, "Mona", f"guess number {number}").status_code for number in range(12)]
    assert found == [403] * 10 + [429] * 2
    assert login(other, "Mona").status_code == 429
    assert login(other, "MONA").status_code == 429, "another way to write the name is no other name"


def test_wrong_passwords_from_elsewhere_lock_nobody_out_of_their_account(http: httpx.Client, served: Served) -> None:
    def tried(address: str, password: str = "guess guess") -> int:
        headers = {"X-Forwarded-For": address}
        with httpx.Client(base_url=served.address, headers=headers) as elsewhere:
            return login(elsewhere, "Nadja", password).status_code

    register(http, "Nadja")
    served.services.allowance.names._burst, served.services.allowance.names._per_second = 20.0, 0.0
    assert [tried("192.0.2.1") for _ in range(12)] == [403] * 10 + [429] * 2
    assert tried("192.0.2.1", PASSWORD) == 429
    assert tried("192.0.2.2", PASSWORD) == 303, "an address where nobody has guessed"
    assert [tried(f"192.0.2.{number}") for number in range(3, 14)] == [403] * 9 + [429] * 2, "many addresses, one name"
    http.post("/logout")
    assert login(http, "Nadja").status_code == 303, "this browser has logged in before"
    assert http.post("/account/delete", data={"password": PASSWORD}).status_code == 303


def test_guessing_the_passwords_of_many_ends_soon_for_the_address(
    http: httpx.Client, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.services.allowance.entries, "_burst", 3.0)
    monkeypatch.setattr(served.services.allowance.entries, "_per_second", 0.0)
    served.services.allowance.entries._credits.clear()
    found = [login(http, f"Name {letter}", "guess guess").status_code for letter in "abcde"]
    assert found == [403, 403, 403, 429, 429]
    served.services.allowance.entries._credits.clear()


def test_credits_are_of_the_kind_that_refills() -> None:
    now = [0.0]
    credits = Credits(2, 0.5, lambda: now[0])
    assert [credits.spend("a"), credits.spend("a"), credits.spend("a"), credits.spend("b")] == [True, True, False, True]
    now[0] = 2.0
    assert credits.spend("a")


def test_a_code_of_recovery_sets_a_password_once_and_logs_everybody_else_out(
    http: httpx.Client, other: httpx.Client
) -> None:
    codes = register(http, "Nora")
    form = {"name": "nora", "code": codes[3].upper().replace("-", " "), "password": "another horse"}
    assert other.post("/recover", data=form).status_code == 303
    assert known_as(other) == "Nora"
    assert known_as(http) is None
    assert http.post("/recover", data=form).status_code == 403
    assert login(http, "Nora").status_code == 403
    assert login(http, "Nora", "another horse").status_code == 303


@pytest.mark.parametrize("code", ["", "aaaa-aaaa-aaaa-aaaa", "' OR 1=1 --", "x" * 999])
def test_no_other_code_sets_a_password(http: httpx.Client, other: httpx.Client, code: str) -> None:
    http.post("/register", data={"name": "Olga", "password": PASSWORD})
    assert other.post("/recover", data={"name": "Olga", "code": code, "password": "another horse"}).status_code == 403
    assert login(other, "Olga").status_code == 303


def test_a_code_is_not_lost_by_a_password_that_is_refused(http: httpx.Client, other: httpx.Client) -> None:
    codes = register(http, "Paula")
    form = {"name": "Paula", "code": codes[0]}
    assert other.post("/recover", data={**form, "password": "short"}).status_code == 422
    assert other.post("/recover", data={**form, "password": "long enough"}).status_code == 303


def test_without_a_mail_server_there_is_no_mail(http: httpx.Client) -> None:
    page = http.get("/recover").text
    assert "By mail" not in page
    assert "ask whoever runs it: they can set a new password" in page
    assert http.post("/recover/mail", data={"name": "Anna"}).status_code == 404
    page = http.get("/register").text
    assert "This server sends no mail" in page
    assert "For a lost password" not in page


def test_registering_sends_no_more_letters_to_an_address_than_anything_else(tmp_path: Path) -> None:
    with serving(tmp_path, mail="smtp://127.0.0.1:9?from=club@example.org", address="https://example.org") as running:
        running.services.allowance.letters._burst = 3.0
        promised = 0
        for number in range(5):
            with httpx.Client(base_url=running.address) as http:
                fields = {"name": f"Anna {'abcdefg'[number]}", "password": PASSWORD, "email": "ben@example.org"}
                promised += "A mail is on its way" in http.post("/register", data=fields).text
    assert promised == 3


def test_registering_promises_mail_where_it_is_sent(tmp_path: Path) -> None:
    with serving(tmp_path, mail="smtp://127.0.0.1:9?from=club@example.org", address="https://example.org") as running:
        page = httpx.get(f"{running.address}/register").text
    assert "For a lost password, and to be told that it is your turn." in page
    assert "sends no mail" not in page


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/login", "/logout", "/register", "/recover", "/account/password", "/account/delete"])
def test_no_form_from_another_site_is_read(http: httpx.Client, path: str, headers: dict[str, str]) -> None:
    assert http.post(path, data={"name": "Quinn", "password": PASSWORD}, headers=headers).status_code == 403
    assert SESSION_COOKIE not in http.cookies


def test_logging_in_leads_back_to_where_one_was_and_to_no_other_site(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Rosa")
    form = {"name": "Rosa", "password": PASSWORD}
    assert other.post("/login", data={**form, "back": "/lobby"}).headers["location"] == "/lobby"
    for back in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "/a\r\nSet-Cookie: a=b"):
        assert other.post("/login", data={**form, "back": back}).headers["location"] == "/"


def test_registering_leads_back_to_where_one_was_and_to_no_other_site(
    http: httpx.Client, other: httpx.Client, served: Served
) -> None:
    assert 'href="/register?back=/clubs/invitation/abc"' in http.get("/login?back=/clubs/invitation/abc").text
    form = http.get("/register?back=/clubs/invitation/abc").text
    assert 'name="back" value="/clubs/invitation/abc"' in form
    assert 'href="/login?back=/clubs/invitation/abc"' in form
    refused = http.post("/register", data={"name": "Ruth", "password": "x", "back": "/clubs/invitation/abc"})
    assert 'name="back" value="/clubs/invitation/abc"' in refused.text
    data = {"password": PASSWORD, "back": "/clubs/invitation/abc"}
    page = http.post("/register", data={**data, "name": "Ruth"}).text
    assert '<a class="button primary" href="/clubs/invitation/abc">Go on</a>' in page
    assert http.get("/register?back=/lobby").headers["location"] == "/lobby", "whoever is logged in has an account"
    page = other.post("/register", data={**data, "name": "Rahel", "back": "//elsewhere.example"}).text
    assert "elsewhere.example" not in page
    assert "To the lobby" in page


def test_names_that_are_refused_use_up_no_registration_and_a_club_evening_has_enough(tmp_path: Path) -> None:
    credits = Allowance().registrations
    assert [credits.spend("the club's Wi-Fi") for _ in range(31)] == [True] * 30 + [False]
    with serving(tmp_path) as served, httpx.Client(base_url=served.address) as http:
        served.services.allowance.registrations._burst = 1.0
        for name in ("x", "<b>", "x' OR '1'='1"):
            assert http.post("/register", data={"name": name, "password": PASSWORD}).status_code == 422
        register(http, "Selma")
        http.post("/logout")
        assert http.post("/register", data={"name": "SELMA", "password": PASSWORD}).status_code == 422
        assert http.post("/register", data={"name": "Thea", "password": PASSWORD}).status_code == 429


def test_a_guest_cannot_take_the_name_of_an_account(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Sophie")
    for name in ("S0PHIE", "Barpoint Expert", "Administrator"):
        other.post("/name", data={"name": name})
        assert not re.search(f'value="{name}"', other.get("/").text)
        program = other.post("/api/guest", json={"name": name}).json()
        assert program["person"]["name"].startswith("Guest ")
    http.post("/name", data={"name": "Other Name"})
    assert known_as(http) == "Sophie", "and an account keeps its own"


def test_a_refusal_is_a_whole_sentence(http: httpx.Client) -> None:
    answer = http.post("/register", data={"name": "Ida", "password": "password1"})
    assert ">This password is one of the first that anybody tries; choose another one.<" in answer.text
