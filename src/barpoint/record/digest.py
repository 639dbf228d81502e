"""The digest of a match: the same for every file of it, whatever its format and whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from barpoint.game.event import (
    Abort,
    Accept,
    Correct,
    Event,
    Keep,
    Next,
    Opening,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Settle,
    kind_of,
)
from barpoint.match import Match
from barpoint.match.starting_position import StartingPosition
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import rules_of_game

_UNTOLD = Abort | Accept | Keep | Reject | Resign | Settle
"""Events that formats tell apart, or not at all: what they pay is in the result of the game."""

_Values = tuple[object, ...]


def match_digest(match: Match, players: tuple[str, str]) -> str:
    """The SHA-256 of what makes a match this one, in hexadecimal digits.

    It is of the players, the rules, the length, the score and the position at the beginning, and of each game: rolls, the
    positions after the plays, cube actions, who won and how many points. What formats spell differently or leave out does
    not count: the order of moves and dice, tied opening rolls, seats, capital letters and spaces in names, points
    beyond the length, how a loser gave up, other terms, notes and dates.
    """
    from hashlib import sha256  # loads OpenSSL, 3.5 MB that nobody needs who only imports the package

    return sha256(min(_told(match, players, first) for first in (0, 1))).hexdigest()


def counted_events(match: Match) -> tuple[int, ...]:
    """The numbers of the events, from 1, that the digest counts: as many, and in the same order, in every match with the same digest."""
    return tuple(number for number, (_, told) in enumerate(_events(match, 0), start=1) if told)


def _told(match: Match, players: tuple[str, str], first: int) -> bytes:
    """What counts, as bytes. first: the player who is told as player 0."""
    terms = match.terms
    names = [" ".join(name.casefold().split()) for name in players]
    begun = terms.begins_at and _begun(terms.begins_at, first)
    if terms.proposition is not None:
        begun = (*(_begun(position, first) for position in terms.proposition.positions), terms.proposition.spot)
    scores = [
        _seats(score, first, terms.length) for score in (terms.first_score, *(one.score for one in match.finished))
    ]
    winners = [None if one.result.winner is None else one.result.winner ^ first for one in match.finished]
    told = (
        match.rules.name,
        terms.length,
        (names[first], names[1 - first]),
        begun,
        scores,
        winners,
        _games(match, first),
    )
    return msgspec.json.encode(told)


def _seats(score: tuple[float, float], first: int, length: int) -> tuple[float, ...]:
    return tuple(float(min(score[player], length) if length else score[player]) for player in (first, 1 - first))


def _begun(at: StartingPosition, first: int) -> _Values:
    owner = None if at.owner is None else at.owner ^ first
    return (at.counts, at.player ^ first, sorted(at.faces), at.cube, owner)


def _games(match: Match, first: int) -> list[list[_Values]]:
    """What happens in each game; a game in which nothing has happened yet is none."""
    games: list[list[_Values]] = [[]]
    for event, told in _events(match, first):
        if isinstance(event, Next):
            games.append([])
        elif told:
            games[-1].append(told)
    return games if games[-1] else games[:-1]


def _events(match: Match, first: int) -> Iterator[tuple[Event, _Values]]:
    """Every event with what counts of it, () for nothing."""
    rules, game = rules_of_game(match.rules), 0
    for event in match.events:
        if isinstance(event, Next):
            game += 1
            rules = rules_of_game(match.rules, game)
        yield event, () if isinstance(event, _UNTOLD | Next) else _event(rules, event, first)


def _event(rules: Rules, event: Event, first: int) -> _Values:
    """What counts of an event; nothing of an opening roll that only says who starts, or not even that."""
    if isinstance(event, Opening):
        high, low = sorted(event.faces, reverse=True)
        if high == low or rules.opening.first_roll is FirstRoll.AGAIN:
            return ()
        played = (high, low) if rules.opening.first_roll is FirstRoll.OPENING_ROLL else (high,)
        return ("opening", event.faces.index(high) ^ first, played)
    player = getattr(event, "player", 0) ^ first
    if isinstance(event, Roll):
        return ("roll", player, sorted(event.faces))
    if isinstance(event, PlayMade | Correct):
        return ("play", player, event.position)
    return (kind_of(event), player)
