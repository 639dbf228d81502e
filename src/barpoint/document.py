"""Where the pages a player reads (docs/rules/*.md) lie, and which of them is in the reader's language."""

from __future__ import annotations

from pathlib import Path

from barpoint.language import language


def rules_folder() -> Path:
    """The folder of Markdown pages: one for every variant of the catalogue, under its name, and the general ones.

    It lies beside the code when installed, in the checkout when editable. A translated page has the same name in a folder
    named by its language.
    """
    package = Path(__file__).parent
    installed = package / "docs" / "rules"
    return installed if installed.is_dir() else package.parents[1] / "docs" / "rules"


def rules_file(name: str) -> Path:
    """The page with this name in the language that holds now, or in English where there is no translation."""
    translated = rules_folder() / language() / f"{name}.md"
    return translated if translated.is_file() else rules_folder() / f"{name}.md"
