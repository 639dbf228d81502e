"""A proposition in words: the game, what it is for, and what the games have shown."""

from __future__ import annotations

from barpoint.match import Match, MatchTerms, Proposition
from barpoint.server.protocol.match_text import Names
from barpoint.server.protocol.proposition_text import proposition_text
from tests.match.test_tally import FIRST, SECOND, won_by

NAMES = Names(("Ann", "Ben"), you=1)


def test_other_matches_say_nothing() -> None:
    assert proposition_text(Match.start(5), NAMES) == ()


def test_before_the_first_game_ends_nothing_is_found_yet() -> None:
    start = Match.start(terms=MatchTerms(0, proposition=Proposition.of(FIRST, games=10, spot=2)))
    assert proposition_text(start, NAMES) == ("Game 1 of 10", "2 points a game to whoever is not to act")


def test_the_mean_of_the_side_to_act_is_told_with_the_number_of_games() -> None:
    match = won_by(Proposition.of(FIRST, spot=-1), 0, 1, 0)
    assert proposition_text(match, NAMES) == (
        "Game 3",
        "1 point a game to whoever is to act",
        "Whoever is to act: +2.00 points a game in 3 games",
    )


def test_plays_are_named_with_whose_they_are_and_what_each_has_brought() -> None:
    plays = ("8/5 6/5", "13/9")
    match = won_by(Proposition((FIRST.other_seats(), SECOND), plays=plays), 0)
    assert proposition_text(match, NAMES)[1:] == (
        "Ann has made 8/5 6/5",
        "You have made 13/9",
        "After 8/5 6/5: +1.00 points a game in 1 game",
    )
