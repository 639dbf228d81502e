"""What Python may hand to the core: values that cannot be are refused with words, whoever asks, and never end the process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from barpoint import native
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules
from barpoint.variants import variant

BACKGAMMON = variant()
RULES = core_rules(BACKGAMMON)
START = pack(BACKGAMMON.start)
NET = core.Net(hidden=16)
STARTS: npt.NDArray[np.uint8] = np.frombuffer(START * 3, np.uint8).reshape(3, 64)
EFFICIENCY = (0.68, 0.6, 0.7)


def stakes(**said: Any) -> core.Stakes:
    money = {"won": [], "lost": [], "cube": 1, "owner": 0, "in_play": True}
    return core.Stakes(**(money | {"jacoby": False, "beavers": False, "may_double": True} | said))


def rules_said(monkeypatch: pytest.MonkeyPatch, rules: Rules) -> dict[str, Any]:
    """What the door says of these rules to the core."""
    with monkeypatch.context() as patched:
        patched.setattr(core, "Rules", lambda **said: said)
        found: dict[str, Any] = native._core_of.__wrapped__(rules)
    return found


@pytest.mark.parametrize("beyond", [21, 10**6, 2**31 - 1])
def test_a_roll_is_followed_by_a_row_of_the_table(monkeypatch: pytest.MonkeyPatch, beyond: int) -> None:
    """Also one that is only found by way of another."""
    said = rules_said(monkeypatch, BACKGAMMON)
    follow = {0: 1, 1: beyond}
    said["rows"] = [(*row[:4], [follow.get(number, -1)]) for number, row in enumerate(said["rows"])]
    with pytest.raises(ValueError, match="followed by no row"):
        core.Rules(**said)


@pytest.mark.parametrize(
    ("axis", "value", "why"),
    [
        ("gammon", 0, "a gammon pays 1 to 32,767 points"),
        ("backgammon", 40_000, "a gammon pays 1 to 32,767 points"),
        ("rerolls", (200, True, True, True, True, True, True), "0 to 127 tokens"),
        ("rerolls", (-1, True, True, True, True, True, True), "0 to 127 tokens"),
    ],
)
def test_what_a_game_pays_and_its_tokens_fit_where_they_are_kept(
    monkeypatch: pytest.MonkeyPatch, axis: str, value: object, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        core.Rules(**(rules_said(monkeypatch, BACKGAMMON) | {axis: value}))


def test_weights_that_no_ticket_can_be_drawn_from_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    said = rules_said(monkeypatch, BACKGAMMON)
    said["rows"] = [(faces, 2**31 - 1, *rest) for faces, _, *rest in said["rows"]]
    with pytest.raises(ValueError, match="add up to more than 1,048,576"):
        core.Rules(**said)


@pytest.mark.parametrize("depth", [-1, 13, 2**31 - 1])
def test_positions_are_counted_to_a_depth_that_ends(depth: int) -> None:
    assert core.perft(RULES, START, 0) == (1, 1)
    with pytest.raises(ValueError, match=f"a depth of {depth}; 0 to 12"):
        core.perft(RULES, START, depth)


def test_a_turn_has_no_more_moves_than_a_roll_has_numbers() -> None:
    with pytest.raises(ValueError, match="33 moves; a roll has at most 32"):
        core.turn(RULES, START, 1, [(24, 23, 1)] * 33)


PLAYING = {"scatter": 0.0, "exploration": 0.0, "lambda_": 0.5, "longest": 20, "seed": 1, "games": 1, "tables": False}
RATES = {"first_rate": 1e-3, "last_rate": 1e-3}


def played(starts: object, threads: int = 1) -> core.Training:
    return core.start_playing(NET, starts=starts, threads=threads, **PLAYING, **RATES)  # type: ignore[arg-type]


def labelled(starts: object, threads: int = 1) -> core.Training:
    return core.start_labelling(NET, starts=starts, threads=threads, first_game=0, **PLAYING)  # type: ignore[arg-type]


def fitted(positions: npt.NDArray[np.uint8], threads: int = 1, epochs: int = 1) -> core.Training:
    targets = np.full((len(positions), 1, 5), 0.2, np.float32)
    return core.start_fitting(NET, positions, targets, epochs=epochs, batch=2, seed=1, threads=threads, **RATES)


def rolled_out(
    starts: object, threads: int = 1, efficiency: tuple[float, float, float] = EFFICIENCY
) -> core.RolloutBlock:
    return core.start_rollout(
        RULES,
        NET,
        None,
        starts,  # type: ignore[arg-type]
        plies=0,
        late_plies=0,
        late_from=2,
        cube_plies=0,
        truncate=2,
        tables=False,
        reduce=False,
        stratify=False,
        seed=1,
        first=0,
        count=2,
        threads=threads,
        efficiency=efficiency,
    )


@pytest.mark.parametrize("start", [played, labelled])
@pytest.mark.parametrize("said", [(None, 1.0), (RULES, -1.0), (RULES, float("nan"))])
def test_games_to_learn_from_are_played_by_rules_and_a_share(start: Callable[[object], object], said: object) -> None:
    with pytest.raises(ValueError, match="each start is rules and their share"):
        start([said])


def test_a_rollout_is_played_for_something() -> None:
    with pytest.raises(ValueError, match="None is none"):
        rolled_out([(START, 0, None)])
    with pytest.raises(ValueError, match="is no number"):
        rolled_out([(START, 0, stakes())], efficiency=(0.68, float("nan"), 0.7))


@pytest.mark.parametrize("threads", [-1, 0, 1025, 2**31 - 1])
def test_no_threads_and_too_many_are_refused_by_every_piece_of_work(threads: int) -> None:
    for start in (
        lambda: played([(RULES, 1.0)], threads),
        lambda: labelled([(RULES, 1.0)], threads),
        lambda: fitted(STARTS, threads),
        lambda: rolled_out([(START, 0, stakes())], threads),
        lambda: core.Searcher(RULES, NET, threads=threads),
    ):
        with pytest.raises(ValueError, match=f"{threads} threads; 1 to 1024"):
            start()


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (26, 255, "position 1: 270 checkers on a side; 0 to 15"),
        (28, 1, "a pin off the board"),
        (31, 128, "a pin off the board"),
    ],
)
def test_a_net_is_shown_what_a_game_can_reach(at: int, value: int, why: str) -> None:
    shown = STARTS.copy()
    shown[1, at] = value
    quantized = core.Net.parse(core.Net(inputs=6, hidden=16, hidden2=16, phases=8).bytes())
    for look in (quantized.inputs_of, quantized.activations, quantized.phases_of, fitted):
        with pytest.raises(ValueError, match=why):
            look(shown)
    probabilities = np.full((3, 5), 0.2, np.float32)
    sights = core.cube_sights(RULES, probabilities, stakes())
    with pytest.raises(ValueError, match=why):
        core.CubeNet.inputs(shown, probabilities, sights)


@pytest.mark.parametrize(
    "what", [{"cube": float("nan")}, {"cube": float("inf")}, {"won": [0.5, float("nan")], "lost": [0.5, 0.0]}]
)
def test_stakes_are_numbers(what: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"at least 1|is no number"):
        stakes(**what)


@pytest.mark.parametrize("wrong", [[None] * 6, ["x"] * 6, [np.zeros((2, 2), np.float32)] * 6])
def test_weights_are_arrays_of_floats(wrong: Any) -> None:
    with pytest.raises(TypeError):
        NET.with_weights(wrong)


def test_work_is_waited_for_without_an_end_and_not_at_all() -> None:
    assert fitted(STARTS).wait(float("inf"))
    endless = fitted(STARTS, epochs=2**31 - 1)
    assert not endless.wait(float("nan"))
    assert not endless.wait(-1.0)
    endless.stop()
    assert endless.wait(1e300), "it stops between two steps, whatever is left"


def test_games_of_one_driver_are_used_by_one_thread_at_a_time() -> None:
    games = core.BatchGames(rules=RULES, seed=1, games=10**6, size=4, max_rolls=500)
    going = threading.Thread(target=games.play_randomly, args=(3000,))
    going.start()
    refused = False
    while going.is_alive() and not refused:
        try:
            games.results()
        except RuntimeError as error:
            refused = "another thread uses these games" in str(error)
    going.join()
    assert refused
    assert games.results()[4].sum() == 3000


def test_a_table_is_made_by_several_threads_as_by_one() -> None:
    alone, shared = core.TwoSided(RULES, 3), core.TwoSided(RULES, 3)
    alone.advance(10**6)

    def work() -> None:
        while shared.done < shared.size:
            shared.advance(1)

    several = [threading.Thread(target=work) for _ in range(3)]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()
    assert shared.done == shared.size
    assert np.array_equal(alone.values(), shared.values())


def test_rows_are_those_of_a_finished_table() -> None:
    made = core.ContactSolver(RULES, 1)
    with pytest.raises(ValueError, match="not finished"):
        made.row(1)
    while not made.complete:
        made.advance(100, 1)
    assert made.row(1).any()


def test_plays_that_lead_where_no_play_leads_are_refused() -> None:
    """What a damaged file would say: a checker that moves backwards is not followed out of the table."""
    made = core.ContactPieces(RULES, 1, 1)
    spans, replies = made.spans().copy(), made.replies().copy()
    assert np.array_equal(core.ContactPieces(RULES, 1, 1, spans, replies).replies(), replies)
    damaged = replies.copy()
    damaged[0, 1] = made.size - 1
    with pytest.raises(ValueError, match="not those of this table"):
        core.ContactPieces(RULES, 1, 1, spans, damaged)


FEW_THREADS = """
from barpoint.native import core, core_rules
from barpoint.variants import variant
made = core.ContactSolver(core_rules(variant()), 1)
try:
    import resource
    size = 1024 * int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1])
    resource.setrlimit(resource.RLIMIT_AS, (size + (64 << 20), -1))
except (ImportError, OSError):
    pass  # no Linux: the system has the only limit
while not made.complete:
    made.advance(100, 256)
print(made.complete)
"""


def test_work_is_done_with_the_threads_that_the_system_gives() -> None:
    done = subprocess.run([sys.executable, "-c", FEW_THREADS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_rules_that_differ_in_what_binds_their_start_share_no_tables() -> None:
    """A roll lets one checker at most leave the start point, which may lie at home."""
    held = replace(BACKGAMMON.movement, leave=1)
    setups = [replace(BACKGAMMON.setup, points=((point, 3), (1, 1))) for point in (6, 5)]
    six, five = (core_rules(replace(BACKGAMMON, setup=setup, movement=held)) for setup in setups)
    side = bytes([1, 0, 0, 0, 0, 2, 1]) + bytes(25)
    asked = np.frombuffer(side + bytes([3, 1]) + bytes(30), np.uint8).reshape(1, 64)
    assert core.cube_races(six, asked, 0)[0, 0] != core.cube_races(five, asked, 0)[0, 0]
