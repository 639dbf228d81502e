"""The pages in a browser: fast to the board, no horizontal overflow, accessible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.barriers import SCHEMES, violations
from tests.browser.hand import BOARD
from tests.browser.site import Site, open_site, resize, until
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

WIDTHS = (320, 360, 768, 1280, 2560)
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


def overflow(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found


def test_from_the_first_visit_to_the_first_roll_in_one_click(open_site: Callable[..., Site]) -> None:
    anna = open_site().person()
    anna.go("/")
    anna.page.get_by_role("button", name="Play now").click()
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    anna.wait("v.to_act === 'near'")
    assert anna.view["labels"]["far"].startswith("Barpoint")
    assert anna.view["score"]["length"] == 3


def test_no_page_is_wider_than_the_screen(open_site: Callable[..., Site]) -> None:
    anna = open_site(dice=ScriptedDice([(6, 5)])).person()
    anna.choose("roll-over", opponent="bot", length=3)
    match = anna.path
    for path in ("/", match, "/rules", "/rules/duodecagammon", "/rules/questions", "/nowhere"):
        anna.go(path)
        if path == match:
            anna.arrive()
        for width in WIDTHS:
            resize(anna.page, width, 700)
            assert overflow(anna.page) == 0, (path, width)
    anna.site.forgive("404")


def test_a_page_keeps_its_heading_while_a_notice_stands_in_its_place(open_site: Callable[..., Site]) -> None:
    anna = open_site().person(**PHONE)
    anna.choose(opponent="bot")
    anna.wait("v.phase !== 'opening'")
    anna.page.evaluate(
        "Object.assign(document.getElementById('notice'), {hidden: false, textContent: 'Time to decide: 59 s'})"
    )
    expect(anna.page.locator("#notice")).to_be_visible()
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("Backgammon 1 point", use_inner_text=False)


def test_everything_a_turn_needs_is_on_a_small_screen(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(5, 6)]))
    anna = site.person(**PHONE)
    anna.choose("roll-over", opponent="bot", length=3)
    anna.wait_for("roll")
    anna.wait("v.allowed.some(may => may.kind === 'rollover')")
    for thing in (
        "bg-board svg",
        '[data-kind="roll"]',
        '[data-kind="double"]',
        '[data-kind="rollover"]',
        "#open-settings",
    ):
        box = anna.page.locator(thing).first.bounding_box()
        assert box is not None, thing
        assert box["y"] >= 0, thing
        assert box["y"] + box["height"] <= 640, f"{thing} is not on the screen: {box}"


@pytest.mark.parametrize(
    ("width", "height"),
    [(667, 375), *(pytest.param(*size, marks=pytest.mark.deep) for size in ((844, 390), (932, 430)))],
)
def test_on_a_phone_on_its_side_the_board_and_its_buttons_are_whole_and_covered_by_nothing(
    open_site: Callable[..., Site], width: int, height: int
) -> None:
    site = open_site(dice=ScriptedDice([(5, 6)]))
    anna = site.person(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    anna.choose("roll-over", opponent="bot", length=3)
    anna.wait_for("roll")
    assert overflow(anna.page) == 0
    board, foot, rest = (
        anna.page.locator(one).bounding_box() for one in (".bg-stage", ".bg-foot", ".match-page > .side")
    )
    assert board
    assert foot
    assert rest
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= foot["x"]
    assert foot["x"] + foot["width"] <= width
    assert max(one["y"] + one["height"] for one in (board, foot)) <= min(height, rest["y"])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_barrier_that_axe_knows(open_site: Callable[..., Site], scheme: str) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.person(color_scheme=scheme), site.person(color_scheme=scheme)
    anna.choose("roll-over", "duodecagammon", opponent="friend", length=3)
    assert violations(anna.page) == [], "waiting for a friend"
    invitation = anna.invitation()
    ben.go(invitation)
    assert violations(ben.page) == [], "an invitation"
    ben.accept(invitation)
    anna.wait("v.phase !== 'opening'")
    assert violations(anna.page) == [], "a match"
    anna.page.get_by_role("button", name="Settings").click()
    assert violations(anna.page) == [], "settings"
    anna.page.keyboard.press("Escape")
    anna.page.get_by_role("button", name="More").click()
    assert violations(anna.page) == [], "more about the match"


def test_cards_that_do_not_go_together_take_each_other_back(open_site: Callable[..., Site]) -> None:
    anna = open_site().person()
    anna.go("/")

    def chosen() -> list[str]:
        found: list[str] = anna.page.eval_on_selector_all(
            "input[name=variant]", "boxes => boxes.filter(box => box.checked).map(box => box.value)"
        )
        return found

    def pick(name: str) -> None:
        anna.page.locator(f"label[for=v-{name}]").click(force=True)

    assert chosen() == ["backgammon"]
    pick("roll-over")
    pick("duodecagammon")
    assert chosen() == ["roll-over", "duodecagammon"]
    expect(anna.page.locator("#card-title")).to_have_text("Roll-Over + Duodecagammon")
    pick("cancelgammon")
    assert chosen() == ["cancelgammon", "duodecagammon"]
    pick("backgammon")
    assert chosen() == ["backgammon"]
    pick("plakoto")
    anna.page.get_by_text("No bot plays this yet").wait_for()
    expect(anna.page.locator("#levels")).to_be_hidden()
    anna.page.locator("label[for=o-friend]").click()
    expect(anna.page.locator("#o-bot")).to_be_disabled()
    pick("plakoto")
    expect(anna.page.locator("#o-bot")).to_be_enabled()
    expect(anna.page.locator("#o-friend")).to_be_checked()
    assert chosen() == ["backgammon"]


def test_only_fields_that_mean_something_are_shown(open_site: Callable[..., Site]) -> None:
    anna = open_site().person()
    anna.go("/")
    crawford, jacoby = anna.page.get_by_label("Crawford rule"), anna.page.get_by_label("Jacoby rule")
    expect(crawford).to_be_visible()
    expect(jacoby).to_be_hidden()
    anna.page.select_option("#length", "0")
    expect(crawford).to_be_hidden()
    expect(jacoby).to_be_visible()
    anna.page.select_option("#length", "1")
    expect(anna.page.get_by_label("Doubling cube")).to_be_hidden()


def test_settings_are_kept_and_used(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, _ = site.pair()
    anna.page.get_by_role("button", name="Settings").click()
    anna.page.get_by_label("Your home").select_option("on the left")
    anna.page.locator("#settings-form [name=scheme]").select_option("dark")
    anna.page.get_by_label("Colours").select_option("Harbour")
    anna.page.keyboard.press("Escape")
    mirrored = anna.hand.box("p1")["x"]
    assert mirrored < anna.hand.box("p12")["x"]
    anna.page.reload()
    anna.arrive()
    assert anna.hand.box("p1")["x"] == mirrored
    assert anna.page.evaluate("document.documentElement.dataset.scheme") == "dark"
    assert anna.page.evaluate("document.documentElement.dataset.board") == "harbour"


def test_forced_plays_are_made_only_where_that_was_asked_for(open_site: Callable[..., Site]) -> None:
    rolls = [(5, 5), (2, 1), (2, 1)]
    site = open_site(dice=ScriptedDice([(6, 5)], rolls))
    anna, ben = site.pair("hypergammon", length=1, **{"opt-hypergammon-checkers": "1"})
    ben.page.get_by_role("button", name="Settings").click()
    ben.page.get_by_label("plays that leave no choice").check()
    ben.page.keyboard.press("Escape")
    anna.turn((24, 18), (18, 13))
    ben.press("roll")
    anna.wait("v.last.kind === 'play' && v.last.by === 'far'")
    assert anna.view["last"]["text"].startswith("24/")
    assert anna.view["to_act"] == "near"


def test_a_friend_on_the_phone_plays_by_tapping(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    anna, ben = site.person(**PHONE), site.person()
    anna.choose(length=1)
    ben.accept(anna.invitation())
    anna.wait_for("play")
    for played, (source, target) in enumerate(((8, 5), (6, 5)), 1):
        anna.page.touchscreen.tap(*anna.hand.at(f"p{source}"))
        until(anna.page, f"document.querySelector('[data-goal=p{target}]')")
        anna.page.touchscreen.tap(*anna.hand.at(f"p{target}"))
        until(anna.page, f"{BOARD}.turn.made.length === {played}")
        anna.hand.settle()
    anna.commit()
    ben.wait("v.last?.text === '8/5 6/5'")


def test_a_press_while_checkers_still_move_ends_the_motion_and_a_second_one_is_no_error(
    open_site: Callable[..., Site],
) -> None:
    site = open_site()
    person = site.person(reduced_motion="no-preference")
    person.choose(opponent="bot", length=3)
    person.arrive()
    roll = person.page.locator("bg-board").get_by_role("button", name="Roll", exact=True)
    for _turn in range(2):
        person.wait("v.allowed.some(may => may.kind === 'roll' || may.kind === 'play')")
        if "play" in person.kinds:
            person.anything()
        roll.wait_for()
        roll.click()
        for _press in range(5):
            with suppress(PlaywrightTimeout):  # it may be gone by now
                if roll.is_visible():
                    roll.click(timeout=500)
            person.page.wait_for_timeout(150)
        person.wait("v.dice !== null")
        assert "allowed now" not in person.page.locator("body").inner_text()
        person.anything()
