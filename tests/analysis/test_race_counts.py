"""Counts of a position: pips, effective pips, shots, and the race formulas on positions counted by hand."""

from __future__ import annotations

import pytest

import barpoint as bp
from barpoint.analysis.race_counts import counts_of_position, isight, keith, thorp, ward
from barpoint.board import Position, Side
from barpoint.engine import bearoff

HOME = Side.of({6: 5, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1})  # 64 pips, fifteen checkers
STACKED = Side.of({6: 4, 5: 4, 3: 4, 1: 3})  # 59 pips, gaps on 4 and 2


def test_thorp_counts_checkers_the_ace_and_the_points_held() -> None:
    found = thorp(Position(STACKED, HOME))
    # 59 + 30 + 3 - 4 = 88, a tenth more is 96.8; 64 + 30 + 1 - 6 = 89.
    assert (found.us, found.them) == (96.8, 89.0)
    assert (found.double, found.redouble, found.take) == (False, False, True)


def test_keith_counts_stacks_on_low_points_and_gaps_on_high_ones() -> None:
    found = keith(Position(STACKED, HOME))
    # 59 + 2 * 2 (ace) + 1 (three) + 1 (gap on four) = 65, a seventh more is 74; 64 + 1 (deuce) = 65.
    assert (found.us, found.them) == (74.0, 65.0)
    assert not found.double


def test_keith_doubles_to_four_more_redoubles_to_three_and_takes_from_two() -> None:
    us = Side.of({6: 5, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1})
    for pips, expected in ((4, (True, False, True)), (3, (True, True, True)), (1, (True, True, False))):
        # The player to act counts 65 and a seventh, 74; the other side has 74 - pips.
        them = Side.of({6: 5, 5: 3, 4: 2, 3: 2, 2: 1, 1: 1, 8: 1}) if pips == 4 else None
        side = them or Side.of({6: 5, 5: 3, 4: 2, 3: 2, 2: 1, 1: 1, 9 if pips == 3 else 11: 1})
        found = keith(Position(us, side))
        assert found.us - found.them == pips
        assert (found.double, found.redouble, found.take) == expected


def test_ward_counts_relative_to_the_other_side() -> None:
    fewer = Side.of({6: 4, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1, 0: 1})  # 58 pips, fourteen checkers
    found = ward(Position(fewer, STACKED))
    # 58 - 2 (two points held more) = 56, times 1.1 is 61.6; 59 + 2 (third checker on the ace) + 2 (one checker more) = 63.
    assert (found.us, found.them) == (61.6, 63.0)
    assert found.double
    assert found.take, "a race of 58.5 pips is taken up to 2.34 behind"


def test_isight_counts_stacks_gaps_that_the_other_side_fills_and_what_one_side_has_more_of() -> None:
    found = isight(Position(STACKED, HOME))
    # 59 + 2 (third checker on the ace) + 1 (fourth on the three) + 1 (gap on four) = 63, a sixth more is 73.5; 64.
    assert (found.us, found.them) == (73.5, 64.0)
    assert (found.double, found.redouble, found.take) == (False, False, True)
    behind = Side.of({0: 1, 18: 1, 8: 1, 6: 3, 5: 3, 4: 2, 3: 2, 2: 2})  # 77 pips, three crossovers, fourteen checkers
    found = isight(Position(STACKED, behind))
    assert (found.us, found.them) == (pytest.approx(74.67), 80.0), "64 with one checker more; 77 and three crossovers"
    assert (found.double, found.redouble, found.take) == (True, True, False)


@pytest.mark.parametrize(
    ("them", "pips", "expected"),
    [
        ({6: 4, 5: 4, 4: 2, 3: 2, 2: 2, 1: 1}, 63, (False, False, True)),
        ({6: 5, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1}, 64, (True, False, True)),
        ({6: 5, 5: 3, 4: 3, 3: 1, 2: 2, 1: 1}, 65, (True, True, True)),
        ({6: 6, 5: 3, 4: 2, 3: 2, 2: 1, 1: 1}, 68, (True, True, True)),
        ({6: 6, 5: 3, 4: 3, 3: 1, 2: 1, 1: 1}, 69, (True, True, False)),
    ],
)
def test_isight_doubles_to_six_more_redoubles_to_five_and_takes_from_two(
    them: dict[int, int], pips: int, expected: tuple[bool, bool, bool]
) -> None:
    us = Side.of({6: 3, 5: 3, 4: 4, 3: 2, 2: 2, 1: 1})  # 60 pips, 70 with a sixth; neither side has stacks or gaps
    found = isight(Position(us, Side.of(them)))
    assert (found.us, found.them) == (70.0, pips)
    assert (found.double, found.redouble, found.take) == expected


def test_effective_pips_come_from_the_exact_table() -> None:
    rules = bp.Rules()
    ace = Side.of({0: 13, 1: 2})
    found = counts_of_position(rules, Position(ace, HOME))
    table = bearoff.OneSided.of(rules)
    assert found.race
    assert found.effective[0] == pytest.approx(8.167, abs=0.001), "two checkers on the ace take one roll"
    assert found.effective[1] == pytest.approx(table.effective_pips(HOME), abs=0.001)
    assert found.wastage[0] == pytest.approx(6.167, abs=0.001)
    assert [one.name for one in found.formulas] == ["Thorp", "Keith", "Ward", "Isight"]


def test_with_contact_there_are_shots_and_no_formulas() -> None:
    rules = bp.Rules()
    us = Side.of({24: 1, 6: 5, 5: 5, 4: 4})
    them = Side.of({0: 0, 7: 1, 6: 5, 5: 5, 4: 4})
    found = counts_of_position(rules, Position(us, them))
    assert not found.race
    assert found.formulas == ()
    assert found.rolls == 36
    assert found.shots == 15, "eleven sixes, 5-1 by way of the two point, 4-2 by way of the three point"


def test_other_dice_have_no_formulas() -> None:
    rules = bp.variant("duodecagammon")
    assert counts_of_position(rules, Position(HOME, HOME)).formulas == ()


def test_who_bears_off_last_has_no_formulas() -> None:
    assert counts_of_position(bp.variant("misere"), Position(HOME, HOME)).formulas == ()
