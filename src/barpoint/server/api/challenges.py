"""Challenges in the bot API: to a bot of the server, open to anybody, or to one person."""

from __future__ import annotations

from starlette.responses import Response

from barpoint.match import MatchTerms
from barpoint.server.api import messages
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded, person_shown
from barpoint.server.bots.opponents import find_level
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.agreements import Agreement, check_agreement
from barpoint.server.domain.analysis_board import setup_of, terms_from
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader, open_seat
from barpoint.server.domain.propositions import proposition_terms
from barpoint.server.domain.titles import variant_title
from barpoint.server.live import direct_challenges
from barpoint.server.live.direct_challenges import DirectChallengeGone
from barpoint.server.live.matches import seat_for
from barpoint.server.services import Services, address_of
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.access_tokens import DirectChallenge
from barpoint.variants import variant


def _agreement(asked: messages.ChallengeBody) -> Agreement:
    rules = variant(asked.variant)
    money, cube = asked.length == 0, asked.cube and rules.cube
    terms = MatchTerms(
        length=asked.length,
        cube=cube,
        crawford=asked.crawford and cube and not money,
        jacoby=asked.jacoby and cube,
        beavers=asked.beavers,
        automatic_doubles=asked.automatic_doubles,
    )
    return check_agreement(Agreement(rules, terms, asked.time_control), registered=False)


def may_create(call: Call) -> None:
    """Refuses the request if somebody creates too many matches at once."""
    if not call.services.allowance.may_create(address_of(call.request), call.person.id):
        retry_s = call.services.allowance.creations.retry_s
        raise RequestRefused(429, "rate", "so many matches at once; try again in a minute", retry_s)


@guarded("challenge")
async def challenge_bot(call: Call) -> Response:
    """Starts a match against a bot of the server."""
    asked = await call.body(messages.BotChallengeBody)
    agreement, opponents = _agreement(asked), call.services.opponents
    if asked.board is not None:
        board = setup_of(asked.board)
        proposed = asked.proposition
        terms = terms_from(board) if proposed is None else proposition_terms(board, proposed, asked.side)
        agreement = Agreement(board.rules, terms, asked.time_control)
    elif asked.proposition is not None:
        raise RequestRefused(422, "refused", "a proposition needs the board on which its games begin")
    if not opponents.covers(agreement.rules):
        raise RequestRefused(422, "refused", f"{variant_title(agreement.rules)} is not played by the bot")
    level = find_level(opponents, agreement.rules, asked.level)
    may_create(call)
    person, bot = seat_for(call.person), seat_for(None, name=level.bot, level=level.name)
    seats = (bot, person) if asked.board is not None and asked.side == "far" else (person, bot)
    header = await call.services.matches.make(agreement, seats)
    return answer_with(messages.MatchMade(header.id, None), 201)


@guarded("challenge")
async def challenge_open(call: Call) -> Response:
    """Creates a match with an open seat for the first person who follows its link."""
    agreement = _agreement(await call.body(messages.ChallengeBody))
    may_create(call)
    seat = open_seat()
    header = await call.services.matches.make(agreement, (seat_for(call.person), seat))
    return answer_with(messages.MatchMade(header.id, f"/join/{seat.invitation}"), 201)


@guarded("challenge")
async def challenge_person(call: Call) -> Response:
    """Challenges one person, named by id or by account name."""
    agreement, services = _agreement(await call.body(messages.ChallengeBody)), call.services
    name = call.request.path_params["person"]
    other = await services.store.read(guest_storage.find_challenged, name)
    if other is None or other.id == call.person.id:
        raise RequestRefused(404, "unknown", f"nobody else is called {name[:40]!r} here")
    may_create(call)
    header = await direct_challenges.summon(services.matches, call.person, other, agreement)
    return answer_with(_challenge(DirectChallenge(header.id, call.person, other, ""), header), 201)


def _challenge(one: DirectChallenge, header: MatchHeader) -> messages.ChallengeMessage:
    rules, terms = header.rules.name, describe_agreement(header.agreement)
    return messages.ChallengeMessage(one.match_id, person_shown(one.guest), person_shown(one.other), rules, terms)


async def challenges_of(services: Services, person: Guest) -> list[tuple[DirectChallenge, messages.ChallengeMessage]]:
    """Open challenges to and from somebody."""
    found = await direct_challenges.direct_challenges_of(services.matches, person)
    return [(one, _challenge(one, (await services.matches.live_match(one.match_id)).header)) for one in found]


@guarded("challenge")
async def challenges(call: Call) -> Response:
    """Open challenges, incoming and outgoing."""
    found = await challenges_of(call.services, call.person)
    incoming = tuple(shown for one, shown in found if one.other.id == call.person.id)
    outgoing = tuple(shown for one, shown in found if one.guest.id == call.person.id)
    return answer_with(messages.ChallengeList(incoming, outgoing))


@guarded("challenge")
async def answer_challenge(call: Call) -> Response:
    """Accepts or declines an incoming challenge, or withdraws an outgoing one."""
    wanted, match_id = call.request.path_params["answer"], call.request.path_params["challenge"]
    if wanted not in direct_challenges.ANSWERS:
        raise RequestRefused(404, "unknown", f"{wanted[:20]!r}; allowed: {', '.join(direct_challenges.ANSWERS)}")
    try:
        await direct_challenges.answer(call.services.matches, call.person, match_id, wanted)
    except DirectChallengeGone as error:
        raise RequestRefused(404, "unknown", str(error)) from None
    return answer_with(messages.DoneMessage())
