"""Rolls out a decision in a process of its own, and tells its means as they come.

`python -m barpoint.analysis.position_rollout` reads a `RolloutQuestion` as a JSON line and writes `RolloutAnswer`s, a
line each; the last one holds the games, from which a later rollout goes on. It stops early when its input ends.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from barpoint.analysis.inquiry import Inquiry, engine_of, point_of_inquiry
from barpoint.analysis.position import play_text, rounded
from barpoint.analysis.process import exit_status, stopped_with_input
from barpoint.analysis.words import CUBE_ROWS
from barpoint.engine import DecisionPoint, Engine, Estimate, OutcomeProbabilities, RolledPlay, Rollout, RolloutProgress
from barpoint.engine.cube_info import can_double
from barpoint.engine.net import net_version
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.game.event import MoveMade
from barpoint.moves import Play, parse_play

CANDIDATES: Final = 5
"""Plays that are rolled out, on the same dice."""

LEAST: Final = 2
NEAR: Final = 0.12
"""Beyond the first two, plays worse than the best by more than this are not rolled out."""

CLEAR: Final = 3.0
"""A choice behind by this many standard errors of the difference is dropped; with one left the rollout ends."""

MINIMUM: Final = 144
"""Games before a choice may be dropped."""

PAUSE_S: Final = 0.4
"""Seconds between two lines of progress."""


class RolloutMethod(Struct, frozen=True, omit_defaults=True):
    """What of a position is rolled out and how: all that decides a game, beside its number.

    plies, cube_plies: search depth of plays and of cube decisions. truncate: rolls after which the net evaluates a game; 0:
    never. seed: of the dice. plays: in notation, instead of the best ones; () for those. also: a play to roll out beside
    the best ones; "" for none.
    """

    plies: Annotated[int, Meta(ge=0, le=2)] = 0
    cube_plies: Annotated[int, Meta(ge=0, le=2)] = 0
    truncate: int = 0
    seed: int = 1
    plays: tuple[str, ...] = ()
    also: str = ""


USUAL_METHOD: Final = RolloutMethod()
"""The best plays, or the cube actions, at 0-ply to the end."""


class RolloutQuestion(Struct, frozen=True):
    """What to roll out. trials: games of each choice. games: of an earlier rollout of the same, from which it goes on."""

    inquiry: Inquiry
    trials: Annotated[int, Meta(ge=1, le=1 << 20)]
    method: RolloutMethod = USUAL_METHOD
    threads: int = 1
    games: bytes = b""


class RolledChoice(Struct, frozen=True, omit_defaults=True):
    """A play or cube action. equity, loss: with their standard errors; None while there are too few games.

    games: played. chances, chances_errors: as in `PlayAnswer`; only at the end.
    """

    text: str
    equity: float | None
    error: float | None
    games: int
    loss: float | None = None
    loss_error: float | None = None
    moves: tuple[MoveMade, ...] = ()
    chances: tuple[float, ...] = ()
    chances_errors: tuple[float, ...] = ()
    mwc: float | None = None


class RolloutAnswer(Struct, frozen=True, omit_defaults=True):
    """A rollout, running or ended. kind: "play", "cube" or "position". choices: plays best first; no double, take, pass.

    done, trials: games of each choice. clear: one choice is ahead of all others by three errors. action: the cube
    action that the rollout finds. over: no more games are played. games: all of them, in the last line of the process.
    method: how it was made.
    """

    net: str
    plies: int
    kind: str
    done: int
    trials: int
    choices: tuple[RolledChoice, ...]
    clear: bool = False
    action: str = ""
    over: bool = False
    refused: str = ""
    games: bytes = b""
    method: RolloutMethod = USUAL_METHOD


class _Run:
    """One rollout: its engine, what is rolled out, and when it was last told about."""

    def __init__(self, question: RolloutQuestion, stopped: threading.Event) -> None:
        self.question, self.stopped, self.told = question, stopped, 0.0
        self.point = point_of_inquiry(question.inquiry)
        self.engine: Engine[OutcomeProbabilities] = engine_of(question.inquiry.rules, 0)
        self.net = net_version(question.inquiry.rules)
        self.plays = self._candidates() if self.point.faces else ()
        double = can_double(self.engine.rules.cube, self.point.cube_info)
        self.kind = "play" if self.plays else "cube" if double else "position"

    def _candidates(self) -> tuple[Play, ...]:
        deep = engine_of(self.question.inquiry.rules, 2)
        method = self.question.method
        if method.plays:
            return tuple(self._play(text) for text in method.plays)
        ranked = deep.rank(self.point, limit=CANDIDATES)
        best = tuple(item.play for rank, item in enumerate(ranked) if rank < LEAST or item.loss <= NEAR)
        if not method.also:
            return best
        also = self._play(method.also)
        return best if any(play.result == also.result for play in best) else (*best, also)

    def _play(self, text: str) -> Play:
        return parse_play(self.engine.rules, self.point.position, self.point.faces, text)

    @property
    def names(self) -> tuple[str, ...]:
        """The choices in the order of the rollout's starts."""
        if self.kind == "play":
            return tuple(map(play_text, self.plays))
        return CUBE_ROWS[:2] if self.kind == "cube" else ("",)

    def options(self, file: Path) -> RolloutOptions:
        """How it is rolled out."""
        question, method = self.question, self.question.method
        return RolloutOptions(
            trials=question.trials,
            plies=method.plies,
            late_plies=0,
            cube_plies=method.cube_plies,
            truncate=method.truncate,
            seed=method.seed,
            minimum=min(MINIMUM, question.trials),
            stop_clear=CLEAR,
            threads=question.threads,
            file=file,
            progress=self.tell,
        )

    def tell(self, said: RolloutProgress) -> bool:
        """Writes the means so far; False to stop."""
        now = time.monotonic()
        if now - self.told >= PAUSE_S:
            self.told = now
            write(self.answer(tuple(map(self._running, range(len(self.names)), said.equities)), said.done))
        return not self.stopped.is_set()

    def _running(self, index: int, equity: Estimate) -> RolledChoice:
        known = equity.error < float("inf")
        moves = self.plays[index].moves if self.plays else ()
        mean, error = (round(equity.mean, 6), round(equity.error, 6)) if known else (None, None)
        return RolledChoice(self.names[index], mean, error, 0, moves=moves)

    def answer(self, choices: tuple[RolledChoice, ...], done: int, **more: object) -> RolloutAnswer:
        """An answer with these choices: plays best first, cube actions as they stand, since the opponent chooses too."""
        if self.kind == "play":
            choices = tuple(sorted(choices, key=lambda each: -(each.equity if each.equity is not None else -9.0)))
        question, method = self.question, self.question.method
        made = {"method": method, **more}
        return RolloutAnswer(self.net, method.plies, self.kind, done, question.trials, choices, **made)  # type: ignore[arg-type]

    def run(self, file: Path) -> RolloutAnswer:
        """The result; its games are in the file."""
        options = self.options(file)
        bare = DecisionPoint(self.point.position, self.point.cube_info, self.point.tokens)
        if self.kind == "play":
            rolled = self.engine.rollout_plays(self.point, candidates=self.plays, **options)
            dropped = [item for item in rolled[1:] if _ahead(item.loss)]
            done = max(item.rollout.trials for item in rolled)
            clear = len(rolled) > 1 and len(dropped) == len(rolled) - 1
            order = sorted(map(_play, rolled), key=lambda each: each.loss or 0.0)
            return msgspec.structs.replace(self.answer((), done, clear=clear, over=True), choices=tuple(order))
        if self.kind == "cube":
            found = self.engine.rollout_cube(bare, **options)
            stay, take = found.no_double, found.double_take
            passed = RolledChoice(CUBE_ROWS[2], round(found.double_pass, 6), 0.0, stay.trials)
            choices = _choice(CUBE_ROWS[0], stay), _choice(CUBE_ROWS[1], take), passed
            return self.answer(choices, stay.trials, clear=_ahead(found.gain), action=found.action, over=True)
        only = self.engine.rollout(bare, **options)
        return self.answer((_choice("", only),), only.trials, over=True)


def _ahead(difference: Estimate) -> bool:
    return abs(difference.mean) >= CLEAR * difference.error > 0


def _play(item: RolledPlay[OutcomeProbabilities]) -> RolledChoice:
    found = _choice(play_text(item.play), item.rollout)
    loss = round(item.loss.mean, 6), round(item.loss.error, 6)
    return msgspec.structs.replace(found, moves=item.play.moves, loss=loss[0], loss_error=loss[1])


def _choice(text: str, rolled: Rollout[OutcomeProbabilities]) -> RolledChoice:
    return RolledChoice(
        text,
        _finite(rolled.equity.mean),
        _finite(rolled.equity.error),
        rolled.trials,
        chances=rounded(rolled.chances) if rolled.trials else (),
        chances_errors=rounded(rolled.errors) if rolled.trials > 1 else (),
        mwc=None if rolled.mwc is None else _finite(rolled.mwc.mean),
    )


def _finite(number: float) -> float | None:
    return round(number, 6) if abs(number) < float("inf") else None


def write(answer: RolloutAnswer) -> None:
    """Writes an answer as a line."""
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def rolled_out(question: RolloutQuestion, stopped: threading.Event) -> RolloutAnswer:
    """The result of a rollout with all its games; BarpointError."""
    with TemporaryDirectory(prefix="barpoint-") as folder:
        file = Path(folder) / "games"
        if question.games:
            file.write_bytes(question.games)
        found = _Run(question, stopped).run(file)
        return msgspec.structs.replace(found, games=file.read_bytes())


def main() -> None:
    """Roll out the question on standard input."""
    question = msgspec.json.decode(sys.stdin.buffer.readline(), type=RolloutQuestion)
    write(rolled_out(question, stopped_with_input()))


if __name__ == "__main__":
    raise SystemExit(exit_status(main))
