"""The numbers of boards: every open match has one, no two the same, and none changes while a round is played."""

from __future__ import annotations

from random import Random

import pytest

from barpoint.server.domain.tournament_boards import board_numbers
from barpoint.server.domain.tournament_events import Decided, Form, Joined, Plan, Started, TournamentStage
from barpoint.server.domain.tournament_matches import games
from barpoint.server.domain.tournament_pairing import follows, rounds_for
from barpoint.server.domain.tournaments import Tournament


def begun(form: Form, count: int) -> Tournament:
    players = tuple(f"p{number}" for number in range(count))
    plan = Plan("Evening", form=form, max_players=max(2, count))
    now = Tournament(plan)
    for player in players:
        now = now.apply(Joined(player))
    return paired(now.apply(Started(players, rounds_for(plan, players))))


def paired(now: Tournament) -> Tournament:
    while (event := follows(now)) is not None:
        now = now.apply(event)
    return now


def open_boards(now: Tournament) -> dict[int, int]:
    numbers = board_numbers(now)
    return {game.number: numbers[game.number] for game in games(now) if game.playable}


@pytest.mark.parametrize("form", [Form.KNOCKOUT, Form.DOUBLE, Form.SWISS, Form.ROBIN, Form.GROUPS])
@pytest.mark.parametrize("count", [3, 9, 14])
def test_open_matches_have_different_boards_that_stay_the_same_until_they_are_decided(form: Form, count: int) -> None:
    random = Random(count)
    now = begun(form, count)
    while now.stage is TournamentStage.RUNNING:
        before = open_boards(now)
        assert len(set(before.values())) == len(before)
        assert all(0 < board <= count for board in before.values())
        game = random.choice([game for game in games(now) if game.playable])
        winner = random.choice((*game.players, None))
        now = paired(now.apply(Decided(game.number, winner)))
        after = board_numbers(now)
        assert all(after[number] == board for number, board in before.items())


def test_the_boards_of_a_round_are_numbered_in_its_order_without_byes() -> None:
    assert list(open_boards(begun(Form.SWISS, 7)).values()) == [1, 2, 3]
    assert list(open_boards(begun(Form.KNOCKOUT, 8)).values()) == [1, 2, 3, 4]
    numbers = board_numbers(begun(Form.KNOCKOUT, 6))
    drawn = [(game.round, numbers.get(game.number)) for game in games(begun(Form.KNOCKOUT, 6))]
    assert drawn == [(1, None), (1, 1), (1, None), (1, 2), (2, 1), (2, 2), (3, 1)], "winners go on at their board"


def test_a_league_has_no_boards() -> None:
    assert board_numbers(begun(Form.LEAGUE, 4)) == {}
