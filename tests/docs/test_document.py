"""The pages of rules: one for every variant, every option explained, no broken link."""

import hashlib
import re
from pathlib import Path

import pytest

from barpoint.document import rules_file, rules_folder
from barpoint.language import SOURCE, gettext, in_language, languages
from barpoint.rules import Variant
from barpoint.server.web.rules import GENERAL
from barpoint.variants import variant, variants

ENGLISH = sorted(rules_folder().glob("*.md"))
OTHERS = [code for code in languages() if code != SOURCE]
TRANSLATED = [rules_folder() / code / page.name for code in OTHERS for page in ENGLISH]
PAGES = [*ENGLISH, *TRANSLATED, rules_folder().parent / "variants.md"]

TRANSLATES = re.compile(r"\n\n\[//\]: # \(translates (\S+) as of ([0-9a-f]{12})\)\n$")
"""The last line of a translated page, which is not shown: the page it translates, and the digest of its text."""


def skeleton(text: str) -> list[str]:
    """What the translations of a page have in common, line by line: headings, items, cells, links, commands, numbers of rolls."""
    found = []
    for line in TRANSLATES.sub("\n", text).splitlines():
        kind = re.match(r"#+|-|\d+\.|\||$", line)
        links = sorted(re.findall(r"\]\(([^)]+)\)", line))
        bold = len(re.findall(r"\*\*[^*]+\*\*", line))
        rolls = sorted(re.findall(r"\b\d+(?:[-+]\d+)+\b|`[^`]+`", line))
        found.append(f"{kind[0] if kind else 'text'} {line.count('|')} {links} {bold} {rolls}")
    return found


def named(page: Path) -> str:
    return f"{page.parent.name}/{page.stem}"


def variant_titles() -> dict[str, str]:
    return {entry.name: entry.title for entry in variants()}


@pytest.mark.parametrize("entry", variants(), ids=lambda entry: entry.name)
def test_every_variant_has_a_page_that_names_its_options_and_aliases(entry: Variant) -> None:
    page = (rules_folder() / f"{entry.name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {entry.title}\n")
    names = (rules_folder().parent / "variants.md").read_text(encoding="utf-8")
    text = names.partition(f"\n## {entry.title}\n")[2].partition("\n## ")[0]
    assert f"`{entry.name}" in text
    assert [alias for alias in entry.aliases if f"`{alias}`" not in text] == []
    assert [option.name for option in entry.options if option.name not in text] == []


@pytest.mark.parametrize("page", TRANSLATED, ids=named)
def test_a_translated_page_says_as_much_as_the_english_one_says_now(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    english = rules_folder() / page.name
    said = TRANSLATES.search(text)
    assert said, "the last line says what is translated"
    now = hashlib.sha256(english.read_bytes()).hexdigest()[:12]
    assert said.groups() == (page.name, now), f"{page.name} has changed: translate what is new, then write {now}"
    assert skeleton(text) == skeleton(english.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", TRANSLATED, ids=named)
def test_a_translated_page_has_the_title_by_which_others_call_it(page: Path) -> None:
    with in_language(page.parent.name):
        title = gettext(GENERAL[page.stem]) if page.stem in GENERAL else variant_titles()[page.stem]
        assert rules_file(page.stem) == page
    assert page.read_text(encoding="utf-8").startswith(f"# {title}\n")


@pytest.mark.parametrize(
    ("english", "translated"),
    [
        ("# One\n\n- a 2-1", "# Eins\n\n- eine 3-1"),
        ("# One\n\n- a\n- b", "# Eins\n\n- a"),
        ("## One\ntext", "### Eins\nText"),
        ("see [one](one.md)", "siehe [zwei](two.md)"),
    ],
)
def test_a_translation_that_leaves_something_out_is_found(english: str, translated: str) -> None:
    assert skeleton(english) == skeleton(english)
    assert skeleton(english) != skeleton(translated)


def test_no_page_is_translated_that_does_not_exist() -> None:
    assert {*rules_folder().glob("*/*.md")} - {*rules_folder().glob("statistics/*.md")} == {*TRANSLATED}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_spelling_on_a_page_is_understood(page: Path) -> None:
    names = "|".join(entry.name for entry in variants())
    spellings = re.findall(rf"`((?:{names})(?:[(+][^`]*)?)`", page.read_text(encoding="utf-8"))
    for spelling in spellings:
        assert variant(spelling).name


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_pages_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if target != "#" and not (page.parent / target).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_has_one_title_and_plain_markdown(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    assert not re.search(r"<[a-z/!]|!\[|```", text)


@pytest.mark.parametrize("folder", ["", *OTHERS])
def test_the_duodecagammon_page_has_the_table_of_the_rules(folder: str) -> None:
    text = (rules_folder() / folder / "duodecagammon.md").read_text(encoding="utf-8")
    printed = {
        int(face): {tuple(map(int, split.split("+"))) for split in re.findall(r"\d(?:\+\d)*", splits)}
        for face, splits in re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    }
    rows = {roll.faces[0]: set(roll.stages[0]) for roll in variant("duodecagammon").dice.rows}
    assert printed == rows


@pytest.mark.parametrize("folder", ["", *OTHERS])
@pytest.mark.parametrize("name", ["backgammon", "nackgammon"])
def test_the_start_on_the_page_is_the_start_of_the_rules(name: str, folder: str) -> None:
    text = (rules_folder() / folder / f"{name}.md").read_text(encoding="utf-8")
    printed = [(int(point), int(count)) for point, count in re.findall(r"^\| (\d+) \| (\d+) \|$", text, re.MULTILINE)]
    assert tuple(printed) == variant(name).setup.points
