"""The pages of rules: one for every variant, every option explained, no broken link."""

import re
from pathlib import Path

import pytest

from barpoint.document import rules_folder
from barpoint.rules import Variant
from barpoint.variants import variant, variants

PAGES = [*sorted(rules_folder().glob("*.md")), rules_folder().parent / "variants.md"]


@pytest.mark.parametrize("entry", variants(), ids=lambda entry: entry.name)
def test_every_variant_has_a_page_that_names_its_options_and_aliases(entry: Variant) -> None:
    page = (rules_folder() / f"{entry.name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {entry.title}\n")
    names = (rules_folder().parent / "variants.md").read_text(encoding="utf-8")
    text = names.partition(f"\n## {entry.title}\n")[2].partition("\n## ")[0]
    assert f"`{entry.name}" in text
    assert [alias for alias in entry.aliases if f"`{alias}`" not in text] == []
    assert [option.name for option in entry.options if option.name not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_spelling_on_a_page_is_understood(page: Path) -> None:
    names = "|".join(entry.name for entry in variants())
    spellings = re.findall(rf"`((?:{names})(?:[(+][^`]*)?)`", page.read_text(encoding="utf-8"))
    for spelling in spellings:
        assert variant(spelling).name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_to_pages_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_one_title_and_plain_markdown(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    assert not re.search(r"<[a-z/!]|!\[|```", text)


def test_the_duodecagammon_page_has_the_table_of_the_rules() -> None:
    text = (rules_folder() / "duodecagammon.md").read_text(encoding="utf-8")
    printed = {
        int(face): {tuple(map(int, split.split("+"))) for split in re.findall(r"\d(?:\+\d)*", splits)}
        for face, splits in re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    }
    rows = {roll.faces[0]: set(roll.stages[0]) for roll in variant("duodecagammon").dice.rows}
    assert printed == rows


@pytest.mark.parametrize("name", ["backgammon", "nackgammon"])
def test_the_start_on_the_page_is_the_start_of_the_rules(name: str) -> None:
    text = (rules_folder() / f"{name}.md").read_text(encoding="utf-8")
    printed = [(int(point), int(count)) for point, count in re.findall(r"^\| (\d+) \| (\d+) \|$", text, re.MULTILINE)]
    assert tuple(printed) == variant(name).setup.points
