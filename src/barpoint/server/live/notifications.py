"""Tells who is away that it is his turn: once for each turn, by a letter to an address that is confirmed, and by push."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection, and_, insert, or_, select, update

from barpoint.server.domain.titles import variant_title
from barpoint.server.live.mail import Mailer
from barpoint.server.live.matches import Matches
from barpoint.server.live.presence import Presence
from barpoint.server.live.push import Pusher
from barpoint.server.storage.schema import ACCOUNT, EVENT, MATCH, NOTICE, PRESENCE, PUSH, SEAT, TOURNAMENT_GAME
from barpoint.variants import variant

LOG: Final = logging.getLogger("barpoint.server")

MAX_PAUSE_S: Final = 60.0
MAX_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that waits. seq: of the event after which it is his; 0 for a match of a tournament that waits to begin.

    by_letter: he wants one, and his address is confirmed.
    """

    match_id: str
    guest_id: str
    seq: int
    variant: str
    name: str
    email: str | None
    by_letter: bool


_BY_LETTER = and_(ACCOUNT.c.notices.is_(True), ACCOUNT.c.email_confirmed.is_(True))
_BY_PUSH = select(PUSH.c.id).where(PUSH.c.guest_id == ACCOUNT.c.id).exists()
_MATCH = (MATCH.c.id, SEAT.c.guest_id, MATCH.c.seq, MATCH.c.variant)
_SHOWN = (*_MATCH, ACCOUNT.c.name, ACCOUNT.c.email, _BY_LETTER.label("by_letter"))


def turns_waiting(connection: Connection, before: int, present_since: int) -> list[Turn]:
    """Turns that nobody has been told of, of people who are away; those begun before a time, the oldest first."""
    rows = connection.execute(
        select(*_SHOWN)
        .join(SEAT, and_(SEAT.c.match_id == MATCH.c.id, SEAT.c.seat == MATCH.c.to_act))
        .join(ACCOUNT, ACCOUNT.c.id == SEAT.c.guest_id)
        .join(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq))
        .outerjoin(PRESENCE, PRESENCE.c.guest_id == SEAT.c.guest_id)
        .outerjoin(NOTICE, and_(NOTICE.c.match_id == MATCH.c.id, NOTICE.c.guest_id == SEAT.c.guest_id))
        .where(
            and_(
                MATCH.c.over.is_(False),
                MATCH.c.adjourned_at.is_(None),
                or_(_BY_LETTER, _BY_PUSH),
                ACCOUNT.c.banned_at.is_(None),
                EVENT.c.at < before,
                or_(PRESENCE.c.seen_at.is_(None), PRESENCE.c.seen_at < present_since),
                or_(NOTICE.c.seq.is_(None), NOTICE.c.seq < MATCH.c.seq),
            )
        )
        .order_by(EVENT.c.at)
        .limit(MAX_AT_ONCE)
    )
    return [Turn(*row) for row in rows]


def calls_waiting(connection: Connection, present_since: int) -> list[Turn]:
    """Matches of tournaments that wait for people who are away and have not been told; the most urgent first."""
    awaited = and_(SEAT.c.match_id == MATCH.c.id, SEAT.c.sealed.is_(None), SEAT.c.client_seed == "")
    rows = connection.execute(
        select(*_SHOWN)
        .join(TOURNAMENT_GAME, TOURNAMENT_GAME.c.match_id == MATCH.c.id)
        .join(SEAT, awaited)
        .join(ACCOUNT, ACCOUNT.c.id == SEAT.c.guest_id)
        .outerjoin(PRESENCE, PRESENCE.c.guest_id == SEAT.c.guest_id)
        .outerjoin(NOTICE, and_(NOTICE.c.match_id == MATCH.c.id, NOTICE.c.guest_id == SEAT.c.guest_id))
        .where(
            and_(
                TOURNAMENT_GAME.c.settled.is_(False),
                MATCH.c.seq == 0,
                or_(_BY_LETTER, _BY_PUSH),
                ACCOUNT.c.banned_at.is_(None),
                or_(PRESENCE.c.seen_at.is_(None), PRESENCE.c.seen_at < present_since),
                NOTICE.c.seq.is_(None),
            )
        )
        .order_by(TOURNAMENT_GAME.c.due_at)
        .limit(MAX_AT_ONCE)
    )
    return [Turn(*row) for row in rows]


def claim(connection: Connection, turn: Turn) -> bool:
    """Whether nobody has told of this turn before; it is then noted as told."""
    same = and_(NOTICE.c.match_id == turn.match_id, NOTICE.c.guest_id == turn.guest_id)
    if connection.scalar(select(NOTICE.c.seq).where(same)) is None:
        connection.execute(insert(NOTICE).values(match_id=turn.match_id, guest_id=turn.guest_id, seq=turn.seq))
        return True
    return (
        connection.execute(update(NOTICE).where(and_(same, NOTICE.c.seq < turn.seq)).values(seq=turn.seq)).rowcount == 1
    )


class Notifier:
    """Looks for turns that wait, and tells of each."""

    def __init__(self, matches: Matches, mailer: Mailer, pusher: Pusher, presence: Presence, after_ms: int) -> None:
        self._matches, self._mailer, self._pusher = matches, mailer, pusher
        self._presence, self._after_ms = presence, after_ms
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to look, where anybody can be told."""
        if self._mailer.works or self._pusher.works:
            self._task = asyncio.create_task(self._watch(), name="notices")

    async def stop(self) -> None:
        """Stops looking."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(min(MAX_PAUSE_S, self._after_ms / 1000))
            try:
                await self.look()
            except Exception:  # the outermost handler: it is looked at again
                LOG.exception("nobody is told that it is his turn")

    async def look(self) -> None:
        """Sends what is due now."""
        before, since = self._matches.clock() - self._after_ms, self._presence.since
        store = self._matches.store
        calls = await store.read(lambda connection: calls_waiting(connection, since))
        for turn in [*calls, *await store.read(lambda connection: turns_waiting(connection, before, since))]:
            if await store.write(partial(claim, turn=turn)):
                self._tell(turn)

    def _tell(self, turn: Turn) -> None:
        game = variant_title(variant(turn.variant))
        subject, text = "It is your turn", f"it is your turn in a match of {game}"
        if turn.seq == 0:
            subject = "Your match is ready"
            text = f"your match of {game} in a tournament is ready, and waits for you only so long"
        path = f"/match/{turn.match_id}"
        self._pusher.tell(turn.guest_id, subject, f"{text[0].upper()}{text[1:]}.", path, turn.match_id)
        if turn.by_letter and turn.email and self._mailer.works:
            self._mailer.send(
                turn.email,
                f"{subject}: {game}",
                f"{turn.name}, {text}:\n\n"
                f"{self._mailer.address}{path}\n\n"
                f"No more such letters: {self._mailer.address}/account\n",
            )
