"""Adjournments and seeds: seeds committed before they are revealed, breaks, claims."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from barpoint.game import Double, Phase, Roll
from barpoint.game.event import Claim
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import commitment_of, made_seed
from barpoint.server.domain.matches import SeedState
from barpoint.server.domain.time_control import FAST, SECOND
from barpoint.server.live.adjournments import CLAIM_MS, KEPT_MS, AdjournmentRefused, Adjournments, SeedRefused
from barpoint.server.live.event_log import ForeignSeat, StaleCommand
from barpoint.server.live.matches import seat_for
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.live.sidebar import due_shown
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.seeds import REVEALING_MS
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, Clock, DrivenMatch, fold_equals_snapshot, guest_seats, opened
from tests.support.scripted_bots import ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")

MINE, YOURS = "the seed of Anna", "the seed of Ben"


@asynccontextmanager
async def kept(
    folder: Path, time_control: str = "None", *, seeds: bool = False
) -> AsyncIterator[tuple[DrivenMatch, Adjournments]]:
    """A match of Anna (0) and Ben (1) with its adjournments; with seeds it waits for theirs."""
    clock = Clock()
    async with opened(folder, ScriptedDice([(6, 5)] * 9), clock) as matches:
        agreement = Agreement(variant(), MatchTerms(length=3), time_control)
        header = await matches.make(agreement, guest_seats(), players_seed=seeds)
        yield DrivenMatch(matches, header, clock), Adjournments(matches, SeatPresence(matches.pubsub, matches.clock))


async def test_a_match_waits_for_both_seeds_and_each_is_revealed_only_when_both_have_committed(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (driven, adjournments):
        live_match = await driven.live_match()
        assert live_match.seq == 0
        with pytest.raises(SeedRefused, match="no seed"):
            await adjournments.reveal_seed(driven.id, 0, MINE)
        await adjournments.commit_to_seed(driven.id, 0, commitment_of(MINE))
        with pytest.raises(SeedRefused, match="once both players have committed"):
            await adjournments.reveal_seed(driven.id, 0, MINE)
        await adjournments.commit_to_seed(driven.id, 1, commitment_of(YOURS))
        await adjournments.commit_to_seed(driven.id, 1, commitment_of("a later wish"))
        with pytest.raises(SeedRefused, match="not the seed committed to"):
            await adjournments.reveal_seed(driven.id, 1, "a later wish")
        await adjournments.reveal_seed(driven.id, 0, MINE)
        assert live_match.seq == 0
        await adjournments.reveal_seed(driven.id, 1, YOURS)
        assert live_match.match.game.phase is Phase.TO_PLAY
        assert live_match.header.seeds.clients == (MINE, YOURS)
        assert live_match.header.commitments == (commitment_of(MINE), commitment_of(YOURS))


async def test_who_gives_no_seed_gets_the_one_that_was_fixed_with_the_server_s(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (driven, adjournments):
        await adjournments.commit_to_seed(driven.id, 0, None)
        await adjournments.commit_to_seed(driven.id, 1, commitment_of(YOURS))
        await adjournments.reveal_seed(driven.id, 1, YOURS)
        header = (await driven.live_match()).header
        assert header.seats[0].client_seed == made_seed(header.server_seed, header.id, 0)
        assert header.commitments == (None, commitment_of(YOURS))
        assert (await driven.live_match()).seq == 1


async def test_a_seed_committed_to_that_does_not_come_holds_nobody_up(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (driven, adjournments):
        await adjournments.commit_to_seed(driven.id, 0, commitment_of(MINE))
        await adjournments.commit_to_seed(driven.id, 1, commitment_of(YOURS))
        await adjournments.reveal_seed(driven.id, 0, MINE)
        live_match = await driven.live_match()
        due = due_shown(live_match, 0, driven.clock.now)
        assert due is not None
        assert (due.kind, due.ms) == ("seeds", REVEALING_MS)
        driven.clock.now += REVEALING_MS - 1
        await adjournments.expire(driven.id)
        assert live_match.header.seats[1].seeding is SeedState.COMMITTED
        driven.clock.now += 1
        await adjournments.expire(driven.id)
        assert live_match.match.game.phase is Phase.TO_PLAY
        assert [seat.by_player for seat in live_match.header.seats] == [True, False]
        assert live_match.deadline_at is None


async def test_seeds_survive_a_restart_and_a_spectator_gives_none(tmp_path: Path) -> None:
    async with kept(tmp_path, seeds=True) as (driven, adjournments):
        await adjournments.commit_to_seed(driven.id, 0, commitment_of(MINE))
        await adjournments.commit_to_seed(driven.id, None, commitment_of("a spectator's"))
    async with opened(tmp_path) as matches:
        adjournments = Adjournments(matches, SeatPresence(matches.pubsub, matches.clock))
        await adjournments.commit_to_seed(driven.id, 1, None)
        await adjournments.reveal_seed(driven.id, 0, MINE)
        assert (await matches.live_match(driven.id)).seq >= 1


async def test_a_bot_s_seat_and_matches_made_without_pages_wait_for_nobody(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        seats = (seat_for(ANNA), seat_for(None, name="Bot", level="easy"))
        header = await matches.make(Agreement(terms=MatchTerms(length=1)), seats, players_seed=True)
        assert (await matches.live_match(header.id)).seq == 0
        await Adjournments(matches, SeatPresence(matches.pubsub, matches.clock)).commit_to_seed(header.id, 0, None)
        assert (await matches.live_match(header.id)).seq >= 1


async def test_both_must_want_to_adjourn_a_match_on_the_clock_and_no_time_passes_then(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (driven, adjournments):
        driven.clock.now += FAST.delay_ms + 5 * SECOND
        await adjournments.ask(driven.id, 0, "adjourn")
        live_match = await driven.live_match()
        assert live_match.header.adjournment.adjourned_at is None
        with pytest.raises(AdjournmentRefused, match="possible now: nothing"):
            await adjournments.ask(driven.id, 0, "adjourn")
        await adjournments.ask(driven.id, 1, "adjourn")
        assert live_match.header.adjournment.adjourned_at == driven.clock.now
        assert live_match.deadline_at is None
        driven.clock.now += 10**9
        await adjournments.expire(driven.id)
        with pytest.raises(StaleCommand, match="adjourned"):
            await driven.play_first()
        await adjournments.ask(driven.id, 1, "resume")
        await adjournments.ask(driven.id, 0, "resume")
        await driven.play_first()
        assert live_match.clock.reserves == (FAST.reserve(3) - 5 * SECOND, FAST.reserve(3))
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_an_adjourned_match_is_so_after_a_restart(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (driven, adjournments):
        await adjournments.ask(driven.id, 0, "adjourn")
        await adjournments.ask(driven.id, 1, "adjourn")
        await driven.matches.store.write(lambda connection: deadline_storage.beat(connection, driven.clock.now))
        driven.clock.now += 10**8
    async with opened(tmp_path, clock=driven.clock) as matches:
        await matches.store.write(lambda connection: deadline_storage.add_downtime(connection, driven.clock.now, 0))
        adjournments = Adjournments(matches, SeatPresence(matches.pubsub, matches.clock))
        await adjournments.ask(driven.id, 0, "resume")
        await adjournments.ask(driven.id, 1, "resume")
        live_match = await matches.live_match(driven.id)
        assert live_match.clock.reserve(0, driven.clock.now) == FAST.reserve(3)
        assert live_match.deadline_at == driven.clock.now + FAST.delay_ms + FAST.reserve(3)


async def test_a_request_can_be_declined_and_is_forgotten_when_the_match_goes_on(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (driven, adjournments):
        live_match = await driven.live_match()
        await adjournments.ask(driven.id, 0, "adjourn")
        assert adjournments.may(live_match, 1) == ("adjourn", "decline")
        await adjournments.ask(driven.id, 1, "decline")
        assert live_match.header.adjournment.asked_by is None
        await adjournments.ask(driven.id, 1, "adjourn")
        await driven.play_first()
        assert live_match.header.adjournment.asked_by is None
        assert adjournments.may(live_match, 0) == ("adjourn",)


async def test_a_player_who_has_left_loses_by_a_claim_after_its_time(tmp_path: Path) -> None:
    async with kept(tmp_path) as (driven, adjournments):
        with pytest.raises(AdjournmentRefused):
            await adjournments.ask(driven.id, 0, "claim")  # it is their own turn
        await driven.play_first()
        await adjournments.ask(driven.id, 0, "claim")
        live_match = await driven.live_match()
        due = due_shown(live_match, 0, driven.clock.now)
        assert due is not None
        assert (due.kind, due.ms, due.by) == ("claim", CLAIM_MS, "far")
        driven.clock.now += CLAIM_MS - 1
        await adjournments.expire(driven.id)
        assert not live_match.match.over
        driven.clock.now += 1
        await adjournments.expire(driven.id)
        await adjournments.expire(driven.id)
        match = await fold_equals_snapshot(driven.matches.store, driven.id)
        assert match.winner == 0
        assert match.events[-1] == Claim(0)


async def test_who_comes_back_in_time_or_is_there_cannot_be_claimed_from(tmp_path: Path) -> None:
    async with kept(tmp_path) as (driven, adjournments):
        await driven.play_first()
        await adjournments.ask(driven.id, 0, "claim")
        await adjournments.seen(driven.id, 0)
        live_match = await driven.live_match()
        assert live_match.header.adjournment.claimed_by == 0, "the one who claims does not count"
        await adjournments.seen(driven.id, 1)
        assert live_match.header.adjournment.claimed_by is None
        driven.clock.now += 10**9
        await adjournments.expire(driven.id)
        assert not live_match.match.over
        with adjournments.presence.present(driven.id, 1), pytest.raises(AdjournmentRefused):
            await adjournments.ask(driven.id, 0, "claim")
        await adjournments.ask(driven.id, 0, "claim")
        await driven.do(Double(1))
        assert live_match.header.adjournment.claimed_by is None
        await adjournments.expire(driven.id)
        assert not live_match.match.over


async def test_with_a_clock_the_clock_decides(tmp_path: Path) -> None:
    async with kept(tmp_path, "Fast") as (driven, adjournments):
        await driven.play_first()
        assert "claim" not in adjournments.may(await driven.live_match(), 0)


async def test_a_match_put_off_for_a_month_may_be_claimed(tmp_path: Path) -> None:
    async with kept(tmp_path) as (driven, adjournments):
        live_match = await driven.live_match()
        await adjournments.ask(driven.id, 0, "adjourn")
        assert live_match.header.adjournment.adjourned_at is not None, "without a clock nobody loses time by it"
        assert live_match.view(0).allowed == ()
        driven.clock.now += KEPT_MS - 1
        assert "claim" not in adjournments.may(live_match, 1)
        driven.clock.now += 1
        await adjournments.ask(driven.id, 1, "claim")
        driven.clock.now += CLAIM_MS
        await adjournments.expire(driven.id)
        assert live_match.match.winner == 1


async def test_a_stranger_and_a_match_against_a_bot_can_ask_for_nothing(tmp_path: Path) -> None:
    async with kept(tmp_path) as (driven, adjournments):
        with pytest.raises(ForeignSeat):
            await adjournments.ask(driven.id, None, "adjourn")
        header = await driven.matches.make(Agreement(), (seat_for(BEN), seat_for(None, name="Bot", level="easy")))
        assert adjournments.may(await driven.matches.live_match(header.id), 0) == ()
        assert adjournments.may(await driven.live_match(), None) == ()
        await driven.play_first()
        await driven.do(Roll(1))
