"""Unfinished matches that can be resumed."""

from __future__ import annotations

from typing import Final

from barpoint.game import in_digits
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import SeatKind
from barpoint.server.fibs.board import Viewer, board_lines
from barpoint.server.fibs.followed_match import FollowedMatch
from barpoint.server.fibs.move_list import transcript
from barpoint.server.fibs.names import bot_alias
from barpoint.server.fibs.roster import is_standard
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import Someone
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.lobby import ListedMatch

SAVED_SHOWN: Final = 200
"""Maximum saved matches searched per person, the latest first."""


async def saved_matches(session: FibsSession) -> list[ListedMatch]:
    """The user's unfinished matches that FIBS can show."""
    person = session.user.person
    found = await session.services.store.read(lobby_storage.matches_unfinished, person.id, SAVED_SHOWN)
    return [one for one in found if is_standard(one.agreement) and SeatKind.OPEN.value not in one.kinds]


async def unfinished(session: FibsSession, other: Someone) -> LiveMatch | None:
    """The unfinished match with somebody: of several the one that they ask to resume, else one that runs, else the
    latest.
    """
    person, log = session.user.person, session.services.matches.log
    found = [await log.fresh(one.id) for one in await saved_matches(session) if _is_with(one, person.id, other)]
    return min(found, key=lambda live_match: _urgency(live_match, person.id), default=None)


def _is_with(one: ListedMatch, person_id: str, other: Someone) -> bool:
    place = 1 - one.guests.index(person_id)
    if other.level is not None and one.kinds[place] == SeatKind.BOT.value:
        return bot_alias(one.names[place]) == other.name
    return other.id is not None and one.guests[place] == other.id


def _urgency(live_match: LiveMatch, person_id: str) -> int:
    """0: the opponent asks to resume it; 1: it runs; 2: it is adjourned."""
    adjournment = live_match.header.adjournment
    if adjournment.adjourned_at is None:
        return 1
    return 0 if adjournment.asked_by == 1 - (live_match.header.seat_of(person_id) or 0) else 2


async def opponent_named(session: FibsSession, name: str) -> Someone | None:
    """The opponent with this name among the user's unfinished matches."""
    me = session.user.person.id
    for going in await saved_matches(session):
        place = 1 - going.guests.index(me)
        person_id = going.guests[place]
        one = await by_id(session, person_id, going.names[place]) if person_id is not None else None
        if one is not None and one.name.lower() == name.lower():
            return one
    return None


async def by_id(session: FibsSession, person_id: str, name: str) -> Someone:
    person = await session.services.store.read(guest_storage.get_guest, person_id)
    return session.roster.someone(person or Guest(person_id, name))


def resume_lines(name: str) -> list[str]:
    """The lines that ask somebody to resume a match."""
    return [f"{name} wants to resume a saved match with you.", f"Type 'join {name}' to accept."]


async def show_saved(session: FibsSession) -> None:
    """Lists the matches that can be resumed."""
    found = await saved_matches(session)
    if not found:
        session.say("no saved games.")
        return
    session.say("  opponent          matchlength   score (your points first)")
    scene = await session.services.lobby.scene()
    online = {one.id for one in await session.roster.people()}
    followed = session.user.followed
    for going in found:
        place = 1 - going.guests.index(session.user.person.id)
        other = going.guests[place]
        name = session.roster.names_of(going, scene)[place] if other is None else ""
        if other is not None:
            name = (await by_id(session, other, going.names[place])).name
        mark = " *" if followed is not None and followed.match_id == going.id else "**" if other in online else "  "
        length = str(going.agreement.terms.length or "unlimited")
        score = f"{in_digits(going.score[1 - place]):>2} - {in_digits(going.score[place]):>2}"
        session.say(f"{mark}{name:<20}{length:^13}{'':10}{score}")


async def oldboard(session: FibsSession, rest: str) -> None:
    """Shows the board of an adjourned match."""
    if session.user.followed is not None:
        raise CommandRefused("** You can't do this while playing.")
    live_match, followed = await _old(session, rest, "oldboard")
    viewer = Viewer(followed.seat, True, followed.viewer.names, session.user.style)
    session.say(*board_lines(live_match.match, viewer))


async def oldmoves(session: FibsSession, rest: str) -> None:
    """Lists the moves of the current game, or of an adjourned match."""
    live_match, followed = await _old(session, rest, "oldmoves")
    session.say(*transcript(live_match.match, followed.viewer))


async def _old(session: FibsSession, rest: str, command: str) -> tuple[LiveMatch, FollowedMatch]:
    name = rest.split(" ")[0]
    if not name:
        raise CommandRefused(f"** usage: {command} <name>")
    other = await session.roster.find_anybody(name) or await opponent_named(session, name)
    live_match = await unfinished(session, other) if other is not None else None
    if live_match is None:
        if command == "oldboard":
            raise CommandRefused(f"** There's no saved match with a player called '{name}'.")
        raise CommandRefused(f"** There is no saved game with {name}.")
    seat = live_match.header.seat_of(session.user.person.id)
    followed = FollowedMatch(session.roster, session.user, live_match, seat or 0, playing=True)
    followed.others = await followed.named()
    return live_match, followed
