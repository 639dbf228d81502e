"""Matches by keyboard alone, and what a screen reader is given to say in one."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.site import VIEW, Person, Site, View, open_site, spot, until

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


def play(person: Person) -> None:
    """One turn: lifts and drops with Space, then Enter."""
    nodes, node = person.view["turn"]["nodes"], 0
    while not nodes[node][0]:
        source, target, _, _, node = nodes[node][1][0]
        person.hand.walk_to(spot(source))
        person.page.keyboard.press(" ")
        person.hand.walk_to(spot(target))
        person.page.keyboard.press(" ")
        person.hand.settle()
    person.page.keyboard.press("Enter")


def test_tab_stops_at_one_place_of_the_board_and_not_at_the_drawing_around_it(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    person.challenge(length=1)
    stops: list[list[str]] = []
    while not stops or stops[-1][0] != "BODY":
        person.page.keyboard.press("Tab")
        stops.append(
            person.page.evaluate("[document.activeElement.tagName, document.activeElement.dataset.spot ?? '']")
        )
    assert "svg" not in [name for name, _ in stops]
    assert len([place for _, place in stops if place]) == 1


HAPPENED = """() => [...document.querySelectorAll('#lines td')].flatMap((cell) => {
    const dice = cell.querySelector('.dice')?.textContent.replace(':', '');
    if (dice) {
        const play = [...cell.childNodes].slice(1).map((node) => node.textContent).join('').trim();
        return [['roll', [...dice].join('-')], ['play', play]];
    }
    const said = cell.closest('.said, .result');
    return said ? [['said', cell.textContent]] : []; })"""

NOTE_WHAT_IS_SAID = f"""() => {{ window.spoken = [];
    const voice = document.querySelector('.bg-voice');
    const note = (nodes) => {{ for (const node of nodes) window.spoken.push(node.textContent); }};
    note(voice.children);
    new MutationObserver((changes) => changes.forEach(({{ addedNodes }}) => note(addedNodes)))
        .observe(voice, {{childList: true}});
    return ({HAPPENED})().length; }}"""

PARTS = ("allowed", "near", "far", "cube", "phase")


def spoken(person: Person) -> list[str]:
    found: list[str] = person.page.evaluate("window.spoken")
    return found


def in_play(view: View) -> str:
    """The parts of a view that every action changes."""
    return json.dumps([view[part] for part in PARTS])


def act(person: Person, view: View, may_double: bool) -> None:
    """One action by its key."""
    kinds = {may["kind"] for may in view["allowed"]}
    if "play" in kinds:
        play(person)
    elif "next" in kinds:
        person.page.keyboard.press("Enter")
    else:
        person.page.keyboard.press("t" if "take" in kinds else "d" if may_double and "double" in kinds else "r")


def test_a_match_is_played_by_keyboard_alone_and_all_of_it_is_said(open_site: Callable[..., Site]) -> None:
    anna = open_site().person()
    anna.go("/")
    tab_to(anna.page, "v-hypergammon")
    anna.page.keyboard.press(" ")
    expect(anna.page.locator("#card-title")).to_have_text("Hyper-backgammon")
    tab_to(anna.page, "length")
    anna.page.keyboard.press("ArrowUp")
    tab_to(anna.page, "Play")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    assert anna.view["score"]["length"] == 2
    already = anna.page.evaluate(NOTE_WHAT_IS_SAID)  # a tie for the start may have come before anybody listens
    doubled = False
    for _ in range(600):
        anna.wait("v.to_act === 'near' || v.result")
        view, heard = anna.view, len(spoken(anna))
        kinds = {may["kind"] for may in view["allowed"]}
        if view["result"] and "next" not in kinds:
            break
        if "play" in kinds:
            left = anna.page.locator(".bg-status").inner_text()
            assert any(left in line for line in spoken(anna)[-2:]), (left, spoken(anna)[-6:])
        if "double" in kinds and not doubled:
            assert "Roll, or double first." in spoken(anna)[-1], spoken(anna)[-6:]
        act(anna, view, not doubled)
        doubled = doubled or "double" in kinds
        until(
            anna.page, f"JSON.stringify({list(PARTS)}.map((part) => {VIEW}[part])) !== JSON.stringify({in_play(view)})"
        )
        anna.hand.settle()
        assert len(spoken(anna)) > heard, (kinds, spoken(anna)[-6:])
    assert doubled
    check_transcript("\n".join(spoken(anna)), anna.page.evaluate(HAPPENED)[already:], anna.view["result"]["how"])

    assert anna.page.locator("#banner").is_visible()
    played = anna.path
    tab_to(anna.page, "Rematch")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url(lambda url: not url.endswith(played))
    anna.arrive()
    assert anna.view["result"] is None


def check_transcript(transcript: str, happened: list[list[str]], result: str) -> None:
    """Everything that happened was said, in its order."""
    place = 0
    for kind, text in happened:
        words = text if kind != "play" or "/" in text else "cannot play"
        found = transcript.find(words, place)
        assert found >= 0, (
            f"{kind} {text!r} was not said after:\n{transcript[:place]}\n---- but then:\n{transcript[place:]}"
        )
        place = found + len(words)
    assert result in transcript, transcript
    assert "double" in transcript.lower(), transcript
