"""A match at a real board: who keeps it enters what happened, and the server rolls nothing (S2-10, S2-25)."""

from pathlib import Path

import pytest

from barpoint.error import IllegalEvent, IllegalMove
from barpoint.game import Object, Opening, PlayMade, Roll
from barpoint.match import Terms
from barpoint.server.domain.matches import BOTH
from barpoint.server.live.matches import ForeignSeat, table_seats
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, opened, seated
from tests.support.scripted_bots import ScriptedDice


async def test_a_real_board_is_entered_by_who_keeps_it_and_nothing_is_rolled_here(tmp_path: Path) -> None:
    async with opened(tmp_path) as hall:
        entry = await hall.create(variant("backgammon"), Terms(length=1, manual=True), table_seats(ANNA, ("X", "Y")))
        assert (entry.seat_of(ANNA.id), entry.seat_of(BEN.id)) == (BOTH, None)
        assert (await hall.room(entry.id)).seq == 0
        assert await hall.enter(entry.id, BOTH, "c1", 0, Opening((2, 2))) == 1
        assert (await hall.room(entry.id)).seq == 1  # a tie is rolled again by hands, too
        assert await hall.enter(entry.id, BOTH, "c2", 1, Opening((3, 1))) == 2
        await hall.enter(entry.id, BOTH, "c3", 2, PlayMade(0, ((8, 5, 3), (6, 5, 1))))
        with pytest.raises(IllegalEvent, match="faces"):
            await hall.enter(entry.id, BOTH, "c4", 3, Roll(1))
        for seat in (0, 1, None):
            with pytest.raises(ForeignSeat):
                await hall.enter(entry.id, seat, "c5", 3, Roll(1, (3, 1)))
            with pytest.raises(ForeignSeat):
                await hall.act(entry.id, seat, "c6", 3, Roll(1))


async def test_the_seats_of_a_match_played_here_cannot_be_entered_for(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(3, 1)])) as table:
        with pytest.raises(ForeignSeat):
            await table.hall.enter(table.id, BOTH, "c1", 1, Roll(0, (6, 6)))


async def test_moves_tried_after_an_objection_are_not_taken_for_those_before_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as hall:
        entry = await hall.create(variant("backgammon"), Terms(length=1, manual=True), table_seats(ANNA, ("X", "Y")))
        await hall.enter(entry.id, BOTH, "c1", 0, Opening((3, 1)))
        await hall.try_moves(entry.id, BOTH, 1, 1, ((8, 2, 6),))
        await hall.enter(entry.id, BOTH, "c2", 1, PlayMade(0, ((8, 2, 6),)))
        await hall.enter(entry.id, BOTH, "c3", 2, Object(1))
        await hall.try_moves(entry.id, BOTH, 3, 1, ((8, 5, 3),))
        with pytest.raises(IllegalMove):  # now the play must be legal
            await hall.try_moves(entry.id, BOTH, 3, 2, ((8, 2, 6),))
        assert (await hall.room(entry.id)).made == ((8, 5, 3),)
    async with opened(tmp_path) as hall:
        assert (await hall.room(entry.id)).made == ((8, 5, 3),)
