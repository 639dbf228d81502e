"""Studies over HTTP: anybody reads one by its id; its owner makes and edits it, by a token or on the pages."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from barpoint.server.api import messages
from barpoint.server.api.requests import Call, answer_with, guarded, open_to_everybody
from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.studies import AnyStudyEdit, StudyTitle
from barpoint.server.services import person_of, service_of
from barpoint.server.study.studies import StudyShown, study_shown


class StudyBody(messages.Body, frozen=True):
    """A new study, which begins with a position."""

    title: StudyTitle
    board: BoardAddress = BoardAddress()


class StudyEditBody(messages.Body, frozen=True):
    """An edit of a study."""

    edit: AnyStudyEdit


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
    return answer_with(study_shown(made, call.person), 201)


@open_to_everybody
async def study(request: Request) -> Response:
    """A study; anybody with its id may read it."""
    found = await service_of(request).studies.study(request.path_params["study"])
    return answer_with(study_shown(found, await person_of(request)))


@guarded(None, pages=True)
async def edit_study(call: Call) -> Response:
    """Edits a study of one's own: adds a position or a play, names, comments, removes."""
    body = await call.body(StudyEditBody)
    found, at = await call.services.studies.edit(call.person, call.request.path_params["study"], body.edit)
    answer: StudyShown = study_shown(found, call.person, at)
    return answer_with(answer)


@guarded(None, pages=True)
async def copy_study(call: Call) -> Response:
    """Makes a study of one's own from somebody's."""
    made = await call.services.studies.copy(call.person, call.request.path_params["study"])
    return answer_with(study_shown(made, call.person), 201)


@guarded(None, pages=True)
async def remove_study(call: Call) -> Response:
    """Deletes a study of one's own."""
    await call.services.studies.drop(call.person, call.request.path_params["study"])
    return answer_with(messages.DoneMessage())
