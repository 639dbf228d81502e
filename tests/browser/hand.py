"""A player's hand on the board of a page: its actions, and what it sees there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Page

BOARD = "document.querySelector('bg-board')"
WAY_TO = """(spot) => { const middle = (place) => {
        const { x, y, width, height } = place.querySelector('.bg-area').getBoundingClientRect();
        return [x + width / 2, y + height / 2]; };
    const here = document.activeElement.closest('[data-spot]');
    if (!here) return ['', 0, -1];
    const [x, y] = middle(here), [to, down] = middle(document.querySelector(`[data-spot="${spot}"]`));
    return [here.dataset.spot, to - x, down - y]; }"""


class Hand:
    """Drags, taps and keys on the only board of a page; places are p1..p24 (near's numbers), bar-near, off-near …"""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.spent = False
        """Whether the page cannot be used for another test: its clock stands still, or a finger lies on it."""
        page.evaluate(
            f"""() => {{ window.events = []; window.drafts = [];
            const board = {BOARD};
            board.addEventListener('bg-event', (event) => window.events.push(event.detail));
            board.addEventListener('bg-draft', (event) => window.drafts.push(event.detail.moves)); }}"""
        )

    def show(self, view: dict[str, Any], **options: Any) -> None:
        self.page.evaluate(f"async ([view, options]) => {{ {BOARD}.set(view, options); }}", [view, options])
        self.settle()

    def stop_time(self) -> None:
        """From now on only `pass_time` advances the page's clock."""
        self.spent = True
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1000)

    def pass_time(self, span_ms: int) -> None:
        self.page.clock.run_for(span_ms)

    def until(self, condition: str) -> None:
        """Waits until an expression on the page is true."""
        self.page.wait_for_function(condition)

    def settle(self) -> None:
        """Waits until all motion has ended."""
        self.page.wait_for_function(f"!{BOARD}.busy && {BOARD}.getAnimations({{subtree: true}}).length === 0")

    @property
    def events(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("window.events")
        return found

    @property
    def drafts(self) -> list[list[list[int]]]:
        found: list[list[list[int]]] = self.page.evaluate("window.drafts")
        return found

    @property
    def draft(self) -> list[list[int]]:
        return self.drafts[-1] if self.drafts else []

    def on_board(self, spot: str) -> str:
        """The board's accessible name of a place."""
        return self.page.locator(f'[data-spot="{spot}"]').get_attribute("aria-label") or ""

    @property
    def lamps(self) -> dict[str, str]:
        """The lights that are on: place and name."""
        found: dict[str, str] = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-lamp]')]"
            ".map(lamp => [lamp.dataset.lamp, lamp.getAttribute('aria-label')]))"
        )
        return found

    @property
    def goals(self) -> list[str]:
        """Places marked as destinations."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('[data-goal]')].map(goal => goal.dataset.goal)"
        )
        return sorted(found)

    def checkers(self, spot: str) -> int:
        """How many checkers are drawn on a place of the board."""
        box = self.box(spot)
        found: int = self.page.evaluate(
            """([x, y, w, h]) => [...document.querySelectorAll('.bg-checker')].filter(checker => {
                const r = checker.getBoundingClientRect(); const cx = r.x + r.width / 2, cy = r.y + r.height / 2;
                return cx > x && cx < x + w && cy > y && cy < y + h; }).length""",
            [box["x"], box["y"], box["width"], box["height"]],
        )
        return found

    def box(self, spot: str) -> dict[str, float]:
        """The rectangle of a place, on the first board of a page that has several."""
        found = self.page.locator(f'[data-spot="{spot}"] .bg-area').first.bounding_box()
        assert found is not None, f"{spot} is not on the screen"
        return dict(found)

    def at(self, spot: str) -> tuple[float, float]:
        """The place's point that a pointer would aim at: its second checker."""
        box = self.box(spot)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def scroll_to(self, spot: str) -> None:
        """Scrolls to a place that is out of sight, at once: while Playwright waits for it to stand still, an update may replace it."""
        self.page.locator(f'[data-spot="{spot}"]').first.evaluate("place => place.scrollIntoViewIfNeeded()")

    def drag(self, source: str, target: str, drop: bool = True) -> None:
        """Drags a checker with the mouse, as a person does who first scrolls to it."""
        self.scroll_to(source)
        mouse = self.page.mouse
        mouse.move(*self.at(source))
        mouse.down()
        mouse.move(*self.at(target), steps=6)
        if drop:
            mouse.up()
            self.settle()

    def touches(self) -> Callable[..., None]:
        """A function that reports touches as hardware does: its kind, such as touchStart, and where each finger is."""
        session = self.page.context.new_cdp_session(self.page)

        def send(kind: str, *points: tuple[float, float]) -> None:
            touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        return send

    def finger_drag(self, source: tuple[float, float], target: tuple[float, float], drop: bool = True) -> None:
        """Drags one finger over the screen, as hardware reports it: the browser may take it for scrolling."""
        send = self.touches()
        (x, y), (to_x, to_y) = source, target
        send("touchStart", source)
        for step in range(1, 13):
            send("touchMove", (x + (to_x - x) * step / 12, y + (to_y - y) * step / 12))
        if drop:
            send("touchEnd")
            self.settle()
        else:
            self.spent = True

    @property
    def said(self) -> str:
        """What the live region said last."""
        found: str = self.page.evaluate("document.querySelector('.bg-voice').lastElementChild?.textContent ?? ''")
        return found

    def tap(self, spot: str) -> None:
        self.page.mouse.click(*self.at(spot))  # each a single click, however quickly one follows the other
        self.settle()

    def double_tap(self, spot: str) -> None:
        self.page.mouse.dblclick(*self.at(spot))
        self.settle()

    def light(self, spot: str) -> None:
        self.page.locator(f'[data-lamp="{spot}"]').click()
        self.settle()

    def button(self, kind: str) -> Any:
        return self.page.locator(f'.bg-actions [data-kind="{kind}"]')

    def walk_to(self, spot: str) -> None:
        """Presses arrows until a place has the focus: towards it, and at random where that leads nowhere."""
        chance = Random(spot)
        self.page.keyboard.press("ArrowLeft")
        seen: set[tuple[str, str]] = set()
        for _ in range(300):
            focused, dx, dy = self.page.evaluate(WAY_TO, spot)
            if focused == spot:
                return
            ways = [("ArrowRight" if dx > 0 else "ArrowLeft"), ("ArrowDown" if dy > 0 else "ArrowUp")]
            if abs(dy) > abs(dx):
                ways.reverse()
            ways += chance.sample(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), 4)
            way = next((way for way in ways if (focused, way) not in seen), ways[-1])
            seen.add((focused, way))
            self.page.keyboard.press(way)
        raise AssertionError(f"arrows never reached {spot}")

    def press(self, *keys: str) -> None:
        """Presses keys at the board: where nothing has the focus, a letter would wait for others of its word."""
        for key in keys:
            if key.isalpha() and len(key) == 1:
                self.page.evaluate(f"document.activeElement === document.body && {BOARD}.reach()")
            self.page.keyboard.press(key)
        self.settle()
