"""Answers questions about positions, one a line, in a process of its own beside a server.

`python -m barpoint.analysis.adviser` reads `PositionQuestion`s as JSON and writes for each one line with its answer, or with
`refused`, and then a line with a full stop.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position import PositionAnswer, answer_position
from barpoint.analysis.roll_table import PlaysTable, RollTable, answer_plays, answer_rolls
from barpoint.analysis.score_matrix import ScoreMatrix, answer_matrix
from barpoint.engine.limits import MAX_PLIES
from barpoint.error import BarpointError
from barpoint.language import Said

AnswerKind = Literal["position", "rolls", "plays", "matrix"]

LAST: Final = "."
"""The line after each answer."""

MAX_THREADS: Final = 4
"""Threads of one answer that takes long."""


class PositionQuestion(Struct, frozen=True):
    """A question about a position. plies: the search depth."""

    kind: AnswerKind
    inquiry: Inquiry
    plies: Annotated[int, Meta(ge=0, le=MAX_PLIES)] = 0


class NoAnswer(Struct, frozen=True):
    """Why there is no answer, which every reader gets in their language."""

    refused: Said


def answer(question: PositionQuestion) -> PositionAnswer | RollTable | PlaysTable | ScoreMatrix:
    """The answer to a question; BarpointError says why there is none."""
    threads = min(MAX_THREADS, os.cpu_count() or 1)
    match question.kind:
        case "position":
            return answer_position(question.inquiry, question.plies, threads if question.plies > 2 else 1)
        case "rolls":
            return answer_rolls(question.inquiry, question.plies)
        case "plays":
            return answer_plays(question.inquiry, question.plies)
        case "matrix":
            return answer_matrix(question.inquiry, question.plies, threads)


def main() -> int:
    """Answer lines on standard input until it ends."""
    decoder = msgspec.json.Decoder(PositionQuestion)
    for line in sys.stdin.buffer:
        try:
            said = msgspec.json.encode(answer(decoder.decode(line)))
        except BarpointError as error:
            said = msgspec.json.encode(NoAnswer(error.said))
        except msgspec.DecodeError as error:
            said = msgspec.json.encode(NoAnswer(Said(str(error))))
        try:
            sys.stdout.buffer.write(said + b"\n" + LAST.encode() + b"\n")
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
