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


def sat_down(room: Table, *variants: str, length: int = 0, **settings: object) -> Person:
    """Who keeps the record of Anna's and Ben's match."""
    keeper = room.person(**settings)
    keeper.go("/")
    keeper.tick(*variants)
    keeper.page.locator("label[for=o-table]").click()
    keeper.page.get_by_label("Light").fill("Anna")
    keeper.page.get_by_label("Dark").fill("Ben")
    keeper.page.select_option("#length", str(length))
    keeper.page.get_by_role("button", name="Play", exact=True).click()
    keeper.page.wait_for_url("**/match/*")
    keeper.arrive()
    return keeper


def tap(keeper: Person, *faces: int) -> None:
    keeper.wait("v.roll")
    for face in faces:
        keeper.page.locator(f'.die[data-face="{face}"]').click()


def hands(keeper: Person, source: str, target: str) -> None:
    """A checker is carried, and the server has heard of it."""
    before = len(keeper.view["turn"]["made"])
    keeper.hand.drag(source, target)
    keeper.wait(f"v.turn.made.length === {before + 1}")


def test_an_illegal_play_is_objected_to_and_survives_a_reload_and_a_restart(table: Callable[..., Table]) -> None:
    """S2-25, S3-13."""
    room = table()
    keeper = sat_down(room)
    tap(keeper, 3, 1)
    keeper.wait_for("play")
    hands(keeper, "p8", "p5")
    hands(keeper, "p8", "p2")  # no number goes there
    expect(keeper.page.locator(".bg-status")).to_contain_text("Not a legal play")
    keeper.page.reload()
    keeper.arrive()
    assert [move[:2] for move in keeper.view["turn"]["made"]] == [[8, 5], [8, 2]]
    keeper.press("play")
    keeper.wait("v.roll && v.roll.of === 'far'")
    assert "object" in keeper.kinds

    room.restart()
    keeper.press("object")
    keeper.wait_for("correct")
    keeper.hand.drag("p8", "p5")
    keeper.hand.drag("p6", "p5")
    keeper.press("correct")
    keeper.wait("v.roll && v.roll.of === 'far'")
    room.forgive("WebSocket")
    assert "object" not in keeper.kinds
    assert keeper.view["near"]["points"][5] == 2


def test_a_play_against_the_rules_stands_once_the_other_side_rolls(table: Callable[..., Table]) -> None:
    """S3-13."""
    keeper = sat_down(table())
    tap(keeper, 3, 1)
    keeper.wait_for("play")
    hands(keeper, "p24", "p18")
    keeper.press("play")
    keeper.wait_for("object")
    tap(keeper, 6, 2)
    keeper.wait("v.dice && v.dice.of === 'far'")
    assert "object" not in keeper.kinds
    assert keeper.view["near"]["points"][18] == 1


def test_dice_that_are_cocked_or_rolled_too_early_are_rolled_again(table: Callable[..., Table]) -> None:
    """S2-10, S2-26."""
    keeper = sat_down(table())
    tap(keeper, 3, 1)
    keeper.turn((8, 5), (6, 5))
    for reason in ("Cocked dice", "Rolled too early"):
        tap(keeper, 6, 2)
        keeper.wait("v.dice && v.dice.of === 'far'")
        keeper.page.get_by_role("button", name=reason).click()
        keeper.wait("v.roll && v.roll.of === 'far' && !v.dice")
    tap(keeper, 5, 5)
    keeper.wait("v.dice && v.dice.faces[0] === 5")


def test_a_session_by_keyboard_with_the_cube_and_its_record(table: Callable[..., Table]) -> None:
    """The faces are keys, moves go into the command box; afterwards the match is a file."""
    room = table()
    keeper = sat_down(room)
    keys = keeper.page.keyboard
    keys.type("31")
    keeper.wait_for("play")
    keys.press("/")
    keys.type("8/5 6/5")
    keys.press("Enter")
    keys.press("Escape")
    keeper.wait("v.turn.made.length === 2")
    keys.press("Enter")
    keeper.wait("v.roll && v.roll.of === 'far'")
    keys.press("d")
    keeper.wait_for("pass")
    expect(keeper.page.locator(".bg-status")).to_contain_text("Ben offers the cube at 2")
    keys.press("p")
    keeper.wait("v.result")
    assert keeper.view["score"]["far"] == 1
    keeper.press("abort")
    expect(keeper.page.locator("#banner")).to_be_visible()

    fetched = {}
    for suffix in ("json", "mat"):
        with keeper.page.expect_download() as waiting:
            keeper.page.locator(f'a[href$="export.{suffix}"]').click()
        fetched[suffix] = waiting.value.path().read_text(encoding="utf-8")
    match = read_log(fetched["json"], audit=True)
    assert match.score == (0, 1)
    assert json.loads(fetched["json"])["events"][0] == {"kind": "opening", "faces": [3, 1]}
    book = parse_mat(fetched["mat"])
    assert book.players == ("Anna", "Ben")
    assert book.match.score == (0, 1)


def test_a_spectator_cannot_enter_anything(table: Callable[..., Table]) -> None:
    room = table()
    keeper, watcher = sat_down(room), room.person()
    tap(keeper, 3, 1)
    keeper.wait_for("play")
    watcher.go(keeper.path)
    watcher.arrive()
    watcher.wait("v.dice")
    assert watcher.kinds == []
    assert watcher.page.locator("#table").count() == 0


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_every_game_has_its_faces_and_no_barrier(table: Callable[..., Table], size: tuple[int, int]) -> None:
    room = table()
    width, height = size
    keeper = sat_down(room, "duodecagammon", "roll-over", length=3, viewport={"width": width, "height": height})
    tap(keeper, 12, 4)
    tap(keeper, 9)
    keeper.wait("v.dice && v.dice.kind === '1d12'")
    assert {(may["kind"], may["by"]) for may in keeper.view["allowed"] if may["kind"] == "rollover"} == {
        ("rollover", "near"),
        ("rollover", "far"),
    }
    keeper.page.get_by_role("button", name="Ben: roll over").click()
    tap(keeper, 11)
    keeper.wait("v.dice && v.dice.faces[0] === 11")
    assert keeper.view["tokens"] == {"near": 1, "far": 0}
    assert keeper.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(keeper.page)
    assert found.violations_count == 0, found.generate_report()
