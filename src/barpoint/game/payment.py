"""What a win pays: cube, gammons, Jacoby rule, checkers paid one by one."""

from __future__ import annotations

from barpoint.game.state import Game


def in_digits(points: float) -> str:
    """Points in digits: whole ones exactly, however many they are, others without zeros at the end."""
    return str(int(points)) if points == int(points) else f"{points:.15g}"


def points_for(game: Game, level: int) -> int:
    """Points of a win at this level, cube and Jacoby rule included; for checkers paid one by one, level is their number."""
    scoring = game.rules.scoring
    if scoring.per_checker:
        return game.cube.value * level
    return game.cube.value * (1 if game.flat else (1, scoring.gammon, scoring.backgammon)[level - 1])


def checkers_left(game: Game, player: int) -> int:
    """The player's checkers that are not borne off."""
    return game.rules.checkers - game.side(player).points[0]


def resigned_level(game: Game, player: int, level: int) -> int:
    """What a resignation at this level counts as: the level, or this player's checkers where each of them is paid for."""
    return checkers_left(game, player) if game.rules.scoring.per_checker else level


def resigned_points(game: Game, player: int, level: int) -> int:
    """Points this player loses by a resignation at this level, once it is accepted."""
    return points_for(game, resigned_level(game, player, level))
