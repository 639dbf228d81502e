"""What `print` shows of the engine's answers: a few lines, with figures to three places and the errors of what was rolled out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import barpoint as bp
from barpoint.engine import CubeState, Engine, Score
from barpoint.env import Tables
from barpoint.language import in_language
from barpoint.train import TrainingLabels

START = bp.variant("backgammon").start
ENGINE = Engine("backgammon")
FIGURE = r"[+-]\d\.\d{3}"
CHANCES = r"win \d+\.\d% \(g \d+\.\d%, bg \d+\.\d%\)  lose g \d+\.\d%, bg \d+\.\d%"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (lambda: ENGINE.evaluate(START), CHANCES),
        (lambda: ENGINE.rank(START, (3, 1))[0], rf"8/5 6/5  {FIGURE} without cube  {CHANCES}"),
        (lambda: ENGINE.rank(START, (3, 1), cube=CubeState())[0], rf"8/5 6/5  {FIGURE}  {CHANCES}"),
        (
            lambda: ENGINE.rank(START, (3, 1))[1],
            rf"24/23 13/10  {FIGURE} \(-\d\.\d\d\d\) without cube  {CHANCES}",
        ),
        (
            lambda: ENGINE.rank(START, (3, 1), cube=CubeState(), score=Score(3, 5))[0],
            rf"8/5 6/5  {FIGURE}  mwc \d+\.\d\d%  {CHANCES}",
        ),
        (
            lambda: ENGINE.cube(START),
            rf"no double {FIGURE}\ndouble/take {FIGURE}\ndouble/pass \+1\.000\nright: no double",
        ),
        (lambda: ENGINE.cube(START, cube=CubeState(2, "them")), rf"no double {FIGURE}\nthe other side owns the cube"),
        (
            lambda: ENGINE.rollout(START, trials=36, cube=CubeState()),
            rf"equity {FIGURE} ± 0\.\d{{3}}\nwithout cube {FIGURE} ± 0\.\d{{3}}\n{CHANCES}\n36 games",
        ),
        (
            lambda: ENGINE.rollout(START, trials=36),
            rf"equity {FIGURE} ± 0\.\d{{3}} without cube\n{CHANCES}\n36 games",
        ),
        (
            lambda: ENGINE.rollout_plays(START, (3, 1), candidates=2, trials=36)[1],
            rf"24/23 13/10  {FIGURE} ± 0\.\d{{3}} \(-0\.\d{{3}} ± 0\.\d{{3}}\)  {CHANCES}",
        ),
        (
            lambda: ENGINE.rollout_cube(START, trials=36),
            rf"no double {FIGURE} ± 0\.\d{{3}}\ndouble/take {FIGURE} ± 0\.\d{{3}} \({FIGURE} ± 0\.\d{{3}}\)\n"
            rf"double/pass \+1\.000\nright: no double",
        ),
        (lambda: Engine("roll-over").reroll(bp.variant("roll-over").start, (2, 1)), rf"keep {FIGURE}, reroll {FIGURE}"),
    ],
)
def test_an_answer_is_printed_in_a_few_lines(answer: Callable[[], Any], shown: str) -> None:
    found = answer()
    assert re.fullmatch(shown, str(found)), str(found)
    assert type(found).__name__ in repr(found)


def test_margins_are_printed_with_their_points() -> None:
    found = Engine("acey-deucey").evaluate(bp.variant("acey-deucey").start)
    assert re.fullmatch(r"win \d+\.\d%  points won \d\.\d\d, points lost \d\.\d\d", str(found))


def test_chances_are_printed_in_the_language_that_holds() -> None:
    with in_language("de"):
        assert "," in str(ENGINE.evaluate(START))
        assert "win" not in str(ENGINE.evaluate(START))


def test_a_ranked_play_shows_the_picture_of_its_play() -> None:
    best = ENGINE.rank(START, (3, 1))[0]
    assert best._repr_svg_() == bp.svg(best.play)


def test_what_a_console_shows_of_plays_and_arrays_is_one_line() -> None:
    ranked = ENGINE.rank(START, (3, 1))
    assert repr(ranked[0].play) == "<Play 8/5 6/5>"
    assert re.fullmatch(rf"<RankedPlay 8/5 6/5, equity {FIGURE}, loss 0\.000>", repr(ranked[0]))
    turns = Tables("backgammon", [np.random.default_rng(seed) for seed in (1, 2)]).turns(np.arange(2))
    assert repr(turns) == f"<BatchTurns of backgammon, 2 rolls, {len(turns.results)} plays>"
    positions = bp.encode([START]).view(np.uint8).reshape(-1, 64)
    labels = TrainingLabels(positions, np.zeros((1, 4, 5), np.float32))
    assert repr(labels) == "<TrainingLabels of 1 positions, targets [4, 5]>"
    assert repr(TrainingLabels(positions, labels.targets, np.zeros(1, np.int64))).endswith(", with siblings>")
    assert (labels.positions == TrainingLabels.of(bp.encode([START]), labels.targets).positions).all()
