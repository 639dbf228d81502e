"""A real board on one screen: real dice entered, hands that may err, objections (S2-10, S2-25, S2-26, S3-12 to S3-14)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from barpoint.match import read_log
from barpoint.record import parse_mat
from tests.browser.table import Person, Table, table

__all__ = ["table"]


def sat_down(live_match: Table, *variants: str, length: int = 0, **settings: object) -> Person:
    """Who keeps the record of Anna's and Ben's match."""
    adjournments = live_match.person(**settings)
    adjournments.go("/")
    adjournments.tick(*variants)
    adjournments.page.locator("label[for=o-table]").click()
    adjournments.page.get_by_label("Light").fill("Anna")
    adjournments.page.get_by_label("Dark").fill("Ben")
    adjournments.page.select_option("#length", str(length))
    adjournments.page.get_by_role("button", name="Play", exact=True).click()
    adjournments.page.wait_for_url("**/match/*")
    adjournments.arrive()
    return adjournments


def tap(adjournments: Person, *faces: int) -> None:
    adjournments.wait("v.roll")
    for face in faces:
        adjournments.page.locator(f'.die[data-face="{face}"]').click()


def hands(adjournments: Person, source: str, target: str) -> None:
    """A checker is carried, and the server has heard of it."""
    before = len(adjournments.view["turn"]["made"])
    adjournments.hand.drag(source, target)
    adjournments.wait(f"v.turn.made.length === {before + 1}")


def test_an_illegal_play_is_objected_to_and_survives_a_reload_and_a_restart(table: Callable[..., Table]) -> None:
    """S2-25, S3-13."""
    live_match = table()
    adjournments = sat_down(live_match)
    tap(adjournments, 3, 1)
    adjournments.wait_for("play")
    hands(adjournments, "p8", "p5")
    hands(adjournments, "p8", "p2")  # no number goes there
    expect(adjournments.page.locator(".bg-status")).to_contain_text("Not a legal play")
    adjournments.page.reload()
    adjournments.arrive()
    assert [move[:2] for move in adjournments.view["turn"]["made"]] == [[8, 5], [8, 2]]
    adjournments.press("play")
    adjournments.wait("v.roll && v.roll.of === 'far'")
    assert "object" in adjournments.kinds

    live_match.restart()
    adjournments.press("object")
    adjournments.wait_for("correct")
    adjournments.hand.drag("p8", "p5")
    adjournments.hand.drag("p6", "p5")
    adjournments.press("correct")
    adjournments.wait("v.roll && v.roll.of === 'far'")
    live_match.forgive("WebSocket")
    assert "object" not in adjournments.kinds
    assert adjournments.view["near"]["points"][5] == 2


def test_a_play_against_the_rules_stands_once_the_other_side_rolls(table: Callable[..., Table]) -> None:
    """S3-13."""
    adjournments = sat_down(table())
    tap(adjournments, 3, 1)
    adjournments.wait_for("play")
    hands(adjournments, "p24", "p18")
    adjournments.press("play")
    adjournments.wait_for("object")
    tap(adjournments, 6, 2)
    adjournments.wait("v.dice && v.dice.of === 'far'")
    assert "object" not in adjournments.kinds
    assert adjournments.view["near"]["points"][18] == 1


def test_dice_that_are_cocked_or_rolled_too_early_are_rolled_again(table: Callable[..., Table]) -> None:
    """S2-10, S2-26."""
    adjournments = sat_down(table())
    tap(adjournments, 3, 1)
    adjournments.turn((8, 5), (6, 5))
    for reason in ("Cocked dice", "Rolled too early"):
        tap(adjournments, 6, 2)
        adjournments.wait("v.dice && v.dice.of === 'far'")
        adjournments.page.get_by_role("button", name=reason).click()
        adjournments.wait("v.roll && v.roll.of === 'far' && !v.dice")
    tap(adjournments, 5, 5)
    adjournments.wait("v.dice && v.dice.faces[0] === 5")


def test_a_session_by_keyboard_with_the_cube_and_its_record(table: Callable[..., Table]) -> None:
    """The faces are keys, moves go into the command box; afterwards the match is a file."""
    live_match = table()
    adjournments = sat_down(live_match)
    keys = adjournments.page.keyboard
    keys.type("31")
    adjournments.wait_for("play")
    keys.press("/")
    keys.type("8/5 6/5")
    keys.press("Enter")
    keys.press("Escape")
    adjournments.wait("v.turn.made.length === 2")
    keys.press("Enter")
    adjournments.wait("v.roll && v.roll.of === 'far'")
    keys.press("d")
    adjournments.wait_for("pass")
    expect(adjournments.page.locator(".bg-status")).to_contain_text("Ben offers the cube at 2")
    keys.press("p")
    adjournments.wait("v.result")
    assert adjournments.view["score"]["far"] == 1
    adjournments.press("abort")
    expect(adjournments.page.locator("#banner")).to_be_visible()

    fetched = {}
    for suffix in ("json", "mat"):
        with adjournments.page.expect_download() as waiting:
            adjournments.page.locator(f'a[href$="export.{suffix}"]').click()
        fetched[suffix] = waiting.value.path().read_text(encoding="utf-8")
    match = read_log(fetched["json"], audit=True)
    assert match.score == (0, 1)
    assert json.loads(fetched["json"])["events"][0] == {"kind": "opening", "faces": [3, 1]}
    book = parse_mat(fetched["mat"])
    assert book.players == ("Anna", "Ben")
    assert book.match.score == (0, 1)


def test_a_spectator_cannot_enter_anything(table: Callable[..., Table]) -> None:
    live_match = table()
    adjournments, watcher = sat_down(live_match), live_match.person()
    tap(adjournments, 3, 1)
    adjournments.wait_for("play")
    watcher.go(adjournments.path)
    watcher.arrive()
    watcher.wait("v.dice")
    assert watcher.kinds == []
    assert watcher.page.locator("#real-dice").count() == 0


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_every_game_has_its_faces_and_no_barrier(table: Callable[..., Table], size: tuple[int, int]) -> None:
    live_match = table()
    width, height = size
    adjournments = sat_down(
        live_match, "duodecagammon", "roll-over", length=3, viewport={"width": width, "height": height}
    )
    tap(adjournments, 12, 4)
    tap(adjournments, 9)
    adjournments.wait("v.dice && v.dice.kind === '1d12'")
    assert {(may["kind"], may["by"]) for may in adjournments.view["allowed"] if may["kind"] == "rollover"} == {
        ("rollover", "near"),
        ("rollover", "far"),
    }
    adjournments.page.get_by_role("button", name="Ben: roll over").click()
    tap(adjournments, 11)
    adjournments.wait("v.dice && v.dice.faces[0] === 11")
    assert adjournments.view["tokens"] == {"near": 1, "far": 0}
    assert adjournments.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(adjournments.page)
    assert found.violations_count == 0, found.generate_report()
