"""Knock-out brackets as graphs: every match knows where its players come from; the results decide who plays.

Players are numbers here, from 0 for the best seed. An empty place is a bye for the opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NOBODY: Final = -1
"""Marks an empty place: a bye for the opponent."""

BracketPlace = int | None
"""A player, NOBODY, or None if not decided yet."""


class From(StrEnum):
    """Where a player comes from. AGAIN: the loser of a final that was their first loss, so that it is replayed."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    AGAIN = "again"


class Part(StrEnum):
    """The part of a bracket that a match belongs to. SECOND: for players with one loss."""

    MAIN = "main"
    SECOND = "second"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class BracketSource:
    """The source of a player in a match. number: of the seed or of the match."""

    kind: From
    number: int


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a bracket. number: its index in the list. round: within its part, from 1. left: rounds until the last.

    depth: how far a player has come who is eliminated here; higher is better.
    """

    number: int
    part: Part
    round: int
    left: int
    depth: int
    sources: tuple[BracketSource, BracketSource]


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches of a knock-out, each after those its players come from. lives: losses that eliminate a player."""

    players: int
    lives: int
    nodes: tuple[BracketMatch, ...]


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds from top to bottom, arranged so that the best two meet last; size is a power of two."""
    order = [0]
    while len(order) < size:
        order = [place for seed in order for place in (seed, 2 * len(order) - 1 - seed)]
    return tuple(order)


def _size(players: int) -> int:
    return 1 << max(1, (players - 1).bit_length())


def single(players: int) -> Bracket:
    """A single-elimination bracket."""
    return Bracket(players, 1, tuple(_main(_size(players), last=0, step=1)))


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


def double(players: int) -> Bracket:
    """A double-elimination bracket: after one loss players continue in the second part, whose winner reaches the final.

    If the winner of the second part wins the final, both players have one loss, and the final is replayed.
    """
    size = _size(players)
    rounds = size.bit_length() - 1
    nodes = _main(size, last=1, step=2)
    by_round = {number: [node for node in nodes if node.round == number] for number in range(1, rounds + 1)}
    coming = [BracketSource(From.LOSER, node.number) for node in by_round[1]]
    stage = 0
    for number in range(2, rounds + 1):
        dropping = [BracketSource(From.LOSER, node.number) for node in by_round[number]]
        if number % 2 == 0:
            dropping.reverse()  # delays rematches as long as possible
        for pairs in (_pairs(coming), None):
            stage += 1
            pairs = pairs or list(zip(coming, dropping, strict=True))
            coming = []
            for sources in pairs:
                node = BracketMatch(len(nodes), Part.SECOND, stage, rounds - number + 1, stage, sources)
                nodes.append(node)
                coming.append(BracketSource(From.WINNER, node.number))
    top = by_round[rounds][0].number
    final = BracketMatch(len(nodes), Part.FINAL, 1, 0, 2 * rounds + 1, (BracketSource(From.WINNER, top), coming[0]))
    again = (BracketSource(From.WINNER, final.number), BracketSource(From.AGAIN, final.number))
    nodes += [final, BracketMatch(final.number + 1, Part.FINAL, 2, 0, 2 * rounds + 2, again)]
    return Bracket(players, 2, tuple(nodes))


def _pairs(sources: list[BracketSource]) -> list[tuple[BracketSource, BracketSource]]:
    return [(sources[index], sources[index + 1]) for index in range(0, len(sources), 2)]


def places(bracket: Bracket, results: Mapping[int, int | None]) -> tuple[tuple[BracketPlace, BracketPlace], ...]:
    """Who plays in each match. results: match -> its winner, or None if both lost it."""
    seated: list[tuple[BracketPlace, BracketPlace]] = []
    for node in bracket.nodes:
        first, second = (_who(bracket, seated, results, source) for source in node.sources)
        seated.append((first, second))
    return tuple(seated)


def _who(
    bracket: Bracket,
    seated: list[tuple[BracketPlace, BracketPlace]],
    results: Mapping[int, int | None],
    source: BracketSource,
) -> BracketPlace:
    if source.kind is From.SEED:
        return source.number if source.number < bracket.players else NOBODY
    both = seated[source.number]
    winner = _winner(both, results, source.number)
    if winner is None or source.kind is From.WINNER:
        return winner
    loser = both[0] if both[1] == winner else both[1]
    if winner == NOBODY or (source.kind is From.AGAIN and winner == both[0]):
        return NOBODY
    return loser


def _winner(both: tuple[BracketPlace, BracketPlace], results: Mapping[int, int | None], number: int) -> BracketPlace:
    """Who advances from a match; None while it is undecided."""
    if number in results:
        won = results[number]
        return NOBODY if won is None else won
    if NOBODY in both and None not in both:
        return both[0] if both[1] == NOBODY else both[1]
    return None


def ranking(bracket: Bracket, results: Mapping[int, int | None]) -> tuple[tuple[int, ...], ...]:
    """The players grouped by rank, best first: those not eliminated, then those eliminated last."""
    seated = places(bracket, results)
    losses: Counter[int] = Counter()
    depth: dict[int, int] = {}
    for node in bracket.nodes:
        if node.number not in results:
            continue
        winner = results[node.number]
        for player in seated[node.number]:
            if player is None or player in (NOBODY, winner):
                continue
            losses[player] += 1 if winner is not None else bracket.lives
            if losses[player] >= bracket.lives:
                depth.setdefault(player, node.depth)
    groups: dict[int, list[int]] = {}
    for player in range(bracket.players):
        groups.setdefault(-depth.get(player, len(bracket.nodes) + 9), []).append(player)
    return tuple(tuple(groups[key]) for key in sorted(groups))
