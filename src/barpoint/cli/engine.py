"""`barpoint engine`: answers requests from standard input, one JSON object a line, in order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Queue
from threading import Lock, Thread
from time import monotonic
from typing import Annotated, BinaryIO, Final

import typer

from barpoint.cli.answer import EngineAnswer, answer
from barpoint.cli.position import NetOption
from barpoint.cli.protocol import (
    MAX_BYTES,
    BadRequest,
    CancelRequest,
    EngineRequest,
    RequestCancelled,
    RequestId,
    format_answer,
    format_error,
    parse_request,
)
from barpoint.cli.rules_option import NamedRulesOption, use_files
from barpoint.engine.level import level as level_named
from barpoint.engine.time_budget import check_time
from barpoint.error import BarpointError, OptionError
from barpoint.language import N_

MAX_WAITING: Final = 64
"""Requests that are read ahead; a cancel further behind takes effect later."""

PROGRESS_SECONDS: Final = 0.5
"""Seconds between two lines of progress."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Answer JSON requests, one a line, from any language."))(engine)


def engine(
    external: Annotated[
        str | None, typer.Option(help="Play for gnubg instead, at HOST:PORT or the path of a socket.")
    ] = None,
    level: Annotated[str, typer.Option(help="Of play, for --external and --ubgi.")] = "strong",
    ubgi: Annotated[
        bool, typer.Option("--ubgi", help="Speak UBGI, the Universal Backgammon Interface, instead.")
    ] = False,
    time_ms: Annotated[
        float | None,
        typer.Option("--time", help="Milliseconds for each play or cube decision; a request may name its own."),
    ] = None,
    game: NamedRulesOption = "",
    net: NetOption = None,
) -> None:
    """Serve standard input until it ends, or with --external gnubg until stopped."""
    check_time(time_ms)
    level_named(level)  # refused before anything listens
    use_files(game, net)
    if external is not None and ubgi:
        raise OptionError("--external and --ubgi exclude each other")
    if external is not None:
        from barpoint.cli.external import listen, serve_external

        with listen(external) as listener:
            typer.echo(f"in gnubg: set player 0 external {external}")
            serve_external(listener, level, time_ms)
        return
    if ubgi:
        from barpoint.cli.ubgi import replies

        for line in replies(sys.stdin, level, time_ms):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return
    serve_lines(sys.stdin.buffer, sys.stdout.buffer, time_ms)


def serve_lines(source: BinaryIO, sink: BinaryIO, time_ms: float | None = None) -> None:
    """Answers every line of the source on the sink, in order; nothing a line holds ends this.

    Lines are read while others are answered, so that a request under way can be cancelled.
    """
    desk = Desk(sink, time_ms)
    try:
        for line in _lines(source):
            if line is None:
                desk.put(None, BadRequest("a line is longer than %(max_bytes)s bytes", max_bytes=MAX_BYTES))
            elif line.strip():
                desk.put(*parse_request(line))
    except BaseException:
        desk.leave()
        raise
    desk.close()


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Each line; None in place of one that is too long."""
    while line := source.readline(MAX_BYTES + 1):
        if len(line) <= MAX_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MAX_BYTES)
        yield None


@dataclass(slots=True, eq=False)
class Case:
    """A request on its way. hit: for a cancel, whether it found its request."""

    request_id: RequestId | None
    request: EngineRequest | BadRequest
    cancelled: bool = False
    hit: bool = False


class _SinkGoneError(Exception):
    """The sink is closed."""


class Desk:
    """Answers requests one after the other in a thread of its own."""

    def __init__(self, sink: BinaryIO, time_ms: float | None = None) -> None:
        self._sink, self._time_ms = sink, time_ms
        self._queue: Queue[Case | None] = Queue(MAX_WAITING)
        self._open: list[Case] = []  # queued and not yet answered
        self._lock = Lock()
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def put(self, request_id: RequestId | None, request: EngineRequest | BadRequest) -> None:
        """Queue a request; raises here when the sink is closed."""
        if self._failure is not None:
            raise self._failure
        case = Case(request_id, request)
        with self._lock:
            if isinstance(request, CancelRequest):
                for other in self._open:
                    if other.request_id == request.request and not isinstance(other.request, CancelRequest):
                        other.cancelled = case.hit = True
            self._open.append(case)
        self._queue.put(case)

    def close(self) -> None:
        """Waits until everything is answered."""
        self._queue.put(None)
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def leave(self) -> None:
        """Cancels everything and waits for the request in progress."""
        with self._lock:
            for case in self._open:
                case.cancelled = True
        self._queue.put(None)
        self._thread.join(5)

    def _work(self) -> None:
        while (case := self._queue.get()) is not None:
            if self._failure is None:
                try:
                    self._write(self._answer(case))
                except _SinkGoneError as gone:
                    self._failure = gone.__cause__
            with self._lock:
                self._open.remove(case)

    def _write(self, line: bytes) -> None:
        try:
            self._sink.write(line)
            self._sink.flush()
        except (OSError, ValueError) as failure:
            raise _SinkGoneError from failure

    def _answer(self, case: Case) -> bytes:
        told = monotonic()

        def report(said: EngineAnswer) -> bool:
            nonlocal told
            if not case.cancelled and monotonic() - told >= PROGRESS_SECONDS:
                told = monotonic()
                self._write(format_answer(case.request_id, said))
            return not case.cancelled

        try:
            if isinstance(case.request, BadRequest):
                raise case.request
            if isinstance(case.request, CancelRequest):
                return format_answer(case.request_id, {"cancelled": case.hit})
            if case.cancelled:
                raise RequestCancelled("cancelled")
            return format_answer(case.request_id, answer(case.request, report, self._time_ms))
        except _SinkGoneError:
            raise
        except BarpointError as error:
            return format_error(case.request_id, error)
        except Exception as error:  # noqa: BLE001  the outermost handler: a fault of ours must not end the process
            return format_error(
                case.request_id,
                BadRequest("an error in this program: %(name)s: %(error)s", name=type(error).__name__, error=error),
            )
