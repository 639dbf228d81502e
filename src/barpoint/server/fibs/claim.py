"""The command claim: wins against somebody who has left the match, by the same rules as on its page.

FIBS has no such command, and leaves such a match to its administrators.
"""

from __future__ import annotations

from typing import Final

from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.fibs.saved_matches import opponent_named, unfinished
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.live.adjournments import CLAIM_MS, KEPT_MS
from barpoint.server.live.live_match import LiveMatch

USAGE: Final = "** usage: claim <name>"


async def claim(session: FibsSession, rest: str) -> None:
    """Claims the current match, or an adjourned one, unless the opponent comes back in time."""
    live_match, seat, name = await _meant(session, rest.split(" ")[0])
    if "claim" not in session.services.adjournments.may(live_match, seat):
        raise CommandRefused(_why(session, live_match, seat, name))
    await session.services.adjournments.ask(live_match.header.id, seat, "claim")
    session.say(f"** You claim the match. You win it unless {name} comes back within {CLAIM_MS // MINUTE} minutes.")


async def _meant(session: FibsSession, name: str) -> tuple[LiveMatch, int, str]:
    """The match, the user's seat, and the opponent's name."""
    followed = session.user.followed
    if followed is not None:
        if name and name.lower() != followed.other_name.lower():
            raise CommandRefused(f"** You are playing with {followed.other_name}.")
        return await followed.live_match(), followed.seat, followed.other_name
    if not name:
        raise CommandRefused(USAGE)
    other = await session.roster.find_anybody(name) or await opponent_named(session, name)
    live_match = await unfinished(session, other) if other is not None else None
    if other is None or live_match is None:
        raise CommandRefused(f"** There is no saved match with {name}.")
    return live_match, live_match.header.seat_of(session.user.person.id) or 0, other.name


def _why(session: FibsSession, live_match: LiveMatch, seat: int, name: str) -> str:
    """Why the match cannot be claimed now."""
    adjournment = live_match.header.adjournment
    if adjournment.claimed_by == seat:
        return f"** You have claimed it already. {name} may still come back."
    if adjournment.adjourned_at is not None:
        left = adjournment.adjourned_at + KEPT_MS - session.services.matches.clock()
        days = max(1, -(-left // DAY))
        return f"** A saved match can be claimed {KEPT_MS // DAY} days after it was adjourned; that is in {days}."
    if live_match.clock.time_control.timed:
        return "** This match is on the clock. Whoever does not come back loses it by that."
    return f"** You can claim a match while {name} is away and has to act."
