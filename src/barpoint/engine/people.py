"""How people choose: which plays and cube actions players of a given strength prefer, fitted to real matches.

Of two plays people choose the better one the more often, the more it gains; small differences they do not see. How large
a difference must be to be seen depends on the position, and some plays please people more than they should: hits, points, no
blots. `training/people.py` fits the numbers and writes data/people/people.toml; docs/engine.md says how well they agree.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from barpoint.board import BAR, OFF, Position
from barpoint.engine.decision import CubeDecision, OutcomeProbabilities, RankedPlay
from barpoint.moves import PositionArray, encode, in_contact
from barpoint.native import pack
from barpoint.rules import Rules

_Floats = npt.NDArray[np.float64]

LIKINGS: Final = ("hit", "blot", "exposed", "point", "home", "anchor", "buried", "off", "spread")
"""What makes a play likelier than its equity does. exposed: blots weighted by the pips they would lose. point, home,
anchor: points held, in the home, and in the other side's home or on its bar point. buried: checkers on the last two
points. off: borne off. spread: checkers that leave where they stood."""

BLURS: Final = ("always", "contact", "bear_off", "near", "plays", "bar")
"""What makes differences harder to see, by the factor exp of its number. near, plays: logarithms of how many plays lose
less than NEAR, and of how many there are. bar: a checker stands there."""

DOUBLE: Final = ("bias", "cash", "contact", "steepness", "skill", "blur")
"""Of doubling. bias: whether people double too often or too seldom. cash, contact: the same where the other side should
pass, and in contact. steepness: how much likelier a gain makes it. skill: how that falls as PR grows. blur: as of plays."""

TAKE: Final = ("bias", "steepness", "skill", "blur")
"""Of taking; as DOUBLE."""

MAX_PLAYS: Final = 40
"""People are taken to consider this many plays, the best ones."""

MAX_LOSS: Final = 1.5
"""Points by which a play can seem worse; no play seems worse than that."""

NEAR: Final = 0.1
NOTHING: Final = 0.001
"""Points below which two actions of the cube are the same."""

TINY: Final = 1e-300
FIRST_ANCHOR: Final = 18
HOME: Final = 6
AVERAGE_PR: Final = 8.0
"""The PR at which skill is 0: skill is the logarithm of PR / AVERAGE_PR, so it grows as people play worse."""


@dataclass(frozen=True, slots=True)
class PeopleParameters:
    """The fitted numbers.

    steepness: the logarithm of how much an equal difference counts for, and by how much that falls as skill grows.
    fancy: by how much likings grow with skill. blurs, likings, double, take: of BLURS, LIKINGS, DOUBLE and TAKE.
    """

    steepness: tuple[float, float]
    fancy: float
    blurs: tuple[float, ...]
    likings: tuple[float, ...]
    double: tuple[float, ...]
    take: tuple[float, ...]


def play_features(rules: Rules, before: PositionArray, results: PositionArray) -> _Floats:
    """[n, LIKINGS] of plays. before: int8 [1, 2, 32], before the roll. results: int8 [n, 2, 32], seen by the mover."""
    us, them = (results[:, side, : BAR + 1].astype(np.float64) for side in (0, 1))
    was = before[0, :, : BAR + 1].astype(np.float64)
    points = np.arange(1, BAR)
    meets = np.array([rules.movement.meeting.other(int(point)) for point in points])
    behind = np.cumsum(them[:, ::-1], axis=1)[:, ::-1] - them  # their checkers that have a point still ahead
    exposed = (us[:, 1:BAR] == 1) & (behind[:, meets] > 0)
    held = us[:, 1:BAR] > 1
    columns = (
        them[:, BAR] - was[1, BAR],
        exposed.sum(axis=1),
        exposed @ ((BAR - points) / 24),
        held.sum(axis=1),
        held[:, :HOME].sum(axis=1),
        held[:, FIRST_ANCHOR - 1 :].sum(axis=1),
        us[:, 1:3].sum(axis=1),
        us[:, OFF],
        np.maximum(was[0, 1:] - us[:, 1:], 0).sum(axis=1),
    )
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)


def play_blurs(losses: _Floats, before: PositionArray, contact: bool) -> _Floats:
    """[BLURS] of a position with the losses of its plays. before: int8 [1, 2, 32], before the roll."""
    us = before[0, 0]
    home = not us[HOME + 1 : BAR + 2].any()
    near, plays = np.log((losses < NEAR).sum()), np.log(len(losses))
    return np.array([1.0, contact, home, near, plays, us[BAR] > 0], np.float64)


def play_values(
    found: PeopleParameters, skill: float | _Floats, losses: _Floats, blurs: _Floats, features: _Floats
) -> _Floats:
    """[n] how plays please, up to a constant: a play is chosen as often as exp of it. losses: [n], in points.

    blurs: [BLURS], or [n, BLURS] for the plays of several positions. skill: one, or [n].
    """
    seen = np.log1p(np.minimum(losses, MAX_LOSS) / np.exp(blurs @ np.array(found.blurs)))
    steepness = np.exp(found.steepness[0] + found.steepness[1] * skill)
    return np.asarray(np.exp(found.fancy * skill) * (features @ np.array(found.likings)) - steepness * seen, np.float64)


def play_chances(found: PeopleParameters, skill: float, losses: _Floats, blurs: _Floats, features: _Floats) -> _Floats:
    """[n] how likely each of these plays is chosen, if one of them is; as `play_values`."""
    values = play_values(found, skill, losses, blurs, features)
    weights = np.exp(values - values.max())
    return np.asarray(weights / weights.sum(), np.float64)


def double_value(found: PeopleParameters, skill: Any, gain: Any, cash: Any, contact: Any) -> Any:
    """The logarithm of the odds that a player doubles; numbers, or arrays of one length. gain: points by doubling."""
    bias, cashes, contacts, *rest = found.double
    return bias + cashes * cash + contacts * contact + _seen(rest, skill, gain)


def take_value(found: PeopleParameters, skill: Any, gain: Any) -> Any:
    """The logarithm of the odds that a player takes; as `double_value`. gain: points by taking instead of passing."""
    bias, *rest = found.take
    return bias + _seen(rest, skill, gain)


def _seen(numbers: Sequence[float], skill: Any, gain: Any) -> Any:
    steepness, falls, blur = numbers
    return np.exp(steepness + falls * skill) * np.sign(gain) * np.log1p(np.abs(gain) / np.exp(blur))


@dataclass(frozen=True, slots=True)
class PeopleModel:
    """Chooses as people of one strength do. The same random numbers give the same choices."""

    parameters: PeopleParameters
    skill: float

    def play(
        self,
        rules: Rules,
        before: Position,
        ranked: Sequence[RankedPlay[OutcomeProbabilities]],
        draw: Callable[[str], Random],
    ) -> RankedPlay[OutcomeProbabilities]:
        """One of the plays of a roll, ranked best first. draw: random numbers for a play, named by its result."""
        plays = ranked[:MAX_PLAYS]
        position, results = encode([before]), encode([one.play.result for one in plays])
        losses = plays[0].equity - np.array([one.equity for one in plays])
        blurs = play_blurs(losses, position, in_contact(rules, before))
        pleasing = play_values(self.parameters, self.skill, losses, blurs, play_features(rules, position, results))
        drawn = [-log(-log(draw(pack(one.play.result).hex()).random() or TINY)) for one in plays]
        return plays[int(np.argmax(pleasing + np.array(drawn)))]

    def doubles(self, rules: Rules, before: Position, found: CubeDecision[OutcomeProbabilities], draw: Random) -> bool:
        """Whether they double; never where nothing depends on it."""
        gain = min(found.double_take, found.double_pass) - found.no_double
        if max(abs(gain), abs(found.double_pass - found.no_double)) < NOTHING:
            return False
        cash = found.double_pass < found.double_take
        odds = double_value(self.parameters, self.skill, gain, cash, in_contact(rules, before))
        return draw.random() < 1 / (1 + exp(-odds))

    def takes(self, gain: float, draw: Random) -> bool:
        """Whether they take. gain: points over passing."""
        return draw.random() < 1 / (1 + exp(-take_value(self.parameters, self.skill, gain)))

    def prefers(self, rules: Rules, before: Position, gain: float, draw: Random) -> bool:
        """Whether they prefer one of two things, neither of which they like for itself. gain: points over the other."""
        losses = np.array([max(0.0, -gain), max(0.0, gain)])
        blurs = play_blurs(losses, encode([before]), in_contact(rules, before))
        one, other = play_values(self.parameters, self.skill, losses, blurs, np.zeros((2, len(LIKINGS)))).tolist()
        return draw.random() < 1 / (1 + exp(other - one))


@cache
def people_model(level: str) -> PeopleModel:
    """The model that plays as the level of that name; KeyError for one that does not play like people."""
    return PeopleModel(people_parameters(), float(tomllib.loads(_text())["skill"][level]))


@cache
def people_parameters() -> PeopleParameters:
    """The fitted numbers, for people of any skill."""
    return parameters_of(tomllib.loads(_text()))


def _text() -> str:
    return (resources.files("barpoint") / "data" / "people" / "people.toml").read_text(encoding="utf-8")


def parameters_of(read: dict[str, Any]) -> PeopleParameters:
    """The numbers of people.toml; KeyError where one is missing."""
    play = read["play"]
    return PeopleParameters(
        (float(play["steepness"]), float(play["skill"])),
        float(play["fancy"]),
        tuple(float(play["blurs"][name]) for name in BLURS),
        tuple(float(play["likings"][name]) for name in LIKINGS),
        tuple(float(read["double"][name]) for name in DOUBLE),
        tuple(float(read["take"][name]) for name in TAKE),
    )
