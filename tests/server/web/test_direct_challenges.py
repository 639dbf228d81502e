"""Challenging one person by name: they hear of it on every page, accept or decline, and nobody is pestered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from barpoint.server.domain.matches import MatchHeader
from barpoint.server.live import direct_challenges
from barpoint.server.storage import accounts as account_storage
from tests.support.accounts import account_of, anna, ben, serving
from tests.support.serving import Served

__all__ = ["anna", "ben"]

FORM = {"variant": "backgammon", "length": "5", "time_control": "Fast", "cube": "1"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


def challenge(http: httpx.Client, name: str, **fields: str) -> httpx.Response:
    return http.post("/challenge", data={**FORM, "name": name, **fields})


def test_the_profile_of_another_leads_to_a_challenge_and_ones_own_does_not(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    assert 'href="/challenge?name=Ben"' in anna.get("/player/Ben").text
    assert 'href="/challenge?name=Ben"' not in ben.get("/player/Ben").text
    assert 'value="Ben"' in anna.get("/challenge?name=Ben").text


def test_a_challenge_is_told_on_every_page_until_it_is_accepted(anna: httpx.Client, ben: httpx.Client) -> None:
    made = challenge(anna, "ben", rated="1")
    assert made.status_code == 303
    path = made.headers["location"]
    for page in ("/rules", "/", "/tournaments"):
        assert "Challenged by Anna" in ben.get(page).text
        assert "Challenged by" not in anna.get(page).text
    lobby = ben.get("/lobby").text
    assert "5 points, cube, Crawford rule, Fast" in lobby
    assert "rated" in lobby
    accepted = ben.post(f"/lobby/invitation/{path.rpartition('/')[2]}/accept", data={"x": "1"})
    assert accepted.headers["location"] == path
    assert "Challenged by" not in ben.get("/rules").text
    assert path in ben.get("/matches").text


def test_a_declined_challenge_ends_the_match_and_another_may_be_made(anna: httpx.Client, ben: httpx.Client) -> None:
    path = challenge(anna, "Ben").headers["location"]
    again = challenge(anna, "Ben")
    assert again.status_code == 422
    assert "has not answered" in again.text
    ben.post(f"/lobby/invitation/{path.rpartition('/')[2]}/decline", data={"x": "1"})
    assert "Challenged by" not in ben.get("/rules").text
    assert challenge(anna, "Ben").status_code == 303


def test_the_challenger_reads_whom_they_wait_for_and_whether_it_was_declined(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = challenge(anna, "Ben").headers["location"]
    page = anna.get(path).text
    assert (
        "Ben sees it on every page open here, and on the next one they open. The match begins when they accept." in page
    )
    assert "/join/" not in page
    assert "Invite a friend" not in page
    ben.post(f"/lobby/invitation/{path.rpartition('/')[2]}/decline", data={"x": "1"})
    result = served.call(served.services.matches.live_match(path.rpartition("/")[2])).view(0).result
    assert result is not None
    assert result.how == "Ben has declined"
    assert 'id="invite"' not in anna.get(path).text


def test_a_challenge_that_is_withdrawn_was_not_declined(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    path = challenge(anna, "Ben").headers["location"]
    assert anna.post(f"{path}/withdraw", data={"x": "1"}).headers["location"] == "/"
    result = served.call(served.services.matches.live_match(path.rpartition("/")[2])).view(0).result
    assert result is not None
    assert "declined" not in result.how
    assert "Challenged by" not in ben.get("/rules").text


def test_nobody_but_the_person_challenged_takes_the_seat(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    path = challenge(anna, "Ben").headers["location"]

    def header() -> MatchHeader:
        return served.call(served.services.matches.live_match(path.rpartition("/")[2])).header

    link = f"/join/{header().seats[1].invitation}"
    with httpx.Client(base_url=served.address) as stranger:
        assert stranger.post(link, data={"x": "1"}).headers["location"] == path, "they may watch"
    assert not header().complete
    ben.post(link, data={"x": "1"})
    assert header().seats[1].name == "Ben"
    assert header().complete


def test_who_cannot_pay_the_entry_fee_has_not_answered(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    match_id = challenge(anna, "Ben", fee="5000").headers["location"].rpartition("/")[2]
    refused = ben.post(f"/lobby/invitation/{match_id}/accept", data={"x": "1"})
    assert refused.status_code == 409
    assert "An entry fee of 5000 tickets; you have 1000" in refused.text
    assert "Challenged by Anna" in ben.get("/rules").text
    assert ben.post(f"/lobby/invitation/{match_id}/decline", data={"x": "1"}).status_code == 303
    assert served.call(served.services.matches.live_match(match_id)).match.over


def test_programs_challenge_a_person_once_too_and_nobody_has_endless_challenges_to_answer(
    served: Served, ben: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct_challenges, "MAX_WAITING", 2)
    for count, status in enumerate((201, 201, 409)):
        program = httpx.post(f"{served.address}/api/guest", json={"name": f"Program {count}"}).json()
        headers = {"Authorization": f"Bearer {program['token']}"}
        for expected in (status, 409):
            made = httpx.post(f"{served.address}/api/challenge/person/Ben", json={}, headers=headers)
            assert made.status_code == expected, made.text
    assert "Ben has 2 challenges to answer" in made.text
    assert ben.get("/lobby").text.count("/lobby/invitation/") == 2 * ben.get("/lobby").text.count("/accept")


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("Nobody", {}, "Nobody is called"),
        ("Anna", {}, "your own name"),
        ("<b>x", {}, "Nobody is called"),
        ("Ben", {"length": "99"}, "Length"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    anna: httpx.Client, ben: httpx.Client, name: str, fields: dict[str, str], said: str
) -> None:
    answer = challenge(anna, name, **fields)
    assert answer.status_code == 422
    assert said in answer.text
    assert "<b>x" not in answer.text
    assert "Challenged by" not in ben.get("/rules").text


def test_a_closed_account_is_challenged_like_a_name_that_nobody_has(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    nobody = challenge(anna, "Carl")
    account, store = account_of(served, ben), served.services.store
    served.call(store.write(account_storage.ban, account.id, 1, "rude"))
    closed = challenge(anna, "Ben")
    assert (closed.status_code, closed.text) == (nobody.status_code, nobody.text.replace("Carl", "Ben"))
    assert "Nobody is called" in closed.text
    with httpx.Client(base_url=served.address) as guest:
        assert challenge(guest, "Ben").status_code == 422


def test_a_guest_may_challenge_but_not_to_a_rated_match(served: Served, ben: httpx.Client) -> None:
    with httpx.Client(base_url=served.address) as guest:
        assert challenge(guest, "Ben", rated="1").status_code == 422
        assert challenge(guest, "Ben").status_code == 303
    assert "Challenged by Guest" in ben.get("/rules").text


def test_a_challenge_is_rated_unless_the_last_one_was_not(anna: httpx.Client, ben: httpx.Client) -> None:
    for page in ("/lobby", "/challenge?name=Ben"):
        assert 'name="rated" value="1" checked' in anna.get(page).text
    challenge(anna, "Ben")
    for page in ("/lobby", "/challenge?name=Ben"):
        text = anna.get(page).text
        assert 'name="rated" value="1" checked' not in text
        assert '<option value="5" selected>' in text
        assert '<option value="Fast" selected>' in text
