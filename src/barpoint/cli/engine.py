"""`barpoint engine`: answers requests from standard input, one JSON object a line, in order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

import typer

from barpoint.cli.answer import answer
from barpoint.cli.protocol import MOST_BYTES, BadRequest, format_answer, format_error, parse_request
from barpoint.error import BarpointError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Answer JSON requests, one a line, from any language.")(engine)


def engine() -> None:
    """Serve standard input until it ends."""
    serve_lines(sys.stdin.buffer, sys.stdout.buffer)


def serve_lines(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line of the source on the sink; nothing a line holds ends this."""
    for line in _lines(source):
        if line is not None and not line.strip():
            continue
        sink.write(
            format_error(None, BadRequest(f"a line is longer than {MOST_BYTES} bytes"))
            if line is None
            else _answer(line)
        )
        sink.flush()


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Each line; None in place of one that is too long."""
    while line := source.readline(MOST_BYTES + 1):
        if len(line) <= MOST_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MOST_BYTES)
        yield None


def _answer(line: bytes) -> bytes:
    request_id, request = parse_request(line)
    try:
        if isinstance(request, BadRequest):
            raise request
        return format_answer(request_id, answer(request))
    except BarpointError as error:
        return format_error(request_id, error)
    except Exception as error:  # noqa: BLE001  the outermost handler: a fault of ours must not end the process
        return format_error(request_id, BadRequest(f"a fault of this program: {type(error).__name__}: {error}"))
