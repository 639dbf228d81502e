"""Writes match text (.mat) that Jellyfish, GNU Backgammon and eXtreme Gammon read (rulings 7.4, docs/formats.md).

Comment lines such as "; 12 left: RollOver(own 62)" hold what the format cannot express, so that other programs still
read the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from barpoint.game import (
    Accept,
    Beaver,
    Correct,
    Double,
    Event,
    Game,
    Next,
    Object,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Resign,
    Roll,
    Rollover,
    Settle,
    Take,
    Timeout,
    in_digits,
)
from barpoint.game.event import position_of
from barpoint.match import Match
from barpoint.moves import play_to
from barpoint.record.book import Book
from barpoint.rules import FirstRoll

LEVELS: Final = ("single", "gammon", "backgammon")
UNKNOWN: Final = "????"
TAKES: Final = " Takes"
"""A cell that needs blanks after it where it is alone in its row: without them GNU Backgammon reads a double of the other player too."""

_LEFT_WIDTH = 28
_NAME_WIDTH = 33


def format_mat(book: Book) -> str:
    """The text of a match; every line ends with a newline."""
    match = book.match
    lines = [f'; [{key} "{_one_line(value)}"]' for key, value in _facts(book).items()]
    lines += ["", f" {match.length} point match"]
    score: tuple[float, float] = match.terms.first_score
    for number, game in enumerate(_games(match), start=1):
        lines += ["", f" Game {number}", _names_line(book.players, score), *game.lines(match, number)]
        if number <= len(match.finished):
            score = match.finished[number - 1].score
    return "\n".join([*lines, ""])


def _facts(book: Book) -> dict[str, str]:
    terms = book.match.terms
    facts = dict(book.facts) | {"Player 1": book.players[0], "Player 2": book.players[1]}
    facts |= {"Variation": book.match.rules.name, "Crawford": "On" if terms.crawford else "Off"}
    if terms.money:
        facts |= {"Jacoby": "On" if terms.jacoby else "Off"}
        facts |= {"Beaver": "On" if terms.beavers else "Off"}  # what eXtreme Gammon reads
        facts |= {"Beavers": str(terms.beavers), "AutoDoubles": str(terms.automatic_doubles)}
    if not terms.cube:
        facts["Cube"] = "Off"
    if terms.manual:
        facts["Manual"] = "On"
    if terms.transcript:
        facts["Transcript"] = "On"
    if any(terms.first_score):
        facts["FirstScore"] = "{}-{}".format(*terms.first_score)
    if terms.begins(0) is not None:  # for people; the log in the file is what is read
        facts["BeginsAt"] = book.begins_at
    return facts


def _one_line(text: str) -> str:
    """The text of a fact: as it is, with blanks for tabs and line breaks. A fact ends with the last quote of its line."""
    return " ".join(text.replace("\t", " ").splitlines())


def line_name(name: str) -> str:
    """A player's name beside the score, where a colon would end it; the facts hold the whole name."""
    return " ".join(name.replace(":", " ").split()) or "-"


def _names_line(players: tuple[str, str], score: tuple[float, float]) -> str:
    left, right = (f"{line_name(name)} : {in_digits(points)}" for name, points in zip(players, score, strict=True))
    return f" {left}".ljust(_NAME_WIDTH) + (" " if len(left) >= _NAME_WIDTH - 1 else "") + right


@dataclass
class _Row:
    cells: list[str | None] = field(default_factory=lambda: [None, None])
    notes: list[str] = field(default_factory=list)


class _Sheet:
    """The rows of one game, filled event by event."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows: list[_Row] = []
        self.openings: list[str] = []
        self.ending: list[str] = []
        self.plays = 0  # of the last roll

    def write(self, event: Event) -> None:
        """Adds one event."""
        if self.game.over and not isinstance(event, Settle):  # the end of a session, which the game does not record
            return
        before, self.game = self.game, self.game.replay(event)
        match event:
            case Opening(faces):
                self._opening(faces)
            case Roll():
                self.plays = 0
            case PlayMade() | Correct():
                self.plays += 1
                self._cell(event.player, _play_text(before, event))
            case Rollover(player, _) if before.last_roll is not None:
                own = "own" if before.last_roll.player == player else "opp"
                faces_text = "".join(map(str, before.last_roll.faces))
                self._note(before.last_roll.player, f"RollOver({own} {faces_text})", self.plays)
            case Object() if before.last_roll is not None:
                self._note(before.last_roll.player, "Objected", self.plays)
            case Double(player):
                self._cell(player, f" Doubles => {before.cube.value * 2}")
            case Take(player):
                self._cell(player, TAKES)
            case Pass(player):
                self._cell(player, " Drops")
            case Beaver(player) | Raccoon(player):
                self._cell(player, f" {type(event).__name__}s => {before.cube.offered * 2}")
            case Accept() if before.resume is Phase.TO_PLAY and before.last_roll is not None:
                self._cell(before.player, f"{''.join(map(str, before.faces))}: {UNKNOWN}")
            case Resign(_, level):
                self.ending = [f"; Resigns ({LEVELS[level - 1]})"]
            case Timeout(player):
                self.ending = [f"; {('Left', 'Right')[player]} runs out of time"]
            case _:
                pass

    def _opening(self, faces: tuple[int, int]) -> None:
        """Writes only what the first roll does not show: ties, and dice that are not played."""
        tie = faces[0] == faces[1]
        if tie or self.game.rules.opening.first_roll is not FirstRoll.OPENING_ROLL:
            self.openings.append(f"; Opening {faces[0]}-{faces[1]}")

    def _cell(self, player: int, text: str) -> None:
        self._row(player).cells[player] = text

    def _row(self, player: int) -> _Row:
        last = self.rows[-1] if self.rows else None
        if last is None or last.cells[player] is not None or (player == 0 and last.cells[1] is not None):
            self.rows.append(_Row())
        return self.rows[-1]

    def _note(self, player: int, text: str, plays: int) -> None:
        """Writes a comment on the cell that the player fills next; plays that are taken back leave their cells."""
        self.plays = 0
        for row in reversed(self.rows):
            if plays and row.cells[player] is not None:
                row.cells[player] = None
                plays -= 1
        row = self._row(player)
        row.notes.append(f"{('left', 'right')[player]}: {text}")

    def lines(self, match: Match, number: int) -> list[str]:
        """The text of the game, below the names."""
        result = self.game.result
        if self.game.faces:
            faces = "".join(map(str, self.game.faces))
            self._cell(self.game.player, f"{faces}: {UNKNOWN}")
        lines = list(self.openings)
        for index, row in enumerate(self.rows, start=1):
            lines += [f"; {index} {note}" for note in row.notes]
            left, right = (cell or "" for cell in row.cells)
            line = f"{index:3}) {left:<{_LEFT_WIDTH}}{'' if len(left) < _LEFT_WIDTH else ' '}{right}"
            lines.append(line if left == TAKES and not right else line.rstrip())
        if result is None:
            return lines
        lines += self.ending if result.how in ("resign", "timeout") else []
        if result.winner is not None:
            last = match.winner is not None and number == len(match.finished)
            wins = f" Wins {in_digits(result.points)} point{'' if result.points == 1 else 's'}{' and the match' if last else ''}"
            if result.how == "pass" and result.winner == 1:  # beside the pass, where other programs expect it
                lines[-1] = f"{lines[-1]:<{5 + _LEFT_WIDTH}}{wins}"
            else:
                lines.append(" " * (5 if result.winner == 0 else 5 + _LEFT_WIDTH) + wins)
        return lines


def _play_text(before: Game, event: PlayMade | Correct) -> str:
    """ "53: 8/3 6/3", with the split of a twelve-sided roll: "9=5+4: 15/10 8/4".

    Plays with the same result are spelled the same here, in whatever order the moves were made.
    """
    faces = "".join(map(str, before.faces))
    if event.position is None or (isinstance(event, PlayMade) and event.illegal):
        return f"{faces}: " + " ".join(f"{source}/{target}" for source, target, _ in event.moves)
    result = position_of(event.position)
    play = play_to(before.rules, before.position, before.faces, result, event.again)
    if play is None:  # recorded under rules that have changed since
        return f"{faces}: " + " ".join(f"{source}/{target}" for source, target, _ in event.moves)
    numbers = sorted((number for _, _, number in play.moves), reverse=True)
    if len(before.faces) == 1 and sum(numbers) == before.faces[0] and len(numbers) > 1:
        faces += f"={'+'.join(map(str, numbers))}"
    return f"{faces}: " + (str(play).replace("bar", "25").replace("off", "0") if play.moves else "Cannot Move")


def _games(match: Match) -> list[_Sheet]:
    """One sheet for each game that has begun; a game's stakes do not affect how its events are replayed."""
    sheets: list[_Sheet] = []
    state = Match.start(rules=match.rules, terms=match.terms)
    for event in match.events:
        if isinstance(event, Next) or not sheets:
            begun = state.replay(event).game if isinstance(event, Next) else state.game
            sheets.append(_Sheet(begun))
        if not isinstance(event, Next):
            sheets[-1].write(event)
        state = state.replay(event)
    return sheets
