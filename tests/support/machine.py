"""Keeps tests independent of the machine's load and of the ports in use."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PATIENCE_S: Final = 120
"""Timeout for something that must happen; only a deadlock takes this long, however busy the machine is."""


@contextmanager
def held_port() -> Iterator[int]:
    """A port for a server that restarts: nobody else gets it while nobody listens there."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port: int = holder.getsockname()[1]
        yield port
