"""A real board on one screen: real dice entered, hands that may err, objections (S2-10, S2-25, S2-26, S3-12 to S3-14)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from barpoint.match import read_log
from barpoint.record import parse_mat
from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site

__all__ = ["open_site"]


def sat_down(site: Site, *variants: str, length: int = 0, **settings: object) -> Person:
    """The person who records the match of Anna and Ben, on its page."""
    recorder = site.person(**settings)
    recorder.go("/")
    recorder.tick(*variants)
    recorder.page.locator("label[for=o-board]").click()
    recorder.page.get_by_role("textbox", name="Light").fill("Anna")
    recorder.page.get_by_role("textbox", name="Dark").fill("Ben")
    recorder.page.select_option("#length", str(length))
    recorder.page.get_by_role("button", name="Play", exact=True).click()
    recorder.page.wait_for_url("**/match/*")
    recorder.arrive()
    return recorder


def tap(recorder: Person, *faces: int) -> None:
    recorder.wait("v.roll")
    for face in faces:
        recorder.page.locator(f'.die[data-face="{face}"]').click()


def hands(recorder: Person, source: str, target: str) -> None:
    """Moves a checker, and waits until the server has the move."""
    before = len(recorder.view["turn"]["made"])
    recorder.hand.drag(source, target)
    recorder.wait(f"v.turn.made.length === {before + 1}")


def test_an_illegal_play_is_objected_to_and_survives_a_reload_and_a_restart(open_site: Callable[..., Site]) -> None:
    """S2-25, S3-13."""
    site = open_site()
    recorder = sat_down(site)
    tap(recorder, 3, 1)
    recorder.wait_for("play")
    hands(recorder, "p8", "p5")
    hands(recorder, "p8", "p2")  # no number of the roll reaches it
    expect(recorder.page.locator(".bg-status")).to_contain_text("Not a legal play")
    recorder.page.reload()
    recorder.arrive()
    assert [move[:2] for move in recorder.view["turn"]["made"]] == [[8, 5], [8, 2]]
    recorder.press("play")
    recorder.wait("v.roll && v.roll.of === 'far'")
    assert "object" in recorder.kinds

    site.restart()
    recorder.press("object")
    recorder.wait_for("correct")
    recorder.hand.drag("p8", "p5")
    recorder.hand.drag("p6", "p5")
    recorder.press("correct")
    recorder.wait("v.roll && v.roll.of === 'far'")
    assert "object" not in recorder.kinds
    assert recorder.view["near"]["points"][5] == 2


def test_a_play_against_the_rules_stands_once_the_other_side_rolls(open_site: Callable[..., Site]) -> None:
    """S3-13."""
    recorder = sat_down(open_site())
    tap(recorder, 3, 1)
    recorder.wait_for("play")
    hands(recorder, "p24", "p18")
    recorder.press("play")
    recorder.wait_for("object")
    tap(recorder, 6, 2)
    recorder.wait("v.dice && v.dice.of === 'far'")
    assert "object" not in recorder.kinds
    assert recorder.view["near"]["points"][18] == 1


def test_dice_that_are_cocked_or_rolled_too_early_are_rolled_again(open_site: Callable[..., Site]) -> None:
    """S2-10, S2-26."""
    recorder = sat_down(open_site())
    tap(recorder, 3, 1)
    recorder.turn((8, 5), (6, 5))
    for reason in ("Cocked dice", "Rolled too early"):
        tap(recorder, 6, 2)
        recorder.wait("v.dice && v.dice.of === 'far'")
        recorder.page.get_by_role("button", name=reason).click()
        recorder.wait("v.roll && v.roll.of === 'far' && !v.dice")
    tap(recorder, 5, 5)
    recorder.wait("v.dice && v.dice.faces[0] === 5")


def test_a_session_by_keyboard_with_the_cube_and_its_record(open_site: Callable[..., Site]) -> None:
    """Keys enter the faces, the command box takes moves; afterwards the match is a file."""
    site = open_site()
    recorder = sat_down(site)
    keys = recorder.page.keyboard
    keys.type("31")
    recorder.wait_for("play")
    keys.press("/")
    keys.type("8/5 6/5")
    keys.press("Enter")
    keys.press("Escape")
    recorder.wait("v.turn.made.length === 2")
    keys.press("Enter")
    recorder.wait("v.roll && v.roll.of === 'far'")
    keys.press("d")
    recorder.wait_for("pass")
    expect(recorder.page.locator(".bg-status")).to_contain_text("Ben offers the cube at 2")
    keys.press("p")
    recorder.wait("v.result")
    assert recorder.view["score"]["far"] == 1
    recorder.press("abort")
    expect(recorder.page.locator("#banner")).to_be_visible()

    fetched = {}
    recorder.page.get_by_role("button", name="More").click()
    for suffix in ("json", "mat"):
        with recorder.page.expect_download() as waiting:
            recorder.page.locator(f'a[href$="export.{suffix}"]').click()
        fetched[suffix] = waiting.value.path().read_text(encoding="utf-8")
    match = read_log(fetched["json"], audit=True)
    assert match.score == (0, 1)
    assert json.loads(fetched["json"])["events"][0] == {"kind": "opening", "faces": [3, 1]}
    book = parse_mat(fetched["mat"])
    assert book.players == ("Anna", "Ben")
    assert book.match.score == (0, 1)


def test_a_spectator_cannot_enter_anything(open_site: Callable[..., Site]) -> None:
    site = open_site()
    recorder, watcher = sat_down(site), site.person()
    tap(recorder, 3, 1)
    recorder.wait_for("play")
    watcher.go(recorder.path)
    watcher.arrive()
    watcher.wait("v.dice")
    assert watcher.kinds == []
    assert watcher.page.locator("#real-dice").count() == 0


@pytest.mark.parametrize("size", [(360, 740), pytest.param((1280, 800), marks=pytest.mark.deep)])
def test_every_game_has_its_faces_and_no_barrier(open_site: Callable[..., Site], size: tuple[int, int]) -> None:
    site = open_site()
    width, height = size
    recorder = sat_down(site, "duodecagammon", "roll-over", length=3, viewport={"width": width, "height": height})
    tap(recorder, 12, 4)
    tap(recorder, 9)
    recorder.wait("v.dice && v.dice.kind === '1d12'")
    assert {(may["kind"], may["by"]) for may in recorder.view["allowed"] if may["kind"] == "rollover"} == {
        ("rollover", "near"),
        ("rollover", "far"),
    }
    recorder.page.get_by_role("button", name="Ben: roll over").click()
    tap(recorder, 11)
    recorder.wait("v.dice && v.dice.faces[0] === 11")
    assert recorder.view["tokens"] == {"near": 1, "far": 0}
    assert recorder.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(recorder.page) == []
