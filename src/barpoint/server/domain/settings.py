"""The settings of a server."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from barpoint.error import FormatError
from barpoint.server.domain.web_push import SERVICES

AnalyseEnded = Literal["off", "quick", "deep"]
"""Which analyses a match gets by itself when it ends: none, a quick one, or a deep one after it when workers are idle."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server; all have defaults.

    database: its address in SQLAlchemy's form; sqlite:///path or postgresql://...
    pubsub: how the processes of one server reach each other: redis://host, or "" for the default of the database.
    bot_delay_ms: shortest time between two actions of a bot, so that a person can follow.
    provisional_ms: time to ask for a reroll after a winning roll before it stands (rulings 2.3, state E).
    scheduler_ms: time between two looks for what is due: deadlines, rounds of tournaments, challenges of ladders.
    takeover_ms: a bot that has not acted for this long is driven by whichever process finds it.
    heartbeat_ms: time between two heartbeats; the age of the last one at a start is the downtime.
    secure: cookies travel over TLS only.
    address: the public URL of this server, such as https://play.example.org; links in mail start with it.
    notice_ms: how long a turn waits before its player, if away, gets mail.
    fibs: where FIBS clients connect, PORT on this machine alone or HOST:PORT; "" for nowhere.
    push_services: hosts of push services, or their suffixes; messages go to no other hosts.
    mail: the mail server, as `parse_mail_server` reads it; "" for no mail.
    workers: analyses and rollouts that this process does at the same time, each in a low-priority subprocess; 0 leaves
        them to `barpoint worker`.
    analyse_ended: how matches are analysed that nobody has asked about.
    """

    database: str
    pubsub: str = ""
    bot_delay_ms: int = 700
    provisional_ms: int = 60_000
    scheduler_ms: int = 500
    takeover_ms: int = 15_000
    heartbeat_ms: int = 2_000
    secure: bool = False
    address: str = ""
    mail: str = ""
    notice_ms: int = 300_000
    fibs: str = ""
    push_services: tuple[str, ...] = SERVICES
    workers: int = 2
    analyse_ended: AnalyseEnded = "deep"


def parse_analyse_ended(text: str) -> AnalyseEnded:
    """The setting in a text; FormatError for another."""
    for known in get_args(AnalyseEnded):
        if text == known:
            found: AnalyseEnded = known
            return found
    allowed = ", ".join(get_args(AnalyseEnded))
    raise FormatError("analyse-ended: %(text)r; allowed: %(allowed)s", text=text[:20], allowed=allowed)


def default_database() -> str:
    """The address of the default SQLite file; creates its folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "barpoint"
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'barpoint.sqlite3'}"
