"""The matches of a tournament as boxes: the bracket in columns, and rounds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from barpoint.language import _, number
from barpoint.server.domain.bracket import Part
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import Form
from barpoint.server.domain.tournament_matches import (
    TournamentMatch,
    length_of,
    only_at_board,
    reported_score,
    reports_differ,
)
from barpoint.server.domain.tournaments import Tournament
from barpoint.server.live.tournament_step import is_bot, name_of, points_of
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord
from barpoint.server.web.tournament_words import CONSOLATION, PARTS, TITLES, label_of, outcome

LATEST: Final = 12
"""So many of the latest results of an arena are shown."""


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
    not decided. movable: the director may say that it is played at a real board.
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
    movable: bool


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
class Drawing:
    """Draws the matches of a tournament for one viewer.

    found: the matches. bouts: what is played of them, by their numbers. boards: the numbers of their boards. own: the viewer's id, "" for none.
    seen: the numbers of the matches that the viewer may look at.
    """

    known: TournamentRecord
    found: Sequence[TournamentMatch]
    bouts: Mapping[int, MatchProgress]
    boards: Mapping[int, int]
    own: str
    seen: Collection[int]

    def parts(self) -> tuple[tuple[str, tuple[Column, ...]], ...]:
        """The columns of a bracket, by part."""
        if not self.known.now.plan.form.eliminating:
            return ()
        drawn = [game for game in self.found if not game.group]
        plan = self.known.now.plan
        titles = PARTS if plan.form is Form.DOUBLE else CONSOLATION if plan.consolation else {}
        parts = []
        for part in Part:
            rounds = sorted({game.round for game in drawn if game.part is part})
            columns = []
            for turn in rounds:
                inside = [game for game in drawn if game.part is part and game.round == turn]
                after = sum(game.part is part and game.round == turn + 1 for game in drawn)
                columns.append(self._column(inside, after))
            if columns:
                parts.append((_(titles[part]) if part in titles else "", tuple(columns)))
        return tuple(parts)

    def turns(self) -> tuple[Column, ...]:
        """The rounds of a tournament in rounds, or of its groups, the latest first; of an arena what is being played, and the latest results."""
        form = self.known.now.plan.form
        if form.continuous:
            numbered = {game.number: game for game in self.found}
            latest = [numbered[number] for number in [*self.known.now.results][::-1][:LATEST]]
            listed = (
                (_("Being played"), [game for game in self.found if not game.decided]),
                (_("Latest results"), latest),
            )
            return tuple(self._column(inside, title=title) for title, inside in listed if inside)
        played = [game for game in self.found if game.group or not form.eliminating]
        return tuple(
            self._column([game for game in played if game.round == turn])
            for turn in sorted({game.round for game in played}, reverse=True)
        )

    def _column(self, inside: Sequence[TournamentMatch], after: int = 0, title: str = "") -> Column:
        free = [game for game in inside if game.free and (game.group or not self.known.now.plan.form.eliminating)]
        boxes = tuple(self._box(game) for game in inside if game not in free)
        byes = tuple(
            name_of(self.known, player) for game in free for player in game.players if player and player != BYE
        )
        return Column(
            title or self._title(inside[0]),
            length_of(self.known.now, inside[0]),
            boxes,
            byes,
            after < len(boxes),
            after == 0,
        )

    def _title(self, game: TournamentMatch) -> str:
        named = 2 if game.part is Part.SECOND else len(TITLES)  # two rounds of a consolation have as many matches
        if self.known.now.plan.form.single and not game.group and game.left < named:
            return _(TITLES[game.left])
        if game.part is Part.FINAL:
            return _("Final") if game.round == 1 else _("Final again, if needed")
        return _("Round %(number)s", number=game.round)

    def _box(self, game: TournamentMatch) -> Box:
        bout = self.bouts.get(game.number)
        sides = self._side(game, 0), self._side(game, 1)
        live = game.playable and bout is not None and bout.seq > 0
        if game.free:
            note = _("bye")
        elif game.playable:
            note = _open_note(self.known.now, game, bout)
        else:
            said = self.known.now.reports.get(game.number, {})
            note = outcome(game, bout.last if bout is not None else "", said)
        blank = game.decided and game.free and game.players.count(BYE) == 2
        names = [_("%(name)s (bot)", name=side.name) if side.bot else side.name for side in sides]
        parts = [_("%(first)s against %(second)s", first=names[0], second=names[1])]
        board = self.boards.get(game.number, 0) if game.playable else 0
        if board:
            parts.insert(0, _("board %(number)s", number=board))
        if points_of(self.known, game, bout):
            parts.append(_("%(first)s to %(second)s", first=sides[0].score, second=sides[1].score))
        text = ", ".join([*parts, note] if note else parts)
        match_id = bout.match_id if bout and game.number in self.seen else None
        movable = game.playable and not live and self.known.now.plan.boards and not self._at_board(game)
        return Box(game.number, sides, match_id, note, text, blank, live, game.free, game.playable, board, movable)

    def _at_board(self, game: TournamentMatch) -> bool:
        return game.number in self.known.now.reports or only_at_board(self.known.now, game)

    def _side(self, game: TournamentMatch, index: int) -> PairingSide:
        player, bout = game.players[index], self.bouts.get(game.number)
        name = "…" if player is None else "" if player == BYE else label_of(self.known, player)
        points = points_of(self.known, game, bout)
        score = number(points[index]) if points is not None and player else ""
        won = game.winner == player and bool(player) if game.decided else None
        return PairingSide(
            name,
            score,
            won,
            bool(self.own) and player == self.own,
            bool(player) and player != BYE and is_bot(self.known, player or ""),
        )


def score_text(score: tuple[float, float] | None) -> str:
    """A score as fields have it, with the points of the winner first; "" for none, and for one that nobody leads."""
    return f"{max(score):g} : {min(score):g}" if score is not None and score[0] != score[1] else ""


def offered_score(known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None, winner: str) -> str:
    """The score that the form for a result offers: what was entered for either winner; or what is shown, was reported or played here for this one."""
    entered = known.now.results.get(game.number)
    holds = entered is not None and (winner == game.winner or entered.score is not None)
    shown = points_of(known, game, bout) if holds else None
    won = bout is not None and bout.winner is not None and game.players[bout.winner] == winner
    played = bout.score if bout is not None and won else None
    return score_text(shown or reported_score(known.now.reports.get(game.number, {}), winner) or played)


def _open_note(now: Tournament, game: TournamentMatch, bout: MatchProgress | None) -> str:
    """What an open match waits for."""
    said = now.reports.get(game.number, {})
    if bout is not None and bout.adjourned:
        return _("adjourned")
    if bout is not None and bout.seq:
        return _("being played")
    if reports_differ(said):
        return _("the reports differ")
    return _("at a real board") if said or only_at_board(now, game) else _("waits for its players")
