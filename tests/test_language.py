"""The language of whoever reads, and that every catalogue says all that the sources say."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from types import ModuleType

import pytest
from babel.messages import Catalog
from babel.messages.catalog import Message

from barpoint import error
from barpoint import language as spoken
from barpoint.error import BarpointError
from barpoint.language import FOLDER, SOURCE, catalogue, in_language, languages
from tests.support.repository import ROOT

OTHERS = [code for code in languages() if code != SOURCE]
PLACE = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}")
TAG = re.compile(r"</?\w+")
MAY_2026_MS = 1_777_831_500_000
"""3 May 2026, 18:05 UTC."""


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("texts", ROOT / "tools" / "texts.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sources(tool: ModuleType) -> Catalog:
    found: Catalog = tool.texts_of_sources()
    return found


NAME = "\u05d3\u05e0\u05d4"
"""Written from right to left."""


def test_a_name_written_from_right_to_left_moves_no_number_beside_it() -> None:
    said = spoken.gettext("%(player)s rolls %(faces)s", player=NAME, faces="4-1")
    assert said == f"\u2068{NAME}\u2069 rolls 4-1"
    assert spoken.gettext("%(player)s rolls %(faces)s", player=said, faces=NAME).count("\u2068") == 2, "each once"
    assert spoken.gettext("%(name)r and %(name)s", name="Anna") == "'Anna' and Anna"
    assert spoken.gettext("the name %(name)r was taken just now", name=NAME) == f"the name {NAME!r} was taken just now"
    with in_language("de"):
        assert f"\u2068{NAME}\u2069" in spoken.ngettext("%(who)s", "%(who)s", 1, who=NAME)


def forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def messages(code: str) -> Iterator[Message]:
    return (one for one in catalogue(code) if one.id)


def places(text: str) -> list[str]:
    return sorted(PLACE.findall(text))


def test_texts_inside_template_strings_of_scripts_are_found(tool: ModuleType, sources: Catalog) -> None:
    code = "say(`${_('a', { x: 1 })}, ${one ? `; ${_('b')}` : ''}${'}'}.`)"
    assert [*tool.inside_templates(code)] == ["_('a', { x: 1 })", "one ? `; ${_('b')}` : ''", "_('b')", "'}'"]
    assert "%(place)s lifted" in sources


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_of_the_sources_is_translated_and_no_catalogue_says_more(
    code: str, tool: ModuleType, sources: Catalog
) -> None:
    file = FOLDER / f"{code}.po"
    written, missing = tool.updated(file, sources)
    assert missing == []
    assert written == file.read_bytes(), "run `make texts`"


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_and_the_markup_of_its_text(code: str) -> None:
    for one in messages(code):
        meant, said = forms(one.id), forms(one.string)
        for text in said:
            assert places(text) in [places(form) for form in meant], one.id
            assert sorted(TAG.findall(text)) in [sorted(TAG.findall(form)) for form in meant], one.id


@pytest.mark.parametrize("code", OTHERS)
def test_a_text_with_a_number_has_every_plural_of_the_language(code: str) -> None:
    count = catalogue(code).num_plurals
    counted = [one for one in messages(code) if not isinstance(one.id, str)]
    assert counted
    assert [one.id for one in counted if len(forms(one.string)) != count or not all(forms(one.string))] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_begins_and_ends_as_its_text_does(code: str) -> None:
    for one in messages(code):
        for meant, said in zip(forms(one.id), forms(one.string), strict=False):
            assert (meant[0] == " ", meant[-1] == " ", meant[-1] == "…") == (
                said[0] == " ",
                said[-1] == " ",
                said[-1] == "…",
            ), one.id


def test_what_a_text_says_is_found_in_calls_templates_scripts_errors_and_lessons(sources: Catalog) -> None:
    assert sources.get("No play") is not None
    assert sources.get("Pass", context="cube") is not None
    assert sources.get("The board needs JavaScript.") is not None
    assert sources.get("%(play)s: the best play.") is not None
    assert sources.get("position %(row)s: %(said)s") is not None
    assert sources.get("Use both numbers") is not None


def test_no_text_stands_inside_an_f_string_where_no_catalogue_finds_it() -> None:
    calls = {"_", "gettext", "ngettext", "pgettext", "N_"}
    found = [
        f"{file.relative_to(ROOT)}:{call.lineno}"
        for file in sorted((ROOT / "src").rglob("*.py"))
        for text in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in calls
        and isinstance(call.args[0], ast.Constant)
    ]
    assert found == []


def test_no_error_is_an_f_string_that_no_catalogue_could_hold() -> None:
    errors = {name for name, kind in vars(error).items() if isinstance(kind, type) and issubclass(kind, BarpointError)}
    said_to_operators = {"server/telemetry.py", "server/fibs/listener.py"}
    package = ROOT / "src" / "barpoint"
    found = [
        f"{file.relative_to(package)}:{call.lineno}"
        for file in sorted(package.rglob("*.py"))
        if file.relative_to(package).as_posix() not in said_to_operators
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in errors and call.args
        if any(isinstance(part, ast.JoinedStr) for part in ast.walk(call.args[0]))
    ]
    assert found == []


def test_english_is_first_among_the_languages_and_each_is_named_in_itself() -> None:
    assert next(iter(languages())) == SOURCE
    assert languages()[SOURCE] == "English"
    assert languages()["de"] == "Deutsch"


def test_a_text_is_said_in_the_language_that_holds_and_its_places_are_filled() -> None:
    assert spoken.gettext("%(player)s takes", player="Anna") == "Anna takes"
    with in_language("de"):
        assert spoken.language() == "de"
        assert spoken.gettext("%(player)s takes", player="Anna") == "Anna nimmt an"
        assert spoken.gettext("a text in no catalogue") == "a text in no catalogue"
        assert spoken.gettext("") == ""
    assert spoken.language() == SOURCE


def test_a_number_chooses_the_form_of_a_text() -> None:
    said = [spoken.ngettext("%(num)s day", "%(num)s days", count) for count in (0, 1, 2, 1.5)]
    assert said == ["0 days", "1 day", "2 days", "1.5 days"]
    with in_language("de"):
        said = [spoken.ngettext("%(num)s day", "%(num)s days", count) for count in (0, 1, 2, 1.5)]
        assert said == ["0 Tage", "1 Tag", "2 Tage", "1,5 Tage"]


def test_a_word_with_two_meanings_has_two_translations() -> None:
    with in_language("de"):
        assert spoken.pgettext("tournaments", "Over") == "Zu Ende"
        assert spoken.pgettext("no such meaning", "Over") == "Over"


def test_an_unknown_language_is_english() -> None:
    with in_language("tlh"):
        assert spoken.language() == SOURCE
        assert spoken.gettext("You take") == "You take"
    assert spoken.known_language("tlh") is None


@pytest.mark.parametrize("code", ["de", "DE", "de-AT", "de_DE.UTF-8", " de "])
def test_a_code_with_a_country_or_an_encoding_means_its_language(code: str) -> None:
    assert spoken.known_language(code) == "de"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en,de;q=0.9", "en"),
        ("en;q=0.3,de;q=0.5", "de"),
        ("tlh,de;q=0.1", "de"),
        ("tlh", "en"),
        ("de;q=0", "en"),
        ("de;q=much,en", "en"),
        ("", "en"),
        ("*", "en"),
    ],
)
def test_a_browser_gets_the_language_it_prefers_among_ours(header: str, found: str) -> None:
    assert spoken.accepted_language(header) == found


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_AT", "LANG": "en_GB"}, "de"),
        ({}, "en"),
    ],
)
def test_a_terminal_says_its_language_in_its_environment(environ: dict[str, str], found: str) -> None:
    assert spoken.environment_language(environ) == found


def test_numbers_are_written_as_the_language_does() -> None:
    numbers = [(0.125, None, False), (1.5, 3, True), (2.0, None, False), (-0.25, 1, False)]
    assert [spoken.number(value, decimals, sign=sign) for value, decimals, sign in numbers] == [
        "0.125", "+1.500", "2", "-0.2",
    ]  # fmt: skip
    assert spoken.percent(0.523, 1) == "52.3%"
    with in_language("de"):
        assert [spoken.number(value, decimals, sign=sign) for value, decimals, sign in numbers] == [
            "0,125", "+1,500", "2", "-0,2",
        ]  # fmt: skip
        assert spoken.percent(0.523, 1) == "52,3\N{NO-BREAK SPACE}%"


def test_what_is_written_as_zero_has_no_sign() -> None:
    for value in (0.0, -0.0, 0.0004, -0.0004):
        assert [spoken.number(value, 3, sign=sign) for sign in (True, False)] == ["0.000", "0.000"]
        assert spoken.percent(value / 10, 1) == "0.0%"
    assert spoken.number(0, sign=True) == "0"
    assert [spoken.number(value, 3, sign=True) for value in (0.0006, -0.0006)] == ["+0.001", "-0.001"]


def test_dates_times_and_lists_are_written_as_the_language_does() -> None:
    assert spoken.date(MAY_2026_MS) == "3 May 2026"
    assert spoken.day("2026-05-03") == "3 May 2026"
    assert spoken.time(MAY_2026_MS) == "3 May, 18:05"
    assert spoken.listed(["Anna", "Ben", "Kim"]) == "Anna, Ben and Kim"
    with in_language("de"):
        assert spoken.date(MAY_2026_MS) == "3. Mai 2026"
        assert spoken.day("2026-05-03") == "3. Mai 2026"
        assert spoken.time(MAY_2026_MS) == "3. Mai, 18:05"
        assert spoken.listed(["Anna", "Ben", "Kim"]) == "Anna, Ben und Kim"
    assert spoken.day("") == ""
    assert spoken.listed([]) == ""
