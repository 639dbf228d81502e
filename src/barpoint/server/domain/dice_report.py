"""The report of a match's dice: the seeds and every roll, so that anybody can verify them.

It exists only once the match is over, because it reveals the server's seed.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.dice import THREE_DICE, TWO_DICE, DiceKind, DiceRow, numbers_for, roll, roll_one, twelve_sided
from barpoint.error import BarpointError, FormatError
from barpoint.game import Opening, Rollover, Void
from barpoint.game import Roll as RollMade
from barpoint.match import Match
from barpoint.rules import FirstRoll, Rules
from barpoint.server.domain.dice import CLIENT_DOMAIN, DOMAIN, FAIR_LIMIT, MADE_DIGITS, OPENING_DOMAIN, SEPARATOR, Seeds

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in lower-case hexadecimal."""

SeedText = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^|]+$")]
"""Part of the text that is hashed; a separator in it would be ambiguous."""

Maker = Literal["server", "player"]
"""Who made a client seed. The server makes one for a player who gives none, and the report says so."""

Count = Annotated[int, Meta(ge=1, le=1_000_000)]
GameNumber = Annotated[int, Meta(ge=0, le=1_000_000)]
MAX_REPORT_BYTES: Final = 32 * 1024 * 1024
"""Size limit of a report in bytes."""


_DICE: Final[dict[DiceKind, tuple[tuple[DiceRow, ...], int]]] = {
    "2d6": (TWO_DICE, 6),
    "1d12": (twelve_sided(), 12),
    "3d6": (THREE_DICE, 6),
}
"""The rows and sides of each kind of dice."""


class DiceSecret(BarpointError):
    """The match is not over, so its seed stays secret."""


class DiceRefused(BarpointError):
    """A report that fails verification. index: of the first roll that differs, from 0; None for the report's head."""

    def __init__(self, text: object, /, index: int | None = None, **values: object) -> None:
        super().__init__(text, **values)
        self.index = index


class RollReported(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll, or an opening roll.

    game: from 1; 0 for the rolls for the first order of a chouette, which are opening rolls of one player each. domain:
    which of the two. number: of the roll within its game, or of the attempt at the opening roll, from 1; a rerolled
    roll keeps its number. counter: the block that its last number was taken from. player: the roller; None for an
    opening roll of two. faces: highest first; in an opening roll player 0's and 1's, at a chouette the box's and the
    team's.
    """

    game: GameNumber
    domain: Literal["bgdice/1", "bgdice/1/opening"]
    number: Count
    counter: Annotated[int, Meta(ge=0, le=1_000)]
    player: Annotated[int, Meta(ge=0, lt=1000)] | None
    faces: tuple[Annotated[int, Meta(ge=1, le=12)], ...]
    rerolled: bool


class SeedGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """A seed that a player of a chouette has given for its dice: it counts in this game and all that follow."""

    player: Annotated[int, Meta(ge=0, lt=1000)]
    game: GameNumber
    seed: SeedText


class DiceReport(Struct, frozen=True, forbid_unknown_fields=True):
    """The dice of a finished match, or of a closed chouette.

    commitment: the SHA-256 of the server's seed, published before the match. client_commitments: to the players' seeds,
    published before the seeds were revealed; null for a seed that the server made, which then follows from its own.
    opening_played: the winning dice of the opening roll are played as the first roll, which has number 1; otherwise
    that number is rolled anew. first_roll: number of the first roll of a match that begins in a set-up position, without an
    opening roll: 2 where the first roll is set up too; 0 for all others. every_game: all its games begin in that way. seeds_by: who made each client seed, according to the server. given: seeds of the
    players of a chouette, in the order in which they follow the other two. winner_starts: a game after the first may begin
    with its first roll, without an opening roll.
    """

    format: Literal["bgdice/1"]
    match: SeedText
    dice: DiceKind
    opening_played: bool
    commitment: Hex32
    server_seed: Hex32
    client_seeds: tuple[SeedText, SeedText]
    seeds_by: tuple[Maker, Maker]
    client_commitments: tuple[Hex32 | None, Hex32 | None]
    rolls: Annotated[tuple[RollReported, ...], Meta(max_length=100_000)]
    of: Literal["match", "chouette"] = "match"
    given: Annotated[tuple[SeedGiven, ...], Meta(max_length=1000)] = ()
    first_roll: Annotated[int, Meta(ge=0, le=2)] = 0
    winner_starts: bool = False
    every_game: bool = False

    def seeds(self, game: int) -> Seeds:
        """The seeds for the dice of a game."""
        more = (one.seed for one in self.given if one.game <= game)
        return Seeds(self.match, bytes.fromhex(self.server_seed), (*self.client_seeds, *more))


@dataclass(frozen=True, slots=True)
class Checked:
    """What was verified: how many rolls and opening rolls, in how many games, and how many rolls were rerolled."""

    games: int
    rolls: int
    opening_rolls: int
    rerolled: int


Commitments = tuple[str | None, str | None]
"""SHA-256 of the seeds that players gave, in hexadecimal; None for one that the server made."""


def report_of(seeds: Seeds, match: Match, commitments: Commitments = (None, None)) -> DiceReport:
    """The report of a finished match; DiceSecret before its end."""
    if not match.over:
        raise DiceSecret("the match is not over; its dice can be checked when it is")
    report = report_from(seeds, match.rules, _rolls(seeds, match), commitments)
    begins = match.terms.begins(0)
    if begins is None:
        return report
    every = match.terms.proposition is not None
    return msgspec.structs.replace(report, first_roll=2 if begins.faces else 1, every_game=every)


def report_from(
    seeds: Seeds,
    rules: Rules,
    rolls: RollList,
    commitments: Commitments = (None, None),
    of: Literal["match", "chouette"] = "match",
    given: tuple[SeedGiven, ...] = (),
) -> DiceReport:
    """The report of these rolls. given: seeds of the players of a chouette."""
    first, second, *_ = seeds.clients
    return DiceReport(
        format=DOMAIN,
        match=seeds.match_id,
        dice=rules.dice.kind,
        opening_played=rules.opening.first_roll is not FirstRoll.AGAIN,
        commitment=seeds.commitment,
        server_seed=seeds.server.hex(),
        client_seeds=(first, second),
        seeds_by=(_maker(commitments[0]), _maker(commitments[1])),
        client_commitments=commitments,
        rolls=tuple(rolls.found),
        of=of,
        given=given,
        winner_starts=rules.sequence.winner_starts,
    )


def _maker(commitment: str | None) -> Maker:
    return "server" if commitment is None else "player"


class RollList:
    """Rolls as a report states them, gathered in the order of a log.

    found: all of them. place: indexes of the rolls of the running game, by number. rules: whose dice they are.
    """

    def __init__(self, rules: Rules) -> None:
        self._numbers = numbers_for(rules.dice.rows)
        self.found: list[RollReported] = []
        self.begin_game()

    def begin_game(self) -> None:
        """The numbers of rolls and opening rolls begin anew."""
        self._place: dict[int, int] = {}
        self._opening_rolls = 0

    def add_opening(self, seeds: Seeds, game: int, faces: tuple[int, ...], roll_id: int) -> None:
        """An opening roll. roll_id: of the roll that is played with its dice; 0 for none."""
        self._opening_rolls += 1
        self._place[roll_id] = len(self.found)
        self.found.append(reported(seeds, game, OPENING_DOMAIN, self._opening_rolls, None, faces, len(faces)))

    def add(self, seeds: Seeds, game: int, roll_id: int, player: int | None, faces: tuple[int, ...]) -> None:
        """A roll of the running game."""
        self._place[roll_id] = len(self.found)
        self.found.append(reported(seeds, game, DOMAIN, roll_id, player, faces, self._numbers))

    def reroll(self, roll_id: int) -> None:
        """Marks a roll of the running game as rerolled; one that was set up is not in the list."""
        if (index := self._place.get(roll_id)) is None:
            return
        self.found[index] = msgspec.structs.replace(self.found[index], rerolled=True)


def _rolls(seeds: Seeds, match: Match) -> RollList:
    rolls = RollList(match.rules)
    run = Match.start(rules=match.rules, terms=match.terms)
    for event in match.events:
        was_over, run = run.game.over, run.replay(event)
        game = len(run.finished) + (0 if run.game.over else 1)
        match event:
            case Opening(faces):
                rolls.add_opening(seeds, game, faces, run.game.roll_id)
            case RollMade(player, faces):
                rolls.add(seeds, game, run.game.roll_id, player, faces)
            case Rollover() | Void():
                rolls.reroll(event.roll_id)
        if was_over and not run.game.over:
            rolls.begin_game()
    return rolls


def reported(
    seeds: Seeds, game: int, domain: str, number: int, player: int | None, faces: tuple[int, ...], drawn: int
) -> RollReported:
    """A roll as a report states it, with the block of the last of so many numbers that it was drawn from."""
    *_, (counter, _number) = _drawn(seeds, domain, game, number, drawn)
    return RollReported(
        game=game,
        domain="bgdice/1/opening" if domain == OPENING_DOMAIN else "bgdice/1",
        number=number,
        counter=counter,
        player=player,
        faces=faces,
        rerolled=False,
    )


def _drawn(seeds: Seeds, domain: str, game: int, number: int, wanted: int) -> list[tuple[int, int]]:
    """The first numbers below 252 of a roll's blocks, each with its block's counter.

    Implemented from the formula, independently of `dice.numbers`, so that a report checks the server's code.
    """
    found: list[tuple[int, int]] = []
    for counter in count():
        parts = (domain, seeds.match_id, str(game), str(number), *seeds.clients, str(counter))
        block = hmac.new(seeds.server, SEPARATOR.join(parts).encode(), hashlib.sha256).digest()
        found += [(counter, byte) for byte in block if byte < FAIR_LIMIT]
        if len(found) >= wanted:
            return found[:wanted]
    raise AssertionError("counting does not end")


def read_report(data: bytes) -> DiceReport:
    """Reads a report from JSON; FormatError says what is malformed."""
    if len(data) > MAX_REPORT_BYTES:
        raise FormatError(
            "a report of %(count)s bytes; the largest that is read has %(max_report_bytes)s",
            count=len(data),
            max_report_bytes=MAX_REPORT_BYTES,
        )
    try:
        return msgspec.json.decode(data, type=DiceReport)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatError("not a report of dice: %(error)s", error=error) from None


def write_report(report: DiceReport) -> bytes:
    """A report as JSON."""
    return msgspec.json.encode(report)


def check(report: DiceReport) -> Checked:
    """Verifies a report and returns what was checked; DiceRefused names the first roll that differs."""
    seeds = report.seeds(0)
    if seeds.commitment != report.commitment:
        raise DiceRefused(
            "the server's seed has the SHA-256 %(commitment)s, not the one published before",
            commitment=seeds.commitment,
        )
    rows, sides = _DICE[report.dice]
    before: RollReported | None = None
    for index, made in enumerate(report.rolls):
        due = _due(before, made, report)
        if (made.game, made.domain, made.number) != due:
            raise DiceRefused("%(name)s stands where %(due)s is due", index, name=_name(made), due=_name_of(due))
        counter, faces = _expected(report.seeds(made.game), made, rows, sides)
        if made.faces != faces:
            raise DiceRefused(
                "%(name)s shows %(reported)s; the seeds give %(expected)s",
                index,
                name=_name(made),
                reported=_said(made.faces),
                expected=_said(faces),
            )
        if made.counter != counter:
            raise DiceRefused(
                "%(name)s names block %(reported)s; it comes from block %(expected)s",
                index,
                name=_name(made),
                reported=made.counter,
                expected=counter,
            )
        before = made
    for player in (0, 1):
        _check_seed(report, player)
    opening_rolls = sum(made.domain == OPENING_DOMAIN for made in report.rolls)
    return Checked(
        games=report.rolls[-1].game if report.rolls else 0,
        rolls=len(report.rolls) - opening_rolls,
        opening_rolls=opening_rolls,
        rerolled=sum(made.rerolled for made in report.rolls),
    )


def _check_seed(report: DiceReport, player: int) -> None:
    """DiceRefused if a seed does not match its commitment, or, if made by the server, the server's own seed."""
    seed, commitment, maker = report.client_seeds[player], report.client_commitments[player], report.seeds_by[player]
    if maker == "server":
        server, place = bytes.fromhex(report.server_seed), SEPARATOR.join((CLIENT_DOMAIN, report.match, str(player)))
        made = hmac.new(server, place.encode(), hashlib.sha256).hexdigest()[:MADE_DIGITS]
        if commitment is not None or seed != made:
            raise DiceRefused(
                "the seed of player %(player)s is said to be the server's; that would be %(made)s",
                player=player,
                made=made,
            )
    elif commitment != (found := hashlib.sha256(seed.encode()).hexdigest()):
        raise DiceRefused(
            "the seed of player %(player)s has the SHA-256 %(found)s, not the one committed to before",
            player=player,
            found=found,
        )


RollPlace = tuple[int, str, int]
"""(game, domain, number) of a roll."""


def _due(before: RollReported | None, made: RollReported, report: DiceReport) -> RollPlace:
    """The place that must follow a roll; nothing may be missing, so that no roll can be hidden."""
    if report.every_game and (before is None or made.game > before.game):
        return made.game, DOMAIN, report.first_roll  # a game between may have ended before its first roll
    if before is None and report.first_roll:
        if made.game == 1:
            return 1, DOMAIN, report.first_roll
        # The first game ended without a roll, as may others that their winners began.
        return (made.game, DOMAIN, 1) if report.winner_starts and made.domain == DOMAIN else (2, OPENING_DOMAIN, 1)
    if before is None:
        return 0 if report.of == "chouette" else 1, OPENING_DOMAIN, 1
    if before.game == 0:
        return (1, OPENING_DOMAIN, 1) if made.game else (0, OPENING_DOMAIN, before.number + 1)
    if before.domain == OPENING_DOMAIN and before.faces[0] == before.faces[1]:
        return before.game, OPENING_DOMAIN, before.number + 1
    if made.game > before.game and report.winner_starts and made.domain == DOMAIN:
        return made.game, DOMAIN, 1  # a game between may have been given up before its first roll
    if made.game != before.game:
        return before.game + 1, OPENING_DOMAIN, 1
    if before.domain == OPENING_DOMAIN:
        return before.game, DOMAIN, 2 if report.opening_played else 1
    return before.game, DOMAIN, before.number + 1


def _expected(seeds: Seeds, made: RollReported, rows: tuple[DiceRow, ...], sides: int) -> tuple[int, tuple[int, ...]]:
    """The block and the faces that the seeds give for a roll."""
    if made.game == 0:
        ((counter, number),) = _drawn(seeds, made.domain, made.game, made.number, 1)
        return counter, (roll_one(sides, number),)
    if made.domain == OPENING_DOMAIN:
        (_, first), (counter, second) = _drawn(seeds, made.domain, made.game, made.number, 2)
        return counter, (roll_one(sides, first), roll_one(sides, second))
    drawn = _drawn(seeds, made.domain, made.game, made.number, numbers_for(rows))
    return drawn[-1][0], roll(rows, [number for _, number in drawn])


def _name(made: RollReported) -> str:
    return _name_of((made.game, made.domain, made.number))


def _name_of(place: RollPlace) -> str:
    game, domain, number = place
    return f"game {game}, {'opening roll' if domain == OPENING_DOMAIN else 'roll'} {number}"


def _said(faces: tuple[int, ...]) -> str:
    return "-".join(map(str, faces)) or "nothing"
