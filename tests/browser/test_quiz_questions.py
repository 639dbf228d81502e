"""What the quiz asks about a double: one question with the answer of the other side, judged by what both lose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.site import Site, open_site

__all__ = ["open_site"]

JUDGED = """async decision => { const { choicesOf, chosenBy } = await import("/static/replay/questions.js");
  return choicesOf(decision).map(text => { const { option, best, slip } = chosenBy(decision, text);
    return [text, best ?? "", Number((option.loss + slip).toFixed(3))]; }); }"""


def decision(kind: str, action: str, equities: tuple[float, float, float]) -> dict[str, Any]:
    stay, take, refused = equities
    double = min(take, refused)
    best = max(stay, double)
    options = [{"text": "No double", "loss": best - stay}, {"text": "Double", "loss": best - double}]
    cube = {"action": action, "no_double": stay, "double_take": take, "double_pass": refused}
    return {"kind": kind, "options": sorted(options, key=lambda one: one["loss"]), "cube": cube}


@pytest.mark.parametrize(
    ("action", "equities", "losses"),
    [
        ("double/take", (0.5, 0.7, 1.0), (0.2, 0.0, 0.3, 0.5)),
        ("double/pass", (0.8, 1.2, 1.0), (0.4, 0.2, 0.0, 0.2)),
        ("no double", (0.4, 0.3, 1.0), (0.0, 0.1, 0.8, 0.7)),
        ("too good", (1.1, 1.4, 1.0), (0.4, 0.5, 0.1, 0.0)),
    ],
)
def test_a_double_is_asked_with_the_answer_to_it(
    open_site: Callable[..., Site], action: str, equities: tuple[float, float, float], losses: tuple[float, ...]
) -> None:
    person = open_site().person()
    person.go("/review")
    for kind in ("double", "no double"):
        found = person.page.evaluate(JUDGED, decision(kind, action, equities))
        names = ("no double", "double/take", "double/pass", "too good")
        assert found == [[name, action, loss] for name, loss in zip(names, losses, strict=True)]
    taken = {"kind": "take", "options": [{"text": "Take", "loss": 0}, {"text": "Pass", "loss": 0.2}], "cube": {}}
    assert person.page.evaluate(JUDGED, taken) == [["Take", "", 0], ["Pass", "", 0.2]]
