"""Kinds of scores at which decisions are made: money, level, Crawford and so on; every score is of exactly one kind."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from barpoint.match import Match

ScoreKind = Literal["money", "level", "ahead", "behind", "2-away", "crawford", "post-crawford", "dmp"]

SCORE_KINDS: Final[tuple[ScoreKind, ...]] = (
    "money", "level", "ahead", "behind", "2-away", "crawford", "post-crawford", "dmp",
)  # fmt: skip
"""All kinds. dmp: double match point. crawford: the Crawford game. post-crawford: another game in which one side needs one point. 2-away: a
side needs two points and none needs one. level, ahead, behind: of whoever decides, where both sides need three or more."""


def score_kind(own: int, other: int, crawford: bool) -> ScoreKind:
    """The kind of a score. own, other: points to go of whoever decides and the other side, 0 in a session."""
    if not own:
        return "money"
    if own == other == 1:
        return "dmp"
    if crawford:
        return "crawford"
    if 1 in (own, other):
        return "post-crawford"
    if 2 in (own, other):
        return "2-away"
    return "level" if own == other else "ahead" if own < other else "behind"


def score_kind_of(match: Match, player: int) -> ScoreKind:
    """The kind of score in the running game, for a player who decides something."""
    if match.terms.money:
        return "money"
    own, other = (max(1, round(match.away(side))) for side in (player, 1 - player))
    return score_kind(own, other, match.crawford)


def score_kinds(away: npt.NDArray[np.uint8], crawford: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """[n] of indices in SCORE_KINDS. away: [n, 2] as in `decision_table.ROW`. crawford: [n], whether it was the Crawford game."""
    scores = np.column_stack([away, crawford.astype(np.uint8)])
    each, of = np.unique(scores, axis=0, return_inverse=True)
    kinds = [SCORE_KINDS.index(score_kind(int(own), int(other), bool(game))) for own, other, game in each]
    return np.array(kinds, np.intp)[of.reshape(-1)]
