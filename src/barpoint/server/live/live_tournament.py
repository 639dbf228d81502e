"""A tournament in memory: the fold of its log, with its matches as last read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from barpoint.server.domain.tournaments import Tournament
from barpoint.server.live.event_log import Session
from barpoint.server.storage.event_log import Logged
from barpoint.server.storage.tournaments import FoundTournament, TournamentRecord


class LiveTournament(Session[Tournament, FoundTournament]):
    """One tournament in memory. Its matches change independently, so users read it again first (`EventLog.fresh`)."""

    def __init__(self, record: TournamentRecord) -> None:
        super().__init__(record.id)
        self.record = record

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before any."""
        return self.record.now.seq

    @property
    def people(self) -> Collection[str]:
        """The ids of the persons who have entered."""
        return self.record.names

    def update(self, found: FoundTournament) -> None:
        """Takes over what the database has."""
        self.record = found.record
        for event in found.events:
            self.note(event)

    def advance(self, state: Tournament, event: Logged) -> None:
        """Takes over the tournament after one more event of the log."""
        self.record = replace(self.record, now=state)
