"""Clubs keep an owner, also when two processes serve them."""

from __future__ import annotations

from pathlib import Path

import pytest

from barpoint.server.domain.clubs import Admission, ClubRefused, ClubRole
from barpoint.server.live.clubs import ClubPlan
from tests.support.at_once import at_once
from tests.support.tournaments import club

pytestmark = pytest.mark.usefixtures("each_database")


async def test_of_two_owners_who_leave_at_the_same_instant_in_two_processes_one_stays(tmp_path: Path) -> None:
    async with club(tmp_path) as server, club(tmp_path, server.clock) as second:
        ann, ben = await server.enroll(2)
        clubs, others = server.services.clubs, second.services.clubs
        club_id = await clubs.found(ann, ClubPlan("Climbers", "", Admission.OPEN), "2026")
        await clubs.join(club_id, ben)
        await clubs.set_role(club_id, ann, ben.id, ClubRole.OWNER)
        answers = await at_once(
            server.services.store, lambda: clubs.leave(club_id, ann), lambda: others.leave(club_id, ben)
        )
        assert [type(one) for one in answers] == [type(None), ClubRefused]
        assert [one.person.id for one in (await clubs.known(club_id)).owners] == [ben.id]
