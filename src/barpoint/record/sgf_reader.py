"""Reads SGF: ours and GNU Backgammon's (rulings 7.5, docs/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from barpoint.board import BAR, HAND, OFF
from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game import (
    Beaver,
    Double,
    Event,
    Keep,
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
from barpoint.game.event import MoveMade
from barpoint.match import Match, MatchTerms
from barpoint.moves import find_play, legal_plays, parse_play
from barpoint.record.book import Book
from barpoint.record.concession import concession
from barpoint.record.sgf_tree import Node, parse_trees, place_of
from barpoint.record.sgf_writer import COLOURS, FACTS
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import variant

_GAMES: Final = {"Nackgammon": "nackgammon", "Hypergammon3": "hypergammon", "Hypergammon2": "hypergammon(checkers=2)",
                 "Hypergammon1": "hypergammon(checkers=1)"}  # fmt: skip
_PLAY = re.compile(r"([0-9]{2})((?:[a-zH]{2}){0,16})", re.ASCII)
_RESULT = re.compile(r"([WB])\+([0-9]{1,6}(?:\.[0-9]{1,3})?)", re.ASCII)
_CALL = re.compile(r"([WB]):(own|opp):([0-9]{2})", re.ASCII)
_OPENING_ROLL = re.compile(r"([0-9]{1,2})-([0-9]{1,2})", re.ASCII)


def parse_sgf(text: str) -> Book:
    """Parses a match; FormatError, with line and column, when the text is no match or not legal."""
    text = text.removeprefix("\ufeff")
    reader: _Reader | None = None
    for nodes in parse_trees(text):
        for node in nodes:
            try:
                if node is nodes[0]:
                    reader = reader or _Reader(node)
                    reader.begin(node)
                else:
                    assert reader is not None
                    reader.read(node)
            except FormatError as error:
                raise error if error.line else FormatError(str(error), *place_of(text, node.at)) from None
            except BarpointError as error:
                raise FormatError(str(error), *place_of(text, node.at)) from None
        if reader is None:
            raise FormatError("a game without a node")
        try:
            reader.finish(nodes[0])
        except BarpointError as error:
            raise FormatError(str(error), *place_of(text, nodes[0].at)) from None
    assert reader is not None
    return reader.book()


class _Reader:
    """Builds the match node by node."""

    def __init__(self, root: Node) -> None:
        if root.get("GM", "6") != "6":
            raise FormatError(f"a game GM[{root.get('GM')[:8]}]; backgammon is 6")
        words = root.get("RU").split(":")
        info = _info(root)
        length = info.get("length", 0)
        money = length == 0
        name = root.get("XV") or next((_GAMES[word] for word in words if word in _GAMES), "backgammon")
        terms = MatchTerms(
            length,
            crawford=money or "Crawford" in words,
            cube="NoCube" not in words,
            jacoby=money and "Jacoby" in words,
            beavers=_digit(root, "XB", 3) if money else 0,
            automatic_doubles=_digit(root, "XA", 1 if root.get("CV") else 0) if money else 0,
        )
        self.match = Match.start(rules=variant(name), terms=terms)
        self.players = (root.get("PW", "Player 1"), root.get("PB", "Player 2"))
        self.facts = {fact: root.get(key) for key, fact in FACTS.items() if key in root.properties}
        self.opening_rolls: list[tuple[int, int]] = []

    def book(self) -> Book:
        """The finished match, after the last game."""
        return Book(self.match, self.players, self.facts)

    def begin(self, root: Node) -> None:
        """Reads the first node of a game."""
        if self.match.events:
            if not self.match.game.over:
                raise FormatError("a new game begins, and nobody has won the one before")
            self._apply(Next())
        info = _info(root)
        score = (info.get("ws", 0), info.get("bs", 0))
        if score != self.match.score:
            found = self.match.score
            raise FormatError(f"score {score[0]}-{score[1]}; the games before make it {found[0]:g}-{found[1]:g}")
        self.opening_rolls = []
        for text in root.properties.get("XO", ()):
            faces = _OPENING_ROLL.fullmatch(text)
            if not faces:
                raise FormatError(f"XO[{text[:12]}]; opening dice are such as 4-4")
            self.opening_rolls.append((int(faces[1]), int(faces[2])))
        doubled = root.get("CV")
        if doubled.isdecimal() and not self.opening_rolls and int(doubled) in (2, 4, 8):
            self.opening_rolls = [(1, 1)] * (int(doubled).bit_length() - 1)

    def read(self, node: Node) -> None:
        """Reads one more node."""
        for player, colour in enumerate(COLOURS):
            if colour in node.properties:
                self._act(player, node.get(colour))
        if "XR" in node.properties:
            self._call(node.get("XR"))
        if "XT" in node.properties:
            self._apply(Timeout(COLOURS.index(_colour(node.get("XT")))))
        if "DI" in node.properties and "PL" in node.properties:
            self._roll(COLOURS.index(_colour(node.get("PL"))), self._faces(node.get("DI")))

    def finish(self, root: Node) -> None:
        """Applies the end of a game, as its first node gives it."""
        said = _RESULT.match(root.get("RE"))
        if not said:
            return
        winner, points = COLOURS.index(said[1]), float(said[2])
        game = self.match.game
        if game.phase is Phase.PROVISIONAL_END:
            self._apply(Keep(1 - game.player))
        elif not game.over:
            for event in concession(self.match, winner, points):
                self._apply(event)
        result = self.match.game.result
        if result is None or result.winner != winner or (result.points != points and not self.match.over):
            raise FormatError(f"RE[{root.get('RE')[:12]}] does not follow from the moves")

    def _apply(self, event: Event) -> None:
        self.match = self.match.apply(event)

    def _act(self, player: int, text: str) -> None:
        game = self.match.game
        match text:
            case "double":
                raised = Raccoon(player) if player == game.player else Beaver(player)
                self._apply(raised if game.phase is Phase.DOUBLED else Double(player))
            case "take":
                self._apply(Take(player))
            case "drop":
                self._apply(Pass(player))
            case _:
                found = _PLAY.fullmatch(text)
                if not found:
                    raise FormatError(
                        f"{text[:20]!r}; a play is two digits and pairs of letters, or double, take, drop"
                    )
                if not game.faces or game.player != player:
                    self._roll(player, self._faces(found[1]))
                self._play(player, found[2])

    def _faces(self, text: str) -> tuple[int, ...]:
        if not re.fullmatch("[0-9]{2}", text, re.ASCII):
            raise FormatError(f"{text[:12]!r}; a roll is two digits")
        two = len(self.match.rules.dice.rows[0].faces) > 1
        return (int(text[0]), int(text[1])) if two else (int(text),)

    def _roll(self, player: int, faces: tuple[int, ...]) -> None:
        opened = False
        if self.match.game.phase is Phase.OPENING:
            opened = self._open(player, faces)
        if not opened:
            self._apply(Roll(player, faces))

    def _open(self, player: int, faces: tuple[int, ...]) -> bool:
        """The opening roll, as the file gives it or as this first roll implies it; whether it made the roll."""
        first = self.match.rules.opening.first_roll
        for dice in self.opening_rolls:
            self._apply(Opening(dice))
        if self.match.game.phase is Phase.OPENING:
            high, low = (2, 1) if first is FirstRoll.AGAIN else (max(faces), min(faces))
            if first is FirstRoll.OWN_NUMBER:
                low = 1 if high > 1 else 2
            self._apply(Opening((high, low) if player == 0 else (low, high)))
        return self.match.game.phase is Phase.TO_PLAY

    def _play(self, player: int, letters: str) -> None:
        game = self.match.game
        steps = [
            (self._place(player, a), self._place(player, b)) for a, b in zip(letters[::2], letters[1::2], strict=True)
        ]
        for moves in _numbered(game.rules, game.faces, steps):
            try:
                found = find_play(game.rules, game.position, game.faces, moves)
            except IllegalMove:
                continue
            self._apply(PlayMade(player, found.moves))
            return
        names = {BAR: "bar", OFF: "off", HAND: "hand"}
        text = " ".join(f"{names.get(a, a)}/{names.get(b, b)}" for a, b in steps)
        self._apply(PlayMade(player, parse_play(game.rules, game.position, game.faces, text).moves))

    def _place(self, player: int, letter: str) -> int:
        if letter in "yzH":
            return {"y": BAR, "z": OFF, "H": HAND}[letter]
        point = ord(letter) - ord("a") + 1
        if player == 0:
            return point
        other = self.match.rules.movement.meeting.other
        return next(own for own in range(1, 25) if other(own) == point)

    def _call(self, text: str) -> None:
        found = _CALL.fullmatch(text)
        if not found:
            raise FormatError(f"XR[{text[:12]}]; a call is such as W:own:62")
        roller = COLOURS.index(found[1])
        self._roll(roller, self._faces(found[3]))
        caller = roller if found[2] == "own" else 1 - roller
        game = self.match.game
        if not any(item.kind == "rollover" and item.player == caller for item in game.legal_events()):
            self._any_play(roller)  # rerolled after its play, which the file does not record
        self._apply(Rollover(caller, self.match.game.roll_id))

    def _any_play(self, player: int) -> None:
        game = self.match.game
        self._apply(PlayMade(player, legal_plays(game.rules, game.position, game.faces)[0].moves))


def _numbered(rules: Rules, faces: tuple[int, ...], steps: list[tuple[int, int]]) -> Iterator[tuple[MoveMade, ...]]:
    """The possible assignments of numbers to steps; only bearing off and entering leave a choice."""
    row = next(row for row in rules.dice.rows if row.faces == tuple(sorted(faces, reverse=True)))
    known = sorted({number for stage in row.stages for option in stage for number in option}, reverse=True)

    def choices(step: tuple[int, int]) -> list[int]:
        source, target = step
        exact = source - target if target != OFF and source != HAND else 25 - target if source == HAND else 0
        return [exact] if exact else [number for number in reversed(known) if source <= number] or known

    def build(index: int, made: tuple[MoveMade, ...]) -> Iterator[tuple[MoveMade, ...]]:
        if index == len(steps):
            yield made
            return
        for number in choices(steps[index]):
            yield from build(index + 1, (*made, (*steps[index], number)))

    yield from build(0, ())


def _info(root: Node) -> dict[str, int]:
    found = {}
    for text in root.properties.get("MI", ()):
        name, _, value = text.partition(":")
        if re.fullmatch("[0-9]{1,6}", value, re.ASCII):
            found[name] = int(value)
    return found


def _digit(root: Node, name: str, default: int) -> int:
    text = root.get(name)
    return int(text) if re.fullmatch("[0-9]", text, re.ASCII) else default


def _colour(text: str) -> str:
    if text not in ("W", "B"):
        raise FormatError(f"{text[:12]!r}; a player is W or B")
    return text
