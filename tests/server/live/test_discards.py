"""Unfinished matches: given up against bots, lost where they count, and removed when guests forget them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import update

from barpoint.match import MatchTerms
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import FORGOTTEN_DAYS
from barpoint.server.domain.matches import MatchHeader, MatchSeat
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.discards import DiscardRefused, counts, discard, discard_forgotten
from barpoint.server.live.matches import Matches, seat_for
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.schema.matches import GUEST, MATCH
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, Clock, DrivenMatch, guest_seats, opened
from tests.support.scripted_bots import ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")

BOT = seat_for(None, name="Barpoint Beginner", level="easy")


@asynccontextmanager
async def matches_at(folder: Path, clock: Clock | None = None) -> AsyncIterator[Matches]:
    async with opened(folder, ScriptedDice([(6, 5)] * 9), clock or Clock()) as matches:
        yield matches


async def make(matches: Matches, seats: tuple[MatchSeat, MatchSeat], *, rated: bool = False) -> MatchHeader:
    return await matches.make(Agreement(variant(), MatchTerms(length=3), rated=rated), seats)


async def listed(matches: Matches, person: Guest) -> tuple[list[str], list[str]]:
    """Ids of a person's unfinished and of their finished matches."""
    going = await matches.store.read(lobby_storage.matches_unfinished, person.id, 9)
    over = await matches.store.read(lobby_storage.matches_finished, person.id, 9)
    return [one.id for one in going], [one.id for one in over]


async def test_a_match_against_a_bot_that_is_given_up_leaves_both_lists(tmp_path: Path) -> None:
    async with matches_at(tmp_path) as matches:
        header = await make(matches, (seat_for(ANNA), BOT))
        assert await listed(matches, ANNA) == ([header.id], [])
        assert not await counts(matches, header.id, ANNA)
        await discard(matches, header.id, ANNA)
        match = (await matches.live_match(header.id)).match
        assert (match.over, match.winner) == (True, None)
        assert await listed(matches, ANNA) == ([], [])


async def test_a_rated_match_against_an_account_of_a_bot_is_lost_and_stays_in_the_list(tmp_path: Path) -> None:
    async with matches_at(tmp_path) as matches:
        await mark_as_bot(matches, BEN)
        header = await make(matches, guest_seats(), rated=True)
        assert await counts(matches, header.id, ANNA)
        await discard(matches, header.id, ANNA)
        assert (await matches.live_match(header.id)).match.winner == 1
        assert await listed(matches, ANNA) == ([], [header.id])


async def mark_as_bot(matches: Matches, guest: Guest) -> None:
    await matches.store.write(
        lambda connection: connection.execute(update(GUEST).where(GUEST.c.id == guest.id).values(bot=True))
    )


async def test_a_match_against_a_person_or_of_somebody_else_or_that_is_over_is_not_given_up_here(
    tmp_path: Path,
) -> None:
    async with matches_at(tmp_path) as matches:
        people = await make(matches, guest_seats())
        with pytest.raises(DiscardRefused):
            await discard(matches, people.id, ANNA)
        header = await make(matches, (seat_for(ANNA), BOT))
        with pytest.raises(DiscardRefused):
            await discard(matches, header.id, BEN)
        await discard(matches, header.id, ANNA)
        with pytest.raises(DiscardRefused):
            await discard(matches, header.id, ANNA)


async def test_matches_of_guests_that_nobody_touches_for_a_month_leave_the_lists(tmp_path: Path) -> None:
    clock = Clock()
    async with matches_at(tmp_path, clock) as matches:
        old, bot = await make(matches, guest_seats()), await make(matches, (seat_for(BEN), BOT))
        clock.now += DAY
        touched = DrivenMatch(matches, await make(matches, guest_seats()), clock)
        clock.now += (FORGOTTEN_DAYS - 1) * DAY
        await discard_forgotten(matches)
        assert set((await listed(matches, BEN))[0]) == {old.id, bot.id, touched.id}
        clock.now += 1
        await discard_forgotten(matches)
        assert await listed(matches, BEN) == ([touched.id], [])
        await touched.play_first()
        older_program = update(MATCH).values(acted_at=0)
        await matches.store.write(lambda connection: connection.execute(older_program))
        clock.now += FORGOTTEN_DAYS * DAY - 1
        await discard_forgotten(matches)
        assert await listed(matches, BEN) == ([touched.id], [])


async def test_a_match_of_an_account_is_kept_however_long_it_rests(tmp_path: Path) -> None:
    clock = Clock()
    async with matches_at(tmp_path, clock) as matches:
        await give_account(matches, ANNA)
        header = await make(matches, guest_seats())
        clock.now += 400 * DAY
        await discard_forgotten(matches)
        assert await listed(matches, ANNA) == ([header.id], [])


async def give_account(matches: Matches, guest: Guest) -> None:
    await matches.store.write(account_storage.put_account, Account(guest.id, guest.name, "hash"), ())
