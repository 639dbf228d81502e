"""Match equity tables: match winning chances by score."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import erf, sqrt
from operator import index
from pathlib import Path
from typing import Annotated, Final, SupportsIndex
from xml.etree import ElementTree

import msgspec

from barpoint.error import ArgumentError, FormatError, OptionError, check_kind

STANDARD: Final = "Kazaross-XG2"

_POINTS_SPREAD: Final = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72)
_POINTS_SPREAD_FROM_11: Final = 1.77
"""Standard deviation of the points of one game for a player 1..10 and more points away (rulings 5.4)."""

MAX_XML_BYTES: Final = 1_000_000

Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True, repr=False)
class Met:
    """A match equity table.

    before: [n][n], row = points the player needs minus one, column = points the other needs minus one; the player's
        match winning chance before a game. Row and column 0 are the Crawford game.
    after: [n] chance of a trailer who needs (index + 1) points against a leader who needs one, after the Crawford game.
    after_them: as `after` where the other player is the trailer; () where it is the same. In a table that differs between
        the players "we" are always its first one.
    description: how it was made, by whoever made it.
    """

    name: str
    before: tuple[tuple[float, ...], ...]
    after: tuple[float, ...]
    after_them: tuple[float, ...] = ()
    description: str = ""

    @staticmethod
    def names() -> tuple[str, ...]:
        """The tables that come with the package."""
        folder = resources.files("barpoint") / "data" / "met"
        return tuple(
            sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))
        )

    @classmethod
    def load(cls, name: str = STANDARD) -> Met:
        """The table of that name; OptionError lists the known names."""
        check_kind("name", name, str)
        return _load(name)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Met:
        """The table in a file: .xml of GNU Backgammon with its figures written out, or .json of this package.

        FormatError says what is wrong, OSError why it cannot be read.
        """
        check_kind("path", path, str, os.PathLike)
        suffix = Path(path).suffix.lower()
        if suffix not in (".xml", ".json"):
            raise FormatError("%(name)r; match equity tables end with .xml or .json", name=Path(path).name)
        data = Path(path).read_bytes()
        return read_met_xml(data) if suffix == ".xml" else read_met(data)

    def __repr__(self) -> str:
        return f"<Met {self.name!r}, {self.length} points>"

    @property
    def length(self) -> int:
        """The number of points the table itself covers; `win` extends it beyond."""
        return len(self.before)

    def win(self, away_us: SupportsIndex, away_them: SupportsIndex, after_crawford: bool = False) -> float:
        """Our match winning chance before a game in which we and they still need these points.

        0 or less: the match is won. With one side at 1 it is the Crawford game unless `after_crawford` is given.
        Beyond the table: Montgomery's normal approximation (rulings 5.4). ArgumentError for points that are not whole.
        """
        try:
            us, them = index(away_us), index(away_them)
        except TypeError:
            raise ArgumentError(
                "away %(us)r and %(them)r; allowed: whole numbers of points", us=away_us, them=away_them
            ) from None
        if us <= 0 or them <= 0:
            return 1.0 if us <= 0 else 0.0
        if after_crawford and 1 in (us, them):
            return 1 - _after(self.after_them or self.after, them) if us == 1 else _after(self.after, us)
        if max(us, them) <= self.length:
            return self.before[us - 1][them - 1]
        return _by_normal_tail(us, them)


def _after(row: tuple[float, ...], away: int) -> float:
    if away <= len(row):
        return row[away - 1]
    beyond = away - len(row)
    last_alike = row[-2] if beyond % 2 else row[-1]  # odd and even needs come in pairs
    return float(last_alike * (row[-1] / row[-3]) ** ((beyond + 1) // 2))


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
        raise OptionError(
            "no match equity table is called %(name)r; known: %(allowed)s", name=name, allowed=", ".join(known)
        )
    return read_met((resources.files("barpoint") / "data" / "met" / f"{name}.json").read_bytes())


def read_met(text: bytes) -> Met:
    """A table from JSON with name, description, `pre` (before a game) and `post` (after the Crawford game)."""
    try:
        found = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError("no match equity table: %(error)s", error=error) from None
    if not found.pre or any(len(row) != len(found.pre) for row in found.pre) or len(found.post) < len(found.pre):
        raise FormatError("a match equity table is square, and as long after the Crawford game")
    _check_after(found.post)
    return Met(found.name, found.pre, found.post, description=found.description)


def read_met_xml(data: bytes) -> Met:
    """A table from GNU Backgammon's XML: `pre-crawford-table` and `post-crawford-table`, one for both players or one for each.

    FormatError for tables that are only described by parameters.
    """
    if len(data) > MAX_XML_BYTES:
        raise FormatError(
            "a match equity table of %(count)s bytes; at most %(max_xml_bytes)s are read",
            count=len(data),
            max_xml_bytes=MAX_XML_BYTES,
        )
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise FormatError("no match equity table: %(msg)s", line, column + 1, msg=error.msg) from None
    before, after = root.findall("pre-crawford-table"), root.findall("post-crawford-table")
    players = [table.get("player", "both") for table in after]
    if root.tag != "met" or len(before) != 1 or sorted(players) not in (["both"], ["0", "1"]):
        raise FormatError(
            "a match equity table is <met> with one table before the Crawford game and after it one for both or for each"
        )
    kinds = {table.get("type", "explicit") for table in (*before, *after)}
    if kinds != {"explicit"}:
        raise FormatError(
            "a table that is computed (%(allowed)s); those with every figure are read", allowed=", ".join(sorted(kinds))
        )
    rows = tuple(_chances_in(row) for row in before[0].findall("row"))
    rest = {
        player: tuple(chance for row in table.findall("row") for chance in _chances_in(row))
        for player, table in zip(players, after, strict=True)
    }
    if not rows or any(len(row) != len(rows) for row in rows):
        raise FormatError("a match equity table is square")
    for row in rest.values():
        _check_after(row)
    name = (root.findtext("info/name") or "").strip() or "without a name"
    return Met(name, rows, rest["both"]) if "both" in rest else Met(name, rows, rest["0"], rest["1"])


def _check_after(row: tuple[float, ...]) -> None:
    """FormatError for chances after the Crawford game from which those of more points do not follow."""
    if len(row) < 3 or not all(row):
        raise FormatError("a match equity table has at least three figures after the Crawford game, all above zero")


def _chances_in(row: ElementTree.Element) -> tuple[float, ...]:
    try:
        chances = tuple(float(entry.text or "") for entry in row.findall("me"))
    except ValueError:
        raise FormatError("a match equity table holds something that is no number") from None
    if not all(0 <= chance <= 1 for chance in chances):
        raise FormatError("a match equity table holds chances from 0 to 1")
    return chances
