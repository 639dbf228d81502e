"""What axe-core says about a page, and in which colours pages are asked."""

from __future__ import annotations

from typing import Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SCHEMES: Final = ("light", pytest.param("dark", marks=pytest.mark.deep))
"""For pages in states of their own. Every page is asked in dark colours too, in tests/browser/test_every_page.py."""

OPTIONS: Final = "{resultTypes: ['violations'], selectors: false}"
"""All rules; what is found is shown by its HTML."""


def violations(page: Page) -> list[str]:
    """The violations that axe-core finds."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(f"axe.run({OPTIONS}).then(results => results.violations)")
    return [f"{one['id']}: {one['help']}: {[node['html'][:150] for node in one['nodes'][:3]]}" for one in found]
