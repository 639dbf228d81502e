"""Commands that look on: watch, unwatch, look."""

from __future__ import annotations

from barpoint.server.fibs.circle import Member, Someone, is_standard
from barpoint.server.fibs.rawboard import board_lines
from barpoint.server.fibs.session import CommandRefused, Session
from barpoint.server.fibs.table import Table


async def watch(session: Session, rest: str) -> None:
    """Watches somebody, whatever he plays now or later."""
    member, name = session.member, rest.split(" ")[0]
    if member.table is not None:
        raise CommandRefused("** You can't watch another game while you're playing.")
    if member.watching is not None:
        session.say(f"** You stop watching {member.watching.name}.")
        await stop_watching(session)
    if not name:
        raise CommandRefused("** Watch who?")
    other = await session.circle.find(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** There's no one called {name}.")
    if other.person.id == member.person.id:
        raise CommandRefused("** Use a mirror to do that.")
    found = await playing_at(session, other)
    if blinded(session, other, found):
        raise CommandRefused(f"** {other.name} doesn't want you to watch.")
    member.watching = other
    session.say(f"You're now watching {other.name}.")
    if other.member is not None:
        other.member.say(f"{member.name} is watching you.")
    if found is None:
        session.say(f"{other.name} is not doing anything interesting.")
    else:
        match_id, seat = found
        table = await look_on(session, member, match_id, seat, fresh=False)
        opposite = session.circle.member_of(table.other)
        if opposite is not None:
            opposite.say(f"{member.name} starts watching {other.name}.")
        session.say(*await table.board())
    await session.circle.changed(member)


async def look_on(session: Session, watcher: Member, match_id: str, seat: int, fresh: bool) -> Table:
    """Lets somebody watch a match from a side."""
    live_match = await session.services.matches.live_match(match_id)
    table = Table(session.circle, watcher, live_match, seat, playing=False)
    watcher.sight = table
    await table.begin(fresh)
    table.follow()
    return table


async def playing_at(session: Session, other: Someone) -> tuple[str, int] | None:
    """The match that somebody plays now, and his seat there."""
    if other.member is not None and other.member.table is not None:
        return other.member.table.match_id, other.member.table.seat
    if other.person is None:
        return None
    scene = await session.services.lobby.scene()
    for going in scene.running:
        if other.person.id in going.guests and not going.over and is_standard(going.agreement):
            return going.id, going.guests.index(other.person.id)
    return None


def blinded(session: Session, other: Someone, found: tuple[str, int] | None) -> bool:
    """Whether he or who plays against him does not want to be seen by this person."""
    me = session.member.person.id
    table = other.member.table if other.member is not None else None
    both = [other.member, table.opposite.member if table is not None and table.opposite is not None else None]
    return any(one is not None and (me in one.preferences.blinded or me in one.apart) for one in both)


async def unwatch(session: Session, _: str) -> None:
    """Watches no longer."""
    member = session.member
    if member.watching is None:
        raise CommandRefused("** You're not watching.")
    session.say(f"You stop watching {member.watching.name}.")
    await stop_watching(session)
    await session.circle.changed(member)


async def stop_watching(session: Session) -> None:
    member = session.member
    watched, member.watching = member.watching, None
    if watched is None:
        return
    opposite = None
    if member.sight is not None:
        opposite = session.circle.member_of(member.sight.other)
        member.sight.close()
    there = session.circle.member_of(watched)
    if there is not None:
        there.say(f"{member.name} stops watching you.")
    if opposite is not None:
        opposite.say(f"{member.name} stops watching {watched.name}.")


async def look(session: Session, rest: str) -> None:
    """Shows somebody's board once."""
    name = rest.split(" ")[0]
    if not name:
        raise CommandRefused("** Look at who?")
    other = await session.circle.find(name)
    if other is None:
        raise CommandRefused(f"** There's no one called {name}.")
    if other.person is not None and other.person.id == session.member.person.id:
        session.say("You look great.")
        return
    found = await playing_at(session, other)
    if found is None:
        raise CommandRefused(f"** {other.name} is not playing.")
    if blinded(session, other, found):
        raise CommandRefused(f"** {other.name} doesn't want you to look.")
    match_id, seat = found
    live_match = await session.services.matches.live_match(match_id)
    table = Table(session.circle, session.member, live_match, seat, playing=False)
    table.others = await table.named()
    session.say(*board_lines(live_match.match, table.viewer))
