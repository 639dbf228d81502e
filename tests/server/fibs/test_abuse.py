"""Abuse of the port for FIBS clients: requests are refused or bounded, and the server goes on."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import select

from barpoint.record.fibs_board import parse_board
from barpoint.server.domain.limits import Credits
from barpoint.server.fibs import connection, login
from barpoint.server.fibs.commands import COMMAND_FUNCTIONS, COMMANDS, LEAVING
from barpoint.server.fibs.line_stream import MAX_REFUSED, TOO_FAST
from barpoint.server.fibs.lines import MAX_LINE
from barpoint.server.fibs.listener import MAX_FROM_ONE
from barpoint.server.fibs.output import MAX_WAITING
from barpoint.server.fibs.session import FibsSession
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.store import Store
from tests.support.accounts import PASSWORD, hasten, serving
from tests.support.fibs_client import Clip, Wire, clients, member
from tests.support.fibs_client import at_a_match as at_a_match
from tests.support.live_server import fold_equals_snapshot
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, fibs="0") as running:
        yield running


class Clock:
    """Seconds that a test lets pass."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def narrow(allowed: Credits, clock: Clock) -> None:
    """Allows five lines, and one more each second of a test's clock."""
    allowed._burst, allowed._per_second, allowed._clock = 5, 1, clock
    allowed._credits.clear()


def is_well(served: Served) -> bool:
    return httpx.get(f"{served.address}/healthz", timeout=PATIENCE_S).json() == {"status": "ok"}


def test_garbage_is_no_command_and_harms_nobody(served: Served) -> None:
    (anna,) = clients(served, "Anna")
    anna.socket.sendall(
        bytes(range(11, 256)) + b"\r\n" + b"\0\0\r\n" + b"\xff\xfa\x18 never ends\r\n" + b"\xc3\x28 x\r\n"
    )
    assert anna.told("version", r"\*\* Version .*")
    anna.socket.sendall(b"\xff\xfd\x01ver\xff\xfb\x03sion\n\r")
    anna.hear(r"\*\* Version .*")
    assert is_well(served)


def test_a_line_that_is_too_long_is_passed_over_and_too_many_end_it(served: Served) -> None:
    (anna,) = clients(served, "Anna")
    anna.socket.sendall(b"x" * 50_000 + b"\r\n")
    anna.hear(rf"\*\* A line may have {MAX_LINE} characters\.")
    assert anna.told("version", r"\*\* Version .*")
    anna.socket.sendall((b"x" * (MAX_LINE + 1) + b"\r\n") * MAX_REFUSED)
    assert len(anna.rest()) == MAX_REFUSED - 1
    assert is_well(served)


def test_so_many_commands_at_once_wait_and_hold_up_nobody_else(served: Served) -> None:
    anna, ben = clients(served, "Anna", "Ben")
    allowed = served.services.allowance.lines._burst
    anna.socket.sendall(b"version\r\n" * int(allowed + 20) + b"motd\r\n" * 100_000)
    assert ben.told("version", r"\*\* Version .*")
    for _ in range(int(allowed + 20)):
        anna.hear(r"\*\* Version .*")
    assert TOO_FAST in anna.log
    assert TOO_FAST not in ben.log
    assert is_well(served)


def test_the_commands_of_an_account_are_counted_over_its_connections(served: Served) -> None:
    (anna,) = clients(served, "Anna")
    narrow(served.services.allowance.lines, Clock())
    anna.socket.sendall(b"version\r\n" * 4)
    for _ in range(4):
        anna.hear(r"\*\* Version .*")
    again = Clip(served, "Anna")
    again.socket.sendall(b"version\r\n" * 2)
    again.hear(r"\*\* Version .*")
    again.hear(re.escape(TOO_FAST))


def test_the_lines_of_an_address_are_counted_over_all_its_connections_also_before_the_login(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("barpoint.server.fibs.line_stream.TOLD_S", 0.1)
    anna, ben = clients(served, "Anna", "Ben")
    stranger, clock = Wire(served), Clock()
    stranger.prompt()
    narrow(served.services.allowance.address_lines, clock)
    for one in (anna, ben, anna, ben):
        one.told("version", r"\*\* Version .*")
    stranger.send("guest")
    stranger.hear(r"You just logged in as guest|Welcome to Barpoint\. You just .*")
    for one in (anna, stranger):
        one.send("version")
        one.hear(re.escape(TOO_FAST))
    clock.now += 2
    anna.hear(r"\*\* Version .*")
    stranger.hear(r".*Please type 'name username' or 'bye'\.")


def test_a_command_that_takes_too_long_is_given_up_and_the_client_goes_on(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = clients(served, "Anna", "Ben")

    async def never(session: FibsSession, rest: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(connection, "COMMAND_S", 0.1)
    monkeypatch.setitem(COMMAND_FUNCTIONS, "motd", never)
    assert anna.told("motd", r"\*\* .*") == connection.GIVEN_UP
    monkeypatch.setattr(connection, "COMMAND_S", PATIENCE_S)
    assert anna.told("version", r"\*\* Version .*")
    assert ben.told("version", r"\*\* Version .*")


def test_who_does_not_read_is_let_go_and_others_play_on(served: Served) -> None:
    anna, ben = clients(served, "Anna", "Ben")
    roster = served.app.state.fibs
    slow = next(one for one in roster.users.values() if one.name == "Ben")

    async def flood() -> None:
        for _ in range(20 * MAX_WAITING // 1000):
            slow.say("x" * 1000)

    served.call(flood())
    ben.socket.settimeout(PATIENCE_S)
    anna.hear(r"8 Ben Ben drops connection\.")
    assert len(b"".join(iter(lambda: _received(ben.socket), b""))) < 20 * MAX_WAITING
    assert anna.told("version", r"\*\* Version .*")


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionError:
        return b""


def test_guessing_passwords_is_limited_as_at_the_pages(served: Served) -> None:
    http = member(served, "Anna")
    served.services.allowance.guesses._burst = 3.0
    tried = 0
    for _ in range(2):
        wire = Wire(served)
        wire.prompt()
        for _ in range(login.MAX_TRIES):
            wire.send(f"login guesser 1008 Anna wrong{tried}")
            tried += 1
            if tried % login.MAX_TRIES:
                said = wire.prompt()
        wire.rest()
    assert "Too many tries" in said
    assert http.post("/login", data={"name": "Anna", "password": PASSWORD}).status_code in (303, 429)
    wire = Wire(served)
    wire.prompt()
    wire.send(f"login guesser 1008 Anna {PASSWORD}")
    assert "Too many tries" in wire.prompt(), "also the right one is not tried"


@pytest.mark.parametrize(
    "line",
    [
        "login",
        "login x 1008 Anna",
        f"login x 10o8 Anna {PASSWORD}",
        f"login {'x' * 21} 1008 Anna {PASSWORD}",
        "login x 1008 nobody nothing",
        "",
    ],
)
def test_a_login_that_is_none_is_asked_for_again(served: Served, line: str) -> None:
    member(served, "Anna")
    wire = Wire(served)
    wire.prompt()
    wire.send(line)
    if line == "login":
        wire.prompt(b"password: ")
        wire.send("x")
    wire.prompt()
    wire.send(f"login x 1008 Anna {PASSWORD}")
    wire.hear(r"1 Anna \d+ \S+")


def test_a_banned_player_is_shown_out(served: Served) -> None:
    from barpoint.server.live.pubsub import person_named
    from barpoint.server.storage import accounts as account_storage

    (anna,) = clients(served, "Anna")
    account = served.call(served.services.store.read(lambda c: account_storage.find_account(c, "Anna")))
    assert account is not None
    served.call(served.services.store.write(lambda c: account_storage.ban(c, account.id, 1, "rude")))

    async def tell() -> None:
        served.services.pubsub.publish(person_named(account.id))

    served.call(tell())
    assert anna.rest()[-1] == "** You are logged out."
    wire = Wire(served)
    wire.prompt()
    wire.send(f"login x 1008 Anna {PASSWORD}")
    assert "closed by an administrator: rude" in wire.prompt()


def test_nobody_acts_in_a_match_of_others(served: Served) -> None:
    at_a_match(served, "Anna", "Ben", 3)
    (carl,) = clients(served, "Carl")
    for command in ("roll", "move 8 5 6 5", "double", "accept", "resign n", "board"):
        assert carl.told(command, r"\*\* .*") == "** You're not playing."
    carl.told("watch Anna", r"You're now watching Anna\.")
    for command in ("roll", "move 8 5 6 5", "double", "accept", "resign n"):
        assert carl.told(command, r"\*\* .*") == "** You're not playing."


def test_the_port_is_closed_with_the_server_and_matches_wait(tmp_path: Path) -> None:
    first = hasten(serve(tmp_path, fibs="0"))
    anna, _ = at_a_match(first, "Anna", "Ben", 3)
    anna.hear(r"board:You:.*")
    board = anna.board()
    kept = first.guests.pop_all()  # the server ends the connections
    first.stop()
    assert "** System administrator causes shutdown. FIBS is terminating." in anna.rest()
    second = hasten(serve(tmp_path, fibs="0"))
    try:
        again = Clip(second, "Anna")
        assert again.told("show saved", r"(  |\*\*)Ben +3 +0 - +0")
        other = Clip(second, "Ben")
        other.send("invite Anna")
        other.hear(r"Anna has joined you\. Your running match was loaded\.")
        again.hear(r"Ben wants to resume a saved match with you\.")
        again.send("join Ben")
        again.hear(r"You are now playing with Ben\. Your running match was loaded\.")
        assert again.board() == board
    finally:
        second.stop()
        kept.close()


def test_who_says_nothing_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    (anna,) = clients(served, "Anna")
    monkeypatch.setattr(connection, "LOGIN_S", 0.1)
    assert Wire(served).rest()[-1] == "Connection timed out."
    monkeypatch.setattr(connection, "IDLE_S", 0.1)
    assert anna.told("version", r"\*\* Version .*")
    assert "Connection timed out." in anna.rest()


def test_who_begins_to_log_in_and_falls_silent_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "LINE_S", 0.2)
    wire = Wire(served)
    wire.send("guest")
    assert wire.rest()[-1] == "Connection timed out."
    assert is_well(served)


def test_connections_before_login_leave_places_to_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.server.fibs.listener.MAX_ENTERING", 3)
    served = hasten(serve(tmp_path, fibs="0"))
    try:
        members = clients(served, *["Anna", "Ben", "Carl", "Dora"])
        idle = [Wire(served) for _ in range(3)]
        for wire in idle:
            wire.prompt()
        assert Wire(served).rest() == ["** Too many connections at once; try again later."]
        for known in members:
            assert known.told("version", r"\*\* Version .*")
        idle.pop().socket.close()
        member(served, "Eva")
        idle[0].send(f"login x 1008 Eva {PASSWORD}")
        idle[0].hear(r"1 Eva .*")
    finally:
        served.stop()


def test_one_address_cannot_take_every_place(served: Served) -> None:
    idle = [Wire(served) for _ in range(MAX_FROM_ONE)]
    for wire in idle:
        wire.prompt()
    assert Wire(served).rest() == ["** Too many connections at once; try again later."]
    idle.pop().socket.close()
    member(served, "Anna")
    idle[0].send(f"login x 1008 Anna {PASSWORD}")
    idle[0].hear(r"1 Anna .*")
    assert is_well(served)


def test_sql_and_markup_are_text_like_any_other(served: Served) -> None:
    anna, ben = at_a_match(served, "Anna", "Ben", 3)
    for words in ("'; DROP TABLE guest; --", "<script>alert(1)</script>", "%s %d {0}", "\u202e\u0007x"):
        anna.send(f"kibitz {words}")
        assert words.strip("\u202e\u0007") in ben.hear(r"15 Anna .*")[0]
        anna.send(f"whois {words}")
        anna.hear(r"No information found on user .*")
        anna.send(f"invite {words} 3")
        anna.send(f"watch {words}")
        anna.send(f"message {words} x")
        anna.send(f"away {words}")
        anna.told("back", r"Welcome back\.")
    assert is_well(served)
    page = httpx.get(f"{served.address}/match/{served.call(_only_match(served))}", timeout=PATIENCE_S)
    assert "<script>alert" not in page.text


async def _only_match(served: Served) -> str:
    users = served.app.state.fibs.users.values()
    return str(next(one.followed.match_id for one in users if one.followed is not None))


ARGUMENTS = (
    "Anna",
    "Ben",
    "Carl",
    "Barpoint_Easy",
    "nobody",
    "",
    "3",
    "1",
    "unlimited",
    "n",
    "ready",
    "double",
    "greedy",
)
ARGUMENTS += ("boardstyle 1", "redoubles 2", "saved", "games", "from 1 to 3", "8-5 6-5", "bar-22 6 off", "x y z")


def test_any_commands_in_any_order_leave_everything_in_order(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("lines", "address_lines"):
        getattr(served.services.allowance, name)._burst = 1e6
        getattr(served.services.allowance, name)._per_second = 1e6
    served.services.allowance.chat._burst = 10_000.0
    chance, names = Random(7), ("Anna", "Ben", "Carl")
    people = dict(zip(names, clients(served, *names), strict=True))
    words = [name for name in COMMANDS if name not in (*LEAVING, "wave", "password")]
    for _ in range(200):
        name, what = chance.choice(names), chance.random()
        if what < 0.02:
            people[name].send("bye")
            people[name].rest()
            people[name] = Clip(served, name)
        elif what < 0.2:
            board = people[name].told("rawboard", r"board:.*|\*\* .*")
            if board.startswith("board:You:") and parse_board(board).dice and parse_board(board).yours:
                people[name].send(people[name].move_typed(parse_board(board)))
        elif what < 0.6:
            orders = ("roll", "roll", "join", "accept", "reject", "double", "leave", "resign n")
            meetings = (f"join {chance.choice(names)}", f"invite {chance.choice((*names, 'Barpoint_Easy'))}")
            people[name].send(chance.choice((*orders, *meetings, f"{meetings[1]} 1", f"{meetings[1]} 3")))
        else:
            people[name].send(f"{chance.choice(words)} {chance.choice(ARGUMENTS)} {chance.choice(ARGUMENTS)}")
    for one in people.values():
        one.told("version", r"\*\* Version .*")
        assert not [line for line in one.log if "Something went wrong" in line]
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    served.stop()  # bots play on until then
    asyncio.run(_logs_are_in_order(served.services.settings.database))


async def _logs_are_in_order(database: str) -> None:
    store = await Store.open(database)
    try:
        found = await store.read(lambda connection: list(connection.scalars(select(MATCH.c.id))))
        assert found
        for match_id in found:
            await fold_equals_snapshot(store, match_id)
    finally:
        await store.close()
