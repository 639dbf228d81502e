"""Notifies people who are away of turns, times to play and messages: of each once, by mail to a confirmed address, and by push."""

from __future__ import annotations

from typing import Final

from barpoint.language import SOURCE, _, in_language, time
from barpoint.server.domain.appointments import CALLED_OFF, CalendarEntry, CalendarMethod
from barpoint.server.domain.messages import messages_path
from barpoint.server.domain.own_settings import zone_of
from barpoint.server.domain.seat_names import person_name
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.mail import CalendarFile, Mailer
from barpoint.server.live.matches import Matches
from barpoint.server.live.presence import Presence
from barpoint.server.live.push import Pusher
from barpoint.server.storage.notifications import (
    MessageNotice,
    Recipient,
    TimeNotice,
    WaitingTurn,
    calls_waiting,
    claim,
    claim_messages,
    claim_time,
    ladder_calls_waiting,
    messages_waiting,
    times_waiting,
    turns_waiting,
)
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
        calls = [*await store.read(calls_waiting, since), *await store.read(ladder_calls_waiting, since)]
        for turn in [*calls, *await store.read(turns_waiting, before, since)]:
            if await store.write(claim, turn=turn):
                self._tell(turn)
        await self._tell_of_times(since)
        for message in await store.read(messages_waiting, since):
            if await store.write(claim_messages, message):
                with in_language(message.language or SOURCE):
                    self._tell_of_message(message)

    async def _tell_of_times(self, since: int) -> None:
        """Tells of proposed and agreed times to play, and reminds both players of those that come soon."""
        store, now = self._matches.store, self._matches.clock()
        told: dict[str, bool] = {}
        for one in await store.read(times_waiting, now, since):
            if one.match_id not in told:
                told[one.match_id] = await store.write(claim_time, one, now)
            if told[one.match_id]:
                with in_language(one.language or SOURCE):
                    self._tell_of_time(one)

    def _tell_of_time(self, one: TimeNotice) -> None:
        game, name = variant_title(variant(one.variant)), person_name(one.opponent)
        zone = zone_of(one.settings)
        at, place = time(one.agreed_at or int(one.times.split()[0]), zone=zone), str(zone).replace("_", " ")
        proposed = _("%(name)s proposes times to play %(game)s.", name=name, game=game)
        if one.agreed_at is None:
            text = proposed
        elif one.agreed_at == CALLED_OFF:
            text = _(
                "%(name)s has called off the time to play %(game)s: %(time)s (%(zone)s).",
                name=name,
                game=game,
                time=at,
                zone=place,
            )
            text = f"{text} {proposed}" if " " in one.times else text
        else:
            text = _(
                "You play %(game)s against %(name)s: %(time)s (%(zone)s).", name=name, game=game, time=at, zone=place
            )
        path = f"/match/{one.match_id}{'' if one.soon else '/time'}"
        self._send(one, _("Time to play"), text, path, game, one.match_id, self._calendar_file(one, game))

    def _calendar_file(self, one: TimeNotice, game: str) -> CalendarFile | None:
        """What the calendar of whoever is told of an agreed time takes over, or drops once it was called off."""
        if one.agreed_at is None or one.soon:
            return None
        at, method, sender = one.agreed_at, CalendarMethod.PUBLISH, self._mailer.sender
        if one.agreed_at == CALLED_OFF and not sender:
            return None
        if one.agreed_at == CALLED_OFF:
            at, method = int(one.times.split()[0]), CalendarMethod.CANCEL
        summary = _("%(game)s against %(name)s", game=game, name=person_name(one.opponent))
        address = f"{self._mailer.address}/match/{one.match_id}"
        entry = CalendarEntry(one.match_id, at, summary, address, sender, method)
        return CalendarFile(f"match-{one.match_id}.ics", entry.text(self._matches.clock()), method)

    def _tell_of_message(self, one: MessageNotice) -> None:
        name = person_name(one.by)
        text = _("%(name)s has written to you.", name=name)
        self._send(one, _("A message"), text, messages_path(one.by), name, f"message-{one.by_id}")

    def _tell(self, turn: WaitingTurn) -> None:
        with in_language(turn.language or SOURCE):
            self._tell_in_their_language(turn)

    def _tell_in_their_language(self, turn: WaitingTurn) -> None:
        game, path = variant_title(variant(turn.variant)), f"/match/{turn.match_id}"
        if turn.challenger is not None:
            subject, name = _("A challenge on a ladder"), person_name(turn.challenger)
            text = _("%(name)s challenges you on a ladder: %(game)s. The match waits for you.", name=name, game=game)
        elif turn.boards is not None:
            subject, path = _("Your match is ready"), f"/tournament/{turn.boards}"
            text = _("Your match of %(game)s in a tournament is ready, here or at a real board.", game=game)
        elif turn.seq == 0:
            subject = _("Your match is ready")
            text = _("Your match of %(game)s in a tournament is ready, and waits for you only so long.", game=game)
        else:
            subject, text = _("It is your turn"), _("It is your turn in a match of %(game)s.", game=game)
        self._send(turn, subject, text, path, game, turn.match_id)

    def _send(
        self,
        to: Recipient,
        subject: str,
        text: str,
        path: str,
        about: str,
        topic: str,
        entry: CalendarFile | None = None,
    ) -> None:
        """Sends a notification by push, where it replaces those of its topic, and by mail to whoever wants that."""
        self._pusher.tell(to.guest_id, subject, text, path, topic)
        if to.by_mail and to.email and self._mailer.works:
            greeting = _("Hello %(name)s,", name=to.name)
            last = _("No more such mails: %(address)s", address=f"{self._mailer.address}/account")
            link = f"{self._mailer.address}{path}"
            self._mailer.send(to.email, f"{subject}: {about}", f"{greeting}\n\n{text}\n\n{link}\n\n{last}\n", entry)
