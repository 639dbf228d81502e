"""Tournaments on a server: fees in escrow, matches and results recorded once, whichever process acts or dies."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from barpoint.game import Abort, Accept, Resign
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.domain.tournament_events import (
    Form,
    How,
    Plan,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import games
from barpoint.server.domain.tournament_standings import standings
from barpoint.server.live.tournament_direction import NotDirector
from barpoint.server.live.tournaments import MAX_OWN, UnknownTournament
from barpoint.server.storage import tournament_lists
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.news import NewsItem, NewsKind, news_of
from barpoint.server.storage.results import WELCOME
from barpoint.server.storage.tournaments import MatchProgress
from tests.support.tournaments import Club, club, one_match_for_each_game

FEE = 100
KNOCKOUT = Plan(
    "Club knock-out", variant="hypergammon", lengths=(1,), fee=FEE, prizes=(60, 40), rated=True, max_players=4
)
SWISS = Plan("Club Swiss", form=Form.SWISS, variant="hypergammon", lengths=(1,), fee=FEE, rated=True, max_players=5)


@pytest.mark.parametrize("plan", [KNOCKOUT, SWISS], ids=["knock-out", "swiss"])
async def test_a_whole_tournament_is_played_move_by_move_and_its_fees_sum_to_zero(tmp_path: Path, plan: Plan) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(plan, plan.max_players)
        assert [await here.tickets(person) for person in here.members] == [WELCOME - FEE] * plan.max_players
        while (known := await here.known(tournament_id)).now.stage is TournamentStage.RUNNING:
            assert one_match_for_each_game(known)
            for bout in await here.open_bouts(tournament_id):
                await here.play(bout)
            await here.services.tournaments.look()
        assert known.now.stage is TournamentStage.OVER
        assert {bout.settled for bout in known.bouts} == {True}
        assert len(known.bouts) == {4: 3, 5: 6}[plan.max_players]
        lines = standings(known.now)
        pot = FEE * plan.max_players
        have = {person.id: await here.tickets(person) for person in here.members}
        assert sum(have.values()) == WELCOME * plan.max_players
        if plan is KNOCKOUT:
            assert [have[line.player] - WELCOME + FEE for line in lines] == [pot * 60 // 100, pot * 40 // 100] + [0] * 2
        else:
            assert have[lines[0].player] > WELCOME
        await here.check()


async def test_a_double_knock_out_and_a_crowd_come_to_an_end(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Two lives", form=Form.DOUBLE, lengths=(1, 3), max_players=5, fee=7, prizes=(50, 30, 20))
        known = await here.finish(await here.announce(plan, 5), Random(4))
        lost = Counter(
            player for game in games(known.now) if game.how for player in game.players if player != game.winner
        )
        assert sorted(lost.values())[-4:] == [2, 2, 2, 2]
        await here.check()


async def test_bots_of_this_server_play_a_tournament_by_themselves(tmp_path: Path) -> None:
    async with club(tmp_path, scheduler_ms=20) as here:
        (anna,) = await here.enroll(1)
        director = here.services.tournaments
        plan = Plan("Bots", form=Form.SWISS, variant="hypergammon", lengths=(1,), bots=True, max_players=4)
        tournament_id = await director.announce(anna, plan)
        for level in ("easy", "easy", "chance", "chance"):
            await director.seat_bot(tournament_id, anna, level)
        async with asyncio.timeout(300):
            while (await here.known(tournament_id)).now.stage is not TournamentStage.OVER:
                await asyncio.sleep(0.05)
        known = await here.known(tournament_id)
        assert {line.player for line in standings(known.now)} == {
            "bot:easy:1", "bot:easy:2", "bot:chance:1", "bot:chance:2",
        }  # fmt: skip
        await here.check()


# ---------------------------------------------------------------- entering and leaving


@pytest.mark.usefixtures("each_database")
async def test_who_cannot_pay_or_comes_twice_or_too_late_is_refused_and_nothing_moves(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        anna, ben, carl, dora = await here.enroll(4)
        dear = await director.announce(anna, replace(KNOCKOUT, fee=WELCOME + 1))
        with pytest.raises(TournamentError, match=f"fee of {WELCOME + 1} tickets; you have {WELCOME}"):
            await director.join(dear, anna)
        cheap = await director.announce(anna, replace(KNOCKOUT, max_players=3))
        await director.join(cheap, anna)
        with pytest.raises(TournamentError, match="entered already"):
            await director.join(cheap, anna)
        with pytest.raises(TournamentError, match="log in to enter"):
            await director.join(cheap, await here.services.accounts.new_guest())
        with pytest.raises(TournamentError, match="bots may not"):
            await director.join(cheap, ben, program=True)
        await director.join(cheap, ben)
        await director.join(cheap, carl)
        with pytest.raises(TournamentError, match="has begun"):
            await director.join(cheap, dora)
        with pytest.raises(UnknownTournament, match="nothing"):
            await director.join("nothing", dora)
        assert [await here.tickets(one) for one in (anna, ben, carl, dora)] == [WELCOME - FEE] * 3 + [WELCOME]
        await here.check()


@pytest.mark.usefixtures("each_database")
async def test_who_leaves_before_the_start_has_their_fee_back_and_who_leaves_later_has_not(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        director = here.services.tournaments
        anna, ben, carl = await here.enroll(3)
        tournament_id = await director.announce(anna, replace(SWISS, max_players=3))
        await director.join(tournament_id, anna)
        await director.leave(tournament_id, anna)
        assert await here.tickets(anna) == WELCOME
        with pytest.raises(TournamentError, match="nobody of that name"):
            await director.leave(tournament_id, anna)
        for person in (anna, ben, carl):
            await director.join(tournament_id, person)
        await director.leave(tournament_id, carl)
        assert await here.tickets(carl) == WELCOME - FEE
        await here.check()
        known = await here.finish(tournament_id, Random(1))
        assert standings(known.now)[-1].player == carl.id or known.now.away == {carl.id}
        assert await here.tickets(anna) + await here.tickets(ben) == 2 * WELCOME + FEE, "who left gets no prize"
        await here.check()


async def test_a_person_directs_only_so_many_tournaments_and_guests_none(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        (anna,) = await here.enroll(1)
        for _ in range(MAX_OWN):
            last = await here.services.tournaments.announce(anna, KNOCKOUT)
        with pytest.raises(Conflict, match="wait until one is"):
            await here.services.tournaments.announce(anna, KNOCKOUT)
        await here.services.tournaments.cancel(last, anna)
        await here.services.tournaments.announce(anna, KNOCKOUT)
        with pytest.raises(TournamentError, match="with an account"):
            await here.services.tournaments.announce(await here.services.accounts.new_guest(), KNOCKOUT)


# ---------------------------------------------------------------- times


@pytest.mark.usefixtures("each_database")
async def test_it_begins_at_its_time_with_whoever_is_there(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        soon = here.clock.now + 60_000
        tournament_id = await here.announce(replace(KNOCKOUT, starts_at=soon, max_players=16, min_players=3), 3)
        alone = await here.services.tournaments.announce(
            here.members[0], replace(KNOCKOUT, starts_at=soon, min_players=3)
        )
        await here.services.tournaments.join(alone, here.members[0])
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.stage is TournamentStage.OPEN
        here.clock.now = soon
        with pytest.raises(TournamentError, match="has begun"):
            await here.services.tournaments.join(tournament_id, (await here.enroll(1))[0])
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.stage is TournamentStage.RUNNING
        cancelled = (await here.known(alone)).now
        assert (cancelled.stage, cancelled.reason) == (TournamentStage.CANCELLED, "too few players")
        assert await here.tickets(here.members[0]) == WELCOME - FEE, "the fee of the cancelled one is back"
        await here.check()


@pytest.mark.usefixtures("each_database")
async def test_who_does_not_come_to_the_board_in_time_loses(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=8), 8)
        first, second, third, fourth = await here.open_bouts(tournament_id)
        await here.arrive(first, 1)
        await here.arrive(second)
        await here.resign(third, 0)
        await here.services.tournaments.look()
        here.clock.now += KNOCKOUT.patience_ms - 1
        await here.services.tournaments.look()
        assert len((await here.known(tournament_id)).now.results) == 1
        here.clock.now += 1
        await here.services.tournaments.look()
        now = (await here.known(tournament_id)).now
        how = {number: (done.winner, done.how) for number, done in now.results.items()}
        assert how[first.game] == (first.seats[1], How.ABSENT)
        assert second.game not in how
        assert how[third.game] == (third.seats[1], How.PLAYED)
        assert how[fourth.game] == (None, How.ABSENT), "neither came"
        assert (await here.services.matches.live_match(first.match_id)).match.over
        assert one_match_for_each_game(await here.known(tournament_id))
        await here.check()


@pytest.mark.usefixtures("each_database")
async def test_a_match_begins_while_both_are_at_the_board_and_until_then_calls_who_has_looked_in_and_left(
    tmp_path: Path,
) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2), 2)
        (bout,) = await here.open_bouts(tournament_id)
        presence, matches, read = here.services.seat_presence, here.services.matches, here.services.store.read
        assert bout.seats[0] is not None
        await here.arrive(bout, 0)
        presence.leave(bout.match_id, 0)
        await here.arrive(bout, 1)
        assert not (await matches.live_match(bout.match_id)).match.events
        for player in bout.seats:
            called = await read(tournament_lists.calls, player, here.clock.now + DAY)
            assert [(one.match_id, one.due_at) for one in called] == [(bout.match_id, bout.due_at)]
            news = await read(news_of, player, here.clock.now)
            told_on = ("/lobby", f"/tournament/{tournament_id}")
            assert news == [NewsItem(NewsKind.MATCH, f"/match/{bout.match_id}", (KNOCKOUT.name,), bout.due_at, told_on)]
        await here.arrive(bout, 0)
        await matches.begin(bout.match_id)
        assert (await matches.live_match(bout.match_id)).match.events
        assert await read(tournament_lists.calls, bout.seats[0], here.clock.now + DAY) == []
        assert await read(news_of, bout.seats[0], here.clock.now) == []


async def test_a_match_to_which_both_have_come_one_after_the_other_begins_when_it_is_due(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2), 2)
        (bout,) = await here.open_bouts(tournament_id)
        for seat in (0, 1):
            await here.arrive(bout, seat)
            here.services.seat_presence.leave(bout.match_id, seat)
        here.clock.now = bout.due_at - 1
        await here.services.tournaments.look()
        assert not (await here.services.matches.live_match(bout.match_id)).match.events
        here.clock.now = bout.due_at
        await here.services.tournaments.look()
        assert (await here.services.matches.live_match(bout.match_id)).match.events
        assert (await here.known(tournament_id)).now.results == {}, "from now on the clock decides"


async def test_a_match_by_days_begins_when_both_have_come_once(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        by_days = replace(KNOCKOUT, max_players=2, time_control="Correspondence 3", patience_ms=7 * DAY)
        tournament_id = await here.announce(by_days, 2)
        (bout,) = await here.open_bouts(tournament_id)
        await here.arrive(bout, 0)
        here.services.seat_presence.leave(bout.match_id, 0)
        assert await here.services.store.read(tournament_lists.calls, bout.seats[0], bout.due_at + 1) == []
        await here.arrive(bout, 1)
        assert (await here.services.matches.live_match(bout.match_id)).match.events


async def test_time_in_which_the_server_did_not_run_counts_for_nobody(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2), 2)
        clock = here.clock
    clock.now += 10 * KNOCKOUT.patience_ms
    async with club(tmp_path, clock) as here:
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results == {}
        await here.finish(tournament_id, Random(1))


async def test_who_leaves_the_board_before_the_first_roll_has_lost(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2), 2)
        (bout,) = await here.open_bouts(tournament_id)
        live_match = await here.services.matches.live_match(bout.match_id)
        assert [(may.kind, may.reason) for may in live_match.view(1).allowed] == [("abort", "loses")]
        await here.services.matches.act(bout.match_id, 1, "c", 0, Abort())
        said = [result.how for seat in (1, 0) if (result := live_match.view(seat).result)]
        assert said == ["You left; the match counts as lost", "Member ab left and loses the match"]
        await here.services.tournaments.look()
        known = await here.known(tournament_id)
        assert known.now.results[0].winner == bout.seats[0]
        assert known.now.results[0].how is How.LEFT
        await here.check()


ROUND = 24 * 60 * 60_000


async def put_off(here: Club, bout: MatchProgress, *then: tuple[int, str]) -> None:
    """Both players agree to adjourn; the requests of `then` follow."""
    for seat, action in ((0, "adjourn"), (1, "adjourn"), *then):
        await here.services.adjournments.ask(bout.match_id, seat, action)


@pytest.mark.usefixtures("each_database")
async def test_a_match_that_is_put_off_at_the_end_of_its_round_is_decided_as_it_stands(tmp_path: Path) -> None:
    """First the points, then the wish to go on; running games finish. docs/tournaments.md, The end of a round."""
    async with club(tmp_path) as here:
        plan = replace(KNOCKOUT, max_players=8, lengths=(3,), round_ms=ROUND)
        tournament_id = await here.announce(plan, 8)
        ahead, asking, idle, playing = await here.open_bouts(tournament_id)
        for bout in (ahead, asking, idle, playing):
            await here.arrive(bout)
        matches = here.services.matches
        for event in (Resign(0, 1), Accept(1)):
            live_match = await matches.live_match(ahead.match_id)
            await matches.act(ahead.match_id, event.player, f"c{live_match.seq}", live_match.seq, event)
        await put_off(here, ahead, (0, "resume"))
        await put_off(here, asking, (1, "resume"))
        await put_off(here, idle)
        here.clock.now += ROUND - 1
        assert await here.services.store.read(partial(tournament_storage.needing, now=here.clock.now)) == []
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results == {}
        here.clock.now += 1
        await here.services.tournaments.look()
        known = await here.known(tournament_id)
        assert {done.game: (done.winner, done.how) for done in known.now.results.values()} == {
            ahead.game: (ahead.seats[1], How.TIME),
            asking.game: (asking.seats[1], How.TIME),
            idle.game: (None, How.TIME),
        }
        for bout in (ahead, asking, idle):
            assert (await matches.live_match(bout.match_id)).match.over
        assert not (await matches.live_match(playing.match_id)).match.over
        await put_off(here, playing)
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results[playing.game].how is How.TIME
        await here.finish(tournament_id, Random(1))
        await here.check()


async def test_a_director_makes_a_round_longer_and_the_log_says_so(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2, lengths=(3,), round_ms=ROUND), 2)
        (bout,) = await here.open_bouts(tournament_id)
        await here.arrive(bout)
        await put_off(here, bout)
        by, other = here.members
        with pytest.raises(NotDirector):
            await here.services.tournaments.extend(tournament_id, other, ROUND // MINUTE)
        await here.services.tournaments.extend(tournament_id, by, ROUND // MINUTE)
        known = await here.known(tournament_id)
        assert bout.ends_at is not None
        assert (known.now.until, known.bouts[0].ends_at) == (bout.ends_at + ROUND, bout.ends_at + ROUND)
        here.clock.now += 2 * ROUND - 1
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.stage is TournamentStage.RUNNING
        here.clock.now += 1
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results[bout.game].how is How.TIME
        await here.check()


async def test_a_tournament_announced_before_rounds_had_an_end_has_none(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(replace(KNOCKOUT, max_players=2, lengths=(3,)), 2)
        (bout,) = await here.open_bouts(tournament_id)
        await here.arrive(bout)
        await put_off(here, bout)
        here.clock.now += 100 * ROUND
        await here.services.tournaments.look()
        assert (await here.known(tournament_id)).now.results == {}
        with pytest.raises(TournamentError, match="no end"):
            await here.services.tournaments.extend(tournament_id, here.members[0], ROUND // MINUTE)


async def test_a_league_waits_for_its_players_and_counts_what_is_not_played_as_lost_by_both(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        weeks = 28 * DAY
        plan = Plan("League", form=Form.LEAGUE, lengths=(1,), max_players=3, patience_ms=weeks, round_ms=weeks)
        league = await server.announce(plan, 3)
        bouts = await server.open_bouts(league)
        assert len(bouts) == 3, "all matches are ready at once"
        await server.arrive(bouts[0])
        first = await server.services.matches.live_match(bouts[0].match_id)
        assert first.match.events, "both are there"
        await server.resign(bouts[1], 0)
        server.clock.now += weeks
        await server.services.tournaments.look()
        now = (await server.known(league)).now
        assert now.results[bouts[1].game].winner is not None
        assert now.results[bouts[2].game].winner is None
        assert bouts[0].game not in now.results, "a match that has begun is played to its end"
        await server.check()
