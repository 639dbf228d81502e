"""What the pages of errors say, and where they lead."""

from __future__ import annotations

import httpx
import pytest

from barpoint.server.web.errors import MISSING
from tests.support.accounts import register

NAVIGATES = {"Sec-Fetch-Mode": "navigate"}


@pytest.mark.parametrize("start", MISSING)
def test_an_address_at_which_something_is_missing_says_what(http: httpx.Client, start: str) -> None:
    answer = http.get(f"{start}abcdefghijkl")
    assert answer.status_code == 404
    assert MISSING[start] in answer.text


@pytest.mark.parametrize("path", ["/nowhere", "/rules/chess", "/join/a/b", "/match/a/b/c"])
def test_an_address_that_nothing_can_be_missing_at_is_called_unknown(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert "No page of this server has this address." in answer.text


def test_an_old_link_for_a_new_password_leads_to_the_page_that_sends_another(http: httpx.Client) -> None:
    page = http.get("/recover/abcdef").text
    assert "This link has expired, or has been used already." in page
    assert '<a href="/recover" id="way">' in page


def test_whoever_has_been_logged_out_meanwhile_is_led_to_the_login_and_back(
    http: httpx.Client, other: httpx.Client
) -> None:
    page = http.post("/account/password", data={"password": "x", "new": "y"}).text
    assert "Perhaps you have been logged out" in page
    assert '<a href="/login?back=/account">' in page
    register(other, "Nora")
    match = http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
    answer = other.get(f"{match}/discard")
    assert answer.status_code == 403
    assert "Perhaps you have been logged out" not in answer.text


def test_a_form_that_is_too_long_is_refused_on_a_page_and_to_scripts_in_a_sentence(http: httpx.Client) -> None:
    long = {"name": "x" * 2_000_000}
    page = http.post("/name", data=long, headers=NAVIGATES)
    assert (page.status_code, page.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert "<p>This form is too long.</p>" in page.text
    assert http.post("/name", data=long).text == "This form is too long."


def test_a_form_of_another_site_is_refused_on_a_page(http: httpx.Client) -> None:
    answer = http.post("/name", data={"name": "x"}, headers={**NAVIGATES, "Origin": "https://other.example"})
    assert answer.status_code == 403
    assert "<p>This form was sent from another site.</p>" in answer.text
