"""`barpoint eval`: the equity of a position, of the plays of a roll, or of the cube actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

import typer

from barpoint.analysis.offer import OfferAnswer, OfferJudged, judge_offer
from barpoint.analysis.other_verdicts import lines_on, verdict_on
from barpoint.analysis.words import CUBE_LINES, WORDS
from barpoint.cli.advice import cube_action_text, reroll_text
from barpoint.cli.fields import (
    JsonFields,
    JsonOption,
    asked_fields,
    chances_fields,
    cube_fields,
    json_text,
    offer_fields,
    rank_fields,
    reroll_fields,
)
from barpoint.cli.position import (
    UNTOLD,
    IdArgument,
    NetOption,
    TokensOption,
    id_texts,
    position_text,
    raises_of,
    read_position,
    told_tokens,
)
from barpoint.cli.rules_option import RulesOption, chosen_rules
from barpoint.engine import CubeInfo, DecisionPoint, Engine, OutcomeProbabilities, RankedPlay
from barpoint.engine.cube_info import can_double, cube_info_of_situation
from barpoint.engine.decision import Caller
from barpoint.engine.decision_point import Tokens, tokens_left
from barpoint.engine.limits import MAX_PLIES
from barpoint.error import BarpointError, StakesError
from barpoint.language import N_, _, ngettext, number, percent
from barpoint.match.situation import Offer, Situation
from barpoint.moves import parse_faces
from barpoint.record.annotation import MAX_PLAYS as MAX_OTHER_PLAYS
from barpoint.record.annotation import AnnotatedPosition
from barpoint.record.text_annotations import parse_annotated
from barpoint.rules import Rules

_MAX_PLAYS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Evaluate a position, rank the plays of a roll, find the right cube action."))(evaluate)


def evaluate(
    text: IdArgument,
    game: RulesOption = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help=N_('A roll, such as "31"; its plays are ranked.'))] = "",
    tokens: TokensOption = UNTOLD,
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=MAX_PLIES, help=N_("Search depth in rolls."))] = 1,
    time_ms: Annotated[
        float | None,
        typer.Option("--time", "-t", help=N_("Milliseconds: search deeper than that as long as they allow.")),
    ] = None,
    rollout: Annotated[bool, typer.Option("--rollout", help=N_("Roll out what a search finds close."))] = False,
    every: Annotated[bool, typer.Option("--all", help=N_("List every play, not the best ten only."))] = False,
    json: JsonOption = False,
    net: NetOption = None,
) -> None:
    """Print the board and its evaluation; of standard input with an ID a line those of each, with the status 1 where one is refused."""
    rules = chosen_rules(game)
    asked = [
        (line_number, one, None if line_number else read_position(one, rules))
        for line_number, one in id_texts(text, rules)
    ]
    engine = Engine(rules, net=net, plies=plies, time_ms=time_ms, rollout=rollout)
    refused = False
    for line_number, one, said in asked:
        try:
            situation = said or read_position(one, rules)
            other = parse_annotated(one, rules.checkers)
            for text_line in _shown(engine, situation, roll, tokens, line_number, other, every=every, json=json):
                typer.echo(text_line)
        except BarpointError as error:
            if not line_number:
                raise
            refused = True
            typer.echo(_("line %(line)s: %(why)s", line=line_number, why=error.translated()), err=True)
            if json:
                typer.echo(json_text({"line": line_number, "error": str(error)}))
    if refused:
        raise typer.Exit(1)


def _shown(
    engine: Engine[OutcomeProbabilities],
    said: Situation,
    roll: str,
    tokens: Tokens,
    line_number: int,
    other: AnnotatedPosition,
    *,
    every: bool,
    json: bool,
) -> Iterator[str]:
    """The lines that are printed about a position, the board before what is searched for. line_number: of its line in standard input, 0 where it is alone.
    other: what the text of the position says of it.
    """
    rules = engine.rules
    faces = parse_faces(rules.dice.rows, roll) if roll else said.dice
    info = cube_info_of_situation(said, rules)
    answering = said.offer is not Offer.NONE and not faces
    left = told_tokens(rules, tokens[::-1] if answering and said.actor != said.player else tokens)
    point = DecisionPoint(said.position, info, left, faces)
    if answering and not can_double(rules.cube, info):
        raise StakesError("a double waits for its answer, but the side that made it may not double")
    if json:
        of_line = {"line": line_number} if line_number else {}
        yield json_text(
            of_line | _fields(engine, point, said, answering=answering) | _other_fields(other, rules, faces)
        )
        return
    if line_number:
        yield _("== line %(line)s", line=line_number)
    yield position_text(said, rules, info, faces, answering=answering)
    yield ""
    if answering:
        lines = _answers(engine, point, said)
    else:
        lines = _plays(engine, point, None if every else _MAX_PLAYS) if faces else _position(engine, point)
    yield from lines
    yield from _other_lines(other, rules, faces, every=every)
    if line_number:
        yield ""


def _fields(
    engine: Engine[OutcomeProbabilities], point: DecisionPoint, said: Situation, *, answering: bool
) -> JsonFields:
    """All that is printed, for programs; every play."""
    if answering:
        judged, chances, info = _judged(engine, point, said)
        seen = point if said.actor == said.player else replace(point, position=point.position.flip())
        return (
            asked_fields(engine.rules, seen)
            | chances_fields(chances)
            | {"equity": chances.equity}
            | offer_fields(info, judged)
        )
    asked = asked_fields(engine.rules, point)
    if point.faces:
        rerolls = {side: reroll_fields(engine.reroll(point, caller=side)) for side in _callers(engine.rules, point)}
        return asked | rank_fields(engine, engine.rank(point)) | ({"reroll": rerolls} if rerolls else {})
    chances = engine.evaluate(point)
    found = asked | chances_fields(chances) | {"equity": chances.equity}
    return found | ({"cube": cube_fields(engine, engine.cube(point))} if engine.rules.cube else {})


def _other_lines(other: AnnotatedPosition, rules: Rules, faces: tuple[int, ...], *, every: bool) -> Iterator[str]:
    """What another program found, which the text of the position says; nothing of another roll than the one that is asked about."""
    if other.situation.dice == faces:
        if found := lines_on(other, rules, MAX_OTHER_PLAYS if every else _MAX_PLAYS):
            yield from ("", *found)
        if comment := other.annotation.comment:
            yield from ("", _("From the file: %(text)s", text=comment))


def _other_fields(other: AnnotatedPosition, rules: Rules, faces: tuple[int, ...]) -> JsonFields:
    """The same for programs."""
    if other.situation.dice != faces:
        return {}
    said: JsonFields = {"comment": other.annotation.comment} if other.annotation.comment else {}
    if found := verdict_on(other, rules):
        cube = {"cube": found.cube} if found.cube else {}
        said |= {"other": {"program": other.program, "options": found.options} | cube}
    return said


def _plays(engine: Engine[OutcomeProbabilities], point: DecisionPoint, limit: int | None) -> list[str]:
    ranked = engine.rank(point)
    roll = "-".join(map(str, point.faces))
    lines = [ngettext("%(num)s play of %(roll)s", "%(num)s plays of %(roll)s", len(ranked), roll=roll)]
    lines += _depth(engine, ranked[0].plies)
    width = max(24, *(len(str(item.play)) + 2 for item in ranked[:limit]))
    for rank, item in enumerate(ranked[:limit], start=1):
        loss = f"({number(-item.loss, 3, sign=True)})" if item.loss else "        "
        equity = number(item.equity, 3, sign=True)
        lines.append(
            f"{rank:3}  {equity} {loss}  {item.play!s:<{width}}{item.chances}{_mwc(item.mwc)}{_error(item.error)}{_less(item)}"
        )
    if limit is not None and (more := len(ranked) - limit) > 0:
        lines.append(ngettext("%(num)s more play; --all lists it", "%(num)s more plays; --all lists them", more))
    return [*lines, *_rerolls(engine, point)]


def _rerolls(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> list[str]:
    """Whether each side that may reroll the roll should."""
    lines = []
    for side in _callers(engine.rules, point):
        text = reroll_text(point.faces, engine.reroll(point, caller=side))
        lines.append(text if side == "us" else _("the other side, once it is played: %(decision)s", decision=text))
    return ["", *lines] if lines else []


def _callers(rules: Rules, point: DecisionPoint) -> list[Caller]:
    """The sides that may reroll the roll: the one to act first."""
    rights = rules.rerolls
    own, other = tokens_left(rules, point.tokens)
    may: dict[Caller, bool] = {"us": bool(rights.own and own), "them": bool(rights.other and other)}
    return [side for side, able in may.items() if able]


def _position(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> list[str]:
    """The value of a position before the roll and, of its cube actions, those that the side to act may choose."""
    chances = engine.evaluate(point)
    lines = [_without_cube(chances)]
    if not engine.rules.cube:
        return lines
    found = engine.cube(point)
    names = tuple(map(_, CUBE_LINES))
    width = max(14, *map(len, names))
    errors, mwc = (*(found.errors or (None, None)), None), found.mwc or (None, None, None)
    rows = zip(names, (found.no_double, found.double_take, found.double_pass), mwc, errors, strict=True)
    lines += _depth(engine, found.plies)
    actions = [
        f"{name:<{width}} {number(value, 3, sign=True)}{_mwc(share)}{_error(error)}"
        for name, value, share, error in rows
    ]
    if found.reason:
        return [*lines, actions[0], _(found.reason)]
    return [*lines, *actions, _("right: %(action)s", action=cube_action_text(found.action))]


def _answers(engine: Engine[OutcomeProbabilities], point: DecisionPoint, said: Situation) -> list[str]:
    """The answers to a double, beaver or raccoon, all seen by the side that decides."""
    judged, chances, info = _judged(engine, point, said)
    lines = [_without_cube(chances), *_depth(engine, judged.decision.plies if judged.decision else None)]
    width = max(14, *(len(_answer(one)) for one in judged.answers))
    for one in judged.answers:
        mwc = _mwc(info.to_value(one.equity) if info.score else None)
        lines.append(f"{_answer(one):<{width}} {number(one.equity, 3, sign=True)}{mwc}{_error(one.error)}")
    return [*lines, _("right: %(action)s", action=_answer(judged.best))]


def _judged(
    engine: Engine[OutcomeProbabilities], point: DecisionPoint, said: Situation
) -> tuple[OfferJudged, OutcomeProbabilities, CubeInfo]:
    """The answers to an offer, with the chances and the cube of the side that decides."""
    raises = raises_of(said.offer)
    may_raise = raises < int(said.beavers) and point.cube_info.cube_value << (2 + raises) <= said.cube_limit
    judged = judge_offer(engine, point, raises=raises, may_raise=may_raise)
    chances, info = engine.evaluate(point), point.cube_info
    return (judged, chances, info) if said.actor == said.player else (judged, chances.flip(), info.flip())


def _answer(one: OfferAnswer) -> str:
    return _(WORDS[one.text.lower()])


def _without_cube(chances: OutcomeProbabilities) -> str:
    equity = _("equity without cube %(equity)s", equity=number(chances.equity, 3, sign=True))
    return f"{equity}  {chances}"


def _depth(engine: Engine[OutcomeProbabilities], plies: int | None) -> list[str]:
    """How deep a search with a budget of time came, in a line; none for a depth that was asked for."""
    if engine.time_ms is None or plies is None:
        return []
    return [ngettext("searched %(num)s ply deep", "searched %(num)s plies deep", plies)]


def _less(item: RankedPlay[OutcomeProbabilities]) -> str:
    """How deep a play was searched that fell behind before the last search."""
    if item.deep or item.plies is None:
        return ""
    return "  " + (ngettext("%(num)s ply", "%(num)s plies", item.plies) if item.plies else _("no search"))


def _mwc(share: float | None) -> str:
    """The match winning chance in a row; nothing for money."""
    return "" if share is None else "  " + _("mwc %(share)s", share=percent(share, 2))


def _error(error: float | None) -> str:
    """The standard error of what was rolled out."""
    return "" if error is None else "  " + _("rolled out, ± %(error)s", error=number(error, 3))
