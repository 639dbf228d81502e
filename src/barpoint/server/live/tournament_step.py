"""One transaction of a tournament: the events, the matches that follow, and the fees that move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from barpoint.error import StoreError
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.clubs import EventKind
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader, MatchSeat, seat_for
from barpoint.server.domain.tournament_events import (
    BOT,
    Closed,
    Decided,
    Extended,
    Form,
    How,
    Joined,
    Left,
    PairedAgain,
    Started,
    TakenBack,
    TournamentCancelled,
    TournamentEvent,
    TournamentStage,
    is_person,
)
from barpoint.server.domain.tournament_matches import (
    TournamentMatch,
    first_of_last_round,
    games,
    length_of,
    met_elsewhere,
    only_at_board,
)
from barpoint.server.domain.tournament_pairing import follows, rounds_for, with_rounds
from barpoint.server.domain.tournament_standings import prizes_of, winners
from barpoint.server.domain.tournaments import Tournament
from barpoint.server.live.event_log import Change, StaleCommand
from barpoint.server.live.match_transactions import new_header, put_new, void_match
from barpoint.server.live.pubsub import LOBBY, seats_of
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.clubs import ClubResult
from barpoint.server.storage.event_log import Conflict, Logged
from barpoint.server.storage.tournaments import MatchProgress, Times, TournamentRecord
from barpoint.variants import variant

NOT_PLAYED: Final = (How.ABSENT, How.LEFT, How.AWAY)
"""How a match is decided that its loser did not play."""


class SentCommand(NamedTuple):
    """How a command was sent: its id and the last event its sender has seen, as in `TournamentAction`."""

    id: str | None = None
    seq: int | None = None


UNNUMBERED: Final = SentCommand()


@dataclass(frozen=True, slots=True)
class TournamentCommand:
    """A person's command. event: makes the event from the current tournament, or raises the reason against it.

    id, seq: as in `TournamentAction`. newcomer: who enters by it, who may be paired at once.
    """

    by: str
    event: Callable[[TournamentRecord], TournamentEvent]
    id: str | None = None
    seq: int | None = None
    newcomer: Guest | None = None


@dataclass(slots=True)
class Step:
    """The contents of a transaction. Only its composition changes it.

    steps: events with the tournament after each. made: tournament matches with the attempt and the new match. ended:
    matches the tournament no longer waits for. voided: those of them still in progress.
    """

    now: Tournament
    at: int
    happened: list[TournamentEvent] = field(default_factory=list)
    steps: list[tuple[Tournament, Logged]] = field(default_factory=list)
    made: list[tuple[TournamentMatch, int, MatchHeader]] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    voided: list[str] = field(default_factory=list)

    def take(self, event: TournamentEvent, actor: str | None = None, command_id: str | None = None) -> None:
        """Adds an event; TournamentError."""
        self.now = self.now.apply(event)
        self.happened.append(event)
        self.steps.append((self.now, tournament_storage.logged(event, self.now.seq, actor, command_id, self.at)))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.happened or self.made or self.ended)


def begins(now: Tournament, time: int) -> bool:
    """Whether a tournament begins: its start time has come or, without one, all its places are taken."""
    if now.stage is not TournamentStage.OPEN:
        return False
    if now.plan.starts_at is None:
        return len(now.entrants) >= now.plan.max_players
    return now.plan.starts_at <= time


def closes(now: Tournament, time: int) -> bool:
    """Whether the time of an arena is over."""
    pairing = now.plan.form.continuous and now.stage is TournamentStage.RUNNING and not now.closed
    return pairing and now.until <= time


def compose(
    known: TournamentRecord,
    command: TournamentCommand | None,
    ratings: Mapping[str, float],
    lot: Random,
    time: int,
) -> Step:
    """Composes due events, the commanded one, and their consequences. ratings: if it may begin. lot: draws seeds."""
    if command is not None and command.seq not in (None, known.now.seq):
        raise StaleCommand("the tournament has gone on to %(seq)s; look at it again", seq=known.now.seq)
    if command is not None and command.newcomer is not None:
        known = replace(known, names={**known.names, command.newcomer.id: command.newcomer})
    step = Step(known.now, time)
    if begins(known.now, time):  # before the command, so that a late entry is refused
        enough = len(known.now.entrants) >= max(2, known.now.plan.min_players)
        step.take(started(known.now, ratings, lot, time) if enough else TournamentCancelled("too few players"))
    if closes(step.now, time):
        step.take(Closed())
    for decided in _outcomes(known, time):
        step.take(decided)
    if command is not None:
        step.take(with_rounds(step.now, command.event(known)), command.by, command.id)
    while (event := follows(step.now)) is not None:
        step.take(event)
    _compose_matches(known, step, time)
    return step


def overdue(known: TournamentRecord, time: int) -> list[str]:
    """Matches that have waited long enough for both players at once: each has been at the board, and the clock decides now."""
    return [
        bout.match_id
        for bout in known.bouts
        if not bout.settled and not bout.seq and bout.due_at <= time and not bout.absent
        if bout.game not in known.now.reports
    ]


def end_of_round(known: TournamentRecord, time: int) -> int:
    """When the rounds in progress end at the latest, or the time of an arena; now, if they have ended."""
    ends = [bout.ends_at for bout in known.bouts if not bout.settled and bout.ends_at is not None]
    return max(time, known.now.until, *(() if known.now.plan.form.continuous else ends))


def started(now: Tournament, ratings: Mapping[str, float], lot: Random, time: int) -> Started:
    """The start at a time, seeded by rating or by lot; entry order breaks ties between equal ratings and between bots."""
    players = list(now.entrants)
    if now.plan.by_lot:
        lot.shuffle(players)
    else:
        players.sort(key=lambda player: -ratings.get(player, 1500.0))
    until = time + now.plan.duration_ms if now.plan.form.continuous else 0
    return Started(tuple(players), rounds_for(now.plan, players), until)


def _outcomes(known: TournamentRecord, time: int) -> Sequence[Decided]:
    """New results: matches that are over, no-shows, and matches adjourned for too long.

    The players of a match sit in the order of the tournament match. A match that an administrator has voided has no
    result, and is replayed; so is one of a league that a player has left before the first roll.
    """
    found: list[Decided] = []
    waiting = {game.number: game.players for game in games(known.now) if game.playable}
    for bout in known.bouts:
        if bout.settled or bout.game not in waiting:
            continue
        players, at_board = waiting[bout.game], bout.game in known.now.reports
        if bout.over and bout.winner is not None:
            found.append(Decided(bout.game, players[bout.winner]))
        elif bout.over and bout.left_by is not None and known.now.plan.form is not Form.LEAGUE:
            found.append(Decided(bout.game, players[1 - bout.left_by], How.LEFT))
        elif not bout.over and bout.seq == 0 and bout.due_at <= time and bout.absent and not at_board:
            there = [players[seat] for seat in (0, 1) if seat not in bout.absent]
            found.append(Decided(bout.game, there[0] if there else None, How.ABSENT))
        elif not bout.over and bout.adjourned and bout.ends_at is not None and bout.ends_at <= time:
            ahead = _ahead(bout)
            found.append(Decided(bout.game, None if ahead is None else players[ahead], How.TIME))
    return found


def _ahead(bout: MatchProgress) -> int | None:
    """The winner of a match adjourned for too long: the one ahead, or at equal scores the one who asked to resume."""
    first, second = bout.score
    return bout.asked_by if first == second else int(second > first)


def _compose_matches(known: TournamentRecord, step: Step, time: int) -> None:
    """Releases matches that are decided, taken back or whose players have changed, and creates those that are missing.

    Matches that are played at real boards only, such as those of walk-ins, are none here: they wait for their result.
    """
    found, before = games(step.now), {game.number: game.players for game in games(known.now)}
    moved = {game.number for game in found if game.players != before.get(game.number)}
    moved |= {event.game for event in step.happened if isinstance(event, TakenBack)}
    going = step.now.stage is TournamentStage.RUNNING
    playable = {game.number for game in found if game.playable and going and not only_at_board(step.now, game)}
    waiting, attempts = set(), {}
    for bout in known.bouts:
        attempts[bout.game] = bout.attempt + 1
        if bout.settled:
            continue
        if bout.over or bout.game not in playable or bout.game in moved:
            step.ended.append(bout.match_id)
            step.voided += [] if bout.over else [bout.match_id]
        else:
            waiting.add(bout.game)
    for game in found:
        if game.number in playable - waiting:
            step.made.append((game, attempts.get(game.number, 0), _match(known, step.now, game, time)))


def _match(known: TournamentRecord, now: Tournament, game: TournamentMatch, time: int) -> MatchHeader:
    """The live match of a tournament match; it waits until both players have come to the board."""
    first, second = (_seat(known, player) for player in game.players if player)
    rules, plan = variant(now.plan.variant), now.plan
    cube = plan.cube and rules.cube
    terms = MatchTerms(length=length_of(now, game), cube=cube, crawford=cube)
    persons = first.guest is not None and second.guest is not None
    return new_header(
        Agreement(rules, terms, plan.time_control, plan.rated and persons), (first, second), time, players_seed=True
    )


def _seat(known: TournamentRecord, player: str) -> MatchSeat:
    if not is_person(player):
        return seat_for(None, name=name_of(known, player), level=player.split(":")[1])
    return seat_for(known.names[player])


def name_of(known: TournamentRecord, player: str) -> str:
    """A player's name, in the language that holds now."""
    found = known.names.get(player)
    return found.shown_name if found else known.now.given_names.get(player, "?")


def points_of(known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None) -> tuple[float, float] | None:
    """The score of a match, in the order of its players: as it was entered, or as it is here; None if it has none."""
    entered = known.now.results.get(game.number)
    if entered is not None and entered.score is not None:
        best, other = entered.score
        return (best, other) if game.winner == game.players[0] else (other, best)
    played_here = bout is not None and bout.seq > 0 and game.how in (None, How.PLAYED, How.TIME)
    return bout.score if bout is not None and played_here else None


def is_bot(known: TournamentRecord, player: str) -> bool:
    """Whether a player is a bot, of this server or another."""
    person = known.names.get(player)
    return player.startswith(BOT) or (person is not None and person.bot)


def change_of(known: TournamentRecord, step: Step) -> Change[Tournament]:
    """All writes of a step, and its topics: watchers, and players whose match begins or ends."""
    people = {guest for bout in known.bouts if bout.match_id in step.voided for guest in bout.seats}
    people |= {seat.guest for _, _, header in step.made for seat in header.seats}
    return Change(
        step.steps,
        row=tournament_storage.row_of(step.now),
        also=partial(write, known=known, step=step),
        topics=(LOBBY, *(seats_of(guest) for guest in people if guest is not None)),
    )


def write(connection: Connection, known: TournamentRecord, step: Step) -> None:
    """Writes what belongs to the events; raises Conflict, and writes nothing, if one of the matches has gone on."""
    at = step.at
    tournament_storage.note_players(connection, known, step.now)
    for match_id in step.voided:
        _void(connection, match_id, at)
    if step.ended:
        tournament_storage.settle(connection, step.ended)
    for game, attempt, header in step.made:
        put_new(connection, header)
        if known.club is not None and known.club.private:
            club_storage.put_event(connection, known.club.id, header.id, EventKind.MATCH, True, at)
        tournament_storage.put_game(connection, known.id, game.number, attempt, header.id, _times(known, step, game))
    for event in step.happened:
        if isinstance(event, Extended):
            waits = 0 if known.now.plan.form.continuous else event.until - end_of_round(known, at)
            tournament_storage.extend(connection, known.id, event.until, waits, at, known.now.reports)
        if isinstance(event, Decided) and event.how is How.BOARD:
            _rate_at_board(connection, known, step, event)
    if known.club is not None:
        if any(isinstance(event, PairedAgain) for event in step.happened):
            club_storage.drop_results(connection, known.id, first_of_last_round(known.now))
        for event in step.happened:
            if isinstance(event, TakenBack):
                club_storage.drop_results(connection, known.id, event.game, event.game)
        corrected, new = _club_results(step, corrects=True), _club_results(step, corrects=False)
        club_storage.put_results(connection, known.club.id, known.id, new, at)
        club_storage.correct_results(connection, known.id, corrected)
    _move_fees(connection, known, step, at)


def _rate_at_board(connection: Connection, known: TournamentRecord, step: Step, event: Decided) -> None:
    """Changes the ratings by a match of a rated tournament that was played at a real board; once, also if its result was taken back.

    Where the server makes no matches, it makes one that is voided at once, because a change of ratings is that of a match.
    """
    game, at = next(one for one in games(step.now) if one.number == event.game), step.at
    others = met_elsewhere(step.now, game)
    earlier = [one.match_id for one in known.bouts if set(one.seats) == set(game.players) and one.game not in others]
    if result_storage.have_rated(connection, earlier):
        return
    bout = next((one for one in known.bouts if one.game == event.game and not one.settled), None)
    header = match_storage.get_header(connection, bout.match_id) if bout is not None else None
    if bout is None:
        header = _match(known, step.now, game, at)
        if header.rated:
            put_new(connection, header)
            attempt = sum(one.game == event.game for one in known.bouts)
            times = _times(known, step, game)
            tournament_storage.put_game(connection, known.id, event.game, attempt, header.id, times)
            tournament_storage.settle(connection, [header.id])
            _void(connection, header.id, at)
    if header is None or not header.rated:
        return
    first, second = (seat.guest for seat in header.seats)
    if event.winner is not None and first and second:
        result_storage.rate(connection, header, event.winner, second if event.winner == first else first, at)


def _club_results(step: Step, *, corrects: bool) -> list[ClubResult]:
    """How the persons of the matches that are decided or corrected did, for the table of their club's season."""
    players = {game.number: game.players for game in games(step.now)}
    return [
        ClubResult(event.game, player, player == event.winner, event.how not in NOT_PLAYED)
        for event in step.happened
        if isinstance(event, Decided) and event.corrects == corrects
        for player in players[event.game]
        if player and is_person(player)
    ]


def _times(known: TournamentRecord, step: Step, game: TournamentMatch) -> Times:
    """The deadlines of a new match; in a league it keeps that of the match that it replaces, or after a result was taken back at least."""
    plan, due_at = step.now.plan, step.at + step.now.plan.patience_ms
    before = next((bout.due_at for bout in reversed(known.bouts) if bout.game == game.number), None)
    if plan.form is Form.LEAGUE and before is not None:
        due_at = max(before, due_at) if TakenBack(game.number) in step.happened else before
    return Times(due_at, max(step.at + plan.round_ms, step.now.until) if plan.round_ms else None)


def _void(connection: Connection, match_id: str, at: int) -> None:
    try:
        void_match(connection, match_id, at)
    except Conflict:
        raise
    except StoreError as error:  # it has just ended
        raise Conflict(error) from None


def _move_fees(connection: Connection, known: TournamentRecord, step: Step, at: int) -> None:
    """Moves fees: entry fees paid, refunded, or shared out at the end."""
    before = known.now
    for seq, event in enumerate(step.happened, before.seq + 1):
        if isinstance(event, Joined) and event.player not in before.entrants:
            tournament_storage.collect(connection, known, seq, event.player, at)
        elif isinstance(event, Left) and event.player not in step.now.away:
            tournament_storage.give_back(connection, known, seq, event.player, at)
    fee, players = before.plan.fee, step.now.entrants
    if not fee or before.stage in (TournamentStage.OVER, TournamentStage.CANCELLED):
        return
    ended_without = step.now.stage is TournamentStage.OVER and not winners(step.now)
    if step.now.stage is TournamentStage.CANCELLED or ended_without:
        tournament_storage.share_out(connection, known, "refund", dict.fromkeys(players, fee), at)
    elif step.now.stage is TournamentStage.OVER:
        tournament_storage.share_out(connection, known, "prize", prizes_of(step.now), at)
