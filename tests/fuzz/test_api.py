"""Anything that the description of the interface allows, and much that it does not: answered as described, never a fault."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from barpoint.server.api.openapi import ENDPOINTS, document
from tests.support.accounts import serving
from tests.support.serving import Served

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
STREAMS = [endpoint.path for endpoint in ENDPOINTS if endpoint.lines]
SCHEMA = schemathesis.openapi.from_dict(document()).exclude(path=STREAMS)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def token(served: Served) -> str:
    made: str = httpx.post(f"{served.address}/api/guest", json={}).json()["token"]
    return made


@SCHEMA.parametrize()
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: schemathesis.Case, served: Served, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    case.call_and_validate(base_url=served.address, headers=headers, checks=list(CHECKS), timeout=60)
