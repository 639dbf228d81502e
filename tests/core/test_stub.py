"""The stub of the compiled module names what is in it, and nothing else."""

import ast
import types
from pathlib import Path

from barpoint.native import core

STUB = Path(__file__).parents[2] / "src" / "barpoint" / "_core.pyi"


def named(body: list[ast.stmt]) -> dict[str, set[str]]:
    """Public names of a body, classes with the names of theirs."""
    found: dict[str, set[str]] = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = set(named(node.body))
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = set()
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = set()
    return {name: inner for name, inner in found.items() if not name.startswith("_")}


def present(thing: type | types.ModuleType) -> dict[str, set[str]]:
    """Public names of the module, classes with the names of theirs."""
    return {
        name: set(present(value)) if isinstance(value, type) else set()
        for name, value in vars(thing).items()
        if not name.startswith("_")
    }


def test_the_stub_and_the_compiled_module_agree() -> None:
    assert named(ast.parse(STUB.read_text(encoding="utf-8")).body) == present(core)
