"""Messages between people: whom one has written to, and what was written; shown as it happens while the page is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.language import _
from barpoint.number_text import number_in
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_REPORT_TEXT
from barpoint.server.domain.messages import Conversation, Message, messages_path
from barpoint.server.domain.plain_text import clean_lines
from barpoint.server.live.messages import APART, MessageRefused, mark_read, write
from barpoint.server.services import Services, service_of
from barpoint.server.storage import chat as chat_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import messages as message_storage
from barpoint.server.storage.lobby import kept_apart
from barpoint.server.web.account import for_members, member
from barpoint.server.web.chat import too_many_reports
from barpoint.server.web.connections import POLICY, same_origin
from barpoint.server.web.fragments import keep_fresh, refuse_logged_out
from barpoint.server.web.rendering import part, render
from barpoint.server.web.requests import as_sentence, form_of, go

LISTED: Final = 100
"""Conversations in the list."""

SHOWN: Final = 50
"""Messages on a page."""

QUOTED: Final = 3
"""Messages of the other that a report quotes, the latest."""

MAX_QUOTED: Final = 150
"""Characters of each."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a page of a conversation shows. older: whether there are more."""

    messages: list[Message]
    older: bool
    apart: bool


@for_members
async def conversations_page(request: Request) -> Response:
    """Everybody to whom the user has written, or from whom they have heard."""
    person = await member(request)
    return render(request, "conversations.html", conversations=await _listed(service_of(request), person))


async def _listed(services: Services, reader: Guest) -> list[Conversation]:
    return await services.store.read(message_storage.conversations_of, reader.id, LISTED)


async def conversations_socket(websocket: WebSocket) -> None:
    """Sends the list after every change."""
    services = service_of(websocket)
    reader = await services.guest(websocket.cookies)
    if not same_origin(websocket):
        await websocket.close(POLICY)
        return
    if reader is None or not reader.registered:
        await refuse_logged_out(websocket)
        return

    async def look() -> tuple[str, None]:
        return part("conversations_live.html", conversations=await _listed(services, reader)), None

    await keep_fresh(websocket, services, reader, (), look)


@for_members
async def conversation_page(request: Request) -> Response:
    """The messages between the user and the person named; ?before= the id of a message."""
    return await _page(request)


async def _page(request: Request, problem: str = "", status: int = 200, entered: str = "") -> Response:
    services, reader, other = service_of(request), await member(request), await _other(request)
    before = number_in(request.query_params.get("before", ""), 1, 2**31 - 1)
    shown = await _found(services, reader, other, before)
    if any(one.by == other.id and one.read_at is None for one in shown.messages):
        await mark_read(services.matches, reader, other, shown.messages[-1].id)
    said = _("The administrators have been told. Thank you.") if request.query_params.get("said") == "report" else ""
    return render(
        request,
        "conversation.html",
        status,
        other=other,
        reader=reader,
        problem=problem,
        said=said,
        entered=entered,
        before=before,
        apart=as_sentence(MessageRefused(APART)) if shown.apart else "",
        writes=not other.bot and not shown.apart,
        messages=shown.messages,
        older=shown.older,
    )


async def _found(services: Services, reader: Guest, other: Guest, before: int | None = None) -> _Shown:
    """The latest messages of the two."""

    def work(connection: Connection) -> _Shown:
        found = message_storage.messages_between(connection, reader.id, other.id, SHOWN + 1, before)
        return _Shown(found[-SHOWN:], len(found) > SHOWN, other.id in kept_apart(connection, reader.id))

    return await services.store.read(work)


async def _other(request: Request) -> Guest:
    """The person named in the address; 404 for nobody, and for oneself."""
    found = await _partner(service_of(request), await member(request), request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return found


async def _partner(services: Services, reader: Guest | None, name: str) -> Guest | None:
    """Somebody else with an account, for a reader who has one, too."""
    found = await services.store.read(guest_storage.find_person, name.replace("\0", ""))
    if found is None or reader is None:
        return None
    return found if found.registered and reader.registered and found.id != reader.id else None


@for_members
async def write_message(request: Request) -> Response:
    """Writes to the person named, and shows the conversation."""
    services, person, other = service_of(request), await member(request), await _other(request)
    text = (await form_of(request)).get("text", "")
    try:
        await write(services.matches, services.allowance, person, other, text)
    except MessageRefused as error:
        return await _page(request, as_sentence(error), 422, text)
    return go(f"{messages_path(other.name)}#write")


@for_members
async def note_read(request: Request) -> Response:
    """Marks what the other has written as read, up to a message that somebody looks at in an open page."""
    services, person, other = service_of(request), await member(request), await _other(request)
    last = number_in((await form_of(request)).get("last", ""), 1, 2**31 - 1)
    if last is not None:
        await mark_read(services.matches, person, other, last)
    return Response(status_code=204)


@for_members
async def report_messages(request: Request) -> Response:
    """Tells the administrators about the other, with how their latest messages begin; 403 if they have written none."""
    services, person, other = service_of(request), await member(request), await _other(request)
    form = await form_of(request)
    text = clean_lines(form.get("text", ""))
    shown = await _found(services, person, other)
    quoted = [f"> {_quoted(one.text)}" for one in shown.messages if one.by == other.id][-QUOTED:]
    if not quoted:
        raise HTTPException(403)
    if text:
        if not services.allowance.letters.spend(f"report by {person.id}"):
            return too_many_reports(request, form)
        room = MAX_REPORT_TEXT - sum(len(line) + 1 for line in quoted)
        told, now = "\n".join([f"(messages) {text}"[:room], *quoted]), services.matches.clock()
        await services.store.write(chat_storage.put_report, person.id, other.id, None, told, now)
    return go(f"{messages_path(other.name)}?said=report")


def _quoted(text: str) -> str:
    """How a message begins, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTED else f"{line[:MAX_QUOTED]}…"


async def conversation_socket(websocket: WebSocket) -> None:
    """Sends the messages of the two after every change."""
    services = service_of(websocket)
    reader = await services.guest(websocket.cookies)
    if not same_origin(websocket):
        await websocket.close(POLICY)
        return
    if reader is None or not reader.registered:
        await refuse_logged_out(websocket)
        return
    other = await _partner(services, reader, websocket.path_params["name"])
    if other is None:
        await websocket.close(POLICY)
        return

    async def look() -> tuple[str, None]:
        shown = await _found(services, reader, other)
        return part(
            "conversation_live.html", other=other, reader=reader, messages=shown.messages, older=shown.older
        ), None

    await keep_fresh(websocket, services, reader, (), look)


ROUTES: Final = (
    Route("/messages", conversations_page),
    Route("/messages/{name}", conversation_page),
    Route("/messages/{name}", write_message, methods=["POST"]),
    Route("/messages/{name}/read", note_read, methods=["POST"]),
    Route("/messages/{name}/report", report_messages, methods=["POST"]),
    WebSocketRoute("/ws/messages", conversations_socket),
    WebSocketRoute("/ws/messages/{name}", conversation_socket),
)
