"""Studies over HTTP: anybody reads one by its id; its owner makes and edits it, by a token or on the pages."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from barpoint.language import _
from barpoint.number_text import number_in
from barpoint.server.api import messages
from barpoint.server.api.practice import BoardOfCardQuery, moves_of, own
from barpoint.server.api.requests import Call, answer_with, guarded, open_to_everybody, query_in, spend
from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.studies import AnyStudyEdit, NodeId, StudyTitle, UnknownStudy
from barpoint.server.protocol.matches import Moves
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.study.cards import CubeChoice
from barpoint.server.study.studies import StudyShown


class StudyBody(messages.Body, frozen=True):
    """A new study, which begins with a position."""

    title: StudyTitle
    board: BoardAddress = BoardAddress()


class StudyEditBody(messages.Body, frozen=True):
    """An edit of a study."""

    edit: AnyStudyEdit


class StudyAnswerBody(messages.Body, frozen=True):
    """An answer to a position: the moves of a play, or else a choice."""

    node: NodeId
    moves: Moves | None = None
    choice: CubeChoice | Literal[""] = ""


class ListedStudy(Struct, frozen=True):
    """A study in a list. positions: how many it holds. changed_at: ms since 1970."""

    id: str
    title: str
    positions: int
    changed_at: int


class StudyList(Struct, frozen=True):
    """A person's studies, the one changed last first."""

    studies: tuple[ListedStudy, ...]


@guarded(None, pages=True)
async def studies(call: Call) -> Response:
    """One's own studies."""
    found = await call.services.studies.of(call.person)
    listed = (ListedStudy(one.id, one.tree.title, len(one.tree.nodes), one.changed_at) for one in found)
    return answer_with(StudyList(tuple(listed)))


@guarded(None, pages=True)
async def make_study(call: Call) -> Response:
    """Makes a study; for accounts."""
    body = await call.body(StudyBody)
    made = await call.services.studies.make(call.person, body.title, body.board)
    return answer_with(await call.services.studies.shown(made, call.person), 201)


@open_to_everybody
async def study(request: Request) -> Response:
    """A study; anybody with its id may read it."""
    studies = service_of(request).studies
    found = await studies.study(request.path_params["study"])
    return answer_with(await studies.shown(found, await person_of(request)))


@open_to_everybody
async def study_question(request: Request) -> Response:
    """What a position of a study asks, after the moves tried."""
    moves, asked = moves_of(query_in(request, BoardOfCardQuery).moves), request.path_params["node"]
    node = number_in(asked, 0, 9_999_999)
    if node is None:
        raise UnknownStudy("this study has no position %(node)s", node=asked[:20])
    person = await person_of(request)
    found = await service_of(request).studies.question(person, request.path_params["study"], node, moves)
    return answer_with(found)


@own
async def answer_study(call: Call) -> Response:
    """Judges an answer to a position of a study that asks first; the first one of each person counts, and its owner sees it."""
    body = await call.body(StudyAnswerBody)
    spend(
        call.services.allowance.answers, address_of(call.request), _("so many answers at once; try again in a moment")
    )
    study_id = call.request.path_params["study"]
    return answer_with(await call.services.studies.answer(call.person, study_id, body.node, body.moves, body.choice))


@guarded(None, pages=True)
async def edit_study(call: Call) -> Response:
    """Edits a study of one's own: adds a position or a play, names, comments, removes."""
    body = await call.body(StudyEditBody)
    found, at = await call.services.studies.edit(call.person, call.request.path_params["study"], body.edit)
    answer: StudyShown = await call.services.studies.shown(found, call.person, at)
    return answer_with(answer)


@guarded(None, pages=True)
async def copy_study(call: Call) -> Response:
    """Makes a study of one's own from somebody's."""
    made = await call.services.studies.copy(call.person, call.request.path_params["study"])
    return answer_with(await call.services.studies.shown(made, call.person), 201)


@guarded(None, pages=True)
async def remove_study(call: Call) -> Response:
    """Deletes a study of one's own."""
    await call.services.studies.drop(call.person, call.request.path_params["study"])
    return answer_with(messages.DoneMessage())
