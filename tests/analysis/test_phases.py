"""The kind of game that a position belongs to."""

from __future__ import annotations

import pytest

from barpoint.analysis.phases import PHASES, phase_of
from barpoint.variants import variant
from tests.support.games import place


@pytest.mark.parametrize(
    ("ours", "theirs", "turn", "phase"),
    [
        ({24: 2, 6: 2}, {24: 2, 6: 2}, 3, "opening"),
        ({24: 2, 6: 2}, {24: 2, 6: 2}, 9, "contact"),
        ({12: 2}, {12: 2}, 9, "race"),
        ({12: 2}, {13: 2}, 9, "race"),
        ({12: 2}, {14: 2}, 9, "contact"),
        ({6: 2}, {18: 2}, 9, "bear-off"),
        ({6: 2}, {25: 1}, 9, "bear-off"),
        ({22: 2, 20: 2, 13: 4, 6: 5, 8: 2}, {6: 5, 5: 3, 4: 3, 7: 2, 2: 2}, 20, "back game"),
        ({22: 2, 13: 4, 6: 5, 8: 4}, {6: 5, 5: 3, 4: 3, 7: 2, 8: 2}, 20, "prime"),
        ({13: 2, 8: 3, 6: 4, 5: 2, 4: 2, 10: 2}, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, 5, "blitz"),
        ({13: 2, 8: 3, 7: 2, 6: 2, 5: 2, 4: 2, 10: 2}, {24: 1, 13: 6, 8: 3, 6: 5}, 12, "prime"),
        ({20: 2, 13: 5, 8: 3, 6: 5}, {13: 5, 8: 3, 6: 7}, 12, "holding game"),
    ],
)
def test_phases_of_a_game(ours: dict[int, int], theirs: dict[int, int], turn: int, phase: str) -> None:
    assert phase_of(variant("backgammon"), place(ours, theirs), turn) == phase
    assert phase in PHASES


@pytest.mark.parametrize("name", ["plakoto", "fevga"])
def test_plans_with_names_belong_to_games_in_which_checkers_are_hit(name: str) -> None:
    """Points and anchors of a back game, which mean nothing where a checker is never sent back."""
    position = place({22: 2, 20: 2, 13: 4, 6: 5, 11: 2}, {6: 5, 4: 3, 7: 2, 2: 5})
    assert phase_of(variant("backgammon"), position, 20) == "back game"
    assert phase_of(variant(name), position, 20) == "contact"


def test_a_phase_is_the_same_for_both_sides() -> None:
    """Who attacks and who is attacked are in one blitz; only bearing off is a matter of the side that does it."""
    position = place({13: 2, 8: 3, 6: 4, 5: 2, 4: 2, 10: 2}, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5})
    rules = variant("backgammon")
    assert phase_of(rules, position, 9) == phase_of(rules, position.flip(), 9) == "blitz"


def test_an_anchor_ends_a_blitz() -> None:
    attack = {13: 2, 8: 3, 6: 4, 5: 2, 4: 2, 10: 2}
    assert phase_of(variant("backgammon"), place(attack, {25: 1, 20: 2, 13: 4, 8: 3, 6: 5}), 9) != "blitz"
