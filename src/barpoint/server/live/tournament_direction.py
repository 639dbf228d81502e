"""What the director of a running tournament changes, and whether it is allowed now: results, pairings, latecomers, places."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace as changed

from barpoint.error import BarpointError, FormatError
from barpoint.server.domain.bracket import From
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import MINUTE
from barpoint.server.domain.tournament_actions import MAX_EXTENSION_MINUTES, MIN_EXTENSION_MINUTES
from barpoint.server.domain.tournament_corrections import corrected, moved_by, require_score_within
from barpoint.server.domain.tournament_events import (
    Changed,
    Decided,
    Extended,
    How,
    Joined,
    PairedAgain,
    Reported,
    TakenBack,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_latecomers import BYE_USED, first_byes, moved_by_latecomer
from barpoint.server.domain.tournament_matches import (
    TournamentMatch,
    before_bracket,
    first_of_last_round,
    games,
    only_at_board,
)
from barpoint.server.domain.tournament_plans import RANGES, out_of_range
from barpoint.server.domain.tournaments import ROUND_BEGUN
from barpoint.server.live.tournament_step import end_of_round, name_of
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord


class NotDirector(BarpointError):
    """Only the director of a tournament or an administrator can do this, or a helper if it is about results."""


def require_director(known: TournamentRecord, by: Guest, *, results: bool = False) -> None:
    """NotDirector unless somebody directs the tournament; results: or helps to enter its results."""
    if results and not known.results_entered_by(by):
        raise NotDirector("only who directs the tournament or helps with its results, or an administrator, can do this")
    if not results and not known.directed_by(by):
        raise NotDirector("only who directs the tournament, or an administrator, can do this")


def entered_result(known: TournamentRecord, wanted: Decided) -> Decided:
    """A result, or a correction; TournamentError if it is not allowed, or a match whose players it changes has begun."""
    known.now.apply(wanted)
    require_score_within(known.now, wanted)
    if wanted.corrects:
        _require_not_begun_after(known, wanted)
    return wanted


def result_taken_back(known: TournamentRecord, number: int) -> TakenBack:
    """A match is open again; TournamentError if that is not allowed, or nobody has played it, or one that depends on it has begun."""
    wanted = TakenBack(number)
    known.now.apply(wanted)
    if number not in _busy(known):
        raise TournamentError("this match has no result, and nobody plays it yet; allowed: to decide it")
    _require_not_begun_after(known, wanted)
    return wanted


def _require_not_begun_after(known: TournamentRecord, wanted: Decided | TakenBack) -> None:
    """TournamentError if a match whose players a change of results changes has begun here."""
    bout = _begun(known, moved_by(known.now, wanted))
    if bout is None:
        return
    players = next(game.players for game in games(known.now) if game.number == bout.game)
    first, second = (name_of(known, player or "") for player in players)
    raise TournamentError(
        "the match of %(first)s and %(second)s depends on this result and has begun; "
        "allowed: to take that one back first",
        first=first,
        second=second,
    )


def _begun(known: TournamentRecord, numbers: Collection[int]) -> MatchProgress | None:
    """A match of these that has begun here and is not decided."""
    return next((bout for bout in known.bouts if bout.game in numbers and bout.seq and not bout.settled), None)


def corrections(known: TournamentRecord) -> tuple[tuple[TournamentMatch, tuple[str | None, ...]], ...]:
    """The decided matches with whom a correction may name as their winner now, None for nobody.

    The winner so far among them, for another score or none: nothing else depends on that.
    """
    now, before, busy = known.now, before_bracket(known.now), _busy(known)
    paid = now.stage is TournamentStage.OVER and bool(now.plan.fee)
    fixed, drawn = held(known), bool(now.knockout) and any(number >= before for number in busy)
    found = []
    for game in games(now):
        if not game.how:
            continue
        winners = tuple(winner for winner in (*game.players, None) if winner != game.winner or winner)
        if paid or now.stage is TournamentStage.CANCELLED:
            winners = ()
        elif game.number in fixed:
            winners = tuple(winner for winner in winners if winner == game.winner)
        elif drawn and game.number < before:  # the knock-out that has begun stays as it was drawn
            winners = tuple(winner for winner in winners if corrected(now, _correcting(game, winner)).knockout)
        found.append((game, winners))
    return tuple(found)


def to_take_back(known: TournamentRecord) -> tuple[TournamentMatch, ...]:
    """The matches whose result, or what is being played of them, the director may take back now."""
    now, before, busy = known.now, before_bracket(known.now), _busy(known)
    paid = now.stage is TournamentStage.OVER and bool(now.plan.fee)
    if paid or now.stage not in (TournamentStage.RUNNING, TournamentStage.OVER) or now.plan.form.continuous:
        return ()
    fixed, drawn = held(known), bool(now.knockout) and any(number >= before for number in busy)
    return tuple(
        game
        for game in games(now)
        if game.number in busy - fixed and not (drawn and game.number < before) and not now.gone & set(game.players)
    )


def _correcting(game: TournamentMatch, winner: str | None) -> Decided:
    return Decided(game.number, winner, How.DIRECTOR, corrects=True)


def _busy(known: TournamentRecord) -> frozenset[int]:
    """The matches that have a result, or are being played here or at a real board."""
    begun = {bout.game for bout in known.bouts if bout.seq and not bout.settled}
    return frozenset({*known.now.results, *known.now.reports, *begun})


def held(known: TournamentRecord) -> frozenset[int]:
    """The matches of a bracket whose players and result stay, because a later match depends on them that is `_busy`."""
    now, before, busy = known.now, before_bracket(known.now), _busy(known)
    if not (now.plan.form.eliminating and now.seeds):
        return frozenset()
    free = {game.number: game.free for game in games(now)}
    stay = set[int]()
    for node in reversed(now.bracket.nodes):  # later matches first; a bye passes on what it depends on
        number = before + node.number
        if number in busy or (free[number] and number in stay):
            stay |= {before + source.number for source in node.sources if source.kind is not From.SEED}
    return frozenset(stay)


def may_pair_again(known: TournamentRecord) -> bool:
    """Whether the last round may be paired again now."""
    try:
        pairing_again(known)
    except TournamentError:
        return False
    return True


def pairing_again(known: TournamentRecord) -> PairedAgain:
    """The last round is paired again; TournamentError if that is not allowed, or one of its matches has begun."""
    known.now.apply(PairedAgain())
    first = first_of_last_round(known.now)
    if any(bout.game >= first and bout.seq and not bout.settled for bout in known.bouts):
        raise TournamentError(ROUND_BEGUN)
    return PairedAgain()


def latecomer(known: TournamentRecord, joined: Joined) -> Joined:
    """Somebody takes a bye of the first round; TournamentError if that is not allowed, or the next match of who has it has begun."""
    known.now.apply(joined)
    if _begun(known, moved_by_latecomer(known.now, joined)) is not None:
        raise TournamentError(BYE_USED)
    return joined


def open_byes(known: TournamentRecord) -> list[tuple[int, str]]:
    """The byes of the first round that a latecomer may take now: the match, and who has the bye."""
    if len(known.now.entrants) >= known.now.plan.max_players:
        return []
    stay = held(known)
    return [
        (game.number, next(player for player in game.players if player))
        for game in first_byes(known.now)
        if game.number not in stay
    ]


def late_entries(known: TournamentRecord, rounds: int) -> Changed:
    """Players may enter a Swiss tournament until so many rounds are over, 0: no more; FormatError."""
    lowest, highest = RANGES["late"]
    if not lowest <= rounds <= highest:
        raise out_of_range("late", rounds)
    return Changed(changed(known.now.plan, late=rounds), known.now.plan)


def extension(known: TournamentRecord, minutes: int, time: int) -> Extended:
    """The rounds in progress, or a running arena, last longer; FormatError, TournamentError."""
    if not MIN_EXTENSION_MINUTES <= minutes <= MAX_EXTENSION_MINUTES:
        raise FormatError(
            "minutes: %(minutes)s; allowed: %(lowest)s to %(highest)s",
            minutes=minutes,
            lowest=MIN_EXTENSION_MINUTES,
            highest=MAX_EXTENSION_MINUTES,
        )
    if known.now.plan.form.continuous and known.now.stage is TournamentStage.OPEN:
        raise TournamentError("the tournament has not begun yet")  # its time is counted from its start
    return Extended(end_of_round(known, time) + minutes * MINUTE)


def to_real_board(known: TournamentRecord, number: int) -> Reported:
    """An open match is played at a real board, so that nobody loses it for not coming here; TournamentError."""
    game = next((one for one in games(known.now) if one.number == number and one.playable), None)
    if game is None:
        raise TournamentError("this match is not open; allowed: matches that wait for their players")
    if number in known.now.reports or only_at_board(known.now, game):
        raise TournamentError("this match is played at a real board already")
    require_not_begun(known, number)
    return Reported(number, game.players[0] or "", "")


def report_of(known: TournamentRecord, said: Reported) -> Reported:
    """A player's report; TournamentError if the match has begun here, or cannot have ended so."""
    require_not_begun(known, said.game)
    require_score_within(known.now, said)
    return said


def played_here(known: TournamentRecord, by: Guest, number: int, time: int) -> Reported:
    """A player's match is not played at a real board after all; TournamentError if it is too late to come to the board here."""
    if any(bout.game == number and not bout.settled and bout.due_at <= time for bout in known.bouts):
        raise TournamentError("the time to come to the board here is over; the director can extend it")
    return Reported(number, by.id, "", withdrawn=True)


def require_not_begun(known: TournamentRecord, number: int) -> None:
    """TournamentError if a match has begun here."""
    if _begun(known, (number,)) is not None:
        raise TournamentError("this match has begun here; play it, or resign it")
