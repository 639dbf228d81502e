"""A match against a bot with a tutor: the warning, the play kept under it, taken back or played, and the costliest mistakes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Page, Route, expect

from barpoint.game import Roll
from barpoint.server.live.event_log import StaleCommand
from tests.browser.hand import BOARD
from tests.browser.site import Person, Site, open_site, until
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBot, ScriptedDice
from tests.support.serving import Served

__all__ = ["open_site"]

PLAY_FIRST = """(() => { const board = document.querySelector('bg-board');
  const [from, to, number] = board.turn.view.turn.nodes[board.turn.now.node][1].at(0);
  return board.player.make([[from, to, number]], new Map()).then(() => null); })()"""

UNDECIDED = (
    f"{BOARD}?.turn && !{BOARD}.busy && {BOARD}.turn.view.allowed.some((may) => ['roll', 'play'].includes(may.kind))"
)


def play_until_warned(page: Page) -> None:
    """Makes the first play there is, turn after turn, until the tutor warns."""
    for _turn in range(40):
        until(page, f"({UNDECIDED}) || !document.getElementById('tutor').hidden")
        if page.locator("#tutor").is_visible():
            return
        page.evaluate(f"window.before = {BOARD}.turn.view")
        if page.evaluate(f"{BOARD}.turn.view.allowed.some((may) => may.kind === 'roll')"):
            page.locator('[data-kind="roll"]').click()
        else:
            while not page.evaluate(f"{BOARD}.turn.mayCommit"):
                page.evaluate(PLAY_FIRST)
                until(page, f"!{BOARD}.busy && !{BOARD}.turn.waiting")
            page.locator('[data-kind="play"]').click()
        until(page, f"!document.getElementById('tutor').hidden || {BOARD}.turn.view !== window.before")
    raise AssertionError("forty turns of bad play, and no warning")


async def finish(served: Served, match_id: str) -> None:
    """Plays the match to its end with random actions of the player."""
    matches, bot = served.services.matches, ChanceBot(3)
    for _attempt in range(PATIENCE_S * 200):
        live = await matches.live_match(match_id)
        if live.match.over:
            return
        game = live.match.game
        if game.actor == 0:
            event = bot.event(live.match, 0)
            with suppress(StaleCommand):  # the page was still acting
                await matches.act(match_id, 0, f"e{live.seq}", live.seq, Roll(0) if isinstance(event, Roll) else event)
        await asyncio.sleep(0.005)


def tutored(site: Site) -> Person:
    """Somebody who has to play the first roll of a match with the tutor."""
    person = site.person()
    person.go("/")
    person.page.locator("[name=tutor]").check()
    person.page.locator(".go button").click()
    person.page.wait_for_url("**/match/*")
    person.arrive()
    person.wait_for("play")
    return person


def test_a_blunder_is_warned_of_and_the_costliest_are_listed_at_the_end(open_site: Callable[..., Site]) -> None:
    opened = open_site()
    person = opened.person()
    page = person.page
    person.go("/")
    page.locator("[name=tutor]").check()
    page.select_option("#length", "1")
    page.locator(".go button").click()
    page.wait_for_url("**/match/*")
    play_until_warned(page)
    expect(page.locator("#tutor-text")).to_contain_text("(blunder).")
    expect(page.get_by_role("button", name="Take back")).to_be_focused()
    assert page.evaluate(f"{BOARD}.turn.made.length") > 0, "the play lies there still"
    page.get_by_role("button", name="What is better?").click()
    expect(page.locator("#tutor-text")).to_contain_text("Best is")
    page.get_by_role("button", name="Take back").click()
    until(page, f"{BOARD}.turn.made.length === 0")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint-text")).to_contain_text("Best is")
    play_until_warned(page)
    page.get_by_role("button", name="Play anyway").click()
    expect(page.locator("#tutor")).to_be_hidden()
    opened.served.call(finish(opened.served, page.url.rpartition("/")[2]))
    expect(page.locator("#costliest-list li").first).to_contain_text("??")
    assert "/replay#" in (page.locator("#costliest-list a").first.get_attribute("href") or "")


def test_a_warning_is_about_the_moves_that_lie_on_the_board(open_site: Callable[..., Site]) -> None:
    """Neither a warning nor an answer that comes late outlives the moves it is about; what is not answered in time is played."""
    site = open_site(dice=ScriptedDice([(6, 5)]))
    person = tutored(site)
    page = person.page
    page.locator("#open-settings").click()
    page.get_by_label("Warnings").select_option("From error")
    page.keyboard.press("Escape")
    asked: list[Route] = []
    page.route("**/tutor", lambda route: asked.append(route))

    def judge(mark: str) -> None:
        for _ in range(PATIENCE_S * 20):
            if asked:
                break
            page.wait_for_timeout(50)
        asked.pop().fulfill(json={"loss": 0.5, "mark": mark, "best": "", "moves": [], "lesson": ""})

    person.move((24, 18), (18, 13))
    person.press("play")
    judge("error")
    expect(page.locator("#tutor-text")).to_have_text("This play gives away 0.500 (error).")
    person.hand.drag("p13", "p18")
    expect(page.locator("#tutor")).to_be_hidden()

    person.move((18, 13))
    person.press("play")
    person.hand.drag("p13", "p18")
    judge("")
    page.wait_for_timeout(300)
    assert person.view["phase"] == "to_play", "what was taken back is not played"
    page.route("**/tutored", lambda route: route.abort())
    page.locator("#tutored").evaluate("box => box.click()")
    expect(page.locator("#toast")).to_have_text("Not saved. Try again.")
    expect(page.locator("#tutored")).to_be_checked()

    page.evaluate("AbortSignal.timeout = () => (window.patience = new AbortController()).signal")
    person.move((18, 13))
    person.press("play")
    expect(page.locator(".bg-status")).to_have_text("Judging …")
    page.evaluate("window.patience.abort()")  # as the time does
    person.wait("!v.allowed.some(may => may.kind === 'play') || v.last?.by === 'far'")
    site.forgive("Failed to load resource")


def test_a_hint_that_does_not_come_says_why(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    person = tutored(site)
    page = person.page
    reached = "The server cannot be reached."
    answers: list[tuple[Callable[[Route], None], str]] = [
        (lambda route: route.abort(), reached),
        (lambda route: route.fulfill(status=503, json={"message": "All engines are busy."}), "All engines are busy."),
        (lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"), reached),
        (lambda route: route.fulfill(body="<h1>Log in here</h1>"), reached),
    ]
    for answer, said in answers:
        page.route("**/tutor", answer)
        page.locator("#hint").click()
        expect(page.locator("#hint-text")).to_have_text(said)
        page.unroute("**/tutor")
    site.forgive("Failed to load resource")
