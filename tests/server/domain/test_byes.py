"""Byes that players ask for: who may, when, how often, and what they count."""

from __future__ import annotations

import pytest

from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import (
    ByeAsked,
    ByeGiven,
    Decided,
    Form,
    Joined,
    Left,
    Plan,
    TournamentError,
)
from barpoint.server.domain.tournament_standings import standings
from barpoint.server.domain.tournaments import Tournament, games
from tests.server.domain.test_tournaments import begun, fold, names, open_games, settled


def next_round(now: Tournament) -> Tournament:
    """The tournament after its open matches, which the first players win."""
    for game in open_games(now):
        now = now.apply(Decided(game.number, game.players[0]))
    return settled(now, [])


@pytest.mark.parametrize(("bye_won", "points"), [(False, 0), (True, 1)])
def test_a_bye_on_request_counts_as_the_plan_says(bye_won: bool, points: int) -> None:
    now, _ = begun(Form.SWISS, 6, rounds=3, bye_won=bye_won)
    loser = open_games(now)[0].players[1] or ""
    now = next_round(now.apply(ByeAsked(loser)).apply(ByeGiven(loser)))
    pairing = now.pairings[1]
    assert pairing.excused == (loser,)
    assert sum(BYE in both for both in pairing.pairs) == 2, "five are left, so that one more has a bye"
    assert {line.player: line.points for line in standings(now)}[loser] == points
    assert all(game.decided for game in games(now) if loser in game.players)
    assert now.asking == now.byes == frozenset(), "asking is for one round"


def test_a_bye_is_the_directors_to_give_and_a_players_to_ask_for() -> None:
    now, _ = begun(Form.SWISS, 4, rounds=3)
    asked = now.apply(ByeAsked("p1"))
    assert asked.asking == {"p1"}
    assert asked.apply(ByeAsked("p1", wanted=False)).asking == frozenset()
    assert next_round(asked).pairings[1].excused == (), "asking alone is no bye"
    given = asked.apply(ByeGiven("p1"))
    assert (given.asking, given.byes) == (frozenset(), {"p1"})
    assert next_round(given.apply(ByeGiven("p1", given=False))).pairings[1].excused == ()
    assert next_round(given.apply(Left("p1"))).pairings[1].excused == ()


def test_a_player_has_only_so_many_byes_on_request() -> None:
    now, _ = begun(Form.SWISS, 6, rounds=4)
    now = next_round(now.apply(ByeGiven("p5")))
    for event in (ByeAsked("p5"), ByeGiven("p5")):
        with pytest.raises(TournamentError, match="no more byes for this player: 1"):
            now.apply(event)
    twice, _ = begun(Form.SWISS, 6, rounds=4, byes=2)
    assert next_round(twice.apply(ByeGiven("p5"))).apply(ByeAsked("p5")).asking == {"p5"}
    none, _ = begun(Form.SWISS, 6, rounds=4, byes=0)
    with pytest.raises(TournamentError, match="no more byes"):
        none.apply(ByeAsked("p5"))


def test_a_bye_can_be_asked_for_from_entering_on_until_the_last_round_is_paired() -> None:
    plan = Plan("Club night", form=Form.SWISS, max_players=8)
    now = fold(plan, [*(Joined(name) for name in names(4)), ByeAsked("p3"), ByeGiven("p3")])
    assert now.byes == {"p3"}
    with pytest.raises(TournamentError, match="nobody of that name"):
        now.apply(ByeAsked("stranger"))
    last, _ = begun(Form.SWISS, 4, rounds=1)
    with pytest.raises(TournamentError, match="no round is still to be paired"):
        last.apply(ByeAsked("p3"))
    robin, _ = begun(Form.ROBIN, 4)
    with pytest.raises(TournamentError, match="Swiss tournaments only"):
        robin.apply(ByeAsked("p3"))


def test_a_round_is_paired_as_if_nobody_had_asked_when_fewer_than_two_would_play() -> None:
    now, _ = begun(Form.SWISS, 4, rounds=3)
    for player in ("p0", "p1", "p2"):
        now = now.apply(ByeGiven(player))
    now = next_round(now)
    assert now.pairings[1].excused == ()
    assert len(now.pairings[1].pairs) == 2
