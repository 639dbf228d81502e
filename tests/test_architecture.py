"""Where things are: every folder is in ARCHITECTURE.md, and every file says in its first line what it is."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "src", "training", "benchmarks", "tools")
COMMENTS = {".py": '"""', ".hpp": "//", ".cpp": "//", ".js": "/", ".css": "/*"}  # a .cpp may leave it to its header
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

FILES = [
    Path(name)
    for name in subprocess.check_output(["git", "ls-files", *FOLDERS], cwd=ROOT, text=True).splitlines()
    if (ROOT / name).is_file()
]
CODE = [
    file
    for file in FILES
    if file.suffix in COMMENTS
    and (ROOT / file).stat().st_size
    and not (file.suffix == ".cpp" and (ROOT / file).with_suffix(".hpp").exists())
]


@pytest.mark.parametrize("folder", sorted({file.parent.as_posix() for file in CODE}))
def test_every_folder_is_named(folder: str) -> None:
    assert f"`{folder}/" in PAGE, f"ARCHITECTURE.md does not say what {folder}/ is for"


@pytest.mark.parametrize("file", CODE, ids=str)
def test_every_file_says_in_its_first_line_what_it_is(file: Path) -> None:
    first = (ROOT / file).read_text(encoding="utf-8").lstrip("\ufeff").splitlines()[0]
    assert first.startswith(COMMENTS[file.suffix]), f"{file} begins with {first!r}"
    assert len(first) > 20, f"{file} does not say what it is: {first!r}"
