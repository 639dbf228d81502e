"""A match as one user follows it: announces events, and acts for the user where their settings say so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Final

from barpoint.error import BarpointError, StoreError
from barpoint.game import Next, in_digits
from barpoint.match import Match
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ratings import Rating, growth, upset_chance
from barpoint.server.fibs.automatic import automatic_event
from barpoint.server.fibs.board import Viewer
from barpoint.server.fibs.match_text import an, event_lines, match_over
from barpoint.server.fibs.move_list import transcript
from barpoint.server.fibs.names import bot_alias
from barpoint.server.fibs.roster import Roster
from barpoint.server.fibs.users import MatchPlace, Someone, User
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.pubsub import chat_of
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.chat import AT_MATCH

LOG: Final = logging.getLogger("barpoint.server")

PAUSE_S: Final = 1.0
"""Pause before another look while the database does not answer."""


class FollowedMatch(MatchPlace):
    """One user's place at a match, with its announcements. shown: the match up to the last announced event."""

    def __init__(self, roster: Roster, user: User, live_match: LiveMatch, seat: int, playing: bool) -> None:
        super().__init__(roster.services, user, live_match, seat, playing)
        self._roster = roster
        self.shown = live_match.match
        self._heard = 0
        self._changed, self._said = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._open = ExitStack()

    async def begin(self, fresh: bool) -> None:
        """Starts to follow. fresh: from the first event on; otherwise from now."""
        self.others = await self.named()
        self._heard = await self._last_words()
        if fresh:
            self.shown = Match.start(rules=self.header.rules, terms=self.header.terms)
        if self.playing:
            self.user.preferences.begin_game()
            adjournments = self._services.adjournments
            self._open.enter_context(self._services.seat_presence.present(self.match_id, self.seat))
            await adjournments.commit_to_seed(self.match_id, self.seat, None)
            await adjournments.seen(self.match_id, self.seat)
        pubsub = self._services.pubsub
        self._open.enter_context(pubsub.listening(self.match_id, lambda _: self._changed.set()))
        self._open.enter_context(pubsub.listening(chat_of(self.match_id), lambda _: self._said.set()))

    def follow(self) -> None:
        """Announces everything that happens from now on."""
        self._changed.set()
        name = f"fibs {self.user.name} at {self.match_id}"
        self._tasks = [
            asyncio.create_task(self._loop(self._changed, self._tell), name=name),
            asyncio.create_task(self._loop(self._said, self._hear), name=f"{name}, talk"),
        ]

    def follow_up(self) -> None:
        """Looks again for an automatic action, after the user changed a setting."""
        self._changed.set()

    def close(self) -> None:
        """Stops following."""
        self._open.close()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._tasks = []
        if self.user.followed is self:
            self.user.followed = None
        if self.user.watched_match is self:
            self.user.watched_match = None

    # ------------------------------------------------------------ names

    async def named(self) -> tuple[Someone, Someone]:
        first, second = [await self._name(seat.guest, seat.name, seat.level) for seat in self.header.seats]
        return first, second

    async def _name(self, guest: str | None, name: str, level: str | None) -> Someone:
        if guest is None:
            found = next((one for one in self._services.opponents.levels if one.name == level), None)
            return Someone(bot_alias(name), level=found)
        person = await self._services.store.read(guest_storage.get_guest, guest)
        return self._roster.someone(person or Guest(guest, name))

    # ------------------------------------------------------------ following

    async def _loop(self, event: asyncio.Event, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await event.wait()
            event.clear()
            try:
                await work()
            except StoreError:
                await asyncio.sleep(PAUSE_S)
                event.set()
            except Exception:  # the outermost handler: the connection stays, and the next event is announced
                LOG.exception("a FIBS client at match %s", self.match_id)
            if not self._tasks:
                return
            self.user.output.prompt()

    async def _tell(self) -> None:
        live_match = await self.live_match()
        if live_match.header.ready and not live_match.seq:
            await self._services.matches.begin(self.match_id)  # it may have waited for both
        claimed, self.header = self.header.adjournment.claimed_by, live_match.header
        if (
            self.playing
            and claimed == self.seat
            and live_match.header.adjournment.claimed_by is None
            and not live_match.match.over
        ):
            self.user.say(f"** {self.other_name} is back. You don't claim the match any more.")
        preferences = self.user.preferences
        while len(self.shown.events) < len(live_match.match.events):
            event = live_match.match.events[len(self.shown.events)]
            before, self.shown = self.shown, self.shown.replay(event)
            if isinstance(event, Next):
                self.wants_next = False
                preferences.begin_game()
            lines = event_lines(before, event, self.shown, self.viewer, preferences)
            if self.shown.game.over and self.playing and preferences.moves:
                end = len(match_over(self.shown, self.viewer)) if self.shown.over else 2  # the score, and what to type
                lines[len(lines) - end : len(lines) - end] = transcript(self.shown, self.viewer)
            if self.shown.over and self.playing and preferences.ratings:
                lines[-1:-1] = rating_lines(live_match, self.viewer)
            self.user.say(*lines)
        if self.shown.over:
            await self._end()
        elif live_match.header.adjournment.adjourned_at is not None:
            await self._adjourned()
        elif self.playing:
            await self._act_automatically(live_match)

    async def _act_automatically(self, live_match: LiveMatch) -> None:
        event = automatic_event(live_match.match, self.seat, self.user.preferences)
        if event is None:
            return
        try:
            await self._services.matches.act(
                self.match_id, self.seat, f"fibs-habit-{live_match.seq + 1}", live_match.seq, event
            )
        except StoreError:
            raise
        except BarpointError as error:
            LOG.info("a FIBS client at match %s: %s", self.match_id, error)

    async def _adjourned(self) -> None:
        """Handles the adjournment of the match: everybody leaves it."""
        if self.playing and not self.leaving:
            self.user.say(f"** Player {self.other_name} has left the game. The game was saved.")
        playing = self.playing
        self.close()
        if playing:
            await self._roster.changed(self.user)

    async def _end(self) -> None:
        playing, match = self.playing, self.shown
        winner = self.others[match.winner] if match.winner is not None else None
        own = winner is not None and (match.winner == self.seat or self._roster.user_of(winner) is None)
        if playing and own and match.winner is not None:
            won, lost = self.viewer.names[match.winner], self.viewer.names[1 - match.winner]
            score = f"{in_digits(match.score[match.winner])}-{in_digits(match.score[1 - match.winner])}"
            people = [one.person.id for one in self.others if one.person is not None]
            people += [one.person.id for one in self._roster.watchers_of(self)]
            if match.length:
                self._roster.report(f"{won} wins {an(match.length)} against {lost}  {score} .", but=people)
        self.close()
        if playing:
            await self._roster.changed(self.user)

    # ------------------------------------------------------------ talk

    async def _last_words(self) -> int:
        told = await self._services.chat.heard(AT_MATCH, self.match_id, self.user.person, 0)
        return max((line.id for line in told.lines), default=0)

    async def _hear(self) -> None:
        """Shows new chat lines of the match."""
        told = await self._services.chat.heard(AT_MATCH, self.match_id, self.user.person, self._heard)
        for line in told.lines:
            self._heard = max(self._heard, line.id)
            assert line.seat is not None, "these are the lines of the players"
            speaker = self.others[line.seat]
            gagged = speaker.person is not None and speaker.person.id in self.user.preferences.gagged
            own = self.playing and line.seat == self.seat
            if not own and not gagged:
                self.user.say(
                    f"15 {speaker.name} {line.text}" if self.user.clip else f"{speaker.name} kibitzes: {line.text}"
                )


def rating_lines(live_match: LiveMatch, viewer: Viewer) -> list[str]:
    """The rating calculation of a match in FIBS's format; empty for an unrated match."""
    winner, changes, length = live_match.match.winner, live_match.outcome.changes, live_match.match.length
    mine, other = changes[viewer.seat], changes[1 - viewer.seat]
    if winner is None or mine is None or other is None:
        return []
    difference = abs(mine.before - other.before)
    upset = upset_chance(difference, length)
    favourite_won = (changes[winner] or mine).before >= (changes[1 - winner] or other).before
    names = viewer.names[viewer.seat], viewer.names[1 - viewer.seat]
    lines = [
        "rating calculation:",
        f"rating difference D={difference:.6f}",
        f"match length      N={length}",
        f"Experience: {names[0]} {mine.experience} - {names[1]} {other.experience}",
        f"Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)={upset:.6f}",
        f"P={upset if favourite_won else 1 - upset:.6f} is 1-Pu if underdog wins and Pu if favorite wins",
    ]
    for name, change in zip(names, (mine, other), strict=True):
        factor = growth(Rating(change.after, change.experience))
        sign = "" if change.won else "-"
        lines.append(f"K=max(1 , -Experience/100+5) for {name}: {factor:.6f}")
        lines.append(f"change for {name}: {sign}4*K*sqrt(N)*P={change.after - change.before:.6f}")
    return lines
