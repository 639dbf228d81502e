"""Reads matches of OpenGammon and HedgeHog (.ogxm) with their own library, which the extra `ogxm` installs.

The library gives the file as a document: games with plies of white, who is player 0, and black. A ply is a roll with its
steps, each from a point as black counts them by so many pips, or a cube action. Games end as the document says. White is 0 where it
names the winner, but 1 as the colour of a ply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from barpoint.board import BAR, OFF
from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game import Beaver, Double, Event, Pass, Phase, Raccoon, Take
from barpoint.game.event import MoveMade
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.moves import Play, find_play, legal_plays
from barpoint.record.book import Book
from barpoint.record.oddity import Oddities, Place
from barpoint.record.transcriber import RAISES, REST_LEFT_OUT, VARIATIONS, Transcriber
from barpoint.variants import variant

MAX_LENGTH: Final = 9_999
CUBE_ACTIONS: Final[Mapping[int, type[Double | Take | Pass | Beaver | Raccoon]]] = {
    21: Double,
    22: Take,
    23: Pass,
    32: Beaver,
    33: Raccoon,
}
RESIGNATIONS: Final = (27, 28, 34)
"""A game or match that is given up or settled; the end of the game tells what it pays."""

NO_PLAY: Final = (24, 25, 26, 30, 37)
"""The end of a game or match, which may be of no colour, and turns without a roll."""

FACTS: Final = {"event": "Event", "city": "Site", "round": "Round"}


def parse_ogxm(data: bytes, *, strict: bool = False) -> Book:
    """Parses a file, with what is odd about it; strict: FormatError for anything odd.

    FormatError in any case for what is no such file, for variants that it does not share with us, and where the library
    is not installed. Places are numbers of plies, counted from 1 through the whole match.
    """
    oddities = Oddities(strict)
    document = _document(data)
    try:
        reader = _PlyReader(_begin(document), oddities)
        reader.read(document)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, BarpointError):
            raise
        raise FormatError("no match in this file: %(error)r", error=error) from None
    players = str(document.get("player_white") or "Player 1"), str(document.get("player_black") or "Player 2")
    facts = {name: str(document[key]) for key, name in FACTS.items() if document.get(key)}
    return Book(reader.scribe.match, players, facts, tuple(oddities.found))


def _document(data: bytes) -> dict[str, Any]:
    """The file as the library reads it."""
    try:
        import ogxm
    except ImportError:
        raise FormatError("reading .ogxm needs the library ogxm: pip install 'barpoint[ogxm]'") from None
    if not ogxm.is_ogxm_binary(data):
        raise FormatError("no OGXM file: it begins with something else than OGXM")
    try:
        found: dict[str, Any] = ogxm.binary_to_json(data)
    except (ogxm.OgxmError, ValueError) as error:
        raise FormatError("no OGXM file that can be read: %(error)s", error=error) from None
    return found


def _begin(document: Mapping[str, Any]) -> Match:
    name, length = document.get("variant", "backgammon"), document.get("match_length", 0)
    if name not in VARIATIONS:
        raise FormatError("variant %(name)r; known: %(allowed)s", name=name, allowed=", ".join(VARIATIONS))
    if not isinstance(length, int) or not 0 <= length <= MAX_LENGTH:
        raise FormatError("a match of %(length)s points; allowed: 0 to 9999", length=length)
    money = length == 0
    doubles = [game.get("auto_doubles", 0) for game in document.get("games", ())]
    terms = MatchTerms(
        length,
        crawford=bool(document.get("crawford")),
        jacoby=money and bool(document.get("jacoby")),
        beavers=RAISES if money and (document.get("beavers") or document.get("raccoons")) else 0,
        automatic_doubles=min(9, max(doubles, default=0)) if money else 0,
    )
    return Match.start(rules=variant(name), terms=terms)


class _PlyReader:
    """Builds the match ply by ply."""

    def __init__(self, match: Match, oddities: Oddities) -> None:
        self.scribe = Transcriber(match, oddities)
        self.number = 0

    def read(self, document: Mapping[str, Any]) -> None:
        """Reads every game of the document."""
        first = int(document.get("white_score_start", 0)), int(document.get("black_score_start", 0))
        for number, game in enumerate(document["games"]):
            self.scribe.begin_game(first if number == 0 else None)
            if not game.get("is_default_board", True):
                raise FormatError("a game that begins with a position somebody has set up")
            self.scribe.openings = [(1, 1)] * min(
                int(game.get("auto_doubles", 0)), self.scribe.match.terms.automatic_doubles
            )
            for ply in game["plies"]:
                self.number += 1
                self.scribe.place = Place(ply=self.number)
                self._ply(ply)
            if game.get("winner") in (0, 1):
                self.scribe.won(game["winner"], game["points_won"])
        self.scribe.end()

    def _ply(self, ply: Mapping[str, Any]) -> None:
        action = int(ply["action_id"])
        if action in NO_PLAY:
            return
        player = 1 - int(ply["color"])
        if "d1" in ply and "moves" in ply:
            dice = int(ply["d1"]), int(ply["d2"])
            self._roll(player, (max(dice), min(dice)), ply["moves"])
        elif action in CUBE_ACTIONS:
            event: Event = CUBE_ACTIONS[action](player)
            self.scribe.cube(event)
        elif action not in RESIGNATIONS:
            self.scribe.odd(
                Said("an action %(action)s, which sets something by hand", {"action": str(action)}), REST_LEFT_OUT
            )
            self.scribe.lost = True

    def _roll(self, player: int, faces: tuple[int, int], steps: Sequence[Mapping[str, int]]) -> None:
        scribe = self.scribe
        if not all(1 <= face <= 6 for face in faces):
            scribe.odd(
                Said("a roll of %(first)s-%(second)s; each shows 1 to 6", {"first": faces[0], "second": faces[1]}),
                REST_LEFT_OUT,
            )
            scribe.lost = True
            return
        scribe.roll(player, faces)
        game = scribe.match.game
        if scribe.lost or game.phase is not Phase.TO_PLAY:
            return
        moves = tuple(_move(player, int(step["from"]), int(step["pips"])) for step in steps)

        def find() -> Play:
            if moves:
                return find_play(game.rules, game.position, game.faces, moves)
            (play, *others) = legal_plays(game.rules, game.position, game.faces)
            if others or play.moves:
                raise IllegalMove("no play of %(faces)s, although there is one", faces="-".join(map(str, faces)))
            return play

        scribe.play(player, find, moves)


def _move(player: int, source: int, pips: int) -> MoveMade:
    """A step on its player's own path; white's points are counted from the other end."""
    own = source if player == 1 else BAR - source
    return own, max(OFF, own - pips), pips
