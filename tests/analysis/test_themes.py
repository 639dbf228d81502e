"""Themes of mistakes: measured against the labels of 200 mistakes, and each said in its own words with its figures."""

from __future__ import annotations

import re

import pytest

from barpoint.analysis.findings import MistakeTheme
from barpoint.analysis.theme_text import TEXTS, figure_text, theme_sentence, theme_title
from barpoint.analysis.themes import NAMES, themes_of
from tests.analysis.labels import RULES, UNSEEN, Labelled, agreement, labelled, total

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
