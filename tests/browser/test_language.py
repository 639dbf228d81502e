"""What scripts write in other languages: it fits a phone, and a zero has no sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from barpoint.language import languages
from tests.browser.hand import BOARD, Hand
from tests.browser.site import Site, open_site, resize
from tests.browser.views import roll, roll_twelve, view
from tests.browser.visits import PHONE, TOO_WIDE
from tests.support.deep import DEEP

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

CODES: Final = tuple(languages()) if DEEP else ("de", "es")
"""Two of those with the longest words, or all."""

RESIGN: Final = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 2, 3]}
ROLLOVER: Final = {"kind": "rollover", "roll": 3, "on": "other", "faces": [6, 5]}
OWN: Final = {"kind": "rollover", "roll": 3, "on": "own", "faces": [6, 1]}
OWN_TWELVE: Final = {"kind": "rollover", "roll": 3, "on": "own", "faces": [9]}
LEAVE: Final = {"kind": "abort", "reason": "loses"}
FOUR_BUTTONS: Final = (
    [RESIGN, ROLLOVER, {"kind": "double", "value": 4}, {"kind": "roll"}],
    [RESIGN, LEAVE, {"kind": "double", "reason": "dead"}, {"kind": "roll"}],
    [RESIGN, {"kind": "take", "value": 2}, {"kind": "pass", "points": [1]}, {"kind": "beaver", "value": 4}],
)


def test_four_buttons_below_the_board_fit_a_phone_in_languages_with_long_words(open_site: OpenSite) -> None:
    site = open_site()
    found = {}
    tokens = {"near": 1, "far": 1}
    shown = [view(allowed=allowed, tokens=tokens) for allowed in FOUR_BUTTONS]
    shown.append(
        view(allowed=[RESIGN, ROLLOVER], tokens=tokens, dice=roll(3, 1), made=[[8, 5, 3]])
    )  # Done and Undo, too
    for code in CODES:
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


def test_scripts_keep_a_name_written_from_right_to_left_from_moving_the_numbers_beside_it(hand: Hand) -> None:
    name = "\u05d3\u05e0\u05d4"
    written = hand.page.evaluate(
        """async (name) => { const { _, ngettext } = await import('/static/board/language.js');
        const said = _('%(player)s rolls %(faces)s', { player: name, faces: 41 });
        return [said, _('%(said)s.', { said }), ngettext('%(who)s: %(num)s', '%(who)s: %(num)s', 2, { who: 'Anna' }), _('%(absent)s')]; }""",
        name,
    )
    kept = f"\u2068{name}\u2069 rolls 41"
    assert written == [kept, f"{kept}.", "Anna: 2", "%(absent)s"]


WITH_A_CLOCK: Final = """() => { for (const side of ["near", "far"]) {
    const clock = document.querySelector(`.clock[data-side="${side}"]`);
    clock.hidden = false;
    clock.dataset.runs = String(side === "near");
    clock.querySelector(".time").textContent = "12:34";
    clock.querySelector(".free").textContent = side === "near" ? "+12" : "";
    clock.parentElement.querySelector(".rating").textContent = "1634?"; } }"""
"""Shows what a rated match with a clock adds to both rows."""

OUTSIDE: Final = """(() => {
  const found = [], status = document.querySelector(".bg-status");
  for (const part of document.querySelectorAll("bg-board :is(.bg-plate > *, .bg-who > *, .bg-row > *, .bg-status, .bg-button)")) {
    const { left, right, top, bottom, width } = part.getBoundingClientRect();
    if (width > 1 && (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)) found.push(`${part.className} is outside`);
  }
  const lines = status.getBoundingClientRect().height / parseFloat(getComputedStyle(status).lineHeight);
  if (lines > 2.1) found.push(`${lines} lines: ${status.textContent}`);
  const words = document.createRange();
  for (const text of status.childNodes) for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) {
    words.setStart(text, index), words.setEnd(text, index + word.length);
    if (words.getClientRects().length > 1 && !word.includes("-")) found.push(`${word} is split`);
  }
  const name = document.querySelector(".bg-foot .bg-name");
  if (name.scrollWidth > name.clientWidth) found.push(`the name is cut: ${name.textContent}`);
  return found;
})()"""
"""Parts of the players' rows and of the line between them that are not whole in the window."""


@pytest.mark.parametrize(
    ("width", "height"),
    [pytest.param(1280, 800, marks=pytest.mark.deep), (1366, 768), pytest.param(2560, 1440, marks=pytest.mark.deep)],
)
def test_four_buttons_beside_a_wide_board_leave_room_for_the_row_in_languages_with_long_words(
    open_site: OpenSite, width: int, height: int
) -> None:
    site = open_site()
    found = {}
    tokens = {"near": 1, "far": 1}
    for code in CODES:
        person = site.person(locale=code, viewport={"width": width, "height": height})
        person.challenge("roll-over", length=5)
        person.page.locator("#invite").evaluate("box => box.remove()")
        person.page.evaluate(WITH_A_CLOCK)
        person.page.evaluate(f"{BOARD}.line.introduce('')")  # that a second player is awaited
        labels = person.view["labels"]
        shown = [view(allowed=allowed, tokens=tokens, labels=labels) for allowed in FOUR_BUTTONS]
        shown += [
            view(allowed=[RESIGN, OWN], tokens=tokens, labels=labels, dice=roll(6, 1), made=[[8, 2, 6]]),
            view(allowed=[RESIGN, OWN_TWELVE], tokens=tokens, labels=labels, dice=roll_twelve(9)),
            view(allowed=[RESIGN], labels=labels, dice=roll_twelve(9), made=[[8, 5, 3]]),
        ]
        for number, one in enumerate(shown):
            person.hand.show(one)
            found[code, number] = person.page.evaluate(OUTSIDE)
    assert {at: texts for at, texts in found.items() if texts} == {}
