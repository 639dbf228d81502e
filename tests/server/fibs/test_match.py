"""Whole matches by FIBS clients: against each other, a bot of the server, a person on the web, a program."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from barpoint.server.services import wall_clock
from tests.support import databases
from tests.support.accounts import hasten, serving
from tests.support.fibs_client import MATCH_OVER, Clip, at_a_match, clients, member
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served, serve

SERVED = {"fibs": "0"}


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Served]:
    """The inviting player starts every game with 3-1; the first rolls are 6-5."""
    with serving(tmp_path, fibs="0", dice=ScriptedDice([(3, 1)] * 9, [(6, 5)] * 9)) as running:
        yield running


def test_a_client_plays_a_whole_match_against_a_bot(served: Served) -> None:
    (zoe,) = clients(served, "Zoe")
    assert (
        zoe.told("invite Barpoint_Chance 1", r"\*\* You invited .*")
        == "** You invited Barpoint_Chance to a 1 point match."
    )
    zoe.hear(r"\*\* Player Barpoint_Chance has joined you for a 1 point match\.")
    zoe.hear(r"Starting a new game with Barpoint_Chance\.")
    zoe.play_on(MATCH_OVER)
    zoe.hear(r"5 Zoe - - 1 0 1500\.00 0 .*")
    text = "\n".join(zoe.log)
    assert "moves " in text
    assert "You roll " in text
    assert zoe.told("roll", r"\*\* .*") == "** You're not playing."


def test_two_clients_play_a_match_with_cube_pass_crawford_and_resignations(scripted: Served) -> None:
    anna, ben = at_a_match(scripted, "Anna", "Ben", 5)
    # The first game: Anna begins, Ben doubles, Anna takes, and resigns after one rejected try.
    anna.hear(r"You rolled 3, Ben rolled 1")
    anna.hear(r"It's your turn to move\.")
    ben.hear(r"Anna makes the first move\.")
    anna.told("double", r"\*\* You can only double before you roll the dice\.")
    assert ben.told("roll", r"\*\* .*") == "** It's not your turn to roll the dice."
    assert ben.told("move 1 2", r"\*\* .*") == "** It's not your turn to move."
    anna.send("m 8/5,6/5")
    assert ben.hear(r"Anna moves .*")[0] == "Anna moves 8-5 6-5 ."
    ben.hear(r"It's your turn\. Please roll or double")
    assert ben.told("move 1 2", r"\*\* .*") == "** You have to roll the dice before moving."
    assert ben.told("double", r"You double.*") == "You double. Please wait for Anna to accept or reject."
    assert anna.hear(r"Ben doubles.*")[0] == "Ben doubles. Type 'accept' or 'reject'."
    asked, waits = anna.board(), ben.board()
    assert (asked.doubled, waits.doubled, waits.may_double) == (True, False, (False, False))
    assert anna.told("accept", r"You accept.*") == "You accept the double. The cube shows 2."
    assert ben.hear(r"Anna accepts.*")[0] == "Anna accepts the double. The cube shows 2."
    ben.hear(r"You roll 6 and 5\.")
    ben.hear(r"Please move 2 pieces\.")
    assert ben.told("move 1-7", r"\*\* .*") == "** You must give 2 moves."
    assert ben.told("move 1-6 1-7", r"\*\* .*") == "** You can't move to 6 in your first move."
    assert ben.told("move 2-7 1-7", r"\*\* .*") == "** You can't move from 2 in your first move."
    assert ben.told("move a b", r"\*\* .*").startswith("** first move: legal words are 'bar', 'home'")
    assert ben.told("move 1 7 7 12 12 18", r"\*\* .*") == "** Please don't give more than 2 moves."
    ben.send("move 1 7 7 12")
    anna.hear(r"Ben rolls 6 and 5\.")
    assert anna.hear(r"Ben moves .*")[0] == "Ben moves 1-7 7-12 ."
    anna.hear(r"It's your turn\. Please roll or double")
    assert anna.told("resign x", r"\*\* .*").startswith("** Type 'n' (normal), 'g' (gammon) or 'b'")
    assert anna.told("resign n", r"You want.*") == "You want to resign. Ben will win 2 points."
    assert ben.hear(r"Anna wants.*")[0] == "Anna wants to resign. You will win 2 points. Type 'accept' or 'reject'."
    assert anna.told("roll", r"\*\* .*") == "** Ben hasn't accepted or rejected your resign yet."
    assert ben.told("reject", r"You reject.*") == "You reject. The game continues."
    assert anna.hear(r"Ben rejects.*")[0] == "Ben rejects. The game continues."
    assert anna.told("resign g", r"You want.*") == "You want to resign. Ben will win 4 points."
    ben.hear(r"Anna wants to resign\. You will win 4 points\. .*")
    assert ben.told("accept", r"You accept.*") == "You accept and win 4 points."
    assert anna.hear(r"Ben accepts.*")[0] == "Ben accepts and wins 4 points."
    assert anna.hear(r"score in.*")[0] == "score in 5 point match: Anna-0 Ben-4"
    assert ben.hear(r"score in.*")[0] == "score in 5 point match: Ben-4 Anna-0"
    # The Crawford game: nobody is asked whether they double.
    both_join(anna, ben)
    assert anna.board().crawford
    anna.send("move 8 5 6 5")
    ben.hear(r"You roll 6 and 5\.")
    ben.send("move 1 7 7 12")
    anna.hear(r"You roll 6 and 5\.")
    anna.send("move 24-18-18-13")
    ben.hear(r"Anna moves 24-18 18-13 \.")
    ben.hear(r"You roll 6 and 5\.")
    ben.send("resign n")
    anna.hear(r"Ben wants to resign\. You will win 1 point\. .*")
    anna.send("accept")
    anna.hear(r"score in 5 point match: Anna-1 Ben-4")
    ben.hear(r"score in 5 point match: Ben-4 Anna-1")
    # After it the cube is back; Ben passes.
    both_join(anna, ben)
    assert anna.board().after_crawford
    anna.send("move 8 5 6 5")
    ben.hear(r"It's your turn\. Please roll or double")
    ben.send("roll")
    ben.hear(r"Please move 2 pieces\.")
    ben.send("move 1 7 7 12")
    anna.hear(r"It's your turn\. Please roll or double")
    anna.send("double")
    ben.hear(r"Anna doubles\. Type 'accept' or 'reject'\.")
    assert ben.told("reject", r"You give.*") == "You give up. Anna wins 1 point."
    assert anna.hear(r"Ben gives.*")[0] == "Ben gives up. You win 1 point."
    # The last game, with the ratings explained at its end.
    both_join(anna, ben)
    ben.told("toggle ratings", r"\*\* You'll see how the rating changes are calculated\.")
    ben.told("toggle moves", r"\*\* You want a list of moves after this game\.")
    anna.send("resign n")
    ben.hear(r"Anna wants to resign\. .*")
    ben.send("accept")
    assert anna.hear(MATCH_OVER)[0] == "Ben wins the 5 point match 5-2 ."
    ben.hear(r"You accept and win 1 point\.")
    assert ben.line() == "Score is 5-2 in a 5 point match."
    ben.hear(r"O: wants to resign")
    ben.hear(r"X: wins")
    ben.hear(r"rating calculation:")
    ben.hear(r"Experience: Ben 5 - Anna 5")
    assert float(ben.hear(r"change for Ben: 4\*K\*sqrt\(N\)\*P=(.*)")[1]) > 0
    assert ben.hear(MATCH_OVER)[0] == "You win the 5 point match 5-2 ."
    table = ben.told("ratings", r" *1 Ben .*").split()
    assert float(table[2]) > 1500
    assert table[3] == "5"


def both_join(anna: Clip, ben: Clip) -> None:
    for one in (anna, ben):
        one.hear(r"Type 'join' if you want to play the next game, type 'leave' if you don't\.")
    assert anna.told("join", r"\*\* .*") == "** Please wait for Ben to join too."
    ben.send("join")
    for one in (anna, ben):
        one.hear(r"Starting a new game with \w+\.")
        one.hear(r"board:You:.*")


def test_two_clients_play_on_to_the_end_by_bearing_off(served: Served) -> None:
    carl, dora = at_a_match(served, "Carl", "Dora", 1)
    other = threading.Thread(target=carl.play_on, args=(MATCH_OVER,), daemon=True)
    other.start()
    last = dora.play_on(MATCH_OVER)
    other.join(PATIENCE_S)
    assert carl.log[-1].rstrip() in (last.replace("Carl wins", "You win"), last.replace("You win", "Dora wins"))
    score = last.split()[-2]
    assert score.startswith(("1-0", "2-0", "3-0"))


def test_a_client_and_a_program_play_a_whole_match(served: Served) -> None:
    (emma,) = clients(served, "Emma")
    http = served.guests.enter_context(httpx.Client(base_url=served.address, timeout=PATIENCE_S))
    made = http.post("/api/guest", json={"name": "Robot 2"}).json()
    http.headers["Authorization"] = f"Bearer {made['token']}"
    match_id = http.post("/api/challenge/person/Emma", json={"length": 1}).json()["id"]
    name = emma.hear(r"(Robot_\w+) wants to play a 1 point match with you\.")[1]
    emma.send(f"join {name}")
    emma.hear(rf"\*\* You are now playing a 1 point match with {name}")

    def program() -> None:
        with http.stream("GET", f"/api/bot/match/stream/{match_id}") as lines:
            for line in lines.iter_lines():
                state = json.loads(line) if line.strip() else None
                if state and state["over"]:
                    return
                kinds = {item["kind"] for item in state["view"]["allowed"]} if state else set()
                kind = next((one for one in ("play", "accept", "roll") if one in kinds), None)
                if kind == "play":
                    plays = http.get(f"/api/bot/match/{match_id}/plays").json()["plays"]
                    moves = plays[0]["moves"] if plays else []
                    http.post(f"/api/bot/match/{match_id}/play", json={"moves": moves, "seq": state["seq"]})
                elif kind:
                    http.post(f"/api/bot/match/{match_id}/{kind}", json={"seq": state["seq"]})

    other = threading.Thread(target=program, daemon=True)
    other.start()
    emma.play_on(MATCH_OVER)
    other.join(PATIENCE_S)
    assert not other.is_alive()


def test_a_client_takes_a_challenge_of_the_lobby_and_plays_who_sits_at_the_page(scripted: Served) -> None:
    (finn,) = clients(scripted, "Finn")
    page = member(scripted, "Gina")
    assert page.post("/match", data={"opponent": "lobby", "length": "1", "cube": "1"}).status_code == 303
    with lobby_open(scripted, page):
        finn.hear(r"Gina wants to play a 1 point match with you\.")
        finn.hear(r"Type 'join Gina' to accept\.")
        finn.send("join Gina")
        finn.hear(r"\*\* You are now playing a 1 point match with Gina")
    match_id = page.get("/matches").text.partition('href="/match/')[2].partition('"')[0]
    cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
    with connect(
        f"ws://127.0.0.1:{scripted.port}/ws/match/{match_id}",
        additional_headers={"Cookie": cookie},
        open_timeout=PATIENCE_S,
    ) as socket:
        socket.send(json.dumps({"do": "join", "protocol": 2, "seq": None}))
        finn.hear(r"Starting a new game with Gina\.")
        finn.told("kibitz Good luck", r"19 Good luck")
        heard = iter(lambda: json.loads(socket.recv(PATIENCE_S)), None)
        words = next(message for message in heard if message["say"] == "chat" and message["lines"])
        assert [line["text"] for line in words["lines"]] == ["Good luck"]
        socket.send(json.dumps({"do": "say", "text": "You too"}))
        assert finn.hear(r"15 .*")[0] == "15 Gina You too"
        board = finn.board()
        if board.yours:
            finn.send(finn.move_typed(board))
            state = next(m for m in iter(lambda: json.loads(socket.recv(PATIENCE_S)), None) if m.get("seq", 0) >= 2)
            socket.send(
                json.dumps({"do": "act", "id": "a", "seq": state["seq"], "event": {"kind": "resign", "level": 1}})
            )
        else:
            socket.send(json.dumps({"do": "act", "id": "a", "seq": 1, "event": {"kind": "resign", "level": 1}}))
        finn.hear(r"Gina wants to resign\. You will win 1 point\. Type 'accept' or 'reject'\.")
        finn.send("accept")
        finn.hear(r"You win the 1 point match 1-0 \.")
    finn.send("ratings Finn")
    finn.send("version")
    finn.hear(r" rank name            rating    Experience")
    following = next(
        line for line in iter(finn.line, None) if not line.startswith(("5 ", "6"))
    )  # who is there may come between
    assert following.startswith("** Version"), "the challenge was casual, so that nobody is rated"


def lobby_open(served: Served, page: httpx.Client) -> ClientConnection:
    """The lobby page, open in a browser."""
    cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
    return connect(
        f"ws://127.0.0.1:{served.port}/ws/lobby", additional_headers={"Cookie": cookie}, open_timeout=PATIENCE_S
    )


def test_a_client_invites_who_is_at_the_page_of_the_lobby(scripted: Served) -> None:
    (hana,) = clients(scripted, "Hana")
    page = member(scripted, "Ivo")
    with lobby_open(scripted, page) as lobby:
        assert hana.hear(r"5 Ivo .*")[0].split(" ")[:6] == ["5", "Ivo", "-", "-", "1", "0"]
        assert hana.told("invite Ivo 3", r"\*\* .*") == "** You invited Ivo to a 3 point match."
        html = next(
            part for part in iter(lambda: json.loads(lobby.recv(PATIENCE_S))["html"], None) if "You are invited" in part
        )
    match_id = html.partition('action="/lobby/invitation/')[2].partition("/")[0]
    assert page.post(f"/lobby/invitation/{match_id}/decline", data={"x": ""}).headers["location"] == "/lobby"
    hana.hear(r"\*\* Ivo does not accept your invitation\.")
    with lobby_open(scripted, page) as lobby:
        hana.send("invite Ivo 3")
        html = next(
            part for part in iter(lambda: json.loads(lobby.recv(PATIENCE_S))["html"], None) if "You are invited" in part
        )
    match_id = html.partition('action="/lobby/invitation/')[2].partition("/")[0]
    stranger = member(scripted, "Jutta")
    assert stranger.post(f"/lobby/invitation/{match_id}/accept", data={"x": ""}).status_code == 409
    assert page.post(f"/lobby/invitation/{match_id}/accept", data={"x": ""}).headers["location"] == f"/match/{match_id}"
    hana.hear(r"\*\* Player Ivo has joined you for a 3 point match\.")
    hana.hear(r"It's your turn to move\.")
    assert page.post(f"/lobby/invitation/{match_id}/accept", data={"x": ""}).status_code == 409


def at_board(served: Served, page: httpx.Client, match_id: str) -> ClientConnection:
    """The page of a match, open in a browser; it still has to join."""
    cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
    where = f"ws://127.0.0.1:{served.port}/ws/match/{match_id}"
    return connect(where, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE_S)


def test_a_client_claims_a_match_from_somebody_who_has_left_its_page(tmp_path: Path) -> None:
    """The opponent claims after a countdown, whatever client they use."""
    late = 0

    def clock() -> int:
        return wall_clock() + late

    served = hasten(serve(tmp_path, fibs="0", dice=ScriptedDice([(3, 1)] * 9, [(6, 5)] * 9), clock=clock))
    try:
        (hana,) = clients(served, "Hana")
        page = member(served, "Ivo")
        assert hana.told("claim", r"\*\* .*") == "** usage: claim <name>"
        assert hana.told("claim Ivo", r"\*\* .*") == "** There is no saved match with Ivo."
        with lobby_open(served, page) as lobby:
            hana.hear(r"5 Ivo .*")  # they are on line
            hana.told("invite Ivo 3", r"\*\* You invited .*")
            html = next(
                part for part in iter(lambda: json.loads(lobby.recv(PATIENCE_S))["html"], None) if "invited" in part
            )
        match_id = html.partition('action="/lobby/invitation/')[2].partition("/")[0]
        page.post(f"/lobby/invitation/{match_id}/accept", data={"x": ""})
        hana.hear(r"It's your turn to move\.")
        assert hana.told("claim", r"\*\* .*") == "** You can claim a match while Ivo is away and has to act."
        hana.send(hana.move_typed(hana.board()))
        hana.hear(r"Hana moves .*|board:You:.*")
        claimed = "** You claim the match. You win it unless Ivo comes back within 3 minutes."
        assert hana.told("claim", r"\*\* .*") == claimed
        assert hana.told("claim Ivo", r"\*\* .*") == "** You have claimed it already. Ivo may still come back."
        with at_board(served, page, match_id) as board:
            board.send(json.dumps({"do": "join", "protocol": 2, "seq": None}))
            hana.hear(r"\*\* Ivo is back\. You don't claim the match any more\.")
        while hana.told("claim", r"\*\* .*") != claimed:  # until the server notices that they have gone
            continue
        late = 3 * 60_000 + 1000
        hana.hear(r".*Ivo .*left.*")
        hana.hear(r"You win the 3 point match 0-0 \.")
    finally:
        served.stop()


def test_instant_redoubles_are_for_unlimited_matches_of_who_has_set_them(scripted: Served) -> None:
    kurt, lena = clients(scripted, "Kurt", "Lena")
    kurt.told("set redoubles 2", r"Value of 'redoubles' set to 2\.")
    kurt.send("invite Lena unlimited")
    lena.hear(r"Type 'join Kurt' to accept\.")
    lena.send("join Kurt")
    kurt.hear(r"It's your turn to move\.")
    lena.hear(r"Kurt makes the first move\.")
    assert lena.told("redouble", r"\*\* .*") == "** You are not allowed to redouble."
    kurt.send("move 8 5 6 5")
    lena.hear(r"It's your turn\. Please roll or double")
    asked = "You double. Please wait for Kurt to accept, reject or redouble."
    assert lena.told("double", r"You double.*") == asked
    kurt.hear(r"Lena doubles\. Type 'accept', 'reject' or 'redouble'\.")
    kurt.told("beaver", r"You accept the double to 2 and redouble\.")
    kurt.hear(r"Please wait for Lena to accept, reject or redouble\.")
    lena.hear(r"Kurt redoubles to 4\. Type 'accept', 'reject' or 'redouble'\.")
    lena.told("raccoon", r"You accept the double to 4 and redouble\.")
    lena.hear(r"Please wait for Kurt to accept or reject\.")
    kurt.hear(r"Lena redoubles to 8\. Type 'accept' or 'reject'\.")
    assert kurt.told("accept", r"You accept.*") == "You accept the redouble. The cube shows 8."
    lena.hear(r"Kurt accepts the redouble\. The cube shows 8\.")
    lena.hear(r"You roll 6 and 5\.")
    lena.send("resign n")
    kurt.hear(r"Lena wants to resign\. You will win 8 points\. Type 'accept' or 'reject'\.")
    kurt.send("accept")
    assert kurt.hear(r"score in .*")[0] == "score in unlimited match: Kurt-8 Lena-0"
    both_left = kurt.told("leave", r"\*\* .*")
    assert both_left == "** You terminated the game. The game was saved."
    lena.hear(r"\*\* Player Kurt has left the game\. The game was saved\.")
    assert lena.told("show saved", r"\*\*Kurt .*").split() == ["**Kurt", "unlimited", "0", "-", "8"]


def test_a_match_on_the_clock_says_so_and_is_put_off_only_by_both(scripted: Served) -> None:
    (mona,) = clients(scripted, "Mona")
    page = member(scripted, "Nils")
    with lobby_open(scripted, page):
        page.post("/match", data={"opponent": "lobby", "length": "3", "cube": "1", "time_control": "Fast"})
        mona.hear(r"Nils wants to play a 3 point match with you\.")
        mona.hear(r"\*\* With a clock: Fast clock\.")
        mona.hear(r"Type 'join Nils' to accept\.")
        mona.send("join Nils")
        mona.hear(r"\*\* You are now playing a 3 point match with Nils")
    match_id = page.get("/matches").text.partition('href="/match/')[2].partition('"')[0]
    cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
    where = f"ws://127.0.0.1:{scripted.port}/ws/match/{match_id}"
    with connect(where, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE_S) as socket:
        socket.send(json.dumps({"do": "join", "protocol": 2, "seq": None}))
        mona.hear(r"board:You:.*")
        assert mona.told("time", r"\*\* .*").startswith("** On the clock: You 1:00, Nils 1:00, and 8 s free")
        refused = mona.told("leave", r"\*\* .*")
        assert refused == "** This match is on the clock: Nils has to agree. 'leave' again goes anyway."
        socket.send(json.dumps({"do": "ask", "action": "adjourn"}))
        mona.hear(r"\*\* Player Nils has left the game\. The game was saved\.")
        assert mona.told("show saved", r".*Nils .*").split()[1:] == ["3", "0", "-", "0"]
        assert mona.told("invite Nils", r"\*\* .*") == "** You invited Nils to resume a saved match."
        socket.send(json.dumps({"do": "ask", "action": "resume"}))
        mona.hear(r"Nils has joined you\. Your running match was loaded\.")
        mona.hear(r"match length: 3")


def test_a_client_at_one_process_plays_who_is_at_the_pages_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    database = databases.address(tmp_path)
    first = hasten(serve(tmp_path, database=database, fibs="0", dice=ScriptedDice([(3, 1)])))
    second = hasten(serve(tmp_path, database=database, dice=ScriptedDice([(3, 1)])))
    try:
        (olga,) = clients(first, "Olga")
        page = member(second, "Piet")
        with lobby_open(second, page) as lobby:
            olga.hear(r"7 Piet Piet logs in\.")
            olga.send("invite Piet 1")
            parts = iter(lambda: json.loads(lobby.recv(PATIENCE_S)).get("html", ""), None)
            html = next(part for part in parts if "You are invited" in part)
        match_id = html.partition('action="/lobby/invitation/')[2].partition("/")[0]
        page.post(f"/lobby/invitation/{match_id}/accept", data={"x": ""})
        olga.hear(r"\*\* Player Piet has joined you for a 1 point match\.")
        olga.hear(r"It's your turn to move\.")
        cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
        where = f"ws://127.0.0.1:{second.port}/ws/match/{match_id}"
        with connect(where, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE_S) as socket:
            socket.send(json.dumps({"do": "join", "protocol": 2, "seq": None}))
            olga.send("move 8 5 6 5")
            states = iter(lambda: json.loads(socket.recv(PATIENCE_S)), None)
            state = next(one for one in states if one.get("seq", 0) >= 2)
            assert [line["text"] for line in state["log"]][-1] == "8/5 6/5"
            event = {"kind": "resign", "level": 1}
            socket.send(json.dumps({"do": "act", "id": "a", "seq": state["seq"], "event": event}))
            olga.hear(r"Piet wants to resign\. You will win 1 point\. Type 'accept' or 'reject'\.")
            olga.send("accept")
            olga.hear(r"You win the 1 point match 1-0 \.")
    finally:
        second.stop()
        first.stop()
