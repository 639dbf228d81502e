"""Fit the levels that err as people do: python -m training.people [--matches N] [--processes N]

Reads real matches (BARPOINT_SAMPLES), fits the numbers of `barpoint.engine.people` to the plays and cube actions that were
chosen, by maximum likelihood, and writes data/people/people.toml. A player's skill is their performance rating over all
their matches, drawn towards the mean as much as few decisions say little. The skill of a level is that at which bots that
play N matches against each other have the rating in its name.
`python -m benchmarks.people` measures the levels in play.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from math import log
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.analysis.findings import PR_FACTOR
from barpoint.analysis.judge import CLOSE
from barpoint.engine import Bot, Level, levels
from barpoint.engine.people import (
    AVERAGE_PR,
    BLURS,
    DOUBLE,
    LIKINGS,
    NOTHING,
    TAKE,
    PeopleModel,
    PeopleParameters,
    double_value,
    play_blurs,
    play_features,
    play_values,
    take_value,
)
from barpoint.moves import in_contact
from barpoint.moves.batch import array_of
from barpoint.native import unpack
from barpoint.variants import variant
from training.seen_decisions import SeenMatch, SeenPlay, bot_decisions, losses_of_all, real_matches

TARGET: Final = Path(__file__).parents[1] / "src" / "barpoint" / "data" / "people" / "people.toml"
RULES: Final = variant("backgammon")

PRIOR_DECISIONS: Final = 40
"""A rating counts as much as the mean of all players at so many decisions: losses of a decision scatter by 25 points of
PR, players by 4."""


FIRST_MATCH: Final = 10_000
"""Numbers of the matches that levels are set by; those that they are measured by begin at 0."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Choices:
    """Plays as arrays, all candidates of all positions in a row. starts: of each position. chosen: rows."""

    starts: npt.NDArray[np.int64]
    chosen: npt.NDArray[np.int64]
    losses: Floats
    blurs: Floats
    features: Floats
    skills: Floats

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many candidates each position has."""
        return np.diff(np.append(self.starts, len(self.losses)))


@dataclass(frozen=True, slots=True)
class CubeChoices:
    """Chances to double, or to take, as arrays. idle: nothing depends on it."""

    gains: Floats
    cash: Floats
    contact: Floats
    done: Floats
    skills: Floats
    idle: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was seen: plays, chances to double, doubles to answer."""

    plays: Choices
    double: CubeChoices
    take: CubeChoices

    @staticmethod
    def of(matches: Sequence[SeenMatch], known: dict[str, float]) -> Seen:
        """The decisions of these matches. known: the skills of the players."""
        return Seen(
            play_choices(matches, known), cube_choices(matches, known, False), cube_choices(matches, known, True)
        )


# -- what was seen, as arrays


def skills(matches: Iterable[SeenMatch]) -> dict[str, float]:
    """{player: skill}, drawn towards the mean of all."""
    losses: dict[str, list[float]] = defaultdict(list)
    for match in matches:
        for one in match.losses:
            losses[match.players[one.player].lower()].append(one.loss)
    mean = float(np.mean([loss for found in losses.values() for loss in found]))
    drawn = {
        name: (sum(found) + PRIOR_DECISIONS * mean) / (len(found) + PRIOR_DECISIONS) for name, found in losses.items()
    }
    return {name: log(PR_FACTOR * loss / AVERAGE_PR) for name, loss in drawn.items()}


def play_choices(matches: Sequence[SeenMatch], known: dict[str, float]) -> Choices:
    """All plays."""
    parts: list[tuple[Floats, Floats, Floats]] = []
    chosen, starts, found_skills, row = [], [], [], 0
    for match in matches:
        for play in match.plays:
            losses, blurs, features = _arrays(play)
            parts.append((losses, np.tile(blurs, (len(losses), 1)), features))
            found_skills += [known[match.players[play.player].lower()]] * len(losses)
            starts.append(row)
            chosen.append(row + play.chosen)
            row += len(losses)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Choices(np.array(starts), np.array(chosen), *columns, np.array(found_skills))


def _arrays(play: SeenPlay) -> tuple[Floats, Floats, Floats]:
    before = array_of(np.frombuffer(play.before, np.uint8).reshape(1, -1))
    results = array_of(np.frombuffer(play.results, np.uint8).reshape(-1, 64))
    losses = max(play.equities) - np.array(play.equities)
    blurs = play_blurs(losses, before, in_contact(RULES, unpack(play.before)))
    return losses, blurs, play_features(RULES, before, results)


def cube_choices(matches: Sequence[SeenMatch], known: dict[str, float], answer: bool) -> CubeChoices:
    """All chances to double, or to take."""
    rows = []
    for match in matches:
        for cube in match.cubes:
            if cube.answer == answer:
                stay, take, cash = cube.no_double, cube.double_take, cube.double_pass
                gain = cash - take if answer else min(take, cash) - stay
                idle = not answer and max(abs(gain), abs(cash - stay)) < NOTHING
                contact = in_contact(RULES, unpack(cube.before))
                rows.append((gain, cash < take, contact, cube.done, known[match.players[cube.player].lower()], idle))
    *columns, idles = np.array(rows, np.float64).T
    return CubeChoices(*columns, idles > 0)


# -- maximum likelihood


def fitted(likelihood: Callable[[Floats], Floats], begin: Sequence[float], steps: int = 60) -> tuple[Floats, float]:
    """The numbers at which the sum of `likelihood` is largest, and its mean there.

    likelihood: [n] logarithms. Each step solves with the products of gradients (Berndt, Hall, Hall and Hausman) and is
    halved until it gains.
    """
    at = np.array(begin, np.float64)
    found = likelihood(at)
    for _ in range(steps):
        gradients = np.stack([_slope(likelihood, at, i) for i in range(len(at))], axis=1)
        step = np.linalg.solve(gradients.T @ gradients + 1e-3 * np.eye(len(at)), gradients.sum(axis=0))
        sizes = [0.5**i for i in range(12)]
        tried = ((at + size * step, likelihood(at + size * step)) for size in sizes)
        better = next(((x, y) for x, y in tried if np.isfinite(y).all() and y.sum() > found.sum()), None)
        if better is None:
            break
        gain = float(better[1].sum() - found.sum())
        at, found = better
        if gain < 0.01:
            break
    return at, float(found.mean())


def _slope(likelihood: Callable[[Floats], Floats], at: Floats, index: int) -> Floats:
    """[n] derivatives by one of the numbers."""
    by = np.zeros(len(at))
    by[index] = 1e-4 * max(1.0, abs(at[index]))
    return (likelihood(at + by) - likelihood(at - by)) / (2 * by[index])


def with_plays(numbers: Floats) -> PeopleParameters:
    """Parameters with these of plays, and none of the cube."""
    values = tuple(map(float, numbers))
    blurs, likings = values[3 : 3 + len(BLURS)], values[3 + len(BLURS) :]
    return PeopleParameters((values[0], values[1]), values[2], blurs, likings, (0.0,) * len(DOUBLE), (0.0,) * len(TAKE))


def play_likelihood(choices: Choices, numbers: Floats) -> Floats:
    """[positions] logarithm of the probability of the play that was made."""
    values = play_values(with_plays(numbers), choices.skills, choices.losses, choices.blurs, choices.features)
    most = np.maximum.reduceat(values, choices.starts)
    sums = np.add.reduceat(np.exp(values - np.repeat(most, choices.sizes)), choices.starts)
    return np.asarray(values[choices.chosen] - most - np.log(sums), np.float64)


def cube_likelihood(choices: CubeChoices, odds: Floats) -> Floats:
    """[chances] logarithm of the probability of what was done; 0 where nothing depends on it. odds: their logarithms."""
    return -np.logaddexp(0, np.where(choices.done > 0, -odds, odds)) * ~choices.idle


def fit(seen: Seen) -> PeopleParameters:
    """The numbers at which what real players chose is likeliest."""
    plays, double, take = seen.plays, seen.double, seen.take
    begin = [1.0, -0.5, 0.0, -3.0, *[0.0] * (len(BLURS) - 1), *[0.0] * len(LIKINGS)]
    found, mean = fitted(lambda numbers: play_likelihood(plays, numbers), begin)

    def plain(numbers: Floats) -> Floats:
        return play_likelihood(plays, np.array([*numbers[:2], 0.0, numbers[2], *[0.0] * (len(begin) - 4)]))

    print(
        f"{len(plays.starts)} plays: log likelihood {mean:.4f}, by equity and skill alone {fitted(plain, [*begin[:2], -3.0])[1]:.4f}"
    )
    parameters = with_plays(found)

    def doubled(numbers: Floats) -> Floats:
        changed = _replaced(parameters, double=numbers)
        return cube_likelihood(double, double_value(changed, double.skills, double.gains, double.cash, double.contact))

    def taken(numbers: Floats) -> Floats:
        return cube_likelihood(take, take_value(_replaced(parameters, take=numbers), take.skills, take.gains))

    doubles, double_mean = fitted(doubled, [-3.0, 1.0, 1.0, 1.0, -0.5, -1.0])
    takes, take_mean = fitted(taken, [0.5, 1.0, -0.5, -1.0])
    print(
        f"{len(double.gains)} chances to double: {double_mean:.4f}; {len(take.gains)} doubles to answer: {take_mean:.4f}"
    )
    return _replaced(parameters, double=doubles, take=takes)


def _replaced(parameters: PeopleParameters, **changed: Floats) -> PeopleParameters:
    values = dict(zip(PeopleParameters.__slots__, astuple(parameters), strict=True))
    return PeopleParameters(**values | {name: tuple(map(float, numbers)) for name, numbers in changed.items()})


# -- how well a level plays


def probabilities(found: PeopleParameters, plays: Choices, skill: float | Floats) -> Floats:
    """[candidates] how likely each is made. skill: of everybody, or of each candidate's player."""
    values = play_values(found, skill, plays.losses, plays.blurs, plays.features)
    weights = np.exp(values - np.repeat(np.maximum.reduceat(values, plays.starts), plays.sizes))
    return weights / np.repeat(np.add.reduceat(weights, plays.starts), plays.sizes)


def expected_rating(found: PeopleParameters, seen: Seen, skill: float) -> float:
    """The performance rating, by the 0-ply equities, of a player of this skill who has to decide what was decided here."""
    plays, double, take = seen.plays, seen.double, seen.take
    weights = probabilities(found, plays, skill)
    losses, count = float((weights * plays.losses).sum()), float(len(plays.starts))
    doubled = _chance(double_value(found, skill, double.gains, double.cash, double.contact)) * ~double.idle
    wrong = np.where(double.gains < 0, doubled, 1 - doubled) * np.abs(double.gains) * ~double.idle
    counts = np.where(double.gains > -CLOSE, 1.0, doubled)
    taken = _chance(take_value(found, skill, take.gains))
    wrong_answers = np.where(take.gains < 0, taken, 1 - taken) * np.abs(take.gains)
    losses += float(wrong.sum() + wrong_answers.sum())
    return PR_FACTOR * losses / (count + float(counts.sum()) + len(take.gains))


def calibrated(parameters: PeopleParameters, seen: Seen, matches: int, processes: int) -> dict[str, float]:
    """{level: skill} at which bots have the performance ratings of their names when they play each other.

    At first a level's rating is what is expected in real matches, then in matches of such bots. What judged decisions lose
    more than expected, over all levels, counts for each: that of one level would be mostly chance.
    """
    known = [each for each in levels() if each.people]
    first = [skill_of(each.pr, parameters, seen) for each in known]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        count = len(known)
        played = list(pool.map(_matches, [parameters] * count, known, first, [matches] * count))
    of_bots = [Seen.of(each, dict.fromkeys(each[0].players, 0.0)) for each in played]
    expected = np.array([expected_rating(parameters, *pair) for pair in zip(of_bots, first, strict=True)])
    judged = np.array([PR_FACTOR * losses_of_all(each).mean() for each in played])
    print("expected", expected.round(2), "judged", judged.round(2))
    factor = float((judged / expected).mean())
    return {each.name: skill_of(each.pr / factor, parameters, bots) for each, bots in zip(known, of_bots, strict=True)}


def _matches(parameters: PeopleParameters, level: Level, skill: float, matches: int) -> list[SeenMatch]:
    bots = Bot(level_name=level), Bot(level_name=level)
    for bot in bots:
        bot.people = PeopleModel(parameters, skill)
    return [bot_decisions(bots, number) for number in range(FIRST_MATCH, FIRST_MATCH + matches)]


def _chance(odds: Floats) -> Floats:
    """Probabilities of logarithms of odds."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def skill_of(pr: float, found: PeopleParameters, seen: Seen) -> float:
    """The skill at which a player is expected to have this performance rating, by bisection."""
    low, high = -3.0, 3.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if expected_rating(found, seen, middle) < pr else (low, middle)
    return round(low, 4)


def written(parameters: PeopleParameters, found: dict[str, float]) -> str:
    """people.toml."""

    def table(name: str, names: Iterable[str], values: Iterable[float]) -> str:
        return f"\n[{name}]\n" + "".join(f"{key} = {value:.4f}\n" for key, value in zip(names, values, strict=True))

    play = (*parameters.steepness, parameters.fancy)
    return (
        "# How people choose plays and cube actions: written by training/people.py, read by engine/people.py.\n"
        + table("skill", (f'"{name}"' for name in found), found.values())
        + table("play", ("steepness", "skill", "fancy"), play)
        + table("play.blurs", BLURS, parameters.blurs)
        + table("play.likings", LIKINGS, parameters.likings)
        + table("double", DOUBLE, parameters.double)
        + table("take", TAKE, parameters.take)
    )


def main() -> None:
    """Fits, sets the levels, and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--matches", type=int, default=40)
    options = parser.parse_args()
    matches = list(real_matches(processes=options.processes))
    if not matches:
        raise SystemExit("BARPOINT_SAMPLES names no folder of real matches with a folder galaxy in it")
    seen = Seen.of(matches, skills(matches))
    parameters = fit(seen)
    text = written(parameters, calibrated(parameters, seen, options.matches, options.processes))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
