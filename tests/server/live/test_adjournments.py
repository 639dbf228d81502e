"""What happens around the events: seeds sealed before they are told, breaks, claims (SERVER.md 1 to 4)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from barpoint.game import Double, Phase, Roll
from barpoint.game.event import Claim
from barpoint.match import Terms
from barpoint.server.domain.challenges import Offer
from barpoint.server.domain.dice import made_seed, seal_of
from barpoint.server.domain.matches import Seeding
from barpoint.server.domain.time_control import FAST, SECOND
from barpoint.server.live.adjournments import CLAIM_MS, KEPT_MS, Keeper, RecessRefused, SeedRefused
from barpoint.server.live.matches import ForeignSeat, StaleCommand, seat_for
from barpoint.server.live.sidebar import due_shown
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.seeds import TELLING_MS
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, Clock, Table, fold_equals_snapshot, guest_seats, opened
from tests.support.scripted_bots import ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")

MINE, YOURS = "the seed of Anna", "the seed of Ben"


@asynccontextmanager
async def kept(folder: Path, pace: str = "None", *, seeds: bool = False) -> AsyncIterator[tuple[Table, Keeper]]:
    """A match of Anna (0) and Ben (1) with its keeper; with seeds it waits for theirs."""
    clock = Clock()
    async with opened(folder, ScriptedDice([(6, 5)] * 9), clock) as hall:
        offer = Offer(variant(), Terms(length=3), pace)
        entry = await hall.make(offer, guest_seats(), players_seed=seeds)
        yield Table(hall, entry, clock), Keeper(hall)


async def test_a_match_waits_for_both_seeds_and_each_is_told_only_when_both_are_sealed(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (table, keeper):
        room = await table.room()
        assert room.seq == 0
        with pytest.raises(SeedRefused, match="no seed"):
            await keeper.tell_seed(table.id, 0, MINE)
        await keeper.seal_seed(table.id, 0, seal_of(MINE))
        with pytest.raises(SeedRefused, match="once both are sealed"):
            await keeper.tell_seed(table.id, 0, MINE)
        await keeper.seal_seed(table.id, 1, seal_of(YOURS))
        await keeper.seal_seed(table.id, 1, seal_of("a later wish"))
        with pytest.raises(SeedRefused, match="not the seed that was sealed"):
            await keeper.tell_seed(table.id, 1, "a later wish")
        await keeper.tell_seed(table.id, 0, MINE)
        assert room.seq == 0
        await keeper.tell_seed(table.id, 1, YOURS)
        assert room.match.game.phase is Phase.TO_PLAY
        assert room.entry.seeds.clients == (MINE, YOURS)
        assert room.entry.seals == (seal_of(MINE), seal_of(YOURS))


async def test_who_gives_no_seed_gets_the_one_that_was_fixed_with_the_server_s(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (table, keeper):
        await keeper.seal_seed(table.id, 0, None)
        await keeper.seal_seed(table.id, 1, seal_of(YOURS))
        await keeper.tell_seed(table.id, 1, YOURS)
        entry = (await table.room()).entry
        assert entry.seats[0].client_seed == made_seed(entry.server_seed, entry.id, 0)
        assert entry.seals == (None, seal_of(YOURS))
        assert (await table.room()).seq == 1


async def test_a_sealed_seed_that_does_not_come_holds_nobody_up(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (table, keeper):
        await keeper.seal_seed(table.id, 0, seal_of(MINE))
        await keeper.seal_seed(table.id, 1, seal_of(YOURS))
        await keeper.tell_seed(table.id, 0, MINE)
        room = await table.room()
        due = due_shown(room, 0, table.clock.now)
        assert due is not None
        assert (due.kind, due.ms) == ("seeds", TELLING_MS)
        table.clock.now += TELLING_MS - 1
        await keeper.expire(table.id)
        assert room.entry.seats[1].seeding is Seeding.SEALED
        table.clock.now += 1
        await keeper.expire(table.id)
        assert room.match.game.phase is Phase.TO_PLAY
        assert [seat.by_player for seat in room.entry.seats] == [True, False]
        assert room.deadline_at is None


async def test_seeds_survive_a_restart_and_a_spectator_gives_none(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (table, keeper):
        await keeper.seal_seed(table.id, 0, seal_of(MINE))
        await keeper.seal_seed(table.id, None, seal_of("a spectator's"))
    async with opened(tmp_path) as hall:
        keeper = Keeper(hall)
        await keeper.seal_seed(table.id, 1, None)
        await keeper.tell_seed(table.id, 0, MINE)
        assert (await hall.room(table.id)).seq >= 1


async def test_a_bot_s_seat_and_matches_made_without_pages_wait_for_nobody(tmp_path: Path) -> None:
    async with opened(tmp_path) as hall:
        seats = (seat_for(ANNA), seat_for(None, name="Bot", level="easy"))
        entry = await hall.make(Offer(terms=Terms(length=1)), seats, players_seed=True)
        assert (await hall.room(entry.id)).seq == 0
        await Keeper(hall).seal_seed(entry.id, 0, None)
        assert (await hall.room(entry.id)).seq >= 1


async def test_both_must_want_to_adjourn_a_match_on_the_clock_and_no_time_passes_then(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (table, keeper):
        table.clock.now += FAST.delay_ms + 5 * SECOND
        await keeper.ask(table.id, 0, "adjourn")
        room = await table.room()
        assert room.entry.recess.adjourned_at is None
        with pytest.raises(RecessRefused, match="possible now: nothing"):
            await keeper.ask(table.id, 0, "adjourn")
        await keeper.ask(table.id, 1, "adjourn")
        assert room.entry.recess.adjourned_at == table.clock.now
        assert room.deadline_at is None
        table.clock.now += 10**9
        await keeper.expire(table.id)
        with pytest.raises(StaleCommand, match="adjourned"):
            await table.play_first()
        await keeper.ask(table.id, 1, "resume")
        await keeper.ask(table.id, 0, "resume")
        await table.play_first()
        assert room.clock.reserves == (FAST.reserve(3) - 5 * SECOND, FAST.reserve(3))
        await fold_equals_snapshot(table.hall.store, table.id)


async def test_an_adjourned_match_is_so_after_a_restart(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (table, keeper):
        await keeper.ask(table.id, 0, "adjourn")
        await keeper.ask(table.id, 1, "adjourn")
        await table.hall.store.write(lambda connection: deadline_storage.beat(connection, table.clock.now))
        table.clock.now += 10**8
    async with opened(tmp_path, clock=table.clock) as hall:
        await hall.store.write(lambda connection: deadline_storage.add_downtime(connection, table.clock.now, 0))
        keeper = Keeper(hall)
        await keeper.ask(table.id, 0, "resume")
        await keeper.ask(table.id, 1, "resume")
        room = await hall.room(table.id)
        assert room.clock.reserve(0, table.clock.now) == FAST.reserve(3)
        assert room.deadline_at == table.clock.now + FAST.delay_ms + FAST.reserve(3)


async def test_a_wish_can_be_declined_and_is_forgotten_when_the_match_goes_on(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (table, keeper):
        room = await table.room()
        await keeper.ask(table.id, 0, "adjourn")
        assert keeper.may(room, 1) == ("adjourn", "decline")
        await keeper.ask(table.id, 1, "decline")
        assert room.entry.recess.asked_by is None
        await keeper.ask(table.id, 1, "adjourn")
        await table.play_first()
        assert room.entry.recess.asked_by is None
        assert keeper.may(room, 0) == ("adjourn",)


async def test_a_player_who_has_left_loses_by_a_claim_after_its_time(tmp_path: Path) -> None:
    async with kept(tmp_path) as (table, keeper):
        with pytest.raises(RecessRefused):
            await keeper.ask(table.id, 0, "claim")  # he is to act himself
        await table.play_first()
        await keeper.ask(table.id, 0, "claim")
        room = await table.room()
        due = due_shown(room, 0, table.clock.now)
        assert due is not None
        assert (due.kind, due.ms, due.by) == ("claim", CLAIM_MS, "far")
        table.clock.now += CLAIM_MS - 1
        await keeper.expire(table.id)
        assert not room.match.over
        table.clock.now += 1
        await keeper.expire(table.id)
        await keeper.expire(table.id)
        match = await fold_equals_snapshot(table.hall.store, table.id)
        assert match.winner == 0
        assert match.events[-1] == Claim(0)


async def test_who_comes_back_in_time_or_is_there_cannot_be_claimed_from(tmp_path: Path) -> None:
    async with kept(tmp_path) as (table, keeper):
        await table.play_first()
        await keeper.ask(table.id, 0, "claim")
        await keeper.seen(table.id, 0)
        room = await table.room()
        assert room.entry.recess.claimed_by == 0, "the one who claims does not count"
        await keeper.seen(table.id, 1)
        assert room.entry.recess.claimed_by is None
        table.clock.now += 10**9
        await keeper.expire(table.id)
        assert not room.match.over
        with keeper.present(table.id, 1), pytest.raises(RecessRefused):
            await keeper.ask(table.id, 0, "claim")
        await keeper.ask(table.id, 0, "claim")
        await table.do(Double(1))
        assert room.entry.recess.claimed_by is None
        await keeper.expire(table.id)
        assert not room.match.over


async def test_with_a_clock_the_clock_decides(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (table, keeper):
        await table.play_first()
        assert "claim" not in keeper.may(await table.room(), 0)


async def test_a_match_put_off_for_a_month_may_be_claimed(tmp_path: Path) -> None:
    async with kept(tmp_path) as (table, keeper):
        room = await table.room()
        await keeper.ask(table.id, 0, "adjourn")
        assert room.entry.recess.adjourned_at is not None, "without a clock nobody loses time by it"
        assert room.view(0).allowed == ()
        table.clock.now += KEPT_MS - 1
        assert "claim" not in keeper.may(room, 1)
        table.clock.now += 1
        await keeper.ask(table.id, 1, "claim")
        table.clock.now += CLAIM_MS
        await keeper.expire(table.id)
        assert room.match.winner == 1


async def test_a_stranger_and_a_match_against_a_bot_can_ask_for_nothing(tmp_path: Path) -> None:
    async with kept(tmp_path) as (table, keeper):
        with pytest.raises(ForeignSeat):
            await keeper.ask(table.id, None, "adjourn")
        entry = await table.hall.make(Offer(), (seat_for(BEN), seat_for(None, name="Bot", level="easy")))
        assert keeper.may(await table.hall.room(entry.id), 0) == ()
        assert keeper.may(await table.room(), None) == ()
        await table.play_first()
        await table.do(Roll(1))
