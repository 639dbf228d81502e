"""Vectors of games play what single environments play, with the same seeds and actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import barpoint as bp
import barpoint.env
from barpoint.dice import TWO_DICE, DiceRow
from barpoint.env import BackgammonEnv, BackgammonVectorEnv, Table, Tables, make_vec
from barpoint.env.number_streams import NumberStreams
from barpoint.error import ArgumentError, IllegalMove, UnsupportedRules
from barpoint.game import PlayMade
from barpoint.rules import Dice, Movement
from tests.support.deep import DEEP

GAMES = 100 if DEEP else 4

TWICE = replace(
    bp.variant("backgammon"),
    name="doubles twice",
    dice=Dice(tuple(replace(row, stages=((row.faces,),)) for row in TWO_DICE)),
)
OWN = {
    "doubles twice": TWICE,
    "doubles twice, nothing hit and run": replace(TWICE, movement=Movement(hit_and_run=False)),
}


def any_allowed(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])


@pytest.mark.parametrize(
    "name",
    [
        *(
            "backgammon",
            "nackgammon",
            "hypergammon",
            "longgammon",
            "portes",
            "tabla",
            "plakoto",
            "tapa",
            "fevga",
            "narde",
        ),
        *("gul-bara", "gioul", "moultezim", "misere"),
        *("doubles twice", "doubles twice, nothing hit and run"),
    ],
)
def test_games_side_by_side_are_those_of_single_tables(name: str) -> None:
    rules = OWN.get(name) or bp.variant(name)
    ones = [Table(rules, np.random.default_rng(seed)) for seed in range(GAMES)]
    many = Tables(rules, [np.random.default_rng(seed) for seed in range(GAMES)])
    rng = np.random.default_rng(3)
    while not many.over.all():
        assert (np.stack([table.mask() for table in ones]) == many.mask).all()
        for player in (0, 1, None):
            assert (np.stack([table.observation(player) for table in ones]) == many.observation(player)).all()
        assert [table.actor for table in ones] == many.actors.tolist()
        playing = np.flatnonzero(~many.over)
        actions = any_allowed(many.mask[playing], rng)
        for game, action in zip(playing.tolist(), actions.tolist(), strict=True):
            ones[game].step(action)
        many.step(playing, actions)
    assert [table.points for table in ones] == many.points.tolist()
    assert (np.stack([table.observation() for table in ones]) == many.observation()).all()
    assert not many.mask.any()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", ["backgammon", "hypergammon"])
def test_a_step_is_that_of_as_many_single_environments(name: str, mode: AutoresetMode) -> None:
    ones = SyncVectorEnv([lambda: BackgammonEnv(name)] * 3, autoreset_mode=mode)
    many = BackgammonVectorEnv(3, name, autoreset_mode=mode)
    assert (many.observation_space, many.action_space) == (ones.observation_space, ones.action_space)
    assert many.metadata["autoreset_mode"] is ones.metadata["autoreset_mode"]
    assert data_equivalence(ones.reset(seed=5), many.reset(seed=5))
    rng, ended = np.random.default_rng(7), 0
    seen, _ = many.reset()
    assert data_equivalence(ones.reset()[0], seen)
    for step in range(60):
        actions = any_allowed(seen["action_mask"], rng)
        if step % 9 == 8:
            actions[step % 3] = rng.integers(1352)
        single, stepped = ones.step(actions), many.step(actions)
        assert data_equivalence(single, stepped)
        seen, _, over, _, _ = stepped
        assert many.observation_space.contains(seen)
        ended += int(over.sum())
    assert ended > 2


def test_a_game_depends_on_its_seed_and_actions_but_not_on_the_games_beside_it() -> None:
    few, many = BackgammonVectorEnv(2), BackgammonVectorEnv(700)
    seen, _ = few.reset(seed=[650, 20])
    beside, _ = many.reset(seed=0)
    for _ in range(12):
        assert (beside["action_mask"][[650, 20]] == seen["action_mask"]).all()
        assert (beside["observation"][[650, 20]] == seen["observation"]).all()
        actions = beside["action_mask"].argmax(1)
        beside = many.step(actions)[0]
        seen = few.step(actions[[650, 20]])[0]


def test_numbers_are_those_of_each_generator() -> None:
    streams = NumberStreams([np.random.default_rng(seed) for seed in range(3)])
    single = [np.random.default_rng(seed) for seed in range(3)]
    rng = np.random.default_rng(1)
    for _ in range(200):
        which = rng.permutation(3)[: rng.integers(1, 4)]
        bounds = rng.choice([1, 2, 7, 252, 3_000_000_000], len(which))
        expected = [int(single[game].integers(bound)) for game, bound in zip(which, bounds, strict=True)]
        assert streams.below(which, bounds).tolist() == expected


def test_opponents_are_a_net_or_a_function_of_arrays() -> None:
    def last(seen: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        assert seen.shape == (len(mask), 56)
        return np.array([np.flatnonzero(row)[-1] for row in mask])

    single = BackgammonEnv("hypergammon", lambda seen, mask, rng: int(np.flatnonzero(mask)[-1]))
    games = BackgammonVectorEnv(5, "hypergammon", last)
    seen, _ = games.reset(seed=3)
    alone, _ = single.reset(seed=3)
    over = False
    while not over:
        assert (seen["observation"][0] == alone["observation"]).all()
        action = int(np.flatnonzero(alone["action_mask"])[0])
        alone, reward, over, _, _ = single.step(action)
        seen, rewards, *_ = games.step(seen["action_mask"].argmax(1))
        assert rewards[0] == reward


def test_an_engine_plays_its_best_plays_in_all_games() -> None:
    engine = bp.Engine("backgammon")

    class Best:
        def event(self, match: bp.Match, player: int) -> PlayMade:
            return PlayMade(player, engine.rank(match.game)[0].play.moves)

    single, games = BackgammonEnv(opponent=Best()), make_vec(4, opponent=engine)
    alone, _ = single.reset(seed=1)
    seen, _ = games.reset(seed=1)
    for _ in range(25):
        assert (seen["observation"][0] == alone["observation"]).all()
        assert (seen["action_mask"][0] == alone["action_mask"]).all()
        seen, rewards, _, _, infos = games.step(seen["action_mask"].argmax(1))
        alone, reward, over, *_ = single.step(int(alone["action_mask"].argmax()))
        assert rewards[0] == reward
        assert not infos
        if over:
            break


def test_games_begin_anew_where_the_mask_says_so() -> None:
    games = BackgammonVectorEnv(3, "hypergammon", autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = games.reset(seed=1)
    forbidden = seen["action_mask"].argmin(1)
    seen, rewards, over, _, infos = games.step(np.where([True, False, False], forbidden, seen["action_mask"].argmax(1)))
    assert (rewards.tolist(), over.tolist(), infos["illegal"].tolist()) == ([-1, 0, 0], *[[True, False, False]] * 2)
    with pytest.raises(IllegalMove, match=r"a game is over; allowed now: reset\(\)"):
        games.step(forbidden)
    again, _ = games.reset(options={"reset_mask": over})
    assert again["action_mask"][0].any()
    assert (again["observation"][1:] == seen["observation"][1:]).all()


def three() -> Tables:
    return Tables("backgammon", [np.random.default_rng(seed) for seed in range(3)])


def state(tables: Tables) -> list[list[Any]]:
    arrays = (tables.actors, tables.over, tables.points, tables.made, tables.mask, tables.observation())
    return [array.tolist() for array in arrays]


@pytest.mark.parametrize("which", [[0, 2], (0, 2), np.array([0, 2], np.int32), [True, False, True]])
def test_games_are_named_by_their_numbers_or_by_a_mask(which: Any) -> None:
    named, expected = three(), three()
    actions = expected.mask[[0, 2]].argmax(1)
    expected.step(np.array([0, 2]), actions)
    named.step(which, actions.tolist())
    assert state(named) == state(expected)
    assert (named.observation_of(which) == expected.observation()[[0, 2]]).all()
    expected.begin(np.array([0, 2]))
    named.begin(which)
    assert state(named) == state(expected)
    assert named.turns(which).games.tolist() == [0, 2]
    turns = named.turns(which)
    named.play(turns, [0, 0])
    expected.play(expected.turns(np.array([0, 2])), np.zeros(2, np.int64))
    assert state(named) == state(expected)


@pytest.mark.parametrize("none", [[], np.zeros(0, np.int64), [False] * 3])
def test_no_game_at_all_is_a_selection_too(none: Any) -> None:
    tables = three()
    before = state(tables)
    tables.step(none, [])
    tables.begin(none)
    assert len(tables.turns(none)) == 0
    assert state(tables) == before


@pytest.mark.parametrize(
    ("which", "said"),
    [
        (0, r"games are int64 \[\]; they are integers \[k\], or bool \[3\]"),
        ([0.0], r"games are float64 \[1\]; they are integers"),
        ([True, False], r"games are bool \[2\]; they are integers"),
        ([[0], [1]], r"games are int64 \[2, 1\]; they are integers"),
        ([[0], [1, 2]], r"games are object \[2\]; they are integers"),
        (None, r"games are object \[\]; they are integers"),
        ([3], "games from 3 to 3; allowed: 0 to 2"),
        ([0, -1], "games from -1 to 0; allowed: 0 to 2"),
        ([1, 1], "game 1 is named 2 times; allowed: once"),
    ],
)
def test_a_selection_that_names_no_games_is_refused_and_nothing_changes(which: Any, said: str) -> None:
    tables = three()
    before = state(tables)
    generators = [np.random.default_rng(9)] * 2
    actions = tables.mask[:2].argmax(1)
    for asked in (
        lambda: tables.step(which, actions),
        lambda: tables.begin(which),
        lambda: tables.begin(which, generators),
        lambda: tables.turns(which),
        lambda: tables.observation_of(which),
    ):
        with pytest.raises(ArgumentError, match=said):
            asked()
    assert state(tables) == before
    everything = np.arange(3)
    tables.step(everything, tables.mask.argmax(1))
    again = three()
    again.step(everything, again.mask.argmax(1))
    assert state(tables) == state(again), "the generators go on as they were"


def test_what_are_no_generators_is_refused() -> None:
    wrong: tuple[tuple[Any, str], ...] = (
        (3, r"rngs is 3 \(int\); allowed: a list of numpy.random.Generator"),
        ([1, 2], r"rngs\[0\] is 1 \(int\); allowed: numpy.random.Generator"),
    )
    for rngs, said in wrong:
        with pytest.raises(ArgumentError, match=said):
            Tables("backgammon", rngs)
        with pytest.raises(ArgumentError, match=said):
            three().begin([0, 1], rngs)
    with pytest.raises(ArgumentError, match="1 generators; allowed: one for each of 2 games"):
        three().begin([0, 1], [np.random.default_rng(1)])


def test_choices_that_are_no_numbers_of_plays_are_refused() -> None:
    tables = three()
    turns = tables.turns([0, 1])
    for choices in ([0], [0.0, 0.0], [0, 10_000], [-1, 0]):
        with pytest.raises(IllegalMove, match=r"choices are int64 \[2\]"):
            tables.play(turns, choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ([0, 1], "list"),
        (None, "NoneType"),
        (np.array([0, 1]), r"int64 \[2\]"),
        (np.ones(2, np.bool_), r"bool \[2\]"),
        (np.ones((3, 1), np.bool_), r"bool \[3, 1\]"),
    ],
)
def test_a_mask_of_games_to_begin_is_bool_and_has_all_games(mask: Any, said: str) -> None:
    games = BackgammonVectorEnv(3)
    seen, _ = games.reset(seed=1)
    with pytest.raises(ArgumentError, match=rf"reset_mask is {said}; it is an array bool \[3\]"):
        games.reset(seed=2, options={"reset_mask": mask})
    assert (games.tables.observation(0) == seen["observation"]).all()


def test_what_is_no_array_of_actions_and_no_opponent_is_refused() -> None:
    games = BackgammonVectorEnv(2)
    games.reset(seed=1)
    wrong: tuple[tuple[Any, str], ...] = (
        (np.zeros(3, np.int64), r"actions are int64 \[3\]; they are integers \[2\]"),
        (np.zeros(2), r"actions are float64 \[2\]; they are integers"),
        (np.array([0, 1352]), "actions from 0 to 1352; allowed: 0 to 1351"),
    )
    for actions, said in wrong:
        with pytest.raises(IllegalMove, match=said):
            games.step(actions)
    with pytest.raises(ArgumentError, match=r"opponent is Bot; .* make_vec also takes a player"):
        BackgammonVectorEnv(2, opponent=bp.Bot())  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="num_envs is 0; allowed: 1 and more"):
        BackgammonVectorEnv(0)
    with pytest.raises(ArgumentError, match="1 seeds; allowed: one for each of 2 games"):
        games.reset(seed=[1])
    floats = BackgammonVectorEnv(2, opponent=lambda seen, masks, rng: np.zeros(len(masks)))  # type: ignore[arg-type,return-value]
    with pytest.raises(IllegalMove, match=r"the opponent: actions are float64 \[\d\]; they are integers"):
        floats.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"the opponent chose action .*, which its mask forbids"):
        BackgammonVectorEnv(20, opponent=lambda seen, mask, rng: mask.argmin(1)).reset(seed=1)
    with pytest.raises(UnsupportedRules, match="differs in the axis"):
        BackgammonVectorEnv(2, "roll-over")


def test_vectors_step_all_games_at_once_where_they_can() -> None:
    rules = bp.variant("hypergammon")
    either = DiceRow((2, 1), 2, (((2, 1), (3,)),))
    odd = replace(
        rules,
        name="odd",
        dice=replace(rules.dice, rows=tuple(either if row.faces == (2, 1) else row for row in rules.dice.rows)),
    )
    assert isinstance(gymnasium.make_vec("barpoint/Backgammon-v0", 3), BackgammonVectorEnv)
    assert isinstance(make_vec(2, TWICE, opponent=None), BackgammonVectorEnv)
    for options in ({"opponent": bp.Bot("hypergammon"), "rules": rules}, {"rules": odd}, {"render_mode": "ansi"}):
        assert isinstance(make_vec(2, **options), SyncVectorEnv)
    with pytest.raises(UnsupportedRules, match="odd is not played side by side"):
        Tables(odd, [])
    with pytest.raises(UnsupportedRules, match=r"odd is played one game after the other.*Bot\(evaluator=engine\)"):
        make_vec(2, rules=odd, opponent=bp.Engine("hypergammon"))
    for name, axis in (("roll-over", "rerolls"), ("duodecagammon", "dice"), ("acey-deucey", "dice")):
        with pytest.raises(UnsupportedRules, match=rf"{name} differs in the axis {axis}"):
            make_vec(2, rules=name, opponent=bp.Engine(name))
