"""Cube nets: their files, what they see and say, and which decisions ask them."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest

from barpoint.dice import seeded
from barpoint.engine import CubeInfo, CubeState, Engine, Score
from barpoint.engine.net import DEFAULT_CUBE_EFFICIENCY, entries, find_net, load, load_cube_net, parse_cube_net
from barpoint.engine.playout import RolloutSettings, RolloutStart, Specification, play_block
from barpoint.error import NetError
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, unpack
from barpoint.variants import variant

RULES = variant("backgammon")
CORE = core_rules(RULES)
ENTRY = find_net(RULES)
FEATURES, PROBABILITY_INPUTS, SIGHTS, PLACES = 74, 7, 9, 3


def played(count: int) -> npt.NDArray[np.uint8]:
    """[count, 64] positions of games that the net plays."""
    engine, numbers = Engine("backgammon"), seeded(7)
    found, position = [], RULES.start
    while len(found) < count:
        found.append(pack(position))
        row = next(numbers) % len(RULES.dice.rows)
        position = engine.rank(position, RULES.dice.rows[row].faces)[0].play.next
        if outcome(RULES, position) is not None:
            position = RULES.start
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, 64)


POSITIONS = played(60)
PROBABILITIES = np.ascontiguousarray(core.Searcher(CORE, load(ENTRY)).evaluate(POSITIONS, 0)[:, 0])
MONEY = CubeInfo(CubeState()).core()
SEEN = PROBABILITIES, core.cube_sights(CORE, PROBABILITIES, MONEY)


def weights(hidden: int = 16, hidden2: int = 32, seed: int = 3) -> list[npt.NDArray[np.float32]]:
    """Of a small net, as halves can hold them."""
    draw = np.random.default_rng(seed)
    inputs = FEATURES + PROBABILITY_INPUTS + SIGHTS
    shapes = ((inputs, hidden), (hidden,), (hidden2, hidden), (hidden2,), (PLACES, hidden2), (PLACES,))
    return [draw.normal(0, 0.15, shape).astype(np.float16).astype(np.float32) for shape in shapes]


def same(efficiency: float) -> core.CubeNet:
    """A net that says one efficiency everywhere."""
    given = [np.zeros_like(each) for each in weights()]
    given[-1] += np.float32(efficiency)
    return core.CubeNet(*given)


def searcher(cube_net: core.CubeNet | None) -> core.Searcher:
    return core.Searcher(CORE, load(ENTRY).for_money(), cube_net=cube_net)


def test_a_cube_net_comes_back_from_its_bytes_unchanged() -> None:
    net = core.CubeNet(*weights())
    again = core.CubeNet.parse(net.bytes())
    assert again.bytes() == net.bytes()
    assert np.array_equal(again.evaluate(POSITIONS, *SEEN), net.evaluate(POSITIONS, *SEEN))


def test_a_damaged_cube_net_is_refused() -> None:
    data = core.CubeNet(*weights()).bytes()
    with pytest.raises(NetError, match="does not begin as one"):
        parse_cube_net(load(ENTRY).bytes())
    with pytest.raises(NetError, match="ends within its header"):
        parse_cube_net(data[:12])
    with pytest.raises(NetError, match="bytes; its header asks for"):
        parse_cube_net(data[:-1])
    with pytest.raises(NetError, match="checksum differs"):
        parse_cube_net(data[:100] + bytes([data[100] ^ 1]) + data[101:])
    with pytest.raises(NetError, match="units in a layer; a multiple of 16"):
        parse_cube_net(data[:12] + (17).to_bytes(4, "little") + data[16:])
    with pytest.raises(NetError, match="inputs of version 9"):
        parse_cube_net(data[:8] + (9).to_bytes(4, "little") + data[12:])


def test_weights_of_another_shape_are_refused() -> None:
    given = weights()
    given[0] = np.ascontiguousarray(given[0][1:])
    with pytest.raises(ValueError, match="weights of another shape"):
        core.CubeNet(*given)


def test_a_cube_net_says_what_its_layers_make_of_its_inputs() -> None:
    first, first_bias, second, second_bias, output, output_bias = given = weights()
    inputs = core.CubeNet.inputs(POSITIONS, *SEEN)
    units = np.maximum(np.maximum(inputs @ first + first_bias, 0) @ second.T + second_bias, 0)
    expected = np.clip(units @ output.T + output_bias, 0, 1)
    assert core.CubeNet(*given).evaluate(POSITIONS, *SEEN) == pytest.approx(expected, abs=1e-5)
    assert expected.std() > 0.01


def test_it_sees_the_probabilities_and_where_they_lie_between_take_and_cash_point() -> None:
    chances = np.array([[0.2, 0, 0, 0, 0], [0.8, 0, 0, 0, 0], [0.5, 0.1, 0, 0.25, 0.05]], np.float32)
    seen = core.CubeNet.inputs(POSITIONS[:3], chances, core.cube_sights(CORE, chances, MONEY))[:, FEATURES:]
    assert np.array_equal(seen[:, :5], chances)
    assert seen[:, 5] == pytest.approx([0, 0, 0.2])  # gammons a win
    assert seen[:, 6] == pytest.approx([0, 0, 0.6])  # gammons and backgammons a loss
    take, cash = 1.1 / 3.3, 1 - 0.7 / 3.3
    assert seen[:, 7] == pytest.approx([0, 1, (0.5 - take) / (cash - take)], abs=1e-5)
    assert seen[:, 8] == pytest.approx([0.2, 0.2, take]), "from where we take a redouble"
    assert (seen[:, 9:] == [1, 1, 1, 1, 0, 0, 0]).all(), "all gammons count, and no cube is dead"


@pytest.mark.parametrize(
    ("score", "cube", "expected"),
    [
        (Score(2, 2), CubeState(), (1, 1, 0, 0, 0, 0, 1)),  # doubled, nobody plays for more
        (Score(2, 4), CubeState(), (1, 1, 0, 1, 0, 0, 0)),  # doubled to 2 we need no gammon, and they double again
        (Score(4, 1), CubeState(), (1, 0, 1, 0, 0, 1, 1)),  # who needs one point gains nothing by a gammon
        (Score(4, 4), CubeState(4, "us"), (0, 0, 0, 0, 1, 1, 1)),
    ],
)
def test_it_sees_at_a_score_what_gammons_and_the_cube_are_worth(
    score: Score, cube: CubeState, expected: tuple[int, ...]
) -> None:
    """Gammons of both sides with this cube and with the next; whether a higher cube helps us, them, and them once doubled."""
    seen = core.cube_sights(CORE, PROBABILITIES[:4], CubeInfo(cube, score).core())
    assert seen[:, 2:] == pytest.approx(np.broadcast_to(expected, (4, 7)), abs=0.15)


@pytest.mark.parametrize("owner", [None, "us", "them"])
@pytest.mark.parametrize("score", [None, Score(5, 3), Score(9, 9)])
def test_the_net_alone_mixes_a_dead_and_a_live_cube(owner: str | None, score: Score | None) -> None:
    """The efficiency says how much of the live cube, for money and at scores."""
    stakes = CubeInfo(CubeState(1, owner), score).core()  # type: ignore[arg-type]
    for position in POSITIONS[::6]:
        found, row = searcher(same(0.25)).cube(position.tobytes(), 0, stakes, DEFAULT_CUBE_EFFICIENCY)
        dead, live = (core.cube_values(CORE, found, [each], stakes)[0] for each in (0.0, 1.0))
        assert row[0, 0] == pytest.approx(0.75 * dead[0] + 0.25 * live[0], abs=1e-6)
        assert row[0, 1] == pytest.approx(0.75 * dead[1] + 0.25 * live[1], abs=1e-6)


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize("score", [None, Score(2, 4)])
def test_a_search_follows_the_cube_and_asks_the_net_where_it_ends(score: Score | None, plies: int) -> None:
    """Of games that are open: where one is nearly over, the cube has no use, and every efficiency says the same."""
    stakes = CubeInfo(CubeState(1, "us"), score).core()
    still_open = POSITIONS[abs(PROBABILITIES[:, 0] - 0.5) < 0.3][::10]
    assert len(still_open) >= 3
    for position in still_open:
        constant, equal, other = (
            searcher(net).cube(position.tobytes(), plies, stakes, (0.5, 0.5, 0.5))[1]
            for net in (None, same(0.5), same(0.1))
        )
        assert equal == pytest.approx(constant, abs=1e-6)
        assert np.abs(other - constant).max() > 1e-4


def test_nobody_is_worse_off_with_the_cube_whatever_a_net_says() -> None:
    """A centred cube used far better than an owned one would be worth more than it."""
    given = [np.zeros_like(each) for each in weights()]
    given[-1] += np.array([1, 0, 0.2], np.float32)
    search = searcher(core.CubeNet(*given))
    for position in POSITIONS:
        ours, centred, theirs = (
            search.cube(position.tobytes(), 0, CubeInfo(CubeState(1, owner)).core(), DEFAULT_CUBE_EFFICIENCY)[1][0, 0]  # type: ignore[arg-type]
            for owner in ("us", None, "them")
        )
        assert theirs <= centred <= ours


def test_the_market_window_is_that_of_the_efficiency_at_the_root() -> None:
    position, stakes = POSITIONS[5].tobytes(), CubeInfo(CubeState(1, "us")).core()
    constants = (0.5, 0.6, 0.7)
    for net, efficiency in ((same(0.25), 0.25), (None, core.cube_efficiency(position, constants))):
        for plies in range(3):
            (found, _), windows = searcher(net).cube_window(position, plies, stakes, constants)
            assert windows[0] == pytest.approx(core.market_window(CORE, found, efficiency, stakes))


@pytest.mark.parametrize("score", [None, Score(4, 7), Score(3, 5), Score(3, 3), Score(7, 4), Score(5, 5)])
def test_a_cube_of_the_other_side_is_worth_what_a_search_finds(score: Score | None) -> None:
    """Also where their next double leaves us a cube that cannot help us, as at 4-away 7-away."""
    positions, cube = [unpack(each.tobytes()) for each in POSITIONS], CubeState(2, "them")
    alone, searched = (
        [engine.cube(position, cube=cube, score=score).no_double for position in positions]
        for engine in (Engine("backgammon", plies=0), Engine("backgammon", plies=2))
    )
    assert abs(np.mean(alone) - np.mean(searched)) < 0.02


@pytest.mark.parametrize("score", [None, Score(5, 4)])
def test_a_rollout_ends_with_what_the_engine_says_of_the_cube(score: Score | None) -> None:
    """After one roll: the mean over all rolls of the value there, with the other side's cube decision."""
    engine, rows = Engine("backgammon"), RULES.dice.rows
    total, apart = sum(row.weight for row in rows), 0.0
    for packed in POSITIONS[3:20:8]:
        position = unpack(packed.tobytes())
        info = CubeInfo(CubeState(), score, may_double=False)
        start = RolloutStart(position, 0, info)
        settings = RolloutSettings(truncate=1, reduced=False)
        rolled, constant = (
            play_block(Specification(RULES, (start,), settings, efficiency=efficiency), 0, total)[0, :, -1].mean()
            for efficiency in (None, DEFAULT_CUBE_EFFICIENCY)
        )
        expected = 0.0
        for row in rows:
            play = engine.rank(position, row.faces, cube=CubeState(), score=score)[0].play
            flipped = score and Score(score.them, score.us)
            expected -= row.weight / total * engine.equity(play.next, cube=CubeState(), score=flipped)
        expected = info.to_value(expected)
        assert rolled == pytest.approx(expected, abs=1e-5)
        apart = max(apart, abs(constant - expected))
    assert apart > 2e-4, "with constants it would be another value"


def test_entries_without_a_cube_net_keep_their_constants() -> None:
    assert load_cube_net(ENTRY) is not None
    bare = next(entry for entry in entries() if not entry.cube_net)
    assert load_cube_net(bare) is None


SCRIPT = """
import sys
import numpy as np
from barpoint.native import core
from barpoint.engine.net import find_net, load_cube_net
from barpoint.variants import variant
net = load_cube_net(find_net(variant("backgammon")))
data = sys.stdin.buffer.read()
count = int.from_bytes(data[:4], "little")
positions = np.frombuffer(data[4 : 4 + 64 * count], np.uint8).reshape(-1, 64)
seen = np.frombuffer(data[4 + 64 * count :], np.float32)
probabilities, sights = seen[: 5 * count].reshape(-1, 5), seen[5 * count :].reshape(-1, 9)
sys.stdout.buffer.write(net.evaluate(positions, probabilities, sights).tobytes())
"""


def test_every_kernel_gives_the_same_efficiencies() -> None:
    sent = len(POSITIONS).to_bytes(4, "little") + POSITIONS.tobytes() + b"".join(each.tobytes() for each in SEEN)
    net = load_cube_net(ENTRY)
    assert net is not None
    expected, ran = net.evaluate(POSITIONS, *SEEN), 0
    for isa in ("baseline", "avx2", "avx512", "avx512_vnni", "neon"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=sent,
            capture_output=True,
            env={**os.environ, "BARPOINT_ISA": isa},
            check=False,
        )
        if done.returncode:
            assert b"this machine runs" in done.stderr
            continue
        ran += 1
        assert np.frombuffer(done.stdout).reshape(-1, PLACES) == pytest.approx(expected, abs=1e-5)
    assert ran
