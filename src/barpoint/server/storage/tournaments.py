"""Tournaments in the database: their logs, players and matches. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, case, delete, insert, or_, select, update

from barpoint.server.domain import ledger
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ledger import LedgerError
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.time_control import in_days
from barpoint.server.domain.tournament_events import (
    Form,
    HelperNamed,
    Joined,
    Left,
    Plan,
    TournamentError,
    TournamentEvent,
    TournamentStage,
    is_person,
)
from barpoint.server.domain.tournaments import Tournament, replay
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.clubs import EventClub
from barpoint.server.storage.database import count, insert_where_absent
from barpoint.server.storage.event_log import TOURNAMENTS, Conflict, Logged, get_events
from barpoint.server.storage.guests import people, person, select_people
from barpoint.server.storage.results import RatingStanding
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.server.storage.schema.tournaments import (
    TOURNAMENT,
    TOURNAMENT_MATCH,
    TOURNAMENT_PLAYER,
)

_READ: Final = msgspec.json.Decoder(TournamentEvent)
MAX_AT_ONCE: Final = 50
"""Tournaments that one process handles at once."""


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """A tournament match, as far as the tournament needs to know.

    seq: number of events. winner: by seat. left_by: the seat that left before the first roll. absent: seats of people
    who have not come to the board. seats: ids of persons; None for a bot. adjourned: it is adjourned. asked_by: the
    seat that wants to resume it. ends_at: when it is decided if it is still adjourned; None for never. Times in ms
    since 1970. last: kind of the last event, "" before the first.
    """

    match_id: str
    game: int
    attempt: int
    due_at: int
    settled: bool
    seq: int
    over: bool
    winner: int | None
    left_by: int | None
    seats: tuple[str | None, str | None]
    absent: tuple[int, ...]
    score: tuple[float, float]
    adjourned: bool = False
    asked_by: int | None = None
    ends_at: int | None = None
    last: str = ""


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """A tournament with all that the database holds about it. by: its director. bouts: in the order of the matches.

    club: the club that it belongs to, if any. helpers: who may enter results.
    """

    id: str
    by: Guest
    created_at: int
    now: Tournament
    bouts: tuple[MatchProgress, ...]
    names: Mapping[str, Guest]
    club: EventClub | None = None
    helpers: tuple[Guest, ...] = ()

    def directed_by(self, person: Guest) -> bool:
        """Whether somebody may direct it: who announced it, who directs its club, and administrators."""
        in_club = self.club is not None and person.id in self.club.directors
        return person.id == self.by.id or in_club or person.administrator

    def results_entered_by(self, person: Guest) -> bool:
        """Whether somebody may enter results: who directs it, and the helpers."""
        return person.id in self.now.helpers or self.directed_by(person)

    def shows_matches_to(self, person: Guest | None) -> bool:
        """Whether somebody may look at matches in which they do not play: in a private tournament only members of its club."""
        if self.club is None or not self.club.private:
            return True
        return person is not None and (person.administrator or person.id in self.club.members)


def put_tournament(connection: Connection, tournament_id: str, by: Guest, plan: Plan, now: int, limit: int) -> None:
    """Adds a tournament; Conflict if its director already has `limit` unfinished ones."""
    going = TOURNAMENT.c.stage.in_((TournamentStage.OPEN.value, TournamentStage.RUNNING.value))
    mine = and_(TOURNAMENT.c.guest_id == by.id, going)
    if count(connection, TOURNAMENT, mine) >= limit:
        raise Conflict("you have %(limit)s tournaments that are not over; wait until one is", limit=limit)
    row = row_of(Tournament(plan))
    connection.execute(insert(TOURNAMENT).values(id=tournament_id, guest_id=by.id, created_at=now, seq=0, **row))


@dataclass(frozen=True, slots=True)
class FoundTournament:
    """A tournament, and the events that are new to the caller."""

    record: TournamentRecord
    events: list[Logged]


def find_tournament(connection: Connection, tournament_id: str, known: Tournament | None) -> FoundTournament | None:
    """A tournament with its whole history; None if there is none. known: an earlier state to continue from."""
    bouts = _bouts(connection, tournament_id)  # read before the log, so that results already settled are in it
    own = TOURNAMENT.c.guest_id == GUEST.c.id
    row = connection.execute(
        select_people(*TOURNAMENT.c).join(TOURNAMENT, own).where(TOURNAMENT.c.id == tournament_id)
    ).first()
    if row is None:
        return None
    events = get_events(connection, TOURNAMENTS, tournament_id, known.seq if known else 0)
    happened = (_READ.decode(event.payload) for event in events)
    now = replay(plan_of(row), happened) if known is None else reduce(Tournament.apply, happened, known)
    involved = people(connection, select_people().where(GUEST.c.id.in_((*now.entrants, *now.helpers))))
    names = {one.id: one for one in involved if one.id in now.entrants}
    helpers = tuple(one for one in involved if one.id in now.helpers)
    club = club_storage.club_of(connection, tournament_id)
    found = TournamentRecord(row.id, person(row), row.created_at, now, bouts, names, club, helpers)
    return FoundTournament(found, events)


def events_of(connection: Connection, tournament_id: str) -> list[TournamentEvent]:
    """The events of a tournament, in order."""
    return [_READ.decode(event.payload) for event in get_events(connection, TOURNAMENTS, tournament_id)]


def get_tournament(connection: Connection, tournament_id: str) -> TournamentRecord | None:
    """A tournament with its whole history."""
    found = find_tournament(connection, tournament_id, None)
    return found.record if found else None


def plan_of(row: Any) -> Plan:
    """The plan of a row of the table."""
    return msgspec.json.decode(row.plan, type=Plan)


def _bouts(connection: Connection, tournament_id: str) -> tuple[MatchProgress, ...]:
    mine = TOURNAMENT_MATCH.c.tournament_id == tournament_id
    last = and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq)
    rows = connection.execute(
        select(
            *TOURNAMENT_MATCH.c,
            *(MATCH.c.seq, MATCH.c.over, MATCH.c.state, MATCH.c.adjourned_at, MATCH.c.asked_by),
            EVENT.c.actor,
            EVENT.c.kind,
        )
        .join(MATCH, MATCH.c.id == TOURNAMENT_MATCH.c.match_id)
        .outerjoin(EVENT, last)
        .where(mine)
        .order_by(TOURNAMENT_MATCH.c.number, TOURNAMENT_MATCH.c.attempt)
    ).all()  # before the seats, so that those of a match that another process adds now are not missed
    seats: dict[str, list[Any]] = {}
    for seat in connection.execute(
        select(SEAT.c.match_id, SEAT.c.guest_id, SEAT.c.kind, SEAT.c.commitment, SEAT.c.client_seed)
        .join(TOURNAMENT_MATCH, TOURNAMENT_MATCH.c.match_id == SEAT.c.match_id)
        .where(mine)
        .order_by(SEAT.c.match_id, SEAT.c.seat)
    ):
        seats.setdefault(seat.match_id, []).append(seat)
    return tuple(_bout(row, seats[row.match_id]) for row in rows)


def _bout(row: Any, seats: Sequence[Any]) -> MatchProgress:
    state = msgspec.json.decode(row.state)
    return MatchProgress(
        row.match_id,
        row.number,
        row.attempt,
        row.due_at,
        row.settled,
        row.seq,
        row.over,
        state["winner"],
        int(row.actor) if row.kind == "abort" and row.actor in ("0", "1") else None,
        (seats[0].guest_id, seats[1].guest_id),
        tuple(
            index
            for index, seat in enumerate(seats)
            if seat.kind == SeatKind.GUEST.value and not seat.commitment and not seat.client_seed
        ),
        (state["score"][0], state["score"][1]),
        row.adjourned_at is not None,
        row.asked_by,
        row.ends_at,
        row.kind or "",
    )


def logged(event: TournamentEvent, seq: int, actor: str | None, command_id: str | None, at: int) -> Logged:
    """An event as the log stores it. actor: who did it; None for actions of the server itself."""
    kind = str(type(event).__struct_config__.tag)
    return Logged(seq, actor, command_id, kind, msgspec.json.encode(event).decode(), at)


@dataclass(frozen=True, slots=True)
class TournamentLog:
    """The log of a tournament: each event, who caused it (None: the server), when.

    people: those who did, and everybody who has ever entered, by id.
    """

    events: tuple[tuple[TournamentEvent, str | None, int], ...]
    people: Mapping[str, Guest]

    def name_of(self, actor: str) -> str:
        """The name of who caused an event."""
        found = self.people.get(actor)
        return found.name if found else "?"


def log_of(connection: Connection, tournament_id: str) -> TournamentLog:
    """The whole log of a tournament, in order."""
    written = get_events(connection, TOURNAMENTS, tournament_id)
    events = tuple((_READ.decode(event.payload), event.actor, event.at) for event in written)
    named = {actor for _event, actor, _at in events if actor is not None}
    named |= _persons(event.player for event, _actor, _at in events if isinstance(event, Joined | Left | HelperNamed))
    found = people(connection, select_people().where(GUEST.c.id.in_(named)))
    return TournamentLog(events, {one.id: one for one in found})


def row_of(now: Tournament) -> dict[str, object]:
    """The columns of a tournament that change with an event, except `seq`."""
    return {
        "stage": now.stage.value,
        "players": len(now.entrants),
        "plan": msgspec.json.encode(now.plan).decode(),
        "starts_at": now.plan.starts_at,
        "max_players": now.plan.max_players,
        "ends_at": now.until if now.plan.form.continuous and now.late else None,
    }


def note_players(connection: Connection, known: TournamentRecord, after: Tournament) -> None:
    """Records the persons who have joined and left since a tournament was read."""
    before, now = _persons(known.now.entrants), _persons(after.entrants)
    for player in sorted(now - before):
        connection.execute(insert(TOURNAMENT_PLAYER).values(tournament_id=known.id, guest_id=player))
    gone = and_(TOURNAMENT_PLAYER.c.tournament_id == known.id, TOURNAMENT_PLAYER.c.guest_id.in_(sorted(before - now)))
    if before - now:
        connection.execute(delete(TOURNAMENT_PLAYER).where(gone))


def _persons(players: Iterable[str]) -> set[str]:
    return {player for player in players if is_person(player)}


@dataclass(frozen=True, slots=True)
class Times:
    """How long a match waits for its players, and how long it may be adjourned; None for no limit."""

    due_at: int
    ends_at: int | None


def put_game(connection: Connection, tournament_id: str, game: int, attempt: int, match_id: str, times: Times) -> None:
    """Records the match of a pairing; Conflict if it has one."""
    made = insert_where_absent(
        connection,
        TOURNAMENT_MATCH,
        match_id=match_id,
        tournament_id=tournament_id,
        number=game,
        attempt=attempt,
        due_at=times.due_at,
        ends_at=times.ends_at,
        settled=False,
    )
    if not made:
        raise Conflict("this game has its match")


def extend(
    connection: Connection, tournament_id: str, until: int, by_ms: int, now: int, reported: Collection[int]
) -> None:
    """No open match is decided by the end of its round before a time, and those still awaited wait for longer, and so do reported ones."""
    game = TOURNAMENT_MATCH.c
    waiting = and_(game.tournament_id == tournament_id, game.settled.is_(False))
    connection.execute(update(TOURNAMENT_MATCH).where(waiting, game.ends_at < until).values(ends_at=until))
    awaited, due = or_(game.due_at > now, game.number.in_(reported)), case((game.due_at > now, game.due_at), else_=now)
    connection.execute(update(TOURNAMENT_MATCH).where(waiting, awaited).values(due_at=due + by_ms))


def settle(connection: Connection, match_ids: Collection[str]) -> None:
    """Marks matches whose outcome is in the log of their tournament."""
    connection.execute(update(TOURNAMENT_MATCH).where(TOURNAMENT_MATCH.c.match_id.in_(match_ids)).values(settled=True))


def collect(connection: Connection, known: TournamentRecord, seq: int, player: str, at: int) -> None:
    """Pays a player's entry fee into the pot for event `seq`; TournamentError if they cannot pay."""
    fee = known.now.plan.fee
    if not fee:
        return
    result_storage.welcome(connection, player, at)
    try:
        result_storage.post(connection, ledger.enter(known.id, seq, player, fee), at)
    except LedgerError:
        have = result_storage.tickets_of(connection, player)
        raise TournamentError("an entry fee of %(fee)s tickets; you have %(have)s", fee=fee, have=have) from None


def give_back(connection: Connection, known: TournamentRecord, seq: int, player: str, at: int) -> None:
    """Refunds the entry fee of a player who leaves before the start."""
    if known.now.plan.fee:
        result_storage.post(connection, ledger.leave(known.id, seq, player, known.now.plan.fee), at)


def share_out(
    connection: Connection, known: TournamentRecord, reason: str, amounts: Mapping[str, int], at: int
) -> None:
    """Distributes the whole pot to the players, if there is one."""
    if amounts:
        result_storage.post(connection, ledger.share_out(known.id, reason, amounts), at)


def needing(connection: Connection, now: int) -> list[str]:
    """Tournaments with something due: a start, an arena's end, a result, an absent player, an adjourned match whose round is over."""
    waits = TOURNAMENT.c.stage == TournamentStage.OPEN.value
    full = and_(TOURNAMENT.c.starts_at.is_(None), TOURNAMENT.c.players >= TOURNAMENT.c.max_players)
    begins = select(TOURNAMENT.c.id).where(and_(waits, or_(TOURNAMENT.c.starts_at <= now, full)))
    closes = select(TOURNAMENT.c.id).where(
        TOURNAMENT.c.stage == TournamentStage.RUNNING.value, TOURNAMENT.c.ends_at <= now
    )
    unseen: ColumnElement[bool] = and_(MATCH.c.seq == 0, TOURNAMENT_MATCH.c.due_at <= now)
    put_off = and_(MATCH.c.adjourned_at.is_not(None), TOURNAMENT_MATCH.c.ends_at <= now)
    ended = (
        select(TOURNAMENT_MATCH.c.tournament_id)
        .join(MATCH, MATCH.c.id == TOURNAMENT_MATCH.c.match_id)
        .where(and_(TOURNAMENT_MATCH.c.settled.is_(False), or_(MATCH.c.over, unseen, put_off)))
    )
    return list(dict.fromkeys(connection.scalars(begins.union(closes, ended).limit(MAX_AT_ONCE))))


def standings_of(connection: Connection, players: Collection[str], pool: str) -> dict[str, RatingStanding]:
    """The ratings of the persons among the players in a pool."""
    return {player: result_storage.standing(connection, player, pool) for player in sorted(_persons(players))}


def is_arranged(connection: Connection, match_id: str) -> bool:
    """Whether the players of a match choose when they play it, so that it begins only while both are there."""
    row = _row_of(connection, match_id)
    plan = plan_of(row) if row is not None else None
    return plan is not None and plan.form is Form.LEAGUE and not in_days(plan.time_control)


def waits_until(connection: Connection, match_id: str) -> int | None:
    """Until when a match of a tournament waits for both players to be at the board; None if it need not, as by days."""
    row = _row_of(connection, match_id)
    return None if row is None or in_days(plan_of(row).time_control) else int(row.due_at)


def leaving_loses(connection: Connection, match_id: str) -> bool:
    """Whether who leaves the board of a match before the first roll loses it; that of a league is made anew."""
    row = _row_of(connection, match_id)
    return row is not None and plan_of(row).form is not Form.LEAGUE


def tournament_of(connection: Connection, match_id: str) -> tuple[str, str] | None:
    """(id, name) of the tournament that a match belongs to."""
    row = _row_of(connection, match_id)
    return (row.id, plan_of(row).name) if row else None


def _row_of(connection: Connection, match_id: str) -> Any:
    """The tournament of a match, with when the match is due; None if it belongs to none."""
    return connection.execute(
        select(TOURNAMENT.c.id, TOURNAMENT.c.plan, TOURNAMENT_MATCH.c.due_at)
        .join(TOURNAMENT_MATCH, TOURNAMENT_MATCH.c.tournament_id == TOURNAMENT.c.id)
        .where(TOURNAMENT_MATCH.c.match_id == match_id)
    ).first()
