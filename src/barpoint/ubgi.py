"""Other engines as players, by UBGI, the Universal Backgammon Interface, draft 0.01 (docs/protocol.md)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from queue import Empty, Queue
from threading import Thread
from typing import Final, Self

from barpoint.error import BarpointError, FormatError
from barpoint.game import Double, Event, Next, Pass, Phase, PlayMade, Roll, Take
from barpoint.match import Match
from barpoint.match.situation import Situation, situation_of
from barpoint.moves import legal_plays, parse_play
from barpoint.record import format_xgid

WAIT_S: Final = 60.0
"""Default seconds to wait for an answer."""

MAX_LINE: Final = 4_000


class UbgiError(BarpointError):
    """The other engine does not answer, has ended, or says something that is no answer."""


class UbgiPlayer:
    """A player for `bp.play_match` and `bp.play` whose decisions another program makes. command: starts it.

    name, version: what it says of itself. A context manager; `close` ends the program. UbgiError where it does not answer.
    """

    def __init__(self, command: Sequence[str], wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._lines: Queue[str | None] = Queue()
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
        )
        Thread(target=self._listen, daemon=True).start()
        self.name = self.version = ""
        try:
            self._greet(command[0])
        except UbgiError:
            self.close()
            raise

    def _greet(self, program: str) -> None:
        self._send("ubgi")
        while (line := self._next()) != "readyok":
            if line == "sorry":
                raise UbgiError("%(name)s could not start", name=self.name or program)
            key, _, value = line.removeprefix("id ").partition(" ")
            if line.startswith("id ") and key in ("name", "version"):
                setattr(self, key, value.strip())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        if self._process.poll() is None:
            try:
                self._send("quit")
                self._process.wait(5)
            except (UbgiError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def answer(self, situation: Situation | str) -> str:
        """What the program does in a situation, in its words: a play, "roll", "double", "take", "drop", or "" for no play."""
        self._send(situation if isinstance(situation, str) else format_xgid(situation))
        said = self._next().strip().lower()
        while said == "readyok":
            said = self._next().strip().lower()
        if said == "sorry":
            raise UbgiError("%(name)s has no answer to this position", name=self.name)
        return said

    def event(self, match: Match, player: int) -> Event | None:
        """The event by which the player acts now; None when they are not to act. To roll, a Roll without faces."""
        game = match.game
        if match.over or game.actor != player:
            return None
        if game.over:
            return Next()
        if game.phase is Phase.TO_ROLL and not any(item.kind == "double" for item in game.legal_events()):
            return Roll(player)
        if game.phase is Phase.TO_PLAY and len(legal_plays(game.rules, game.position, game.faces)) == 1:
            return PlayMade(player, legal_plays(game.rules, game.position, game.faces)[0].moves)
        said = self.answer(situation_of(match))
        match said:
            case "roll":
                return Roll(player)
            case "double":
                return Double(player)
            case "take":
                return Take(player)
            case "drop":
                return Pass(player)
        if game.phase is not Phase.TO_PLAY:
            raise UbgiError("%(name)s says %(said)r about the cube", name=self.name, said=said[:40])
        try:
            return PlayMade(player, parse_play(game.rules, game.position, game.faces, _slashed(said)).moves)
        except FormatError as error:
            raise UbgiError("%(name)s says %(said)r: %(error)s", name=self.name, said=said[:40], error=error) from None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line[:MAX_LINE].rstrip("\r\n"))
        except ValueError:  # closed
            pass
        self._lines.put(None)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise UbgiError("%(name)s has ended", name=self.name or "the engine") from None

    def _next(self) -> str:
        try:
            found = self._lines.get(timeout=self._wait_s)
        except Empty:
            raise UbgiError("%(name)s does not answer", name=self.name or "the engine") from None
        if found is None:
            self._lines.put(None)
            raise UbgiError("%(name)s has ended", name=self.name or "the engine")
        return found


def _slashed(text: str) -> str:
    """A play as our notation has it: pairs may be written 8/5, 8-5 or 8 5."""
    parts = text.replace("-", "/").split()
    if any("/" in part for part in parts) or len(parts) % 2:
        return " ".join(parts)
    return " ".join(f"{source}/{target}" for source, target in zip(parts[::2], parts[1::2], strict=True))
