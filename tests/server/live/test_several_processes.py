"""Two processes on one PostgreSQL share challenges, pairing, chat, mutes, who is on line and who is at a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.lobby import ChallengeGone
from barpoint.server.live.matches import seat_for
from barpoint.server.live.pubsub import LOBBY, chat_of
from barpoint.server.services import Services
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.access_tokens import running_matches
from barpoint.server.storage.chat import AT_MATCH
from barpoint.variants import variant
from tests.server.live.test_shared_pubsub import process, until
from tests.support import databases

AGREEMENT = Agreement(variant("hypergammon"), MatchTerms(length=3))
ANNA, BEN, CARL = (Guest(f"guest-{name}", name) for name in ("Anna", "Ben", "Carl"))


@pytest.fixture(params=["postgresql", "redis"])
def pubsub(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    return databases.redis_server().address if request.param == "redis" else ""


@asynccontextmanager
async def two(folder: Path, pubsub: str) -> AsyncIterator[tuple[Services, Services]]:
    """Two processes of one server, and three guests."""
    database = databases.address(folder)
    async with process(database, pubsub) as one, process(database, pubsub) as other:
        for guest in (ANNA, BEN, CARL):
            await one.store.write(lambda connection, guest=guest: guest_storage.put_guest(connection, guest, 0))
        yield one, other


async def test_who_is_on_line_is_seen_in_both(tmp_path: Path, pubsub: str) -> None:
    async with two(tmp_path, pubsub) as (one, other):

        async def seen() -> bool:
            return ANNA.id in {person.id for person in (await other.lobby.scene()).people}

        assert not await seen()
        with one.presence.here(ANNA.id):
            await until(seen)


async def test_a_challenge_is_told_to_the_other_process_and_taken_there_once(tmp_path: Path, pubsub: str) -> None:
    async with two(tmp_path, pubsub) as (one, other):
        told, taken = asyncio.Event(), asyncio.Event()
        with (
            other.pubsub.listening(LOBBY, lambda _: told.set()),
            one.presence.here(ANNA.id),
        ):
            made = await one.lobby.challenge(ANNA, AGREEMENT)
            await told.wait()

            async def shown() -> bool:
                return made.id in {challenge.id for challenge in (await other.lobby.scene()).challenges}

            await until(shown)
            with one.pubsub.listening(LOBBY, lambda _: taken.set()):
                asked = (other.lobby.accept(made.id, BEN), one.lobby.accept(made.id, CARL))
                answers = await asyncio.gather(*asked, return_exceptions=True)
                matches = [answer for answer in answers if isinstance(answer, str)]
                assert len(matches) == 1
                assert sum(isinstance(answer, ChallengeGone) for answer in answers) == 1
                await taken.wait()

            async def gone() -> bool:
                return not (await other.lobby.scene()).challenges and not (await one.lobby.scene()).challenges

            await until(gone)
            names = {seat.name for seat in (await other.matches.live_match(matches[0])).header.seats}
            assert names in ({"Anna", "Ben"}, {"Anna", "Carl"})


async def test_two_who_ask_two_processes_at_the_same_instant_are_paired_once(tmp_path: Path, pubsub: str) -> None:
    async with two(tmp_path, pubsub) as (one, other):
        with one.presence.here(ANNA.id), other.presence.here(BEN.id):

            async def both_here() -> bool:
                return {ANNA.id, BEN.id} <= {person.id for person in (await one.lobby.scene()).people}

            await until(both_here)
            found = await asyncio.gather(one.lobby.pair(ANNA, AGREEMENT), other.lobby.pair(BEN, AGREEMENT))
            made = {match_id for match_id in found if match_id}
            assert len(made) <= 1

            async def matched() -> bool:
                await asyncio.gather(one.lobby.pair_waiting(), other.lobby.pair_waiting())
                return len(await other.store.read(partial(running_matches, guest_id=ANNA.id, limit=9))) == 1

            await until(matched)


async def test_a_player_is_connected_to_a_match_for_both_and_later_away(tmp_path: Path, pubsub: str) -> None:
    async with two(tmp_path, pubsub) as (one, other):
        header = await one.matches.make(AGREEMENT, (seat_for(ANNA), seat_for(BEN)))
        await asyncio.gather(
            *(services.shared_pubsub.connected.wait() for services in (one, other) if services.shared_pubsub)
        )

        async def away() -> bool:
            return not other.seat_presence.of(header.id, 0).here

        async def here() -> bool:
            return not await away()

        changed = asyncio.Event()
        with other.pubsub.listening(header.id, lambda _: changed.set()):
            with one.seat_presence.present(header.id, 0):
                await until(here)
                await changed.wait()
                assert one.seat_presence.of(header.id, 0).here
            await until(away)
        assert other.seat_presence.of(header.id, 0).left_at is not None


async def test_talk_is_heard_in_both_and_mute_holds_in_both(tmp_path: Path, pubsub: str) -> None:
    async with two(tmp_path, pubsub) as (one, other):
        header = await one.matches.make(AGREEMENT, (seat_for(ANNA), seat_for(BEN)))
        heard = asyncio.Event()
        with other.pubsub.listening(chat_of(header.id), lambda _: heard.set()):
            await one.chat.say(header.id, ANNA, "good luck")
            await heard.wait()
        assert [line.text for line in (await other.chat.heard(AT_MATCH, header.id, BEN, 0)).lines] == ["good luck"]
        await one.chat.mute(AT_MATCH, header.id, BEN, True)
        quiet = await other.chat.heard(AT_MATCH, header.id, BEN, 0)
        assert (quiet.lines, quiet.muted) == ((), True)
        await other.chat.mute(AT_MATCH, header.id, BEN, False)
        assert [line.name for line in (await one.chat.heard(AT_MATCH, header.id, BEN, 0)).lines] == ["Anna"]
