"""Groups before a knock-out: how they are drawn and paired, who goes on, and whom they meet there."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from barpoint.server.domain import bracket, groups
from barpoint.server.domain.bracket import seed_order
from barpoint.server.domain.swiss import BYE, SwissResult
from barpoint.server.domain.tournament_events import Advanced, Decided, Form, Left, Plan, TournamentError
from barpoint.server.domain.tournament_matches import games, group_tables, length_of
from barpoint.server.domain.tournament_pairing import follows
from barpoint.server.domain.tournament_standings import standings
from tests.server.domain.test_tournaments import begun, names, open_games, play_on, settled


def test_groups_are_equally_strong_and_differ_by_one_player_at_most() -> None:
    assert groups.drawn("abcdefgh", 2, 2) == (("a", "d", "e", "h"), ("b", "c", "f", "g"))
    assert [len(group) for group in groups.drawn(names(11), 3, 2)] == [3, 4, 4]
    assert groups.drawn("abcde", 4, 2) == (("a", "b", "c", "d", "e"),), "too few players for two groups"


@pytest.mark.parametrize("players", [4, 7, 11, 16])
def test_everybody_meets_everybody_of_their_group_once(players: int) -> None:
    drawn = groups.drawn(names(players), 3, 1)
    rounds = [groups.pair(drawn, number) for number in range(1, groups.rounds(drawn) + 1)]
    for pairs in rounds:
        playing = Counter(player for both in pairs for player in both if player != BYE)
        assert set(playing.values()) == {1}, "nobody plays twice in a round"
    met = Counter(frozenset(both) for pairs in rounds for both in pairs if BYE not in both)
    assert met == Counter(frozenset(both) for group in drawn for both in combinations(group, 2))


@pytest.mark.parametrize(
    ("count", "advancing"), [(2, 2), (3, 2), (4, 2), (5, 2), (8, 2), (16, 2), (2, 4), (4, 4), (6, 3)]
)
def test_players_of_one_group_meet_as_late_as_the_bracket_allows(count: int, advancing: int) -> None:
    drawn = groups.drawn(names(count * (advancing + 1)), count, advancing)
    random = Random(count)
    results = [
        SwissResult(1, one, other, random.choice((one, other))) for g in drawn for one, other in combinations(g, 2)
    ]
    order = groups.seeds(groups.tables(drawn, results), advancing, ())
    assert len(order) == count * advancing
    group_of = {player: number for number, group in enumerate(drawn) for player in group}
    firsts = {table[0].player for table in groups.tables(drawn, results)}
    assert set(order[:count]) == firsts, "the winners of the groups are seeded first"
    size = len(bracket.single(len(order)).nodes) + 1
    at = {seed: index for index, seed in enumerate(seed_order(size))}
    rounds = size.bit_length() - 1
    parts = 1 << (advancing - 1).bit_length()  # of the bracket, one for each player of a group
    for one, other in combinations(range(len(order)), 2):
        if group_of[order[one]] == group_of[order[other]]:
            meets = (at[one] ^ at[other]).bit_length()
            assert meets > rounds - parts.bit_length() + 1, f"seeds {one} and {other} meet in round {meets} of {rounds}"


def test_the_best_of_each_group_play_a_knock_out_and_rank_before_all_others() -> None:
    now, happened = begun(Form.GROUPS, 8, groups=2, advance=2, lengths=(3, 5, 7))
    assert now.groups == (("p0", "p3", "p4", "p7"), ("p1", "p2", "p5", "p6"))
    assert now.rounds == 3
    while not now.knockout:
        for game in open_games(now):  # the better seed wins
            assert length_of(now, game) == 3
            now = now.apply(Decided(game.number, min(game.players)))  # type: ignore[type-var]
        now = settled(now, happened)
    assert [[line.player for line in table] for table in group_tables(now)] == [list(group) for group in now.groups]
    assert now.knockout == ("p0", "p1", "p3", "p2"), "who came second meets the winner of the other group"
    assert [(game.players, length_of(now, game)) for game in games(now)[12:]] == [
        (("p0", now.knockout[3]), 5), (("p1", now.knockout[2]), 5), ((None, None), 7),
    ]  # fmt: skip
    now = play_on(now, happened, Random(1))
    found = standings(now)
    assert {line.player for line in found[:4]} == set(now.knockout)
    assert [(line.player, line.rank) for line in found[4:]] == [("p4", 5), ("p5", 5), ("p7", 7), ("p6", 7)]


def test_who_has_left_does_not_go_on_and_the_next_of_their_group_does() -> None:
    now, happened = begun(Form.GROUPS, 6, groups=2, advance=1)
    while not now.knockout:
        assert not isinstance(follows(now), Advanced)
        for game in open_games(now):
            if game.playable and len(now.pairings) == now.rounds and "p0" not in now.away:
                now = settled(now.apply(Left("p0")), happened)
                break
            now = now.apply(Decided(game.number, min(game.players)))  # type: ignore[type-var]
        now = settled(now, happened)
    assert now.groups == (("p0", "p3", "p4"), ("p1", "p2", "p5"))
    assert set(now.knockout) == {"p3", "p1"}
    with pytest.raises(TournamentError, match="groups are not over"):
        now.apply(Advanced(("p4",)))


def test_a_knock_out_does_not_begin_before_its_groups_are_over() -> None:
    now, _ = begun(Form.GROUPS, 6, groups=2, advance=1)
    with pytest.raises(TournamentError, match="groups are not over"):
        now.apply(Advanced(("p0", "p1")))
    assert Plan("Club night", form=Form.GROUPS).form.eliminating
