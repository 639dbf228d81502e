"""Answers each request of `barpoint engine`: asks the engine and puts its result into JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from barpoint.board import Position
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
    Rollout,
    RolloutProgress,
    Score,
)
from barpoint.engine.cube_info import can_double
from barpoint.engine.net import entries
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.error import PositionError
from barpoint.game import Stakes
from barpoint.moves import Play, check_position, legal_plays, outcome
from barpoint.native import core
from barpoint.record import format_position, parse_position
from barpoint.rules import Rules
from barpoint.variants import variant

EngineAnswer = dict[str, Any]

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
    position = parse_position(text, rules.checkers)
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
    if said.away is None or max(said.away) > said.length:
        raise BadRequest("stakes: away must say what both sides still need, 1 to %(length)s points", length=said.length)
    if said.crawford and 1 not in said.away:
        raise BadRequest("stakes: in the Crawford game one side needs 1 point")
    return Score(*said.away, said.crawford)


def _plays(request: PlaysRequest) -> EngineAnswer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    return {"plays": [_play(play) for play in legal_plays(rules, position, request.roll)]}


def _play(play: Play) -> EngineAnswer:
    """Its notation, empty where nothing can be played, and the position seen by the side that acts next."""
    return {"play": str(play) if play.moves else "", "position": format_position(play.next)}


def _chances(chances: OutcomeProbabilities) -> EngineAnswer:
    """Chances, or for games that pay by the checker `win`, `won_points`, `lost_points`."""
    found = asdict(chances)
    found.pop("payments", None)
    return found


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
        said = _chances(chances) | {"equity": chances.equity}
        if request.stakes is not None:
            equity = engine.equity(DecisionPoint(position, info, request.tokens))
            said |= {"equity": equity, **_mwc(info, equity)}
        answers.append(said)
    return answers[0] if request.position is not None else {"evaluations": answers}


def _mwc(info: CubeInfo, equity: float) -> EngineAnswer:
    """The chance to win the match that a normalised equity stands for; nothing for money."""
    return {} if info.score is None else {"mwc": info.to_value(equity)}


def _rank(request: RankRequest, engine: Engine[OutcomeProbabilities]) -> EngineAnswer:
    rules = engine.rules
    position = _position(rules, request.position)
    info = _cube_info(rules, request.stakes)
    ranked = engine.rank(DecisionPoint(position, info, request.tokens), request.roll)
    plays = []
    for item in ranked:
        said = _play(item.play) | {"equity": item.equity, "loss": item.loss, **_chances(item.chances)}
        said |= {} if item.mwc is None else {"mwc": item.mwc}
        plays.append(said if item.error is None else said | {"standard_error": item.error})
    return {"plays": plays, **_depth(engine, ranked[0].plies)}


def _depth(engine: Engine[OutcomeProbabilities], plies: int | None) -> EngineAnswer:
    """The depth that a search with a budget of time reached."""
    return {} if engine.time_ms is None else {"plies": plies}


def _cube(request: CubeRequest, engine: Engine[OutcomeProbabilities]) -> EngineAnswer:
    rules = engine.rules
    position = _position(rules, request.position)
    centred = CubeInfo(CubeState() if rules.cube else None)
    info = centred if request.stakes is None else _cube_info(rules, request.stakes)
    found = engine.cube(DecisionPoint(position, info, request.tokens))
    said: EngineAnswer = {
        "no_double": found.no_double,
        "double_take": found.double_take,
        "double_pass": found.double_pass,
        "action": found.action,
        **_chances(found.chances),
        "window": {"take": found.take, "double": found.double, "cash": found.cash, "too_good": found.too_good},
        **_depth(engine, found.plies),
    }
    if found.errors is not None:
        said["standard_error"] = dict(zip(("no_double", "double_take"), found.errors, strict=True))
    if found.mwc is not None:
        said["mwc"] = dict(zip(("no_double", "double_take", "double_pass"), found.mwc, strict=True))
    if reason := _why_no_double(rules, info):
        said |= {"double_take": None, "double_pass": None, "window": None, "reason": reason}
        if found.mwc is not None:
            said["mwc"] = {"no_double": found.mwc[0], "double_take": None, "double_pass": None}
    return said


def _why_no_double(rules: Rules, info: CubeInfo) -> str:
    """Why the side to act may not double; empty when it may."""
    if can_double(rules.cube, info):
        return ""
    crawford = info.score is not None and info.score.crawford
    return "nobody may double in the Crawford game" if crawford else "the other side owns the cube"


def _reroll(request: RerollRequest) -> EngineAnswer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    point = DecisionPoint(position, _cube_info(rules, request.stakes), request.tokens)
    played = None if request.played is None else _played(rules, position, request)
    found = _engine(rules, request.plies).reroll(point, request.roll, caller=request.caller, played=played)
    return {"keep": found.keep, "call": found.call, "action": found.action}


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
        cube = engine.rollout_cube(point, **options)
        found = {
            name: _rolled(each) for name, each in (("no_double", cube.no_double), ("double_take", cube.double_take))
        }
        found |= {"double_pass": cube.double_pass, "gain": asdict(cube.gain), "action": cube.action}
    elif request.roll:
        plays = engine.rollout_plays(point, request.roll, request.candidates, **options)
        found = {"plays": [_play(item.play) | _rolled(item.rollout) | {"loss": asdict(item.loss)} for item in plays]}
    else:
        found = _rolled(engine.rollout(point, **options))
    if not going:
        raise RequestCancelled("cancelled")
    return found


def _rolled(found: Rollout[OutcomeProbabilities]) -> EngineAnswer:
    """Means and their standard errors."""
    mean = _chances(found.chances) | {"equity": found.equity.mean, "cubeless": found.cubeless.mean}
    error = _chances(found.errors) | {"equity": found.equity.error, "cubeless": found.cubeless.error}
    if found.mwc is not None:
        mean["mwc"], error["mwc"] = found.mwc.mean, found.mwc.error
    return {"mean": mean, "standard_error": error, "trials": found.trials}


def _progress(said: RolloutProgress) -> EngineAnswer:
    """Games done, and the equity so far of each thing that is rolled out."""
    known = [(each.mean, each.error) for each in said.equities if each.error < float("inf")]
    return {
        "done": said.done,
        "trials": said.trials,
        "equities": [mean for mean, _ in known],
        "standard_errors": [error for _, error in known],
    }
