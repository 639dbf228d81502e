"""View models for the page of a tournament: what it shows to a viewer, and the standings."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.language import _
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.swiss import BYE, StandingsLine
from barpoint.server.domain.tournament_boards import board_numbers
from barpoint.server.domain.tournament_events import Form, TournamentStage
from barpoint.server.domain.tournament_matches import (
    TournamentMatch,
    byes_left,
    games,
    group_tables,
    pairs_again,
)
from barpoint.server.domain.tournament_standings import champions, prizes_of, standings
from barpoint.server.domain.tournaments import Tournament
from barpoint.server.live.tournament_step import is_bot, name_of
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord
from barpoint.server.web.tournament_boards import BoardMatch, Dispute, board_matches, disputes
from barpoint.server.web.tournament_boxes import Column, Drawing
from barpoint.server.web.tournament_words import label_of


@dataclass(frozen=True, slots=True)
class Cell:
    """A round in the standings. text: "+ 3" for a win over the third of the standings. match: to look at."""

    text: str
    said: str
    match: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the standings. rank: 0 before the start, and in a bracket while they have matches to play. page: the name in their profile's URL. prize: tickets.

    label: the name where a mark says that it is a bot's. away: they have left for good; pauses: they may come back.
    """

    rank: int
    name: str
    label: str
    page: str | None
    bot: bool
    line: StandingsLine
    cells: tuple[Cell, ...]
    away: bool
    pauses: bool
    own: bool
    prize: int


@dataclass(frozen=True, slots=True)
class TournamentScene:
    """A tournament for one viewer. parts: a title and columns each, of a bracket. turns: matches of rounds, latest first.

    rounds: the current round, and their number. groups: a title and the standings of each. bye: whether they may ask for
    a bye in the next round ("may"), have asked ("asked") or have one ("given"). disputes: matches at real boards that wait for the director. board_matches: the viewer's own that are never played here. champions: the names of who has won. call: the match that waits for them, with the other player. entered: they play, and may leave. directs, enters_results: what the viewer may do. to_play: their
    open matches in a league.
    """

    known: TournamentRecord
    parts: tuple[tuple[str, tuple[Column, ...]], ...]
    turns: tuple[Column, ...]
    rows: tuple[Row, ...]
    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    rounds: tuple[int, int]
    call: tuple[MatchProgress, str] | None
    entered: bool
    directs: bool
    enters_results: bool
    to_play: tuple[tuple[MatchProgress, str], ...] = ()
    bye: str = ""
    disputes: tuple[Dispute, ...] = ()
    board_matches: tuple[BoardMatch, ...] = ()
    champions: tuple[str, ...] = ()

    @property
    def calls_to_board(self) -> str | None:
        """The match to whose board the viewer is taken, unless they may want a real board for it."""
        return None if self.call is None or self.known.now.plan.boards else self.call[0].match_id


def scene(known: TournamentRecord, viewer: Guest | None) -> TournamentScene:
    """The tournament for this viewer."""
    own = viewer.id if viewer else ""
    found, bouts = games(known.now), {bout.game: bout for bout in known.bouts}
    shows = known.shows_matches_to(viewer)
    seen = {number: bout for number, bout in bouts.items() if shows or (own and own in bout.seats)}
    drawing = Drawing(known, found, bouts, board_numbers(known.now), own, seen)
    return TournamentScene(
        known,
        drawing.parts(),
        drawing.turns(),
        _standings(known, found, seen, own),
        tuple(
            (group_title(index), _rows(known, found, seen, own, table, True))
            for index, table in enumerate(group_tables(known.now), 1)
        ),
        (len(known.now.pairings), max(known.now.rounds, len(known.now.pairings))),
        _call(known, found, own),
        _plays_on(known, found, own),
        viewer is not None and known.directed_by(viewer),
        viewer is not None and known.results_entered_by(viewer),
        _waiting(known, found, own) if known.now.plan.form is Form.LEAGUE else (),
        _bye(known.now, own),
        disputes(known, found),
        board_matches(known, found, own),
        tuple(name_of(known, player) for player in champions(known.now)),
    )


def group_title(number: int) -> str:
    """ "Group A" for the first."""
    return _("Group %(letter)s", letter=chr(64 + number))


def _bye(now: Tournament, own: str) -> str:
    """What a player can do about a bye in the next round."""
    if not now.plan.form.has_byes or own not in now.entrants or own in now.away:
        return ""
    if own in now.byes:
        return "given"
    if own in now.asking:
        return "asked"
    return "may" if pairs_again(now) and byes_left(now, own) > 0 else ""


def _plays_on(known: TournamentRecord, found: tuple[TournamentMatch, ...], own: str) -> bool:
    """Whether somebody has entered and still has matches to play."""
    if own not in known.now.entrants or own in known.now.away:
        return False
    grouped = known.now.plan.form is Form.GROUPS and not known.now.knockout
    return (
        known.now.plan.form in (Form.SWISS, Form.ROBIN)
        or known.now.late
        or grouped
        or not found
        or any(own in game.players and not game.decided for game in found)
    )


def _call(known: TournamentRecord, found: tuple[TournamentMatch, ...], own: str) -> tuple[MatchProgress, str] | None:
    return None if known.now.plan.form is Form.LEAGUE else next(iter(_waiting(known, found, own)), None)


def _waiting(
    known: TournamentRecord, found: tuple[TournamentMatch, ...], own: str
) -> tuple[tuple[MatchProgress, str], ...]:
    """The matches that wait for a player, with the other player."""
    waiting = []
    for bout in known.bouts:
        if own and own in bout.seats and not bout.settled and not bout.over:
            players = next(game.players for game in found if game.number == bout.game)
            other = next((player for player in players if player != own), None)
            waiting.append((bout, name_of(known, other or "")))
    return tuple(waiting)


def _standings(
    known: TournamentRecord, found: tuple[TournamentMatch, ...], seen: dict[int, MatchProgress], own: str
) -> tuple[Row, ...]:
    """The standings; before the start the entrants in order."""
    now = known.now
    lines = standings(now) or tuple(StandingsLine(player, 0, 0, 0, 0, 0) for player in now.entrants)
    by_round = now.plan.form.in_rounds and not now.plan.form.eliminating
    return _rows(known, found, seen, own, lines, by_round)


def _rows(
    known: TournamentRecord,
    found: tuple[TournamentMatch, ...],
    seen: dict[int, MatchProgress],
    own: str,
    lines: tuple[StandingsLine, ...],
    by_round: bool,
) -> tuple[Row, ...]:
    """Lines of the standings, or of those of a group, as rows."""
    now = known.now
    played = tuple(game for game in found if game.group or not now.plan.form.eliminating)
    place = {line.player: number for number, line in enumerate(lines, 1)}
    paid = prizes_of(now)
    bracketed = now.plan.form.eliminating and not by_round and now.stage is TournamentStage.RUNNING
    waiting = {player for game in found if not game.decided for player in game.players} if now.seeds else set(place)
    rows = []
    for line in lines:
        person = known.names.get(line.player)
        cells = _cells(known, played, seen, line.player, place) if by_round else ()
        rows.append(
            Row(
                0 if bracketed and line.player in waiting else line.rank,
                name_of(known, line.player),
                label_of(known, line.player),
                person.name if person is not None and person.registered else None,
                is_bot(known, line.player),
                line,
                cells,
                line.player in now.gone,
                line.player in now.away - now.gone,
                line.player == own,
                paid.get(line.player, 0),
            )
        )
    return tuple(rows)


def _cells(
    known: TournamentRecord,
    found: tuple[TournamentMatch, ...],
    seen: dict[int, MatchProgress],
    player: str,
    place: dict[str, int],
) -> tuple[Cell, ...]:
    cells = []
    for turn in range(1, len(known.now.pairings) + 1):
        game = next((game for game in found if game.round == turn and player in game.players), None)
        if game is None:
            cells.append(Cell("–", _("no match"), None))
            continue
        other = next(one for one in game.players if one != player) or BYE
        if other == BYE:
            won = known.now.plan.form is Form.SWISS and game.winner == player
            cells.append(Cell(_("bye"), _("bye, counts as won") if won else _("bye, counts nothing"), None))
            continue
        bout = seen.get(game.number)
        called = label_of(known, other)
        if is_bot(known, other):
            called = _("%(name)s (bot)", name=called)
        if not game.decided:
            sign, said = "·", _("against %(name)s", name=called)
        elif game.winner == player:
            sign, said = "+", _("won against %(name)s", name=called)
        else:
            sign, said = "−", _("lost to %(name)s", name=called)
        cells.append(Cell(f"{sign}{place[other]}", said, bout.match_id if bout else None))
    return tuple(cells)
