"""`barpoint rollout`: a position, a roll or a cube, played out many times."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from barpoint.analysis.words import CUBE_LINES
from barpoint.chances import Chances, Margins
from barpoint.cli.advice import cube_action_text
from barpoint.cli.fields import (
    JsonFields,
    JsonOption,
    asked_fields,
    json_text,
    rolled_cube_fields,
    rolled_plays_fields,
    rollout_fields,
)
from barpoint.cli.position import (
    UNTOLD,
    IdArgument,
    NetOption,
    TokensOption,
    id_text,
    position_text,
    read_position,
    told_tokens,
)
from barpoint.cli.rules_option import RulesOption, chosen_rules
from barpoint.engine import (
    CubeInfo,
    DecisionPoint,
    Engine,
    Estimate,
    OutcomeProbabilities,
    RolledCube,
    RolledPlay,
    Rollout,
    RolloutProgress,
)
from barpoint.engine.cube_info import check_can_double, cube_info_of_situation
from barpoint.engine.rollout_plan import RolloutOptions, RolloutPlan
from barpoint.engine.table import cache_folder
from barpoint.error import OptionError, RolloutError
from barpoint.game import Stakes
from barpoint.language import N_, _, ngettext, number
from barpoint.moves import parse_faces
from barpoint.rules import Rules


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Play a position, the plays of a roll or a cube decision out many times."))(roll_out)


def roll_out(
    text: IdArgument,
    game: RulesOption = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help=N_('A roll, such as "31"; its plays are rolled out.'))] = "",
    cube: Annotated[bool, typer.Option("--cube", "-c", help=N_("Roll out doubling and not doubling."))] = False,
    candidates: Annotated[int, typer.Option(min=1, help=N_("Plays that are rolled out."))] = 5,
    tokens: TokensOption = UNTOLD,
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
    json: JsonOption = False,
    net: NetOption = None,
) -> None:
    """Print the results. Ctrl-C prints the results so far; the same command then continues."""
    rules = chosen_rules(game)
    text = id_text(text)
    said = read_position(text, rules)
    if cube and roll:
        raise OptionError("--cube and --roll exclude each other: a roll is played after the cube decision")
    faces = () if cube else parse_faces(rules.dice.rows, roll) if roll else said.dice
    info = _with_cube(cube_info_of_situation(said, rules), cube, cubeless)
    point = DecisionPoint(said.position, info, told_tokens(rules, tokens), faces)
    engine = Engine(rules, net=net)
    kept = file or _default_file(text, rules, faces, cube, info, (candidates, tokens, plies, truncate, seed, net))
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
    RolloutPlan.of(rules, None, options, info, 0, Chances)  # refuses what is out of range before anything is shown
    if cube:
        check_can_double(rules.cube, info)
    if not json:
        typer.echo(position_text(said, rules, info, faces))
        typer.echo()
    _carry_out(engine, point, cube, candidates, options, ours=file is None, json=json)


def _with_cube(info: CubeInfo, cube: bool, cubeless: bool) -> CubeInfo:
    """Cube and score of the games. cube: a cube decision is asked for."""
    if not cubeless:
        return info
    if cube:
        raise OptionError("--cube and --cubeless: a cube decision needs a cube")
    return replace(info, cube=None, stakes=Stakes())


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
    json: bool,
) -> None:
    file, console = Path(str(options.get("file"))), Console(stderr=True)

    def ask() -> tuple[_Columns | JsonFields, int]:
        if cube:
            decided = engine.rollout_cube(point, **options)
            return rolled_cube_fields(decided) if json else _cube_table(decided), decided.no_double.trials
        if point.faces:
            plays = engine.rollout_plays(point, candidates=candidates, **options)
            trials = max(item.rollout.trials for item in plays)
            return rolled_plays_fields(plays) if json else _plays_table(plays), trials
        found = engine.rollout(point, **options)
        return rollout_fields(found) if json else _position_table(found), found.trials

    with _progress(console, options) as stopped:
        try:
            results, trials = ask()
        except RolloutError:
            if not ours:
                raise
            file.unlink(missing_ok=True)  # made with an older net: of no use any more
            results, trials = ask()
    if isinstance(results, dict):
        typer.echo(json_text(asked_fields(engine.rules, point) | results))
    else:
        _print(results, Console())
    if stopped:
        typer.echo(
            ngettext(
                "stopped after %(num)s game; the same command continues (%(file)s)",
                "stopped after %(num)s games; the same command continues (%(file)s)",
                trials,
                file=file,
            ),
            err=json,
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


@dataclass(frozen=True, slots=True)
class _Columns:
    """Headings and rows of a table. chances: the column from which it may go on below, where a terminal is narrow."""

    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    chances: int
    caption: str = ""


def _print(columns: _Columns, console: Console) -> None:
    """Prints all columns side by side where there is room, else the chances below the rest; no figure is cut."""
    everything = range(len(columns.headings))
    parts = [_drawn(columns, everything)]
    if console.is_terminal and _width(parts[0]) > console.width:
        parts = [
            _drawn(columns, everything[: columns.chances]),
            _drawn(columns, (0, *everything[columns.chances :])),
        ]
    for part in parts:
        Console(width=max(console.width, _width(part))).print(part)
    if columns.caption:
        console.print(columns.caption, soft_wrap=True)


def _width(table: Table) -> int:
    return Console(width=1000).measure(table).maximum


def _drawn(columns: _Columns, shown: Sequence[int]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in shown:
        table.add_column(columns.headings[column], justify="right" if column else "left", no_wrap=True)
    for row in columns.rows:
        if shown[1] >= len(row):
            continue
        table.add_row(*(row[column] if column < len(row) else "" for column in shown))
    return table


def _table(rows: list[tuple[str, Rollout[OutcomeProbabilities] | None, str, str]], last: str) -> _Columns:
    """A row for each thing rolled out: name, equity with error, another column, then its chances."""
    first = next(found for _, found, _, _ in rows if found is not None)
    per_checker, match = isinstance(first.chances, Margins), first.mwc is not None
    names = (_("won"), _("lost")) if per_checker else (_("g"), _("bg"), _("lose g"), _("bg"))
    values = ("", _("equity"), last, *((_("mwc %"),) if match else ()), _("games"))
    table: list[tuple[str, ...]] = []
    for name, found, equity, other in rows:
        if found is None:
            table.append((name, equity, other))
            continue
        mwc = (f"{number(100 * found.mwc.mean, 2)} ±{number(100 * found.mwc.error, 2)}",) if found.mwc else ()
        table.append((name, _estimate(found.equity), other, *mwc, number(found.trials), *_chances(found.chances)))
    return _Columns((*values, _("win %"), *names), table, len(values))


def _chances(chances: OutcomeProbabilities) -> list[str]:
    if isinstance(chances, Margins):
        return [number(100 * chances.win, 1), number(chances.won_points, 2), number(chances.lost_points, 2)]
    values = (chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon)
    return [number(100 * max(value, 0), 1) for value in values]


def _estimate(estimate: Estimate) -> str:
    return f"{number(estimate.mean, 4, sign=True)} ±{number(estimate.error, 4)}".replace("±0.", "±.")


def _position_table(found: Rollout[OutcomeProbabilities]) -> _Columns:
    return _table([(_("position"), found, "", _estimate(found.cubeless))], _("without cube"))


def _plays_table(found: tuple[RolledPlay[OutcomeProbabilities], ...]) -> _Columns:
    rows: list[tuple[str, Rollout[OutcomeProbabilities] | None, str, str]] = []
    for rank, item in enumerate(found):
        loss = _estimate(Estimate(-item.loss.mean, item.loss.error)) if rank else ""
        rows.append((str(item.play), item.rollout, "", loss))
    return _table(rows, _("to the best"))


def _cube_table(found: RolledCube[OutcomeProbabilities]) -> _Columns:
    no_double, double_take, double_pass = map(_, CUBE_LINES)
    rows: list[tuple[str, Rollout[OutcomeProbabilities] | None, str, str]] = [
        (no_double, found.no_double, "", ""),
        (double_take, found.double_take, "", _estimate(found.gain)),
        (double_pass, None, f"{number(found.double_pass, 4, sign=True)}        ", ""),
    ]
    right = _("right: %(action)s", action=cube_action_text(found.action))
    return replace(_table(rows, _("gain")), caption=right)
