"""Tournaments as values: the state is a fold over the events.

A tournament knows pairings and results only, no dice and no board. Players are the ids of persons, or of bots of this
server. The event log is the source of truth, as in a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from barpoint.server.domain import bracket, round_robin, swiss
from barpoint.server.domain.bracket import NOBODY, Bracket, Part
from barpoint.server.domain.swiss import BYE, StandingsLine, SwissResult
from barpoint.server.domain.tournament_events import (
    Decided,
    Extended,
    Form,
    How,
    Joined,
    Left,
    Paired,
    Plan,
    Started,
    TournamentCancelled,
    TournamentError,
    TournamentEvent,
    TournamentStage,
)


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match of a tournament between two players.

    players: their ids, BYE for an empty place, None if not decided yet. part, left: as in a bracket; left counts the
    rounds that follow. winner: None while it is open, or if both lost it.
    """

    number: int
    part: Part
    round: int
    left: int
    players: tuple[str | None, str | None]
    winner: str | None = None
    how: How | None = None

    @property
    def playable(self) -> bool:
        """Whether it waits for two known players to play it."""
        return self.how is None and self.free is False and None not in self.players

    @property
    def free(self) -> bool:
        """Whether one of its places is empty, so that it is not played."""
        return BYE in self.players

    @property
    def decided(self) -> bool:
        """Whether it is decided who advances."""
        return self.how is not None or (self.free and None not in self.players)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: the fold of its events.

    seq: their number. entrants: in the order in which they joined. order: by seed, from the start on. away: players who
    left after the start. removed: those of them whom the director removed. rounds: in total, if it is played in rounds.
    pairings: of its rounds so far. until: no round ends before it, ms since 1970. results: by match number.
    """

    plan: Plan
    seq: int = 0
    stage: TournamentStage = TournamentStage.OPEN
    entrants: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    away: frozenset[str] = frozenset()
    rounds: int = 0
    pairings: tuple[tuple[tuple[str, str], ...], ...] = ()
    until: int = 0
    results: Mapping[int, Decided] = field(default_factory=dict)
    reason: str = ""
    bots: Mapping[str, str] = field(default_factory=dict)

    @property
    def bracket(self) -> Bracket:
        """Its bracket, if it is a knock-out that has begun."""
        players = len(self.order)
        return bracket.double(players) if self.plan.form is Form.DOUBLE else bracket.single(players)

    @property
    def late(self) -> bool:
        """Whether players may still enter after the start; they play from the next round on."""
        swiss = self.plan.form is Form.SWISS and self.stage is TournamentStage.RUNNING
        return swiss and len(self.pairings) <= min(self.plan.late, self.rounds - 1)

    def apply(self, event: TournamentEvent) -> Tournament:
        """The tournament after an event; TournamentError if the event is not allowed."""
        after = replace(_after(self, event), seq=self.seq + 1)
        ended = after.stage is TournamentStage.RUNNING and _is_over(after)
        return replace(after, stage=TournamentStage.OVER) if ended else after


def replay(plan: Plan, events: Iterable[TournamentEvent]) -> Tournament:
    """The tournament after a log whose events were checked when they were written: in one go, not match by match."""
    now, log, results = Tournament(plan), tuple(events), dict[int, Decided]()
    for event in log:
        if isinstance(event, Decided):
            results[event.game] = event
        elif isinstance(event, Paired):
            now = replace(now, pairings=(*now.pairings, event.pairs))
        else:
            now = _after(now, event)
    now = replace(now, seq=len(log), results=results)
    ended = now.stage is TournamentStage.RUNNING and _is_over(now)
    return replace(now, stage=TournamentStage.OVER) if ended else now


def _after(now: Tournament, event: TournamentEvent) -> Tournament:
    match event:
        case Joined(player, name):
            joined = _join(now, player)
            return replace(joined, bots={**now.bots, player: name}) if name else joined
        case Left(player):
            return _leave(now, player)
        case Started(order, rounds):
            _require(now, TournamentStage.OPEN)
            if sorted(order) != sorted(now.entrants) or len(order) < 2:
                raise TournamentError("%(count)s players; two or more that have entered are needed", count=len(order))
            return replace(now, stage=TournamentStage.RUNNING, order=order, rounds=rounds)
        case Paired(pairs):
            return _pair(now, pairs)
        case Extended(until):
            return _extend(now, until)
        case Decided(number, winner):
            return _decide(now, number, winner, event)
        case TournamentCancelled(reason):
            _require(now, TournamentStage.OPEN, TournamentStage.RUNNING)
            return replace(now, stage=TournamentStage.CANCELLED, reason=reason)


def _require(now: Tournament, *stages: TournamentStage) -> None:
    words = {
        TournamentStage.OPEN: "has not begun yet",
        TournamentStage.RUNNING: "has begun",
        TournamentStage.OVER: "is over",
        TournamentStage.CANCELLED: "was cancelled",
    }
    if now.stage not in stages:
        raise TournamentError("the tournament %(words)s", words=words[now.stage])


def _join(now: Tournament, player: str) -> Tournament:
    if not now.late:
        _require(now, TournamentStage.OPEN)
    if player in now.entrants:
        raise TournamentError("you have entered already")
    if len(now.entrants) >= now.plan.max_players:
        raise TournamentError("all %(max_players)s places are taken", max_players=now.plan.max_players)
    order = (*now.order, player) if now.late else ()
    return replace(now, entrants=(*now.entrants, player), order=order)


def _leave(now: Tournament, player: str) -> Tournament:
    _require(now, TournamentStage.OPEN, TournamentStage.RUNNING)
    if player not in now.entrants or player in now.away:
        raise TournamentError("nobody of that name plays in it")
    if now.stage is TournamentStage.OPEN:
        return replace(now, entrants=tuple(other for other in now.entrants if other != player))
    return replace(now, away=now.away | {player})


def _pair(now: Tournament, pairs: tuple[tuple[str, str], ...]) -> Tournament:
    _require(now, TournamentStage.RUNNING)
    form, playing = now.plan.form, [player for both in pairs for player in both if player != BYE]
    if not form.in_rounds or not (form is Form.LEAGUE or all(game.decided for game in games(now))):
        raise TournamentError("the round before is not over")
    if sorted(playing) != sorted(set(now.order) - now.away if form is Form.SWISS else now.order):
        raise TournamentError("everybody who is there plays in a round, and nobody twice")
    return replace(now, pairings=(*now.pairings, pairs))


def _extend(now: Tournament, until: int) -> Tournament:
    _require(now, TournamentStage.OPEN, TournamentStage.RUNNING)
    if not now.plan.round_ms:
        raise TournamentError("the rounds of this tournament have no end")
    if until <= now.until:
        raise TournamentError("rounds are not made shorter")
    return replace(now, until=until)


def _decide(now: Tournament, number: int, winner: str | None, event: Decided) -> Tournament:
    _require(now, TournamentStage.RUNNING)
    game = next((game for game in games(now) if game.number == number), None)
    if game is None or not game.playable or winner not in (None, *game.players):
        raise TournamentError("this game cannot be decided so: it waits for nobody, or has been decided")
    return replace(now, results={**now.results, number: event})


def games(now: Tournament) -> tuple[TournamentMatch, ...]:
    """All matches so far; in a knock-out also all future ones."""
    if not now.order:
        return ()
    return _round_games(now) if now.plan.form.in_rounds else _bracket_games(now)


def _round_games(now: Tournament) -> tuple[TournamentMatch, ...]:
    found: list[TournamentMatch] = []
    for number, pairs in enumerate(now.pairings, 1):
        for both in pairs:
            done = now.results.get(len(found))
            winner = both[0] if both[1] == BYE else done.winner if done else None
            how = done.how if done else None
            found.append(TournamentMatch(len(found), Part.MAIN, number, now.rounds - number, both, winner, how))
    return tuple(found)


def _bracket_games(now: Tournament) -> tuple[TournamentMatch, ...]:
    tree = now.bracket
    seated = bracket.places(tree, _numbers(now))
    found = []
    for node, both in zip(tree.nodes, seated, strict=True):
        first, second = (None if one is None else BYE if one == NOBODY else now.order[one] for one in both)
        done = now.results.get(node.number)
        free = first or second if BYE in (first, second) else None
        winner = done.winner if done else (free or None)
        how = done.how if done else None
        found.append(TournamentMatch(node.number, node.part, node.round, node.left, (first, second), winner, how))
    return tuple(found)


def _numbers(now: Tournament) -> dict[int, int | None]:
    """The results of a knock-out, with players as seed numbers."""
    seed = {player: number for number, player in enumerate(now.order)}
    return {number: None if done.winner is None else seed[done.winner] for number, done in now.results.items()}


def _is_over(now: Tournament) -> bool:
    if not all(game.decided for game in games(now)):
        return False
    if not now.plan.form.in_rounds:
        return True
    return len(now.pairings) >= now.rounds or len(set(now.order) - now.away) < 2


def follows(now: Tournament) -> TournamentEvent | None:
    """The next automatic event: it decides a match of a player who left, or pairs the next round. None: nothing."""
    if now.stage is not TournamentStage.RUNNING:
        return None
    found = games(now)
    for game in found:
        if game.playable and now.away & set(game.players):
            there = [player for player in game.players if player not in now.away]
            return Decided(game.number, there[0] if there else None, How.AWAY)
    form, paired = now.plan.form, len(now.pairings)
    if form is Form.LEAGUE and paired < now.rounds:
        return Paired(round_robin.pair(now.order, paired + 1))
    if not form.in_rounds or not all(game.decided for game in found):
        return None
    if form is Form.ROBIN:
        return Paired(round_robin.pair(now.order, paired + 1))
    if form is Form.SWISS:
        return Paired(swiss.pair([player for player in now.order if player not in now.away], meetings(now)))
    return None


def meetings(now: Tournament) -> tuple[SwissResult, ...]:
    """The matches of a tournament in rounds as its standings count them."""
    return tuple(
        SwissResult(game.round, game.players[0] or BYE, game.players[1] or BYE, game.winner)
        for game in games(now)
        if game.decided
    )


def rounds_for(form: Form, players: int, wanted: int) -> int:
    """Rounds of a tournament: of a Swiss one those wanted, or enough to determine a winner; at most a round robin."""
    if not form.in_rounds:
        return 0
    enough = max(1, (players - 1).bit_length())
    return min(wanted or enough, round_robin.rounds(players)) if form is Form.SWISS else round_robin.rounds(players)


def length_of(now: Tournament, game: TournamentMatch) -> int:
    """The length of a match in points."""
    lengths = now.plan.lengths
    return lengths[max(0, len(lengths) - 1 - game.left)]


def standings(now: Tournament) -> tuple[StandingsLine, ...]:
    """The standings, best first. In a knock-out only the rank and the matches won are meaningful."""
    if now.plan.form.in_rounds:
        ranked = swiss.standings if now.plan.form is Form.SWISS else round_robin.standings
        return ranked(now.order, meetings(now))
    won = Counter(done.winner for done in now.results.values())
    lines: list[StandingsLine] = []
    for group in bracket.ranking(now.bracket, _numbers(now)) if now.order else ():
        lines += [StandingsLine(now.order[one], len(lines) + 1, won[now.order[one]], 0, 0, 0) for one in group]
    return tuple(lines)


def prizes(pot: int, shares: Iterable[int], groups: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """What each player gets of all fees, in whole tickets that sum to them exactly.

    shares: percent for each rank. groups: players who share ranks, best first; they share their prizes too. What no
    rank takes, and what cannot be divided, goes to the first group.
    """
    left = list(shares)
    found: dict[str, int] = {}
    best: tuple[str, ...] = ()
    for group in groups:
        best = best or group
        percent, left = sum(left[: len(group)]), left[len(group) :]
        found |= dict.fromkeys(group, pot * percent // (100 * len(group)))
    each, more = divmod(pot - sum(found.values()), max(1, len(best)))
    for index, player in enumerate(best):
        found[player] += each + (index < more)
    return {player: amount for player, amount in found.items() if amount}


def winners(now: Tournament) -> tuple[tuple[str, ...], ...]:
    """Players eligible for prizes, grouped by rank: everybody who has not left."""
    groups: dict[int, list[str]] = {}
    for line in standings(now):
        if line.player not in now.away:
            groups.setdefault(line.rank, []).append(line.player)
    return tuple(tuple(group) for group in groups.values())
