"""The compiled core; `barpoint.native` is its only caller. A position is 64 bytes: us, then them."""

from collections.abc import Sequence
from typing import ClassVar, overload

import numpy as np
import numpy.typing as npt

_Row = tuple[list[int], int, list[list[list[int]]], bool]

class Rules:
    def __init__(
        self,
        *,
        name: str,
        start: bytes,
        first_roll: str,
        rows: Sequence[_Row],
        obligation: str,
        meeting: str,
        block: int,
        capture: str,
        bear_off: str,
        runner: int,
        quarter_limits: Sequence[tuple[int, int, int]],
        prime: str,
        hit_and_run: bool,
        hit_before_home: bool,
        leave: int,
        leave_two: Sequence[int],
        winner: str,
        start_pin_loses: bool,
        standstill_draws: bool,
        gammon: int,
        backgammon: int,
        per_checker: bool,
        rerolls: tuple[int, bool, bool, bool, bool, bool, bool],
        cube: bool,
    ) -> None: ...
    @property
    def name(self) -> str: ...

def plays(
    rules: Rules, position: bytes, row: int
) -> list[tuple[bytes, bool, tuple[tuple[int, int, int], ...], tuple[int, ...]]]: ...
def turn(
    rules: Rules, position: bytes, row: int, made: Sequence[tuple[int, int, int]]
) -> list[tuple[bool, bool, bytes, tuple[tuple[int, int, int, int, int], ...]]]: ...
def play_results(rules: Rules, position: bytes, row: int) -> tuple[bytes, bytes]: ...
def first_complaint(rules: Rules, positions: npt.NDArray[np.uint8]) -> tuple[int, str] | None: ...
def outcomes(
    rules: Rules, positions: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int16]]: ...
def results(
    rules: Rules, positions: npt.NDArray[np.uint8], rows: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.bool_]]: ...
def complaint(rules: Rules, position: bytes) -> str: ...
def outcome(rules: Rules, position: bytes) -> tuple[int, int, int] | None: ...
def perft(rules: Rules, position: bytes, depth: int) -> tuple[int, int]: ...
def isa() -> str: ...

class BatchGames:
    def __init__(self, *, rules: Rules, seed: int, games: int, size: int, max_rolls: int) -> None: ...
    def roll(
        self,
    ) -> (
        tuple[
            npt.NDArray[np.int8],
            npt.NDArray[np.int64],
            npt.NDArray[np.int8],
            npt.NDArray[np.int64],
            npt.NDArray[np.bool_],
            npt.NDArray[np.int64],
            npt.NDArray[np.int8],
            npt.NDArray[np.bool_],
            npt.NDArray[np.int8],
            npt.NDArray[np.int8],
        ]
        | None
    ): ...
    def may_call(self, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]: ...
    def follow(self, chosen: npt.NDArray[np.int64], called: npt.NDArray[np.bool_] | None = None) -> None: ...
    def play_randomly(self, count: int) -> bool: ...
    def results(
        self,
    ) -> tuple[
        npt.NDArray[np.int8],
        npt.NDArray[np.int8],
        npt.NDArray[np.int16],
        npt.NDArray[np.int32],
        npt.NDArray[np.bool_],
    ]: ...

PLAIN_INPUTS: int

def inputs_for(rules: Rules) -> int: ...

class Net:
    def __init__(
        self,
        *,
        inputs: int = 4,
        hidden: int = 128,
        hidden2: int = 0,
        states: int = 1,
        phases: int = 1,
        per_checker: bool = False,
        seed: int = 1,
    ) -> None: ...
    @staticmethod
    def parse(data: bytes) -> Net: ...
    def bytes(self) -> bytes: ...
    def widened(self) -> Net: ...
    def for_money(self) -> Net: ...
    def by_gammon_state(self) -> Net: ...
    def divided(self) -> Net: ...
    def arranged(self, order: npt.NDArray[np.int64]) -> Net: ...
    def towards(self, other: Net, share: float) -> Net: ...
    def activations(self, positions: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]: ...
    def dequantized(self) -> Net: ...
    @property
    def inputs(self) -> int: ...
    @property
    def hidden(self) -> int: ...
    @property
    def hidden2(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def by_gammons(self) -> bool: ...
    @property
    def phases(self) -> int: ...
    @property
    def per_checker(self) -> bool: ...

class Searcher:
    def __init__(
        self,
        rules: Rules,
        net: Net | None,
        tables: bool = False,
        pruning_net: Net | None = None,
        threads: int = 1,
        cube_net: CubeNet | None = None,
    ) -> None: ...
    @property
    def token_states(self) -> int: ...
    def evaluate(
        self, positions: npt.NDArray[np.uint8], plies: int, stakes: Stakes | None = None
    ) -> npt.NDArray[np.float32]: ...
    def candidates(
        self, position: bytes, row: int, plies: int, stakes: Stakes | None = None
    ) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.int8],
        npt.NDArray[np.float32],
    ]: ...
    def candidate_values(
        self, position: bytes, row: int, plies: int, stakes: Stakes, efficiency: tuple[float, float, float]
    ) -> tuple[
        tuple[
            npt.NDArray[np.uint8],
            npt.NDArray[np.bool_],
            npt.NDArray[np.bool_],
            npt.NDArray[np.int8],
            npt.NDArray[np.float32],
        ],
        npt.NDArray[np.float64],
    ]: ...
    def cube(
        self, position: bytes, plies: int, stakes: Stakes, efficiency: tuple[float, float, float]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]: ...
    def cube_lesson(
        self, position: bytes, plies: int, stakes: Stakes, efficiency: tuple[float, float, float]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
    def cube_window(
        self, position: bytes, plies: int, stakes: Stakes, efficiency: tuple[float, float, float]
    ) -> tuple[tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]], npt.NDArray[np.float64]]: ...
    def rolls(self, position: bytes, plies: int) -> npt.NDArray[np.float32]: ...

class Stakes:
    def __init__(
        self,
        *,
        won: Sequence[float],
        lost: Sequence[float],
        cube: int,
        owner: int,
        in_play: bool,
        jacoby: bool,
        beavers: bool,
        may_double: bool,
    ) -> None: ...
    def flip(self) -> Stakes: ...
    def value(self, points: float) -> float: ...

def cube_values(
    rules: Rules, probabilities: npt.NDArray[np.float32], efficiency: Sequence[float], stakes: Stakes
) -> npt.NDArray[np.float64]: ...
def market_window(
    rules: Rules, probabilities: npt.NDArray[np.float32], efficiency: float, stakes: Stakes
) -> tuple[float, float, float, float]: ...
def cube_efficiency(position: bytes, efficiency: tuple[float, float, float]) -> float: ...

class CubeNet:
    def __init__(
        self,
        first: npt.NDArray[np.float32],
        first_bias: npt.NDArray[np.float32],
        second: npt.NDArray[np.float32],
        second_bias: npt.NDArray[np.float32],
        output: npt.NDArray[np.float32],
        output_bias: npt.NDArray[np.float32],
    ) -> None: ...
    @staticmethod
    def parse(data: bytes) -> CubeNet: ...
    def bytes(self) -> bytes: ...
    def evaluate(
        self,
        positions: npt.NDArray[np.uint8],
        probabilities: npt.NDArray[np.float32],
        sights: npt.NDArray[np.float32],
    ) -> npt.NDArray[np.float64]: ...
    @staticmethod
    def inputs(
        positions: npt.NDArray[np.uint8],
        probabilities: npt.NDArray[np.float32],
        sights: npt.NDArray[np.float32],
    ) -> npt.NDArray[np.float32]: ...

def cube_sights(rules: Rules, probabilities: npt.NDArray[np.float32], stakes: Stakes) -> npt.NDArray[np.float32]: ...
def cube_races(
    rules: Rules, positions: npt.NDArray[np.uint8], state: int, jacoby: bool = False
) -> npt.NDArray[np.float64]: ...

class Training:
    def wait(self, seconds: float) -> bool: ...
    def stop(self) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def error(self) -> float: ...
    def net(self) -> Net: ...
    def labels(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]: ...
    def rolls(self) -> npt.NDArray[np.int64]: ...
    def points(self) -> list[float]: ...

def start_playing(
    net: Net,
    *,
    starts: Sequence[tuple[Rules, float]],
    scatter: float,
    exploration: float,
    lambda_: float,
    longest: int,
    seed: int,
    games: int,
    first_rate: float,
    last_rate: float,
    threads: int,
    tables: bool = True,
) -> Training: ...
def start_labelling(
    net: Net,
    *,
    starts: Sequence[tuple[Rules, float]],
    scatter: float,
    exploration: float,
    lambda_: float,
    longest: int,
    seed: int,
    first_game: int,
    games: int,
    threads: int,
    tables: bool = True,
    pruning_net: Net | None = None,
    rare: npt.NDArray[np.uint8] | None = None,
    rare_share: float = 0.0,
    siblings: tuple[int, float] = (0, 0.0),
) -> Training: ...
def start_fitting(
    net: Net,
    positions: npt.NDArray[np.uint8],
    targets: npt.NDArray[np.float32],
    *,
    epochs: int,
    batch: int,
    first_rate: float,
    last_rate: float,
    seed: int,
    threads: int = 1,
    rolls: npt.NDArray[np.int64] | None = None,
    sibling_weight: float = 0.0,
    output_alone: bool = False,
) -> Training: ...
def start_head_to_head(
    rules: Rules,
    first_rules: Rules,
    first: Net,
    second_rules: Rules,
    second: Net,
    *,
    first_reluctance: float,
    second_reluctance: float,
    seed: int,
    pairs: int,
    longest: int,
    judge: Net | None = None,
    judge_pruning_net: Net | None = None,
) -> Training: ...

class RolloutBlock:
    def wait(self, seconds: float) -> bool: ...
    def stop(self) -> None: ...
    @property
    def done(self) -> int: ...
    def games(self) -> tuple[int, bytes]: ...

def start_rollout(
    rules: Rules,
    net: Net,
    pruning_net: Net | None,
    starts: Sequence[tuple[bytes, int, Stakes]],
    *,
    plies: int,
    late_plies: int,
    late_from: int,
    cube_plies: int,
    truncate: int,
    tables: bool,
    reduce: bool,
    stratify: bool,
    seed: int,
    first: int,
    count: int,
    threads: int,
    efficiency: tuple[float, float, float],
    cube_net: CubeNet | None = None,
) -> RolloutBlock: ...
def rollout_row(rules: Rules, seed: int, game: int, number: int, stratify: bool) -> int: ...

class OneSided:
    def __init__(self, rules: Rules, checkers: int) -> None: ...
    @property
    def checkers(self) -> int: ...
    def means(self) -> npt.NDArray[np.float64]: ...
    def turns(self, index: int) -> list[float]: ...
    def first(self, index: int) -> list[float]: ...

def race(us: npt.NDArray[np.float64], them: npt.NDArray[np.float64]) -> float: ...
def mean_pips(rules: Rules) -> float: ...
def home_index(position: bytes, most: int) -> int: ...
def home_counts(index: int) -> list[int]: ...

class TwoSided:
    def __init__(self, rules: Rules, checkers: int) -> None: ...
    @property
    def checkers(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def done(self) -> int: ...
    def advance(self, count: int) -> None: ...
    def fill(self, values: npt.NDArray[np.float64]) -> None: ...
    def values(self) -> npt.NDArray[np.float64]: ...
    def rolling(self, us: int, them: int, state: int) -> list[float]: ...

class ContactSolver:
    def __init__(self, rules: Rules, checkers: int, against: int = 0) -> None: ...
    @property
    def against(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def checkers(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def complete(self) -> bool: ...
    @property
    def progress(self) -> tuple[str, int, int, float, float]: ...
    def advance(self, count: int, threads: int) -> None: ...
    def resume(
        self,
        progress: tuple[str, int, int, float, float],
        values: npt.NDArray[np.float64],
        probabilities: npt.NDArray[np.float32],
    ) -> None: ...
    def values(self) -> npt.NDArray[np.float64]: ...
    def probabilities(self) -> npt.NDArray[np.float32]: ...
    def equities(self, position: bytes, state: int) -> list[float]: ...
    def roll_equity(self, position: bytes, row: int) -> float: ...
    def row(self, us: int) -> npt.NDArray[np.float32]: ...

class ContactPieces:
    max_changes: ClassVar[list[float]]
    @overload
    def __init__(self, rules: Rules, checkers: int, against: int) -> None: ...
    @overload
    def __init__(
        self,
        rules: Rules,
        checkers: int,
        against: int,
        spans: npt.NDArray[np.uint32],
        replies: npt.NDArray[np.uint32],
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def few(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def stripes(self) -> list[int]: ...
    @property
    def blocks(self) -> list[int]: ...
    def spans(self) -> npt.NDArray[np.uint32]: ...
    def replies(self) -> npt.NDArray[np.uint32]: ...
    def lost_values(self) -> npt.NDArray[np.float64]: ...
    def lost_probabilities(self) -> npt.NDArray[np.float32]: ...
    def sources(self, them: int) -> list[int]: ...
    def values(self, us: int, them: int, values: list[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]: ...
    def probabilities(
        self,
        us: int,
        them: int,
        values: list[npt.NDArray[np.float64]],
        probabilities: list[npt.NDArray[np.float32]],
    ) -> npt.NDArray[np.float32]: ...

class Contact:
    def __init__(self, rules: Rules, checkers: int, values: npt.NDArray[np.float32]) -> None: ...
    @property
    def checkers(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def states(self) -> int: ...
    def probabilities(self, position: bytes, state: int) -> list[float]: ...
    def equities(self, position: bytes, state: int) -> list[float]: ...
    def rolling(self, position: bytes, state: int) -> list[float]: ...

def use_games(rules: Rules, checkers: int, values: npt.NDArray[np.float32]) -> None: ...
def contact_values(rules: Rules, checkers: int) -> int: ...
