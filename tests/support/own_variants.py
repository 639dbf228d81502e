"""Variants and nets of one's own, which are gone after a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from barpoint.engine import net

SHORT_FILE = """
name = "short-game"
title = "Short game"
line = "Ten checkers, doubles are played twice, a gammon pays four points."
source = "this test"
aliases = ["short"]

[setup]
points = { 24 = 2, 8 = 3, 6 = 5 }

[dice]
doubles = 2

[scoring]
gammon = 4
backgammon = 6
"""


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is registered, until the test is over."""
    catalogue = sys.modules["barpoint.variants"]  # bp.variants is the function
    monkeypatch.setattr(catalogue, "_registered", [])
    monkeypatch.setattr(net, "_own_nets", {})
    catalogue._rules.cache_clear()  # type: ignore[attr-defined]


def forgetting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For a fixture: what is registered meanwhile is forgotten."""
    forget(monkeypatch)
    yield
    sys.modules["barpoint.variants"]._rules.cache_clear()  # type: ignore[attr-defined]
