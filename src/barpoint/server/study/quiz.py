"""Quizzes: asks for a decision of a match again, shows the board before it, and grades the answer."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, structs

from barpoint.analysis import Decision, Report
from barpoint.analysis.answer import Question, before, choices_of, chosen, played, with_choice
from barpoint.analysis.findings import tally
from barpoint.game import Correct, PlayMade
from barpoint.game.event import MoveMade, PositionCounts
from barpoint.match import write_log
from barpoint.server.child_process import JobFailed, run
from barpoint.server.protocol.board_view import AllowedShown, BoardView
from barpoint.server.protocol.match_text import Names
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.recordings import Recording

PLIES: Final = 1
"""Search depth for a play that the report has not ranked."""

MAX_WAITING: Final = 6
"""Maximum number of such plays that wait; they are evaluated one at a time."""

MAX_S: Final = 60.0
"""Time limit for one of them, in seconds."""


class QuizAnswer(Struct, frozen=True, omit_defaults=True):
    """The grade of a play, or of a choice such as "Pass" or "double/take".

    text, moves, position: of the play, as in a report. done: the option of the match that it is. loss, cost, mark: compared
    with the best answer. best: the best answer. lesson: what it gains. ranked: the probabilities are from the report;
    otherwise the play was evaluated now, at `plies`.
    """

    text: str
    done: str
    moves: tuple[MoveMade, ...]
    position: PositionCounts | None
    equity: float
    loss: float
    cost: float
    mark: str
    best: str
    lesson: str
    plies: int
    ranked: bool


class GivenAnswer(Struct, frozen=True, array_like=True):
    """An answer as it was graded. event, kind: of the decision. loss: as in `QuizAnswer`."""

    event: Annotated[int, Meta(ge=1)]
    kind: Annotated[str, Meta(max_length=12)]
    loss: Annotated[float, Meta(ge=0, le=100)]


class QuizScore(Struct, frozen=True):
    """How well decisions of a match were answered, beside how they were made. own, theirs: performance ratings (PR).

    player: whose decisions these are, None for those of both. decisions: unforced ones that were answered.
    """

    player: int | None
    decisions: int
    own: float
    theirs: float


def score(packed: bytes, answers: Sequence[GivenAnswer]) -> tuple[QuizScore, ...]:
    """The score of all answers, and of each player's decisions where both have some; () if none of them counts for a rating."""
    report = _report(packed)
    given = {(one.event, one.kind): one.loss for one in answers}
    asked = [one for one in report.decisions if one.counted and (one.event, one.kind) in given]
    players = sorted({one.player for one in asked})
    parts: list[tuple[int | None, list[Decision]]] = [(None, asked)] if len(players) > 1 else []
    parts += [(player, [one for one in asked if one.player == player]) for player in players]
    return tuple(_score(player, decisions, given) for player, decisions in parts)


def _score(player: int | None, made: Sequence[Decision], given: Mapping[tuple[int, str], float]) -> QuizScore:
    answered = [structs.replace(one, loss=given[one.event, one.kind]) for one in made]
    return QuizScore(player, len(made), round(tally(answered).rating, 4), round(tally(made).rating, 4))


def moment(recording: Recording, event: int, player: int, moves: tuple[MoveMade, ...] | None) -> BoardView:
    """The board before an event, from the side of the player who decides there.

    moves: the moves tried so far if the decision is a play; otherwise None. IllegalMove if they begin no legal play.
    """
    match = before(recording.match, event)
    names = Names(recording.players, player)
    last = recording.told[event - 2] if event > 1 else None
    shown = view(BoardScene(match, last, moves or (), playing=True), names, player)
    if moves is None:
        return structs.replace(shown, allowed=(), turn=None, roll=UNSET)
    return structs.replace(shown, allowed=(AllowedShown("play"),), to_act="near", roll=UNSET)


def is_play(recording: Recording, event: int) -> bool:
    """Whether an event is a play."""
    return isinstance(recording.match.events[event - 1], PlayMade | Correct)


class Examiner:
    """Grades answers."""

    def __init__(self) -> None:
        self._waiting = 0
        self._turn = asyncio.Semaphore(1)

    async def answer(self, recording: Recording, packed: bytes, event: int, moves: tuple[MoveMade, ...]) -> QuizAnswer:
        """Grades these moves by a report, compressed with gzip; evaluates plays that the report has not ranked.

        IllegalMove says what is allowed; AnalysisRefused if the report has no such decision, or too many plays wait.
        """
        report, found = await asyncio.to_thread(_by_report, recording, packed, event, moves)
        if found is not None:
            return _answer(found, report.plies)
        if self._waiting >= MAX_WAITING:
            raise AnalysisRefused("too many answers wait to be judged; try again in a moment", 429)
        self._waiting += 1
        try:
            async with self._turn:
                plies = min(PLIES, report.plies)
                return _answer(await _anew(recording, event, moves, plies), plies, ranked=False)
        finally:
            self._waiting -= 1

    async def choice(self, packed: bytes, event: int, kind: str, choice: str) -> QuizAnswer:
        """Grades the answer to a decision of this kind that is no play; AnalysisRefused says what can be chosen."""
        return await asyncio.to_thread(_choice_by_report, packed, event, kind, choice)


def _by_report(
    recording: Recording, packed: bytes, event: int, moves: tuple[MoveMade, ...]
) -> tuple[Report, Decision | None]:
    report, decision = _decision(packed, event, "play")
    if decision is None:
        raise AnalysisRefused("event %(event)s is no play that was judged", 404, event=event)
    return report, chosen(recording.match, decision, moves)


def _choice_by_report(packed: bytes, event: int, kind: str, choice: str) -> QuizAnswer:
    report, decision = _decision(packed, event, kind)
    allowed = choices_of(decision) if decision is not None and kind != "play" else ()
    if decision is None or choice not in allowed:
        raise AnalysisRefused(
            "the choice %(choice)s; allowed here: %(allowed)s", 422, choice=choice[:20], allowed=", ".join(allowed)
        )
    found, best = with_choice(decision, choice)
    return structs.replace(_answer(found, report.plies), text=choice, best=best)


def _decision(packed: bytes, event: int, kind: str) -> tuple[Report, Decision | None]:
    """A report, and its decision of this kind made by an event."""
    report = _report(packed)
    return report, next((one for one in report.decisions if (one.event, one.kind) == (event, kind)), None)


def _report(packed: bytes) -> Report:
    return msgspec.json.decode(gzip.decompress(packed), type=Report)


async def _anew(recording: Recording, event: int, moves: tuple[MoveMade, ...], plies: int) -> Decision:
    def asked() -> bytes:
        _, made = played(recording.match, event, moves)
        return msgspec.json.encode(Question(msgspec.Raw(write_log(recording.match)), event, made.moves))

    question = await asyncio.to_thread(asked)
    try:
        said = await run("barpoint.analysis.answer", str(plies), data=question, patience_s=MAX_S)
    except JobFailed:
        raise AnalysisRefused("this play cannot be judged now", 503) from None
    return msgspec.json.decode(said, type=Decision)


def _answer(found: Decision, plies: int, ranked: bool = True) -> QuizAnswer:
    made = found.made
    return QuizAnswer(
        text=made.text,
        done=made.text,
        moves=made.moves,
        position=made.position,
        equity=made.equity,
        loss=found.loss,
        cost=found.cost,
        mark=found.mark,
        best=found.best.text,
        lesson=found.lesson,
        plies=plies,
        ranked=ranked,
    )
