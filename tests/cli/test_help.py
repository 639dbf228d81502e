"""The help and the output of commands, in the language of the terminal."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from barpoint.cli.help import error_text
from barpoint.cli.program import COMMANDS, ENGLISH
from tests.cli.test_cli import barpoint  # noqa: F401
from tests.record.test_mat import MATCH
from tests.support.marked import foreign, mark_german

START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:5:10"
DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:2:0:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:1:5:10"
NAMED = re.compile(
    r"--?[a-z-]+|\bnackgammon\b|<[^>]*>|\b[A-Z_]{2,}\b|XGID\S+"  # options, kinds of values, placeholders, IDs
    r"|\bbarpoint [a-z-]*|^│ (?:" + "|".join(COMMANDS) + r") "  # commands
)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("COLUMNS", "400")
    yield from mark_german(monkeypatch)


def untranslated(text: str) -> list[str]:
    """The lines with words outside the catalogue."""
    return [line for line in text.splitlines() if foreign(NAMED.sub(" ", line))]


@pytest.mark.parametrize("command", ["", *(name for name in COMMANDS if name not in ENGLISH)])
def test_all_of_a_help_is_in_the_catalogue(barpoint, marked: None, command: str) -> None:  # noqa: F811
    ran = barpoint(*command.split(), "--help")
    assert ran.status == 0
    assert "⟦Show this message and exit.⟧" in ran.out
    assert untranslated(ran.out) == []


def test_the_help_is_in_the_language_of_the_terminal_and_of_programs_english(
    barpoint,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    german = barpoint("eval", "--help").out
    assert "Aufruf: barpoint eval [OPTIONEN]" in german
    assert "[Vorgabe: backgammon]" in german
    assert "Usage: barpoint serve [OPTIONS]" in barpoint("serve", "--help").out
    monkeypatch.setenv("LC_ALL", "C")
    english = barpoint("eval", "--help").out
    assert "Usage: barpoint eval [OPTIONS]" in english
    assert "[default: backgammon]" in english


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", START, "-p", "0"),
        ("eval", XGID, "-p", "0"),
        ("eval", DOUBLED, "-p", "0"),
        ("eval", CRAWFORD, "-p", "0"),
        ("rollout", START, "-n", "36"),
        ("rollout", XGID, "-n", "36", "--candidates", "2"),
        ("rollout", START, "-n", "36", "--cube"),
        ("variants", "nackgammon"),
        ("convert", START, "start.svg"),
    ],
)
def test_all_of_an_output_is_in_the_catalogue(
    barpoint,  # noqa: F811
    marked: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ran = barpoint(*arguments)
    assert ran.status == 0
    assert "⟦" in ran.out
    assert untranslated(ran.out) == []


def test_what_a_variant_and_an_option_are_is_in_the_catalogue(barpoint, marked: None) -> None:  # noqa: F811
    lines = [line for line in barpoint("variants").out.splitlines() if line]
    assert len(lines) > 10
    assert [line for line in lines if not line.endswith("⟧")] == []


def test_a_report_and_its_page_are_in_the_language_of_the_terminal_and_its_json_is_english(
    barpoint,  # noqa: F811
    marked: None,
    tmp_path: Path,
) -> None:
    file, page = tmp_path / "match.mat", tmp_path / "page.html"
    file.write_text(MATCH, encoding="utf-8")
    ran = barpoint("analyse", str(file), "--plies", "0", "--html", str(page))
    assert "⟦Marked decisions, the worst first⟧" in ran.out
    assert "⟦performance rating⟧" in ran.out
    assert untranslated(ran.out) == []
    body = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert "<td>⟦Double⟧</td>" in body
    assert untranslated(re.sub(r"<[^>]*>", "\n", body)) == []
    assert '<html lang="de">' in body
    found = json.loads(barpoint("analyse", str(file), "--plies", "0", "--json").out)
    lessons = [one["lesson"] for one in found["decisions"] if one.get("lesson")]
    assert lessons
    assert "⟦" not in "".join(lessons)


def test_what_was_written_is_said_in_the_language_of_the_terminal(
    barpoint,  # noqa: F811
    marked: None,
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.mat"
    file.write_text(MATCH, encoding="utf-8")
    for target in ("b.json", "folder"):
        assert untranslated(barpoint("convert", str(file), str(tmp_path / target)).out) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--nosuch", "Diese Option gibt es nicht: --nosuch"),
        ("eval x --plie 3", "Diese Option gibt es nicht: --plie (möglich: --plies, --time)"),
        ("nosuch", "Diesen Befehl gibt es nicht: nosuch"),
        ("eval", "Es fehlt: ID"),
        ("rollout x -n", "Die Option -n braucht einen Wert"),
        ("rollout x -n many", "'--trials' / '-n': keine ganze Zahl"),
        ("eval a b c", "Zu viele Angaben: b c"),
        ("eval x -p 99", "erlaubt"),
    ],
)
def test_wrong_arguments_are_refused_in_the_language_of_the_terminal(
    barpoint,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    said: str,
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("COLUMNS", "200")
    ran = barpoint(*arguments.split())
    assert ran.status == 2
    assert said in ran.err


def test_an_error_that_is_not_known_stays_as_it_is() -> None:
    assert error_text("Something else.") == "Something else."
