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

from barpoint.board import Position
from barpoint.chances import Chances, Margins
from barpoint.cli.eval import parse_situation, stake_of
from barpoint.cli.typed import read_faces
from barpoint.draw import board, plain
from barpoint.engine import CubeState, Engine, Estimate, RolledCube, RolledPlay, Rollout, RolloutProgress, Stake
from barpoint.engine.rollout_order import RolloutOptions
from barpoint.engine.table import cache_folder
from barpoint.error import PositionError, RolloutError, StakesError
from barpoint.moves import check_position, outcome
from barpoint.rules import Rules
from barpoint.variants import variant


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Play a position, the plays of a roll or a cube decision out many times.")(roll_out)


def roll_out(
    text: Annotated[str, typer.Argument(metavar="ID", help="A GNU ID (position or position:match) or an XGID.")],
    game: Annotated[str, typer.Option("--variant", "-v", help="Rules.")] = "backgammon",
    roll: Annotated[str, typer.Option("--roll", "-r", help='A roll, such as "31"; its plays are rolled out.')] = "",
    cube: Annotated[bool, typer.Option("--cube", "-c", help="Roll out doubling and not doubling.")] = False,
    candidates: Annotated[int, typer.Option(min=1, help="Plays that are rolled out.")] = 5,
    tokens: Annotated[tuple[int, int], typer.Option(help="Markers left: of the side to act, of the other.")] = (-1, -1),
    trials: Annotated[int, typer.Option("--trials", "-n", help="Games.")] = 1296,
    plies: Annotated[int, typer.Option("--plies", "-p", help="Rolls looked ahead in the games.")] = 0,
    cubeless: Annotated[bool, typer.Option(help="Nobody doubles in the games.")] = False,
    truncate: Annotated[int, typer.Option(help="Rolls after which a game ends with the net's figures; 0: never.")] = 0,
    error: Annotated[float, typer.Option(help="Done when every standard error is this small; 0: never.")] = 0.0,
    clear: Annotated[float, typer.Option(help="Plays behind by so many standard errors are dropped; 0: never.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of the dice.")] = 1,
    threads: Annotated[int, typer.Option(help="Threads; 0: one a core.")] = 0,
    file: Annotated[Path | None, typer.Option(help="Where games are kept; one that is there is gone on with.")] = None,
) -> None:
    """Print the table of what was found. Ctrl-C prints what is there; the same command then goes on."""
    rules = variant(game)
    said = parse_situation(text, rules)
    check_position(rules, said.position)
    if outcome(rules, said.position) is not None:
        raise PositionError("the game is over in this position")
    if cube and roll:
        raise StakesError("--cube and --roll: a roll is played after the cube was decided about; give one of them")
    faces = () if cube else read_faces(rules.dice.rows, roll) if roll else said.dice
    stake = _stake(stake_of(said, rules, alone=":" not in text), rules, cube, cubeless)
    kept = file or _default_file(text, rules, faces, cube, stake, (candidates, tokens, plies, truncate, seed))
    options = RolloutOptions(
        cube=stake.cube,
        score=stake.score,
        jacoby=stake.jacoby,
        beavers=stake.beavers,
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
    if tokens != (-1, -1):
        options["tokens"] = tokens
    middle = ("", " ".join(map(str, faces)))
    typer.echo(plain(board(said.position, meeting=rules.movement.meeting, middle=middle)))
    typer.echo()
    _carry_out(Engine(rules), said.position, faces, cube, candidates, options, ours=file is None)


def _stake(stake: Stake, rules: Rules, cube: bool, cubeless: bool) -> Stake:
    """What the games are played for: with a cube in the middle where one is asked for and none is said."""
    if cubeless:
        if cube:
            raise StakesError("--cube and --cubeless: a cube decision needs a cube")
        return replace(stake, cube=None, jacoby=False, beavers=0)
    return replace(stake, cube=CubeState()) if cube and stake.cube is None and rules.cube else stake


def _default_file(text: str, rules: Rules, faces: tuple[int, ...], cube: bool, stake: Stake, rest: object) -> Path:
    """Where a rollout without a file of its own is kept until it is finished: the same for the same question."""
    name = sha256(repr((text, rules.name, faces, cube, stake, rest)).encode()).hexdigest()[:16]
    return cache_folder() / "rollouts" / f"{name}.rollout"


def _carry_out(
    engine: Engine,
    position: Position,
    faces: tuple[int, ...],
    cube: bool,
    candidates: int,
    options: RolloutOptions,
    ours: bool,
) -> None:
    file, console = Path(str(options.get("file"))), Console(stderr=True)

    def ask() -> tuple[Table, int]:
        if cube:
            decided = engine.rollout_cube(position, **options)
            return _cube_table(decided), decided.no_double.trials
        if faces:
            plays = engine.rollout_plays(position, faces, candidates, **options)
            return _plays_table(plays), max(item.rollout.trials for item in plays)
        found = engine.rollout(position, **options)
        return _position_table(found), found.trials

    with _progress(console, options) as stopped:
        try:
            table, trials = ask()
        except RolloutError:
            if not ours:
                raise
            file.unlink(missing_ok=True)  # of an older net: it was only there to go on from
            table, trials = ask()
    shown = Console()
    shown.print(table, crop=False, width=None if shown.is_terminal else 120)
    if stopped:
        typer.echo(f"stopped after {trials:,} games; the same command goes on ({file})")
        raise typer.Exit(130)
    if ours:
        file.unlink(missing_ok=True)


@contextmanager
def _progress(console: Console, options: RolloutOptions) -> Iterator[list[bool]]:
    """Shows how far it is, and lets Ctrl-C end it; the list is not empty when it did."""
    stopped: list[bool] = []
    shown = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )
    task = shown.add_task("games", total=options.get("trials"))

    def tell(said: RolloutProgress) -> bool:
        first = said.equities[0]
        known = first.mean == first.mean and first.error < float("inf")
        text = f"games  {first.mean:+.4f} ±{first.error:.4f}" if known else "games"
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


def _table(rows: list[tuple[str, Rollout | None, str, str]], last: str) -> Table:
    """A row for each thing rolled out: its name, equity with error, another column, then the figures."""
    first = next(found for _, found, _, _ in rows if found is not None)
    per_checker, match = isinstance(first.chances, Margins), first.mwc is not None
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    names = ("win %", "won", "lost") if per_checker else ("win %", "g", "bg", "lose g", "bg")
    for name in ("equity", last, *(("mwc %",) if match else ()), "games", *names):
        table.add_column(name, justify="right", no_wrap=True)
    for name, found, equity, other in rows:
        if found is None:
            table.add_row(name, equity, other)
            continue
        mwc = (f"{100 * found.mwc.mean:.2f} ±{100 * found.mwc.error:.2f}",) if found.mwc else ()
        table.add_row(name, _estimate(found.equity), other, *mwc, f"{found.trials:,}", *_figures(found.chances))
    return table


def _figures(chances: Chances | Margins) -> list[str]:
    if isinstance(chances, Margins):
        return [f"{100 * chances.win:.1f}", f"{chances.won_points:.2f}", f"{chances.lost_points:.2f}"]
    values = (chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon)
    return [f"{100 * max(value, 0):.1f}" for value in values]


def _estimate(estimate: Estimate) -> str:
    return f"{estimate.mean:+.4f} ±{estimate.error:.4f}".replace("±0.", "±.")


def _position_table(found: Rollout) -> Table:
    return _table([("position", found, "", _estimate(found.cubeless))], "without cube")


def _plays_table(found: tuple[RolledPlay, ...]) -> Table:
    rows: list[tuple[str, Rollout | None, str, str]] = []
    for number, item in enumerate(found):
        loss = _estimate(Estimate(-item.loss.mean, item.loss.error)) if number else ""
        rows.append((str(item.play), item.rollout, "", loss))
    return _table(rows, "to the best")


def _cube_table(found: RolledCube) -> Table:
    rows: list[tuple[str, Rollout | None, str, str]] = [
        ("no double", found.no_double, "", ""),
        ("double, take", found.double_take, "", _estimate(found.gain)),
        ("double, pass", None, f"{found.double_pass:+.4f}        ", ""),
    ]
    table = _table(rows, "gain")
    table.caption = f"right: {found.action}"
    table.caption_justify = "left"
    return table
