"""Every ruling and section that the repository cites stands in docs/rulings.md, and no page is cited that is not there."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
RULINGS: Final = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")

NUMBER: Final = re.compile(r"(?<![\w.-])(?:RC|DG|D|S[0-4])-[0-9]{1,2}(?![\w.-]*[0-9])")
SECTIONS: Final = re.compile(r"\b[Rr]ulings ([0-9](?:\.[0-9]+)?(?:(?:, | and | to )[0-9]\.[0-9]+)*)")
ABSENT: Final = re.compile(r"\b(?:RULES|SERVER|DESIGN|ENGINE|WEB|STUDY|WORDS|STYLE)\.md")

FREE: Final = {"CHANGELOG.md", "docs/rulings.md", "tests/docs/test_rulings.py"}
"""Files that may name what is not there, or that define what others cite."""


def tracked_texts() -> list[Path]:
    """Every file of text that git knows, but the old migrations, which stay as they were."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    names = [name for name in listed.split("\0") if name and name not in FREE and "/versions/" not in name]
    ends = {".py", ".pyi", ".md", ".hpp", ".cpp", ".js", ".html", ".css", ".toml", ".txt", ".json", ".sh", ".yml", ""}
    return [path for name in names if (path := ROOT / name).suffix in ends and path.is_file()]


def texts() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in tracked_texts()
    }


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    if not (ROOT / ".git").exists():
        pytest.skip("which files are tracked is known in a checkout of git alone")
    return texts()


def numbers_defined() -> set[str]:
    return set(re.findall(r"^\| ((?:RC|DG|D|S[0-4])-[0-9]+) \|", RULINGS, re.MULTILINE))


def sections_defined() -> set[str]:
    return set(re.findall(r"^#{2,3} ([0-9](?:\.[0-9]+)?) ", RULINGS, re.MULTILINE))


def test_every_number_is_defined_once() -> None:
    rows = re.findall(r"^\| ((?:RC|DG|D|S[0-4])-[0-9]+) \|", RULINGS, re.MULTILINE)
    assert len(rows) == len(set(rows)) > 100


def test_every_ruling_that_is_cited_is_there(found: dict[str, str]) -> None:
    missing = {
        (name, one) for name, text in found.items() for one in NUMBER.findall(text) if one not in numbers_defined()
    }
    assert missing == set()


def test_every_section_that_is_cited_is_there(found: dict[str, str]) -> None:
    missing = {
        (name, section)
        for name, text in found.items()
        for cited in SECTIONS.findall(text)
        for section in re.findall(r"[0-9](?:\.[0-9]+)?", cited)
        if section not in sections_defined()
    }
    assert missing == set()


def test_no_page_is_cited_that_the_repository_does_not_have(found: dict[str, str]) -> None:
    assert {(name, one) for name, text in found.items() for one in ABSENT.findall(text)} == set()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("the winning roll (RC-10, S0-4)", ["RC-10", "S0-4"]),
        ("S2-20 to S2-22; D-1", ["S2-20", "S2-22", "D-1"]),
        ("2026-11-22 and RFC-10 and AD-100-2", []),
    ],
)
def test_what_counts_as_a_citation(text: str, numbers: list[str]) -> None:
    assert NUMBER.findall(text) == numbers
