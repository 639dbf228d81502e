"""What `barpoint engine` answers to each request. Figures come from the engine; here they are put into words of JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Literal

from barpoint.board import Position
from barpoint.cli.protocol import (
    BadRequest,
    Cancel,
    Cancelled,
    Cube,
    Evaluate,
    Plays,
    Rank,
    Request,
    Rollout,
    Rollover,
    Stakes,
    Version,
)
from barpoint.engine import CubeState, Engine, RolloutProgress, Score
from barpoint.engine import Rollout as Rolled
from barpoint.engine.net import entries
from barpoint.engine.rollout_order import RolloutOptions
from barpoint.engine.stake import Stake, may_turn
from barpoint.error import PositionError
from barpoint.moves import Play, check_position, legal_plays, outcome
from barpoint.native import core
from barpoint.record import format_position, parse_position
from barpoint.rules import Rules
from barpoint.variants import variant

Answer = dict[str, Any]


Report = Callable[[Answer], bool]
"""Told the fields of a progress line; False when the request was cancelled."""


def answer(request: Request, report: Report = lambda _: True) -> Answer:
    """The fields of the answer but its id; BarpointError for what cannot be answered."""
    match request:
        case Version():
            nets = {entry.name: entry.file.removesuffix(".net") for entry in entries()}
            return {"version": version("barpoint"), "nets": nets, "isa": core.isa()}
        case Plays():
            return _plays(request)
        case Evaluate():
            return _evaluate(request)
        case Rank():
            return _rank(request)
        case Cube():
            return _cube(request)
        case Rollover():
            return _rollover(request)
        case Rollout():
            return _rollout(request, report)
        case Cancel():
            return {"cancelled": False}  # what is still to be answered knows the one who reads the requests


@lru_cache(maxsize=32)
def _engine(rules: Rules, plies: int) -> Engine:
    return Engine(rules, plies=plies)


def _position(rules: Rules, text: str, going_on: bool = True) -> Position:
    """The position of an ID under these rules, seen by the side to act; PositionError or FormatError."""
    position = parse_position(text, rules.checkers)
    check_position(rules, position)
    if going_on and outcome(rules, position) is not None:
        raise PositionError("the game is over in this position; nobody is to act")
    return position


def _stake(rules: Rules, said: Stakes | None) -> Stake:
    """What is played for; cubeless money when nothing is said."""
    if said is None:
        return Stake()
    if said.length == 0 and (said.away or said.crawford):
        raise BadRequest("stakes: away and crawford belong to a match; length is 0, which is money")
    score = _score(said) if said.length else None
    cube = CubeState(said.cube, said.owner) if rules.cube else None
    return Stake(cube, score, said.jacoby, said.beavers)


def _score(said: Stakes) -> Score:
    if said.away is None or max(said.away) > said.length:
        raise BadRequest(f"stakes: away must say what both sides still need, 1 to {said.length} points")
    if said.crawford and 1 not in said.away:
        raise BadRequest("stakes: in the Crawford game one side needs 1 point")
    return Score(*said.away, said.crawford)


def _plays(request: Plays) -> Answer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    return {"plays": [_play(play) for play in legal_plays(rules, position, request.roll)]}


def _play(play: Play) -> Answer:
    """Its notation, empty where nothing can be played, and the position seen by the side that acts next."""
    return {"play": str(play) if play.moves else "", "position": format_position(play.next)}


def _figures(figures: Any) -> Answer:
    """Chances, or for games that pay by the checker `win`, `won_points`, `lost_points`."""
    return asdict(figures)


def _evaluate(request: Evaluate) -> Answer:
    if (request.position is None) == (request.positions is None):
        raise BadRequest("evaluate needs either position or positions")
    rules = variant(request.variant)
    stake = _stake(rules, request.stakes)
    engine = _engine(rules, request.plies)
    texts = (request.position,) if request.position is not None else request.positions or ()
    positions = [_position(rules, text, going_on=False) for text in texts]
    found = engine.evaluate_many(positions, request.tokens) if positions else ()
    answers = []
    for position, figures in zip(positions, found, strict=True):
        said = _figures(figures) | {"equity": figures.equity}
        if request.stakes is not None:
            equity = engine.stand(position, stake, request.tokens)
            said |= {"equity": equity, **_mwc(stake, equity)}
        answers.append(said)
    return answers[0] if request.position is not None else {"evaluations": answers}


def _mwc(stake: Stake, equity: float) -> Answer:
    """The chance to win the match that a normalised equity stands for; nothing for money."""
    if stake.score is None:
        return {}
    worth = stake.core().worth
    won, lost = worth(stake.value), worth(-stake.value)
    return {"mwc": lost + (equity + 1) / 2 * (won - lost)}


def _rank(request: Rank) -> Answer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    stake = _stake(rules, request.stakes)
    ranked = _engine(rules, request.plies).rank_for(position, request.roll, stake, request.tokens)
    plays = []
    for item in ranked:
        said = _play(item.play) | {"equity": item.equity, "loss": item.loss, **_figures(item.chances)}
        plays.append(said if item.mwc is None else said | {"mwc": item.mwc})
    return {"plays": plays}


def _cube(request: Cube) -> Answer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    stake = Stake(CubeState() if rules.cube else None) if request.stakes is None else _stake(rules, request.stakes)
    found = _engine(rules, request.plies).cube_for(position, stake, request.tokens)
    said: Answer = {
        "no_double": found.no_double,
        "double_take": found.double_take,
        "double_pass": found.double_pass,
        "action": found.action,
        **_figures(found.chances),
        "window": {"take": found.take, "double": found.double, "cash": found.cash, "too_good": found.too_good},
    }
    if found.mwc is not None:
        said["mwc"] = dict(zip(("no_double", "double_take", "double_pass"), found.mwc, strict=True))
    if reason := _why_no_double(rules, stake):
        said |= {"double_take": None, "double_pass": None, "window": None, "reason": reason}
        if found.mwc is not None:
            said["mwc"] = {"no_double": found.mwc[0], "double_take": None, "double_pass": None}
    return said


def _why_no_double(rules: Rules, stake: Stake) -> str:
    """Why the side to act may not double; empty when it may."""
    if may_turn(rules.cube, stake):
        return ""
    crawford = stake.score is not None and stake.score.crawford
    return "nobody may double in the Crawford game" if crawford else "the other side owns the cube"


def _rollover(request: Rollover) -> Answer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    stake = _stake(rules, request.stakes)
    tokens = request.tokens or (rules.rerolls.tokens, rules.rerolls.tokens)
    played = None if request.played is None else _played(rules, position, request)
    caller: Literal["us", "them"] = request.caller
    found = _engine(rules, request.plies).rollover_for(position, request.roll, stake, tokens, caller, played)
    return {"keep": found.keep, "call": found.call, "action": found.action}


def _played(rules: Rules, position: Position, request: Rollover) -> Position:
    """The position after the roller's play, seen by him; `played` is seen by the side that acts next."""
    if request.caller == "us":
        raise BadRequest("played is for the other player's question; the roller asks before he has played")
    after = _position(rules, request.played or "", going_on=False)
    for play in legal_plays(rules, position, request.roll):
        if play.next == after:
            return play.result
    raise PositionError("played: the roll cannot lead to this position")


def _rollout(request: Rollout, report: Report) -> Answer:
    rules = variant(request.variant)
    position = _position(rules, request.position)
    if request.decision and request.roll:
        raise BadRequest(
            "rollout: decision and roll exclude each other; a roll is played after the cube was decided about"
        )
    stake = _stake(rules, request.stakes)
    going = True

    def tell(said: RolloutProgress) -> bool:
        nonlocal going
        going = report({"progress": _progress(said)})
        return going

    options = RolloutOptions(
        score=stake.score,
        jacoby=stake.jacoby,
        beavers=stake.beavers,
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
    if request.stakes is not None or not request.decision:
        options["cube"] = stake.cube
    if request.tokens is not None:
        options["tokens"] = request.tokens
    engine = _engine(rules, 0)
    found: Answer
    if request.decision:
        cube = engine.rollout_cube(position, **options)
        found = {
            name: _rolled(each) for name, each in (("no_double", cube.no_double), ("double_take", cube.double_take))
        }
        found |= {"double_pass": cube.double_pass, "gain": asdict(cube.gain), "action": cube.action}
    elif request.roll:
        plays = engine.rollout_plays(position, request.roll, request.candidates, **options)
        found = {"plays": [_play(item.play) | _rolled(item.rollout) | {"loss": asdict(item.loss)} for item in plays]}
    else:
        found = _rolled(engine.rollout(position, **options))
    if not going:
        raise Cancelled("cancelled")
    return found


def _rolled(found: Rolled) -> Answer:
    """Means and standard errors of the same figures."""
    mean = _figures(found.chances) | {"equity": found.equity.mean, "cubeless": found.cubeless.mean}
    error = _figures(found.errors) | {"equity": found.equity.error, "cubeless": found.cubeless.error}
    if found.mwc is not None:
        mean["mwc"], error["mwc"] = found.mwc.mean, found.mwc.error
    return {"mean": mean, "standard_error": error, "trials": found.trials}


def _progress(said: RolloutProgress) -> Answer:
    """How far, and the equities as far as they are known: one for each thing rolled out."""
    known = [(each.mean, each.error) for each in said.equities if each.error < float("inf")]
    return {
        "done": said.done,
        "trials": said.trials,
        "equities": [mean for mean, _ in known],
        "standard_errors": [error for _, error in known],
    }
