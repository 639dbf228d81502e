"""Looking ahead: what is left out costs next to nothing, and every way to compute a value gives the same one."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from barpoint.board import Position
from barpoint.dice import seeded
from barpoint.engine import Engine
from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.engine.limits import MAX_PLIES
from barpoint.engine.net import find_net, load, load_pruning_net
from barpoint.error import NetError, OptionError
from barpoint.moves import legal_plays, outcome
from barpoint.native import core, core_rules, pack
from barpoint.variants import variant
from benchmarks.judged.families import holder_of
from benchmarks.judged.values import read


def played(name: str, count: int) -> list[tuple[Position, int]]:
    """Positions of games played by the net, and a row of the table of rolls for each."""
    engine, numbers = Engine(name), seeded(8)
    rules, found = engine.rules, []
    position = rules.start
    while len(found) < count:
        row = next(numbers) % len(rules.dice.rows)
        found.append((position, row))
        position = engine.rank(position, rules.dice.rows[row].faces)[0].play.next
        if outcome(rules, position) is not None:
            position = rules.start
    return found


def searcher(name: str, prunes: bool) -> core.Searcher:
    rules = variant(name)
    entry = find_net(rules)
    return core.Searcher(
        core_rules(rules), load(entry), tables=True, pruning_net=load_pruning_net(entry) if prunes else None
    )


def array(position: Position) -> np.ndarray:
    return np.frombuffer(pack(position), np.uint8).reshape(1, 64)


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon", "acey-deucey"])
def test_values_after_a_play_are_those_of_the_position_asked_about_by_itself(name: str) -> None:
    """They are summed up from what the play changes there, and from nothing here; a hidden unit may round to the other of
    two whole numbers, which is what all values are promised to: 1e-5."""
    find, rules = searcher(name, prunes=False), variant(name)
    for position, row in played(name, 12):
        results, again, _, _, values = find.candidates(pack(position), row, 0)
        plays = legal_plays(rules, position, rules.dice.rows[row].faces)
        for i in (0, len(results) // 2, len(results) - 1):
            play = next(p for p in plays if pack(p.result) == results[i].tobytes() and p.again == again[i])
            seen = find.evaluate(array(play.next), 0)[0]
            states = range(len(seen))
            for head in states:
                other = head if again[i] or len(seen) == 1 else head >> 1 | (head & 1) << 1
                win = seen[other, 0] if again[i] else 1 - seen[other, 0]
                assert values[i, head, 0] == pytest.approx(win, abs=1e-5)


@pytest.mark.parametrize("name", ["backgammon", "roll-over"])
def test_pruning_changes_values_by_less_than_a_net_is_wrong(name: str) -> None:
    full, pruned = searcher(name, prunes=False), searcher(name, prunes=True)
    packed = np.concatenate([array(position) for position, _ in played(name, 40)])
    change = np.abs(full.evaluate(packed, 1)[..., 0] - pruned.evaluate(packed, 1)[..., 0])
    assert change.mean() < 0.002
    assert change.max() < 0.03


def test_a_side_with_many_plays_is_not_undervalued_by_pruning() -> None:
    """Who contains a last checker has forty plays a roll, the other side three: what is missed costs one side alone, for fifty rolls."""
    full, pruned = searcher("backgammon", prunes=False), searcher("backgammon", prunes=True)
    snakes = [each.position for each in read() if each.family == "snake"]
    held = np.concatenate([array(position) for position in snakes if holder_of("snake", position) == "us"][:60])
    lost = (full.evaluate(held, 1) - pruned.evaluate(held, 1))[:, 0] @ (2, 1, 1, -1, -1)
    assert len(held) == 60
    assert 0 <= lost.mean() < 0.006


def test_the_best_play_at_the_root_is_found_among_all() -> None:
    """Nothing is pruned where every play is shown: the values are those of the net."""
    full, pruned = searcher("backgammon", prunes=False), searcher("backgammon", prunes=True)
    for position, row in played("backgammon", 10):
        for one, two in zip(
            full.candidates(pack(position), row, 0), pruned.candidates(pack(position), row, 0), strict=True
        ):
            assert np.array_equal(one, two)


def test_a_net_that_prunes_for_other_rules_is_refused() -> None:
    rules = variant("backgammon")
    with pytest.raises(ValueError, match="token states"):
        core.Searcher(
            core_rules(rules),
            load(find_net(rules)),
            pruning_net=core.Net(inputs=core.PLAIN_INPUTS, hidden=16, states=4),
        )
    with pytest.raises(NetError, match="token states"):
        Engine("roll-over", net=core.Net(inputs=core.PLAIN_INPUTS, hidden=16))


def test_an_engine_with_a_net_of_its_own_looks_ahead_without_pruning() -> None:
    engine = Engine("backgammon", plies=1, net=core.Net(hidden=16))
    assert len(engine.rank(engine.rules.start, (3, 1))) == 16


@pytest.mark.parametrize("name", ["backgammon", "roll-over"])
def test_the_number_of_threads_changes_no_answer(name: str) -> None:
    asked = played(name, 6)
    positions = [position for position, _ in asked]
    one, three = Engine(name, plies=2), Engine(name, plies=2, threads=3)
    assert one.evaluate_many(positions) == three.evaluate_many(positions)
    assert Engine(name).evaluate_many(positions * 30) == Engine(name, threads=2).evaluate_many(positions * 30)
    for position, row in asked[:3]:
        faces = one.rules.dice.rows[row].faces
        assert one.rank(position, faces) == three.rank(position, faces)
    assert one.cube(positions[1]) == three.cube(positions[1])


def test_no_threads_and_too_many_are_refused() -> None:
    for threads in (0, 1025):
        with pytest.raises(OptionError, match="threads"):
            Engine("backgammon", threads=threads)


SCRIPT = """
import sys
import numpy as np
from barpoint.native import core, core_rules
from barpoint.variants import variant
from barpoint.engine.limits import MAX_PLIES
from barpoint.engine.net import find_net, load, load_pruning_net
from barpoint.engine.cube_info import CubeState, Score, CubeInfo
rules = variant(sys.argv[1])
entry = find_net(rules)
find = core.Searcher(core_rules(rules), load(entry), tables=True, pruning_net=load_pruning_net(entry))
packed = sys.stdin.buffer.read()
stakes = CubeInfo(CubeState()), CubeInfo(CubeState(2, "us"), Score(7, 5))
out = []
for i in range(len(packed) // 65):
    position, row = packed[65 * i : 65 * i + 64], packed[65 * i + 64]
    results, _, _, deep, values = find.candidates(position, row, 1)
    f = values[:, -1]
    equity = np.where(deep, 2 * f[:, 0] - 1 + f[:, 1] + f[:, 2] - f[:, 3] - f[:, 4], -9.0)
    best = int(equity.argmax())
    cubes = [find.cube(position, 1, stake.core(), entry.cube_efficiency)[1][-1] for stake in stakes]
    out += [best, *f[best], *np.concatenate(cubes)]
sys.stdout.buffer.write(np.array(out, np.float32).tobytes())
"""


@pytest.mark.parametrize("name", ["backgammon", "roll-over"])
def test_every_kernel_finds_the_same_plays_and_values(name: str) -> None:
    asked = b"".join(pack(position) + bytes([row]) for position, row in played(name, 15))
    found = {}
    for isa in ("baseline", "avx2", "avx512", "neon"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, name],
            input=asked,
            capture_output=True,
            env={**os.environ, "BARPOINT_ISA": isa},
            check=False,
        )
        if done.returncode == 0:
            found[isa] = np.frombuffer(done.stdout, np.float32).reshape(-1, 16)
        else:
            assert b"this machine runs" in done.stderr
    first = next(iter(found.values()))
    for other in found.values():
        assert np.array_equal(first[:, 0], other[:, 0])
        assert np.abs(first - other).max() < 1e-5


LAST_POINT = CubeInfo(CubeState(), Score(1, 1)).core()
"""One point each to go: winning is all, gammons are nothing."""


def test_inner_replies_win_the_match_not_points() -> None:
    """A look ahead at the last point is the mean of the best chances to win, whatever gammons they cost."""
    find, rules = searcher("backgammon", prunes=False), variant("backgammon")
    weights = np.array([row.weight for row in rules.dice.rows])
    apart = 0
    for position, _ in played("backgammon", 60)[::6]:
        best = [find.candidates(pack(position), row, 0, LAST_POINT)[4][:, 0, 0].max() for row in range(len(weights))]
        win = find.evaluate(array(position), 1, LAST_POINT)[0, 0, 0]
        assert win == pytest.approx(weights @ best / weights.sum(), abs=2e-6)
        apart += win > find.evaluate(array(position), 1)[0, 0, 0] + 1e-5
    assert apart, "for points some replies would have been others"


def test_a_side_that_needs_a_gammon_keeps_the_plays_that_win_one() -> None:
    """Two points behind the last game: what is looked at further is what wins gammons for them."""
    find = searcher("backgammon", prunes=False)
    stakes = CubeInfo(None, Score(2, 1, crawford=True)).core()
    kept = 0
    for position, row in played("backgammon", 80)[::4]:
        deep = find.candidates(pack(position), row, 1, stakes)[3]
        _, _, _, _, flat = find.candidates(pack(position), row, 0)
        equities = [
            stakes.value(2) * g + stakes.value(1) * (w - g) + stakes.value(-1) * (1 - w) for w, g in flat[:, 0, :2]
        ]
        assert deep[int(np.argmax(equities))]
        kept += deep.sum()
    assert kept < 8 * 20 + 1


@pytest.mark.parametrize("threads", [1, 2])
def test_stakes_do_not_stay_behind(threads: int) -> None:
    rules = variant("backgammon")
    entry = find_net(rules)
    find = core.Searcher(
        core_rules(rules), load(entry), tables=True, pruning_net=load_pruning_net(entry), threads=threads
    )
    position = played("backgammon", 8)[-1][0]
    before = find.evaluate(array(position), 2)
    for_match = find.evaluate(array(position), 2, LAST_POINT)
    assert not np.array_equal(before, for_match)
    assert np.array_equal(before, find.evaluate(array(position), 2))
    assert np.array_equal(for_match, find.evaluate(array(position), 2, LAST_POINT))


class Interrupted(Exception):
    """What the handler of a signal raises."""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_a_search_and_the_next_one_is_right(threads: int) -> None:
    def handler(*_: object) -> None:
        raise Interrupted

    rules, entry = variant("backgammon"), find_net(variant("backgammon"))
    made = [core.Searcher(core_rules(rules), load(entry), tables=True, threads=count) for count in (threads, 1)]
    start = pack(rules.start)
    many = np.frombuffer(start * 100_000, np.uint8).reshape(-1, 64)
    calls = (
        lambda: made[0].candidates(start, 3, MAX_PLIES),
        lambda: made[0].rolls(start, MAX_PLIES),
        lambda: made[0].evaluate(many, 1),
    )
    before = signal.signal(signal.SIGVTALRM, handler)
    try:
        for call in calls:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
            with pytest.raises(Interrupted):
                call()
            for found, expected in zip(*(one.candidates(start, 3, 2) for one in made), strict=True):
                np.testing.assert_array_equal(found, expected)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
