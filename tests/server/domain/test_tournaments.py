"""Tournaments as values: brackets, pairings and standings for any number of players and any results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.server.domain import bracket, round_robin, swiss
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.swiss import BYE, SwissResult
from barpoint.server.domain.tournament_events import (
    Decided,
    Form,
    HelperNamed,
    How,
    Joined,
    Left,
    Paired,
    Plan,
    Started,
    TournamentCancelled,
    TournamentError,
    TournamentEvent,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import TournamentMatch, games, length_of
from barpoint.server.domain.tournament_pairing import follows, rounds_for, with_rounds
from barpoint.server.domain.tournament_standings import champions, prizes, standings, winners
from barpoint.server.domain.tournaments import MAX_HELPERS, Tournament, replay
from tests.support.deep import DEEP

FORMS = st.sampled_from([form for form in Form if not form.continuous])  # an arena ends by the clock: test_arena.py


def fold(plan: Plan, events: Iterable[TournamentEvent]) -> Tournament:
    """The state of a tournament after these events, each of which is checked."""
    return reduce(Tournament.apply, events, Tournament(plan))


def names(players: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(players))


def begun(form: Form, players: int, **plan: object) -> tuple[Tournament, list[object]]:
    """A tournament that has begun, with these events; its first round is paired if that is an event."""
    wanted = Plan("Club night", form=form, max_players=200, **plan)  # type: ignore[arg-type]
    rounds = rounds_for(wanted, names(players))
    happened: list[object] = [*(Joined(name) for name in names(players)), Started(names(players), rounds)]
    now = fold(wanted, happened)  # type: ignore[arg-type]
    return settled(now, happened), happened


def settled(now: Tournament, happened: list[object]) -> Tournament:
    """Applies all automatic events."""
    while (event := follows(now)) is not None:
        happened.append(event)
        now = now.apply(event)
    return now


def open_games(now: Tournament) -> list[TournamentMatch]:
    return [game for game in games(now) if game.playable]


def play_on(
    now: Tournament, happened: list[object], random: Random, losses_of_both: float = 0, leaving: float = 0
) -> Tournament:
    """Plays to the end with random results."""
    while now.stage is TournamentStage.RUNNING:
        if random.random() < leaving and (there := sorted(set(now.order) - now.away)):
            event: object = Left(random.choice(there))
        else:
            game = random.choice(open_games(now))
            both = random.random() < losses_of_both
            winner = None if both else random.choice(game.players)
            event = Decided(game.number, winner, How.ABSENT if both else How.PLAYED)
        happened.append(event)
        now = settled(now.apply(event), happened)  # type: ignore[arg-type]
    return now


# ---------------------------------------------------------------- every form


@settings(max_examples=60 if DEEP else 30)
@given(FORMS, st.integers(2, 33), st.integers(), st.sampled_from([0.0, 0.15]), st.sampled_from([0.0, 0.1]))
def test_a_tournament_comes_to_an_end_and_its_log_says_everything(
    form: Form, players: int, seed: int, absent: float, leaving: float
) -> None:
    now, happened = begun(form, players)
    now = play_on(now, happened, Random(seed), absent, leaving)
    assert now.stage is TournamentStage.OVER
    assert open_games(now) == []
    assert follows(now) is None
    assert fold(now.plan, happened) == now == replay(now.plan, happened)  # type: ignore[arg-type]
    assert sorted(line.player for line in standings(now)) == sorted(names(players))
    won = champions(now)
    assert standings(now)[0].rank == 1 or (form.eliminating and won == ())
    assert len(won) == 1 or not form.eliminating or won == ()
    for game in games(now):
        assert game.decided
        assert len(set(game.players)) == 2 or set(game.players) == {BYE}, "nobody meets himself"


@given(FORMS, st.integers(2, 20), st.integers())
def test_prizes_are_all_that_was_paid_in(form: Form, players: int, seed: int) -> None:
    now, happened = begun(form, players)
    random = Random(seed)
    now = play_on(now, happened, random, 0.1, 0.1)
    shares = random.choice([(100,), (60, 40), (50, 30, 20), (40, 25, 15, 10, 10)])
    pot = players * random.randrange(1, 1000)
    if winners(now):
        paid = prizes(pot, shares, winners(now))
        assert sum(paid.values()) == pot
        assert all(amount > 0 for amount in paid.values())
        assert not now.away & set(paid), "who has left gets nothing"


def test_those_who_share_a_rank_share_its_prizes() -> None:
    assert prizes(100, (50, 30, 20), [("a",), ("b", "c"), ("d",)]) == {"a": 50, "b": 25, "c": 25}
    assert prizes(101, (60, 40), [("a",), ("b", "c")]) == {"a": 61, "b": 20, "c": 20}
    assert prizes(7, (60, 40), [("a",)]) == {"a": 7}, "what no rank takes goes to the first"
    assert prizes(7, (100,), [("a", "b")]) == {"a": 4, "b": 3}
    assert prizes(7, (100,), []) == {}


def test_a_tournament_refuses_what_is_not_allowed_and_says_why() -> None:
    plan = Plan("Club night", max_players=2)
    now = fold(plan, [Joined("a")])
    with pytest.raises(TournamentError, match="entered already"):
        now.apply(Joined("a"))
    with pytest.raises(TournamentError, match="two or more"):
        now.apply(Started(("a",)))
    with pytest.raises(TournamentError, match="nobody of that name"):
        now.apply(Left("b"))
    now = now.apply(Joined("b"))
    with pytest.raises(TournamentError, match="all 2 places are taken"):
        now.apply(Joined("c"))
    with pytest.raises(TournamentError, match="has not begun"):
        now.apply(Decided(0, "a"))
    now = now.apply(Started(("b", "a")))
    with pytest.raises(TournamentError, match="has begun"):
        now.apply(Joined("c"))
    with pytest.raises(TournamentError, match="cannot be decided so"):
        now.apply(Decided(0, "c"))
    with pytest.raises(TournamentError, match="cannot be decided so"):
        now.apply(Decided(1, "a"))
    now = now.apply(Decided(0, "a"))
    assert now.stage is TournamentStage.OVER
    for event in (Joined("c"), Left("a"), Decided(0, "b"), TournamentCancelled()):
        with pytest.raises(TournamentError, match="is over"):
            now.apply(event)


def test_who_leaves_before_the_start_may_come_again() -> None:
    now = fold(Plan("x"), [Joined("a"), Joined("b"), Left("a"), Joined("a")])
    assert now.entrants == ("b", "a")


def test_a_cancelled_tournament_goes_no_further() -> None:
    now, happened = begun(Form.KNOCKOUT, 4)
    now = now.apply(TournamentCancelled("storm"))
    assert replay(now.plan, [*happened, TournamentCancelled("storm")]) == now  # type: ignore[list-item]
    assert (now.stage, now.reason) == (TournamentStage.CANCELLED, "storm")
    with pytest.raises(TournamentError, match="was cancelled"):
        now.apply(Decided(0, "p0"))


def test_the_last_rounds_have_lengths_of_their_own() -> None:
    now, _ = begun(Form.KNOCKOUT, 16, lengths=(5, 7, 9))
    assert [length_of(now, game) for game in games(now) if game.number in (0, 8, 12, 14)] == [5, 5, 7, 9]
    now, _ = begun(Form.DOUBLE, 4, lengths=(3, 5))
    assert {(game.part, length_of(now, game)) for game in games(now)} == {
        (Part.MAIN, 3), (Part.SECOND, 3), (Part.FINAL, 5),
    }  # fmt: skip


# ---------------------------------------------------------------- knock-outs


@given(st.integers(2, 70))
def test_every_player_sits_in_one_first_game_and_byes_go_to_the_best(players: int) -> None:
    now, _ = begun(Form.KNOCKOUT, players)
    first = [game for game in games(now) if game.round == 1]
    seated = [player for game in first for player in game.players if player != BYE]
    assert sorted(seated) == sorted(names(players))
    free = {game.winner for game in first if game.free}
    assert free == set(names(len(first) * 2 - players))
    assert sum(game.free for game in games(now)) == len(free), "nobody is free twice"


@given(st.integers(1, 6))
def test_the_best_two_can_meet_in_the_final_only(rounds: int) -> None:
    order = bracket.seed_order(2**rounds)
    assert sorted(order) == list(range(2**rounds))
    half = 2 ** (rounds - 1)
    for size in (2**n for n in range(rounds)):
        top = {order[index] // size for index in range(0, half, size)}
        assert 0 in top or 0 in {order[index] // size for index in range(half, 2 * half, size)}
    assert (order.index(0) < half) != (order.index(1) < half)


@settings(max_examples=40 if DEEP else 20)
@given(st.integers(2, 40), st.integers())
def test_a_knock_out_has_one_game_less_than_players_and_one_winner(players: int, seed: int) -> None:
    now, happened = begun(Form.KNOCKOUT, players)
    now = play_on(now, happened, Random(seed))
    assert len(now.results) == players - 1
    lost = Counter(player for game in games(now) if game.how for player in game.players if player != game.winner)
    best = standings(now)[0].player
    assert lost == Counter(name for name in names(players) if name != best)
    assert [line.rank for line in standings(now)][:4] == [1, 2, 3, 3][:players]


@settings(max_examples=40 if DEEP else 20)
@given(st.integers(2, 40), st.integers())
def test_in_a_double_knock_out_everybody_but_the_winner_loses_twice(players: int, seed: int) -> None:
    now, happened = begun(Form.DOUBLE, players)
    now = play_on(now, happened, Random(seed))
    lost = Counter(player for game in games(now) if game.how for player in game.players if player != game.winner)
    best = standings(now)[0].player
    assert lost[best] <= 1
    assert all(lost[name] == 2 for name in names(players) if name != best)
    assert len(now.results) == 2 * (players - 1) + lost[best]


def test_a_final_is_played_again_when_the_unbeaten_one_loses_it() -> None:
    now, _ = begun(Form.DOUBLE, 2)
    now = now.apply(Decided(0, "p0"))
    assert [game.players for game in open_games(now)] == [("p0", "p1")]
    again = now.apply(Decided(1, "p1"))
    assert [game.number for game in open_games(again)] == [2]
    assert standings(again.apply(Decided(2, "p1")))[0].player == "p1"
    assert now.apply(Decided(1, "p0")).stage is TournamentStage.OVER


def test_a_game_that_nobody_came_to_is_a_bye_for_the_next() -> None:
    now, _ = begun(Form.KNOCKOUT, 4)
    now = now.apply(Decided(0, None, How.ABSENT)).apply(Decided(1, "p1"))
    assert now.stage is TournamentStage.OVER
    assert standings(now)[0].player == "p1"


def test_who_leaves_loses_the_games_he_has_still_to_play_and_keeps_those_he_has_won() -> None:
    now, happened = begun(Form.KNOCKOUT, 4)
    now = settled(now.apply(Decided(0, "p0")).apply(Left("p0")), happened)
    assert now.results[0].winner == "p0"
    now = settled(now.apply(Decided(1, "p2")), happened)
    assert now.results[2] == Decided(2, "p2", How.AWAY)
    assert now.stage is TournamentStage.OVER


# ---------------------------------------------------------------- Swiss


@settings(max_examples=40 if DEEP else 20)
@given(st.integers(2, 24), st.integers(), st.sampled_from([0.0, 0.1]))
def test_in_a_swiss_round_everybody_plays_once_and_nobody_meets_again_while_that_can_be(
    players: int, seed: int, absent: float
) -> None:
    now, happened = begun(Form.SWISS, players, rounds=15)
    now = play_on(now, happened, Random(seed), absent)
    assert len(now.pairings) == now.rounds
    met: set[frozenset[str]] = set()
    for pairs in (pairing.pairs for pairing in now.pairings):
        assert sorted(player for both in pairs for player in both if player != BYE) == sorted(names(players))
        assert sum(BYE in both for both in pairs) == players % 2
        again = [both for both in pairs if frozenset(both) in met]
        assert not again or not _can_be_paired(names(players), met)
        met |= {frozenset(both) for both in pairs}


def _can_be_paired(players: tuple[str, ...], met: set[frozenset[str]]) -> bool:
    """Whether all can play without meeting again, by an independent algorithm."""
    import networkx

    everybody = [*players, BYE] if len(players) % 2 else list(players)
    graph = networkx.complete_graph(everybody)
    graph.remove_edges_from([tuple(both) for both in met])
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(everybody)


@given(st.integers(2, 40))
def test_a_first_round_pairs_the_upper_half_with_the_lower(players: int) -> None:
    order = names(players)
    pairs = swiss.pair(order, ())
    half = players // 2
    assert pairs[:half] == tuple((order[index], order[index + half]) for index in range(half))
    assert pairs[half:] == (((order[-1], BYE),) if players % 2 else ())


def test_who_has_been_free_is_not_free_again() -> None:
    now, happened = begun(Form.SWISS, 5, rounds=5)
    now = play_on(now, happened, Random(3))
    free = [first for pairing in now.pairings for first, second in pairing.pairs if second == BYE]
    assert sorted(free) == sorted(names(5))


def test_equal_points_meet() -> None:
    now, _ = begun(Form.SWISS, 8)
    for game in open_games(now):
        now = now.apply(Decided(game.number, game.players[0]))
    event = follows(now)
    assert isinstance(event, Paired)
    winners_of_the_first = {"p0", "p1", "p2", "p3"}
    assert all(len(winners_of_the_first & set(both)) in (0, 2) for both in event.pairs)


def test_ties_are_broken_by_the_opponents_then_by_who_beat_whom() -> None:
    meetings = [
        SwissResult(1, "a", "b", "a"), SwissResult(1, "c", "d", "c"),
        SwissResult(2, "a", "c", "a"), SwissResult(2, "b", "d", "b"),
        SwissResult(3, "a", "d", "d"), SwissResult(3, "b", "c", "b"),
    ]  # fmt: skip
    found = swiss.standings("abcd", meetings)
    assert [(line.player, line.rank, line.points, line.buchholz, line.direct) for line in found] == [
        ("a", 1, 2, 4, 1), ("b", 2, 2, 4, 0), ("c", 3, 1, 5, 1), ("d", 4, 1, 5, 0),
    ]  # fmt: skip
    assert [line.median for line in found] == [1, 1, 2, 2]


def test_what_nothing_tells_apart_shares_the_rank() -> None:
    found = swiss.standings("abcd", [SwissResult(1, "a", "b", "a"), SwissResult(1, "c", "d", "c")])
    assert [line.rank for line in found] == [1, 1, 3, 3]


def test_a_free_round_counts_as_a_win_over_somebody_with_half_the_points() -> None:
    found = swiss.standings("abc", [SwissResult(1, "a", "b", "a"), SwissResult(1, "c", BYE, "c")])
    assert {line.player: (line.points, line.buchholz) for line in found} == {"a": (1, 0), "b": (0, 1), "c": (1, 0.5)}


@pytest.mark.parametrize(
    ("players", "wanted", "rounds"), [(2, 0, 1), (3, 0, 2), (8, 0, 3), (9, 0, 4), (4, 9, 3), (5, 9, 5), (128, 0, 7)]
)
def test_rounds_are_as_many_as_tell_a_winner_and_no_more_than_there_are_opponents(
    players: int, wanted: int, rounds: int
) -> None:
    assert rounds_for(Plan("Club night", form=Form.SWISS, rounds=wanted), names(players)) == rounds


@pytest.mark.parametrize("players", [2, 3, 4, 7, 8, 24])
def test_in_a_round_robin_everybody_meets_everybody_once_and_plays_at_most_once_a_round(players: int) -> None:
    order = names(players)
    rounds = [round_robin.pair(order, number) for number in range(1, round_robin.rounds(players) + 1)]
    for pairs in rounds:
        playing = [player for both in pairs for player in both if player != BYE]
        assert sorted(playing) == sorted(order)
    met = Counter(frozenset(both) for pairs in rounds for both in pairs if BYE not in both)
    assert met == Counter({frozenset(both): 1 for both in combinations(order, 2)})


def test_a_round_robin_is_decided_by_wins_then_by_the_matches_among_equals_then_by_whom_they_have_beaten() -> None:
    won = [both.split(">") for both in ["a>b", "b>c", "c>a", "a>d", "b>d", "d>c", "e>d", "a>e", "b>e", "e>c"]]
    found = round_robin.standings("abcde", [SwissResult(1, one, other, one) for one, other in won])
    assert [(line.player, line.rank, line.points) for line in found] == [
        ("a", 1, 3), ("b", 2, 3), ("e", 3, 2), ("d", 4, 1), ("c", 5, 1),
    ]  # fmt: skip
    circle = [SwissResult(1, one, other, one) for one, other in (("a", "b"), ("b", "c"), ("c", "a"))]
    assert [line.rank for line in round_robin.standings("abc", circle)] == [1, 1, 1]
    byes = [*circle[:1], SwissResult(2, "c", BYE, "c")]
    assert {line.player: line.points for line in round_robin.standings("abc", byes)} == {"a": 1, "b": 0, "c": 0}


def test_a_round_robin_is_paired_round_by_round_and_a_league_at_once() -> None:
    robin, _ = begun(Form.ROBIN, 4)
    assert len(open_games(robin)) == 2
    league, _ = begun(Form.LEAGUE, 4)
    assert len(open_games(league)) == 6
    happened: list[object] = []
    for game in open_games(league):
        assert league.stage is TournamentStage.RUNNING
        league = settled(league.apply(Decided(game.number, game.players[0])), happened)
    assert league.stage is TournamentStage.OVER
    left, _ = begun(Form.LEAGUE, 3)
    left = settled(left.apply(Left("p0")), happened)
    assert [game.players for game in open_games(left)] == [("p1", "p2")], "who leaves loses what was still to play"


def test_who_enters_a_swiss_tournament_late_plays_from_the_next_round_on() -> None:
    now, happened = begun(Form.SWISS, 4, late=1)
    now = now.apply(Joined("late"))
    assert now.order[-1] == "late"
    for game in open_games(now):
        now = now.apply(Decided(game.number, game.players[0]))
    now = settled(now, happened)
    assert "late" in {player for both in now.pairings[1].pairs for player in both}
    assert {line.player: line.points for line in standings(now)}["late"] <= 1
    with pytest.raises(TournamentError, match="has begun"):
        now.apply(Joined("later"))
    strict, _ = begun(Form.SWISS, 4)
    with pytest.raises(TournamentError, match="has begun"):
        strict.apply(Joined("late"))


def test_latecomers_make_as_many_rounds_of_a_swiss_tournament_as_were_announced_or_as_a_winner_takes() -> None:
    for wanted, players, late, rounds in ((5, 4, 12, 5), (0, 8, 8, 4), (3, 8, 2, 3)):
        now, happened = begun(Form.SWISS, players, rounds=wanted, late=1)
        for number in range(late):
            happened.append(with_rounds(now, Joined(f"late{number}")))
            now = now.apply(happened[-1])  # type: ignore[arg-type]
        now = play_on(now, happened, Random(7))
        assert (len(now.pairings), now.stage) == (rounds, TournamentStage.OVER)
        assert replay(now.plan, happened) == now  # type: ignore[arg-type]


def test_a_log_from_before_latecomers_made_more_rounds_says_what_it_said() -> None:
    now, happened = begun(Form.SWISS, 4, rounds=5, late=1)
    happened += [Joined(f"late{number}") for number in range(12)]
    now = play_on(settled(fold(now.plan, happened), happened), happened, Random(7))  # type: ignore[arg-type]
    assert (len(now.pairings), now.stage) == (3, TournamentStage.OVER)


def test_only_a_latecomer_who_makes_more_rounds_is_logged_with_them() -> None:
    now, _ = begun(Form.SWISS, 5, late=1)
    assert with_rounds(now, Joined("late")) == Joined("late"), "three rounds are enough for six"
    more, _ = begun(Form.SWISS, 4, late=1)
    assert with_rounds(more, Joined("late")) == Joined("late", rounds=3)
    strict, _ = begun(Form.SWISS, 4)
    assert with_rounds(strict, Joined("late")) == Joined("late"), "it is refused"


def test_a_round_that_is_paired_keeps_its_length_when_latecomers_make_more_rounds() -> None:
    now, happened = begun(Form.SWISS, 4, lengths=(3, 5, 7), late=1)
    (first, *_) = open_games(now)
    assert length_of(now, first) == 5, "the first of two rounds"
    for number in range(12):
        now = now.apply(with_rounds(now, Joined(f"late{number}")))
    (first, *_) = open_games(now)
    assert (now.rounds, length_of(now, first)) == (4, 5)
    for game in open_games(now):
        now = now.apply(Decided(game.number, game.players[0]))
    (second, *_) = open_games(settled(now, happened))
    assert length_of(settled(now, happened), second) == 3


def test_a_director_names_helpers_and_names_nobody_twice() -> None:
    now, _happened = begun(Form.ROBIN, 4)
    helped = now.apply(HelperNamed("anna")).apply(HelperNamed("ben"))
    assert helped.helpers == ("anna", "ben")
    assert helped.apply(HelperNamed("anna", named=False)).helpers == ("ben",)
    for refused, reason in (
        (HelperNamed("anna"), "enters results already"),
        (HelperNamed("cleo", named=False), "enters no results"),
        (HelperNamed("walk-in:1"), "only a person with an account"),
    ):
        with pytest.raises(TournamentError, match=reason):
            helped.apply(refused)
    many = reduce(Tournament.apply, [HelperNamed(f"h{number}") for number in range(MAX_HELPERS)], now)
    with pytest.raises(TournamentError, match="21 helpers; allowed: at most 20"):
        many.apply(HelperNamed("one more"))
