"""Matches and money sessions (S4-8, S4-9, S4-14 to S4-16, rulings 5.1)."""

from __future__ import annotations

from typing import Any, get_type_hints

import numpy as np
import pytest

from barpoint.driver import play as play_game
from barpoint.error import ArgumentError, FormatError, IllegalEvent, IllegalMove, OptionError, StakesError
from barpoint.game import (
    Abort,
    Accept,
    Claim,
    Double,
    Keep,
    Next,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Resign,
    Roll,
    Settle,
    Take,
    Timeout,
)
from barpoint.game.event import Event
from barpoint.match import Match, MatchTerms
from barpoint.match.terms import MatchOptions
from barpoint.moves import legal_plays
from barpoint.rules import Rules
from tests.support.games import kinds, play


def after(match: Match, *events: Event) -> Match:
    for event in events:
        match = match.apply(event)
    return match


def won_by(match: Match, winner: int, level: int = 1) -> Match:
    """The running game ends by a resignation, and the next one begins where there is one."""
    match = after(match, Opening((3, 1)), Resign(1 - winner, level), Accept(winner))
    return match if match.over else match.apply(Next())


def doubling(match: Match) -> bool:
    """Whether the second player may double in their first turn of the running game."""
    match = match.apply(Opening((3, 1)))
    return "double" in kinds(play(match.game), 1)


@pytest.mark.parametrize("length", [*range(1, 16), 25, 64])
def test_a_match_is_won_by_the_first_to_reach_its_length(length: int):
    """S4-14."""
    match = Match.start(length)
    for game in range(length):
        assert (match.over, match.score, len(match.finished)) == (False, (0, game), game)
        match = won_by(match, 1)
    assert (match.over, match.winner, match.score) == (True, 1, (0, length))
    assert match.legal_events() == ()


def test_points_are_the_cube_times_the_level():
    """S4-16."""
    match = Match.start(15).apply(Opening((3, 1)))
    match = after(match, Resign(0, 3), Accept(1))
    assert match.score == (0, 3)


def test_a_refused_double_loses_the_game_and_not_the_match():
    """S4-8."""
    match = Match.start(5).apply(Opening((3, 1)))
    match = match.apply(play(match.game).last)  # type: ignore[arg-type]
    match = after(match, Double(1), Pass(0))
    assert (match.score, match.over) == ((0, 1), False)
    assert match.legal_events()[0].kind == "next"


def test_surplus_points_stay_on_the_score_and_are_worth_nothing():
    match = won_by(won_by(Match.start(3), 0, 2), 0, 3)
    assert (match.score, match.winner, match.away(0), match.away(1)) == ((5, 0), 0, 0, 3)


def test_between_games_only_the_next_one_can_begin():
    match = after(Match.start(3), Opening((3, 1)), Resign(0, 1), Accept(1))
    assert [item.kind for item in match.legal_events()] == ["next"]
    for event in (Roll(0, (2, 1)), Opening((3, 1)), Timeout(0), Abort(), Settle(1)):
        with pytest.raises(IllegalEvent, match="allowed now: next"):
            match.apply(event)
    assert match.apply(Next()).game.phase is Phase.OPENING


def test_the_next_game_begins_when_the_last_is_over():
    with pytest.raises(IllegalEvent, match="not over"):
        Match.start(3).apply(Next())


def test_after_the_match_nothing_may_happen():
    match = won_by(Match.start(1), 0)
    for event in (Next(), Opening((3, 1)), Claim(0)):
        with pytest.raises(IllegalEvent, match="the match is over"):
            match.apply(event)


# ---------------------------------------------------------------- Crawford


def test_the_first_game_in_which_somebody_needs_one_point_has_no_cube():
    """Rulings 5.1, example to 5: game 4 is the Crawford game, and if the trailer wins it game 5 has the cube."""
    match = won_by(won_by(won_by(Match.start(5), 0, 2), 1), 0, 2)
    assert (match.score, match.crawford, match.after_crawford) == ((4, 1), True, False)
    assert not doubling(match)
    match = won_by(match, 1)
    assert (match.score, match.crawford, match.after_crawford) == ((4, 2), False, True)
    assert doubling(match)
    assert [game.crawford for game in match.finished] == [False, False, False, True]


def test_there_is_one_crawford_game_even_when_the_other_comes_to_need_one_point_too():
    match = won_by(won_by(won_by(Match.start(3), 0, 2), 1), 1)
    assert (match.score, match.crawford) == ((2, 2), False)
    assert doubling(match)


def test_a_double_offered_in_the_crawford_game_is_refused():
    match = won_by(Match.start(3), 0, 2).apply(Opening((3, 1)))
    match = match.apply(play(match.game).last)  # type: ignore[arg-type]
    with pytest.raises(IllegalEvent, match="no cube"):
        match.apply(Double(1))


def test_a_leader_who_jumps_over_one_point_away_plays_no_crawford_game():
    assert not won_by(Match.start(4), 0, 2).crawford


def test_without_the_crawford_rule_every_game_has_the_cube():
    match = won_by(Match.start(3, crawford=False), 0, 2)
    assert not match.crawford
    assert match.after_crawford
    assert doubling(match)


def test_an_option_may_be_a_bool_of_numpy():
    for said in (False, True):
        assert Match.start(3, crawford=np.bool_(said)) == Match.start(3, crawford=said)
        assert Match.start(3, crawford=np.bool_(said)).terms.crawford is said
    with pytest.raises(StakesError, match="crawford: Expected `bool`, got `int`"):
        Match.start(3, crawford=np.int64(1))


def test_a_match_to_one_point_has_no_cube():
    assert not doubling(Match.start(1))


def test_a_match_may_be_played_without_a_cube():
    assert not doubling(Match.start(5, cube=False))


def test_under_the_holland_rule_the_cube_waits_two_rolls_after_the_crawford_game():
    match = Match.start(3, holland=True)
    assert doubling(match)
    match = won_by(won_by(match, 0, 2), 1)
    assert match.after_crawford
    assert match.game.stakes.rolls_before_double == 2
    assert not doubling(match)


@pytest.mark.parametrize("option", ["jacoby", "beavers", "automatic_doubles"])
def test_a_match_knows_no_money_options(option: str):
    with pytest.raises(StakesError, match="money play only"):
        Match.start(3, **{option: True if option == "jacoby" else 1})


@pytest.mark.parametrize("wrong", [{"length": -1}, {"stake": -1}, {"length": "3"}, {"cube_limit": 5}])
def test_terms_that_mean_nothing_are_refused(wrong: dict[str, int]):
    with pytest.raises(StakesError):
        Match.start(**wrong)


@pytest.mark.parametrize("name", ["plakoto", "fevga", "acey-deucey"])
def test_games_without_a_cube_count_points_in_a_match_too(name: str):
    match = after(Match.start(3, name), Opening((3, 1)), Resign(0, 1), Accept(1))
    assert match.score == ((0, 15) if name == "acey-deucey" else (0, 1))


# ---------------------------------------------------------------- money


def test_a_money_session_goes_on_without_end_and_keeps_the_balance():
    match = won_by(won_by(won_by(Match.start(0, stake=5), 0, 2), 1), 0, 3)
    assert (match.over, match.score, match.balance(0), match.balance(1)) == (False, (5, 1), 20, -20)
    assert (match.away(0), match.crawford, match.after_crawford) == (0, False, False)
    assert doubling(match)


def test_a_money_session_is_ended_between_two_games_and_keeps_its_score():
    match = after(won_by(Match.start(0), 0, 2), Opening((3, 1)), Resign(0, 1), Accept(1))
    assert [item.kind for item in match.legal_events()] == ["next", "abort"]
    ended = match.apply(Abort())
    assert (ended.over, ended.winner, ended.score, ended.legal_events()) == (True, None, match.score, ())
    assert Match.fold(ended.rules, ended.terms, ended.events) == ended
    with pytest.raises(IllegalEvent, match="over"):
        ended.apply(Next())


def test_a_match_to_points_is_not_ended_between_two_games():
    match = after(Match.start(5), Opening((3, 1)), Resign(0, 1), Accept(1))
    with pytest.raises(IllegalEvent, match=r"allowed now: next$"):
        match.apply(Abort())


def test_money_options_reach_every_game():
    match = won_by(Match.start(0, jacoby=True, beavers=3, automatic_doubles=1, cube_limit=64), 0)
    stakes = match.game.stakes
    assert (stakes.jacoby, stakes.beavers, stakes.automatic_doubles, stakes.cube_limit) == (True, 3, 1, 64)


def test_a_settled_game_counts_what_was_agreed():
    match = after(Match.start(0, stake=10), Opening((3, 1)), Settle(-1.5))
    assert (match.score, match.balance(1), match.game.over) == ((0, 1.5), 15, True)


def test_a_drawn_game_changes_no_score():
    match = after(Match.start(0), Opening((3, 1)), Settle(0))
    assert (match.score, len(match.finished)) == ((0, 0), 1)


# ---------------------------------------------------------------- time, absence, abort


@pytest.mark.parametrize(("event", "winner"), [(Timeout(0), 1), (Claim(0), 0), (Claim(1), 1)])
def test_time_and_absence_lose_the_match_and_not_points(event: Event, winner: int):
    match = after(Match.start(7), Opening((3, 1)), event)
    assert (match.over, match.winner, match.score) == (True, winner, (0, 0))


def test_in_money_play_they_lose_the_game():
    match = after(Match.start(0), Opening((3, 1)), Timeout(0))
    assert (match.over, match.score) == (False, (0, 2))


def final_roll() -> Match:
    """A match of games of one checker: player 0 has borne it off, and the other has a token."""
    match = after(Match.start(5, "roll-over+hypergammon(checkers=1)"), Opening((2, 1)))
    while match.game.phase is not Phase.PROVISIONAL_END:
        game = match.game
        match = match.apply(play(game).last if game.faces else Roll(game.player, (6, 6)))  # type: ignore[arg-type]
    return match


def test_out_of_time_in_the_wait_after_the_last_checker_loses_the_game_only():
    match = final_roll()
    loser = match.game.actor
    assert loser is not None
    assert after(match, Timeout(loser)).score == after(match, Keep(loser)).score
    assert not after(match, Timeout(loser)).over


def test_a_match_can_be_aborted_before_its_first_dice_only():
    aborted = Match.start(3).apply(Abort())
    assert (aborted.over, aborted.winner, aborted.score) == (True, None, (0, 0))
    later = won_by(Match.start(3), 0)
    assert [item.kind for item in later.legal_events()] == ["opening"]
    with pytest.raises(IllegalEvent, match="already played"):
        later.apply(Abort())


# ---------------------------------------------------------------- the fold


def test_events_are_kept_complete_and_each_game_knows_its_first():
    match = won_by(won_by(Match.start(3), 0), 1)
    assert [game.first for game in match.finished] == [0, 4]
    assert match.first == 8
    assert match.events[0] == match.events[4] == Opening((3, 1))
    assert [game.score for game in match.finished] == [(1, 0), (1, 1)]


def test_a_match_is_the_fold_of_its_events():
    match = won_by(Match.start(3), 0)
    match = after(match, Opening((3, 1)))
    match = match.apply(play(match.game).last)  # type: ignore[arg-type]
    match = after(match, Double(1), Take(0))
    for audit in (False, True):
        assert Match.fold(match.rules, match.terms, match.events, audit=audit) == match


def test_every_event_can_be_undone_down_to_the_start():
    match = won_by(Match.start(3), 0).apply(Opening((3, 1)))
    states = [Match.start(3)]
    for event in match.events:
        states.append(states[-1].replay(event))
    for before in reversed(states[:-1]):
        match = match.undo()
        assert match == before
    with pytest.raises(ArgumentError, match="nothing has happened"):
        match.undo()


def test_a_fold_names_the_event_that_cannot_be():
    with pytest.raises(IllegalEvent, match="event 1: "):
        Match.fold(Match.start(3).rules, MatchTerms(3), (Opening((3, 1)), Opening((3, 1))))


def test_an_option_of_another_name_is_refused_with_the_one_that_was_meant():
    with pytest.raises(ArgumentError, match=r"no option is called 'lenght'; did you mean length\?"):
        Match.start(lenght=3)
    with pytest.raises(ArgumentError, match=r"did you mean jacoby\?"):
        next(play_game("backgammon", None, None, dice=iter(()), jacobi=True))


def test_a_match_is_as_long_as_an_id_can_say_and_no_longer() -> None:
    assert Match.start(32767).length == 32767
    with pytest.raises(StakesError, match=r"a match to 32768 points; at most 32767$"):
        Match.start(length=32768)
    with pytest.raises(StakesError, match=r"^a match to 2147483648 points; at most 32767$"):
        MatchTerms(length=2**31)


def test_a_term_of_another_kind_is_refused_by_its_name():
    with pytest.raises(
        StakesError, match=r"^terms of a match: begins_at: Expected `StartingPosition \| null`, got `Position`$"
    ):
        Match.start(begins_at=Rules().start)
    with pytest.raises(StakesError, match=r"^terms of a match: first_score\[1\]: Expected `int`, got `str`$"):
        Match.start(first_score=(1, "a"))


def test_a_match_shows_its_rules_length_score_and_events() -> None:
    match = Match.start(5, "nackgammon", first_score=(2, 1)).apply(Opening((3, 1)))
    assert repr(match) == "<Match of nackgammon to 5, score 2-1, 1 events>"
    assert repr(Match.start(0)) == "<Match of backgammon for money, score 0-0, 0 events>"


def test_the_options_of_a_start_are_the_fields_of_the_terms() -> None:
    fields = get_type_hints(MatchTerms)
    assert get_type_hints(MatchOptions) == {name: kind for name, kind in fields.items() if name != "length"}


def test_the_history_gives_every_event_with_the_match_before_it():
    match = won_by(won_by(Match.start(3), 0, 2), 0, 3)
    steps = list(match.history())
    assert tuple(event for _, event in steps) == match.events
    assert [before for before, _ in steps] == [
        Match.fold(match.rules, match.terms, match.events[:count]) for count in range(len(match.events))
    ]
    assert list(Match.start(3).history()) == []
    assert [match.before(number) for number in range(1, len(steps) + 1)] == [before for before, _ in steps]
    for number in (0, -1, len(steps) + 1):
        with pytest.raises(ArgumentError, match=rf"event {number} of a match; this one has 1 to {len(steps)}"):
            match.before(number)
    with pytest.raises(ArgumentError, match=r"event is 1\.5"):
        match.before(1.5)  # type: ignore[arg-type]


def test_the_play_of_an_event_is_found_again() -> None:
    game = Match.start(3).apply(Opening((3, 1))).game
    for one in game.legal_plays():
        assert game.play_of(game.event_of(one)) == one
    backwards = PlayMade(0, ((6, 5, 1), (8, 5, 3)))
    assert str(game.play_of(backwards)) == "8/5 6/5"
    with pytest.raises(IllegalMove):
        game.play_of(PlayMade(0, ((6, 1, 5),)))
    with pytest.raises(IllegalEvent, match="no roll to play"):
        game.play("8/5 6/5").play_of(backwards)
    with pytest.raises(ArgumentError, match="event is '8/5 6/5'"):
        game.play_of("8/5 6/5")  # type: ignore[arg-type]


def test_a_play_is_made_by_a_play_or_its_text() -> None:
    match = Match.start(3).apply(Opening((3, 1)))
    played = match.apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    assert match.play("8/5 6/5") == played
    assert match.play(match.game.legal_plays().find("8/5 6/5")) == played
    assert match.play(match.game.turn().move(6, 5).move(8, 5).play()).game.position == played.game.position
    assert match.game.play("8/5 6/5") == played.game
    assert repr(match.game) == "<Game of backgammon, turn 1 of player 0, to_play 3-1>"
    assert repr(match.game.legal_events()[0]) == "Allowed(kind='play', player=0)"


def test_what_is_no_play_of_the_roll_is_refused() -> None:
    match = Match.start(3).apply(Opening((3, 1)))
    with pytest.raises(IllegalMove, match="9/2 is no legal play of 3-1"):
        match.play("9/2")
    with pytest.raises(FormatError):
        match.play("Roll")
    with pytest.raises(IllegalEvent, match="may not be played here"):
        match.play(legal_plays(match.rules, match.game.position, (6, 5))[0])
    for ask in (lambda game: game.play("8/5"), lambda game: game.legal_plays()):
        with pytest.raises(IllegalEvent, match="no roll to play: the game waits for to_roll"):
            ask(match.play("8/5 6/5").game)


@pytest.mark.parametrize("seat", [2, -1, None, "x", 0.0])
def test_a_player_is_0_or_1(seat: Any) -> None:
    match = Match.start(0)
    for asked in (match.away, match.balance, match.cube_is_dead, match.game.seen_by, match.game.side):
        with pytest.raises(OptionError, match=r"^player is .*; allowed: 0 or 1$"):
            asked(seat)
