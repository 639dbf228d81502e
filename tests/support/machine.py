"""What the machine decides and a test must not depend on: how busy it is, and which ports are free."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PATIENCE_S: Final = 120
"""For what must come; only a standstill takes as long, however busy the machine is."""


@contextmanager
def held_port() -> Iterator[int]:
    """A port for a server that comes and goes: nobody else is given it while nobody listens there."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port: int = holder.getsockname()[1]
        yield port
