"""Reads matches of BGBlitz (.bgf): a line of JSON, then the match as Smile or JSON, packed or not (docs/formats.md).

Green is player 0. A move gives its mover, the dice, and up to four steps on the mover's own path. What is no play has 7 in place
of the second die, and the first one says what it is.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from typing import Any, Final

from barpoint.board import BAR, OFF
from barpoint.error import BarpointError, FormatError
from barpoint.game import Double, Pass, Phase, PlayMade, Take
from barpoint.game.manual import hand_moves_of
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.moves import Play, parse_play
from barpoint.record.annotation import Annotation, Annotations, EvaluatedPlay, PlayStep, best_first
from barpoint.record.book import Book
from barpoint.record.oddity import Oddities, Place
from barpoint.record.smile import SIGNATURE, parse_smile
from barpoint.record.transcriber import RAISES, REST_LEFT_OUT, Transcriber
from barpoint.variants import variant

PROGRAM: Final = "BGBlitz"
MAX_UNPACKED: Final = 40_000_000
"""Maximum size of a match, unpacked."""

MAX_LENGTH: Final = 9_999
MAX_GAMES: Final = 2_000
START: Final = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
"""The start of backgammon in the file's points, whoever counts them; games that begin elsewhere are refused."""

NO_PLAY: Final = 7
"""In place of the second die of a record: the first one is one of the following."""

CUBE_ACTIONS: Final[Mapping[int, type[Double | Take | Pass]]] = {1: Double, 2: Take, 3: Pass}
END: Final = 4
DANCE: Final = 5
"""No checker can be moved; the dice are the first of the points."""

RESIGNATION: Final = 9
MAX_EQUITY: Final = 100
"""Equities beyond it, such as -999, say that there is none."""

FACTS: Final = {"event": "Event", "site": "Site", "round": "Round", "date": "EventDate"}

Document = Mapping[str, Any]


def parse_bgf(data: bytes, *, strict: bool = False) -> Book:
    """Parses a file, with what is odd about it; strict: FormatError for anything odd.

    FormatError in any case for what is no such file. Places are numbers of records, counted from 1 through the match.
    """
    oddities = Oddities(strict)
    document = _document(data)
    try:
        reader = _BgfReader(_begin(document), oddities)
        reader.read(document)
        names = str(document.get("nameGreen") or "Player 1"), str(document.get("nameRed") or "Player 2")
        facts = {name: str(document[key]) for key, name in FACTS.items() if document.get(key)}
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        if isinstance(error, BarpointError):
            raise
        raise FormatError("no match in this file: %(error)r", error=error) from None
    match = reader.scribe.match
    return Book(match, (names[0][:128], names[1][:128]), facts, tuple(oddities.found), reader.annotations, PROGRAM)


def _document(data: bytes) -> Document:
    head, _, body = data.partition(b"\n")
    if not head.lstrip(b"\xef\xbb\xbf").startswith(b"{"):
        raise FormatError("no file of BGBlitz: it does not begin with a line of JSON")
    for wrapper in (31, 15):  # gzip, zlib
        try:
            stream = zlib.decompressobj(wrapper)
            found = stream.decompress(body, MAX_UNPACKED)
        except zlib.error:
            continue
        if stream.unconsumed_tail:
            raise FormatError("a file that unpacks to more than %(bytes)s bytes", bytes=MAX_UNPACKED)
        body = found
        break
    if body.startswith(SIGNATURE):
        document: Any = parse_smile(body)
    else:
        try:
            document = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise FormatError("no match in this file: %(error)s", error=error) from None
    if not isinstance(document, dict):
        raise FormatError("no match in this file: an object was expected")
    return document


def _begin(document: Document) -> Match:
    length = document["matchlen"]
    if not isinstance(length, int) or not 0 <= length <= MAX_LENGTH:
        raise FormatError("a match of %(length)s points; allowed: 0 to 9999", length=length)
    money = length == 0
    terms = MatchTerms(
        length,
        cube=document.get("useCube", True) is not False,
        crawford=money or document.get("useCrawford", True) is not False,
        jacoby=money and bool(document.get("useJacoby")),
        beavers=RAISES if money and document.get("useBeaver") else 0,
    )
    return Match.start(rules=variant("backgammon"), terms=terms)


class _BgfReader:
    """Builds the match record by record."""

    def __init__(self, match: Match, oddities: Oddities) -> None:
        self.scribe = Transcriber(match, oddities)
        self.annotations: Annotations = {}
        self.number = 0

    def read(self, document: Document) -> None:
        """Reads every game of the document."""
        games = document["games"]
        if not isinstance(games, list) or len(games) > MAX_GAMES:
            raise FormatError("more than %(most)s games", most=MAX_GAMES)
        scores = [(int(game["scoreGreen"]), int(game["scoreRed"])) for game in games]
        final = document.get("finalGreen"), document.get("finalRed")
        for game, score, after in zip(games, scores, (*scores[1:], final), strict=True):
            self.scribe.place = Place(ply=self.number + 1)
            _check_start(game.get("initial") or {})
            self.scribe.begin_game(score)
            for move in game["moves"]:
                self.number += 1
                self.scribe.place = Place(ply=self.number)
                self._record(move)
            self._result(game, score, after)
        self.scribe.end()

    def _record(self, move: Document) -> None:
        scribe, player = self.scribe, _player(move)
        first, second = move.get("red"), move.get("green")
        if second == NO_PLAY and first == DANCE:
            self._move(move, (move["from"][0], move["to"][0]), ())
        elif second == NO_PLAY and first in tuple(CUBE_ACTIONS):
            scribe.cube(CUBE_ACTIONS[first](player))
        elif second == NO_PLAY and first == RESIGNATION:
            scribe.concede(player)
        elif second != NO_PLAY or first != END:
            self._move(move, (first, second), _steps(move))

    def _move(self, move: Document, faces: tuple[Any, Any], steps: tuple[PlayStep, ...]) -> None:
        scribe, player = self.scribe, _player(move)
        if not all(isinstance(face, int) and 1 <= face <= 6 for face in faces):
            first, second = (str(face)[:12] for face in faces)
            scribe.odd(
                Said("a roll of %(first)s-%(second)s; each shows 1 to 6", {"first": first, "second": second}),
                REST_LEFT_OUT,
            )
            scribe.lost = True
            return
        dice = max(faces), min(faces)
        scribe.roll(player, dice)
        game = scribe.match.game
        if scribe.lost or game.phase is not Phase.TO_PLAY:
            return

        def find() -> Play:
            text = " ".join(f"{a}/{b}" for a, b in steps)
            return parse_play(game.rules, game.position, game.faces, text, hint=False)

        scribe.play(player, find, hand_moves_of(steps))
        self._note(move)

    def _note(self, move: Document) -> None:
        plays = best_first(play for one in move.get("moveAnalysis") or () if (play := _evaluated(one)) is not None)
        events = self.scribe.match.events
        if plays and isinstance(events[-1], PlayMade):
            self.annotations[len(events)] = Annotation(plays=plays)

    def _result(self, game: Document, score: tuple[int, int], after: tuple[Any, Any]) -> None:
        if not all(isinstance(one, int) for one in after):
            return
        gained = after[0] - score[0], after[1] - score[1]
        winner = 0 if gained[0] > 0 else 1 if gained[1] > 0 else None
        if winner is not None:
            points = game.get("wonPoints")  # 0 in the last game of a session
            self.scribe.won(winner, points if isinstance(points, int) and points > 0 else gained[winner])


def _check_start(initial: Document) -> None:
    points = tuple(initial.get("points") or ())[:24]
    if points and points not in (
        START,
        tuple(-count for count in START),
        START[::-1],
        tuple(-count for count in START[::-1]),
    ):
        raise FormatError("a game that begins with a position somebody has set up")


def _player(move: Document) -> int:
    if move["player"] not in (1, -1):
        raise FormatError("player %(sign)s; allowed: 1 and -1", sign=move["player"])
    return 0 if move["player"] == -1 else 1


def _steps(move: Document) -> tuple[PlayStep, ...]:
    """The steps of a move, on the mover's own path; those after the first -1 are not used."""
    found: list[PlayStep] = []
    for source, target in zip(move.get("from") or (), move.get("to") or (), strict=False):
        if not isinstance(source, int) or not isinstance(target, int):
            break
        if not 1 <= source <= BAR or target >= BAR or source == target:
            break
        found.append((source, max(OFF, target)))
    return tuple(found)


def _evaluated(one: Document) -> EvaluatedPlay | None:
    found = one.get("eq") or {}
    equity = next((value for name in ("emg", "equity") if (value := _number(found.get(name))) is not None), None)
    if equity is None:
        return None
    names = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    chances = tuple(value for name in names if (value := _number(found.get(name))) is not None)
    level = f"{one['ply']}-ply" if isinstance(one.get("ply"), int) else ""
    return EvaluatedPlay(_steps(one["move"]), equity, chances if len(chances) == len(names) else (), level)


def _number(value: object) -> float | None:
    """A number, which may be written as a text; None where there is none."""
    try:
        found = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return found if abs(found) <= MAX_EQUITY else None
