"""What a director does, and tournaments over several processes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import HOUR, MINUTE
from barpoint.server.domain.tournament_events import (
    Form,
    How,
    Plan,
    TournamentCancelled,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import games
from barpoint.server.live.match_transactions import void_match
from barpoint.server.live.tournament_direction import NotDirector, to_take_back
from barpoint.server.live.tournaments import UnknownTournament
from barpoint.server.services import wall_clock
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.results import WELCOME
from barpoint.server.storage.store import Store
from tests.server.live.test_tournaments import KNOCKOUT, ROUND
from tests.support import databases
from tests.support.live_server import Clock
from tests.support.load import Killable
from tests.support.machine import PATIENCE_S, held_port
from tests.support.tournaments import club, one_match_for_each_game

KILLS: Final = 8

# ---------------------------------------------------------------- the director's actions


@pytest.mark.usefixtures("each_database")
async def test_a_director_begins_decides_and_sends_away_and_nobody_else_does(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=8), 4)
        anna, ben = here.members[:2]
        for attempt in (
            director.begin(tournament_id, ben),
            director.remove(tournament_id, ben, anna.id),
            director.decide(tournament_id, ben, 0, ben.id),
            director.cancel(tournament_id, ben),
            director.seat_bot(tournament_id, ben, "easy"),
        ):
            with pytest.raises(NotDirector):
                await attempt
        await director.begin(tournament_id, anna)
        first, second = await here.open_bouts(tournament_id)
        await here.arrive(first)
        await director.decide(tournament_id, anna, first.game, first.seats[1])
        assert (await here.services.matches.live_match(first.match_id)).match.over
        with pytest.raises(TournamentError, match="cannot be decided so"):
            await director.decide(tournament_id, anna, first.game, first.seats[0])
        chief = Guest("chief", "Chief", registered=True, administrator=True)
        gone, other = second.seats
        assert gone is not None
        await here.services.store.write(lambda connection: guest_storage.put_guest(connection, chief, 0))
        await director.remove(tournament_id, chief, gone)
        known = await here.known(tournament_id)
        assert known.now.results[second.game].winner == other
        (final,) = await here.open_bouts(tournament_id)
        assert set(final.seats) == {first.seats[1], other}
        await here.check()


async def test_a_longer_round_gives_players_who_are_not_there_yet_more_time(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2, round_ms=ROUND), 2)
        (bout,) = await here.open_bouts(tournament_id)
        await here.services.tournaments.extend(tournament_id, here.members[0], 30)
        (longer,) = (await here.known(tournament_id)).bouts
        assert longer.due_at == bout.due_at + 30 * MINUTE
        here.clock.now = bout.due_at
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results == {}
        here.clock.now = longer.due_at
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results[bout.game].how is How.ABSENT


@pytest.mark.usefixtures("each_database")
async def test_a_cancelled_tournament_gives_all_fees_back_and_ends_its_matches(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=4), 4)
        first, second = await here.open_bouts(tournament_id)
        await here.resign(first, 0)
        await here.arrive(second)
        await here.services.tournaments.cancel(tournament_id, here.members[0], "storm")
        assert (await here.services.matches.live_match(second.match_id)).match.over
        assert [await here.tickets(person) for person in here.members] == [WELCOME] * 4
        with pytest.raises(TournamentError, match="was cancelled"):
            await here.services.tournaments.cancel(tournament_id, here.members[0])
        await here.services.tournaments.look()
        await here.check()


async def test_a_match_that_an_administrator_voids_is_played_again(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2), 2)
        (bout,) = await here.open_bouts(tournament_id)
        await here.arrive(bout)
        now = here.clock.now
        await here.services.store.write(lambda connection: void_match(connection, bout.match_id, now))
        await here.services.tournaments.look()
        (again,) = await here.open_bouts(tournament_id)
        assert (again.game, again.attempt) == (bout.game, 1)
        assert again.match_id != bout.match_id
        await here.finish(tournament_id, Random(2))
        await here.check()


async def test_a_player_does_not_leave_in_the_middle_of_a_match(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2), 2)
        (bout,) = await here.open_bouts(tournament_id)
        await here.arrive(bout)
        with pytest.raises(TournamentError, match="resign it first"):
            await here.services.tournaments.leave(tournament_id, here.members[1])


async def test_who_leaves_a_league_loses_the_match_that_they_have_adjourned(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        league = Plan("League", form=Form.LEAGUE, lengths=(3,), rated=True, max_players=3, round_ms=ROUND)
        tournament_id = await here.announce(league, 3)
        bout, *_others = await here.open_bouts(tournament_id)
        await here.arrive(bout)
        leaver, other = (next(one for one in here.members if one.id == seat) for seat in bout.seats)
        for seat in (0, 1):
            await here.services.adjournments.ask(bout.match_id, seat, "adjourn")
        await here.services.tournaments.leave(tournament_id, leaver)
        decided = (await here.known(tournament_id)).now.results[bout.game]
        assert (decided.winner, decided.how) == (other.id, How.AWAY)
        ended = (await here.services.matches.live_match(bout.match_id)).match
        assert (ended.over, ended.winner) == (True, None), "it is voided here"
        await here.check()


# ---------------------------------------------------------------- several processes


@pytest.mark.parametrize("form", [Form.KNOCKOUT, Form.SWISS])
async def test_processes_that_race_pair_once_and_pay_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: Form
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    async with club(tmp_path) as one, club(tmp_path, one.clock) as other:
        tournament_id = await one.announce(replace(KNOCKOUT, form=form, max_players=8, by_lot=True), 7)
        last = (await one.enroll(1))[0]
        other.members = one.members
        asked = [here.services.tournaments.join(tournament_id, last) for here in (one, other)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(str(answer) for answer in answers if isinstance(answer, BaseException)) in (
            ["you have entered already"],
            ["the tournament has begun"],
        )
        random = Random(9)
        while (known := await one.known(tournament_id)).now.stage is TournamentStage.RUNNING:
            assert one_match_for_each_game(known)
            halves = [bout for bout in known.bouts if not bout.settled]
            await asyncio.gather(
                *((one, other)[index % 2].resign(bout, random.randrange(2)) for index, bout in enumerate(halves))
            )
            await asyncio.gather(*(here.services.tournaments.look() for here in (one, other, one, other)))
        assert len(known.now.results) == (7 if form is Form.KNOCKOUT else 12)
        assert len(known.bouts) == len(known.now.results)
        await one.check()


async def test_a_crowd_that_looks_at_once_shares_reads_and_sees_what_was_written_before(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=8), 2)
        looks = [asyncio.create_task(director.known(tournament_id)) for _ in range(5)]
        await director.join(tournament_id, (await here.enroll(1))[0])
        looks += [asyncio.create_task(director.known(tournament_id)) for _ in range(5)]
        found = await asyncio.gather(*looks)
        assert len({id(known) for known in found}) <= 3
        assert [len(known.now.entrants) for known in found[5:]] == [3] * 5
        with pytest.raises(UnknownTournament):
            await director.known("nothing")
        assert (await director.known(tournament_id)).now.seq == 3


async def test_a_step_that_was_worked_out_before_somebody_else_took_one_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=8), 2)
        known = await here.known(tournament_id)
        await here.services.tournaments.leave(tournament_id, here.members[1])
        after = known.now.apply(TournamentCancelled())
        with pytest.raises(Conflict, match="somebody was quicker"):
            await here.services.store.write(
                lambda connection: log_storage.append(
                    connection,
                    log_storage.TOURNAMENTS,
                    tournament_id,
                    known.now.seq,
                    [tournament_storage.logged(TournamentCancelled(), after.seq, None, None, 0)],
                    {},
                    tournament_storage.row_of(after),
                )
            )
        assert (await here.known(tournament_id)).now.stage is TournamentStage.OPEN


@pytest.mark.deep
async def test_a_server_that_is_killed_again_and_again_loses_nothing_of_a_tournament(tmp_path: Path) -> None:
    """kill -9 while this server's bots play a whole tournament, each time after some more events."""
    plan = Plan("Killed", variant="hypergammon", lengths=(1,), bots=True, max_players=8)
    async with club(tmp_path) as here:
        (anna,) = await here.enroll(1)
        tournament_id = await here.services.tournaments.announce(anna, plan)
        for _ in range(plan.max_players):
            await here.services.tournaments.seat_bot(tournament_id, anna, "easy")
    with held_port() as port:
        server = Killable(
            databases.address(tmp_path), port, bot_delay_ms=20
        )  # no bot plays a whole tournament in one life
        over = False
        while not over:
            before = await progress(tmp_path, tournament_id)
            await server.start()
            async with asyncio.timeout(PATIENCE_S):
                while (now := await progress(tmp_path, tournament_id))[0] == before[0] and not now[1]:
                    await asyncio.sleep(0.02)
            server.kill()
            over = now[1]
    assert server.lives >= 2
    async with club(tmp_path) as here:
        known = await here.known(tournament_id)
        assert known.now.stage is TournamentStage.OVER
        assert len(known.bouts) == len(known.now.results), "no game has two matches"
        await here.check()


async def test_a_server_that_is_killed_in_an_arena_pairs_nobody_twice(tmp_path: Path) -> None:
    """kill -9 while an arena of this server's bots goes on; who plays and who has won agrees with all logs each time."""
    plan = Plan(
        "Killed", form=Form.ARENA, variant="hypergammon", lengths=(1,), bots=True, max_players=6, duration_ms=HOUR
    )
    async with club(tmp_path, Clock(wall_clock())) as here:
        (anna,) = await here.enroll(1)
        tournament_id = await here.services.tournaments.announce(anna, plan)
        for _ in range(plan.max_players):
            await here.services.tournaments.seat_bot(tournament_id, anna, "easy")
    with held_port() as port:
        server = Killable(databases.address(tmp_path), port, bot_delay_ms=20)
        for _ in range(KILLS):
            before, _ = await progress(tmp_path, tournament_id)
            await server.start()
            async with asyncio.timeout(PATIENCE_S):
                while (await progress(tmp_path, tournament_id))[0] < before + plan.max_players:
                    await asyncio.sleep(0.02)
            server.kill()
            async with club(tmp_path, Clock(wall_clock())) as here:
                known = await here.known(tournament_id)
                assert one_match_for_each_game(known)
                playing = [player for game in games(known.now) if game.playable for player in game.players]
                assert len(playing) == len(set(playing))
                await here.check()
    assert len(known.now.results) > KILLS


async def progress(folder: Path, tournament_id: str) -> tuple[int, bool]:
    """(events of the tournament, whether it is over), from the database."""
    store = await Store.open(databases.address(folder))
    try:
        known = await store.read(lambda connection: tournament_storage.get_tournament(connection, tournament_id))
        assert known is not None
        return known.now.seq, known.now.stage is TournamentStage.OVER
    finally:
        await store.close()


# ---------------------------------------------------------------- corrections


@pytest.mark.usefixtures("each_database")
async def test_a_director_corrects_a_result_while_the_match_that_follows_has_not_begun(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=4), 4)
        anna, ben = here.members[:2]
        first, second = await here.open_bouts(tournament_id)
        for bout in (first, second):
            await here.resign(bout, 0)
        await director.look()
        (final,) = await here.open_bouts(tournament_id)
        assert set(final.seats) == {first.seats[1], second.seats[1]}
        with pytest.raises(NotDirector):
            await director.decide(tournament_id, ben, first.game, first.seats[0], corrects=True)
        await director.decide(tournament_id, anna, first.game, first.seats[0], corrects=True)
        (again,) = await here.open_bouts(tournament_id)
        assert (again.game, again.attempt) == (final.game, 1)
        assert set(again.seats) == {first.seats[0], second.seats[1]}
        assert (await here.services.matches.live_match(final.match_id)).match.over, "it is voided"
        assert one_match_for_each_game(await here.known(tournament_id))
        await here.services.tournaments.look()
        assert [bout.match_id for bout in await here.open_bouts(tournament_id)] == [again.match_id]
        await here.arrive(again)
        with pytest.raises(TournamentError, match="depends on this result and has begun; allowed"):
            await director.decide(tournament_id, anna, first.game, first.seats[1], corrects=True)
        await here.finish(tournament_id, Random(3))
        with pytest.raises(TournamentError, match="its prizes are paid"):
            await director.decide(tournament_id, anna, first.game, first.seats[1], corrects=True)
        await here.check()


@pytest.mark.usefixtures("each_database")
async def test_a_director_takes_results_back_in_order_also_of_a_match_that_has_begun(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=4, fee=0), 4)
        anna, ben = here.members[:2]
        first, second = await here.open_bouts(tournament_id)
        for bout in (first, second):
            await here.resign(bout, 0)
        await director.look()
        (final,) = await here.open_bouts(tournament_id)
        with pytest.raises(TournamentError, match="has no result, and nobody plays it yet"):
            await director.take_back(tournament_id, anna, final.game)
        await here.arrive(final)
        assert [game.number for game in to_take_back(await here.known(tournament_id))] == [final.game]
        with pytest.raises(TournamentError, match="has begun; allowed: to take that one back first"):
            await director.take_back(tournament_id, anna, first.game)
        with pytest.raises(NotDirector):
            await director.take_back(tournament_id, ben, final.game)
        await director.take_back(tournament_id, anna, final.game)
        assert (await here.services.matches.live_match(final.match_id)).match.over, "it is voided"
        (anew,) = await here.open_bouts(tournament_id)
        assert (anew.game, anew.attempt, anew.seq) == (final.game, 1, 0)
        await director.take_back(tournament_id, anna, first.game)
        (again,) = await here.open_bouts(tournament_id)
        assert (again.game, again.attempt, set(again.seats)) == (first.game, 1, set(first.seats))
        await here.resign(again, 1)
        await director.look()
        (last,) = await here.open_bouts(tournament_id)
        assert set(last.seats) == {first.seats[0], second.seats[1]}
        assert one_match_for_each_game(await here.known(tournament_id))
        await here.finish(tournament_id, Random(3))
        await director.take_back(tournament_id, anna, last.game)
        assert (await here.known(tournament_id)).now.stage is TournamentStage.RUNNING
        await here.finish(tournament_id, Random(4))
        await here.check()


@pytest.mark.usefixtures("each_database")
async def test_a_helper_enters_results_and_nothing_else(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=4, fee=0), 4)
        anna, ben = here.members[:2]
        first, second = await here.open_bouts(tournament_id)
        with pytest.raises(TournamentError, match="no account is called 'Nobody'"):
            await director.name_helper(tournament_id, anna, "Nobody")
        with pytest.raises(NotDirector):
            await director.name_helper(tournament_id, ben, ben.name)
        await director.name_helper(tournament_id, anna, ben.name)
        assert [one.id for one in (await here.known(tournament_id)).helpers] == [ben.id]
        with pytest.raises(TournamentError, match=f"{ben.name} enters results already"):
            await director.name_helper(tournament_id, anna, ben.name)
        await director.decide(tournament_id, ben, first.game, first.seats[0])
        await director.decide(tournament_id, ben, first.game, first.seats[1], corrects=True)
        for refused in (
            director.take_back(tournament_id, ben, first.game),
            director.remove(tournament_id, ben, anna.id),
            director.cancel(tournament_id, ben),
            director.drop_helper(tournament_id, ben, ben.id),
        ):
            with pytest.raises(NotDirector):
                await refused
        await director.drop_helper(tournament_id, anna, ben.id)
        said = "only who directs the tournament or helps with its results, or an administrator, can do this"
        with pytest.raises(NotDirector, match=said):
            await director.decide(tournament_id, ben, second.game, second.seats[0])


@pytest.mark.usefixtures("each_database")
async def test_a_swiss_round_is_paired_again_until_somebody_plays_in_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        tournament_id = await here.announce(replace(KNOCKOUT, form=Form.SWISS, rounds=3, max_players=4), 4)
        anna, ben = here.members[:2]
        first, second = await here.open_bouts(tournament_id)
        for bout in (first, second):
            await here.resign(bout, 0)
        await director.look()
        paired = await here.open_bouts(tournament_id)
        await director.decide(tournament_id, anna, first.game, first.seats[0], corrects=True)
        assert [bout.match_id for bout in await here.open_bouts(tournament_id)] == [bout.match_id for bout in paired]
        with pytest.raises(NotDirector):
            await director.pair_again(tournament_id, ben)
        await director.pair_again(tournament_id, anna)
        again = await here.open_bouts(tournament_id)
        winners, together = {first.seats[0], second.seats[1]}, [set(bout.seats) for bout in again]
        assert winners in together
        assert one_match_for_each_game(await here.known(tournament_id))
        await here.arrive(again[0])
        with pytest.raises(TournamentError, match="a match of this round has a result or is being played"):
            await director.pair_again(tournament_id, anna)
        await here.finish(tournament_id, Random(3))
        await here.check()


async def test_a_result_decided_while_the_director_looked_elsewhere_is_not_overwritten_by_deciding(
    tmp_path: Path,
) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=4), 4)
        first = (await here.open_bouts(tournament_id))[0]
        await here.resign(first, 0)
        with pytest.raises(TournamentError, match="cannot be decided so"):
            await here.services.tournaments.decide(tournament_id, here.members[0], first.game, first.seats[0])
