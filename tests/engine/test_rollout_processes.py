"""Rollouts that are killed, spread over executors, and summed up."""

import signal
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

from barpoint.engine import CubeInfo, CubeState, Engine, Rollout, RolloutProgress, RolloutSettings
from barpoint.engine.checkpoint import load, save
from barpoint.engine.playout import RolloutStart, Specification, play_block
from barpoint.engine.rollout import cube_stop_rule, play_stop_rule
from barpoint.error import OptionError, PositionError, RolloutError, StakesError
from barpoint.game import Stakes
from barpoint.variants import variant
from tests.engine.test_rollout import HYPER

SCRIPT = """
import signal, sys
from barpoint.engine import Engine, rollout_run
signal.signal(signal.SIGINT, signal.default_int_handler)  # which the shell's background jobs ignore
rollout_run._SAVE_SECONDS = 0
engine = Engine("hypergammon")
engine.rollout(engine.rules.start, trials=100_000, threads=2, file=sys.argv[1])
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_rollout_killed_and_resumed_is_the_one_left_alone(tmp_path: Path, how: signal.Signals) -> None:
    file = tmp_path / "killed.rollout"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(file)], stderr=subprocess.DEVNULL)
    end = monotonic() + 300
    while not file.exists():
        assert process.poll() is None
        assert monotonic() < end
        sleep(0.05)
    process.send_signal(how)
    assert process.wait(300) != 0
    engine = Engine(HYPER)
    specification = Specification(HYPER, (RolloutStart(HYPER.start, 0, CubeInfo()),), RolloutSettings())
    kept = load(specification, file)
    count = len(kept[0]) + 60
    assert np.array_equal(play_block(specification, 0, len(kept[0]))[0], kept[0])
    assert engine.rollout(HYPER.start, trials=count, file=file, threads=2) == engine.rollout(
        HYPER.start, trials=count, threads=1
    )


def test_progress_says_how_far_it_is() -> None:
    said: list[RolloutProgress] = []
    Engine(HYPER).rollout(HYPER.start, trials=160, threads=1, progress=lambda now: said.append(now) or True)
    assert (said[-1].done, said[-1].trials) == (160, 160)
    assert [now.done for now in said] == sorted(now.done for now in said)
    assert said[-1].equities[0].error > 0


def pools() -> list[Executor]:
    return [ThreadPoolExecutor(3), ProcessPoolExecutor(2, mp_context=get_context("spawn"))]


def test_an_executor_gives_the_figures_of_one_process(tmp_path: Path) -> None:
    engine = Engine(HYPER)
    alone = engine.rollout(HYPER.start, trials=200, threads=1)
    for pool in pools():
        with pool:
            assert engine.rollout(HYPER.start, trials=200, executor=pool, file=tmp_path / type(pool).__name__) == alone


def test_an_executor_s_rollout_can_be_stopped_and_resumed(tmp_path: Path) -> None:
    engine, file = Engine(HYPER), tmp_path / "kept"
    alone = engine.rollout(HYPER.start, trials=200, threads=1)
    with ThreadPoolExecutor(2) as pool:
        part = engine.rollout(HYPER.start, trials=200, executor=pool, file=file, progress=lambda said: said.done < 50)
        assert 0 < part.trials < 200
        assert engine.rollout(HYPER.start, trials=200, executor=pool, file=file) == alone


# -- stop rules


def series(mean: float, spread: float = 1.0, count: int = 288) -> np.ndarray:
    return mean + spread * np.resize(np.array([-1.0, 1.0]), count)


def test_a_small_enough_error_ends_it() -> None:
    still_to_roll = play_stop_rule(RolloutSettings(stop_error=0.1))
    assert still_to_roll([series(0.0), series(0.1)]) == ()
    assert list(still_to_roll([series(0.0, 9.0), series(0.1)])) == [0, 1]


def test_what_is_clearly_behind_is_dropped_and_one_left_ends_it() -> None:
    still_to_roll = play_stop_rule(RolloutSettings(stop_clear=3))
    mixed = np.concatenate((series(0.0, 1.0, 144), -series(0.0, 1.0, 144)))
    assert list(still_to_roll([series(0.0), series(-0.5, 1.1), mixed])) == [0, 2]
    assert still_to_roll([series(0.0), series(-0.5, 1.1)]) == ()
    assert list(still_to_roll([series(0.0), series(-9.0, 1.0, 144), mixed])) == [0, 2]


def test_a_cube_is_rolled_out_until_both_decisions_are_clear() -> None:
    still_to_roll = cube_stop_rule(RolloutSettings(stop_clear=3), 1.0, CubeInfo(CubeState()))
    assert still_to_roll([series(0.2), series(0.5, 1.2)]) == ()
    assert still_to_roll([series(0.2), series(0.95, 1.2)]) == (0, 1)
    assert still_to_roll([series(0.2), series(1.5, 1.2)]) == ()


def test_a_rollout_of_a_double_that_may_be_beavered_stops_by_what_the_beaver_leaves() -> None:
    beavered, taken = (
        cube_stop_rule(RolloutSettings(stop_clear=3), 1.0, CubeInfo(CubeState(), None, Stakes(beavers=beavers)))
        for beavers in (1, 0)
    )
    lost = series(-0.2, 0.5, 144)
    assert taken([series(-0.3, 0.5, 144), lost]) == ()
    assert beavered([2 * lost, lost]) == (0, 1), "both lose the same"
    assert taken([2 * lost, lost]) == ()


def test_stop_rules_wait_for_the_fewest_games_and_look_at_whole_blocks_only() -> None:
    engine = Engine(HYPER)
    found = engine.rollout(HYPER.start, trials=1000, minimum=200, stop_error=1.0, threads=1)
    assert found.trials == 288
    assert engine.rollout(HYPER.start, trials=1000, minimum=200, stop_error=1.0, threads=3) == found


# -- what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trials": 0}, "trials 0 of a rollout; 1 to 16777216 are allowed"),
        ({"plies": 5}, "plies 5 of a rollout; 0 to 4"),
        ({"seed": -1}, "seed -1"),
        ({"truncate": 10**6}, "truncate 1000000"),
        ({"stop_error": -0.1}, "stop_error -0.1 of a rollout; it is 0 or more"),
        ({"threads": 0}, "0 threads"),
        ({"tokens": (1, 0)}, "tokens 1 and 0"),
    ],
)
def test_settings_that_cannot_be_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(StakesError if "tokens" in options else OptionError, match=message):
        Engine("backgammon").rollout(variant("backgammon").start, **options)  # type: ignore[arg-type]


def test_a_position_the_rules_do_not_allow_is_refused() -> None:
    with pytest.raises(PositionError):
        Engine("backgammon").rollout(HYPER.start)


def test_files_that_do_not_serve_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.rollout"
    one = Specification(HYPER, (RolloutStart(HYPER.start, 0, CubeInfo()),), RolloutSettings())
    games = [play_block(one, 0, 4)[0]]
    save(one, games, file)
    assert np.array_equal(load(one, file)[0], games[0])
    other = replace(one, settings=RolloutSettings(seed=2))
    with pytest.raises(RolloutError, match=r"a\.rollout is another rollout"):
        load(other, file)
    content = file.read_bytes()
    for damaged, message in [
        (b"nonsense", "no rollout of this version"),
        (content[:-8], "are not what its head says"),
        (content[:-1] + bytes([content[-1] ^ 1]), "checksum"),
        (content.split(b"\n")[0] + b"\n{}\n", "does not say what it holds"),
        (content.split(b"\n")[0] + b"\n[]\n", "does not say what it holds"),
    ]:
        file.write_bytes(damaged)
        with pytest.raises(RolloutError, match=message):
            load(one, file)


def test_a_rollout_of_one_game_has_an_unknown_error() -> None:
    found: Rollout = Engine(HYPER).rollout(HYPER.start, trials=1, threads=1)
    assert found.equity.error == float("inf")
