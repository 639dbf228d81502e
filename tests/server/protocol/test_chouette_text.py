"""Events of a chouette in words: kept as values, told in the language of whoever reads."""

from __future__ import annotations

import pytest

from barpoint.chouette import BOX, TEAM, Act, Chouette, ChouetteEvent, Join, Leave, Propose, Withdraw
from barpoint.game import Accept, Double, Pass, Resign, Take
from barpoint.language import in_language
from barpoint.server.protocol.chouette_text import ChouetteTold, line, resignation_text, tell
from tests.support.chouettes import begun, box_wins, double, take, turn

PLAYERS = ("Anna", "Ben", "Kim", "Lea", "Max")


def told_of(chouette: Chouette, event: ChouetteEvent) -> ChouetteTold:
    return tell(chouette, chouette.apply(event), event, 1, 0, 1)


def text_of(chouette: Chouette, event: ChouetteEvent) -> str:
    return line(told_of(chouette, event), PLAYERS.__getitem__).text


def test_one_event_is_read_in_two_languages() -> None:
    told = told_of(begun(), Join(4))
    assert line(told, PLAYERS.__getitem__).text == "Max joins"
    with in_language("de"):
        assert line(told, PLAYERS.__getitem__).text == "Max kommt dazu"


def test_a_player_who_leaves_during_a_game_plays_it_to_its_end() -> None:
    chouette = begun()
    assert text_of(chouette, Leave(3)) == "Lea leaves after this game"
    assert text_of(box_wins(chouette), Leave(3)) == "Lea leaves"


def test_a_double_names_the_players_and_each_cube_where_they_differ() -> None:
    chouette = turn(begun())
    assert chouette.board.player == BOX
    assert text_of(chouette, Act(Double(BOX), 0, (1, 2))) == "Anna doubles to 2 (Ben and Kim)"
    unequal = turn(take(double(begun(), 1), 0, to=(1,)))
    assert text_of(unequal, Act(Double(BOX), 0)) == "Anna doubles Ben to 4, Kim to 2 and Lea to 2"


def cubes_after(chouette: Chouette, event: ChouetteEvent) -> str:
    return line(told_of(chouette, event), PLAYERS.__getitem__).cubes


def test_a_redouble_of_one_player_says_its_value_and_every_cube_to_all() -> None:
    chouette = turn(take(double(turn(begun()), 0, to=(2,)), 2))
    redouble = Act(Double(TEAM), 2)
    assert text_of(chouette, redouble) == "Kim doubles to 4"
    assert cubes_after(chouette, redouble) == "Cubes: Ben 1 in the middle; Kim 2, doubled to 4; Lea 1 in the middle"
    doubled = chouette.apply(redouble)
    assert "; Kim 4 with Anna;" in cubes_after(doubled, Act(Take(BOX), 0, (2,)))
    assert "Kim" not in cubes_after(doubled, Act(Pass(BOX), 0, (2,)))


def test_what_is_no_cube_action_says_nothing_of_cubes() -> None:
    assert cubes_after(begun(), Act(Resign(BOX, 1), 0)) == ""
    assert cubes_after(begun(), Join(4)) == ""


def test_a_pending_resignation_says_exactly_what_is_accepted() -> None:
    chouette = turn(take(double(turn(begun()), 0, to=(2,)), 2))
    resigned = chouette.apply(Act(Resign(TEAM, 2), 2)).apply(Act(Resign(TEAM, 2), 3))
    games = {pair.player: pair.game for pair in resigned.running}
    texts = {player: resignation_text(game, "Anna", PLAYERS[player]) for player, game in games.items()}
    assert texts == {
        1: "",
        2: "Kim offers to resign a gammon: 4 points for Anna",
        3: "Lea offers to resign a gammon: 1 point for Anna",  # Jacoby: the cube has not been turned
    }
    with in_language("de"):
        assert resignation_text(games[2], "Anna", "Kim").endswith("4 Punkte für Anna")


def test_results_say_who_won_what_from_whom() -> None:
    resigned = begun().apply(Act(Resign(BOX, 1), 0))
    ended = line(told_of(resigned, Act(Accept(TEAM), 3)), PLAYERS.__getitem__)
    assert ended.results == ("Lea wins 1 point from Anna",)
    passed = line(told_of(double(begun(), 2), Act(Pass(BOX), 0, (2,))), PLAYERS.__getitem__)
    assert passed.results == ("Kim wins 1 point from Anna",)


@pytest.mark.parametrize(
    ("points", "what"), [(1.5, "1.5 points for Anna"), (-0.25, "0.25 points for Kim"), (0, "nothing for either")]
)
def test_a_settlement_says_who_gets_what(points: float, what: str) -> None:
    assert text_of(begun(), Propose(2, 2, points)) == f"Kim offers to settle: {what}"


def test_a_withdrawn_offer_says_whose_game_it_was_for() -> None:
    offered = begun().apply(Propose(2, 2, 1)).apply(Propose(0, 3, 1))
    assert text_of(offered, Withdraw(2, 2)) == "Kim withdraws the offer to settle with Anna"
    assert text_of(offered, Withdraw(0, 3)) == "Anna withdraws the offer to settle with Lea"
