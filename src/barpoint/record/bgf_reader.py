"""Reads matches of BGBlitz (.bgf): a line of JSON, then the match as Smile or JSON, packed or not (docs/formats.md).

Green is player 0. A move gives its mover, the dice, and up to four steps on the mover's own path. Cube actions are records
without steps, one of the doubler and one of the other player, who both say how it was answered. A beaver has no record: in a money
session it shows in the cube of the next play.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

from barpoint.board import BAR, OFF
from barpoint.error import BarpointError, FormatError
from barpoint.game import Beaver, Double, Event, Pass, Phase, PlayMade, Raccoon, Take
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.moves import Play, parse_play
from barpoint.record.annotation import Annotation, Annotations, EvaluatedPlay, PlayStep, best_first
from barpoint.record.book import Book
from barpoint.record.oddity import Oddities, Place
from barpoint.record.smile import SIGNATURE, parse_smile
from barpoint.record.transcriber import RAISES, REST_LEFT_OUT, Transcriber, hand_moves_of
from barpoint.variants import variant

PROGRAM: Final = "BGBlitz"
MAX_UNPACKED: Final = 40_000_000
"""Maximum size of a match, unpacked."""

MAX_LENGTH: Final = 9_999
MAX_GAMES: Final = 2_000
START: Final = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
"""The start of backgammon in the file's points, whoever counts them; games that begin elsewhere are refused."""

RAISES_OF_GROWTH: Final = {2: 0, 4: 1, 8: 2}
"""Beavers and raccoons after a double, by how many times the cube has grown at the next play."""

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
        facts = {"EventDate": str(document["date"])} if document.get("date") else {}
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
        beavers=RAISES if money and any(_raises(game).values() for game in document["games"]) else 0,
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
            self._game(game["moves"], _raises(game) if self.scribe.match.terms.beavers else {})
            self._result(game, score, after)
        self.scribe.end()

    def _game(self, moves: list[Document], raises: Mapping[int, int]) -> None:
        answered = False
        for index, move in enumerate(moves):
            self.number += 1
            self.scribe.place = Place(ply=self.number)
            said = ((move.get("equity") or {}).get("cubeDecision")) or {}
            steps = _steps(move)
            if answered and not steps and move.get("dancingEquity") is None:
                answered = False  # the record of the other player, which repeats the answer
            elif not steps and said.get("hasDoubled"):
                player = _player(move)
                self.scribe.cube(Double(player))
                for event in _answers(player, bool(said.get("hasAccepted")), raises.get(index, 0)):
                    self.scribe.cube(event)
                answered = True
            else:
                answered = False
                self._move(move, steps)

    def _move(self, move: Document, steps: tuple[PlayStep, ...]) -> None:
        scribe, player = self.scribe, _player(move)
        danced = move.get("dancingEquity") is not None
        faces: tuple[Any, Any] = (move["from"][0], move["to"][0]) if danced else (move.get("red"), move.get("green"))
        if not danced and not steps and not any(isinstance(face, int) and face > 0 for face in faces):
            return  # the end of a game
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
        steps = () if danced else steps

        def find() -> Play:
            text = " ".join(f"{a}/{b}" for a, b in steps)
            return parse_play(game.rules, game.position, game.faces, text)

        scribe.play(player, find, hand_moves_of(steps))
        self._note(move)

    def _note(self, move: Document) -> None:
        plays = best_first(play for one in move.get("moveAnalysis") or () if (play := _evaluated(one)) is not None)
        events = self.scribe.match.events
        if plays and isinstance(events[-1], PlayMade):
            self.annotations[len(events)] = Annotation(plays=plays)

    def _result(self, game: Document, score: tuple[int, int], after: tuple[Any, Any]) -> None:
        points = game.get("wonPoints")
        if not isinstance(points, int) or points <= 0 or not all(isinstance(one, int) for one in after):
            return
        winner = 0 if after[0] > score[0] else 1 if after[1] > score[1] else None
        if winner is not None:
            self.scribe.won(winner, points)


def _answers(doubler: int, accepted: bool, raises: int) -> tuple[Event, ...]:
    """What follows a double, with so many beavers and raccoons."""
    other = 1 - doubler
    if raises == 0:
        return (Take(other) if accepted else Pass(other),)
    return (Beaver(other), Take(doubler)) if raises == 1 else (Beaver(other), Raccoon(doubler), Take(other))


def _raises(game: Document) -> dict[int, int]:
    """The indices of doubles that were answered by a beaver, 1, or a raccoon too, 2.

    The cube is compared with that of the plays before and after; where one of them has none, nothing is assumed.
    """
    before: int | None = _cube(game.get("initial") or {}) or 1
    asked: int | None = None
    found: dict[int, int] = {}
    for index, move in enumerate(game["moves"]):
        equity = move.get("equity") or {}
        if not _steps(move) and move.get("dancingEquity") is None:
            if asked is None and (equity.get("cubeDecision") or {}).get("hasDoubled"):
                asked = index
            continue
        cube = _cube(equity)
        raises = RAISES_OF_GROWTH.get(cube // before, 0) if asked is not None and cube and before else 0
        if asked is not None and raises:
            found[asked] = raises
        before, asked = cube, None
    return found


def _cube(of: Document) -> int | None:
    value = of.get("cube")
    return value if isinstance(value, int) and value > 0 else None


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
        if not isinstance(source, int) or not isinstance(target, int) or not 1 <= source <= BAR or target >= source:
            break
        found.append((source, max(OFF, target)))
    return tuple(found)


def _evaluated(one: Document) -> EvaluatedPlay | None:
    found = one.get("eq") or {}
    equity = found.get("emg", found.get("equity"))
    if not isinstance(equity, int | float) or abs(equity) > 100:
        return None
    names = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    chances = tuple(float(found[name]) for name in names if isinstance(found.get(name), int | float))
    level = f"{one['ply']}-ply" if isinstance(one.get("ply"), int) else ""
    return EvaluatedPlay(_steps(one["move"]), float(equity), chances if len(chances) == 5 else (), level)
