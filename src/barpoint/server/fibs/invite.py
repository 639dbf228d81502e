"""Invitations: to a new match, or to resume one."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from barpoint.match import MatchTerms
from barpoint.number_text import number_in
from barpoint.server.domain.agreement_form import MAX_AUTOMATIC, MAX_BEAVERS
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.limits import MAX_POINTS, counted_as
from barpoint.server.fibs.match_text import an
from barpoint.server.fibs.roster import STANDARD, invitation_lines, is_standard
from barpoint.server.fibs.saved_matches import by_id, resume_lines, saved_matches, unfinished
from barpoint.server.fibs.seating import resume_seat, take_seat
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import Invitation, Someone, User
from barpoint.server.live import direct_challenges
from barpoint.server.live.direct_challenges import DirectChallengeGone
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.access_tokens import DirectChallenge
from barpoint.server.storage.event_log import Conflict

BAD_LENGTH: Final = "** The second argument to 'invite' has to be a number or the word 'unlimited'"


async def invite(session: FibsSession, rest: str) -> None:
    """Invites somebody to a match of a length, or to resume the unfinished one."""
    name, _, wanted = rest.partition(" ")
    if not name:
        raise CommandRefused("** invite who?")
    user = session.user
    if user.followed is not None:
        raise CommandRefused("** You are already playing.")
    other = await session.roster.find(name)
    if other is None:
        raise CommandRefused(f"** There is no one called {name}")
    if other.id == user.person.id:
        raise CommandRefused("** You can't invite yourself.")
    if other.id in user.apart:
        raise CommandRefused(f"** {other.name} is refusing games.")
    if not user.preferences.ready:
        user.preferences.ready = True
        await session.roster.changed(user)
    length = _length(wanted.split())
    if length is None:
        await _invite_to_resume(session, other)
        return
    if other.user is not None and not other.user.preferences.ready:
        raise CommandRefused(f"** {other.name} is refusing games.")
    if other.user is not None and other.user.followed is not None:
        raise CommandRefused(f"** {other.name} is already playing with someone else.")
    await _invite_to_new(session, other, length)


def _length(words: list[str]) -> int | None:
    """The requested length, 0 for unlimited; None for invalid words."""
    if not words:
        return None
    if len(words) > 1:
        raise CommandRefused("** Only standard backgammon can be played here; other games are on the web page.")
    word = words[0].lower()
    if len(word) >= 1 and "unlimited".startswith(word):
        return 0
    if not (word.isascii() and word.isdecimal()):
        raise CommandRefused(BAD_LENGTH)
    length = number_in(word, 1, MAX_POINTS)
    if length is None:
        raise CommandRefused(f"** A match of {word[:20]} points; allowed: 1 to {MAX_POINTS}, or unlimited.")
    return length


def _agreement(user: User, other: Someone, length: int) -> Agreement:
    """The agreement of an invitation: Crawford if either player insists, rated if both have an account."""
    mine = user.preferences
    their = other.user.preferences if other.user is not None else None
    crawford = mine.crawford or (their is not None and their.crawford)
    money = length == 0
    raises = {"none": "0", "unlimited": str(MAX_BEAVERS)}.get(mine.redoubles, mine.redoubles)
    automatic = mine.autodouble and their is not None and their.autodouble
    terms = MatchTerms(
        length=length,
        crawford=crawford and not money,
        beavers=min(int(raises), MAX_BEAVERS) if money else 0,
        automatic_doubles=MAX_AUTOMATIC if money and automatic else 0,
    )
    rated = not money and user.person.registered and other.person is not None and other.person.registered
    return Agreement(STANDARD, terms, rated=rated)


async def _invite_to_new(session: FibsSession, other: Someone, length: int) -> None:
    user, services = session.user, session.services
    found = await challenge_of(session, other)
    if found is not None and found.agreement.terms.length == length:  # they wait for exactly this in the lobby
        match_id = await services.lobby.accept(found.id, user.person)
        await take_seat(session, match_id, joined(other, length))
        return
    if not services.allowance.may_create(counted_as(session.address), user.person.id):
        raise CommandRefused("** Too many matches at once; try again in a minute.")
    await withdraw(session)
    agreement = _agreement(user, other, length)
    if other.level is not None:
        bot = seat_for(None, name=other.level.bot, level=other.level.name)
        header = await services.matches.make(agreement, (seat_for(user.person), bot))
        session.say(f"** You invited {other.name} to {an(length)}.")
        await take_seat(session, header.id, joined(other, length))
        return
    assert other.person is not None, "whoever is no bot is a person"
    header = await direct_challenges.summon(services.matches, user.person, other.person, agreement)
    user.invited = Invitation(header.id, other)
    session.expect(header.id)
    session.say(f"** You invited {other.name} to {an(length)}.")
    if other.user is not None and other.user.away is not None:
        session.say("", f"{other.name} is away: {other.user.away}")


def joined(other: Someone, length: int) -> str:
    """The line for the inviter when the match begins."""
    return f"** Player {other.name} has joined you for {an(length)}."


async def withdraw(session: FibsSession) -> None:
    """Withdraws the open invitation."""
    user, services = session.user, session.services
    found, user.invited = user.invited, None
    session.expect(None)
    if found is None or found.resumes:
        return
    with suppress(DirectChallengeGone, Conflict):  # it was answered meanwhile
        await direct_challenges.answer(services.matches, user.person, found.match_id, "withdraw")


async def direct_challenges_to(session: FibsSession) -> list[tuple[DirectChallenge, LiveMatch]]:
    """Invitations to the user, each with its match."""
    services, person = session.services, session.user.person
    found = await direct_challenges.direct_challenges_of(services.matches, person)
    return [(one, await services.matches.live_match(one.match_id)) for one in found if one.other.id == person.id]


async def tell_invitations(session: FibsSession, known: set[str]) -> None:
    """Announces new invitations. known: ids of matches already announced; updated."""
    for one, live_match in await direct_challenges_to(session):
        if one.match_id in known:
            continue
        known.add(one.match_id)
        other = await by_id(session, one.guest.id, one.guest.name)
        if other.id in session.user.apart:
            continue
        if not is_standard(live_match.header.agreement):
            session.say(f"** {other.name} invites you to a game that FIBS cannot show; the web page can.")
            continue
        session.say(*invitation_lines(other.name, live_match.header.agreement))
        saved = await unfinished(session, other)
        if saved is not None:
            length = f"{saved.header.terms.length} point" if saved.header.terms.length else "unlimited"
            session.say(f"WARNING: Don't accept if you want to continue the saved {length} match!")


async def challenge_of(session: FibsSession, other: Someone) -> lobby_storage.Challenge | None:
    """The first challenge of somebody in the lobby that FIBS can play."""
    scene = await session.services.lobby.scene()
    return next((one for one in scene.challenges if one.by.id == other.id and is_standard(one.agreement)), None)


async def _invite_to_resume(session: FibsSession, other: Someone) -> None:
    live_match = await unfinished(session, other)
    if live_match is None:
        raise CommandRefused(f"** There's no saved match with {other.name}. Please give a match length.")
    user, services = session.user, session.services
    seat = live_match.header.seat_of(user.person.id)
    await withdraw(session)
    if live_match.header.adjournment.adjourned_at is not None:
        if live_match.header.adjournment.asked_by != seat:
            await services.adjournments.ask(live_match.id, seat, "resume")
        live_match = await services.matches.live_match(live_match.id)
    session.say(f"** You invited {other.name} to resume a saved match.")
    if live_match.header.adjournment.adjourned_at is None:
        await resume_seat(session, live_match, f"{other.name} has joined you. Your running match was loaded.")
    else:
        user.invited = Invitation(live_match.id, other, resumes=True)
        session.expect(live_match.id)
    if other.user is not None and other.user.followed is None:
        other.user.say(*resume_lines(user.name))


def _is_answered(session: FibsSession) -> None:
    session.user.invited = None
    session.expect(None)


async def invited_has_come(session: FibsSession) -> None:
    """Seats the user once the person they invited has accepted."""
    user = session.user
    found = user.invited
    if found is None or user.followed is not None:
        return
    live_match = await session.services.matches.live_match(found.match_id)
    if found.resumes:
        if live_match.header.adjournment.adjourned_at is None:
            _is_answered(session)
            await resume_seat(session, live_match, f"{found.other.name} has joined you. Your running match was loaded.")
        return
    if live_match.match.over:
        _is_answered(session)
        session.say(f"** {found.other.name} does not accept your invitation.")
    elif live_match.header.complete:
        _is_answered(session)
        await take_seat(session, found.match_id, joined(found.other, live_match.header.terms.length))


async def tell_saved(session: FibsSession) -> None:
    """Tells a user at login who wants to resume a match with them."""
    for going in await saved_matches(session):
        live_match = await session.services.matches.live_match(going.id)
        seat, adjournment = live_match.header.seat_of(session.user.person.id), live_match.header.adjournment
        other = going.guests[1 - (seat or 0)]
        running = adjournment.adjourned_at is None and live_match.match.events
        if other is not None and (adjournment.asked_by == 1 - (seat or 0) or running):
            session.say(*resume_lines((await by_id(session, other, going.names[1 - (seat or 0)])).name))
