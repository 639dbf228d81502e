"""Drills: what each asks, made from a number, and how far an answer is from the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from barpoint.analysis import words
from barpoint.analysis.position import PositionAnswer
from barpoint.analysis.reference import PASS, ReferencePosition, reference_collection
from barpoint.board import OFF, Position, Side
from barpoint.engine.opening_book import opening_book
from barpoint.language import N_, _, ngettext, number
from barpoint.match.met import Met
from barpoint.match.take_points import gammon_value, take_point
from barpoint.record import parse_position
from barpoint.rules import Rules
from barpoint.server.domain.analysis_board import BoardSetup
from barpoint.server.study.reference import setup_of_reference
from barpoint.variants import variant

POSITIONS: Final = Path(__file__).parents[2] / "data" / "learn" / "drill_positions.txt"
"""Positions of games between equals, made by tools/drill_positions."""

MAX_AWAY: Final = 9
CLOSE_ENOUGH: Final = 0.02
"""Equity that an answer about the cube or a play may lose and still be right: from there on it would be marked."""

CUBE_CHOICES: Final = tuple(words.CUBE_CHOICES.values())


@dataclass(frozen=True, slots=True)
class Drill:
    """A kind of question. fields: what is to be entered, in this unit. margin: how far off is still right, for each of them.

    plies: of the search that knows the truth; None where none is needed.
    """

    name: str
    title: str
    about: str
    fields: tuple[str, ...] = ()
    unit: str = ""
    margin: float = 0.0
    plies: int | None = None


DRILLS: Final[dict[str, Drill]] = {
    one.name: one
    for one in (
        Drill("play", N_("Checker play"), N_("Find the best play of a money game, from blitz to bear-off."), plies=2),
        Drill("pips", N_("Pip count"), N_("Count both sides, against the clock."), (N_("You"), N_("Opponent"))),
        Drill(
            "take-point",
            N_("Take points"),
            N_("From which winning chance on is the first double taken, without gammons and with a dead cube?"),
            (N_("Take point"),),
            "%",
            2.0,
        ),
        Drill(
            "gammon-value",
            N_("Gammon values"),
            N_("What is a gammon worth beside a plain win? For money with a dead cube it is 0.5."),
            (N_("Gammon value"),),
            "",
            0.05,
        ),
        Drill(
            "match-equity",
            N_("Match equities"),
            N_("How often does a player at this score win the match?"),
            (N_("Matches won"),),
            "%",
            2.0,
        ),
        Drill(
            "epc",
            N_("Effective pips"),
            N_("How many pips does your bear-off really take: the pips and what it wastes?"),
            (N_("Effective pips"),),
            "",
            1.0,
            0,
        ),
        Drill("cube", N_("Cube action"), N_("What is right for both sides, for money?")),
        Drill(
            "chances",
            N_("Winning chances"),
            N_("How often do you win from here, gammons included?"),
            (N_("Games won"),),
            "%",
            5.0,
            2,
        ),
        Drill("opening", N_("Opening moves"), N_("Play the first roll of a money game."), plies=2),
        Drill("reply", N_("Replies"), N_("Answer a good first play of a money game."), plies=2),
    )
}
"""All drills by name, in the order of the page."""

STAGED: Final = ("play", "cube")
"""Drills about the reference positions: they can be asked about one stage of the game alone."""


@dataclass(frozen=True, slots=True)
class DrillTask:
    """One question. setup: the board it is about, if any. away: points needed by you and the opponent, at a match score.

    cube: its value before the double or the end of the game. reference: the reference position that it is.
    """

    drill: Drill
    setup: BoardSetup | None = None
    away: tuple[int, int] | None = None
    cube: int = 1
    reference: ReferencePosition | None = None

    @property
    def stage(self) -> str:
        """The kind of game it is from; "" if that is not known."""
        return self.reference.stage if self.reference else ""

    @property
    def text(self) -> str:
        """The question, in the reader's language."""
        if self.away is None:
            return _(self.drill.about)
        us, them = self.away
        if self.drill.name == "take-point":
            return ngettext(
                "You need %(num)s point, the opponent %(them)s, and doubles to %(double)s: your take point?",
                "You need %(num)s points, the opponent %(them)s, and doubles to %(double)s: your take point?",
                us, them=them, double=2 * self.cube,
            )  # fmt: skip
        if self.drill.name == "gammon-value":
            return ngettext(
                "You need %(num)s point, the opponent %(them)s, the cube is at %(cube)s: your gammon value?",
                "You need %(num)s points, the opponent %(them)s, the cube is at %(cube)s: your gammon value?",
                us, them=them, cube=self.cube,
            )  # fmt: skip
        if 1 in self.away:
            return ngettext(
                "You need %(num)s point, the opponent %(them)s, in the Crawford game: your chance?",
                "You need %(num)s points, the opponent %(them)s, in the Crawford game: your chance?",
                us, them=them,
            )  # fmt: skip
        return ngettext(
            "You need %(num)s point, the opponent %(them)s: your chance?",
            "You need %(num)s points, the opponent %(them)s: your chance?",
            us, them=them,
        )  # fmt: skip


def task(name: str, seed: int) -> DrillTask:
    """The question of a drill with this number, always the same one."""
    drill = DRILLS[name]
    return _MAKERS[name](drill, Random(f"{name} {seed}"))


def _classic() -> Rules:
    return variant("backgammon")


@lru_cache(maxsize=1)
def _positions() -> tuple[Position, ...]:
    lines = POSITIONS.read_text(encoding="ascii").split()
    return tuple(parse_position(line, _classic().checkers) for line in lines)


def _of_game(drill: Drill, dice: Random) -> DrillTask:
    return DrillTask(drill, BoardSetup(_classic(), dice.choice(_positions())))


def _opening(drill: Drill, dice: Random) -> DrillTask:
    first, second = dice.sample(range(1, 7), 2)
    rules = _classic()
    faces = (max(first, second), min(first, second))
    return DrillTask(drill, BoardSetup(rules, rules.start, faces=faces))


def _reply(drill: Drill, dice: Random) -> DrillTask:
    book = opening_book()
    position = dice.choice(book.replies)
    return DrillTask(drill, BoardSetup(book.rules, position, faces=dice.choice(book.rolls(position))))


def _play(_drill: Drill, dice: Random) -> DrillTask:
    return task_of_reference(dice.choice(reference_collection().problems))


def _cube(_drill: Drill, dice: Random) -> DrillTask:
    return task_of_reference(dice.choice(reference_collection().cube_problems))


def task_of_reference(one: ReferencePosition) -> DrillTask:
    """The question about a reference position: the best play, or the right cube action."""
    drill = DRILLS["play" if one.faces else "cube"]
    return DrillTask(drill, setup_of_reference(reference_collection().rules, one), reference=one)


def _bear_off(drill: Drill, dice: Random) -> DrillTask:
    return DrillTask(drill, BoardSetup(_classic(), Position(_home(dice), _home(dice))))


def _home(dice: Random) -> Side:
    counts: dict[int, int] = {}
    checkers = dice.randint(4, 15)
    for _checker in range(checkers):
        point = min(dice.randint(1, 6), dice.randint(1, 6)) if dice.random() < 0.5 else dice.randint(1, 6)
        counts[point] = counts.get(point, 0) + 1
    return Side.of({**counts, OFF: 15 - checkers})


def _take_point(drill: Drill, dice: Random) -> DrillTask:
    return DrillTask(drill, away=(dice.randint(2, MAX_AWAY), dice.randint(2, MAX_AWAY)))


def _gammon_value(drill: Drill, dice: Random) -> DrillTask:
    return DrillTask(drill, away=(dice.randint(3, MAX_AWAY), dice.randint(2, MAX_AWAY)), cube=dice.choice((1, 2)))


def _match_equity(drill: Drill, dice: Random) -> DrillTask:
    us = dice.randint(1, MAX_AWAY)
    return DrillTask(drill, away=(us, dice.randint(2 if us == 1 else 1, MAX_AWAY)))


_MAKERS: Final[dict[str, Callable[[Drill, Random], DrillTask]]] = {
    "pips": _of_game,
    "take-point": _take_point,
    "gammon-value": _gammon_value,
    "match-equity": _match_equity,
    "epc": _bear_off,
    "cube": _cube,
    "chances": _of_game,
    "play": _play,
    "opening": _opening,
    "reply": _reply,
}


def truth(asked: DrillTask, answer: PositionAnswer | None) -> tuple[float, ...]:
    """The right numbers, in the unit of the drill. answer: the engine's about the board, if the drill needs one."""
    name, setup = asked.drill.name, asked.setup
    if asked.away is not None:
        return (_of_score(name, *asked.away, asked.cube),)
    assert setup is not None
    if name == "pips":
        return float(setup.position.us.pips), float(setup.position.them.pips)
    assert answer is not None
    if name == "epc":
        effective = answer.counts.effective[0]
        assert effective is not None
        return (effective,)
    return (100 * answer.chances[0],)


def _of_score(name: str, us: int, them: int, cube: int) -> float:
    """A number of a match score, by the standard match equity table."""
    met = Met.load()
    if name == "match-equity":
        return 100 * met.win(us, them)
    return 100 * take_point(met, us, them, cube) if name == "take-point" else gammon_value(met, us, them, cube)


def numbers_text(asked: DrillTask, values: tuple[float, ...], *, exact: bool = False) -> str:
    """Numbers of a drill in words, with the names of their fields if there are several.

    exact: with more decimals than the truth is shown with, where a number has more.
    """
    drill = asked.drill
    decimals = {"gammon-value": 3, "pips": 0}.get(drill.name, 1)
    unit = f" {drill.unit}" if drill.unit else ""
    said = [f"{_number_text(value, decimals, exact)}{unit}" for value in values]
    if len(said) == 1:
        return said[0]
    return ", ".join(f"{_(field)} {text}" for field, text in zip(drill.fields, said, strict=True))


def _number_text(value: float, decimals: int, exact: bool) -> str:
    longer = exact and round(value, decimals) != value
    return number(value) if longer else number(value, decimals)


def cube_losses(one: ReferencePosition) -> dict[str, float]:
    """What each of CUBE_CHOICES loses in a reference position, both sides' errors added."""
    no_double, double_take = one.cube_equities
    doubled = min(double_take, PASS)
    best = max(no_double, doubled)
    stay, double, take, passing = best - no_double, best - doubled, double_take - doubled, PASS - doubled
    losses = (stay + take, double + take, double + passing, stay + passing)
    return {name: round(loss, 6) for name, loss in zip(CUBE_CHOICES, losses, strict=True)}
