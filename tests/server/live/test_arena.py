"""Arenas on a server: players are paired while it lasts, come and go, and pay once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection

from barpoint.server.domain.time_control import HOUR, MINUTE
from barpoint.server.domain.tournament_events import Closed, Extended, Form, How, Plan, TournamentError, TournamentStage
from barpoint.server.domain.tournament_standings import winners
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.results import WELCOME
from barpoint.server.storage.tournaments import get_tournament, log_of
from tests.support import databases
from tests.support.tournaments import club, one_match_for_each_game

FEE = 100
ARENA = Plan(
    "Evening arena", form=Form.ARENA, variant="hypergammon", lengths=(1,), fee=FEE, rated=True, max_players=3,
    patience_ms=2 * MINUTE, round_ms=10 * MINUTE, duration_ms=HOUR,
)  # fmt: skip


async def test_an_arena_pairs_until_its_time_is_over_and_pays_its_prizes(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(ARENA, 3)
        begun = here.clock.now
        for _ in range(4):
            (bout,) = await here.open_bouts(tournament_id)
            await here.play(bout)
            here.clock.now = begun + HOUR - MINUTE
            await here.services.tournaments.look()
        known = await here.known(tournament_id)
        assert (len(known.bouts), known.now.until) == (5, begun + HOUR)
        assert one_match_for_each_game(known)
        (last,) = await here.open_bouts(tournament_id)
        await here.arrive(last)
        here.clock.now = begun + HOUR
        await here.services.tournaments.look()
        known = await here.known(tournament_id)
        assert (known.now.closed, known.now.stage) == (True, TournamentStage.RUNNING)
        await here.play(last)
        await here.services.tournaments.look()
        known = await here.known(tournament_id)
        assert known.now.stage is TournamentStage.OVER
        have = {person.id: await here.tickets(person) for person in here.members}
        assert sum(have.values()) == 3 * WELCOME
        best, *_others = winners(known.now)
        assert {have[player] for player in best} == {WELCOME - FEE + 3 * FEE // len(best)}
        await here.check()


async def test_who_pauses_comes_back_without_paying_again_and_who_does_not_come_pauses(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(ARENA, 3)
        tournaments, members = here.services.tournaments, {person.id: person for person in here.members}
        (bout,) = await here.open_bouts(tournament_id)
        first, second = (members[str(seat)] for seat in bout.seats)
        await here.arrive(bout, 0)
        here.clock.now += ARENA.patience_ms
        await tournaments.look()
        known = await here.known(tournament_id)
        assert known.now.results[0].how is How.ABSENT
        assert known.now.away == {second.id}
        (bout,) = await here.open_bouts(tournament_id)
        assert second.id not in bout.seats
        await tournaments.join(tournament_id, second)
        assert (await here.known(tournament_id)).now.away == set()
        await tournaments.leave(tournament_id, first)
        assert len(await here.open_bouts(tournament_id)) == 1, "a match that has been paired is played"
        assert [await here.tickets(person) for person in here.members] == [WELCOME - FEE] * 3
        with pytest.raises(TournamentError, match="entered already"):
            await tournaments.join(tournament_id, second)
        await here.check()


async def test_an_arena_nobody_plays_in_any_more_ends_when_its_time_is_over(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(ARENA, max_players=2), 2)
        here.clock.now += ARENA.patience_ms
        await here.services.tournaments.look()
        assert await here.open_bouts(tournament_id) == []
        assert (await here.known(tournament_id)).now.stage is TournamentStage.RUNNING
        here.clock.now += HOUR
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.stage is TournamentStage.OVER


async def test_a_director_makes_an_arena_longer_but_nobody_waits_longer_for_a_player(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(ARENA, 3)
        (bout,) = await here.open_bouts(tournament_id)
        ends = (await here.known(tournament_id)).now.until
        await here.services.tournaments.extend(tournament_id, here.members[0], 30)
        known = await here.known(tournament_id)
        assert known.now.until == ends + 30 * MINUTE
        assert known.bouts[0].due_at == bout.due_at
        here.clock.now = ends
        await here.services.tournaments.look()
        assert not (await here.known(tournament_id)).now.closed


@pytest.mark.usefixtures("each_database")
async def test_an_arena_is_given_back_the_time_in_which_the_server_did_not_run(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(ARENA, 3)
        ended = await here.announce(replace(ARENA, duration_ms=10 * MINUTE), 3)
        known, clock, store = await here.known(tournament_id), here.clock, here.services.store
        (bout,), ends, seq = known.bouts, known.now.until, (await here.known(ended)).now.seq
        clock.now += 20 * MINUTE
        await store.write(deadline_storage.beat, clock.now)
        clock.now += 2 * HOUR
        assert await store.write(deadline_storage.add_downtime, clock.now, 0) == 2 * HOUR
        await here.services.tournaments.look()
        known = await here.known(tournament_id)
        assert (known.now.until, known.now.closed) == (ends + 2 * HOUR, False)
        assert known.bouts[0].due_at == bout.due_at + 2 * HOUR
        assert (Extended(ends + 2 * HOUR), None, clock.now) in (await store.read(log_of, tournament_id)).events
        events = (await store.read(log_of, ended)).events[seq:]
        assert [event for event, _actor, _at in events if isinstance(event, Closed | Extended)] == [Closed()]
        assert await store.write(deadline_storage.add_downtime, clock.now, 0) == 0, "once"
        clock.now = ends + 2 * HOUR
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.closed
        await here.check()


async def test_an_arena_is_not_made_longer_before_its_time_is_counted(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(ARENA, 2)
        with pytest.raises(TournamentError, match="has not begun yet"):
            await here.services.tournaments.extend(tournament_id, here.members[0], 30)


async def test_who_plays_in_no_arena_writes_nothing_into_its_log(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(ARENA, 3)
        (stranger,) = await here.enroll(1)
        seq = (await here.known(tournament_id)).now.seq
        with pytest.raises(TournamentError, match="nobody of that name"):
            await here.services.tournaments.ask_bye(tournament_id, stranger, wanted=False)
        assert (await here.known(tournament_id)).now.seq == seq


async def test_an_arena_is_read_while_another_process_adds_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    async with club(tmp_path) as here:
        tournament_id, loop = await here.announce(ARENA, 3), asyncio.get_running_loop()

        async def pair_again() -> None:
            (bout,) = await here.open_bouts(tournament_id)
            await here.play(bout)
            await here.services.tournaments.look()

        class Interrupted:
            """A connection after whose first question a match is decided and another one added."""

            def __init__(self, connection: Connection) -> None:
                self.connection, self.asked = connection, 0

            def __getattr__(self, name: str) -> Any:
                return getattr(self.connection, name)

            def execute(self, *question: Any) -> Any:
                found = self.connection.execute(*question)
                self.asked += 1
                if self.asked == 1:
                    asyncio.run_coroutine_threadsafe(pair_again(), loop).result()
                return found

        def work(connection: Connection) -> int:
            known = get_tournament(Interrupted(connection), tournament_id)  # type: ignore[arg-type]
            assert known is not None
            return len(known.bouts)

        assert await here.services.store.read(work) == 1
        assert len((await here.known(tournament_id)).bouts) == 2
