"""What scripts write in other languages: it fits a phone, and a zero has no sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import expect

from barpoint.language import languages
from tests.browser.hand import Hand
from tests.browser.site import Site, open_site, resize
from tests.browser.views import roll, view
from tests.browser.visits import PHONE, TOO_WIDE

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

RESIGN: Final = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 2, 3]}
ROLLOVER: Final = {"kind": "rollover", "roll": 3, "on": "other", "faces": [6, 5]}
LEAVE: Final = {"kind": "abort", "reason": "loses"}
FOUR_BUTTONS: Final = (
    [RESIGN, ROLLOVER, {"kind": "double", "value": 4}, {"kind": "roll"}],
    [RESIGN, LEAVE, {"kind": "double", "reason": "dead"}, {"kind": "roll"}],
    [RESIGN, {"kind": "take", "value": 2}, {"kind": "pass", "points": [1]}, {"kind": "beaver", "value": 4}],
)


def test_four_buttons_below_the_board_fit_a_phone_in_every_language(open_site: OpenSite) -> None:
    site = open_site()
    found = {}
    tokens = {"near": 1, "far": 1}
    shown = [view(allowed=allowed, tokens=tokens) for allowed in FOUR_BUTTONS]
    shown.append(
        view(allowed=[RESIGN, ROLLOVER], tokens=tokens, dice=roll(3, 1), made=[[8, 5, 3]])
    )  # Done and Undo, too
    for code in languages():
        person = site.person(locale=code, **PHONE)
        person.challenge(length=5)
        for width in (360, 320):
            resize(person.page, width, 740)
            for number, one in enumerate(shown):
                person.hand.show(one)
                expect(person.page.locator(".bg-actions button")).to_have_count(4)
                found[code, width, number] = person.page.evaluate(TOO_WIDE)
    assert {at: texts for at, texts in found.items() if texts} == {}


def test_scripts_write_no_sign_before_what_is_shown_as_zero(hand: Hand) -> None:
    written = hand.page.evaluate(
        """async () => { const { number, percent } = await import('/static/board/language.js');
        return [0, -0, 0.0004, -0.0004].flatMap((value) => [number(value, 3, true), number(value, 3), percent(value / 10)])
          .concat(number(0.0006, 3, true), number(-0.0006, 3, true), number(-0.0006, 3), percent(-0.25), number(-2n)); }"""
    )
    assert written == ["0.000", "0.000", "0.0%"] * 4 + ["+0.001", "−0.001", "−0.001", "−25.0%", "−2"]
