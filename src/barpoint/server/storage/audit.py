"""Checks ratings and play money against the match logs: recomputes everything and compares."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final

import msgspec
from sqlalchemy import Connection, func, select

from barpoint.chouette import Chouette
from barpoint.chouette import event_from_dict as chouette_event
from barpoint.game import Opening, in_digits
from barpoint.match import Match
from barpoint.server.domain import ledger
from barpoint.server.domain.ledger import TICKETS
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.domain.ratings import after_match, glicko_after_match
from barpoint.server.domain.tournament_events import Decided, How, TournamentStage
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage import real_results as real_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import CHOUETTES, get_events
from barpoint.server.storage.matches import read_match
from barpoint.server.storage.results import NEW, RatingStanding, players_of, pool_of
from barpoint.server.storage.schema.chouettes import CHOUETTE
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.results import BALANCE, RATING, RATING_CHANGE
from barpoint.server.storage.schema.tournaments import TOURNAMENT

CLOSE: Final = 1e-9
"""Ratings whose relative difference is smaller count as equal."""


def differences(connection: Connection) -> list[str]:
    """Every disagreement, one line each; [] if there is none."""
    return [
        *snapshot_differences(connection),
        *chouette_differences(connection),
        *rating_differences(connection),
        *ledger_differences(connection),
    ]


def snapshot_differences(connection: Connection) -> list[str]:
    """Matches whose row disagrees with their log."""
    found = []
    for row in connection.execute(select(MATCH.c.id, MATCH.c.seq, MATCH.c.over)).all():
        _, match = read_match(connection, row.id)
        if (row.seq, row.over) != (len(match.events), match.over):
            found.append(
                f"match {row.id}: the row says event {row.seq}, over {row.over}; its log {len(match.events)}, {match.over}"
            )
    return found


def read_chouette(connection: Connection, chouette_id: str) -> Chouette:
    """A chouette, replayed from its log."""
    found = chouette_storage.get_header(connection, chouette_id)
    assert found is not None, "tables are never deleted"
    events = get_events(connection, CHOUETTES, chouette_id)
    payloads = (chouette_event(msgspec.json.decode(logged.payload)) for logged in events)
    return Chouette.fold(found[0].rules, found[0].terms, payloads)


def chouette_differences(connection: Connection) -> list[str]:
    """Chouettes whose row disagrees with their log, or whose points do not sum to zero."""
    found = []
    for chouette_id in connection.scalars(select(CHOUETTE.c.id)).all():
        table, kept = read_chouette(connection, chouette_id), chouette_storage.get_cache(connection, chouette_id)
        assert kept is not None
        again = chouette_storage.cache(table, kept.acted_at, kept.deadline_at)
        if again != kept:
            found.append(
                f"chouette {chouette_id}: the row says {kept.seq}, {kept.state}; its log {again.seq}, {again.state}"
            )
        if sum(table.ledger):
            found.append(f"chouette {chouette_id}: the points sum to {in_digits(sum(table.ledger))}")
    return found


def rating_differences(connection: Connection) -> list[str]:
    """Recomputes the ratings from the logs of all rated matches, in the order in which they were counted."""
    found: list[str] = []
    places: dict[tuple[str, str], RatingStanding] = {}
    number = func.min(RATING_CHANGE.c.number)
    counted = list(
        connection.scalars(select(RATING_CHANGE.c.match_id).group_by(RATING_CHANGE.c.match_id).order_by(number))
    )
    for match_id in counted:
        found += _count_again(connection, match_id, places)
    ended = connection.scalars(select(MATCH.c.id).where(MATCH.c.rated, MATCH.c.over, MATCH.c.id.not_in(counted))).all()
    for match_id in ended:
        header, match = read_match(connection, match_id)
        if match.winner is not None and players_of(header) is not None:
            found.append(f"match {match_id}: rated and won, but not counted")
    stored = {(row.guest_id, row.pool) for row in connection.execute(select(RATING.c.guest_id, RATING.c.pool))}
    for place in sorted(stored | set(places)):
        now, again = result_storage.standing(connection, *place), places.get(place, NEW)
        if not _same(now, again):
            found.append(f"{place[0]} in {place[1]}: stored {now.rating}, worked out {again.rating}")
    return found


def _count_again(connection: Connection, match_id: str, places: dict[tuple[str, str], RatingStanding]) -> list[str]:
    header, match = read_match(connection, match_id)
    pool, pair = pool_of(header), _board_result(connection, header, match)
    players = players_of(header)
    if pair is None and players is not None and match.winner is not None and header.rated:
        pair = players[match.winner], players[1 - match.winner]
    if pair is None:
        return [f"match {match_id}: counted, but not a rated match that was won"]
    before = tuple(places.get((player, pool), NEW) for player in pair)
    ratings = after_match(before[0].rating, before[1].rating, header.terms.length)
    glickos = glicko_after_match(before[0].glicko, before[1].glicko)
    found = []
    for index, player in enumerate(pair):
        change = result_storage.change_of(connection, match_id, player)
        places[player, pool] = RatingStanding(ratings[index], glickos[index], before[index].matches + 1)
        if change is None or change.won != (index == 0) or not _near(change.after, ratings[index].value):
            found.append(f"match {match_id}: what it changed for {player} is not what follows from it")
    return found


def _board_result(connection: Connection, header: MatchHeader, match: Match) -> tuple[str, str] | None:
    """(winner, loser) of a match played at a real board that both have confirmed; None for any other.

    In a tournament, as it was when it was counted: a result that was corrected or taken back later has changed ratings, too.
    """
    if header.by_hand:
        players = real_storage.confirmed_players(connection, header.id)
        won = match.winner
        return None if players is None or won is None else (players[won], players[1 - won])
    found = tournament_storage.tournament_of(connection, header.id)
    known = tournament_storage.get_tournament(connection, found[0]) if found else None
    players = players_of(header)
    counted = result_storage.change_of(connection, header.id, players[0]) if players else None
    if known is None or players is None or counted is None:
        return None
    number = next(bout.game for bout in known.bouts if bout.match_id == header.id)
    for event, _actor, at in tournament_storage.log_of(connection, known.id).events:
        if not isinstance(event, Decided) or (event.game, event.how, at) != (number, How.BOARD, counted.at):
            continue
        if event.winner in players:
            return event.winner, players[1 - players.index(event.winner)]
    return None


def _same(one: RatingStanding, other: RatingStanding) -> bool:
    exact = (one.rating.experience, one.matches) == (other.rating.experience, other.matches)
    pairs = zip(_numbers(one), _numbers(other), strict=True)
    return exact and all(_near(first, second) for first, second in pairs)


def _numbers(place: RatingStanding) -> tuple[float, ...]:
    glicko = place.glicko
    return place.rating.value, glicko.rating, glicko.deviation, glicko.volatility


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=CLOSE)


def ledger_differences(connection: Connection) -> list[str]:
    """Checks that transfers sum to zero, balances match their lines, and escrow holds what open matches have paid."""
    found: list[str] = []
    sums: Counter[str] = Counter()
    transfers = result_storage.transfers(connection)  # constructing a transfer checks that it sums to zero
    for transfer in transfers:
        for line in transfer.lines:
            sums[line.account] += line.amount
    kept = {row.account: int(row.amount) for row in connection.execute(select(BALANCE.c.account, BALANCE.c.amount))}
    for account in sorted(kept.keys() | sums.keys()):
        if kept.get(account, 0) != sums[account]:
            found.append(f"{account}: the balance is {kept.get(account, 0)}, its lines sum to {sums[account]}")
        if sums[account] < 0 and account != TICKETS:
            found.append(f"{account} owes {-sums[account]}")
    for match_id in connection.scalars(select(MATCH.c.id).where(MATCH.c.fee > 0)).all():
        header, match = read_match(connection, match_id)
        begun = any(isinstance(event, Opening) for event in match.events)
        due = 2 * header.fee if begun and not match.over else 0
        if sums[ledger.escrow(match_id)] != due:
            found.append(f"match {match_id}: {sums[ledger.escrow(match_id)]} tickets in escrow; it should be {due}")
    for tournament_id in connection.scalars(select(TOURNAMENT.c.id)).all():
        found += _pot_differences(connection, tournament_id, sums[ledger.pot(tournament_id)])
    return found


def _pot_differences(connection: Connection, tournament_id: str, held: int) -> list[str]:
    """Checks that a tournament's row matches its log, and that its pot holds what its players have paid."""
    known = tournament_storage.get_tournament(connection, tournament_id)
    assert known is not None, "tournaments are never deleted"
    now, row = known.now, connection.execute(select(TOURNAMENT).where(TOURNAMENT.c.id == tournament_id)).one()
    found = []
    kept = tournament_storage.row_of(now)
    if row.seq != now.seq or any(getattr(row, name) != value for name, value in kept.items() if name != "plan"):
        found.append(
            f"tournament {tournament_id}: the row is at {row.seq}, {row.stage}; its log at {now.seq}, {now.stage}"
        )
    due = now.plan.fee * len(now.entrants) if now.stage in (TournamentStage.OPEN, TournamentStage.RUNNING) else 0
    if held != due:
        found.append(f"tournament {tournament_id}: {held} tickets in the pot; it should be {due}")
    return found
