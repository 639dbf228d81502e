"""A running server and the browser of Anna, a guest; a file that needs others has fixtures of its own by these names."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from barpoint.server.domain import guests
from barpoint.server.domain.guests import Guest
from tests.support.accounts import hasten
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = hasten(serve(tmp_path_factory.mktemp("served")))
    yield running
    running.stop()


@pytest.fixture
def anna(served: Served) -> Guest:
    return served.call(served.services.accounts.new_guest())


@pytest.fixture
def http(served: Served, anna: Guest) -> Iterator[httpx.Client]:
    """The browser of Anna."""
    cookies = {guests.COOKIE: guests.sign(served.services.key, anna.id)}
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S, cookies=cookies) as client:
        yield client
