"""Users with accounts, for tests over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from barpoint.server.domain.accounts import SESSION_COOKIE, Passwords
from barpoint.server.domain.guests import Guest
from barpoint.server.storage import accounts as account_storage
from tests.support.serving import Served, serve

PASSWORD = "correct horse"

QUICK = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
"""A fast password hash without security."""


def hasten(served: Served) -> Served:
    """The server with fast password hashing, and rate-limit credits for a whole test file."""
    services = served.services
    services.accounts.passwords = QUICK
    for name in ("creations", "registrations", "entries", "letters", "files"):
        vars_of = getattr(services.allowance, name)
        vars_of._burst = 10_000.0
    return served


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Served]:
    """A server for tests, which stops in the end; settings as for `serve`."""
    running = hasten(serve(folder, **settings))
    yield running
    running.stop()


def register(http: httpx.Client, name: str, **fields: str) -> list[str]:
    """Makes an account and logs the client in; returns its recovery codes."""
    answer = http.post("/register", data={"name": name, "password": PASSWORD, **fields})
    assert answer.status_code == 200, answer.text
    return re.findall(r"<code>([a-z0-9-]+)</code>", answer.text)


@contextmanager
def browser_of(served: Served, name: str = "") -> Iterator[httpx.Client]:
    """The browser of somebody who makes an account there, or of nobody yet."""
    with httpx.Client(base_url=served.address) as http:
        if name:
            register(http, name)
        yield http


@pytest.fixture
def anna(served: Served) -> Iterator[httpx.Client]:
    """The browser of Anna, who has an account."""
    with browser_of(served, "Anna") as http:
        yield http


@pytest.fixture
def ben(served: Served) -> Iterator[httpx.Client]:
    """The browser of Ben, who has an account."""
    with browser_of(served, "Ben") as http:
        yield http


def login(http: httpx.Client, name: str, password: str = PASSWORD) -> httpx.Response:
    """Tries to log in."""
    return http.post("/login", data={"name": name, "password": password})


def known_as(http: httpx.Client) -> str | None:
    """The name of the account in the header of a page; None for a guest."""
    found = re.search(r'class="self" href="/player/[^"]*"[^>]*>([^<]*)<', http.get("/rules").text)
    return found[1] if found else None


def account_of(served: Served, http: httpx.Client) -> Guest:
    """The account that is logged in there."""
    services = served.services
    secret, now = http.cookies[SESSION_COOKIE], services.matches.clock()
    found = served.call(services.store.read(account_storage.who, secret, None, now))
    assert found is not None
    return found
