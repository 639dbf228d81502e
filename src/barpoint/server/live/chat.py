"""Chat: at a match its two players write, at a chouette who sits there; whoever watches reads, and each may mute it.

And what players report about each other, and whom they block.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from barpoint.error import BarpointError, StoreError
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import Kind, MatchHeader
from barpoint.server.live.chouettes import UnknownChouette
from barpoint.server.live.matches import ForeignSeat, UnknownMatch
from barpoint.server.live.pubsub import chat_of
from barpoint.server.protocol.matches import MAX_WORDS, WordLine, WordsTold
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import chat as chat_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.chat import AT_MATCH, Forum
from barpoint.server.web.requests import form_of, go

MAX_REPORT: Final = 1000


SAID: Final = {
    "report": "The administrators have been told. Thank you.",
    "block": "You two do not meet in the lobby any more.",
    "unblock": "You two may meet again.",
}
"""What the page of the match, or of the table, says after something was done."""


class WordsRefused(BarpointError):
    """This cannot be said now."""


def clean_words(text: str) -> str:
    """A line as it is kept: printable, spaces joined, bounded; "" when nothing is left."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\s+", " ", printable).strip()[:MAX_WORDS]


def other_player(header: MatchHeader, person: Guest | None) -> str | None:
    """The id of whom this person plays in a match; None where he does not play, or plays nobody who could read."""
    seat = header.seat_of(person.id if person else None)
    if seat not in (0, 1) or header.by_hand:
        return None
    other = header.seats[1 - seat]
    return other.guest if other.kind is Kind.GUEST else None


async def say(services: Services, match_id: str, person: Guest | None, text: str) -> None:
    """Says something at a match. ForeignSeat for who only watches, WordsRefused for too much at once or nothing."""
    header = (await services.matches.live_match(match_id)).header
    if person is None or other_player(header, person) is None:
        raise ForeignSeat("the two players of a match write; whoever watches reads")
    await put(services, AT_MATCH, match_id, person, text)


async def put(services: Services, forum: Forum, place_id: str, person: Guest, text: str) -> None:
    """Writes a line of somebody who may write there; WordsRefused for too much at once or nothing."""
    words = clean_words(text)
    if not words:
        raise WordsRefused("nothing was said")
    if not services.allowance.words.spend(person.id):
        raise WordsRefused("so many words at once; wait a little")
    now = services.matches.clock()
    await services.store.write(lambda c: chat_storage.put_words(c, forum, place_id, person.id, words, now))
    services.pubsub.publish(chat_of(place_id))


async def mute(services: Services, forum: Forum, place_id: str, person: Guest | None, muted: bool) -> WordsTold:
    """Notes whether somebody wants to read what others write, and says so; ForeignSeat for nobody."""
    if person is None:
        raise ForeignSeat("only somebody who is known can mute what others say")
    await services.store.write(lambda c: chat_storage.set_muted(c, forum, place_id, person.id, muted))
    return WordsTold((), muted)


async def heard(services: Services, forum: Forum, place_id: str, person: Guest | None, after: int) -> WordsTold:
    """What was said after a line, as this person reads it."""
    viewer = person.id if person else None

    def work(connection: Connection) -> WordsTold:
        muted = viewer is not None and chat_storage.is_muted(connection, forum, place_id, viewer)
        lines = chat_storage.words_after(connection, forum, place_id, viewer, after)
        return WordsTold(tuple(WordLine(one.id, one.seat, one.name, one.text, one.at) for one in lines), muted)

    return await services.store.read(work)


async def follow(
    services: Services, forum: Forum, place_id: str, person: Guest | None, send: Callable[[WordsTold], Awaitable[None]]
) -> None:
    """Sends what is said, from the first line on, for ever."""
    said, last, first = asyncio.Event(), 0, True
    said.set()
    with services.pubsub.listening(chat_of(place_id), lambda _: said.set()):
        while True:
            await said.wait()
            said.clear()
            try:
                told = await heard(services, forum, place_id, person, last)
            except StoreError:
                continue
            if told.lines or (first and told.muted):
                last = max((line.id for line in told.lines), default=last)
                await send(told)
            first = False


async def report(request: Request) -> Response:
    """Tells the administrators about the other player of a match, or about one at a table."""
    services, person = service_of(request), await person_of(request)
    form = await form_of(request)
    met = await _met(request, person, form)
    text = clean_report(form.get("text", ""))
    if text and person is not None:
        if not services.allowance.letters.spend(f"report by {person.id}"):
            raise HTTPException(429)
        now, by, told = services.matches.clock(), person.id, f"{met.where}{text}"
        await services.store.write(lambda c: chat_storage.put_report(c, by, met.other, met.match_id, told, now))
    return go(f"{met.back}?said=report")


async def block(request: Request) -> Response:
    """Notes that somebody whom one plays with is not to be met again, or takes it back."""
    services, person = service_of(request), await person_of(request)
    form = await form_of(request)
    met = await _met(request, person, form)
    assert person is not None, "who has no seat was refused"
    by, now, off = person.id, services.matches.clock(), "off" in form

    def work(connection: Connection) -> None:
        if off:
            lobby_storage.remove_block(connection, by, met.other)
        else:
            lobby_storage.put_block(connection, by, met.other, now)

    await services.store.write(work)
    return go(f"{met.back}?said={'unblock' if off else 'block'}")


@dataclass(frozen=True, slots=True)
class _Met:
    """Somebody whom one has met. match_id: where it was at a match; where: said in the report where it was not."""

    other: str
    back: str
    match_id: str | None = None
    where: str = ""


async def _met(request: Request, person: Guest | None, form: Mapping[str, str]) -> _Met:
    """Whom this person plays with, at a table the one whose number the form says; 403 where he does not play."""
    services, ids = service_of(request), request.path_params
    try:
        if "table_id" in ids:
            live_chouette = await services.chouettes.live_chouette(ids["table_id"])
            own, number = live_chouette.number_of(person.id if person else None), form.get("player", "")
            other = next(
                (place.guest for place in live_chouette.places if str(place.player) == number != str(own)), None
            )
            met = _Met(
                other or "", f"/chouette/{live_chouette.header.id}", None, f"(chouette {live_chouette.header.id}) "
            )
            if own is None or other is None:
                raise HTTPException(403)
            return met
        header = (await services.matches.live_match(ids["match_id"])).header
    except (UnknownMatch, UnknownChouette):
        raise HTTPException(404) from None
    found = other_player(header, person)
    if found is None:
        raise HTTPException(403)
    return _Met(found, f"/match/{header.id}", header.id)


def clean_report(text: str) -> str:
    """A report as it is kept: lines stay, control characters go."""
    kept = "".join(character for character in text if character.isprintable() or character == "\n")
    return kept.strip()[:MAX_REPORT]
