"""What the engine finds, as fields of JSON: in answers of `barpoint engine`, and with `--json` of `eval` and `rollout`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

import msgspec
import typer

from barpoint.analysis.offer import OfferJudged
from barpoint.engine import (
    CubeDecision,
    CubeInfo,
    DecisionPoint,
    Engine,
    OutcomeProbabilities,
    RankedPlay,
    RerollDecision,
    RolledCube,
    RolledPlay,
    Rollout,
)
from barpoint.language import N_
from barpoint.moves import Play
from barpoint.record import format_position
from barpoint.rules import Rules

JsonFields = dict[str, Any]

JsonOption = Annotated[bool, typer.Option("--json", help=N_("Print the results as JSON."))]


def json_text(fields: JsonFields) -> str:
    """As a line of JSON."""
    return msgspec.json.encode(fields).decode()


def asked_fields(rules: Rules, point: DecisionPoint) -> JsonFields:
    """What is evaluated: the game, the position seen by the side to act, and the roll."""
    asked: JsonFields = {"variant": rules.name, "position": format_position(point.position)}
    return asked | ({"roll": list(point.faces)} if point.faces else {})


def play_fields(play: Play) -> JsonFields:
    """Its notation, empty where nothing can be played, and the position seen by the side that acts next."""
    return {"play": str(play) if play.moves else "", "position": format_position(play.next)}


def chances_fields(chances: OutcomeProbabilities) -> JsonFields:
    """Chances, or for games that pay by the checker `win`, `won_points`, `lost_points`."""
    found = asdict(chances)
    found.pop("payments", None)
    return found


def mwc_fields(info: CubeInfo, equity: float) -> JsonFields:
    """The chance to win the match that a normalised equity stands for; nothing for money."""
    return {} if info.score is None else {"mwc": info.to_value(equity)}


def depth_fields(engine: Engine[OutcomeProbabilities], plies: int | None) -> JsonFields:
    """The depth that a search with a budget of time reached."""
    return {} if engine.time_ms is None else {"plies": plies}


def rank_fields(engine: Engine[OutcomeProbabilities], ranked: Iterable[RankedPlay[OutcomeProbabilities]]) -> JsonFields:
    """Plays, best first, with what each loses."""
    items = tuple(ranked)
    plays = []
    for item in items:
        said = play_fields(item.play) | {"equity": item.equity, "loss": item.loss, **chances_fields(item.chances)}
        said |= {} if item.mwc is None else {"mwc": item.mwc}
        plays.append(said if item.error is None else said | {"standard_error": item.error})
    return {"plays": plays, **depth_fields(engine, items[0].plies)}


def cube_fields(engine: Engine[OutcomeProbabilities], found: CubeDecision[OutcomeProbabilities]) -> JsonFields:
    """A cube decision; equities of doubling are null, with the reason, where the side to act may not double."""
    said: JsonFields = {
        "no_double": found.no_double,
        "double_take": found.double_take,
        "double_pass": found.double_pass,
        "action": found.action,
        **chances_fields(found.chances),
        "window": {"take": found.take, "double": found.double, "cash": found.cash, "too_good": found.too_good},
        **depth_fields(engine, found.plies),
    }
    if found.errors is not None:
        said["standard_error"] = dict(zip(("no_double", "double_take"), found.errors, strict=True))
    if found.mwc is not None:
        said["mwc"] = dict(zip(("no_double", "double_take", "double_pass"), found.mwc, strict=True))
    if found.reason:
        said |= {"double_take": None, "double_pass": None, "window": None, "reason": found.reason}
        if found.mwc is not None:
            said["mwc"] = {"no_double": found.mwc[0], "double_take": None, "double_pass": None}
    return said


def offer_fields(info: CubeInfo, judged: OfferJudged) -> JsonFields:
    """The answers to a double, beaver or raccoon, and the right one. info: of the side that decides."""
    answers = []
    for one in judged.answers:
        said = {"answer": one.text.lower(), "equity": one.equity, **mwc_fields(info, one.equity)}
        answers.append(said if one.error is None else said | {"standard_error": one.error})
    return {"answers": answers, "right": judged.best.text.lower()}


def reroll_fields(found: RerollDecision) -> JsonFields:
    """Whether to keep a roll."""
    return {"keep": found.keep, "call": found.call, "action": found.action}


def rollout_fields(found: Rollout[OutcomeProbabilities]) -> JsonFields:
    """Means and their standard errors."""
    mean = chances_fields(found.chances) | {"equity": found.equity.mean, "cubeless": found.cubeless.mean}
    error = chances_fields(found.errors) | {"equity": found.equity.error, "cubeless": found.cubeless.error}
    if found.mwc is not None:
        mean["mwc"], error["mwc"] = found.mwc.mean, found.mwc.error
    return {"mean": mean, "standard_error": error, "trials": found.trials}


def rolled_plays_fields(found: Iterable[RolledPlay[OutcomeProbabilities]]) -> JsonFields:
    """Plays that were rolled out, best first."""
    return {
        "plays": [play_fields(item.play) | rollout_fields(item.rollout) | {"loss": asdict(item.loss)} for item in found]
    }


def rolled_cube_fields(found: RolledCube[OutcomeProbabilities]) -> JsonFields:
    """A cube decision that was rolled out."""
    both = {"no_double": rollout_fields(found.no_double), "double_take": rollout_fields(found.double_take)}
    return both | {"double_pass": found.double_pass, "gain": asdict(found.gain), "action": found.action}
