"""Something that can be stepped through and judged: a match that is played here, or one from a file."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.match import Match
from barpoint.record import Book
from barpoint.server.domain.agreement_form import describe_agreement, describe_terms
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.protocol.match_text import EventTold, Names, tell
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.study.replay import Reel, spectator


@dataclass(frozen=True, slots=True)
class Recording:
    """A match with all that its pages need, as one viewer may see it.

    source, id: where it is kept. told: every event, with what is needed to say it. terms: in one line.
    players: their names. seat: of the viewer. owned: he has brought it. complete: nothing comes to it any more.
    """

    source: AnalysisSource
    id: str
    match: Match
    told: tuple[EventTold, ...]
    terms: str
    players: tuple[str, str]
    seat: int | None
    complete: bool
    owned: bool = False

    @property
    def path(self) -> str:
        """The beginning of the addresses of its pages."""
        return f"/{self.source}/{self.id}"

    @property
    def names(self) -> Names:
        """What the players are called for the viewer."""
        return spectator(self.players, self.seat)

    @property
    def reel(self) -> Reel:
        """To be stepped through."""
        return Reel(self.match, self.told)

    @property
    def book(self) -> Book:
        """To be taken away."""
        return Book(self.match, self.players)


def of_room(live_match: LiveMatch, viewer: str | None) -> Recording:
    """A match of this server. viewer: the id of who asks."""
    header = live_match.header
    first, second = header.seats
    return Recording(
        source="match",
        id=header.id,
        match=live_match.match,
        told=tuple(live_match.told),
        terms=describe_agreement(header.agreement),
        players=(first.name, second.name),
        seat=header.seat_of(viewer),
        complete=live_match.match.over,
    )


def of_book(review_id: str, book: Book, at: int) -> Recording:
    """A match from a file that was brought at this time, ms since 1970. It is complete, however it ends."""
    match = book.match
    return Recording(
        source="review",
        id=review_id,
        match=match,
        told=tuple(_told(match, at)),
        terms=describe_terms(match.rules, match.terms),
        players=book.players,
        seat=None,
        complete=True,
    )


def _told(match: Match, at: int) -> list[EventTold]:
    found, before = [], Match.start(rules=match.rules, terms=match.terms)
    for seq, event in enumerate(match.events, start=1):
        after = before.replay(event)
        number = len(after.finished) + (0 if after.game.over else 1)
        found.append(tell(before.game, after.events[-1], seq, at, number))
        before = after
    return found
