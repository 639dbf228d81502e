"""Ladders on a server: challenges are played, lapse, and count in the table of the season."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, update

from barpoint.game import Abort, Accept, Resign
from barpoint.server.domain.clubs import Admission
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import LadderOutcome, LadderPlan, LadderRefused
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.clubs import ClubPlan, NotClubDirector
from barpoint.server.live.match_transactions import void_match
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage.news import NewsItem, NewsKind, news_of
from barpoint.server.storage.notifications import claim, ladder_calls_waiting
from barpoint.server.storage.personal_data import forget_account
from barpoint.server.storage.schema.accounts import ACCOUNT
from tests.support.tournaments import Club, club

PLAN = LadderPlan("Ladder", "backgammon", 1, False, "Correspondence 3", False, 2, 7 * DAY)

pytestmark = pytest.mark.usefixtures("each_database")


async def laddered(server: Club, players: int) -> tuple[str, str, list[Guest]]:
    """A club and its ladder, on which everybody stands in order."""
    people, clubs = await server.enroll(players), server.services.clubs
    club_id = await clubs.found(people[0], ClubPlan("Climbers", "", Admission.OPEN), "2026")
    ladder_id = await server.services.ladders.open(club_id, people[0], PLAN)
    for person in people:
        await clubs.join(club_id, person)
        await server.services.ladders.join(ladder_id, person)
    return club_id, ladder_id, people


async def win(server: Club, match_id: str, seat: int) -> None:
    """Both come, and the other one resigns."""
    for one in (0, 1):
        await server.services.adjournments.commit_to_seed(match_id, one, None)
    for event in (Resign(1 - seat, 1), Accept(seat)):
        live = await server.services.matches.live_match(match_id)
        await server.services.matches.act(match_id, event.player, f"c{live.seq}", live.seq, event)
    await server.services.ladders.look()


async def test_the_winner_of_a_challenge_takes_the_place(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        club_id, ladder_id, (ann, ben, cem) = await laddered(server, 3)
        ladders = server.services.ladders
        with pytest.raises(LadderRefused, match="at most 2 places above"):
            await ladders.challenge(ladder_id, ann, ben.id)
        match_id = await ladders.challenge(ladder_id, cem, ann.id)
        with pytest.raises(LadderRefused):
            await ladders.challenge(ladder_id, ben, ann.id)
        with pytest.raises(LadderRefused, match="open challenge"):
            await ladders.leave(ladder_id, cem)
        await win(server, match_id, 0)
        await ladders.look()
        known = await ladders.known(ladder_id)
        assert [one.id for one in known.people] == [cem.id, ann.id, ben.id]
        assert [one.outcome for one in known.challenges] == [LadderOutcome.TAKEN]
        await win(server, await ladders.challenge(ladder_id, ann, cem.id), 1)
        known = await ladders.known(ladder_id)
        assert [one.id for one in known.people] == [cem.id, ann.id, ben.id]
        record = await server.services.clubs.known(club_id)
        counts = await server.services.store.read(club_storage.season_counts, club_id, record.seasons[0])
        assert {one.person.id: (one.won, one.lost) for one in counts} == {cem.id: (2, 0), ann.id: (0, 2)}
        await ladders.leave(ladder_id, cem)
        assert [one.id for one in (await ladders.known(ladder_id)).people] == [ann.id, ben.id]


async def test_a_result_from_a_real_board_is_entered_by_who_has_lost_or_who_runs_the_club(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        club_id, ladder_id, (ann, ben, cem, dora) = await laddered(server, 4)
        ladders, matches = server.services.ladders, server.services.matches
        match_id = await ladders.challenge(ladder_id, cem, ben.id)
        for by, winner in ((cem, cem), (ben, ben), (dora, cem), (dora, dora)):
            with pytest.raises(LadderRefused):
                await ladders.enter_result(ladder_id, by, match_id, winner.id)
        await ladders.enter_result(ladder_id, ben, match_id, cem.id)
        known = await ladders.known(ladder_id)
        assert [one.id for one in known.people] == [ann.id, cem.id, ben.id, dora.id]
        assert known.challenges[0].outcome is LadderOutcome.TAKEN
        assert (await matches.live_match(match_id)).match.over, "nobody waits for it here any more"
        with pytest.raises(LadderRefused, match="has not begun here"):
            await ladders.enter_result(ladder_id, ann, match_id, ben.id)
        match_id = await ladders.challenge(ladder_id, dora, ben.id)
        await ladders.enter_result(ladder_id, ann, match_id, ben.id)
        known = await ladders.known(ladder_id)
        assert known.challenges[0].outcome is LadderOutcome.KEPT, "who runs the club enters either result"
        record = await server.services.clubs.known(club_id)
        counts = await server.services.store.read(club_storage.season_counts, club_id, record.seasons[0])
        assert {one.person.id: (one.won, one.lost) for one in counts} == {
            cem.id: (1, 0), ben.id: (1, 1), dora.id: (0, 1),
        }  # fmt: skip
        await ladders.look()
        assert [one.outcome for one in (await ladders.known(ladder_id)).challenges] == [
            LadderOutcome.KEPT,
            LadderOutcome.TAKEN,
        ]


async def test_a_match_that_has_begun_here_takes_no_result_from_a_real_board(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben) = await laddered(server, 2)
        ladders = server.services.ladders
        match_id = await ladders.challenge(ladder_id, ben, ann.id)
        for one in (0, 1):
            await server.services.adjournments.commit_to_seed(match_id, one, None)
        assert (await ladders.known(ladder_id)).challenges[0].begun
        with pytest.raises(LadderRefused, match="has not begun here"):
            await ladders.enter_result(ladder_id, ann, match_id, ben.id)


async def test_all_open_challenges_count_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder_storage, "SHOWN", 1)
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben, cem, dora) = await laddered(server, 4)
        ladders = server.services.ladders
        await ladders.challenge(ladder_id, ben, ann.id)
        await ladders.challenge(ladder_id, dora, cem.id)
        with pytest.raises(LadderRefused, match="open challenge"):
            await ladders.leave(ladder_id, ann)
        with pytest.raises(LadderRefused, match="open challenge"):
            await ladders.leave(ladder_id, dora)


async def test_who_leaves_the_board_before_the_first_roll_loses_the_challenge(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben) = await laddered(server, 2)
        ladders, matches = server.services.ladders, server.services.matches
        match_id = await ladders.challenge(ladder_id, ben, ann.id)
        live_match = await matches.live_match(match_id)
        assert [may.reason for may in live_match.view(1).allowed] == ["loses"]
        await matches.act(match_id, 1, "c", 0, Abort())
        result = live_match.view(1).result
        assert result is not None
        assert result.how == "You left; the match counts as lost"
        await ladders.look()
        known = await ladders.known(ladder_id)
        assert [one.id for one in known.people] == [ben.id, ann.id]
        again = await ladders.challenge(ladder_id, ann, ben.id)
        await server.services.store.write(void_match, again, server.clock())
        await ladders.look()
        assert (await ladders.known(ladder_id)).challenges[0].outcome is LadderOutcome.LAPSED


async def test_a_challenge_is_given_back_the_time_in_which_the_server_did_not_run(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben, _) = await laddered(server, 3)
        ladders, store, clock = server.services.ladders, server.services.store, server.clock
        await ladders.challenge(ladder_id, ben, ann.id)
        clock.now += 6 * DAY
        await store.write(deadline_storage.beat, clock.now)
        clock.now += 3 * DAY
        assert await store.write(deadline_storage.add_downtime, clock.now, 0) == 3 * DAY
        await ladders.look()
        assert (await ladders.known(ladder_id)).challenges[0].outcome is None
        clock.now += DAY
        await ladders.look()
        assert (await ladders.known(ladder_id)).challenges[0].outcome is LadderOutcome.LAPSED


async def test_a_challenge_that_is_not_played_lapses_or_goes_to_who_came(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben, cem) = await laddered(server, 3)
        ladders = server.services.ladders
        await ladders.challenge(ladder_id, ben, ann.id)
        server.clock.now += 7 * DAY
        await ladders.look()
        assert (await ladders.known(ladder_id)).challenges[0].outcome is LadderOutcome.LAPSED
        match_id = await ladders.challenge(ladder_id, cem, ben.id)
        await server.services.adjournments.commit_to_seed(match_id, 0, None)
        server.clock.now += 7 * DAY
        await ladders.look()
        known = await ladders.known(ladder_id)
        assert [one.id for one in known.people] == [ann.id, cem.id, ben.id]
        assert (await server.services.matches.live_match(match_id)).match.over
        with pytest.raises(NotClubDirector):
            await ladders.close(ladder_id, ben)
        await ladders.close(ladder_id, ann)
        with pytest.raises(LadderRefused, match="nobody any more"):
            await ladders.join(ladder_id, ben)
        with pytest.raises(LadderRefused, match="places above"):
            await ladders.challenge(ladder_id, ben, cem.id)


async def test_who_is_challenged_is_told_until_they_come_to_the_board(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben) = await laddered(server, 2)
        read = server.services.store.read
        match_id = await server.services.ladders.challenge(ladder_id, ben, ann.id)
        assert await read(news_of, ann.id, server.clock.now) == [
            NewsItem(NewsKind.LADDER, f"/match/{match_id}", (ben.name,))
        ]
        assert await read(news_of, ben.id, server.clock.now) == []
        await server.services.store.write(account_storage.set_notices, ann.id, True)
        await server.services.store.write(account_storage.set_email, ann.id, "ann@example.org")
        assert await read(ladder_calls_waiting, server.clock.now) == [], "the address is not confirmed"
        await server.services.store.write(_confirmed, ann.id)
        waiting = await read(ladder_calls_waiting, server.clock.now)
        assert [(one.match_id, one.guest_id, one.challenger) for one in waiting] == [(match_id, ann.id, ben.name)]
        assert await server.services.store.write(claim, waiting[0])
        assert await read(ladder_calls_waiting, server.clock.now) == [], "once"
        await server.services.adjournments.commit_to_seed(match_id, 1, None)
        assert await read(news_of, ann.id, server.clock.now) == []


def _confirmed(connection: Connection, account_id: str) -> None:
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(email_confirmed=True))


async def test_a_challenger_who_deletes_their_account_and_wins_holds_up_no_ladder(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        _, ladder_id, (ann, ben, cem) = await laddered(server, 3)
        match_id = await server.services.ladders.challenge(ladder_id, cem, ann.id)
        await server.services.store.write(forget_account, cem.id, server.clock.now)
        await win(server, match_id, 0)
        known = await server.services.ladders.known(ladder_id)
        assert [one.id for one in known.people] == [ann.id, ben.id]
        assert known.waiting == ()


async def test_who_is_no_member_any_more_stands_on_no_ladder_of_the_club(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        club_id, ladder_id, (ann, ben, cem) = await laddered(server, 3)
        clubs, ladders = server.services.clubs, server.services.ladders
        other_id = await clubs.found(ben, ClubPlan("Others", "", Admission.OPEN), "2026")
        elsewhere = await ladders.open(other_id, ben, PLAN)
        await ladders.join(elsewhere, ben)
        await clubs.set_role(club_id, ann, ben.id, None)
        await clubs.leave(club_id, cem)
        assert [one.id for one in (await ladders.known(ladder_id)).people] == [ann.id]
        assert [one.id for one in (await ladders.known(elsewhere)).people] == [ben.id]
        with pytest.raises(LadderRefused):
            await ladders.challenge(ladder_id, ben, ann.id)
