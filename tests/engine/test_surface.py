"""What the engine's methods take, and what a strict type checker says of a program that uses them."""

import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import barpoint as bp
from barpoint import dice
from barpoint.chances import Chances, Margins
from barpoint.engine import CubeState, DecisionPoint, Engine, Score, covers
from barpoint.engine.engine_options import PerChecker
from barpoint.error import BarpointError, IllegalMove, OptionError, StakesError, UnsupportedRules
from barpoint.game import Game, Opening, Stakes
from barpoint.match import Match
from barpoint.match.situation import situation_of

ENGINE = Engine("backgammon")
MATCH = Match.start(5).apply(Opening((3, 1)))
PLAY = bp.legal_plays(MATCH.rules, MATCH.game.position, (3, 1))[0]
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
    with pytest.raises(OptionError, match="backgammon has Chances"):
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
assert_type(bp.Engine("acey-deucey"), bp.Engine[bp.Margins])


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
        "import barpoint as bp\nengine = bp.Engine()\nengine.evaluate(engine.rules.start).won_points\n"
        "bp.Bot(levle='club')\nbp.compare(engine, engine, game=2)\nbp.svg(engine.rules.start, size=3)\n",
        encoding="utf-8",
    )
    settings = Path(__file__).parents[2] / "pyproject.toml"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(settings), "--cache-dir", str(tmp_path)]
    found = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False, cwd=settings.parent)
    assert found.returncode == 0, found.stdout
    refused = subprocess.run([*command, str(wrong)], capture_output=True, text=True, check=False, cwd=settings.parent)
    assert '"Chances" has no attribute "won_points"' in refused.stdout
    for name, call in (("levle", "Bot"), ("game", "compare"), ("size", "svg")):
        assert f'Argument "{name}" to "{call}" has incompatible type' in refused.stdout


WRONG: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
    (ENGINE.rollout, (MATCH,), {"trails": 10}, "no option is called 'trails'; did you mean trials?"),
    (ENGINE.rollout_cube, (MATCH,), {"colour": 1}, "no option is called 'colour'; known: cube, "),
    (ENGINE.rollout_plays, (MATCH,), {"Trials": 36}, "did you mean trials?"),
    (ENGINE.rank, ((3, 1), MATCH), {}, "are no faces; a roll is written as in (3, 1)"),
    (ENGINE.rank, (MATCH.game.position, "31"), {}, "'31' are no faces"),
    (ENGINE.evaluate, ("start",), {}, "position is 'start' (str); allowed: Position, Situation, Game, Match"),
    (ENGINE.evaluate, (None,), {}, "position is None (NoneType)"),
    (ENGINE.cube, (MATCH.game.position,), {"cube": 2}, "cube is 2 (int); allowed: CubeState"),
    (ENGINE.equity, (MATCH.game.position,), {"score": (3, 3)}, "score is (3, 3) (tuple); allowed: Score"),
    (Engine, (MATCH,), {}, "allowed: Rules, str"),
    (bp.legal_plays, (MATCH.game.position, MATCH.rules, (3, 1)), {}, "(Position); allowed: Rules"),
    (bp.legal_plays, (MATCH.rules, (3, 1), MATCH.game.position), {}, "are no faces; a roll is written as in (3, 1)"),
    (Engine, (), {"plies": 1.5}, "plies is 1.5 (float); allowed: int"),
    (Engine, (), {"threads": "x"}, "threads is 'x' (str); allowed: int"),
    (Engine, (), {"net": 3}, "net is 3 (int); allowed: Net, str, PathLike, NoneType"),
    (ENGINE.rollout, (MATCH,), {"threads": "2"}, "threads is '2' (str); allowed: int, NoneType"),
    (ENGINE.evaluate_many, (MATCH.game.position,), {}, "(Position); allowed: Iterable"),
    (ENGINE.rollout_plays, (MATCH,), {"candidates": 1.5}, "candidates is 1.5 (float); allowed: int, Iterable"),
    (Engine, (), {"plys": 2}, "no option is called 'plys'; did you mean plies?"),
    (bp.analyse, (MATCH,), {"plie": 0}, "no option is called 'plie'; did you mean plies?"),
    (bp.Side.of, ([1, 2],), {}, "checkers is [1, 2] (list); allowed: Mapping"),
    (bp.Side.of, ("x",), {}, "checkers is 'x' (str); allowed: Mapping"),
    (bp.Side.of, (None,), {}, "checkers is None (NoneType); allowed: Mapping"),
    (bp.legal_plays, (MATCH.rules, MATCH.game, (3, 1)), {}, "(Game); allowed: Position"),
    (bp.outcome, (MATCH.game.position, MATCH.rules), {}, "(Position); allowed: Rules"),
    (bp.parse_play, ("8/5", MATCH.rules, MATCH.game.position, (3, 1)), {}, "'8/5' is not a variant"),
    (bp.parse_play, (MATCH.rules, MATCH.game.position, "8/5", (3, 1)), {}, "text is (3, 1) (tuple); allowed: str"),
    (bp.parse_play, (MATCH.rules, MATCH.game.position, (3, 1), " "), {}, "3-1 can be played; a play is needed"),
    (bp.Turn, (MATCH.game.position, MATCH.rules, (3, 1)), {}, "(Position); allowed: Rules"),
    (bp.parse_play, (3, MATCH.game.position, (3, 1), "8/5"), {}, "rules is 3 (int); allowed: Rules, str"),
    (bp.legal_plays_batch, (None, bp.encode([MATCH.game.position]), [0]), {}, "(NoneType); allowed: Rules, str"),
    (bp.outcomes, (1, bp.encode([MATCH.game.position])), {}, "rules is 1 (int); allowed: Rules, str"),
    (bp.play_batch, (1, 3), {}, "rules is 1 (int); allowed: Rules, str"),
    (bp.legal_plays, ("rollover3", MATCH.game.position, (3, 1)), {}, "no variant is called 'rollover3'; did you mean"),
    (bp.Bot, ("expert",), {}, "no variant is called 'expert'; it is a level, as in Bot(level='expert')"),
    (bp.Bot, ("pr-8",), {}, "it is a level, as in Bot(level='pr-8')"),
    (bp.Bot, ("chess",), {}, "no variant is called 'chess'; known: backgammon, "),
    (bp.Bot, (3,), {}, "rules is 3 (int); allowed: str, Rules"),
    (bp.variant, ("roll-over",), {"token": 2}, "no part of 'roll-over' has an option 'token'; did you mean tokens?"),
    (bp.variant, ("nackgammon",), {"token": 2}, "no part of 'nackgammon' has an option 'token'; known: none"),
    (bp.variant, ("hypergammon",), {"checker": 2}, "has an option 'checker'; did you mean checkers?"),
    (bp.variant, ("hypergammon+duodecagammon",), {"x": 2}, "has an option 'x'; known: checkers, include_3_3"),
    (covers, (None,), {}, "rules is None (NoneType); allowed: str, Rules"),
    (bp.match_at, (MATCH.game.position,), {}, "(Position); allowed: Situation"),
    (bp.match_at, ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",), {}, "(str); allowed: Situation"),
    (bp.match_at, (None,), {}, "situation is None (NoneType); allowed: Situation"),
    (bp.Match.start, (), {"terms": 3}, "terms is 3 (int); allowed: MatchTerms, NoneType"),
    (Score, ("a", 3), {}, "us is 'a' (str); allowed: int"),
    (Score, (3, 2.5), {}, "them is 2.5 (float); allowed: int"),
    (ENGINE.evaluate, (MATCH.game.position,), {"tokens": (1,)}, "tokens are (1,); allowed: two whole numbers"),
    (ENGINE.evaluate, (MATCH.game.position,), {"tokens": 1}, "tokens are 1; allowed: two whole numbers"),
    (ENGINE.rank, (MATCH.game.position, (3, 1)), {"tokens": (0.5, 0)}, "tokens are (0.5, 0); allowed: two whole"),
    (ENGINE.rank, (MATCH.game.position, (3.0, 1)), {}, "(3.0, 1) are no faces"),
    (ENGINE.policy, (3,), {}, "turns is 3 (int); allowed: BatchTurns"),
    (bp.variant, (3,), {}, "name is 3 (int); allowed: str"),
    (bp.parse_id, (3,), {}, "text is 3 (int); allowed: str"),
    (bp.read_variant, (3,), {}, "path is 3 (int); allowed: str, PathLike"),
    (bp.read_variant, (None,), {}, "path is None (NoneType); allowed: str, PathLike"),
    (bp.read_match, (3,), {}, "source is 3 (int); allowed: str, PathLike, bytes"),
    (bp.read_matches, (None,), {}, "source is None (NoneType); allowed: str, PathLike, bytes"),
    (bp.write_match, ("match", "match.mat"), {}, "match is 'match' (str); allowed: Match, Book"),
    (bp.analyse, ("match",), {}, "source is 'match' (str); allowed: Match, Book, Position, Situation, Game"),
    (bp.Match.start, (5, 3), {}, "rules is 3 (int); allowed: Rules, str"),
    (Game.start, (3,), {}, "rules is 3 (int); allowed: Rules, str"),
    (MATCH.apply, (3,), {}, "3 (int) is no event; allowed: values such as Roll(player, (3, 1)), of the kinds "),
    (
        MATCH.apply,
        (MATCH.legal_events()[0],),
        {},
        "Allowed(kind='play', player=0) (Allowed) is no event; allowed: values such as Roll(player, (3, 1))",
    ),
    (MATCH.apply, (PLAY,), {}, "a play or its text goes to `play`, as in match.play('8/5 6/5')"),
    (MATCH.play, (3,), {}, "play is 3 (int); allowed: Play, str"),
    (bp.svg, (MATCH,), {"size": 100}, "no option is called 'size'; known: cube, "),
    (bp.png, (MATCH,), {"width": 100}, "no option is called 'width'; did you mean width_px?"),
    (bp.Bot, (), {"levle": "club"}, "no option is called 'levle'; did you mean level?"),
    (MATCH.replay, ("double",), {}, "'double' (str) is no event"),
    (MATCH.game.apply, (None,), {}, "None (NoneType) is no event"),
]


@pytest.mark.parametrize(("call", "arguments", "options", "said"), WRONG, ids=[said for *_, said in WRONG])
def test_arguments_of_another_kind_are_refused_in_a_sentence(
    call: Any, arguments: tuple[Any, ...], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(BarpointError) as refused:
        call(*arguments, **options)
    assert said in str(refused.value)


def test_rules_are_wanted_as_a_value_or_by_name() -> None:
    rules, position = MATCH.rules, MATCH.game.position
    array = bp.encode([position])
    for rolled in (bp.legal_plays, lambda *asked: bp.parse_play(*asked, "8/5 6/5")):
        assert rolled("backgammon", position, (3, 1)) == rolled(rules, position, (3, 1))
    assert len(bp.legal_plays("roll-over + nack", bp.variant("nackgammon").start, (3, 1))) > 1
    for name in ("backgammon", rules):
        assert bp.outcome(name, position) is None
        assert not bp.outcomes(name, array).over.any()
        assert bp.legal_plays_batch(name, array, [(3, 1)]).offsets.tolist() == [0, 16]
        assert bp.play_batch(name, 5, seed=3).points.tolist() == bp.play_batch(rules, 5, seed=3).points.tolist()


def test_a_net_covers_a_variant_by_its_name() -> None:
    assert covers("roll-over")
    assert covers(bp.variant("roll-over"))
    assert not covers("roll-over+plakoto")


def test_faces_may_come_as_an_array() -> None:
    position = MATCH.game.position
    assert ENGINE.rank(position, np.array([3, 1])) == ENGINE.rank(position, (3, 1))


def test_players_that_are_none_are_refused() -> None:
    anybody: Any = "anybody"
    with pytest.raises(BarpointError, match="'anybody' is no player"):
        next(bp.play_match(MATCH, anybody, anybody, dice=dice.seeded(1)))


def test_an_engine_is_pickled_with_its_rules_and_depth() -> None:
    engine = Engine("roll-over", plies=1, threads=2)
    again = pickle.loads(pickle.dumps(engine))
    assert (again.rules, again.plies, again.threads) == (engine.rules, 1, 2)
    assert again.evaluate(engine.rules.start) == engine.evaluate(engine.rules.start)


def test_a_position_is_analysed_as_the_analysis_board_does() -> None:
    situation = situation_of(MATCH)
    found = bp.analyse(situation, plies=0)
    assert found == bp.analyse(situation, 0, rules=MATCH.rules)
    assert found.plays[0].text == str(ENGINE.rank(MATCH)[0].play)
    assert bp.analyse(MATCH.game.position, 0).cube is None
    assert bp.analyse(bp.variant("nackgammon").start, 0, rules="nackgammon").counts.pips == (194, 194)
    started = Game.start(MATCH.rules)
    cube = bp.analyse(started, 0).cube
    assert cube is not None
    assert cube.action == ENGINE.cube(started).action
    with pytest.raises(UnsupportedRules):
        bp.analyse(bp.variant("plakoto").start, 0, rules="roll-over+plakoto")


def test_positions_to_evaluate_may_come_one_by_one() -> None:
    positions = [MATCH.game.position, MATCH.game.position.flip()]
    assert ENGINE.evaluate_many(iter(positions)) == ENGINE.evaluate_many(positions)
    assert ENGINE.evaluate_many([]) == ()


@pytest.mark.parametrize("given", [{"value": 2, "owner": 1}, {"owner": "me"}])
def test_a_cube_is_owned_by_us_them_or_nobody(given: dict[str, Any]) -> None:
    with pytest.raises(StakesError, match=f"a cube's owner is {given['owner']!r}; allowed: 'us', 'them' or None"):
        CubeState(**given)


def test_only_plays_of_the_roll_are_rolled_out() -> None:
    other = bp.legal_plays(MATCH.rules, MATCH.game.position, (6, 5))[0]
    with pytest.raises(IllegalMove, match=f"{re.escape(str(other))} is no legal play of 3-1"):
        ENGINE.rollout_plays(MATCH, candidates=[other])
    for none, count in ([], 0), (0, 0), (-2, -2):
        with pytest.raises(OptionError, match=f"^{count} plays to roll out; 1 or more are needed"):
            ENGINE.rollout_plays(MATCH, candidates=none)  # type: ignore[arg-type]


def test_whole_numbers_may_come_from_numpy() -> None:
    one, two, many = np.int64(1), np.int8(2), np.int64(36)
    position = MATCH.game.position
    assert (Score(one, two), CubeState(two)) == (Score(1, 2), CubeState(2))
    assert type(Score(one, two).us) is int
    assert Engine(plies=one, threads=one).plies == 1
    assert ENGINE.rank(MATCH, limit=two) == ENGINE.rank(MATCH, limit=2)
    assert ENGINE.rollout(MATCH, trials=many, seed=two, threads=one) == ENGINE.rollout(MATCH, trials=36, seed=2)
    assert len(ENGINE.rollout_plays(MATCH, candidates=two, trials=36)) == 2
    assert bp.take_point(bp.Met.load(), two, two, one) == bp.take_point(bp.Met.load(), 2, 2, 1)
    assert bp.svg(position, dice=np.array([3, 1]), cube=two) == bp.svg(position, dice=(3, 1), cube=2)
    assert bp.compare(ENGINE, ENGINE, games=two, seed=one).games == 2
    terms = Match.start(many, cube_limit=two, first_score=(one, np.int64(0))).terms
    assert (
        terms
        == bp.MatchTerms(length=many, cube_limit=two, first_score=(one, 0))
        == bp.MatchTerms(36, cube_limit=2, first_score=(1, 0))
    )
    assert (type(terms.length), type(terms.first_score[0])) == (int, int)


def test_the_names_that_type_checkers_know_as_scored_by_the_checker_are_all_of_them() -> None:
    names = [entry.name for entry in bp.variants() if bp.variant(entry.name).scoring.per_checker]
    assert sorted(get_args(PerChecker)) == sorted(names)
