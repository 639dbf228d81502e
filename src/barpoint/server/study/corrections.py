"""Corrections of matches that people have entered or imported: a new version takes the place of the one that was wrong."""

from __future__ import annotations

import asyncio
import gzip
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection

from barpoint.analysis.answer import before
from barpoint.error import BarpointError
from barpoint.match import Match
from barpoint.record import match_digest
from barpoint.record.log_notes import book_log, parse_book_log
from barpoint.record.turn_lines import ReadLines, TurnLine, lines_of, made_in, read_lines
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import BOTH, real_board_seats
from barpoint.server.live.live_match import logged, snapshot
from barpoint.server.live.match_transactions import new_header, put_new
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import seats_of
from barpoint.server.storage import corrections as correction_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage import practice as card_storage
from barpoint.server.storage import real_results as real_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.event_log import MATCHES, Conflict, Logged
from barpoint.server.study.analyses import Analyses, match_of
from barpoint.server.study.costly_pages import TooManyPages
from barpoint.server.study.line_boards import Entry, LineBoard, LineBoards
from barpoint.server.study.nets import net_of
from barpoint.server.study.recordings import Recording
from barpoint.server.study.reviews import Reviews, max_reviews, shown_score, too_many

MANY_LINES: Final = 200
"""Lines that are read for a board without counting as a costly page."""


class CorrectionRefused(BarpointError):
    """The match cannot be corrected; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The other versions of a match. in_force: what has taken its place, None if nothing has. before: the one it has replaced last."""

    in_force: str | None
    before: str | None


class Corrections:
    """Reads what people correct, and stores it beside what was there."""

    def __init__(self, matches: Matches, reviews: Reviews, analyses: Analyses) -> None:
        self._matches, self._reviews, self._analyses = matches, reviews, analyses
        self._store, self._turn, self._boards = matches.store, asyncio.Lock(), LineBoards()
        self._asked: dict[str, object] = {}  # the newest question about a board by the id of who waits

    async def versions(self, recording: Recording) -> Versions:
        """The other versions of a match."""

        def work(connection: Connection) -> Versions:
            of = recording.source, recording.id
            before = correction_storage.earlier_versions(connection, *of)
            return Versions(correction_storage.version_in_force(connection, *of), before[0] if before else None)

        return await self._store.read(work)

    async def lines(self, recording: Recording) -> tuple[TurnLine, ...]:
        """The match as lines. One at a time is written out, in a thread."""
        async with self._turn:
            return await asyncio.to_thread(lines_of, recording.match, recording.players)

    async def begun(self, recording: Recording, first: int) -> Match:
        """The match before its event of index `first`; in a thread."""
        return await asyncio.to_thread(before, recording.match, first + 1)

    async def read(self, recording: Recording, first: int, lines: Sequence[str]) -> ReadLines:
        """The match with these lines in place of its events from index `first` on. One at a time is read, in a thread."""

        def work() -> ReadLines:
            match = recording.match
            return read_lines(before(match, first + 1), lines, recording.players, made_in(match))

        async with self._turn:
            return await asyncio.to_thread(work)

    async def board(
        self,
        recording: Recording,
        first: int,
        lines: Sequence[str],
        at: int,
        entry: Entry,
        person: Guest,
        spend: Callable[[], bool],
    ) -> LineBoard:
        """The board at the line of index `at`, as in `LineBoards`; in a thread. spend: whether many lines may be read.

        TooManyPages if they may not, or if the person asks again before it is their turn.
        """
        place = recording, first, lines, at, entry
        asked = self._asked[person.id] = object()
        try:
            async with self._turn:
                superseded = self._asked.get(person.id) is not asked
                if superseded or (self._boards.unread(*place) > MANY_LINES and not spend()):
                    raise TooManyPages("too many requests; try again in a minute")
                return await asyncio.to_thread(self._boards.at, *place)
        finally:
            if self._asked.get(person.id) is asked:
                del self._asked[person.id]

    async def save(self, recording: Recording, person: Guest, match: Match) -> str:
        """Stores a corrected version, which takes the place of this one; returns the common prefix of the URLs of its pages.

        CorrectionRefused, Conflict if the match has gone on.
        """
        put = self._put_match if recording.source == "match" else self._put_review

        def work(connection: Connection) -> str:
            _check_open(connection, recording)
            new_id = put(connection, recording, person, match)
            if new_id != recording.id:
                self._replace(connection, recording, new_id, match)
            return new_id

        return await self._written(recording, person, work)

    async def take_back(self, recording: Recording, person: Guest) -> str:
        """Puts the version before a correction in force again, as `save`; it can be taken back itself."""

        def work(connection: Connection) -> str:
            _check_open(connection, recording)
            before = correction_storage.earlier_versions(connection, recording.source, recording.id)
            if not before:
                raise CorrectionRefused("this match has not been corrected")
            match = match_of(connection, Key(before[0], "", 0, recording.source))
            self._replace(connection, recording, before[0], match)
            return before[0]

        return await self._written(recording, person, work)

    async def _written(self, recording: Recording, person: Guest, work: Callable[[Connection], str]) -> str:
        new_id = await self._store.write(work)
        if recording.source == "match":
            for one in (recording.id, new_id):
                await self._matches.log.refresh(one)
            self._matches.pubsub.publish(seats_of(person.id))
        return f"/{recording.source}/{new_id}"

    def _replace(self, connection: Connection, recording: Recording, new_id: str, match: Match) -> None:
        """Puts another version in force; notes on what is the same in both go with it, and cards say where it is there."""
        correction_storage.put_in_force(connection, recording.source, new_id, recording.id, self._matches.clock())
        same = same_events(recording.match, match)
        note_storage.move(connection, recording.source, recording.id, new_id, {0: 0, **same})
        moments = {old - 1: new - 1 for old, new in same.items()}
        card_storage.move_sources(connection, recording.path, f"/{recording.source}/{new_id}", moments)
        if recording.source == "match":
            real_storage.drop_players(connection, recording.id)  # nobody confirms what was wrong

    def _put_match(self, connection: Connection, recording: Recording, person: Guest, match: Match) -> str:
        old = match_storage.get_header(connection, recording.id)
        assert old is not None, "matches are never deleted"
        first, second = old.seats
        seats = real_board_seats(person, (first.name, second.name))
        header = new_header(old.agreement, seats, old.created_at)
        put_new(connection, header)
        events = self._logged(connection, recording, match, old.created_at)
        log_storage.append(connection, MATCHES, header.id, 0, events, {}, snapshot(match, None).row)
        if match.over:
            self._ask_again(connection, recording, header.id, match, person)
            for write in self._matches.at_end:
                write(connection, header, match)
        return header.id

    def _logged(self, connection: Connection, recording: Recording, match: Match, began: int) -> list[Logged]:
        """The events of a corrected record: what is the same at its time, what is new at that of the event before it."""
        then = {one.seq: one.at for one in log_storage.get_events(connection, MATCHES, recording.id)}
        was = {new: old for old, new in same_events(recording.match, match).items()}
        at, events = began, []
        for seq, event in enumerate(match.events, 1):
            at = then.get(was.get(seq, 0), at)
            events.append(logged(event, seq, str(getattr(event, "player", 0)), None, at))
        return events

    def _put_review(self, connection: Connection, recording: Recording, person: Guest, match: Match) -> str:
        old = review_storage.get(connection, recording.id)
        if old is None:
            raise Conflict("there is no such match")
        book = parse_book_log(gzip.decompress(old.log))
        same = same_events(recording.match, match)
        notes = {same[number]: note for number, note in book.annotations.items() if number in same}
        about = replace(
            old.about,
            id=secrets.token_urlsafe(9),
            score=shown_score(match),
            created_at=old.about.created_at + 1,  # after its earlier versions, in their place among others
        )
        book = replace(book, match=match, annotations=notes)
        digest, log = match_digest(match, recording.players), gzip.compress(book_log(book), 6)
        if known := review_storage.known(connection, person.id, (digest,)):
            return known
        most = max_reviews(person)
        kept = replace(old, about=about, digest=digest, log=log)
        if not review_storage.put(connection, kept, most + 1):  # the version whose place it takes still counts
            raise too_many(most)
        self._ask_again(connection, recording, about.id, match, person)
        for hear in self._reviews.at_import:
            hear(connection, about.id, match, person)
        return about.id

    def _ask_again(
        self, connection: Connection, recording: Recording, new_id: str, match: Match, person: Guest
    ) -> None:
        """Asks for the analyses that the version before has; what it found of the same decisions is not computed again."""
        if (net := net_of(match.rules)) is not None:
            self._analyses.ask_corrected(connection, Key(recording.id, net, 0, recording.source), new_id, match, person)


def may_correct(recording: Recording) -> bool:
    """Whether the viewer may correct a match: their own import, or the record of a real board that they keep."""
    by_hand = recording.match.terms.manual and recording.seat == BOTH
    return by_hand if recording.source == "match" else recording.owned


def same_events(old: Match, new: Match) -> dict[int, int]:
    """Numbers of events in one version, and of the same events in another: what both begin with, and what both end with."""
    first, second = old.events, new.events
    most = min(len(first), len(second))
    begin = next((index for index in range(most) if first[index] != second[index]), most)
    rest = most - begin
    end = next((index for index in range(rest) if first[-1 - index] != second[-1 - index]), rest)
    return {number: number for number in range(1, begin + 1)} | {
        len(first) - index: len(second) - index for index in range(end)
    }


def _check_open(connection: Connection, recording: Recording) -> None:
    """Conflict if the match has gone on since it was read; CorrectionRefused if it counts in ratings."""
    if recording.source == "review":
        return
    if log_storage.lock(connection, MATCHES, recording.id) != len(recording.match.events):
        raise Conflict("the match has gone on meanwhile; look again")
    if real_storage.is_counted(connection, recording.id):
        raise CorrectionRefused("this match counts in ratings, and is not changed any more")
