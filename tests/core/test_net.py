"""Net files, which rules they cover, and the kernels that evaluate them."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.dice import seeded
from barpoint.engine import Engine, covers
from barpoint.engine.net import entries, find_net, load, load_pruning_net, name_of, parse
from barpoint.engine.net_file import packed, unpacked
from barpoint.error import NetError, UnsupportedRules
from barpoint.moves import legal_plays, outcome
from barpoint.native import core, core_rules, pack
from barpoint.variants import variant
from tests.support.strategies import owed_row
from training.shorten import signed

COVERED = (
    "backgammon",
    "nackgammon",
    "longgammon",
    "hypergammon",
    "hypergammon(checkers=1)",
    "hypergammon(checkers=5)",
    "roll-over",
    "roll-over+nackgammon",
    "roll-over+longgammon",
    "roll-over+hypergammon",
    "cancelgammon",
    "cancelgammon+hypergammon",
    "cancelgammon+nackgammon",
    "duodecagammon",
    "duodecagammon(include_3_3)",
    "duodecagammon(per_option)",
    "duodecagammon+nackgammon",
    "duodecagammon+hypergammon",
    "roll-over+duodecagammon",
    "cancelgammon+duodecagammon",
    "acey-deucey",
    "european-acey-deucey",
    "dutch",
    "portes",
    "plakoto",
    "tapa",
    "fevga",
    "narde",
    "gul-bara",
    "gioul",
    "tabla",
    "tabula",
    "tabula(exact)",
    "moultezim",
    "misere",
    "misere+nackgammon",
    "misere+hypergammon",
)
REFUSED = (
    "roll-over(tokens=2)",
    "roll-over+acey-deucey",
    "roll-over+european-acey-deucey",
    "roll-over+plakoto",
    "duodecagammon+fevga",
    "roll-over+gul-bara",
    "roll-over+misere",
    "roll-over+tabula",
    "moultezim(own_quarter)",
)


def played_positions(name: str, count: int) -> list[bytes]:
    """Packed positions of games in which always the first play is made."""
    rules, numbers, found = variant(name), seeded(3), []
    position = rules.start
    while len(found) < count:
        row = owed_row(rules, position) or rules.dice.rows[next(numbers) % len(rules.dice.rows)]
        plays = legal_plays(rules, position, row.faces)
        position = plays[next(numbers) % len(plays)].next
        if outcome(rules, position) is not None:
            position = rules.start
        found.append(pack(position))
    return found


def array(packed: list[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(packed), np.uint8).reshape(-1, 64)


@pytest.mark.parametrize(("hidden2", "phases"), [(0, 1), (16, 1), (16, 8)])
def test_a_net_comes_back_from_its_bytes_unchanged(hidden2: int, phases: int) -> None:
    data = core.Net(hidden=32, hidden2=hidden2, states=4, phases=phases, seed=5).bytes()
    net = core.Net.parse(data)
    assert net.bytes() == data
    assert (net.hidden, net.hidden2, net.states, net.phases) == (32, hidden2, 4, phases)


PHASES = (
    ({6: 5, 4: 5, 2: 5}, {6: 5, 4: 5, 2: 5}),  # without contact
    ({24: 1, 6: 5, 5: 8, 0: 1}, {6: 15}),  # somebody bears off
    ({24: 2, 25: 1, 6: 12}, {20: 3, 6: 12}),  # three back on both sides
    ({21: 3, 6: 12}, {13: 5, 6: 10}),
    ({13: 15}, {19: 4, 6: 11}),
    ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),  # some back on both
    ({24: 1, 13: 5, 6: 9}, {18: 2, 6: 13}),
    ({18: 2, 13: 3, 6: 10}, {24: 2, 6: 13}),
)
"""A position of every phase of core/rules/phase.hpp in turn."""


FLOAT_BITS = 2e-7
"""The last bits of a float below 1: how sums of floats are taken depends on how many outputs there are."""


def test_each_phase_has_weights_of_its_own_behind_the_first_layer() -> None:
    net = core.Net(hidden=16, hidden2=16, seed=5).divided()
    data = net.bytes()
    positions = array([pack(Position(Side.of(us), Side.of(them))) for us, them in PHASES])
    rules = core_rules(variant("backgammon"))
    before = core.Searcher(rules, core.Net.parse(data)).evaluate(positions, 0)[:, 0, 0]
    for phase in range(8):
        at = len(data) - 8 - 2 * 5 * (8 - phase)  # the bias of its first output, a half float
        changed = data[:at] + np.float16(3).tobytes() + data[at + 2 : -8]
        after = core.Searcher(rules, core.Net.parse(signed(changed))).evaluate(positions, 0)[:, 0, 0]
        assert np.flatnonzero(after != before).tolist() == [phase]


@pytest.mark.parametrize("states", [1, 4])
def test_a_net_given_phases_says_what_it_said_before(states: int) -> None:
    name = "backgammon" if states == 1 else "roll-over"
    rules, positions = core_rules(variant(name)), array(played_positions("backgammon", 200))
    net = core.Net(hidden=32, hidden2=16, states=states, seed=7)
    one, two = (core.Searcher(rules, each).evaluate(positions, 0) for each in (net, net.divided()))
    assert np.abs(one - two).max() < FLOAT_BITS
    if states == 1:
        wide = core.Searcher(core_rules(variant("roll-over")), net.divided().widened()).evaluate(positions, 0)
        assert np.abs(wide - np.repeat(one, 4, 1)).max() < FLOAT_BITS


def test_phases_are_refused_without_a_layer_in_the_middle_or_where_they_are_not_eight() -> None:
    with pytest.raises(ValueError, match="phases without a second layer"):
        core.Net(phases=8)
    with pytest.raises(ValueError, match="3 phases; 1 or 8 are read"):
        core.Net(hidden2=16, phases=3)


def test_a_net_file_of_a_format_before_is_refused() -> None:
    data = core.Net(hidden=16, seed=5).bytes()
    with pytest.raises(NetError, match="of format 003; 004 is read"):
        parse(signed(b"BPNET003" + data[8:-8]))


def test_a_layer_in_the_middle_has_a_multiple_of_sixteen_units() -> None:
    with pytest.raises(ValueError, match="17 units in the second layer; 0 or a multiple of 16 up to 256"):
        core.Net(hidden2=17)


def test_a_net_file_with_any_part_missing_or_changed_is_refused() -> None:
    data = core.Net(hidden=16, seed=5).bytes()
    for length in (0, 7, 8, 23, 24, 100, len(data) - 1):
        with pytest.raises(NetError, match="net file"):
            parse(data[:length])
    with pytest.raises(NetError, match="bytes; its header asks for"):
        parse(data + b"\0")
    for at in (0, 9, 13, 17, 21, 30, len(data) // 2, len(data) - 3):
        changed = bytearray(data)
        changed[at] ^= 0x40
        with pytest.raises(NetError, match="net file"):
            parse(bytes(changed))


def test_a_packed_net_file_is_the_net_and_a_damaged_one_is_refused() -> None:
    data = core.Net(hidden=32, hidden2=16, seed=4).bytes()
    small = packed(data)
    assert unpacked(small) == unpacked(data) == data
    assert parse(small).bytes() == data
    for cut in (3, len(small) // 2, len(small) - 1):
        with pytest.raises(NetError, match="net file"):
            parse(small[:cut])
    with pytest.raises(NetError, match="net file"):
        parse(small[:100] + bytes(20) + small[120:])
    with pytest.raises(NetError, match="do not end as a packed one"):
        parse(packed(bytes(1 << 27)))


def test_a_net_that_does_not_fit_the_rules_is_refused() -> None:
    with pytest.raises(NetError, match="token states"):
        Engine("roll-over", net=core.Net())
    with pytest.raises(NetError, match="scoring"):
        Engine("acey-deucey", net=core.Net())


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_every_net_is_named_by_its_content_and_says_how_it_was_made(entry) -> None:
    load(entry)
    assert entry.recipe
    assert entry.strength


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_a_net_that_prunes_fits_the_one_it_was_distilled_from(entry) -> None:
    small, big = load_pruning_net(entry), load(entry)
    if small is not None:
        assert (small.states, small.per_checker) == (big.for_money().states, big.per_checker)
        assert small.hidden < big.hidden


@pytest.mark.parametrize("name", COVERED)
def test_a_net_covers_every_start_and_spelling_of_its_dice_and_tokens(name: str) -> None:
    rules = variant(name)
    assert covers(rules)
    assert core.Searcher(core_rules(rules), load(find_net(rules))).token_states == (4 if rules.rerolls.tokens else 1)


@pytest.mark.parametrize("name", REFUSED)
def test_rules_that_no_net_has_learned_are_refused(name: str) -> None:
    assert not covers(variant(name))
    with pytest.raises(UnsupportedRules, match="no net has learned"):
        Engine(name)


def test_a_net_with_few_checkers_goes_before_the_one_for_all() -> None:
    assert find_net(variant("hypergammon")).name == "hypergammon"
    assert find_net(variant("backgammon")).name == "standard"


def test_another_pruning_net_or_cube_net_is_another_version() -> None:
    entry = find_net(variant("backgammon"))
    changed = [replace(entry, pruning_net="0123456789ab.net"), replace(entry, cube_net="")]
    assert len({each.version for each in (entry, *changed)}) == 3
    assert all(each.version.startswith(entry.file.removesuffix(".net") + "-") for each in (entry, *changed))
    assert replace(entry, pruning_net="", cube_net="").version == entry.file.removesuffix(".net")
    assert len({each.version for each in entries()}) == len(entries())
    assert max(len(each.version) for each in entries()) <= 24  # as the server's tables keep it


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "hypergammon", "acey-deucey", "duodecagammon"])
def test_probabilities_are_nested(name: str) -> None:
    rules = variant(name)
    values = core.Searcher(core_rules(rules), load(find_net(rules))).evaluate(array(played_positions(name, 200)), 0)
    win = values[..., 0]
    assert ((win >= 0) & (win <= 1)).all()
    if rules.scoring.per_checker:
        assert ((values[..., 1] >= 0) & (values[..., 1] <= 15 * win + 1e-5)).all()
        assert ((values[..., 2] >= 0) & (values[..., 2] <= 15 * (1 - win) + 1e-5)).all()
    else:
        assert ((values[..., 2] >= 0) & (values[..., 2] <= values[..., 1]) & (values[..., 1] <= win)).all()
        assert ((values[..., 4] >= 0) & (values[..., 4] <= values[..., 3])).all()
        assert (values[..., 3] <= 1 - win + 1e-6).all()


def walked_positions(name: str, count: int) -> np.ndarray:
    """Packed positions of many games side by side, every play drawn at random."""
    rules, dice = variant(name), np.random.default_rng(4)
    start = array([pack(rules.start)])
    now, found = np.repeat(start, 100, 0), []
    while sum(map(len, found)) < count:
        drawn = dice.integers(len(rules.dice.rows), size=len(now))
        results, offsets, again = core.results(core_rules(rules), now, drawn)
        picked = offsets[:-1] + dice.integers(np.diff(offsets))
        after = results[picked]
        flipped = np.concatenate([after[:, 32:], after[:, :32]], 1)
        now = np.where(again[picked, None], after, flipped)
        over = (now[:, 0] == 15) | (now[:, 32] == 15)
        now[over] = start
        found.append(now[~over])
    return np.concatenate(found)[:count]


def strange_positions(count: int) -> np.ndarray:
    """Packed positions with checkers anywhere, many of them borne off or on the bar."""
    dice, found = np.random.default_rng(5), np.zeros((count, 64), np.uint8)
    for position in found:
        ours = dice.random(24) < 0.5
        for side, free in ((0, ours), (32, ~ours[::-1])):
            places = np.flatnonzero(np.append(free, True)) + 1
            chosen = dice.choice(places, size=dice.integers(1, 1 + len(places)))
            off = dice.integers(15) * (dice.random() < 0.3)
            np.add.at(position, side + dice.choice(chosen, size=15 - off), 1)
            position[side] = off
    return found


def money(probabilities: np.ndarray) -> np.ndarray:
    """Points a game."""
    return (
        2 * probabilities[..., 0]
        - 1
        + probabilities[..., 1]
        + probabilities[..., 2]
        - probabilities[..., 3]
        - probabilities[..., 4]
    )


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon"])
def test_whole_numbers_say_what_floats_say(name: str) -> None:
    """Of positions that the net is asked about: tables know races."""
    rules = variant(name)
    net = load(find_net(rules))
    sample = np.concatenate([walked_positions(name, 9000), strange_positions(1000)])
    whole = core.Searcher(core_rules(rules), net, tables=True).evaluate(sample, 0)
    floats = core.Searcher(core_rules(rules), net.dequantized(), tables=True).evaluate(sample, 0)
    apart = money(whole) - money(floats)
    assert np.abs(apart).max() < 2e-4
    assert np.sqrt((apart**2).mean()) < 1e-5


@pytest.mark.parametrize(("inputs", "largest"), [(4, 1.5), (4, 12), (8, 0.05), (8, 0.9), (8, 12)])
def test_first_layers_of_any_size_say_what_floats_say(inputs: int, largest: float) -> None:
    """Sums of large weights might not fit 32 bits, or those of pairs of points 16: no sum comes out on the other side."""
    blank = core.Net(inputs=inputs, hidden=32, hidden2=16, seed=9)
    data = bytearray(blank.bytes())
    weights = np.frombuffer(data, np.float16, len(blank.weights()[0]), 32)
    weights[:] = np.random.default_rng(1).uniform(-largest, largest, weights.shape).astype(np.float16)
    net = core.Net.parse(signed(bytes(data[:-8])))
    rules, sample = core_rules(variant("backgammon")), strange_positions(2000)
    sample[:100, :26], sample[:100, 25] = 0, 15  # as much as can stand on one place
    whole, floats = (core.Searcher(rules, each).evaluate(sample, 0) for each in (net, net.dequantized()))
    assert np.abs(whole - floats).max() < 5e-4


def test_plays_chosen_by_whole_numbers_lose_nothing_by_floats() -> None:
    rules = variant("backgammon")
    net = load(find_net(rules))
    whole, floats = (core.Searcher(core_rules(rules), each) for each in (net, net.dequantized()))
    losses = []
    for i, position in enumerate(walked_positions("backgammon", 2000)):
        row = i % len(rules.dice.rows)
        chosen, best = (money(each.candidates(position.tobytes(), row, 0)[4][:, 0]) for each in (whole, floats))
        losses.append(best.max() - best[chosen.argmax()])
    assert np.mean(losses) < 2e-6


KERNEL_SCRIPT = """
import sys
import numpy as np
from barpoint.native import core, core_rules
from barpoint.variants import variant
from barpoint.engine.net import find_net, load
rules = variant(sys.argv[1])
searcher = core.Searcher(core_rules(rules), load(find_net(rules)))
packed = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(-1, 64)
replies = [searcher.candidates(each.tobytes(), i % len(rules.dice.rows), 0)[4].tobytes() for i, each in enumerate(packed)]
sys.stdout.buffer.write(core.isa().encode().ljust(16) + searcher.evaluate(packed, 0).tobytes() + b"".join(replies))
"""


def on_kernel(isa: str, packed: bytes, name: str = "roll-over") -> subprocess.CompletedProcess[bytes]:
    import os

    return subprocess.run(
        [sys.executable, "-c", KERNEL_SCRIPT, name],
        input=packed,
        capture_output=True,
        env={**os.environ, "BARPOINT_ISA": isa},
        check=False,
    )


@pytest.mark.parametrize("name", ["roll-over", "backgammon"])
def test_every_kernel_gives_the_same_values(name: str) -> None:
    """Of positions, and of the replies to a roll, whose sums are taken one from another."""
    packed = b"".join(played_positions(name, 100))
    best = np.frombuffer(on_kernel("", packed, name).stdout[16:], np.float32)
    ran = set()
    for isa in ("baseline", "avx2", "avx512", "avx512_vnni", "neon"):
        done = on_kernel(isa, packed, name)
        if done.returncode:
            assert b"this machine runs" in done.stderr
            continue
        assert done.stdout[:16].strip().decode() == isa
        ran.add(isa)
        assert np.abs(np.frombuffer(done.stdout[16:], np.float32) - best).max() < 1e-5
    assert ran
    assert core.isa() in ran


def test_an_unknown_kernel_is_refused() -> None:
    done = on_kernel("itanium", b"")
    assert done.returncode
    assert b"BARPOINT_ISA is itanium" in done.stderr


def test_weights_leave_a_net_and_come_back() -> None:
    net = core.Net(inputs=8, hidden=32, hidden2=16, phases=8, seed=2)
    other = core.Net(inputs=8, hidden=32, hidden2=16, phases=8, seed=3)
    assert [len(part) for part in net.weights()] == [1198 * 32, 32, 8 * 16 * 32, 8 * 16, 8 * 5 * 16, 8 * 5]
    assert other.with_weights(net.weights()).bytes() == net.bytes() != other.bytes()
    with pytest.raises(ValueError, match="another number of layers"):
        net.with_weights(net.weights()[1:])
    with pytest.raises(ValueError, match="a layer of another size"):
        net.with_weights([part[:-1] for part in net.weights()])


def test_the_phase_of_each_position_is_the_one_whose_weights_it_uses() -> None:
    net = core.Net(hidden=32, hidden2=16, phases=8)
    race = pack(Position(Side.of({1: 15}), Side.of({1: 15})))
    sample = array([race, *played_positions("backgammon", 50)])
    phases = net.phases_of(sample)
    assert phases[0] == 0
    assert len(set(phases.tolist())) > 3
    output_bias = net.weights()[5].reshape(8, 5)
    for phase in set(phases.tolist()):
        changed = output_bias.copy()
        changed[phase] += 1
        told = [
            core.Searcher(core_rules(variant("backgammon")), each).evaluate(sample, 0)[:, 0, 0]
            for each in (net, net.with_weights([*net.weights()[:5], changed.reshape(-1)]))
        ]
        assert np.array_equal(told[0] != told[1], phases == phase)


def test_the_name_of_a_net_file_is_a_digest_of_its_content() -> None:
    assert name_of(b"a") != name_of(b"b")
    assert len(name_of(b"a")) == 12
