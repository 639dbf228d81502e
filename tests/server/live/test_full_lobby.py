"""A full lobby: quick pairing finds its players, and who looks sees the latest challenges, however many wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.lobby import MAX_OPEN, MAX_SHOWN
from barpoint.server.storage import lobby as lobby_storage
from barpoint.variants import variant
from tests.support.tournaments import Club, club

pytestmark = pytest.mark.usefixtures("each_database")

LIVE = Agreement(variant(), MatchTerms(length=3), "Fast")
BY_DAYS = Agreement(variant(), MatchTerms(length=5), "Correspondence 3")


async def crowded(server: Club) -> tuple[Guest, Guest]:
    """Two people on line, in a lobby full of older challenges by days."""
    for person in await server.enroll(MAX_SHOWN // MAX_OPEN):
        for _ in range(MAX_OPEN):
            await server.services.lobby.challenge(person, BY_DAYS)
    server.clock.now += 1
    ann, ben = await server.enroll(2)
    for one in (ann, ben):
        await server.services.store.write(lobby_storage.note_presence, [one.id], server.clock.now)
    return ann, ben


async def test_who_asks_second_is_paired_in_a_full_lobby(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben = await crowded(server)
        assert await server.services.lobby.pair(ann, LIVE) is None
        assert await server.services.lobby.pair(ben, LIVE) is not None


async def test_two_who_wait_are_paired_in_a_full_lobby(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        for one in await crowded(server):
            await server.services.lobby.challenge(one, LIVE, quick=True)
        assert await server.services.lobby.pair_waiting() == 1


async def test_a_full_lobby_shows_who_is_there_and_the_latest_challenges(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben = await crowded(server)
        live = await server.services.lobby.challenge(ann, LIVE)
        server.clock.now += 1
        late = await server.services.lobby.challenge(ben, BY_DAYS)
        shown = (await server.services.lobby.scene()).challenges
        assert len(shown) == MAX_SHOWN
        assert [one.id for one in shown[-2:]] == [live.id, late.id]


async def test_a_challenge_stays_among_ones_own_however_many_later_ones_were_taken(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben = await server.enroll(2)
        lobby = server.services.lobby
        waiting = await lobby.challenge(ann, BY_DAYS)
        for _ in range(50):
            server.clock.now += 1
            taken = await lobby.challenge(ann, LIVE)
            await lobby.accept(taken.id, ben)
        own = await server.services.store.read(lobby_storage.challenges_of, ann.id)
        assert own[0].id == waiting.id
