"""Match equity tables: match winning chances by score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import erf, sqrt
from typing import Annotated, Final

import msgspec

from barpoint.error import FormatError

STANDARD: Final = "Kazaross-XG2"

_POINTS_SPREAD: Final = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72)
_POINTS_SPREAD_FROM_11: Final = 1.77
"""Standard deviation of the points of one game for a player 1..10 and more points away (rulings 5.4)."""

Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Met:
    """A match equity table.

    before: [n][n], row = points the player needs minus one, column = points the other needs minus one; the player's
    match
        winning chance before a game. Row and column 0 are the Crawford game.
    after: [n] chance of a trailer who needs (index + 1) points against a leader who needs one, after the Crawford game.
    """

    name: str
    before: tuple[tuple[float, ...], ...]
    after: tuple[float, ...]

    @staticmethod
    def names() -> tuple[str, ...]:
        """The tables that come with the package."""
        folder = resources.files("barpoint") / "data" / "met"
        return tuple(
            sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))
        )

    @classmethod
    def load(cls, name: str = STANDARD) -> Met:
        """The table of that name; FormatError lists the known names."""
        return _load(name)

    @property
    def length(self) -> int:
        """The number of points the table itself covers; `win` extends it beyond."""
        return len(self.before)

    def win(self, away_us: float, away_them: float, after_crawford: bool = False) -> float:
        """Our match winning chance before a game in which we and they still need these points.

        0 or less: the match is won. With one side at 1 it is the Crawford game unless `after_crawford` is given.
        Beyond the table: Montgomery's normal approximation (rulings 5.4).
        """
        us, them = int(away_us), int(away_them)
        if us <= 0 or them <= 0:
            return 1.0 if us <= 0 else 0.0
        if after_crawford and 1 in (us, them):
            return 1 - self._after(them) if us == 1 else self._after(us)
        if max(us, them) <= self.length:
            return self.before[us - 1][them - 1]
        return _by_normal_tail(us, them)

    def _after(self, away: int) -> float:
        if away <= len(self.after):
            return self.after[away - 1]
        beyond = away - len(self.after)
        last_alike = self.after[-2] if beyond % 2 else self.after[-1]  # odd and even needs come in pairs
        return float(last_alike * (self.after[-1] / self.after[-3]) ** ((beyond + 1) // 2))


def _by_normal_tail(us: int, them: int) -> float:
    games = (us + them) / 2
    spread = sqrt((_spread(us) ** 2 + _spread(them) ** 2) * games)
    return 0.5 * (1 + erf((them - us) / spread / sqrt(2)))


def _spread(away: int) -> float:
    return _POINTS_SPREAD[away - 1] if away <= len(_POINTS_SPREAD) else _POINTS_SPREAD_FROM_11


class _File(msgspec.Struct):
    name: str
    description: str
    pre: tuple[tuple[Chance, ...], ...]
    post: tuple[Chance, ...]


@cache
def _load(name: str) -> Met:
    known = Met.names()
    if name not in known:
        raise FormatError(f"no match equity table is called {name!r}; known: {', '.join(known)}")
    return read_met((resources.files("barpoint") / "data" / "met" / f"{name}.json").read_bytes())


def read_met(text: bytes) -> Met:
    """A table from JSON with name, description, `pre` (before a game) and `post` (after the Crawford game)."""
    try:
        found = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"no match equity table: {error}") from None
    if not found.pre or any(len(row) != len(found.pre) for row in found.pre) or len(found.post) < len(found.pre):
        raise FormatError("a match equity table is square, and as long after the Crawford game")
    return Met(found.name, found.pre, found.post)
