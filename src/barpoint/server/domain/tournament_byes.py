"""Byes that players ask for, and that the director gives them."""

from __future__ import annotations

from dataclasses import replace

from barpoint.server.domain.tournament_events import Form, TournamentError
from barpoint.server.domain.tournament_matches import State, TournamentState, byes_left, pairs_again


def ask_bye(now: State, player: str, wanted: bool) -> State:
    """With a player who asks for a bye in the next round, or does not any more; TournamentError."""
    if not wanted:
        return replace(now, asking=now.asking - {player})
    _require_bye(now, player)
    return replace(now, asking=now.asking | {player})


def give_bye(now: State, player: str, given: bool) -> State:
    """With a player who has a bye in the next round, or has none; TournamentError."""
    if given:
        _require_bye(now, player)
    byes = now.byes | {player} if given else now.byes - {player}
    return replace(now, asking=now.asking - {player}, byes=byes)


def _require_bye(now: TournamentState, player: str) -> None:
    """Raises TournamentError unless a player may have a bye in the next round because they ask for it."""
    if now.plan.form is Form.LEAGUE:
        raise TournamentError("there are no byes to ask for in a league: the players choose when they play")
    if now.plan.form.continuous:
        raise TournamentError("there are no byes to ask for in an arena: who pauses is not paired")
    if not now.plan.form.has_byes or now.knockout:
        raise TournamentError("there are no byes to ask for in a knock-out: who does not play a match loses it")
    if player not in now.entrants or player in now.away:
        raise TournamentError("nobody of that name plays in it")
    if not byes_left(now, player):
        raise TournamentError(
            "no more byes for this player: %(byes)s is the most in this tournament", byes=now.plan.byes
        )
    if not pairs_again(now):
        raise TournamentError("no round is still to be paired")
