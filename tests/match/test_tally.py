"""What the games of a proposition have shown: points of the side to act, whoever sat there, spots included (RULES 4.14)."""

from __future__ import annotations

from barpoint.game import Accept, Next, Resign
from barpoint.match import Match, MatchTerms, Proposition, StartingPosition
from barpoint.match.tally import PositionTally, tallies
from tests.support.games import place

FIRST = StartingPosition.of(place({6: 3, 5: 2}, {4: 3, 3: 1}), player=0)
SECOND = StartingPosition.of(place({6: 4}, {5: 4}), player=0)


def won_by(proposition: Proposition, *winners: int) -> Match:
    """Games that their losers have resigned, one point each."""
    match = Match.start(terms=MatchTerms(0, proposition=proposition))
    for number, winner in enumerate(winners):
        events = (Resign(1 - winner, 1), Accept(winner))
        for event in (Next(), *events) if number else events:
            match = match.apply(event)
    return match


def test_other_matches_have_none() -> None:
    assert tallies(Match.start(5)) == {}


def test_who_is_to_act_counts_and_not_who_sits_there() -> None:
    match = won_by(Proposition.of(FIRST), 0, 1, 1)
    assert tallies(match) == {FIRST: PositionTally(3, 1)}, (
        "player 0 acts in the first and third game, player 1 in the second"
    )


def test_the_spot_is_part_of_what_a_game_brings() -> None:
    match = won_by(Proposition.of(FIRST, spot=1), 0, 1)
    assert match.score == (2, 2)
    assert tallies(match) == {FIRST: PositionTally(2, 0)}
    assert tallies(match)[FIRST].mean == 0


def test_of_two_plays_each_position_has_its_own() -> None:
    match = won_by(Proposition((FIRST.other_seats(), SECOND)), 0, 0, 0)
    found = tallies(match)
    assert found == {FIRST: PositionTally(2, -2), SECOND: PositionTally(1, 1)}
    assert found[FIRST].mean == -1
