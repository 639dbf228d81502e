"""What nets see of a position, in games whose checkers meet in different ways (core/nets/inputs.hpp)."""

from dataclasses import replace

import numpy as np
import pytest

from barpoint import train
from barpoint.board import Position, Side
from barpoint.engine.net import find_net, load
from barpoint.moves import legal_plays
from barpoint.native import core, core_rules, pack, unpack
from barpoint.rules import Rules
from barpoint.variants import variant
from tests.core.test_net import array, money, played_positions
from training.shorten import CHECKSUM, HEADER, signed

HITS, PINS, BLOCKS, PAIRS, WALLS, HITS_DICE, BLOCKS_DICE, WALLS_DICE, CHASES = 4, 6, 7, 8, 9, 10, 12, 13, 14
"""Versions of the inputs, by what single checkers risk; PAIRS is that for hits with pairs of points, and those with DICE see what the
dice still have to do."""
SIZES = {HITS: 286, PINS: 334, BLOCKS: 286}
COUNTED = {HITS: 106, PINS: 130, BLOCKS: 106}
"""Where the features of the side to act begin; before them stand its checkers by point and, with pins, 24 inputs of those."""
FIRST_PIN = 106
SHOTS, REAR_ESCAPES, PRIME = 10, 14, 16
"""Features of a side: rolls of 36 that hit or pin, rolls that take the rearmost checker on, the longest prime in sixths."""

RULES = {HITS: variant("backgammon"), PINS: variant("plakoto"), BLOCKS: variant("fevga")}


def seen(inputs: int, number: int, position: Position) -> float:
    """One input of a position, read through a net in which a single unit sees it alone."""
    data = bytearray(core.Net(inputs=inputs, hidden=16).bytes()[:-CHECKSUM])
    weights = np.frombuffer(data, np.float16, offset=HEADER)
    weights[:] = 0
    size = SIZES[inputs]
    weights[16 * number] = 1
    weights[16 * size + 16] = 4  # the first output by the first unit
    net = core.Net.parse(signed(bytes(data)))
    win = core.Searcher(core_rules(RULES[inputs]), net).evaluate(array([pack(position)]), 0)[0, 0, 0]
    activation = np.log(win / (1 - win)) / 4
    return float(4 - np.sqrt(32 * (1 - activation)))  # above 0 a parabola that ends at 4


def rolls_that_pin(rules: Rules, position: Position) -> int:
    """Rolls of 36 with a legal play that pins, by the generator of plays."""
    return sum(
        row.weight
        for row in rules.dice.rows
        if any(play.next.us.pinned & ~position.them.pinned for play in legal_plays(rules, position, row.faces))
    )


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("backgammon", HITS),
        ("roll-over+duodecagammon", HITS),
        ("plakoto", PINS),
        ("fevga", BLOCKS),
        ("duodecagammon+fevga", BLOCKS),
        ("gul-bara", BLOCKS_DICE),
        ("gioul", WALLS_DICE),
        ("european-acey-deucey", HITS_DICE),
        ("tabula", CHASES),
    ],
)
def test_new_nets_have_the_inputs_that_see_how_the_checkers_meet(name: str, inputs: int) -> None:
    assert core.inputs_for(core_rules(variant(name))) == inputs
    assert train.Recipe.small(name).fresh_net().inputs == inputs


def test_a_pin_is_an_input_of_its_own() -> None:
    sides = Side.of({24: 14, 10: 1}), Side.of({24: 14, 15: 1})
    ours = Position(Side.of({24: 14, 10: 1}, pinned=1 << 10), sides[1])
    theirs = Position(sides[0], Side.of({24: 14, 15: 1}, pinned=1 << 15))
    assert [seen(PINS, FIRST_PIN + 9, each) for each in (ours, theirs)] == pytest.approx([1, 0], abs=1e-2)
    first_of_theirs = (SIZES[PINS] - 2) // 2
    assert [seen(PINS, first_of_theirs + FIRST_PIN + 14, each) for each in (ours, theirs)] == pytest.approx(
        [0, 1], abs=1e-2
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "pinned"),
    [
        ({24: 14, 20: 1}, {24: 13, 11: 1, 9: 1}, ()),  # two that can be pinned
        ({24: 14, 20: 1}, {24: 13, 7: 2}, ()),  # none
        ({24: 13, 16: 1, 14: 1}, {24: 13, 11: 1, 9: 1}, (14, 16)),  # ours are pinned: what pins them cannot be
    ],
)
def test_shots_are_rolls_that_pin(ours: dict[int, int], theirs: dict[int, int], pinned: tuple[int, ...]) -> None:
    position = Position(Side.of(ours, pinned=sum(1 << point for point in pinned)), Side.of(theirs))
    expected = rolls_that_pin(RULES[PINS], position)
    assert seen(PINS, COUNTED[PINS] + SHOTS, position) * 36 == pytest.approx(expected, abs=0.2)


def test_one_checker_closes_a_point_where_nothing_is_captured_and_two_elsewhere() -> None:
    """Six single checkers in front of the rearmost one: no roll takes it past them in Fevga, any does in backgammon."""
    ours = Side.of({24: 1, 6: 14})
    fevga = Position(ours, Side.of({**dict.fromkeys(range(6, 12), 1), 1: 9}))  # its points 6 to 11 are ours 18 to 23
    assert seen(BLOCKS, COUNTED[BLOCKS] + REAR_ESCAPES, fevga) == pytest.approx(0, abs=1e-2)
    theirs = (SIZES[BLOCKS] - 2) // 2
    turned = fevga.flip()
    assert seen(BLOCKS, theirs + COUNTED[BLOCKS] + REAR_ESCAPES, turned) == pytest.approx(0, abs=1e-2)
    assert seen(BLOCKS, COUNTED[BLOCKS] + PRIME, turned) == pytest.approx(1, abs=1e-2)
    backgammon = Position(ours, Side.of({**dict.fromkeys(range(2, 8), 1), 20: 9}))
    assert seen(HITS, COUNTED[HITS] + REAR_ESCAPES, backgammon) == pytest.approx(1, abs=1e-2)


@pytest.mark.parametrize(
    ("inputs", "ours", "theirs", "contact"),
    [
        (HITS, {13: 15}, {13: 15}, 1),
        (HITS, {11: 15}, {13: 15}, 0),
        (PINS, {11: 15}, {13: 15}, 0),
        (BLOCKS, {11: 15}, {11: 15}, 0),  # each is past the other's start
        (BLOCKS, {24: 1, 6: 14}, {6: 15}, 1),
        (BLOCKS, {6: 15}, {24: 1, 6: 14}, 1),
    ],
)
def test_contact_is_what_lies_ahead(inputs: int, ours: dict[int, int], theirs: dict[int, int], contact: int) -> None:
    assert seen(inputs, SIZES[inputs] - 2, Position(Side.of(ours), Side.of(theirs))) == pytest.approx(contact, abs=1e-2)


def pairs_of(side: Side, other: Side) -> list[int]:
    """The pairs of points of one side, as docs/decisions/0018 describes them: for each kind and distance the two places, from the ace point on."""
    points = range(1, 25)
    made = {point for point in points if side.points[point] >= 2}
    blots = {point for point in points if side.points[point] == 1}
    met = {point for point in points if other.points[25 - point]}
    kinds = [(made, made, 6), (blots, met, 12), (made, met, 6)]
    return [
        int(behind + apart in ahead and behind in others)
        for ahead, others, most in kinds
        for apart in range(1, most + 1)
        for behind in range(1, 25 - apart)
    ]


def test_pairs_of_points_follow_the_other_inputs() -> None:
    found = [
        *played_positions("backgammon", 200),
        *(pack(each) for each in (Position(Side.of({}), Side.of({})), variant("longgammon").start)),
    ]
    plain, paired = (core.Net(inputs=version, hidden=16).inputs_of(array(found)) for version in (HITS, PAIRS))
    assert np.array_equal(paired[:, : SIZES[HITS]], plain)
    assert set(np.unique(paired[:, SIZES[HITS] :])) == {0, 2048}
    assert [core.Net(inputs=version).flags for version in (HITS, PAIRS)] == [0, paired.shape[1] - plain.shape[1]]
    for row, packed in zip(paired, found, strict=True):
        position = unpack(packed)
        expected = pairs_of(position.us, position.them) + pairs_of(position.them, position.us)
        assert list(row[SIZES[HITS] :] // 2048) == expected


def inputs(version: int, *positions: Position) -> np.ndarray:
    """[n, inputs] what nets of this version see, 1 as 2048."""
    return core.Net(inputs=version, hidden=16).inputs_of(array([pack(each) for each in positions]))


def test_plain_rolls_and_the_row_that_is_owed_stand_behind_the_counts_of_each_side() -> None:
    side = Side.of({24: 15})
    rolls = replace(side, plain_rolls=2)
    owes = replace(side, owed=15)
    found = inputs(BLOCKS_DICE, Position(side, side), Position(owes, rolls), Position(rolls, owes))
    plain = inputs(BLOCKS, Position(side, side))[0]
    first, second = 106, 106 + 26 + 36 + 106
    for row, ours, theirs in zip(found, ([], [17], [0, 1]), ([], [0, 1], [17]), strict=True):
        assert [list(np.flatnonzero(row[at : at + 26])) for at in (first, second)] == [ours, theirs]
        assert np.array_equal(np.delete(row, [*range(first, first + 26), *range(second, second + 26)]), plain)


def test_where_sides_run_against_each_other_and_one_checker_closes_a_point_no_blot_is_seen() -> None:
    position = Position(Side.of({24: 1, 6: 14}), Side.of({**dict.fromkeys(range(2, 8), 1), 20: 9}))  # on our 18 to 23
    hits, walls = inputs(HITS, position)[0], inputs(WALLS, position)[0]
    shots, escapes = COUNTED[HITS] + SHOTS, COUNTED[HITS] + REAR_ESCAPES
    assert hits[shots] > walls[shots] == 0
    assert hits[escapes] == 2048 > walls[escapes] == 0


def test_a_net_for_other_dice_is_refused() -> None:
    with pytest.raises(ValueError, match="inputs of version 7, the rules need version 12"):
        core.Searcher(core_rules(variant("gul-bara")), core.Net(inputs=BLOCKS, hidden=16))


def test_a_net_that_is_given_pairs_says_what_it_said_before() -> None:
    net = core.Net(inputs=HITS, hidden=32, hidden2=16, phases=8, seed=3)
    rules, sample = core_rules(RULES[HITS]), array(played_positions("backgammon", 100))
    before, after = (core.Searcher(rules, each).evaluate(sample, 0) for each in (net, net.paired()))
    assert np.abs(before - after).max() < 1e-6
    for other in (net.paired(), core.Net(inputs=PINS, hidden=16)):
        with pytest.raises(ValueError, match="have no pairs of points"):
            other.paired()


def test_pairs_of_points_serve_games_in_which_checkers_are_hit_alone() -> None:
    net = core.Net(inputs=PAIRS, hidden=16)
    core.Searcher(core_rules(variant("roll-over")), core.Net(inputs=PAIRS, hidden=16, states=4))
    for name in ("plakoto", "fevga"):
        with pytest.raises(ValueError, match="inputs of version 8"):
            core.Searcher(core_rules(variant(name)), net)


@pytest.mark.parametrize("name", ["backgammon", "plakoto", "fevga", "gul-bara", "gioul"])
def test_values_of_replies_are_those_of_their_positions(name: str) -> None:
    """Inputs that differ from the position before a roll are added to its sums; pins come and go with them."""
    rules = variant(name)
    searcher = core.Searcher(core_rules(rules), load(find_net(rules)))
    for number, packed in enumerate(played_positions(name, 150)):
        owed = unpack(packed).us.owed
        results, again, ended, _, values = searcher.candidates(
            packed, owed - 1 if owed else number % len(rules.dice.rows), 0
        )
        open_ones = ~np.asarray(ended)
        after, goes_on = results[open_ones], np.asarray(again)[open_ones]
        turned = np.where(goes_on[:, None], after, after[:, [*range(32, 64), *range(32)]])
        direct = money(searcher.evaluate(np.ascontiguousarray(turned), 0))
        assert np.abs(money(values[open_ones]) - np.where(goes_on, direct, -direct)).max(initial=0) < 1e-5
