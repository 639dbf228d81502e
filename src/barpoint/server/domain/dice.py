"""Verifiable dice: every number follows from committed seeds and the place of the roll."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from barpoint.dice import NUMBERS, DiceRow, numbers_for, roll, roll_one

FAIR_LIMIT: Final = NUMBERS
"""Bytes from here on are skipped, so that all dice are exactly uniform."""

DOMAIN: Final = "bgdice/1"
OPENING_DOMAIN: Final = "bgdice/1/opening"
CLIENT_DOMAIN: Final = "bgdice/1/client"
SEPARATOR: Final = "|"

MADE_DIGITS: Final = 32
"""Hexadecimal digits of a seed that the server makes for a player."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds of a match's dice.

    match_id: the match.
    server: 32 bytes, secret until the match is over; `commitment` is public from the start.
    clients: one text per seat, then those that the players of a chouette have given.
    """

    match_id: str
    server: bytes
    clients: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """The SHA-256 of the server's seed, in hexadecimal."""
        return hashlib.sha256(self.server).hexdigest()


class DiceSource(Protocol):
    """Where rolls come from: committed seeds, or a script in tests."""

    def opening(self, seeds: Seeds, game: int, attempt: int, sides: int) -> tuple[int, int]:
        """One die per player for the opening roll; game and attempt are counted from 1."""
        ...

    def roll(self, seeds: Seeds, game: int, number: int, rows: tuple[DiceRow, ...]) -> tuple[int, ...]:
        """The faces of a roll of a game; number is counted from 1, and a rerolled roll keeps its number."""
        ...


def new_server_seed() -> bytes:
    """32 random bytes."""
    return secrets.token_bytes(32)


def made_seed(server_seed: bytes, match_id: str, seat: int) -> str:
    """The seed of a seat whose player gives none: derived from the server's own seed, so its commitment covers both."""
    text = SEPARATOR.join((CLIENT_DOMAIN, match_id, str(seat)))
    return hmac.digest(server_seed, text.encode(), "sha256").hex()[:MADE_DIGITS]


def commitment_of(seed: str) -> str:
    """The SHA-256 of a seed's text, in hexadecimal; players publish it before they reveal the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()


def numbers(seeds: Seeds, domain: str, game: int, place: int) -> Iterator[int]:
    """An endless sequence of numbers 0 <= n < 252 for one roll.

    block = HMAC-SHA256(server seed, domain | match | game | place | client seeds | counter), of which the bytes below
    252 are used.
    """
    counter = 0
    while True:
        text = SEPARATOR.join((domain, seeds.match_id, str(game), str(place), *seeds.clients, str(counter)))
        for byte in hmac.digest(seeds.server, text.encode(), "sha256"):
            if byte < FAIR_LIMIT:
                yield byte
        counter += 1


class SeededDice:
    """Rolls that depend on the seeds alone: asking again gives the same faces."""

    def opening(self, seeds: Seeds, game: int, attempt: int, sides: int) -> tuple[int, int]:
        """One die per player."""
        stream = numbers(seeds, OPENING_DOMAIN, game, attempt)
        return roll_one(sides, next(stream)), roll_one(sides, next(stream))

    def roll(self, seeds: Seeds, game: int, number: int, rows: tuple[DiceRow, ...]) -> tuple[int, ...]:
        """The faces, highest first."""
        return roll(rows, list(islice(numbers(seeds, DOMAIN, game, number), numbers_for(rows))))
