"""The answers to an offer of the cube, against values worked out by hand: the doubler has one roll left."""

import pytest

from barpoint.analysis.offer import judge_offer
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine
from barpoint.engine.cube_info import cube_info_of_situation
from barpoint.game import Stakes
from barpoint.record import parse_id
from barpoint.variants import variant

BACKGAMMON = variant("backgammon")
LIKELY_LOST = parse_id("XGID=-A----A-----------------a-:0:0:1:00:0:0:0:0:10")
"""15 of 36 rolls bear off 6 and 1: the doubler's equity with the cube at 1 is -1/6."""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(BACKGAMMON, plies=0)


def judged(engine: Engine, raises: int, may_raise: bool, cube: int = 1) -> tuple[list[tuple[str, float]], str]:
    info = CubeInfo(CubeState(cube, "us" if cube > 1 else None), stakes=Stakes(beavers=int(may_raise)))
    found = judge_offer(engine, DecisionPoint(LIKELY_LOST.position, info), raises=raises, may_raise=may_raise)
    assert (found.decision is None) == bool(raises)
    return [(one.text, round(one.equity, 4)) for one in found.answers], found.best.text


def test_a_double_is_taken_or_passed(engine: Engine) -> None:
    assert judged(engine, 0, False) == ([("Take", 0.3333), ("Pass", -1)], "Take")


def test_a_double_may_be_beavered(engine: Engine) -> None:
    assert judged(engine, 0, True) == ([("Take", 0.3333), ("Pass", -1), ("Beaver", 0.6667)], "Beaver")


def test_the_doubler_answers_a_beaver_and_the_other_side_a_raccoon(engine: Engine) -> None:
    assert judged(engine, 1, True) == ([("Take", -0.6667), ("Pass", -2), ("Raccoon", -1.3333)], "Take")
    assert judged(engine, 2, False) == ([("Take", 1.3333), ("Pass", -4)], "Take")


def test_equities_count_the_cube_before_the_double_as_one(engine: Engine) -> None:
    assert judged(engine, 0, False, cube=4) == judged(engine, 0, False)


def test_the_answer_agrees_with_the_cube_decision(engine: Engine) -> None:
    """The side that decides loses what the doubler wins."""
    said = parse_id("XGID=-a-B--E-B---dE---c-eb---A-:1:-1:-1:D:2:4:0:7:10")
    point = DecisionPoint(said.position, cube_info_of_situation(said, BACKGAMMON))
    found, cube = judge_offer(engine, point, raises=0, may_raise=False), engine.cube(point)
    assert [one.equity for one in found.answers] == [-cube.double_take, -cube.double_pass]
    assert found.best.text == "Take"
    assert cube.double_take < cube.double_pass
