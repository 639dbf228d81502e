"""The bot API: the account, what is available, and a POST for every action in a match (docs/protocol.md)."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from barpoint.error import IllegalEvent
from barpoint.game import Event, Game, kind_of
from barpoint.game.event import lead_to_the_same
from barpoint.moves import legal_plays, parse_play
from barpoint.server.api import messages
from barpoint.server.api.requests import Call, RequestRefused, answer_with, body_of, guarded, person_shown, refusing
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import TIME_CONTROLS
from barpoint.server.live.event_log import Session, used_id
from barpoint.server.live.match_state import match_state
from barpoint.server.live.matches import gone_on
from barpoint.server.protocol.matches import ADJOURN_ACTIONS, AnyAction, event_of
from barpoint.server.services import address_of, service_of
from barpoint.server.storage import access_tokens as token_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.access_tokens import SCOPES
from barpoint.variants import variant, variants


async def make_guest(request: Request) -> Response:
    """Creates a guest for a bot without a browser, with an access token for every scope."""
    return await refusing(_make_guest(request))


async def _make_guest(request: Request) -> Response:
    services = service_of(request)
    asked = await body_of(request, messages.GuestBody)
    if not services.allowance.may_create(address_of(request)):
        retry_s = services.allowance.creations.retry_s
        raise RequestRefused(429, "rate", "too many guests at once; try again in a minute", retry_s)
    person, secret, now = await services.accounts.new_guest(), token_storage.new_secret(), services.matches.clock()
    person = Guest(person.id, await services.accounts.guest_name(asked.name) or person.name, bot=True)

    def work(connection: Connection) -> None:
        guest_storage.rename_guest(connection, person)
        token_storage.declare_bot(connection, person.id)

    await services.store.write(work)
    scopes = frozenset(SCOPES)
    await services.store.write(token_storage.put_token, person.id, secret, "first", scopes, now)
    return answer_with(messages.TokenMade(secret, SCOPES, person_shown(person)), 201)


@guarded(None)
async def account(call: Call) -> Response:
    """The account that the token acts for."""
    return answer_with(person_shown(call.person))


@guarded("play")
async def become_bot(call: Call) -> Response:
    """Marks the token's account as a program, permanently; refused for somebody who has been rated as a person."""
    services, person = call.services, call.person
    await services.store.write(token_storage.declare_bot, person.id)
    services.pubsub.renamed(person.id)
    return answer_with(person_shown(replace(person, bot=True)))


async def offered(request: Request) -> Response:
    """Variants, levels of the server's bots, and time controls."""
    opponents = service_of(request).opponents
    games = tuple(
        messages.VariantListing(known.name, known.title, known.line, opponents.covers(variant(known.name)))
        for known in variants()
    )
    levels = tuple(
        messages.LevelListing(level.name, level.title, level.line, level.engine) for level in opponents.levels
    )
    return answer_with(
        messages.OfferedMessage(games, levels, tuple(time_control.name for time_control in TIME_CONTROLS))
    )


# ---------------------------------------------------------------- matches


@guarded("play")
async def show_match(call: Call) -> Response:
    """The current state of a match."""
    live_match = await call.services.matches.live_match(call.request.path_params["match_id"])
    seat = live_match.header.seat_of(call.person.id)
    may = call.services.adjournments.may(live_match, seat)
    return answer_with(match_state(live_match, seat, None, call.services.matches.clock(), may))


@guarded("play")
async def legal(call: Call) -> Response:
    """The legal plays of the current roll, one for each resulting position; empty without a roll."""
    return answer_with(
        plays_of((await call.services.matches.live_match(call.request.path_params["match_id"])).match.game)
    )


@guarded("play")
async def act(call: Call) -> Response:
    """The player's action in a match; the last part of the path is its kind."""
    kind, match_id = kind_named(call, "kind", messages.KINDS), call.request.path_params["match_id"]
    doing = await call.body(messages.ActionBody)
    live_match = await call.services.matches.live_match(match_id)
    seat = live_match.header.seat_of(call.person.id)
    if kind in ADJOURN_ACTIONS:
        await call.services.adjournments.ask(match_id, seat, kind)
        return answer_with(messages.DoneMessage(live_match.seq))

    async def work(command: str, seq: int) -> int:
        if doing.play is not None and seq != live_match.seq:
            raise gone_on(live_match, seq)  # the text would be read in another position
        action: AnyAction = msgspec.convert(fields_of(kind, doing, live_match.match.game), AnyAction)
        return await call.services.matches.act(match_id, seat, command, seq, event_of(action, seat or 0))

    def made(number: int) -> tuple[str, Event]:
        event = live_match.match.events[number - 1]
        return kind_of(event), event

    return await answer_once(live_match, str(seat), RequestedAction(kind, doing), made, work)


def kind_named(call: Call, parameter: str, allowed: tuple[str, ...]) -> str:
    """The kind of action that the path names; RequestRefused."""
    kind: str = call.request.path_params[parameter]
    if kind not in allowed:
        raise RequestRefused(404, "unknown", f"no event {kind[:20]!r}; allowed: {', '.join(allowed)}")
    return kind


@dataclass(frozen=True, slots=True)
class RequestedAction:
    """An action that a request asks for: its kind, and the body."""

    kind: str
    doing: messages.ActionBody

    def is_made_of(self, kind: str, event: object) -> bool:
        """Whether it is the one that led to an event. Plays in notation count as the same: they were read in another position."""
        moves = self.doing.moves
        if moves is not None and not lead_to_the_same(getattr(event, "moves", ()), moves):
            return False
        fields = (("level", self.doing.level), ("roll_id", self.doing.roll))
        return self.kind == kind and all(
            getattr(event, name, said) == said for name, said in fields if said is not None
        )


async def answer_once(
    session: Session[Any, Any],
    actor: str,
    asked: RequestedAction,
    made: Callable[[int], tuple[str, object]],
    work: Callable[[str, int], Awaitable[int]],
) -> Response:
    """Executes an action with a command id and the last event known, and answers with the number of its event.

    A retry gets the first answer: the action may no longer be legal now. UsedId if the id belongs to another action.
    made: the kind of an event, and the event of the game, by its number.
    """
    doing = asked.doing
    done = session.commands.get((actor, doing.id or ""))
    if done is not None and not asked.is_made_of(*made(done)):
        raise used_id(doing.id or "", done)
    if done is None:
        command = doing.id or f"api-{secrets.token_urlsafe(9)}"
        done = await work(command, session.seq if doing.seq is None else doing.seq)
    return answer_with(messages.DoneMessage(done))


def fields_of(kind: str, doing: messages.ActionBody, game: Game) -> dict[str, Any]:
    """The fields of an action of this kind as plain values, from the body of a request; IllegalEvent, IllegalMove."""
    fields: dict[str, Any] = {"kind": kind}
    if kind == "play":
        if doing.play is not None and doing.moves is None:
            if not game.faces:
                raise IllegalEvent("play: there is no roll to play")
            fields["moves"] = parse_play(game.rules, game.position, game.faces, doing.play).moves
        else:
            fields["moves"] = doing.moves if doing.moves is not None else ()
    if kind == "rollover":
        fields["roll"] = doing.roll if doing.roll is not None else game.roll_id
    if kind == "resign":
        fields["level"] = doing.level or 1
    return fields


def plays_of(game: Game) -> messages.PlayList:
    """The legal plays of the current roll, one for each resulting position; empty without a roll."""
    found = legal_plays(game.rules, game.position, game.faces) if game.faces else ()
    return messages.PlayList(tuple(messages.PlayOffered(play.moves, str(play)) for play in found))
