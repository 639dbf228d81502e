"""Matches of a tournament at real boards, as its page shows them: those that the director decides, and a player's own that are never played here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from barpoint.server.domain.tournament_events import is_walk_in
from barpoint.server.domain.tournament_matches import TournamentMatch, only_at_board
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage.tournaments import TournamentRecord


@dataclass(frozen=True, slots=True)
class Dispute:
    """A match at a real board that waits for the director: both players report to have won, or one plays without an account.

    players: id and name. by, said: who of the two has reported alone that who won; "" if both have reported.
    """

    game: int
    players: tuple[tuple[str, str], tuple[str, str]]
    by: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """One's own match that is played at a real board only.

    walk_in: the other has no account, so that the director confirms the result. said, theirs: the winner that one has reported,
    and that the other has, "" before.
    """

    game: int
    other: str
    name: str
    walk_in: bool
    said: str
    theirs: str


def differ(said: Mapping[str, str]) -> bool:
    """Whether two players have reported different winners."""
    return len(set(said.values()) - {""}) == 2


def disputes(known: TournamentRecord, found: tuple[TournamentMatch, ...]) -> tuple[Dispute, ...]:
    """The matches on whose winner the players differ, and those of walk-ins whose winner the other player has reported."""
    listed = []
    for game in found:
        said = known.now.reports.get(game.number, {})
        reported = next(((by, winner) for by, winner in said.items() if winner), None)
        if not game.playable or reported is None or not (differ(said) or game.has_walk_in):
            continue
        first, second = ((player, name_of(known, player)) for player in game.players if player)
        by, winner = (name_of(known, player) for player in reported) if game.has_walk_in else ("", "")
        listed.append(Dispute(game.number, (first, second), by, winner))
    return tuple(listed)


def board_matches(known: TournamentRecord, found: tuple[TournamentMatch, ...], own: str) -> tuple[BoardMatch, ...]:
    """The open matches of a player that are played at real boards only."""
    listed = []
    for game in found:
        if not (game.playable and own and own in game.players and only_at_board(known.now, game)):
            continue
        other = next(player for player in game.players if player and player != own)
        said = known.now.reports.get(game.number, {})
        walk_in, called = is_walk_in(other), name_of(known, other)
        listed.append(BoardMatch(game.number, other, called, walk_in, said.get(own, ""), said.get(other, "")))
    return tuple(listed)
