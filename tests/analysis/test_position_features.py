"""Features of positions that were counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import barpoint as bp
from barpoint.analysis.position_features import features_array, points_held
from barpoint.error import ArgumentError, PositionError
from barpoint.game import Game, Opening
from barpoint.match.situation import situation_of

RULES = bp.variant("backgammon")
HOLDING = RULES.start.copy_with(
    us={24: 0, 20: 2, 13: 3, 8: 3, 7: 1, 6: 3, 5: 2, 4: 1}, them={13: 4, 9: 1, 8: 3, 6: 5, 24: 2}
)
"""Us: an anchor on the 20, blots on 7 and 4, points 8, 6 and 5. They hold 24, 13, 8 and 6 of theirs and slot their 9."""


def test_points_blots_anchors_and_primes_are_named_by_their_own_numbers() -> None:
    us, them = (found := bp.features(HOLDING)).us, found.them
    assert (us.made, us.blots, us.anchors, us.home) == ((20, 13, 8, 6, 5), (7, 4), (20,), (6, 5))
    assert us.prime == (6, 5)
    assert (them.made, them.blots, them.anchors, them.home) == ((24, 13, 8, 6), (9,), (24,), (6,))
    assert them.prime == (24,)
    assert (us.pips, them.pips) == (HOLDING.us.pips, HOLDING.them.pips)


def test_shots_are_rolls_that_hit() -> None:
    """Their blot stands on our 16 point, four from our anchor: 11 fours, 3-1 twice (2-2 and 1-1 are blocked or not), ..."""
    alone = bp.Position(bp.Side.of({16: 1, 0: 14}), bp.Side.of({13: 1, 0: 14}))  # theirs stands on our 12 point
    found = bp.features(alone)
    # Four away: every 4 (11), 3-1 and 1-3 (2), 1-1, 2-2.
    assert (found.us.shots, found.rolls) == (15, 36)
    assert not found.race


def test_a_prime_is_the_longest_row_of_points_that_are_held() -> None:
    prime = bp.Position(bp.Side.of({9: 2, 8: 2, 7: 2, 6: 3, 4: 3, 3: 3}), bp.Side.of({24: 2, 1: 13}))
    assert bp.features(prime).us.prime == (9, 8, 7, 6)


def test_a_race_has_its_formulas_and_a_bear_off_its_effective_pips() -> None:
    home = bp.Side.of({6: 5, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1})
    found = bp.features(bp.Position(home, home))
    assert found.race
    assert [one.name for one in found.formulas] == ["Thorp", "Keith", "Ward", "Isight"]
    assert found.us.effective_pips is not None
    assert found.us.wastage == pytest.approx(found.us.effective_pips - 64)
    assert bp.features(RULES.start).formulas == ()


def test_a_game_is_looked_at_under_its_own_rules() -> None:
    match = bp.Match.start(length=5, rules="hypergammon").apply(Opening((3, 1)))
    for source in (match, match.game):
        assert bp.features(source).us.blots == (24, 23, 22)
    assert bp.features(situation_of(match), "hypergammon") == bp.features(match)
    assert bp.features(match.game.position, match.rules) == bp.features(match)


def test_in_a_game_that_runs_the_same_way_round_one_checker_holds_a_point() -> None:
    found = bp.features(Game.start(bp.variant("fevga")))
    assert (found.us.made, found.us.blots, found.us.anchors) == ((24,), (), ())


def test_pinned_checkers_hold_no_point() -> None:
    rules = bp.variant("plakoto")
    pinned = bp.Position(bp.Side.of({24: 13, 20: 1, 10: 1}, pinned=1 << 20), bp.Side.of({24: 14, 5: 1}))
    found = bp.features(pinned, rules)
    assert (found.us.blots, found.us.made) == ((10,), (24,))


def test_positions_that_the_rules_forbid_and_other_things_are_refused() -> None:
    with pytest.raises(PositionError):
        bp.features(RULES.start.copy_with(us={6: 9}))
    wrong: list[Any] = [None, RULES, "start"]
    for source in wrong:
        with pytest.raises(ArgumentError):
            bp.features(source)


@pytest.mark.parametrize("name", ["backgammon", "nackgammon", "plakoto", "fevga", "acey-deucey", "hypergammon"])
def test_the_features_of_an_array_are_those_of_its_positions(name: str) -> None:
    rules, rng = bp.variant(name), np.random.default_rng(1)
    seen: list[Any] = []

    def policy(turns: bp.BatchTurns) -> Any:
        seen.append(turns.positions)
        return rng.integers(turns.counts)

    bp.play_batch(rules, 4, policy, max_rolls=40)
    array = np.concatenate(seen)
    found = features_array(array, name)
    for position, row in zip(bp.decode(array), found, strict=True):
        for side, counted in zip((position.us, position.them), row, strict=True):
            held = points_held(rules, side)._asdict()
            assert {field: int(counted[field]) for field in held} == {field: len(held[field]) for field in held}
            assert (counted["pips"], counted["bar"], counted["off"]) == (side.pips, side.points[25], side.points[0])
    assert features_array(array[:0]).shape == (0, 2)
    with pytest.raises(PositionError, match="they are int8"):
        features_array(array.astype(np.int64))  # type: ignore[arg-type]


def test_features_are_printed_as_a_table() -> None:
    lines = str(bp.features(bp.variant().start)).splitlines()
    assert [line.split() for line in (*lines[:2], lines[4], lines[-1])] == [
        ["us", "them"],
        ["pips", "167", "167"],
        ["blots", "–", "–"],
        ["36", "rolls,", "in", "contact"],
    ]
