"""People with accounts, for tests over the wire."""

from __future__ import annotations

import re

import httpx
from argon2 import PasswordHasher

from barpoint.server.domain.accounts import Passwords
from tests.support.serving import Served

PASSWORD = "correct horse"

QUICK = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
"""Hashes at once, and is safe for nobody."""


def hasten(served: Served) -> Served:
    """The server with passwords that are hashed at once, and credits for a whole file of tests."""
    services = served.services
    services.accounts.passwords = QUICK
    for name in ("creations", "registrations", "entries", "letters", "files"):
        vars_of = getattr(services.allowance, name)
        vars_of._most = 10_000.0
    return served


def register(http: httpx.Client, name: str, **fields: str) -> list[str]:
    """Makes an account, in which the client is then logged in; its codes of recovery."""
    answer = http.post("/register", data={"name": name, "password": PASSWORD, **fields})
    assert answer.status_code == 200, answer.text
    return re.findall(r"<code>([a-z0-9-]+)</code>", answer.text)


def login(http: httpx.Client, name: str, password: str = PASSWORD) -> httpx.Response:
    """Tries to log in."""
    return http.post("/login", data={"name": name, "password": password})


def known_as(http: httpx.Client) -> str | None:
    """The name of the account in the header of a page; None for a guest."""
    found = re.search(r'class="self" href="/player/[^"]*"[^>]*>([^<]*)<', http.get("/rules").text)
    return found[1] if found else None
