"""Whole games solved by several processes together: the same bits as by one, also when a process is killed or the run is stopped."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from barpoint.cli.program import app
from barpoint.engine import contact, contact_tiles
from barpoint.engine.contact_shared import make_shared, shared_games
from barpoint.engine.contact_tiles import SharedGames, SweepStep, Tiles, keep_plays, solve_piece
from barpoint.engine.executors import executor_named
from barpoint.error import RolloutError, TableError
from barpoint.native import core, core_rules
from barpoint.variants import variant

ONE = variant("hypergammon(checkers=1)")
TWO = variant("hypergammon(checkers=2)")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    contact_tiles.tiles_of.cache_clear()
    yield tmp_path / "barpoint"
    contact_tiles.tiles_of.cache_clear()


def alone(name: str, folder: Path) -> bytes:
    """The file of a solver that has done all by itself."""
    rules = variant(name)
    made = contact.solver(rules, 1)
    contact.solve(made)
    contact.keep(made, rules, folder / "alone")
    return (folder / "alone").read_bytes()


def stopping(at: tuple[str, int, float]) -> contact.SolveProgress:
    """Ctrl-C at a stage, a sweep and a share of it."""

    def tell(stage: str, sweep: int, share: float, change: float) -> None:
        if (stage, sweep) == at[:2] and share >= at[2]:
            raise KeyboardInterrupt

    return tell


# ---------------------------------------------------------------- the same values


@pytest.mark.parametrize("name", ["hypergammon(checkers=1)", "roll-over+hypergammon(checkers=1)"])
def test_pieces_make_the_file_of_one_solver_bit_for_bit(name: str, tmp_path: Path) -> None:
    assert make_shared(variant(name), 1, None, None).read_bytes() == alone(name, tmp_path)


def test_threads_of_an_executor_make_the_same_file(tmp_path: Path) -> None:
    with executor_named("threads", 3) as executor:
        assert make_shared(ONE, 1, None, executor).read_bytes() == alone("hypergammon(checkers=1)", tmp_path)


def test_two_processes_of_which_one_is_killed_make_the_same_file(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(stage: str, sweep: int, share: float, change: float) -> None:
        if sweep == 3 and share > 0.3 and not killed:
            killed.append(active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    with executor_named("processes", 2) as executor:
        found = make_shared(ONE, 1, None, executor, progress=kill)
    assert killed
    assert found.read_bytes() == alone("hypergammon(checkers=1)", tmp_path)


def test_a_slice_has_the_values_of_one_solver_after_each_sweep(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make_shared(TWO, 2, 1, None, progress=stopping(("values", 2, 0.0)))
    made = contact.solver(TWO, 2, against=1)
    while made.progress[1] < 2:
        made.advance(1, 1)
    games = shared_games(TWO, 2, 1)
    tiles = Tiles(games)
    first = [file for file in tiles.folder.iterdir() if file.name.startswith("values-0002")]
    assert len(first) == 1, "one piece of the third sweep"
    assert tiles.pieces_of(0) == []
    found = np.concatenate([rows.reshape(-1) for rows in tiles.rows("values", 2)])
    assert found.shape == made.values().shape
    assert np.array_equal(found, made.values())


# ---------------------------------------------------------------- stopped


@pytest.mark.parametrize("at", [("values", 0, 0.4), ("values", 7, 0.7), ("probabilities", 2, 0.2)])
def test_a_stopped_run_goes_on_at_its_piece(at: tuple[str, int, float], tmp_path: Path, cache: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make_shared(ONE, 1, None, None, progress=stopping(at))
    (folder,) = cache.iterdir()
    (folder / f"{at[0]}-9999-000-000abc").touch()  # of a process that was killed while it wrote
    seen: list[tuple[str, int, float]] = []
    made = make_shared(ONE, 1, None, None, progress=lambda *said: seen.append(said[:3]))
    assert seen[0][:2] == at[:2]
    assert seen[0][2] <= at[2] + 0.3
    assert made.read_bytes() == alone("hypergammon(checkers=1)", tmp_path)
    assert [file.name for file in cache.iterdir()] == [made.name]


def test_what_a_step_replaces_is_removed(cache: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make_shared(ONE, 1, None, None, progress=stopping(("values", 3, 1.0)))
    tiles = Tiles(shared_games(ONE, 1, None))
    each = [tiles.file("values", 3, us, them).name for step in range(tiles.steps) for us, them in tiles.pieces_of(step)]
    left = {file.name for file in tiles.folder.iterdir()} - {"spans.npy", "replies.npy", "steps.jsonl"}
    last = {tiles.file("values", 2, us, them).name for us, them in tiles.pieces_of(tiles.steps - 1)}
    assert left == {*each} | last


def test_a_finished_run_is_not_repeated() -> None:
    file = make_shared(ONE, 1, None, None)
    made = file.stat().st_mtime_ns
    assert make_shared(ONE, 1, None, None, progress=lambda *_: pytest.fail("it was finished")) == file
    assert file.stat().st_mtime_ns == made


# ---------------------------------------------------------------- refused


def begun(folder: Path) -> tuple[SharedGames, Tiles]:
    """A run before its first step."""
    games = SharedGames(ONE, 1, 1, str(folder))
    folder.mkdir()
    keep_plays(games)
    return games, Tiles(games)


def test_a_tile_that_is_damaged_or_missing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_tiles, "_SEEN_WITHIN_SECONDS", 0.0)
    games, tiles = begun(tmp_path / "run")
    ((us, them),) = tiles.pieces_of(1)
    with pytest.raises(TableError, match="is not in the folder"):
        solve_piece(games, SweepStep("values", 1, 1), us, them)
    tiles.file("values", 0, us, them).write_bytes(bytes(99))
    with pytest.raises(TableError, match="size of a tile"):
        solve_piece(games, SweepStep("values", 1, 1), us, them)


def test_plays_of_other_games_are_refused(tmp_path: Path) -> None:
    games, _ = begun(tmp_path / "run")
    with pytest.raises(TableError, match="not those of this table"):
        Tiles(SharedGames(TWO, 2, 2, games.folder))


def test_the_steps_of_another_run_or_of_two_at_once_are_refused() -> None:
    with pytest.raises(KeyboardInterrupt):
        make_shared(ONE, 1, None, None, progress=stopping(("values", 1, 0.5)))
    steps = Path(shared_games(ONE, 1, None).folder) / "steps.jsonl"
    lines = steps.read_text().splitlines()
    steps.write_text("\n".join([*lines, lines[-1]]) + "\n")
    with pytest.raises(TableError, match="two runs at once"):
        make_shared(ONE, 1, None, None)
    steps.write_text("\n".join(['{"run": "0"}', *lines[1:]]) + "\n")
    with pytest.raises(RolloutError, match="another run"):
        make_shared(ONE, 1, None, None)


def test_pieces_of_no_slice_and_other_tiles_are_refused() -> None:
    pieces = core.ContactPieces(core_rules(TWO), 2, 1)
    last = len(pieces.blocks) - 1
    with pytest.raises(IndexError, match="no such piece"):
        pieces.values(last, last, [])
    with pytest.raises(ValueError, match="sources"):
        pieces.values(0, 0, [])
    with pytest.raises(ValueError, match="size"):
        pieces.values(0, 0, [np.zeros(1) for _ in pieces.sources(0)])
    with pytest.raises(TableError, match="1 to 2"):
        make_shared(TWO, 3, None, None)


# ---------------------------------------------------------------- the command


def test_the_command_solves_a_slice_on_an_executor(cache: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make_shared(TWO, 2, 1, None, progress=stopping(("values", 1, 0.5)))
    options = ["--checkers", "2", "--against", "1", "--executor", "threads", "--workers", "1"]
    result = CliRunner().invoke(app, ["build", "hypergammon", *options])
    assert result.exit_code == 0, result.output
    assert str(contact.slice_file(TWO, 2, 1)) in result.output.replace("\n", "")
    assert contact.make(TWO, 2, against=1, progress=lambda *_: pytest.fail("it was finished")).complete


def test_the_command_solves_on_an_executor(cache: Path, tmp_path: Path) -> None:
    options = ["--checkers", "1", "--executor", "threads", "--workers", "2", "--folder", str(tmp_path / "seen by all")]
    result = CliRunner().invoke(app, ["build", "hypergammon", *options])
    assert result.exit_code == 0, result.output
    assert "equities, sweep 2, changes up to" in result.output
    assert "+0.3142563394573" in result.output
    assert [file.suffix for file in cache.iterdir()] == [".table"]
    assert list((tmp_path / "seen by all").iterdir()) == []


def test_an_executor_that_is_none_is_refused() -> None:
    result = CliRunner().invoke(app, ["build", "hypergammon", "--checkers", "1", "--executor", "tcp://x"])
    assert result.exit_code != 0
