"""The layout on every width and in every orientation, and its motion."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from tests.browser.conftest import STATIC
from tests.browser.hand import BOARD, Hand
from tests.browser.views import BAR, FAR_CORNER, HAND, OPPOSITE, roll, roll_twelve, view

GEOMETRY = "const { Layout } = await import('/static/board/geometry.js');"
RESIGN = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 2, 3]}


def settings(**changes: Any) -> dict[str, Any]:
    return {"compact": False, "mirror": False, "flip": False, "pool": False, "meets": OPPOSITE, **changes}


def ask(hand: Hand, body: str, **changes: Any) -> Any:
    """The value of an expression about a layout, which is called `layout`."""
    return hand.page.evaluate(
        f"async settings => {{ {GEOMETRY} const layout = new Layout(settings); return {body}; }}", settings(**changes)
    )


ORIENTATIONS = [(mirror, flip) for mirror in (False, True) for flip in (False, True)]


@pytest.mark.parametrize(("mirror", "flip"), ORIENTATIONS)
def test_own_home_lies_where_the_orientation_says(hand: Hand, mirror: bool, flip: bool) -> None:
    """S4-6: bottom right by default; S2-2: left when mirrored."""
    box = ask(hand, "layout.box('p1')", mirror=mirror, flip=flip)
    width, centre = ask(hand, "[layout.width, layout.centre]", mirror=mirror, flip=flip)
    assert (box["x"] > width / 2) is not mirror
    assert (box["y"] > centre) is not flip


@pytest.mark.parametrize(("mirror", "flip"), ORIENTATIONS)
@pytest.mark.parametrize("compact", [False, True])
def test_the_middle_of_every_place_is_that_place(hand: Hand, mirror: bool, flip: bool, compact: bool) -> None:
    wrong = ask(
        hand,
        """[...layout.boxes].filter(([spot, box]) => spot !== 'cube'
           && layout.hit(box.x + box.width / 2, box.y + box.height / 2) !== spot).map(([spot]) => spot)""",
        mirror=mirror, flip=flip, compact=compact, pool=True,
    )  # fmt: skip
    assert wrong == []


def test_proportions_are_those_of_a_tournament_board(hand: Hand) -> None:
    box, field = ask(hand, "[layout.box('p8'), layout.fieldBottom - layout.fieldTop]")
    assert (box["width"], box["height"], field) == (100, 500, 1150)


def test_own_checkers_run_counter_clockwise(hand: Hand) -> None:
    """S4-6: from top right to the left, down, and to the right."""
    seats = ask(hand, "[24, 13, 12, 1].map(point => layout.seat('p' + point, 0, 1))")
    (x24, y24), (x13, y13), (x12, y12), (x1, y1) = [(seat["x"], seat["y"]) for seat in seats]
    assert x24 > x13
    assert y24 == y13
    assert y12 > y13
    assert x12 == x13
    assert x1 > x12
    assert y1 == y12


@pytest.mark.parametrize("count", [1, 5, 6, 10, 15])
def test_a_stack_stays_on_its_point(hand: Hand, count: int) -> None:
    seats = ask(hand, f"Array.from({{length: {count}}}, (_, index) => layout.seat('p6', index, {count}))")
    box = ask(hand, "layout.box('p6')")
    heights = [seat["y"] for seat in seats]
    assert heights[0] == box["y"] + box["height"] - 50
    assert min(heights) >= box["y"] + 50 - 1e-9
    gaps = {round(below - above, 6) for below, above in itertools.pairwise(heights)}
    assert len(gaps) <= 1


def test_fifteen_checkers_fit_in_a_tray(hand: Hand) -> None:
    for compact in (False, True):
        seats = ask(hand, "Array.from({length: 15}, (_, index) => layout.seat('off-near', index, 15))", compact=compact)
        box = ask(hand, "layout.box('off-near')", compact=compact)
        assert all(box["x"] <= seat["x"] <= box["x"] + box["width"] and seat["flat"] for seat in seats)
        assert all(box["y"] <= seat["y"] <= box["y"] + box["height"] for seat in seats)


def test_trays_lie_at_the_side_of_each_home_where_both_travel_the_same_way(hand: Hand) -> None:
    near, far, home = ask(
        hand, "[layout.box('off-near'), layout.box('off-far'), layout.box('p13')]", meets=FAR_CORNER, pool=True
    )
    assert far["x"] < home["x"] < near["x"]
    assert far["y"] < near["y"]


def test_places_and_spots_agree_for_both_sides(hand: Hand) -> None:
    for meets in (OPPOSITE, FAR_CORNER):
        wrong = ask(
            hand,
            """['near', 'far'].flatMap(side => Array.from({length: 27}, (_, place) => [side, place]))
               .filter(([side, place]) => layout.place(side, layout.spot(side, place)) !== place)""",
            meets=meets, pool=True,
        )  # fmt: skip
        assert wrong == []


# Screens.

WIDTHS = [(320, 568), (360, 640), (390, 844), (768, 1024), (1280, 720), (1440, 900), (844, 390), (568, 320)]
CROWDED = [RESIGN, {"kind": "rollover", "roll": 3, "on": "own", "faces": [9]}]


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_everything_needed_is_visible_without_scrolling(open_board: Any, width: int, height: int) -> None:
    hand: Hand = open_board(viewport={"width": width, "height": height}, reduced_motion="reduce")
    hand.show(view(dice=roll_twelve(9), allowed=CROWDED, tokens={"near": 1, "far": 1}))
    assert hand.page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in (
        ".bg-svg",
        ".bg-plate >> nth=0",
        ".bg-plate >> nth=1",
        ".bg-actions",
        ".bg-status",
        "[data-split='2']",
    ):
        box = hand.page.locator(selector).bounding_box()
        assert box is not None, selector
        assert -0.5 <= box["x"] <= width + 0.5 - box["width"], selector
        assert -0.5 <= box["y"] <= height + 0.5 - box["height"], selector


@pytest.mark.parametrize(("width", "words"), [(768, ["167", "167"]), (960, ["167 pips", "167 pips"])])
def test_both_rows_say_that_they_count_pips_or_neither_does(open_board: Any, width: int, words: list[str]) -> None:
    hand: Hand = open_board(viewport={"width": width, "height": width * 3 // 4}, reduced_motion="reduce")
    hand.show(view(dice=roll(3, 1)))
    assert hand.page.locator(".bg-pips").all_inner_texts() == words


@pytest.mark.parametrize("width", [320, 360, 768])
def test_every_target_is_at_least_24_px(open_board: Any, width: int) -> None:
    hand: Hand = open_board(viewport={"width": width, "height": 700}, reduced_motion="reduce")
    hand.show(view({HAND: 2, 13: 5, 8: 3, 6: 5}, dice=roll_twelve(9), allowed=CROWDED, made=[]))
    hand.tap("p8")
    small = hand.page.evaluate(
        """[...document.querySelectorAll('.bg-target:not([hidden]) .bg-area, .bg-split-face, .bg-button, .bg-lamp .bg-area')]
           .map(element => [element.parentNode.dataset.spot ?? element.className, element.getBoundingClientRect()])
           .filter(([, box]) => box.width < 23.9 || box.height < 23.9).map(([name, box]) => [name, box.width, box.height])"""
    )
    assert small == []


@pytest.mark.parametrize("width", [320, 360, 390])
def test_names_and_counts_of_trays_run_into_nothing_on_a_phone(open_board: Any, width: int) -> None:
    hand: Hand = open_board(viewport={"width": width, "height": 640}, reduced_motion="reduce")
    hand.show(view({HAND: 13, 6: 1}, {HAND: 10, 6: 2}, tokens={"near": 1, "far": 1}, cube=None))
    names = hand.page.locator(".bg-tray-name").evaluate_all(
        "all => all.map(name => [name.dataset.tray, name.textContent])"
    )
    assert dict(names) == {"off-near": "off", "off-far": "off", "hand-near": "hand", "hand-far": "hand"}
    crossed = hand.page.evaluate(
        """() => { const parts = [...document.querySelectorAll('.bg-tray-name, .bg-outside, .bg-flat .bg-edge, .bg-plate > *')]
            .filter(part => part.getBoundingClientRect().width > 0);
            const boxes = parts.map(part => part.getBoundingClientRect());
            const words = parts.map((part, index) => index).filter(index => !parts[index].matches('.bg-edge'));
            return words.flatMap(one => parts.map((_, other) => [one, other])).filter(([one, other]) => { const a = boxes[one], b = boxes[other];
                return one !== other && a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5; })
            .map(([one, other]) => [parts[one].textContent, parts[other].textContent]); }"""
    )
    assert crossed == []


@pytest.mark.parametrize("width", [320, 1000])
def test_every_tray_has_its_name_and_the_count_of_what_lies_in_it(open_board: Any, width: int) -> None:
    hand: Hand = open_board(viewport={"width": width, "height": 700}, reduced_motion="reduce")
    hand.show(view({6: 2}, {4: 3, 2: 4}))
    assert hand.page.locator(".bg-tray-name").all_text_contents() == ["off", "off"]
    assert sorted(hand.page.locator(".bg-outside").all_text_contents()) == ["13", "8"]


def test_names_stay_clear_of_trays_on_a_phone(open_board: Any) -> None:
    hand: Hand = open_board(viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    labels = {"near": "You", "far": "A Person With A Very Long Name"}
    hand.show(view({6: 2}, {6: 2}, allowed=[{"kind": "roll"}], labels=labels, tokens={"near": 1, "far": 1}))
    tray = hand.box("off-far")
    across = hand.page.locator(".bg-plate").first.evaluate(
        """(plate, tray) => [...plate.querySelectorAll('.bg-who > *, .bg-plate > :not(.bg-who)')]
            .map(part => [part.className, part.getBoundingClientRect()])
            .filter(([, box]) => box.width && box.right > tray.x && box.bottom > tray.y).map(([name]) => name)""",
        tray,
    )
    assert across == []


# Motion.


def test_a_checker_keeps_its_identity_when_it_moves(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    ids = "[...document.querySelectorAll('.bg-checker')].map(checker => checker.dataset.id).sort()"
    before = hand.page.evaluate(ids)
    hand.drag("p8", "p5")
    assert hand.page.evaluate(ids) == before
    assert len(before) == 30


def test_a_hit_checker_leaves_for_the_bar_after_the_hitter_has_landed(hand: Hand) -> None:
    beats = hand.page.evaluate(
        """async ([before, after, meets]) => {
            const { layOut, settle } = await import('/static/board/checker.js');
            const roster = layOut(before);
            return settle(roster, after, meets, [{side: 'near', move: [8, 5, 3]}])
                .map(beat => beat.map(({side, from, to}) => [side, from, to])); }""",
        [view({8: 2}, {20: 1}), view({8: 1, 5: 1}, {BAR: 1}), OPPOSITE],
    )
    assert beats == [[["near", 8, 5]], [["far", 20, BAR]]]


def test_one_checker_touches_down_between_its_moves(open_board: Any) -> None:
    hand: Hand = open_board()
    hand.show(view(to_act="far"))
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6], [18, 13, 5]], "faces": [6, 5], "text": "24/13"}
    paths = hand.page.evaluate(
        """async after => { const board = document.querySelector('bg-board'); board.set(after);
            await new Promise(done => requestAnimationFrame(done));
            return board.getAnimations({subtree: true}).filter(motion => motion.effect.target.dataset.id)
                .map(motion => motion.effect.getKeyframes().map(frame => frame.transform)); }""",
        view(far={24: 1, 13: 6, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played),
    )
    hand.settle()
    assert len(paths) == 1
    down = {frame for frame in paths[0] if frame.endswith("scale(1)")}
    assert len(down) == 3
    assert len(set(paths[0])) > 10, "in between it is in the air"
    assert hand.checkers("p12") == 6


def test_steps_take_between_180_and_250_ms(hand: Hand) -> None:
    beat = hand.page.evaluate("async () => (await import('/static/board/animation.js')).BEAT_MS")
    assert 180 <= beat <= 250


def test_nothing_moves_with_reduced_motion(hand: Hand) -> None:
    hand.show(view(to_act="far"))
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6], [18, 13, 5]], "faces": [6, 5], "text": "24/13"}
    running = hand.page.evaluate(
        """async after => { const board = document.querySelector('bg-board'); board.set(after);
            await new Promise(done => requestAnimationFrame(done));
            return board.getAnimations({subtree: true}).length; }""",
        view(far={24: 1, 13: 6, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played),
    )
    assert running == 0
    assert hand.checkers("p12") == 6


MOTIONS = """async ([after, option]) => { const board = document.querySelector('bg-board'); board.options = {speed: option};
    board.set(after); await new Promise(done => requestAnimationFrame(done));
    return board.getAnimations({subtree: true}).filter(motion => motion.effect.target.dataset.id)
        .map(motion => motion.effect.getTiming().duration); }"""


@pytest.mark.parametrize(("option", "moves"), [("none", 0), ("fast", 1), ("normal", 1), ("slow", 1)])
def test_the_speed_of_what_moves_can_be_chosen(open_board: Any, option: str, moves: int) -> None:
    hand: Hand = open_board()
    hand.show(view(to_act="far"))
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6]], "faces": [6, 5], "text": "24/18"}
    after = view(far={24: 1, 18: 1, 13: 5, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played)
    spans = hand.page.evaluate(MOTIONS, [after, option])
    normal, pace = hand.page.evaluate(
        "async () => { const { BEAT_MS, PACE } = await import('/static/board/animation.js'); return [BEAT_MS, PACE]; }"
    )
    assert len(spans) == moves
    assert all(span >= normal * pace[option] for span in spans)
    assert pace["none"] == 0 < pace["fast"] < pace["normal"] == 1 < pace["slow"]
    hand.settle()
    assert hand.checkers("p7") == 1


def test_the_settings_offer_every_speed_and_hand_it_to_the_board(hand: Hand) -> None:
    page = (STATIC.parent / "templates" / "settings.html").read_text(encoding="utf-8")
    field = re.search(r'<select name="speed">(.*?)</select>', page)
    assert field is not None
    offered = re.findall(r'<option value="(\w+)">', field[1])
    handed, known, otherwise = hand.page.evaluate(
        """async offered => { const { PACE } = await import('/static/board/animation.js');
            const { boardOptions, keptSettings } = await import('/static/settings.js');
            const handed = speed => boardOptions({...keptSettings(), speed}).speed;
            return [offered.map(handed), Object.keys(PACE), handed('at once')]; }""",
        offered,
    )
    assert handed == offered == known
    assert otherwise == "normal"


def test_reduced_motion_wins_over_the_speed_chosen(hand: Hand) -> None:
    hand.show(view(to_act="far"))
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6]], "faces": [6, 5], "text": "24/18"}
    after = view(far={24: 1, 18: 1, 13: 5, 8: 3, 6: 5}, last=played)
    assert hand.page.evaluate(MOTIONS, [after, "slow"]) == []


def test_a_hit_is_seen_where_it_happens_before_the_checker_leaves(open_board: Any) -> None:
    hand: Hand = open_board()
    hand.show(view({8: 2}, {20: 1}, to_act="near"))
    played = {"by": "near", "kind": "play", "moves": [[8, 5, 3]], "faces": [3, 1], "text": "8/5*"}
    rings, pressed = hand.page.evaluate(
        """async after => { const board = document.querySelector('bg-board'); board.set(after);
            await new Promise(done => requestAnimationFrame(done));
            const [hit] = board.getAnimations({subtree: true}).filter(motion => motion.effect.target.dataset.id?.startsWith('far'));
            const scales = hit.effect.getKeyframes().map(frame => Number(frame.transform.match(/scale\\(([0-9.]+)\\)/)[1]));
            return [board.querySelectorAll('.bg-struck').length, Math.min(...scales)]; }""",
        view({8: 1, 5: 1}, {BAR: 1}, to_act="far", last=played),
    )
    assert rings == 1
    assert pressed < 1
    hand.settle()
    assert hand.page.locator(".bg-struck").count() == 0


def test_a_touch_of_the_board_lets_everything_arrive_at_once(open_board: Any) -> None:
    hand: Hand = open_board()
    hand.show(view(to_act="far"))
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6], [18, 13, 5]], "faces": [6, 5], "text": "24/13"}
    moving = hand.page.evaluate(
        """async after => { const board = document.querySelector('bg-board'); board.set(after);
            await new Promise(done => requestAnimationFrame(done));
            const moving = () => board.getAnimations({subtree: true}).filter(motion => motion.effect.target.dataset.id).length;
            const before = moving();
            board.querySelector('svg').dispatchEvent(new PointerEvent('pointerdown', {isPrimary: true, bubbles: true}));
            return [before, moving()]; }""",
        view(far={24: 1, 13: 6, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played),
    )
    assert moving == [1, 0]


def test_views_that_come_quickly_are_shown_one_after_the_other(open_board: Any) -> None:
    hand: Hand = open_board()
    hand.show(view(to_act="far"))
    dice = {"kind": "2d6", "faces": [6, 5], "of": "far", "alternatives": [[6, 5]]}
    rolled = view(
        to_act="far", dice=dice, last={"by": "far", "kind": "roll", "faces": [6, 5], "text": "Barpoint rolls 6-5"}
    )
    played = {"by": "far", "kind": "play", "moves": [[24, 13, 11]], "faces": [6, 5], "text": "24/13"}
    after = view(far={24: 1, 13: 6, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played)
    said = hand.page.evaluate(
        """async views => { const board = document.querySelector('bg-board'); const said = [];
            new MutationObserver(() => said.push(board.querySelector('.bg-voice').lastElementChild.textContent))
                .observe(board.querySelector('.bg-voice'), {childList: true});
            for (const view of views) board.set(view);
            while (board.busy) await new Promise(done => setTimeout(done, 20));
            return said; }""",
        [rolled, after],
    )
    assert said == ["Barpoint rolls 6-5.", "Barpoint plays 24/13. Your roll."]


# Colours.


@pytest.mark.parametrize("settings", [{"forced_colors": "active"}, {"contrast": "more"}, {"color_scheme": "dark"}, {}])
def test_both_sides_differ_in_lightness_and_in_shape(open_board: Any, settings: dict[str, str]) -> None:
    hand: Hand = open_board(reduced_motion="reduce", **settings)
    hand.show(view())
    seen = hand.page.evaluate(
        """['near', 'far'].map(side => { const checker = document.querySelector(`.bg-checker.bg-${side}`);
            const [red, green, blue] = getComputedStyle(checker.querySelector('.bg-disc')).fill.match(/[0-9.]+/g).map(Number);
            return [(0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255, checker.querySelector('.bg-inlay').getAttribute('r')]; })"""
    )
    (near, near_ring), (far, far_ring) = seen
    assert near - far > 0.7
    assert near_ring != far_ring


# Forced plays.


@pytest.fixture
def timeless(hand: Hand) -> Hand:
    """A hand at a board whose clock the test moves."""
    hand.stop_time()
    return hand


def automatic(hand: Hand) -> list[dict[str, Any]]:
    """What has been played after more than enough time."""
    hand.pass_time(5000)
    return hand.events


CLOSED = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}


def test_nothing_is_played_by_itself_unless_asked_for(timeless: Hand) -> None:
    timeless.show(view({BAR: 1, 6: 2}, CLOSED, dice=roll(6, 5)))
    assert automatic(timeless) == []


def test_a_roll_without_a_play_is_passed_where_asked_for(timeless: Hand) -> None:
    timeless.show(view({BAR: 1, 6: 2}, CLOSED, dice=roll(6, 5)), **{"pass": True})
    assert automatic(timeless) == [{"kind": "play", "moves": []}]


def test_a_forced_play_is_played_where_asked_for(timeless: Hand) -> None:
    timeless.show(view({24: 1}, {6: 2, 2: 2}, dice=roll(5, 4), checkers=15), forced=True)
    assert automatic(timeless) == [{"kind": "play", "moves": [[24, 20, 4], [20, 15, 5]]}]


def test_the_rest_is_borne_off_where_asked_for(timeless: Hand) -> None:
    timeless.show(view({6: 2, 5: 2, 1: 1}, {6: 2}, dice=roll(6, 5)), bearoff=True)
    assert automatic(timeless) == [{"kind": "play", "moves": [[6, 0, 6], [5, 0, 5]]}]


def test_nothing_is_played_by_itself_while_a_call_is_open(timeless: Hand) -> None:
    """RC-7, RC-8."""
    call = {"kind": "rollover", "roll": 3, "on": "own", "faces": [6, 5]}
    options = {"pass": True, "forced": True, "bearoff": True, "roll": "always"}
    timeless.show(
        view({BAR: 1, 6: 2}, CLOSED, dice=roll(6, 5), allowed=[call], tokens={"near": 1, "far": 1}), **options
    )
    assert automatic(timeless) == []
    other = {"kind": "rollover", "roll": 3, "on": "other", "faces": [6, 5]}
    timeless.show(view(allowed=[{"kind": "roll"}, other], tokens={"near": 1, "far": 1}), **options)
    assert automatic(timeless) == []


@pytest.mark.parametrize(
    ("rolls", "allowed", "sent"),
    [
        ("no_double", [{"kind": "roll"}], [{"kind": "roll"}]),
        ("no_double", [{"kind": "roll"}, {"kind": "double", "value": 2}], []),
        ("always", [{"kind": "roll"}, {"kind": "double", "value": 2}], [{"kind": "roll"}]),
        ("never", [{"kind": "roll"}], []),
    ],
)
def test_a_roll_by_itself_leaves_room_for_a_double(
    timeless: Hand, rolls: str, allowed: list[dict[str, Any]], sent: list[dict[str, Any]]
) -> None:
    timeless.show(view(allowed=allowed), roll=rolls)
    assert automatic(timeless) == sent


@pytest.mark.parametrize("height", [420, 540, 620, 700])
def test_a_board_whose_height_is_limited_keeps_its_layout(open_board: Any, height: int) -> None:
    """The limit makes a wide layout narrower than the width at which layouts change, and must not change it."""
    hand = open_board(reduced_motion="reduce", viewport={"width": 1000, "height": 1000})
    hand.page.evaluate(f"height => {BOARD}.style.setProperty('--bg-max-height', `${{height}}px`)", height)
    hand.show(view(dice=roll(3, 1)))
    hand.page.evaluate(
        f"""() => {{ window.changes = 0;
        new MutationObserver((found) => {{ window.changes += found.length; }}).observe({BOARD}, {{attributeFilter: ['data-compact']}}); }}"""
    )
    hand.page.wait_for_timeout(300)
    assert hand.page.evaluate("window.changes") == 0
    assert not hand.page.evaluate(f"{BOARD}.hasAttribute('data-compact')")
