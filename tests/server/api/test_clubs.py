"""Clubs over the API: the list, one with its table, joining and leaving."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from barpoint.server.domain.clubs import Admission
from barpoint.server.live.clubs import ClubPlan
from tests.server.api.test_matches import Bot
from tests.support.accounts import hasten
from tests.support.serving import Served, serve
from tests.support.tournaments import Club


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = hasten(serve(tmp_path_factory.mktemp("api")))
    yield running
    running.stop()


def test_programs_read_clubs_and_only_accounts_join_them(served: Served) -> None:
    (owner,) = served.call(Club(served.services, served.services.matches.clock).enroll(1))  # type: ignore[arg-type]
    club_id = served.call(served.services.clubs.found(owner, ClubPlan("Readers", "Books", Admission.OPEN), "2026"))
    bot = Bot(served, "Reader")
    assert [(one["name"], one["members"], one["role"]) for one in bot.get("/api/club")["clubs"]] == [
        ("Readers", 1, None)
    ]
    shown = bot.get(f"/api/club/{club_id}")
    assert shown["club"]["text"] == "Books"
    assert [(one["name"], one["role"]) for one in shown["people"]] == [(owner.name, "owner")]
    assert (shown["season"], shown["table"], shown["tournaments"]) == ("2026", [], [])
    refused = bot.post(f"/api/club/{club_id}/join")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "refused"), "a guest is no member"
    assert bot.post(f"/api/club/{club_id}/fly").status_code == 404
    assert bot.post("/api/club/nothing/join").status_code == 404
