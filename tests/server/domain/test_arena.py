"""Arenas as values: who is paired, what a win is worth, who comes back, and that an arena ends."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.server.domain import arena
from barpoint.server.domain.time_control import HOUR, MINUTE
from barpoint.server.domain.tournament_events import (
    ByeAsked,
    Closed,
    Decided,
    Extended,
    Form,
    How,
    Joined,
    Left,
    Paired,
    Plan,
    Started,
    TournamentError,
    TournamentEvent,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import TournamentMatch, free_players, games
from barpoint.server.domain.tournament_pairing import follows
from barpoint.server.domain.tournament_plans import checked_plan, describe_plan
from barpoint.server.domain.tournament_standings import standings, winners
from barpoint.server.domain.tournaments import Tournament, replay

ARENA = Plan("Evening arena", form=Form.ARENA, lengths=(3,), max_players=40, duration_ms=HOUR)
UNTIL = 2 * HOUR


class Evening:
    """An arena whose events are kept; after each, whoever is free is paired."""

    def __init__(self, players: int) -> None:
        self.now, self.happened = Tournament(ARENA), list[TournamentEvent]()
        names = tuple(f"p{number}" for number in range(players))
        for event in (*map(Joined, names), Started(names, until=UNTIL)):
            self.take(event)

    def take(self, event: TournamentEvent) -> None:
        """Applies an event and what follows from it."""
        following: TournamentEvent | None = event
        while following is not None:
            self.now = self.now.apply(following)
            self.happened.append(following)
            following = follows(self.now)

    @property
    def open(self) -> list[TournamentMatch]:
        """The matches that are being played."""
        return [game for game in games(self.now) if game.playable]

    def win(self, player: str, how: How = How.PLAYED) -> None:
        """A player wins their match."""
        self.take(Decided(next(game.number for game in self.open if player in game.players), player, how))

    def pairs(self) -> set[frozenset[str | None]]:
        """Who is playing whom."""
        return {frozenset(game.players) for game in self.open}


def pair(*players: str) -> frozenset[str]:
    return frozenset(players)


def test_a_win_is_worth_two_points_and_from_the_third_in_a_row_on_four() -> None:
    won = ["a", "a", "a", "a", "b", "a"]
    (first, second) = arena.standings("ab", [("a", "b", winner) for winner in won])
    assert (first.player, first.points, first.won, first.played, first.streak) == ("a", 2 + 2 + 4 + 4 + 2, 5, 6, 1)
    assert (second.points, second.won, second.streak) == (2, 1, 0)
    assert arena.standings("ab", [("a", "b", None)] * 3)[0].points == 0, "who both lose get nothing"


def test_equal_points_are_told_apart_by_wins_and_who_is_equal_even_then_shares_the_rank() -> None:
    four_wins = [("a", "x", "a")] * 3 + [("a", "x", "x")] * 2  # 2 + 2 + 4 for a
    others = [one for player in "bc" for _ in range(4) for one in ((player, "y", player), (player, "y", "y"))]
    ranks = {line.player: (line.rank, line.points, line.won) for line in arena.standings("abcxy", four_wins + others)}
    assert ranks["b"] == ranks["c"] == (2, 8, 4)
    assert ranks["a"] == (4, 8, 3)
    assert ranks["y"][:2] == (1, 16)


def test_all_are_paired_at_the_start_and_whoever_is_free_at_once() -> None:
    evening = Evening(5)
    assert len(evening.open) == 2
    (waiting,) = free_players(evening.now)
    first = evening.open[0].players[0]
    evening.win(str(first))
    assert waiting in {player for game in evening.open for player in game.players}, "who has waited plays"
    assert len(evening.open) == 2


def test_two_do_not_play_again_at_once_where_many_take_part() -> None:
    evening = Evening(6)
    one = evening.open[0]
    evening.win(str(one.players[0]))
    assert len(evening.open) == 2, "both wait until somebody else is free"
    evening.win(str(evening.open[0].players[0]))
    assert len(evening.open) == 3
    assert pair(*map(str, one.players)) not in evening.pairs()


def test_where_few_take_part_two_play_again_rather_than_wait() -> None:
    evening = Evening(4)
    one = evening.open[0]
    evening.win(str(one.players[0]))
    assert pair(*map(str, one.players)) in evening.pairs()


def test_players_with_nearly_as_many_points_meet() -> None:
    evening = Evening(8)
    for game in list(evening.open):
        evening.take(Decided(game.number, game.players[0]))
    points = {line.player: line.points for line in standings(evening.now)}
    assert all(len({points[str(player)] for player in both}) == 1 for both in evening.pairs())


def test_who_has_played_most_sits_out_however_far_apart_the_others_are() -> None:
    meetings = [("leader", "x", "leader")] * 40_000 + [("last", "x", "x")] * 39_999 + [("most", "x", "most")] * 40_001
    table = arena.standings(("leader", "last", "most", "x"), meetings)
    assert set(arena.pair(("leader", "last", "most"), table, {}, 4)[0]) == {"leader", "last"}


def test_who_pauses_plays_their_match_to_its_end_and_is_paired_again_once_they_come_back() -> None:
    evening = Evening(2)
    evening.take(Left("p0"))
    assert evening.pairs() == {pair("p0", "p1")}, "the match goes on"
    evening.win("p0")
    assert evening.open == []
    assert standings(evening.now)[0].player == "p0"
    evening.take(Joined("p0"))
    assert evening.pairs() == {pair("p0", "p1")}
    with pytest.raises(TournamentError, match="entered already"):
        evening.take(Joined("p0"))


@pytest.mark.parametrize("how", [How.ABSENT, How.LEFT])
def test_who_does_not_come_to_a_match_pauses(how: How) -> None:
    evening = Evening(2)
    evening.win("p1", how)
    assert (evening.now.away, evening.open) == ({"p0"}, [])
    evening.take(Joined("p0"))
    evening.take(Decided(1, None, How.ABSENT))
    assert evening.now.away == {"p0", "p1"}
    assert evening.now.stage is TournamentStage.RUNNING, "others may still come"
    assert winners(evening.now)[0] == ("p1",), "who pauses keeps their rank and their prize"


def test_who_is_removed_loses_their_match_and_does_not_come_back() -> None:
    evening = Evening(3)
    there = str(evening.open[0].players[0])
    evening.take(Left(there, removed=True))
    assert evening.now.results[0].how is How.AWAY
    with pytest.raises(TournamentError, match="entered already"):
        evening.take(Joined(there))
    assert there not in {player for together in winners(evening.now) for player in together}


def test_who_comes_later_is_paired_at_once() -> None:
    evening = Evening(3)
    (waiting,) = free_players(evening.now)
    evening.take(Joined("late"))
    assert pair("late", waiting) in evening.pairs()
    assert evening.now.order[-1] == "late"


def test_when_the_time_is_over_what_is_being_played_is_played_to_its_end() -> None:
    evening = Evening(4)
    evening.take(Closed())
    with pytest.raises(TournamentError, match="has begun"):
        evening.take(Joined("late"))
    with pytest.raises(TournamentError, match="time of this arena is over"):
        evening.take(Extended(UNTIL + HOUR))
    evening.win("p0")
    assert (evening.now.stage, len(evening.open)) == (TournamentStage.RUNNING, 1)
    evening.win(str(evening.open[0].players[0]))
    assert evening.now.stage is TournamentStage.OVER


def test_only_who_is_free_is_paired_and_only_an_arena_is_closed() -> None:
    evening = Evening(4)
    with pytest.raises(TournamentError, match="who are free"):
        evening.take(Paired((("p0", "p1"),)))
    knockout = reduce(Tournament.apply, (Joined("a"), Joined("b"), Started(("a", "b"))), Tournament(Plan("x")))
    with pytest.raises(TournamentError, match="only an arena"):
        knockout.apply(Closed())


@settings(max_examples=60)
@given(st.integers(2, 14), st.integers())
def test_whatever_happens_an_arena_pairs_fairly_ends_and_its_log_says_everything(players: int, seed: int) -> None:
    evening, random = Evening(players), Random(seed)
    for number in range(60):
        there = sorted(set(evening.now.entrants) - evening.now.away)
        paused = sorted(evening.now.away - evening.now.removed)
        kind = random.random()
        if kind < 0.05:
            evening.take(Joined(f"late{number}"))
        elif kind < 0.12 and there:
            evening.take(Left(random.choice(there), removed=random.random() < 0.2))
        elif kind < 0.2 and paused:
            evening.take(Joined(random.choice(paused)))
        elif evening.open:
            game = random.choice(evening.open)
            winner = random.choice([*game.players, *game.players, None])
            evening.take(Decided(game.number, winner, random.choice([How.PLAYED, How.PLAYED, How.ABSENT])))
        playing = Counter(player for game in evening.open for player in game.players)
        assert max(playing.values(), default=1) == 1, "nobody plays two matches at once"
        assert not evening.now.removed & set(playing)
        free = free_players(evening.now)
        assert len(free) < 3, "of three who are free, two can be paired"
    evening.take(Closed())
    paired = len(evening.now.pairings)
    while evening.open:
        evening.win(str(evening.open[0].players[0]))
    assert (evening.now.stage, len(evening.now.pairings)) == (TournamentStage.OVER, paired)
    assert replay(ARENA, evening.happened) == evening.now
    lines = standings(evening.now)
    assert sum(line.won for line in lines) == sum(game.winner is not None for game in games(evening.now))
    assert sum(line.played for line in lines) == 2 * len(games(evening.now))


def test_the_plan_of_an_arena_has_a_duration_one_length_and_no_real_boards() -> None:
    wanted = Plan(
        "Evening arena", form=Form.ARENA, lengths=(3, 5, 7), boards=True, duration_ms=90 * MINUTE, patience_ms=MINUTE
    )
    plan = checked_plan(wanted, 0)
    assert (plan.lengths, plan.boards, plan.duration_ms, plan.round_ms) == ((3,), False, 90 * MINUTE, 10 * MINUTE)
    assert describe_plan(plan).startswith("Arena of 90 minutes, 3 points")
    assert checked_plan(Plan("Swiss night", form=Form.SWISS, duration_ms=HOUR), 0).duration_ms == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"duration_ms": 0}, "duration: '0'; allowed: 10 to 1440"),
        ({"duration_ms": 25 * HOUR}, "duration: '1500'; allowed: 10 to 1440"),
        ({"patience_ms": 2 * HOUR}, "2 hours; allowed in an arena of 1 hour: as long as it lasts, or shorter"),
        ({"time_control": "Correspondence"}, "allowed in an arena: clocks by the minute"),
    ],
)
def test_plans_of_arenas_that_cannot_be_played_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        checked_plan(Plan("Evening arena", form=Form.ARENA, **{"duration_ms": HOUR, **changes}), 0)  # type: ignore[arg-type]


def test_an_arena_has_no_byes_because_players_pause() -> None:
    evening = Evening(3)
    with pytest.raises(TournamentError, match="an arena: who pauses is not paired"):
        evening.now.apply(ByeAsked("p0"))
