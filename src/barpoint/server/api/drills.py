"""Drills over HTTP: questions, answers and the progress of the token's owner, or of whoever uses the pages."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import Response

from barpoint.language import _
from barpoint.server.api import messages
from barpoint.server.api.practice import moves_of, own
from barpoint.server.api.requests import Call, answer_with, query_in, spend
from barpoint.server.protocol.matches import Moves
from barpoint.server.services import address_of
from barpoint.server.storage import drills as drill_storage
from barpoint.server.storage.drills import DrillSum
from barpoint.server.study.drill_questions import DRILLS

QuestionId = Annotated[str, Meta(min_length=1, max_length=80)]
DrillNumber = Annotated[float, Meta(ge=-1000, le=1000)]


class DrillShown(Struct, frozen=True):
    """A drill, and the latest 50 answers to it: how many, how many right, how far off on average, ms each."""

    name: str
    title: str
    about: str
    answers: int
    right: int
    off: float
    ms: int


class DrillList(Struct, frozen=True):
    """All drills."""

    drills: tuple[DrillShown, ...]


class DrillQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """stage: of the game, for drills about checker play and cube actions; "" for any."""

    stage: Annotated[str, Meta(max_length=16)] = ""


class DrillBoardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """question: its id. moves: tried, as JSON: [[from, to, number], ...]."""

    question: QuestionId = "-"
    moves: Annotated[str, Meta(max_length=1000)] = ""


class DrillAnswerBody(messages.Body, frozen=True):
    """An answer: numbers, a choice by its name, or the moves of a play. question: its id."""

    question: QuestionId
    numbers: Annotated[tuple[DrillNumber, ...], Meta(max_length=4)] = ()
    choice: Annotated[str, Meta(max_length=24)] = ""
    moves: Moves | None = None


@own
async def drills(call: Call) -> Response:
    """The drills with one's latest answers added up."""
    found = await call.services.store.read(drill_storage.sums, call.person.id)
    none = DrillSum(0, 0, 0.0, 0.0)
    return answer_with(
        DrillList(
            tuple(
                DrillShown(name, _(one.title), _(one.about), had.answers, had.right, round(had.off, 4), round(had.ms))
                for name, one in DRILLS.items()
                for had in (found.get(name, none),)
            )
        )
    )


@own
async def question(call: Call) -> Response:
    """A new question of a drill."""
    stage = query_in(call.request, DrillQuery).stage
    return answer_with(await call.services.drills.question(call.person, call.request.path_params["drill"], stage))


@own
async def board(call: Call) -> Response:
    """The board of a question, after the moves tried."""
    query = query_in(call.request, DrillBoardQuery)
    return answer_with(await call.services.drills.board(call.person, query.question, moves_of(query.moves)))


@own
async def answer(call: Call) -> Response:
    """Judges the answer to a question."""
    body = await call.body(DrillAnswerBody)
    spend(
        call.services.allowance.answers, address_of(call.request), _("so many answers at once; try again in a moment")
    )
    judged = call.services.drills.answer(call.person, body.question, body.numbers, body.choice, body.moves)
    return answer_with(await judged)
