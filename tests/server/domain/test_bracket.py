"""Knock-outs whose losers go on in a consolation."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.server.domain.bracket import Part
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import Decided, Form, TournamentStage
from barpoint.server.domain.tournament_matches import games, length_of
from barpoint.server.domain.tournament_pairing import follows
from barpoint.server.domain.tournament_standings import prizes, standings, winners
from barpoint.server.domain.tournaments import Tournament
from tests.server.domain.test_tournaments import begun, names, open_games, play_on
from tests.support.deep import DEEP

FORMS = st.sampled_from([Form.KNOCKOUT, Form.GROUPS])


def drawn(now: Tournament, part: Part, number: int) -> list[tuple[str | None, str | None]]:
    return [game.players for game in games(now) if (game.part, game.round) == (part, number)]


@settings(max_examples=40 if DEEP else 20)
@given(FORMS, st.integers(2, 33), st.integers(), st.sampled_from([0.0, 0.15]), st.sampled_from([0.0, 0.1]))
def test_a_tournament_with_a_consolation_comes_to_an_end(
    form: Form, players: int, seed: int, absent: float, leaving: float
) -> None:
    now, happened = begun(form, players, consolation=3)
    now = play_on(now, happened, Random(seed), absent, leaving)
    assert now.stage is TournamentStage.OVER
    assert open_games(now) == []
    assert follows(now) is None
    assert sorted(line.player for line in standings(now)) == sorted(names(players))
    for game in games(now):
        assert game.decided
        assert len(set(game.players)) == 2 or set(game.players) == {BYE}, "nobody meets himself"


@settings(max_examples=40 if DEEP else 20)
@given(st.integers(4, 40), st.integers())
def test_everybody_loses_twice_but_the_best_three(players: int, seed: int) -> None:
    now, happened = begun(Form.KNOCKOUT, players, consolation=3)
    now = play_on(now, happened, Random(seed))
    lost = Counter(player for game in games(now) if game.how for player in game.players if player != game.winner)
    table = standings(now)
    assert [line.rank for line in table[:4]] == [1, 2, 3, 4], "both finals tell who is better"
    assert [lost[line.player] for line in table[:3]] == [0, 1, 1]
    assert {lost[line.player] for line in table[3:]} == {2}
    assert len(now.results) == (players - 1) + (players - 3)


def test_losers_of_later_rounds_come_in_when_those_of_the_first_have_played_each_other() -> None:
    now, happened = begun(Form.KNOCKOUT, 8, consolation=3, lengths=(7, 9, 11))
    assert drawn(now, Part.SECOND, 1) == [(None, None)] * 2
    for best in range(4):
        number = next(game.number for game in open_games(now) if f"p{best}" in game.players)
        now = now.apply(Decided(number, f"p{best}"))
    assert drawn(now, Part.MAIN, 2) == [("p0", "p3"), ("p1", "p2")]
    assert drawn(now, Part.SECOND, 1) == [("p7", "p4"), ("p6", "p5")]
    now = play_on(now, happened, Random(1))
    semi_finals = {player for both in drawn(now, Part.MAIN, 2) for player in both}
    assert {both[1] for both in drawn(now, Part.SECOND, 2)} < semi_finals
    assert len(drawn(now, Part.SECOND, 3)) == 1
    assert {(game.part, game.left, length_of(now, game)) for game in games(now)} == {
        (Part.MAIN, 2, 7), (Part.MAIN, 1, 9), (Part.MAIN, 0, 11),
        (Part.SECOND, 2, 3), (Part.SECOND, 1, 3), (Part.SECOND, 0, 3),
    }  # fmt: skip


def test_the_third_prize_goes_to_the_winner_of_the_consolation() -> None:
    now, happened = begun(Form.KNOCKOUT, 8, consolation=3)
    now = play_on(now, happened, Random(2))
    (final,) = (game for game in games(now) if game.part is Part.SECOND and game.left == 0)
    paid = prizes(100, (50, 30, 20), winners(now))
    assert paid[final.winner or ""] == 20


def test_two_players_have_nobody_left_for_a_consolation_and_four_play_for_the_third_rank() -> None:
    now, _ = begun(Form.KNOCKOUT, 2, consolation=3)
    assert len(games(now)) == 1
    now, happened = begun(Form.KNOCKOUT, 4, consolation=3)
    assert len(drawn(now, Part.SECOND, 1)) == 1
    now = play_on(now, happened, Random(3))
    assert [line.rank for line in standings(now)] == [1, 2, 3, 4]
