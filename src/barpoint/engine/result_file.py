"""The file of a long run of numbered pieces: a line of JSON for each finished one, in order, from which the run goes on."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from barpoint.error import RolloutError


class ResultFile:
    """The results so far, and the file that keeps them; without a path they are kept in memory alone.

    specification: all that decides the results; another one's file is refused (RolloutError). A last line that a killed run left
    incomplete is dropped. OSError. results: what JSON gives back, in order.
    """

    def __init__(self, path: str | os.PathLike[str] | None, specification: object) -> None:
        self.path = None if path is None else Path(path)
        self.results: list[Any] = []
        head = json.dumps({"run": sha256(repr(specification).encode()).hexdigest()[:16]})
        if self.path is None:
            return
        content = self.path.read_bytes() if self.path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if not whole and head.encode().startswith(content):  # nothing was written, or its first line not to the end
            self._write(head, "w")
            return
        first, *lines = whole.splitlines() or [b""]
        if first != head.encode():
            raise RolloutError("%(name)s holds the results of another run. Give another file name", name=self.path.name)
        try:
            self.results = [json.loads(line) for line in lines]
        except ValueError:
            raise RolloutError("%(name)s is damaged", name=self.path.name) from None
        if len(whole) < len(content):
            os.truncate(self.path, len(whole))

    def add(self, result: Any) -> None:
        """Appends the result of the next piece, to the file too."""
        self.results.append(result)
        if self.path is not None:
            self._write(json.dumps(result), "a")

    def _write(self, line: str, mode: str) -> None:
        assert self.path is not None
        with self.path.open(mode, encoding="utf-8") as file:
            file.write(line + "\n")
