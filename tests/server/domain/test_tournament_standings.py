"""Who has won a tournament, and that nobody may have."""

from __future__ import annotations

from random import Random

import pytest

from barpoint.server.domain.tournament_events import Decided, Form, How, TournamentStage
from barpoint.server.domain.tournament_matches import games
from barpoint.server.domain.tournament_standings import champions, prizes_of, standings
from tests.server.domain.test_tournaments import begun, open_games, settled


@pytest.mark.parametrize("form", [Form.KNOCKOUT, Form.DOUBLE, Form.SWISS, Form.ROBIN, Form.LEAGUE])
def test_nobody_has_won_if_neither_of_two_players_came(form: Form) -> None:
    now, _ = begun(form, 2)
    assert champions(now) == ()
    over = now.apply(Decided(0, None, How.ABSENT))
    assert champions(over) == ()
    assert {line.rank for line in standings(over)} == ({2} if form.eliminating else {1})
    won = now.apply(Decided(0, "p1"))
    assert champions(won) == (("p1",) if form is not Form.DOUBLE else champions(won))


def test_the_first_rank_stays_empty_if_both_lose_the_final_and_they_share_its_prizes() -> None:
    now, happened = begun(Form.KNOCKOUT, 4, fee=10, prizes=(60, 40))
    for game in (0, 1):
        now = settled(now.apply(Decided(game, games(now)[game].players[0])), happened)
    over = now.apply(Decided(2, None, How.ABSENT))
    assert [line.rank for line in standings(over)] == [2, 2, 4, 4]
    assert champions(over) == ()
    assert sorted(prizes_of(over).values()) == [20, 20]
    assert champions(now.apply(Decided(2, games(now)[2].players[1]))) == (games(now)[2].players[1],)


def test_who_has_a_bye_in_the_final_wins_without_a_match() -> None:
    now, _ = begun(Form.KNOCKOUT, 3)
    (game,) = open_games(now)
    over = now.apply(Decided(game.number, None, How.ABSENT))
    assert champions(over) == ("p0",)
    assert standings(over)[0].points == 0


def test_players_who_share_the_first_rank_of_a_round_robin_have_won_together() -> None:
    now, happened = begun(Form.ROBIN, 3)
    while found := open_games(now):
        first, second = found[0].players
        winner = {frozenset(["p0", "p1"]): "p0", frozenset(["p1", "p2"]): "p1"}.get(
            frozenset((str(first), str(second))), "p2"
        )
        now = settled(now.apply(Decided(found[0].number, winner)), happened)
    assert set(champions(now)) == {"p0", "p1", "p2"}


def test_in_a_knock_out_that_runs_whoever_has_come_furthest_stands_first() -> None:
    now, _ = begun(Form.KNOCKOUT, 6)
    after = now.apply(Decided(next(game.number for game in open_games(now) if "p4" in game.players), "p4"))
    assert [(line.player, line.points) for line in standings(after)] == [
        ("p4", 1), ("p0", 0), ("p1", 0), ("p2", 0), ("p5", 0), ("p3", 0),
    ]  # fmt: skip


@pytest.mark.parametrize("consolation", [0, 3])
@pytest.mark.parametrize("form", [Form.KNOCKOUT, Form.DOUBLE, Form.GROUPS])
def test_whoever_is_out_of_a_knock_out_has_the_rank_that_they_keep(form: Form, consolation: int) -> None:
    for players in (3, 6, 8, 11):
        now, happened = begun(form, players, consolation=0 if form is Form.DOUBLE else consolation)
        random, shown = Random(players), dict[str, int]()
        while now.stage is TournamentStage.RUNNING:
            game = random.choice(open_games(now))
            now = settled(now.apply(Decided(game.number, random.choice(game.players))), happened)
            waiting = {player for game in games(now) if not game.decided for player in game.players}
            ranks = {line.player: line.rank for line in standings(now)}
            if now.seeds:
                shown |= {one: rank for one, rank in ranks.items() if one not in waiting and one not in shown}
        assert shown == ranks
