"""Imported matches: people upload files to step through them and have them analysed."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

import msgspec
from sqlalchemy import Connection

from barpoint.error import BarpointError, FormatError
from barpoint.game import in_digits
from barpoint.language import N_, Said, Word
from barpoint.match import Match, read_log
from barpoint.record import SUFFIXES, Oddity, match_digest
from barpoint.record.log_notes import book_log, parse_book_log
from barpoint.record.merged_notes import merged_notes
from barpoint.record.worker import FoundFile, FoundMatch
from barpoint.record.xgp_reader import POSITIONS
from barpoint.server.child_process import JobFailed
from barpoint.server.domain.guests import Guest, clean_name
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.reviews import ListedReview, StoredReview
from barpoint.server.storage.store import Store
from barpoint.server.study.file_reader import FileReader
from barpoint.server.study.recordings import Recording, of_book

TAKEN: Final = tuple(dict.fromkeys((*SUFFIXES, *POSITIONS)))
"""Suffixes of files with matches, and of those with a position."""

MAX_FILE_BYTES: Final = 2_000_000
"""Size limit of a file in bytes."""

MAX_UPLOAD_BYTES: Final = 20_000_000
"""Size limit of all files of one upload together, and of what is unpacked of its zips."""

MAX_AT_ONCE: Final = 2
"""Files of people with an account read at the same time, and as many of people without; others wait."""

MAX_OF_GUEST: Final = 50
MAX_OF_ACCOUNT: Final = 5_000
"""Imported matches stored per person, without and with an account."""

GUESTS_KEPT_DAYS: Final = 30
GUESTS_KEPT_MS: Final = GUESTS_KEPT_DAYS * DAY
"""Minimum time that matches of people without an account are kept."""

DROP_S: Final = 600.0
"""Time between two looks for those that are older."""

MAX_SCORE: Final = 24
"""Maximum length of a score in the list; a longer one is rounded there."""

MAX_ODDITY: Final = 300
"""Characters that are told of one oddity."""

MAX_COMPARED: Final = 50
"""Matches played here with the same end that an imported one is compared with, the latest."""

NAMELESS: Final = "", ""

KEPT_OPEN: Final = 16
"""Matches kept in memory, the most recently viewed."""


class Unreadable(BarpointError):
    """The file is not accepted. status: the HTTP status of the answer."""

    def __init__(self, text: object, /, status: int = 422, **values: object) -> None:
        super().__init__(text, **values)
        self.status = status


class HoldsPosition(Unreadable):
    """The file holds one position instead of a match. position: as a text that `parse_annotated` reads."""

    def __init__(self, position: str) -> None:
        super().__init__(N_("The file holds a position, not a match."))
        self.position = position


@dataclass(frozen=True, slots=True)
class Imported:
    """A match of a file that was imported. id: of the match; "" if it was refused, and why. oddities: what was odd, and
    how it was read. names: of the players. length, score: of the match. known: the person had the same match already. source: "match" where
    they have played it here and the file says no more of it. played_here: the id of the match they have played here, where the file does say more, and
    is imported for that.
    """

    id: str
    oddities: tuple[Oddity | str, ...] = ()
    names: tuple[str, str] = ("", "")
    refused: Unreadable | None = None
    length: int = 0
    score: str = ""
    known: bool = False
    source: AnalysisSource = "review"
    played_here: str = ""

    @property
    def path(self) -> str:
        """The common prefix of the URLs of its pages."""
        return f"/{self.source}/{self.id}"


class UnknownReview(BarpointError):
    """There is no imported match with this id."""


AtImport = Callable[[Connection, str, Match, Guest], None]
"""What happens in the transaction that stores an imported match: its id, the match, and whose it is."""


class Reviews:
    """Imports files, and opens what was imported."""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        self._store, self._clock = store, clock
        self._reading = {registered: asyncio.Semaphore(MAX_AT_ONCE) for registered in (False, True)}
        self._open: OrderedDict[tuple[str, str, str, bytes], Recording] = OrderedDict()
        self.at_import: list[AtImport] = []

    async def add(self, person: Guest, name: str, data: bytes, reader: FileReader) -> list[Imported]:
        """Imports the matches in a file; the same match has the same id. Unreadable if there is none to be read,
        HoldsPosition if the file holds a position.

        reader: of the upload that the file belongs to.
        """
        suffix = PurePath(name).suffix.lower()
        if suffix not in TAKEN:
            raise Unreadable(
                "The file ends with %(value)r; allowed: %(allowed)s.",
                value=suffix[:12] or Word("no suffix"),
                allowed=", ".join(TAKEN),
            )
        if not 0 < len(data) <= MAX_FILE_BYTES:
            raise Unreadable(
                "The file has %(count)s bytes; allowed: 1 to %(max_file_bytes)s.",
                413 if data else 422,
                count=len(data),
                max_file_bytes=MAX_FILE_BYTES,
            )
        async with self._reading[person.registered]:
            found = await self._read(data, suffix, reader)
        return [
            await self._add(person, name, one, _file_digest(suffix, data, number))
            for number, one in enumerate(found.matches)
        ]

    async def _add(self, person: Guest, name: str, found: FoundMatch, file_digest: str) -> Imported:
        """Imports one match of a file. file_digest: of the file and its number there."""
        first, second = found.players
        names = clean_name(first) or "Player 1", clean_name(second) or "Player 2"
        if found.refused:
            why = Unreadable("This is no match that can be read: %(shown)s.", shown=_short(found.refused))
            return Imported("", names=names, refused=why)
        digests = found.digest, _log_digest(found), file_digest
        known = await self._store.read(review_storage.known, person.id, digests)
        if known is not None:
            await self._take_notes(known, found)
            same = await self._store.read(review_storage.about, known)
            return Imported(known, names=names, known=True) if same is None else _imported(same, known=True)
        match = await asyncio.to_thread(read_log, bytes(found.log))
        here = await self._played_here(person, match)
        if here and not await asyncio.to_thread(_says_more, found):
            score = shown_score(match)
            return Imported(here, names=names, length=match.length, score=score, known=True, source="match")
        about = ListedReview(
            id=secrets.token_urlsafe(9),
            file=shown(PurePath(name).name, 80) or "match",
            names=names,
            variant=match.rules.name,
            length=match.length,
            score=shown_score(match),
            created_at=self._clock(),
            played_on=found.played_on,
            oddities=tuple(one if len(str(one)) <= MAX_ODDITY else str(one)[:MAX_ODDITY] for one in found.oddities),
        )
        log = await asyncio.to_thread(gzip.compress, bytes(found.log), 6)
        kept = StoredReview(about, person.id, found.digest, log, here)
        most = max_reviews(person)
        hearing = () if here else tuple(self.at_import)  # the match that was played here is analysed, and counts once
        if not await self._store.write(_put, kept, most, match, person, hearing):
            return Imported("", names=names, refused=too_many(most))
        stored = await self._store.read(review_storage.known, person.id, (found.digest,))
        another = stored is not None and stored != about.id  # another window has uploaded the same match meanwhile
        return replace(_imported(about, known=another), id=stored or about.id, played_here=here or "")

    async def _take_notes(self, review_id: str, found: FoundMatch) -> None:
        """Adds what the file says about a match that was imported before, from a file that said nothing or something else."""
        stored = await self._store.read(review_storage.get, review_id)
        if stored is not None and found.played_on and not stored.about.played_on:
            await self._store.write(review_storage.set_day, review_id, found.played_on)
        if stored is None or stored.digest != found.digest:
            return  # an earlier version read it otherwise, and its analyses count those events
        packed = await asyncio.to_thread(_with_notes, stored, found)
        if packed is not None:
            await self._store.write(review_storage.set_log, review_id, packed)

    async def _played_here(self, person: Guest, match: Match) -> str | None:
        """The id of the same match if the person has played it on this server, whatever the players are called in the file."""
        alike = await self._store.read(review_storage.played_here, person.id, match)
        if not alike:
            return None
        own = await asyncio.to_thread(match_digest, match, NAMELESS)
        for match_id in alike[:MAX_COMPARED]:
            _, played = await self._store.read(match_storage.read_match, match_id)
            if await asyncio.to_thread(match_digest, played, NAMELESS) == own:
                return match_id
        return None

    async def open(self, review_id: str, viewer: str | None) -> Recording:
        """An imported match, for everybody who knows its id. viewer: the id of who asks; who imported it has the seat of the names
        that they have said to be theirs. UnknownReview.
        """
        edition = await self._store.read(review_storage.edition, review_id)
        if edition is None:
            raise UnknownReview("there is no such match")
        key = review_id, *edition  # another process may have added to it
        if key not in self._open:
            kept = await self._store.read(review_storage.get, review_id)
            if kept is None:
                raise UnknownReview("there is no such match")
            self._open[key] = await asyncio.to_thread(_opened, kept)
            while len(self._open) > KEPT_OPEN:
                self._open.popitem(last=False)
        self._open.move_to_end(key)
        opened, owner = self._open[key], edition[0]
        if owner != viewer:
            return opened
        said = await self._store.read(statistics_storage.own_names, owner)
        return replace(opened, owned=True, seat=seat_of(opened.players, said or ()))

    async def listed(self, person_id: str, limit: int | None = None) -> list[ListedReview]:
        """The matches that a person has imported, latest first; at most `limit` of them."""
        return await self._store.read(review_storage.listed, person_id, limit)

    async def drop(self, person_id: str, review_id: str) -> None:
        """Deletes one of the person's own imports. UnknownReview."""
        if not await self._store.write(review_storage.drop, person_id, review_id):
            raise UnknownReview("there is no such match")

    async def drop_of_guests(self) -> None:
        """Deletes what people without an account imported more than GUESTS_KEPT_DAYS ago, some at a time."""
        before = self._clock() - GUESTS_KEPT_MS
        while found := await self._store.read(review_storage.old_of_guests, before):
            await self._store.write(review_storage.drop_of_guests, found)

    async def _read(self, data: bytes, suffix: str, reader: FileReader) -> FoundFile:
        """The matches in a file."""
        try:
            found = await reader.read(data, suffix)
        except JobFailed:
            raise Unreadable("This file takes too long to read; a match in one of the other formats may do.") from None
        if found.position:
            raise HoldsPosition(found.position)
        if found.refused:
            raise Unreadable("This is no match that can be read: %(shown)s.", shown=_short(found.refused))
        return found


def _put(
    connection: Connection, kept: StoredReview, most: int, match: Match, person: Guest, hearing: Sequence[AtImport]
) -> bool:
    if not review_storage.put(connection, kept, most):
        return False
    if review_storage.owner(connection, kept.about.id) is not None:  # else another window has stored the same file
        for hear in hearing:
            hear(connection, kept.about.id, match, person)
    return True


def _imported(about: ListedReview, *, known: bool) -> Imported:
    return Imported(about.id, about.oddities, about.names, length=about.length, score=about.score, known=known)


def seat_of(players: tuple[str, str], names: Sequence[str]) -> int | None:
    """The seat of a person who has these names in imported matches; None where they have neither, or both."""
    wanted = {name.casefold() for name in names}
    found = [seat for seat, name in enumerate(players) if name.casefold() in wanted]
    return found[0] if len(found) == 1 else None


def shown(text: str, limit: int) -> str:
    """A text from an untrusted source, in one line."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()[:limit]


def _short(said: Said) -> Said:
    """A text with what strangers have written in it cut to what a page can show."""
    return said if len(str(said)) <= MAX_ODDITY else Said("%(text)s", {"text": shown(str(said), MAX_ODDITY)})


def max_reviews(person: Guest | None) -> int:
    """How many imported matches are kept for a person."""
    return MAX_OF_ACCOUNT if person is not None and person.registered else MAX_OF_GUEST


def _log_digest(found: FoundMatch) -> str:
    """Identifies a match by its players and its log, as those of earlier versions are."""
    return hashlib.sha256(msgspec.json.encode(found.players) + bytes(found.log)).hexdigest()


def _file_digest(suffix: str, data: bytes, number: int) -> str:
    """Identifies a match of a file, as those imported earlier are. number: from 0."""
    found = hashlib.sha256(suffix.encode() + data)
    if number:
        found.update(f"\0match {number}".encode())
    return found.hexdigest()


def too_many(most: int) -> Unreadable:
    """The refusal of one more match of a person who has so many."""
    return Unreadable("You have %(max_of_one)s matches here; delete one to bring another.", 409, max_of_one=most)


def shown_score(match: Match) -> str:
    """The score of a match in the list."""
    first, second = match.score
    exact = f"{in_digits(first)} : {in_digits(second)}"
    return exact if len(exact) <= MAX_SCORE else f"{first:.3g} : {second:.3g}"


def _says_more(found: FoundMatch) -> bool:
    """Whether the file says something of its match."""
    return bool(parse_book_log(bytes(found.log)).annotations)


def _with_notes(stored: StoredReview, found: FoundMatch) -> bytes | None:
    """The log that is stored with what the file says of its match, compressed; None where that is nothing new. Its events and terms stay, whatever
    the file says of what the digest does not count: reports, cards and own notes count them.
    """
    other = parse_book_log(bytes(found.log))
    if not other.annotations:
        return None
    book = parse_book_log(gzip.decompress(stored.log))
    if match_digest(book.match, NAMELESS) != match_digest(other.match, NAMELESS):
        return None  # today's rules read one of them otherwise
    merged = merged_notes(book, other)
    return None if merged == book else gzip.compress(book_log(merged), 6)


def _opened(kept: StoredReview) -> Recording:
    try:
        book = parse_book_log(gzip.decompress(kept.log))
    except FormatError as error:  # this version or an older one could read it when it was imported
        raise UnknownReview(error) from None
    recording = of_book(kept.about.id, replace(book, players=kept.about.names), kept.about.created_at)
    return replace(recording, edition=hash(kept.log))
