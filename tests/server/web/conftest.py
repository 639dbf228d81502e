"""Anna, a guest, and her browser."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from barpoint.server.domain import guests
from barpoint.server.domain.guests import Guest
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served


@pytest.fixture
def anna(served: Served) -> Guest:
    return served.call(served.services.accounts.new_guest())


@pytest.fixture
def browser(served: Served, anna: Guest) -> Iterator[httpx.Client]:
    """The browser of Anna."""
    cookies = {guests.COOKIE: guests.sign(served.services.key, anna.id)}
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S, cookies=cookies) as client:
        yield client
