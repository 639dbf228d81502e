"""Settings that follow an account from a desk to a phone, and what a calm board leaves out."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.site import Person, Site, open_site
from tests.support.accounts import PASSWORD, hasten
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

FIRST_LOOK = """new MutationObserver((_, watcher) => {
  if (!document.body) return;
  window.first = {...document.documentElement.dataset};
  watcher.disconnect();
}).observe(document, {childList: true, subtree: true});"""
"""Notes what the root element says when the body begins, before anything is drawn."""


def enter(person: Person, page: str, name: str) -> None:
    """Makes an account, or logs in to it."""
    address = f"{person.site.served.address}/{page}"
    answer = person.context.request.post(address, form={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()


def settle(page: Page, act: Callable[[], object]) -> None:
    """Changes a setting, and waits until the server keeps it."""
    with page.expect_response("**/settings") as answered:
        act()
    assert answered.value.status == 204


def test_settings_of_an_account_are_the_same_at_the_desk_and_on_the_phone(open_site: Callable[..., Site]) -> None:
    site = open_site()
    hasten(site.served)
    desk, phone = site.person(), site.person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    form = "#page-settings"
    for person, colours in ((desk, "harbour"), (phone, "orchard")):
        person.go("/rules")
        person.page.locator(f"{form} [name=board]").evaluate(
            "(field, value) => { field.value = value; field.dispatchEvent(new Event('change')); }", colours
        )

    desk.go("/register")
    desk.page.fill("[name=name]", "Anna")
    desk.page.fill("[name=password]", PASSWORD)
    with desk.page.expect_request("**/settings") as given:
        desk.page.keyboard.press("Enter")
    assert given.value.post_data_json == {"board": "harbour"}, "a new account takes along what was changed here"
    desk.go("/rules")
    phone.page.add_init_script(FIRST_LOOK)
    enter(desk.site.person(), "register", "Ben")
    for name, colours in (("Ben", None), ("Anna", "harbour")):  # who logs in brings nothing along
        enter(phone, "login", name)
        phone.go("/rules")
        assert phone.page.evaluate("window.first.board") == colours, name

    desk.page.get_by_role("button", name="Settings").click()
    settle(desk.page, lambda: desk.page.select_option(f"{form} [name=scheme]", "dark"))
    phone.page.get_by_role("button", name="Menu").click()
    phone.page.get_by_role("button", name="Settings").click()
    settle(phone.page, lambda: phone.page.locator(f"{form} [name=ratings]").uncheck())
    phone.go("/rules")
    first = phone.page.evaluate("window.first")
    assert (first["board"], first["scheme"], first["hides"]) == ("harbour", "dark", "ratings")
    expect(phone.page.locator(f"{form} [name=ratings]")).not_to_be_checked()

    with site.stopped():
        phone.page.get_by_role("button", name="Menu").click()
        phone.page.get_by_role("button", name="Settings").click()
        phone.page.select_option(f"{form} [name=speed]", "slow")
        expect(phone.page.get_by_text("Not saved. Try again.")).to_be_visible()
    settle(phone.page, lambda: phone.page.locator(f"{form} [name=chat]").uncheck())
    expect(phone.page.get_by_text("Not saved. Try again.")).to_be_hidden()
    desk.go("/rules")
    expect(desk.page.locator(f"{form} [name=speed]")).to_have_value("slow")

    for person, colours in ((desk, "harbour"), (phone, "orchard")):  # a guest again
        person.context.clear_cookies()
        person.go("/rules")
        assert person.page.evaluate("document.documentElement.dataset.board") == colours


def test_what_is_changed_in_one_window_holds_in_the_others_at_once(open_site: Callable[..., Site]) -> None:
    site = open_site()
    hasten(site.served)
    anna = site.person()
    anna.go("/analysis")
    board, other = anna.page, anna.context.new_page()
    for colours in ("harbour", "orchard"):  # as a guest, then with an account
        board.reload()
        other.goto(f"{site.served.address}/rules")
        expect(board.locator(".bg-pips").first).to_be_visible()
        other.get_by_role("button", name="Settings").click()
        other.locator("#page-settings [name=board]").select_option(colours)
        other.locator("#page-settings [name=pips]").uncheck()
        expect(board.locator("html")).to_have_attribute("data-board", colours)
        expect(board.locator(".bg-pips").first).to_be_hidden()
        expect(board.locator("#page-settings [name=board]")).to_have_value(colours)
        enter(anna, "register", "Anna")
    other.close()


def test_a_calm_board_shows_and_says_no_chat_no_ratings_and_no_pip_counts(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    hasten(site.served)
    anna, ben = site.person(), site.person()
    enter(anna, "register", "Anna")
    enter(ben, "register", "Ben")
    anna.take(ben.challenge(length=3, rated="1"))
    anna.wait("v.phase === 'to_play'")
    page = anna.page
    parts = [page.locator(where) for where in (".bg-pips", ".rating", "#chat")]
    expect(page.locator(".rating").first).to_have_text("1500?")
    for part in parts:
        expect(part.first).to_be_visible()
    page.locator("#open-settings").click()
    for name in ("pips", "ratings", "chat"):
        settle(page, lambda name=name: page.locator(f"#settings [name={name}]").uncheck())  # type: ignore[misc]
    page.keyboard.press("Escape")
    ben.page.get_by_text("Chat", exact=True).last.click()
    for text in ("Good luck", "Hello?"):
        ben.page.get_by_label("Say something").fill(text)
        ben.page.get_by_role("button", name="Say", exact=True).click()
    expect(page.locator("#chat li")).to_have_text(["Ben Good luck", "Ben Hello?"])
    expect(page.locator("#toast")).to_be_hidden()
    for part in parts:
        expect(part.filter(visible=True)).to_have_count(0)
    page.keyboard.press("l")
    expect(page.locator(".bg-voice")).to_contain_text("Match to 3 points")
    expect(page.locator(".bg-voice")).not_to_contain_text("Pips:")
    page.locator("#open-settings").click()
    settle(page, lambda: page.locator("#settings [name=chat]").check())
    page.keyboard.press("Escape")
    expect(page.locator("#chat")).to_be_visible()


def test_letters_and_digits_act_on_the_board_alone_where_that_is_wanted(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    person.go("/analysis")
    person.arrive()
    page, setup = person.page, person.page.locator("#setup")
    form = page.locator("#page-settings")
    box = form.get_by_label("letters and digits act as keys on the whole page")
    for wanted in (False, True):
        page.get_by_role("button", name="Settings").click()
        box.set_checked(wanted)
        page.keyboard.press("Escape")
        expect(form).to_be_hidden()
        assert page.evaluate("document.querySelector('bg-board').options.letters") == wanted
        page.keyboard.press("s")
        expect(setup).to_be_visible(visible=wanted)
        page.reload()
        person.arrive()
        expect(box).to_be_checked(checked=wanted)
        page.keyboard.press("s")
        expect(setup).to_be_visible(visible=wanted)


def test_notifications_stay_unticked_where_the_browser_refuses_them(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    page = person.page
    page.add_init_script(
        """window.answer = 'denied';
        Object.defineProperty(Notification, 'permission', {get: () => window.answer});
        Notification.requestPermission = async () => window.answer;"""
    )
    person.go("/rules")
    page.get_by_role("button", name="Settings").click()
    box = page.locator("#page-settings [name=notify]")
    kept = "(JSON.parse(localStorage.getItem('barpoint')) ?? {}).notify ?? false"
    for answer, ticked in (("denied", False), ("granted", True)):
        page.evaluate("(answer) => (window.answer = answer)", answer)
        box.click()
        if not ticked:
            expect(page.locator("#toast")).to_have_text("The browser does not allow notifications from this page.")
        expect(box).to_be_checked(checked=ticked)
        assert page.evaluate(kept) == ticked
    person.go("/rules")  # where it refuses now
    expect(box).not_to_be_checked()
    page.evaluate("delete window.Notification")
    page.get_by_role("button", name="Settings").click()
    box.click()
    expect(page.locator("#toast")).to_be_visible()
    expect(box).not_to_be_checked()
