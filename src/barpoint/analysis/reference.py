"""Reference positions: decisions of money games that we rolled out, to learn what is right in positions like one's own.

data/reference_positions.tsv has a line of settings, then a line a decision: stage, position of the side to act, roll or
"cube", who owns the cube ("-", "us" or "them"), and the plays that were rolled out, best first (`engine.judged`). Of a cube
action, "no double" and "double/take". training/reference_positions.py writes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from typing import Final

import msgspec
import numpy as np

from barpoint.analysis.decision_table import shape_of
from barpoint.analysis.findings import STAGES
from barpoint.analysis.similar import PositionCollection, counts_of_places
from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, CubeState, Owner, cube_action
from barpoint.engine.judged import JudgedChoice, format_judged, parse_judged
from barpoint.error import BarpointError, FormatError
from barpoint.moves import Play, parse_play
from barpoint.record import format_position, parse_position
from barpoint.rules import OpeningRule, Rules, Setup
from barpoint.variants import variant

FILE: Final = "reference_positions.tsv"
CUBE: Final = "cube"
CUBE_CHOICES: Final = ("no double", "double/take")
PASS: Final = 1.0
"""Equity of a double that is passed."""

_OWNERS: Final[dict[str, Owner]] = {"-": None, "us": "us", "them": "them"}


class ReferenceSettings(msgspec.Struct, frozen=True):
    """How the decisions were judged. games: of each choice at most. rolls, cube_rolls: after which the net's evaluation ends
    a game, of plays and of cube actions."""

    net: str
    games: int
    rolls: int
    cube_rolls: int


@dataclass(frozen=True, slots=True)
class ReferencePosition:
    """A decision of a money game. position: of the side to act. faces: () for a cube action. owner: of the cube.

    choices: as rolled out, with the present cube as 1; plays best first.
    """

    stage: str
    position: Position
    faces: tuple[int, ...]
    owner: Owner
    choices: tuple[JudgedChoice, ...]

    @property
    def key(self) -> str:
        """Names the decision: no other one has the same."""
        return " ".join(_decision_fields(self))

    @property
    def cube_info(self) -> CubeInfo:
        """What is at stake; a cube that somebody owns is at 2."""
        return CubeInfo(CubeState(2 if self.owner else 1, self.owner))

    @property
    def cube_equities(self) -> tuple[float, float]:
        """Of no double, and of a double that is taken."""
        (_stay, stay, _), (_take, take, _) = self.choices
        return stay, take

    @property
    def equity(self) -> float:
        """Of the best choice."""
        if self.faces:
            return self.choices[0][1]
        stay, take = self.cube_equities
        return max(stay, min(take, PASS))

    @property
    def best(self) -> str:
        """The best play, or the right cube action as in `CubeDecision.action`."""
        if self.faces:
            return self.choices[0][0]
        stay, take = self.cube_equities
        return cube_action(stay, take, PASS, self.cube_info, beaver=False)

    @property
    def best_is_alone(self) -> bool:
        """Whether the first play is better than the others that were rolled out; true where it is the only one."""
        return len(self.choices) < 2 or self.choices[0][1] > self.choices[1][1]

    def best_play(self, rules: Rules) -> Play:
        """The best play of the roll."""
        return parse_play(rules, self.position, self.faces, self.best)


def format_reference(line: ReferencePosition) -> str:
    """A line of the file, without its end."""
    return "\t".join((line.stage, *_decision_fields(line), *format_judged(line.choices)))


def _decision_fields(line: ReferencePosition) -> tuple[str, str, str]:
    return format_position(line.position), "".join(map(str, line.faces)) or CUBE, line.owner or "-"


def parse_reference(text: str) -> ReferencePosition:
    """Parses a line; FormatError."""
    try:
        stage, position, roll, owner, *items = text.split("\t")
        faces = () if roll == CUBE else tuple(map(int, roll))
        choices = parse_judged(items)
        if stage not in STAGES or len(faces) not in (0, 2) or not choices:
            raise ValueError
        if not faces and tuple(said for said, _equity, _error in choices) != CUBE_CHOICES:
            raise ValueError
        return ReferencePosition(stage, parse_position(position), faces, _OWNERS[owner], choices)
    except (ValueError, KeyError, BarpointError):
        raise FormatError("%(text)s is no line of the reference positions", text=repr(text[:80])) from None


class ReferenceCollection:
    """Reference positions to look for near ones in."""

    def __init__(self, settings: ReferenceSettings, positions: Iterable[ReferencePosition]) -> None:
        self.settings = settings
        self.rules: Rules = variant("backgammon")
        self.positions = tuple(positions)
        places = [counts_of_places(one.position) for one in self.positions]
        shapes = [shape_of(self.rules, one.position) for one in self.positions]
        self._near = PositionCollection(np.array(places, np.int8).reshape(-1, 2, 27), np.array(shapes, np.uint8))

    def covers(self, rules: Rules) -> bool:
        """Whether games under these rules differ from backgammon in how they begin at most."""
        same = replace(rules, name=self.rules.name, setup=Setup(), opening=OpeningRule()) == self.rules
        return same and rules.checkers == self.rules.checkers

    @cached_property
    def problems(self) -> tuple[ReferencePosition, ...]:
        """Those about a roll with one best play: where two are as good, there is nothing to ask."""
        return tuple(one for one in self.positions if one.faces and one.best_is_alone)

    @cached_property
    def by_key(self) -> dict[str, ReferencePosition]:
        """All of them by their names."""
        return {one.key: one for one in self.positions}

    @cached_property
    def cube_problems(self) -> tuple[ReferencePosition, ...]:
        """Those about a cube action."""
        return tuple(one for one in self.positions if not one.faces)

    @cached_property
    def mixed_problems(self) -> tuple[ReferencePosition, ...]:
        """Those of both kinds, mixed; whatever is added to the collection leaves the order of the others."""
        every = (*self.problems, *self.cube_problems)
        return tuple(sorted(every, key=lambda one: sha256(one.key.encode()).digest()))

    def find(self, position: Position, faces: tuple[int, ...], cube_info: CubeInfo) -> ReferencePosition | None:
        """The reference position with these at stake; None where it is none."""
        return self._known.get((position, faces, cube_info))

    @cached_property
    def _known(self) -> dict[tuple[Position, tuple[int, ...], CubeInfo], ReferencePosition]:
        return {(one.position, one.faces, one.cube_info): one for one in self.positions}

    def nearest(self, position: Position, count: int) -> tuple[tuple[ReferencePosition, int], ...]:
        """The nearest ones of the same class, and how many pips checkers must travel. position: of the side to act."""
        found = self._near.nearest(counts_of_places(position), shape_of(self.rules, position), count)
        return tuple(
            (self.positions[index], pips)
            for index, pips in zip(found.indices.tolist(), found.pips.tolist(), strict=True)
        )


@cache
def reference_collection() -> ReferenceCollection:
    """The collection that is shipped."""
    file = resources.files("barpoint") / "data" / FILE
    first, *rest = file.read_text(encoding="utf-8").splitlines()
    return ReferenceCollection(msgspec.json.decode(first, type=ReferenceSettings), map(parse_reference, rest))
