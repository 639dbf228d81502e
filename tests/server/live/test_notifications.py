"""Who is told of a match in a tournament that waits, and where the message leads, while they are away."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, update

from barpoint.server.domain.tournament_events import Plan
from barpoint.server.live.notifications import Notifier
from barpoint.server.storage.schema.accounts import ACCOUNT
from tests.support.tournaments import Club, club

pytestmark = pytest.mark.usefixtures("each_database")


def _all_want_mail(connection: Connection) -> None:
    connection.execute(update(ACCOUNT).values(notices=True, email="a@example.org", email_confirmed=True))


async def told(here: Club, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Whom the server tells now by push, with which subject and text, and where it leads; of everybody who is away, each match once."""
    found: list[tuple[str, ...]] = []
    services = here.services
    await services.store.write(_all_want_mail)
    monkeypatch.setattr(services.pusher, "tell", lambda *said: found.append(said[:4]))
    await Notifier(services.matches, services.mailer, services.pusher, services.presence, 0).look()
    return sorted(found)


async def test_a_match_that_may_be_played_at_a_real_board_is_told_of_by_the_page_of_its_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(Plan("Pub", lengths=(3,), max_players=2, boards=True), 2)
        text = "Your match of Backgammon in a tournament is ready, here or at a real board."
        path = f"/tournament/{tournament_id}"
        assert await told(here, monkeypatch) == [(one, "Your match is ready", text, path) for one in ("m0", "m1")]
        assert await told(here, monkeypatch) == [], "once"


async def test_a_match_that_is_played_here_is_told_of_by_its_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(Plan("Club", lengths=(3,), max_players=2), 2)
        (bout,) = await here.open_bouts(tournament_id)
        text = "Your match of Backgammon in a tournament is ready, and waits for you only so long."
        path = f"/match/{bout.match_id}"
        assert await told(here, monkeypatch) == [(one, "Your match is ready", text, path) for one in ("m0", "m1")]


async def test_nobody_is_told_of_a_match_that_is_played_at_a_real_board_until_that_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        tournament_id = await here.announce(Plan("Pub", lengths=(3,), max_players=4, boards=True), 4)
        first, second = await here.open_bouts(tournament_id)
        ann = next(one for one in here.members if one.id == first.seats[0])
        await here.services.tournaments.report(tournament_id, ann, first.game, None)
        assert {said[0] for said in await told(here, monkeypatch)} == set(second.seats)
        await here.services.tournaments.play_here(tournament_id, ann, first.game)
        assert {said[0] for said in await told(here, monkeypatch)} == set(first.seats)
