"""A player's settings: toggles and variables with FIBS's names, stored with their account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct


class Preferences(Struct, omit_defaults=True, kw_only=True):
    """All settings that `toggle`, `set`, `gag` and `blind` change.

    boardstyle: 0 while unset: raw boards for a client, drawn ones for a person. gagged, blinded: ids.
    double, greedy, moves: reset to these defaults at the start of every game.
    """

    allowpip: bool = True
    autoboard: bool = True
    autodouble: bool = False
    automove: bool = True
    bell: bool = False
    crawford: bool = True
    double: bool = True
    greedy: bool = False
    moreboards: bool = True
    moves: bool = False
    notify: bool = True
    ratings: bool = False
    ready: bool = False
    report: bool = False
    silent: bool = False
    telnet: bool = True
    wrap: bool = False
    boardstyle: int = 0
    linelength: int = 0
    pagelength: int = 0
    redoubles: str = "none"
    sortwho: str = "login"
    timezone: str = "UTC"
    gagged: tuple[str, ...] = ()
    blinded: tuple[str, ...] = ()

    def begin_game(self) -> None:
        """Resets the settings that last for one game."""
        self.double, self.greedy, self.moves = True, False, False


MAX_NAMES: Final = 200
"""Maximum names a user may gag; the same limit holds for blind."""


def read_preferences(kept: str | None) -> Preferences:
    """The settings as stored; the defaults for a new user."""
    found = msgspec.json.decode(kept, type=Preferences) if kept else Preferences()
    found.begin_game()
    return found


def write_preferences(preferences: Preferences) -> str:
    """The settings in stored form."""
    return msgspec.json.encode(preferences).decode()


@dataclass(frozen=True, slots=True)
class Toggle:
    """The texts when it is switched on and off."""

    on: str
    off: str


TOGGLES: Final = {
    "allowpip": Toggle(
        "** You allow the use the server's 'pip' command.", "** You don't allow the use of the server's 'pip' command."
    ),
    "autoboard": Toggle(
        "** The board will be refreshed after every move.", "** The board won't be refreshed after every move."
    ),
    "autodouble": Toggle(
        "** You agree that doublets during opening double the cube.",
        "** You don't agree that doublets during opening double the cube.",
    ),
    "automove": Toggle("** Forced moves will be done automatically.", "** Forced moves won't be done automatically."),
    "bell": Toggle(
        "** Your terminal will ring the bell if someone talks to you or invites you",
        "** Your terminal won't ring the bell if someone talks to you or invites you",
    ),
    "crawford": Toggle(
        "** You insist on playing with the Crawford rule.",
        "** You would like to play without using the Crawford rule.",
    ),
    "double": Toggle("** You will be asked if you want to double.", "** You won't be asked if you want to double."),
    "greedy": Toggle("** Will use automatic greedy bearoffs.", "** Won't use automatic greedy bearoffs."),
    "moreboards": Toggle("** Will send rawboards after rolling.", "** Won't send rawboards after rolling."),
    "moves": Toggle(
        "** You want a list of moves after this game.", "** You won't see a list of moves after this game."
    ),
    "notify": Toggle("** You'll be notified when new users log in.", "** You won't be notified when new users log in."),
    "ratings": Toggle(
        "** You'll see how the rating changes are calculated.",
        "** You won't see how the rating changes are calculated.",
    ),
    "ready": Toggle("** You're now ready to invite or join someone.", "** You're now refusing to play with someone."),
    "report": Toggle(
        "** You will be informed about starting and ending matches.",
        "** You won't be informed about starting and ending matches.",
    ),
    "silent": Toggle("** You won't hear what other players shout.", "** You will hear what other players shout."),
    "telnet": Toggle(
        "** You use telnet and don't need extra 'newlines'.",
        "** You use a client program and will receive extra 'newlines'.",
    ),
    "wrap": Toggle("** The server will wrap long lines.", "** Your terminal knows how to wrap long lines."),
}
"""Every toggle in list order, with the texts that clients recognize."""

INVERSE: Final = {"autoroll": "double"}
"""Aliases with the opposite meaning: a user who is never asked about doubling rolls automatically."""
