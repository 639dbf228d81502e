"""Mail by SMTP: sent in threads, retried when the mail server does not answer, and never awaited by a page."""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from barpoint.error import FormatError

LOG: Final = logging.getLogger("barpoint.server")

TIMEOUT_S: Final = 20.0
RETRY_S: Final = (5.0, 60.0, 600.0)
"""Pauses before retrying a rejected mail; after the last one it is dropped."""

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
    allowed = "allowed: smtp://user:password@host:587?from=club@example.org, or smtps://"
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        raise FormatError("the mail server has no such port; %(allowed)s", allowed=allowed) from None
    sender = parse_qs(parts.query).get("from", [""])[0]
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or "@" not in sender:
        raise FormatError("no address of a mail server with a sender; %(allowed)s", allowed=allowed)
    tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or (465 if tls else 587), sender, user, password, tls)


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
            LOG.error("%d letters wait already; one is dropped", len(self._under_way))
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
            except (OSError, smtplib.SMTPException) as error:
                LOG.warning("a letter was not taken: %s", type(error).__name__)
                if pause is None:
                    return
                await asyncio.sleep(pause)
            else:
                return


def letter(sender: str, to: str, subject: str, text: str, entry: CalendarFile | None = None) -> EmailMessage:
    """A plain-text mail; entry: for calendars, with the method that mail programs look for (RFC 6047, 2.4)."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    if entry is not None:
        message.add_attachment(entry.text, subtype="calendar", params={"method": entry.method}, filename=entry.name)
    return message


def hand_over(server: MailServer, message: EmailMessage) -> None:
    """Hands a mail to the mail server; OSError or SMTPException if it is rejected."""
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


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
