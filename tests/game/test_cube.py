"""The cube: doubles, takes, passes, beavers and raccoons (S2-20 to S2-22, S3-7, S3-10, S4-8, D-12, D-14)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from barpoint.error import ArgumentError, IllegalEvent, StakesError
from barpoint.game import Beaver, Cube, Double, Game, Pass, Phase, Raccoon, Stakes, Take
from barpoint.game.event import Event
from barpoint.rules import Rules
from barpoint.variants import variant
from tests.support.games import begun, kinds, play, roll

BACKGAMMON = variant("backgammon")


def to_double(stakes: Stakes | None = None, cube: Cube | None = None) -> Game:
    """Player 1 is at the start of their turn."""
    return Game.at(BACKGAMMON, BACKGAMMON.start, 1, stakes=stakes, cube=cube)


def test_a_double_is_offered_before_the_roll_and_answered_by_the_other():
    """S2-20."""
    game = to_double().apply(Double(1))
    assert (game.phase, game.actor, game.player, game.cube.offered) == (Phase.DOUBLED, 0, 1, 2)
    assert kinds(game, 0) == {"take", "pass"}
    assert kinds(game, 1) == set()


def test_after_the_roll_it_is_too_late():
    game = roll(to_double(), 3, 1)
    for player in (0, 1):
        with pytest.raises(IllegalEvent, match="before the roll"):
            game.apply(Double(player))


def test_nobody_doubles_in_the_others_turn():
    with pytest.raises(IllegalEvent):
        to_double().apply(Double(0))


def test_the_taker_owns_the_cube_and_alone_may_redouble():
    """S2-22."""
    game = to_double().apply(Double(1)).apply(Take(0))
    assert (game.cube, game.phase, game.actor) == (Cube(2, 0, turned=True), Phase.TO_ROLL, 1)
    with pytest.raises(IllegalEvent, match="owns the cube"):
        game.apply(Double(1))
    game = play(roll(game, 3, 1))
    again = game.apply(Double(0)).apply(Take(1))
    assert (again.cube.value, again.cube.owner) == (4, 1)


def test_a_double_is_offered_once_in_a_turn():
    game = to_double().apply(Double(1)).apply(Take(0))
    assert "double" not in kinds(game, 1)


@pytest.mark.parametrize(("value", "owner"), [(1, None), (2, 1), (8, 1)])
def test_a_pass_loses_the_stake_before_the_double(value: int, owner: int | None):
    """S2-21, D-14."""
    game = to_double(cube=Cube(value, owner)).apply(Double(1)).apply(Pass(0))
    assert game.result is not None
    assert (game.result.winner, game.result.points, game.result.how) == (1, value, "pass")
    assert game.cube.value == value


@pytest.mark.parametrize("event", [Take(1), Pass(1), Take(2)])
def test_only_the_doubled_player_answers(event: Event):
    with pytest.raises(IllegalEvent, match="other player must answer"):
        to_double().apply(Double(1)).apply(event)


@pytest.mark.parametrize("event", [Take(0), Pass(0), Beaver(0), Raccoon(1)])
def test_without_a_double_there_is_nothing_to_answer(event: Event):
    with pytest.raises(IllegalEvent, match="no double is pending"):
        to_double(Stakes(beavers=3)).apply(event)


def test_there_is_no_limit_but_what_can_be_kept():
    """S2-22, D-12."""
    game = to_double()
    for number in range(62):
        game = game.apply(Double(game.player)).apply(Take(1 - game.player))
        assert game.cube.value == 2 ** (number + 1)
        game = roll(game, 5, 5)
        game = replace(play(game), position=game.position)  # the same position again and again
    with pytest.raises(IllegalEvent, match=f"a cube of {2**63}; the highest is {2**62}"):
        game.apply(Double(game.player))
    assert "double" not in kinds(game, game.player)


def test_the_stakes_may_set_a_lower_limit():
    game = to_double(Stakes(cube_limit=2), Cube(2, 1))
    with pytest.raises(IllegalEvent, match="the highest is 2"):
        game.apply(Double(1))


@pytest.mark.parametrize("rules", ["acey-deucey", "plakoto", "fevga"])
def test_rules_without_a_cube_have_none(rules: str):
    game = Game.at(variant(rules), variant(rules).start)
    with pytest.raises(IllegalEvent, match="no cube"):
        game.apply(Double(0))
    assert "double" not in kinds(game, 0)


def test_stakes_without_a_cube_have_none():
    with pytest.raises(IllegalEvent, match="no cube"):
        to_double(Stakes(cube=False)).apply(Double(1))


def test_the_first_turn_has_no_cube():
    game = begun(BACKGAMMON, (3, 1))
    assert "double" not in kinds(game, 0)


@pytest.mark.parametrize(("rolls", "turns"), [(0, 2), (1, 3), (2, 5)])
def test_a_number_of_rolls_may_come_before_the_first_double(rolls: int, turns: int):
    """Rulings 5.1, Holland rule."""
    game = begun(BACKGAMMON, (3, 1), Stakes(rolls_before_double=rolls))
    while "double" not in kinds(game, game.player):
        if not game.faces:
            game = roll(game, 2, 1)
        game = play(game)
    assert game.turn_number == turns


# ---------------------------------------------------------------- beavers


def beavered() -> Game:
    return to_double(Stakes(beavers=3)).apply(Double(1)).apply(Beaver(0))


def test_a_beaver_doubles_again_and_keeps_the_cube():
    """S3-10."""
    game = beavered()
    assert (game.actor, game.cube.offered, kinds(game, 1)) == (1, 4, {"take", "pass", "raccoon"})
    taken = game.apply(Take(1))
    assert (taken.cube.value, taken.cube.owner, taken.phase, taken.actor) == (4, 0, Phase.TO_ROLL, 1)


def test_a_dropped_beaver_loses_the_doubled_stake():
    """Rulings 5.1: at the stake before the beaver."""
    result = beavered().apply(Pass(1)).result
    assert result is not None
    assert (result.winner, result.points) == (0, 2)


def test_a_raccoon_doubles_once_more():
    game = beavered().apply(Raccoon(1))
    assert (game.actor, game.cube.offered) == (0, 8)
    assert game.apply(Take(0)).cube == Cube(8, 0, turned=True)
    dropped = game.apply(Pass(0)).result
    assert dropped is not None
    assert (dropped.winner, dropped.points) == (1, 4)


def test_the_answers_end_at_the_limit_of_the_stakes():
    game = beavered().apply(Raccoon(1)).apply(Beaver(0))
    assert kinds(game, 1) == {"take", "pass"}
    with pytest.raises(IllegalEvent, match="at most 3"):
        game.apply(Raccoon(1))


def test_without_beavers_in_the_stakes_there_are_none():
    with pytest.raises(IllegalEvent, match="at most 0"):
        to_double().apply(Double(1)).apply(Beaver(0))


def test_only_the_doubled_beavers_and_only_the_doubler_raccoons():
    game = to_double(Stakes(beavers=3)).apply(Double(1))
    with pytest.raises(IllegalEvent, match="only the doubler"):
        game.apply(Raccoon(0))
    with pytest.raises(IllegalEvent, match="only the player who was doubled"):
        game.apply(Beaver(1))
    with pytest.raises(IllegalEvent, match="only the player who was doubled"):
        beavered().apply(Beaver(1))


def test_a_beaver_stops_at_the_cube_limit():
    game = to_double(Stakes(beavers=3, cube_limit=2)).apply(Double(1))
    assert kinds(game, 0) == {"take", "pass"}
    with pytest.raises(IllegalEvent, match="a cube of 4; the highest is 2"):
        game.apply(Beaver(0))


# ---------------------------------------------------------------- stakes


@pytest.mark.parametrize(
    "wrong",
    [
        {"money": False, "jacoby": True},
        {"money": False, "beavers": 1},
        {"money": False, "automatic_doubles": 1},
        {"cube": False, "jacoby": True},
        {"cube_limit": 3},
        {"cube_limit": 0},
        {"cube_limit": 2**63},
        {"beavers": -1},
        {"rolls_before_double": -1},
    ],
)
def test_stakes_that_do_not_go_together_are_refused(wrong: dict[str, bool | int]):
    with pytest.raises(StakesError):
        Stakes(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"cube": 2}, ArgumentError, r"cube is 2 \(int\); allowed: Cube"),
        ({"stakes": 3}, ArgumentError, r"stakes is 3 \(int\); allowed: Stakes"),
        ({"cube": Cube(3)}, StakesError, "a cube of 3; it is a power of two up to 4611686018427387904$"),
        ({"cube": Cube(4), "stakes": Stakes(cube_limit=2)}, StakesError, "a cube of 4; it is a power of two up to 2$"),
        ({"cube": Cube(2, owner=5)}, StakesError, r"owner is 5 \(int\); allowed: 0, 1 or None$"),
        ({"cube": Cube("x")}, StakesError, "^a cube: value: Expected `int`, got `str`$"),  # type: ignore[arg-type]
        ({"tokens": 1}, ArgumentError, r"tokens is 1 \(int\); allowed: None, or two numbers from 0 to 0$"),
    ],
)
def test_a_game_cannot_begin_with_what_is_no_cube_and_no_stakes(given, error, says):
    with pytest.raises(error, match=says):
        Game.at("backgammon", Rules().start, **given)


@pytest.mark.parametrize(
    ("wrong", "says"), [({"jacoby": "x"}, "jacoby: Expected `bool`"), ({"beavers": 1.5}, "beavers: Expected `int`")]
)
def test_stakes_are_of_the_kinds_that_a_file_of_terms_has(wrong, says):
    with pytest.raises(StakesError, match=f"^stakes of a game: {says}"):
        Stakes(**wrong)
