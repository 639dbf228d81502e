"""A TCP proxy in front of a server, whose connections can go silent without being closed, as on a lost network."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class StallingProxy:
    """Forwards connections to a port of this machine. address: of the proxy, without a trailing slash."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._flowing = threading.Event()  # of the connections made since the last stall
        self._flowing.set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def stall(self) -> threading.Event:
        """Lets nothing through on the connections of now; later ones work. Setting the event lets through what waits."""
        stalled, self._flowing = self._flowing, threading.Event()
        self._flowing.set()
        stalled.clear()
        return stalled

    def close(self) -> None:
        """Closes all connections."""
        for one in [self._listener, *self._sockets]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=(*pair, self._flowing), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, flowing: threading.Event) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                flowing.wait()
                target.sendall(data)
        if flowing.is_set():
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)


@contextmanager
def stalling_proxy(target: int) -> Iterator[StallingProxy]:
    """A proxy in front of this port, which is closed afterwards."""
    proxy = StallingProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
