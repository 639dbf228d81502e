"""Words of tournaments: rounds, and how their matches were decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from barpoint.language import N_, _
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.seat_names import level_name
from barpoint.server.domain.tournament_events import BOT, How, Reported
from barpoint.server.domain.tournament_matches import TournamentMatch, reports_differ
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage.tournaments import TournamentRecord

HOW: Final = {
    How.PLAYED: "",
    How.ABSENT: N_("did not come"),
    How.LEFT: N_("left the board"),
    How.AWAY: N_("has left"),
    How.DIRECTOR: N_("entered by the director"),
    How.TIME: N_("decided at the end of the round"),
    How.BOARD: N_("played at a real board"),
}
TITLES: Final = {0: N_("Final"), 1: N_("Semi-finals"), 2: N_("Quarter-finals")}
PARTS: Final = {Part.MAIN: N_("Unbeaten"), Part.SECOND: N_("Second life"), Part.FINAL: N_("Final")}
CONSOLATION: Final = {Part.MAIN: N_("Knock-out"), Part.SECOND: N_("Consolation")}
"""The titles of the parts of a bracket, with two lives and with a consolation."""
PLAYED_HERE: Final = {"timeout": N_("decided on time"), "claim": N_("left the board")}
"""What the last event of a match that was played here says about its end."""


def how_decided(how: How, reports: Mapping[str, Reported], last: str) -> str:
    """Why a match was decided, "" if it was played to its end. reports: what its players have reported.

    last: kind of the last event of the one played here.
    """
    if how is How.PLAYED and last in PLAYED_HERE:
        return _(PLAYED_HERE[last])
    if how is How.DIRECTOR and reports_differ(reports):
        return _("decided by the director")
    return _(HOW[how]) if HOW[how] else ""


def outcome(game: TournamentMatch, last: str, reports: Mapping[str, Reported]) -> str:
    """How a match was decided, "" if it was played to its end. last: kind of the last event of the one played here."""
    if game.corrected:
        return _("corrected by the director")
    if game.how is None:
        return ""
    return how_decided(game.how, reports, last)


def label_of(known: TournamentRecord, player: str) -> str:
    """A player's name; that of a bot of this server without its engine, for a mark says that it is one."""
    name = name_of(known, player)
    return level_name(name) if player.startswith(BOT) else name
