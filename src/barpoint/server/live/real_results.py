"""Results of real boards that count for ratings, once both players have confirmed them with their accounts."""

from __future__ import annotations

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import BOTH
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import seats_of
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import real_results as real_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.event_log import MATCHES, lock
from barpoint.server.storage.lobby import kept_apart
from barpoint.server.storage.matches import read_match


class RealResultRefused(BarpointError):
    """The result of a real board cannot be counted so; the message may be shown."""


class RealResults:
    """The results of all real boards."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def name_players(self, match_id: str, by: Guest, names: tuple[str, str]) -> None:
        """Names the accounts of both players, light and dark; RealResultRefused.

        Only who kept the record may, after the match. Who names themselves confirms the result with it.
        """
        live = await self._matches.live_match(match_id)
        if live.header.seat_of(by.id) != BOTH:
            raise RealResultRefused("only who kept the record of a real board can name its players")

        def work(connection: Connection) -> list[Guest]:
            self._check_over(connection, match_id)
            found = [_account(connection, name) for name in names]
            if found[0].id == found[1].id:
                raise RealResultRefused("%(name)s cannot have played both sides", name=found[0].name)
            if kept_apart(connection, by.id) & {one.id for one in found}:
                raise RealResultRefused("you two do not play each other")
            real_storage.name_players(connection, match_id, [one.id for one in found], by.id, self._matches.clock())
            return found

        for one in await self._matches.store.write(work):
            self._matches.pubsub.publish(seats_of(one.id))

    async def answer(self, match_id: str, by: Guest, *, confirmed: bool) -> bool:
        """Confirms a result, or refuses it, which drops both names; returns whether it counts now. RealResultRefused."""

        def work(connection: Connection) -> bool:
            self._check_over(connection, match_id)
            if by.id not in [one.person.id for one in real_storage.board_players(connection, match_id)]:
                raise RealResultRefused("nobody has named you as a player of this match")
            if not confirmed:
                real_storage.drop_players(connection, match_id)
                return False
            now = self._matches.clock()
            real_storage.confirm(connection, match_id, by.id, now)
            players = real_storage.confirmed_players(connection, match_id)
            if players is None:
                return False
            header, match = read_match(connection, match_id)
            assert match.winner is not None, "it was checked"
            result_storage.rate(connection, header, players[match.winner], players[1 - match.winner], now)
            return True

        return await self._matches.store.write(work)

    def _check_over(self, connection: Connection, match_id: str) -> None:
        lock(connection, MATCHES, match_id)  # so that of two who confirm at once one sees the other
        header, match = read_match(connection, match_id)
        if not header.by_hand or match.winner is None or not header.terms.length or header.replaced_by is not None:
            raise RealResultRefused("only a match of a real board that was played to its end, and to points, counts")
        if real_storage.is_counted(connection, match_id):
            raise RealResultRefused("this match has been counted")


def _account(connection: Connection, name: str) -> Guest:
    found = guest_storage.find_person(connection, name.strip()) if name.strip() else None
    if found is None or not found.registered:
        raise RealResultRefused("nobody is called %(name)r here", name=name[:40])
    if found.bot:
        raise RealResultRefused("%(name)s is a bot; bots do not play at real boards", name=found.name)
    return found
