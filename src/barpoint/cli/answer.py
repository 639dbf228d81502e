"""Answers each request of `barpoint engine`: asks the engine and puts its result into JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version

from barpoint.board import Position
from barpoint.cli.fields import (
    JsonFields,
    chances_fields,
    cube_fields,
    mwc_fields,
    play_fields,
    rank_fields,
    reroll_fields,
    rolled_cube_fields,
    rolled_plays_fields,
    rollout_fields,
)
from barpoint.cli.protocol import (
    BadRequest,
    CancelRequest,
    CubeRequest,
    EngineRequest,
    EvaluateRequest,
    PlaysRequest,
    RankRequest,
    RequestCancelled,
    RerollRequest,
    RolloutRequest,
    StakesBody,
    VersionRequest,
)
from barpoint.engine import (
    CubeInfo,
    CubeState,
    DecisionPoint,
    Engine,
    OutcomeProbabilities,
    RolloutProgress,
    Score,
)
from barpoint.engine.net import entries
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.error import FormatError, PositionError
from barpoint.game import Stakes
from barpoint.moves import check_position, legal_plays, outcome
from barpoint.native import core
from barpoint.record import parse_position
from barpoint.rules import Rules
from barpoint.variants import variant

EngineAnswer = JsonFields

ProgressReporter = Callable[[EngineAnswer], bool]
"""Called with the fields of a progress line; returns False when the request was cancelled."""


def answer(
    request: EngineRequest, report: ProgressReporter = lambda _: True, time_ms: float | None = None
) -> EngineAnswer:
    """The fields of the answer but its id; BarpointError for what cannot be answered.

    time_ms: the budget of decisions that name none and are not rolled out.
    """
    match request:
        case VersionRequest():
            nets = {entry.name: entry.version for entry in entries()}
            return {"version": version("barpoint"), "nets": nets, "isa": core.isa()}
        case PlaysRequest():
            return _plays(request)
        case EvaluateRequest():
            return _evaluate(request)
        case RankRequest():
            return _rank(request, _decider(request, time_ms))
        case CubeRequest():
            return _cube(request, _decider(request, time_ms))
        case RerollRequest():
            return _reroll(request)
        case RolloutRequest():
            return _rollout(request, report)
        case CancelRequest():
            return {"cancelled": False}  # cli/engine.py cancels waiting requests itself


@lru_cache(maxsize=32)
def _engine(
    rules: Rules, plies: int, time_ms: float | None = None, rollout: bool = False
) -> Engine[OutcomeProbabilities]:
    return Engine(rules, plies=plies, time_ms=time_ms, rollout=rollout)


def _decider(request: RankRequest | CubeRequest, time_ms: float | None) -> Engine[OutcomeProbabilities]:
    budget = request.time_ms if request.rollout or request.time_ms is not None else time_ms
    return _engine(variant(request.variant), request.plies, budget, request.rollout)


def _position(rules: Rules, text: str, going_on: bool = True) -> Position:
    """The position of an ID under these rules, seen by the side to act; PositionError or FormatError."""
    try:
        position = parse_position(text, rules.checkers)
    except FormatError as error:
        raise FormatError("position takes a position ID such as 4HPwATDgc/ABMA: %(error)s", error=error) from None
    check_position(rules, position)
    if going_on and outcome(rules, position) is not None:
        raise PositionError("the game is over in this position; nobody is to act")
    return position


def _cube_info(rules: Rules, said: StakesBody | None) -> CubeInfo:
    """Cube and score of a request; cubeless money when it has no stakes."""
    if said is None:
        return CubeInfo()
    if said.length == 0 and (said.away or said.crawford):
        raise BadRequest("stakes: away and crawford belong to a match; length is 0, which is money")
    score = _score(said) if said.length else None
    cube = CubeState(said.cube, said.owner) if rules.cube else None
    return CubeInfo(cube, score, Stakes(jacoby=said.jacoby, beavers=said.beavers))


def _score(said: StakesBody) -> Score:
    away = said.away or (said.length, said.length)
    if max(away) > said.length:
        raise BadRequest("stakes: away must say what both sides still need, 1 to %(length)s points", length=said.length)
    if said.crawford and 1 not in away:
        raise BadRequest("stakes: in the Crawford game one side needs 1 point")
    return Score(*away, said.crawford)


def _plays(request: PlaysRequest) -> EngineAnswer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    return {"plays": [play_fields(play) for play in legal_plays(rules, position, request.roll)]}


def _evaluate(request: EvaluateRequest) -> EngineAnswer:
    if (request.position is None) == (request.positions is None):
        raise BadRequest("evaluate needs either position or positions")
    rules = variant(request.variant)
    info = _cube_info(rules, request.stakes)
    engine = _engine(rules, request.plies)
    texts = (request.position,) if request.position is not None else request.positions or ()
    positions = [_position(rules, text, going_on=False) for text in texts]
    found = engine.evaluate_many(positions, request.tokens) if positions else ()
    answers = []
    for position, chances in zip(positions, found, strict=True):
        said = chances_fields(chances) | {"equity": chances.equity}
        if request.stakes is not None:
            equity = engine.equity(DecisionPoint(position, info, request.tokens))
            said |= {"equity": equity, **mwc_fields(info, equity)}
        answers.append(said)
    return answers[0] if request.position is not None else {"evaluations": answers}


def _rank(request: RankRequest, engine: Engine[OutcomeProbabilities]) -> EngineAnswer:
    rules = engine.rules
    position = _position(rules, request.position)
    info = _cube_info(rules, request.stakes)
    return rank_fields(engine, engine.rank(DecisionPoint(position, info, request.tokens), request.roll))


def _cube(request: CubeRequest, engine: Engine[OutcomeProbabilities]) -> EngineAnswer:
    rules = engine.rules
    position = _position(rules, request.position)
    centred = CubeInfo(CubeState() if rules.cube else None)
    info = centred if request.stakes is None else _cube_info(rules, request.stakes)
    return cube_fields(engine, engine.cube(DecisionPoint(position, info, request.tokens)))


def _reroll(request: RerollRequest) -> EngineAnswer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    point = DecisionPoint(position, _cube_info(rules, request.stakes), request.tokens)
    played = None if request.played is None else _played(rules, position, request)
    found = _engine(rules, request.plies).reroll(point, request.roll, caller=request.caller, played=played)
    return reroll_fields(found)


def _played(rules: Rules, position: Position, request: RerollRequest) -> Position:
    """The position after the roller's play, seen by the roller; `played` is seen by the side that acts next."""
    if request.caller == "us":
        raise BadRequest("played is for the other player's question; the roller asks before playing")
    after = _position(rules, request.played or "", going_on=False)
    for play in legal_plays(rules, position, request.roll):
        if play.next == after:
            return play.result
    raise PositionError("played: the roll cannot lead to this position")


def _rollout(request: RolloutRequest, report: ProgressReporter) -> EngineAnswer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    if request.decision and request.roll:
        raise BadRequest("rollout: decision and roll exclude each other; a roll is played after the cube decision")
    info = _cube_info(rules, request.stakes)
    if request.decision and request.stakes is None:
        info = CubeInfo(CubeState())
    point = DecisionPoint(position, info, request.tokens)
    going = True

    def tell(said: RolloutProgress) -> bool:
        nonlocal going
        going = report({"progress": _progress(said)})
        return going

    options = RolloutOptions(
        trials=request.trials,
        plies=request.plies,
        late_plies=request.plies,
        seed=request.seed,
        truncate=request.truncate,
        stop_error=request.stop_error,
        stop_clear=request.stop_clear,
        threads=request.threads,
        progress=tell,
    )
    engine = _engine(rules, 0)
    found: EngineAnswer
    if request.decision:
        found = rolled_cube_fields(engine.rollout_cube(point, **options))
    elif request.roll:
        found = rolled_plays_fields(engine.rollout_plays(point, request.roll, request.candidates, **options))
    else:
        found = rollout_fields(engine.rollout(point, **options))
    if not going:
        raise RequestCancelled("cancelled")
    return found


def _progress(said: RolloutProgress) -> EngineAnswer:
    """Games done, and the equity so far of each thing that is rolled out."""
    known = [(each.mean, each.error) for each in said.equities if each.error < float("inf")]
    return {
        "done": said.done,
        "trials": said.trials,
        "equities": [mean for mean, _ in known],
        "standard_errors": [error for _, error in known],
    }
