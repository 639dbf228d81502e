"""Cube formulas: rulings 5.5 and 5.6, for money and at a score."""

import numpy as np
import pytest

from barpoint.engine import CubeInfo, CubeState, Engine, Score
from barpoint.error import StakesError
from barpoint.game import Stakes
from barpoint.native import core, core_rules
from barpoint.variants import variant

RULES = core_rules(variant("backgammon"))
MANUAL = (0.454, 0.103, 0.001, 0.106, 0.003)


def values(probabilities: tuple[float, ...], cube_info: CubeInfo, efficiency: float) -> tuple[float, ...]:
    """No double, double and take, double and pass, best, whether a beaver is the answer."""
    row = core.cube_values(RULES, np.array([probabilities], np.float32), [efficiency], cube_info.core())[0]
    return tuple(float(value) for value in row)


def window(probabilities: tuple[float, ...], cube_info: CubeInfo, efficiency: float) -> tuple[float, ...]:
    return core.market_window(RULES, np.array([probabilities], np.float32), efficiency, cube_info.core())


def chances(win: float) -> tuple[float, ...]:
    return (win, 0, 0, 0, 0)


def money(owner=None, cube: int = 1) -> CubeInfo:
    return CubeInfo(CubeState(cube, owner))


@pytest.mark.parametrize(
    ("efficiency", "take", "initial", "redouble", "cash"),
    [(0.68, 0.2137, 0.6827, 0.7179, 0.7863), (0.0, 0.25, 0.5, 0.5, 0.75), (1.0, 0.20, 0.80, 0.80, 0.80)],
)
def test_points_without_gammons_are_those_of_janowski(
    efficiency: float, take: float, initial: float, redouble: float, cash: float
) -> None:
    centred, owned = window(chances(0.5), money(), efficiency), window(chances(0.5), money("us"), efficiency)
    assert centred[0] == pytest.approx(take, abs=5e-5)
    assert centred[1] == pytest.approx(initial, abs=5e-5)
    assert owned[1] == pytest.approx(redouble, abs=5e-5)
    assert centred[2] == pytest.approx(cash, abs=5e-5)
    assert owned[2] == pytest.approx(cash, abs=5e-5)


def test_points_with_gammons_follow_the_formulas() -> None:
    win, gammon, backgammon, lose_gammon, lose_backgammon = MANUAL
    won = 1 + (gammon + backgammon) / win
    lost = 1 + (lose_gammon + lose_backgammon) / (1 - win)
    x = 0.68
    whole = won + lost + x / 2
    take, redouble, cash, _ = window(MANUAL, money("us"), x)
    assert take == pytest.approx((lost - 0.5) / whole, abs=1e-6)
    assert redouble == pytest.approx((lost + x) / whole, abs=1e-6)
    assert cash == pytest.approx((lost + 0.5 + x / 2) / whole, abs=1e-6)
    assert window(MANUAL, money(), x)[1] == pytest.approx((lost + x * (3 - x) / (2 * (2 - x))) / whole, abs=1e-6)


def test_the_example_of_the_manual() -> None:
    assert values(MANUAL, money(), 0)[0] == pytest.approx(-0.097, abs=5e-4)
    assert values(MANUAL, money(), 1)[0] == pytest.approx(-0.160, abs=5e-4)
    # Equation 7 for a centred cube; GNU Backgammon's straight mix would give -0.140.
    assert values(MANUAL, money(), 0.68)[0] == pytest.approx(-0.1357, abs=5e-4)


def test_a_cube_of_the_other_side_costs_half_its_efficiency() -> None:
    """E_O - E_U = C x / 2 (rulings 5.6)."""
    owned, theirs = values(chances(0.5), money("us"), 0.68)[0], values(chances(0.5), money("them"), 0.68)[0]
    assert owned - theirs == pytest.approx(0.34, abs=1e-6)


def test_values_grow_with_the_cube() -> None:
    assert values(MANUAL, money("us", 8), 0.68)[0] == pytest.approx(8 * values(MANUAL, money("us"), 0.68)[0], abs=1e-5)


def test_gammons_do_not_count_under_jacoby_before_the_cube_is_turned() -> None:
    plain = (0.6, 0.6, 0.0, 0.0, 0.0)
    centred = CubeInfo(CubeState(), stakes=Stakes(jacoby=True))
    assert values(plain, centred, 0)[0] == pytest.approx(0.2, abs=1e-6)
    assert values(plain, CubeInfo(CubeState(2, "us"), stakes=Stakes(jacoby=True)), 0)[0] == pytest.approx(
        2 * 0.8, abs=1e-6
    )


def test_dead_cube_doubling_points_under_jacoby() -> None:
    """(L - 1/2) / (W + L - 1), with beavers (L - 1/4) / (W + L - 1/2), for W = 1.4 and L = 1.2 (rulings 5.6)."""
    probabilities = (0.5, 0.2, 0.0, 0.1, 0.0)
    cube_info = CubeInfo(CubeState(), stakes=Stakes(jacoby=True))
    assert window(probabilities, cube_info, 0)[1] == pytest.approx((1.2 - 0.5) / (1.4 + 1.2 - 1), abs=1e-6)


def test_a_bad_double_is_beavered() -> None:
    cube_info = CubeInfo(CubeState(), stakes=Stakes(beavers=1))
    take, beaver = values(chances(0.4), cube_info, 0)[1], values(chances(0.4), cube_info, 0)[4]
    assert take == pytest.approx(4 * -0.2, abs=1e-6)
    assert beaver == 1
    assert values(chances(0.6), cube_info, 0)[4] == 0


def test_match_chances_are_weighted_by_gammons() -> None:
    """1-3 to 5, cube on 2, 60% wins of which half gammons, 40% losses (10% gammons): 45% (rulings 5.5)."""
    cube_info = CubeInfo(CubeState(2, "them"), Score(4, 2))
    assert values((0.6, 0.3, 0, 0.1, 0), cube_info, 0)[0] == pytest.approx(0.45, abs=1e-6)
    assert [cube_info.to_equity(mwc) for mwc in (0, 0.25, 0.5, 0.75, 1)] == pytest.approx([-1, 0, 1, 2, 3], abs=1e-6)


@pytest.mark.parametrize(
    ("score", "take"),
    [(Score(2, 2), 0.32264), (Score(1, 2), 0.5), (Score(4, 4), (0.42850 - 0.33130) / (0.66870 - 0.33130))],
)
def test_dead_take_points_at_a_score(score: Score, take: float) -> None:
    assert window(chances(0.5), CubeInfo(CubeState(), score), 0)[0] == pytest.approx(take, abs=2e-4)


def test_a_dead_cube_is_not_turned() -> None:
    """5.1: the holder gains nothing when they need no more than the cube is at."""
    cube_info = CubeInfo(CubeState(2, "us"), Score(2, 5))
    no_double, *_, best, _ = values(chances(0.7), cube_info, 0.68)
    assert best == no_double


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("away", range(2, 8))
def test_the_trailer_doubles_at_once_after_the_crawford_game(away: int, plies: int) -> None:
    """A plain game costs the trailer the match either way. Who leads may pass at an even number of points without losing a game."""
    engine = Engine("backgammon", plies=plies)
    decision = engine.cube(engine.rules.start, score=Score(away, 1))
    assert decision.action == ("double/take" if away % 2 else "double/pass")


def test_the_crawford_game_has_no_cube() -> None:
    engine = Engine("backgammon")
    assert engine.cube(engine.rules.start, score=Score(3, 1, crawford=True)).action == "no double"


def test_the_same_position_from_both_sides_adds_up_in_a_match() -> None:
    cube_info = CubeInfo(CubeState(2, "us"), Score(5, 3))
    win, gammon, backgammon, lose_gammon, lose_backgammon = MANUAL
    other = CubeInfo(CubeState(2, "them"), Score(3, 5))
    mirrored = (1 - win, lose_gammon, lose_backgammon, gammon, backgammon)
    assert values(MANUAL, cube_info, 0.68)[0] + values(mirrored, other, 0.68)[0] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("score", [Score(4, 4), Score(2, 7), Score(9, 3), Score(15, 15)])
def test_owning_the_cube_is_never_worth_less(score: Score) -> None:
    for win in (0.1, 0.3, 0.5, 0.7, 0.9):
        owned = values(chances(win), CubeInfo(CubeState(2, "us"), score), 0.68)[0]
        centred = values(chances(win), CubeInfo(CubeState(2), score), 0.68)[0]
        theirs = values(chances(win), CubeInfo(CubeState(2, "them"), score), 0.68)[0]
        assert theirs <= centred + 1e-9
        assert centred <= owned + 1e-9


@pytest.mark.parametrize(
    "make",
    [
        lambda: CubeInfo(CubeState(3)),
        lambda: CubeInfo(CubeState(0)),
        lambda: CubeInfo(CubeState(), Score(3, 3), stakes=Stakes(jacoby=True)),
        lambda: Score(0, 3),
    ],
)
def test_stakes_that_cannot_be_are_refused(make) -> None:
    with pytest.raises(StakesError):
        make()


def test_a_game_without_a_cube_has_no_cube_decision() -> None:
    engine = Engine("acey-deucey")
    with pytest.raises(StakesError, match="without a cube"):
        engine.cube(engine.rules.start)


@pytest.mark.parametrize("efficiency", [0.0, 0.68, 1.0])
def test_who_loses_the_match_with_a_plain_game_doubles_at_once(efficiency: float) -> None:
    """At 2-away 4-away the side doubled to 2 has nothing to lose: we play for the match at 4, unless we would rather pass."""
    info = CubeInfo(CubeState(), Score(2, 4))

    def taken(chance: float, lost_gammons: float = 0) -> float:
        return values((chance, 0, 0, lost_gammons, 0), info, efficiency)[1]

    for chance in (0.5, 0.6, 0.75, 0.9):
        assert taken(chance) == pytest.approx(chance, abs=1e-6)
        assert taken(chance, 0.1) == pytest.approx(chance, abs=1e-6), "no gammon counts"
    assert taken(0.3) == pytest.approx(0.5, abs=1e-6), "we pass their double and are level"
    assert taken(0.3, 0.3) < 0.45, "they may play on for a gammon"
