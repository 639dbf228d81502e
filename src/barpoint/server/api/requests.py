"""A request of the bot API: its user, the scopes of its token, and error answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from barpoint.error import BarpointError, FormatError, IllegalEvent, IllegalMove, StoreError, StoreFull
from barpoint.language import _
from barpoint.server.api import messages
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Credits
from barpoint.server.domain.own_notes import NotesFull
from barpoint.server.domain.practice import PracticeFull
from barpoint.server.domain.studies import StudyFull, UnknownStudy
from barpoint.server.live.adjournments import AdjournmentRefused
from barpoint.server.live.chouettes import UnknownChouette
from barpoint.server.live.clubs import NotClubDirector, UnknownClub
from barpoint.server.live.direct_challenges import DirectChallengeRefused
from barpoint.server.live.event_log import ForeignSeat, StaleCommand
from barpoint.server.live.ladders import UnknownLadder
from barpoint.server.live.matches import UnknownMatch
from barpoint.server.live.tournament_actions import NotSure
from barpoint.server.live.tournament_direction import NotDirector
from barpoint.server.live.tournaments import UnknownTournament
from barpoint.server.services import Services, address_of, owner_of_token, person_of, service_of, token_in
from barpoint.server.storage.event_log import Conflict
from barpoint.server.study.drills import UnknownDrill
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.practice import UnknownCard
from barpoint.server.study.reviews import UnknownReview
from barpoint.wrong_field import wrong_field, wrong_json

B = TypeVar("B", bound=Struct)


class RequestRefused(Exception):
    """A refusal, with the answer that explains it. retry_s: seconds after which the same may be asked again."""

    def __init__(self, status: int, code: str, message: str, retry_s: int | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.retry_s = status, code, message, retry_s

    @property
    def response(self) -> Response:
        """The answer."""
        answer = answer_with(messages.Refusal(messages.Problem(self.code, self.message)), self.status)
        if self.retry_s is not None:
            answer.headers["Retry-After"] = str(self.retry_s)
        return answer


BUSY_S: Final = 10
"""Seconds to wait where too many questions of others are being answered."""

STATUS: Final[tuple[tuple[type[BarpointError], int, str], ...]] = (
    (UnknownMatch, 404, "unknown"),
    (UnknownChouette, 404, "unknown"),
    (UnknownTournament, 404, "unknown"),
    (UnknownClub, 404, "unknown"),
    (UnknownLadder, 404, "unknown"),
    (NotClubDirector, 403, "director"),
    (NotDirector, 403, "director"),
    (NotSure, 422, "sure"),
    (UnknownReview, 404, "unknown"),
    (UnknownCard, 404, "unknown"),
    (UnknownStudy, 404, "unknown"),
    (UnknownDrill, 404, "unknown"),
    (PracticeFull, 409, "full"),
    (StudyFull, 409, "full"),
    (NotesFull, 409, "full"),
    (StaleCommand, 409, "stale"),
    (AdjournmentRefused, 409, "stale"),
    (ForeignSeat, 403, "seat"),
    (IllegalEvent, 422, "illegal"),
    (IllegalMove, 422, "illegal"),
    (Conflict, 409, "conflict"),
    (DirectChallengeRefused, 409, "challenged"),
    (StoreError, 503, "store"),
    (FormatError, 400, "format"),
    (BarpointError, 422, "refused"),
)


@dataclass(frozen=True, slots=True)
class Call:
    """An authorized request: its user, and the scopes of the token."""

    request: Request
    services: Services
    person: Guest

    async def body(self, shape: type[B]) -> B:
        """The request's JSON; an empty body counts as an empty object."""
        return await body_of(self.request, shape)


Answer = Callable[[Call], Awaitable[Response]]

SCOPES_NEEDED: Final[dict[Callable[[Request], Awaitable[Response]], str | None]] = {}
"""The scope that each guarded endpoint needs; None for any token."""


def guarded(scope: str | None, *, pages: bool = False) -> Callable[[Answer], Callable[[Request], Awaitable[Response]]]:
    """An endpoint for tokens with this scope, or for any token if it is None; errors become answers.

    pages: the server's own pages use it too, for whoever their cookie names.
    """

    def wrap(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await refusing(_allowed(request, scope, pages, answer))

        endpoint.__doc__ = answer.__doc__
        SCOPES_NEEDED[endpoint] = scope
        return endpoint

    return wrap


async def _allowed(request: Request, scope: str | None, pages: bool, answer: Answer) -> Response:
    services = service_of(request)
    if token_in(request) is not None:
        person, scopes = await _owner(request)
    elif pages:
        return await answer(Call(request, services, await _person_of_page(request)))
    else:
        raise RequestRefused(401, "token", "this needs a token: Authorization: Bearer bp_…")
    if scope is not None and scope not in scopes:
        raise RequestRefused(403, "scope", f"the token allows {', '.join(sorted(scopes))}; this needs {scope}")
    spend(services.allowance.calls, person.id, "so much at once; try again in a second")
    return await answer(Call(request, services, person))


def spend(credits: Credits, name: str, message: str) -> None:
    """Spends one act of this name; RequestRefused with the message where none is left."""
    if not credits.spend(name):
        raise RequestRefused(429, "rate", message, credits.retry_s)


async def _owner(request: Request) -> tuple[Guest, frozenset[str]]:
    """Whose token the request carries, and its scopes; RequestRefused for one that is unknown."""
    found = await owner_of_token(request)
    if found is None:
        raise RequestRefused(401, "token", "this token is unknown or was withdrawn; Authorization: Bearer bp_… is read")
    return found


async def still_allowed(call: Call) -> bool:
    """Whether the token of a request that is being answered has not been withdrawn meanwhile."""
    try:
        found = await owner_of_token(call.request)
    except StoreError:
        return True  # the next look decides
    return found is not None and found[0].id == call.person.id


async def _person_of_page(request: Request) -> Guest:
    """Whoever the cookie names, within the limits of whoever uses the API."""
    person = await person_of(request)
    if person is None:
        raise RequestRefused(401, "token", _("log in or play a match first"))
    spend(service_of(request).allowance.calls, person.id, _("so much at once; try again in a second"))
    return person


async def refusing(answer: Awaitable[Response]) -> Response:
    """Runs an endpoint, and returns errors as JSON."""
    try:
        return await answer
    except RequestRefused as refused:
        return refused.response
    except BarpointError as error:
        status, code = next((status, code) for kind, status, code in STATUS if isinstance(error, kind))
        silent = code == "store" and not isinstance(error, StoreFull)
        message = _("the database does not answer; nothing was changed") if silent else error.translated()
        return RequestRefused(status, code, message).response


def open_to_everybody(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint for everybody, limited by address; errors become answers."""

    async def allowed(request: Request) -> Response:
        if token_in(request) is not None:
            await _owner(request)  # a page of another site may send what has a token
        positions = service_of(request).allowance.positions
        spend(positions, address_of(request), _("so many questions at once; try again in a moment"))
        try:
            return await answer(request)
        except AnalysisRefused as refused:
            retry_s = BUSY_S if refused.status == 429 else None
            raise RequestRefused(refused.status, "refused", refused.translated(), retry_s) from None

    async def endpoint(request: Request) -> Response:
        return await refusing(allowed(request))

    endpoint.__doc__ = answer.__doc__
    return endpoint


def query_in(request: Request, shape: type[Any]) -> Any:
    """The fields of the query as a value."""
    found = dict(request.query_params)
    try:
        return msgspec.convert(found, shape, strict=False)
    except msgspec.ValidationError as error:
        raise query_refused(error, found, shape) from None


def query_refused(error: msgspec.ValidationError, found: dict[str, str], shape: type[Any]) -> RequestRefused:
    """What is said of a query in which a field is wrong."""
    return RequestRefused(400, "format", _("the query: %(error)s", error=wrong_field(error, found, shape)))


async def body_of(request: Request, shape: type[B]) -> B:
    """The JSON of a request as a value; an empty body counts as an empty object."""
    text = await request.body() or b"{}"
    try:
        return msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as error:
        said = wrong_json(error, text, shape)
        raise RequestRefused(400, "format", f"the body of the request: {said}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RequestRefused(400, "format", f"the body of the request: {error}") from None


def answer_with(value: Struct, status: int = 200) -> Response:
    """A value as the answer, in JSON."""
    return Response(messages.line(value), status, media_type="application/json")


def person_shown(person: Guest) -> messages.Person:
    """A person as in every answer."""
    return messages.Person(person.id, person.name, person.registered, person.bot)
