"""What the board tells of what it shows, and the sounds that are asked for; nobody listens here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.hand import BOARD, Hand
from tests.browser.site import Site, open_site
from tests.browser.views import roll, view
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

FAR = {"kind": "2d6", "faces": [6, 5], "of": "far", "alternatives": [[6, 5]]}
HITTING = ({8: 2, 6: 2}, {20: 1, 13: 2})
WON = {"winner": "near", "points": 1, "kind": "single", "how": "You win 1 point"}


def listen(hand: Hand, pressed: bool = False, **settings: Any) -> None:
    """Notes what the board tells, and what its sounds are asked for. pressed: whether the page had a press before."""
    hand.page.evaluate(
        f"""async ([pressed, settings]) => {{ window.shown = []; window.heard = []; window.shakes = [];
        Object.defineProperty(navigator, 'userActivation', {{get: () => ({{hasBeenActive: pressed}})}});
        navigator.vibrate = (pattern) => window.shakes.push(pattern);
        const board = {BOARD};
        board.addEventListener('bg-shown', (event) => window.shown.push(event.detail.kind + ' ' + event.detail.by));
        board.addEventListener('bg-sound', (event) => window.heard.push(event.detail.kind));
        const {{ Sound }} = await import('/static/board/sound.js');
        window.sound = Object.assign(new Sound(board), settings); }}""",
        [pressed, {"on": True, **settings}],
    )


def told(hand: Hand, what: str = "shown") -> list[Any]:
    hand.settle()
    found: list[Any] = hand.page.evaluate(f"window.{what}.splice(0)")
    return found


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_moves_hits_and_checkers_borne_off_are_told_in_order_as_they_land(
    open_board: Callable[..., Hand], motion: str
) -> None:
    hand = open_board(reduced_motion=motion)
    hand.show(view(*HITTING, dice=roll(3, 1), checkers=4))
    listen(hand)
    hand.drag("p8", "p5")
    assert told(hand) == ["hit near"]
    hand.drag("p6", "p5")
    assert told(hand) == ["move near"]
    hand.show(view({3: 1, 1: 1}, {13: 2}, dice=roll(3, 1), checkers=2))
    told(hand)
    hand.drag("p3", "off-near")
    assert told(hand) == ["off near"]


def test_the_roll_and_play_of_the_other_side_are_told(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    listen(hand)
    hand.show(view(dice=FAR, to_act="far", last={"by": "far", "kind": "roll", "text": "", "faces": [6, 5]}))
    assert told(hand) == ["roll far"]
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6], [18, 13, 5]], "faces": [6, 5], "text": "24/13"}
    hand.show(view(far={24: 1, 13: 6, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played))
    assert told(hand) == ["move far", "move far"]


@pytest.mark.parametrize(
    ("labels", "winner", "expected"),
    [
        ({"near": "You", "far": "Ben"}, "near", "won near"),
        ({"near": "You", "far": "Ben"}, "far", "lost far"),
        ({"near": "Anna", "far": "Ben"}, "far", "won far"),
    ],
)
def test_cube_and_end_of_a_game_are_told(hand: Hand, labels: dict[str, str], winner: str, expected: str) -> None:
    hand.show(view(labels=labels, allowed=[{"kind": "roll"}]))
    listen(hand)
    offered = {"value": 1, "owner": None, "offered": {"by": "far", "value": 2}}
    double = {"by": "far", "kind": "double", "text": "Ben doubles"}
    hand.show(view(labels=labels, cube=offered, last=double, allowed=[{"kind": "take", "value": 2}]))
    assert told(hand) == ["cube far"]
    passed = {"by": "near", "kind": "pass", "text": "You pass"}
    hand.show(view(labels=labels, last=passed, result={**WON, "winner": winner}))
    assert told(hand) == [expected]


def test_the_first_view_and_an_echo_are_silent(hand: Hand) -> None:
    listen(hand)
    hand.show(view(dice=roll(3, 1)))
    hand.show(view(dice=roll(3, 1)))
    assert told(hand) == []


def test_sounds_begin_with_the_first_press_and_end_with_mute(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    listen(hand)
    dice = {"last": {"by": "near", "kind": "roll", "text": "", "faces": [3, 1]}}
    hand.show(view(*HITTING, dice=roll(3, 1), checkers=4, **dice))
    assert told(hand) == ["roll near"]
    assert told(hand, "heard") == []
    hand.drag("p8", "p5")
    hand.drag("p6", "p5")
    assert told(hand, "heard") == ["hit", "move"]
    hand.page.evaluate("window.sound.on = false")
    hand.press("Backspace")
    assert "move near" in told(hand)
    assert told(hand, "heard") == []


def test_sounds_that_the_system_has_interrupted_go_on_with_the_next_press(hand: Hand) -> None:
    hand.page.evaluate(
        """() => { window.resumed = 0;
        window.AudioContext = class { state = 'interrupted'; async resume() { window.resumed += 1; throw new DOMException('', 'InvalidStateError'); } }; }"""
    )
    listen(hand)
    hand.page.mouse.click(5, 5)
    assert hand.page.evaluate("window.resumed") > 0


def test_a_hit_is_felt_where_that_is_wanted(hand: Hand) -> None:
    hand.show(view(*HITTING, dice=roll(3, 1), checkers=4))
    listen(hand, pressed=True, vibration=True)
    hand.drag("p8", "p5")
    assert told(hand, "shakes") == [[30]]
    hand.press("Backspace")
    hand.page.evaluate("window.sound.vibration = false")
    hand.drag("p8", "p5")
    assert told(hand, "shakes") == []


def test_every_sound_is_short_and_quiet(hand: Hand) -> None:
    spans = hand.page.evaluate(
        """async () => { const { VOICES } = await import('/static/board/sound.js');
        return Object.entries(VOICES).map(([kind, bursts]) =>
            [kind, Math.max(...bursts.map((burst) => burst.at_ms + burst.span_ms)),
             Math.max(...bursts.map((burst) => burst.gain))]); }"""
    )
    assert {kind for kind, _, _ in spans} == {"roll", "move", "hit", "off", "cube", "turn", "won", "lost"}
    assert all(20 <= span <= 200 and loudest < 1 for _, span, loudest in spans), spans


def test_the_mute_button_of_a_match_and_the_setting_are_one_and_kept(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    anna, _ = site.pair()
    page = anna.page
    page.evaluate(f"{BOARD}.addEventListener('bg-sound', (event) => (window.heard ??= []).push(event.detail.kind))")
    mute = page.get_by_role("button", name="Mute")
    assert mute.get_attribute("aria-pressed") == "false"
    anna.move((8, 5))
    assert page.evaluate("window.heard") == ["move"]
    mute.click()
    assert mute.get_attribute("aria-pressed") == "true"
    anna.move((6, 5))
    assert page.evaluate("window.heard") == ["move"]
    page.reload()
    anna.arrive()
    assert mute.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Settings").click()
    sounds = page.get_by_label("sounds", exact=True)
    assert not sounds.is_checked()
    sounds.check()
    assert mute.get_attribute("aria-pressed") == "false"


def test_a_turn_that_begins_while_the_player_is_elsewhere_asks_for_attention(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)], [(6, 5), (2, 1)]))
    anna, ben = site.pair()
    for person in (anna, ben):
        person.page.evaluate(
            f"{BOARD}.addEventListener('bg-shown', (event) => (window.shown ??= []).push(event.detail.kind))"
        )
    anna.turn((8, 5), (6, 5))
    ben.wait_for("roll")
    ben.roll()
    anna.page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})")
    ben.turn((24, 18), (18, 13))
    anna.wait_for("roll")
    assert "turn" in anna.page.evaluate("window.shown")
    anna.page.evaluate(
        "Object.defineProperty(document, 'hidden', {get: () => false}); performance.now = () => 0; window.shown = []"
    )
    anna.roll()
    anna.turn((13, 11), (6, 5))
    ben.roll()
    ben.anything()
    anna.wait_for("roll")
    assert "turn" not in anna.page.evaluate("window.shown")
