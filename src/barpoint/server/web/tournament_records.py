"""What a director keeps of a tournament: its log, and its standings as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.csv_text import csv_text
from barpoint.language import N_, _, listed, ngettext, time
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import (
    Advanced,
    ByeAsked,
    ByeGiven,
    Changed,
    Closed,
    Decided,
    Extended,
    Form,
    HelperNamed,
    Joined,
    Left,
    Paired,
    PairedAgain,
    Plan,
    Renamed,
    Reported,
    Started,
    TakenBack,
    TournamentCancelled,
    TournamentEvent,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import TournamentMatch, games, group_tables, players_in_bracket
from barpoint.server.domain.tournaments import Tournament, announced, steps
from barpoint.server.live.tournament_step import name_of, points_of
from barpoint.server.services import service_of
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord
from barpoint.server.web.downloads import CSV, attachment
from barpoint.server.web.rendering import render
from barpoint.server.web.tournament_view import scene
from barpoint.server.web.tournament_words import how_decided

REASONS: Final = {"too few players": N_("too few players")}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event of a tournament in words. at: ms since 1970. by: who did it; "" for the server or the player themself.

    text: of the page, in HTML where it is `Markup`.
    """

    at: int
    when: str
    text: str
    by: str


async def log_page(request: Request) -> Response:
    """Everything that has happened in a tournament, the latest first."""
    services, tournament_id = service_of(request), request.path_params["tournament_id"]
    known = await services.tournaments.known(tournament_id)
    written = await services.store.read(tournament_storage.log_of, tournament_id)
    entries = await asyncio.to_thread(log_entries, known, written)
    return render(request, "tournament_log.html", id=known.id, plan=known.now.plan, entries=entries)


def log_entries(known: TournamentRecord, written: tournament_storage.TournamentLog) -> list[LogEntry]:
    """The log in words, the latest first."""
    entries, pairs = list[LogEntry](), list[tuple[str, str]]()
    known = replace(known, names={**written.people, **known.names})
    log = [event for event, _actor, _at in written.events]
    open_again = {event.game for event in log if isinstance(event, TakenBack)}
    lasts = {
        bout.game: bout.last for bout in known.bouts if bout.game not in open_again
    }  # how such a match ended first is not kept
    told = zip(written.events, steps(announced(known.now.plan, log), log), strict=True)
    for (_event, actor, at), (event, after) in told:
        if isinstance(event, Paired):
            pairs += event.pairs
        elif isinstance(event, PairedAgain):
            pairs = list(after.pairs)
        own = isinstance(event, Joined | Left | ByeAsked | Reported) and event.player == actor
        by = "" if actor is None or own else written.name_of(actor)
        entries.append(LogEntry(at, time(at), described(known, after, event, pairs, lasts), by))
    return entries[::-1]


def described(
    known: TournamentRecord,
    after: Tournament,
    event: TournamentEvent,
    pairs: Sequence[tuple[str, str]],
    lasts: Mapping[int, str],
) -> str:
    """An event in words, as `LogEntry` holds them. after: the tournament after it. pairs: its own, which take long to collect.

    lasts: kind of the last event of matches played here, by number.
    """
    match event:
        case Joined(player, game=None):
            return _("%(name)s entered", name=name_of(known, player))
        case Joined(player):
            return _("%(name)s entered late, in a bye of the first round", name=name_of(known, player))
        case Renamed(_player, name, before):
            return _("%(before)s is now called %(name)s", before=before, name=name)
        case Left(player, removed):
            name = name_of(known, player)
            return _("%(name)s was removed", name=name) if removed else _("%(name)s left", name=name)
        case Started(order):
            return ngettext("It began with %(num)s player", "It began with %(num)s players", len(order))
        case Paired(pairs) if known.now.plan.form.continuous:
            return listed([_against(known, both) for both in pairs])
        case Closed():
            return _("The time is over")
        case Paired():
            return _("Round %(number)s was paired", number=len(after.pairings))
        case PairedAgain():
            return _("Round %(number)s is paired again", number=len(after.pairings) + 1)
        case ByeAsked(player, wanted):
            name = name_of(known, player)
            if wanted:
                return _("%(name)s asked for a bye in the next round", name=name)
            return _("%(name)s plays the next round after all", name=name)
        case ByeGiven(player, given):
            name = name_of(known, player)
            if given:
                return _("%(name)s was given a bye in the next round", name=name)
            return _("%(name)s was given no bye in the next round", name=name)
        case Reported(player=player, withdrawn=True):
            return _("%(name)s does not play at a real board after all", name=name_of(known, player))
        case Reported(_number, player, ""):
            return _("%(name)s plays at a real board", name=name_of(known, player))
        case Reported(_number, player, winner, score=score):
            who, won = name_of(known, player), name_of(known, winner)
            return _scored(_("%(name)s reported from a real board: %(winner)s won", name=who, winner=won), score)
        case Advanced(order):
            names = ", ".join(name_of(known, player) for player in order)
            return _("The knock-out began with %(names)s", names=names)
        case Extended(until):
            if known.now.plan.form.continuous:
                text = N_('The arena was extended until <time data-at="%(until)s">%(until_text)s UTC</time>')
            else:
                text = N_('The rounds were extended until <time data-at="%(until)s">%(until_text)s UTC</time>')
            return Markup(_(text, until=until, until_text=time(until)))  # nothing in it is from anybody
        case Decided():
            return _outcome(known, after, event, _players(after, event.game, pairs), lasts)
        case TakenBack(number):
            first, second = (name_of(known, player or "") for player in _players(after, number, pairs))
            return _("The result of %(first)s against %(second)s was taken back", first=first, second=second)
        case HelperNamed(player, named):
            name = name_of(known, player)
            if named:
                return _("%(name)s was named a helper", name=name)
            return _("%(name)s was removed as a helper", name=name)
        case Changed(plan) if after.stage is TournamentStage.RUNNING and plan.late:
            return _("Players may enter until round %(number)s is over", number=plan.late)
        case Changed() if after.stage is TournamentStage.RUNNING:
            return _("Nobody enters any more")
        case Changed():
            return _("The plan was changed")
        case TournamentCancelled(reason):
            said = _(REASONS[reason]) if reason in REASONS else reason
            return _("It was cancelled: %(reason)s", reason=said) if said else _("It was cancelled")


def _against(known: TournamentRecord, both: tuple[str, str]) -> str:
    first, second = (name_of(known, player) for player in both)
    return _("%(first)s against %(second)s", first=first, second=second)


def _players(after: Tournament, number: int, pairs: Sequence[tuple[str, str]]) -> tuple[str | None, str | None]:
    """The players of a match."""
    return pairs[number] if number < len(pairs) else players_in_bracket(after, number)


def _outcome(
    known: TournamentRecord,
    after: Tournament,
    event: Decided,
    players: tuple[str | None, str | None],
    lasts: Mapping[int, str],
) -> str:
    first, second = (name_of(known, player or "") for player in players)
    if event.winner is None:
        text = _("%(first)s and %(second)s both lost", first=first, second=second)
    else:
        winner, loser = (first, second) if event.winner == players[0] else (second, first)
        text = _("%(winner)s won against %(loser)s", winner=winner, loser=loser)
        text = _scored(text, event.score)
    if event.corrects:
        return _("The result was corrected: %(result)s", result=text)
    why = how_decided(event.how, after.reports.get(event.game, {}), lasts.get(event.game, ""))
    return f"{text} ({why})" if why else text


def _scored(text: str, score: tuple[int, int] | None) -> str:
    return text if score is None else ", ".join((text, _("%(first)s to %(second)s", first=score[0], second=score[1])))


async def standings_file(request: Request) -> Response:
    """The standings as a table of comma-separated values, with the names of the columns in English."""
    known = await service_of(request).tournaments.known(request.path_params["tournament_id"])
    return attachment(f"tournament-{known.id}.csv", CSV, standings_csv(known))


def standings_csv(known: TournamentRecord) -> str:
    """The standings: rank, player, points, tie-breaks, prize, whether they left; then each round: result and opponent.

    With groups, points and tie-breaks are of the groups. In a bracket `won` counts matches; who still has matches to play there has no
    rank. An arena has matches won and played, and no rounds. Once a score has been entered, each round has one too.
    """
    shown, plan = scene(known, None), known.now.plan
    scored = any(done.score for done in known.now.results.values())
    bouts = {bout.game: bout for bout in known.bouts} if scored else {}  # of several attempts the last
    rounds = _rounds(known)
    names = [f"{name}{kind}_{number}" for kind, number in rounds for name in _columns_of(kind)[: 2 + scored]]
    columns = ["rank", "player", *_tie_breaks(plan), "prize", "left", *names]
    rows: list[list[object]] = []
    of_group = {
        line.player: (number, line) for number, table in enumerate(group_tables(known.now), 1) for line in table
    }
    for row in shown.rows:
        group, line = of_group.get(row.line.player, ("", row.line))
        values: Mapping[str, object] = {
            "points": line.points, "won": line.won if plan.form.continuous else line.points, "played": line.played, "median": f"{line.median:g}",
            "buchholz": f"{line.buchholz:g}", "beaten": line.beaten, "group": group,
        }  # fmt: skip
        kept = [values[name] for name in _tie_breaks(plan)]
        results = [
            value
            for games in rounds.values()
            for value in _result(known, bouts, games.get(line.player), line.player)[: 2 + scored]
        ]
        rows.append([row.rank or "", row.name, *kept, row.prize, int(row.away), *results])
    return csv_text(columns, rows)


def _tie_breaks(plan: Plan) -> tuple[str, ...]:
    if plan.form is Form.GROUPS:
        return ("group", "points", "beaten")
    if plan.form.continuous:
        return ("points", "won", "played")
    if not plan.form.in_rounds:
        return ("won",)
    return ("points", "median", "buchholz") if plan.form is Form.SWISS else ("points", "beaten")


BRACKETS: Final = {Part.MAIN: "main", Part.SECOND: "second", Part.FINAL: "final"}
"""What the rounds of a double elimination are called in a file."""


def _rounds(known: TournamentRecord) -> dict[tuple[str, int], dict[str, TournamentMatch]]:
    """The matches of each round by player, in the order of the columns; a round by its kind, "" for the usual, and its number."""
    form, found = known.now.plan.form, dict[tuple[str, int], dict[str, TournamentMatch]]()
    for game in () if form.continuous else games(known.now):
        kind = BRACKETS[game.part] if form is Form.DOUBLE else ""
        if form.single and game.part is Part.SECOND:
            kind = "consolation"
        elif form is Form.GROUPS and not game.group:
            kind = "knockout"
        playing = found.setdefault((kind, game.round), {})
        playing |= {player: game for player in game.players if player not in (None, BYE)}
    return found


def _columns_of(kind: str) -> tuple[str, str, str]:
    """What the columns of a round are called, before its kind and number."""
    return ("", "opponent_", "score_") if kind else ("round", "opponent", "score")


def _result(
    known: TournamentRecord, bouts: Mapping[int, MatchProgress], game: TournamentMatch | None, player: str
) -> tuple[str, str, str]:
    """1 for a win, 0 for a loss, "bye 1" or "bye 0" by what a bye counts, "bye" in a bracket, empty while open; the opponent's name; the score."""
    if game is None:
        return "", "", ""
    other = next(one for one in game.players if one != player)
    if game.free:
        counted = known.now.plan.form is Form.SWISS and game.winner == player
        of_bracket = known.now.plan.form.eliminating and not game.group
        return ("" if not game.decided else "bye" if of_bracket else f"bye {int(counted)}"), "", ""
    result = str(int(game.winner == player)) if game.decided else ""
    points = points_of(known, game, bouts.get(game.number))
    ordered = (
        "" if points is None else ":".join(f"{one:g}" for one in points[:: 1 if game.players[0] == player else -1])
    )
    return result, name_of(known, other) if other else "", ordered


ROUTES: Final = (
    Route("/tournament/{tournament_id}/log", log_page),
    Route("/tournament/{tournament_id}/standings.csv", standings_file),
)
