"""Knock-out brackets as graphs: every match knows where its players come from; the results decide who plays.

Players are numbers here, from 0 for the best seed. An empty place is a bye for the opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

NOBODY: Final = -1
"""Marks an empty place: a bye for the opponent."""

BracketPlace = int | None
"""A player, NOBODY, or None if not decided yet."""

BothPlaces = tuple[BracketPlace, BracketPlace]


class From(StrEnum):
    """Where a player comes from. AGAIN: the loser of a final that was their first loss, so that it is replayed."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    AGAIN = "again"


class Part(StrEnum):
    """The part of a bracket that a match belongs to. SECOND: for players with one loss, also a consolation."""

    MAIN = "main"
    SECOND = "second"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class BracketSource:
    """The source of a player in a match. number: of the seed or of the match."""

    kind: From
    number: int


Sources = tuple[BracketSource, BracketSource]
"""Where both players of a match come from."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a bracket. number: its index in the list. round: within its part, from 1. left: rounds until the last of it.

    depth: how far a player has come who is eliminated here; higher is better.
    """

    number: int
    part: Part
    round: int
    left: int
    depth: int
    sources: Sources


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches of a knock-out, each after those its players come from. Who is seated in no later one is eliminated by a loss.

    players: the number of seeds. empty: seeds among them without a player.
    """

    players: int
    nodes: tuple[BracketMatch, ...]
    empty: frozenset[int] = frozenset()


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds from top to bottom, arranged so that the best two meet last; size is a power of two."""
    order = [0]
    while len(order) < size:
        order = [place for seed in order for place in (seed, 2 * len(order) - 1 - seed)]
    return tuple(order)


def _size(players: int) -> int:
    return 1 << max(1, (players - 1).bit_length())


@lru_cache(maxsize=32)
def single(players: int, consolation: bool = False) -> Bracket:
    """A single-elimination bracket. consolation: losers of all rounds but the last go on in a second part, and play for the ranks from the third on."""
    size = _size(players)
    if not consolation:
        return Bracket(players, tuple(_main(size, last=0, step=1)))
    main = _main(size, last=0, step=2)
    stages = 2 * (size.bit_length() - 2) - 1
    return Bracket(players, (*main, *_second(main, range(stages - 1, -1, -1))))


def _main(size: int, last: int, step: int) -> list[BracketMatch]:
    """The matches of undefeated players. last: rounds after this part's last one. step: depth added per round."""
    order, rounds = seed_order(size), size.bit_length() - 1
    nodes: list[BracketMatch] = []
    above: list[BracketSource] = [BracketSource(From.SEED, seed) for seed in order]
    for number in range(1, rounds + 1):
        begin = len(nodes)
        for index in range(0, len(above), 2):
            left = rounds - number + last
            sources = (above[index], above[index + 1])
            nodes.append(BracketMatch(len(nodes), Part.MAIN, number, left, step * number, sources))
        above = [BracketSource(From.WINNER, node.number) for node in nodes[begin:]]
    return nodes


@lru_cache(maxsize=32)
def double(players: int) -> Bracket:
    """A double-elimination bracket: after one loss players continue in the second part, whose winner reaches the final.

    If the winner of the second part wins the final, both players have one loss, and the final is replayed.
    """
    size = _size(players)
    rounds = size.bit_length() - 1
    main = _main(size, last=1, step=2)
    nodes = [*main, *_second(main, [left for left in range(rounds - 1, 0, -1) for _twice in range(2)])]
    below = BracketSource(From.WINNER if rounds > 1 else From.LOSER, nodes[-1].number)
    final = BracketMatch(
        len(nodes), Part.FINAL, 1, 0, 2 * rounds + 1, (BracketSource(From.WINNER, main[-1].number), below)
    )
    again = (BracketSource(From.WINNER, final.number), BracketSource(From.AGAIN, final.number))
    nodes += [final, BracketMatch(final.number + 1, Part.FINAL, 2, 0, 2 * rounds + 2, again)]
    return Bracket(players, tuple(nodes))


def _second(main: Sequence[BracketMatch], left: Iterable[int]) -> list[BracketMatch]:
    """The matches of players with one loss, numbered after `main`. left: rounds until the last, of each round here; in every other one losers come in."""
    nodes: list[BracketMatch] = []
    coming = _losers(main, 1)
    for stage, rounds_left in enumerate(left, 1):
        if stage % 2:
            pairs = list(zip(coming[::2], coming[1::2], strict=True))
        else:
            dropping = _losers(main, stage // 2 + 1)
            if stage % 4 == 2:
                dropping.reverse()  # delays rematches as long as possible
            pairs = list(zip(coming, dropping, strict=True))
        first = len(main) + len(nodes)
        nodes += [
            BracketMatch(number, Part.SECOND, stage, rounds_left, stage, sources)
            for number, sources in enumerate(pairs, first)
        ]
        coming = [BracketSource(From.WINNER, node.number) for node in nodes[first - len(main) :]]
    return nodes


def _losers(main: Sequence[BracketMatch], number: int) -> list[BracketSource]:
    return [BracketSource(From.LOSER, node.number) for node in main if node.round == number]


def places(bracket: Bracket, results: Mapping[int, int | None]) -> tuple[BothPlaces, ...]:
    """Who plays in each match. results: match -> its winner, or None if both lost it."""
    seated: list[BothPlaces] = []
    for node in bracket.nodes:
        first, second = (_who(bracket, seated.__getitem__, results, source) for source in node.sources)
        seated.append((first, second))
    return tuple(seated)


def places_of(bracket: Bracket, results: Mapping[int, int | None], number: int) -> BothPlaces:
    """Who plays in one match, as `places` has it; looks only at the matches that this depends on."""
    first, second = (
        _who(bracket, lambda other: places_of(bracket, results, other), results, source)
        for source in bracket.nodes[number].sources
    )
    return first, second


def _who(
    bracket: Bracket,
    seated: Callable[[int], BothPlaces],
    results: Mapping[int, int | None],
    source: BracketSource,
) -> BracketPlace:
    if source.kind is From.SEED:
        return source.number if source.number < bracket.players and source.number not in bracket.empty else NOBODY
    if source.kind is From.WINNER and source.number in results:
        return _winner((None, None), results, source.number)
    both = seated(source.number)
    winner = _winner(both, results, source.number)
    if winner is None or source.kind is From.WINNER:
        return winner
    loser = both[0] if both[1] == winner else both[1]
    if winner == NOBODY or (source.kind is From.AGAIN and winner == both[0]):
        return NOBODY
    return loser


def _winner(both: BothPlaces, results: Mapping[int, int | None], number: int) -> BracketPlace:
    """Who advances from a match; None while it is undecided."""
    if number in results:
        won = results[number]
        return NOBODY if won is None else won
    if NOBODY in both and None not in both:
        return both[0] if both[1] == NOBODY else both[1]
    return None


def ranking(bracket: Bracket, results: Mapping[int, int | None]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Ranks and the players who share them, best first; those not eliminated share the first, whoever has come furthest before the others.

    A rank is the one at the end: whoever is still to be eliminated as early counts as if they were.
    """
    seated, won = places(bracket, results), Counter(results.values())
    last = {player: node for node, both in zip(bracket.nodes, seated, strict=True) for player in both}
    follows = {source.number: node for node in bracket.nodes for source in node.sources if source.kind is From.WINNER}
    passing = {
        source.number for node in bracket.nodes for source in node.sources if source.kind in (From.LOSER, From.AGAIN)
    }

    def reach(node: BracketMatch) -> int:
        """How far its winner can come."""
        while node.number in follows:
            node = follows[node.number]
        return node.depth + 1

    groups: dict[int, list[tuple[int, int, int]]] = {}
    for player in sorted(set(range(bracket.players)) - bracket.empty):
        node = last[player]
        if _winner(seated[node.number], results, node.number) in (player, None):
            depth = reach(node)
        else:
            depth = node.depth
        groups.setdefault(depth, []).append((-node.depth, -won[player], player))
    ranked, ahead = [], 0
    for depth in sorted(groups, reverse=True):
        coming = sum(
            node.depth <= depth < reach(node)
            and node.number not in passing
            and NOBODY not in seated[node.number]
            and _winner(seated[node.number], results, node.number) is None
            for node in bracket.nodes
        )
        ranked.append((ahead + 1 - coming, tuple(player for _stand, _won, player in sorted(groups[depth]))))
        ahead += len(groups[depth])
    return tuple(ranked)
