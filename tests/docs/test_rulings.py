"""Every ruling and section that the repository cites stands in docs/rulings.md, and no page is cited that is not there."""

import re
from typing import Final

import pytest

from tests.support.repository import FOLDERS, ROOT, repository_files

RULINGS: Final = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")

NUMBER: Final = re.compile(r"(?<![\w.-])(?:RC|DG|D|S[0-4])-[0-9]{1,2}(?![\w.-]*[0-9])")
SECTIONS: Final = re.compile(r"\b[Rr]ulings ([0-9](?:\.[0-9]+)?(?:(?:, | and | to )[0-9]\.[0-9]+)*)")
ABSENT: Final = re.compile(r"\b(?:RULES|SERVER|DESIGN|ENGINE|WEB|STUDY|WORDS|STYLE)\.md")

FREE: Final = {"CHANGELOG.md", "docs/rulings.md", "tests/docs/test_rulings.py"}
"""Files that may name what is not there, or that define what others cite."""

ENDS: Final = re.compile(r"|\.(py|pyi|md|hpp|cpp|js|html|css|toml|txt|json|sh|yml)")
"""Suffixes of text files, and none."""


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """Every text file by name, but the old migrations, which stay as they were."""
    names = [*repository_files(*FOLDERS), *(path.relative_to(ROOT) for path in ROOT.iterdir() if path.is_file())]
    return {
        name: (ROOT / name).read_text(encoding="utf-8", errors="replace")
        for name in sorted(path.as_posix() for path in names if ENDS.fullmatch(path.suffix))
        if name not in FREE and "/versions/" not in name
    }


def numbers_defined() -> set[str]:
    return set(re.findall(r"^\| ((?:RC|DG|D|S[0-4])-[0-9]+) \|", RULINGS, re.MULTILINE))


def sections_defined() -> set[str]:
    return set(re.findall(r"^#{2,3} ([0-9](?:\.[0-9]+)?) ", RULINGS, re.MULTILINE))


def test_the_files_that_are_searched_are_those_of_the_repository(found: dict[str, str]) -> None:
    assert {"README.md", "core/rules/plays.cpp", "src/barpoint/game/rolling.py", "docs/dice.md"} <= found.keys()
    assert len(found) > 700


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
