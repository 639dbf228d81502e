"""What the server takes from pages of other sites: the API with a token, and nothing by cookie."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.accounts import register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served

ELSEWHERE = {"Origin": "https://tools.example", "Sec-Fetch-Site": "cross-site"}
STUDY = {"title": "Opening 31", "board": {"roll": "31"}}


@pytest.fixture
def visitor(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        yield client


def test_a_page_of_another_site_may_ask_before_it_sends_a_token(visitor: httpx.Client) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    answer = visitor.options("/api/study", headers={**ELSEWHERE, **asked})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "authorization" in answer.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-credentials" not in answer.headers, "cookies are of no use there"


def test_a_page_of_another_site_acts_with_a_token(visitor: httpx.Client) -> None:
    token = visitor.post("/api/guest", json={"name": "Toolbox"}).json()["token"]
    visitor.cookies.clear()
    bearer = {"Authorization": f"Bearer {token}"}
    answer = visitor.get("/api/account", headers={**ELSEWHERE, **bearer})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")
    answer = visitor.post("/api/challenge/bot", json={}, headers={**ELSEWHERE, **bearer})
    assert answer.is_success, answer.text


def test_a_page_of_another_site_does_nothing_by_the_cookie_of_who_looks_at_it(visitor: httpx.Client) -> None:
    register(visitor, "Berta")
    answer = visitor.post("/api/study", json=STUDY, headers=ELSEWHERE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "refused")
    unknown = {**ELSEWHERE, "Authorization": "Bearer bp_unknown"}
    assert visitor.post("/api/study", json=STUDY, headers=unknown).status_code == 401, (
        "a wrong token is none, cookie or not"
    )
    assert visitor.post("/api/study", json=STUDY).status_code == 201, "what a page of this site may"


def test_what_is_open_to_everybody_takes_no_wrong_token_and_nothing_from_elsewhere_without_one(
    visitor: httpx.Client,
) -> None:
    text = {"text": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"}
    for scheme, status in (("Bearer bp_unknown", 401), ("Basic dXNlcjpwYXNz", 403)):
        answer = visitor.post("/api/analysis/read", json=text, headers={**ELSEWHERE, "Authorization": scheme})
        assert (answer.status_code, scheme) == (status, scheme)
    answer = visitor.post("/api/analysis/read", json=text, headers={"Authorization": "Basic dXNlcjpwYXNz"})
    assert answer.status_code == 200, "the password of a proxy is no token"


def test_pages_for_people_are_not_for_scripts_of_other_sites(visitor: httpx.Client) -> None:
    answer = visitor.get("/", headers=ELSEWHERE)
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    bearer = {**ELSEWHERE, "Authorization": "Bearer bp_unknown"}
    assert visitor.post("/login", data={"name": "x", "password": "y"}, headers=bearer).status_code == 403
