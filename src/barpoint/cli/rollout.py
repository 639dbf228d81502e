"""`barpoint rollout`: a position, a roll or a cube, played out many times."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from barpoint.chances import Margins
from barpoint.cli.advice import cube_action_text
from barpoint.cli.eval import cube_info
from barpoint.draw import board, plain
from barpoint.engine import (
    CubeInfo,
    CubeState,
    DecisionPoint,
    Engine,
    Estimate,
    OutcomeProbabilities,
    RolledCube,
    RolledPlay,
    Rollout,
    RolloutProgress,
)
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.engine.table import cache_folder
from barpoint.error import PositionError, RolloutError, StakesError
from barpoint.game import Stakes
from barpoint.language import N_, _, ngettext, number
from barpoint.moves import check_position, outcome, parse_faces
from barpoint.record import parse_id
from barpoint.rules import Rules
from barpoint.variants import variant


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Play a position, the plays of a roll or a cube decision out many times."))(roll_out)


def roll_out(
    text: Annotated[
        str, typer.Argument(metavar="ID", help=N_("A GNU ID, an XGID, an OGID, or another text that shows a position."))
    ],
    game: Annotated[str, typer.Option("--variant", "-v", help=N_("Rules."))] = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help=N_('A roll, such as "31"; its plays are rolled out.'))] = "",
    cube: Annotated[bool, typer.Option("--cube", "-c", help=N_("Roll out doubling and not doubling."))] = False,
    candidates: Annotated[int, typer.Option(min=1, help=N_("Plays that are rolled out."))] = 5,
    tokens: Annotated[
        tuple[int, int], typer.Option(help=N_("Reroll tokens left: of the side to act, of the other."))
    ] = (
        -1,
        -1,
    ),
    trials: Annotated[int, typer.Option("--trials", "-n", help=N_("Games."))] = 1296,
    plies: Annotated[int, typer.Option("--plies", "-p", help=N_("Search depth in the games, in rolls."))] = 0,
    cubeless: Annotated[bool, typer.Option(help=N_("Nobody doubles in the games."))] = False,
    truncate: Annotated[int, typer.Option(help=N_("Rolls after which the net evaluates a game; 0: never."))] = 0,
    error: Annotated[float, typer.Option(help=N_("Stop when every standard error is this small; 0: never."))] = 0.0,
    clear: Annotated[
        float, typer.Option(help=N_("Drop plays that are behind by this many standard errors; 0: never."))
    ] = 0.0,
    seed: Annotated[int, typer.Option(help=N_("Seed of the dice."))] = 1,
    threads: Annotated[int, typer.Option(help=N_("Threads; 0: one per core."))] = 0,
    file: Annotated[
        Path | None, typer.Option(help=N_("File that keeps the games; an existing one is continued."))
    ] = None,
) -> None:
    """Print the results. Ctrl-C prints the results so far; the same command then continues."""
    rules = variant(game)
    said = parse_id(text, rules.checkers)
    check_position(rules, said.position)
    if outcome(rules, said.position) is not None:
        raise PositionError("the game is over in this position")
    if cube and roll:
        raise StakesError("--cube and --roll exclude each other: a roll is played after the cube decision")
    faces = () if cube else parse_faces(rules.dice.rows, roll) if roll else said.dice
    info = _with_cube(cube_info(text, said, rules), rules, cube, cubeless)
    point = DecisionPoint(said.position, info, None if tokens == (-1, -1) else tokens, faces)
    kept = file or _default_file(text, rules, faces, cube, info, (candidates, tokens, plies, truncate, seed))
    options = RolloutOptions(
        trials=trials,
        plies=plies,
        late_plies=plies,
        truncate=truncate,
        stop_error=error,
        stop_clear=clear,
        seed=seed,
        threads=threads or None,
        file=kept,
    )
    middle = ("", " ".join(map(str, faces)))
    typer.echo(plain(board(said.position, meeting=rules.movement.meeting, middle=middle)))
    typer.echo()
    _carry_out(Engine(rules), point, cube, candidates, options, ours=file is None)


def _with_cube(info: CubeInfo, rules: Rules, cube: bool, cubeless: bool) -> CubeInfo:
    """Cube and score of the games: with a centred cube where `cube` needs one and the ID has none."""
    if cubeless:
        if cube:
            raise StakesError("--cube and --cubeless: a cube decision needs a cube")
        return replace(info, cube=None, stakes=Stakes())
    return replace(info, cube=CubeState()) if cube and info.cube is None and rules.cube else info


def _default_file(text: str, rules: Rules, faces: tuple[int, ...], cube: bool, info: CubeInfo, rest: object) -> Path:
    """The file of an unfinished rollout that was given none: the same for the same question."""
    name = sha256(repr((text, rules.name, faces, cube, info, rest)).encode()).hexdigest()[:16]
    return cache_folder() / "rollouts" / f"{name}.rollout"


def _carry_out(
    engine: Engine[OutcomeProbabilities],
    point: DecisionPoint,
    cube: bool,
    candidates: int,
    options: RolloutOptions,
    ours: bool,
) -> None:
    file, console = Path(str(options.get("file"))), Console(stderr=True)

    def ask() -> tuple[Table, int]:
        if cube:
            decided = engine.rollout_cube(point, **options)
            return _cube_table(decided), decided.no_double.trials
        if point.faces:
            plays = engine.rollout_plays(point, candidates=candidates, **options)
            return _plays_table(plays), max(item.rollout.trials for item in plays)
        found = engine.rollout(point, **options)
        return _position_table(found), found.trials

    with _progress(console, options) as stopped:
        try:
            table, trials = ask()
        except RolloutError:
            if not ours:
                raise
            file.unlink(missing_ok=True)  # made with an older net: of no use any more
            table, trials = ask()
    shown = Console()
    if not shown.is_terminal:
        shown = Console(width=120)
    shown.print(table, crop=False)
    if stopped:
        typer.echo(
            ngettext(
                "stopped after %(num)s game; the same command continues (%(file)s)",
                "stopped after %(num)s games; the same command continues (%(file)s)",
                trials,
                file=file,
            )
        )
        raise typer.Exit(130)
    if ours:
        file.unlink(missing_ok=True)


@contextmanager
def _progress(console: Console, options: RolloutOptions) -> Iterator[list[bool]]:
    """Shows progress and lets Ctrl-C stop the rollout; the list is not empty when it did."""
    stopped: list[bool] = []
    shown = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )
    games = _("games")
    task = shown.add_task(games, total=options.get("trials"))

    def tell(said: RolloutProgress) -> bool:
        first = said.equities[0]
        known = first.mean == first.mean and first.error < float("inf")
        text = f"{games}  {number(first.mean, 4, sign=True)} ±{number(first.error, 4)}" if known else games
        shown.update(task, completed=said.done, description=text)
        return not stopped

    options["progress"] = tell
    before = signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    try:
        if console.is_terminal:
            with shown:
                yield stopped
        else:
            yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _table(rows: list[tuple[str, Rollout[OutcomeProbabilities] | None, str, str]], last: str) -> Table:
    """A row for each thing rolled out: name, equity with error, another column, then its chances."""
    first = next(found for _, found, _, _ in rows if found is not None)
    per_checker, match = isinstance(first.chances, Margins), first.mwc is not None
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    names = (_("won"), _("lost")) if per_checker else (_("g"), _("bg"), _("lose g"), _("bg"))
    for name in (_("equity"), last, *((_("mwc %"),) if match else ()), _("games"), _("win %"), *names):
        table.add_column(name, justify="right", no_wrap=True)
    for name, found, equity, other in rows:
        if found is None:
            table.add_row(name, equity, other)
            continue
        mwc = (f"{number(100 * found.mwc.mean, 2)} ±{number(100 * found.mwc.error, 2)}",) if found.mwc else ()
        table.add_row(name, _estimate(found.equity), other, *mwc, number(found.trials), *_chances(found.chances))
    return table


def _chances(chances: OutcomeProbabilities) -> list[str]:
    if isinstance(chances, Margins):
        return [number(100 * chances.win, 1), number(chances.won_points, 2), number(chances.lost_points, 2)]
    values = (chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon)
    return [number(100 * max(value, 0), 1) for value in values]


def _estimate(estimate: Estimate) -> str:
    return f"{number(estimate.mean, 4, sign=True)} ±{number(estimate.error, 4)}".replace("±0.", "±.")


def _position_table(found: Rollout[OutcomeProbabilities]) -> Table:
    return _table([(_("position"), found, "", _estimate(found.cubeless))], _("without cube"))


def _plays_table(found: tuple[RolledPlay[OutcomeProbabilities], ...]) -> Table:
    rows: list[tuple[str, Rollout[OutcomeProbabilities] | None, str, str]] = []
    for rank, item in enumerate(found):
        loss = _estimate(Estimate(-item.loss.mean, item.loss.error)) if rank else ""
        rows.append((str(item.play), item.rollout, "", loss))
    return _table(rows, _("to the best"))


def _cube_table(found: RolledCube[OutcomeProbabilities]) -> Table:
    rows: list[tuple[str, Rollout[OutcomeProbabilities] | None, str, str]] = [
        (_("no double"), found.no_double, "", ""),
        (_("double, take"), found.double_take, "", _estimate(found.gain)),
        (_("double, pass"), None, f"{number(found.double_pass, 4, sign=True)}        ", ""),
    ]
    table = _table(rows, _("gain"))
    table.caption = _("right: %(action)s", action=cube_action_text(found.action))
    table.caption_justify = "left"
    return table
