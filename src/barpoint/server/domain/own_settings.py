"""The settings of boards and pages that follow an account from browser to browser, and the time zone of its mails."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import UNSET, Struct, UnsetType, field


class OwnSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings that are changed; those that are not keep their values. `static/settings.js` has what holds where nothing is kept.

    near: the colour of the own checkers. mirror: "1" for a home on the left. warns: the smallest mistake that the tutor warns of.
    numbers, movable, commands, pips, ratings, chat: shown. click: one click plays a checker. letters: they act on the whole page.
    """

    forced: bool | UnsetType = UNSET
    passes: bool | UnsetType = field(default=UNSET, name="pass")
    bearoff: bool | UnsetType = UNSET
    roll: Literal["never", "no_double", "always"] | UnsetType = UNSET
    confirm: bool | UnsetType = UNSET
    board: Literal["", "harbour", "orchard"] | UnsetType = UNSET
    near: Literal["light", "dark"] | UnsetType = UNSET
    mirror: Literal["", "1"] | UnsetType = UNSET
    speed: Literal["none", "fast", "normal", "slow"] | UnsetType = UNSET
    numbers: bool | UnsetType = UNSET
    movable: bool | UnsetType = UNSET
    click: bool | UnsetType = UNSET
    letters: bool | UnsetType = UNSET
    commands: bool | UnsetType = UNSET
    pips: bool | UnsetType = UNSET
    ratings: bool | UnsetType = UNSET
    chat: bool | UnsetType = UNSET
    warns: Literal["doubtful", "error", "blunder"] | UnsetType = UNSET
    sound: bool | UnsetType = UNSET
    vibrate: bool | UnsetType = UNSET
    scheme: Literal["", "light", "dark"] | UnsetType = UNSET


def changed(kept: str | None, change: OwnSettings) -> str:
    """What is kept after a change, as JSON. Fields that only a later version knows stay."""
    return msgspec.json.encode(_fields(kept) | msgspec.to_builtins(change)).decode()


def in_zone(kept: str | None, zone: tzinfo) -> str:
    """What is kept once a time zone is known, as JSON."""
    return msgspec.json.encode(_fields(kept) | {"zone": str(zone)}).decode()


def zone_of(kept: str | None) -> tzinfo:
    """The time zone that is kept; UTC if none is. kept: JSON; None or "null" for nothing."""
    return zone_in(str(_fields(kept).get("zone", ""))) or UTC


def zone_in(name: str) -> tzinfo | None:
    """A time zone by its name, such as Europe/Berlin or UTC; None for a name that is unknown."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


def _fields(kept: str | None) -> dict[str, object]:
    return (msgspec.json.decode(kept, type=dict[str, object] | None) if kept is not None else None) or {}
