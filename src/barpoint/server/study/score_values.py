"""What a match score and a cube make of a game: winning chances after it, gammon values and take points, by the table."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from msgspec import Struct

from barpoint.match.met import Met
from barpoint.match.take_points import chance_after, gammon_value, take_point
from barpoint.server.domain.analysis_board import BoardSetup

PATH: Final = "/learn/match-equities"
CUBES: Final = (1, 2, 4, 8)
"""Cubes of which that page has tables."""


class SideAtScore(Struct, frozen=True, omit_defaults=True):
    """A side before a game. win, lose: its match winning chance after a plain game won or lost at this cube.

    gammon: gammon value, None where a plain win is enough. take_dead, take_live: winning chance from which it takes a double
    of this cube, which is dead then or used perfectly; None where it cannot be doubled to any use.
    """

    win: float
    lose: float
    gammon: float | None = None
    take_dead: float | None = None
    take_live: float | None = None


class ScoreValues(Struct, frozen=True):
    """Both sides at a match score. path: of the page of match equities, with this score marked."""

    near: SideAtScore
    far: SideAtScore
    path: str


def score_values(setup: BoardSetup) -> ScoreValues | None:
    """What the score of a board makes of its game; None for money, and where every checker scores."""
    if not setup.length or setup.rules.scoring.per_checker:
        return None
    near, far = (setup.length - points for points in setup.score)
    cube = max(1, setup.cube)
    shown = {"cube": cube} if cube in CUBES else {}
    query = urlencode(shown | {"us": near, "them": far} | ({"crawford": 1} if setup.crawford else {}))
    return ScoreValues(
        _side(setup, near, far, doubled=setup.owner != "near"),
        _side(setup, far, near, doubled=setup.owner != "far"),
        f"{PATH}?{query}",
    )


def _side(setup: BoardSetup, us: int, them: int, *, doubled: bool) -> SideAtScore:
    met, cube = Met.load(), max(1, setup.cube)
    doubled = doubled and setup.cube > 0 and not setup.crawford and cube < them
    dead, live = (take_point(met, us, them, cube, live=one) if doubled else None for one in (False, True))
    return SideAtScore(
        win=chance_after(met, us, them, cube),
        lose=chance_after(met, us, them, -cube),
        gammon=gammon_value(met, us, them, cube) if cube < us and setup.rules.scoring.gammon == 2 else None,
        take_dead=dead,
        take_live=live,
    )
