"""View models for the page of a tournament: the bracket as columns of boxes, and the standings."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.language import _, number
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.swiss import BYE, StandingsLine
from barpoint.server.domain.tournament_boards import board_numbers
from barpoint.server.domain.tournament_events import Form, How, TournamentStage
from barpoint.server.domain.tournament_matches import (
    TournamentMatch,
    byes_left,
    games,
    group_tables,
    length_of,
    pairs_again,
)
from barpoint.server.domain.tournament_standings import prizes_of, standings
from barpoint.server.domain.tournaments import Tournament
from barpoint.server.live.tournament_step import is_bot, name_of
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord
from barpoint.server.web.tournament_boards import Dispute, WalkInMatch, against_walk_ins, differ, disputes
from barpoint.server.web.tournament_words import CONSOLATION, PARTS, TITLES, label_of, outcome


@dataclass(frozen=True, slots=True)
class PairingSide:
    """A player in a box. name: "" for nobody, "…" while unknown. won: None while it is open. bot: a program."""

    name: str
    score: str
    won: bool | None
    own: bool
    bot: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A match of the bracket. match: its id, if there is one to look at. said: the same as text for screen readers.

    board: the number of the board at which it is played while it is open, 0 for none. blank: nobody comes, so that nothing is drawn. live: in progress. free: a bye. open: both players are known, and it is
    not decided.
    """

    number: int
    sides: tuple[PairingSide, PairingSide]
    match: str | None
    note: str
    said: str
    blank: bool
    live: bool
    free: bool
    open: bool
    board: int


@dataclass(frozen=True, slots=True)
class Column:
    """A round. length: of its matches, in points. byes: who has one, outside a bracket.

    merging: two boxes lead to one of the next column, instead of one to one. last: nothing follows.
    """

    title: str
    length: int
    boxes: tuple[Box, ...]
    byes: tuple[str, ...]
    merging: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A round in the standings. text: "+ 3" for a win over the third of the standings. match: to look at."""

    text: str
    said: str
    match: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the standings. rank: 0 before the start, and in a bracket while they have matches to play. page: the name in their profile's URL. prize: tickets.

    label: the name where a mark says that it is a bot's.
    """

    rank: int
    name: str
    label: str
    page: str | None
    bot: bool
    line: StandingsLine
    cells: tuple[Cell, ...]
    away: bool
    own: bool
    prize: int


@dataclass(frozen=True, slots=True)
class TournamentScene:
    """A tournament for one viewer. parts: a title and columns each, of a bracket. turns: matches of rounds, latest first.

    rounds: the current round, and their number. groups: a title and the standings of each. bye: whether they may ask for
    a bye in the next round ("may"), have asked ("asked") or have one ("given"). disputes: matches at real boards that wait for the director. walk_ins: the viewer's own matches against walk-ins. call: the match that waits for them, with the other player. entered: they play, and may leave. to_play: their
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
    to_play: tuple[tuple[MatchProgress, str], ...] = ()
    bye: str = ""
    disputes: tuple[Dispute, ...] = ()
    walk_ins: tuple[WalkInMatch, ...] = ()

    @property
    def calls_to_board(self) -> str | None:
        """The match to whose board the viewer is taken, unless they may want a real board for it."""
        return None if self.call is None or self.known.now.plan.boards else self.call[0].match_id


def scene(known: TournamentRecord, viewer: Guest | None) -> TournamentScene:
    """The tournament for this viewer."""
    own = viewer.id if viewer else ""
    bouts = {bout.game: bout for bout in known.bouts}
    found, boards = games(known.now), board_numbers(known.now)
    return TournamentScene(
        known,
        _parts(known, found, bouts, boards, own),
        _turns(known, found, bouts, boards, own),
        _standings(known, found, bouts, own),
        tuple(
            (group_title(index), _rows(known, found, bouts, own, table, True))
            for index, table in enumerate(group_tables(known.now), 1)
        ),
        (len(known.now.pairings), max(known.now.rounds, len(known.now.pairings))),
        _call(known, found, own),
        _plays_on(known, found, own),
        viewer is not None and known.directed_by(viewer),
        _waiting(known, found, own) if known.now.plan.form is Form.LEAGUE else (),
        _bye(known.now, own),
        disputes(known, found),
        against_walk_ins(known, found, own),
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


def _parts(
    known: TournamentRecord,
    found: tuple[TournamentMatch, ...],
    bouts: dict[int, MatchProgress],
    boards: dict[int, int],
    own: str,
) -> tuple[tuple[str, tuple[Column, ...]], ...]:
    """The columns of a bracket, by part."""
    if not known.now.plan.form.eliminating:
        return ()
    drawn = [game for game in found if not game.group]
    plan = known.now.plan
    titles = PARTS if plan.form is Form.DOUBLE else CONSOLATION if plan.consolation else {}
    parts = []
    for part in Part:
        rounds = sorted({game.round for game in drawn if game.part is part})
        columns = []
        for turn in rounds:
            inside = [game for game in drawn if game.part is part and game.round == turn]
            after = sum(game.part is part and game.round == turn + 1 for game in drawn)
            columns.append(_column(known, inside, bouts, boards, own, after))
        if columns:
            parts.append((_(titles[part]) if part in titles else "", tuple(columns)))
    return tuple(parts)


def _turns(
    known: TournamentRecord,
    found: tuple[TournamentMatch, ...],
    bouts: dict[int, MatchProgress],
    boards: dict[int, int],
    own: str,
) -> tuple[Column, ...]:
    """The rounds of a tournament in rounds, or of its groups, the latest first."""
    form = known.now.plan.form
    played = [game for game in found if game.group or not form.eliminating]
    return tuple(
        _column(known, [game for game in played if game.round == turn], bouts, boards, own, 0)
        for turn in sorted({game.round for game in played}, reverse=True)
    )


def _column(
    known: TournamentRecord,
    inside: list[TournamentMatch],
    bouts: dict[int, MatchProgress],
    boards: dict[int, int],
    own: str,
    after: int,
) -> Column:
    free = [game for game in inside if game.free and (game.group or not known.now.plan.form.eliminating)]
    boxes = tuple(
        _box(known, game, bouts.get(game.number), boards.get(game.number, 0), own)
        for game in inside
        if game not in free
    )
    byes = tuple(name_of(known, player) for game in free for player in game.players if player and player != BYE)
    return Column(
        _title(known, inside[0]), length_of(known.now, inside[0]), boxes, byes, after < len(boxes), after == 0
    )


def _title(known: TournamentRecord, game: TournamentMatch) -> str:
    named = 2 if game.part is Part.SECOND else len(TITLES)  # two rounds of a consolation have as many matches
    if known.now.plan.form.single and not game.group and game.left < named:
        return _(TITLES[game.left])
    if game.part is Part.FINAL:
        return _("Final") if game.round == 1 else _("Final again, if needed")
    return _("Round %(number)s", number=game.round)


def _box(known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None, board: int, own: str) -> Box:
    sides = _side(known, game, bout, 0, own), _side(known, game, bout, 1, own)
    live = game.playable and bout is not None and bout.seq > 0
    if game.free:
        note = _("bye")
    elif game.playable:
        note = _open_note(known.now, game, bout)
    else:
        note = outcome(game, bout.last if bout is not None else "")
    blank = game.decided and game.free and game.players.count(BYE) == 2
    names = [_("%(name)s (bot)", name=side.name) if side.bot else side.name for side in sides]
    parts = [_("%(first)s against %(second)s", first=names[0], second=names[1])]
    board = board if game.playable else 0
    if board:
        parts.insert(0, _("board %(number)s", number=board))
    if _scored(game, bout):
        parts.append(_("%(first)s to %(second)s", first=sides[0].score, second=sides[1].score))
    said = ", ".join([*parts, note] if note else parts)
    match_id = bout.match_id if bout else None
    return Box(game.number, sides, match_id, note, said, blank, live, game.free, game.playable, board)


def _open_note(now: Tournament, game: TournamentMatch, bout: MatchProgress | None) -> str:
    """What an open match waits for."""
    said = now.reports.get(game.number, {})
    if bout is not None and bout.adjourned:
        return _("adjourned")
    if bout is not None and bout.seq:
        return _("being played")
    if differ(said):
        return _("the reports differ")
    return _("at a real board") if said or game.has_walk_in else _("waits for its players")


def _scored(game: TournamentMatch, bout: MatchProgress | None) -> bool:
    """Whether a match has a score here: not if it was decided without being played here."""
    return bout is not None and bout.seq > 0 and game.how in (None, How.PLAYED, How.TIME)


def _side(
    known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None, index: int, own: str
) -> PairingSide:
    player = game.players[index]
    name = "…" if player is None else "" if player == BYE else label_of(known, player)
    score = number(bout.score[index]) if bout is not None and _scored(game, bout) and player else ""
    won = game.winner == player and bool(player) if game.decided else None
    return PairingSide(
        name, score, won, bool(own) and player == own, bool(player) and player != BYE and is_bot(known, player or "")
    )


def _standings(
    known: TournamentRecord, found: tuple[TournamentMatch, ...], bouts: dict[int, MatchProgress], own: str
) -> tuple[Row, ...]:
    """The standings; before the start the entrants in order."""
    now = known.now
    lines = standings(now) or tuple(StandingsLine(player, 0, 0, 0, 0, 0) for player in now.entrants)
    by_round = now.plan.form.in_rounds and not now.plan.form.eliminating
    return _rows(known, found, bouts, own, lines, by_round)


def _rows(
    known: TournamentRecord,
    found: tuple[TournamentMatch, ...],
    bouts: dict[int, MatchProgress],
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
        cells = _cells(known, played, bouts, line.player, place) if by_round else ()
        rows.append(
            Row(
                0 if bracketed and line.player in waiting else line.rank,
                name_of(known, line.player),
                label_of(known, line.player),
                person.name if person is not None and person.registered else None,
                is_bot(known, line.player),
                line,
                cells,
                line.player in now.away,
                line.player == own,
                paid.get(line.player, 0),
            )
        )
    return tuple(rows)


def _cells(
    known: TournamentRecord,
    found: tuple[TournamentMatch, ...],
    bouts: dict[int, MatchProgress],
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
        bout = bouts.get(game.number)
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
