"""On vacation the clocks of correspondence matches stand still, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from barpoint.game import PlayMade, Roll
from barpoint.match import MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE
from barpoint.server.domain.vacations import VacationRefused
from barpoint.server.live.matches import seat_for
from barpoint.variants import variant
from tests.support.at_once import at_once
from tests.support.tournaments import Club, club

pytestmark = pytest.mark.usefixtures("each_database")


async def begun(server: Club, time_control: str = "Correspondence 2") -> tuple[str, Guest, Guest]:
    """A match, who is to play in it, and the other player."""
    people = await server.enroll(2)
    agreement = Agreement(variant("backgammon"), MatchTerms(length=3), time_control)
    header = await server.services.matches.make(agreement, (seat_for(people[0]), seat_for(people[1])))
    live = await server.services.matches.live_match(header.id)
    actor = live.match.game.actor
    assert actor is not None
    return header.id, people[actor], people[1 - actor]


async def left_ms(server: Club, match_id: str) -> int:
    """What is left until the deadline."""
    await server.services.matches.log.fresh(match_id)
    deadline_at = (await server.services.matches.live_match(match_id)).deadline_at
    assert deadline_at is not None
    return deadline_at - server.clock.now


async def days_pass(server: Club, hours: float) -> None:
    """Time passes, and the server looks at vacations and deadlines as it goes."""
    for _ in range(round(hours * 2)):
        server.clock.now += 30 * MINUTE
        await server.services.vacations.look()
        await server.services.deadlines.expire()


async def is_over(server: Club, match_id: str) -> bool:
    await server.services.matches.log.fresh(match_id)
    return (await server.services.matches.live_match(match_id)).match.over


async def test_a_clock_stands_still_from_the_first_to_the_last_day_and_then_goes_on(tmp_path: Path) -> None:
    async with club(tmp_path, scheduler_ms=MINUTE) as server:
        match_id, mover, _ = await begun(server)
        await server.services.vacations.announce(mover, server.clock.now + DAY, 2)
        await days_pass(server, 24)
        assert abs(await left_ms(server, match_id) - DAY) <= HOUR
        await days_pass(server, 2 * 24)
        assert abs(await left_ms(server, match_id) - DAY) <= HOUR
        await days_pass(server, 23)
        assert not await is_over(server, match_id)
        await days_pass(server, 2)
        assert await is_over(server, match_id)


async def test_a_turn_that_comes_during_a_vacation_waits_and_the_others_clock_runs(tmp_path: Path) -> None:
    async with club(tmp_path, scheduler_ms=MINUTE) as server:
        match_id, mover, other = await begun(server)
        await server.services.vacations.announce(other, server.clock.now + DAY, 3)
        await days_pass(server, 30)
        assert abs(await left_ms(server, match_id) - 18 * HOUR) <= MINUTE, "it is not their turn"
        live = await server.services.matches.live_match(match_id)
        game = live.match.game
        seat = live.header.seat_of(mover.id)
        assert seat is not None
        play = legal_plays(game.rules, game.position, game.faces)[0]
        await server.services.matches.act(match_id, seat, "c1", live.seq, PlayMade(seat, play.moves))
        await days_pass(server, 24)
        assert abs(await left_ms(server, match_id) - 2 * DAY) <= HOUR
        live = await server.services.matches.live_match(match_id)
        await server.services.matches.act(match_id, 1 - seat, "c2", live.seq, Roll(1 - seat))
        assert abs(await left_ms(server, match_id) - 2 * DAY) <= HOUR, "a roll gives nothing back a second time"
        await days_pass(server, 2)
        assert abs(await left_ms(server, match_id) - 2 * DAY) <= HOUR + MINUTE


async def test_who_comes_back_early_has_their_clock_running_again(tmp_path: Path) -> None:
    async with club(tmp_path, scheduler_ms=MINUTE) as server:
        match_id, mover, _ = await begun(server)
        vacations = server.services.vacations
        await vacations.announce(mover, server.clock.now + DAY, 9)
        await days_pass(server, 36)
        await vacations.end(mover, 1)
        before = await left_ms(server, match_id)
        await days_pass(server, 10)
        assert before - await left_ms(server, match_id) == 10 * HOUR
        with pytest.raises(VacationRefused, match="is over"):
            await vacations.end(mover, 1)


async def test_a_clock_that_runs_out_before_the_vacation_begins_is_not_saved(tmp_path: Path) -> None:
    async with club(tmp_path, scheduler_ms=MINUTE) as server:
        match_id, mover, _ = await begun(server)
        server.clock.now += DAY
        with pytest.raises(VacationRefused, match="a day after"):
            await server.services.vacations.announce(mover, server.clock.now, 9)
        await server.services.vacations.announce(mover, server.clock.now + DAY + MINUTE, 9)
        await days_pass(server, 25)
        assert await is_over(server, match_id)


async def test_clocks_of_other_matches_go_on(tmp_path: Path) -> None:
    async with club(tmp_path, scheduler_ms=MINUTE) as server:
        people = await server.enroll(2)
        for person in people:
            await server.services.vacations.announce(person, server.clock.now + DAY, 9)
        await days_pass(server, 25)
        agreement = Agreement(variant("backgammon"), MatchTerms(length=3), "Normal")
        header = await server.services.matches.make(agreement, (seat_for(people[0]), seat_for(people[1])))
        server.clock.now += MINUTE
        before = await left_ms(server, header.id)
        await server.services.vacations.look()
        assert await left_ms(server, header.id) == before


async def test_two_processes_that_look_at_the_same_instant_give_time_back_once(tmp_path: Path) -> None:
    async with club(tmp_path) as server, club(tmp_path, server.clock) as second:
        match_id, mover, _ = await begun(server)
        await server.services.vacations.announce(mover, server.clock.now + DAY, 2)
        server.clock.now += DAY
        await at_once(server.services.store, server.services.vacations.look, second.services.vacations.look)
        assert await left_ms(server, match_id) == DAY + HOUR
