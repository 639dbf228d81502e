"""Other engines as players, by UBGI, the Universal Backgammon Interface, draft 0.01 (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from collections.abc import Sequence
from queue import Empty, Queue
from threading import Thread
from typing import Final, Self

from barpoint.error import ArgumentError, BarpointError, FormatError, brief
from barpoint.game import Double, Event, Next, Pass, Phase, PlayMade, Roll, Take
from barpoint.match import Match
from barpoint.match.situation import Situation, situation_of
from barpoint.moves import legal_plays, parse_play
from barpoint.record import format_xgid

WAIT_S: Final = 60.0
"""Default seconds to wait for an answer."""

MAX_LINE: Final = 4_000
READY: Final = "readyok"
SORRY: Final = "sorry"


class UbgiError(BarpointError):
    """The other engine does not answer, has ended, or says something that is no answer."""


class UbgiPlayer:
    """A player for `bp.play_match` and `bp.play` whose decisions another program makes. command: starts it.

    name, version: what it says of itself. A context manager; `close` ends the program. UbgiError where it does not answer,
    ArgumentError for a command that is not in parts.
    """

    def __init__(self, command: Sequence[str], wait_s: float = WAIT_S) -> None:
        _check_command(command)
        self._wait_s = wait_s
        self._lines: Queue[str | None] = Queue()
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
        )
        Thread(target=self._listen, daemon=True).start()
        self.name = self.version = ""
        try:
            self._greet(command[0])
        except BaseException:
            self.close()
            raise

    def _greet(self, program: str) -> None:
        self._send("ubgi")
        while (line := self._next()) != READY:
            _introduce(self, line, program)

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
                with contextlib.suppress(OSError):  # what is still to be written to a program that has ended
                    pipe.close()

    def answer(self, situation: Situation | str) -> str:
        """What the program does in a situation, in its words: a play, "roll", "double", "take", "drop", or "" for no play."""
        self._send(_question(situation))
        while (said := self._next().strip().lower()) == READY:
            pass
        return _checked(said, self.name)

    def event(self, match: Match, player: int) -> Event | None:
        """The event by which the player acts now; None when they are not to act. To roll, a Roll without faces."""
        decided, event = _unasked(match, player)
        return event if decided else _event_of(self.answer(situation_of(match)), match, player, self.name)

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
            self._process.kill()  # an answer that comes later would be taken for that to the next question
            raise UbgiError("%(name)s does not answer", name=self.name or "the engine") from None
        if found is None:
            self._lines.put(None)
            raise UbgiError("%(name)s has ended", name=self.name or "the engine")
        return found


class AsyncUbgiPlayer:
    """As `UbgiPlayer`, for programs that use asyncio: `async with AsyncUbgiPlayer(command) as player: await player.event(...)`.

    The program is started on entering, and ended on leaving. One question at a time.
    """

    def __init__(self, command: Sequence[str], wait_s: float = WAIT_S) -> None:
        _check_command(command)
        self._command, self._wait_s = tuple(command), wait_s
        self._process: asyncio.subprocess.Process | None = None
        self.name = self.version = ""

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, limit=MAX_LINE)
        try:
            await self._send("ubgi")
            while (line := await self._next()) != READY:
                _introduce(self, line, self._command[0])
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the program."""
        process = self._process
        if process is None or process.stdin is None:
            return
        if process.returncode is None:
            try:
                await self._send("quit")
                await asyncio.wait_for(process.wait(), 5)
            except (UbgiError, TimeoutError):
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        process.stdin.close()

    async def answer(self, situation: Situation | str) -> str:
        """As `UbgiPlayer.answer`."""
        await self._send(_question(situation))
        while (said := (await self._next()).strip().lower()) == READY:
            pass
        return _checked(said, self.name)

    async def event(self, match: Match, player: int) -> Event | None:
        """As `UbgiPlayer.event`."""
        decided, event = _unasked(match, player)
        return event if decided else _event_of(await self.answer(situation_of(match)), match, player, self.name)

    async def _send(self, line: str) -> None:
        stdin = None if self._process is None else self._process.stdin
        try:
            if stdin is None or stdin.is_closing():
                raise ConnectionResetError
            stdin.write(f"{line}\n".encode())
            await stdin.drain()
        except OSError:
            raise UbgiError("%(name)s has ended", name=self.name or "the engine") from None

    async def _next(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), self._wait_s)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()  # an answer that comes later would be taken for that to the next question
            raise UbgiError("%(name)s does not answer", name=self.name or "the engine") from None
        except ValueError:  # longer than MAX_LINE
            line = SORRY.encode()
        if not line:
            raise UbgiError("%(name)s has ended", name=self.name or "the engine")
        return line.decode("utf-8", "replace").rstrip("\r\n")


def _check_command(command: object) -> None:
    """ArgumentError unless it is a program and its arguments."""
    if isinstance(command, str) or not isinstance(command, Sequence) or not command:
        raise ArgumentError(
            "command is %(command)s; allowed: a program and its arguments, such as ['barpoint', 'ubgi']",
            command=brief(command),
        )


def _introduce(player: UbgiPlayer | AsyncUbgiPlayer, line: str, program: str) -> None:
    """Keeps what the program says of itself before it is ready."""
    if line == SORRY:
        raise UbgiError("%(name)s could not start", name=player.name or program)
    key, _, value = line.removeprefix("id ").partition(" ")
    if line.startswith("id ") and key in ("name", "version"):
        setattr(player, key, value.strip())


def _question(situation: Situation | str) -> str:
    return situation if isinstance(situation, str) else format_xgid(situation)


def _checked(said: str, name: str) -> str:
    if said == SORRY:
        raise UbgiError("%(name)s has no answer to this position", name=name)
    return said


def _unasked(match: Match, player: int) -> tuple[bool, Event | None]:
    """Whether the player has nothing to decide, and then their event."""
    game = match.game
    if game.over and not match.over:
        return True, Next()
    if match.over or game.actor != player:
        return True, None
    if game.phase is Phase.TO_ROLL and not any(item.kind == "double" for item in game.legal_events()):
        return True, Roll(player)
    if game.phase is Phase.TO_PLAY and len(plays := legal_plays(game.rules, game.position, game.faces)) == 1:
        return True, PlayMade(player, plays[0].moves)
    return False, None


def _event_of(said: str, match: Match, player: int, name: str) -> Event:
    """The event that an answer means; UbgiError for an answer that is none."""
    match said:
        case "roll":
            return Roll(player)
        case "double":
            return Double(player)
        case "take":
            return Take(player)
        case "drop":
            return Pass(player)
    game = match.game
    if game.phase is not Phase.TO_PLAY:
        raise UbgiError("%(name)s says %(said)r about the cube", name=name, said=said[:40])
    try:
        return PlayMade(player, parse_play(game.rules, game.position, game.faces, _slashed(said)).moves)
    except FormatError as error:
        raise UbgiError("%(name)s says %(said)r: %(error)s", name=name, said=said[:40], error=error) from None


def _slashed(text: str) -> str:
    """A play as our notation has it: pairs may be written 8/5, 8-5 or 8 5."""
    parts = text.replace("-", "/").split()
    if any("/" in part for part in parts) or len(parts) % 2:
        return " ".join(parts)
    return " ".join(f"{source}/{target}" for source, target in zip(parts[::2], parts[1::2], strict=True))
