"""The Python examples of the README, the tutorial and the pages on analysis and training run as printed, and its commands and links exist."""

import doctest
import re
import sys
from pathlib import Path

import pytest

from barpoint.cli import main

README = Path(__file__).parents[2] / "README.md"
WITH_EXAMPLES = (README, *(README.parent / "docs" / name for name in ("analysis.md", "tutorial.md", "training.md")))
COMMANDS = re.findall(r"^barpoint ([^#\n]+)", README.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = sys.modules["barpoint.variants"]  # bp.variants is the function
    monkeypatch.setattr(catalogue, "_registered", [])  # an example registers a variant
    monkeypatch.chdir(tmp_path)  # an example writes a file
    text = "\n".join(re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
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
