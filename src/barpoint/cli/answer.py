"""Answers each request of `barpoint engine`: asks the engine and puts its result into JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
from barpoint.engine.decision_point import decision_point
from barpoint.engine.net import entries
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.error import FormatError, PositionError
from barpoint.game import Stakes
from barpoint.moves import check_position, legal_plays, outcome
from barpoint.native import core
from barpoint.record import parse_id, parse_position
from barpoint.rules import Rules
from barpoint.variants import variant

EngineAnswer = JsonFields

Asked = PlaysRequest | EvaluateRequest | RankRequest | CubeRequest | RerollRequest | RolloutRequest
"""Requests about a position."""

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


def _point(rules: Rules, request: Asked, text: str, going_on: bool = True) -> DecisionPoint:
    """What a request asks about an ID, seen by the side to act; PositionError, FormatError or BadRequest.

    An ID that has the cube and the score in it says them itself, and the roll where the request has none.
    """
    roll = () if isinstance(request, EvaluateRequest | CubeRequest) else tuple(request.roll)
    stakes, tokens = (None, None) if isinstance(request, PlaysRequest) else (request.stakes, request.tokens)
    try:
        point = DecisionPoint(parse_position(text, rules.checkers), _cube_info(rules, stakes), tokens, roll)
    except FormatError:
        found = decision_point(rules, parse_id(text, rules.checkers), roll)
        if stakes is not None:
            raise BadRequest(
                "stakes: the ID in position says them itself; leave them out, or give a position ID"
            ) from None
        point = replace(found, tokens=tokens)
    check_position(rules, point.position)
    if going_on and outcome(rules, point.position) is not None:
        raise PositionError("the game is over in this position; nobody is to act")
    return point


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
    point = _point(rules, request, request.position)
    return {"plays": [play_fields(play) for play in legal_plays(rules, point.position, point.faces)]}


def _evaluate(request: EvaluateRequest) -> EngineAnswer:
    if (request.position is None) == (request.positions is None):
        raise BadRequest("evaluate needs either position or positions")
    rules = variant(request.variant)
    engine = _engine(rules, request.plies)
    texts = (request.position,) if request.position is not None else request.positions or ()
    points = [replace(_point(rules, request, text, going_on=False), faces=()) for text in texts]
    found = engine.evaluate_many([point.position for point in points], request.tokens) if points else ()
    answers = []
    for point, chances in zip(points, found, strict=True):
        said = chances_fields(chances) | {"equity": chances.equity}
        if request.stakes is not None or point.cube_info != CubeInfo():
            equity = engine.equity(point)
            said |= {"equity": equity, **mwc_fields(point.cube_info, equity)}
        answers.append(said)
    return answers[0] if request.position is not None else {"evaluations": answers}


def _rank(request: RankRequest, engine: Engine[OutcomeProbabilities]) -> EngineAnswer:
    return rank_fields(engine, engine.rank(_point(engine.rules, request, request.position)))


def _cube(request: CubeRequest, engine: Engine[OutcomeProbabilities]) -> EngineAnswer:
    return cube_fields(engine, engine.cube(_with_cube(_point(engine.rules, request, request.position), engine.rules)))


def _with_cube(point: DecisionPoint, rules: Rules) -> DecisionPoint:
    """The same for a decision about the cube, which is in the middle where nothing is said; before the roll."""
    info = CubeInfo(CubeState()) if rules.cube and point.cube_info == CubeInfo() else point.cube_info
    return replace(point, cube_info=info, faces=())


def _reroll(request: RerollRequest) -> EngineAnswer:
    rules = variant(request.variant)
    point = _point(rules, request, request.position)
    played = None if request.played is None else _played(rules, point, request)
    found = _engine(rules, request.plies).reroll(point, point.faces, caller=request.caller, played=played)
    return reroll_fields(found)


def _played(rules: Rules, point: DecisionPoint, request: RerollRequest) -> Position:
    """The position after the roller's play, seen by the roller; `played` is seen by the side that acts next."""
    if request.caller == "us":
        raise BadRequest("played is for the other player's question; the roller asks before playing")
    after = parse_position(request.played or "", rules.checkers)
    for play in legal_plays(rules, point.position, point.faces):
        if play.next == after:
            return play.result
    raise PositionError("played: the roll cannot lead to this position")


def _rollout(request: RolloutRequest, report: ProgressReporter) -> EngineAnswer:
    rules = variant(request.variant)
    if request.decision and request.roll:
        raise BadRequest("rollout: decision and roll exclude each other; a roll is played after the cube decision")
    point = _point(rules, request, request.position)
    if request.decision:
        point = _with_cube(point, rules)
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
    elif point.faces:
        found = rolled_plays_fields(engine.rollout_plays(point, candidates=request.candidates, **options))
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
