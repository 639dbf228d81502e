"""Notifies absent players that it is their turn: once per turn, by mail to a confirmed address, and by push."""

from __future__ import annotations

from typing import Final

from barpoint.server.domain.titles import variant_title
from barpoint.server.live.mail import Mailer
from barpoint.server.live.matches import Matches
from barpoint.server.live.presence import Presence
from barpoint.server.live.push import Pusher
from barpoint.server.storage.notifications import WaitingTurn, calls_waiting, claim, turns_waiting
from barpoint.variants import variant

MAX_PAUSE_S: Final = 60.0


class Notifier:
    """Finds waiting turns, and notifies each player once."""

    def __init__(self, matches: Matches, mailer: Mailer, pusher: Pusher, presence: Presence, after_ms: int) -> None:
        self._matches, self._mailer, self._pusher = matches, mailer, pusher
        self._presence, self._after_ms = presence, after_ms

    @property
    def works(self) -> bool:
        """Whether any notification can be sent."""
        return self._mailer.works or self._pusher.works

    @property
    def pause_s(self) -> float:
        """Time between two checks."""
        return min(MAX_PAUSE_S, self._after_ms / 1000)

    async def look(self) -> None:
        """Sends the notifications due now."""
        before, since = self._matches.clock() - self._after_ms, self._presence.since
        store = self._matches.store
        calls = await store.read(calls_waiting, since)
        for turn in [*calls, *await store.read(turns_waiting, before, since)]:
            if await store.write(claim, turn=turn):
                self._tell(turn)

    def _tell(self, turn: WaitingTurn) -> None:
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
