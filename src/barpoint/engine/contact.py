"""Exact databases of whole games with few checkers a side, contact included (rulings 9.8).

`make` solves a database, which takes minutes for three checkers, and keeps it in a file. Lookups map the file and load
only the pages they need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.chances import Chances
from barpoint.engine import table as files
from barpoint.engine.packed import Floats
from barpoint.error import TableError
from barpoint.native import core, core_rules, pack
from barpoint.rules import FirstRoll, Rules

MAX_CHECKERS: Final = 3
"""Checkers a side of the largest database: 386 MB and a quarter of an hour (docs/engine.md)."""

_KIND: Final = "barpoint whole games 1"
_UNFINISHED: Final = "barpoint whole games unfinished 1"
_STAGES: Final = ("values", "probabilities", "done")
_KEEP_EVERY_SECONDS: Final = 60.0
_STEP: Final = 100
"""Configurations between two checks of the clock and of Ctrl-C. The results depend neither on this nor on the line
above.
"""


@dataclass(frozen=True, slots=True)
class Exact:
    """Exact points for the player to act with the cube at 1, money play.

    cubeless: without a cube; `chances` are of that game. owned, centred, theirs, jacoby: the player to act owns the cube,
        nobody, the other side, nobody under the Jacoby rule; before a double.
    roll_owned, roll_centred, roll_jacoby: they roll without doubling. double_take: they double (from 1 to 2), it is taken.
    """

    chances: Chances
    cubeless: float
    owned: float
    centred: float
    theirs: float
    jacoby: float
    roll_owned: float
    roll_centred: float
    roll_jacoby: float
    double_take: float


@dataclass(frozen=True, slots=True)
class Contact:
    """A finished database. values: [size * size * states * 9] floats, mapped from its file."""

    rules: Rules
    values: Floats
    core: core.Contact

    @property
    def checkers(self) -> int:
        """Most checkers a side on the board."""
        return self.core.checkers

    def covers(self, position: Position) -> bool:
        """Whether the database holds the position and the game is not over in it."""
        try:
            self.core.probabilities(pack(position), 0)
        except IndexError:
            return False
        return True

    def exact(self, position: Position, tokens: tuple[int, int] = (0, 0)) -> Exact:
        """The exact values of a position for the player to act; TableError unless covered.

        tokens: left of the player to act and of the other side.
        """
        if max(tokens) >= 2 or min(tokens) < 0 or (self.core.states == 1 and any(tokens)):
            raise TableError(
                "tokens %(tokens)s; this table has %(what)s",
                tokens=tokens,
                what="none" if self.core.states == 1 else "0 or 1 a side",
            )
        state, packed = tokens[0] + 2 * tokens[1], pack(position)
        try:
            chances = Chances(*self.core.probabilities(packed, state))
        except IndexError:
            raise TableError("not in a table of 1 to %(checkers)s checkers a side", checkers=self.checkers) from None
        cubeless, owned, centred, theirs, jacoby = self.core.equities(packed, state)
        _, roll_owned, roll_centred, roll_theirs, roll_jacoby = self.core.rolling(packed, state)
        return Exact(
            chances,
            cubeless,
            owned,
            centred,
            theirs,
            jacoby,
            roll_owned,
            roll_centred,
            roll_jacoby,
            2 * roll_theirs,
        )


# ---------------------------------------------------------------- making one

SolveProgress = Callable[[str, int, float, float], None]
"""Called with the stage ("values", then "probabilities"), the sweep from 0, the share of the configurations done, and the largest
change in the last whole sweep."""


def solver(rules: Rules, checkers: int, against: int | None = None) -> core.ContactSolver:
    """Starts a database; TableError for rules or sizes that allow none.

    against: leaves out positions in which both sides have more checkers than that on the board, None for nothing left out.
    """
    try:
        return core.ContactSolver(core_rules(rules), checkers, checkers if against is None else against)
    except ValueError as error:
        raise TableError(str(error)) from None


def solve(made: core.ContactSolver, threads: int = 1, progress: SolveProgress | None = None) -> None:
    """Finishes a database; the values do not depend on the number of threads. Can be interrupted between steps."""
    while not made.complete:
        made.advance(_STEP, threads)
        if progress:
            stage, sweep, done, _, change = made.progress
            progress(stage, sweep, done / made.size, change)


def make(
    rules: Rules,
    checkers: int = MAX_CHECKERS,
    threads: int = 1,
    progress: SolveProgress | None = None,
    against: int | None = None,
) -> core.ContactSolver:
    """Solves a database and writes it to `cache_file`, a slice or one of more than MAX_CHECKERS to `slice_file`.

    Resumes an earlier run that was stopped, and reads a slice that is finished. against: as for `solver`. TableError, OSError.
    """
    made, file = solver(rules, checkers, against), cache_file(rules, checkers)
    rest = unfinished_file(rules, checkers, made.against)
    with suppress(OSError, TableError):
        resume(made, rules, rest)
    kept = monotonic()

    def tell(stage: str, sweep: int, share: float, change: float) -> None:
        nonlocal kept
        if progress:
            progress(stage, sweep, share, change)
        if monotonic() - kept > _KEEP_EVERY_SECONDS:
            keep(made, rules, rest)
            kept = monotonic()

    try:
        solve(made, threads, tell)
    except BaseException:
        if not made.complete:
            keep(made, rules, rest)
        raise
    if not engine_asks(checkers, made.against):
        keep(made, rules, rest)
        return made
    save(made, rules, file)
    rest.unlink(missing_ok=True)
    return made


def opening_equity(made: core.ContactSolver, rules: Rules) -> float:
    """Cubeless points of the player who starts, before the opening roll is known, without rerolls."""
    start = pack(rules.start)
    by_opening_roll = rules.opening.first_roll is FirstRoll.OPENING_ROLL
    rows = [
        (row.weight, made.roll_equity(start, number))
        for number, row in enumerate(rules.dice.rows)
        if not by_opening_roll or len(set(row.faces)) > 1
    ]
    return sum(weight * equity for weight, equity in rows) / sum(weight for weight, _ in rows)


def fingerprint(rules: Rules) -> str:
    """Twelve hexadecimal digits that are equal for rules that share a database."""
    said = (rules.checkers, rules.dice, rules.movement, rules.ending, rules.scoring)
    rerolls = rules.rerolls
    marks = (rerolls.own, rerolls.other, rerolls.double_after_cancel) if rerolls.tokens else ()
    return files.fingerprint(*said, marks)


def cache_file(rules: Rules, checkers: int) -> Path:
    """The path of a database in the cache."""
    return files.cache_folder() / f"games-{fingerprint(rules)}-{checkers}.table"


def slice_file(rules: Rules, checkers: int, against: int) -> Path:
    """The path of a slice in the cache, finished or not; the engine does not ask it."""
    return files.cache_folder() / f"games-{fingerprint(rules)}-{checkers}v{against}.slice"


def engine_asks(checkers: int, against: int) -> bool:
    """Whether a database ends in `cache_file`, where the engine finds it."""
    return checkers <= MAX_CHECKERS and against == checkers


def unfinished_file(rules: Rules, checkers: int, against: int) -> Path:
    """The path from which `make` resumes."""
    whole = engine_asks(checkers, against)
    return cache_file(rules, checkers).with_suffix(".unfinished") if whole else slice_file(rules, checkers, against)


def save(made: core.ContactSolver, rules: Rules, file: Path) -> None:
    """Writes a finished database atomically. OSError."""

    def rows() -> Iterator[memoryview]:
        for us in range(made.size):
            yield made.row(us).astype("<f4", copy=False).view(np.uint8).data

    files.save(file, _KIND, fingerprint(rules), made.checkers, rows())


def keep(made: core.ContactSolver, rules: Rules, file: Path) -> None:
    """Writes the state from which `make` can resume. OSError."""
    keep_numbers(rules, made.checkers, file, made.progress, (made.values(), made.probabilities()))


def keep_numbers(
    rules: Rules,
    checkers: int,
    file: Path,
    progress: tuple[str, int, int, float, float],
    numbers: Iterable[npt.NDArray[np.floating[Any]]],
) -> None:
    """Writes the state of a solver from its numbers, in pieces of any length: all values, then all probabilities. OSError."""
    stage, *rest = progress
    head = np.array([_STAGES.index(stage), *rest], "<f8")
    pieces = chain([head], (piece.astype(piece.dtype.newbyteorder("<"), copy=False) for piece in numbers))
    files.save(
        file, _UNFINISHED, fingerprint(rules), checkers, (piece.reshape(-1).view(np.uint8).data for piece in pieces)
    )


def finished(file: Path) -> bool:
    """Whether the solver whose state a file has was done; the rest of the file is not read. OSError."""
    with file.open("rb") as source:
        known = source.readline(len(_UNFINISHED) + 1) == f"{_UNFINISHED}\n".encode()
        source.seek(files.HEAD_BYTES)
        return known and source.read(8) == np.array([_STAGES.index("done")], "<f8").tobytes()


def resume(made: core.ContactSolver, rules: Rules, file: Path) -> None:
    """Resumes from what `keep` wrote; TableError when it is damaged or belongs to another database, OSError."""
    pairs = made.pairs * made.states
    checkers, start = files.check(
        file, _UNFINISHED, fingerprint(rules), rules, lambda _: (40 + 40 * pairs, 40 + 60 * pairs)
    )
    if checkers != made.checkers:
        raise TableError(
            "%(name)s has %(found)s checkers a side, not %(expected)s",
            name=file.name,
            found=checkers,
            expected=made.checkers,
        )
    stage, sweep, done, change, last = np.fromfile(file, "<f8", 5, offset=start).tolist()
    values = np.memmap(file, "<f8", "r", start + 40, (5 * pairs,)).view(np.ndarray)
    left = (file.stat().st_size - start - 40 - 40 * pairs) // 4
    rest = np.fromfile(file, "<f4", left, offset=start + 40 + 40 * pairs)
    try:
        made.resume((_STAGES[int(stage)], int(sweep), int(done), change, last), values, rest)
    except (ValueError, IndexError) as error:
        raise TableError("%(name)s: %(error)s", name=file.name, error=error) from None


# ---------------------------------------------------------------- reading one


def load(rules: Rules, file: Path) -> Contact:
    """Reads a database; TableError says what is wrong with the file, OSError why it cannot be read."""
    compiled = core_rules(rules)

    def needed(checkers: int) -> tuple[int]:
        try:
            return (4 * core.contact_values(compiled, checkers),)
        except (ValueError, TypeError) as error:
            raise TableError("%(name)s: %(error)s", name=file.name, error=error) from None

    checkers, start = files.check(file, _KIND, fingerprint(rules), rules, needed)
    values = np.memmap(file, "<f4", "r", start).view(np.ndarray)
    return Contact(rules, values, core.Contact(compiled, checkers, values))


@cache
def attach(rules: Rules) -> bool:
    """Makes every search and rollout of this process under these rules use the database, if one exists."""
    table = find(rules)
    if table is not None:
        core.use_games(core_rules(rules), table.checkers, table.values)
    return table is not None


@cache
def find(rules: Rules) -> Contact | None:
    """The largest existing database of these rules; None when there is none. Looked up once in a process."""
    for checkers in range(min(MAX_CHECKERS, rules.checkers), 0, -1):
        with suppress(OSError, TableError):
            return load(rules, cache_file(rules, checkers))
    return None
