"""The first page: one press plays, the bar fits, settings are at hand, and nothing hides a field."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site, resize

__all__ = ["open_site"]

OpenSite = Callable[..., Site]


def width(person: Person) -> int:
    found: int = person.page.evaluate("document.documentElement.scrollWidth")
    return found


def test_play_now_starts_the_last_choice_again(open_site: OpenSite) -> None:
    anna = open_site().person()
    anna.choose("roll-over", "nackgammon", opponent="bot", length=5)
    anna.go("/")
    expect(anna.page.locator("#quick-line")).to_contain_text("Roll-Over + Nackgammon against a bot")
    expect(anna.page.locator("#v-roll-over")).to_be_checked()
    expect(anna.page.locator("#length")).to_have_value("5")
    unfinished = anna.page.get_by_role("link", name="Go on with Roll-Over + Nackgammon")
    first = unfinished.get_attribute("href")
    anna.page.get_by_role("button", name="New match").click()
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    assert anna.path != first
    assert anna.view["score"]["length"] == 5
    assert anna.view["tokens"] == {"near": 1, "far": 1}


def test_on_a_phone_a_tapped_game_comes_with_its_line_and_play_in_a_thumbs_reach(open_site: OpenSite) -> None:
    anna = open_site().person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    anna.go("/")
    page, play = anna.page, anna.page.locator("#play")
    page.locator("#v-hypergammon").tap()
    expect(page.locator("#picked b")).to_have_text("Hyper-backgammon")
    expect(page.locator("#picked span")).to_have_text("Three checkers a side, on the last three points.")
    level = page.locator("#level option:checked").inner_text()
    expect(page.locator("#picked u")).to_have_text(f"against a bot: {level}, 3 points")
    page.select_option("#length", "5")
    expect(page.locator("#picked u")).to_have_text(f"against a bot: {level}, 5 points")
    expect(play).to_be_in_viewport(ratio=1)
    assert width(anna) <= 390
    assert violations(page) == []
    play.tap()
    page.wait_for_url("**/match/*")
    anna.arrive()
    assert sum(anna.view["near"]["points"]) <= 3


def test_a_friend_is_one_press_away_on_the_first_screen_of_a_phone(open_site: OpenSite) -> None:
    anna = open_site().person(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    anna.go("/?variant=nackgammon")
    friend = anna.page.get_by_role("link", name="Play a friend")
    expect(friend).to_be_in_viewport(ratio=1)
    friend.tap()
    anna.page.wait_for_url("**/?variant=nackgammon&opponent=friend#against")
    expect(anna.page.locator("#o-friend")).to_be_checked()
    expect(anna.page.locator("#v-nackgammon")).to_be_checked()
    expect(anna.page.locator("#against")).to_be_in_viewport(ratio=1)
    expect(anna.page.get_by_role("link", name="Play a bot")).to_have_count(1)


def test_the_game_of_a_rules_page_is_the_one_that_the_first_page_plays(open_site: OpenSite) -> None:
    anna = open_site().person(viewport={"width": 360, "height": 640})
    anna.choose(opponent="bot", length=3)  # an unfinished match does not come before it
    anna.go("/rules/nackgammon")
    anna.page.get_by_role("link", name="Play Nackgammon").click()
    first = anna.page.locator(".hero .button").first
    expect(first).to_have_text("Play Nackgammon")
    expect(anna.page.locator(".hero .primary")).to_have_count(1)
    expect(anna.page.get_by_role("link", name="Go on with Backgammon")).to_be_visible()
    assert violations(anna.page) == []
    first.click()
    anna.page.wait_for_url("**/match/*")
    expect(anna.page.locator(".what b")).to_have_text("Nackgammon")
    ben = anna.site.person()
    ben.go("/?variant=nackgammon")
    expect(ben.page.locator(".hero .start")).to_have_attribute("alt", "The start of Nackgammon")
    ben.go("/?variant=nonsense")
    expect(ben.page.locator(".hero .button").first).to_have_text("Play now")


def test_play_now_shows_at_once_that_it_was_pressed_and_comes_back_with_the_page(open_site: OpenSite) -> None:
    anna = open_site().person()
    anna.go("/")
    button = anna.page.locator(".hero button.big")
    anna.page.evaluate(
        "addEventListener('submit', (event) => { window.sent = (window.sent ?? 0) + !event.defaultPrevented; event.preventDefault(); })"
    )  # an answer that does not come
    button.click()
    expect(button).to_have_text("Starting …")
    expect(button).to_have_attribute("aria-busy", "true")
    anna.page.wait_for_timeout(1100)  # no slip of the finger any more
    button.click(force=True)
    assert anna.page.evaluate("window.sent") == 1
    anna.page.evaluate("dispatchEvent(new Event('pageshow'))")  # as from the cache of pages left
    expect(button).to_have_text("Play now")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    button.click()
    assert anna.page.evaluate("window.sent") == 2


def test_a_game_tapped_does_not_join_what_was_chosen_last_time(open_site: OpenSite) -> None:
    anna = open_site().person(viewport={"width": 360, "height": 740})
    anna.choose("roll-over", opponent="bot", length=5)
    match = anna.path
    anna.go("/")
    page, title = anna.page, anna.page.locator("#card-title")
    assert width(anna) <= 360
    assert violations(page) == []
    page.locator("label[for=v-nackgammon]").click(force=True)
    expect(title).to_have_text("Nackgammon")
    page.locator("label[for=v-roll-over]").click(force=True)  # both are chosen now
    expect(title).to_have_text("Roll-Over + Nackgammon")
    page.locator("label[for=v-nackgammon]").click(force=True)
    expect(title).to_have_text("Roll-Over")
    page.reload()
    page.locator("label[for=v-roll-over]").click(force=True)  # what was chosen last time is taken away
    expect(title).to_have_text("Backgammon")
    page.route("**/card?*", lambda route: route.fulfill(status=503, body="<h1>Away</h1>"))
    page.locator("label[for=v-nackgammon]").click(force=True)
    expect(page.locator("#toast")).to_have_text("The server answered 503.")
    expect(title).to_have_text("Backgammon")  # no page of an error stands in its place
    anna.site.forgive("Failed to load resource")
    page.get_by_role("link", name="Go on with Roll-Over").click()
    page.wait_for_url(f"**{match}")


def test_an_unfinished_match_comes_before_a_new_one(open_site: OpenSite) -> None:
    anna = open_site().person(viewport={"width": 360, "height": 740})
    anna.go("/")
    expect(anna.page.locator("#go-on")).to_have_count(0)
    anna.choose(opponent="friend", length=5)
    anna.go("/")
    expect(anna.page.locator("#go-on")).to_have_count(0)  # it waits for the friend
    anna.choose(opponent="bot", length=7)
    anna.go("/")
    expect(anna.page.locator(".hero .primary")).to_have_text("Go on with Backgammon")
    expect(anna.page.locator("#quick-line")).to_contain_text("7 points")


def test_a_game_that_no_bot_plays_keeps_the_bot_chosen_and_says_so_beside_play(open_site: OpenSite) -> None:
    anna = open_site().person(viewport={"width": 360, "height": 740})
    anna.go("/")
    anna.tick("roll-over")
    page = anna.page
    play, note = page.get_by_role("button", name="Play", exact=True), page.locator("#no-bot")
    page.locator("label[for=v-fevga]").click(force=True)
    expect(note).to_have_text("No bot plays Roll-Over + Fevga. Take a game away, or play with a friend.")
    expect(play).to_be_disabled()
    expect(page.locator("#o-bot")).to_be_checked()
    assert violations(page) == []
    page.locator("label[for=o-friend]").click()
    expect(play).to_be_enabled()
    expect(note).to_be_hidden()
    expect(page.locator("#o-bot")).to_be_disabled()
    page.locator("label[for=v-nackgammon]").click(force=True)  # which takes Fevga back
    expect(page.locator("#card-title")).to_have_text("Roll-Over + Nackgammon")
    page.locator("label[for=o-bot]").click()
    expect(play).to_be_enabled()


def test_a_strength_is_back_once_a_bot_plays_the_game_again(open_site: OpenSite) -> None:
    anna = open_site().person()
    anna.go("/")
    page = anna.page
    first = page.locator("#level").input_value()
    assert first

    def tap(name: str, title: str) -> None:
        page.locator(f"label[for=v-{name}]").click(force=True)
        expect(page.locator("#card-title")).to_have_text(title)

    tap("fevga", "Fevga")
    tap("roll-over", "Roll-Over + Fevga")
    expect(page.locator("#levels")).to_be_hidden()
    tap("fevga", "Roll-Over")
    expect(page.locator("#level")).to_have_value(first)
    page.select_option("#level", "easy")
    tap("fevga", "Roll-Over + Fevga")
    tap("fevga", "Roll-Over")
    expect(page.locator("#level")).to_have_value("easy")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/match/*")
    expect(page.get_by_text("Easy").first).to_be_attached()


def test_the_first_page_fits_every_screen(open_site: OpenSite) -> None:
    person = open_site().person()
    person.go("/")
    for wide in (320, 360, 768, 900, 1280):
        resize(person.page, wide, 740)
        assert width(person) <= wide


def test_the_play_button_of_the_form_covers_no_field_on_a_phone(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 360, "height": 740})
    person.go("/")
    for name in ("o-bot", "o-friend", "o-lobby", "o-board"):
        label = person.page.locator(f"label[for={name}]")
        label.scroll_into_view_if_needed()
        box = label.bounding_box()
        assert box
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        assert person.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.getAttribute('for')", middle) == name


@pytest.mark.parametrize("wide", [320, 360])
def test_the_pages_are_behind_a_menu_on_a_phone(open_site: OpenSite, wide: int) -> None:
    person = open_site().person(viewport={"width": wide, "height": 740})
    person.go("/")
    link = person.page.get_by_role("link", name="Chouettes", exact=True)
    expect(link).to_be_hidden()
    person.page.get_by_role("button", name="Menu").click()
    expect(link).to_be_visible()
    assert width(person) <= wide
    assert violations(person.page) == []
    person.page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    person.page.get_by_role("button", name="Menu").click()
    link.click()
    person.page.wait_for_url("**/chouettes")


@pytest.mark.parametrize("wide", [360, 1280])
def test_settings_are_reached_from_every_bar_and_applied_at_once(open_site: OpenSite, wide: int) -> None:
    person = open_site().person(viewport={"width": wide, "height": 740})
    person.go("/rules")
    if wide == 360:
        person.page.get_by_role("button", name="Menu").click()
    person.page.get_by_role("button", name="Settings").click()
    dialog = person.page.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    dialog.locator("[name=scheme]").select_option("dark")
    dialog.locator("[name=board]").select_option("harbour")
    assert person.page.evaluate("document.documentElement.dataset.scheme") == "dark"
    assert violations(person.page) == []
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    person.go("/lobby")
    assert person.page.evaluate("document.documentElement.dataset.board") == "harbour"


def test_the_list_of_keys_is_offered_where_a_board_is_played_by_keyboard(open_site: OpenSite) -> None:
    person = open_site().person()
    keys = person.page.get_by_role("button", name="List of keys")
    for path, shown in (("/lobby", False), ("/rules/backgammon", False), ("/analysis", True)):
        person.go(path)
        if shown:
            person.arrive()  # the list is offered once the board shows something
        person.page.get_by_role("button", name="Settings").click()
        expect(person.page.get_by_role("dialog", name="Settings")).to_be_visible()
        expect(keys).to_have_count(int(shown))
    keys.click()
    expect(person.page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_a_clock_of_days_is_not_carried_over_from_a_friend_to_a_bot(open_site: OpenSite) -> None:
    person = open_site().person()
    person.challenge(length=1, time_control="Correspondence 1")
    person.go("/")
    clock = person.page.locator("#time_control")
    expect(clock).to_have_value("Correspondence 1")
    person.page.locator("label[for=o-lobby]").click()
    expect(clock).to_have_value("Correspondence 1")
    person.page.locator("label[for=o-bot]").click()
    expect(clock).to_have_value("None")
    person.go("/?level=easy")
    expect(clock).to_have_value("Correspondence 1")
    person.go("/?opponent=bot")
    expect(clock).to_have_value("None")
    clock.select_option("Correspondence 1")
    person.page.get_by_role("button", name="Play", exact=True).click()
    person.page.wait_for_url("**/match/*")
    person.arrive()
    person.go("/?opponent=bot")
    expect(clock).to_have_value("Correspondence 1")  # chosen for a bot


def test_a_second_press_of_a_slow_button_sends_its_form_once(open_site: OpenSite) -> None:
    anna = open_site().person()
    anna.go("/")
    sent: list[Route] = []
    anna.page.route("**/match", lambda route: sent.append(route))
    twice = "(button) => { button.click(); setTimeout(() => button.click(), 200); }"
    anna.page.get_by_role("button", name="Play now").evaluate(twice)
    anna.page.wait_for_timeout(700)
    assert len(sent) == 1
    sent[0].continue_()
    anna.page.wait_for_url("**/match/*")


def test_a_setting_changed_on_another_page_is_not_changed_back(open_site: OpenSite) -> None:
    anna = open_site().person()
    anna.go("/")
    other = anna.context.new_page()
    other.goto(anna.page.url)
    for page, field, value in ((other, "board", "harbour"), (anna.page, "speed", "slow")):
        page.get_by_role("button", name="Settings").click()
        page.locator(f"#page-settings [name={field}]").select_option(value)
    kept = anna.page.evaluate("JSON.parse(localStorage.getItem('barpoint'))")
    assert (kept["board"], kept["speed"]) == ("harbour", "slow")
    other.close()
