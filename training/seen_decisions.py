"""Decisions of matches as the model of people's choices sees them, each judged by a deeper search.

The matches are real ones, from a folder that is not part of this repository, or those that bots play against each other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from barpoint import dice
from barpoint.analysis.findings import Decision
from barpoint.analysis.study import Study
from barpoint.driver import play_match
from barpoint.engine import Bot, DecisionPoint, Engine
from barpoint.engine.decision_point import point_of
from barpoint.engine.net import entries
from barpoint.engine.people import MAX_PLAYS
from barpoint.engine.table import fingerprint
from barpoint.error import BarpointError
from barpoint.game import Double, Pass, PlayMade, Roll, Take
from barpoint.game.allowed import doubling_barred
from barpoint.game.event import position_of
from barpoint.match import Match
from barpoint.native import pack
from barpoint.record import Book, read_matches

JUDGE_PLIES: Final = 2
LENGTHS: Final = (3, 5, 7)
"""Points of the matches that bots play; those of most real ones."""

CACHE: Final = Path(__file__).parents[1] / "build" / "people"


class SeenPlay(msgspec.Struct, array_like=True, frozen=True):
    """A play. before: the position, packed. results: of the plays considered, packed. equities: at 0-ply.

    chosen: which of them was made; the last one where it is not among the best MAX_PLAYS.
    """

    player: int
    before: bytes
    results: bytes
    equities: tuple[float, ...]
    chosen: int


class SeenCube(msgspec.Struct, array_like=True, frozen=True):
    """A chance to double, or to take where `answer` is true. Equities are the doubler's at 0-ply. done: doubled, or taken."""

    player: int
    answer: bool
    before: bytes
    no_double: float
    double_take: float
    double_pass: float
    done: bool


class JudgedLoss(msgspec.Struct, array_like=True, frozen=True):
    """A decision that counts for the performance rating, judged deeper. kind: as in Decision. loss: in points."""

    player: int
    kind: str
    loss: float


class SeenMatch(msgspec.Struct, frozen=True):
    """All that is kept of a match."""

    players: tuple[str, str]
    losses: tuple[JudgedLoss, ...]
    plays: tuple[SeenPlay, ...] = ()
    cubes: tuple[SeenCube, ...] = ()


def sample_files() -> list[Path]:
    """Real matches in the folder galaxy of the folder that BARPOINT_SAMPLES names; none without it."""
    return sorted((Path(os.environ.get("BARPOINT_SAMPLES") or "no samples") / "galaxy").glob("*.txt"))


def real_matches(plies: int = JUDGE_PLIES, processes: int = 1) -> Iterator[SeenMatch]:
    """The decisions of all real matches; what was judged before is read from CACHE instead."""
    files = sample_files()
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for packed in pool.map(_of_file, files, [plies] * len(files)):
            yield from msgspec.msgpack.decode(packed, type=tuple[SeenMatch, ...])


def _of_file(path: Path, plies: int) -> bytes:
    data = path.read_bytes()
    place = CACHE / sha256(fingerprint(plies, MAX_PLAYS, entries()).encode() + data).hexdigest()
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(msgspec.msgpack.encode(tuple(_read(data, path.suffix, plies))))
    return place.read_bytes()


def _read(data: bytes, suffix: str, plies: int) -> Iterator[SeenMatch]:
    try:
        for book in read_matches(data, suffix=suffix):
            yield seen(book, plies)
    except BarpointError as error:
        print(f"left out: {error}")


def seen(book: Book, plies: int = JUDGE_PLIES) -> SeenMatch:
    """The decisions of a match."""
    judged = judged_decisions(book, plies)
    engine, plays, cubes = Engine(book.match.rules), [], []
    before = Match.start(rules=book.match.rules, terms=book.match.terms)
    for number, event in enumerate(book.match.events, start=1):
        found = judged.get(number, {})
        if isinstance(event, PlayMade) and (made := found.get("play")) is not None and made.counted:
            play = _play(engine, point_of(before), event, made.player)
            plays += [play] if play is not None else []
        elif isinstance(event, Roll | Double) and not doubling_barred(before.game, event.player):
            cubes.append(_cube(engine, point_of(before), event.player, False, isinstance(event, Double)))
        elif isinstance(event, Take | Pass) and not before.game.cube.raises:
            cubes.append(_cube(engine, point_of(before), event.player, True, isinstance(event, Take)))
        before = before.replay(event)
    return SeenMatch(book.players, losses_of(judged), tuple(plays), tuple(cubes))


def judged_decisions(book: Book, plies: int) -> dict[int, dict[str, Decision]]:
    """{number of the event: {kind: decision}} of all decisions of a match."""
    study, found = Study(book, plies, luck=False), {}
    for _ in study:
        pass
    for decision in study.report().decisions:
        found.setdefault(decision.event, {})[decision.kind] = decision
    return found


def losses_of(judged: dict[int, dict[str, Decision]]) -> tuple[JudgedLoss, ...]:
    """Those of the decisions that count."""
    every = (one for event in judged.values() for one in event.values())
    return tuple(JudgedLoss(one.player, one.kind, one.loss) for one in every if one.counted)


def _play(engine: Engine, point: DecisionPoint, event: PlayMade, player: int) -> SeenPlay | None:
    assert event.position is not None
    ranked, result = engine.rank(point), position_of(event.position)
    at = next((i for i, one in enumerate(ranked) if (one.play.result, one.play.again) == (result, event.again)), None)
    if at is None:
        return None
    kept = [*range(min(MAX_PLAYS, len(ranked)))]
    kept += [at] if at not in kept else []
    results = b"".join(pack(ranked[i].play.result) for i in kept)
    equities = tuple(round(ranked[i].equity, 6) for i in kept)
    return SeenPlay(player, pack(point.position), results, equities, kept.index(at))


def _cube(engine: Engine, point: DecisionPoint, player: int, answer: bool, done: bool) -> SeenCube:
    found = engine.cube(point)
    equities = found.no_double, found.double_take, found.double_pass
    return SeenCube(player, answer, pack(point.position), *equities, done)


def bot_match(bots: tuple[Bot, Bot], number: int, plies: int = JUDGE_PLIES) -> SeenMatch:
    """The judged decisions of a match between two bots. number: of the match; it decides dice and length."""
    book = _played(bots, number)
    return SeenMatch(book.players, losses_of(judged_decisions(book, plies)))


def bot_decisions(bots: tuple[Bot, Bot], number: int) -> SeenMatch:
    """What two bots had to decide in a match, judged quickly; as `bot_match`."""
    return seen(_played(bots, number), plies=1)


def _played(bots: tuple[Bot, Bot], number: int) -> Book:
    start = Match.start(LENGTHS[number % len(LENGTHS)], bots[0].engine.rules)
    for bot, seed in zip(bots, (2 * number, 2 * number + 1), strict=True):
        bot.seed = seed
    *_, match = play_match(start, *bots, dice=dice.seeded(number))
    return Book(match, (bots[0].level.name, bots[1].level.name))


def losses_of_all(matches: Iterable[SeenMatch]) -> npt.NDArray[np.float64]:
    """[n] losses of all decisions of the matches that count, in points."""
    return np.array([one.loss for match in matches for one in match.losses])
