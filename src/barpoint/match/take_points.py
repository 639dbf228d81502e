"""Take points and gammon values of a match score, by a match equity table, without gammons in the take points.

Whoever has one point to go is the leader after the Crawford game: in that game nobody doubles.
"""

from __future__ import annotations

from barpoint.error import StakesError, check_kind, whole_number
from barpoint.game.stakes import check_cube_value
from barpoint.match.met import Met


def take_point(met: Met, us: int, them: int, cube: int = 1, *, live: bool = False) -> float:
    """The winning chance from which we take a double of a cube of this value, where we and they need these points.

    live: every later cube is used perfectly (Janowski); otherwise nobody doubles again. StakesError for points below 1, for
    what is no cube and where the chances do not depend on the game, ArgumentError for what are no whole numbers.
    """
    us, them, cube = _checked(met, us, them, cube)
    passed, lost = chance_after(met, us, them, -cube), chance_after(met, us, them, -2 * cube)
    dead = _share(passed - lost, chance_after(met, us, them, 2 * cube) - lost)
    if not live or us <= 2 * cube:  # our own cube wins nothing more
        return dead
    return dead * (1 - take_point(met, them, us, 2 * cube, live=True))


def gammon_value(met: Met, us: int, them: int, cube: int = 1) -> float:
    """What a gammon adds to a plain win with the cube at this value, in units of the difference between winning and losing it.

    Errors as `take_point`.
    """
    us, them, cube = _checked(met, us, them, cube)
    plain, lost = chance_after(met, us, them, cube), chance_after(met, us, them, -cube)
    return _share(chance_after(met, us, them, 2 * cube) - plain, plain - lost)


def _share(part: float, whole: float) -> float:
    """StakesError where the game changes nothing."""
    if not whole:
        raise StakesError("by this match equity table nothing depends on the game: it has no equity")
    return part / whole


def _checked(met: Met, us: int, them: int, cube: int) -> tuple[int, int, int]:
    check_kind("met", met, Met)
    us, them, cube = whole_number("us", us), whole_number("them", them), whole_number("cube", cube)
    if us < 1 or them < 1:
        raise StakesError("away %(us)s and %(them)s; both sides need at least 1 point", us=us, them=them)
    check_cube_value(cube)
    return us, them, cube


def chance_after(met: Met, us: int, them: int, points: int) -> float:
    """Our match winning chance after a game that gives us these points, or gives them those below zero.

    Where one side needs one point, the Crawford game is over after it.
    """
    return met.win(us - max(points, 0), them - max(-points, 0), after_crawford=1 in (us, them))
