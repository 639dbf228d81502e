"""Mail: a real mail server accepts it, and its links work once."""

from __future__ import annotations

import asyncio
import re
import smtplib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from email import message_from_bytes
from email.message import EmailMessage, Message
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.smtp import SMTP

from barpoint.error import FormatError, StoreError
from barpoint.server.live.mail import (
    THREADS,
    CalendarFile,
    Mailer,
    MailServer,
    answer_text,
    hand_over,
    letter,
    parse_mail_server,
    send_test_mail,
)
from barpoint.server.storage.notifications import calls_waiting, turns_waiting
from tests.support.accounts import PASSWORD, hasten, known_as, login, register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve

HOME = "http://play.example.org"


class Postbox:
    """The mail that a mail server received. `wait` waits for this many messages."""

    def __init__(self) -> None:
        self.letters: list[Message] = []
        self._arrived = threading.Condition()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        with self._arrived:
            self.letters.append(message_from_bytes(envelope.content))
            self._arrived.notify_all()
        return "250 OK"

    def wait(self, number: int) -> list[Message]:
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.letters) >= number, 60), "a letter comes"
        return self.letters

    def link(self, number: int) -> str:
        """The path of the link in a mail, counted from 1."""
        text = self.wait(number)[number - 1].get_payload()
        found = re.search(rf"{HOME}(/\S+)", str(text).replace("=\n", ""))
        assert found
        return found[1]


@pytest.fixture
def postbox() -> Iterator[tuple[Postbox, int]]:
    box, loop = Postbox(), asyncio.new_event_loop()

    async def listen() -> asyncio.Server:
        return await loop.create_server(lambda: SMTP(box, loop=loop), "127.0.0.1", 0)

    server = loop.run_until_complete(listen())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield box, server.sockets[0].getsockname()[1]
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.run_until_complete(server.wait_closed())
    loop.close()


@pytest.fixture
def served(postbox: tuple[Postbox, int], tmp_path: Path) -> Iterator[Served]:
    mail = f"smtp://127.0.0.1:{postbox[1]}?from=club@example.org"
    running = hasten(serve(tmp_path, mail=mail, address=HOME))
    yield running
    running.stop()


def test_a_lost_password_comes_back_by_a_confirmed_address_alone(served: Served, postbox: tuple[Postbox, int]) -> None:
    box, _ = postbox
    with httpx.Client(base_url=served.address) as http, httpx.Client(base_url=served.address) as other:
        register(http, "Anna", email="anna@example.org")
        confirm = box.link(1)
        assert box.letters[0]["To"] == "anna@example.org"
        assert box.letters[0]["From"] == "club@example.org"
        assert "no letter went out" not in other.post("/recover/mail", data={"name": "Anna"}).text
        assert "not confirmed" in http.get("/account").text
        assert "anna@example.org" in other.get(confirm).text
        assert "not confirmed" in http.get("/account").text, "mail programs follow links"
        assert other.post(confirm, data={"x": ""}).status_code == 303
        assert "not confirmed" not in http.get("/account").text
        used = other.post(confirm, data={"x": ""}), other.get(confirm), other.get("/confirm/mistyped")
        assert [answer.status_code for answer in used] == [404] * 3
        assert all("has expired, or has been used already" in answer.text for answer in used)

        answer = other.post("/recover/mail", data={"name": "anna"})
        nobody = other.post("/recover/mail", data={"name": "nobody"})
        assert answer.text.replace("anna", "") == nobody.text.replace("nobody", ""), "nobody learns who is here"
        link = box.link(2)
        assert other.post(link, data={"password": "short"}).status_code == 422
        assert other.post(link, data={"password": "another horse"}).status_code == 303
        assert known_as(other) == "Anna"
        assert known_as(http) is None
        assert other.get(link).status_code == 404
        assert other.post(link, data={"password": "a third horse"}).status_code == 404
        assert login(http, "Anna", "another horse").status_code == 303
        assert len(box.letters) == 2


def test_another_address_has_to_be_confirmed_again(served: Served, postbox: tuple[Postbox, int]) -> None:
    box, _ = postbox
    with httpx.Client(base_url=served.address) as http:
        register(http, "Ben", email="ben@example.org")
        first = box.link(1)
        http.post("/account/email", data={"password": PASSWORD, "email": "benno@example.org"})
        second = box.link(2)
        assert box.letters[1]["To"] == "benno@example.org"
        assert http.post(first, data={"x": ""}).status_code == 404, "the old link is worth nothing"
        assert http.post(second, data={"x": ""}).status_code == 303


def test_a_page_does_not_wait_for_a_mail_server_that_is_away(tmp_path: Path) -> None:
    running = hasten(serve(tmp_path, mail="smtp://127.0.0.1:9?from=club@example.org", address=HOME))
    try:
        with httpx.Client(base_url=running.address) as http:
            register(http, "Cora", email="cora@example.org")
            assert known_as(http) == "Cora"
    finally:
        running.stop()


def test_who_is_away_is_told_once_that_it_is_their_turn(postbox: tuple[Postbox, int], tmp_path: Path) -> None:
    box, port = postbox
    mail = f"smtp://127.0.0.1:{port}?from=club@example.org"
    running = hasten(serve(tmp_path, mail=mail, address=HOME, notice_ms=100))
    try:
        with httpx.Client(base_url=running.address) as http, httpx.Client(base_url=running.address) as other:
            for client, name in ((http, "Dora"), (other, "Egon")):
                register(client, name, email=f"{name.lower()}@example.org")
            for number in (1, 2):
                assert http.post(box.link(number), data={"x": ""}).status_code == 303
            where = http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
            link = re.search(r"/join/[\w-]+", http.get(where).text)
            assert link
            other.post(link[0], data={"x": ""})
            match_id = where.rpartition("/")[2]
            for seat in (0, 1):  # as a client that gives no seed does when it first joins
                running.call(running.services.adjournments.commit_to_seed(match_id, seat, None))
            assert box.link(3) == where
            live_match = running.call(running.services.matches.live_match(match_id))
            to_act = live_match.match.game.actor
            assert to_act is not None
            assert box.letters[2]["To"] == f"{live_match.header.seats[to_act].name.lower()}@example.org"
            waiting = running.call(running.services.store.read(lambda c: turns_waiting(c, 2**60, 2**60)))
            assert waiting == [], "told once"
            http.post("/account/notices", data={"x": ""})
            assert "checked" not in http.get("/account").text
    finally:
        running.stop()


UNKNOWN = smtplib.SMTPRecipientsRefused({"anna@example.org": (550, b"5.1.1 <anna@example.org>: unknown")})
BUSY = smtplib.SMTPDataError(451, b"4.7.1 greylisted")


@pytest.mark.parametrize(
    ("refusal", "tries", "last"),
    [
        (UNKNOWN, 1, "took no mail: 550 5.1.1 <...>: unknown; the mail is dropped"),
        (BUSY, 4, "took no mail: 451 4.7.1 greylisted; the mail is dropped"),
        (ConnectionRefusedError(111, "Connection refused"), 4, "took no mail: Connection refused; the mail is dropped"),
    ],
)
async def test_the_log_says_what_the_mail_server_answered_and_what_it_refuses_for_good_is_not_tried_again(
    refusal: Exception, tries: int, last: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_server: MailServer, _message: EmailMessage) -> None:
        raise refusal

    monkeypatch.setattr("barpoint.server.live.mail.hand_over", refuse)
    monkeypatch.setattr("barpoint.server.live.mail.RETRY_S", (0.0, 0.0, 0.0))
    mailer = Mailer(MailServer("mail.example.org", 587, "club@example.org"), HOME)
    mailer.send("anna@example.org", "It is your turn", "")
    async with asyncio.timeout(PATIENCE_S):
        while "dropped" not in caplog.text:
            await asyncio.sleep(0.01)
    assert len(caplog.messages) == tries
    assert caplog.messages[-1] == f"the mail server mail.example.org:587 {last}"
    assert "anna" not in caplog.text
    await mailer.close()


def test_why_a_mail_server_could_not_be_asked_is_said_too() -> None:
    assert answer_text(TimeoutError("timed out")) == "timed out"
    assert answer_text(smtplib.SMTPServerDisconnected()) == "SMTPServerDisconnected"
    assert answer_text(smtplib.SMTPAuthenticationError(535, b"5.7.8 wrong password")) == "535 5.7.8 wrong password"


def test_whoever_runs_a_server_tries_its_mail(postbox: tuple[Postbox, int]) -> None:
    box, port = postbox
    mail = f"smtp://127.0.0.1:{port}?from=Club <club@example.org>"
    assert send_test_mail(mail, "me@example.org").startswith(f"The mail server 127.0.0.1:{port} has taken the mail")
    [arrived] = box.wait(1)
    assert (arrived["To"], arrived["From"]) == ("me@example.org", "Club <club@example.org>")
    assert str(arrived["Message-ID"]).endswith("@example.org>")
    with pytest.raises(FormatError, match="'me' is no address of mail"):
        send_test_mail(mail, "me")
    with pytest.raises(StoreError, match=r"the mail server 127\.0\.0\.1:9 took no mail: Connection refused"):
        send_test_mail("smtp://127.0.0.1:9?from=a@b.org", "me@example.org")


async def test_a_mail_server_that_does_not_answer_takes_no_threads_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    answered = threading.Event()
    monkeypatch.setattr("barpoint.server.live.mail.hand_over", lambda _server, _message: answered.wait(PATIENCE_S))
    mailer = Mailer(MailServer("mail.example.org", 587, "club@example.org"), HOME)
    try:
        for _ in range(THREADS + 1):
            mailer.send("anna@example.org", "It is your turn", "")
        await asyncio.sleep(0)  # they are being sent
        async with asyncio.timeout(PATIENCE_S / 4):
            assert await asyncio.to_thread(lambda: "a login")
    finally:
        answered.set()
        await mailer.close()


def test_who_is_away_is_told_once_that_their_match_in_a_tournament_waits(
    postbox: tuple[Postbox, int], tmp_path: Path
) -> None:
    box, port = postbox
    mail = f"smtp://127.0.0.1:{port}?from=club@example.org"
    running = hasten(serve(tmp_path, mail=mail, address=HOME, notice_ms=100))
    try:
        with httpx.Client(base_url=running.address) as http, httpx.Client(base_url=running.address) as other:
            for client, name in ((http, "Dora"), (other, "Egon")):
                register(client, name, email=f"{name.lower()}@example.org")
            for number in (1, 2):
                assert http.post(box.link(number), data={"x": ""}).status_code == 303
            where = http.post("/tournaments/new", data={"name": "Club night", "max_players": "2"}).headers["location"]
            for client in (http, other):
                client.post(f"{where}/join", data={"x": ""})
            told = box.wait(4)[2:]
            assert {letter["To"] for letter in told} == {"dora@example.org", "egon@example.org"}
            assert {letter["Subject"] for letter in told} == {"Your match is ready: Backgammon"}
            assert box.link(3) == box.link(4)
            waiting = running.call(running.services.store.read(lambda c: calls_waiting(c, 2**60)))
            assert waiting == [], "told once"
    finally:
        running.stop()


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("smtp://mail.example.org?from=a@b.org", MailServer("mail.example.org", 587, "a@b.org")),
        ("smtps://me:s%40crit@m.org?from=a@b.org", MailServer("m.org", 465, "a@b.org", "me", "s@crit", True)),
        ("smtp://127.0.0.1:25?from=a@b.org", MailServer("127.0.0.1", 25, "a@b.org")),
    ],
)
def test_a_mail_server_is_named_by_an_address(address: str, server: MailServer) -> None:
    assert parse_mail_server(address) == server


@pytest.mark.parametrize(
    "address",
    ["", "mail.org", "http://m.org?from=a@b.org", "smtp://m.org", "smtp://m.org:x?from=a@b", "smtp://m.org?from=@"],
)
def test_any_other_address_is_refused_without_being_repeated(address: str) -> None:
    with pytest.raises(FormatError, match="allowed: BARPOINT_MAIL=smtp://"):
        parse_mail_server(address)


def test_a_mail_carries_an_entry_for_calendars_by_its_method() -> None:
    entry = CalendarFile("match-m1.ics", "BEGIN:VCALENDAR\r\nSUMMARY:Тавла\r\nEND:VCALENDAR\r\n", "CANCEL")
    said = message_from_bytes(bytes(letter("a@b.org", "c@d.org", "Subject", "text", entry)))
    text, file = said.get_payload()
    assert text.get_content_type() == "text/plain"
    assert file.get_content_type() == "text/calendar"
    assert (file.get_param("method"), file.get_filename()) == ("CANCEL", "match-m1.ics")
    assert "SUMMARY:Тавла" in file.get_payload(decode=True).decode()


def test_a_mail_has_no_room_for_further_headers() -> None:
    with pytest.raises(ValueError, match="linefeed"):
        letter("a@b.org", "c@d.org\nBcc: e@f.org", "Subject", "text")


class PlainServer:
    """A mail server that offers no TLS, or from whose offers somebody has taken it out. heard: what it was given."""

    def __init__(self, heard: list[str]) -> None:
        self._heard = heard

    def __enter__(self) -> PlainServer:
        return self

    def __exit__(self, *_: object) -> None: ...

    def ehlo(self) -> None: ...

    def has_extn(self, name: str) -> bool:
        return False

    def login(self, user: str, password: str) -> None:
        self._heard.append(password)

    def send_message(self, message: EmailMessage) -> None:
        self._heard.append("letter")


@pytest.mark.parametrize(
    ("address", "given"),
    [
        ("smtp://me:secret@mail.example.org?from=a@b.org", []),
        ("smtp://me:secret@192.0.2.1?from=a@b.org", []),
        ("smtp://mail.example.org?from=a@b.org", ["letter"]),
        ("smtp://me:secret@localhost?from=a@b.org", ["secret", "letter"]),
        ("smtp://me:secret@127.0.0.1?from=a@b.org", ["secret", "letter"]),
    ],
)
def test_a_password_leaves_this_machine_by_tls_alone(
    address: str, given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = list[str]()
    monkeypatch.setattr(smtplib, "SMTP", lambda *_, **__: PlainServer(heard))
    with nullcontext() if given else pytest.raises(smtplib.SMTPException, match="no TLS"):
        hand_over(parse_mail_server(address), letter("a@b.org", "c@d.org", "Subject", "text"))
    assert heard == given
