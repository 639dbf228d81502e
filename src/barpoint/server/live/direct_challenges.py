"""Direct challenges: make, accept, decline, withdraw; the same for programs, FIBS clients and the lobby page."""

from __future__ import annotations

from functools import partial
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader, open_seat
from barpoint.server.live.matches import Matches, seat_for
from barpoint.server.live.pubsub import LOBBY, seats_of
from barpoint.server.storage import access_tokens as token_storage
from barpoint.server.storage.access_tokens import DirectChallenge
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.lobby import kept_apart

ANSWERS: Final = {"accept": False, "decline": False, "withdraw": True}
"""The answers to a challenge; True for that of its maker."""


MAX_WAITING: Final = 20
"""Challenges that may wait for one person's answer."""


class DirectChallengeGone(BarpointError):
    """No such challenge is open, or somebody else must answer it; the text may be shown."""


class DirectChallengeRefused(BarpointError):
    """Nobody may challenge this person now; the text may be shown."""


async def summon(matches: Matches, by: Guest, other: Guest, agreement: Agreement) -> MatchHeader:
    """Challenges somebody: creates a match that waits for them. Conflict if one of them has blocked the other; DirectChallengeRefused while
    an earlier challenge waits for the same answer, or too many do."""

    def also(connection: Connection, header: MatchHeader) -> None:
        if other.id in kept_apart(connection, by.id):
            raise Conflict("you two do not play each other")
        waiting = [one for one in token_storage.direct_challenges_of(connection, other.id) if one.other.id == other.id]
        if any(one.guest.id == by.id for one in waiting):
            raise DirectChallengeRefused("%(name)s has not answered your last challenge yet", name=other.name)
        if len(waiting) >= MAX_WAITING:
            raise DirectChallengeRefused(
                "%(name)s has %(count)s challenges to answer", name=other.name, count=len(waiting)
            )
        token_storage.put_direct_challenge(connection, header.id, by.id, other.id)

    seats = (seat_for(by), open_seat(other.name))
    header = await matches.make(agreement, seats, also)
    _tell(matches, other)
    return header


async def direct_challenges_of(matches: Matches, person: Guest) -> list[DirectChallenge]:
    """Open challenges from or to somebody, the oldest first."""
    return await matches.store.read(token_storage.direct_challenges_of, person.id)


async def answer(matches: Matches, person: Guest, match_id: str, answered: str) -> None:
    """Answers a challenge with one of ANSWERS; DirectChallengeGone, Conflict."""
    for one in await direct_challenges_of(matches, person):
        if one.match_id == match_id and ANSWERS[answered] == (one.guest.id == person.id):
            break
    else:
        raise DirectChallengeGone("no such challenge is open")
    close = partial(token_storage.close_direct_challenge, match_id=match_id, now=matches.clock())
    if answered == "accept":
        await matches.join(one.secret, person, close)  # whoever cannot pay the entry fee has not answered
    else:
        await matches.store.write(close)
        await matches.call_off(match_id, by=0 if answered == "withdraw" else 1)
    _tell(matches, one.guest, one.other)


def _tell(matches: Matches, *people: Guest) -> None:
    for person in people:
        matches.pubsub.publish(seats_of(person.id))
    matches.pubsub.publish(LOBBY)
