"""Reads match text (.mat, .txt): ours and that of other programs (rulings 7.4, docs/formats.md).

A line holds up to two cells. A cell is recognised by how it begins, a roll or a word, because programs disagree about
columns; a cell alone on its line belongs to the left player when it begins in the left part.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from barpoint.error import BarpointError, FormatError
from barpoint.game import Beaver, Double, Pass, Phase, Raccoon, Rollover, Take, Timeout
from barpoint.game.manual import hand_moves_of
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.moves import Play, parse_paths, parse_play
from barpoint.record.book import DEFAULT_NAMES, Book
from barpoint.record.mat_columns import CELL, ROW, in_columns
from barpoint.record.mat_names import FACTS, names_and_scores, ratings_apart
from barpoint.record.mat_writer import LEVELS
from barpoint.record.oddity import Oddities, Place
from barpoint.record.transcriber import (
    LEFT_OUT,
    RAISES,
    REST_LEFT_OUT,
    Transcriber,
    points_in,
    usual_play,
)
from barpoint.rules import Rules
from barpoint.variants import variant

MAX_FILE_LENGTH: Final = 2_000_000
"""Maximum size of a file, in characters."""

_FACT = re.compile(r'^;\s*\[([^"\]]{1,80})"(.*)"\s*\]\s*$')
SPACE: Final = r"[^\S\n]"
"""White space within a line: in a search of many lines \\s would go through blank lines again from each of them."""

LENGTH: Final = re.compile(
    rf"^{SPACE}*(?:(?P<points>[0-9]{{1,4}}){SPACE}+points?{SPACE}+match\b"
    rf"|(?:unlimited{SPACE}+match|money{SPACE}+(?:game|match|session)){SPACE}*$)",
    re.IGNORECASE | re.MULTILINE,
)
"""The line with the length of a match; without points it begins a money session."""

_GAME = re.compile(r"^\s*Game\s+\d+\s*$", re.IGNORECASE)
_ROW_AGAIN = re.compile(r"(?<!\S)\d{1,4}\)(?=\s|$)", re.ASCII)
_RAISED = re.compile(r"^\s*\d{1,4}\).*(?<!\S)(?:beavers?|raccoons?)\b", re.IGNORECASE | re.ASCII)
_NOTE = re.compile(r"^;\s*(\d{1,4})\s+(left|right):\s*RollOver\((own|opp) (\d{1,2})\)\s*$", re.ASCII)
_GNU_HYPERGAMMON = re.compile(r"hypergammon \(([123])\)", re.IGNORECASE)
_OPENING = re.compile(r"^;\s*Opening (\d{1,2})-(\d{1,2})\s*$", re.ASCII)
_FORFEIT = re.compile(r"^;\s*(Left|Right) runs out of time\s*$")
_UNKNOWN = re.compile(r"\?+")
_MOVE = re.compile(
    r"(?<!\S)(?:[0-9]{1,2}|bar|b)\*?(?:/(?:[0-9]{1,2}|off|o|-)\*?)+(?:\([1-9]\))?,?(?!\S)", re.IGNORECASE
)
_POINTS = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,3})?)\s*points?\b", re.IGNORECASE)
_LEVEL = re.compile(r"\((single|gammon|backgammon)\)", re.IGNORECASE)
_LEFT_PART = 16
_KEPT_ELSEWHERE = frozenset(
    {*FACTS, "Variation", "Crawford", "Jacoby", "Beaver", "Beavers", "AutoDoubles", "Cube", "Transcript",
     "Manual", "FirstScore", "BeginsAt"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cell:
    """One action of a player. word: "roll", or the first word in lower case; rest: what follows it."""

    player: int
    word: str
    faces: str
    rest: str
    place: Place


def parse_mat(text: str, *, strict: bool = False) -> Book:
    """Parses the first match, with what is odd about the file; strict: FormatError, with line and column, for anything
    odd.

    FormatError in any case when the text is no match.
    """
    lines = _lines(text)
    _, *others = _begins(lines)
    oddities = Oddities(strict)
    book = _read(lines[: others[0]] if others else lines, 1, oddities)
    if others:
        at = next(number for number in range(others[0], len(lines)) if LENGTH.match(lines[number]))
        oddities.add(Said("another match begins"), Said("only the first one is read here"), Place(at + 1, 1))
        book = replace(book, oddities=tuple(oddities.found))
    return book


def parse_mat_matches(text: str, *, strict: bool = False) -> tuple[Book, ...]:
    """Parses all matches of a text, each as `parse_mat`."""
    return tuple(_read(lines, number, Oddities(strict)) for number, lines in _parts(text))


def mat_texts(text: str) -> list[str]:
    """The text of each match alone."""
    return ["\n".join(lines) + "\n" for _, lines in _parts(text)]


def _parts(text: str) -> Iterator[tuple[int, list[str]]]:
    """The number of the first line and the lines of each match."""
    lines = _lines(text)
    begins = _begins(lines)
    begins[0] = 0
    for begin, end in pairwise((*begins, len(lines))):
        yield begin + 1, lines[begin:end]


def _lines(text: str) -> list[str]:
    if len(text) > MAX_FILE_LENGTH:
        raise FormatError(
            "a file of %(count)s characters; at most %(max_file_length)s are read",
            count=len(text),
            max_file_length=MAX_FILE_LENGTH,
        )
    return text.removeprefix("\ufeff").splitlines()


def _begins(lines: list[str]) -> list[int]:
    """Where each match begins: at its length, or at the facts and empty lines in front of it; FormatError without one."""
    found: list[int] = []
    head = 0  # of the facts and empty lines just read
    for number, line in enumerate(lines):
        if LENGTH.match(line):
            found.append(head)
        if line.strip() and not _FACT.match(line):
            head = number + 1
    if found:
        return found
    shown = next(((at, line) for at, line in enumerate(lines, 1) if line.strip() and line[0] != ";"), None)
    if shown is None:
        raise FormatError('no match: a line such as " 7 point match" is missing')
    if any(line.startswith("XGID=") for line in lines):
        raise FormatError("one position, not a match; `bp.read_position` and `barpoint eval` read it", shown[0], 1)
    raise FormatError("%(shown)r before the length of the match", shown[0], 1, shown=shown[1].strip()[:40])


def _read(lines: list[str], first: int, oddities: Oddities) -> Book:
    """Reads the lines of one match, the first of which has this number."""
    reader = _Reader(oddities, raised=any(map(_RAISED.match, lines)))
    for number, line in enumerate(in_columns(lines), start=first):
        try:
            reader.read(number, line.rstrip())
        except FormatError as error:
            raise error if error.line else FormatError(error, number, 1) from None
        except BarpointError as error:
            raise FormatError(error, number, 1) from None
    return reader.book()


class _Reader:
    """Builds the match line by line. raised: a beaver or raccoon stands in it."""

    def __init__(self, oddities: Oddities, raised: bool) -> None:
        self.oddities = oddities
        self.raised = raised
        self.facts: dict[str, str] = {}
        self.players = DEFAULT_NAMES
        self.scribe: Transcriber | None = None
        self.in_game = False
        self.notes: defaultdict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)  # by row and player
        self.row = 0

    def book(self) -> Book:
        """The finished match, after the last line."""
        assert self.scribe is not None
        self.scribe.end()
        facts = {key: fact for key, fact in self.facts.items() if key not in _KEPT_ELSEWHERE}
        return Book(self.scribe.match, self.players, facts, tuple(self.oddities.found))

    def read(self, number: int, line: str) -> None:
        """Reads one more line."""
        place = Place(number, 1)
        if self.scribe is not None:
            self.scribe.place = place
        if not line.strip():
            return
        if line.startswith(";"):
            self._comment(line)
        elif found := LENGTH.match(line):
            self.scribe = Transcriber(self._begin(int(found["points"] or 0)), self.oddities)
        elif self.scribe is None:
            self.oddities.add(
                Said("%(text)r before the length of the match", {"text": line.strip()[:40]}), LEFT_OUT, place
            )
        elif _GAME.match(line):
            self.in_game = False
        elif not self.in_game:
            self._names(line)
        else:
            self._cells(number, line)

    def _comment(self, line: str) -> None:
        scribe = self.scribe
        if fact := _FACT.match(line):
            self.facts[fact[1].strip()] = fact[2]
        elif note := _NOTE.match(line):
            self.notes[int(note[1]), int(note[2] == "right")].append((note[3], note[4]))
        elif (opening := _OPENING.match(line)) and scribe is not None:
            scribe.openings.append((int(opening[1]), int(opening[2])))
        elif (forfeit := _FORFEIT.match(line)) and scribe is not None and not scribe.match.game.over:
            scribe.act(Timeout(int(forfeit[1] == "Right")))

    def _begin(self, length: int) -> Match:
        left, right = (self.facts.get(fact, name) for fact, name in zip(FACTS, self.players, strict=True))
        self.players = (left, right)
        money = length == 0
        first = re.fullmatch(r"([0-9]{1,5})-([0-9]{1,5})", self.facts.get("FirstScore", ""))
        terms = MatchTerms(
            length,
            crawford=self._on("Crawford", True),
            cube=self._on("Cube", True),
            jacoby=money and self._on("Jacoby", False),
            beavers=self._count("Beavers", RAISES if self._on("Beaver", self.raised) else 0) if money else 0,
            automatic_doubles=self._count("AutoDoubles", 0) if money else 0,
            manual=self._on("Manual", False),
            transcript=self._on("Transcript", False),
            first_score=(int(first[1]), int(first[2])) if first else (0, 0),
        )
        return Match.start(rules=self._rules(), terms=terms)

    def _rules(self) -> Rules:
        name = self.facts.get("Variation", "").strip() or "backgammon"
        return variant(_GNU_HYPERGAMMON.sub(r"hypergammon(checkers=\1)", name))

    def _on(self, name: str, default: bool) -> bool:
        return {"on": True, "off": False}.get(self.facts.get(name, "").lower(), default)

    def _count(self, name: str, default: int) -> int:
        text = self.facts.get(name, "")
        return int(text) if re.fullmatch("[0-9]", text) else default

    @property
    def _scribe(self) -> Transcriber:
        assert self.scribe is not None
        return self.scribe

    def _names(self, line: str) -> None:
        found = names_and_scores(line, self.facts)
        if found:
            (left, right), self.facts = ratings_apart(found[0], self.facts)
            self.players = (left or self.players[0], right or self.players[1])
        else:
            said = Said("%(text)r; the names with the score stand here", {"text": line.strip()[:40]})
            self._scribe.odd(said, Said("the names are as before") if CELL.search(line) else LEFT_OUT)
            if not CELL.search(line):
                return
        self._scribe.begin_game(found[1] if found else None)
        self.in_game, self.row = True, 0
        self.notes.clear()
        if not found:
            self._cells(self._scribe.place.line, line)

    def _cells(self, number: int, line: str) -> None:
        row = ROW.match(line)
        offset = row.end() if row else 0
        self.row = int(row[1]) if row else self.row
        body = self._without_row_numbers(line[offset:], number, offset)
        found = list(CELL.finditer(body))
        if not found and (row is None or body.strip()):
            self._scribe.odd(
                Said("%(text)r is neither a roll nor a word of this format", {"text": line.strip()[:40]}), LEFT_OUT
            )
        if found and body[: found[0].start()].strip():
            self._scribe.place = Place(number, offset + 1)
            self._scribe.odd(
                Said("%(text)r before the first roll", {"text": body[: found[0].start()].strip()[:40]}), LEFT_OUT
            )
        for index, start in enumerate(found):
            end = found[index + 1].start() if index + 1 < len(found) else len(body)
            right = index > 0 if len(found) > 1 else offset + start.start() >= _LEFT_PART
            word = (start["word"] or "roll").lower()
            rest = body[start.end() : end].strip()
            faces = (start["roll"] or "").replace("-", "")
            self._cell(_Cell(int(right), word, faces, rest, Place(number, offset + start.start() + 1)))

    def _without_row_numbers(self, body: str, number: int, offset: int) -> str:
        if again := _ROW_AGAIN.search(body):
            self._scribe.place = Place(number, offset + again.start() + 1)
            self._scribe.odd(Said("the row number %(text)r inside the row", {"text": again[0]}), LEFT_OUT)
            return _ROW_AGAIN.sub(lambda found: " " * len(found[0]), body)
        return body

    def _cell(self, cell: _Cell) -> None:
        self._scribe.place = cell.place
        try:
            self._apply_notes(cell)
            self._act(cell)
        except BarpointError as error:
            if isinstance(error, FormatError) and error.line:
                raise
            raise FormatError(error, cell.place.line, cell.place.column) from None

    def _apply_notes(self, cell: _Cell) -> None:
        """Applies rolls that were rerolled before the action of this cell."""
        player = cell.player
        for whose, faces in self.notes.pop((self.row, player), ()):
            self._roll(player, faces)
            self._scribe.act(Rollover(player if whose == "own" else 1 - player, self._scribe.match.game.roll_id))

    def _act(self, cell: _Cell) -> None:
        scribe, player, word = self._scribe, cell.player, cell.word.rstrip("s")
        cube = scribe.match.game.cube
        match word:
            case "roll":
                self._rolled(player, cell)
            case "double" | "redouble":
                scribe.cube(Double(player), _number(cell.rest), cube.value * 2)
            case "beaver" | "raccoon":  # GNU Backgammon calls both beavers
                raised = Raccoon(player) if player == scribe.match.game.player else Beaver(player)
                scribe.cube(raised, _number(cell.rest), cube.offered * 2)
            case "take" | "accept":
                scribe.cube(Take(player))
            case "drop" | "pas" | "passe" | "reject" | "refuse":
                scribe.cube(Pass(player))
            case "los" | "losse" | "lose":
                scribe.concede(player)  # the other player's cell usually says what they win
            case "resign" | "concede":
                scribe.odd(
                    Said("%(text)r is no word of this format", {"text": cell.word.capitalize()}),
                    Said("read as a resignation"),
                )
                level = _LEVEL.search(cell.rest)
                scribe.concede(player, LEVELS.index(level[1].lower()) + 1 if level else 1)
            case _:
                said = _POINTS.match(cell.rest)
                if said:
                    scribe.won(player, points_in(said[1]))
                else:
                    scribe.odd(Said('"Wins" without a number of points'), Said("read as a resignation"))
                    scribe.concede(1 - player)

    def _rolled(self, player: int, cell: _Cell) -> None:
        if re.fullmatch("0+", cell.faces) and (not cell.rest or _UNKNOWN.fullmatch(cell.rest)):
            self._scribe.odd(Said("a roll of %(faces)s", {"faces": cell.faces}), Said("left out: nothing was rolled"))
            return
        self._roll(player, cell.faces)
        if not _UNKNOWN.fullmatch(cell.rest):
            self._play(player, cell.rest)

    def _roll(self, player: int, text: str) -> None:
        two = self._scribe.match.game.rules.dice.count > 1
        self._scribe.roll(player, tuple(map(int, text)) if two else (int(text),))

    def _play(self, player: int, text: str) -> None:
        scribe = self._scribe
        game = scribe.match.game
        if scribe.lost or game.phase is not Phase.TO_PLAY:
            return
        try:
            ways = parse_paths(text)[0]
        except FormatError as error:
            kept = " ".join(found[0] for found in _MOVE.finditer(text))
            if kept != " ".join(text.split()):
                scribe.odd(error.said, Said("only its moves are read") if kept else Said("read as no move"))
            text = kept
            try:
                ways = parse_paths(text, backwards=True)[0]
            except FormatError as worse:
                scribe.odd(worse.said, REST_LEFT_OUT)
                scribe.lost = True
                return

        def find() -> Play:
            found = parse_play(game.rules, game.position, game.faces, text, hint=False)
            return usual_play(game, found, lambda play: sorted(parse_paths(str(play))[0]) == sorted(ways))

        if not text:
            self._nothing(player, find)
            return
        scribe.play(player, find, hand_moves_of(step for way in ways for step in pairwise(way)))

    def _nothing(self, player: int, find: Callable[[], Play]) -> None:
        """A roll without a play: none was possible, or it was never played, or none was made."""
        try:
            find()
        except BarpointError:
            return  # the next action tells
        self._scribe.play(player, find, ())


def _number(text: str) -> int | None:
    said = re.search(r"[0-9]{1,19}", text)
    return int(said[0]) if said else None
