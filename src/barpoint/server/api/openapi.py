"""Descriptions of the interfaces for other programs: OpenAPI for the bot API, JSON Schema for the WebSockets.

They are generated from the types that read and write the messages, so they always match the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.position import PositionAnswer
from barpoint.analysis.roll_table import RollTable
from barpoint.analysis.score_matrix import ScoreMatrix
from barpoint.analysis.statistics import Statistics
from barpoint.server.api import (
    analysis_board,
    challenges,
    chouettes,
    club_messages,
    clubs,
    daily_positions,
    drills,
    ladders,
    library,
    matches,
    messages,
    openings,
    own_notes,
    practice,
    statistics,
    streams,
    studies,
    tournament_messages,
    tournaments,
)
from barpoint.server.api.requests import SCOPES_NEEDED
from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.practice import DECK_ACTIONS
from barpoint.server.domain.tournament_actions import ACTION_KINDS, TournamentAction
from barpoint.server.live.direct_challenges import ANSWERS
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.protocol.chouettes import ChouetteAnswer, ChouetteRequest, ChouetteState
from barpoint.server.protocol.matches import PROTOCOL, MatchState
from barpoint.server.protocol.matches import MatchAnswer as SocketAnswer
from barpoint.server.protocol.matches import MatchRequest as SocketRequest
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.study.analysis_board import BoardShown
from barpoint.server.study.daily_positions import DailyAnswered, DailyQuestion
from barpoint.server.study.drill_questions import DRILLS
from barpoint.server.study.drills import DrillJudged, DrillQuestion
from barpoint.server.study.library import LibraryQuery
from barpoint.server.study.openings import OpeningLines, OpeningQuery
from barpoint.server.study.practice import CardAnswer, CardGraded, CardsMade
from barpoint.server.study.reference import ReferenceFound, ReferenceQuery
from barpoint.server.study.rollouts import RolloutState
from barpoint.server.study.statistics import StatisticsQuery
from barpoint.server.study.studies import StudyJudged, StudyQuestion, StudyShown

SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint. body, query, answer: types; answer is None for a stream of `lines`. status: of the answer."""

    method: str
    path: str
    name: str
    call: Any
    answer: Any
    body: Any = None
    status: int = 200
    lines: bool = False
    query: Any = None


ENDPOINTS: Final = (
    Endpoint("POST", "/api/guest", "makeGuest", matches.make_guest, messages.TokenMade, messages.GuestBody, status=201),
    Endpoint("GET", "/api/account", "account", matches.account, messages.Person),
    Endpoint("POST", "/api/bot/account/upgrade", "becomeBot", matches.become_bot, messages.Person),
    Endpoint("GET", "/api/offered", "offered", matches.offered, messages.OfferedMessage),
    Endpoint("GET", "/api/stream/event", "streamEvents", streams.stream_events, messages.News, lines=True),
    Endpoint("GET", "/api/challenge", "challenges", challenges.challenges, messages.ChallengeList),
    Endpoint("POST", "/api/challenge/bot", "challengeBot", challenges.challenge_bot, messages.MatchMade, messages.BotChallengeBody, status=201),
    Endpoint(
        "POST", "/api/challenge/open", "challengeOpen", challenges.challenge_open, messages.MatchMade,
        messages.ChallengeBody, status=201,
    ),
    Endpoint(
        "POST", "/api/challenge/person/{person}", "challengePerson", challenges.challenge_person, messages.ChallengeMessage,
        messages.ChallengeBody, status=201,
    ),
    Endpoint("POST", "/api/challenge/{challenge}/{answer}", "answerChallenge", challenges.answer_challenge, messages.DoneMessage),
    Endpoint("GET", "/api/statistics", "statistics", statistics.statistics, Statistics, query=StatisticsQuery),
    Endpoint("GET", "/api/library", "library", library.library, library.LibraryAnswer, query=LibraryQuery),
    Endpoint("GET", "/api/library/similar", "similarDecisions", library.similar, library.LibraryAnswer, query=BoardAddress),
    Endpoint("GET", "/api/openings", "openings", openings.openings, OpeningLines, query=OpeningQuery),
    Endpoint("GET", "/api/tournament", "tournaments", tournaments.tournaments, tournament_messages.TournamentList, query=tournament_messages.TournamentQuery),
    Endpoint("POST", "/api/tournament", "announceTournament", tournaments.announce_tournament, tournament_messages.TournamentShown, tournament_messages.TournamentBody, status=201),
    Endpoint("GET", "/api/tournament/{tournament}", "tournament", tournaments.tournament, tournament_messages.TournamentShown),
    Endpoint("GET", "/api/tournament/{tournament}/log", "tournamentLog", tournaments.tournament_log, tournament_messages.TournamentLogShown),
    Endpoint("POST", "/api/tournament/{tournament}/plan", "changeTournament", tournaments.change_tournament, tournament_messages.TournamentShown, tournament_messages.PlanBody),
    Endpoint("POST", "/api/tournament/{tournament}/{tournament_action}", "actInTournament", tournaments.act_in_tournament, messages.DoneMessage, TournamentAction),
    Endpoint("GET", "/api/club", "clubs", clubs.clubs, club_messages.ClubList),
    Endpoint("GET", "/api/club/{club}", "club", clubs.club, club_messages.ClubShown),
    Endpoint("POST", "/api/club/{club}/season", "beginSeason", clubs.begin_season, messages.DoneMessage, club_messages.SeasonBody),
    Endpoint("POST", "/api/club/{club}/ladder", "openLadder", ladders.open_ladder, club_messages.LadderShown, club_messages.LadderBody, status=201),
    Endpoint("POST", "/api/club/{club}/person/{person}/{club_change}", "changeMember", clubs.change_person, messages.DoneMessage),
    Endpoint("GET", "/api/ladder/{ladder}", "ladder", ladders.ladder, club_messages.LadderShown),
    Endpoint("POST", "/api/ladder/{ladder}/challenge/{person}", "challengeOnLadder", ladders.challenge_on_ladder, club_messages.LadderMatch, status=201),
    Endpoint("POST", "/api/ladder/{ladder}/result", "enterLadderResult", ladders.enter_result, messages.DoneMessage, club_messages.LadderResultBody),
    Endpoint("POST", "/api/ladder/{ladder}/{ladder_action}", "changeLadder", ladders.change_ladder, messages.DoneMessage),
    Endpoint("POST", "/api/club/{club}/{club_action}", "joinClub", clubs.join_club, messages.DoneMessage),
    Endpoint("GET", "/api/chouette", "chouettes", chouettes.chouettes, messages.ChouetteList),
    Endpoint("POST", "/api/chouette", "openChouette", chouettes.open_chouette, messages.ChouetteMade, messages.ChouetteBody, status=201),
    Endpoint("POST", "/api/chouette/{chouette}/join", "joinChouette", chouettes.join_chouette, messages.ChouetteMade),
    Endpoint("GET", "/api/bot/chouette/stream/{chouette}", "streamChouette", chouettes.stream_chouette, ChouetteState, lines=True),
    Endpoint("GET", "/api/bot/chouette/{chouette}", "chouette", chouettes.show_chouette, ChouetteState),
    Endpoint("GET", "/api/bot/chouette/{chouette}/plays", "chouettePlays", chouettes.legal, messages.PlayList),
    Endpoint(
        "POST", "/api/bot/chouette/{chouette}/{chouette_kind}", "actAtChouette", chouettes.act, messages.DoneMessage,
        messages.ChouetteActionBody,
    ),
    Endpoint("GET", "/api/bot/match/stream/{match_id}", "streamMatch", streams.stream_match, MatchState, lines=True),
    Endpoint("GET", "/api/bot/match/{match_id}", "match", matches.show_match, MatchState),
    Endpoint("GET", "/api/bot/match/{match_id}/plays", "plays", matches.legal, messages.PlayList),
    Endpoint("POST", "/api/bot/match/{match_id}/{kind}", "act", matches.act, messages.DoneMessage, messages.ActionBody),
    Endpoint("GET", "/api/analysis", "analysePosition", analysis_board.position, PositionAnswer, query=analysis_board.AnswerQuery),
    Endpoint("GET", "/api/analysis/known", "knownAnalysis", analysis_board.known, analysis_board.KnownAnalysis, query=analysis_board.RolloutQuery),
    Endpoint("GET", "/api/analysis/text", "decisionText", analysis_board.text, analysis_board.DecisionText, query=analysis_board.TextQuery),
    Endpoint("GET", "/api/analysis/rolls", "analyseRolls", analysis_board.rolls, RollTable, query=analysis_board.AnswerQuery),
    Endpoint("GET", "/api/analysis/matrix", "analyseScores", analysis_board.matrix, ScoreMatrix, query=analysis_board.AnswerQuery),
    Endpoint("GET", "/api/analysis/similar", "similarReferences", analysis_board.similar, ReferenceFound, query=ReferenceQuery),
    Endpoint("GET", "/api/analysis/board", "analysisBoard", analysis_board.board, BoardShown, query=analysis_board.BoardQuery),
    Endpoint("POST", "/api/analysis/read", "readPosition", analysis_board.read, BoardShown, analysis_board.ReadBody),
    Endpoint("GET", "/api/analysis/rollout", "rolloutState", analysis_board.rollout, RolloutState, query=analysis_board.RolloutQuery),
    Endpoint("POST", "/api/analysis/rollout", "rollOut", analysis_board.roll_out, RolloutState, query=analysis_board.RolloutQuery, status=202),
    Endpoint("POST", "/api/analysis/rollout/stop", "stopRollout", analysis_board.stop_rollout, RolloutState, query=analysis_board.RolloutQuery),
    Endpoint("GET", "/api/study", "studies", studies.studies, studies.StudyList),
    Endpoint("POST", "/api/study", "makeStudy", studies.make_study, StudyShown, studies.StudyBody, status=201),
    Endpoint("GET", "/api/study/{study}", "study", studies.study, StudyShown),
    Endpoint("GET", "/api/study/{study}/question/{node}", "studyQuestion", studies.study_question, StudyQuestion, query=practice.BoardOfCardQuery),
    Endpoint("POST", "/api/study/{study}/answer", "answerStudy", studies.answer_study, StudyJudged, studies.StudyAnswerBody),
    Endpoint("POST", "/api/study/{study}/edit", "editStudy", studies.edit_study, StudyShown, studies.StudyEditBody),
    Endpoint("POST", "/api/study/{study}/copy", "copyStudy", studies.copy_study, StudyShown, status=201),
    Endpoint("POST", "/api/study/{study}/remove", "removeStudy", studies.remove_study, messages.DoneMessage),
    Endpoint("GET", "/api/note", "notes", own_notes.notes, own_notes.NoteList, query=own_notes.NoteQuery),
    Endpoint("POST", "/api/note", "putNote", own_notes.put_note, OwnNote, own_notes.NoteBody),
    Endpoint("GET", "/api/practice", "practice", practice.practice, practice.PracticeShown),
    Endpoint("POST", "/api/practice/position", "cardOfPosition", practice.add_position, CardsMade, practice.PositionBody, status=201),
    Endpoint("POST", "/api/practice/moment", "cardOfMoment", practice.add_moment, CardsMade, practice.MomentBody, status=201),
    Endpoint("POST", "/api/practice/mistakes", "cardsOfMistakes", practice.add_mistakes, CardsMade, practice.MistakesBody, status=201),
    Endpoint("GET", "/api/practice/session", "practiceSession", practice.session, practice.SessionShown, query=practice.SessionQuery),
    Endpoint("GET", "/api/practice/card/{card}", "card", practice.card, BoardView, query=practice.BoardOfCardQuery),
    Endpoint("POST", "/api/practice/card/{card}/answer", "answerCard", practice.answer, CardAnswer, practice.AnswerBody),
    Endpoint("POST", "/api/practice/card/{card}/remove", "removeCard", practice.remove_card, messages.DoneMessage),
    Endpoint("POST", "/api/practice/answer/{review}/grade", "gradeCard", practice.grade, CardGraded, practice.GradeBody),
    Endpoint("POST", "/api/practice/deck", "makeDeck", practice.make_deck, practice.DeckShown, practice.DeckBody, status=201),
    Endpoint("GET", "/api/practice/deck/{deck}", "deck", practice.deck, practice.SessionShown),
    Endpoint("GET", "/api/practice/drills", "drills", drills.drills, drills.DrillList),
    Endpoint("GET", "/api/practice/drills/board", "drillBoard", drills.board, BoardView, query=drills.DrillBoardQuery),
    Endpoint("POST", "/api/practice/drills/answer", "answerDrill", drills.answer, DrillJudged, drills.DrillAnswerBody),
    Endpoint("GET", "/api/practice/drills/question/{drill}", "drillQuestion", drills.question, DrillQuestion, query=drills.DrillQuery),
    Endpoint("GET", "/api/practice/day/{day}", "dailyPosition", daily_positions.question, DailyQuestion, query=practice.BoardOfCardQuery),
    Endpoint("POST", "/api/practice/day/{day}/answer", "answerDailyPosition", daily_positions.answer, DailyAnswered, daily_positions.DailyAnswerBody),
    Endpoint("GET", "/api/practice/day/{day}/answers", "dailyAnswers", daily_positions.answered, DailyAnswered),
    Endpoint("POST", "/api/practice/deck/{deck}/{deck_action}", "changeDeck", practice.change_deck, messages.DoneMessage),
)  # fmt: skip

PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "person": {"type": "string", "minLength": 1, "maxLength": 48},
    "challenge": {"type": "string", "minLength": 1, "maxLength": 16},
    "answer": {"type": "string", "enum": list(ANSWERS)},
    "tournament": {"type": "string", "minLength": 1, "maxLength": 16},
    "club": {"type": "string", "minLength": 1, "maxLength": 16},
    "club_change": {"type": "string", "enum": list(clubs.CHANGES)},
    "ladder": {"type": "string", "minLength": 1, "maxLength": 16},
    "ladder_action": {"type": "string", "enum": list(ladders.ACTIONS)},
    "club_action": {"type": "string", "enum": ["join", "leave"]},
    "tournament_action": {"type": "string", "enum": list(ACTION_KINDS)},
    "chouette": {"type": "string", "minLength": 1, "maxLength": 16},
    "chouette_kind": {"type": "string", "enum": list(messages.CHOUETTE_KINDS)},
    "match_id": {"type": "string", "minLength": 1, "maxLength": 16},
    "kind": {"type": "string", "enum": list(messages.KINDS)},
    "card": {"type": "string", "minLength": 1, "maxLength": 16},
    "deck": {"type": "string", "minLength": 1, "maxLength": 16},
    "deck_action": {"type": "string", "enum": list(DECK_ACTIONS)},
    "drill": {"type": "string", "enum": list(DRILLS)},
    "day": {"type": "string", "format": "date"},
    "study": {"type": "string", "minLength": 1, "maxLength": 16},
    "node": {"type": "integer", "minimum": 1},
    "review": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
}

REFUSALS: Final = {
    "400": "No request of this interface.",
    "401": "No token, or one that was withdrawn.",
    "403": "Not with this token, or not from this seat.",
    "404": "Nothing of that name.",
    "409": "The match has gone on, or somebody was faster.",
    "411": "A body in chunks, without its length.",
    "413": "Too long.",
    "422": "Not allowed now.",
    "429": "Too much at once; Retry-After says in how many seconds to ask again.",
    "503": "The database does not answer.",
}


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 description of the bot API."""
    types = [messages.Refusal, *(e.answer for e in ENDPOINTS), *(e.body for e in ENDPOINTS if e.body)]
    found = _schemas(types, "#/components/schemas/{name}")
    schemas, components = msgspec.json.decode(msgspec.json.encode(found))  # defaults in JSON form
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


def _schemas(types: Sequence[Any], template: str) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """The schemas of types and of their components, the same with every version of msgspec.

    Some leave indentation in descriptions, and some say nothing of the names of a mapping's entries.
    """
    schemas, components = msgspec.json.schema_components(types, ref_template=template)
    for component in components.values():
        if "description" in component:
            component["description"] = cleandoc(component["description"])
        for field in component.get("properties", {}).values():
            field.pop("propertyNames", None)
    return schemas, components


def _operation(endpoint: Endpoint, made: Mapping[str, Any]) -> dict[str, Any]:
    parameters = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    kind = "application/x-ndjson" if endpoint.lines else "application/json"
    refusal = {"application/json": {"schema": made[repr(messages.Refusal)]}}
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": (endpoint.call.__doc__ or "").partition("\n")[0],
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": dict(PARAMETERS[name])} for name in parameters),
            *_fields(endpoint.query),
        ],
        "security": [{"token": []}] if endpoint.call in SCOPES_NEEDED else [],
        "responses": {
            str(endpoint.status): {
                "description": "A line for each." if endpoint.lines else "Done.",
                "content": {kind: {"schema": made[repr(endpoint.answer)]}},
            },
            **{status: {"description": text, "content": refusal} for status, text in REFUSALS.items()},
        },
    }
    if scope := SCOPES_NEEDED.get(endpoint.call):
        operation["description"] = f"Needs the scope `{scope}`."
    if endpoint.body is not None:
        content = {"application/json": {"schema": made[repr(endpoint.body)]}}
        operation["requestBody"] = {"required": False, "content": content}
    return operation


def _fields(query: Any) -> list[dict[str, Any]]:
    """The fields of a query as parameters; all of them have defaults."""
    if query is None:
        return []
    _, components = _schemas([query], "#/$defs/{name}")
    properties = msgspec.json.decode(msgspec.json.encode(components[query.__name__]))["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]


def websocket() -> dict[str, Any]:
    """The JSON Schema of every message on the WebSocket of a match, in both directions."""
    return _messages("match", SocketRequest, SocketAnswer)


def chouette() -> dict[str, Any]:
    """The same for a chouette."""
    return _messages("chouette", ChouetteRequest, ChouetteAnswer)


def _messages(of: str, request: Any, answer: Any) -> dict[str, Any]:
    types = [request, answer]
    (sent, answered), components = _schemas(types, "#/$defs/{name}")
    return {
        "$schema": SCHEMA,
        "title": f"Barpoint: the WebSocket of a {of}",
        "version": PROTOCOL,
        "$defs": {**components, "ClientMessage": sent, "ServerMessage": answered},
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
    }


def files() -> dict[str, str]:
    """The contents of docs/protocol, by file name."""
    return {
        "websocket.json": _text(websocket()),
        "chouette.json": _text(chouette()),
        "openapi.json": _text(document()),
    }


def _text(made: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"


async def openapi(request: Request) -> Response:
    """The OpenAPI description of the bot API."""
    return Response(msgspec.json.encode(document()), media_type="application/json")


ROUTES: Final = (
    *(Route(endpoint.path, endpoint.call, methods=[endpoint.method]) for endpoint in ENDPOINTS),
    Route("/api/openapi.json", openapi),
)
"""The routes of the API."""
