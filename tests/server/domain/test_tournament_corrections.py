"""Results that are corrected or taken back: what follows from it, and when it is too late."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_corrections import moved_by
from barpoint.server.domain.tournament_events import (
    ByeGiven,
    Decided,
    Form,
    How,
    Joined,
    Left,
    PairedAgain,
    Reported,
    TakenBack,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import TournamentMatch, before_bracket, games, players_in_bracket
from barpoint.server.domain.tournament_pairing import follows
from barpoint.server.domain.tournament_standings import standings, winners
from barpoint.server.domain.tournaments import Tournament, announced, replay, steps
from tests.server.domain.test_tournaments import FORMS, begun, fold, open_games, settled


def corrected(game: TournamentMatch, winner: str | None) -> Decided:
    return Decided(game.number, winner, How.DIRECTOR, corrects=True)


def first_wins(now: Tournament, happened: list[object], number: int) -> Tournament:
    """The first player of a match wins it."""
    event = Decided(number, games(now)[number].players[0])
    happened.append(event)
    return settled(now.apply(event), happened)


@settings(max_examples=40)
@given(FORMS, st.integers(3, 17), st.integers())
def test_after_any_results_are_corrected_or_taken_back_the_log_says_everything_and_every_result_is_of_players_of_its_match(
    form: Form, players: int, seed: int
) -> None:
    now, happened = begun(form, players)
    random, allowed = Random(seed), 0
    while now.stage is TournamentStage.RUNNING:
        decided = [game for game in games(now) if game.how]
        if decided and random.random() < 0.4 and allowed < 40:
            game = random.choice(decided)
            replaced = corrected(game, random.choice([None, *game.players]))
            event: Decided | TakenBack = TakenBack(game.number) if random.random() < 0.5 else replaced
            changes = True
        else:
            game = random.choice(open_games(now))
            event, changes = Decided(game.number, random.choice(game.players)), False
        try:
            after = now.apply(event)
        except TournamentError:
            assert changes
            allowed += 1
            continue
        happened.append(event)
        now, allowed = settled(after, happened), allowed + changes
    assert fold(now.plan, happened) == now == replay(now.plan, happened)  # type: ignore[arg-type]
    assert follows(now) is None
    for game in games(now):
        assert game.decided
        assert game.winner in (None, *game.players)
    told_step_by_step(now, happened)


def told_step_by_step(now: Tournament, happened: list[object]) -> None:
    """Checks that a log that is only read goes through the same states as one whose events are checked."""
    checked = announced(now.plan, happened)  # type: ignore[arg-type]
    for event, after in steps(checked, happened):  # type: ignore[arg-type]
        checked = checked.apply(event)
        assert replace(after, seq=checked.seq, stage=checked.stage) == checked
        later = [game for game in games(checked) if game.number >= before_bracket(checked)]
        assert [players_in_bracket(after, game.number) for game in later] == [game.players for game in later]


def test_in_a_round_robin_the_standings_follow_a_correction_and_the_rounds_stay() -> None:
    now, happened = begun(Form.ROBIN, 4)
    for number in range(2):
        now = first_wins(now, happened, number)
    before, game = now.pairings, games(now)[0]
    assert len(before) == 2, "the second round is paired"
    after = now.apply(corrected(game, game.players[1]))
    assert after.pairings == before
    points = {line.player: line.points for line in standings(after)}
    assert (points[str(game.players[0])], points[str(game.players[1])]) == (0, 1)
    assert games(after)[0].corrected
    assert not games(now)[0].corrected
    both = after.apply(corrected(game, None))
    assert games(both)[0].winner is None


def test_in_a_knock_out_other_players_go_on_until_the_next_match_has_its_result() -> None:
    now, happened = begun(Form.KNOCKOUT, 8)
    for number in range(2):
        now = first_wins(now, happened, number)
    game, later = games(now)[0], games(now)[4]
    event = corrected(game, game.players[1])
    assert moved_by(now, event) == {later.number}
    after = now.apply(event)
    assert games(after)[4].players == (game.players[1], later.players[1])
    played = now.apply(Decided(later.number, later.players[0]))
    with pytest.raises(TournamentError, match="a later match that depends on this result"):
        played.apply(event)
    assert played.apply(corrected(games(played)[4], later.players[1])).results[4].corrects, "the last one can be"


def test_a_match_that_is_played_at_a_real_board_is_not_taken_from_its_players() -> None:
    now, happened = begun(Form.KNOCKOUT, 4, boards=True)
    now = first_wins(first_wins(now, happened, 0), happened, 1)
    game, final = games(now)[0], games(now)[2]
    said = now.apply(Reported(final.number, str(final.players[0]), ""))
    with pytest.raises(TournamentError, match="or is being played"):
        said.apply(corrected(game, game.players[1]))
    here = said.apply(Reported(final.number, str(final.players[0]), "", withdrawn=True))
    assert not here.reports
    assert here.apply(corrected(game, game.players[1])).results[game.number].corrects


def test_playing_here_after_all_takes_back_ones_own_report_and_leaves_that_of_the_other() -> None:
    now, _ = begun(Form.KNOCKOUT, 2, boards=True)
    one, other = map(str, games(now)[0].players)
    said = now.apply(Reported(0, one, "")).apply(Reported(0, other, other))
    assert said.apply(Reported(0, one, "", withdrawn=True)).reports == {0: {other: Reported(0, other, other)}}
    assert not said.apply(Reported(0, other, "", withdrawn=True)).reports


def test_both_who_lost_go_on_no_longer_and_a_bye_follows_or_goes() -> None:
    now, happened = begun(Form.DOUBLE, 4)
    now = first_wins(now, happened, 0)
    game = games(now)[0]
    gone = now.apply(corrected(game, None))
    assert game.players[0] not in games(gone)[2].players
    back = gone.apply(corrected(game, game.players[1]))
    assert game.players[1] in games(back)[2].players


def test_the_knock_out_after_groups_is_drawn_again_while_nothing_of_it_is_decided() -> None:
    now, happened = begun(Form.GROUPS, 6, groups=2, advance=1)
    while not now.knockout:
        now = first_wins(now, happened, open_games(now)[0].number)
    drawn = now.knockout
    for game in games(now):
        if game.group == 1 and game.winner in drawn and not game.free:
            rival = next(player for player in game.players if player != game.winner)
            event = corrected(game, rival)
            happened.append(event)
            now = settled(now.apply(event), happened)
    assert now.knockout != drawn
    assert set(now.knockout) - set(drawn) <= set(now.groups[0]), "another winner of the first group goes on"
    assert now == replay(now.plan, happened)  # type: ignore[arg-type]
    game = next(game for game in games(now) if game.group == 1 and game.how)
    over = now.apply(Decided(open_games(now)[0].number, now.knockout[0]))
    with pytest.raises(TournamentError, match="a later match that depends on this result"):
        over.apply(corrected(game, next(player for player in game.players if player != game.winner)))


def test_the_last_result_is_corrected_too_unless_prizes_have_been_paid_by_it() -> None:
    for fee in (0, 10):
        now, happened = begun(Form.KNOCKOUT, 2, fee=fee)
        now = first_wins(now, happened, 0)
        assert now.stage is TournamentStage.OVER
        event = corrected(games(now)[0], games(now)[0].players[1])
        if fee:
            with pytest.raises(TournamentError, match="its prizes are paid"):
                now.apply(event)
            continue
        after = now.apply(event)
        assert after.stage is TournamentStage.OVER
        assert winners(after)[0] == (games(now)[0].players[1],)
        assert after == replay(now.plan, [*happened, event])  # type: ignore[list-item]


def test_a_corrected_final_of_a_double_elimination_is_played_again_where_it_must_be() -> None:
    now, happened = begun(Form.DOUBLE, 4)
    while now.stage is TournamentStage.RUNNING:
        now = first_wins(now, happened, open_games(now)[0].number)
    final = next(game for game in reversed(games(now)) if game.how)
    event = corrected(final, next(player for player in final.players if player != final.winner))
    after = settled(now.apply(event), happened := [*happened, event])
    assert after.stage is TournamentStage.RUNNING
    assert [set(game.players) for game in open_games(after)] == [set(final.players)]
    assert after == replay(now.plan, happened)  # type: ignore[arg-type]


# ---------------------------------------------------------------- pairing again


def test_a_swiss_round_is_paired_again_by_corrected_results_late_entries_byes_and_those_who_left() -> None:
    now, happened = begun(Form.SWISS, 8, late=2, byes=1)
    for number in range(4):
        now = first_wins(now, happened, number)
    assert len(now.pairings) == 2
    wrong = games(now)[3]
    leaving = now.pairings[1].pairs[-1][0]
    excused = str(games(now)[0].players[0])
    events = [corrected(wrong, wrong.players[1]), Joined("late"), Left(leaving), ByeGiven(excused), PairedAgain()]
    for event in events:
        happened.append(event)
        now = settled(now.apply(event), happened)
    assert len(now.pairings) == 2
    assert not now.byes
    points = {line.player: line.points for line in standings(now)}
    paired = {player: other for both in now.pairings[1].pairs for player, other in (both, both[::-1])}
    assert paired[excused] == BYE
    assert leaving not in paired
    assert "late" in paired
    assert points[str(wrong.players[1])] == 1
    assert paired[str(wrong.players[1])] != wrong.players[0]
    assert now == replay(now.plan, happened)  # type: ignore[arg-type]
    assert fold(now.plan, happened) == now  # type: ignore[arg-type]


def test_a_round_in_which_somebody_has_played_is_not_paired_again() -> None:
    now, happened = begun(Form.SWISS, 4, boards=True)
    said = now.apply(Reported(0, str(games(now)[0].players[0]), ""))
    for begun_round in (said, first_wins(now, happened, 0)):
        with pytest.raises(TournamentError, match="a match of this round has a result or is being played"):
            begun_round.apply(PairedAgain())
    other, _ = begun(Form.ROBIN, 4)
    with pytest.raises(TournamentError, match="only the last round of a Swiss tournament"):
        other.apply(PairedAgain())


def test_only_a_result_is_corrected_and_by_another_one() -> None:
    now, happened = begun(Form.KNOCKOUT, 4)
    open_game = open_games(now)[0]
    with pytest.raises(TournamentError, match="allowed: to decide an open match"):
        now.apply(corrected(open_game, open_game.players[0]))
    now = first_wins(now, happened, open_game.number)
    with pytest.raises(TournamentError, match="its result already"):
        now.apply(corrected(open_game, open_game.players[0]))
    with pytest.raises(TournamentError, match="that is decided"):
        now.apply(corrected(open_game, "somebody"))
    with pytest.raises(TournamentError, match="cannot be decided so"):
        now.apply(Decided(open_game.number, open_game.players[1], How.DIRECTOR))


def test_results_of_a_knock_out_are_taken_back_one_after_the_other_the_last_one_first() -> None:
    now, happened = begun(Form.KNOCKOUT, 4)
    for number in range(3):
        now = first_wins(now, happened, number)
    assert now.stage is TournamentStage.OVER
    first, final = games(now)[0], games(now)[2]
    with pytest.raises(TournamentError, match="allowed: to take that one back first"):
        now.apply(TakenBack(first.number))
    reopened = now.apply(TakenBack(final.number))
    assert reopened.stage is TournamentStage.RUNNING
    assert games(reopened)[2].playable
    both = reopened.apply(TakenBack(first.number))
    assert games(both)[2].players == (None, final.players[1])
    again = both.apply(Decided(first.number, first.players[1]))
    assert games(again)[2].players == (first.players[1], final.players[1])
    with pytest.raises(TournamentError, match="only the result of a match that is decided"):
        both.apply(TakenBack(final.number))


def test_what_was_reported_of_a_match_is_taken_back_too() -> None:
    now, happened = begun(Form.KNOCKOUT, 4, boards=True)
    now = first_wins(first_wins(now, happened, 0), happened, 1)
    semi, final = games(now)[0], games(now)[2]
    said = now.apply(Reported(final.number, str(final.players[0]), str(final.players[0])))
    with pytest.raises(TournamentError, match="or is being played"):
        said.apply(TakenBack(semi.number))
    free = said.apply(TakenBack(final.number))
    assert not free.reports
    assert games(free.apply(TakenBack(semi.number)))[0].playable


def test_a_swiss_round_is_paired_again_once_its_results_are_taken_back() -> None:
    now, happened = begun(Form.SWISS, 4, rounds=2)
    for number in range(3):
        now = first_wins(now, happened, number)
    with pytest.raises(TournamentError, match="has a result or is being played"):
        now.apply(PairedAgain())
    assert now.apply(TakenBack(2)).apply(PairedAgain()).pairings == now.pairings[:1]


def test_the_knock_out_is_drawn_again_when_a_result_of_the_groups_is_taken_back() -> None:
    now, happened = begun(Form.GROUPS, 8)
    while not now.knockout:
        now = first_wins(now, happened, open_games(now)[0].number)
    reopened = now.apply(TakenBack(0))
    assert not reopened.knockout
    assert settled(reopened.apply(Decided(0, games(now)[0].players[1])), []).knockout
    begun_knockout = first_wins(now, happened, open_games(now)[0].number)
    with pytest.raises(TournamentError, match="a later match that depends on this result"):
        begun_knockout.apply(TakenBack(0))


def test_no_result_is_taken_back_of_who_has_left_in_an_arena_or_once_prizes_are_paid() -> None:
    now, happened = begun(Form.ROBIN, 4)
    now = first_wins(now, happened, 0)
    left = now.apply(Left(str(games(now)[0].players[1])))
    with pytest.raises(TournamentError, match="has left, and loses it as often as it is open; allowed: to correct"):
        left.apply(TakenBack(0))
    paid, happened = begun(Form.KNOCKOUT, 2, fee=2)
    paid = first_wins(paid, happened, 0)
    with pytest.raises(TournamentError, match="its prizes are paid"):
        paid.apply(TakenBack(0))
    arena = replace(now, plan=changed(now.plan, form=Form.ARENA))
    with pytest.raises(TournamentError, match="in an arena results are corrected"):
        arena.apply(TakenBack(0))
