"""The API for bots: access tokens, challenges, streams of lines, and whole matches by a program that knows no rules."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from barpoint.server.api import openapi
from barpoint.server.storage import accounts as account_storage
from tests.support.machine import PATIENCE_S
from tests.support.programs import Bot, Member, client_of, lines
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served, serve

ROOT = Path(__file__).parents[3]


SERVED = {"dice": ScriptedDice()}


# ---------------------------------------------------------------- documents


@pytest.mark.parametrize("name", ["websocket.json", "chouette.json", "openapi.json"])
def test_the_documents_say_what_the_server_speaks(name: str) -> None:
    """When messages change, run: barpoint schema docs/protocol."""
    assert (ROOT / "docs" / "protocol" / name).read_text(encoding="utf-8") == openapi.files()[name]


def test_the_server_hands_out_its_description(served: Served) -> None:
    assert httpx.get(f"{served.address}/api/openapi.json").json() == openapi.document()


@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/match/nothing/dice.json"])
def test_an_address_for_programs_that_leads_nowhere_is_refused_in_json(served: Served, path: str) -> None:
    answer = httpx.get(served.address + path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown")
    assert answer.json()["error"]["message"] == f"GET {path} leads nowhere; see /api/openapi.json"


# ---------------------------------------------------------------- the example


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon"])
def test_the_example_plays_a_whole_match(served: Served, name: str) -> None:
    command = [sys.executable, str(ROOT / "examples" / "bot.py"), served.address, name, "1"]
    environment = {key: value for key, value in os.environ.items() if key != "BARPOINT_TOKEN"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{name}: ")


def test_the_example_is_short() -> None:
    assert len((ROOT / "examples" / "bot.py").read_text().splitlines()) <= 61


# ---------------------------------------------------------------- tokens


def test_nothing_is_done_without_a_token(served: Served) -> None:
    for headers in ({}, {"Authorization": "Bearer bp_wrong"}, {"Authorization": "Basic bp_wrong"}):
        answer = httpx.get(f"{served.address}/api/account", headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "token")


def test_a_token_allows_what_its_scopes_say(served: Served) -> None:
    browser = client_of(served)
    page = browser.post("/access-tokens", data={"name": "reader", "scope": "play"})
    secret = page.text.partition('value="bp_')[2].partition('"')[0]
    allowed = {"Authorization": f"Bearer bp_{secret}"}
    assert browser.get("/api/account", headers=allowed).status_code == 200
    refused = browser.post("/api/challenge/bot", json={}, headers=allowed)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "scope")
    token_id = browser.get("/access-tokens").text.partition('name="token" value="')[2].partition('"')[0]
    browser.post("/access-tokens/withdraw", data={"token": token_id})
    assert browser.get("/api/account", headers=allowed).status_code == 401


# ---------------------------------------------------------------- challenges


def test_two_bots_find_each_other_and_play(served: Served) -> None:
    anna, ben = Bot(served, "Anna"), Bot(served, "Ben")
    with ben.client.stream("GET", "/api/stream/event") as news:
        told = lines(news)
        made = anna.post(f"/api/challenge/person/{ben.id}", variant="hypergammon", length=1)
        assert made.status_code == 201, made.text
        came = next(told)
        assert (came["type"], came["challenge"]["id"]) == ("challenge", made.json()["id"])
        assert anna.get("/api/challenge")["outgoing"] == [came["challenge"]]
        match_id = came["challenge"]["id"]
        assert anna.post(f"/api/challenge/{match_id}/accept").status_code == 404  # it is not hers to accept
        assert ben.post(f"/api/challenge/{match_id}/accept").status_code == 200
        kinds = {event["type"]: event for event in (next(told), next(told))}
        assert set(kinds) == {"challengeGone", "matchStart"}
        assert kinds["matchStart"]["seat"] == 1
        state = anna.get(f"/api/bot/match/{match_id}")
        loser = (anna, ben)[0 if state["view"]["to_act"] == "near" else 1]
        assert loser.post(f"/api/bot/match/{match_id}/resign", level=3).status_code == 200
        other = ben if loser is anna else anna
        assert other.post(f"/api/bot/match/{match_id}/accept").status_code == 200
        finished = next(told)
        assert (finished["type"], finished["winner"]) == ("matchFinish", 0 if loser is ben else 1)


@pytest.mark.parametrize(("who", "answer"), [(1, "decline"), (0, "withdraw")])
def test_a_challenge_that_is_not_taken_is_gone(served: Served, who: int, answer: str) -> None:
    anna, ben = Bot(served, "Anna"), Bot(served, "Ben")
    made = anna.post(f"/api/challenge/person/{ben.id}").json()["id"]
    assert (anna, ben)[who].post(f"/api/challenge/{made}/{answer}").status_code == 200
    assert ben.get("/api/challenge") == {"incoming": [], "outgoing": []}
    assert (anna, ben)[who].post(f"/api/challenge/{made}/{answer}").status_code == 404
    assert anna.get(f"/api/bot/match/{made}")["over"]


def test_a_banned_account_is_challenged_like_a_name_that_nobody_has(served: Served) -> None:
    anna, ben = Bot(served, "Anna"), Member(served, "Rude")
    served.call(served.services.store.write(account_storage.ban, ben.id, 1, "rude"))
    nobody = anna.post("/api/challenge/person/Somebody")
    for name in ("Rude", ben.id):
        banned = anna.post(f"/api/challenge/person/{name}")
        assert (banned.status_code, banned.json()["error"]["code"]) == (404, "unknown")
        assert banned.text == nobody.text.replace("Somebody", name)


# ---------------------------------------------------------------- matches


def test_a_play_may_be_written_as_players_do(served: Served) -> None:
    anna, ben = Bot(served, "Anna"), Bot(served, "Ben")
    made = anna.post(f"/api/challenge/person/{ben.id}").json()["id"]
    ben.post(f"/api/challenge/{made}/accept")
    state = anna.get(f"/api/bot/match/{made}")
    seat, seq = 0 if state["view"]["to_act"] == "near" else 1, state["seq"]
    mover, other = (anna, ben) if seat == 0 else (ben, anna)
    text = mover.get(f"/api/bot/match/{made}/plays")["plays"][0]["text"]
    assert other.post(f"/api/bot/match/{made}/play", play=text).status_code == 422
    wrong = mover.post(f"/api/bot/match/{made}/play", play="24/1")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "illegal")
    done = mover.post(f"/api/bot/match/{made}/play", play=text, id="mine", seq=seq)
    assert done.json() == {"seq": seq + 1}
    assert mover.post(f"/api/bot/match/{made}/play", play=text, id="mine", seq=seq).json() == {"seq": seq + 1}
    for kind, fields in (("roll", {}), ("play", {"play": text})):
        stale = other.post(f"/api/bot/match/{made}/{kind}", seq=seq, **fields)
        assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")


def test_a_stranger_watches_and_cannot_act(served: Served) -> None:
    anna, ben = Bot(served, "Anna"), Bot(served, "Ben")
    made = anna.post("/api/challenge/bot", length=1).json()["id"]
    assert ben.get(f"/api/bot/match/{made}")["seat"] is None
    refused = ben.post(f"/api/bot/match/{made}/roll")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "seat")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/challenge/bot", b'{"variant":"chess"}', 422),
        ("/api/challenge/bot", b'{"length":16}', 400),
        ("/api/challenge/bot", b'{"level":"god"}', 400),
        ("/api/challenge/bot", b'{"time_control":"Now"}', 400),
        ("/api/challenge/bot", b'{"variant":"plakoto"}', 422),
        ("/api/challenge/bot", b"[", 400),
        ("/api/challenge/bot", b'"\xff"', 400),
        ("/api/challenge/person/nobody", b"{}", 404),
        ("/api/challenge/none/accept", b"", 404),
        ("/api/challenge/none/steal", b"", 404),
        ("/api/bot/match/none/roll", b"", 404),
        ("/api/bot/match/none/void", b"", 404),
        ("/api/nothing", b"", 404),
    ],
)
def test_what_cannot_be_done_is_said_as_json(served: Served, path: str, body: bytes, status: int) -> None:
    answer = Bot(served, "Anna").client.post(path, content=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]


def test_a_body_that_is_too_large_or_from_another_site_is_refused_as_json(served: Served) -> None:
    bot = Bot(served, "Anna")

    def endless() -> Iterator[bytes]:
        yield b"{}"

    for body, status, found in (
        (b"x" * 20_000, 413, "a body of 20000 bytes; at most 16384 bytes are read"),
        (endless(), 411, "a body in chunks; one with its Content-Length is read"),
    ):
        answer = bot.client.post("/api/challenge/bot", content=body)
        assert answer.status_code == status
        assert answer.json() == {"error": {"code": "format", "message": found}}
    elsewhere = {"Origin": "http://elsewhere.example"}
    answer = httpx.post(f"{served.address}/api/challenge/bot", content=b"{}", headers=elsewhere)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "refused")


def test_somebody_who_asks_without_pause_has_to_wait(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, calls = Bot(served, "Anna"), served.services.allowance.calls
    stands_still = calls._clock()
    monkeypatch.setattr(calls, "_clock", lambda: stands_still)
    while calls.spend(bot.id):
        pass
    answer = bot.client.get("/api/account")
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "rate")
    assert answer.headers["Retry-After"] == "1"


def test_a_post_may_come_without_any_body(served: Served) -> None:
    address, port = served.address.removeprefix("http://").split(":")
    with socket.create_connection((address, int(port)), PATIENCE_S) as connection:
        connection.sendall(b"POST /api/guest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 201 ")


def test_a_method_that_is_not_offered_is_answered_with_those_that_are(served: Served) -> None:
    answer = httpx.get(f"{served.address}/api/guest", timeout=PATIENCE_S)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "GET /api/guest is not offered; allowed: POST" in answer.json()["error"]["message"]


def test_a_token_that_is_wrong_is_not_called_missing(served: Served) -> None:
    answer = httpx.get(f"{served.address}/api/account", headers={"Authorization": "Bearer bp_no"}, timeout=PATIENCE_S)
    assert (answer.status_code, answer.json()["error"]["message"].partition(";")[0]) == (
        401,
        "this token is unknown or was withdrawn",
    )


def test_a_name_that_is_too_long_is_refused_and_not_cut(served: Served) -> None:
    answer = httpx.post(f"{served.address}/api/guest", json={"name": "x" * 25}, timeout=PATIENCE_S)
    assert answer.status_code == 400
    assert "length <= 24" in answer.json()["error"]["message"]


# ---------------------------------------------------------------- limits


def test_a_stream_hears_nothing_once_its_token_is_withdrawn(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.server.api.streams.BEAT_S", 0.5)
    browser = client_of(served)
    page = browser.post("/access-tokens", data={"name": "one", "scope": ["play", "challenge"]})
    secret = page.text.partition('value="bp_')[2].partition('"')[0]
    allowed = {"Authorization": f"Bearer bp_{secret}"}
    me = browser.get("/api/account", headers=allowed).json()["id"]
    anna = Bot(served, "Anna")
    with client_of(served).stream("GET", "/api/stream/event", headers=allowed) as news:
        told = lines(news)
        anna.post(f"/api/challenge/person/{me}")
        assert next(told)["type"] == "challenge"
        token_id = browser.get("/access-tokens").text.partition('name="token" value="')[2].partition('"')[0]
        browser.post("/access-tokens/withdraw", data={"token": token_id})
        anna.post(f"/api/challenge/person/{me}")
        assert list(told) == []


def test_one_limit_holds_for_every_way_to_create_matches(tmp_path: Path) -> None:
    alone = serve(tmp_path, dice=ScriptedDice())
    try:
        credits = alone.services.allowance.creations
        stands_still = credits._clock()
        credits._clock = lambda: stands_still
        browser = client_of(alone)
        bots = [Bot(alone, f"Bot {number}") for number in range(4)]
        made = 4
        while True:
            bot = bots[made % 4]
            way = ("bot", "open", f"person/{bots[(made + 1) % 4].id}")[made % 3]
            answer = bot.post(f"/api/challenge/{way}", length=1)
            if answer.status_code == 429:
                break
            assert answer.status_code in (201, 409), answer.text  # 409: this bot has not answered the one before
            made += 1
        assert made == 40
        assert all(bot.post("/api/challenge/open").status_code == 429 for bot in bots)
        assert browser.post("/api/guest", json={}).status_code == 429
        assert browser.post("/match", data={"length": "1"}).status_code == 429
    finally:
        alone.stop()
