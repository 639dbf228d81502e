"""Players whom the director of a tournament enters: with an account in those of clubs, and by name alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from barpoint.server.domain.clubs import Admission, ClubRole, EventKind
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.tournament_actions import TournamentAction
from barpoint.server.domain.tournament_events import Form, How, Plan, TournamentError, TournamentStage
from barpoint.server.domain.tournament_matches import games
from barpoint.server.live.clubs import ClubPlan
from barpoint.server.live.tournament_actions import act
from barpoint.server.live.tournament_direction import NotDirector
from barpoint.server.live.tournament_entries import WantedEntry, refusals
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.web.tournament_records import log_entries
from tests.support.tournaments import Club, club

EVENING = Plan("Evening", lengths=(1,), max_players=4, boards=True)


async def announced(here: Club, plan: Plan, *, private: bool = False) -> tuple[str, str, Guest]:
    """A tournament of a new club and the club, with who directs both."""
    (anna,) = await here.enroll(1)
    clubs = here.services.clubs
    club_id = await clubs.found(anna, ClubPlan("Club", "", Admission.OPEN), "2027")
    also = await clubs.event(club_id, anna, EventKind.TOURNAMENT, private)
    return await here.services.tournaments.announce(anna, plan, also), club_id, anna


@pytest.mark.usefixtures("each_database")
async def test_a_director_enters_the_owner_of_an_account_who_plays_and_withdraws_as_usual(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, EVENING)
        ben, cleo, dora = await here.enroll(3)
        director = here.services.tournaments
        await director.enter(tournament_id, anna, ben.name.upper())
        assert (await here.known(tournament_id)).now.entrants == (ben.id,), "in whatever case the name is written"
        await director.leave(tournament_id, ben)
        await director.enter(tournament_id, anna, cleo.name)
        await act(director, tournament_id, anna, "enter", TournamentAction(name=dora.name))
        log = await here.services.store.read(tournament_storage.log_of, tournament_id)
        told = [(entry.text, entry.by) for entry in log_entries(await here.known(tournament_id), log)]
        assert told == [
            (f"{dora.name} entered", anna.name),
            (f"{cleo.name} entered", anna.name),
            (f"{ben.name} left", ""),
            (f"{ben.name} entered", anna.name),
        ]
        await director.begin(tournament_id, anna)
        (bout,) = await here.open_bouts(tournament_id)
        assert set(bout.seats) == {cleo.id, dora.id}
        await here.check()


async def test_who_may_not_enter_is_not_entered_either(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, club_id, anna = await announced(here, replace(EVENING, max_players=2), private=True)
        ben, cleo, dora, emil = await here.enroll(4)
        director, store = here.services.tournaments, here.services.store

        async def refused(name: str, why: str, by: Guest = anna) -> None:
            with pytest.raises(TournamentError, match=why):
                await director.enter(tournament_id, by, name)

        with pytest.raises(NotDirector):
            await director.enter(tournament_id, ben, ben.name)
        await refused("Nobody", "no account is called 'Nobody'; allowed: the name of a registered player")
        await refused(ben.name, "is no member of Club; allowed in this tournament: its members")
        for person in (ben, cleo, dora, emil):
            await here.services.clubs.join(club_id, person)
        await store.write(lambda connection: account_storage.ban(connection, ben.id, 1, ""))
        await refused(ben.name, "banned; allowed: players whose account is open")
        await store.write(lambda connection: lobby_storage.put_block(connection, cleo.id, anna.id, 1))
        await refused(cleo.name, "you two do not play each other")
        await director.enter(tournament_id, anna, dora.name)
        await refused(dora.name, "has entered already")
        await here.services.clubs.set_role(club_id, anna, emil.id, ClubRole.DIRECTOR)
        await director.enter(tournament_id, emil, cleo.name)
        await refused(emil.name, "all 2 places are taken|has begun")
        await here.check()


@pytest.mark.parametrize(
    ("changed", "why"),
    [({"fee": 5}, "an entry fee of 5 tickets"), ({"boards": False}, "not played at real boards")],
)
async def test_nobody_is_entered_by_name_where_it_costs_tickets_or_is_played_here(
    tmp_path: Path, changed: Mapping[str, int], why: str
) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, replace(EVENING, **changed))
        with pytest.raises(TournamentError, match=why):
            await here.services.tournaments.enter_walk_in(tournament_id, anna, "Zoe")


async def test_outside_clubs_owners_of_accounts_enter_by_themselves_and_others_by_name(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(EVENING, 1)
        (ben,) = await here.enroll(1)
        with pytest.raises(TournamentError, match="no tournament of a club"):
            await here.services.tournaments.enter(tournament_id, here.members[0], ben.name)
        await here.services.tournaments.enter_walk_in(tournament_id, here.members[0], "Zoe")
        assert (await here.known(tournament_id)).now.entrants == (here.members[0].id, "walk-in:1")


async def test_names_of_walk_ins_are_told_apart_from_all_others(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, EVENING)
        enter = here.services.tournaments.enter_walk_in
        await enter(tournament_id, anna, "  Zoe \n Miller ")
        for name, why in (
            ("zoe  miller", "has entered already; allowed: to add a surname"),
            (anna.name, "is the name of an account, or looks so"),
            ("\n", "no name; allowed: 1 to 24 characters"),
        ):
            with pytest.raises(TournamentError, match=why):
                await enter(tournament_id, anna, name)
        await here.services.tournaments.remove(tournament_id, anna, "walk-in:1")
        await enter(tournament_id, anna, "Yann")
        now = (await here.known(tournament_id)).now
        assert now.entrants == ("walk-in:2",)
        assert now.given_names == {"walk-in:1": "Zoe Miller", "walk-in:2": "Yann"}, "the log keeps every name"


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize("form", [Form.SWISS, Form.KNOCKOUT, Form.LEAGUE])
async def test_matches_of_walk_ins_wait_until_the_director_enters_their_result(tmp_path: Path, form: Form) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, replace(EVENING, form=form, rated=True))
        director = here.services.tournaments
        ben, cleo = await here.enroll(2)
        for person in (ben, cleo):
            await director.join(tournament_id, person)
        for name in ("Yann", "Zoe"):
            await director.enter_walk_in(tournament_id, anna, name)
        here.clock.now += 40 * 24 * 3_600_000
        for bout in await here.open_bouts(tournament_id):
            await here.resign(bout, 0)
        await director.look()
        now = (await here.known(tournament_id)).now
        assert now.stage is TournamentStage.RUNNING, "nobody loses to or as a walk-in for not coming to a board here"
        while (now := (await here.known(tournament_id)).now).stage is TournamentStage.RUNNING:
            for bout in await here.open_bouts(tournament_id):
                await here.resign(bout, 0)
            await director.look()
            now = (await here.known(tournament_id)).now
            for game in (game for game in games(now) if game.playable):
                assert game.has_walk_in
                walk_in = next(player for player in game.players if player and player.startswith("walk-in:"))
                other = next(player for player in game.players if player != walk_in)
                if other == ben.id:
                    await director.report(tournament_id, ben, game.number, walk_in)
                await director.decide(tournament_id, anna, game.number, walk_in)
        assert all(done.how in (How.DIRECTOR, How.PLAYED) for done in now.results.values())
        assert now.stage is TournamentStage.OVER
        await here.check()


async def test_a_list_of_names_is_checked_as_if_they_entered_one_after_the_other(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, EVENING)
        known = await here.known(tournament_id)

        def said(*names: str) -> list[str]:
            wanted = [WantedEntry(name, None, of_account=name == anna.name) for name in names]
            return [str(error) for error in refusals(known, wanted, walk_in=True)]

        assert said("Zoe", "Yann", "Xaver", "Wanda") == []
        assert said("Zoe", "Yann", "Xaver", "Wanda", "Vera") == ["5 names; allowed: 4, as many as places are free"]
        twice, long, taken = said("Zoe", "zoe", "n" * 25, anna.name)
        assert twice == "'zoe' stands there twice; allowed: each player once"
        assert long == f"'{'n' * 25}' has 25 characters; allowed: 1 to 24, one name a line"
        assert "is the name of an account, or looks so" in taken
        assert (await here.known(tournament_id)).now.entrants == (), "nothing was written"


async def test_who_is_entered_is_told_by_push(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with club(tmp_path) as here:
        tournament_id, _club_id, anna = await announced(here, EVENING)
        (ben,) = await here.enroll(1)
        told: list[tuple[str, ...]] = []
        monkeypatch.setattr(here.services.pusher, "tell", lambda *said: told.append(said))
        await here.services.tournaments.enter(tournament_id, anna, ben.name)
        await here.services.tournaments.enter_walk_in(tournament_id, anna, "Zoe")
        text = f"{anna.name} has entered you in Evening."
        path = f"/tournament/{tournament_id}"
        assert told == [(ben.id, "You play in a tournament", text, path, tournament_id)]
