"""What administrators do to accounts, from the command line and on a running server: who leaves what."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from barpoint.error import StoreError
from barpoint.server.domain.accounts import AccountRefused
from barpoint.server.domain.clubs import Admission
from barpoint.server.domain.names import NameRefused
from barpoint.server.domain.tournament_events import Plan, TournamentStage
from barpoint.server.live.administration import Admin
from barpoint.server.live.clubs import ClubPlan
from barpoint.server.storage import accounts as account_storage
from tests.server.live.test_ladders import PLAN as LADDER
from tests.support import databases
from tests.support.tournaments import Club, club

KNOCKOUT = Plan("Club night", lengths=(1,), max_players=2)

pytestmark = pytest.mark.usefixtures("each_database")


def on_the_server(server: Club) -> Admin:
    services = server.services
    return Admin("", server.clock.now, services.store, None, services.tournaments)


def on_the_command_line(server: Club, folder: Path) -> Admin:
    return Admin(databases.address(folder), server.clock.now)


@pytest.mark.parametrize("act", ["ban", "delete"])
@pytest.mark.parametrize("command_line", [True, False])
async def test_who_is_banned_or_deleted_leaves_tournaments_and_ladders(
    tmp_path: Path, act: str, command_line: bool
) -> None:
    async with club(tmp_path) as server:
        services = server.services
        running = await server.announce(KNOCKOUT, 2)
        ann, ben = server.members
        waiting = await services.tournaments.announce(ann, KNOCKOUT)
        await services.tournaments.join(waiting, ben)
        club_id = await services.clubs.found(ann, ClubPlan("Climbers", "", Admission.OPEN), "2026")
        ladder_id = await services.ladders.open(club_id, ann, LADDER)
        for person in (ben, ann):
            await services.clubs.join(club_id, person)
            await services.ladders.join(ladder_id, person)
        admin = on_the_command_line(server, tmp_path) if command_line else on_the_server(server)
        await (admin.ban(ben.name, "rude") if act == "ban" else admin.delete(ben.name))
        assert (await server.known(waiting)).now.entrants == ()
        ended = (await server.known(running)).now
        assert (ended.stage, ended.away) == (TournamentStage.OVER, {ben.id})
        assert [one.id for one in (await services.ladders.known(ladder_id)).people] == [ann.id]
        assert [one.act for one in await admin.acts(9)] == [act]
        await server.check()


async def test_an_account_gets_another_name_that_nobody_has_and_its_matches_too(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        ann, ben = await server.enroll(2)
        admin = on_the_server(server)
        for taken in (ben.name, ben.name.upper(), ben.name.replace(" ", "")):
            with pytest.raises(AccountRefused, match=r"is taken|looks like"):
                await admin.rename(ann.name, taken)
        with pytest.raises(NameRefused):
            await admin.rename(ann.name, "Administrator")
        with pytest.raises(StoreError, match="no account is called"):
            await admin.rename("Nobody", "Somebody")
        assert await admin.rename(ann.name, ann.name.upper()) == ann.name.upper(), "another spelling of the own name"
        tournament_id = await server.services.tournaments.announce(ben, KNOCKOUT)
        await server.services.tournaments.join(tournament_id, ann)
        assert await admin.rename(ann.name, "Zoe") == "Zoe"
        assert await server.services.store.read(account_storage.find_account, ann.name) is None
        found = await server.services.store.read(account_storage.find_account, "zoe")
        assert found is not None
        assert found.id == ann.id
        assert [(one.about, one.note) for one in await admin.acts(1)] == [(ann.name.upper(), "Zoe")]


async def test_the_data_of_a_person_are_exported_and_that_is_recorded(tmp_path: Path) -> None:
    async with club(tmp_path) as server:
        (ann,) = await server.enroll(1)
        admin = on_the_server(server)
        packed = zipfile.ZipFile(io.BytesIO(await admin.export(ann.name)))
        assert ann.name in packed.read("account.json").decode()
        assert [(one.act, one.about) for one in await admin.acts(9)] == [("export", ann.name)]
        with pytest.raises(StoreError, match="no account is called"):
            await admin.export("Nobody")
