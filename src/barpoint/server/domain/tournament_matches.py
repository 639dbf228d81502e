"""The state of a tournament, and what follows from it: its matches, their players and its standings.

A tournament knows pairings and results only, no dice and no board. Players are the ids of persons, of bots of this
server, or of walk-ins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final, TypeVar

from barpoint.language import N_
from barpoint.server.domain import arena, bracket, groups, round_robin
from barpoint.server.domain.bracket import NOBODY, Bracket, Part
from barpoint.server.domain.swiss import BYE, StandingsLine, SwissResult
from barpoint.server.domain.tournament_events import (
    Decided,
    Form,
    How,
    Paired,
    Plan,
    Reported,
    TournamentError,
    TournamentStage,
    is_walk_in,
)

_STAGES: Final = {
    TournamentStage.OPEN: N_("the tournament has not begun yet"),
    TournamentStage.RUNNING: N_("the tournament has begun"),
    TournamentStage.OVER: N_("the tournament is over"),
    TournamentStage.CANCELLED: N_("the tournament was cancelled"),
}


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match of a tournament between two players.

    players: their ids, BYE for an empty place, None if not decided yet. part, left: as in a bracket; left counts the
    rounds that follow. winner: None while it is open, or if both lost it. group: from 1, if it is played in a group.
    corrected: the director has replaced its result.
    """

    number: int
    part: Part
    round: int
    left: int
    players: tuple[str | None, str | None]
    winner: str | None = None
    how: How | None = None
    group: int = 0
    corrected: bool = False

    @property
    def playable(self) -> bool:
        """Whether it waits for two known players to play it."""
        return self.how is None and self.free is False and None not in self.players

    @property
    def has_walk_in(self) -> bool:
        """Whether a walk-in plays it, so that it is played at a real board and the director enters its result."""
        return any(is_walk_in(player) for player in self.players)

    @property
    def free(self) -> bool:
        """Whether one of its places is empty, so that it is not played."""
        return BYE in self.players

    @property
    def decided(self) -> bool:
        """Whether it is decided who advances."""
        return self.how is not None or (self.free and None not in self.players)


@dataclass(frozen=True, slots=True)
class TournamentState:
    """What the events of a tournament have led to.

    seq: their number. entrants: in the order in which they joined. order: by seed, from the start on. away: players who
    left after the start. removed: those of them whom the director removed. rounds: in total, if it is played in rounds.
    pairings: of its rounds so far. planned: how many rounds it was to have when each of them was paired. until: no round ends before it, and an arena pairs until then, ms since 1970. closed: that time is over. results: by match
    number, in the order in which they were decided.
    reports: by match, what each of its players has said last of it at a real board.
    given_names: of bots and walk-ins, also of those who have left. knockout: the players of the knock-out after the
    groups, by seed. asking, byes: who asks for a bye in the next round, and who has one. latecomers: who took a bye of the
    first round of a knock-out, by the seed whose place was empty, in the order in which they came. helpers: who may enter results besides the director.
    """

    plan: Plan
    seq: int = 0
    stage: TournamentStage = TournamentStage.OPEN
    entrants: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    away: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    rounds: int = 0
    pairings: tuple[Paired, ...] = ()
    planned: tuple[int, ...] = ()
    until: int = 0
    closed: bool = False
    results: Mapping[int, Decided] = field(default_factory=dict)
    reason: str = ""
    given_names: Mapping[str, str] = field(default_factory=dict)
    knockout: tuple[str, ...] = ()
    asking: frozenset[str] = frozenset()
    byes: frozenset[str] = frozenset()
    reports: Mapping[int, Mapping[str, Reported]] = field(default_factory=dict)
    latecomers: Mapping[int, str] = field(default_factory=dict)
    helpers: tuple[str, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who has been paired, by the number of the match."""
        return tuple(both for pairing in self.pairings for both in pairing.pairs)

    @property
    def seeds(self) -> tuple[str, ...]:
        """The players of its bracket, by seed; BYE for a place that is empty before one that a latecomer has taken."""
        if self.plan.form is Form.GROUPS:
            return self.knockout
        places = range(len(self.order), max(self.latecomers, default=-1) + 1)
        return (*self.order, *(self.latecomers.get(seed, BYE) for seed in places))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Its groups, if it has begun with groups."""
        grouped = self.plan.form is Form.GROUPS and self.order
        return groups.drawn(self.order, self.plan.groups, self.plan.advance) if grouped else ()

    @property
    def bracket(self) -> Bracket:
        """Its bracket, if it is a knock-out that has begun."""
        seeds = self.seeds
        if self.plan.form is Form.DOUBLE:
            drawn = bracket.double(len(seeds))
        else:
            drawn = bracket.single(len(seeds), consolation=self.plan.consolation > 0)
        return replace(drawn, empty=frozenset(seed for seed, player in enumerate(seeds) if player == BYE))

    @property
    def late(self) -> bool:
        """Whether players may still enter after the start; they play from the next round on, in an arena at once."""
        if self.plan.form.continuous:
            return self.stage is TournamentStage.RUNNING and not self.closed
        if self.plan.form is not Form.SWISS or self.stage is not TournamentStage.RUNNING:
            return False
        there = len(set(self.order) - self.away)
        return len(self.pairings) <= min(self.plan.late, max(self.rounds, swiss_rounds(self.plan, there + 1)) - 1)

    @property
    def gone(self) -> frozenset[str]:
        """Players who do not play any more and get no prize; who pauses in an arena is none of them."""
        return self.removed if self.plan.form.continuous else self.away

    def may_return(self, player: str) -> bool:
        """Whether somebody who has left may come back."""
        return self.late and player in self.away - self.gone


def swiss_rounds(plan: Plan, players: int) -> int:
    """Rounds of a Swiss tournament of so many: those wanted, or enough to determine a winner; at most a round robin."""
    return min(plan.rounds or max(1, (players - 1).bit_length()), round_robin.rounds(players))


State = TypeVar("State", bound=TournamentState)
"""A state, and what is made of it."""


def games(now: TournamentState) -> tuple[TournamentMatch, ...]:
    """All matches so far; in a knock-out also all future ones. They are numbered from 0, groups before the knock-out."""
    form = now.plan.form
    played = _round_games(now) if form.in_rounds or form.continuous else ()
    return (*played, *_bracket_games(now)) if form.eliminating and now.seeds else played


def _round_games(now: TournamentState) -> tuple[TournamentMatch, ...]:
    group = {player: number for number, inside in enumerate(now.groups, 1) for player in inside}
    found: list[TournamentMatch] = []
    for number, (pairing, planned) in enumerate(zip(now.pairings, now.planned, strict=True), 1):
        for both in pairing.pairs:
            done = now.results.get(len(found))
            winner = done.winner if done else None
            if both[1] == BYE and (now.plan.bye_won or both[0] not in pairing.excused):
                winner = both[0]
            how, left = done.how if done else None, max(0, planned - number)
            place, corrected = group.get(both[0], 0), done is not None and done.corrects
            found.append(TournamentMatch(len(found), Part.MAIN, number, left, both, winner, how, place, corrected))
    return tuple(found)


def _bracket_games(now: TournamentState) -> tuple[TournamentMatch, ...]:
    tree, before, seeds = now.bracket, before_bracket(now), now.seeds
    seated = bracket.places(tree, bracket_results(now))
    found = []
    for node, both in zip(tree.nodes, seated, strict=True):
        first, second = _named_by_seed(seeds, both)
        done = now.results.get(before + node.number)
        free = first or second if BYE in (first, second) else None
        winner = done.winner if done else (free or None)
        how, number, corrected = done.how if done else None, before + node.number, done is not None and done.corrects
        players = first, second
        found.append(TournamentMatch(number, node.part, node.round, node.left, players, winner, how, 0, corrected))
    return tuple(found)


def players_in_bracket(now: TournamentState, number: int) -> tuple[str | None, str | None]:
    """The players of a match of the bracket, as `games` has them, without making the other matches."""
    return _named_by_seed(now.seeds, bracket.places_of(now.bracket, bracket_results(now), number - before_bracket(now)))


def _named_by_seed(seeds: tuple[str, ...], both: bracket.BothPlaces) -> tuple[str | None, str | None]:
    first, second = (None if one is None else BYE if one == NOBODY else seeds[one] for one in both)
    return first, second


def require_stage(now: TournamentState, *stages: TournamentStage) -> None:
    """TournamentError unless the tournament is at one of these stages."""
    if now.stage not in stages:
        raise TournamentError(_STAGES[now.stage])


def reports_differ(said: Mapping[str, Reported]) -> bool:
    """Whether two players have reported different winners, or different scores."""
    winners, scores = {one.winner for one in said.values()} - {""}, {one.score for one in said.values()} - {None}
    return len(winners) == 2 or len(scores) == 2


def reported_score(said: Mapping[str, Reported], winner: str | None = None) -> tuple[int, int] | None:
    """The only score that was reported; None for none or two. winner: of reports that name them."""
    scores = {one.score for one in said.values() if one.score and winner in (None, one.winner)}
    return scores.pop() if len(scores) == 1 else None


def only_at_board(now: TournamentState, game: TournamentMatch) -> bool:
    """Whether a match is played at a real board and never here."""
    return now.plan.boards_only or game.has_walk_in


def met_elsewhere(now: TournamentState, game: TournamentMatch) -> frozenset[int]:
    """The other matches that are decided between the players of one."""
    same = {one.number for one in games(now) if one.how is not None and set(one.players) == set(game.players)}
    return frozenset(same - {game.number})


def before_bracket(now: TournamentState) -> int:
    """How many matches are numbered before those of the bracket."""
    return len(now.pairs)


def first_of_last_round(now: TournamentState) -> int:
    """The number of the first match of the round that was paired last."""
    return before_bracket(now) - len(now.pairings[-1].pairs)


def bracket_results(now: TournamentState) -> dict[int, int | None]:
    """The results of a knock-out by match of its bracket, with players as seed numbers."""
    seed, before = {player: number for number, player in enumerate(now.seeds)}, before_bracket(now)
    return {
        number - before: None if done.winner is None else seed[done.winner]
        for number, done in now.results.items()
        if number >= before
    }


def is_over(now: TournamentState) -> bool:
    """Whether nothing is left to be played."""
    if now.plan.form.continuous:
        return now.closed and len(now.results) == len(now.pairs)
    if not all(game.decided for game in games(now)):
        return False
    if not now.plan.form.in_rounds or len(set(now.order) - now.away) < 2:
        return True
    return all_paired(now) and (now.plan.form is not Form.GROUPS or bool(now.knockout))


def meetings(now: TournamentState) -> tuple[SwissResult, ...]:
    """The matches of a tournament in rounds as its standings count them; with groups, those of the groups."""
    return tuple(
        SwissResult(game.round, game.players[0] or BYE, game.players[1] or BYE, game.winner)
        for game in _round_games(now)
        if game.decided
    )


def free_players(now: TournamentState) -> tuple[str, ...]:
    """The players of an arena who wait to be paired."""
    busy = {player for number, both in enumerate(now.pairs) if number not in now.results for player in both}
    return tuple(player for player in now.order if player not in now.away and player not in busy)


def arena_meetings(now: TournamentState) -> tuple[arena.ArenaResult, ...]:
    """The decided matches of an arena, in the order in which they were decided."""
    pairs = now.pairs
    return tuple((*pairs[number], done.winner) for number, done in now.results.items())


def group_tables(now: TournamentState) -> tuple[tuple[StandingsLine, ...], ...]:
    """The standings of each group."""
    return groups.tables(now.groups, meetings(now))


def length_of(now: TournamentState, game: TournamentMatch) -> int:
    """The length of a match in points."""
    lengths = now.plan.lengths
    if game.group:
        return lengths[0]
    if game.part is Part.SECOND and now.plan.consolation:
        return now.plan.consolation
    return lengths[max(0, len(lengths) - 1 - game.left)]


def byes_left(now: TournamentState, player: str) -> int:
    """How many byes a player can still ask for."""
    return now.plan.byes - sum(player in pairing.excused for pairing in now.pairings)


def pairs_again(now: TournamentState) -> bool:
    """Whether a round is still to be paired."""
    more = now.stage is TournamentStage.RUNNING and len(now.pairings) < now.rounds
    return more or now.stage is TournamentStage.OPEN


def groups_over(now: TournamentState) -> bool:
    """Whether all matches of the groups are decided."""
    return all_paired(now) and all(game.decided for game in _round_games(now))


def put_off(now: TournamentState) -> tuple[tuple[str, str], ...]:
    """The pairs of a round robin or of groups that have not met, once all regular rounds are paired."""
    if now.plan.form not in (Form.ROBIN, Form.GROUPS) or len(now.pairings) < now.rounds:
        return ()
    met = {frozenset(both) for both in now.pairs}
    return tuple(
        both for inside in now.groups or (now.order,) for both in combinations(inside, 2) if frozenset(both) not in met
    )


def all_paired(now: TournamentState) -> bool:
    """Whether every round is paired, with what was put off."""
    return len(now.pairings) >= now.rounds and not put_off(now)
