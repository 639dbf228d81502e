"""Writes SGF that GNU Backgammon reads (rulings 7.5, docs/formats.md).

Private properties, which begin with X, hold what SGF cannot express; other programs skip them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from barpoint.board import BAR, HAND, OFF
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
    Roll,
    Rollover,
    Settle,
    Take,
    Timeout,
    in_digits,
)
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.record.annotation import Annotation
from barpoint.record.book import Book
from barpoint.record.sgf_annotations import annotated
from barpoint.record.sgf_tree import format_tree
from barpoint.rules import FirstRoll, Rules

COLOURS: Final = "WB"
"""The letters of player 0 and player 1."""

FACTS: Final = {"EV": "Event", "RO": "Round", "PC": "Site", "DT": "EventDate", "AN": "Transcriber",
                "WR": "Player 1 Elo", "BR": "Player 2 Elo"}  # fmt: skip
"""Properties of the first node, and the names of these facts in a Book; others go in pairs into `XI`."""

GNU_NAMES: Final = {"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3", "hypergammon(checkers=2)": "Hypergammon2",
                    "hypergammon(checkers=1)": "Hypergammon1"}  # fmt: skip
"""Variants that SGF has a name for."""

SgfNode = dict[str, Sequence[str]]


def format_sgf(book: Book) -> str:
    """The text of a match: one tree for each game."""
    match = book.match
    sheets: list[_Sheet] = []
    state = Match.start(rules=match.rules, terms=match.terms)
    for number, event in enumerate(match.events, start=1):
        after = state.replay(event)
        if isinstance(event, Next) or not sheets:
            sheets.append(_Sheet(after if isinstance(event, Next) else state))
        if not isinstance(event, Next):
            sheets[-1].write(event)
        sheets[-1].annotate(event, book.annotations.get(number))
        state = after
    if not sheets:
        sheets.append(_Sheet(state))
    return "".join(
        format_tree([_root(book, sheet, number), *_setup(sheet.begun, number), *sheet.lines()])
        for number, sheet in enumerate(sheets)
    )


def _setup(match: Match, number: int) -> list[SgfNode]:
    """The nodes of a game that begins in a position somebody has set up, in the order of GNU Backgammon. match: where it begins."""
    begun = match.terms.begins(number)
    if begun is None:
        return []
    rules, position, turn = match.game.rules, begun.position, COLOURS[begun.player]
    sides = (position.us, position.them) if begun.player == 0 else (position.them, position.us)
    placed: SgfNode = {
        f"A{COLOURS[player]}": [
            letter_of(rules, player, point) for point in range(1, BAR + 1) for _ in range(side.points[point])
        ]
        for player, side in enumerate(sides)
        if any(side.points[1:])
    }
    nodes: list[SgfNode] = [{"PL": [turn], "AE": ["a:y"], **placed}]
    nodes += [{"CV": [str(begun.cube)]}, {"CP": ["c" if begun.owner is None else "wb"[begun.owner]]}]
    return nodes + ([{"PL": [turn], "DI": [dice_text(rules, begun.faces)]}] if begun.faces else [])


def _root(book: Book, sheet: _Sheet, number: int) -> SgfNode:
    match, begun = book.match, sheet.begun
    terms = match.terms
    words = ["Crawford"] if terms.crawford and not terms.money else []
    words += ["CrawfordGame"] if begun.crawford else []
    words += ["Jacoby"] if terms.jacoby else []
    words += ["NoCube"] if not terms.cube else []
    words += ["Manual"] if terms.manual else []
    words += ["Transcript"] if terms.transcript else []
    words += [GNU_NAMES[match.rules.name]] if match.rules.name in GNU_NAMES else []
    root: SgfNode = {
        "FF": ["4"], "GM": ["6"], "CA": ["UTF-8"], "AP": ["Barpoint:1"],
        "MI": [f"length:{terms.length}", f"game:{number}", f"ws:{in_digits(begun.score[0])}", f"bs:{in_digits(begun.score[1])}"],
        "PW": [book.players[0]], "PB": [book.players[1]],
    }  # fmt: skip
    root |= {name: [book.facts[fact]] for name, fact in FACTS.items() if fact in book.facts}
    if others := [text for fact in book.facts.items() if fact[0] not in FACTS.values() for text in fact]:
        root["XI"] = others
    if book.annotations and book.program:
        root["XP"] = [book.program]
    if words:
        root["RU"] = [":".join(words)]
    if match.rules.name != "backgammon" and match.rules.name not in GNU_NAMES:
        root["XV"] = [match.rules.name]
    if terms.money:
        root["XB"] = [str(terms.beavers)]
    if any(terms.first_score):
        root["XF"] = ["1"]
    if terms.begins(0) is not None:  # for people; the log in the file is what is read
        root["GN"] = [f"Begins at {book.begins_at}"]
    if terms.automatic_doubles:
        root["XA"] = [str(terms.automatic_doubles)]
    if sheet.game.cube.ties:
        root["CV"] = [str(2**sheet.game.cube.ties)]
    if sheet.openings:
        root["XO"] = sheet.openings
    result = sheet.game.result
    if result is not None and result.winner is not None:
        resigned = "R" if result.how in ("resign", "settle") else ""
        root["RE"] = [f"{COLOURS[result.winner]}+{in_digits(result.points)}{resigned}"]
    return root


class _Sheet:
    """The nodes of one game, filled event by event."""

    def __init__(self, begun: Match) -> None:
        self.begun = begun
        self.game: Game = begun.game
        self.openings: list[str] = []
        self.nodes: list[SgfNode] = []
        self.comment = ""
        self.rows = 0
        self.plays = 0  # of the last roll

    def write(self, event: Event) -> None:
        """Adds one event."""
        if self.game.over and not isinstance(event, Settle):  # the end of a session, which the game does not record
            return
        before, self.game = self.game, self.game.replay(event)
        match event:
            case Opening(faces):
                if faces[0] == faces[1] or self.game.rules.opening.first_roll is not FirstRoll.OPENING_ROLL:
                    self.openings.append(f"{faces[0]}-{faces[1]}")
            case Roll():
                self.plays = 0
            case PlayMade() | Correct():
                self.plays += 1
                moves = "".join(_letters(before.rules, event.player, move) for move in event.moves)
                self._add(event.player, f"{dice_text(before.rules, before.faces)}{moves}")
            case Rollover(player, _) if before.last_roll is not None:
                roller = before.last_roll.player
                self._drop(roller)
                whose = "own" if roller == player else "opp"
                self.nodes.append(
                    {"XR": [f"{COLOURS[roller]}:{whose}:{dice_text(before.rules, before.last_roll.faces)}"]}
                )
            case Object() if before.last_roll is not None:
                self._drop(before.last_roll.player)
            case Double(player) | Beaver(player) | Raccoon(player):
                self._add(player, "double")
            case Take(player):
                self._add(player, "take")
            case Pass(player):
                self._add(player, "drop")
            case Accept():
                self._rolled(before, before.resume is Phase.TO_PLAY)
            case Timeout(player):
                self.nodes.append({"XT": [COLOURS[player]]})
            case _:
                pass

    def annotate(self, event: Event, annotation: Annotation | None) -> None:
        """Adds what the book says about the event just written; a comment on one without a node waits for the next."""
        grown, self.rows = len(self.nodes) > self.rows, len(self.nodes)
        if annotation is not None and not grown:
            self.comment = f"{self.comment}\n{annotation.comment}".strip()
        if not grown:
            return
        found = annotation or Annotation()
        if self.comment:
            found, self.comment = found.with_comment(self.comment), ""
        player = next((index for index, colour in enumerate(COLOURS) if colour in self.nodes[-1]), None)
        if player is None:  # a roll, a call or a loss on time: nothing that a program judges
            self._comment(found.comment)
        elif found:
            steps = [move[:2] for move in event.moves] if isinstance(event, PlayMade) else None
            letter = partial(letter_of, self.game.rules, player)
            self.nodes[-1] = {**self.nodes[-1], **annotated(found, steps, letter, self.begun.terms.money)}

    def lines(self) -> list[SgfNode]:
        """The nodes after the first, and the roll that is not yet played."""
        self._rolled(self.game, bool(self.game.faces))
        if self.comment and not self.nodes:
            self.nodes.append({})
        self._comment(self.comment)
        return self.nodes

    def _comment(self, text: str) -> None:
        """Adds a comment to the last node."""
        if text:
            self.nodes[-1] = {**self.nodes[-1], "C": [*self.nodes[-1].get("C", []), text]}

    def _rolled(self, game: Game, waits: bool) -> None:
        if waits and game.last_roll is not None:
            self.nodes.append({"PL": [COLOURS[game.player]], "DI": [dice_text(game.rules, game.last_roll.faces)]})

    def _add(self, player: int, text: str) -> None:
        self.nodes.append({COLOURS[player]: [text]})

    def _drop(self, player: int) -> None:
        """Removes the plays of a roll that was rerolled or objected to; comments on them wait for the next node."""
        for index in range(len(self.nodes) - 1, -1, -1):
            if self.plays and COLOURS[player] in self.nodes[index]:
                self.comment = "\n".join((*self.nodes[index].get("C", []), self.comment)).strip()
                del self.nodes[index]
                self.plays -= 1
        self.plays = 0


def dice_text(rules: Rules, faces: tuple[int, ...]) -> str:
    """Two digits: of two dice, or of the one with twelve sides."""
    return "".join(map(str, faces)) if rules.dice.count > 1 else f"{faces[0]:02}"


def _letters(rules: Rules, player: int, move: MoveMade) -> str:
    return letter_of(rules, player, move[0]) + letter_of(rules, player, move[1])


def letter_of(rules: Rules, player: int, place: int) -> str:
    """The letter of a player's own point: a to x are White's points 1 to 24, y the bar, z off, H the hand."""
    if place in (OFF, BAR, HAND):
        return {OFF: "z", BAR: "y", HAND: "H"}[place]
    point = place if player == 0 else rules.movement.meeting.other(place)
    return chr(ord("a") + point - 1)
