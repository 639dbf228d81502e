"""Ladders in the database: places and challenges. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import Ladder, LadderChallenge, LadderOutcome, LadderPlan
from barpoint.server.domain.time_control import in_days
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.clubs import ClubResult, put_results
from barpoint.server.storage.database import count
from barpoint.server.storage.guests import people, person, select_people
from barpoint.server.storage.schema.clubs import LADDER, LADDER_MATCH, LADDER_PLACE
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT

SHOWN: int = 30
"""Challenges that a ladder shows, besides all that are open."""


@dataclass(frozen=True, slots=True)
class DueChallenge:
    """An open challenge to settle. winner: the seat; the challenger has seat 0. present: seats that came.

    played: its match was, to the end, here or at a real board; who leaves the board before the first roll loses it. over: its match here is.
    """

    ladder_id: str
    match_id: str
    number: int
    challenger: str
    other: str
    winner: int | None
    played: bool
    present: tuple[int, ...]
    over: bool


def put_ladder(connection: Connection, ladder_id: str, club_id: str, plan: LadderPlan, at: int) -> None:
    """Adds a ladder without players."""
    written = msgspec.json.encode(plan).decode()
    connection.execute(insert(LADDER).values(id=ladder_id, club_id=club_id, plan=written, created_at=at))


def get_ladder(connection: Connection, ladder_id: str) -> Ladder | None:
    """A ladder with its players and latest challenges."""
    row = connection.execute(select(LADDER).where(LADDER.c.id == ladder_id)).first()
    if row is None:
        return None
    standing = (
        select_people()
        .join(LADDER_PLACE, LADDER_PLACE.c.guest_id == GUEST.c.id)
        .where(LADDER_PLACE.c.ladder_id == ladder_id)
        .order_by(LADDER_PLACE.c.place)
    )
    plan = msgspec.json.decode(row.plan, type=LadderPlan)
    challenges = _challenges(connection, ladder_id)
    return Ladder(row.id, row.club_id, plan, tuple(people(connection, standing)), challenges, row.closed_at)


def _challenges(connection: Connection, ladder_id: str) -> tuple[LadderChallenge, ...]:
    found = LADDER_MATCH.c
    latest = select(func.max(found.number)).where(found.ladder_id == ladder_id).scalar_subquery()
    rows = connection.execute(
        select(LADDER_MATCH, MATCH.c.seq)
        .join(MATCH, MATCH.c.id == found.match_id)
        .where(found.ladder_id == ladder_id, or_(found.outcome.is_(None), found.number > latest - SHOWN))
        .order_by(found.number.desc())
    ).all()
    ids = {row.guest_id for row in rows} | {row.other_id for row in rows}
    known = {row.person_id: person(row) for row in connection.execute(select_people().where(GUEST.c.id.in_(ids)))}
    return tuple(
        LadderChallenge(
            row.match_id,
            row.number,
            known[row.guest_id],
            known[row.other_id],
            row.at,
            row.due_at,
            LadderOutcome(row.outcome) if row.outcome else None,
            row.seq > 0,
        )
        for row in rows
    )


def ladders_of(connection: Connection, club_id: str) -> list[tuple[str, LadderPlan, int]]:
    """The open ladders of a club: id, plan, how many stand on it."""
    standing = select(func.count()).where(LADDER_PLACE.c.ladder_id == LADDER.c.id).scalar_subquery()
    rows = connection.execute(
        select(LADDER.c.id, LADDER.c.plan, standing)
        .where(LADDER.c.club_id == club_id, LADDER.c.closed_at.is_(None))
        .order_by(LADDER.c.created_at)
    )
    return [(ladder_id, msgspec.json.decode(plan, type=LadderPlan), count) for ladder_id, plan, count in rows]


def set_order(connection: Connection, ladder_id: str, order: Sequence[str]) -> None:
    """Stores who stands where, from the top."""
    connection.execute(delete(LADDER_PLACE).where(LADDER_PLACE.c.ladder_id == ladder_id))
    rows = [{"ladder_id": ladder_id, "guest_id": one, "place": place} for place, one in enumerate(order, 1)]
    if rows:
        connection.execute(insert(LADDER_PLACE), rows)


def leave_all(connection: Connection, guest_id: str) -> None:
    """Takes a player off every ladder; those below move up. Open challenges of theirs stay until they are played or lapse."""
    connection.execute(delete(LADDER_PLACE).where(LADDER_PLACE.c.guest_id == guest_id))


def close(connection: Connection, ladder_id: str, at: int) -> None:
    """Closes a ladder."""
    connection.execute(update(LADDER).where(LADDER.c.id == ladder_id).values(closed_at=at))


def put_challenge(
    connection: Connection, ladder: Ladder, match_id: str, challenger: Guest, other_id: str, at: int
) -> None:
    """Adds a challenge with its match."""
    latest = select(func.max(LADDER_MATCH.c.number)).where(LADDER_MATCH.c.ladder_id == ladder.id)
    values = {"ladder_id": ladder.id, "guest_id": challenger.id, "other_id": other_id, "at": at}
    number = (connection.scalar(latest) or 0) + 1
    due_at = at + ladder.plan.play_ms
    connection.execute(insert(LADDER_MATCH).values(match_id=match_id, number=number, due_at=due_at, **values))


def due(connection: Connection, now: int, limit: int) -> list[DueChallenge]:
    """Open challenges whose match is over, or was not begun in time."""
    found = LADDER_MATCH.c
    late = and_(MATCH.c.seq == 0, found.due_at <= now)
    rows = connection.execute(
        select(LADDER_MATCH, MATCH.c.over, MATCH.c.state, EVENT.c.actor)
        .join(MATCH, MATCH.c.id == found.match_id)
        .outerjoin(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq, EVENT.c.kind == "abort"))
        .where(found.outcome.is_(None), or_(MATCH.c.over, late))
        .limit(limit)
    ).all()
    return [
        DueChallenge(
            row.ladder_id,
            row.match_id,
            row.number,
            row.guest_id,
            row.other_id,
            1 - int(row.actor) if row.actor in ("0", "1") else msgspec.json.decode(row.state)["winner"],
            row.actor is None,
            _present(connection, row.match_id),
            row.over,
        )
        for row in rows
    ]


def _present(connection: Connection, match_id: str) -> tuple[int, ...]:
    came = or_(SEAT.c.commitment.is_not(None), SEAT.c.client_seed != "")
    return tuple(connection.scalars(select(SEAT.c.seat).where(SEAT.c.match_id == match_id, came)))


def settle(
    connection: Connection, ladder: Ladder, one: DueChallenge, winner: int | None, order: Sequence[str], at: int
) -> bool:
    """Records how a challenge ended; False if it was recorded before. winner: 0 for the challenger."""
    outcome = LadderOutcome.LAPSED if winner is None else LadderOutcome.KEPT if winner else LadderOutcome.TAKEN
    waiting = and_(LADDER_MATCH.c.match_id == one.match_id, LADDER_MATCH.c.outcome.is_(None))
    if connection.execute(update(LADDER_MATCH).where(waiting).values(outcome=outcome.value)).rowcount != 1:
        return False
    if winner is not None:
        played = one.winner is not None and one.played
        results = [
            ClubResult(one.number, player, seat == winner, played or seat == winner)
            for seat, player in enumerate((one.challenger, one.other))
        ]
        put_results(connection, ladder.club_id, ladder.id, results, at)
    if outcome is LadderOutcome.TAKEN:
        set_order(connection, ladder.id, order)
    return True


@dataclass(frozen=True, slots=True)
class LadderOfMatch:
    """The ladder that a match belongs to. due_at: until when it is to begin; None once it has, or is over."""

    id: str
    name: str
    due_at: int | None


def ladder_of(connection: Connection, match_id: str) -> LadderOfMatch | None:
    """The ladder that a match belongs to."""
    row = connection.execute(
        select(LADDER.c.id, LADDER.c.plan, LADDER_MATCH.c.due_at, LADDER_MATCH.c.outcome, MATCH.c.seq)
        .join(LADDER_MATCH, LADDER_MATCH.c.ladder_id == LADDER.c.id)
        .join(MATCH, MATCH.c.id == LADDER_MATCH.c.match_id)
        .where(LADDER_MATCH.c.match_id == match_id)
    ).first()
    if row is None:
        return None
    waits = row.outcome is None and row.seq == 0
    return LadderOfMatch(row.id, msgspec.json.decode(row.plan, type=LadderPlan).name, row.due_at if waits else None)


def leaving_loses(connection: Connection, match_id: str) -> bool:
    """Whether who leaves the board of a match before the first roll loses it, because of the ladder or tournament it belongs to."""
    on_ladder = count(connection, LADDER_MATCH, LADDER_MATCH.c.match_id == match_id) > 0
    return on_ladder or tournament_storage.leaving_loses(connection, match_id)


def is_arranged(connection: Connection, match_id: str) -> bool:
    """Whether the players of a match of a ladder or league choose when they play it, so that it begins while both are there."""
    row = connection.execute(
        select(LADDER.c.plan)
        .join(LADDER_MATCH, LADDER_MATCH.c.ladder_id == LADDER.c.id)
        .where(LADDER_MATCH.c.match_id == match_id)
    ).first()
    if row is None:
        return tournament_storage.is_arranged(connection, match_id)
    return not in_days(msgspec.json.decode(row.plan, type=LadderPlan).time_control)
