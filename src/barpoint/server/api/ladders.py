"""Ladders of clubs in the bot API: opening one, its places and challenges, joining, leaving and challenging."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from barpoint.error import FormatError
from barpoint.match import MatchTerms
from barpoint.server.api import club_messages, messages
from barpoint.server.api.challenges import may_create
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded, person_shown
from barpoint.server.domain.agreements import Agreement, check_agreement
from barpoint.server.domain.ladders import LadderPlan
from barpoint.server.domain.limits import MAX_CLUB_NAME, MAX_POINTS, MIN_CLUB_NAME
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.clubs import clean
from barpoint.server.storage import guests as guest_storage
from barpoint.variants import variant

ACTIONS: Final = ("join", "leave", "close")
MAX_REACH: Final = 10
MAX_DAYS: Final = 28


@guarded(None)
async def ladder(call: Call) -> Response:
    """A ladder: who stands where, and its challenges."""
    return answer_with(await _shown(call, call.request.path_params["ladder"]))


async def _shown(call: Call, ladder_id: str) -> club_messages.LadderShown:
    known = await call.services.ladders.known(ladder_id)
    plan = known.plan
    return club_messages.LadderShown(
        id=known.id,
        club=known.club_id,
        name=plan.name,
        variant=plan.variant,
        length=plan.length,
        time_control=plan.time_control,
        rated=plan.rated,
        reach=plan.reach,
        play_ms=plan.play_ms,
        closed=known.closed_at is not None,
        people=tuple(map(person_shown, known.people)),
        challenges=tuple(
            club_messages.LadderChallengeMessage(
                one.match_id,
                person_shown(one.challenger),
                person_shown(one.other),
                one.at,
                one.due_at,
                one.outcome.value if one.outcome else None,
                one.begun,
            )
            for one in known.challenges
        ),
    )


@guarded("challenge")
async def open_ladder(call: Call) -> Response:
    """Opens a ladder in a club; for who runs the club."""
    asked = await call.body(club_messages.LadderBody)
    if not (1 <= asked.length <= MAX_POINTS and 1 <= asked.reach <= MAX_REACH and 1 <= asked.days <= MAX_DAYS):
        raise FormatError(
            "length %(length)s, reach %(reach)s, days %(days)s; allowed: 1 to %(points)s, %(most)s and %(longest)s",
            length=asked.length,
            reach=asked.reach,
            days=asked.days,
            points=MAX_POINTS,
            most=MAX_REACH,
            longest=MAX_DAYS,
        )
    rules = variant(asked.variant)
    cube = asked.cube and rules.cube
    terms = MatchTerms(length=asked.length, cube=cube, crawford=cube)
    check_agreement(Agreement(rules, terms, asked.time_control, asked.rated), registered=True)
    name = clean(asked.name, MAX_CLUB_NAME, MIN_CLUB_NAME, "name")
    plan = LadderPlan(
        name, rules.name, asked.length, cube, asked.time_control, asked.rated, asked.reach, asked.days * DAY
    )
    ladder_id = await call.services.ladders.open(call.request.path_params["club"], call.person, plan)
    return answer_with(await _shown(call, ladder_id), 201)


@guarded("challenge")
async def change_ladder(call: Call) -> Response:
    """Joins a ladder at the bottom, leaves it, or closes it for good."""
    action, ladder_id = call.request.path_params["ladder_action"], call.request.path_params["ladder"]
    ladders = call.services.ladders
    if action == "join":
        await ladders.join(ladder_id, call.person)
    elif action == "leave":
        await ladders.leave(ladder_id, call.person)
    elif action == "close":
        await ladders.close(ladder_id, call.person)
    else:
        raise RequestRefused(404, "unknown", f"{action[:20]!r}; allowed: {', '.join(ACTIONS)}")
    return answer_with(messages.DoneMessage())


@guarded("challenge")
async def challenge_on_ladder(call: Call) -> Response:
    """Challenges who stands above on a ladder; the match waits for both."""
    ladder_id = call.request.path_params["ladder"]
    person_id = await _on_ladder(call, ladder_id, call.request.path_params["person"])
    may_create(call)
    return answer_with(
        club_messages.LadderMatch(await call.services.ladders.challenge(ladder_id, call.person, person_id)), 201
    )


async def _on_ladder(call: Call, ladder_id: str, name: str) -> str:
    """The id of a person, by id or name; refused with 404 for an unknown one."""
    await call.services.ladders.known(ladder_id)
    person = await call.services.store.read(guest_storage.find_person, name)
    if person is None:
        raise RequestRefused(404, "unknown", "nobody of that name is on this ladder")
    return person.id


@guarded("challenge")
async def enter_result(call: Call) -> Response:
    """Enters who won a challenge at a real board; for who has lost it, and for who runs the club."""
    asked, ladder_id = await call.body(club_messages.LadderResultBody), call.request.path_params["ladder"]
    winner_id = await _on_ladder(call, ladder_id, asked.winner)
    await call.services.ladders.enter_result(ladder_id, call.person, asked.match, winner_id)
    return answer_with(messages.DoneMessage())
