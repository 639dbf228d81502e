"""A position with everything else that a decision depends on, made from a game, match or situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Final

import numpy as np

from barpoint.board import Position
from barpoint.engine.cube_info import NO_OPTIONS, CubeInfo, CubeState, Score, cube_info_of, cube_info_of_situation
from barpoint.error import ArgumentError, StakesError, UnsupportedRules, brief, check_kind
from barpoint.game import Game, Phase, Stakes
from barpoint.match import Match, Met
from barpoint.match.situation import Situation
from barpoint.native import RollFaces, faces_error
from barpoint.rules import Rules

CUBELESS: Final = CubeInfo()
"""Money play without a cube."""

Tokens = tuple[int, int]
"""Reroll tokens left of the player to act and of the other side."""


def tokens_left(rules: Rules, tokens: Tokens | None) -> Tokens:
    """These tokens, or for None the number at the start; StakesError for numbers that a side cannot have,
    ArgumentError for anything else.
    """
    most = rules.rerolls.tokens
    try:
        own, other = (most, most) if tokens is None else map(index, tokens)
    except (TypeError, ValueError):
        raise ArgumentError(
            "tokens are %(tokens)s; allowed: two whole numbers, those of the side to act first", tokens=brief(tokens)
        ) from None
    if not (0 <= own <= most and 0 <= other <= most):
        raise StakesError(
            "tokens %(own)s and %(other)s; a side has 0 to %(most)s under %(name)s",
            own=own,
            other=other,
            most=most,
            name=rules.name,
        )
    return own, other


def token_state(rules: Rules, tokens: Tokens | None) -> int:
    """The token state as the nets index it: bit 0 own, bit 1 the other side's; StakesError as `tokens_left`."""
    own, other = tokens_left(rules, tokens)
    return min(own, 1) + 2 * min(other, 1)


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A position with its cube, score, tokens and roll, seen by the player to act.

    position: before the roll is played. tokens: None for the number at the start. faces: of the roll to be played, ()
    before the roll.
    """

    position: Position
    cube_info: CubeInfo = CUBELESS
    tokens: Tokens | None = None
    faces: tuple[int, ...] = ()

    def under(self, met: Met | None) -> DecisionPoint:
        """The same with this match equity table, where the score names none itself."""
        return replace(self, cube_info=self.cube_info.under(met))


PositionLike = Position | Situation | Game | Match | DecisionPoint
"""What the engine accepts. Only a bare Position may come with `cube=`, `score=`, `stakes=` and `tokens=`."""


def decision_point(
    rules: Rules,
    source: PositionLike,
    faces: RollFaces = (),
    *,
    cube: CubeState | None = None,
    score: Score | None = None,
    stakes: Stakes | None = None,
    tokens: Tokens | None = None,
) -> DecisionPoint:
    """The decision of the player to act; faces replace those of the source.

    StakesError for a keyword that the game, match or situation already defines, UnsupportedRules for a game or match of
    another game, ArgumentError and RollError for values of another kind.
    """
    for name, value, kind in (("cube", cube, CubeState), ("score", score, Score), ("stakes", stakes, Stakes)):
        if value is not None:
            check_kind(name, value, kind)
    if isinstance(faces, np.ndarray):
        faces = faces.tolist()
    if not isinstance(faces, Sequence) or isinstance(faces, str):
        raise faces_error(rules, faces)
    if isinstance(source, Position):
        return DecisionPoint(source, CubeInfo(cube, score, stakes or NO_OPTIONS), tokens, tuple(faces))
    refuse_keywords(source, cube=cube, score=score, stakes=stakes, tokens=tokens)
    if isinstance(source, Situation):
        source = DecisionPoint(source.position, cube_info_of_situation(source, rules), None, source.dice)
    check_kind("position", source, Position, Situation, Game, Match, DecisionPoint)
    if isinstance(source, Game | Match):
        check_game(rules, source)
        source = point_of(source)
    return replace(source, faces=tuple(faces)) if faces else source


def same_game(rules: Rules, played: Rules) -> bool:
    """Whether a game is played by these rules; it may begin in another way, with as many checkers."""
    alike = replace(played, name=rules.name, setup=rules.setup, opening=rules.opening)
    return played is rules or (played.checkers == rules.checkers and alike == rules)


def check_game(rules: Rules, source: Match | Game) -> None:
    """Raises UnsupportedRules where a game is not played by these rules; it may begin in another way."""
    played = source.game.rules if isinstance(source, Match) else source.rules
    if same_game(rules, played):
        return
    raise UnsupportedRules(
        "%(kind)s of %(found)s; this engine plays %(name)s",
        kind=type(source).__name__,
        found=played.name,
        name=rules.name,
    )


def refuse_keywords(source: PositionLike, **given: object) -> None:
    """Raises StakesError for any keyword that the source already defines."""
    if extra := ", ".join(name for name, value in given.items() if value is not None):
        raise StakesError(
            "%(extra)s given besides a %(name)s, which says cube, score, stakes and tokens itself; these "
            "keywords are allowed with a bare Position only",
            extra=extra,
            name=type(source).__name__,
        )


def tokens_of(game: Game, player: int) -> Tokens:
    """The tokens, the player's first."""
    return game.tokens[player], game.tokens[1 - player]


def point_of(source: Match | Game) -> DecisionPoint:
    """The decision of the player whose turn it is, in a game or in the running game of a match."""
    game = source.game if isinstance(source, Match) else source
    return DecisionPoint(game.position, cube_info_of(source, game.player), tokens_of(game, game.player), game.faces)


def reroll_point_of(source: Match | Game) -> DecisionPoint:
    """The last roll and the position before it, seen by whoever rolled; StakesError when nobody has rolled."""
    game = source.game if isinstance(source, Match) else source
    if game.last_roll is None:
        raise StakesError("no roll has been made in this game; a reroll needs one")
    roller = game.last_roll.player
    return DecisionPoint(
        game.last_roll.before, cube_info_of(source, roller), tokens_of(game, roller), game.faces or game.last_roll.faces
    )


def played_of(source: Match | Game) -> Position | None:
    """The position after the play of the last roll, seen by whoever rolled; None while it has not been played."""
    game = source.game if isinstance(source, Match) else source
    return None if game.last_roll is None or game.phase is Phase.TO_PLAY else game.seen_by(game.last_roll.player)
