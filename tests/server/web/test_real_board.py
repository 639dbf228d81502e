"""A match at a real board: the recorder enters what happened, and the server rolls nothing (S2-10, S2-25)."""

from pathlib import Path

import pytest

from barpoint.error import IllegalEvent, IllegalMove
from barpoint.game import Object, Opening, PlayMade, Roll
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.matches import BOTH
from barpoint.server.live.event_log import ForeignSeat, UsedId
from barpoint.server.live.matches import real_board_seats
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, opened, seated
from tests.support.scripted_bots import ScriptedDice


async def test_a_real_board_is_entered_by_who_keeps_it_and_nothing_is_rolled_here(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        header = await matches.make(
            Agreement(variant("backgammon"), MatchTerms(length=1, manual=True)), real_board_seats(ANNA, ("X", "Y"))
        )
        assert (header.seat_of(ANNA.id), header.seat_of(BEN.id)) == (BOTH, None)
        assert (await matches.live_match(header.id)).seq == 0
        assert await matches.enter(header.id, BOTH, "c1", 0, Opening((2, 2))) == 1
        assert (await matches.live_match(header.id)).seq == 1  # the players roll again after a tie, too
        assert await matches.enter(header.id, BOTH, "c2", 1, Opening((3, 1))) == 2
        by_hand = PlayMade(0, ((6, 5, 3), (8, 5, 1)))  # hands count no numbers, and the log puts them right
        assert await matches.enter(header.id, BOTH, "c3", 2, by_hand) == 3
        assert await matches.enter(header.id, BOTH, "c3", 2, by_hand) == 3, "sent again, it is the same"
        with pytest.raises(UsedId):
            await matches.enter(header.id, BOTH, "c3", 2, PlayMade(0, ((24, 21, 3), (6, 5, 1))))
        with pytest.raises(IllegalEvent, match="faces"):
            await matches.enter(header.id, BOTH, "c4", 3, Roll(1))
        for seat in (0, 1, None):
            with pytest.raises(ForeignSeat):
                await matches.enter(header.id, seat, "c5", 3, Roll(1, (3, 1)))
            with pytest.raises(ForeignSeat):
                await matches.act(header.id, seat, "c6", 3, Roll(1))


async def test_the_seats_of_a_match_played_here_cannot_be_entered_for(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(3, 1)])) as table:
        with pytest.raises(ForeignSeat):
            await table.matches.enter(table.id, BOTH, "c1", 1, Roll(0, (6, 6)))


async def test_moves_tried_after_an_objection_are_not_taken_for_those_before_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        header = await matches.make(
            Agreement(variant("backgammon"), MatchTerms(length=1, manual=True)), real_board_seats(ANNA, ("X", "Y"))
        )
        await matches.enter(header.id, BOTH, "c1", 0, Opening((3, 1)))
        await matches.try_moves(header.id, BOTH, 1, 1, ((8, 2, 6),))
        await matches.enter(header.id, BOTH, "c2", 1, PlayMade(0, ((8, 2, 6),)))
        await matches.enter(header.id, BOTH, "c3", 2, Object(1))
        await matches.try_moves(header.id, BOTH, 3, 1, ((8, 5, 3),))
        with pytest.raises(IllegalMove):  # now the play must be legal
            await matches.try_moves(header.id, BOTH, 3, 2, ((8, 2, 6),))
        assert (await matches.live_match(header.id)).made == ((8, 5, 3),)
    async with opened(tmp_path) as matches:
        assert (await matches.live_match(header.id)).made == ((8, 5, 3),)
