"""Matches by keyboard alone, and what a screen reader is given to say in one."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from playwright.sync_api import Page, expect

from tests.browser.site import VIEW, Person, Site, open_site, spot, until

__all__ = ["open_site"]


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.dataset.spot ?? document.activeElement.id ?? ''")
    return found


def tab_to(page: Page, name: str) -> None:
    """Presses Tab until an element has the focus."""
    for _ in range(60):
        if focused(page) == name or page.evaluate("document.activeElement.innerText?.trim() ?? ''") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reached {name}")


def walk_to(person: Person, place: str) -> None:
    """Presses arrows until a place has the focus."""
    keys = ["ArrowRight"] * 15 + ["ArrowUp"] * 3 + ["ArrowLeft"] * 15 + ["ArrowDown"] * 3 + ["ArrowRight"] * 15
    left = ["ArrowLeft"] * 15 + ["ArrowUp"] * 3 + ["ArrowRight"] * 15  # a cube at the trays stands in the other way
    anywhere = Random(place).choices(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), k=600)
    for key in ["ArrowLeft", *keys, *keys, *left, *anywhere]:
        person.page.keyboard.press(key)
        if focused(person.page) == place:
            return
    raise AssertionError(f"arrows never reached {place}")


def play(person: Person) -> None:
    """One turn: lifts and drops with Space, then Enter."""
    nodes, node = person.view["turn"]["nodes"], 0
    while not nodes[node][0]:
        source, target, _, _, node = nodes[node][1][0]
        walk_to(person, spot(source))
        person.page.keyboard.press(" ")
        walk_to(person, spot(target))
        person.page.keyboard.press(" ")
        person.hand.settle()
    person.page.keyboard.press("Enter")


def test_a_match_by_keyboard_alone(open_site: Callable[..., Site]) -> None:
    site = open_site()
    anna = site.person()
    anna.go("/")
    tab_to(anna.page, "v-hypergammon")
    anna.page.keyboard.press(" ")
    expect(anna.page.locator("#card-title")).to_have_text("Hyper-backgammon")
    tab_to(anna.page, "length")
    anna.page.keyboard.press("ArrowUp")
    anna.page.keyboard.press("ArrowUp")
    tab_to(anna.page, "Play")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    assert anna.view["score"]["length"] == 1
    for _ in range(300):
        anna.wait("v.to_act === 'near' || v.result")
        if anna.view["result"]:
            break
        before = json.dumps([anna.view[part] for part in ("allowed", "near", "far")])
        if "play" in anna.kinds:
            play(anna)
        else:
            anna.page.keyboard.press("r")
        until(anna.page, f"JSON.stringify([{VIEW}.allowed, {VIEW}.near, {VIEW}.far]) !== JSON.stringify({before})")
    assert anna.view["result"] is not None
    assert anna.page.locator("#banner").is_visible()
    played = anna.path
    tab_to(anna.page, "Rematch")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url(lambda url: not url.endswith(played))
    anna.arrive()
    assert anna.view["result"] is None


NOTE_WHAT_IS_SAID = """() => { window.spoken = [];
    const voice = document.querySelector('.bg-voice');
    const note = (nodes) => { for (const node of nodes) window.spoken.push(node.textContent); };
    note(voice.children);
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => note(addedNodes)))
        .observe(voice, {childList: true}); }"""

HAPPENED = """() => [...document.querySelectorAll('#lines td')].flatMap((cell) => {
    const dice = cell.querySelector('.dice')?.textContent.replace(':', '');
    if (dice) {
        const play = [...cell.childNodes].slice(1).map((node) => node.textContent).join('').trim();
        return [['roll', [...dice].join('-')], ['play', play]];
    }
    const said = cell.closest('.said, .result');
    return said ? [['said', cell.textContent]] : []; })"""


def spoken(person: Person) -> list[str]:
    found: list[str] = person.page.evaluate("window.spoken")
    return found


def test_a_blind_player_hears_all_of_a_match(open_site: Callable[..., Site]) -> None:
    site = open_site()
    anna = site.person()
    anna.choose("hypergammon", opponent="bot", length=3)
    already = len(anna.page.evaluate(HAPPENED))  # a tie for the start may have come before anybody listens
    anna.page.evaluate(NOTE_WHAT_IS_SAID)
    doubled = False
    for _ in range(600):
        anna.wait("v.to_act === 'near' || v.result || v.allowed.some(may => may.kind === 'next')")
        kinds = anna.kinds
        if anna.view["result"] and "next" not in kinds:
            break
        before = json.dumps([anna.view[part] for part in ("allowed", "near", "far", "cube", "phase")])
        heard = len(spoken(anna))
        if "play" in kinds:
            left = anna.page.locator(".bg-status").inner_text()
            assert any(left in line for line in spoken(anna)[-2:]), (left, spoken(anna)[-6:])
            play(anna)
        elif "next" in kinds:
            anna.page.keyboard.press("Enter")
        elif "take" in kinds:
            anna.page.keyboard.press("t")
        elif "double" in kinds and not doubled:
            assert "Roll, or double first." in spoken(anna)[-1], spoken(anna)[-6:]
            doubled = True
            anna.page.keyboard.press("d")
        else:
            anna.page.keyboard.press("r")
        parts = ", ".join(f"{VIEW}.{part}" for part in ("allowed", "near", "far", "cube", "phase"))
        until(anna.page, f"JSON.stringify([{parts}]) !== JSON.stringify({before})")
        anna.hand.settle()
        assert len(spoken(anna)) > heard, (kinds, spoken(anna)[-6:])
    transcript = "\n".join(spoken(anna))
    assert doubled
    place = 0
    for kind, text in anna.page.evaluate(HAPPENED)[already:]:
        words = text if kind != "play" or "/" in text else "cannot play"
        found = transcript.find(words, place)
        assert found >= 0, (
            f"{kind} {text!r} was not said after:\n{transcript[:place]}\n---- but then:\n{transcript[place:]}"
        )
        place = found + len(words)
    assert anna.view["result"]["how"] in transcript, transcript
    assert "double" in transcript.lower(), transcript
