"""A question about one position, with all that its answer depends on: what the analysis board asks the engine."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.board import Position
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine, OutcomeProbabilities, Score, covers
from barpoint.engine.net import net_version, own_net
from barpoint.error import PositionError, UnsupportedRules
from barpoint.game import Stakes
from barpoint.moves import check_position, outcome
from barpoint.native import core
from barpoint.record import parse_position
from barpoint.rules import Rules
from barpoint.variants import rules_of_game, variant

PointsAway = Annotated[int, Meta(ge=1, le=64)]


class Inquiry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position, seen by the player to act, and what is at stake.

    position: its ID, seen by the player to act. faces: the roll to be played; () before the roll.
    cube: its value; 0 for a game without a cube. owner: who may double; "" while it is centred.
    away: points that the player to act and the other side still need; None for money.
    crawford: this is the Crawford game. tokens: reroll tokens left, the player to act first; None for all of them.
    """

    variant: Annotated[str, Meta(max_length=300)]
    position: Annotated[str, Meta(max_length=160)]
    faces: Annotated[tuple[int, ...], Meta(max_length=3)] = ()
    cube: int = 1
    owner: Literal["us", "them", ""] = ""
    away: tuple[PointsAway, PointsAway] | None = None
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    tokens: tuple[int, int] | None = None

    @property
    def rules(self) -> Rules:
        """Its rules."""
        return variant(self.variant)

    @property
    def digest(self) -> str:
        """Sixty-four hexadecimal digits that equal inquiries share."""
        return sha256(msgspec.json.encode(self)).hexdigest()


def point_of_inquiry(inquiry: Inquiry) -> DecisionPoint:
    """The decision that is asked about; PositionError, FormatError or StakesError where there is none."""
    rules = inquiry.rules
    position = parse_position(inquiry.position, rules.checkers)
    check_point(rules, position)
    return DecisionPoint(position, cube_info_of_inquiry(inquiry), inquiry.tokens, inquiry.faces)


def check_point(rules: Rules, position: Position, *, judged: bool = False) -> None:
    """PositionError or UnsupportedRules where nobody is to act, or nothing can judge it. judged: an engine that can is there."""
    check_position(rules, position)
    if outcome(rules, position) is not None:
        raise PositionError("the game is over in this position; nobody is to act")
    if not (judged or covers(rules)):
        raise UnsupportedRules("no net has learned %(name)s, so nothing can judge it", name=rules.name)


def cube_info_of_inquiry(inquiry: Inquiry) -> CubeInfo:
    """Cube and score of an inquiry."""
    cube = CubeState(inquiry.cube, inquiry.owner or None) if inquiry.rules.cube and inquiry.cube else None
    score = None if inquiry.away is None else Score(*inquiry.away, inquiry.crawford)
    jacoby = inquiry.jacoby and score is None and cube is not None
    return CubeInfo(cube, score, Stakes(jacoby=jacoby, beavers=int(inquiry.beavers and score is None)))


def engine_of(rules: Rules, plies: int, threads: int = 1, lane: int = 0) -> Engine[OutcomeProbabilities]:
    """An engine, made once in a process for the same rules and depth, and the net that `use_net` has named for them. lane: which of
    several threads asks, because one engine answers one question at a time.
    """
    return _engine_of(rules, plies, threads, lane, own_net(rules_of_game(rules)))


@lru_cache(maxsize=24)
def _engine_of(rules: Rules, plies: int, threads: int, lane: int, net: core.Net | None) -> Engine[OutcomeProbabilities]:
    """net: by its identity, because it is looked up for every answer."""
    return Engine(rules, plies, net, threads)


def version_in_use(engine: Engine[Any], rules: Rules) -> str:
    """`net_version` of the rules of a match; "" where the engine's net is none that the package or `use_net` names for them."""
    own = own_net(engine.rules)
    usual = engine.entry is not None if own is None else engine.entry is None and engine.net.bytes() == own.bytes()
    return net_version(rules) if usual else ""
