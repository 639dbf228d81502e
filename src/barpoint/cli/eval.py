"""`barpoint eval`: the equity of a position, of the plays of a roll, or of the cube actions."""

from __future__ import annotations

from typing import Annotated

import typer

from barpoint.chances import Chances
from barpoint.draw import board, plain
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine, OutcomeProbabilities
from barpoint.engine.cube_info import cube_info_of_situation
from barpoint.engine.limits import MAX_PLIES
from barpoint.error import PositionError
from barpoint.moves import check_position, outcome, parse_faces
from barpoint.record import IdFormat, Situation, id_format, parse_id
from barpoint.rules import Rules
from barpoint.variants import variant

_MAX_PLAYS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Evaluate a position, rank the plays of a roll, find the right cube action.")(evaluate)


def evaluate(
    text: Annotated[
        str, typer.Argument(metavar="ID", help="A GNU ID, an XGID, an OGID, or another text that shows a position.")
    ],
    game: Annotated[str, typer.Option("--variant", "-v", help="Rules.")] = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help='A roll, such as "31"; its plays are ranked.')] = "",
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=MAX_PLIES, help="Search depth in rolls.")] = 1,
) -> None:
    """Print the board and its evaluation."""
    rules = variant(game)
    said = parse_id(text, rules.checkers)
    position = said.position
    check_position(rules, position)
    if outcome(rules, position) is not None:
        raise PositionError("the game is over in this position")
    engine = Engine(rules, plies=plies)
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
    lines = [f"{len(ranked)} plays of {'-'.join(map(str, point.faces))}"]
    for number, item in enumerate(ranked[:_MAX_PLAYS], start=1):
        mwc = "" if item.mwc is None else f"  mwc {item.mwc:.2%}"
        loss = f"({-item.loss:+.3f})" if item.loss else "        "
        lines.append(f"{number:3}  {item.equity:+.3f} {loss}  {item.play!s:<24}{chances_text(item.chances)}{mwc}")
    return lines


def _position(engine: Engine[OutcomeProbabilities], point: DecisionPoint, crawford: bool) -> list[str]:
    chances = engine.evaluate(point)
    lines = [f"equity without cube {chances.equity:+.3f}  {chances_text(chances)}"]
    if crawford:
        return [*lines, "nobody may double in the Crawford game"]
    if not engine.rules.cube:
        return lines
    found = engine.cube(point if point.cube_info.cube else DecisionPoint(point.position, CubeInfo(CubeState())))
    rows = (("no double", found.no_double), ("double, take", found.double_take), ("double, pass", found.double_pass))
    lines += [f"{name:<14} {equity:+.3f}" for name, equity in rows]
    lines.append(f"right: {found.action}")
    return lines


def chances_text(chances: object) -> str:
    """The chances of a position in one line."""
    if isinstance(chances, Chances):
        return (
            f"win {chances.win:.1%} (g {chances.win_gammon:.1%}, bg {chances.win_backgammon:.1%})"
            f"  lose g {chances.lose_gammon:.1%}, bg {chances.lose_backgammon:.1%}"
        )
    return str(chances)
