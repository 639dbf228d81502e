"""What statistics keep of an analysed match: sums of both players, small enough to add up thousands of matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from math import sqrt

from msgspec import Struct

from barpoint.analysis.findings import PR_FACTOR, Decision, Findings, tally
from barpoint.analysis.opening_plays import OpeningMade, opening_plays
from barpoint.analysis.score_kinds import ScoreKind, score_kind_of
from barpoint.match import Match

VERSION = 4
"""Raised when a summary of the same analysis would hold something else."""

CONFIDENCE = 1.96
"""Standard errors on each side of a mean within which the true one lies 95 times in 100."""


class Losses(Struct, frozen=True, omit_defaults=True):
    """Unforced decisions added up. loss, cost: summed, as in Decision. squares: of the losses."""

    decisions: int = 0
    loss: float = 0.0
    squares: float = 0.0
    cost: float = 0.0
    doubtful: int = 0
    errors: int = 0
    blunders: int = 0

    def __add__(self, other: Losses) -> Losses:
        return added((self, other))

    @property
    def rating(self) -> float:
        """The performance rating (PR); 0 without decisions."""
        return PR_FACTOR * self.loss / self.decisions if self.decisions else 0.0

    @property
    def margin(self) -> float:
        """Half the width of the interval that holds the true rating 95 times in 100; 0 below two decisions."""
        if self.decisions < 2:
            return 0.0
        mean = self.loss / self.decisions
        variance = max(0.0, self.squares / self.decisions - mean * mean) * self.decisions / (self.decisions - 1)
        return CONFIDENCE * PR_FACTOR * sqrt(variance / self.decisions)


class LossesPart(Struct, frozen=True):
    """The losses of one kind of decision at one stage of games and one kind of score. kind, stage: as in Decision; score: of `score_kinds`."""

    kind: str
    stage: str
    losses: Losses
    score: str = ""


class AnalysedPlayer(Struct, frozen=True):
    """One player of a match. luck: of their rolls, summed; luck_value: the same as a value."""

    parts: tuple[LossesPart, ...]
    luck: float
    luck_value: float

    @property
    def losses(self) -> Losses:
        """All decisions together."""
        return added(part.losses for part in self.parts)


class Mistake(Struct, frozen=True, omit_defaults=True):
    """A marked decision that counts for the rating. event, game, kind, stage, mark, loss, cost: as in Decision. made, best: in notation.

    theme: what it is about first of all (`themes.NAMES`), "" if nothing was found.
    """

    event: int
    game: int
    player: int
    kind: str
    stage: str
    mark: str
    loss: float
    cost: float
    made: str
    best: str
    faces: tuple[int, ...] = ()
    theme: str = ""


class AnalysedMatch(Struct, frozen=True, omit_defaults=True):
    """An analysed match. result: of player 0, as in Findings. played_on: the day, such as 2026-05-03, if it is known.

    mistakes: the marked decisions of both players, the largest loss first. crawford: which game was the Crawford game, 0 for none.
    openings: the first two plays of each game.
    """

    rules: str
    length: int
    names: tuple[str, str]
    plies: int
    net: str
    players: tuple[AnalysedPlayer, AnalysedPlayer]
    result: float | None = None
    played_on: str = ""
    mistakes: tuple[Mistake, ...] = ()
    crawford: int = 0
    openings: tuple[OpeningMade, ...] = ()

    def won(self, player: int) -> bool | None:
        """Whether a player won the match or session; None for neither, or if it is not over."""
        if self.result is None:
            return None
        lead = self.result - (0.5 if self.length else 0)
        return None if not lead else (lead > 0) == (player == 0)


@dataclass(frozen=True, slots=True)
class _Games:
    """What the games of a match say. scores: the kind of score of each, for both players. openings: the plays of first and second turns."""

    scores: Mapping[int, tuple[ScoreKind, ScoreKind]]
    crawford: int
    openings: tuple[tuple[Match, Decision], ...]


def _games(found: Findings, match: Match) -> _Games:
    plays = {one.event: one for one in found.decisions if one.kind == "play"}
    scores: dict[int, tuple[ScoreKind, ScoreKind]] = {}
    crawford, openings = 0, []
    for seq, (before, _event) in enumerate(islice(match.history(), found.events), start=1):
        game = len(before.finished) + (not before.game.over)
        if game not in scores:
            scores[game] = score_kind_of(before, 0), score_kind_of(before, 1)
            crawford = crawford or game * before.crawford
        if seq in plays and before.game.turn_number <= 2:
            openings.append((before, plays[seq]))
    return _Games(scores, crawford, tuple(openings))


def summarise(found: Findings, match: Match, played_on: str = "") -> AnalysedMatch:
    """The summary of an analysis. match: the one that was analysed."""
    games = _games(found, match)
    return AnalysedMatch(
        rules=found.rules,
        length=found.length,
        names=found.names,
        plies=found.plies,
        net=found.net,
        players=(_player(found, 0, games), _player(found, 1, games)),
        result=found.result,
        played_on=played_on,
        mistakes=tuple(mistake_of(one) for one in found.worst() if one.counted),
        crawford=games.crawford,
        openings=tuple(opening_plays(games.openings)),
    )


def mistake_of(one: Decision) -> Mistake:
    """What is kept of a decision."""
    return Mistake(
        event=one.event,
        game=one.game,
        player=one.player,
        kind=one.kind,
        stage=one.stage,
        mark=one.mark,
        loss=one.loss,
        cost=one.cost,
        made=one.made.text,
        best=one.best.text,
        faces=one.faces,
        theme=one.themes[0].name if one.themes else "",
    )


def added(losses: Iterable[Losses]) -> Losses:
    """Losses added up."""
    found = list(losses)
    return Losses(
        decisions=sum(one.decisions for one in found),
        loss=sum(one.loss for one in found),
        squares=sum(one.squares for one in found),
        cost=sum(one.cost for one in found),
        doubtful=sum(one.doubtful for one in found),
        errors=sum(one.errors for one in found),
        blunders=sum(one.blunders for one in found),
    )


def _player(found: Findings, player: int, games: _Games) -> AnalysedPlayer:
    parts: dict[tuple[str, str, str], list[Decision]] = defaultdict(list)
    for one in found.decisions:
        if one.player == player and one.counted:
            parts[one.kind, one.stage, games.scores[one.game][player]].append(one)
    totals = found.players[player]
    return AnalysedPlayer(
        parts=tuple(
            LossesPart(kind, stage, _losses(decisions), score)
            for (kind, stage, score), decisions in sorted(parts.items())
        ),
        luck=round(totals.luck, 6),
        luck_value=round(totals.luck_value, 6),
    )


def _losses(decisions: list[Decision]) -> Losses:
    found = tally(decisions)
    return Losses(
        decisions=found.decisions,
        loss=round(found.loss, 6),
        squares=round(sum(one.loss**2 for one in decisions), 8),
        cost=round(found.cost, 6),
        doubtful=found.doubtful,
        errors=found.errors,
        blunders=found.blunders,
    )
