"""Mail by SMTP: sent in threads, retried when the mail server does not answer, and never awaited by a page."""

from __future__ import annotations

import asyncio
import logging
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from barpoint.error import FormatError, StoreError

LOG: Final = logging.getLogger("barpoint.server")

TIMEOUT_S: Final = 20.0
RETRY_S: Final = (5.0, 60.0, 600.0)
"""Pauses before retrying a mail that was not taken; after the last one it is dropped, and one refused for good at once."""

MAIL_ERRORS: Final = (OSError, smtplib.SMTPException, UnicodeError)
"""What `hand_over` raises; UnicodeError for a name of a host that cannot be looked up."""

PERMANENT: Final = range(500, 600)
"""Answers of a mail server that it would give again (RFC 5321, 4.2.1)."""

THREADS: Final = 2
"""Mails that are handed over at the same time, in threads of their own: logins and pages need the shared ones."""

MAX_WAITING: Final = 1000
"""Maximum mails waiting to be sent; further ones are dropped and logged."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server. tls: from the first byte; otherwise STARTTLS if the server offers it; a password needs either, but on this machine."""

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    tls: bool = False


def parse_mail_server(address: str) -> MailServer:
    """The mail server of smtp://user:password@host:587?from=club@example.org, smtps for immediate TLS; FormatError."""
    allowed = "allowed: BARPOINT_MAIL=smtp://user:password@host:587?from=club@example.org, or smtps://"
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        raise FormatError("the mail server has no such port; %(allowed)s", allowed=allowed) from None
    sender = parse_qs(parts.query).get("from", [""])[0]
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or not _is_address(sender):
        raise FormatError("no address of a mail server with a sender; %(allowed)s", allowed=allowed)
    tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or (465 if tls else 587), sender, user, password, tls)


def _is_address(text: str) -> bool:
    """Whether a text is an address of mail, alone or with a name before it."""
    return re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(text)[1]) is not None


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """An entry for calendars in a mail. text: iCalendar. method: as it says there."""

    name: str
    text: str
    method: str


class Mailer:
    """Sends mail. Disabled without a mail server, or without a public URL for links."""

    def __init__(self, server: MailServer | None, address: str) -> None:
        self._server, self.address = server, address.rstrip("/")
        self._under_way: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    @property
    def works(self) -> bool:
        """Whether mail can be sent."""
        return self._server is not None and bool(self.address)

    @property
    def sender(self) -> str:
        """The address that mails come from, "" if mail is disabled."""
        return parseaddr(self._server.sender)[1] if self._server is not None else ""

    def send(self, to: str, subject: str, text: str, entry: CalendarFile | None = None) -> None:
        """Sends a mail in the background, with an entry for calendars if there is one; does nothing if mail is disabled."""
        if self._server is None:
            return
        if len(self._under_way) >= MAX_WAITING:
            LOG.error("%d mails wait already; one is dropped", len(self._under_way))
            return
        task = asyncio.create_task(self._deliver(self._server, letter(self._server.sender, to, subject, text, entry)))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def close(self) -> None:
        """Drops all mail still under way."""
        for task in tuple(self._under_way):
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _deliver(self, server: MailServer, message: EmailMessage) -> None:
        for pause in (*RETRY_S, None):
            try:
                await asyncio.get_running_loop().run_in_executor(self._threads, hand_over, server, message)
            except MAIL_ERRORS as error:
                said = f"the mail server {server.host}:{server.port} took no mail: {answer_text(error)}"
                if pause is None or answer_code(error) in PERMANENT:
                    LOG.error("%s; the mail is dropped", said)
                    return
                LOG.warning("%s; it is tried again in %.0f s", said, pause)
                await asyncio.sleep(pause)
            else:
                return


def letter(sender: str, to: str, subject: str, text: str, entry: CalendarFile | None = None) -> EmailMessage:
    """A plain-text mail; entry: for calendars, with the method that mail programs look for (RFC 6047, 2.4)."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    if entry is not None:
        message.add_attachment(entry.text, subtype="calendar", params={"method": entry.method}, filename=entry.name)
    return message


def hand_over(server: MailServer, message: EmailMessage) -> None:
    """Hands a mail to the mail server; one of MAIL_ERRORS if it is not taken."""
    context = ssl.create_default_context()
    if server.tls:
        client: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=context)
    else:
        client = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
    with client:
        client.ehlo()
        tls = server.tls
        if not tls and client.has_extn("starttls"):
            client.starttls(context=context)
            client.ehlo()
            tls = True
        if server.user:
            if not tls and not _is_here(server.host):  # somebody on the way may have taken the offer of TLS out
                raise smtplib.SMTPNotSupportedError("the mail server offers no TLS, and so does not get the password")
            client.login(server.user, server.password)
        client.send_message(message)


def answer_code(error: Exception) -> int:
    """The number of a mail server's refusal; 0 if it did not answer."""
    return _answer(error)[0]


def answer_text(error: Exception) -> str:
    """What a mail server answered, or why it did not, for logs: without anybody's address."""
    code, text = _answer(error)
    return re.sub(r"[^\s<>:;,]+@[^\s<>:;,]+", "...", f"{code} {text}" if code else text)


def _answer(error: Exception) -> tuple[int, str]:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        error = smtplib.SMTPResponseException(*next(iter(error.recipients.values())))
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return error.smtp_code, said.decode(errors="replace") if isinstance(said, bytes) else str(said)
    return 0, getattr(error, "strerror", None) or str(error) or type(error).__name__


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def send_test_mail(address: str, to: str) -> str:
    """Sends a mail by the server of an address, at once; returns what to look for. FormatError, StoreError if it is not taken."""
    server = parse_mail_server(address)
    if not _is_address(to):
        raise FormatError("%(to)r is no address of mail; allowed: name@example.org", to=to[:60])
    try:
        hand_over(server, letter(server.sender, to, "Barpoint: a test", "This server can send mail."))
    except MAIL_ERRORS as error:
        raise StoreError(
            "the mail server %(host)s:%(port)s took no mail: %(reason)s",
            host=server.host,
            port=server.port,
            reason=answer_text(error),
        ) from error
    return (
        f"The mail server {server.host}:{server.port} has taken the mail. If it does not arrive, look among the spam."
    )
