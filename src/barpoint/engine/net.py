"""Selects the net that plays given rules, and loads each net once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from types import NoneType
from typing import Any, Final

from barpoint.dice import THREE_DICE, TWO_DICE, DiceRow, twelve_sided, two_dice_that_roll_again, two_dice_with_2_1_bonus
from barpoint.engine.net_file import unpacked
from barpoint.error import NetError, UnsupportedRules, check_kind
from barpoint.native import core, core_rules
from barpoint.rules import BearOff, Capture, Ending, FollowUps, Meeting, Movement, Prime, Rules, Winner
from barpoint.variants import games_of, rules_of

TABLES: Final[dict[str, tuple[tuple[DiceRow, ...], ...]]] = {
    "two dice": (TWO_DICE,),
    "twelve sides": (twelve_sided(), twelve_sided(include_3_3=True)),
    "two dice, 2-1 again": (two_dice_with_2_1_bonus(),),
    "two dice, 2-1 and doubles again": (two_dice_that_roll_again(),),
    "three dice": (THREE_DICE,),
}
"""Dice tables by the names that nets.toml uses; a net serves every spelling of its dice table."""

NAME_DIGITS: Final = 12
"""Number of hexadecimal digits of the SHA-256 of a net's content that name its file."""

CubeEfficiency = tuple[float, float, float]
"""Janowski's cube efficiency, 0 (dead) to 1 (perfectly timed): with contact, in a race of 40 pips, in one of 120."""

NetLike = core.Net | str | os.PathLike[str]
"""A net, or the file that holds one."""

DEFAULT_CUBE_EFFICIENCY: Final[CubeEfficiency] = (0.68, 0.6, 0.7)
"""GNU Backgammon's values; benchmarks/results.md, "Tried and reverted", compares them with others."""


_AS_IN_BACKGAMMON: Final = Rules()

_own_nets: Final[dict[Rules, core.Net]] = {}
"""What `use_net` has named."""


@dataclass(frozen=True, slots=True)
class NetEntry:
    """A net of nets.toml and the rules it covers; when several cover the rules, the first one plays.

    file: its name in data/nets. dice: a key of TABLES. tokens: "none", "own and other" or "other".
    checkers: smallest and largest number of a side. hand: whether checkers begin in the hand. per_checker: the scoring.
    movement: of the rules, each that the net plays. ending, follow_ups: those axes of the rules. cube_efficiency: see training/cube_efficiency.py. recipe, strength: how it
    was trained and what was measured, as text.
    pruning_net: the file of the small net that preselects plays for it, "" for none. cube_net: the file of the one that
    says the cube efficiency by position where a search ends, "" for none.
    """

    name: str
    file: str
    dice: str
    tokens: str
    checkers: tuple[int, int]
    hand: bool
    per_checker: bool
    recipe: str
    strength: str
    movement: tuple[Movement, ...] = (_AS_IN_BACKGAMMON.movement,)
    ending: Ending = _AS_IN_BACKGAMMON.ending
    follow_ups: FollowUps = _AS_IN_BACKGAMMON.follow_ups
    pruning_net: str = ""
    cube_net: str = ""
    cube_efficiency: CubeEfficiency = DEFAULT_CUBE_EFFICIENCY

    @property
    def version(self) -> str:
        """Names all nets of this entry, at most 24 characters: the first one's name, then six digits of the others', if any.

        Answers and analyses that are kept under it are right as long as it is the same.
        """
        net, others = self.file.removesuffix(".net"), self.pruning_net + self.cube_net
        return f"{net}-{sha256(others.encode()).hexdigest()[:6]}" if others else net

    def covers(self, rules: Rules) -> bool:
        """Whether this net may play these rules."""
        return (
            rules.dice.rows in TABLES[self.dice]
            and rules.follow_ups == self.follow_ups
            and tokens_of(rules) == self.tokens
            and self.checkers[0] <= rules.checkers <= self.checkers[1]
            and bool(rules.setup.hand) == self.hand
            and rules.scoring.per_checker == self.per_checker
            and rules.movement in self.movement
            and rules.ending == self.ending
        )


def tokens_of(rules: Rules) -> str:
    """The axis `rerolls` as nets.toml names it; "many" when a side has more than one token."""
    rerolls = rules.rerolls
    if not rerolls.tokens:
        return "none"
    if rerolls.tokens > 1:
        return "many"
    return " and ".join(word for word, has in (("own", rerolls.own), ("other", rerolls.other)) if has)


@cache
def entries() -> tuple[NetEntry, ...]:
    """All nets, in order of precedence; NetError when nets.toml cannot be read."""
    text = (resources.files("barpoint") / "data" / "nets" / "nets.toml").read_text(encoding="utf-8")
    try:
        # An entry without a file is a net that is not trained yet.
        return tuple(_entry(item) for item in tomllib.loads(text)["net"] if item["file"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise NetError("nets.toml: %(error)r", error=error) from None


def entry_named(name: str) -> NetEntry:
    """The net of this name; NetError if there is none."""
    found = next((entry for entry in entries() if entry.name == name), None)
    if found is None:
        raise NetError("no net is called %(name)s", name=name)
    return found


def _entry(item: dict[str, Any]) -> NetEntry:
    low, high = item["checkers"]
    if item["dice"] not in TABLES:
        raise ValueError(f"dice {item['dice']!r}; known: {', '.join(TABLES)}")
    contact, short_race, long_race = map(float, item.get("cube_efficiency", DEFAULT_CUBE_EFFICIENCY))
    said = {
        **item,
        "checkers": (int(low), int(high)),
        "movement": tuple(Movement(**_fields(each)) for each in _each(item.get("movement", {}))),
        "ending": Ending(**_fields(item.get("ending", {}))),
        "follow_ups": FollowUps(**_fields(item.get("follow_ups", {}))),
        "cube_efficiency": (contact, short_race, long_race),
    }
    return NetEntry(**said)


_KINDS: Final[dict[str, Callable[[Any], Any]]] = {
    "meeting": Meeting,
    "capture": Capture,
    "bear_off": BearOff,
    "prime": Prime,
    "quarter_limits": lambda limits: tuple(map(tuple, limits)),
    "leave_two": tuple,
    "rolls": lambda pairs: tuple((tuple(roll), tuple(after)) for roll, after in pairs),
    "winner": Winner,
    "start_pin_loses": bool,
    "standstill_draws": bool,
    "hit_and_run": bool,
    "hit_before_home": bool,
    "once": bool,
}
"""The fields of an axis that are no whole numbers."""


def _each(said: dict[str, Any] | list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One axis or several of them, as nets.toml spells them."""
    return said if isinstance(said, list) else [said]


def _fields(said: dict[str, Any]) -> dict[str, Any]:
    """Fields of an axis that differ from backgammon, as nets.toml spells them."""
    return {name: _KINDS.get(name, int)(value) for name, value in said.items()}


def find_net(rules: Rules) -> NetEntry:
    """The net that plays these rules; UnsupportedRules when none does."""
    for entry in entries():
        if entry.covers(rules):
            return entry
    known = ", ".join(entry.name for entry in entries())
    raise UnsupportedRules(
        "no net has learned %(name)s; there are nets for %(known)s and what starts differently. One of your own, as barpoint train makes"
        " it, is taken by --net, Engine(net=...), analyse(engine=...) and use_net(rules, net)",
        name=rules.name,
        known=known,
    )


def use_net(rules: str | Rules, net: NetLike | None) -> None:
    """Has a net of one's own play these rules in this process wherever none is given: by `Engine`, `Bot`, `analyse` and all that use them.

    net: its file, or one that `barpoint.train` has made; None for the package's again. NetError for one that is damaged or does not fit
    the rules, OptionError for rules whose games take turns.
    """
    check_kind("net", net, core.Net, str, os.PathLike, NoneType)
    rules = rules_of(rules)
    rules.check_one_game()
    if net is None:
        _own_nets.pop(rules, None)
        return
    found = read_net(net) if isinstance(net, str | os.PathLike) else net
    try:
        core.Searcher(core_rules(rules), found)
    except ValueError as error:
        if isinstance(net, str | os.PathLike):
            raise NetError("%(file)s: %(error)s", file=os.fspath(net), error=error) from None
        raise NetError(str(error)) from None
    _own_nets[rules] = found


def own_net(rules: Rules) -> core.Net | None:
    """The net that `use_net` has named for these rules; None where it has named none."""
    return _own_nets.get(rules) if _own_nets else None


def own_nets() -> dict[Rules, bytes]:
    """All nets that `use_net` has named, as the bytes of their files, to name them in another process."""
    return {rules: net.bytes() for rules, net in _own_nets.items()}


def covers(rules: str | Rules) -> bool:
    """Whether the engine can play the variant of this name, or these rules, in all games that they name."""
    check_kind("rules", rules, str, Rules)
    rules = rules_of(rules)
    return all(own_net(game) is not None or any(entry.covers(game) for entry in entries()) for game in games_of(rules))


def net_version(rules: Rules) -> str:
    """The version of the nets that play these rules, at most 24 characters; UnsupportedRules when none does."""
    versions = [_version(game) for game in games_of(rules)]
    return versions[0] if len(versions) == 1 else sha256("+".join(versions).encode()).hexdigest()[:24]


def _version(rules: Rules) -> str:
    own = own_net(rules)
    return find_net(rules).version if own is None else name_of(own.bytes())


@cache
def load(entry: NetEntry) -> core.Net:
    """Loads the net; NetError when its file is missing or damaged, or its content does not match its name."""
    return _read(entry.file)


@cache
def load_pruning_net(entry: NetEntry) -> core.Net | None:
    """The pruning net of this entry, None when it has none; NetError as for `load`."""
    return _read(entry.pruning_net) if entry.pruning_net else None


@cache
def load_cube_net(entry: NetEntry) -> core.CubeNet | None:
    """The cube net of this entry, None when it has none; NetError as for `load`."""
    return parse_cube_net(_content(entry.cube_net)) if entry.cube_net else None


def _read(file: str) -> core.Net:
    return parse(_content(file))


def _content(file: str) -> bytes:
    path = resources.files("barpoint") / "data" / "nets" / file
    try:
        data = unpacked(path.read_bytes())
    except OSError as error:
        raise NetError("%(file)s: %(error)s", file=file, error=error) from None
    if name_of(data) != file.removesuffix(".net"):
        raise NetError(
            "%(file)s holds another content, %(name_of)s; it is damaged or was renamed",
            file=file,
            name_of=name_of(data),
        )
    return data


def read_net(path: str | os.PathLike[str]) -> core.Net:
    """The net in any file, such as one of `barpoint.train`; NetError when it is missing or damaged."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise NetError("%(file)s: %(error)s", file=os.fspath(path), error=error) from None
    try:
        return parse(data)
    except NetError as error:
        raise NetError("%(file)s: %(error)s", file=os.fspath(path), error=error) from None


def parse(data: bytes) -> core.Net:
    """A net from the bytes of its file, packed or not; NetError says what is wrong with them."""
    try:
        return core.Net.parse(unpacked(data))
    except ValueError as error:
        raise NetError(str(error)) from None


def parse_cube_net(data: bytes) -> core.CubeNet:
    """A cube net from the bytes of its file; NetError says what is wrong with them."""
    try:
        return core.CubeNet.parse(data)
    except ValueError as error:
        raise NetError(str(error)) from None


def name_of(data: bytes) -> str:
    """The file name for this content, not packed, without suffix."""
    return sha256(data).hexdigest()[:NAME_DIGITS]
