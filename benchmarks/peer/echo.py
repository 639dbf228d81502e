"""Starlette alone: python -m benchmarks.peer.echo PORT sends every WebSocket message back, under the uvicorn of our server."""

from __future__ import annotations

import sys

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from barpoint.server.command import Server, config, listen


async def echo(websocket: WebSocket) -> None:
    """Sends every message back until the client goes."""
    await websocket.accept()
    try:
        while True:
            await websocket.send_text(await websocket.receive_text())
    except WebSocketDisconnect:
        return


if __name__ == "__main__":
    port = int(sys.argv[1])
    app = Starlette(routes=[WebSocketRoute("/", echo)])
    Server(config(app), f"http://127.0.0.1:{port}/").run(sockets=[listen("127.0.0.1", port)])
