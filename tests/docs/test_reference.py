"""docs/reference.md: its modules are there, and it names those of all that a match is made of."""

import re
from importlib import import_module
from pathlib import Path

from barpoint.match import Match, MatchTerms, Proposition, StartingPosition

TEXT = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
MODULES = re.findall(r"^::: (\S+)$", TEXT, re.MULTILINE)


def test_every_module_of_the_reference_is_there_once() -> None:
    assert len(MODULES) == len(set(MODULES))
    for name in MODULES:
        assert import_module(name).__doc__


def test_what_a_match_begins_with_is_in_the_reference() -> None:
    for kind in (Match, MatchTerms, Proposition, StartingPosition):
        assert kind.__module__ in MODULES
