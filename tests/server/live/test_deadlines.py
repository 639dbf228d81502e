"""Clocks in a running match: the server judges them, rebuilds them from the log, and times out once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import update

from barpoint.game import Double, Pass, Phase, PlayMade, Roll, Timeout
from barpoint.match import Match, MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.time_control import FAST, LAG_LIMIT, LAG_QUOTA, LAG_REFILL, REST_MS, SECOND
from barpoint.server.live.adjournments import Adjournments
from barpoint.server.live.deadlines import RECONNECT_MS, UNJOINED_MS, Deadlines
from barpoint.server.live.event_log import StaleCommand
from barpoint.server.live.matches import OutOfTime, seat_for
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.live.sidebar import clock_shown, due_shown
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.schema.matches import MATCH
from barpoint.variants import variant
from tests.support.live_server import Clock, DrivenMatch, fold_equals_snapshot, guest_seats, opened
from tests.support.scripted_bots import ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")

RESERVE = FAST.reserve(3)
BEFORE_FLAG = FAST.delay_ms + RESERVE


@asynccontextmanager
async def timed(
    folder: Path,
    name: str = "backgammon",
    length: int = 3,
    time_control: str = "Fast",
    dice: ScriptedDice | None = None,
) -> AsyncIterator[DrivenMatch]:
    """A match with clocks of Anna (0), who is to play a 6-5, and Ben (1)."""
    clock = Clock()
    async with opened(folder, dice or ScriptedDice([(6, 5)] * 9), clock) as matches:
        header = await matches.make(Agreement(variant(name), MatchTerms(length=length), time_control), guest_seats())
        yield DrivenMatch(matches, header, clock)


def first_play(match: Match) -> PlayMade:
    """The first legal play of the current roll."""
    game = match.game
    return PlayMade(game.player, legal_plays(game.rules, game.position, game.faces)[0].moves)


async def test_a_turn_costs_what_exceeds_its_delay_and_no_more(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        driven.clock.now += FAST.delay_ms + 2_500
        await driven.play_first()
        clock = (await driven.live_match()).clock
        assert clock.reserves == (RESERVE - 2_500, RESERVE)
        assert (await driven.live_match()).deadline_at == driven.clock.now + BEFORE_FLAG


async def test_the_lag_a_client_reports_is_given_back_up_to_its_limit(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        driven.clock.now += FAST.delay_ms + 5_000
        live_match = await driven.live_match()
        await driven.matches.act(driven.id, 0, "c", live_match.seq, first_play(live_match.match), 60_000)
        assert live_match.clock.reserves[0] == RESERVE - 5_000 + LAG_LIMIT


async def test_lag_is_given_back_no_longer_than_the_quota_lasts(tmp_path: Path) -> None:
    async with timed(tmp_path, length=15, dice=ScriptedDice([(2, 1)] * 99)) as driven:
        given = []
        for turn in range(60):
            live_match = await driven.live_match()
            actor = live_match.match.game.actor
            assert actor is not None
            event = first_play(live_match.match) if live_match.match.game.faces else Roll(actor)
            given.append((actor, live_match.lag_of(actor, 60_000)))
            await driven.matches.act(driven.id, actor, f"c{turn}", live_match.seq, event, 60_000)
        for player in (0, 1):
            assert sum(lag for actor, lag in given if actor == player) <= LAG_QUOTA + 16 * LAG_REFILL
        here = (await driven.live_match()).clock
        async with opened(tmp_path, clock=driven.clock) as other:
            assert (await other.live_match(driven.id)).clock == here


async def test_a_match_that_nobody_joins_is_called_off_in_the_end(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        matches = driven.matches
        agreement = Agreement(variant("backgammon"), MatchTerms(length=1))
        seats = (guest_seats()[0], seat_for(None, name="a friend", invitation="secret"))
        waiting = await matches.make(agreement, seats)
        deadlines = Deadlines(matches, Adjournments(matches, SeatPresence(matches.pubsub, driven.clock)), Settings(""))
        driven.clock.now += UNJOINED_MS
        await deadlines.call_off_unjoined()
        assert not (await matches.live_match(waiting.id)).match.over
        driven.clock.now += 1
        await asyncio.gather(deadlines.call_off_unjoined(), deadlines.call_off_unjoined())
        assert (await matches.live_match(waiting.id)).match.over
        assert not (await driven.match()).over, "both are there"


async def test_clocks_are_the_same_after_a_restart_and_in_another_process(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        for spent in (3_000, 11_000, 9_500):
            driven.clock.now += spent
            await driven.turn()
        driven.clock.now += 4_000
        await driven.do(Double(1))
        here = (await driven.live_match()).clock
        async with opened(tmp_path, clock=driven.clock) as other:
            live_match = await other.live_match(driven.id)
            assert live_match.clock == here
            assert live_match.deadline_at == here.deadline_at
            assert clock_shown(live_match, 0, driven.clock.now) == clock_shown(
                await driven.live_match(), 0, driven.clock.now
            )


async def test_out_of_time_loses_the_match_whatever_the_score(tmp_path: Path) -> None:
    async with timed(tmp_path, length=7) as driven:
        driven.clock.now += FAST.delay_ms + FAST.reserve(7) + LAG_LIMIT
        await driven.matches.expire(driven.id)
        match = await fold_equals_snapshot(driven.matches.store, driven.id)
        assert match.over
        assert match.winner == 1
        assert isinstance(match.events[-1], Timeout)
        assert (await driven.live_match()).deadline_at is None


async def test_out_of_time_in_money_play_loses_the_game_alone_at_what_the_position_allows(tmp_path: Path) -> None:
    async with timed(tmp_path, length=0) as driven:
        driven.clock.now += 10**7
        await driven.matches.expire(driven.id)
        match = await driven.match()
        assert not match.over
        assert match.game.result is not None
        assert (match.game.result.winner, match.game.result.points) == (1, 2), "nothing was borne off: a gammon"


async def test_a_command_sent_in_time_is_not_overtaken_by_the_flag(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        driven.clock.now += BEFORE_FLAG + 400
        await driven.matches.expire(driven.id)
        live_match = await driven.live_match()
        assert not live_match.match.over, "it may still be on its way"
        await driven.matches.act(driven.id, 0, "c", live_match.seq, first_play(live_match.match), 500)
        assert live_match.match.game.phase is Phase.TO_ROLL


async def test_a_command_that_comes_too_late_loses_by_time(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        driven.clock.now += BEFORE_FLAG + 400
        with pytest.raises(OutOfTime, match="time was up"):
            await driven.play_first()
        assert (await driven.match()).winner == 1
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_two_processes_flag_once(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven, opened(tmp_path, clock=driven.clock) as other:
        await other.live_match(driven.id)
        driven.clock.now += BEFORE_FLAG + LAG_LIMIT
        await asyncio.gather(*(matches.expire(driven.id) for matches in (driven.matches, other) * 3))
        match = await fold_equals_snapshot(driven.matches.store, driven.id)
        assert sum(isinstance(event, Timeout) for event in match.events) == 1
        assert (await other.live_match(driven.id)).match.events == match.events


async def test_a_match_that_cannot_be_read_holds_up_no_clock_of_another(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven, opened(tmp_path, clock=driven.clock) as other:
        unreadable = await driven.matches.make(driven.header.agreement, guest_seats())
        damage = update(MATCH).where(MATCH.c.id == unreadable.id).values(variant="nonsense", deadline_at=1)
        await other.store.write(lambda connection: connection.execute(damage))
        driven.clock.now += BEFORE_FLAG + LAG_LIMIT
        adjournments = Adjournments(other, SeatPresence(other.pubsub, driven.clock))
        await Deadlines(other, adjournments, Settings("")).expire()
        assert (await other.live_match(driven.id)).match.winner == 1


async def test_a_process_with_an_old_copy_flags_nobody(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven, opened(tmp_path, clock=driven.clock) as other:
        await other.live_match(driven.id)  # the first turn
        driven.clock.now += BEFORE_FLAG - 1
        await driven.play_first()
        driven.clock.now += LAG_LIMIT + 1
        await other.expire(driven.id)
        assert not (await other.live_match(driven.id)).match.over
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_time_in_which_the_server_was_down_is_given_back_and_stays_so(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        store, now = driven.matches.store, driven.clock.now
        await store.write(lambda connection: deadline_storage.beat(connection, now))
        driven.clock.now += 3_600_000
    async with opened(tmp_path, clock=driven.clock) as matches:
        await matches.store.write(lambda connection: deadline_storage.add_downtime(connection, driven.clock.now, 0))
        live_match = await matches.live_match(driven.id)
        assert live_match.deadline_at == driven.clock.now + BEFORE_FLAG
        await matches.expire(driven.id)
        driven.matches = matches
        driven.clock.now += FAST.delay_ms + SECOND
        await driven.play_first()
        assert live_match.clock.reserves[0] == RESERVE - SECOND
    async with opened(tmp_path, clock=driven.clock) as matches:
        assert (await matches.live_match(driven.id)).clock.reserves[0] == RESERVE - SECOND, "the log knows of the pause"


async def test_a_process_that_missed_a_pause_does_not_forget_it(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven, opened(tmp_path, clock=driven.clock) as other:
        await other.live_match(driven.id)
        store, now = driven.matches.store, driven.clock.now
        await store.write(lambda connection: deadline_storage.beat(connection, now))
        driven.clock.now += 100_000
        await store.write(lambda connection: deadline_storage.add_downtime(connection, driven.clock.now, 0))
        live_match = await other.live_match(driven.id)
        await other.act(driven.id, 0, "c", live_match.seq, first_play(live_match.match))
        assert live_match.clock.reserves[0] == RESERVE, "the pause was written before the command came"


async def test_clocks_stand_between_games_and_the_next_begins_by_itself(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        await driven.turn()
        await driven.turn()
        await driven.do(Double(0))
        await driven.do(Pass(1))
        live_match = await driven.live_match()
        assert live_match.clock.running is None
        due = due_shown(live_match, 0, driven.clock.now)
        assert due is not None
        assert (due.kind, due.ms, due.by) == ("next", REST_MS, None)
        driven.clock.now += REST_MS
        await driven.matches.expire(driven.id)
        assert live_match.match.game.phase is Phase.TO_PLAY
        assert live_match.clock.reserves == (RESERVE, RESERVE)


async def test_without_a_clock_nobody_is_ever_out_of_time(tmp_path: Path) -> None:
    async with timed(tmp_path, time_control="None") as driven:
        driven.clock.now += 10**11
        await driven.matches.expire(driven.id)
        await driven.play_first()
        live_match = await driven.live_match()
        assert clock_shown(live_match, 0, driven.clock.now) is None
        assert due_shown(live_match, 0, driven.clock.now) is None
        await driven.do(Roll(1))


async def test_a_stale_command_of_the_other_side_does_not_flag_in_the_grace(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        await driven.play_first()
        driven.clock.now += BEFORE_FLAG + LAG_LIMIT - 1
        live_match = await driven.live_match()
        with pytest.raises(StaleCommand):
            await driven.matches.act(driven.id, 0, "x", live_match.seq - 1, Roll(0))
        assert not live_match.match.over


async def test_the_players_of_a_process_that_stops_get_time_to_connect_to_another(tmp_path: Path) -> None:
    async with timed(tmp_path) as driven:
        matches, told = driven.matches, []
        other = await matches.make(Agreement(variant("backgammon"), MatchTerms(length=3), "Fast"), guest_seats())
        deadlines = Deadlines(matches, Adjournments(matches, SeatPresence(matches.pubsub, driven.clock)), Settings(""))
        before = [(await matches.live_match(id)).clock.deadline_at for id in (driven.id, other.id)]
        await deadlines.give_time_to_reconnect({driven.id})
        matches.pubsub.outward = told.append
        await deadlines.give_time_to_reconnect(())
        await deadlines.give_time_to_reconnect({driven.id})
        matches.pubsub.outward = None
        assert told == [driven.id]
        await matches.log.refresh(driven.id)
        after = [(await matches.live_match(id)).clock.deadline_at for id in (driven.id, other.id)]
        assert after == [before[0] + RECONNECT_MS, before[1]], "once: alone, the next start gives the time back"
        driven.clock.now += FAST.delay_ms + RECONNECT_MS
        await driven.play_first()
        assert (await driven.live_match()).clock.reserves == (RESERVE, RESERVE)
