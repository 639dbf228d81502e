"""House rules of chouettes, and players who come, go or run out of time (rulings 4.13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from barpoint.chouette import (
    BOX,
    TEAM,
    Act,
    Chouette,
    ChouetteTerms,
    Consulting,
    Join,
    Leave,
    Propose,
    Withdraw,
    check_offer,
)
from barpoint.error import IllegalEvent
from barpoint.game import (
    Abort,
    Beaver,
    Double,
    Next,
    Opening,
    Raccoon,
    Resign,
    Roll,
    Settle,
    Timeout,
    Void,
)
from tests.chouette.test_chouette import kinds, next_game
from tests.support.chouettes import (
    answer,
    begun,
    box_wins,
    double,
    drop,
    play,
    seated,
    take,
    team_wins,
    turn,
)

# ---------------------------------------------------------------- house rules


def test_the_jacoby_rule_is_on_and_holds_in_each_game_by_itself() -> None:
    assert ChouetteTerms().jacoby
    chouette = take(double(begun(4), 2), 0)
    chouette = answer(chouette.apply(Act(Resign(BOX, 2), 0)), "accept")
    assert chouette.ledger == (-6, 1, 4, 1)


def test_beavers_and_raccoons_are_everybodys_own_where_they_are_allowed() -> None:
    chouette = double(turn(begun(4, beavers=2)), 0, to=(2, 3))
    chouette = chouette.apply(Act(Beaver(TEAM), 2)).apply(Act(Raccoon(BOX), 0, (2,)))
    chouette = take(take(chouette, 2), 3)
    assert [pair.game.cube.value for pair in chouette.running] == [1, 8, 2]
    with pytest.raises(IllegalEvent, match="at most 0"):
        double(turn(begun(4)), 0).apply(Act(Beaver(TEAM), 2))


def test_the_first_automatic_double_comes_by_right_and_turns_every_cube() -> None:
    chouette = seated(4, automatic_doubles=1)
    for _ in range(2):
        chouette = chouette.apply(Act(Opening((4, 4))))
    assert [pair.game.cube.value for pair in chouette.pairs] == [2, 2, 2]


def test_a_box_that_takes_half_of_the_cubes_keeps_its_place_though_it_passes_the_captains() -> None:
    chouette = double(begun(4, half_taken=True), 1, 2)
    chouette = drop(take(chouette, 0, to=(2,)), 0, to=(1,))
    assert chouette.heir is None
    assert chouette.captain == 2
    assert box_wins(chouette).line == (0, 3, 1, 2)


def test_a_box_that_takes_less_than_half_leaves_the_box() -> None:
    chouette = double(begun(5, half_taken=True), 1, 2, 3)
    chouette = drop(take(chouette, 0, to=(2,)), 0)
    assert chouette.heir == 1
    chouette = begun(5, half_taken=True)
    chouette = turn(drop(double(chouette, 2, 3), 0))  # the captain did not double, and still the box is theirs
    assert chouette.heir == 1
    assert chouette.captain == 1
    assert box_wins(chouette).line == (1, 2, 3, 4, 0)


def test_a_box_that_accepts_the_captains_cube_keeps_its_place() -> None:
    chouette = double(begun(5, half_taken=True), 2, 3, 1)
    chouette = turn(drop(take(chouette, 0, to=(1,)), 0))
    assert chouette.heir is None


@pytest.mark.parametrize(
    ("consulting", "free", "turned"),
    [(Consulting.FREE, True, True), (Consulting.IN_GAME, False, True), (Consulting.NONE, False, False)],
)
def test_consulting_on_plays_is_for_all_for_those_whose_cube_is_in_the_game_or_for_nobody(
    consulting: Consulting, free: bool, turned: bool
) -> None:
    chouette = take(double(begun(4, consulting=consulting), 2), 0)
    assert all(chouette.may_consult(player) for player in range(4))  # no roll on the table: nothing to consult about
    chouette = chouette.apply(Act(Roll(TEAM, (2, 1)), 1))
    assert (chouette.may_consult(3), chouette.may_consult(2)) == (free, turned)
    assert chouette.may_consult(1)
    assert chouette.may_consult(0)


def test_two_settle_their_game_at_an_agreed_value_at_any_time() -> None:
    chouette = begun(4).apply(Propose(2, 2, -0.75))
    with pytest.raises(IllegalEvent, match="an offer of the other side"):
        chouette.apply(Act(Settle(-0.75), 2, (2,)))
    with pytest.raises(IllegalEvent, match="of as many points"):
        chouette.apply(Act(Settle(-0.5), 0, (2,)))
    chouette = chouette.apply(Act(Settle(-0.75), 0, (2,)))
    assert chouette.ledger == (-0.75, 0, 0.75, 0)
    assert not chouette.still_in(2)
    assert chouette.playing


@pytest.mark.parametrize(("player", "member", "points"), [(1, 2, 1), (2, 2, 0.3), (0, 0, 1), (3, 7, 1)])
def test_an_offer_to_settle_is_between_two_and_in_quarters(player: int, member: int, points: float) -> None:
    with pytest.raises(IllegalEvent):
        begun(4).apply(Propose(player, member, points))


def test_a_captain_who_settles_hands_on_and_the_last_to_settle_decides_the_box_by_its_sign() -> None:
    chouette = begun(3).apply(Propose(0, 1, -1)).apply(Act(Settle(-1), 1, (1,)))
    assert chouette.captain == 2
    assert chouette.heir is None
    chouette = chouette.apply(Propose(2, 2, -1)).apply(Act(Settle(-1), 0, (2,)))
    assert chouette.line == (2, 1, 0)


def after_a_roll(chouette: Chouette) -> Chouette:
    return chouette.apply(Act(Roll(TEAM, (2, 1)), 1))


CHANGES: dict[str, Callable[[Chouette], Chouette]] = {
    "a roll": after_a_roll,
    "a play": turn,
    "a double": lambda chouette: double(chouette, 2),
    "a take": lambda chouette: take(double(chouette, 2), 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_offer_to_settle_holds_for_the_position_and_the_cube_at_which_it_was_made(change: str) -> None:
    offered = begun(4).apply(Propose(2, 2, -0.75))
    accepted = Act(Settle(-0.75), 0, (2,))
    check_offer(offered, accepted)
    later = CHANGES[change](offered)
    assert later.offers == ()
    with pytest.raises(IllegalEvent, match="held until the next roll, play or cube action"):
        check_offer(later, accepted)
    assert later.apply(accepted).ledger[2] == 0.75, "logs have such settlements from before, and are still read"
    check_offer(later.apply(Propose(2, 2, -0.75)), accepted)


def test_an_offer_outlives_what_is_done_in_other_games_and_a_resignation_that_is_rejected() -> None:
    offered = begun(4).apply(Propose(2, 2, -0.75))
    for later in (
        take(double(offered, 3), 0),
        offered.apply(Join(4)),
        answer(offered.apply(Act(Resign(TEAM, 1), 2)), "reject"),
    ):
        assert [one.points for one in later.offers] == [-0.75]
    assert box_wins(offered).offers == ()


def test_who_has_offered_to_settle_withdraws_it_and_nobody_else_does() -> None:
    offered = begun(4).apply(Propose(2, 2, -0.75)).apply(Propose(0, 2, 1))
    for event in (Withdraw(3, 2), Withdraw(3, 3), Withdraw(0, 3)):
        with pytest.raises(IllegalEvent, match="offers no settlement there"):
            offered.apply(event)
    withdrawn = offered.apply(Withdraw(2, 2))
    assert [one.player for one in withdrawn.offers] == [0]
    with pytest.raises(IllegalEvent, match="an offer of the other side"):
        withdrawn.apply(Act(Settle(-0.75), 0, (2,)))
    with pytest.raises(IllegalEvent, match="offers no settlement there"):
        turn(offered).apply(Withdraw(2, 2))
    assert Chouette.fold(withdrawn.rules, withdrawn.terms, withdrawn.events, audit=True) == withdrawn


# ---------------------------------------------------------------- coming, going, time


def test_who_joins_during_a_game_plays_from_the_next_on_at_the_end_of_the_line() -> None:
    chouette = begun(3).apply(Join(3))
    assert chouette.line == (0, 1, 2)
    assert not chouette.still_in(3)
    assert team_wins(chouette).line == (1, 2, 0, 3)


def test_who_leaves_during_a_game_plays_it_to_its_end_is_not_asked_and_then_is_gone() -> None:
    chouette = begun(4, asks=True).apply(Leave(2))
    assert chouette.undecided == (3,)
    assert chouette.still_in(2)
    chouette = team_wins(chouette)
    assert chouette.line == (1, 3, 0)
    assert sum(chouette.ledger) == 0
    assert len(chouette.ledger) == 4


def test_the_box_that_leaves_between_games_leaves_it_to_the_captain() -> None:
    chouette = box_wins(begun(4)).apply(Leave(0))
    assert chouette.line == (2, 3, 1)
    assert next_game(chouette).captain == 3


def test_who_comes_back_finds_their_points_again() -> None:
    chouette = team_wins(begun(4)).apply(Leave(0)).apply(Join(0))
    assert chouette.line == (1, 2, 3, 0)
    assert chouette.ledger == (-3, 1, 1, 1)
    with pytest.raises(IllegalEvent, match="no newcomer"):
        chouette.apply(Join(0))
    with pytest.raises(IllegalEvent, match="the next one is player 4"):
        chouette.apply(Join(9))


def test_two_can_go_on_one_waits_and_an_empty_table_is_closed() -> None:
    chouette = team_wins(begun(3)).apply(Leave(2))
    assert next_game(chouette).line == (1, 0)
    chouette = chouette.apply(Leave(0))
    with pytest.raises(IllegalEvent, match="no game can begin"):
        next_game(chouette)
    chouette = chouette.apply(Leave(1))
    assert chouette.over
    with pytest.raises(IllegalEvent, match="closed"):
        chouette.apply(Join(0))


def test_who_is_out_of_time_loses_the_games_that_wait_for_him_and_no_other() -> None:
    chouette = begun(4)
    captain_gone = chouette.apply(Act(Timeout(TEAM), 1))
    assert captain_gone.captain == 2
    assert captain_gone.ledger == (1, -1, 0, 0)  # nothing is borne off, but by Jacoby no gammon counts yet
    assert begun(4, jacoby=False).apply(Act(Timeout(TEAM), 1)).ledger == (2, -2, 0, 0)
    with pytest.raises(IllegalEvent, match="does not wait"):
        chouette.apply(Act(Timeout(TEAM), 2))
    answering = double(chouette, 2).apply(Act(Timeout(BOX), 0))
    assert [pair.player for pair in answering.running] == [1, 3]
    assert not turn(chouette).apply(Act(Timeout(BOX), 0)).playing


def test_what_belongs_to_other_tables_is_refused() -> None:
    chouette = begun(4)
    for event in (Act(Void(BOX, 1), 0), Act(Abort()), Act(Double(BOX), 2), Act(Double(TEAM), None), Act(Next())):
        with pytest.raises(IllegalEvent):
            chouette.apply(event)
    assert chouette.apply(Act(Abort(voided=True))).over


@pytest.mark.parametrize("rules", ["acey-deucey", "plakoto", "fevga"])
def test_games_without_a_cube_are_played_without_cubes(rules: str) -> None:
    chouette = begun(4, rules)
    assert all("double" not in kinds(chouette, player) for player in range(4))
    assert play(chouette.apply(Act(Roll(TEAM, chouette.rules.dice.rows[3].faces), 1)))
