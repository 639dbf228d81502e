"""The command join: accepts an invitation, or goes on to the next game."""

from __future__ import annotations

from barpoint.game import Next
from barpoint.server.fibs.invite import challenge_of, direct_challenges_to, withdraw
from barpoint.server.fibs.match_text import an
from barpoint.server.fibs.roster import is_standard
from barpoint.server.fibs.saved_matches import by_id, opponent_named, unfinished
from barpoint.server.fibs.seating import resume_seat, take_seat
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import MatchPlace, Someone
from barpoint.server.live import direct_challenges


async def join(session: FibsSession, rest: str) -> None:
    """Accepts an invitation, or goes on to the next game."""
    user, name = session.user, rest.split(" ")[0]
    if user.followed is not None and (await user.followed.game()).over:
        await _next_game(session, user.followed)
        return
    if not name:
        raise CommandRefused("** Error: Join who?" if user.followed is None else "** You can't play two games at once")
    if user.followed is not None:
        raise CommandRefused("** You can't play two games at once")
    other = await session.roster.find_anybody(name) or await _inviter(session, name)
    if other is None:
        raise CommandRefused(f"** There is no one called {name}")
    if other.person is None:
        raise CommandRefused(f"** {other.name} didn't invite you.")
    if not await _join_challenged(session, other) and not await _join_saved(session, other):
        await _join_challenge(session, other)


async def _inviter(session: FibsSession, name: str) -> Someone | None:
    """The person with this name among the user's inviters; they need not be on line."""
    for found, _ in await direct_challenges_to(session):
        one = await by_id(session, found.guest.id, found.guest.name)
        if one.name.lower() == name.lower():
            return one
    return await opponent_named(session, name)


async def _next_game(session: FibsSession, followed: MatchPlace) -> None:
    opposite = session.roster.opponent_of(followed)
    if opposite is not None and not opposite.wants_next:
        followed.wants_next = True
        session.say(f"** Please wait for {followed.other_name} to join too.")
        return
    await followed.act(Next())


async def _join_challenged(session: FibsSession, other: Someone) -> bool:
    for one, live_match in await direct_challenges_to(session):
        if one.guest.id != other.id:
            continue
        if not is_standard(live_match.header.agreement):
            raise CommandRefused("** Only standard backgammon can be played here; that game is on the web page.")
        if other.user is not None and other.user.followed is not None:
            raise CommandRefused(f"** Error: {other.name} is already playing with someone else.")
        await withdraw(session)
        await direct_challenges.answer(session.services.matches, session.user.person, one.match_id, "accept")
        said = f"** You are now playing {an(live_match.header.terms.length)} with {other.name}"
        await take_seat(session, one.match_id, said)
        return True
    return False


async def _join_challenge(session: FibsSession, other: Someone) -> None:
    found = await challenge_of(session, other)
    if found is None:
        raise CommandRefused(f"** {other.name} didn't invite you.")
    await withdraw(session)
    match_id = await session.services.lobby.accept(found.id, session.user.person)
    length = found.agreement.terms.length
    await take_seat(session, match_id, f"** You are now playing {an(length)} with {other.name}")


async def _join_saved(session: FibsSession, other: Someone) -> bool:
    """Resumes a match that the other wants to resume, or at which the other already sits."""
    live_match = await unfinished(session, other)
    if live_match is None or (await challenge_of(session, other)) is not None:
        return False
    services = session.services
    seat, adjournment = live_match.header.seat_of(session.user.person.id), live_match.header.adjournment
    if adjournment.adjourned_at is not None:
        if adjournment.asked_by != 1 - (seat or 0):
            return False
        await services.adjournments.ask(live_match.id, seat, "resume")
        live_match = await services.matches.live_match(live_match.id)
    await resume_seat(session, live_match, f"You are now playing with {other.name}. Your running match was loaded.")
    return True
