"""The pages of practice: what is due, sessions on the board, decks, cards from mistakes, progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.findings import BLUNDER, DOUBTFUL, ERROR
from barpoint.analysis.theme_text import TEXTS, theme_title, theme_words
from barpoint.error import BarpointError
from barpoint.language import _, date, ngettext, percent
from barpoint.server.domain.analysis_board import query_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.practice import DECK_ACTIONS, SESSION, CardsHeld
from barpoint.server.services import Services, address_of, person_of, service_of
from barpoint.server.storage import practice as card_storage
from barpoint.server.storage import practice_days as day_storage
from barpoint.server.storage.practice import DAY_MS, CardSelection, PracticeDay, StoredCard
from barpoint.server.study.practice import UnknownCard
from barpoint.server.study.statistics import Studied
from barpoint.server.web.plots import Axes, line_with_band, picture
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, form_of, go
from barpoint.server.web.statistics import own_names_shown

SIZES: Final = (DOUBTFUL, ERROR, BLUNDER, 2 * BLUNDER)
"""Least losses on offer for cards from mistakes."""

LISTED: Final = 200
"""Cards of a deck on its page."""

TOGETHER: Final = 7
"""Days of practice that a point of the line takes together."""

PROGRESS_DAYS: Final = 365


async def practice_page(request: Request) -> Response:
    """All decks, and what is due."""
    return await _page(request)


async def _page(request: Request, said: str = "", problem: str = "", status: int = 200, **names: Any) -> Response:
    """names: as `own_names_shown` gives them, where they can be ticked."""
    services, person = service_of(request), await person_of(request)
    if person is None:
        return render(request, "practice.html", mine=None, said=said, problem=problem)
    now, read = services.matches.clock(), services.store.read
    themes = await read(card_storage.themes, person.id, now)
    days = await read(card_storage.progress, person.id, now - PROGRESS_DAYS * DAY_MS)
    week = [one for one in days if one.day > now // DAY_MS - 7]
    (first,) = await read(card_storage.listed, person.id, CardSelection(), 1) or (None,)
    titled = sorted((theme_title(name), name, held) for name, held in themes.items() if name in TEXTS)
    return render(
        request,
        "practice.html",
        status=status,
        mine=CardsHeld(*(sum(counts) for counts in zip(*map(_counts, themes.values()), strict=True)))
        if themes
        else CardsHeld(0, 0, 0),
        standing=await practice_standing(services, person),
        decks=await read(card_storage.decks, person.id, now),
        themes=titled,
        sizes=SIZES,
        session=SESSION,
        next_day="" if first is None else date(first.memory.due_at),
        answers=sum(one.answers for one in week),
        right=sum(one.right for one in week),
        picture=plot(days) if len(days) > 1 else "",
        said=said,
        problem=problem,
        **{"every_name": [], **names},
    )


async def practice_standing(services: Services, person: Guest | None) -> str:
    """Where a person stands, such as "7 cards due, 12 days in a row"; "" where there is nothing to say."""
    if person is None:
        return ""
    stands = await services.store.read(day_storage.standing, person.id, services.matches.clock())
    parts = [
        ngettext("%(num)s card due", "%(num)s cards due", stands.due) if stands.due else "",
        ngettext("%(num)s day in a row", "%(num)s days in a row", stands.streak) if stands.streak else "",
    ]
    return ", ".join(filter(None, parts))


def _counts(held: CardsHeld) -> tuple[int, int, int]:
    return held.total, held.due, held.fresh


def plot(days: Sequence[PracticeDay]) -> str:
    """The share of right answers of each day as a dot, and over several days as a line."""
    axes = Axes(len(days), 0, 100)
    together = [days[max(0, end - TOGETHER) : end] for end in range(1, len(days) + 1)]
    line = [100 * sum(one.right for one in some) / sum(one.answers for one in some) for some in together]
    dots = "".join(axes.dot(index, 100 * one.right / one.answers, 2) for index, one in enumerate(days))
    said = ngettext(
        "Right answers: %(last)s after %(num)s day of practice",
        "Right answers: from %(first)s to %(last)s over %(num)s days of practice",
        len(days),
        first=percent(line[0] / 100),
        last=percent(line[-1] / 100),
    )
    return picture(said, axes.grid(25), f'<g class="dots">{dots}</g>', line_with_band(axes, line, [0.0] * len(line)))


async def session_page(request: Request) -> Response:
    """The board on which cards are asked; its script gets them."""
    query = request.query_params
    title = theme_title(query["theme"]) if query.get("theme") in TEXTS else ""
    if query.get("deck"):
        title = (await _deck(request, query["deck"])).name
    return render(
        request,
        "practice_session.html",
        deck=query.get("deck", "")[:16],
        theme=query.get("theme", "") if query.get("theme") in TEXTS else "",
        title=title or _("All cards"),
        themes=theme_words(),
    )


async def make_from_mistakes(request: Request) -> Response:
    """Makes cards from one's mistakes, and says how many."""
    person, form = await _required(request), await form_of(request)
    services = service_of(request)
    if not services.allowance.analyses.spend(address_of(request)):
        return await _page(request, problem=_(TOO_MUCH), status=429)
    least = next((size for size in SIZES if f"{size:g}" == form.get("least")), BLUNDER)
    try:
        made = await services.practice.add_mistakes(person, least, form.get("deck", ""))
    except BarpointError as error:
        return await _page(request, problem=as_sentence(error), status=422)
    count = len(made.cards)
    said = ngettext("%(num)s card is made.", "%(num)s cards are made.", count)
    if not count and not made.known:
        mine = await services.analysed_matches.of(person.id)
        names = mine.own_names(person.name)
        return await _page(request, said=_why_none(mine, names), **own_names_shown(mine, names, URL("/practice")))
    if made.known:
        said += " " + ngettext("%(num)s was there already.", "%(num)s were there already.", made.known)
    return await _page(request, said=said)


def _why_none(mine: Studied, names: Sequence[str]) -> str:
    """Why no mistakes of a person were found."""
    if not mine.matches:
        return _("None of your matches is analysed yet.")
    if mine.names and not names:
        return _("No name in your imported matches is ticked as yours.")
    return _("No analysed match of yours has such a mistake.")


async def make_deck(request: Request) -> Response:
    """Makes a deck."""
    person, form = await _required(request), await form_of(request)
    try:
        made = await service_of(request).practice.make_deck(person, form.get("name", ""))
    except BarpointError as error:
        return await _page(request, problem=as_sentence(error), status=422)
    return go(f"/practice/deck/{made.id}")


async def deck_page(request: Request) -> Response:
    """The cards of a deck: one's own, or one that somebody shares."""
    found, person = await _deck(request, request.path_params["deck"]), await person_of(request)
    read, now = service_of(request).store.read, service_of(request).matches.clock()
    cards = await read(card_storage.listed, found.guest_id, CardSelection(found.id), LISTED)
    own = person is not None and person.id == found.guest_id
    return render(
        request,
        "deck.html",
        deck=found,
        own=own,
        link=str(request.url.replace(query="")),
        cards=[(one, card_title(one), _when(one, now)) for one in cards],
        query_of=query_of,
    )


def card_title(card: StoredCard) -> str:
    """What a card is about, without its answer."""
    title = theme_title(card.theme) if card.theme in TEXTS else ""
    if card.kind == "play":
        roll = card.address.roll if "-" in card.address.roll else "-".join(card.address.roll)
        asked = _("Play %(roll)s", roll=roll)
    else:
        asked = _("Double?") if card.kind == "double" else _("Take?")
    return f"{asked} · {title}" if title else asked


def _when(card: StoredCard, now: int) -> str:
    """When one's own card comes again."""
    if card.memory.reviewed_at is None:
        return _("new")
    days = (card.memory.due_at - now) // DAY_MS
    if days < 1:
        return _("due")
    return ngettext("in %(num)s day", "in %(num)s days", days)


async def change_deck(request: Request) -> Response:
    """Shares a deck, ends that, copies or removes it."""
    person, deck_id, action = await _required(request), request.path_params["deck"], request.path_params["action"]
    services = service_of(request)
    write = services.store.write
    if action not in DECK_ACTIONS:
        raise HTTPException(404)
    if action == "copy":
        await _deck(request, deck_id)
        try:
            mine, _made = await services.practice.copy_deck(person, deck_id)
        except BarpointError as error:
            return await _page(request, problem=as_sentence(error), status=422)
        return go(f"/practice/deck/{mine.id}")
    if action == "remove":
        done = await write(card_storage.drop_deck, person.id, deck_id)
    else:
        done = await write(card_storage.share_deck, person.id, deck_id, action == "share")
    if not done:
        raise HTTPException(404)
    return go("/practice" if action == "remove" else f"/practice/deck/{deck_id}")


async def remove_card(request: Request) -> Response:
    """Deletes a card, and returns to its deck."""
    person = await _required(request)
    card_id = request.path_params["card"]
    found = await service_of(request).store.read(card_storage.card, person.id, card_id)
    if found is None:
        raise HTTPException(404)
    await service_of(request).practice.drop(person, card_id)
    return go(f"/practice/deck/{found.deck_id}" if found.deck_id else "/practice")


async def _required(request: Request) -> Guest:
    person = await person_of(request)
    if person is None:
        raise HTTPException(403)
    return person


async def _deck(request: Request, deck_id: str) -> card_storage.StoredDeck:
    try:
        return await service_of(request).practice.deck(await person_of(request), deck_id)
    except UnknownCard:
        raise HTTPException(404) from None


ROUTES: Final = (
    Route("/practice", practice_page),
    Route("/practice/session", session_page),
    Route("/practice/mistakes", make_from_mistakes, methods=["POST"]),
    Route("/practice/deck", make_deck, methods=["POST"]),
    Route("/practice/deck/{deck}", deck_page),
    Route("/practice/deck/{deck}/{action}", change_deck, methods=["POST"]),
    Route("/practice/card/{card}/remove", remove_card, methods=["POST"]),
)
