"""What a server says while it runs: lines for a person, or JSON for a program."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from barpoint.error import FormatError

FORMS: Final = ("text", "json")

LEVELS: Final = {"text": logging.WARNING, "json": logging.INFO}
"""From which level on something is said: a person at a terminal wants to hear of trouble alone."""

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, the fields of the record, and the error if there was one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def configure(form: str) -> None:
    """Sends everything that is logged to the standard error output in this form; FormatError."""
    if form not in FORMS:
        raise FormatError(f"log: {form[:20]!r}; allowed: {' or '.join(FORMS)}")
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if form == "json" else text)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in ("barpoint", "uvicorn"):
        logging.getLogger(name).setLevel(LEVELS[form])
