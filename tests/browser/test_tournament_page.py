"""Two people enter a tournament and reach their match; its pages are accessible, on a phone too."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import tournament_screens
from tests.browser.barriers import violations
from tests.browser.site import WAIT_MS, Person, Site, open_site
from tests.browser.test_lobby_page import wait_in_lobby
from tests.support.accounts import hasten
from tests.support.tournaments import Club

__all__ = ["open_site"]

OpenSite = Callable[..., Site]


def club_of(opened: Site) -> Club:
    services = hasten(opened.served).services
    return Club(services, services.matches.clock)  # type: ignore[arg-type]


def log_in(opened: Site, person: Person, member: str) -> None:
    """Logs in with a session stored on the server, without the login pages."""
    services = opened.served.services
    now, secret = services.matches.clock(), f"secret-of-{member}"
    opened.served.call(
        services.store.write(lambda connection: account_storage.put_session(connection, member, secret, now, "test"))
    )
    person.context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": opened.served.address}])


def test_two_people_enter_and_come_to_their_match_by_themselves(open_site: OpenSite) -> None:
    opened = open_site()
    club = club_of(opened)
    anna, ben = opened.person(), opened.person(viewport={"width": 360, "height": 740}, color_scheme="dark")
    for person, member in zip((anna, ben), opened.served.call(club.enroll(2)), strict=True):
        log_in(opened, person, member.id)
    anna.go("/tournaments/new")
    anna.page.get_by_label("Name").fill("Club night")
    anna.page.get_by_label("Players at most").fill("2")
    anna.page.get_by_label("Length").select_option("1")
    anna.page.get_by_role("button", name="Create").click()
    anna.page.wait_for_url("**/tournament/*")
    ben.go("/lobby")
    ben.page.get_by_role("link", name="Club night").click()
    ben.page.wait_for_url("**/tournament/*")
    for person in (anna, ben):
        wait_in_lobby(person)
    with anna.page.expect_navigation():
        anna.page.get_by_role("button", name="Enter").click()
    expect(ben.page.locator(".status")).to_contain_text("1 of 2 places taken", timeout=WAIT_MS)
    wait_in_lobby(anna)
    # Not by the button: the page may move on to the match before the form's response arrives, and both are correct.
    entered = ben.context.request.post(f"{ben.page.url}/join", form={"x": ""}, max_redirects=0, max_retries=1)
    assert entered.status == 303
    for person in (anna, ben):
        person.page.wait_for_url("**/match/*")
        person.arrive()
        person.wait("v.phase !== 'opening'")
    ben.page.get_by_role("link", name="Club night").click()
    ben.page.get_by_role("link", name="To the board").click()
    ben.page.wait_for_url("**/match/*")
    ben.arrive()
    loser, winner = (anna, ben) if "play" in anna.kinds else (ben, anna)
    loser.anything()
    winner.wait_for("roll")
    winner.resign(1)
    loser.press("accept")
    loser.page.get_by_role("link", name="Back to the tournament").click()
    expect(loser.page.locator(".status")).to_contain_text("won", timeout=WAIT_MS)


def test_who_enters_last_has_the_focus_on_no_button_that_was_not_there_before(open_site: OpenSite) -> None:
    opened = open_site()
    club, anna = club_of(opened), opened.person()
    (member,) = opened.served.call(club.enroll(1))
    log_in(opened, anna, member.id)
    plan = Plan("Club night", lengths=(1,), max_players=2, boards=True)
    anna.go(f"/tournament/{opened.served.call(club.announce(plan, 1))}")
    anna.page.get_by_role("button", name="Enter").click()
    expect(anna.page.get_by_role("button", name="We play at a real board")).to_be_visible()
    expect(anna.page.locator("#main")).to_be_focused()


def test_a_date_is_entered_in_the_time_zone_of_ones_own_clock(open_site: OpenSite) -> None:
    opened = open_site()
    anna = opened.person(timezone_id="America/New_York")
    (member,) = opened.served.call(club_of(opened).enroll(1))
    log_in(opened, anna, member.id)
    evening = (datetime.now(UTC) + timedelta(days=9)).replace(hour=19, minute=30, second=0, microsecond=0, tzinfo=None)
    anna.go("/tournaments/new")
    expect(anna.page.get_by_text("America/New York")).to_be_visible()
    anna.page.get_by_label("Name").fill("Evening in New York")
    anna.page.get_by_label("Or on a day, at a time").fill(evening.isoformat(timespec="minutes"))
    anna.page.get_by_role("button", name="Create").click()
    anna.page.wait_for_url("**/tournament/*")
    known = opened.served.call(opened.served.services.tournaments.known(anna.page.url.rpartition("/")[2]))
    there = evening.replace(tzinfo=ZoneInfo("America/New_York"))
    assert known.now.plan.starts_at == int(there.timestamp() * 1000)
    expect(anna.page.locator("time").first).to_contain_text("7:30")

    anna.page.get_by_role("link", name="Change the plan").click()
    expect(anna.page.get_by_label("Or on a day, at a time")).to_have_value(evening.isoformat(timespec="minutes"))
    anna.page.get_by_label("Players at most").fill("15")
    anna.page.get_by_role("button", name="Change it").click()
    anna.page.wait_for_url(lambda address: not address.endswith("/plan"))
    changed = opened.served.call(opened.served.services.tournaments.known(known.id)).now.plan
    assert (changed.starts_at, changed.max_players) == (known.now.plan.starts_at, 15)
    anna.page.get_by_role("link", name="Change the plan").click()
    anna.page.get_by_label("It begins").select_option("")
    anna.page.get_by_label("It begins").select_option("180")
    expect(anna.page.get_by_label("Or on a day, at a time")).to_have_value("")


def test_a_long_word_in_the_name_of_a_tournament_is_broken_on_the_page_of_its_matches(open_site: OpenSite) -> None:
    site = open_site()
    club = club_of(site)
    tournament = site.served.call(club.announce(Plan(f"Cup {'W' * 40}", lengths=(1,), max_players=4), 4))
    (first, *_) = site.served.call(club.open_bouts(tournament))
    site.served.call(club.resign(first, 1))
    for width in (390, 1280):
        page = site.person(viewport={"width": width, "height": 800}).page
        page.goto(f"{site.served.address}/match/{first.match_id}")
        expect(page.locator("#banner")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".side").evaluate("side => side.scrollWidth <= side.clientWidth")


def test_a_director_enters_a_result_by_two_taps_while_other_results_come_in(open_site: OpenSite) -> None:
    site = open_site()
    club = club_of(site)
    plan = Plan("Club night", form=Form.SWISS, lengths=(1,), max_players=4, rounds=2, boards=True)
    tournament = site.served.call(club.announce(plan, 4))
    director = site.person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    log_in(site, director, club.members[0].id)
    director.go(f"/tournament/{tournament}")
    wait_in_lobby(director)
    first = director.page.get_by_role("button", name="Result").first
    size = first.bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 39.5, "what a finger needs"
    first.tap()
    asked = director.page.locator(".who-won:popover-open")
    expect(asked).to_contain_text("who won?")
    assert violations(director.page) == []
    site.served.call(site.served.services.tournaments.decide(tournament, club.members[0], 1, None))
    expect(director.page.get_by_role("button", name="Result")).to_have_count(1, timeout=WAIT_MS)
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="wins").first.click()
    expect(director.page.locator(".status")).to_contain_text("Round 2 of 2", timeout=WAIT_MS)


def test_a_big_screen_repeats_its_heads_and_shows_whole_names_to_whoever_has_the_link(open_site: OpenSite) -> None:
    site = open_site()
    club = club_of(site)
    tournament = site.served.call(club.announce(Plan("Cup", form=Form.SWISS, lengths=(1,), max_players=24), 24))
    store = site.served.services.store
    site.served.call(store.write(tournament_screens.set_screen_link, tournament, "secretlink"))
    page = site.person().page
    page.goto(f"{site.served.address}/screen/secretlink")
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        columns = page.locator(".flow > div")
        expect(columns).not_to_have_count(0)
        heads = columns.evaluate_all("all => all.map(one => one.querySelector('h2')?.textContent.split(' ')[0])")
        assert set(heads) == {"Round", "Standings"}
        assert page.locator(".flow .pair").count() == 12
        assert page.locator(".flow .ranking li").count() == 24
        cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
        assert page.locator(".flow .who-plays").evaluate_all(cut) == 0
        assert violations(page) == []
        flow = page.locator(".flow")
        assert flow.evaluate("one => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth")


def test_a_sheet_of_paper_has_the_title_the_pairings_and_the_table_and_nothing_to_press(open_site: OpenSite) -> None:
    site = open_site()
    club = club_of(site)
    tournament = site.served.call(club.announce(Plan("Cup", form=Form.SWISS, lengths=(1,), max_players=4), 4))
    director = site.person(viewport={"width": 718, "height": 1046}, color_scheme="dark")
    log_in(site, director, club.members[0].id)
    director.go(f"/tournament/{tournament}")
    director.page.emulate_media(media="print")
    for shown in ("h1", ".standings", ".boxes .pair >> nth=0"):
        expect(director.page.locator(shown)).to_be_visible()
    for hidden in ("header nav", ".desk", ".links", ".how", ".foot", ".to-result >> nth=0"):
        expect(director.page.locator(hidden)).to_be_hidden()
    assert director.page.evaluate("document.documentElement.scrollWidth") <= 718
    assert director.page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(43, 36, 32)", (
        "dark ink"
    )
