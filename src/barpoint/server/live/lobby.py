"""The lobby: challenges made, accepted and withdrawn, and quick pairing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.domain.agreements import Agreement, check_agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.domain.pairing import Waiting, nearest, pairs
from barpoint.server.domain.ratings import Glicko
from barpoint.server.domain.time_control import DAY
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.live.matches import Matches, seat_for
from barpoint.server.live.presence import Presence
from barpoint.server.live.pubsub import LOBBY
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.lobby import Challenge, ListedMatch
from barpoint.server.storage.results import NEW, RatingStanding, standings_in
from barpoint.server.storage.tournament_lists import ListedTournament

MAX_OPEN: Final = 5
"""Maximum open challenges per person."""

MAX_SHOWN: Final = 100
TOURNAMENTS_SHOWN: Final = 6
STAGES_SHOWN: Final = (TournamentStage.OPEN, TournamentStage.RUNNING)
FRESH_S: Final = 1.0
KEPT_MS: Final = 14 * DAY
"""Challenges older than this are dropped, even if their time control allows more days per turn."""

MAX_WAITING: Final = 1000
"""Maximum challenges among which quick pairing chooses."""

PAIRING_TRIES: Final = 8
"""Attempts of quick pairing when others are faster."""

PAIRING_S: Final = 2.0
"""Time between two pairing rounds."""

PLAIN: Final = "backgammon"
"""The rating pool shown beside a name where no game is meant."""

RUNNING_MS: Final = 15 * 60_000
"""Matches idle for this long are not listed for watching."""


class ChallengeGone(BarpointError):
    """The user cannot accept this challenge; the text may be shown."""


Standings = Mapping[tuple[str, str], RatingStanding]
"""Ratings by person and pool."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The lobby as everybody sees it.

    standings: ratings by person and pool: those of the challenges' and matches' pools, and of plain backgammon.
    """

    challenges: tuple[Challenge, ...]
    people: tuple[Guest, ...]
    running: tuple[ListedMatch, ...]
    standings: Standings
    tournaments: tuple[ListedTournament, ...]


class Lobby:
    """The lobby, where players find opponents."""

    def __init__(self, matches: Matches, presence: Presence) -> None:
        self._matches, self._presence = matches, presence
        self._scene: Scene | None = None
        self._scene_at = 0.0
        self._changes = 0
        self._listening = ExitStack()
        self._listening.enter_context(matches.pubsub.listening(LOBBY, self._forget))

    def close(self) -> None:
        """Stops listening."""
        self._listening.close()

    def _forget(self, _: str) -> None:
        self._scene = None
        self._changes += 1

    async def scene(self) -> Scene:
        """The current lobby; one database read serves everybody within a second."""
        now = asyncio.get_running_loop().time()
        known = self._scene
        if known is not None and now - self._scene_at < FRESH_S:
            return known
        changes = self._changes
        found = await self._look()
        if changes == self._changes:  # otherwise it may be older than the last notification
            self._scene, self._scene_at = found, now
        return found

    async def _look(self) -> Scene:
        since, begun = self._presence.since, self._matches.clock() - RUNNING_MS

        def work(connection: Connection) -> Scene:
            challenges = lobby_storage.open_challenges(connection, since, MAX_SHOWN, latest=True)
            people = lobby_storage.people_present(connection, since, MAX_SHOWN)
            running = lobby_storage.matches_running(connection, begun, MAX_SHOWN)
            places = {(one.by.id, one.agreement.rules.name) for one in challenges} | {(one.id, PLAIN) for one in people}
            places |= {(guest, one.agreement.rules.name) for one in running for guest in one.guests if guest}
            return Scene(
                tuple(challenges),
                tuple(people),
                tuple(running),
                standings_in(connection, places),
                tuple(tournament_lists.listed(connection, STAGES_SHOWN, TOURNAMENTS_SHOWN)),
            )

        return await self._matches.store.read(work)

    async def challenge(self, by: Guest, agreement: Agreement, quick: bool = False) -> Challenge:
        """A new challenge; Conflict if they have too many, FormatError for an agreement they may not make."""
        check_agreement(agreement, by.registered)
        now = self._matches.clock()
        challenge = Challenge(secrets.token_urlsafe(9), by, agreement, now, quick=quick)

        def work(connection: Connection) -> None:
            lobby_storage.forget_challenges(connection, now - KEPT_MS)
            lobby_storage.put_challenge(connection, challenge, MAX_OPEN)

        await self._matches.store.write(work)
        self._matches.pubsub.publish(LOBBY)
        return challenge

    async def withdraw(self, challenge_id: str, by: Guest) -> bool:
        """Withdraws one's own challenge; False if it is somebody else's, or was accepted."""
        gone = await self._matches.store.write(lobby_storage.withdraw, challenge_id, by.id)
        if gone:
            self._matches.pubsub.publish(LOBBY)
        return gone

    async def accept(self, challenge_id: str, by: Guest) -> str:
        """Accepts a challenge and returns its match; ChallengeGone if they cannot accept it."""
        challenge = await self._matches.store.read(lobby_storage.get_challenge, challenge_id)
        if challenge is None or challenge.match_id is not None:
            raise ChallengeGone("this challenge was withdrawn, or somebody was quicker")
        return await self._take(challenge, by)

    async def _take(self, challenge: Challenge, by: Guest, own: Challenge | None = None, keep_own: bool = False) -> str:
        """Turns a challenge into a match. own: a challenge of theirs that must still be open, and is withdrawn.

        keep_own: it becomes the match too, so that its waiting pages lead there.
        """
        if challenge.by.id == by.id:
            raise ChallengeGone("this is your own challenge; wait until somebody takes it")
        if challenge.agreement.needs_account and not by.registered:
            raise ChallengeGone("this match is rated or has an entry fee; log in to take it")

        def also(connection: Connection, header: MatchHeader) -> None:
            if challenge.by.id in lobby_storage.kept_apart(connection, by.id):
                raise Conflict("you two do not play each other")
            # In the order of their ids, so that two who accept each other's challenges never deadlock.
            for one in sorted(filter(None, (challenge, own)), key=lambda one: one.id):
                if one is challenge or keep_own:
                    lobby_storage.take_challenge(connection, one.id, header.id)
                elif not lobby_storage.withdraw(connection, one.id, by.id):
                    raise Conflict("somebody has taken your own challenge")

        first, second = (challenge.by, by) if secrets.randbelow(2) else (by, challenge.by)
        try:
            header = await self._matches.make(
                challenge.agreement, (seat_for(first), seat_for(second)), also, players_seed=True
            )
        except Conflict as error:
            raise ChallengeGone(error) from None
        self._matches.pubsub.publish(LOBBY)
        return header.id

    async def pair(self, by: Guest, agreement: Agreement) -> str | None:
        """Pairs a player with the waiting player nearest in rating who wants the same; returns the match.

        Returns None if nobody is in range. The agreement then waits as a challenge whose range widens with time. A
        player who starts to wait looks once more: of two who ask at the same instant at least one sees the other.
        """
        check_agreement(agreement, by.registered)
        offered = False
        for _ in range(PAIRING_TRIES):
            others, mine = await self._matching(by, agreement)
            own = next(iter(mine), None)
            if own is None and offered:
                return None  # somebody has just accepted it
            offered = own is not None
            if others:
                with suppress(ChallengeGone):
                    return await self._take(others[0], by, own)
            elif own is None:
                await self.challenge(by, agreement, quick=True)
                offered = True
            else:
                return None
        return None

    async def _matching(self, by: Guest, agreement: Agreement) -> tuple[list[Challenge], list[Challenge]]:
        """Open challenges with this agreement: those they could accept, the nearest rating first, and their own."""
        since, now, pool = self._presence.since, self._matches.clock(), agreement.rules.name

        def work(connection: Connection) -> tuple[list[Challenge], list[Challenge]]:
            apart = lobby_storage.kept_apart(connection, by.id)
            found = lobby_storage.open_challenges(connection, since, MAX_WAITING, agreement=agreement)
            others = [one for one in found if one.by.id != by.id and one.by.id not in apart]
            own = [one for one in lobby_storage.challenges_of(connection, by.id) if one.match_id is None]
            own = [one for one in own if one.agreement == agreement]
            known = standings_in(connection, {(one.by.id, pool) for one in others} | {(by.id, pool)})
            waiting = [Waiting(one.id, one.by.id, _glicko(known, one), one.created_at) for one in others]
            since_own = min((one.created_at for one in own), default=now)
            mine = Waiting("", by.id, known.get((by.id, pool), NEW).glicko, since_own)
            chosen = nearest(mine, waiting, now)
            return [next(one for one in others if one.id == each.id) for each in chosen], own

        return await self._matches.store.read(work)

    async def pair_waiting(self) -> int:
        """Pairs waiting players who want the same and are now in range; returns the number of matches."""
        since, now = self._presence.since, self._matches.clock()

        def work(connection: Connection) -> tuple[list[Challenge], Standings, frozenset[tuple[str, str]]]:
            found = lobby_storage.open_challenges(connection, since, MAX_WAITING, quick=True)
            if len(found) < 2:
                return [], {}, frozenset()
            places = {(one.by.id, one.agreement.rules.name) for one in found}
            apart = lobby_storage.all_apart(connection, {one.by.id for one in found})
            return found, standings_in(connection, places), apart

        found, known, apart = await self._matches.store.read(work)
        made, groups = 0, dict[Agreement, list[Challenge]]()
        for one in found:
            groups.setdefault(one.agreement, []).append(one)
        for same in groups.values():
            by_id = {one.id: one for one in same}
            waiting = [Waiting(one.id, one.by.id, _glicko(known, one), one.created_at) for one in same]
            for first, second in pairs(waiting, now, apart):
                with suppress(ChallengeGone):
                    await self._take(by_id[first.id], by_id[second.id].by, by_id[second.id], keep_own=True)
                    made += 1
        return made


def _glicko(known: Standings, one: Challenge) -> Glicko:
    return known.get((one.by.id, one.agreement.rules.name), NEW).glicko
