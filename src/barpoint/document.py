"""Where the pages a player reads (docs/rules/*.md) lie: beside the code when installed, in the checkout when editable."""

from __future__ import annotations

from pathlib import Path


def rules_folder() -> Path:
    """The folder of Markdown pages: one for every variant of the catalogue, under its name, and the general ones."""
    package = Path(__file__).parent
    installed = package / "docs" / "rules"
    return installed if installed.is_dir() else package.parents[1] / "docs" / "rules"
