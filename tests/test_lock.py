"""The versions that servers install: all pinned, and allowed by the package."""

from __future__ import annotations

import runpy

import pytest

from tests.support.repository import ROOT

LOCK = (ROOT / "constraints-server.txt").read_text(encoding="utf-8")
TOOL = runpy.run_path(str(ROOT / "tools" / "lock.py"))


def test_every_package_that_a_server_needs_is_pinned_to_a_version_that_is_allowed() -> None:
    assert TOOL["problems"](LOCK) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("starlette==", "starlette>=", "starlette is not pinned"),
        ("starlette==", "starlet==", "starlette is missing"),
        ("starlette==", "starlette==0.", "starlette==0."),
    ],
)
def test_what_is_not_pinned_missing_or_not_allowed_is_found(old: str, new: str, problem: str) -> None:
    assert any(line.startswith(problem) for line in TOOL["problems"](LOCK.replace(old, new)))


def test_the_lock_names_no_host_from_which_packages_come() -> None:
    assert "://" not in LOCK
    assert "index" not in LOCK


def test_the_image_of_the_server_installs_these_versions() -> None:
    assert "--constraint /source/constraints-server.txt" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
