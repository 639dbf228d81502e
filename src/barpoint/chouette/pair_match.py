"""The games of a chouette as matches: the box against one player of the team, as a money session of one game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from barpoint.chouette.state import Chouette
from barpoint.game import Event
from barpoint.match import Match, MatchTerms


@dataclass(frozen=True, slots=True)
class PairMatch:
    """A finished game between the box and one player. game: counted from 1. match: the box is player 0."""

    game: int
    box: int
    player: int
    match: Match


def pair_matches(chouette: Chouette) -> Iterator[PairMatch]:
    """Every finished game of a chouette against every player, in order."""
    now = Chouette.start(chouette.rules, chouette.terms)
    happened: dict[int, list[Event]] = {}
    for event in chouette.events:
        before, now = now, now.replay(event)
        if now.first != before.first:
            happened = {pair.player: [] for pair in now.pairs}
        for pair in now.pairs:
            old = before.pair(pair.player) if now.first == before.first else None
            if pair.game.last is not None and (old is None or old.game.last is not pair.game.last):
                happened[pair.player].append(pair.game.last)
        if len(now.finished) > len(before.finished):
            ended = now.finished[-1]
            for player, _ in ended.results:
                match = Match.fold(chouette.rules, _terms(chouette), happened[player])
                yield PairMatch(len(now.finished), ended.line[0], player, match)


def _terms(chouette: Chouette) -> MatchTerms:
    terms = chouette.terms
    return MatchTerms(
        length=0,
        cube=terms.cube,
        crawford=False,
        jacoby=terms.jacoby,
        beavers=terms.beavers,
        automatic_doubles=terms.automatic_doubles,
        cube_limit=terms.cube_limit,
    )
