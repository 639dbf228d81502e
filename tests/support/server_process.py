"""A server process for tests to kill: python -m tests.support.server_process DATABASE PORT [PUBSUB [BOT_DELAY_MS]]."""

import sys

from barpoint.server.app import create_app
from barpoint.server.command import Server, config, listen
from barpoint.server.domain.settings import Settings
from tests.support.scripted_bots import ChanceBots


def main(database: str, port: str, pubsub: str = "", bot_delay_ms: str = "0") -> None:
    """Serves until stopped."""
    delay = int(bot_delay_ms)
    settings = Settings(database, pubsub, bot_delay_ms=delay, heartbeat_ms=200, takeover_ms=500, analyse_ended="off")
    server = Server(config(create_app(settings, ChanceBots(uncovered=()))), f"http://127.0.0.1:{port}/")
    server.run(sockets=[listen("127.0.0.1", int(port))])


if __name__ == "__main__":
    main(*sys.argv[1:])
