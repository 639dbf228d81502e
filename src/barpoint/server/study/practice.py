"""Practice: makes cards from mistakes and positions, chooses the next ones, judges answers, and says when they come again."""

from __future__ import annotations

import asyncio
import gzip
import secrets
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Literal

import msgspec
from msgspec import Struct

from barpoint.analysis import Decision, Report
from barpoint.analysis.answer import states_before
from barpoint.analysis.statistics import PlayedMatch, worst_mistakes
from barpoint.analysis.summary import Mistake, mistake_of
from barpoint.error import BarpointError, IllegalEvent
from barpoint.game.event import MoveMade
from barpoint.server.domain.analysis_board import BoardSetup, query_of, setup_from_game, setup_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.practice import (
    MAX_COPIED,
    MAX_DECK_NAME,
    MAX_MADE_AT_ONCE,
    CardGrade,
    CardKind,
    CardMemory,
    grade_of,
    intervals,
    max_cards,
)
from barpoint.server.live.matches import Matches, TimeSource, UnknownMatch
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import practice as card_storage
from barpoint.server.storage import practice_days as day_storage
from barpoint.server.storage.practice import CardSelection, StoredCard, StoredDeck
from barpoint.server.storage.store import Store
from barpoint.server.study.advisers import Advisers
from barpoint.server.study.analyses import Analyses
from barpoint.server.study.cards import (
    asked_of_near,
    board_of_card,
    check_card,
    digest_of,
    judged,
    kind_of,
)
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.own_notes import comment_at
from barpoint.server.study.recordings import Recording, of_room
from barpoint.server.study.reviews import Reviews
from barpoint.server.study.statistics import AnalysedMatches, StatisticsQuery

KINDS: Final = ("play", "double", "no double", "take", "pass")
"""Decisions of a match that cards are made from."""

MatchSource = Literal["match", "review"]


class UnknownCard(BarpointError):
    """The person has no card or deck with this id."""


class CardsMade(Struct, frozen=True):
    """Cards that were made. cards: their ids. known: positions of which there was a card already."""

    cards: tuple[str, ...]
    known: int = 0


class CardShown(Struct, frozen=True, omit_defaults=True):
    """A card. asked: what it asks for. address: its position, as the query of the analysis board. due_at: ms since 1970.

    theme, source, made, loss: of the mistake that it comes from. fresh: it was never asked. reviews: how often it was answered.
    """

    id: str
    asked: CardKind
    address: str
    due_at: int
    faces: tuple[int, ...] = ()
    theme: str = ""
    source: str = ""
    made: str = ""
    loss: float | None = None
    fresh: bool = False
    reviews: int = 0


class CardAnswer(Struct, frozen=True):
    """How good an answer is, and when the card comes again.

    decision: with the best choices and the one that was made. plies, net: by what it was judged. listed: the play is
    among the best 32; otherwise it loses at least so much. grade: from the loss. days: until the card comes again, by
    grade. review: the number of the answer, to change its grade. comment: that of one's own note on the decision.
    """

    decision: Decision
    plies: int
    net: str
    listed: bool
    grade: CardGrade
    days: dict[CardGrade, int]
    review: int
    comment: str = ""


class CardGraded(Struct, frozen=True):
    """The card after its grade was changed. due_at: ms since 1970."""

    grade: CardGrade
    due_at: int


class Practice:
    """The cards of all persons."""

    def __init__(
        self,
        store: Store,
        clock: TimeSource,
        advisers: Advisers,
        analyses: Analyses,
        matches: Matches,
        reviews: Reviews,
        analysed: AnalysedMatches,
    ) -> None:
        self._store, self._clock, self._advisers, self._analyses = store, clock, advisers, analyses
        self._matches, self._reviews, self._analysed = matches, reviews, analysed

    # -- decks

    async def make_deck(self, person: Guest, name: str) -> StoredDeck:
        """The person's deck of that name, made if there is none; IllegalEvent for an empty name."""
        clean = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
        if not clean:
            raise IllegalEvent("a deck needs a name")
        name = clean[:MAX_DECK_NAME]
        made = StoredDeck(secrets.token_urlsafe(9), person.id, name, False, self._clock())
        return await self._store.write(card_storage.put_deck, made)

    async def deck(self, person: Guest | None, deck_id: str) -> StoredDeck:
        """One's own deck or a shared one; UnknownCard."""
        found = await self._store.read(card_storage.deck, deck_id)
        if found is None or not (found.shared or (person is not None and found.guest_id == person.id)):
            raise UnknownCard("there is no such deck, or its owner does not share it")
        return found

    async def copy_deck(self, person: Guest, deck_id: str) -> tuple[StoredDeck, CardsMade]:
        """Copies a shared deck into one of the person's own; cards that they have already stay where they are."""
        found = await self.deck(person, deck_id)
        if found.guest_id == person.id:
            raise IllegalEvent("this deck is yours already")
        mine = await self.make_deck(person, found.name)
        theirs = await self._store.read(card_storage.listed, found.guest_id, CardSelection(found.id), MAX_COPIED)
        now = self._clock()
        new = [card_storage.copied(one, secrets.token_urlsafe(9), person.id, mine.id, now) for one in theirs]
        return mine, await self._put(person, new)

    # -- making cards

    async def add_position(self, person: Guest, setup: BoardSetup, deck: str = "") -> CardsMade:
        """A card from the analysis board; BarpointError where nothing is to be decided."""
        await self._own_deck(person, deck)
        return await self._put(person, [await asyncio.to_thread(self._made, person, setup, deck)])

    async def add_moment(
        self, person: Guest, source: MatchSource, match_id: str, event: int, player: int, deck: str = ""
    ) -> CardsMade:
        """A card from a decision of a finished match; AnalysisRefused or BarpointError where there is none."""
        await self._own_deck(person, deck)
        recording = await self._recording(source, match_id, person)
        if not recording.complete or not 1 <= event <= len(recording.match.events):
            raise AnalysisRefused("there is no such decision in a finished match", 404)
        mistake = await self._mistake(recording, event, player)
        new = await asyncio.to_thread(self._of_match, person, recording, [(event, player, mistake)], deck)
        if not new:
            raise AnalysisRefused("nothing is decided there that a card can ask for", 422)
        return await self._put(person, new)

    async def add_mistakes(self, person: Guest, least: float, deck: str = "", theme: str = "") -> CardsMade:
        """Cards from the person's mistakes in all analysed matches, the costliest first. least: the smallest loss."""
        await self._own_deck(person, deck)
        mine = await self._analysed.of(person.id)
        played = mine.played(StatisticsQuery(), mine.own_names(person.name))
        known = await self._store.read(card_storage.sources, person.id)
        wanted = [
            (one, mistake)
            for one, mistake in worst_mistakes(played)
            if mistake.loss >= least and mistake.kind in KINDS and theme in ("", mistake.theme)
        ]
        fresh = [(one, mistake) for one, mistake in wanted if _source(one.address, mistake.event) not in known]
        new = await self._of_mistakes(person, fresh[:MAX_MADE_AT_ONCE], deck)
        made = await self._put(person, new)
        return CardsMade(made.cards, made.known + len(wanted) - len(fresh))

    async def _of_mistakes(
        self, person: Guest, chosen: Iterable[tuple[PlayedMatch, Mistake]], deck: str
    ) -> list[StoredCard]:
        by_match: dict[str, list[tuple[int, int, Mistake | None]]] = defaultdict(list)
        for one, mistake in chosen:
            by_match[one.address].append((mistake.event, mistake.player, mistake))
        new: list[StoredCard] = []
        for address, moments in by_match.items():
            _empty, source, match_id, _replay = address.split("/")
            recording = await self._recording("match" if source == "match" else "review", match_id, person)
            new += await asyncio.to_thread(self._of_match, person, recording, moments, deck)
        return sorted(new, key=lambda one: -(one.loss or 0.0))

    async def of_mistakes(
        self, person: Guest, recording: Recording, player: int | None, least: float, most: int
    ) -> list[StoredCard]:
        """Cards, not stored, of the first `most` mistakes in an analysed match, in the order of play.

        player: None for both. least: the smallest loss.
        """
        packed = await self._analyses.deepest_report(recording.id, recording.match.rules, recording.source)
        if packed is None:
            raise AnalysisRefused("the match has to be analysed first", 409)

        def found() -> list[tuple[int, int, Mistake | None]]:
            made = (one for one in _decisions(packed) if one.mark and one.loss >= least)
            return [(one.event, one.player, mistake_of(one)) for one in made if player in (None, one.player)]

        return await asyncio.to_thread(lambda: self._of_match(person, recording, found(), "", most))

    def _of_match(
        self,
        person: Guest,
        recording: Recording,
        moments: list[tuple[int, int, Mistake | None]],
        deck: str,
        most: int | None = None,
    ) -> list[StoredCard]:
        """Cards of decisions of one match, given as event, player and mistake; without those that ask for nothing. most: None for all.

        No card asks for the answer to a beaver or raccoon: a board holds a double at most.
        """
        before = states_before(recording.match, (event for event, _player, _mistake in moments))
        new = list[StoredCard]()
        for event, player, mistake in moments:
            if len(new) == most:
                break
            if before[event].game.cube.raises:
                continue
            try:
                card = self._made(person, setup_from_game(before[event], player), deck)
            except BarpointError:
                continue
            card = replace(card, source=_source(f"{recording.path}/replay", event))
            if mistake is not None:
                card = replace(card, theme=mistake.theme, made=mistake.made[:80], loss=mistake.loss)
            new.append(card)
        return new

    def _made(self, person: Guest, setup: BoardSetup, deck: str) -> StoredCard:
        setup = asked_of_near(setup)
        check_card(setup)
        now = self._clock()
        return StoredCard(
            id=secrets.token_urlsafe(9),
            guest_id=person.id,
            deck_id=deck or None,
            digest=digest_of(setup.address),
            address=setup.address,
            kind=kind_of(setup),
            memory=CardMemory(now),
            created_at=now,
        )

    async def _put(self, person: Guest, new: list[StoredCard]) -> CardsMade:
        stored = await self._store.write(card_storage.put_cards, new, max_cards(person))
        return CardsMade(tuple(stored), len(new) - len(stored))

    async def _own_deck(self, person: Guest, deck: str) -> None:
        if deck and (await self.deck(person, deck)).guest_id != person.id:
            raise UnknownCard("this deck belongs to somebody else; copy it first")

    async def _recording(self, source: MatchSource, match_id: str, person: Guest) -> Recording:
        if source == "review":
            return await self._reviews.open(match_id, person.id)
        if not (person.administrator or await self._store.read(club_storage.may_see, match_id, person.id)):
            raise UnknownMatch("no match is called %(match_id)s", match_id=match_id[:20])
        return of_room(await self._matches.live_match(match_id), person.id)

    async def _mistake(self, recording: Recording, event: int, player: int) -> Mistake | None:
        """What the deepest analysis says of a decision, if there is one."""
        packed = await self._analyses.deepest_report(recording.id, recording.match.rules, recording.source)
        return None if packed is None else await asyncio.to_thread(_mistake_of, packed, event, player)

    # -- answering

    async def session(self, person: Guest, wanted: CardSelection, count: int) -> list[CardShown]:
        """The cards of a session: due ones first, then new ones."""
        found = await self._store.read(card_storage.session, person.id, wanted, self._clock(), count)
        return [shown(one) for one in found]

    async def board(self, person: Guest, card_id: str, moves: tuple[MoveMade, ...]) -> BoardView:
        """The board of a card after the moves tried; UnknownCard, IllegalMove."""
        card = await self._card(person, card_id)
        return await asyncio.to_thread(lambda: board_of_card(setup_of(card.address), moves))

    async def answer(
        self,
        person: Guest,
        card_id: str,
        moves: tuple[MoveMade, ...] | None,
        choice: str,
        asked: CardSelection,
        known: int | None = None,
    ) -> CardAnswer:
        """Judges an answer and stores it; UnknownCard, IllegalMove, IllegalEvent, AnalysisRefused.

        asked: the cards that the session is about. known: answers to the card that the person knows of, if they say so.
        """
        card = await self._card(person, card_id)
        setup = setup_of(card.address)
        decision, answer = await judged(self._advisers, setup, moves, choice)
        grade, now = grade_of(decision.loss), self._clock()
        stored = await self._store.write(
            day_storage.answer_card, person.id, card_id, grade, decision.loss, decision.made.text, now, asked, known
        )
        if stored is None:
            raise UnknownCard("this card has been deleted")
        comment = await self._store.read(comment_at, person.id, card.source) if card.source else ""
        return CardAnswer(
            decision=decision,
            plies=answer.plies,
            net=answer.net,
            listed=not setup.faces or bool(decision.made.chances),
            grade=grade,
            days=intervals(stored.before, now),
            review=stored.id,
            comment=comment,
        )

    async def regrade(self, person: Guest, review: int, grade: CardGrade) -> CardGraded:
        """Changes the grade of the last answer to a card; UnknownCard where it is not that."""
        found = await self._store.write(card_storage.regrade, person.id, review, grade)
        if found is None:
            raise UnknownCard("only the last answer to one of your cards can be graded again")
        return CardGraded(grade, found.due_at)

    async def drop(self, person: Guest, card_id: str) -> None:
        """Deletes a card; UnknownCard."""
        if not await self._store.write(card_storage.drop_card, person.id, card_id):
            raise UnknownCard("you have no such card")

    async def _card(self, person: Guest, card_id: str) -> StoredCard:
        found = await self._store.read(card_storage.card, person.id, card_id)
        if found is None:
            raise UnknownCard("you have no such card")
        return found


def shown(card: StoredCard) -> CardShown:
    """A card for whoever has it."""
    return CardShown(
        id=card.id,
        asked=card.kind,
        address=query_of(card.address),
        due_at=card.memory.due_at,
        faces=setup_of(card.address).faces,
        theme=card.theme,
        source=card.source,
        made=card.made,
        loss=card.loss,
        fresh=card.memory.reviewed_at is None,
        reviews=card.memory.reviews,
    )


def _source(address: str, event: int) -> str:
    """The link of the moment before an event. address: of the replay."""
    return f"{address}#{event - 1}"


def _mistake_of(packed: bytes, event: int, player: int) -> Mistake | None:
    one = next((one for one in _decisions(packed) if (one.event, one.player) == (event, player)), None)
    return None if one is None or not one.loss else mistake_of(one)


def _decisions(packed: bytes) -> list[Decision]:
    """The decisions of a report that cards are made from."""
    report = msgspec.json.decode(gzip.decompress(packed), type=Report)
    return [one for one in report.decisions if one.kind in KINDS]
