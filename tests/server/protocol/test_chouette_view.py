"""What a viewer of a chouette may see and do: settlements that can be accepted or withdrawn, and no others."""

from __future__ import annotations

from barpoint.chouette import Chouette, Propose
from barpoint.server.protocol.chouette_view import chouette_state
from tests.server.protocol.test_chouette_sheet import scene_of
from tests.support.chouettes import begun, double, take, turn


def offered(chouette: Chouette) -> dict[int, list[tuple[int, float]]]:
    """The settlements that a spectator sees, by whose game they are about."""
    places = chouette_state(scene_of(chouette), None, None, 0).places
    return {place.player: [(one.by, one.points) for one in place.settle] for place in places if place.settle}


def withdrawable(chouette: Chouette, player: int) -> tuple[int, ...]:
    """In whose games a player may withdraw an offer."""
    return next(
        (one.to for one in chouette_state(scene_of(chouette), player, None, 0).may if one.kind == "withdraw"), ()
    )


def test_only_settlements_that_can_be_accepted_are_shown_and_their_makers_may_withdraw_them() -> None:
    chouette = begun(4).apply(Propose(2, 2, -1)).apply(Propose(0, 3, 0.5)).apply(Propose(0, 1, 2))
    assert offered(chouette) == {1: [(0, 2)], 2: [(2, -1)], 3: [(0, 0.5)]}
    assert [withdrawable(chouette, player) for player in range(4)] == [(3, 1), (), (2,), ()]
    doubled = take(double(chouette, 2), 0)
    assert offered(doubled) == {1: [(0, 2)], 3: [(0, 0.5)]}, "the cube of one game is not that of another"
    assert withdrawable(doubled, 2) == ()
    assert offered(turn(doubled)) == {}
    assert withdrawable(turn(doubled), 0) == ()
