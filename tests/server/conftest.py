"""A running server and browsers; a file that needs others has fixtures of its own by these names."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.accounts import serving
from tests.support.serving import Served


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests of a module, with the settings that its SERVED names."""
    with serving(tmp_path_factory.mktemp("served"), **getattr(request.module, "SERVED", {})) as running:
        yield running


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    """A browser in which nobody has been yet."""
    with httpx.Client(base_url=served.address) as client:
        yield client


@pytest.fixture
def other(served: Served) -> Iterator[httpx.Client]:
    """The browser of somebody else."""
    with httpx.Client(base_url=served.address) as client:
        yield client
