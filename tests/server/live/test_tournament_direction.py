"""What a director changes while a tournament runs, with the matches that have been made for it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from barpoint.error import FormatError
from barpoint.game import Abort
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.domain.tournament_actions import TournamentAction
from barpoint.server.domain.tournament_events import (
    Decided,
    Form,
    How,
    Joined,
    Plan,
    Reported,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_latecomers import first_byes
from barpoint.server.domain.tournament_matches import games
from barpoint.server.domain.tournaments import Tournament
from barpoint.server.live.tournament_actions import act
from barpoint.server.live.tournament_direction import NotDirector, corrections, latecomer, open_byes
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.tournaments import TournamentRecord
from tests.server.domain.test_tournaments import begun, open_games, settled
from tests.server.live.test_real_results import ratings
from tests.server.live.test_tournament_entries import EVENING, announced
from tests.support.tournaments import club, one_match_for_each_game

PUB = Plan("Pub", form=Form.ROBIN, lengths=(3,), max_players=4, boards=True, boards_only=True)


@pytest.mark.usefixtures("each_database")
async def test_nobody_forfeits_where_all_matches_are_played_at_real_boards(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, club_id, anna = await announced(here, replace(PUB, rated=True, max_players=3))
        ben, cleo = await here.enroll(2)
        director = here.services.tournaments
        for person in (anna, ben, cleo):
            await director.join(tournament_id, person)
        assert (await here.known(tournament_id)).bouts == (), "the server makes no matches"
        here.clock.now += 100 * PUB.patience_ms
        await director.look()
        known = await here.known(tournament_id)
        assert (known.now.stage, known.now.results) == (TournamentStage.RUNNING, {})
        people = {person.id: person for person in (anna, ben, cleo)}
        game = next(one for one in games(known.now) if one.playable)
        winner, loser = (people[str(player)] for player in game.players)
        with pytest.raises(TournamentError, match="played at real boards"):
            await director.play_here(tournament_id, winner, game.number)
        for person in (winner, loser):
            await director.report(tournament_id, person, game.number, winner.id)
        known = await here.known(tournament_id)
        assert known.now.results[game.number].how is How.BOARD
        won, lost = await ratings(here, winner, loser)
        assert lost < 1500 < won
        while (known := await here.known(tournament_id)).now.stage is TournamentStage.RUNNING:
            game = next(one for one in games(known.now) if one.playable)
            await director.decide(tournament_id, anna, game.number, game.players[0])
        assert await here.open_bouts(tournament_id) == []
        season = (await here.services.clubs.known(club_id)).seasons[0]
        counts = await here.services.store.read(club_storage.season_counts, club_id, season)
        assert [count.missed for count in counts] == [0, 0, 0]
        await here.check()


async def test_scores_are_those_of_a_match_to_its_length_and_older_logs_with_others_still_open(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, replace(PUB, max_players=2))
        (ben,) = await here.enroll(1)
        director = here.services.tournaments
        for person in (anna, ben):
            await director.join(tournament_id, person)
        said = "in a match to 3; allowed: at most 194 for the winner, less than 3 for the loser"
        for score in ((4, 3), (195, 0)):
            with pytest.raises(TournamentError, match=said):
                await director.report(tournament_id, anna, 0, anna.id, score=score)
            with pytest.raises(TournamentError, match=said):
                await director.decide(tournament_id, anna, 0, anna.id, score=score)
        await director.decide(tournament_id, anna, 0, anna.id, score=(8, 2))
        with pytest.raises(TournamentError, match=said):
            await director.decide(tournament_id, anna, 0, anna.id, score=(5, 3), corrects=True)
        await director.decide(tournament_id, anna, 0, anna.id, score=(2, 1), corrects=True)
        now = (await here.known(tournament_id)).now
        earlier = now.apply(Decided(0, anna.id, How.DIRECTOR, corrects=True, score=(7, 5)))
        assert earlier.results[0].score == (7, 5), "what an older version has stored"


async def test_a_director_has_a_match_played_at_a_real_board_so_that_nobody_forfeits_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(Plan("Pub", form=Form.SWISS, rounds=1, max_players=4, boards=True), 4)
        anna, *others = here.members
        director = here.services.tournaments
        said = TournamentAction(game=1)
        with pytest.raises(NotDirector):
            await act(director, tournament_id, others[0], "at-board", said)
        await act(director, tournament_id, anna, "at-board", said)
        with pytest.raises(TournamentError, match="at a real board already"):
            await act(director, tournament_id, anna, "at-board", said)
        with pytest.raises(TournamentError, match="not open"):
            await act(director, tournament_id, anna, "at-board", TournamentAction(game=7))
        here.clock.now += Plan("").patience_ms + 1
        await director.look()
        assert set((await here.known(tournament_id)).now.results) == {0}
        begun = await here.announce(Plan("Pub", lengths=(1,), max_players=2, boards=True), 2)
        await here.arrive((await here.known(begun)).bouts[0])
        with pytest.raises(TournamentError, match="has begun here"):
            await director.to_real_board(begun, here.members[-2], 0)
        plain = await here.announce(Plan("Club", lengths=(1,), max_players=2), 2)
        with pytest.raises(TournamentError, match="not played at real boards"):
            await director.to_real_board(plain, here.members[-2], 0)


async def test_a_latecomer_takes_a_bye_until_the_next_match_of_who_has_it_has_begun(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, replace(EVENING, max_players=8))
        people = await here.enroll(5)
        director = here.services.tournaments
        for person in people:
            await director.join(tournament_id, person)
        await director.begin(tournament_id, anna)
        known = await here.known(tournament_id)
        byes = open_byes(known)
        assert len(byes) == 3
        (late,) = await here.enroll(1)
        number, has_bye = byes[-1]
        await act(director, tournament_id, anna, "enter", TournamentAction(name=late.name, game=number))
        known = await here.known(tournament_id)
        assert one_match_for_each_game(known)
        assert {late.id, has_bye} in [set(bout.seats) for bout in await here.open_bouts(tournament_id)]
        await director.enter_walk_in(tournament_id, anna, "Zoe", bye=byes[0][0])
        assert len(open_byes(await here.known(tournament_id))) == 1
        for bout in await here.open_bouts(tournament_id):
            await here.resign(bout, 0)
        await director.look()
        (last,) = [game for game, _player in open_byes(await here.known(tournament_id))]
        (second,) = await here.open_bouts(tournament_id)
        await here.arrive(second)
        known = await here.known(tournament_id)
        assert set(games(known.now)[last].players) & set(second.seats), (
            "who has the bye is at the board of the next match"
        )
        with pytest.raises(TournamentError, match="allowed: byes whose next match has not begun"):
            latecomer(known, Joined("late", game=last))
        assert open_byes(known) == []
        await here.check()


async def test_who_enters_a_running_arena_is_paired_at_once_with_whoever_is_free(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        arena = Plan("Arena", form=Form.ARENA, lengths=(1,), max_players=8, duration_ms=60 * MINUTE, patience_ms=MINUTE)
        tournament_id = await here.announce(arena, 2)
        await here.services.tournaments.begin(tournament_id, here.members[0])
        for person in await here.enroll(2):
            await here.services.tournaments.join(tournament_id, person)
        assert {"m2", "m3"} in [set(bout.seats) for bout in await here.open_bouts(tournament_id)]
        await here.check()


async def test_late_entries_are_changed_within_what_a_plan_may_have(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(Plan("Swiss", form=Form.SWISS, rounds=3, max_players=6), 4)
        anna, ben, *_ = here.members
        director = here.services.tournaments
        await director.begin(tournament_id, anna)
        (late,) = await here.enroll(1)
        with pytest.raises(NotDirector):
            await director.change_late(tournament_id, ben, 1)
        with pytest.raises(FormatError, match="late: '9'; allowed: 0 to 3"):
            await director.change_late(tournament_id, anna, 9)
        await act(director, tournament_id, anna, "late", TournamentAction(rounds=2))
        await director.join(tournament_id, late)
        assert (await here.known(tournament_id)).now.order[-1] == late.id
        await here.check()


async def test_a_swiss_tournament_has_more_rounds_when_latecomers_take_more(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(
            Plan("Swiss", form=Form.SWISS, lengths=(1,), rounds=5, max_players=8, late=1), 4
        )
        director = here.services.tournaments
        await director.begin(tournament_id, here.members[0])
        assert (await here.known(tournament_id)).now.rounds == 3
        for person in await here.enroll(2):
            await director.join(tournament_id, person)
        assert (await here.known(tournament_id)).now.rounds == 5
        known = await here.finish(tournament_id, Random(3))
        assert len(known.now.pairings) == 5
        await here.check()


async def test_a_walk_in_is_renamed_to_a_name_that_nobody_has(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, EVENING)
        director = here.services.tournaments
        await director.enter_walk_in(tournament_id, anna, "Zo")
        await director.enter_walk_in(tournament_id, anna, "Yann")

        async def refused(name: str, why: str, player: str = "walk-in:1") -> None:
            with pytest.raises(TournamentError, match=why):
                await director.rename(tournament_id, anna, player, name)

        await refused("yann", "has entered already; allowed: to add a surname")
        await refused(anna.name, "the name of an account")
        await refused(" ", "no name")
        await refused("Zoe", "only players without an account", anna.id)
        await act(director, tournament_id, anna, "rename", TournamentAction(player="walk-in:1", name="Zo"))
        await act(director, tournament_id, anna, "rename", TournamentAction(player="walk-in:1", name="Zoe"))
        assert (await here.known(tournament_id)).now.given_names == {"walk-in:1": "Zoe", "walk-in:2": "Yann"}
        await here.check()


async def test_corrections_are_offered_until_the_match_that_depends_on_them_has_begun(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(Plan("Cup", lengths=(1,), max_players=4), 4)
        director = here.services.tournaments
        for bout in await here.open_bouts(tournament_id):
            await here.resign(bout, 0)
        await director.look()
        known = await here.known(tournament_id)
        first = games(known.now)[0]
        assert offered(known)[0] == (*first.players, None)
        (final,) = await here.open_bouts(tournament_id)
        await here.arrive(final)
        assert offered(await here.known(tournament_id))[0] == (first.winner,), "another score stays possible"
        await here.resign(final, 1)
        await director.look()
        known = await here.known(tournament_id)
        last = games(known.now)[2]
        assert offered(known)[:3:2] == [(first.winner,), (*last.players, None)], "the final also when it is over"


def offered(known: TournamentRecord) -> list[tuple[str | None, ...]]:
    """Whom a correction may name as the winner of the decided matches, by their numbers."""
    return [winners for _game, winners in corrections(known)]


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([Form.KNOCKOUT, Form.DOUBLE, Form.GROUPS, Form.SWISS]), st.integers(3, 11), st.integers())
def test_what_is_offered_for_a_correction_or_a_latecomer_is_what_is_allowed(
    form: Form, players: int, seed: int
) -> None:
    random = Random(seed)
    now, happened = begun(form, players, advance=1, boards=True)
    for _ in range(random.randrange(2 * players)):
        if now.stage is not TournamentStage.RUNNING:
            break
        game = random.choice(open_games(now))
        if random.random() < 0.2:
            event: object = Reported(game.number, str(game.players[0]), "")
        else:
            event = Decided(game.number, random.choice([*game.players, None]))
        happened.append(event)
        now = settled(now.apply(event), happened)  # type: ignore[arg-type]
    known = TournamentRecord("t", Guest("a", "Anna"), 0, now, (), {}, None)
    for game, winners in corrections(known):
        assert set(winners) == {winner for winner in (*game.players, None) if allows(now, game.number, winner)}
    byes = dict(open_byes(known))
    for game in first_byes(now):
        try:
            now.apply(Joined("late", game=game.number))
        except TournamentError:
            assert game.number not in byes
        else:
            assert game.number in byes


def allows(now: Tournament, number: int, winner: str | None) -> bool:
    try:
        now.apply(Decided(number, winner, How.DIRECTOR, corrects=True, score=None if winner is None else (7, 0)))
    except TournamentError:
        return False
    return True


async def test_a_result_of_a_league_past_its_time_is_taken_back_with_time_to_play(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        weeks = 14 * DAY
        plan = Plan("League", form=Form.LEAGUE, lengths=(1,), max_players=2, patience_ms=weeks)
        league = await here.announce(plan, 2)
        anna, director = here.members[0], here.services.tournaments
        here.clock.now += weeks
        await director.look()
        assert (await here.known(league)).now.results[0].how is How.ABSENT
        here.clock.now += DAY
        await director.take_back(league, anna, 0)
        await director.look()
        (anew,) = await here.open_bouts(league)
        assert (anew.attempt, anew.due_at) == (1, here.clock.now + weeks), "nobody has lost it at once"
        await here.services.matches.act(anew.match_id, 0, "c0", 0, Abort())
        await director.look()
        (again,) = await here.open_bouts(league)
        assert (again.attempt, again.due_at) == (2, anew.due_at), "it keeps the time of the match that it replaces"
        await here.resign(again, 0)
        await director.look()
        assert (await here.known(league)).now.results[0].how is How.PLAYED
        await here.check()


async def test_a_result_of_a_league_taken_back_early_leaves_no_less_time(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        league = await here.announce(
            Plan("League", form=Form.LEAGUE, max_players=2, patience_ms=14 * DAY, round_ms=28 * DAY), 2
        )
        anna, director = here.members[0], here.services.tournaments
        await director.extend(league, anna, 9 * DAY // MINUTE)
        (bout,) = await here.open_bouts(league)
        assert bout.due_at > here.clock.now + 14 * DAY
        await director.decide(league, anna, 0, None)
        await director.take_back(league, anna, 0)
        (anew,) = await here.open_bouts(league)
        assert anew.due_at == bout.due_at
        await here.check()


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize("boards_only", [False, True])
async def test_a_result_of_a_real_board_taken_back_and_reported_again_is_rated_once(
    tmp_path: Path, boards_only: bool
) -> None:
    async with club(tmp_path) as here:
        plan = Plan(
            "Pub", form=Form.ROBIN, lengths=(3,), max_players=2, boards=True, boards_only=boards_only, rated=True
        )
        tournament_id = await here.announce(plan, 2)
        anna, ben = here.members
        director = here.services.tournaments

        async def report(winner: Guest) -> list[float]:
            for player in (anna, ben):
                await director.report(tournament_id, player, 0, winner.id)
            assert (await here.known(tournament_id)).now.results[0].winner == winner.id
            return await ratings(here, anna, ben)

        counted = await report(anna)
        assert counted[0] > 1500 > counted[1]
        for winner in (anna, ben):
            await director.take_back(tournament_id, anna, 0)
            assert await report(winner) == counted
        await here.check()
        await director.decide(tournament_id, anna, 0, anna.id, corrects=True)
        await here.check()  # what was counted stands in the log, also once it is corrected


async def test_who_meets_after_a_round_was_taken_back_and_paired_again_is_rated(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, replace(PUB, form=Form.SWISS, rounds=2, rated=True))
        people = [anna, *await here.enroll(3)]
        director = here.services.tournaments
        for person in people:
            await director.join(tournament_id, person)

        async def report(number: int) -> None:
            game = games((await here.known(tournament_id)).now)[number]
            for player in people:
                if player.id in game.players:
                    await director.report(tournament_id, player, number, str(game.players[0]))

        async def rated() -> int:
            counts = [await here.services.store.read(result_storage.standing, one.id, "backgammon") for one in people]
            return sum(one.matches for one in counts)

        for number in range(4):
            await report(number)
        assert await rated() == 8
        before = games((await here.known(tournament_id)).now)[2:]
        for number in (2, 3):
            await director.take_back(tournament_id, anna, number)
        first = games((await here.known(tournament_id)).now)[0]
        await director.decide(tournament_id, anna, 0, first.players[1], corrects=True)
        await director.pair_again(tournament_id, anna)
        after = games((await here.known(tournament_id)).now)[2:]
        assert {frozenset(one.players) for one in before}.isdisjoint(frozenset(one.players) for one in after)
        for number in (2, 3):
            await report(number)
        assert await rated() == 12, "others play under the same numbers"
        await here.check()
