"""Ladders of clubs: opening one, joining and leaving it, challenges, and what follows from their matches."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError, StoreError
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import Ladder, LadderPlan, LadderRefused, taken
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.live.clubs import Clubs, NotClubDirector
from barpoint.server.live.match_transactions import new_id, void_match
from barpoint.server.live.matches import Matches, seat_for
from barpoint.server.live.pubsub import LOBBY, seats_of
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.ladders import DueChallenge
from barpoint.variants import variant

MAX_STANDING: Final = 200
"""Maximum players on a ladder."""

MAX_DUE: Final = 50
"""Challenges that one look settles."""


class UnknownLadder(BarpointError):
    """No ladder has this id."""


class Ladders:
    """All ladders of a server."""

    def __init__(self, matches: Matches, clubs: Clubs) -> None:
        self._matches, self._clubs = matches, clubs

    async def known(self, ladder_id: str) -> Ladder:
        """A ladder; UnknownLadder."""
        return await self._matches.store.read(_found, ladder_id)

    async def open(self, club_id: str, by: Guest, plan: LadderPlan) -> str:
        """Opens a ladder in a club; returns its id. NotClubDirector."""
        await self._directs(club_id, by)
        ladder_id, now = new_id(), self._matches.clock()
        await self._matches.store.write(ladder_storage.put_ladder, ladder_id, club_id, plan, now)
        return ladder_id

    async def close(self, ladder_id: str, by: Guest) -> None:
        """Closes a ladder; NotClubDirector."""
        await self._directs((await self.known(ladder_id)).club_id, by)
        await self._matches.store.write(ladder_storage.close, ladder_id, self._matches.clock())

    async def _directs(self, club_id: str, by: Guest) -> None:
        if not (await self._clubs.known(club_id)).directs(by):
            raise NotClubDirector("only who runs the club, or an administrator, can do this")

    async def join(self, ladder_id: str, by: Guest) -> None:
        """Puts a member of the club on the lowest place; LadderRefused."""
        club = await self._clubs.known((await self.known(ladder_id)).club_id)
        if club.role_of(by) is None or not club.belongs(by):
            raise LadderRefused("a ladder is for members of its club")

        def work(connection: Connection) -> None:
            ladder = _found(connection, ladder_id)
            order = [one.id for one in ladder.people]
            if ladder.closed_at is not None or len(order) >= MAX_STANDING:
                raise LadderRefused("this ladder takes nobody any more")
            if by.id not in order:
                ladder_storage.set_order(connection, ladder_id, [*order, by.id])

        await self._matches.store.write(work)

    async def leave(self, ladder_id: str, by: Guest) -> None:
        """Takes a player off; those below move up. LadderRefused while they have an open challenge."""

        def work(connection: Connection) -> None:
            ladder = _found(connection, ladder_id)
            if ladder.busy(by.id):
                raise LadderRefused("you have an open challenge; play it first")
            ladder_storage.set_order(connection, ladder_id, [one.id for one in ladder.people if one.id != by.id])

        await self._matches.store.write(work)

    async def challenge(self, ladder_id: str, by: Guest, other_id: str) -> str:
        """Challenges somebody above; returns the match, which waits for both. LadderRefused."""
        ladder = await self.known(ladder_id)
        other = next((one for one in ladder.people if one.id == other_id), None)
        if other is None:
            raise LadderRefused("nobody of that name is on this ladder")
        plan, rules, now = ladder.plan, variant(ladder.plan.variant), self._matches.clock()
        cube = plan.cube and rules.cube
        terms = MatchTerms(length=plan.length, cube=cube, crawford=cube)

        def also(connection: Connection, header: MatchHeader) -> None:
            current = _found(connection, ladder_id)
            if not current.may_challenge(by.id, other_id):
                raise LadderRefused(
                    "you may challenge who stands at most %(reach)s places above you, while neither has an open challenge",
                    reach=plan.reach,
                )
            ladder_storage.put_challenge(connection, current, header.id, by, other_id, now)

        seats = (seat_for(by), seat_for(other))
        agreement = Agreement(rules, terms, plan.time_control, plan.rated)
        header = await self._matches.make(agreement, seats, also, players_seed=True)
        for one in (by, other):
            self._matches.pubsub.publish(seats_of(one.id))
        self._matches.pubsub.publish(LOBBY)
        return header.id

    async def enter_result(self, ladder_id: str, by: Guest, match_id: str, winner_id: str) -> None:
        """Enters who won an open challenge at a real board; its match here is voided. The loser may, and who runs the club. LadderRefused."""
        directs = (await self._clubs.known((await self.known(ladder_id)).club_id)).directs(by)
        now = self._matches.clock()

        def work(connection: Connection) -> None:
            ladder = _found(connection, ladder_id)
            one = next((one for one in ladder.waiting if one.match_id == match_id and not one.begun), None)
            seats = [] if one is None else [person.id for person in one.players]
            if one is None or winner_id not in seats:
                raise LadderRefused(
                    "only an open challenge of two people whose match has not begun here takes the result of a real board"
                )
            if not directs and (by.id not in seats or by.id == winner_id):
                raise LadderRefused("a result from a real board is entered by who has lost, or by who runs the club")
            void_match(connection, match_id, now)
            winner = seats.index(winner_id)
            due = DueChallenge(
                ladder_id, match_id, one.number, seats[0], seats[1], winner, played=True, present=(), over=False
            )
            _record(connection, ladder, due, winner, now)

        await self._matches.store.write(work)
        await self._matches.log.refresh(match_id)

    async def look(self) -> None:
        """Settles every challenge whose match is over or was not begun in time."""
        store, now = self._matches.store, self._matches.clock()
        for one in await store.read(ladder_storage.due, now, MAX_DUE):
            if await store.write(_settle, one, now) and not one.over:
                await self._matches.log.refresh(one.match_id)


def _settle(connection: Connection, one: DueChallenge, now: int) -> bool:
    """Settles a challenge; False if its match has begun or it was settled meanwhile.

    Of a match that was not begun in time, who came alone wins it; when both came, or neither, it lapses.
    """
    ladder = _found(connection, one.ladder_id)
    winner = one.winner
    if not one.over:
        winner = one.present[0] if len(one.present) == 1 else None
        try:
            void_match(connection, one.match_id, now)
        except (Conflict, StoreError):
            return False
    return _record(connection, ladder, one, winner, now)


def _record(connection: Connection, ladder: Ladder, one: DueChallenge, winner: int | None, now: int) -> bool:
    """Records the result of a challenge, by which places change; False if that was done before."""
    order = taken([person.id for person in ladder.people], one.challenger, one.other) if winner == 0 else ()
    return ladder_storage.settle(connection, ladder, one, winner, order, now)


def _found(connection: Connection, ladder_id: str) -> Ladder:
    ladder = ladder_storage.get_ladder(connection, ladder_id)
    if ladder is None:
        raise UnknownLadder("no ladder is called %(ladder_id)r", ladder_id=ladder_id[:20])
    return ladder
