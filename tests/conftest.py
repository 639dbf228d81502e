"""Settings for every test."""

import os

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import HealthCheck, settings

from tests.support.deep import DEEP
from tests.support.machine import PATIENCE_S

# How long an example takes says something about the machine, not about the code.
settings.register_profile(
    "barpoint", max_examples=100 if DEEP else 50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("barpoint")

for wait in ("connect", "read", "write", "pool"):  # on a busy machine an answer takes longer than httpx's five seconds
    setattr(DEFAULT_TIMEOUT_CONFIG, wait, PATIENCE_S)

os.environ["LC_ALL"] = "C.UTF-8"  # commands speak the language of the terminal


@pytest.fixture(params=["sqlite", "postgresql"])
def each_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test on SQLite and on PostgreSQL; tests.support.databases.address says where."""
    from tests.support.databases import BACKEND

    monkeypatch.setattr(BACKEND, "name", request.param)
