"""Matches of a tournament at real boards, as its page shows them: those that the director decides, and a player's own that are never played here."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.server.domain.tournament_events import Reported, is_walk_in
from barpoint.server.domain.tournament_matches import TournamentMatch, only_at_board, reports_differ
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.server.web.tournament_boxes import score_text


@dataclass(frozen=True, slots=True)
class Dispute:
    """A match at a real board that waits for the director: its players report different results, or one plays without an account.

    players: id and name. reports: who of them has reported that who won, by name, and with which score, "" for none. confirmed: by the director,
    since the other has no account.
    """

    game: int
    players: tuple[tuple[str, str], tuple[str, str]]
    reports: tuple[tuple[str, str, str], ...]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """One's own match that is played at a real board only.

    walk_in: the other has no account, so that the director confirms the result. said, theirs: what one has reported, and what the other has.
    """

    game: int
    other: str
    name: str
    walk_in: bool
    said: Reported | None
    theirs: Reported | None


def disputes(known: TournamentRecord, found: tuple[TournamentMatch, ...]) -> tuple[Dispute, ...]:
    """The matches on whose result the players differ, and those of walk-ins whose result the other player has reported."""
    listed = []
    for game in found:
        said = known.now.reports.get(game.number, {})
        reports = tuple(
            (name_of(known, one.player), name_of(known, one.winner), score_text(one.score))
            for one in said.values()
            if one.winner
        )
        if not game.playable or not reports or not (reports_differ(said) or game.has_walk_in):
            continue
        first, second = ((player, name_of(known, player)) for player in game.players if player)
        listed.append(Dispute(game.number, (first, second), reports, game.has_walk_in))
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
        listed.append(BoardMatch(game.number, other, called, walk_in, said.get(own), said.get(other)))
    return tuple(listed)
