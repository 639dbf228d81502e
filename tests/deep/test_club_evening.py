"""An evening of a club in Chromium: eight people and a bot, a Swiss with real boards, a chouette, and the move to another database."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright
from sqlalchemy import func, select

from barpoint.server.storage import audit
from barpoint.server.storage.database_copy import copy_database
from barpoint.server.storage.schema.results import BALANCE
from tests.browser.barriers import violations
from tests.browser.conftest import ARGUMENTS, chromium_path
from tests.browser.site import WAIT_MS, Person, Profiles, Site, spot
from tests.support import databases
from tests.support.accounts import PASSWORD, hasten
from tests.support.machine import held_port

pytestmark = pytest.mark.deep

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PEOPLE: dict[str, dict[str, Any]] = {
    "Anna": {}, "Ben": {}, "Clara": PHONE, "Dirk": {"locale": "de-DE"},
    "Eva": PHONE, "Felix": {}, "Gil": PHONE, "Hana": {**PHONE, "locale": "de-DE"},
}  # fmt: skip
"""Anna owns the club, Ben directs the tournament, Hana comes late."""

PLAYERS = ("Ben", "Clara", "Dirk", "Eva", "Felix", "Gil")
TEAM = ("Anna", "Clara", "Dirk", "Felix", "Gil")
ROUNDS = 3
OWN = ("You", "Du")
LEAVE = re.compile(r"^(Leave|Gehen)$")

Evening = dict[str, Person]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with sync_playwright() as playwright, held_port() as port:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        profiles = Profiles(browser, port)
        made = Site(profiles, tmp_path)
        yield made
        made.close()
        profiles.close()
        browser.close()


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_an_evening_of_a_club_goes_on_from_its_backup_on_another_database(
    site: Site, tmp_path: Path, source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = {}
    for name in (source, target):
        monkeypatch.setattr(databases.BACKEND, "name", name)
        addresses[name] = databases.address(tmp_path, "evening")
    opened(site, addresses[source])
    evening = {name: registered(site, name, settings) for name, settings in PEOPLE.items()}
    club = founded(evening)
    tournament = announced(evening["Ben"], club)
    first_round(evening, club, tournament)
    for pair in pairs(evening, tournament):
        played(evening, tournament, pair, at_board=pair[0] == "Ben")
    chouette = team_seated(evening, club)

    going = next(pair for pair in pairs(evening, tournament) if "bot" not in pair)
    boards = at_the_board(evening, tournament, going)
    boards[0].anything()
    before = shown(evening["Anna"], (tournament, f"{tournament}/log", club))
    copy_database(addresses[source], addresses[target])  # while everybody is here
    site.served.stop()
    opened(site, addresses[target])
    site.forgive("ERR_CONNECTION_REFUSED", "WebSocket", "Failed to load resource")

    assert shown(evening["Anna"], (tournament, f"{tournament}/log", club)) == before
    boards[1].wait_for("roll")  # the pages have connected again by themselves
    boards[1].roll()
    ended(boards[1], boards[0])
    for pair in pairs(evening, tournament):
        played(evening, tournament, pair, at_board=False)
    results_kept(evening, club, tournament)
    team_leaves(evening, chouette)
    assert log_in_again(site, "Eva")
    agrees(site)
    assert site.complaints == []


def opened(site: Site, database: str) -> None:
    """Starts the server on a database."""
    site.open(database=database, scheduler_ms=50)
    hasten(site.served)


def agrees(site: Site) -> None:
    """Checks that everything stored follows from the logs, and that all accounts sum to zero."""
    store = site.served.services.store
    assert site.served.call(store.read(audit.differences)) == []
    assert site.served.call(store.read(lambda found: found.scalar(select(func.sum(BALANCE.c.amount))))) in (0, None)


def submit(person: Person, button: str) -> None:
    """Presses a form's button, and waits for the page that answers."""
    with person.page.expect_navigation():
        person.page.locator(button).first.click()


def registered(site: Site, name: str, settings: dict[str, Any]) -> Person:
    person = site.person(**settings)
    person.go("/register")
    person.page.locator("[name=name]").fill(name)
    person.page.locator("[name=password]").fill(PASSWORD)
    submit(person, "main form button[type=submit]")
    return person


def log_in_again(site: Site, name: str) -> bool:
    """Whether somebody logs in with their password in another browser."""
    person = site.person()
    person.go("/login")
    person.page.locator("[name=name]").fill(name)
    person.page.locator("[name=password]").fill(PASSWORD)
    submit(person, "main form button[type=submit]")
    return person.page.locator("a.self").inner_text() == name


def founded(evening: Evening) -> str:
    """A club that all but Hana have joined by its link; Ben directs in it."""
    anna = evening["Anna"]
    anna.go("/clubs/new")
    anna.page.locator("[name=name]").fill("Café Gammon")
    anna.page.locator("[name=joining]").select_option("request")
    anna.page.locator("[name=season]").fill("Autumn")
    submit(anna, "main form button[type=submit]")
    club, link = anna.path, anna.page.locator("#club-link").input_value()
    for name, person in evening.items():
        if name == "Hana":
            person.go(club)
            submit(person, "#join")
        elif name != "Anna":
            person.go(link.removeprefix(anna.site.served.address))
            submit(person, "main form button")
    anna.page.reload()
    submit(anna, "form[action$='/admit'] button")
    anna.page.locator("[name=person]").last.select_option(label="Ben")
    anna.page.locator("[name=role]").select_option("director")
    submit(anna, "form[action$='/role'] button")
    expect(anna.page.locator("main")).to_contain_text("8 members")
    assert violations(anna.page) == []
    return club


def announced(ben: Person, club: str) -> str:
    """A private Swiss tournament that the people have entered and a bot has; begun."""
    ben.go(club)
    submit(ben, "#announce")
    page = ben.page
    page.locator("[name=name]").fill("Wednesday Swiss")
    page.locator("[name=form]").select_option("swiss")
    for name, value in {
        "length": "1",
        "rounds": str(ROUNDS),
        "late": "1",
        "patience": "30",
        "boards": "1",
    }.items():
        page.locator(f"[name={name}]").select_option(value)
    page.locator("[name=max_players]").fill("12")
    for name in ("bots", "private"):
        page.locator(f"[name={name}]").check()
    submit(ben, "main form button[type=submit]")
    return ben.path


def first_round(evening: Evening, club: str, tournament: str) -> None:
    """The first round: a bye, a dispute at a real board that Anna decides, and a late entry."""
    for name in PLAYERS:
        evening[name].go("/tournaments")
        evening[name].page.locator(f"a[href='{tournament}']").click()
        submit(evening[name], "#enter")
    ben = evening["Ben"]
    submit(ben, "form[action$='/seat'] button")
    submit(ben, "form[action$='/begin'] button")
    submit(ben, "main form button.danger")
    expect(ben.page.locator("main")).to_contain_text("Round 1 of 3 is being played")
    first, *others = pairs(evening, tournament)
    for pair in others:
        played(evening, tournament, pair, at_board=False)

    disputing = [evening[name] for name in first]
    for person in disputing:
        person.go(tournament)
        submit(person, ".report .row [name=result]")  # each says that they have won
    hana = evening["Hana"]
    hana.go(tournament)
    submit(hana, "#enter")
    expect(hana.page.locator("main")).to_contain_text("Runde 1 von 3 läuft")
    anna = evening["Anna"]
    anna.go(tournament)
    expect(anna.page.locator(".dispute")).to_contain_text("report different results")
    submit(anna, f".dispute button:has-text('{first[0]} wins')")
    submit(anna, "main form button.danger")
    expect(anna.page.locator("main")).to_contain_text("Round 2 of 3 is being played")
    expect(anna.page.locator("main")).to_contain_text("decided by the director")


def pairs(evening: Evening, tournament: str) -> list[tuple[str, str]]:
    """The matches of this round that are not decided: Ben's first, "bot" for a bot."""
    found = set[frozenset[str]]()
    for name in (*PLAYERS, "Hana"):
        evening[name].go(tournament)
        if (other := evening[name].page.locator(".match-ready b")).count():
            called = other.inner_text()
            found.add(frozenset((name, called if called in evening else "bot")))
    order = [*PLAYERS, "Hana", "bot"]
    sorted_pairs = [sorted(pair, key=order.index) for pair in found]
    return sorted(((one, other) for one, other in sorted_pairs), key=lambda pair: order.index(pair[0]))


def at_the_board(evening: Evening, tournament: str, pair: tuple[str, str]) -> list[Person]:
    """The people of a match at its board: who is to play first. A bot comes by itself."""
    there = [evening[name] for name in pair if name != "bot"]
    for person in there:
        person.go(tournament)
        person.page.locator("#to-board").click()
        person.page.wait_for_url("**/match/*")
        person.arrive()
    for person in there:
        person.wait("v.phase !== 'opening'")
    return sorted(there, key=lambda person: "play" not in person.kinds)


def played(evening: Evening, tournament: str, pair: tuple[str, str], *, at_board: bool) -> None:
    """Plays a match: at a real board, which both report; or here, until the second player resigns."""
    if at_board and "bot" not in pair:
        for index, name in enumerate(pair):
            evening[name].go(tournament)
            if not index:
                submit(evening[name], "[id^=at-board]")
            submit(evening[name], f".report .row [name=result] >> nth={1 - index}")  # the second player has won
        return
    first, *others = at_the_board(evening, tournament, pair)
    if "play" in first.kinds:
        a_turn(first)
    if others:
        others[0].wait_for("roll")
        ended(others[0], first)
    else:
        first.wait_for("resign")
        first.resign(1)
        first.wait("v.result")


def a_turn(person: Person) -> None:
    """Plays the roll: by taps on a phone, otherwise by dragging."""
    if person.page.viewport_size == PHONE["viewport"]:
        nodes, node = person.view["turn"]["nodes"], 0
        while not nodes[node][0]:
            source, target, _, _, node = nodes[node][1][0]
            person.hand.scroll_to(spot(source))
            for place in (source, target):
                person.page.touchscreen.tap(*person.hand.at(spot(place)))
                person.hand.settle()
        person.commit()
    else:
        person.anything()


def ended(loser: Person, winner: Person) -> None:
    """Somebody resigns their match, and the other accepts."""
    loser.resign(1)
    winner.press("accept")
    winner.wait("v.result")
    loser.wait("v.result")


def shown(person: Person, paths: tuple[str, ...]) -> list[str]:
    """The text of pages."""
    found = []
    for path in paths:
        person.go(path)
        found.append(person.page.locator("main").inner_text())
    return found


def team_seated(evening: Evening, club: str) -> str:
    """A private chouette of five of the club, who have rolled for the order and played the first roll."""
    anna = evening["Anna"]
    anna.go(club)
    anna.page.get_by_role("link", name="Open a chouette").click()
    anna.page.locator("[name=private]").check()
    submit(anna, "aside form button.primary")
    chouette = anna.path
    for name in TEAM[1:]:
        evening[name].go(chouette)
        evening[name].page.locator("#join button").click()
        expect(evening[name].page.locator("#join")).to_have_count(0)
    anna.page.get_by_role("button", name="Roll for the order and begin").click()
    for name in TEAM:
        evening[name].arrive()
        evening[name].wait("v.phase === 'to_play'")
    acting = next(evening[name] for name in TEAM if "play" in evening[name].kinds)
    a_turn(acting)
    return chouette


def team_leaves(evening: Evening, chouette: str) -> None:
    """The box of the chouette resigns to everybody, all leave, and the score sheet stays."""
    team = [evening[name] for name in TEAM]
    for person in team:
        person.go(chouette)
        person.arrive()
    box = next(person for person in team if person.page.locator(".player.box .name").inner_text() in OWN)
    box.resign(1)
    for person in team:
        if person is not box:
            person.press("accept")
    for person in team:
        person.wait("v.result")
    for person in team:
        person.page.locator("#chouette-actions button").filter(has_text=LEAVE).click()
        person.page.wait_for_timeout(200)
    for person in team:
        sheet = person.context.new_page()  # their own page goes to it by itself
        sheet.goto(person.site.served.address + chouette)
        expect(sheet.locator("main")).to_contain_text("−4", timeout=WAIT_MS)


def results_kept(evening: Evening, club: str, tournament: str) -> None:
    """The tournament is over: the same on its page, the big screen, as a file and in the season's table."""
    ben, hana = evening["Ben"], evening["Hana"]
    ben.go(tournament)
    expect(ben.page.locator("main")).to_contain_text("It is over.")
    names = [row.inner_text() for row in ben.page.locator("table.standings tbody th").all()]
    with ben.page.expect_download() as loading:
        ben.page.locator("a[href$='standings.csv']").click()
    lines = Path(loading.value.path()).read_text().splitlines()
    assert len(lines) == 1 + len(names) == 9
    rounds = ",".join(f"round_{number},opponent_{number}" for number in (1, 2, 3))
    assert lines[0] == f"rank,player,points,median,buchholz,prize,left,{rounds}"
    rows = {row["player"]: row for row in csv.DictReader(lines)}
    assert rows["Hana"]["round_1"] == "", "late: no match in the first round"
    ben.page.locator("table.standings tbody a[href^='/match/']").first.click()
    ben.arrive()
    ben.go(f"{tournament}/screen")
    expect(ben.page.locator("main")).to_contain_text("won.")
    hana.go(club)
    table = hana.page.locator("table.standings tbody tr")
    assert table.count() == len(PLAYERS) + 1
    assert hana.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(hana.page) == []
