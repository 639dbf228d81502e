"""Reads match text (.mat, .txt): ours and that of other programs (rulings 7.4, docs/formats.md).

A line holds up to two cells. A cell is recognised by how it begins, a roll or a word, because programs disagree about
columns; a cell alone on its line belongs to the left player when it begins in the left part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game import (
    Beaver,
    Double,
    Event,
    Next,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Roll,
    Rollover,
    Take,
    Timeout,
)
from barpoint.match import Match, MatchTerms
from barpoint.moves import parse_play
from barpoint.record.book import Book
from barpoint.record.concession import won
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import variant

MAX_FILE_LENGTH: Final = 2_000_000
"""Maximum size of a file, in characters."""

_FACT = re.compile(r'^;\s*\[\s*([^"\]]{1,60}?)\s*"(.*)"\s*\]\s*$')
_LENGTH = re.compile(r"^\s*(\d{1,4})\s+points?\s+match", re.IGNORECASE | re.ASCII)
_GAME = re.compile(r"^\s*Game\s+\d+\s*$", re.IGNORECASE)
_NAMES = re.compile(r"^\s*(.*?)\s*:\s*(\d{1,5})(?:\s+|\t)(.*?)\s*:\s*(\d{1,5})\s*$", re.ASCII)
_ROW = re.compile(r"^\s*(\d{1,4})\)", re.ASCII)
_CELL = re.compile(
    r"(?<!\S)(?:(?P<roll>[0-9]{1,2})(?:=[0-9+]+)?:|(?P<word>doubles?|redoubles?|beavers?|raccoons?|takes?|drops?|pass(?:es)?|wins?|loss(?:es)?|loses?)\b)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"^;\s*(\d{1,4})\s+(left|right):\s*RollOver\((own|opp) (\d{1,2})\)\s*$", re.ASCII)
_OPENING = re.compile(r"^;\s*Opening (\d{1,2})-(\d{1,2})\s*$", re.ASCII)
_FORFEIT = re.compile(r"^;\s*(Left|Right) runs out of time\s*$")
_UNKNOWN = re.compile(r"\?+")
_LEFT_PART = 16


@dataclass(frozen=True, slots=True)
class _Cell:
    """One action of a player. word: "roll", or the first word in lower case; rest: what follows it."""

    player: int
    word: str
    faces: str
    rest: str
    line: int
    column: int


def parse_mat(text: str) -> Book:
    """Parses a match; FormatError, with line and column, when the text is no match or not legal."""
    if len(text) > MAX_FILE_LENGTH:
        raise FormatError(f"a file of {len(text)} characters; at most {MAX_FILE_LENGTH} are read")
    reader = _Reader()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        try:
            reader.read(number, line.rstrip())
        except FormatError as error:
            raise error if error.line else FormatError(str(error), number, 1) from None
        except BarpointError as error:
            raise FormatError(str(error), number, 1) from None
    return reader.book()


class _Reader:
    """Builds the match line by line."""

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.players = ("Player 1", "Player 2")
        self.match: Match | None = None
        self.in_game = False
        self.openings: list[tuple[int, int]] = []
        self.notes: list[tuple[int, int, str, str]] = []
        self.row = 0

    def book(self) -> Book:
        """The finished match, after the last line."""
        if self.match is None:
            raise FormatError('no match: a line such as " 7 point match" is missing')
        kept = {"Player 1", "Player 2", "Variation", "Crawford", "Jacoby", "Beavers", "AutoDoubles", "Cube"}
        return Book(self.match, self.players, {key: fact for key, fact in self.facts.items() if key not in kept})

    def read(self, number: int, line: str) -> None:
        """Reads one more line."""
        if not line.strip():
            return
        if line.startswith(";"):
            self._comment(line)
        elif self.match is None:
            found = _LENGTH.match(line)
            if not found:
                raise FormatError(f"{line.strip()[:40]!r} before the length of the match", number, 1)
            self.match = self._begin(int(found[1]))
        elif _GAME.match(line):
            self._next_game()
        elif not self.in_game:
            self._names(number, line)
        else:
            self._cells(number, line)

    def _comment(self, line: str) -> None:
        if fact := _FACT.match(line):
            self.facts[fact[1]] = fact[2]
        elif note := _NOTE.match(line):
            self.notes.append((int(note[1]), int(note[2] == "right"), note[3], note[4]))
        elif opening := _OPENING.match(line):
            self.openings.append((int(opening[1]), int(opening[2])))
        elif (forfeit := _FORFEIT.match(line)) and self.match is not None and not self.match.game.over:
            self._apply(Timeout(int(forfeit[1] == "Right")))

    def _begin(self, length: int) -> Match:
        self.players = (self.facts.get("Player 1", self.players[0]), self.facts.get("Player 2", self.players[1]))
        money = length == 0
        terms = MatchTerms(
            length,
            crawford=self._on("Crawford", True),
            cube=self._on("Cube", True),
            jacoby=money and self._on("Jacoby", False),
            beavers=self._count("Beavers") if money else 0,
            automatic_doubles=self._count("AutoDoubles") if money else 0,
        )
        return Match.start(rules=self._rules(), terms=terms)

    def _rules(self) -> Rules:
        return variant(self.facts.get("Variation", "backgammon").strip() or "backgammon")

    def _on(self, name: str, default: bool) -> bool:
        return {"on": True, "off": False}.get(self.facts.get(name, "").lower(), default)

    def _count(self, name: str) -> int:
        text = self.facts.get(name, "")
        return int(text) if re.fullmatch("[0-9]", text) else 0

    def _next_game(self) -> None:
        self.in_game = False
        self.openings, self.notes, self.row = [], [], 0
        if self._state.game.over:
            self._apply(Next())
        elif self._state.events and self._state.game.opening_dice:
            raise FormatError("a new game begins, and nobody has won the one before")

    def _names(self, number: int, line: str) -> None:
        found = _NAMES.match(line)
        if not found:
            raise FormatError(f"{line.strip()[:40]!r}; the names with the score stand here", number, 1)
        self.players = (found[1] or self.players[0], found[3] or self.players[1])
        score = (int(found[2]), int(found[4]))
        if score != self._state.score:
            raise FormatError(f"score {score[0]}-{score[1]}; the games before make it {self._score()}", number, 1)
        self.in_game = True

    def _score(self) -> str:
        return f"{self._state.score[0]:g}-{self._state.score[1]:g}"

    @property
    def _state(self) -> Match:
        assert self.match is not None
        return self.match

    def _apply(self, event: Event) -> None:
        self.match = self._state.apply(event)

    def _cells(self, number: int, line: str) -> None:
        row = _ROW.match(line)
        body = line[row.end() :] if row else line
        offset = row.end() if row else 0
        self.row = int(row[1]) if row else self.row
        found = list(_CELL.finditer(body))
        if not found and (row is None or body.strip()):
            raise FormatError(f"{line.strip()[:40]!r} is neither a roll nor a word of this format", number, 1)
        if found and body[: found[0].start()].strip():
            raise FormatError(f"{body[: found[0].start()].strip()[:40]!r} before the first roll", number, offset + 1)
        for index, start in enumerate(found):
            end = found[index + 1].start() if index + 1 < len(found) else len(body)
            right = index > 0 if len(found) > 1 else offset + start.start() >= _LEFT_PART
            word = (start["word"] or "roll").lower()
            rest = body[start.end() : end].strip()
            self._cell(_Cell(int(right), word, start["roll"] or "", rest, number, offset + start.start() + 1))

    def _cell(self, cell: _Cell) -> None:
        try:
            self._apply_notes(cell)
            self._act(cell)
        except BarpointError as error:
            if isinstance(error, FormatError) and error.line:
                raise
            raise FormatError(str(error), cell.line, cell.column) from None

    def _apply_notes(self, cell: _Cell) -> None:
        """Applies rolls that were rerolled before the action of this cell."""
        mine = [note for note in self.notes if note[:2] == (self.row, cell.player)]
        self.notes = [note for note in self.notes if note not in mine]
        for _, player, whose, faces in mine:
            self._roll(player, faces)
            self._apply(Rollover(player if whose == "own" else 1 - player, self._state.game.roll_id))

    def _act(self, cell: _Cell) -> None:
        player, word = cell.player, cell.word.rstrip("s")
        match word:
            case "roll":
                self._roll(player, cell.faces)
                self._play(player, cell.rest)
            case "double" | "redouble":
                self._raise(Double(player), cell.rest, self._state.game.cube.value * 2)
            case "beaver":
                self._raise(Beaver(player), cell.rest, self._state.game.cube.offered * 2)
            case "raccoon":
                self._raise(Raccoon(player), cell.rest, self._state.game.cube.offered * 2)
            case "take":
                self._apply(Take(player))
            case "drop" | "pas" | "passe":
                self._apply(Pass(player))
            case "los" | "losse" | "lose":
                pass  # the other player's cell says what they win
            case _:
                self._win(player, cell.rest)

    def _raise(self, event: Event, rest: str, value: int) -> None:
        said = re.search(r"[0-9]{1,5}", rest)
        if said and int(said[0]) != value:
            raise FormatError(f"a cube of {said[0]}; it would be {value}")
        self._apply(event)

    def _roll(self, player: int, text: str) -> None:
        rules = self._state.rules
        faces = tuple(map(int, text)) if len(rules.dice.rows[0].faces) > 1 else (int(text),)
        if self._state.game.phase is Phase.OPENING:
            self._open(player, faces)
        if (
            self._state.game.phase is not Phase.TO_PLAY
            or self._state.game.turn_number > 1
            or self._state.game.roll_id > 1
        ):
            self._apply(Roll(player, faces))

    def _open(self, player: int, faces: tuple[int, ...]) -> None:
        """The opening roll, as the file gives it or as this first roll implies it."""
        for opening in self.openings:
            self._apply(Opening(opening))
        self.openings = []
        if self._state.game.phase is not Phase.OPENING:
            if self._state.game.phase is Phase.TO_PLAY and self._state.game.player != player:
                raise FormatError("the other player has won the start")
            return
        high, low = (2, 1) if self._state.rules.opening.first_roll is FirstRoll.AGAIN else (max(faces), min(faces))
        if self._state.rules.opening.first_roll is FirstRoll.OWN_NUMBER:
            low = 1 if high > 1 else 2
        self._apply(Opening((high, low) if player == 0 else (low, high)))

    def _play(self, player: int, text: str) -> None:
        if _UNKNOWN.fullmatch(text):
            return
        game = self._state.game
        try:
            found = parse_play(game.rules, game.position, game.faces, text)
        except IllegalMove:
            if not text:
                return  # a roll that was never played
            raise
        self._apply(PlayMade(player, found.moves))

    def _win(self, player: int, rest: str) -> None:
        said = re.match(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)\s*points?\b", rest)
        if not said:
            raise FormatError('"Wins" without a number of points')
        self.match = won(self._state, player, float(said[1]))
