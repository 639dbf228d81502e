"""Byes that players ask for: who may, when, how often, and what they count."""

from __future__ import annotations

import pytest

from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import (
    ByeAsked,
    ByeGiven,
    Decided,
    Form,
    How,
    Joined,
    Left,
    Plan,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import games
from barpoint.server.domain.tournament_standings import standings
from barpoint.server.domain.tournaments import Tournament
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


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (Form.KNOCKOUT, "who does not play a match loses it"),
        (Form.DOUBLE, "who does not play a match loses it"),
        (Form.LEAGUE, "the players choose when they play"),
    ],
)
def test_where_nobody_can_ask_for_a_bye_it_is_said_why(form: Form, said: str) -> None:
    now, _ = begun(form, 4)
    with pytest.raises(TournamentError, match=said):
        now.apply(ByeAsked("p3"))


def test_a_bye_in_a_round_robin_puts_the_match_off_until_after_the_last_round() -> None:
    now, _ = begun(Form.ROBIN, 4)
    now = next_round(now.apply(ByeAsked("p3")).apply(ByeGiven("p3")))
    excused, (other,) = now.pairings[1].excused, [two for one, two in _met(now, 2) if one == "p3"] or [""]
    assert excused == ("p3",)
    assert (other, sum(BYE in both for both in now.pairings[1].pairs)) == (BYE, 2), "nobody to play against either"
    now = next_round(next_round(now))
    assert len(now.pairings) == 4, "a round more than usual"
    assert sum(BYE not in both for both in now.pairings[3].pairs) == 1
    now = next_round(now)
    assert now.stage is TournamentStage.OVER
    met = [frozenset(both) for pairing in now.pairings for both in pairing.pairs if BYE not in both]
    assert len(met) == len(set(met)) == 6, "everybody has met everybody once"


def test_byes_in_groups_put_matches_off_until_the_knock_out_is_seeded() -> None:
    now, _ = begun(Form.GROUPS, 8, groups=2, advance=1)
    for player in ("p0", "p1", "p2"):
        now = now.apply(ByeGiven(player))
    now = next_round(now)
    while not now.knockout:
        now = next_round(now)
    met = [frozenset(both) for pairing in now.pairings for both in pairing.pairs if BYE not in both]
    assert len(met) == len(set(met)) == 12, "everybody has met everybody of their group once"
    assert len(now.pairings) > now.rounds
    with pytest.raises(TournamentError, match="in a knock-out"):
        now.apply(ByeAsked("p3"))


def test_a_player_who_leaves_loses_the_match_that_was_put_off() -> None:
    now, _ = begun(Form.ROBIN, 3)
    now = next_round(now.apply(ByeGiven("p1")))
    now = now.apply(Left("p1"))
    while now.stage is TournamentStage.RUNNING:
        now = next_round(now)
    assert {game.how for game in games(now) if "p1" in game.players and not game.free} <= {How.PLAYED, How.AWAY}
    assert {line.player for line in standings(now)} == {"p0", "p1", "p2"}


def _met(now: Tournament, number: int) -> list[tuple[str, str]]:
    """The pairs of a round, each both ways."""
    pairs = now.pairings[number - 1].pairs
    return [*pairs, *((second, first) for first, second in pairs)]


def test_a_round_is_paired_as_if_nobody_had_asked_when_fewer_than_two_would_play() -> None:
    now, _ = begun(Form.SWISS, 4, rounds=3)
    for player in ("p0", "p1", "p2"):
        now = now.apply(ByeGiven(player))
    now = next_round(now)
    assert now.pairings[1].excused == ()
    assert len(now.pairings[1].pairs) == 2
