"""A match as lines to correct, a turn a line, such as "Anna: 31 8/5 6/5"; and the match that such lines tell, as far as they are possible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from barpoint.board import Position
from barpoint.error import BarpointError, FormatError, IllegalEvent
from barpoint.game import (
    Abort,
    Correct,
    Event,
    Game,
    Next,
    Opening,
    PlayMade,
    Resign,
    Roll,
    Rollover,
    Settle,
    Void,
    in_digits,
)
from barpoint.game.event import MoveMade, PositionCounts, counts_of, event_from_dict, kind_of, position_of
from barpoint.game.manual import hand_moves_of
from barpoint.match import Match
from barpoint.moves import find_play, parse_faces, parse_paths, parse_play, play_to
from barpoint.record.transcriber import MAX_EVENTS, points_in

MAX_LINES_TEXT: Final = 200_000
"""Characters of all lines together."""

ILLEGAL: Final = "illegal"
"""Stands behind a play against the rules that was made so."""

_LED: Final = re.compile(r"^(\d{1,3}(?:-\d{1,2})*)(?![\d/*-])[:\s]*(.*)$")
"""A roll and what follows it."""

_WORD: Final = re.compile(r"^([a-z]+)\b(?!/)\s*(.*)$")

_OF_PLAYER: Final = frozenset(
    ("double", "take", "pass", "beaver", "raccoon", "accept", "reject", "keep", "object", "timeout", "claim")
)
"""Kinds of events that say nothing but who acts."""

KnownMoves = Mapping[tuple[int, Position, tuple[int, ...], PositionCounts | None], tuple[MoveMade, ...]]
"""The moves of plays by player, position before, roll and position after."""


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A line. first: index of its first event in the match."""

    text: str
    first: int


@dataclass(frozen=True, slots=True)
class ReadLines:
    """What lines tell. match: after the last event that is possible. line: index of the first line that is not, and why; None if all are."""

    match: Match
    line: int | None = None
    why: BarpointError | None = None


def line_names(players: tuple[str, str]) -> tuple[str, str]:
    """What the players are called in lines: by their names, without colons, with numbers where both have the same."""
    first, second = (" ".join(name.replace(":", " ").split()) or str(seat) for seat, name in enumerate(players, 1))
    return (first, second) if first.casefold() != second.casefold() else (f"{first} 1", f"{second} 2")


def lines_of(match: Match, players: tuple[str, str]) -> tuple[TurnLine, ...]:
    """All events of the match: a roll with its play is a line, everything else has its own."""
    return lines_of_events(match.history(), players)


def lines_of_events(history: Iterable[tuple[Match, Event]], players: tuple[str, str]) -> tuple[TurnLine, ...]:
    """The lines of events in a row, each with the match before it."""
    names, lines = line_names(players), list[TurnLine]()
    last: Event | None = None
    for index, (before, event) in enumerate(history):
        text = _text(before.game, event)
        if isinstance(event, PlayMade) and isinstance(last, Roll) and last.player == event.player:
            lines[-1] = TurnLine(f"{lines[-1].text} {text}", lines[-1].first)
        else:
            player = _player(event)
            lines.append(TurnLine(text if player is None else f"{names[player]}: {text}", index))
        last = event
    return tuple(lines)


def made_in(match: Match) -> KnownMoves:
    """The moves of all plays of a match."""
    return {
        (before.game.player, before.game.position, before.game.faces, event.position): event.moves
        for before, event in match.history()
        if isinstance(event, PlayMade)
    }


def read_lines(begun: Match, lines: Sequence[str], players: tuple[str, str], made: KnownMoves) -> ReadLines:
    """The match that goes on from `begun` as the lines say, up to the first that is not possible; empty lines say nothing.

    made: in the match as it was; where a line says the same play in the same position, its checkers are moved in the same order.
    """
    names, match = line_names(players), begun
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        before = match
        try:
            player, text = _led(line, names)
            for part in _parts(text):
                if len(match.events) >= MAX_EVENTS:
                    raise FormatError("more than %(max_events)s events in one match", max_events=MAX_EVENTS)
                match = match.apply(_event(match, player, part, names, made))
        except BarpointError as error:
            return ReadLines(before, number, error)
    return ReadLines(match)


def after_roll(match: Match, line: str, players: tuple[str, str]) -> Match:
    """The match after the roll with which a line begins; as it is where the line begins with none that is possible."""
    names = line_names(players)
    with suppress(BarpointError):
        player, text = _led(line, names)
        if _LED.match(text):
            return match.apply(_event(match, player, _parts(text)[0], names, {}))
    return match


def _player(event: Event) -> int | None:
    """Whose name stands before an event."""
    return int(event.points < 0) if isinstance(event, Settle) else getattr(event, "player", None)


def _text(game: Game, event: Event) -> str:
    match event:
        case Roll(_, faces):
            return _faces(faces)
        case Opening(faces):
            return f"opening {'-'.join(map(str, faces))}"
        case PlayMade():
            return _play(game, event)
        case Correct():
            return f"correct {_play(game, event)}"
        case Resign(_, level):
            return f"resign {level}"
        case Settle(points):
            return f"settle {in_digits(abs(points))}"
        case Void(_, _, reason):
            return f"void {reason}"
        case Abort(True):
            return "void match"
        case _:
            return kind_of(event)


def _faces(faces: Sequence[int]) -> str:
    return ("" if max(faces, default=0) < 10 else "-").join(map(str, faces))


def _play(game: Game, event: PlayMade | Correct) -> str:
    """The play as it is read again."""
    illegal = isinstance(event, PlayMade) and event.illegal
    if event.position is not None and not illegal:
        play = play_to(game.rules, game.position, game.faces, position_of(event.position), event.again)
        if play is not None:
            return str(play)
    moves = " ".join(f"{source}/{target}" for source, target, _ in event.moves) or "(no play)"
    return f"{moves} {ILLEGAL}" if illegal else moves


def _led(line: str, names: tuple[str, str]) -> tuple[int | None, str]:
    """Whose line it is, None if no name stands there, and the rest of it."""
    shown = " ".join(line.split())
    for player, name in enumerate(names):
        if shown.casefold().startswith(f"{name.casefold()}:"):
            return player, shown[len(name) + 1 :].strip().lower()
    return None, shown.lower()


def _parts(text: str) -> list[str]:
    """A roll and its play apart."""
    led = _LED.match(text)
    return [text] if led is None else [led[1], *([led[2]] if led[2] else [])]


def _event(match: Match, player: int | None, text: str, names: tuple[str, str], made: KnownMoves) -> Event:
    """What a part of a line says. made: the moves of plays as they are known."""
    game = match.game
    word, rest = found.groups() if (found := _WORD.match(text)) else ("", text)
    if word in _OF_PLAYER:
        return event_from_dict({"kind": word, "player": _who(match, player, word)})
    match word:
        case "opening":
            first, second = _two(rest)
            return Opening((first, second))
        case "next":
            return Next()
        case "abort":
            return Abort()
        case "resign":
            return Resign(_who(match, player, word), int(rest) if rest in ("1", "2", "3") else 1)
        case "settle":
            return Settle(_points(rest) * (-1 if player else 1))
        case "rollover":
            return Rollover(_who(match, player, word), game.last_roll.id if game.last_roll else 0)
        case "void" if rest == "match":
            return Abort(voided=True)
        case "void":
            return event_from_dict(
                {"kind": word, "player": _who(match, player, word), "throw": game.roll_id, "reason": rest or "cocked"}
            )
    if player is not None and player != game.player:
        raise IllegalEvent("it is the turn of %(name)s", name=names[game.player])
    if _LED.match(text):
        return Roll(game.player, parse_faces(game.rules.dice.rows, text))
    if word == "correct":
        return Correct(game.player, _moves(game, rest, made))
    return PlayMade(game.player, _moves(game, text, made))


def _who(match: Match, player: int | None, kind: str) -> int:
    """Who acts: whoever is named, or may."""
    if player is not None:
        return player
    return next((one.player for one in match.legal_events() if one.kind == kind and one.player is not None), 0)


def _moves(game: Game, text: str, made: KnownMoves) -> tuple[MoveMade, ...]:
    if text.endswith(ILLEGAL):
        ways, _stars = parse_paths(text.removesuffix(ILLEGAL).strip(), backwards=True)
        return hand_moves_of(step for way in ways for step in pairwise(way))
    if not game.faces:
        raise IllegalEvent("%(text)r: there is no roll to play", text=text[:40])
    play = parse_play(game.rules, game.position, game.faces, text)
    moves = made.get((game.player, game.position, game.faces, counts_of(play.result)), play.moves)
    return moves if find_play(game.rules, game.position, game.faces, moves).again == play.again else play.moves


def _two(text: str) -> tuple[int, int]:
    """The dice of an opening roll, in the order of the players."""
    found = re.findall(r"\d+", text)
    numbers = list(found[0]) if len(found) == 1 else found
    if len(numbers) != 2:
        raise FormatError("%(text)r is no opening roll; a die of each player is written as in 3-1", text=text[:40])
    return int(numbers[0][:3]), int(numbers[1][:3])


def _points(text: str) -> float:
    if re.fullmatch(r"\d{1,19}(\.\d{1,4})?", text) is None:
        raise FormatError("%(text)r are no points; they are written as in 2", text=text[:40])
    return points_in(text)
