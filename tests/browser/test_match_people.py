"""Two people in two browsers: doubles, a pass, a Crawford game, a spectator, a rematch (S4-8, S4-9, rulings 5.1)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from barpoint.server.live.match_transactions import void_match
from tests.browser.site import WAIT_MS, Site, open_site, until
from tests.browser.test_match_rated import registered
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

AT_END = "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2)(document.getElementById('moves'))"
"""The list of moves shows its last row."""


@pytest.mark.deep
def test_a_match_with_doubles_a_pass_and_a_crawford_game(open_site: Callable[..., Site]) -> None:
    dice = ScriptedDice([(6, 5), (6, 5), (2, 4)], [(2, 1), (2, 1), (2, 1)])
    site = open_site(dice=dice)
    anna, ben = site.pair(length=3)
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((13, 11), (6, 5))
    anna.press("double")
    ben.press("pass")
    anna.wait("v.result")
    assert anna.view["result"]["how"] == f"{anna.view['labels']['far']} passes. You win: 1 point"
    ben.wait("v.result")
    assert ben.view["score"]["far"] == 1
    ben.press("next")

    anna.turn((24, 18), (18, 13))
    ended = anna.page.locator("#lines tr.result")
    expect(ended).to_have_text("You win: 1 point")
    expect(ended.locator("xpath=following-sibling::tr[1]")).to_have_text("Game 2")
    assert anna.view["score"]["near"] == 1
    ben.press("double")
    anna.press("take")
    ben.wait("v.cube.value === 2 && v.cube.owner === 'far'")
    ben.press("roll")
    ben.turn((13, 11), (6, 5))
    ben.resign(1)
    anna.press("accept")
    anna.wait("v.result")
    assert anna.view["score"] == {"near": 3, "far": 0, "length": 3, "crawford": False}
    assert anna.page.locator("#banner").is_visible()
    expect(anna.page.locator("#banner")).to_contain_text("You win the match 3 : 0")
    until(anna.page, AT_END)
    ben.wait("v.result")
    expect(ben.page.locator("#banner")).to_contain_text("wins the match 3 : 0")


def test_a_match_with_a_take_a_crawford_game_and_a_pass_after_it(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)] * 4, [(2, 1)] * 2))
    anna, ben = site.pair(length=3)
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((13, 11), (6, 5))
    anna.press("double")
    ben.press("take")
    anna.wait("v.cube.value === 2 && v.cube.owner === 'far'")
    anna.resign(1)
    ben.press("accept")
    anna.press("next")

    anna.wait("v.score.crawford")  # Ben needs one point
    ben.wait("v.score.crawford")
    assert anna.view["score"] == {"near": 0, "far": 2, "length": 3, "crawford": True}
    assert ben.view["cube"] is None
    assert ben.page.locator(".bg-about").is_visible()
    anna.turn((24, 18), (18, 13))
    ben.wait_for("roll")
    assert "double" not in ben.kinds
    ben.resign(1)
    anna.press("accept")
    ben.press("next")

    anna.wait("v.result === null && v.cube !== null")  # and the cube is back
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((13, 11), (6, 5))
    anna.press("double")
    ben.press("pass")
    anna.wait("v.result")
    assert anna.view["score"] == {"near": 2, "far": 2, "length": 3, "crawford": False}
    anna.press("next")

    anna.wait("v.result === null && v.cube !== null")
    anna.turn((24, 18), (18, 13))
    ben.resign(1)
    anna.press("accept")
    anna.wait("v.result")
    expect(anna.page.locator("#banner")).to_contain_text("You win the match 3 : 2")


def test_players_whose_match_is_ended_early_read_what_that_means(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, _ = site.pair(length=3)
    anna.turn((24, 18), (18, 13))
    services, match_id = site.served.services, anna.path.rpartition("/")[2]

    async def end() -> None:
        await services.store.write(lambda connection: void_match(connection, match_id, services.matches.clock()))
        await services.pubsub.changed_elsewhere(match_id)

    site.served.call(end())
    anna.wait("v.last.kind === 'abort'")
    expect(anna.page.locator("#banner-title")).to_have_text("The match is over")
    expect(anna.page.locator("#banner-text")).to_contain_text("It counts for nobody")
    assert anna.said[-1] == "Ended early, without a winner"


def test_a_spectator_sees_everything_and_can_do_nothing(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, _ = site.pair(length=3)
    watching = site.person()
    watching.go(anna.path)
    watching.arrive()
    expect(watching.page.locator(".bg-status")).to_have_text(re.compile("^You are watching. .+ to play$"))
    expect(anna.page.locator(".bg-status")).not_to_contain_text("watching")
    assert watching.kinds == []
    assert watching.page.locator(".bg-actions button").count() == 0
    assert watching.view["turn"]["nodes"] == [[False, []]]
    anna.move((24, 18))
    watching.wait("v.turn.made.length === 1")
    assert watching.hand.checkers("p18") == 1
    anna.move((18, 13))
    anna.commit()
    watching.wait("v.last.text === '24/13'")


def test_who_watches_with_an_account_talks_with_the_others_and_not_with_the_players(
    open_site: Callable[..., Site],
) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, _ = site.pair(length=3)
    wanda, willi = (
        registered(site, "Wanda"),
        registered(site, "Willi", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True),
    )
    guest = site.person()
    for watching in (wanda, willi, guest):
        watching.go(anna.path)
        watching.arrive()
        watching.page.locator("#chat > summary").click()
    expect(guest.page.locator("#chat")).to_contain_text("whoever has an account talks with the others who watch")
    expect(guest.page.locator("#chat form.copy")).to_have_count(0)
    wanda.page.get_by_label("Say something").fill("13/7 was better")
    wanda.page.get_by_role("button", name="Say", exact=True).click()
    expect(wanda.page.locator("#chat ol li").first).to_have_text("You 13/7 was better")
    expect(willi.page.locator("#chat ol li").first).to_have_text("Wanda watches 13/7 was better")
    anna.page.locator("#chat > summary").click()
    anna.page.get_by_label("Say something").fill("good luck")
    anna.page.get_by_role("button", name="Say", exact=True).click()
    expect(willi.page.locator("#chat ol li").nth(1)).to_contain_text("good luck")
    expect(guest.page.locator("#chat ol li")).to_have_count(1)
    for reader, author in ((anna, "You"), (guest, "Guest")):
        (line,) = reader.page.locator("#chat ol li").all_inner_texts()
        assert line.startswith(author), "players and whoever has no account read nothing of it"

    willi.page.get_by_label("Hide what others write").check()
    wanda.page.get_by_label("Say something").fill("and now?")
    wanda.page.get_by_label("Say something").press("Enter")
    expect(wanda.page.locator("#chat ol li").nth(2)).to_have_text("You and now?")
    assert "and now?" not in willi.page.locator("#chat").inner_text()
    willi.page.get_by_text("Report somebody who watches").click()
    willi.page.get_by_label("Name of the player").select_option("Wanda")
    willi.page.get_by_label("Tell the administrators").fill("gives advice")
    willi.page.get_by_role("button", name="Report", exact=True).click()
    expect(willi.page.locator("#chat")).to_contain_text("The administrators have been told. Thank you.")
    expect(willi.page.get_by_role("link", name="Wanda")).to_have_count(0)


def test_once_the_match_is_over_the_players_read_what_was_written_around_it_without_a_reload(
    open_site: Callable[..., Site],
) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair()
    wanda = registered(site, "Wanda")
    wanda.go(anna.path)
    wanda.arrive()
    for person, words in ((wanda, "13/7 is better"), (anna, "good luck"), (wanda, "now 6/1")):
        person.page.locator("#chat:not([open]) > summary").or_(
            person.page.locator("#chat input[name=text]")
        ).first.click()
        person.page.get_by_label("Say something").fill(words)
        person.page.get_by_label("Say something").press("Enter")
        expect(person.page.locator("#chat ol li").last).to_have_text(f"You {words}")
    theirs = ben.page.locator("#chat .chat-lines > ol:first-child li")
    expect(ben.page.locator("#chat .badge")).to_have_text("1 new")
    ben.resign(1)
    anna.press("accept")
    expect(theirs).to_have_count(3)
    assert [re.sub("^Guest.*? good", "Anna good", line) for line in theirs.all_text_contents()] == [
        "Wanda watches 13/7 is better",
        "Anna good luck",
        "Wanda watches now 6/1",
    ]
    expect(ben.page.locator("#chat .badge")).to_have_text("3 new")
    expect(anna.page.locator("#chat .chat-lines > ol:first-child li").nth(1)).to_have_text("You good luck")


def test_who_has_played_a_bot_reads_what_was_written_around_the_match(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna = registered(site, "Anna", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wanda = registered(site, "Wanda")
    anna.choose(opponent="bot")
    anna.wait("v.phase === 'to_play'")
    wanda.go(anna.path)
    wanda.arrive()
    wanda.page.locator("#chat > summary").click()
    wanda.page.get_by_label("Say something").fill("13/7 is better")
    wanda.page.get_by_label("Say something").press("Enter")
    expect(wanda.page.locator("#chat ol li").first).to_have_text("You 13/7 is better")
    for part in ("#chat", "[data-opens=chat]"):
        expect(anna.page.locator(part)).to_be_hidden()
    anna.resign(1)
    anna.wait("v.result")
    anna.page.locator("[data-opens=chat]").tap()
    expect(anna.page.locator("#chat ol li").first).to_have_text("Wanda watches 13/7 is better")
    anna.page.get_by_text("Report somebody who watches").click()
    names = anna.page.get_by_label("Name of the player")
    assert names.locator("option").all_inner_texts() == ["", "Wanda"]
    names.select_option("Wanda")
    anna.page.get_by_label("Tell the administrators").fill("advice")
    anna.page.get_by_role("button", name="Report", exact=True).click()
    expect(anna.page.locator("#chat")).to_contain_text("The administrators have been told. Thank you.")


def test_before_a_friend_comes_whoever_looks_on_reads_what_is_awaited(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben, late = site.person(), site.person(), site.person()
    invitation = anna.challenge(length=3)
    late.go(anna.path)
    late.arrive()
    waiting, told = late.page.locator(".bg-status"), anna.page.locator(".bg-status")
    expect(waiting).to_have_text("Waiting for a second player. To play, ask for the invitation link.")
    expect(told).to_have_text("Waiting for a second player.")
    ben.take(invitation)
    expect(waiting).to_have_text(re.compile("^You are watching"))
    expect(told).not_to_contain_text("Waiting")


def test_a_guest_gives_their_name_beside_the_invitation(
    open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = open_site()
    anna, ben = site.person(viewport={"width": 360, "height": 640}), site.person()
    invitation = anna.challenge(length=3)
    name = anna.page.get_by_label("Your name, as your friend reads it")
    name.fill("Anna")
    with anna.page.expect_response("**/name"):
        name.press("Tab")
    expect(anna.page.locator("#toast")).to_have_text("Saved.")
    assert anna.page.locator("#invite").is_visible()
    ben.go(invitation)
    expect(ben.page.get_by_role("heading", name="Anna invites you")).to_be_visible()
    sent: list[str] = []
    ben.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    monkeypatch.setattr(type(site.served.services.allowance), "may_create", lambda *_: False)
    ben.page.get_by_role("button", name="Sit down").click()
    expect(ben.page.locator("#main")).to_contain_text("Too many", timeout=WAIT_MS)
    expect(ben.page.locator("#main")).to_be_focused()
    assert [url.partition("/join/")[1] for url in sent] == ["/join/"], "what is refused is not sent again"
    site.forgive("Failed to load resource")


def test_whoever_comes_after_the_friend_watches(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben, late = site.person(), site.person(), site.person()
    anna.choose()
    invitation = anna.invitation()
    assert anna.page.locator("#invite").is_visible()
    ben.go("/rules")
    ben.accept(invitation)
    anna.wait("v.phase === 'to_play'")
    assert anna.page.locator("#invite").is_hidden()
    assert anna.page.locator("#trouble").get_attribute("hidden") is None, "who has come can be blocked and reported"
    late.go(invitation)
    late.arrive()
    assert late.path == anna.path
    assert late.kinds == []
    ben.page.go_back()
    ben.page.wait_for_url("**/rules")


def test_a_rematch_brings_both_to_the_same_board_with_changed_seats(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair()
    anna.turn((24, 18), (18, 13))
    ben.resign(1)
    anna.press("accept")
    anna.page.get_by_role("button", name="Rematch").click()
    anna.page.wait_for_url(lambda url: not url.endswith(ben.path))
    for _ in range(2):
        expect(anna.page.locator("#request")).to_have_text(re.compile(r"Waiting for Guest \d+\."))
        anna.page.reload()
    expect(ben.page.locator("#banner")).to_contain_text("The rematch waits for you.")
    expect(ben.page.locator("#banner .primary")).to_have_text("To the rematch")
    first, last = (ben.page.locator(place).bounding_box() for place in ("#rematch", "#leave"))
    assert first
    assert last
    assert first["y"] < last["y"], "the rematch comes first"
    ben.page.get_by_role("button", name="To the rematch").click()
    ben.page.wait_for_url(f"**{anna.path}")
    anna.arrive()
    ben.arrive()
    expect(anna.page.locator("#request")).to_be_hidden()
    assert anna.path == ben.path
    assert {anna.view["labels"]["near"], ben.view["labels"]["near"]} == {"You"}


def test_a_player_finds_their_match_again_and_keeps_their_name(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair(length=5)
    anna.go("/")
    anna.page.get_by_label("Your name at the board").fill("Anna <b>")
    with anna.page.expect_navigation():
        anna.page.get_by_role("button", name="Save").click()
    ben.wait("v.labels.far === 'Anna <b>'")
    summary = anna.page.locator(".match-summary")
    assert "your move" in summary.inner_text()
    summary.click()
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    assert anna.path == ben.path
    assert "play" in anna.kinds


def test_in_a_match_by_days_whoever_waits_sees_the_time_they_will_have(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.person(), site.person()
    invitation = anna.challenge(length=3, time_control="Correspondence 1")
    expect(anna.page.locator(".clock .time")).to_have_text(["24:00:00", "24:00:00"])
    ben.take(invitation)
    anna.wait("v.phase === 'to_play'")
    expect(anna.page.locator(".clock[data-side=near] .time")).to_have_text(re.compile(r"^(24:00:00|23:59:\d\d)$"))
    expect(anna.page.locator(".clock[data-side=far] .time")).to_have_text("24:00:00")
    expect(anna.page.locator(".clock .free")).to_have_text(["", ""])


ELSEWHERE_ON_A_PHONE = """
localStorage.setItem('barpoint', JSON.stringify({notify: true}));
Object.defineProperty(document, 'hidden', {get: () => true});
window.Notification = class { static permission = 'granted'; constructor() { throw new TypeError('Illegal constructor.'); } };
window.told = [];
window.open_ones = [];
ServiceWorkerRegistration.prototype.showNotification = async (title, {data, renotify}) => {
    window.told.push([title, data.path, renotify]);
    const one = {data, close: () => (window.open_ones = window.open_ones.filter((other) => other !== one))};
    window.open_ones.push(one, {data: {path: '/match/another'}});
};
ServiceWorkerRegistration.prototype.getNotifications = async () => window.open_ones;
"""
"""Chromium for Android gives a page no notifications but those of its service worker."""


def test_a_phone_that_lies_aside_is_notified_by_its_service_worker_and_shows_the_play(
    open_site: Callable[..., Site],
) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(2, 1)]))
    anna, ben = site.person(), site.person(service_workers="allow")
    ben.page.add_init_script(ELSEWHERE_ON_A_PHONE)
    ben.take(anna.challenge(length=3))
    ben.wait("v.phase !== 'opening'")
    until(ben.page, "navigator.serviceWorker.getRegistration('/')")
    anna.turn((24, 18), (18, 13))
    ben.wait_for("roll")
    until(ben.page, "window.told.length")
    assert ben.page.evaluate("window.told") == [["It is your turn", ben.path, True]]
    ben.roll()
    ben.anything()
    until(ben.page, "window.open_ones.length === 1")
    assert ben.page.evaluate("window.open_ones[0].data.path") == "/match/another", "the turn has passed"


ELSEWHERE_AT_A_DESK = """
localStorage.setItem('barpoint', JSON.stringify({notify: true}));
Object.defineProperty(document, 'hidden', {get: () => true});
window.told = [];
window.Notification = class {
    static permission = 'granted';
    constructor(title, options) { Object.assign(this, {title, ...options}); window.told.push(this); }
    close() { this.closed = true; }
};
"""


def test_each_turn_is_told_to_somebody_at_another_window_until_it_has_passed(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(6, 5), (2, 1), (2, 1)]))
    anna, ben = site.person(), site.person()
    ben.page.add_init_script(ELSEWHERE_AT_A_DESK)
    ben.take(anna.challenge(length=3))
    ben.wait("v.phase !== 'opening'")
    for turn in (1, 2):
        if turn == 2:
            anna.roll()
        anna.anything()
        ben.wait_for("roll")
        until(ben.page, f"window.told.length === {turn}")
        told = ben.page.evaluate("window.told.at(-1)")
        assert (told["title"], told["tag"], told["renotify"]) == ("It is your turn", ben.path, True)
        assert "closed" not in told
        ben.roll()
        ben.anything()
        until(ben.page, "window.told.at(-1).closed")
