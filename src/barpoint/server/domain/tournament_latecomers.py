"""Players who come too late for the first round of a knock-out, and take one of its byes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from barpoint.language import N_
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import Form, Joined, TournamentError, TournamentStage
from barpoint.server.domain.tournament_matches import State, TournamentMatch, TournamentState, games, require_stage

FORMS: Final = (Form.KNOCKOUT, Form.DOUBLE)
"""Forms with a first round whose byes latecomers may take."""


def first_byes(now: TournamentState) -> tuple[TournamentMatch, ...]:
    """The matches of the first round of a running knock-out in which somebody has no opponent."""
    if now.plan.form not in FORMS or now.stage is not TournamentStage.RUNNING:
        return ()
    first = (game for game in games(now) if game.part is Part.MAIN and game.round == 1)
    return tuple(game for game in first if game.players.count(BYE) == 1)


def take_bye(now: State, event: Joined) -> State:
    """With a latecomer in a bye of the first round; TournamentError if that is not allowed."""
    require_stage(now, TournamentStage.RUNNING)
    if event.player in now.entrants:
        raise TournamentError("you have entered already")
    if len(now.entrants) >= now.plan.max_players:
        raise TournamentError("all %(max_players)s places are taken", max_players=now.plan.max_players)
    if event.game not in {game.number for game in first_byes(now)}:
        raise TournamentError("this match has no bye; allowed: the byes of the first round of a knock-out")
    moved = moved_by_latecomer(now, event)
    if any(game.number in moved and (game.how or game.number in now.reports) for game in games(now)):
        raise TournamentError(BYE_USED)
    return bye_taken(now, event)


BYE_USED: Final = N_(
    "the next match of who has this bye has a result or is being played; allowed: byes whose next match has not begun"
)


def bye_taken(now: State, event: Joined) -> State:
    """With a latecomer in a bye of the first round, which is not checked."""
    node = next(node for node in now.bracket.nodes if node.number == event.game)
    players = _players(now)
    seed = next(source.number for source in node.sources if source.number not in players)
    return replace(now, entrants=(*now.entrants, event.player), latecomers={**now.latecomers, seed: event.player})


def _players(now: TournamentState) -> Mapping[int, str]:
    return {seed: player for seed, player in enumerate(now.seeds) if player != BYE}


def moved_by_latecomer(now: TournamentState, event: Joined) -> frozenset[int]:
    """The matches whose players a latecomer changes, among them that of the bye."""
    after = {game.number: game.players for game in games(bye_taken(now, event))}
    return frozenset(game.number for game in games(now) if game.players != after[game.number])
