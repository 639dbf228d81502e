"""Processes beside the server: one that answers questions line by line, and one that does a single job and ends."""

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

NICENESS: Final = 5
"""How much less of a busy processor such a program gets than the server itself."""

MAX_ANSWER: Final = 20_000
"""Lines of one answer; a program that says more has lost its way."""


class EngineProcessFailed(BarpointError):
    """The program cannot be started, has ended, or does not answer; the next question starts it again."""


class EngineProcess:
    """One process, or none at the moment. Several threads may ask; they wait for each other.

    command: the program and its arguments. greeting: lines that it is sent first, each time it is started.
    starts: how often it was started.
    """

    def __init__(self, name: str, command: Sequence[str], greeting: Sequence[str] = ()) -> None:
        self.name, self.starts = name, 0
        self._command, self._greeting = tuple(command), tuple(greeting)
        self._turn = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._said: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def pid(self) -> int | None:
        """The process that answers now; None where none runs."""
        return self._process.pid if self._process is not None else None

    def ask(self, lines: Sequence[str], is_last: Callable[[str], bool], patience_s: float) -> list[str]:
        """What it answers, up to the line that `is_last` knows, which is left out; EngineProcessFailed."""
        with self._turn:
            try:
                if self._process is None or self._process.poll() is not None:
                    self._start()
                return self._exchange(lines, is_last, patience_s)
            except (OSError, ValueError, EngineProcessFailed) as error:
                self._end()
                raise EngineProcessFailed(f"{self.name}: {error}") from None

    def close(self) -> None:
        """Ends the process; a question that waits for it fails."""
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
            start_new_session=True,  # Ctrl-C is for the server, which then ends its programs
        )
        self.starts += 1
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)
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
                raise EngineProcessFailed(f"no answer within {patience_s:g} s") from None
            if line is None:
                raise EngineProcessFailed("it has ended")
            if is_last(line):
                return answer
            answer.append(line)
        raise EngineProcessFailed(f"an answer of more than {MAX_ANSWER} lines")

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
    """Hands on every line, and None at the end."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            said.put(line.rstrip("\r\n"))
    said.put(None)


class JobFailed(BarpointError):
    """The work was not done, or not in time."""


SHORT_LINE: Final = 1 << 16
"""Bytes of a line of an answer, for who reads it by lines and says nothing else."""


@contextlib.asynccontextmanager
async def working(
    module: str, *arguments: str, longest_line: int = SHORT_LINE
) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m module` while it works, with pipes. Nothing is left of it, however this ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
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


async def run(module: str, *arguments: str, data: bytes, patience_s: float) -> bytes:
    """What `python -m module` answers to these bytes; JobFailed."""
    async with working(module, *arguments) as process:
        try:
            said, wrong = await asyncio.wait_for(process.communicate(data), patience_s)
        except TimeoutError:
            raise JobFailed(f"{module}: no answer within {patience_s:g} s") from None
    if process.returncode:
        raise JobFailed(f"{module}: status {process.returncode}: {wrong[-300:].decode(errors='replace')}")
    return said
