"""Unfinished matches that nobody will finish: a rematch that is declined, given up by their player against a bot, forgotten by guests."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from barpoint.error import BarpointError, IllegalEvent
from barpoint.game import Abort
from barpoint.game.event import Claim
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import FORGOTTEN_DAYS
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import Matches
from barpoint.server.live.scheduler import each
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import Conflict

FORGOTTEN_S: Final = 600.0
"""Time between two looks for forgotten matches."""


class DiscardRefused(BarpointError):
    """A match that this person cannot give up here; the text may be shown."""


async def counts(matches: Matches, match_id: str, person: Guest) -> bool:
    """Whether giving up a match loses it, since it is rated, has a fee or belongs to a tournament; else it is removed.

    DiscardRefused unless the person plays in it against a bot, and it is not over.
    """
    live_match = await matches.live_match(match_id)
    header, seat = live_match.header, live_match.header.seat_of(person.id)
    if seat is None or live_match.match.over or not _against_nobody(live_match, seat):
        raise DiscardRefused("only an unfinished match of yours against a bot can be given up here")
    return (
        header.rated
        or header.fee > 0
        or await matches.store.read(tournament_storage.tournament_of, match_id) is not None
    )


def _against_nobody(live_match: LiveMatch, seat: int) -> bool:
    """Whether no person loses an opponent: a bot plays, nobody has come yet, or one person keeps both sides."""
    other = live_match.header.seats[1 - seat]
    return other.bot or other.kind is not SeatKind.GUEST


async def discard(matches: Matches, match_id: str, person: Guest) -> None:
    """Gives up a match: one that counts is lost, any other ends without a winner and leaves the lists. DiscardRefused."""
    if not await counts(matches, match_id, person):
        await matches.decide(match_id, (await matches.live_match(match_id)).seq, Abort(voided=True))
        return
    await matches.proceed(match_id)
    live_match = await matches.live_match(match_id)
    seat = live_match.header.seat_of(person.id)
    assert seat is not None
    await matches.decide(match_id, live_match.seq, Claim(1 - seat))


async def decline_rematch(matches: Matches, match_id: str, person: Guest) -> None:
    """Ends the rematch of a match that has not begun, for one of its players; changes nothing otherwise. It can be asked for again."""
    rematch = (await matches.live_match(match_id)).header.rematch
    seat = (await matches.live_match(rematch)).header.seat_of(person.id) if rematch else None
    if rematch is None or seat is None:
        return
    await matches.call_off(rematch, seat, joined=True)
    if not (await matches.live_match(rematch)).match.over:
        return  # it has begun meanwhile
    with suppress(Conflict):  # somebody has declined it at the same time
        await matches.store.write(match_storage.drop_rematch, match_id, rematch)
    await matches.log.refresh(match_id)


async def discard_forgotten(matches: Matches) -> None:
    """Removes the matches of guests without an account that nobody has touched for FORGOTTEN_DAYS."""

    async def remove(match_id: str) -> None:
        live_match = await matches.live_match(match_id)
        with suppress(IllegalEvent):  # somebody has come back and finished it
            await matches.decide(match_id, live_match.seq, Abort(voided=True))

    before = matches.clock() - FORGOTTEN_DAYS * DAY
    await each(await matches.store.read(match_storage.forgotten, before), remove, "forgotten matches")
