"""The page of match equities: winning chances, take points and gammon values by score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import N_
from barpoint.match.met import Met
from barpoint.match.take_points import gammon_value, take_point
from barpoint.server.study.score_values import CUBES, PATH
from barpoint.server.web.rendering import render

STANDARD_LENGTH: Final = 15
"""Points to go up to which small screens show the tables."""

ORIGIN: Final = N_(
    "Generated using XG rollouts to 9pts, GNUBG Supremo full rollouts to 15 points. Extended to 25pts by projecting take points."
)
"""How the table was made, as its file says; it stands here to be translated."""

TONES: Final = 4
"""Tints above and below the middle of a table."""


@dataclass(frozen=True, slots=True)
class Need:
    """Points that a player needs, as a head of a row or column. crawford: this is the Crawford game; None: it plays no part."""

    points: int
    crawford: bool | None = None

    @property
    def is_far(self) -> bool:
        """Whether small screens leave it out."""
        return self.points > STANDARD_LENGTH


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """A cell of a table. numbers: none where there is nothing to say. tone: from -TONES to TONES."""

    numbers: tuple[float, ...] = ()
    tone: int = 0


ScoreRows = list[tuple[Need, list[ScoreCell]]]
"""Rows: what we need, and a cell for everything the opponent may need."""


def _rows(rows: list[Need], columns: list[Need], cell: Callable[[Need, Need], ScoreCell]) -> ScoreRows:
    return [(us, [cell(us, them) for them in columns]) for us in rows]


def _tone(value: float, middle: float, step: float) -> int:
    return max(-TONES, min(TONES, round((value - middle) / step)))


@lru_cache(maxsize=len(CUBES))
def _tables(cube: int) -> dict[str, tuple[list[Need], ScoreRows]]:
    """The tables with the heads of their columns. cube: its value, before the double."""
    met = Met.load()
    needs = [Need(points) for points in range(2, met.length + 1)]
    crawford, after = Need(1, crawford=True), Need(1, crawford=False)

    def wins(us: Need, them: Need) -> ScoreCell:
        if {us.crawford, them.crawford} == {True, False}:
            return ScoreCell()
        chance = met.win(us.points, them.points, after_crawford=False in (us.crawford, them.crawford))
        return ScoreCell((100 * chance,), _tone(chance, 0.5, 0.12))

    def takes(us: Need, them: Need) -> ScoreCell:
        if cube >= them.points:  # who would double needs no more
            return ScoreCell()
        dead, live = (100 * take_point(met, us.points, them.points, cube, live=live) for live in (False, True))
        return ScoreCell((dead, live), _tone(25 - dead, 0, 3))

    def gammons(us: Need, them: Need) -> ScoreCell:
        if cube >= us.points:
            return ScoreCell()
        value = gammon_value(met, us.points, them.points, cube)
        return ScoreCell((value,), _tone(value, 0.5, 0.1))

    every = [crawford, after, *needs]
    return {
        "wins": (every, _rows(every, every, wins)),
        "takes": (needs, _rows([after, *needs], needs, takes)),
        "gammons": ([Need(1), *needs], _rows(needs, [Need(1), *needs], gammons)),
    }


async def match_equities_page(request: Request) -> Response:
    """The tables; ?cube= chooses the cube of the take points and gammon values, ?us=, them= and crawford= mark a score."""
    cube = request.query_params.get("cube", "1")
    if cube not in map(str, CUBES):
        raise HTTPException(404)
    marked = [request.query_params.get(side, "") for side in ("us", "them")]
    return render(
        request,
        "match_equities.html",
        met=Met.load(),
        cube=int(cube),
        cubes=CUBES,
        tables=_tables(int(cube)),
        marked=marked,
        crawford="crawford" in request.query_params,
    )


ROUTES: Final = (Route(PATH, match_equities_page),)
