"""What a page weighs: the bytes that a browser fetches for it."""

from __future__ import annotations

from typing import Final

from tests.browser.site import Person

MAX_BYTES: Final = 300_000
"""Of all that a page's first visit fetches."""


class Scales:
    """Weighs what a person's browser fetches, which keeps no file."""

    def __init__(self, person: Person) -> None:
        self.total = 0.0
        network = person.context.new_cdp_session(person.page)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        network.on("Network.loadingFinished", self._add)

    def _add(self, loaded: dict[str, float]) -> None:
        self.total += loaded["encodedDataLength"]

    def weight(self) -> float:
        """Bytes since the last time."""
        found, self.total = self.total, 0.0
        return found
