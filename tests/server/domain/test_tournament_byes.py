"""Byes that players ask for and get: they end with whoever leaves."""

from __future__ import annotations

import pytest

from barpoint.server.domain.tournament_events import (
    ByeAsked,
    ByeGiven,
    Decided,
    Form,
    Joined,
    Left,
    PairedAgain,
    Plan,
    TournamentError,
)
from barpoint.server.domain.tournaments import Tournament, replay
from tests.server.domain.test_tournaments import begun, fold, names, open_games, settled


def entered() -> Tournament:
    """Four players before the start."""
    return fold(Plan("Club", form=Form.SWISS), [Joined(name) for name in names(4)])


def test_who_has_asked_for_a_bye_or_got_one_and_leaves_before_the_start_is_not_named_any_more() -> None:
    left = entered().apply(ByeAsked("p3")).apply(ByeGiven("p2")).apply(Left("p3")).apply(Left("p2"))
    assert (left.asking, left.byes) == (frozenset(), frozenset())
    back = left.apply(Joined("p3"))
    assert back.asking == frozenset(), "who comes again asks again"
    assert back.apply(ByeAsked("p3")).asking == {"p3"}


@pytest.mark.parametrize("removed", [False, True])
def test_who_leaves_during_the_tournament_has_no_bye_in_the_next_round(removed: bool) -> None:
    now, happened = begun(Form.SWISS, 6, rounds=3)
    happened += [ByeAsked("p3"), ByeGiven("p2"), Left("p3", removed), Left("p2", removed)]
    left = settled(fold(now.plan, happened), happened)  # type: ignore[arg-type]
    assert (left.asking, left.byes) == (frozenset(), frozenset())
    assert replay(left.plan, happened) == left  # type: ignore[arg-type]


def test_who_has_left_in_a_round_that_is_paired_again_has_no_bye_in_it() -> None:
    now, happened = begun(Form.SWISS, 6, rounds=3)
    happened.append(ByeGiven("p2"))
    now = fold(now.plan, happened)  # type: ignore[arg-type]
    for game in open_games(now):
        from_first = game.players[0]
        assert from_first is not None
        happened.append(Decided(game.number, from_first))
        now = now.apply(happened[-1])  # type: ignore[arg-type]
    now = settled(now, happened)
    assert now.pairings[-1].excused == ("p2",)
    for event in (Left("p2"), PairedAgain()):
        happened.append(event)
        now = now.apply(event)
    assert now.byes == frozenset()
    assert replay(now.plan, happened) == now  # type: ignore[arg-type]


def test_a_bye_is_for_who_plays_and_as_often_as_the_plan_says() -> None:
    with pytest.raises(TournamentError, match="nobody of that name"):
        entered().apply(ByeAsked("p9"))
    none = fold(Plan("Club", form=Form.SWISS, byes=0), [Joined("p0")])
    with pytest.raises(TournamentError, match="no more byes"):
        none.apply(ByeAsked("p0"))
    with pytest.raises(TournamentError, match="in a league"):
        fold(Plan("Club", form=Form.LEAGUE), [Joined("p0")]).apply(ByeAsked("p0"))
