"""Practice over HTTP: decks, cards, sessions and answers of the token's owner, or of whoever uses the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response

from barpoint.error import FormatError
from barpoint.game.event import MoveMade
from barpoint.language import _
from barpoint.number_text import number_in
from barpoint.server.api import messages
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded, query_in, spend
from barpoint.server.domain.analysis_board import BoardAddress, setup_of
from barpoint.server.domain.practice import DECK_ACTIONS, MAX_SESSION, SESSION, CardGrade, CardsHeld, DeckName
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.protocol.matches import Moves
from barpoint.server.services import address_of
from barpoint.server.storage import practice as card_storage
from barpoint.server.storage import practice_days as day_storage
from barpoint.server.storage.practice import CardSelection, PracticeDay, StoredDeck
from barpoint.server.study.cards import CubeChoice
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.practice import CardGraded, CardShown, MatchSource, UnknownCard, shown

PROGRESS_DAYS: Final = 365
"""Days of progress that are told."""

DeckId = Annotated[str, Meta(max_length=16)]
ThemeName = Annotated[str, Meta(max_length=24)]

_MOVES: Final[msgspec.json.Decoder[tuple[MoveMade, ...]]] = msgspec.json.Decoder(Moves)


class DeckShown(Struct, frozen=True):
    """A deck and how many cards it holds. due: to be asked now; fresh: never asked."""

    id: str
    name: str
    shared: bool
    total: int
    due: int
    fresh: int


class ThemeShown(Struct, frozen=True):
    """How many cards are about a theme, "" for those without one."""

    name: str
    total: int
    due: int
    fresh: int


class DayShown(Struct, frozen=True):
    """The answers of one day. day: days since 1970. right: those graded good or easy. loss: the mean one."""

    day: int
    answers: int
    right: int
    loss: float


class PracticeShown(Struct, frozen=True):
    """All that a person has to practise, and their progress over the last year. streak: days in a row on which they practised."""

    total: int
    due: int
    streak: int
    fresh: int
    decks: tuple[DeckShown, ...]
    themes: tuple[ThemeShown, ...]
    days: tuple[DayShown, ...]


class SessionShown(Struct, frozen=True):
    """The cards of a session, in the order in which they are asked."""

    cards: tuple[CardShown, ...]


class SessionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards are asked. deck, theme: "" for all. count: how many."""

    deck: DeckId = ""
    theme: ThemeName = ""
    count: Annotated[int, Meta(ge=1, le=MAX_SESSION)] = SESSION


class BoardOfCardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """moves: tried, as JSON: [[from, to, number], ...]."""

    moves: Annotated[str, Meta(max_length=1000)] = ""


class PositionBody(messages.Body, frozen=True):
    """A position of the analysis board. deck: the card's, "" for none."""

    address: BoardAddress
    deck: DeckId = ""


class MomentBody(messages.Body, frozen=True):
    """A decision of a finished match. event: with which it was made, from 1. player: whose it is."""

    match: Annotated[str, Meta(min_length=1, max_length=16)]
    event: Annotated[int, Meta(ge=1, le=1_000_000)]
    player: Annotated[int, Meta(ge=0, le=1)]
    source: MatchSource = "match"
    deck: DeckId = ""


class MistakesBody(messages.Body, frozen=True):
    """The mistakes to make cards from. least: the smallest loss. theme: what they are about, "" for anything."""

    least: Annotated[float, Meta(ge=0.02, le=2)] = 0.08
    theme: ThemeName = ""
    deck: DeckId = ""


class AnswerBody(messages.Body, frozen=True):
    """An answer: the moves of a play, or else a choice. deck, theme: what the session is about, "" for all cards.

    reviews: of the card as it was asked, only in an answer that is sent again as nothing was heard of it; it takes the place of the one before.
    """

    moves: Moves | None = None
    choice: CubeChoice | Literal[""] = ""
    deck: DeckId = ""
    theme: ThemeName = ""
    reviews: Annotated[int, Meta(ge=0)] | None = None


class GradeBody(messages.Body, frozen=True):
    """Another grade than the one that follows from the loss."""

    grade: CardGrade


class DeckBody(messages.Body, frozen=True):
    """A new deck."""

    name: DeckName


def own(answer: Callable[[Call], Awaitable[Response]]) -> Callable[[Any], Awaitable[Response]]:
    """An endpoint for whoever has cards."""

    async def telling(call: Call) -> Response:
        try:
            return await answer(call)
        except AnalysisRefused as refused:
            raise RequestRefused(refused.status, "refused", refused.translated()) from None

    telling.__doc__ = answer.__doc__
    return guarded(None, pages=True)(telling)


def moves_of(text: str) -> tuple[MoveMade, ...]:
    """Moves in JSON; FormatError."""
    try:
        return _MOVES.decode(text) if text else ()
    except msgspec.DecodeError as error:
        raise FormatError("moves: %(error)s", error=error) from None


@own
async def practice(call: Call) -> Response:
    """Decks, themes, what is due, and the progress."""
    store, guest_id, now = call.services.store, call.person.id, call.services.matches.clock()
    decks = await store.read(card_storage.decks, guest_id, now)
    themes = await store.read(card_storage.themes, guest_id, now)
    days = await store.read(card_storage.progress, guest_id, now - PROGRESS_DAYS * card_storage.DAY_MS)
    held = list(themes.values())
    return answer_with(
        PracticeShown(
            total=sum(one.total for one in held),
            due=sum(one.due for one in held),
            streak=(await store.read(day_storage.standing, guest_id, now)).streak,
            fresh=sum(one.fresh for one in held),
            decks=tuple(_deck_shown(*one) for one in decks),
            themes=tuple(ThemeShown(name, one.total, one.due, one.fresh) for name, one in sorted(themes.items())),
            days=tuple(_day_shown(one) for one in days),
        )
    )


def _deck_shown(deck: StoredDeck, held: CardsHeld) -> DeckShown:
    return DeckShown(deck.id, deck.name, deck.shared, held.total, held.due, held.fresh)


def _day_shown(one: PracticeDay) -> DayShown:
    return DayShown(one.day, one.answers, one.right, round(one.loss, 5))


@own
async def add_position(call: Call) -> Response:
    """Makes a card from a position."""
    body = await call.body(PositionBody)
    made = await call.services.practice.add_position(call.person, setup_of(body.address), body.deck)
    return answer_with(made, 201)


@own
async def add_moment(call: Call) -> Response:
    """Makes a card from a decision of a finished match."""
    body = await call.body(MomentBody)
    made = await call.services.practice.add_moment(
        call.person, body.source, body.match, body.event, body.player, body.deck
    )
    return answer_with(made, 201)


@own
async def add_mistakes(call: Call) -> Response:
    """Makes cards from one's mistakes in all analysed matches, 200 at once."""
    body = await call.body(MistakesBody)
    spend(call.services.allowance.analyses, address_of(call.request), _("so many at once; try again in a few minutes"))
    made = await call.services.practice.add_mistakes(call.person, body.least, body.deck, body.theme)
    return answer_with(made, 201)


@own
async def session(call: Call) -> Response:
    """The next cards: those that are due, then new ones."""
    query = query_in(call.request, SessionQuery)
    wanted = CardSelection(query.deck, query.theme)
    return answer_with(SessionShown(tuple(await call.services.practice.session(call.person, wanted, query.count))))


@own
async def card(call: Call) -> Response:
    """The board of a card, after the moves tried."""
    moves = moves_of(query_in(call.request, BoardOfCardQuery).moves)
    board: BoardView = await call.services.practice.board(call.person, call.request.path_params["card"], moves)
    return answer_with(board)


@own
async def answer(call: Call) -> Response:
    """Judges an answer to a card, and says when it comes again."""
    body = await call.body(AnswerBody)
    spend(
        call.services.allowance.answers, address_of(call.request), _("so many answers at once; try again in a moment")
    )
    card_id, asked = call.request.path_params["card"], CardSelection(body.deck, body.theme)
    found = await call.services.practice.answer(call.person, card_id, body.moves, body.choice, asked, body.reviews)
    return answer_with(found)


@own
async def grade(call: Call) -> Response:
    """Changes the grade of the last answer to a card."""
    body = await call.body(GradeBody)
    review = number_in(call.request.path_params["review"], 0, 999_999_999)
    if review is None:
        raise UnknownCard("there is no such answer")
    found: CardGraded = await call.services.practice.regrade(call.person, review, body.grade)
    return answer_with(found)


@own
async def remove_card(call: Call) -> Response:
    """Deletes a card."""
    await call.services.practice.drop(call.person, call.request.path_params["card"])
    return answer_with(messages.DoneMessage())


@own
async def make_deck(call: Call) -> Response:
    """Makes a deck."""
    made = await call.services.practice.make_deck(call.person, (await call.body(DeckBody)).name)
    return answer_with(_deck_shown(made, CardsHeld(0, 0, 0)), 201)


@own
async def change_deck(call: Call) -> Response:
    """Shares a deck, ends that, copies a shared deck, or removes one; its cards stay."""
    deck_id, action = call.request.path_params["deck"], call.request.path_params["deck_action"]
    write = call.services.store.write
    if action == "copy":
        await call.services.practice.copy_deck(call.person, deck_id)
        return answer_with(messages.DoneMessage())
    if action == "remove":
        done = await write(card_storage.drop_deck, call.person.id, deck_id)
    elif action in DECK_ACTIONS:
        done = await write(card_storage.share_deck, call.person.id, deck_id, action == "share")
    else:
        raise RequestRefused(404, "unknown", _("no such action; allowed: %(allowed)s", allowed=", ".join(DECK_ACTIONS)))
    if not done:
        raise UnknownCard("you have no such deck")
    return answer_with(messages.DoneMessage())


@own
async def deck(call: Call) -> Response:
    """The cards of one's own deck or of a shared one."""
    found = await call.services.practice.deck(call.person, call.request.path_params["deck"])
    cards = await call.services.store.read(card_storage.listed, found.guest_id, CardSelection(found.id), 200)
    return answer_with(SessionShown(tuple(shown(one) for one in cards)))
