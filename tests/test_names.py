"""Names: no two public types of the package share one."""

import ast
from collections import defaultdict
from pathlib import Path

import barpoint

PACKAGE = Path(__file__).parents[1] / "src" / "barpoint"


def public_types(source: str) -> set[str]:
    """The classes and type aliases of a file that others may import; a name imported from elsewhere is none of its own."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                found.add(target.id)
    return {name for name in found if not name.startswith("_")}


def shared(sources: dict[str, str]) -> dict[str, list[str]]:
    """Names of public types that stand in more than one file, with these files."""
    files: dict[str, list[str]] = defaultdict(list)
    for file, source in sources.items():
        for name in public_types(source):
            files[name].append(file)
    return {name: where for name, where in sorted(files.items()) if len(where) > 1}


def test_no_two_public_types_share_a_name() -> None:
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if "migrations" not in file.parts]
    sources = {file.relative_to(PACKAGE).as_posix(): file.read_text(encoding="utf-8") for file in files}
    assert shared(sources) == {}


def test_all_public_names_are_listed() -> None:
    assert set(barpoint.__all__) - set(dir(barpoint)) == set()


def test_classes_and_aliases_are_seen_and_constants_and_imports_are_not() -> None:
    one = "from x import Third\nclass First: pass\nSecond = tuple[int, ...]\nLIMIT = 3\n_Private = int\n"
    two = "class First: pass\nSecond: TypeAlias = int\nclass Third: pass\nLIMIT = 4\n_Private = str\n"
    assert shared({"one.py": one, "two.py": two}) == {"First": ["one.py", "two.py"], "Second": ["one.py", "two.py"]}
