"""What is sent to a client: bounded, so that a slow reader costs no memory, with a prompt for a person."""

from __future__ import annotations

import asyncio
from typing import Final

MAX_WAITING: Final = 256 * 1024
"""Bytes that wait to be read; a reader who is so far behind is let go."""

PROMPT: Final = "> "


class Output:
    """One connection's way out. prompting: there is a person at the other end, who is shown a prompt."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self.prompting = False
        self._at_prompt = False
        self._silent = False

    def lines(self, *lines: str) -> None:
        """Sends lines, each with its end."""
        if lines:
            self.raw("".join(f"{line}\r\n" for line in lines))

    def raw(self, text: str | bytes) -> None:
        """Sends something as it is, after what a prompt has left open."""
        if self._silent or self._transport.is_closing():
            return
        if self._at_prompt:
            self._transport.write(b"\r\n")
            self._at_prompt = False
        self._transport.write(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
        if self._transport.get_write_buffer_size() > MAX_WAITING:
            self._transport.abort()

    def prompt(self) -> None:
        """Shows a person that he may type."""
        if self.prompting and not self._at_prompt:
            self.raw(PROMPT)
            self._at_prompt = True

    def typed(self) -> None:
        """The person has ended the line of the prompt himself."""
        self._at_prompt = False

    def silence(self) -> None:
        """Sends nothing more; the connection stays until `close`."""
        self._silent = True

    def close(self) -> None:
        """Ends the connection once everything is sent."""
        self._transport.close()
