"""docs/reference.md: its modules are there, and every public name stands in one of them."""

import ast
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

import barpoint
from barpoint import analysis, engine, game
from barpoint.match import Match, MatchTerms, Proposition, StartingPosition

TEXT = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
MODULES = re.findall(r"^::: (\S+)$", TEXT, re.MULTILINE)
SHOWN = re.findall(r"^::: (\S+)\n(?:    options: \{ members: \[(.*)\] \}\n)?", TEXT, re.MULTILINE)
"""Each module, and the names of it that are shown; all where none are listed."""


def described(module: str) -> set[str]:
    """The names that a module defines with a docstring, or with one below the value; others are not shown."""
    file = import_module(module).__file__
    assert file is not None
    body = ast.parse(Path(file).read_text(encoding="utf-8")).body
    found = {one.name for one in body if isinstance(one, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(one)}
    for one, text in pairwise(body):
        if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(text, ast.Expr):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


@pytest.mark.parametrize("package", [barpoint, engine, game, analysis], ids=lambda package: package.__name__)
def test_every_public_name_stands_in_the_reference(package: ModuleType) -> None:
    shown = {name for module, names in SHOWN for name in (names.split(", ") if names else described(module))}
    modules = {module.rpartition(".")[2] for module in MODULES if module.count(".") == 1}
    assert set(package.__all__) - shown - modules == set()


def test_every_name_that_the_reference_lists_is_defined_there_and_described() -> None:
    for module, names in SHOWN:
        assert set(names.split(", ") if names else ()) <= described(module), module


def test_every_module_of_the_reference_is_there_once() -> None:
    assert len(MODULES) == len(set(MODULES))
    for name in MODULES:
        assert import_module(name).__doc__


def test_what_a_match_begins_with_is_in_the_reference() -> None:
    for kind in (Match, MatchTerms, Proposition, StartingPosition):
        assert kind.__module__ in MODULES
