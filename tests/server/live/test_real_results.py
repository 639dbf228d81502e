"""Results of real boards count in both ratings once both players have confirmed them, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, update

from barpoint.game import Accept, Opening, Resign, Timeout
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import BOTH
from barpoint.server.domain.time_control import DAY, FAST, MINUTE
from barpoint.server.domain.tournament_events import Form, How, Plan, TournamentError, TournamentStage
from barpoint.server.live.matches import real_board_seats
from barpoint.server.live.real_results import RealResultRefused
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.news import NewsKind, news_of
from barpoint.server.storage.notifications import turns_waiting
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.variants import variant
from tests.support.at_once import at_once
from tests.support.tournaments import Club, club


async def played(server: Club, keeper: Guest, length: int = 1, *, over: bool = True) -> str:
    """A match of a real board that the dark player has won."""
    matches = server.services.matches
    seats = real_board_seats(keeper, ("X", "Y"))
    header = await matches.make(Agreement(variant("backgammon"), MatchTerms(length=length, manual=True)), seats)
    events = (Opening((3, 1)), Resign(0, 3), Accept(1)) if over else (Opening((3, 1)),)
    for seq, event in enumerate(events):
        await matches.enter(header.id, BOTH, f"c{seq}", seq, event)
    return header.id


async def ratings(server: Club, *people: Guest) -> list[float]:
    read = server.services.store.read
    return [(await read(result_storage.standing, one.id, "backgammon")).rating.value for one in people]


async def test_a_match_of_a_real_board_counts_when_both_have_confirmed(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        keeper, ann, ben = await server.enroll(3)
        results, read = server.services.real_results, server.services.store.read
        match_id = await played(server, keeper)
        await results.name_players(match_id, keeper, (ann.name, ben.name))
        assert [one.kind for one in await read(news_of, ann.id, server.clock.now)] == [NewsKind.RESULT]
        assert not await results.answer(match_id, ann, confirmed=True)
        assert await read(news_of, ann.id, server.clock.now) == []
        assert await ratings(server, ann, ben) == [1500, 1500]
        assert await results.answer(match_id, ben, confirmed=True)
        lost, won = await ratings(server, ann, ben)
        assert lost < 1500 < won
        with pytest.raises(RealResultRefused, match="has been counted"):
            await results.name_players(match_id, keeper, (ann.name, keeper.name))
        with pytest.raises(RealResultRefused, match="has been counted"):
            await results.answer(match_id, ben, confirmed=False)
        await server.check()


@pytest.mark.usefixtures("each_database")
async def test_two_who_confirm_at_the_same_instant_in_two_processes_make_it_count(tmp_path: Path) -> None:
    async with club(tmp_path) as server, club(tmp_path, server.clock) as second:
        keeper, ann, ben = await server.enroll(3)
        results, others = server.services.real_results, second.services.real_results
        match_id = await played(server, keeper)
        await results.name_players(match_id, keeper, (ann.name, ben.name))
        counts = await at_once(
            server.services.store,
            lambda: results.answer(match_id, ann, confirmed=True),
            lambda: others.answer(match_id, ben, confirmed=True),
        )
        assert counts == [False, True]
        lost, won = await ratings(server, ann, ben)
        assert lost < 1500 < won


async def test_nobody_is_told_that_it_is_their_turn_at_a_real_board_whose_record_they_keep(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        (keeper,) = await server.enroll(1)

        def wants_mail(connection: Connection) -> None:
            values = {"email": "keeper@example.org", "email_confirmed": True, "notices": True}
            connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == keeper.id).values(**values))

        await server.services.store.write(wants_mail)
        await played(server, keeper, over=False)
        assert await server.services.store.read(turns_waiting, 2**60, 2**60) == []


async def test_who_keeps_the_record_and_plays_has_confirmed_by_naming_themselves(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben = await server.enroll(2)
        match_id = await played(server, ann)
        await server.services.real_results.name_players(match_id, ann, (ann.name, ben.name))
        assert await server.services.real_results.answer(match_id, ben, confirmed=True)
        await server.check()


async def test_a_result_that_is_refused_counts_for_nobody(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben = await server.enroll(2)
        results, match_id = server.services.real_results, await played(server, ann)
        await results.name_players(match_id, ann, (ann.name, ben.name))
        assert not await results.answer(match_id, ben, confirmed=False)
        with pytest.raises(RealResultRefused, match="nobody has named you"):
            await results.answer(match_id, ben, confirmed=True)
        assert await ratings(server, ann, ben) == [1500, 1500]


async def test_only_a_finished_match_to_points_counts_and_only_who_kept_it_names_players(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben, cem = await server.enroll(3)
        results = server.services.real_results
        for match_id in (await played(server, ann, length=0), await played(server, ann, over=False)):
            with pytest.raises(RealResultRefused, match="played to its end"):
                await results.name_players(match_id, ann, (ann.name, ben.name))
        match_id = await played(server, ann)
        with pytest.raises(RealResultRefused, match="kept the record"):
            await results.name_players(match_id, cem, (ann.name, ben.name))
        with pytest.raises(RealResultRefused, match="both sides"):
            await results.name_players(match_id, ann, (ann.name, ann.name))
        with pytest.raises(RealResultRefused, match="nobody is called 'Nobody'"):
            await results.name_players(match_id, ann, (ann.name, "Nobody"))


async def test_a_match_of_a_tournament_is_played_at_a_real_board_when_both_report_the_same(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        plan = Plan("Pub", form=Form.KNOCKOUT, lengths=(3,), rated=True, max_players=2, boards=True)
        tournament_id = await server.announce(plan, 2)
        ann, ben = server.members
        tournaments = server.services.tournaments
        await tournaments.report(tournament_id, ann, 0, ann.id)
        await tournaments.report(tournament_id, ben, 0, ben.id)
        known = await server.known(tournament_id)
        assert known.now.stage is TournamentStage.RUNNING, "they do not agree"
        await tournaments.report(tournament_id, ben, 0, ann.id)
        known = await server.known(tournament_id)
        assert known.now.stage is TournamentStage.OVER
        assert known.now.results[0].how is How.BOARD
        won, lost = await ratings(server, ann, ben)
        assert lost < 1500 < won
        assert [bout.over for bout in known.bouts] == [True], "the match here is voided"
        await server.check()


async def test_nobody_loses_a_match_for_not_coming_here_while_it_is_played_at_a_real_board(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        plan = Plan("Pub", form=Form.SWISS, lengths=(3,), rounds=1, max_players=4, boards=True)
        tournament_id = await server.announce(plan, 4)
        tournaments = server.services.tournaments
        first, second = (await server.known(tournament_id)).bouts
        ann, ben = (next(one for one in server.members if one.id == seat) for seat in first.seats)
        await tournaments.report(tournament_id, ann, first.game, None)
        server.clock.now += plan.patience_ms + 1
        await tournaments.look()
        now = (await server.known(tournament_id)).now
        assert now.results[second.game].how is How.ABSENT
        assert first.game not in now.results
        await tournaments.report(tournament_id, ben, first.game, None)
        assert (await server.known(tournament_id)).now.stage is TournamentStage.RUNNING, "nobody has won yet"
        for player in (ann, ben):
            await tournaments.report(tournament_id, player, first.game, ben.id)
        now = (await server.known(tournament_id)).now
        assert (now.stage, now.results[first.game].winner) == (TournamentStage.OVER, ben.id)
        await server.check()


@pytest.mark.usefixtures("each_database")
async def test_a_match_that_is_played_at_a_real_board_does_not_begin_here_until_that_is_taken_back(
    tmp_path: Path,
) -> None:
    async with club(tmp_path) as server:
        plan = Plan("Pub", lengths=(3,), max_players=2, boards=True, round_ms=DAY)
        tournament_id = await server.announce(plan, 2)
        (bout,) = (await server.known(tournament_id)).bouts
        ann, _ben = server.members
        tournaments, matches = server.services.tournaments, server.services.matches
        await server.arrive(bout, 0)
        server.services.seat_presence.leave(bout.match_id, 0)  # who has looked in and gone to the real board
        await server.arrive(bout, 1)
        server.services.seat_presence.leave(bout.match_id, 1)
        await tournaments.report(tournament_id, ann, 0, None)
        server.clock.now = bout.due_at + MINUTE
        await tournaments.look()
        await matches.begin(bout.match_id)  # as whoever opens its page makes it do
        assert not (await matches.live_match(bout.match_id)).match.events, "no clock runs"
        await server.arrive(bout)
        assert not (await matches.live_match(bout.match_id)).match.events, "both only look"
        with pytest.raises(TournamentError, match="the director can extend it"):
            await tournaments.play_here(tournament_id, ann, 0)
        await tournaments.extend(tournament_id, ann, 30)
        (longer,) = (await server.known(tournament_id)).bouts
        assert longer.due_at == server.clock.now + 30 * MINUTE
        await tournaments.play_here(tournament_id, ann, 0)
        assert (await matches.live_match(bout.match_id)).match.events, "both are at its board"
        await server.check()


async def test_only_the_players_of_an_open_match_report_it_and_only_where_boards_are_allowed(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        boards = await server.announce(Plan("Pub", lengths=(3,), max_players=4, boards=True), 4)
        reports = server.services.tournaments.report
        known = await server.known(boards)
        there, other = known.bouts[0].seats[0], known.bouts[1].seats[0]
        outsider = next(one for one in server.members if one.id == other)
        with pytest.raises(TournamentError, match="only the two players"):
            await reports(boards, outsider, 0, str(there))
        await server.arrive(known.bouts[0])
        player = next(one for one in server.members if one.id == there)
        with pytest.raises(TournamentError, match="has begun here"):
            await reports(boards, player, 0, player.id)
        plain = await server.announce(Plan("Club", lengths=(3,), max_players=2), 2)
        with pytest.raises(TournamentError, match="not played at real boards"):
            await reports(plain, server.members[-1], 0, server.members[-1].id)


async def test_a_clock_at_a_real_board_runs_for_who_is_to_play_and_its_flag_ends_the_match(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        (keeper,) = await server.enroll(1)
        matches, terms = server.services.matches, MatchTerms(length=3, manual=True)
        agreement = Agreement(variant("backgammon"), terms, "Fast")
        header = await matches.make(agreement, real_board_seats(keeper, ("X", "Y")))
        await matches.enter(header.id, BOTH, "c0", 0, Opening((3, 1)))
        assert (await matches.live_match(header.id)).deadline_at == server.clock.now + FAST.delay_ms + FAST.reserve(3)
        server.clock.now += FAST.delay_ms + FAST.reserve(3) + MINUTE
        await server.services.deadlines.expire()
        over = (await matches.live_match(header.id)).match
        assert (over.winner, over.events[-1]) == (1, Timeout(0))
