"""Commands for watching: watch, unwatch, look."""

from __future__ import annotations

from barpoint.server.fibs.board import board_lines
from barpoint.server.fibs.followed_match import FollowedMatch
from barpoint.server.fibs.roster import is_standard
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import Someone, User


async def watch(session: FibsSession, rest: str) -> None:
    """Watches somebody, in this match and later ones."""
    user, name = session.user, rest.split(" ")[0]
    if user.followed is not None:
        raise CommandRefused("** You can't watch another game while you're playing.")
    if user.watching is not None:
        session.say(f"** You stop watching {user.watching.name}.")
        await stop_watching(session)
    if not name:
        raise CommandRefused("** Watch who?")
    other = await session.roster.find(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** There's no one called {name}.")
    if other.id == user.person.id:
        raise CommandRefused("** Use a mirror to do that.")
    found = await seat_of(session, other)
    if blinded(session, other, found):
        raise CommandRefused(f"** {other.name} doesn't want you to watch.")
    user.watching = other
    session.say(f"You're now watching {other.name}.")
    if other.user is not None:
        other.user.say(f"{user.name} is watching you.")
    if found is None:
        session.say(f"{other.name} is not doing anything interesting.")
    else:
        match_id, seat = found
        followed = await look_on(session, user, match_id, seat, fresh=False)
        opposite = session.roster.user_of(followed.other)
        if opposite is not None:
            opposite.say(f"{user.name} starts watching {other.name}.")
        session.say(*await followed.board())
    await session.roster.changed(user)


async def look_on(session: FibsSession, watcher: User, match_id: str, seat: int, fresh: bool) -> FollowedMatch:
    """Lets a user watch a match from one side."""
    live_match = await session.services.matches.live_match(match_id)
    followed = FollowedMatch(session.roster, watcher, live_match, seat, playing=False)
    watcher.watched_match = followed
    await followed.begin(fresh)
    followed.follow()
    return followed


async def seat_of(session: FibsSession, other: Someone) -> tuple[str, int] | None:
    """The match somebody plays now, and their seat."""
    if other.user is not None and other.user.followed is not None:
        return other.user.followed.match_id, other.user.followed.seat
    if other.person is None:
        return None
    scene = await session.services.lobby.scene()
    for going in scene.running:
        if other.person.id in going.guests and not going.over and is_standard(going.agreement):
            return going.id, going.guests.index(other.person.id)
    return None


def blinded(session: FibsSession, other: Someone, found: tuple[str, int] | None) -> bool:
    """Whether the player or their opponent bars this user from watching."""
    me = session.user.person.id
    followed = other.user.followed if other.user is not None else None
    opponent = session.roster.opponent_of(followed) if followed is not None else None
    both = [other.user, opponent.user if opponent is not None else None]
    return any(one is not None and (me in one.preferences.blinded or me in one.apart) for one in both)


async def unwatch(session: FibsSession, _: str) -> None:
    """Stops watching."""
    user = session.user
    if user.watching is None:
        raise CommandRefused("** You're not watching.")
    session.say(f"You stop watching {user.watching.name}.")
    await stop_watching(session)
    await session.roster.changed(user)


async def stop_watching(session: FibsSession) -> None:
    user = session.user
    watched, match = user.watching, user.watched_match
    if watched is None:
        return
    opposite = session.roster.user_of(match.other) if match is not None else None
    user.watch_no_more()
    there = session.roster.user_of(watched)
    if there is not None:
        there.say(f"{user.name} stops watching you.")
    if opposite is not None:
        opposite.say(f"{user.name} stops watching {watched.name}.")


async def look(session: FibsSession, rest: str) -> None:
    """Shows somebody's board once."""
    name = rest.split(" ")[0]
    if not name:
        raise CommandRefused("** Look at who?")
    other = await session.roster.find(name)
    if other is None:
        raise CommandRefused(f"** There's no one called {name}.")
    if other.id == session.user.person.id:
        session.say("You look great.")
        return
    found = await seat_of(session, other)
    if found is None:
        raise CommandRefused(f"** {other.name} is not playing.")
    if blinded(session, other, found):
        raise CommandRefused(f"** {other.name} doesn't want you to look.")
    match_id, seat = found
    live_match = await session.services.matches.live_match(match_id)
    followed = FollowedMatch(session.roster, session.user, live_match, seat, playing=False)
    followed.others = await followed.named()
    session.say(*board_lines(live_match.match, followed.viewer))
