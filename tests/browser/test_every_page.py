"""Every page with something on it, light and dark, on a phone and wide: no barrier, nothing too wide, nothing too heavy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.web.rules import GENERAL
from barpoint.variants import variants
from tests.browser.barriers import violations
from tests.browser.site import VIEW, WAIT_MS, Person, Site, open_site, resize, until
from tests.browser.test_chouette_page import named, sit_down
from tests.browser.test_tournament_page import club_of, log_in
from tests.support.played import play_match

__all__ = ["open_site"]

MAX_BYTES = 300_000

OpenSite = Callable[..., Site]

SIZE = "document.documentElement.scrollWidth"

RULES: Final = tuple(f"/rules/{name}" for name in (*(header.name for header in variants()), *GENERAL))
ALIKE: Final = RULES[3:-2]
"""Pages of one template, of which only the width and the weight are looked at in `make test`."""

ANYBODY = (
    "/", "/lobby", "/watch", "/login", "/register", "/recover", "/rules", "/learn/first-game", "/learn/match-equities", "/offline", "/verify",
    "/tournaments", "/clubs", "/chouettes", "/challenge", "/players", "/review", "/study", "/nowhere",
    *RULES,
)  # fmt: skip


@dataclass(frozen=True)
class Filled:
    """A server with something on every page.

    paths: pages that need it. member: the id of somebody who directs and has entered tournaments.
    guests: people on pages that only they see in full.
    """

    site: Site
    member: str
    paths: tuple[str, ...]
    guests: tuple[Person, ...]

    def member_in_browser(self) -> Person:
        """The member, whose browser fetches every file anew."""
        person = self.site.person(service_workers="block")
        log_in(self.site, person, self.member)
        return person


def filled(site: Site) -> Filled:
    """Matches played, running and open, tournaments before, during and after, and a chouette with a game."""
    served = site.served
    club, call = club_of(site), served.call
    knockout = call(club.announce(Plan("Knock-out", lengths=(1,), max_players=4, fee=10), 4))
    call(club.resign(call(club.open_bouts(knockout))[0], 1))
    over = call(club.announce(Plan("Swiss", form=Form.SWISS, lengths=(1,), max_players=4), 4))
    call(club.finish(over, Random(1)))
    member = club.members[0]
    later = call(served.services.tournaments.announce(member, Plan("Later", starts_at=2**42)))
    played = call(play_match(served.services, "backgammon"))
    running = call(play_match(served.services, "roll-over", events=20))

    anna, ben, kim = (site.person() for _ in range(3))
    for person, name in ((anna, "Anna"), (ben, "Ben"), (kim, "Kim")):
        named(person, name)
    anna.go("/chouettes")
    anna.page.get_by_role("button", name="Open the chouette").click()
    anna.page.wait_for_url("**/chouette/*")
    invitation = anna.invitation()
    for person in (ben, kim):
        sit_down(person, invitation)
    anna.page.get_by_role("button", name="Roll for the order and begin").click()
    anna.arrive()
    anna.wait("v.phase === 'to_play'")
    invitation = ben.challenge(length=3)
    paths = (
        *(f"/tournament/{one}" for one in (knockout, over, later)), "/tournaments/new", "/matches", "/account", "/access-tokens",
        f"/player/{member.name}", f"/match/{played}", f"/match/{played}/replay", f"/match/{running}", f"/verify?match={played}",
        "/analysis?roll=31&length=5", anna.path, invitation,
    )  # fmt: skip
    return Filled(site, member.id, paths, (anna, ben))


def settle(page: Page) -> None:
    """Waits until what the scripts of the page fetch has come, and shows every board."""
    page.locator("h1").first.wait_for(timeout=WAIT_MS)  # a page that a script fills
    if page.locator("#board").count():
        until(page, VIEW)
    if page.locator("#name-0").count():
        expect(page.locator("#name-0")).not_to_be_empty()
    if "/analysis?" in page.url:
        expect(page.locator("#got")).to_contain_text("ply")
    for box in page.locator(".exercise").all():
        box.scroll_into_view_if_needed()
        expect(box.locator(".bg-checker").first).to_be_attached()


Screen = tuple[int, Literal["light", "dark"]]
SCREENS: Final[tuple[Screen, ...]] = ((360, "light"), (1280, "dark"))
OTHER_SCREENS: Final[tuple[Screen, ...]] = ((360, "dark"), (1280, "light"))


def look(page: Page, wide: int, scheme: Literal["light", "dark"]) -> None:
    """Looks at a page on a screen of this width, in these colours."""
    page.emulate_media(color_scheme=scheme)
    resize(page, wide, 740)


def problems(page: Page, screens: tuple[Screen, ...], barriers: bool = True) -> list[str]:
    """What is wrong with a page on these screens, one after the other."""
    found = []
    for wide, scheme in screens:
        look(page, wide, scheme)
        found += [f"{wide} {scheme}: {text}" for text in violations(page)] if barriers else []
        if (shown := page.evaluate(SIZE)) > wide:
            found.append(f"{wide} {scheme}: {shown} wide")
    return found


@pytest.mark.parametrize("screens", [SCREENS, pytest.param(OTHER_SCREENS, marks=pytest.mark.deep)])
def test_no_page_has_a_barrier_is_wider_than_the_screen_or_weighs_more_than_300_kilobytes(
    open_site: OpenSite, screens: tuple[Screen, ...]
) -> None:
    shown = filled(open_site())
    for guest in shown.guests:
        assert problems(guest.page, screens) == [], guest.path
    person = shown.member_in_browser()
    network = person.context.new_cdp_session(person.page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    weights: list[float] = []
    network.on("Network.loadingFinished", lambda loaded: weights.append(loaded["encodedDataLength"]))
    for path in (*shown.paths, *ANYBODY):
        weights.clear()
        look(person.page, *screens[0])
        person.go(path)
        settle(person.page)
        assert problems(person.page, screens, barriers=screens is not SCREENS or path not in ALIKE) == [], path
        assert 0 < sum(weights) <= MAX_BYTES, f"{path}: {sum(weights)} bytes"
    shown.site.forgive("404")
