"""Themes of mistakes: measured against the labels of 200 mistakes, and each said in its own words with its figures."""

from __future__ import annotations

import re

import pytest

from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption, MistakeTheme
from barpoint.analysis.lesson import taught
from barpoint.analysis.theme_text import TEXTS, figure_text, theme_sentence, theme_title
from barpoint.analysis.themes import NAMES, themes_of
from barpoint.board import Position, Side
from barpoint.engine import CubeInfo, CubeState, Score
from barpoint.game.event import counts_of
from barpoint.moves import parse_play
from tests.analysis.labels import RULES, UNSEEN, Labelled, agreement, labelled, total

BORNE_OFF = Side.of({0: 9, 1: 4, 2: 2})
HOMEWARD = Side.of({21: 2, 19: 1, 13: 3, 8: 1, 7: 1, 6: 2, 5: 1, 2: 2, 1: 2})
"""A race that is lost: three checkers have to leave the home of the other side, which needs three rolls."""

MISSES = {"builders", "buried", "gammon-danger"}
"""Themes that agree less with the labels; docs/analysis.md says where they differ."""

ENOUGH = 5
"""Labels below which a share says nothing."""


@pytest.fixture(scope="module")
def mistakes() -> list[Labelled]:
    return labelled()


def test_two_hundred_mistakes_are_labelled_with_themes_that_exist(mistakes: list[Labelled]) -> None:
    assert len(mistakes) == 200
    assert set().union(*(one.labels for one in mistakes)) <= set(NAMES)
    assert all(one.labels for one in mistakes)


def test_themes_agree_with_the_labels(mistakes: list[Labelled]) -> None:
    measured = {name: one for name, one in agreement(mistakes).items() if one.both + one.labelled_only >= ENOUGH}
    poor = {name for name, one in measured.items() if min(one.precision, one.recall) < 0.8}
    assert poor == MISSES
    assert len(measured) >= 15


def test_themes_agree_with_labels_on_which_no_threshold_was_chosen() -> None:
    unseen = labelled(UNSEEN)
    assert len(unseen) == 40
    found = total(agreement(unseen))
    assert min(found.precision, found.recall) >= 0.8


def test_every_mistake_has_a_theme(mistakes: list[Labelled]) -> None:
    assert all(one.found for one in mistakes)


def test_every_theme_has_its_own_words() -> None:
    assert set(TEXTS) == set(NAMES)
    for at in (0, 1):
        assert len({texts[at] for texts in TEXTS.values()}) == len(TEXTS)


def test_a_sentence_uses_every_place_that_it_has(mistakes: list[Labelled]) -> None:
    """The figures that the code gives are those that the sentence asks for; the same words with other figures else."""
    for one in mistakes:
        for theme in themes_of(RULES, one.cube_info, one.before, one.decision):
            wanted = set(re.findall(r"%\((\w+)\)s", TEXTS[theme.name][1]))
            assert wanted <= set(theme.figures)
            assert "%(" not in theme_sentence(theme)


def test_the_same_mistake_said_twice_has_the_same_themes_in_the_same_order(mistakes: list[Labelled]) -> None:
    for one in mistakes[:60]:
        themes = themes_of(RULES, one.cube_info, one.before, one.decision)
        assert themes == themes_of(RULES, one.cube_info, one.before, one.decision)
        assert [NAMES.index(theme.name) for theme in themes] == sorted(NAMES.index(theme.name) for theme in themes)


def test_unlike_mistakes_do_not_read_the_same(mistakes: list[Labelled]) -> None:
    """What is said of two mistakes differs unless their themes and figures are the same."""
    said: dict[str, tuple[MistakeTheme, ...]] = {}
    for one in mistakes:
        themes = themes_of(RULES, one.cube_info, one.before, one.decision)
        text = " ".join(map(theme_sentence, themes))
        assert said.setdefault(text, themes) == themes


def test_figures_are_written_by_what_they_are() -> None:
    assert figure_text("best_share", 0.1234) == "12.3%"
    assert figure_text("best_equity", 0.5) == "+0.500"
    assert figure_text("best_shots", 11) == "11"
    assert figure_text("points", "21, 19") == "21, 19"
    assert theme_title("missed-hit") == "Missed hit"
    theme = MistakeTheme("missed-hit", {"points": "5", "pips": 5})
    assert theme_sentence(theme) == "The better play hits (points: 5); pips that the other side loses: 5."


def raced(
    us: Side, faces: tuple[int, int], *plays: str, chances: tuple[tuple[float, ...], ...], away: int = 3
) -> Decision:
    """A mistake in a race against BORNE_OFF, taught. plays, chances: of the best play and of the one that was made."""
    before = Position(us, BORNE_OFF)
    made = [parse_play(RULES, before, faces, text) for text in plays]
    options = tuple(
        DecisionOption(str(play), -loss, loss, 0.0, each, play.moves, counts_of(play.result))
        for play, each, loss in zip(made, chances, (0.0, 0.1), strict=True)
    )
    mistake = Decision(1, 1, 0, "play", "race", 1, options, 0.1, 0.0, True, "blunder", faces)
    return taught(RULES, CubeInfo(score=Score(away, away)), before, mistake)


def sentences(decision: Decision) -> list[str]:
    return [theme_sentence(one) for one in decision.themes]


@pytest.mark.parametrize(
    ("cube", "score", "said"),
    [
        (1, None, True),
        (1, Score(5, 5), True),
        (1, Score(2, 3), True),
        (1, Score(3, 2), False),
        (1, Score(2, 2), False),
        (2, Score(5, 5), True),
        (2, Score(7, 4), False),
    ],
)
def test_gammons_make_a_take_dangerous_only_where_they_pay_the_doubler(
    cube: int, score: Score | None, said: bool
) -> None:
    """score: of the side that takes. XGID=b--BBBC-C---eC---c-e------:0:0:1:00:3:3:0:5:10 is doubled from 2 points away to the match."""
    equities = CubeEquities(0.9, 1.1, 1.0, "double/pass", 0.76, 0.28, 0.70, 0.72, 0.9, 0.3)
    options = DecisionOption("Pass", -1.0, 0.0, 0.0), DecisionOption("Take", -1.1, 0.1, 0.0)
    take = Decision(1, 1, 0, "take", "contact", 1, options, 0.1, 0.0, True, "blunder", (), equities)
    info = CubeInfo(CubeState(cube, "them" if cube > 1 else None), score)
    names = [one.name for one in themes_of(RULES, info, Position(HOMEWARD, BORNE_OFF), take)]
    assert names == ["wrong-take"] + ["gammon-danger"] * said


GAMMON, BACKGAMMON = (0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.255)
SAVING, LOSING = "21/17(2) 19/15 6/2", "8/4 7/3 6/2 5/1"


def test_a_backgammon_that_is_not_saved_is_what_a_lost_race_is_about() -> None:
    """The better play leaves more checkers outside, but brings those behind nearer."""
    found = raced(HOMEWARD, (4, 4), SAVING, LOSING, chances=(GAMMON, BACKGAMMON))
    assert sentences(found) == [
        "Pips until all checkers are home: 55 after the better play, 64 after this one.",
        "This play loses a backgammon in 25.5% of games, the better one in 0.0%.",
    ]
    assert found.lesson == f"{found.best.text} instead of {found.made.text} loses 25.5% fewer backgammons."


def test_backgammons_are_not_named_where_a_gammon_loses_the_match_already() -> None:
    found = raced(HOMEWARD, (4, 4), SAVING, LOSING, chances=(GAMMON, BACKGAMMON), away=2)
    assert [one.name for one in found.themes] == ["bear-in"]
    assert "backgammon" not in found.lesson


@pytest.mark.parametrize(
    ("best", "made", "named"),
    [
        ((1, 0.9, 0.3, 0, 0), (1, 0.9, 0.2, 0, 0), ["backgammon-wins"]),
        ((1, 0.9, 0.3, 0, 0), (1, 0.9, 0.285, 0, 0), []),
        ((1, 0.9, 0.3, 0, 0), (1, 0.7, 0.2, 0, 0), ["gammon-wins"]),  # gammons tell more
        ((0, 0, 0, 0.5, 0.1), (0, 0, 0, 0.6, 0.2), ["gammon-losses", "backgammon-losses"]),
    ],
)
def test_backgammons_are_named_where_they_are_the_difference(
    best: tuple[float, ...], made: tuple[float, ...], named: list[str]
) -> None:
    found = raced(HOMEWARD, (4, 4), SAVING, LOSING, chances=(best, made))
    assert [one.name for one in found.themes] == ["bear-in", *named]


@pytest.mark.parametrize(
    ("us", "faces", "best", "made", "said"),
    [
        ({9: 1, 6: 2, 1: 2}, (3, 1), "9/5", "9/6 1/off", ""),
        (
            {7: 2, 6: 3, 1: 2},
            (1, 1),
            "7/6(2) 1/off(2)",
            "7/6(2) 6/5(2)",
            "bears off 2 and leaves 0 outside; this one 0 and 0",
        ),
        ({10: 1, 7: 1, 5: 3}, (4, 1), "10/6 7/6", "10/5", "bears off 0 and leaves 0 outside; this one 0 and 1"),
        ({10: 2, 7: 1, 5: 3}, (3, 1), "10/6", "10/7 7/6", ""),
        (
            {12: 2, 8: 1, 7: 1},
            (4, 3),
            "12/8 12/9",
            "8/4 7/4",
            "all checkers are home: 8 after the better play, 12 after this one",
        ),
        ({6: 3, 4: 3, 3: 2}, (2, 1), "6/4 4/3", "4/2 3/2", ""),
    ],
)
def test_a_race_is_told_by_counts_only_where_they_speak_for_the_better_play(
    us: dict[int, int], faces: tuple[int, int], best: str, made: str, said: str
) -> None:
    off = 15 - sum(us.values())
    found = raced(Side.of({0: off, **us}), faces, best, made, chances=((0.5, 0, 0, 0, 0), (0.4, 0, 0, 0, 0)))
    [theme] = found.themes
    assert theme.name == ("plain" if not said else "bear-in" if said.startswith("all") else "race")
    assert said in theme_sentence(theme)
