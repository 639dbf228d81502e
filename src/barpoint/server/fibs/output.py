"""Output to a client: bounded, so that a slow reader costs no memory, with a prompt for a person."""

from __future__ import annotations

import asyncio
from typing import Final

MAX_WAITING: Final = 256 * 1024
"""Maximum unread bytes; a client further behind is disconnected."""

PROMPT: Final = "> "


class Output:
    """Output of one connection. prompting: a person reads it, and sees a prompt."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self.prompting = False
        self._at_prompt = False
        self._silent = False

    def lines(self, *lines: str) -> None:
        """Sends lines with line endings."""
        if lines:
            self.raw("".join(f"{line}\r\n" for line in lines))

    def raw(self, text: str | bytes) -> None:
        """Sends text unchanged, on a new line after an open prompt."""
        if self._silent or self._transport.is_closing():
            return
        if self._at_prompt:
            self._transport.write(b"\r\n")
            self._at_prompt = False
        self._transport.write(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
        if self._transport.get_write_buffer_size() > MAX_WAITING:
            self._transport.abort()

    def prompt(self) -> None:
        """Shows a prompt to a person."""
        if self.prompting and not self._at_prompt:
            self.raw(PROMPT)
            self._at_prompt = True

    def typed(self) -> None:
        """Notes that the person ended the line of the prompt."""
        self._at_prompt = False

    def silence(self) -> None:
        """Sends nothing more; the connection stays open until `close`."""
        self._silent = True

    def close(self) -> None:
        """Ends the connection once all output is sent."""
        self._transport.close()
