"""A match is written down and corrected at the board: by fingers alone, and with keys between typed lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site
from tests.browser.test_match_touch import PHONE, tap_button
from tests.record.test_mat import MATCH

__all__ = ["open_site"]


def lines(person: Person) -> list[str]:
    return person.page.locator("#lines").input_value().splitlines()


@contextmanager
def answer_awaited(page: Page) -> Iterator[None]:
    """What is done meanwhile is done before the server has answered what is entered first."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if not held and "event=" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()  # the board asks about moves, too

    page.route("**/correct/board", hold)
    yield
    with page.expect_event("requestfinished", lambda request: "event=" in (request.post_data or "")):
        while not held:  # the browser may not have sent it yet
            page.wait_for_timeout(20)
        held[0].continue_()


def test_a_game_is_written_down_by_fingers_alone(open_site: Callable[..., Site]) -> None:
    keeper = open_site().person(**PHONE)
    page = keeper.page
    keeper.go("/review")
    page.get_by_role("link", name="Enter a match by hand").tap()
    page.get_by_role("textbox", name="Light").fill("Anna")
    page.get_by_role("textbox", name="Dark").fill("Ben")
    page.select_option("#length", "3")
    page.get_by_role("button", name="Play", exact=True).tap()
    page.wait_for_url("**/match/*")
    keeper.go(f"{keeper.path}/correct")
    keeper.arrive()

    def roll(*faces: int) -> None:
        keeper.wait("v.roll")
        for face in faces:
            page.locator(f'.die[data-face="{face}"]').tap()
        keeper.wait("v.dice")

    def drag(*moves: tuple[str, str]) -> None:
        for source, target in moves:
            keeper.hand.scroll_to(source)
            keeper.hand.finger_drag(keeper.hand.at(source), keeper.hand.at(target))
            keeper.hand.settle()

    roll(3, 1)
    drag(("p8", "p5"), ("p6", "p5"), ("p5", "p6"), ("p6", "p5"))  # one is taken back and made again
    tap_button(keeper, "play")
    roll(6, 2)
    page.locator('.die[data-face="6"]').tap()  # that was another roll
    page.locator('.die[data-face="4"]').tap()
    keeper.wait("v.dice?.faces[1] === 4")
    drag(("p1", "p7"), ("p7", "p11"))
    tap_button(keeper, "play")
    tap_button(keeper, "double")
    expect(page.locator("#line")).to_have_text("5. ")
    page.get_by_role("button", name="Take back").tap()
    page.get_by_role("button", name="Take back").tap()
    keeper.wait("v.roll && v.allowed.some(({ kind }) => kind === 'double')")
    assert lines(keeper) == ["opening 3-1", "Anna: 8/5 6/5", "Ben: 64 24/14"]
    tap_button(keeper, "double")
    tap_button(keeper, "pass")
    tap_button(keeper, "next")
    expect(page.locator(".real-dice-prompt")).to_have_text("Anna’s opening die")
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    with answer_awaited(page):
        for face in (5, 2):
            page.locator(f'.die[data-face="{face}"]').tap()
        page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/match/*")
    keeper.arrive()
    assert (keeper.view["score"]["near"], keeper.view["dice"]["faces"]) == (1, [5, 2])


def test_an_imported_match_is_corrected_with_keys_between_typed_lines(open_site: Callable[..., Site]) -> None:
    site = open_site()
    owner = site.person()
    page, keys = owner.page, owner.page.keyboard
    owner.go("/review")
    page.set_input_files("#file", {"name": "match.mat", "mimeType": "text/plain", "buffer": MATCH.encode()})
    page.wait_for_url("**/replay")
    owner.arrive()
    owner.go(f"{owner.path.partition('/replay')[0]}/correct?after=0")
    owner.arrive()
    for _ in range(2):
        page.get_by_role("button", name="Next position").press("Enter")
    owner.wait("v.dice?.faces[0] === 6")
    page.locator('[data-spot="p6"]').focus()
    keys.type("21")
    owner.wait("v.dice?.faces[0] === 2")
    keys.press("/")
    keys.type("13/11 6/5")
    keys.press("Enter")
    keys.press("Escape")
    with answer_awaited(page):
        keys.press("Enter")
        page.get_by_role("button", name="Next position").click()
        page.locator("#lines").press("x")
    expect(page.locator("#line")).to_have_text("5. Ben: pass")
    assert lines(owner)[2:5] == ["Ben: 21 13/11 6/5", "Anna: double", "Ben: pass"]
    page.locator("#lines").press("Control+End")
    keys.type("\nAnna: 43 24/21 24/20\nBen: 65")
    owner.wait("v.dice?.faces[0] === 6 && v.dice.of === 'far'")
    expect(page.locator("#problem")).to_have_text("")
    keys.press("ArrowUp")
    keys.press("End")
    for _ in range(len("Anna: 43 24/21 24/20")):
        keys.press("Backspace")
    keys.type("Anna: 43 24/10")
    keys.press("ArrowDown")
    expect(page.locator("#problem")).to_contain_text("“Anna: 43 24/10” is not possible here")
    expect(page.locator("#line")).to_have_text("9. Anna: 43 24/10")
    page.get_by_role("button", name="Take back").click()
    owner.wait("v.roll?.of === 'near'")
    assert violations(page) == []
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("“Ben: 65” is not possible here")
    page.get_by_role("button", name="Save the lines before it").click()
    page.wait_for_url("**/replay")
    owner.arrive()
