"""Reads SGF: ours and GNU Backgammon's (rulings 7.5, docs/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from barpoint.board import BAR, HAND, OFF
from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game import (
    Beaver,
    Double,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Rollover,
    Take,
    Timeout,
)
from barpoint.game.event import MoveMade
from barpoint.game.manual import hand_moves_of
from barpoint.language import Said
from barpoint.match import Match, MatchTerms
from barpoint.moves import Play, find_play, legal_plays, parse_play
from barpoint.record.annotation import MAX_COMMENT, Annotation, Annotations
from barpoint.record.book import Book
from barpoint.record.oddity import Oddities, Place
from barpoint.record.sgf_annotations import comment_of, parse_annotation
from barpoint.record.sgf_setup import before_play, sets_up, setup_of
from barpoint.record.sgf_tree import LinePlaces, Node, parse_trees
from barpoint.record.sgf_writer import COLOURS, FACTS, GNU_NAMES
from barpoint.record.transcriber import LEFT_OUT, REST_LEFT_OUT, Transcriber, points_in, usual_play
from barpoint.rules import Rules
from barpoint.variants import variant

Tree = tuple[Node, ...]
"""The nodes of a game in a file."""

_GAMES: Final = {word: name for name, word in GNU_NAMES.items()}
_PLAY = re.compile(r"([0-9]{2})((?:[a-zH]{2}){0,16})", re.ASCII)
_RESULT = re.compile(r"([WB])\+([0-9]{1,18}(?:\.[0-9]{1,3})?)", re.ASCII)
_CALL = re.compile(r"([WB]):(own|opp):([0-9]{2})", re.ASCII)
_OPENING_ROLL = re.compile(r"([0-9]{1,2})-([0-9]{1,2})", re.ASCII)


def parse_sgf(text: str, *, strict: bool = False) -> Book:
    """Parses the first match, with what is odd about the file; strict: FormatError, with line and column, for anything
    odd.

    FormatError in any case when the text is no match.
    """
    text = text.removeprefix("\ufeff")
    oddities, lines = Oddities(strict), LinePlaces(text)
    first, *others = _matches(parse_trees(text, oddities))
    reader = _read(first, oddities, lines)
    if others:
        oddities.add(
            Said("another match begins"), Said("only the first one is read here"), lines.place(others[0][0][0].at)
        )
    return reader.book()


def parse_sgf_matches(text: str, *, strict: bool = False) -> tuple[Book, ...]:
    """Parses all matches of a file, each as `parse_sgf`."""
    text = text.removeprefix("\ufeff")
    oddities, lines = Oddities(strict), LinePlaces(text)
    books = []
    for games in _matches(parse_trees(text, oddities)):
        books.append(_read(games, oddities, lines).book())
        oddities = Oddities(strict)
    return tuple(books)


def _matches(games: Sequence[Tree]) -> list[list[Tree]]:
    """The games, one list for each match."""
    found: list[list[Tree]] = []
    before = -1
    for nodes in games:
        if not nodes:
            raise FormatError("a game without a node")
        number = _info(nodes[0]).get("game", before + 1)
        if not found or number <= before or number == 0:
            found.append([])
        found[-1].append(nodes)
        before = number
    return found


def _read(games: Sequence[Tree], oddities: Oddities, lines: LinePlaces) -> _Reader:
    """Reads the games of one match."""
    reader: _Reader | None = None
    for nodes in games:
        for node in nodes:
            place = lines.place(node.at)
            try:
                if node is nodes[0]:
                    reader = reader or _Reader(node, oddities, games)
                    reader.begin(nodes, place)
                else:
                    assert reader is not None
                    reader.read(node, place)
            except FormatError as error:
                raise error if error.line else FormatError(error, place.line, place.column) from None
            except BarpointError as error:
                raise FormatError(error, place.line, place.column) from None
        assert reader is not None
        reader.finish(nodes[0], lines.place(nodes[0].at))
    assert reader is not None
    return reader


class _Reader:
    """Builds the match node by node."""

    def __init__(self, root: Node, oddities: Oddities, games: Sequence[Tree]) -> None:
        if root.get("GM", "6") != "6":
            raise FormatError("a game GM[%(get)s]; backgammon is 6", get=root.get("GM")[:8])
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
            automatic_doubles=_digit(root, "XA", max(_automatic_doubles(nodes[0]) for nodes in games)) if money else 0,
            manual="Manual" in words,
            transcript="Transcript" in words,
            first_score=_first_score(root, info),
        )
        self.oddities = oddities
        self.scribe = Transcriber(Match.start(rules=variant(name), terms=terms), oddities)
        self.players = (root.get("PW", "Player 1"), root.get("PB", "Player 2"))
        others = root.properties.get("XI", ())
        self.facts = dict(zip(others[::2], others[1::2], strict=False))
        self.facts |= {fact: root.get(key) for key, fact in FACTS.items() if key in root.properties}
        self.annotations: Annotations = {}
        self.setup = 0  # nodes to come that the position in which the match begins was read from
        self.program = " ".join((root.get("XP") or root.get("AP")).split(":"))[:80]

    def book(self) -> Book:
        """The finished match, after the last game."""
        self.scribe.end()
        match = self.scribe.match
        kept = {number: one for number, one in self.annotations.items() if number <= len(match.events)}
        return Book(match, self.players, self.facts, tuple(self.oddities.found), kept, self.program)

    def begin(self, nodes: Tree, place: Place) -> None:
        """Reads the first node of a game, and the position that those after it set up."""
        scribe, root = self.scribe, nodes[0]
        scribe.place = place
        info = _info(root)
        scribe.begin_game((info.get("ws", 0), info.get("bs", 0)))
        crawford = "CrawfordGame" in root.get("RU").split(":")
        before: list[Node] = []
        if not scribe.match.events and (position := setup_of(scribe.match.game.rules, nodes, self._place, crawford)):
            scribe.begin_at(position)
            before = before_play(nodes)
        elif not crawford:
            scribe.begin_after_crawford()
        self.setup = len(before)
        for text in root.properties.get("XO", ()):
            faces = _OPENING_ROLL.fullmatch(text)
            if faces:
                scribe.openings.append((int(faces[1]), int(faces[2])))
            else:
                scribe.odd(Said("XO[%(text)s]; opening dice are such as 4-4", {"text": text[:12]}), LEFT_OUT)
        if not scribe.openings and not self.setup:
            scribe.openings = [(1, 1)] * _automatic_doubles(root)
        said = "\n".join(filter(None, (comment_of(node.properties) for node in (root, *before))))
        self._annotate(len(scribe.match.events) + 1, Annotation(said[:MAX_COMMENT]))

    def read(self, node: Node, place: Place) -> None:
        """Reads one more node."""
        self.scribe.place = place
        if self.setup:
            self.setup -= 1
            return
        if sets_up(node) and not self.scribe.lost:
            self.scribe.odd(Said("a game that begins with a position somebody has set up"), REST_LEFT_OUT)
            self.scribe.lost = True
        before = len(self.scribe.match.events)
        for player, colour in enumerate(COLOURS):
            if colour in node.properties:
                self._act(player, node.get(colour))
                found = parse_annotation(node.properties, partial(self._place, player), self.scribe.match.terms.money)
                self._annotate(self._said_of(before, found), found)
        if "XR" in node.properties:
            self._call(node.get("XR"))
        if "XT" in node.properties:
            self.scribe.act(Timeout(COLOURS.index(_colour(node.get("XT")))))
        if "DI" in node.properties and "PL" in node.properties:
            self._roll(COLOURS.index(_colour(node.get("PL"))), node.get("DI"))
        if not any(colour in node.properties for colour in COLOURS):  # about the roll, or what ended the game
            self._annotate(len(self.scribe.match.events) or 1, Annotation(comment_of(node.properties)))

    def _said_of(self, before: int, found: Annotation) -> int:
        """The number of the event of a node; 0 if it has none that the annotation could be about."""
        for number, event in enumerate(self.scribe.match.events[before:], start=before + 1):
            if isinstance(event, (PlayMade, Double, Take, Pass, Beaver, Raccoon)):
                return number
        return before if before and found.comment else 0

    def _annotate(self, number: int, found: Annotation) -> None:
        if number and found:
            known = self.annotations.get(number, Annotation())
            self.annotations[number] = found.with_comment(known.comment) if known.comment else found

    def finish(self, root: Node, place: Place) -> None:
        """Applies the end of a game, as its first node gives it."""
        self.scribe.place = place
        said = _RESULT.match(root.get("RE"))
        if said:
            self.scribe.won(COLOURS.index(said[1]), points_in(said[2]))

    def _act(self, player: int, text: str) -> None:
        scribe = self.scribe
        game = scribe.match.game
        match text:
            case "double":
                raised = Raccoon(player) if player == game.player else Beaver(player)
                scribe.cube(raised if game.phase is Phase.DOUBLED else Double(player))
            case "take":
                scribe.cube(Take(player))
            case "drop":
                scribe.cube(Pass(player))
            case _:
                found = _PLAY.fullmatch(text)
                if not found:
                    said = Said(
                        "%(text)r; a play is two digits and pairs of letters, or double, take, drop",
                        {"text": text[:20]},
                    )
                    scribe.odd(said, LEFT_OUT)
                    return
                if not game.faces or game.player != player:
                    self._roll(player, found[1])
                self._play(player, found[2])

    def _roll(self, player: int, text: str) -> None:
        try:
            faces = self._faces(text)
        except FormatError as error:
            self.scribe.odd(error.said, REST_LEFT_OUT)
            self.scribe.lost = True
            return
        self.scribe.roll(player, faces)

    def _faces(self, text: str) -> tuple[int, ...]:
        if not re.fullmatch("[0-9]{2}", text, re.ASCII):
            raise FormatError("%(found)r; a roll is two digits", found=text[:12])
        two = self.scribe.match.game.rules.dice.count > 1
        return (int(text[0]), int(text[1])) if two else (int(text),)

    def _play(self, player: int, letters: str) -> None:
        game = self.scribe.match.game
        if self.scribe.lost or game.phase is not Phase.TO_PLAY:
            return
        steps = [
            (self._place(player, a), self._place(player, b)) for a, b in zip(letters[::2], letters[1::2], strict=True)
        ]

        def find() -> Play:
            for moves in _numbered(game.rules, game.faces, steps):
                try:
                    found = find_play(game.rules, game.position, game.faces, moves)
                except IllegalMove:
                    continue
                if all(target != OFF for _, target in steps):
                    return found
                return usual_play(game, found, lambda play: [move[:2] for move in play.moves] == steps)
            names = {BAR: "bar", OFF: "off", HAND: "hand"}
            text = " ".join(f"{names.get(a, a)}/{names.get(b, b)}" for a, b in steps)
            return parse_play(game.rules, game.position, game.faces, text, hint=False)

        self.scribe.play(player, find, hand_moves_of(steps))

    def _place(self, player: int, letter: str) -> int:
        if letter in "yzH":
            return {"y": BAR, "z": OFF, "H": HAND}[letter]
        point = ord(letter) - ord("a") + 1
        if player == 0:
            return point
        other = self.scribe.match.game.rules.movement.meeting.other
        return next(own for own in range(1, 25) if other(own) == point)

    def _call(self, text: str) -> None:
        scribe = self.scribe
        found = _CALL.fullmatch(text)
        if not found:
            scribe.odd(Said("XR[%(text)s]; a call is such as W:own:62", {"text": text[:12]}), LEFT_OUT)
            return
        roller = COLOURS.index(found[1])
        self._roll(roller, found[3])
        caller = roller if found[2] == "own" else 1 - roller
        game = scribe.match.game
        while game.faces and not any(item.kind == "rollover" and item.player == caller for item in game.legal_events()):
            self._any_play(roller)  # rerolled after its play, which the file does not record
            game = scribe.match.game
        scribe.act(Rollover(caller, scribe.match.game.roll_id))

    def _any_play(self, player: int) -> None:
        game = self.scribe.match.game
        if game.phase is Phase.TO_PLAY:
            self.scribe.act(PlayMade(player, legal_plays(game.rules, game.position, game.faces)[0].moves))


def _numbered(rules: Rules, faces: tuple[int, ...], steps: list[tuple[int, int]]) -> Iterator[tuple[MoveMade, ...]]:
    """The possible assignments of numbers to steps; only bearing off and entering leave a choice."""
    row = next(row for row in rules.dice.rows if row.faces == tuple(sorted(faces, reverse=True)))
    known = sorted({number for stage in row.stages for option in stage for number in option}, reverse=True)

    def choices(step: tuple[int, int]) -> list[int]:
        source, target = step
        exact = source - target if target != OFF and source != HAND else 25 - target if source == HAND else 0
        return [exact] if exact else [number for number in known if source <= number] or known

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
        if re.fullmatch("[0-9]{1,18}", value, re.ASCII):
            found[name] = int(value)
    return found


def _automatic_doubles(root: Node) -> int:
    """How many automatic doubles the cube of a game begins with, at most 9."""
    found = re.fullmatch("[0-9]{1,3}", root.get("CV"), re.ASCII)
    count = int(found[0]).bit_length() - 1 if found else 0
    return count if found and count > 0 and int(found[0]) == 2**count else 0


def _first_score(root: Node, info: dict[str, int]) -> tuple[int, int]:
    """The score at which our own record begins; a score in another program's first game is odd."""
    return (info.get("ws", 0), info.get("bs", 0)) if root.get("XF") else (0, 0)


def _digit(root: Node, name: str, default: int) -> int:
    text = root.get(name)
    return int(text) if re.fullmatch("[0-9]", text, re.ASCII) else default


def _colour(text: str) -> str:
    if text not in ("W", "B"):
        raise FormatError("%(found)r; a player is W or B", found=text[:12])
    return text
