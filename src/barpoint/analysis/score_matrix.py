"""One position at every match score: the cube action or the best play, and what the other places of the cube change."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from msgspec import Struct, structs

from barpoint.analysis.inquiry import Inquiry, engine_of, point_of_inquiry
from barpoint.analysis.position import play_text
from barpoint.engine import CubeInfo, DecisionPoint, Engine, OutcomeProbabilities
from barpoint.engine.cube_info import can_double
from barpoint.engine.net import net_version

MAX_AWAY: Final = 9
"""The matrix goes to this many points that a side still needs."""


class MatrixCell(Struct, frozen=True, omit_defaults=True):
    """The best choice at a score. choice: a cube action, or the notation of a play.

    equity: of the best choice. margin: by how much the next best one is worse; 0 where there is no other.
    away: points that the player to act and the other side need; none for money. owner: of the cube.
    """

    choice: str
    equity: float
    margin: float
    away: tuple[int, int] | None = None
    crawford: bool = False
    owner: str = ""


class ScoreMatrix(Struct, frozen=True):
    """The best choice by score. kind: "cube" or "play".

    rows: [9][9] by points that the player to act needs, then the other side; with one point to go it is the Crawford
    game. after: [9] the same after the Crawford game, where the other side needs one point, or the player to act does.
    places: at the score of the inquiry, with the cube centred, the player's and the other side's.
    money: as in a money session with the cube where the inquiry has it.
    """

    net: str
    plies: int
    kind: str
    rows: tuple[tuple[MatrixCell, ...], ...]
    after_us: tuple[MatrixCell, ...]
    after_them: tuple[MatrixCell, ...]
    places: tuple[MatrixCell, ...]
    money: MatrixCell


def answer_matrix(inquiry: Inquiry, plies: int, threads: int = 1) -> ScoreMatrix:
    """The matrix of a position; BarpointError says why there is none."""
    point_of_inquiry(inquiry)
    numbers = range(1, MAX_AWAY + 1)
    at = [_at(inquiry, us, them, crawford=1 in (us, them)) for us in numbers for them in numbers]
    after_us = [_at(inquiry, 1, them, crawford=False) for them in numbers]
    after_them = [_at(inquiry, us, 1, crawford=False) for us in numbers]
    places = [structs.replace(inquiry, owner=owner) for owner in ("", "us", "them")]
    money = structs.replace(inquiry, away=None, crawford=False)
    cells = _cells((*at, *after_us, *after_them, *places, money), plies, threads)
    end = MAX_AWAY * MAX_AWAY
    return ScoreMatrix(
        net=net_version(inquiry.rules),
        plies=plies,
        kind="play" if inquiry.faces else "cube",
        rows=tuple(cells[first : first + MAX_AWAY] for first in range(0, end, MAX_AWAY)),
        after_us=cells[end : end + MAX_AWAY],
        after_them=cells[end + MAX_AWAY : end + 2 * MAX_AWAY],
        places=cells[-4:-1],
        money=cells[-1],
    )


def _at(inquiry: Inquiry, us: int, them: int, *, crawford: bool) -> Inquiry:
    return structs.replace(inquiry, away=(us, them), crawford=crawford, jacoby=False, beavers=False)


def _cells(inquiries: Sequence[Inquiry], plies: int, threads: int) -> tuple[MatrixCell, ...]:
    """A cell for each inquiry; the core computes several at a time."""
    if threads == 1:
        return tuple(_cell(each, plies, 0) for each in inquiries)
    parts = [(each, plies, index % threads) for index, each in enumerate(inquiries)]
    lanes = [[part for part in parts if part[2] == lane] for lane in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda lane: [_cell(*part) for part in lane], lanes))
    return tuple(found[index % threads][index // threads] for index in range(len(parts)))


def _cell(inquiry: Inquiry, plies: int, lane: int) -> MatrixCell:
    engine = engine_of(inquiry.rules, plies, 1, lane)
    point = point_of_inquiry(inquiry)
    choice, equity, margin = (_play if point.faces else _cube)(engine, point)
    return MatrixCell(choice, round(equity, 6), round(margin, 6), inquiry.away, inquiry.crawford, owner=inquiry.owner)


def _play(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> tuple[str, float, float]:
    ranked = engine.rank(point, limit=2)
    return play_text(ranked[0].play), ranked[0].equity, ranked[1].loss if len(ranked) > 1 else 0.0


def _cube(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> tuple[str, float, float]:
    if not can_double(engine.rules.cube, point.cube_info):
        return "", engine.equity(_without_double(point)), 0.0
    found = engine.cube(point)
    doubled = min(found.double_take, found.double_pass)
    best = max(found.no_double, doubled)
    answer = abs(found.double_take - found.double_pass)
    margin = abs(found.no_double - doubled)
    return found.action, best, min(margin, answer) if found.doubles else margin


def _without_double(point: DecisionPoint) -> DecisionPoint:
    info = point.cube_info
    return replace(point, cube_info=CubeInfo(info.cube, info.score, info.stakes, may_double=False))
