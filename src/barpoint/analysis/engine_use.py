"""Does somebody agree with the engine more often than people of their strength do? A hint, and no proof.

The model of people (`engine/people.py`) says how often people of a rating make the best play of a decision, and how large
their errors are. Over many plays, above all difficult ones, a player can be compared with that. Reports keep the best few
options of a decision; the model is asked about those, so it expects somewhat more of people than they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.analysis.answer import states_before
from barpoint.analysis.findings import PR_FACTOR, Decision, Findings
from barpoint.engine.people import AVERAGE_PR, people_parameters, play_blurs, play_chances, play_features
from barpoint.game.event import position_of
from barpoint.match import Match
from barpoint.moves import encode, in_contact

_Floats = npt.NDArray[np.float64]

AS_GOOD: Final = 0.001
"""Points below which a play counts as the best one."""

EDGES: Final = (0.02, 0.04, 0.08, 0.16)
"""Losses that divide errors: doubtful, errors and blunders as analyses mark them."""

DIFFICULT: Final = 0.5
"""A decision is difficult if average people make the best play less often than that."""

BEST_PEOPLE_PR: Final = 3.0
"""The rating of the best people over many matches; who plays better is compared with them."""

MODEL_MARGIN: Final = 0.04
"""By how much people of one rating scatter around the model: the standard deviation of their share of best plays."""

ENOUGH: Final = 60
"""Difficult plays below which nothing is said."""

NOTABLE: Final = 2.5
STRIKING: Final = 4.0
"""Standard deviations above what is expected from which agreement is notable, and striking."""


@dataclass(frozen=True, slots=True)
class UnforcedPlay:
    """An unforced play. losses: [n] of the options that the report keeps, the best first. chosen: index.

    blurs, features: of the model of people. thought_ms: from the roll to the play; None where it is not known.
    """

    losses: _Floats
    chosen: int
    blurs: _Floats
    features: _Floats
    thought_ms: int | None = None

    @property
    def loss(self) -> float:
        """Points lost."""
        return float(self.losses[self.chosen])

    def expected(self, skill: float) -> _Floats:
        """[1 + EDGES + 1] how likely people of a skill make the best play, or lose less than each edge, or more."""
        chances = play_chances(people_parameters(), skill, self.losses, self.blurs, self.features)
        return np.asarray(np.bincount(_sizes(self.losses), chances, len(EDGES) + 2), np.float64)


def _sizes(losses: _Floats) -> npt.NDArray[np.intp]:
    return np.digitize(losses, (AS_GOOD, *EDGES))


@dataclass(frozen=True, slots=True)
class PlayAgreement:
    """How often the best play was made. expected: by people of the same rating; deviation: standard deviation of that.

    sizes, expected_sizes: shares of plays that are the best, lose less than each of EDGES, or more.
    """

    plays: int
    best: int
    expected: float
    deviation: float
    sizes: tuple[float, ...]
    expected_sizes: tuple[float, ...]

    @property
    def surprise(self) -> float:
        """How many standard deviations more often than expected."""
        return (self.best - self.expected) / self.deviation if self.deviation else 0.0


@dataclass(frozen=True, slots=True)
class EngineUse:
    """What speaks for the use of an engine. rating: PR of the plays. compared: the PR of the people they are compared with.

    easy_ms, difficult_ms: median time of a play; None without times.
    """

    rating: float
    compared: float
    all: PlayAgreement
    difficult: PlayAgreement
    easy_ms: float | None
    difficult_ms: float | None

    @property
    def enough(self) -> bool:
        """Whether there are enough difficult plays to say something."""
        return self.difficult.plays >= ENOUGH

    @property
    def notable(self) -> bool:
        """Whether difficult plays agree with the engine more often than those of nearly all people of this rating."""
        return self.enough and self.difficult.surprise >= NOTABLE

    @property
    def striking(self) -> bool:
        """Whether they agree so often that chance does not explain it."""
        return self.enough and self.difficult.surprise >= STRIKING


def unforced_plays(match: Match, found: Findings, player: int, times: Sequence[int] = ()) -> Iterator[UnforcedPlay]:
    """The plays of a player that count for the rating. found: the analysis of the match. times: of its events, in ms."""
    wanted = {one.event: one for one in found.decisions if _counts(one, player)}
    for seq, before in states_before(match, wanted).items():
        thought = times[seq - 1] - times[seq - 2] if 1 < seq <= len(times) else None
        yield _unforced(before, wanted[seq], thought)


def _counts(one: Decision, player: int) -> bool:
    options = len(one.options) > 1 and all(option.position is not None for option in one.options)
    return one.player == player and one.kind == "play" and one.counted and options


def _unforced(before: Match, decision: Decision, thought_ms: int | None) -> UnforcedPlay:
    game = before.game
    position = game.position if game.player == decision.player else game.position.flip()
    losses = np.array([one.loss for one in decision.options], np.float64)
    results = [position_of(one.position) for one in decision.options if one.position is not None]
    start = encode([position])
    return UnforcedPlay(
        losses,
        decision.chosen,
        play_blurs(losses, start, in_contact(game.rules, position)),
        play_features(game.rules, start, encode(results)),
        thought_ms,
    )


def engine_use(plays: Iterable[UnforcedPlay]) -> EngineUse | None:
    """Compares a player's plays with people of the same rating; None without plays."""
    known = list(plays)
    if not known:
        return None
    rating = PR_FACTOR * float(np.mean([one.loss for one in known]))
    compared = max(rating, BEST_PEOPLE_PR)
    hard = np.array([one.expected(0.0)[0] < DIFFICULT for one in known])
    sizes = np.array([_sizes(one.losses)[one.chosen] for one in known])
    expected = np.stack([one.expected(log(compared / AVERAGE_PR)) for one in known])
    thought_ms = np.array([np.nan if one.thought_ms is None else one.thought_ms for one in known])
    return EngineUse(
        rating,
        compared,
        _agreement(sizes, expected),
        _agreement(sizes[hard], expected[hard]),
        _median(thought_ms[~hard]),
        _median(thought_ms[hard]),
    )


def _agreement(sizes: npt.NDArray[np.intp], expected: _Floats) -> PlayAgreement:
    """sizes: [n] of the losses. expected: [n, 1 + EDGES + 1], as `UnforcedPlay.expected`."""
    count = len(sizes)
    if not count:
        return PlayAgreement(0, 0, 0.0, 0.0, (), ())
    made, best = np.bincount(sizes, minlength=len(EDGES) + 2), expected[:, 0]
    deviation = sqrt(float((best * (1 - best)).sum()) + (MODEL_MARGIN * count) ** 2)
    shares, expected_shares = (made / count).tolist(), expected.mean(axis=0).tolist()
    return PlayAgreement(count, int(made[0]), float(best.sum()), deviation, tuple(shares), tuple(expected_shares))


def _median(values: _Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None
