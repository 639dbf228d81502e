"""Two people with accounts: a rated match with a clock and an entry fee, from the challenge to the verified dice."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
from playwright.sync_api import expect

from barpoint.server.domain.dice_report import check, read_report
from barpoint.server.services import wall_clock
from barpoint.server.storage import audit
from tests.browser.site import Person, Site, open_site, resize, until
from tests.support.accounts import PASSWORD, hasten
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

MINUTE_MS = 60_000
CUT_NAMES = "[...document.querySelectorAll('.bg-name')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
LINES = "(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"


class StandingClock:
    """A clock that stands still until a test moves it, so that a slow machine costs no thinking time."""

    def __init__(self) -> None:
        self.now_ms = wall_clock()

    def __call__(self) -> int:
        return self.now_ms


def registered(site: Site, name: str, **settings: object) -> Person:
    person = site.person(**settings)
    answer = person.context.request.post(f"{site.served.address}/register", form={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()
    return person


def in_order(anna: Person, ben: Person) -> tuple[Person, Person]:
    """The winner of the opening roll, and the other, once the match has begun."""
    for person in (anna, ben):
        person.wait("v.phase === 'to_play'")
    return (anna, ben) if "play" in anna.kinds else (ben, anna)


def test_a_rated_match_on_the_clock_from_the_invitation_to_the_checked_dice(open_site: Callable[..., Site]) -> None:
    clock = StandingClock()
    site = open_site(clock=clock, scheduler_ms=50)
    hasten(site.served)
    anna = registered(site, "Anna")
    ben = registered(site, "Ben", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)

    anna.go("/")
    anna.page.locator("label[for=o-friend]").click()
    anna.page.select_option("#time_control", "Fast")
    anna.page.get_by_label("Rated").check()
    anna.page.get_by_label("Entry fee").fill("100")
    anna.page.get_by_role("button", name="Play", exact=True).click()
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    expect(anna.page.locator("#request")).to_be_hidden()
    commitment = anna.page.locator("#commitment").input_value()
    ben.accept(anna.invitation())
    first, second = in_order(anna, ben)
    expect(anna.page.locator(".what")).to_contain_text("Fast clock, rated, entry fee 100 tickets")
    expect(anna.page.locator("#dice-seed")).to_contain_text("A seed is given by you and Ben")
    for person in (anna, ben):
        near, far = (person.page.locator(f".clock[data-side={side}]") for side in ("near", "far"))
        expect(person.page.locator(".rating")).to_have_text(["1500?", "1500?"])
        expect((near if person is second else far).locator(".time")).to_have_text("1:00")
    assert ben.page.evaluate("document.documentElement.scrollWidth") <= 360

    first.anything()
    second.wait_for("roll")
    path = second.path
    second.page.goto("about:blank")  # and comes back, with the clock still running
    second.go(path)
    second.arrive()
    expect(second.page.locator(".clock[data-side=near]")).to_have_attribute("data-runs", "true")
    expect(second.page.locator(".clock[data-side=far] .time")).to_have_text("1:00")
    second.roll()
    second.anything()

    first.wait_for("roll")
    clock.now_ms += 5 * MINUTE_MS
    for person in (first, second):
        person.wait("v.result")
        expect(person.page.locator("#banner")).to_contain_text("out of time")
    expect(second.page.locator("#banner-count")).to_contain_text("You 1500 → 1517 (+17.2)")
    expect(second.page.locator("#banner-count")).to_contain_text("You win 200 tickets")
    expect(first.page.locator("#banner-count")).to_contain_text("You 1500 → 1483 (−17.2)")
    assert site.served.call(site.served.services.store.read(audit.differences)) == []

    first.page.get_by_role("button", name="Rematch").click()
    first.page.wait_for_url(lambda url: not url.endswith(path))
    second.page.get_by_role("button", name="To the rematch").click()
    second.page.wait_for_url(f"**{first.path}")
    first.arrive()
    second.arrive()
    in_order(anna, ben)
    expect(anna.page.locator(".what")).to_contain_text("Fast clock, rated, entry fee 100 tickets")
    expect(second.page.locator(".bg-plate", has_text="You").locator(".rating")).to_have_text("1517?")

    anna.go(f"/verify?match={path.rpartition('/')[2]}")
    verdict = anna.page.locator("#verdict")
    expect(verdict).to_contain_text("Right:")
    expect(verdict).to_contain_text("Your browser's own seed is in it.")
    assert anna.page.locator("#commitment").input_value() == commitment
    report = httpx.get(f"{site.served.address}{path}/dice.json").content
    assert check(read_report(report)).games == 1
    tampered = json.loads(report)
    tampered["rolls"][-1]["faces"] = [6, 6] if tampered["rolls"][-1]["faces"] != [6, 6] else [5, 5]
    anna.page.locator("#report").fill(json.dumps(tampered))
    anna.page.get_by_role("button", name="Check").click()
    expect(verdict).to_contain_text("Refused: game 1, roll")


def ask(person: Person, name: str) -> None:
    """Presses a button of the request in sight; what can be asked for at any time stands under More."""
    person.page.locator(f"[data-ask={name}]").wait_for(state="attached")
    if not person.page.locator(f"#request [data-ask={name}]").count():
        person.page.get_by_role("button", name="More").click()
    person.page.locator(f"[data-ask={name}]").click()


def test_a_match_is_put_off_gone_on_with_and_claimed_from_who_has_left(open_site: Callable[..., Site]) -> None:
    clock = StandingClock()
    site = open_site(clock=clock, scheduler_ms=50, dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair(length=3)
    ask(ben, "adjourn")
    for person in (anna, ben):
        expect(person.page.locator("#request")).to_contain_text("The match is adjourned")
        person.wait("v.allowed.length === 0")
    ask(ben, "resume")
    expect(anna.page.locator("#request")).to_contain_text("wants to go on")
    ask(anna, "resume")
    anna.turn((24, 18), (18, 13))
    ben.wait_for("roll")
    expect(anna.page.locator("[data-ask=claim]")).to_have_count(0)  # Ben has arrived
    back = ben.path
    dot = anna.page.locator(".presence[data-side=far]")
    expect(dot).to_have_text("connected")
    ben.page.goto("about:blank")
    expect(anna.page.locator("#request")).to_contain_text("is away")
    expect(dot).to_have_text("away for less than a minute")
    ask(anna, "claim")
    expect(anna.page.locator("#request")).to_contain_text("The match is yours when the time is up")
    ben.go(back)
    ben.arrive()
    expect(dot).to_have_text("connected")
    expect(anna.page.locator("#request")).not_to_contain_text("The match is yours")
    ben.page.goto("about:blank")
    ask(anna, "claim")
    expect(anna.page.locator("#request")).to_contain_text("The match is yours when the time is up")
    clock.now_ms += 3 * MINUTE_MS
    anna.wait("v.result")
    expect(anna.page.locator("#banner")).to_contain_text("You win the match")
    expect(anna.page.locator("#banner")).to_contain_text("has left")


def test_names_stay_whole_beside_rating_clock_and_buttons(open_site: Callable[..., Site]) -> None:
    site = open_site(clock=StandingClock(), scheduler_ms=50)
    hasten(site.served)
    anna, ben = registered(site, "Annabelle123"), registered(site, "Benedictus45")
    ben.take(anna.challenge(length=7, time_control="Fast", rated="1"))
    first, second = in_order(anna, ben)
    for person, kind in ((first, "play"), (second, "roll")):
        person.wait_for(kind)
        for width, height in ((1024, 768), (1280, 800), (1366, 768), (360, 740)):
            resize(person.page, width, height)
            person.hand.settle()
            until(person.page, f"{CUT_NAMES}.length === 0")
            lines = person.page.locator(".bg-status").evaluate(LINES)
            assert lines < 1.5 or width == 1024, (kind, width)
        if person is first:
            person.page.set_viewport_size({"width": 1280, "height": 800})
            person.hand.settle()
            person.anything()
