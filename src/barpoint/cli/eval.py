"""`barpoint eval`: what a position, a roll or a cube is worth."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from barpoint.chances import Chances
from barpoint.cli.typed import read_faces
from barpoint.draw import board, plain
from barpoint.engine import CubeState, Engine, Score
from barpoint.engine.stake import Stake
from barpoint.error import FormatError, PositionError
from barpoint.moves import check_position, outcome
from barpoint.record import Situation, parse_gnuid, parse_xgid
from barpoint.rules import Rules
from barpoint.variants import variant

_PLAYS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Evaluate a position, rank the plays of a roll, judge the cube.")(evaluate)


def evaluate(
    text: Annotated[str, typer.Argument(metavar="ID", help="A GNU ID (position or position:match) or an XGID.")],
    game: Annotated[str, typer.Option("--variant", "-v", help="Rules.")] = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help='A roll, such as "31"; its plays are ranked.')] = "",
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=4, help="Rolls looked ahead.")] = 1,
) -> None:
    """Print the board and what the engine thinks of it."""
    rules = variant(game)
    said = parse_situation(text, rules)
    position = said.position
    check_position(rules, position)
    if outcome(rules, position) is not None:
        raise PositionError("the game is over in this position")
    engine = Engine(rules, plies=plies)
    faces = read_faces(rules.dice.rows, roll) if roll else said.dice
    stake = stake_of(said, rules, alone=":" not in text)
    typer.echo(plain(board(position, meeting=rules.movement.meeting, middle=("", " ".join(map(str, faces))))))
    typer.echo()
    for line in _plays(engine, said, faces, stake) if faces else _position(engine, said, stake):
        typer.echo(line)


def parse_situation(text: str, rules: Rules) -> Situation:
    """An XGID or a GNU ID; FormatError when it is neither."""
    if text.count(":") > 1:
        return parse_xgid(text, rules.checkers)
    try:
        return parse_gnuid(text, rules.checkers)
    except FormatError as error:
        raise FormatError(f"neither a GNU ID nor an XGID: {error}") from None


def stake_of(said: Situation, rules: Rules, alone: bool) -> Stake:
    """What an ID says that is played for; a position alone is cubeless money."""
    if alone:
        return Stake()
    us = said.player
    owner: Literal["us", "them"] | None = None if said.owner is None else "us" if said.owner == us else "them"
    cube = CubeState(said.cube, owner) if rules.cube else None
    away = said.away
    score = None if away is None else Score(away[us], away[1 - us], said.crawford)
    return Stake(cube, score, said.jacoby, int(said.beavers))


def _plays(engine: Engine, said: Situation, faces: tuple[int, ...], stake: Stake) -> list[str]:
    ranked = engine.rank_for(said.position, faces, stake)
    lines = [f"{len(ranked)} plays of {'-'.join(map(str, faces))}"]
    for number, item in enumerate(ranked[:_PLAYS], start=1):
        mwc = "" if item.mwc is None else f"  mwc {item.mwc:.2%}"
        loss = f"({-item.loss:+.3f})" if item.loss else "        "
        lines.append(f"{number:3}  {item.equity:+.3f} {loss}  {item.play!s:<24}{chances_text(item.chances)}{mwc}")
    return lines


def _position(engine: Engine, said: Situation, stake: Stake) -> list[str]:
    figures = engine.evaluate(said.position)
    lines = [f"equity without cube {figures.equity:+.3f}  {chances_text(figures)}"]
    if said.crawford:
        return [*lines, "nobody may double in the Crawford game"]
    if not engine.rules.cube:
        return lines
    stake = stake if stake.cube else Stake(CubeState())
    found = engine.cube_for(said.position, stake)
    rows = (("no double", found.no_double), ("double, take", found.double_take), ("double, pass", found.double_pass))
    lines += [f"{name:<14} {equity:+.3f}" for name, equity in rows]
    lines.append(f"right: {found.action}")
    return lines


def chances_text(figures: object) -> str:
    """The figures of a position in one line."""
    if isinstance(figures, Chances):
        return (
            f"win {figures.win:.1%} (g {figures.win_gammon:.1%}, bg {figures.win_backgammon:.1%})"
            f"  lose g {figures.lose_gammon:.1%}, bg {figures.lose_backgammon:.1%}"
        )
    return str(figures)
