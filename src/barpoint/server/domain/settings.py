"""What a server is told when it starts."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from barpoint.server.domain.web_push import SERVICES


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server is told when it starts; nothing of it needs to be said.

    database: where everything is kept, as SQLAlchemy writes addresses; sqlite:///path or postgresql://...
    pubsub: how the processes of one server reach each other: redis://host, or "" for what goes with the database.
    bot_delay_ms: shortest time between two acts of a bot, so that a person can follow.
    provisional_ms: time to call after a winning roll before it stands (rulings 2.3, state E).
    sweep_ms: time between two looks for deadlines that have passed.
    takeover_ms: a bot that has not acted for so long is driven by whichever process finds it.
    heartbeat_ms: time between two notes that the server lives; the age of the last one at a start is the downtime.
    secure: cookies travel over TLS only.
    address: where people find this server, such as https://play.example.org; what letters link to.
    notice_ms: how long a turn waits before its player, if he is away, is told by mail.
    fibs: where FIBS clients connect, PORT on this machine alone or HOST:PORT; "" for nowhere.
    push_services: hosts of push services, or their ends; nothing is pushed to anywhere else.
    mail: the mail server, as `parse_mail_server` reads it; "" for no mail.
    """

    database: str
    pubsub: str = ""
    bot_delay_ms: int = 700
    provisional_ms: int = 60_000
    sweep_ms: int = 500
    takeover_ms: int = 15_000
    heartbeat_ms: int = 2_000
    secure: bool = False
    address: str = ""
    mail: str = ""
    notice_ms: int = 300_000
    fibs: str = ""
    push_services: tuple[str, ...] = SERVICES


def default_database() -> str:
    """The address of the SQLite file used when none is named; its folder is made."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "barpoint"
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'barpoint.sqlite3'}"
