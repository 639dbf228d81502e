"""View models for the page of a tournament: the bracket as columns of boxes, and the standings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.game import in_digits
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.swiss import BYE, StandingsLine
from barpoint.server.domain.tournament_events import Form, How, TournamentStage
from barpoint.server.domain.tournaments import TournamentMatch, games, length_of, prizes, standings, winners
from barpoint.server.live.tournament_step import is_bot, name_of
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord

HOW: Final = {
    How.PLAYED: "",
    How.ABSENT: "did not come",
    How.LEFT: "left the board",
    How.AWAY: "has left",
    How.DIRECTOR: "decided by the director",
    How.TIME: "decided at the end of the round",
}
TITLES: Final = {0: "Final", 1: "Semi-finals", 2: "Quarter-finals"}
PARTS: Final = {Part.MAIN: "Unbeaten", Part.SECOND: "Second life", Part.FINAL: "Final"}


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

    blank: nobody comes, so that nothing is drawn. live: in progress.
    """

    number: int
    sides: tuple[PairingSide, PairingSide]
    match: str | None
    note: str
    said: str
    blank: bool
    live: bool
    length: int


@dataclass(frozen=True, slots=True)
class Column:
    """A round. merging: two boxes lead to one of the next column, instead of one to one. last: nothing follows."""

    title: str
    boxes: tuple[Box, ...]
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
    """A player in the standings. rank: 0 before the start. page: the name in their profile's URL. prize: tickets."""

    rank: int
    name: str
    page: str | None
    bot: bool
    line: StandingsLine
    cells: tuple[Cell, ...]
    away: bool
    own: bool
    prize: int


@dataclass(frozen=True, slots=True)
class TournamentScene:
    """A tournament for one viewer. parts: a title and columns each. rounds: the current round, and their number.

    call: the match that waits for them, with the other player. entered: they play, and may leave.
    """

    known: TournamentRecord
    parts: tuple[tuple[str, tuple[Column, ...]], ...]
    rows: tuple[Row, ...]
    rounds: tuple[int, int]
    call: tuple[MatchProgress, str] | None
    entered: bool
    directs: bool


def scene(known: TournamentRecord, viewer: Guest | None) -> TournamentScene:
    """The tournament for this viewer."""
    own = viewer.id if viewer else ""
    bouts = {bout.game: bout for bout in known.bouts}
    found = games(known.now)
    return TournamentScene(
        known,
        _parts(known, found, bouts, own),
        _rows(known, found, bouts, own),
        (len(known.now.pairings), known.now.rounds),
        _call(known, found, own),
        _plays_on(known, found, own),
        viewer is not None and (viewer.id == known.by.id or viewer.administrator),
    )


def _plays_on(known: TournamentRecord, found: tuple[TournamentMatch, ...], own: str) -> bool:
    """Whether somebody has entered and still has matches to play."""
    if own not in known.now.entrants or own in known.now.away:
        return False
    swiss = known.now.plan.form is Form.SWISS
    return swiss or not found or any(own in game.players and not game.decided for game in found)


def _call(known: TournamentRecord, found: tuple[TournamentMatch, ...], own: str) -> tuple[MatchProgress, str] | None:
    for bout in known.bouts:
        if own and own in bout.seats and not bout.settled and not bout.over:
            players = next(game.players for game in found if game.number == bout.game)
            other = next((player for player in players if player != own), None)
            return bout, name_of(known, other or "")
    return None


def _parts(
    known: TournamentRecord, found: tuple[TournamentMatch, ...], bouts: dict[int, MatchProgress], own: str
) -> tuple[tuple[str, tuple[Column, ...]], ...]:
    """The columns of a bracket, by part; for a Swiss tournament its rounds, the latest first."""
    if known.now.plan.form is Form.SWISS:
        numbers = sorted({game.round for game in found}, reverse=True)
        return tuple(
            ("", (_column(known, [game for game in found if game.round == number], bouts, own, 0),))
            for number in numbers
        )
    parts = []
    for part in Part:
        rounds = sorted({game.round for game in found if game.part is part})
        columns = []
        for number in rounds:
            inside = [game for game in found if game.part is part and game.round == number]
            after = sum(game.part is part and game.round == number + 1 for game in found)
            columns.append(_column(known, inside, bouts, own, after))
        if columns:
            parts.append((PARTS[part] if known.now.plan.form is Form.DOUBLE else "", tuple(columns)))
    return tuple(parts)


def _column(
    known: TournamentRecord, inside: list[TournamentMatch], bouts: dict[int, MatchProgress], own: str, after: int
) -> Column:
    boxes = tuple(_box(known, game, bouts.get(game.number), own) for game in inside)
    return Column(_title(known, inside[0]), boxes, after < len(boxes), after == 0)


def _title(known: TournamentRecord, game: TournamentMatch) -> str:
    if known.now.plan.form is Form.KNOCKOUT:
        return TITLES.get(game.left, f"Round {game.round}")
    if game.part is Part.FINAL:
        return "Final" if game.round == 1 else "Final again, if needed"
    return f"Round {game.round}"


def _box(known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None, own: str) -> Box:
    sides = _side(known, game, bout, 0, own), _side(known, game, bout, 1, own)
    live = game.playable and bout is not None and bout.seq > 0
    if game.free:
        note = "bye"
    elif game.playable:
        note = "adjourned" if bout and bout.adjourned else "being played" if live else "waits for its players"
    else:
        note = HOW[game.how] if game.how else ""
    blank = game.decided and game.free and game.players.count(BYE) == 2
    names = [f"{side.name} (bot)" if side.bot else side.name for side in sides]
    score = "" if bout is None or not bout.seq else f", {sides[0].score} to {sides[1].score}"
    said = f"{names[0]} against {names[1]}{score}{f', {note}' if note else ''}"
    length = length_of(known.now, game)
    return Box(game.number, sides, bout.match_id if bout else None, note, said, blank, live, length)


def _side(
    known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None, index: int, own: str
) -> PairingSide:
    player = game.players[index]
    name = "…" if player is None else "" if player == BYE else name_of(known, player)
    score = f"{in_digits(bout.score[index])}" if bout is not None and bout.seq and player else ""
    won = game.winner == player and bool(player) if game.decided else None
    return PairingSide(
        name, score, won, bool(own) and player == own, bool(player) and player != BYE and is_bot(known, player or "")
    )


def _rows(
    known: TournamentRecord, found: tuple[TournamentMatch, ...], bouts: dict[int, MatchProgress], own: str
) -> tuple[Row, ...]:
    """The standings; before the start the entrants in order."""
    now = known.now
    lines = standings(now) or tuple(StandingsLine(player, 0, 0, 0, 0, 0) for player in now.entrants)
    place = {line.player: number for number, line in enumerate(lines, 1)}
    paid: dict[str, int] = {}
    if now.stage is TournamentStage.OVER and now.plan.fee:
        paid = prizes(now.plan.fee * len(now.entrants), now.plan.prizes, winners(now))
    rows = []
    for line in lines:
        person = known.names.get(line.player)
        cells = _cells(known, found, bouts, line.player, place) if now.plan.form is Form.SWISS else ()
        rows.append(
            Row(
                line.rank,
                name_of(known, line.player),
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
    for number in range(1, len(known.now.pairings) + 1):
        game = next((game for game in found if game.round == number and player in game.players), None)
        if game is None:
            cells.append(Cell("–", "not there", None))
            continue
        other = next(one for one in game.players if one != player) or BYE
        if other == BYE:
            cells.append(Cell("bye", "bye, counts as won", None))
            continue
        bout = bouts.get(game.number)
        sign, word = (
            ("·", "against")
            if not game.decided
            else ("+", "won against")
            if game.winner == player
            else ("−", "lost to")
        )
        called = name_of(known, other) + (" (bot)" if is_bot(known, other) else "")
        cells.append(Cell(f"{sign}{place[other]}", f"{word} {called}", bout.match_id if bout else None))
    return tuple(cells)
