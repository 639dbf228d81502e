"""The README's Python examples run as printed, and its commands and links exist."""

import doctest
import re
import sys
from pathlib import Path

import pytest

from barpoint.cli import main

README = Path(__file__).parents[2] / "README.md"
COMMANDS = re.findall(r"^barpoint ([^#\n]+)", README.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_examples_of_the_readme_print_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = sys.modules["barpoint.variants"]  # bp.variants is the function
    monkeypatch.setattr(catalogue, "_registered", [])  # an example registers a variant
    text = "\n".join(re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=report.append)
    assert result.attempted > 0
    assert result.failed == 0, "".join(report)
    catalogue._rules.cache_clear()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_is_understood(
    command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["barpoint", *command.split(), "--help"])
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    shown = capfd.readouterr().out
    assert [option for option in command.split() if option.startswith("-") and f" {option} " not in shown] == []


def test_links_of_the_readme_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert [target for target in targets if not (README.parent / target).exists()] == []
