"""Lessons: every asked play is legal, every position can be shown, and the answers are those of the rules."""

from __future__ import annotations

import pytest

from barpoint.engine import CubeState, Engine, Score
from barpoint.error import IllegalMove
from barpoint.moves import check_position, legal_plays, parse_play
from barpoint.server.study.lessons import ANSWERS, Lesson, answer_event, answer_play, board_of, lessons, lessons_of

LESSONS = list(lessons().values())
PLAYS = [lesson for lesson in LESSONS if lesson.dice]


def test_the_first_game_has_ten_steps_that_ask_for_something() -> None:
    steps = lessons_of("first-game")
    assert len(steps) == 10
    for step in steps:
        assert step.title
        assert step.text
        assert step.ask
        assert step.right
        assert bool(step.dice) != bool(step.event)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_every_position_is_one_of_its_game_and_can_be_shown(lesson: Lesson) -> None:
    check_position(lesson.rules, lesson.position)
    assert lesson.position.us.total == lesson.position.them.total == lesson.rules.checkers
    shown = board_of(lesson)
    assert (tuple(shown.near.points), shown.near.hand) == (lesson.position.us.points, lesson.position.us.hand)
    assert shown.to_act == "near"
    if lesson.event:
        assert lesson.event in {may.kind for may in shown.allowed}


@pytest.mark.parametrize("lesson", PLAYS, ids=lambda lesson: lesson.id)
def test_every_play_that_is_asked_for_or_drawn_is_legal_and_answered_as_right(lesson: Lesson) -> None:
    for text in (*lesson.accept, *([lesson.arrows] if lesson.arrows else [])):
        play = parse_play(lesson.rules, lesson.position, lesson.dice, text)
        if text in lesson.accept:
            found = answer_play(lesson, play.moves)
            assert (found.legal, found.right) == (True, True)
    if lesson.wants:
        plays = legal_plays(lesson.rules, lesson.position, lesson.dice)
        assert any(answer_play(lesson, play.moves).right for play in plays)
        assert not all(answer_play(lesson, play.moves).right for play in plays)


def test_another_legal_play_is_called_legal_and_not_right() -> None:
    lesson = lessons()["making-points"]
    other = parse_play(lesson.rules, lesson.position, lesson.dice, "24/23 13/10")
    found = answer_play(lesson, other.moves)
    assert (found.legal, found.right) == (True, False)
    assert "24/23 13/10 is legal" in found.text


def test_an_unfinished_and_an_impossible_play_are_not_legal() -> None:
    lesson = lessons()["making-points"]
    unfinished = answer_play(lesson, ((8, 5, 3),))
    assert (unfinished.legal, unfinished.text.partition(":")[0]) == (False, "Not finished")
    wrong = answer_play(lesson, ((8, 4, 4),))
    assert (wrong.legal, wrong.text.partition(".")[0]) == (False, "Not a legal play of 3-1")
    assert not answer_play(lesson, ((23, 22, 1),)).legal


def test_the_action_that_is_asked_for_is_right_and_others_are_not() -> None:
    lesson = lessons()["the-cube"]
    assert answer_event(lesson, "take").right
    assert not answer_event(lesson, "pass").right


@pytest.mark.parametrize(
    ("lesson_id", "offered", "wanted"),
    [
        ("over-lost", {"play", "rollover"}, "rollover"),
        ("over-keep", {"play", "rollover"}, "play"),
        ("cancel-hit", {"roll", "double", "rollover"}, "rollover"),
        ("cancel-wait", {"roll", "double", "rollover"}, "roll"),
        ("over-dance", {"play", "rollover"}, "rollover"),
        ("over-last", {"keep", "rollover"}, "rollover"),
        ("cancel-own", {"play"}, "play"),
        ("cancel-last", {"keep", "rollover"}, "rollover"),
    ],
)
def test_a_token_may_be_spent_where_that_is_the_question(lesson_id: str, offered: set[str], wanted: str) -> None:
    lesson = lessons()[lesson_id]
    assert {may.kind for may in board_of(lesson).allowed} == offered
    if wanted == "play":
        assert not answer_event(lesson, "rollover").right
    else:
        assert [kind for kind in sorted(offered) if answer_event(lesson, kind).right] == [wanted]


@pytest.mark.parametrize(
    ("lesson_id", "offered", "wanted"),
    [
        ("cube-double", {"roll", "double"}, "double"),
        ("cube-take", {"take", "pass"}, "take"),
        ("cube-pass", {"take", "pass"}, "pass"),
        ("cube-too-good", {"roll", "double"}, "roll"),
        ("cube-beaver", {"take", "pass", "beaver"}, "beaver"),
        ("mp-crawford", {"roll"}, "roll"),
        ("mp-after", {"roll", "double"}, "double"),
        ("mp-drop", {"take", "pass"}, "pass"),
        ("mp-take", {"take", "pass"}, "take"),
        ("mp-dead", {"roll", "double"}, "roll"),
    ],
)
def test_cube_decisions_are_asked_at_their_score_and_the_engine_agrees(
    lesson_id: str, offered: set[str], wanted: str
) -> None:
    lesson = lessons()[lesson_id]
    assert {may.kind for may in board_of(lesson).allowed} == offered
    assert [kind for kind in sorted(offered) if answer_event(lesson, kind).right] == [wanted]
    if lesson_id == "mp-crawford":
        return
    doubled, terms = wanted in ANSWERS, lesson.terms
    away = [terms.length - points for points in terms.first_score]
    decision = Engine(lesson.rules, plies=1).cube(
        lesson.position.flip() if doubled else lesson.position,
        cube=CubeState(lesson.cube or 1, "us" if lesson.owner == "us" else None),
        score=None if terms.money else Score(away[doubled], away[not doubled]),
        stakes=terms.stakes(crawford_game=False, after_crawford=False),
    )
    agreed = {
        "double": decision.doubles,
        "roll": not decision.doubles,
        "take": decision.double_take <= decision.double_pass,
        "pass": decision.double_take > decision.double_pass,
        "beaver": decision.double_take < 0,
    }
    assert agreed[wanted], decision


def test_a_turn_with_free_hands_goes_on_after_a_move_that_is_not_legal() -> None:
    lesson = next(one for one in LESSONS if one.free)
    start = board_of(lesson).turn
    assert start is not None
    legal = {edge[:3] for edge in start.nodes[0][1]}
    assert isinstance(start.free, tuple)
    strange = next(edge[:3] for edge in start.free if edge[:2] not in {move[:2] for move in legal})
    after = board_of(lesson, (strange,)).turn
    assert after is not None
    assert after.made == (strange,)
    assert after.free
    assert not answer_play(lesson, (strange,)).legal


def test_guided_hands_are_held_to_legal_moves() -> None:
    with pytest.raises(IllegalMove):
        board_of(lessons()["making-points"], ((8, 4, 4),))
