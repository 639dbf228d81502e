"""A match to step through and analyse: played here, or imported from a file."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.match import Match
from barpoint.record import Book
from barpoint.server.domain.agreement_form import describe_agreement, describe_terms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.protocol.match_text import EventTold, Names, tell
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.study.replay import Reel, spectator


@dataclass(frozen=True, slots=True)
class Recording:
    """A match with everything its pages need, for one viewer.

    source, id: where it is stored. told: every event, with what is needed to describe it. agreement: None for an imported match. players:
    their names. seat: of the viewer. owned: the viewer imported it. notes: the book of an imported match. complete: no more events will follow.
    edition: another number where other notes are stored of the same match.
    """

    source: AnalysisSource
    id: str
    match: Match
    told: tuple[EventTold, ...]
    agreement: Agreement | None
    players: tuple[str, str]
    seat: int | None
    complete: bool
    owned: bool = False
    notes: Book | None = None
    edition: int = 0

    @property
    def terms(self) -> str:
        """What was agreed on, in one line, in the language that holds now."""
        if self.agreement is not None:
            return describe_agreement(self.agreement)
        return describe_terms(self.match.rules, self.match.terms)

    @property
    def path(self) -> str:
        """The common prefix of the URLs of its pages."""
        return f"/{self.source}/{self.id}"

    @property
    def names(self) -> Names:
        """What the players are called for the viewer."""
        return spectator(self.players, self.seat)

    @property
    def reel(self) -> Reel:
        """The match for stepping through."""
        return Reel(self.match, self.told)

    @property
    def book(self) -> Book:
        """The match for export."""
        return self.notes or Book(self.match, self.players)


def of_room(live_match: LiveMatch, viewer: str | None) -> Recording:
    """A match of this server. viewer: the id of who asks."""
    header = live_match.header
    first, second = header.seats
    return Recording(
        source="match",
        id=header.id,
        match=live_match.match,
        told=tuple(live_match.told),
        agreement=header.agreement,
        players=(first.shown_name, second.shown_name),
        seat=header.seat_of(viewer),
        complete=live_match.match.over,
    )


def of_book(review_id: str, book: Book, at: int) -> Recording:
    """An imported match. at: time of the import, ms since 1970. It counts as complete, however it ends."""
    match = book.match
    return Recording(
        source="review",
        id=review_id,
        match=match,
        told=tuple(_told(match, at)),
        agreement=None,
        players=book.players,
        seat=None,
        complete=True,
        notes=book,
    )


def _told(match: Match, at: int) -> list[EventTold]:
    found, before = [], Match.start(rules=match.rules, terms=match.terms)
    for seq, event in enumerate(match.events, start=1):
        after = before.replay(event)
        number = len(after.finished) + (0 if after.game.over else 1)
        found.append(tell(before.game, after.events[-1], seq, at, number))
        before = after
    return found
