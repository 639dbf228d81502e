"""A game as learners see it: action numbers, masks, observations, results."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy

import numpy as np
import pytest

import barpoint as bp
from barpoint.draw import board, plain
from barpoint.env import ACTIONS, OBSERVATION, PASS, Table, action_number
from barpoint.error import IllegalEvent, IllegalMove, UnsupportedRules
from barpoint.game import PlayMade


def played(table: Table, rng: np.random.Generator) -> list[int]:
    """The actions of a game of random plays."""
    found = []
    while not table.over:
        found.append(int(rng.choice(np.flatnonzero(table.mask()))))
        table.step(found[-1])
    return found


@pytest.mark.parametrize("name", ["backgammon", "nackgammon", "hypergammon", "plakoto", "fevga"])
def test_a_game_of_random_actions_ends_with_points(name: str) -> None:
    rng = np.random.default_rng(3)
    table = Table(name, rng)
    assert all(0 <= action < ACTIONS for action in played(table, rng))
    assert abs(table.points) in (0, 1, 2, 3)  # Plakoto knows draws
    assert table.actions == {}
    with pytest.raises(IllegalMove, match="is not allowed now; allowed: "):
        table.step(0)


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        rng = np.random.default_rng(7)
        games.append(played(Table("backgammon", rng), rng))
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("player", "moves", "high", "number"),
    # OpenSpiel 2.0: 0 is "24/23 24/22" of 2-1, 52 is "24/22/21", 1351 is a turn without a play
    [
        (0, ((24, 22, 2), (24, 23, 1)), 2, 0),
        (0, ((24, 22, 2), (22, 21, 1)), 2, 52),
        (0, ((24, 23, 1), (24, 22, 2)), 2, 676),
        (1, ((24, 22, 2), (13, 12, 1)), 2, 12 * 26 + 23),
        (0, ((25, 20, 5),), 5, PASS * 26 + 24),
        (0, (), 6, 1351),
    ],
)
def test_actions_have_the_numbers_of_open_spiel(
    player: int, moves: tuple[tuple[int, int, int], ...], high: int, number: int
) -> None:
    assert action_number(player, moves, high) == number


def test_a_double_is_played_in_two_actions_of_the_same_player() -> None:
    rng = np.random.default_rng(1)
    table = Table("backgammon", rng)
    while len(set(table.game.faces)) != 1:
        table.step(next(iter(table.actions)))
    actor, before = table.actor, table.game.position
    table.step(next(iter(table.actions)))
    assert (table.actor, table.game.position, len(table.made)) == (actor, before, 2)
    assert table.observation()[54] == 1
    assert table.position != before
    assert table.observation()[1:26] * 15 == pytest.approx(table.position.us.points[1:])
    assert (table.observation(1 - actor)[26:52] == table.observation()[:26]).all()
    table.step(next(iter(table.actions)))
    assert table.made == ()


def test_an_observation_shows_both_sides_from_the_player_who_sees_it() -> None:
    table = Table("backgammon", np.random.default_rng(5))
    own, other = table.observation(), table.observation(1 - table.actor)
    assert own.shape == (OBSERVATION,)
    assert own[24] * 15 == pytest.approx(2)  # two checkers on the 24 point
    assert (own[:26] == other[26:52]).all()
    assert (own[55], other[55]) == (1, 0)
    assert sorted(own[52:54] * 6) == pytest.approx(sorted(table.game.faces))


@pytest.mark.parametrize("copied", [deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_of_a_game_in_progress_rolls_the_same_dice(copied: Callable[[Table], Table]) -> None:
    table = Table("backgammon", np.random.default_rng(2))
    table.step(next(iter(table.actions)))
    copy = copied(table)
    assert played(copy, np.random.default_rng(4)) == played(table, np.random.default_rng(4))
    assert copy.points == table.points


@pytest.mark.parametrize("name", ["roll-over", "duodecagammon", "acey-deucey"])
def test_games_that_the_numbers_have_no_place_for_are_refused(name: str) -> None:
    with pytest.raises(UnsupportedRules, match="two dice, without reroll tokens and hands"):
        Table(bp.variant(name))


@pytest.mark.parametrize("name", ["backgammon", "hypergammon", "plakoto", "fevga"])
def test_every_action_has_the_position_to_which_it_leads(name: str) -> None:
    rng = np.random.default_rng(5)
    table = Table(name, rng)
    for _ in range(60):
        if table.over:
            break
        results = table.results()
        assert list(results) == list(table.actions)
        action = int(rng.choice(list(results)))
        halves = len(set(table.game.faces)) == 1 and not table.made
        if not halves:
            play = {bp.parse_play(table.rules, table.game.position, table.game.faces, _text(table, action)).result}
            assert play == {results[action]}
        table.step(action)
        if table.made:
            assert table.position == results[action]


def _text(table: Table, action: int) -> str:
    """All moves of the roll once this action is played, as notation."""
    moves = (*table.made, *table.actions[action])
    return str(bp.Turn(table.rules, table.game.position, table.game.faces, moves).play())


def test_a_whole_play_is_made_at_once() -> None:
    table, bot = Table("backgammon", np.random.default_rng(2)), bp.Bot(level="club")
    assert (table.match.length, table.match.game) == (0, table.game)
    while not table.over:
        event = bot.event(table.match, table.actor)
        assert isinstance(event, PlayMade)
        table.play(event.moves)
        assert table.made == ()
    assert table.points != 0


def test_moves_that_are_no_play_change_nothing() -> None:
    table = Table("backgammon", np.random.default_rng(2))
    before = table.game, table.actions
    with pytest.raises(IllegalEvent, match="24/1 with a 23 may not be played here"):
        table.play(((24, 1, 23),))
    assert (table.game, table.actions) == before


@pytest.mark.parametrize(
    ("name", "axis"), [("duodecagammon", "dice"), ("roll-over", "rerolls"), ("acey-deucey", "dice")]
)
def test_a_game_without_a_place_for_its_actions_is_refused_with_the_axis_that_differs(name: str, axis: str) -> None:
    with pytest.raises(UnsupportedRules, match=f"{name}.* differs in the axis {axis}; environments are for two dice"):
        Table(name)


@pytest.mark.parametrize("action", [99999, -1, 1.5, None, True, "7", np.array([1, 2])])
def test_what_is_no_number_of_an_action_is_refused(action: object) -> None:
    with pytest.raises(IllegalMove, match="allowed: a whole number from 0 to 1351"):
        Table().step(action)  # type: ignore[arg-type]


def test_an_action_may_be_a_number_of_numpy() -> None:
    one, two, three = (Table("backgammon", np.random.default_rng(3)) for _ in range(3))
    action = next(iter(one.actions))
    one.step(action)
    two.step(np.int64(action))  # type: ignore[arg-type]
    three.step(np.array(action))  # type: ignore[arg-type]
    assert one.game == two.game == three.game


def test_checkers_that_go_the_same_way_round_are_shown_where_they_stand() -> None:
    table = Table("fevga", np.random.default_rng(3))
    position = table.position if table.actor == 0 else table.position.flip()
    assert table.picture("ansi") == plain(board(position, meeting=table.rules.movement.meeting))
    assert table.picture("ansi") != plain(board(position))


def test_the_board_is_shown_as_text_and_as_pixels() -> None:
    table = Table("backgammon", np.random.default_rng(3))
    assert table.picture(None) is None
    assert "+-13--14-" in str(table.picture("ansi"))
    shown = table.picture("rgb_array")
    assert isinstance(shown, np.ndarray)
    assert (shown.shape[1:], shown.dtype) == ((480, 3), np.uint8)
    table.step(next(iter(table.actions)))
    assert (table.picture("rgb_array") != shown).any()
