"""Chat at a match: its two players write, whoever watches reads, and each may mute it; and what is reported about them."""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from barpoint.error import BarpointError
from barpoint.server import archive_lobby, archive_talk
from barpoint.server.bus import chat_of
from barpoint.server.entry import Entry, Kind
from barpoint.server.exchange import form_of, go
from barpoint.server.guest import Guest
from barpoint.server.hall import ForeignSeat, UnknownMatch
from barpoint.server.service import Service, person_of, service_of
from barpoint.server.wire import LONGEST_WORDS, WordLine, WordsTold

LONGEST_REPORT: Final = 1000


SAID: Final = {
    "report": "The administrators have been told. Thank you.",
    "block": "You two do not meet in the lobby any more.",
    "unblock": "You two may meet again.",
}
"""What the page of the match says after something was done."""


class WordsRefused(BarpointError):
    """This cannot be said now."""


def clean_words(text: str) -> str:
    """A line as it is kept: printable, spaces joined, bounded; "" when nothing is left."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\s+", " ", printable).strip()[:LONGEST_WORDS]


def other_player(entry: Entry, person: Guest | None) -> str | None:
    """The id of whom this person plays in a match; None where he does not play, or plays nobody who could read."""
    seat = entry.seat_of(person.id if person else None)
    if seat not in (0, 1) or entry.by_hand:
        return None
    other = entry.seats[1 - seat]
    return other.guest if other.kind is Kind.GUEST else None


async def say(service: Service, match_id: str, person: Guest | None, text: str) -> None:
    """Says something at a match. ForeignSeat for who only watches, WordsRefused for too much at once or nothing."""
    entry = (await service.hall.room(match_id)).entry
    if person is None or other_player(entry, person) is None:
        raise ForeignSeat("the two players of a match write; whoever watches reads")
    words = clean_words(text)
    if not words:
        raise WordsRefused("nothing was said")
    if not service.allowance.words.spend(person.id):
        raise WordsRefused("so many words at once; wait a little")
    now, speaker = service.hall.clock(), person.id
    await service.store.write(lambda c: archive_talk.put_words(c, match_id, speaker, words, now))
    service.bus.publish(chat_of(match_id))


async def mute(service: Service, match_id: str, person: Guest | None, muted: bool) -> None:
    """Notes whether somebody wants to read what the other writes; ForeignSeat for nobody."""
    if person is None:
        raise ForeignSeat("only somebody who is known can mute a match")
    await service.store.write(lambda c: archive_talk.set_muted(c, match_id, person.id, muted))


async def heard(service: Service, match_id: str, person: Guest | None, after: int) -> WordsTold:
    """What was said after a line, as this person reads it."""
    viewer = person.id if person else None

    def work(connection: Connection) -> WordsTold:
        muted = viewer is not None and archive_talk.is_muted(connection, match_id, viewer)
        lines = archive_talk.words_after(connection, match_id, viewer, after)
        return WordsTold(tuple(WordLine(one.id, one.seat, one.name, one.text, one.at) for one in lines), muted)

    return await service.store.read(work)


async def report(request: Request) -> Response:
    """Tells the administrators about the other player of a match."""
    service, person = service_of(request), await person_of(request)
    match_id, about = await _other(request, person)
    text = clean_report((await form_of(request)).get("text", ""))
    if text and person is not None:
        if not service.allowance.letters.spend(f"report by {person.id}"):
            raise HTTPException(429)
        now, by = service.hall.clock(), person.id
        await service.store.write(lambda c: archive_talk.put_report(c, by, about, match_id, text, now))
    return go(f"/match/{match_id}?said=report")


async def block(request: Request) -> Response:
    """Notes that the other player of a match is not to be met again, or takes it back."""
    service, person = service_of(request), await person_of(request)
    match_id, about = await _other(request, person)
    assert person is not None, "who has no seat was refused"
    by, now, off = person.id, service.hall.clock(), "off" in await form_of(request)

    def work(connection: Connection) -> None:
        if off:
            archive_lobby.remove_block(connection, by, about)
        else:
            archive_lobby.put_block(connection, by, about, now)

    await service.store.write(work)
    return go(f"/match/{match_id}?said={'unblock' if off else 'block'}")


async def _other(request: Request, person: Guest | None) -> tuple[str, str]:
    """The match, and the id of whom this person plays there; 403 where he does not."""
    match_id = request.path_params["match_id"]
    try:
        entry = (await service_of(request).hall.room(match_id)).entry
    except UnknownMatch:
        raise HTTPException(404) from None
    other = other_player(entry, person)
    if other is None:
        raise HTTPException(403)
    return match_id, other


def clean_report(text: str) -> str:
    """A report as it is kept: lines stay, control characters go."""
    kept = "".join(character for character in text if character.isprintable() or character == "\n")
    return kept.strip()[:LONGEST_REPORT]
