"""Cards to practise in the database: decks, what is due, answers, and the progress of a person."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, case, delete, func, select, update

from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.practice import (
    EARLY_MS,
    MAX_DECKS,
    CardGrade,
    CardKind,
    CardMemory,
    CardsHeld,
    PracticeFull,
    after_review,
)
from barpoint.server.storage.database import count, fields_from, insert_where_absent, values_of
from barpoint.server.storage.schema.practice import CARD, CARD_REVIEW, DECK

DAY_MS: Final = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class StoredDeck:
    """A deck of cards. shared: everybody with the link may see and copy it."""

    id: str
    guest_id: str
    name: str
    shared: bool
    created_at: int


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card with what FSRS knows of it. The other fields are as in the table."""

    id: str
    guest_id: str
    deck_id: str | None
    digest: str
    address: BoardAddress
    kind: CardKind
    memory: CardMemory
    created_at: int
    theme: str = ""
    source: str = ""
    made: str = ""
    loss: float | None = None


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer to a card. id: its number. before: what FSRS knew of the card before it."""

    id: int
    before: CardMemory


@dataclass(frozen=True, slots=True)
class CardSelection:
    """Some of a person's cards: of a deck, about a theme; "" means all."""

    deck: str = ""
    theme: str = ""

    def of(self, guest_id: str) -> ColumnElement[bool]:
        """The condition of these cards."""
        wanted = [CARD.c.guest_id == guest_id]
        if self.deck:
            wanted.append(CARD.c.deck_id == self.deck)
        if self.theme:
            wanted.append(CARD.c.theme == self.theme)
        return and_(*wanted)


@dataclass(frozen=True, slots=True)
class PracticeDay:
    """The answers of one day. day: days since 1970. right: those graded good or easy. loss: the mean one."""

    day: int
    answers: int
    right: int
    loss: float


# -- decks


def decks(connection: Connection, guest_id: str, now: int) -> list[tuple[StoredDeck, CardsHeld]]:
    """A person's decks by name, with what they hold."""
    held = _held_by(connection, guest_id, now, CARD.c.deck_id)
    found = connection.execute(select(DECK).where(DECK.c.guest_id == guest_id).order_by(DECK.c.name))
    return [(StoredDeck(**row._mapping), held.get(row.id, CardsHeld(0, 0, 0))) for row in found]


def themes(connection: Connection, guest_id: str, now: int) -> dict[str, CardsHeld]:
    """What a person's cards are about, "" for those without a theme, with how many there are."""
    return _held_by(connection, guest_id, now, CARD.c.theme)


def _held_by(connection: Connection, guest_id: str, now: int, key: ColumnElement[Any]) -> dict[Any, CardsHeld]:
    ready = case((_is_due(now), 1), else_=0)
    fresh = case((CARD.c.reviewed_at.is_(None), 1), else_=0)
    chosen = (
        select(key, func.count(), func.sum(ready), func.sum(fresh)).where(CARD.c.guest_id == guest_id).group_by(key)
    )
    return {row[0]: CardsHeld(int(row[1]), int(row[2]), int(row[3])) for row in connection.execute(chosen)}


def due(connection: Connection, guest_id: str, now: int) -> int:
    """How many of a person's cards were seen before and are to be asked now."""
    return count(connection, CARD, CARD.c.guest_id == guest_id, _is_due(now))


def _is_due(now: int) -> ColumnElement[bool]:
    return and_(CARD.c.reviewed_at.is_not(None), CARD.c.due_at <= now + EARLY_MS)


def deck(connection: Connection, deck_id: str) -> StoredDeck | None:
    """The deck with that id, whoever's it is."""
    row = connection.execute(select(DECK).where(DECK.c.id == deck_id)).first()
    return None if row is None else StoredDeck(**row._mapping)


def put_deck(connection: Connection, made: StoredDeck) -> StoredDeck:
    """Stores a deck, or finds the person's one of that name; PracticeFull if they have too many."""
    own = DECK.c.guest_id == made.guest_id
    if count(connection, DECK, own) >= MAX_DECKS:
        raise PracticeFull("you have %(count)s decks; delete one to make another", count=MAX_DECKS)
    insert_where_absent(connection, DECK, **values_of(DECK, made))
    row = connection.execute(select(DECK).where(own, DECK.c.name == made.name)).one()
    return StoredDeck(**row._mapping)


def share_deck(connection: Connection, guest_id: str, deck_id: str, shared: bool) -> bool:
    """Lets others see a deck, or no longer; False if the person has no such deck."""
    own = and_(DECK.c.id == deck_id, DECK.c.guest_id == guest_id)
    return connection.execute(update(DECK).where(own).values(shared=shared)).rowcount == 1


def drop_deck(connection: Connection, guest_id: str, deck_id: str) -> bool:
    """Deletes a deck; its cards stay, in none. False if the person has no such deck."""
    own = and_(DECK.c.id == deck_id, DECK.c.guest_id == guest_id)
    if not count(connection, DECK, own):
        return False
    connection.execute(update(CARD).where(CARD.c.deck_id == deck_id).values(deck_id=None))
    connection.execute(delete(DECK).where(own))
    return True


# -- cards


def put_cards(connection: Connection, cards: Sequence[StoredCard], most: int) -> list[str]:
    """Stores the cards whose positions their owner has not got yet; returns the ids of those stored.

    most: cards that a person may have; PracticeFull, with nothing stored, if there is no room for one of them.
    """
    stored: list[str] = []
    if not cards:
        return stored
    held = count(connection, CARD, CARD.c.guest_id == cards[0].guest_id)
    for card in cards:
        values = {**values_of(CARD, card), **values_of_memory(card.memory)}
        values["address"] = msgspec.json.encode(card.address).decode()
        if held + len(stored) >= most:
            if stored or card_of_digest(connection, card.guest_id, card.digest) is not None:
                break
            raise PracticeFull("you have %(count)s cards; delete one to make another", count=most)
        if insert_where_absent(connection, CARD, **values):
            stored.append(card.id)
    return stored


def card_of_digest(connection: Connection, guest_id: str, digest: str) -> str | None:
    """The id of the person's card of a position."""
    return connection.scalar(select(CARD.c.id).where(CARD.c.guest_id == guest_id, CARD.c.digest == digest))


def digests(connection: Connection, guest_id: str, wanted: Collection[str]) -> set[str]:
    """Those of these positions that a person has cards of."""
    return set(connection.scalars(select(CARD.c.digest).where(CARD.c.guest_id == guest_id, CARD.c.digest.in_(wanted))))


def sources(connection: Connection, guest_id: str) -> set[str]:
    """The links of the moments that a person's cards come from."""
    return set(connection.scalars(select(CARD.c.source).where(CARD.c.guest_id == guest_id, CARD.c.source != "")))


def move_sources(connection: Connection, path: str, new_path: str, moments: Mapping[int, int]) -> None:
    """Has cards come from another version of a match, whosever they are. moments: numbers there; what has none stays.

    path, new_path: the common prefix of the URLs of each version.
    """
    there = {f"{path}/replay#{old}": f"{new_path}/replay#{new}" for old, new in moments.items()}
    of = CARD.c.source.startswith(f"{path}/replay#", autoescape=True)
    for row in connection.execute(select(CARD.c.id, CARD.c.source).where(of)).all():
        if row.source in there:
            connection.execute(update(CARD).where(CARD.c.id == row.id).values(source=there[row.source]))


def card(connection: Connection, guest_id: str, card_id: str) -> StoredCard | None:
    """One of a person's cards."""
    row = connection.execute(select(CARD).where(CARD.c.id == card_id, CARD.c.guest_id == guest_id)).first()
    return None if row is None else _card(row)


def session(connection: Connection, guest_id: str, wanted: CardSelection, now: int, most: int) -> list[StoredCard]:
    """The cards of a session: those that are due, the longest first; then new ones, the costliest mistake first."""
    own = wanted.of(guest_id)
    found = connection.execute(
        select(CARD).where(own, _is_due(now)).order_by(CARD.c.due_at, CARD.c.id).limit(most)
    ).all()
    fresh = select(CARD).where(own, CARD.c.reviewed_at.is_(None))
    order = (func.coalesce(CARD.c.loss, 0.0).desc(), CARD.c.created_at, CARD.c.id)
    return [_card(row) for row in (*found, *connection.execute(fresh.order_by(*order).limit(most - len(found))))]


def listed(connection: Connection, guest_id: str, wanted: CardSelection, most: int) -> list[StoredCard]:
    """Cards in the order in which they fall due."""
    chosen = select(CARD).where(wanted.of(guest_id)).order_by(CARD.c.due_at, CARD.c.id).limit(most)
    return [_card(row) for row in connection.execute(chosen)]


def drop_card(connection: Connection, guest_id: str, card_id: str) -> bool:
    """Deletes a card and its answers; False if the person has no such card."""
    own = and_(CARD.c.id == card_id, CARD.c.guest_id == guest_id)
    if not count(connection, CARD, own):
        return False
    connection.execute(delete(CARD_REVIEW).where(CARD_REVIEW.c.card_id == card_id))
    connection.execute(delete(CARD).where(own))
    return True


def _card(row: Row[Any]) -> StoredCard:
    memory = CardMemory(**{column.name: row._mapping[column.name] for column in _MEMORY})
    address = msgspec.json.decode(row.address, type=BoardAddress)
    return StoredCard(**fields_from(row, StoredCard) | {"address": address}, memory=memory)


_MEMORY: Final = [CARD.c[name] for name in CardMemory.__struct_fields__]


# -- answers


def review(
    connection: Connection,
    guest_id: str,
    card_id: str,
    grade: CardGrade,
    loss: float,
    answer: str,
    now: int,
    known: int | None = None,
) -> StoredAnswer | None:
    """Stores an answer; None if the card is gone.

    known: how many answers to the card its owner knows of. Where there is one more, what was said of that never arrived,
    and this answer takes its place.
    """
    found = card(connection, guest_id, card_id)
    if found is None:
        return None
    values = {"grade": grade, "loss": loss, "answer": answer[:80]}
    if known is not None and found.memory.reviews == known + 1:
        of_card = select(CARD_REVIEW).where(CARD_REVIEW.c.card_id == card_id).order_by(CARD_REVIEW.c.id.desc())
        last = connection.execute(of_card.limit(1)).one()
        connection.execute(update(CARD_REVIEW).where(CARD_REVIEW.c.id == last.id).values(**values))
        stored, at = StoredAnswer(last.id, msgspec.json.decode(last.before, type=CardMemory)), last.at
    else:
        before = msgspec.json.encode(found.memory).decode()
        values |= {"card_id": card_id, "guest_id": guest_id, "at": now, "before": before}
        made = connection.execute(CARD_REVIEW.insert().values(**values))
        assert made.inserted_primary_key is not None
        stored, at = StoredAnswer(int(made.inserted_primary_key[0]), found.memory), now
    _remember(connection, card_id, after_review(stored.before, grade, at))
    return stored


def regrade(connection: Connection, guest_id: str, review_id: int, grade: CardGrade) -> CardMemory | None:
    """Changes the grade of the last answer to a card; None where it is not the last one, or not the person's."""
    own = and_(CARD_REVIEW.c.id == review_id, CARD_REVIEW.c.guest_id == guest_id)
    row = connection.execute(select(CARD_REVIEW).where(own)).first()
    if row is None or count(
        connection, CARD_REVIEW, CARD_REVIEW.c.card_id == row.card_id, CARD_REVIEW.c.id > review_id
    ):
        return None
    after = after_review(msgspec.json.decode(row.before, type=CardMemory), grade, row.at)
    connection.execute(update(CARD_REVIEW).where(own).values(grade=grade))
    _remember(connection, row.card_id, after)
    return after


def _remember(connection: Connection, card_id: str, memory: CardMemory) -> None:
    connection.execute(update(CARD).where(CARD.c.id == card_id).values(**values_of_memory(memory)))


def values_of_memory(memory: CardMemory) -> dict[str, Any]:
    """The columns of a memory."""
    return {name: getattr(memory, name) for name in CardMemory.__struct_fields__}


def progress(connection: Connection, guest_id: str, since: int) -> list[PracticeDay]:
    """The days on which a person answered cards, oldest first. since: ms since 1970."""
    table = CARD_REVIEW.c
    day = (table.at // DAY_MS).label("day")
    right = func.sum(case((table.grade.in_(("good", "easy")), 1), else_=0))
    chosen = select(day, func.count(), right, func.avg(table.loss)).where(table.guest_id == guest_id, table.at >= since)
    rows = connection.execute(chosen.group_by(day).order_by(day))
    return [PracticeDay(int(row[0]), int(row[1]), int(row[2]), float(row[3])) for row in rows]


def copied(card: StoredCard, card_id: str, guest_id: str, deck_id: str, now: int) -> StoredCard:
    """The same card, new, for another person; it does not say from which match it comes."""
    return replace(
        card,
        id=card_id,
        guest_id=guest_id,
        deck_id=deck_id,
        memory=CardMemory(now),
        created_at=now,
        source="",
    )
