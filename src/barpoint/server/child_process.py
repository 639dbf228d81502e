"""Subprocesses of the server: engine processes that answer questions line by line, and jobs that run once and end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from barpoint.error import BarpointError
from barpoint.priority import lower_priority

NICENESS: Final = 5
"""Added to the niceness of subprocesses, so that the server goes first on a busy CPU."""

_games: list[str] = []
"""What stands before the module in the command of a process: how it gets to know the server's own games."""

MAX_ANSWER: Final = 20_000
"""Maximum lines of an answer; a program that writes more has failed."""


def use_games(folder: str) -> None:
    """Has processes that are started from now on know the games in a folder; "" for none."""
    _games[:] = ("barpoint.own_games", folder) if folder else ()


def command_of(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module of the package."""
    return sys.executable, "-m", *_games, module, *arguments


class EngineProcessFailed(BarpointError):
    """The program cannot be started, has ended, or does not answer; the next question restarts it."""


class EngineProcess:
    """One process, started when needed. Threads that ask at the same time take turns.

    command: the program and its arguments. greeting: lines sent after each start. starts: how often it was started.
    """

    def __init__(self, name: str, command: Sequence[str], greeting: Sequence[str] = ()) -> None:
        self.name, self.starts = name, 0
        self._command, self._greeting = tuple(command), tuple(greeting)
        self._turn = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._said: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def pid(self) -> int | None:
        """The id of the running process; None if none runs."""
        return self._process.pid if self._process is not None else None

    def ask(self, lines: Sequence[str], is_last: Callable[[str], bool], patience_s: float) -> list[str]:
        """The output lines up to the one that `is_last` accepts, which is left out; EngineProcessFailed."""
        with self._turn:
            try:
                if self._process is None or self._process.poll() is not None:
                    self._start()
                return self._exchange(lines, is_last, patience_s)
            except (OSError, ValueError, EngineProcessFailed) as error:
                self._end()
                raise EngineProcessFailed("%(name)s: %(error)s", name=self.name, error=error) from None

    def close(self) -> None:
        """Ends the process; a question in progress fails."""
        self._end()

    def _start(self) -> None:
        self._end()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C", "LANGUAGE": ""},
            start_new_session=True,  # Ctrl-C is for the server, which then ends its subprocesses
        )
        self.starts += 1
        lower_priority(NICENESS, self._process.pid)
        self._said = queue.SimpleQueue()
        threading.Thread(
            target=_listen, args=(self._process, self._said), name=f"{self.name} answers", daemon=True
        ).start()
        self._write(self._greeting)

    def _write(self, lines: Sequence[str]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def _exchange(self, lines: Sequence[str], is_last: Callable[[str], bool], patience_s: float) -> list[str]:
        self._write(lines)
        until, answer = time.monotonic() + patience_s, list[str]()
        while len(answer) < MAX_ANSWER:
            try:
                line = self._said.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise EngineProcessFailed("no answer within %(patience_s)g s", patience_s=patience_s) from None
            if line is None:
                raise EngineProcessFailed("it has ended")
            if is_last(line):
                return answer
            answer.append(line)
        raise EngineProcessFailed("an answer of more than %(max_answer)s lines", max_answer=MAX_ANSWER)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()


def _listen(process: subprocess.Popen[str], said: queue.SimpleQueue[str | None]) -> None:
    """Passes on every line, and None at the end."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            said.put(line.rstrip("\r\n"))
    said.put(None)


class JobFailed(BarpointError):
    """The job failed, or ran out of time."""


SHORT_LINE: Final = 1 << 16
"""Maximum bytes of a line, unless the caller sets another limit."""


@contextlib.asynccontextmanager
async def working(
    module: str, *arguments: str, longest_line: int = SHORT_LINE
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs `python -m module` with pipes; when the context ends, the process is gone."""
    process = await asyncio.create_subprocess_exec(
        *command_of(module, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=longest_line,
        start_new_session=os.name == "posix",  # Ctrl-C is for the server, which then stops it
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def feed(process: asyncio.subprocess.Process, data: bytes, *, more: bool = False) -> None:
    """Writes the input of a job, and ends it unless more follows. That a process has gone its output and status say."""
    assert process.stdin is not None
    with contextlib.suppress(ConnectionError, RuntimeError):  # a pipe that is closed already; the latter by uvloop
        process.stdin.write(data)
        await process.stdin.drain()
        if not more:
            process.stdin.close()


async def ended(process: asyncio.subprocess.Process, module: str) -> None:
    """Waits until a job ends by itself; JobFailed, with the end of its error output, unless its status is 0."""
    assert process.stderr is not None
    wrong = await process.stderr.read()
    _check(module, await process.wait(), wrong)


def _check(module: str, status: int | None, wrong: bytes) -> None:
    if status:
        raise JobFailed(
            "%(module)s: status %(status)s: %(wrong)s",
            module=module,
            status=status,
            wrong=wrong[-300:].decode(errors="replace"),
        )


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()


async def run(module: str, *arguments: str, data: bytes, patience_s: float) -> bytes:
    """The output of `python -m module` for this input; JobFailed."""
    async with working(module, *arguments) as process:
        try:
            async with asyncio.timeout(patience_s):
                _fed, said, wrong = await asyncio.gather(
                    feed(process, data), _read(process.stdout), _read(process.stderr)
                )
                await process.wait()
        except TimeoutError:
            raise JobFailed(
                "%(module)s: no answer within %(patience_s)g s", module=module, patience_s=patience_s
            ) from None
    _check(module, process.returncode, wrong)
    return said
