"""What a server reports about itself: Prometheus metrics, and logs as text or JSON."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import Any, Final

import msgspec
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from barpoint.error import FormatError

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the histogram buckets for times, in seconds."""

SHARED: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Upper bounds of the histogram buckets for writes per commit."""


class Metrics:
    """The metrics of one process, counted from its start."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        self.events = counter("barpoint_events", "Events written to logs of matches.", ["kind"])
        self.refusals = counter("barpoint_refusals", "Commands that were refused, by why.", ["reason"])
        self._act_s = histogram(
            "barpoint_act_seconds", "From a command to its acknowledgement, committed.", buckets=SECONDS
        )
        self.commit_s = histogram("barpoint_commit_seconds", "Time of a commit with its writes.", buckets=SECONDS)
        self.commit_writes = histogram("barpoint_commit_writes", "Writes that shared a commit.", buckets=SHARED)
        self.failures = counter("barpoint_commit_failures", "Commits that had to be done apart.")
        self.requests = counter("barpoint_http_requests", "Answers over HTTP, by status.", ["status"])
        self.sockets = gauge("barpoint_sockets", "Open WebSockets.")
        self.pubsub = gauge("barpoint_pubsub_connected", "1 when the other processes can be heard.")

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Times a command, and counts refusals by reason."""
        began = perf_counter()
        try:
            yield
        except Exception as error:
            self.refusals.labels(type(error).__name__).inc()
            raise
        finally:
            self._act_s.observe(perf_counter() - began)

    def watch(self, name: str, line: str, value: Callable[[], float]) -> None:
        """Adds a gauge whose value is looked up when it is read."""
        Gauge(name, line, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self.registry)


LOG: Final = logging.getLogger("barpoint.server")


class OutageLog:
    """Logs that something fails once, not at each attempt that fails alike, and that it works again. name: what it is."""

    def __init__(self, name: str) -> None:
        self._name, self._reason = name, ""

    def failed(self, reason: str) -> None:
        """Takes note of an attempt that failed."""
        if reason != self._reason:
            LOG.warning("%s: %s (repeats are not logged)", self._name, reason)
        self._reason = reason

    def worked(self) -> None:
        """Takes note of an attempt that did not fail."""
        if self._reason:
            LOG.warning("%s: works again", self._name)
        self._reason = ""


FORMS: Final = ("text", "json")

LEVELS: Final = {"text": logging.WARNING, "json": logging.INFO}
"""The minimum log level per form: at a terminal only warnings and errors are of interest."""

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, message, the fields of the record, and an error if any."""

    def format(self, record: logging.LogRecord) -> str:
        """Formats a record as a line."""
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
    """Sends all log output to standard error in this form; FormatError."""
    if form not in FORMS:
        raise FormatError(f"log: {form[:20]!r}; allowed: {' or '.join(FORMS)}")
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if form == "json" else text)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in ("barpoint", "uvicorn"):
        logging.getLogger(name).setLevel(LEVELS[form])
