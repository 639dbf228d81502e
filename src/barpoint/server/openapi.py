"""The interfaces as documents for other programs: OpenAPI of the one for bots, JSON Schema of the WebSockets.

They are made from the types that read and write the messages, so that they cannot say anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.server import api, api_challenge, api_chouette, api_stream, api_tournament
from barpoint.server import api_wire as wire
from barpoint.server.table_wire import TableAnswer, TableRequest, TableState
from barpoint.server.wire import PROTOCOL, State
from barpoint.server.wire import Answer as SocketAnswer
from barpoint.server.wire import Request as SocketRequest

SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address of the interface. body, answer: types; answer None for a stream of `lines`. scope: "" without a token."""

    method: str
    path: str
    name: str
    call: Any
    scope: str | None
    answer: Any
    body: Any = None
    made: bool = False
    lines: bool = False


ENDPOINTS: Final = (
    Endpoint("POST", "/api/guest", "makeGuest", api.make_guest, "", wire.TokenMade, wire.NewGuest, made=True),
    Endpoint("GET", "/api/account", "account", api.account, None, wire.Person),
    Endpoint("POST", "/api/bot/account/upgrade", "becomeBot", api.become_bot, "play", wire.Person),
    Endpoint("GET", "/api/offered", "offered", api.offered, "", wire.Offered),
    Endpoint("GET", "/api/stream/event", "streamEvents", api_stream.stream_events, None, wire.News, lines=True),
    Endpoint("GET", "/api/challenge", "challenges", api_challenge.challenges, "challenge", wire.Challenges),
    Endpoint(
        "POST", "/api/challenge/bot", "challengeBot", api_challenge.challenge_bot, "challenge", wire.MatchMade, wire.NewChallenge,
        made=True,
    ),
    Endpoint(
        "POST", "/api/challenge/open", "challengeOpen", api_challenge.challenge_open, "challenge", wire.MatchMade,
        wire.NewChallenge, made=True,
    ),
    Endpoint(
        "POST", "/api/challenge/person/{person}", "challengePerson", api_challenge.challenge_person, "challenge", wire.Challenge,
        wire.NewChallenge, made=True,
    ),
    Endpoint(
        "POST", "/api/challenge/{challenge}/{answer}", "answerChallenge", api_challenge.answer_challenge, "challenge", wire.Done
    ),
    Endpoint("GET", "/api/tournament", "tournaments", api_tournament.tournaments, None, wire.Tournaments),
    Endpoint(
        "GET", "/api/tournament/{tournament}", "tournament", api_tournament.tournament, None, wire.TournamentShown
    ),
    Endpoint(
        "POST", "/api/tournament/{tournament}/{deed}", "enterTournament", api_tournament.enter_tournament, "challenge",
        wire.Done,
    ),
    Endpoint("GET", "/api/chouette", "chouettes", api_chouette.tables, None, wire.Chouettes),
    Endpoint(
        "POST", "/api/chouette", "openChouette", api_chouette.open_chouette, "challenge", wire.ChouetteMade,
        wire.NewChouette, made=True,
    ),
    Endpoint(
        "POST", "/api/chouette/{table}/join", "joinChouette", api_chouette.join_chouette, "challenge", wire.ChouetteMade
    ),
    Endpoint(
        "GET", "/api/bot/chouette/stream/{table}", "streamChouette", api_chouette.stream_chouette, "play", TableState,
        lines=True,
    ),
    Endpoint("GET", "/api/bot/chouette/{table}", "chouette", api_chouette.show_chouette, "play", TableState),
    Endpoint("GET", "/api/bot/chouette/{table}/plays", "chouettePlays", api_chouette.legal, "play", wire.Plays),
    Endpoint(
        "POST", "/api/bot/chouette/{table}/{table_kind}", "actAtChouette", api_chouette.act, "play", wire.Done,
        wire.DoingAtTable,
    ),
    Endpoint("GET", "/api/bot/match/stream/{match_id}", "streamMatch", api_stream.stream_match, "play", State, lines=True),
    Endpoint("GET", "/api/bot/match/{match_id}", "match", api.show_match, "play", State),
    Endpoint("GET", "/api/bot/match/{match_id}/plays", "plays", api.legal, "play", wire.Plays),
    Endpoint("POST", "/api/bot/match/{match_id}/{kind}", "act", api.act, "play", wire.Done, wire.Doing),
)  # fmt: skip

PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "person": {"type": "string", "minLength": 1, "maxLength": 48},
    "challenge": {"type": "string", "minLength": 1, "maxLength": 16},
    "answer": {"type": "string", "enum": ["accept", "decline", "withdraw"]},
    "tournament": {"type": "string", "minLength": 1, "maxLength": 16},
    "deed": {"type": "string", "enum": ["join", "leave"]},
    "table": {"type": "string", "minLength": 1, "maxLength": 16},
    "table_kind": {"type": "string", "enum": list(wire.TABLE_KINDS)},
    "match_id": {"type": "string", "minLength": 1, "maxLength": 16},
    "kind": {"type": "string", "enum": list(wire.KINDS)},
}

REFUSALS: Final = {
    "400": "No request of this interface.",
    "401": "No token, or one that was withdrawn.",
    "403": "Not with this token, or not from this seat.",
    "404": "Nothing of that name.",
    "409": "The match has gone on, or somebody was faster.",
    "413": "Too long.",
    "422": "Not allowed now.",
    "429": "Too much at once.",
    "503": "The database does not answer.",
}


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 description of the interface for bots."""
    types = [wire.Refusal, *(e.answer for e in ENDPOINTS), *(e.body for e in ENDPOINTS if e.body)]
    found = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schemas, components = msgspec.json.decode(msgspec.json.encode(found))  # defaults as JSON has them
    made = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, made)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Barpoint", "version": str(PROTOCOL), "description": "Matches for bots: docs/protocol.md."},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(endpoint: Endpoint, made: Mapping[str, Any]) -> dict[str, Any]:
    parameters = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    kind = "application/x-ndjson" if endpoint.lines else "application/json"
    refusal = {"application/json": {"schema": made[repr(wire.Refusal)]}}
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": (endpoint.call.__doc__ or "").partition("\n")[0],
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": dict(PARAMETERS[name])} for name in parameters
        ],
        "security": [] if endpoint.scope == "" else [{"token": []}],
        "responses": {
            "201" if endpoint.made else "200": {
                "description": "A line for each." if endpoint.lines else "Done.",
                "content": {kind: {"schema": made[repr(endpoint.answer)]}},
            },
            **{status: {"description": text, "content": refusal} for status, text in REFUSALS.items()},
        },
    }
    if endpoint.scope:
        operation["description"] = f"Needs the scope `{endpoint.scope}`."
    if endpoint.body is not None:
        content = {"application/json": {"schema": made[repr(endpoint.body)]}}
        operation["requestBody"] = {"required": False, "content": content}
    return operation


def websocket() -> dict[str, Any]:
    """The JSON Schema of every message of the WebSocket of a match, both ways."""
    return _messages("match", SocketRequest, SocketAnswer)


def chouette() -> dict[str, Any]:
    """The same of a chouette."""
    return _messages("chouette", TableRequest, TableAnswer)


def _messages(of: str, request: Any, answer: Any) -> dict[str, Any]:
    types = [request, answer]
    (sent, answered), components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    return {
        "$schema": SCHEMA,
        "title": f"Barpoint: the WebSocket of a {of}",
        "version": PROTOCOL,
        "$defs": {**components, "ClientMessage": sent, "ServerMessage": answered},
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
    }


def files() -> dict[str, str]:
    """The documents as files of docs/protocol, by name."""
    return {
        "websocket.json": _text(websocket()),
        "chouette.json": _text(chouette()),
        "openapi.json": _text(document()),
    }


def _text(made: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"


async def openapi(request: Request) -> Response:
    """The interface for bots, described."""
    return Response(msgspec.json.encode(document()), media_type="application/json")


ROUTES: Final = (
    *(Route(endpoint.path, endpoint.call, methods=[endpoint.method]) for endpoint in ENDPOINTS),
    Route("/api/openapi.json", openapi),
)
"""The addresses of the interface."""
