"""What a picture shows of positions, situations, games, matches and plays."""

from dataclasses import replace
from typing import Any

import pytest

import barpoint as bp
from barpoint.draw.scene import scene_of
from barpoint.error import ArgumentError
from barpoint.game import Double, Game, Opening, Roll, Take
from barpoint.match.situation import situation_of
from barpoint.rules import Meeting

MATCH = bp.Match.start(length=7, rules="roll-over").apply(Opening((3, 1)))
PLAY = bp.parse_play(MATCH.rules, MATCH.game.position, (3, 1), "8/5 6/5")


def test_a_game_is_drawn_with_its_dice_its_cube_and_its_tokens() -> None:
    scene = scene_of(MATCH.game)
    assert (scene.position, scene.dice, scene.cube, scene.own_cube) == (MATCH.game.position, (3, 1), 1, None)
    assert scene.tokens == (1, 1)
    assert bp.svg(MATCH) == bp.svg(MATCH.game) == bp.svg(MATCH.game.position, dice=(3, 1), cube=1, tokens=(1, 1))


def test_whoever_owns_the_cube_has_it_on_their_side() -> None:
    rules = bp.variant("backgammon")
    game = Game.at(rules, rules.start).apply(Double(0)).apply(Take(1)).apply(Roll(0, (6, 5)))
    assert (scene_of(game).cube, scene_of(game).own_cube) == (2, False)
    assert scene_of(situation_of(game)) == replace(scene_of(game), meeting=None)
    drawn = bp.svg(game.position, dice=(6, 5), cube=2, cube_near=False)
    assert bp.svg(game) == bp.svg(situation_of(game)) == drawn
    far = bp.svg(game.position, dice=(6, 5), cube=2, cube_near=True, near_to_act=False)
    assert bp.svg(game, near_to_act=False) == far


def test_a_game_without_a_cube_is_drawn_without_one() -> None:
    crawford = bp.Match.start(length=1)
    assert scene_of(crawford).cube is None
    assert scene_of(Game.start(bp.variant("plakoto"))).cube is None
    assert scene_of(bp.parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:1:5:10")).cube is None


def test_both_sides_of_some_games_go_the_same_way() -> None:
    fevga = bp.variant("fevga")
    game = bp.svg(Game.start(fevga))
    assert game == bp.svg(fevga.start, meeting=fevga.movement.meeting) == bp.svg(fevga.start, rules=fevga)
    assert game == bp.svg(fevga.start, rules="fevga") != bp.svg(fevga.start)


def test_a_position_of_such_a_game_is_not_drawn_as_backgammon() -> None:
    fevga = bp.variant("fevga")
    position = bp.Position(bp.Side.of({24: 14, 13: 1}), bp.Side.of({24: 14, 12: 1}))
    with pytest.raises(
        ArgumentError, match=r"both sides stand on our point 13 of backgammon; .* svg\(position, rules="
    ):
        bp.svg(position)
    assert position._repr_svg_() is None
    assert bp.svg(position, rules=fevga) == bp.svg(position, meeting=fevga.movement.meeting)
    assert bp.svg(position, rules="backgammon") == bp.svg(position, meeting=Meeting.OPPOSITE)


def test_a_pinned_checker_under_others_is_no_reason_to_ask_for_the_game() -> None:
    position = bp.Position(bp.Side.of({20: 2, 6: 13}), bp.Side.of({5: 1, 6: 14}, pinned=1 << 5))
    assert bp.svg(position) == bp.svg(position, rules="plakoto")


def test_rules_are_a_name_or_a_value() -> None:
    with pytest.raises(ArgumentError, match=r"rules is 3 \(int\); allowed: Rules, str"):
        bp.svg(PLAY, rules=3)  # type: ignore[arg-type]


def test_a_turn_is_drawn_after_its_moves_with_its_roll() -> None:
    fevga = bp.variant("fevga")
    turn = bp.Turn(fevga, fevga.start, (6, 5)).move(24, 18)
    assert turn._repr_svg_() == bp.svg(turn) == bp.svg(turn.position, rules=fevga, dice=(6, 5))


def test_a_play_is_drawn_as_the_position_it_leads_to() -> None:
    assert bp.svg(PLAY) == bp.svg(PLAY.result)


def test_what_is_said_replaces_what_the_game_says() -> None:
    assert bp.svg(MATCH, dice=(), cube=4, cube_near=True, tokens=(0, 0)) == bp.svg(
        MATCH.game.position, cube=4, cube_near=True, tokens=(0, 0)
    )


@pytest.mark.parametrize(
    "source", [MATCH, MATCH.game, situation_of(MATCH), PLAY, MATCH.game.position, MATCH.game.turn()]
)
def test_a_notebook_is_given_the_same_picture(source: Any) -> None:
    assert source._repr_svg_() == bp.svg(source)


@pytest.mark.parametrize("source", [None, "start", MATCH.rules, (3, 1)])
def test_what_cannot_be_drawn_is_refused(source: Any) -> None:
    with pytest.raises(ArgumentError, match="allowed: Position, Situation, Game, Match, Play"):
        bp.svg(source)
