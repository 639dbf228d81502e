"""What the engine's methods take, and what a strict type checker says of a program that uses them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from barpoint.chances import Chances, Margins
from barpoint.engine import CubeState, DecisionPoint, Engine, Score
from barpoint.error import StakesError
from barpoint.game import Game, Opening, Stakes
from barpoint.match import Match
from barpoint.match.situation import situation_of

ENGINE = Engine("backgammon")
MATCH = Match.start(5).apply(Opening((3, 1)))
SOURCES = [MATCH, MATCH.game, situation_of(MATCH), DecisionPoint(MATCH.game.position)]
SAYS_IT_ITSELF: list[dict[str, Any]] = [
    {"cube": CubeState()},
    {"score": Score(3, 3)},
    {"stakes": Stakes(jacoby=True)},
    {"tokens": (0, 0)},
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
@pytest.mark.parametrize("given", SAYS_IT_ITSELF, ids=lambda given: next(iter(given)))
def test_what_a_source_says_itself_is_refused_as_a_keyword(source: Any, given: dict[str, Any]) -> None:
    (name,) = given
    methods: list[Any] = [ENGINE.rank, ENGINE.cube, ENGINE.equity, ENGINE.reroll, ENGINE.rollout, ENGINE.rollout_cube]
    for method in [*methods, ENGINE.rollout_plays]:
        with pytest.raises(StakesError, match=f"{name} given besides a {type(source).__name__}.*bare Position only"):
            method(source, **given)


def test_a_situation_says_its_dice_cube_and_score() -> None:
    situation = situation_of(MATCH)
    asked = ENGINE.rank(situation.position, (3, 1), cube=CubeState(), score=Score(5, 5))
    assert ENGINE.rank(situation) == asked == ENGINE.rank(MATCH)


def test_other_dice_may_be_asked_about_in_the_same_match() -> None:
    assert ENGINE.rank(MATCH, (6, 5))[0].play == ENGINE.rank(MATCH.game.position, (6, 5), score=Score(5, 5))[0].play


def test_a_game_says_which_roll_may_be_rerolled() -> None:
    game = Game.start(Engine("roll-over").rules).apply(Opening((2, 1)))
    found = Engine("roll-over").reroll(game)
    assert found == Engine("roll-over").reroll(game.position, (2, 1), cube=CubeState(), tokens=(1, 1))


def test_before_the_first_roll_there_is_none_to_reroll() -> None:
    with pytest.raises(StakesError, match="no roll has been made"):
        Engine("roll-over").reroll(Game.start(Engine("roll-over").rules))


def test_the_outcome_that_is_named_is_checked_against_the_rules() -> None:
    assert Engine("backgammon", outcome=Chances).rules.name == "backgammon"
    assert isinstance(
        Engine("acey-deucey", outcome=Margins).rank(Engine("acey-deucey").rules.start, (4, 3))[0].chances, Margins
    )
    with pytest.raises(StakesError, match="backgammon has Chances"):
        Engine("backgammon", outcome=Margins)


PROGRAM = """
from typing import assert_type

import barpoint as bp
from barpoint.engine import CubeDecision, CubeState, RankedPlay, RolledCube, RolledPlay, Rollout, Score

engine = bp.Engine("backgammon", plies=1)
assert_type(engine, bp.Engine[bp.Chances])
start = engine.rules.start
gammons: float = engine.evaluate(start).win_gammon
assert_type(engine.rank(start, (3, 1), cube=CubeState(), score=Score(3, 5)), tuple[RankedPlay[bp.Chances], ...])
assert_type(engine.cube(start, stakes=bp.Stakes(jacoby=True)), CubeDecision[bp.Chances])
assert_type(engine.rollout(start, trials=36), Rollout[bp.Chances])
assert_type(engine.rollout_plays(start, (3, 1), candidates=2), tuple[RolledPlay[bp.Chances], ...])
assert_type(engine.rollout_cube(bp.Match.start(length=7)), RolledCube[bp.Chances])
backgammons: float = engine.rank(bp.parse_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"))[0].chances.win_backgammon

margins = bp.Engine("acey-deucey", outcome=bp.Margins)
points: float = margins.evaluate(margins.rules.start).won_points


def best(engine: bp.Engine[bp.Chances | bp.Margins], match: bp.Match) -> str:
    return str(engine.rank(match, limit=1)[0].play)


best(engine, bp.Match.start(length=3))
best(margins, bp.Match.start(length=3))
"""


def test_a_program_of_a_user_passes_strict_type_checking(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import barpoint as bp\nengine = bp.Engine()\nengine.evaluate(engine.rules.start).won_points\n",
        encoding="utf-8",
    )
    settings = Path(__file__).parents[2] / "pyproject.toml"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(settings), "--cache-dir", str(tmp_path)]
    found = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False, cwd=settings.parent)
    assert found.returncode == 0, found.stdout
    refused = subprocess.run([*command, str(wrong)], capture_output=True, text=True, check=False, cwd=settings.parent)
    assert '"Chances" has no attribute "won_points"' in refused.stdout
