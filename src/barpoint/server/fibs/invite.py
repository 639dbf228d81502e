"""Invitations: to a new match, or to go on with one."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from barpoint.match import Terms
from barpoint.server.domain.challenge_form import LONGEST, MOST_AUTOMATIC, MOST_BEAVERS
from barpoint.server.domain.challenges import Offer
from barpoint.server.fibs.circle import STANDARD, Invitation, Member, Someone, invitation_lines, is_standard
from barpoint.server.fibs.phrase import an
from barpoint.server.fibs.saved import by_id, resume_lines, saved_matches, unfinished
from barpoint.server.fibs.session import CommandRefused, Session
from barpoint.server.fibs.sit import resume_seat, take_seat
from barpoint.server.live import direct_challenges
from barpoint.server.live.direct_challenges import SummonsGone
from barpoint.server.live.live_match import Room
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.access_tokens import Summons
from barpoint.server.storage.matches import Conflict

BAD_LENGTH: Final = "** The second argument to 'invite' has to be a number or the word 'unlimited'"


async def invite(session: Session, rest: str) -> None:
    """Invites somebody to a match of a length, or to go on with the one that both have."""
    name, _, wish = rest.partition(" ")
    if not name:
        raise CommandRefused("** invite who?")
    member = session.member
    if member.table is not None:
        raise CommandRefused("** You are already playing.")
    other = await session.circle.find(name)
    if other is None:
        raise CommandRefused(f"** There is no one called {name}")
    if other.person is not None and other.person.id == member.person.id:
        raise CommandRefused("** You can't invite yourself.")
    if other.person is not None and other.person.id in member.apart:
        raise CommandRefused(f"** {other.name} is refusing games.")
    if not member.preferences.ready:
        member.preferences.ready = True
        await session.circle.changed(member)
    length = _length(wish.split())
    if length is None:
        await _invite_to_resume(session, other)
        return
    if other.member is not None and not other.member.preferences.ready:
        raise CommandRefused(f"** {other.name} is refusing games.")
    if other.member is not None and other.member.table is not None:
        raise CommandRefused(f"** {other.name} is already playing with someone else.")
    await _invite_to_new(session, other, length)


def _length(words: list[str]) -> int | None:
    """The length that was asked for, 0 without end; None for none."""
    if not words:
        return None
    if len(words) > 1:
        raise CommandRefused("** Only standard backgammon can be played here; other games are on the web page.")
    word = words[0].lower()
    if len(word) >= 1 and "unlimited".startswith(word):
        return 0
    if not (word.isascii() and word.isdigit()):
        raise CommandRefused(BAD_LENGTH)
    if not 1 <= int(word[:6]) <= LONGEST:
        raise CommandRefused(f"** A match of {word[:6]} points; allowed: 1 to {LONGEST}, or unlimited.")
    return int(word)


def _offer(member: Member, other: Someone, length: int) -> Offer:
    """What is offered: the Crawford rule where either insists on it, rated where both have an account."""
    mine = member.preferences
    his = other.member.preferences if other.member is not None else None
    crawford = mine.crawford or (his is not None and his.crawford)
    money = length == 0
    raises = {"none": "0", "unlimited": str(MOST_BEAVERS)}.get(mine.redoubles, mine.redoubles)
    automatic = mine.autodouble and his is not None and his.autodouble
    terms = Terms(
        length=length,
        crawford=crawford and not money,
        beavers=min(int(raises), MOST_BEAVERS) if money else 0,
        automatic_doubles=MOST_AUTOMATIC if money and automatic else 0,
    )
    rated = not money and member.person.registered and other.person is not None and other.person.registered
    return Offer(STANDARD, terms, rated=rated)


async def _invite_to_new(session: Session, other: Someone, length: int) -> None:
    member, service = session.member, session.service
    found = await challenge_of(session, other)
    if found is not None and found.offer.terms.length == length:  # he waits for just this in the lobby
        match_id = await service.lobby.accept(found.id, member.person)
        await take_seat(session, match_id, joined(other, length))
        return
    if not service.allowance.creations.spend(f"person {member.person.id}"):
        raise CommandRefused("** So many matches at once; try again in a minute.")
    await withdraw(session)
    offer = _offer(member, other, length)
    if other.level is not None:
        bot = seat_for(None, name=other.level.bot, level=other.level.name)
        entry = await service.hall.make(offer, (seat_for(member.person), bot))
        session.say(f"** You invited {other.name} to {an(length)}.")
        await take_seat(session, entry.id, joined(other, length))
        return
    assert other.person is not None, "whoever is no bot is a person"
    person = other.person
    entry = await direct_challenges.summon(service.hall, member.person, person, offer)
    member.invited = Invitation(entry.id, other)
    session.expect(entry.id)
    session.say(f"** You invited {other.name} to {an(length)}.")
    if other.member is not None and other.member.away is not None:
        session.say("", f"{other.name} is away: {other.member.away}")


def joined(other: Someone, length: int) -> str:
    """What the inviter is told when the match begins."""
    return f"** Player {other.name} has joined you for {an(length)}."


async def withdraw(session: Session) -> None:
    """Takes back the invitation that is open."""
    member, service = session.member, session.service
    found, member.invited = member.invited, None
    session.expect(None)
    if found is None or found.resumes:
        return
    with suppress(SummonsGone, Conflict):  # it was answered meanwhile
        await direct_challenges.answer(service.hall, member.person, found.match_id, "withdraw")


async def summons_to(session: Session) -> list[tuple[Summons, Room]]:
    """Who invites him, and to what."""
    service, person = session.service, session.member.person
    found = await direct_challenges.summons_of(service.hall, person)
    return [(one, await service.hall.room(one.match_id)) for one in found if one.other.id == person.id]


async def tell_invitations(session: Session, known: set[str]) -> None:
    """Tells of invitations that are new. known: the matches he was told of; changed."""
    for one, room in await summons_to(session):
        if one.match_id in known:
            continue
        known.add(one.match_id)
        other = await by_id(session, one.guest.id, one.guest.name)
        if other.person is not None and other.person.id in session.member.apart:
            continue
        if not is_standard(room.entry.offer):
            session.say(f"** {other.name} invites you to a game that FIBS cannot show; the web page can.")
            continue
        session.say(*invitation_lines(other.name, room.entry.offer))
        saved = await unfinished(session, other)
        if saved is not None:
            length = f"{saved.offer.terms.length} point" if saved.offer.terms.length else "unlimited"
            session.say(f"WARNING: Don't accept if you want to continue the saved {length} match!")


async def challenge_of(session: Session, other: Someone) -> lobby_storage.Challenge | None:
    """The first challenge of somebody in the lobby that FIBS can play."""
    if other.person is None:
        return None
    by, scene = other.person.id, await session.service.lobby.scene()
    return next((one for one in scene.challenges if one.by.id == by and is_standard(one.offer)), None)


async def _invite_to_resume(session: Session, other: Someone) -> None:
    going = await unfinished(session, other)
    if going is None:
        raise CommandRefused(f"** There's no saved match with {other.name}. Please give a match length.")
    member, service = session.member, session.service
    await service.hall.shelf.refresh(going.id)  # another process may have asked for it
    room = await service.hall.room(going.id)
    seat = room.entry.seat_of(member.person.id)
    await withdraw(session)
    if room.entry.recess.adjourned_at is not None:
        if room.entry.recess.asked_by != seat:
            await service.keeper.ask(going.id, seat, "resume")
        room = await service.hall.room(going.id)
    session.say(f"** You invited {other.name} to resume a saved match.")
    if room.entry.recess.adjourned_at is None:
        await resume_seat(session, room, f"{other.name} has joined you. Your running match was loaded.")
    else:
        member.invited = Invitation(going.id, other, resumes=True)
        session.expect(going.id)
    if other.member is not None and other.member.table is None:
        other.member.say(*resume_lines(member.name))


def _is_answered(session: Session) -> None:
    session.member.invited = None
    session.expect(None)


async def invited_has_come(session: Session) -> None:
    """Sits down at the match to which he has invited somebody, once that one has accepted."""
    member = session.member
    found = member.invited
    if found is None or member.table is not None:
        return
    room = await session.service.hall.room(found.match_id)
    if found.resumes:
        if room.entry.recess.adjourned_at is None:
            _is_answered(session)
            await resume_seat(session, room, f"{found.other.name} has joined you. Your running match was loaded.")
        return
    if room.match.over:
        _is_answered(session)
        session.say(f"** {found.other.name} does not accept your invitation.")
    elif room.entry.complete:
        _is_answered(session)
        await take_seat(session, found.match_id, joined(found.other, room.entry.terms.length))


async def tell_saved(session: Session) -> None:
    """Tells who comes of matches that others want to go on with."""
    for going in await saved_matches(session):
        room = await session.service.hall.room(going.id)
        seat, recess = room.entry.seat_of(session.member.person.id), room.entry.recess
        other = going.guests[1 - (seat or 0)]
        running = recess.adjourned_at is None and room.match.events
        if other is not None and (recess.asked_by == 1 - (seat or 0) or running):
            session.say(*resume_lines((await by_id(session, other, going.names[1 - (seat or 0)])).name))
