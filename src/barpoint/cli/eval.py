"""`barpoint eval`: the equity of a position, of the plays of a roll, or of the cube actions."""

from __future__ import annotations

from typing import Annotated

import typer

from barpoint.chances import Chances, Margins
from barpoint.cli.advice import cube_action_text
from barpoint.draw import board, plain
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine, OutcomeProbabilities
from barpoint.engine.cube_info import cube_info_of_situation
from barpoint.engine.limits import MAX_PLIES
from barpoint.error import PositionError
from barpoint.language import N_, _, ngettext, number, percent
from barpoint.moves import check_position, outcome, parse_faces
from barpoint.record import IdFormat, Situation, id_format, parse_id
from barpoint.rules import Rules
from barpoint.variants import variant

_MAX_PLAYS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Evaluate a position, rank the plays of a roll, find the right cube action."))(evaluate)


def evaluate(
    text: Annotated[
        str, typer.Argument(metavar="ID", help=N_("A GNU ID, an XGID, an OGID, or another text that shows a position."))
    ],
    game: Annotated[str, typer.Option("--variant", "-v", help=N_("Rules."))] = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help=N_('A roll, such as "31"; its plays are ranked.'))] = "",
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=MAX_PLIES, help=N_("Search depth in rolls."))] = 1,
    time_ms: Annotated[
        float | None,
        typer.Option("--time", "-t", help=N_("Milliseconds: search deeper than that as long as they allow.")),
    ] = None,
    rollout: Annotated[bool, typer.Option("--rollout", help=N_("Roll out what a search finds close."))] = False,
) -> None:
    """Print the board and its evaluation."""
    rules = variant(game)
    said = parse_id(text, rules.checkers)
    position = said.position
    check_position(rules, position)
    if outcome(rules, position) is not None:
        raise PositionError("the game is over in this position")
    engine = Engine(rules, plies=plies, time_ms=time_ms, rollout=rollout)
    faces = parse_faces(rules.dice.rows, roll) if roll else said.dice
    point = DecisionPoint(position, cube_info(text, said, rules), faces=faces)
    typer.echo(plain(board(position, meeting=rules.movement.meeting, middle=("", " ".join(map(str, faces))))))
    typer.echo()
    for line in _plays(engine, point) if faces else _position(engine, point, said.crawford):
        typer.echo(line)


def cube_info(text: str, situation: Situation, rules: Rules) -> CubeInfo:
    """Cube and score of an ID; a position alone is cubeless money."""
    return CubeInfo() if id_format(text) is IdFormat.POSITION else cube_info_of_situation(situation, rules)


def _plays(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> list[str]:
    ranked = engine.rank(point)
    roll = "-".join(map(str, point.faces))
    lines = [ngettext("%(num)s play of %(roll)s", "%(num)s plays of %(roll)s", len(ranked), roll=roll)]
    lines += _depth(engine, ranked[0].plies)
    for rank, item in enumerate(ranked[:_MAX_PLAYS], start=1):
        mwc = "" if item.mwc is None else "  " + _("mwc %(share)s", share=percent(item.mwc, 2))
        loss = f"({number(-item.loss, 3, sign=True)})" if item.loss else "        "
        equity = number(item.equity, 3, sign=True)
        lines.append(
            f"{rank:3}  {equity} {loss}  {item.play!s:<24}{chances_text(item.chances)}{mwc}{_error(item.error)}"
        )
    return lines


def _position(engine: Engine[OutcomeProbabilities], point: DecisionPoint, crawford: bool) -> list[str]:
    chances = engine.evaluate(point)
    equity = _("equity without cube %(equity)s", equity=number(chances.equity, 3, sign=True))
    lines = [f"{equity}  {chances_text(chances)}"]
    if crawford:
        return [*lines, _("nobody may double in the Crawford game")]
    if not engine.rules.cube:
        return lines
    found = engine.cube(point if point.cube_info.cube else DecisionPoint(point.position, CubeInfo(CubeState())))
    names = (_("no double"), _("double, take"), _("double, pass"))
    width = max(14, *map(len, names))
    errors = (*(found.errors or (None, None)), None)
    rows = zip(names, (found.no_double, found.double_take, found.double_pass), errors, strict=True)
    lines += _depth(engine, found.plies)
    lines += [f"{name:<{width}} {number(value, 3, sign=True)}{_error(error)}" for name, value, error in rows]
    lines.append(_("right: %(action)s", action=cube_action_text(found.action)))
    return lines


def _depth(engine: Engine[OutcomeProbabilities], plies: int | None) -> list[str]:
    """How deep a search with a budget of time came, in a line; none for a depth that was asked for."""
    if engine.time_ms is None or plies is None:
        return []
    return [ngettext("searched %(num)s ply deep", "searched %(num)s plies deep", plies)]


def _error(error: float | None) -> str:
    """The standard error of what was rolled out."""
    return "" if error is None else "  " + _("rolled out, ± %(error)s", error=number(error, 3))


def chances_text(chances: object) -> str:
    """The chances of a position in one line."""
    if isinstance(chances, Chances):
        return _(
            "win %(win)s (g %(win_gammon)s, bg %(win_backgammon)s)  lose g %(lose_gammon)s, bg %(lose_backgammon)s",
            win=percent(chances.win, 1),
            win_gammon=percent(chances.win_gammon, 1),
            win_backgammon=percent(chances.win_backgammon, 1),
            lose_gammon=percent(chances.lose_gammon, 1),
            lose_backgammon=percent(chances.lose_backgammon, 1),
        )
    if isinstance(chances, Margins):
        return _(
            "win %(win)s  points won %(won)s, points lost %(lost)s",
            win=percent(chances.win, 1),
            won=number(chances.won_points, 2),
            lost=number(chances.lost_points, 2),
        )
    return str(chances)
