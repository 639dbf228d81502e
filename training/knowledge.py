"""Statistics of each game, as text and data: python -m training.knowledge [--plies N] [--games N] [VARIANT ...]

For every game with a net: the best and the second-best play of every opening roll, the value of starting, gammon rates,
take points, the value of a token, and the length of games. Equities are cubeless points a game, searched to --plies.
Writes docs/rules/statistics/NAME.md, which the rules page shows, and NAME.json.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final

import numpy as np

from barpoint.chances import Chances
from barpoint.dice import DiceRow
from barpoint.document import rules_folder
from barpoint.engine import CubeState, Engine, contact
from barpoint.engine.net import find_net, load
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, unpack
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import variant, variants

VARIANTS: Final = (
    "backgammon",
    "nackgammon",
    "longgammon",
    "hypergammon",
    "roll-over",
    "cancelgammon",
    "duodecagammon",
    "roll-over+duodecagammon",
    "acey-deucey",
)
MAX_ROLLS: Final = 3000
"""Maximum rolls of a game; longer ones are abandoned."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A roll that may open the game. loss: of the next best play, None when there is only one."""

    faces: tuple[int, ...]
    weight: int
    play: str
    equity: float
    second: str | None
    loss: float | None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything written about a game.

    net: None when a whole-game database gave the values, so that all but the length is exact (`barpoint build`).
    first_roll: points of the player who starts, before the roll is known. on_roll: the probabilities of that player
    when any roll is possible.
    tokens: points of the player on roll at the start by "own other" tokens left. window: winning probabilities at which
    the other side may take, one doubles, cashes, is too good. rolls: mean rolls of a game and its error.
    """

    name: str
    net: str | None
    plies: int
    openings: tuple[Opening, ...]
    first_roll: float
    on_roll: dict[str, float]
    tokens: dict[str, float]
    window: dict[str, float]
    rolls: tuple[float, float] | None


def opening_rows(rules: Rules) -> list[DiceRow]:
    """Rolls that may open the game, highest last."""
    by_opening_roll = rules.opening.first_roll is FirstRoll.OPENING_ROLL
    return [row for row in rules.dice.rows if not by_opening_roll or len(set(row.faces)) > 1]


def opening(engine: Engine, row: DiceRow) -> Opening:
    """The best play of a roll at the start."""
    best, *others = engine.rank(engine.rules.start, row.faces)
    second = others[0] if others else None
    return Opening(
        row.faces,
        row.weight,
        str(best.play),
        best.equity,
        None if second is None else str(second.play),
        None if second is None else second.loss,
    )


def game_length(rules: Rules, games: int, seed: int = 2026) -> tuple[float, float]:
    """Mean rolls of a game that the net plays against itself, and the error of the mean."""
    searcher = core.Searcher(core_rules(rules), load(find_net(rules)))
    dice, lengths = random.Random(seed), []
    weights = [row.weight for row in rules.dice.rows]
    for _ in range(games):
        position, rolls = rules.start, 0
        while outcome(rules, position) is None and rolls < MAX_ROLLS:
            row = dice.choices(range(len(weights)), weights)[0]
            results, again, _, _, values = searcher.candidates(pack(position), row, 0)
            best = int(np.argmax(_equity(rules, values[:, 0])))
            after = unpack(results[best].tobytes())
            position = after if again[best] else after.flip()
            rolls += 1
        lengths.append(rolls)
    return mean(lengths), stdev(lengths) / len(lengths) ** 0.5


def _equity(rules: Rules, f: Any) -> Any:
    if rules.scoring.per_checker:
        return f[:, 1] - f[:, 2]
    return 2 * f[:, 0] - 1 + f[:, 1] + f[:, 2] - f[:, 3] - f[:, 4]


def learn(name: str, plies: int, games: int) -> Knowledge:
    """Everything about one game."""
    rules = variant(name)
    engine = Engine(rules, plies=plies)
    openings = tuple(opening(engine, row) for row in opening_rows(rules))
    total = sum(each.weight for each in openings)
    start = engine.evaluate(rules.start)
    tokens = {}
    if rules.rerolls.tokens:
        pairs = [(own, other) for own in (0, 1) for other in (0, 1)]
        tokens = {f"{own} {other}": engine.evaluate(rules.start, (own, other)).equity for own, other in pairs}
    window = {}
    if rules.cube and isinstance(start, Chances):
        found = engine.cube(rules.start, cube=CubeState())
        window = {"take": found.take, "double": found.double, "cash": found.cash, "too good": found.too_good}
    return Knowledge(
        rules.name,
        None if contact.find(rules) else find_net(rules).file.removesuffix(".net"),
        plies,
        openings,
        sum(each.weight * each.equity for each in openings) / total,
        asdict(start),
        tokens,
        window,
        None if rules.rerolls.tokens or not games else game_length(rules, games),
    )


def page(known: Knowledge) -> str:
    """The statistics in Markdown, a section of the rules page."""
    titles = {entry.name: entry.title for entry in variants()}
    title = " + ".join(titles[part] for part in known.name.split("+"))
    kept = ", if the opening roll is not rerolled" if known.tokens else ""
    depth = f"at {known.plies} pl{'y' if known.plies == 1 else 'ies'}" if known.plies else "without lookahead"
    source = (
        "Equities are in points per game without a cube. They are exact."
        if known.net is None
        else f"Equities are in points per game without a cube, estimated by the net `{known.net}` {depth}."
    )
    lines = [
        f"## Engine statistics: {title}",
        source,
        "",
        f"- The starting player has an equity of {known.first_roll:+.3f}{kept}.",
    ]
    if known.window:
        chances = known.on_roll
        gammons = chances["win_gammon"] + chances["lose_gammon"]
        back = chances["win_backgammon"] + chances["lose_backgammon"]
        lines.append(
            f"- {100 * gammons:.0f} of 100 games end in a gammon or backgammon, {100 * back:.1f} in a backgammon."
        )
        take, cash = known.window["take"], known.window["cash"]
        lines.append(
            f"- With the gammon rate of the starting position, the take point is {100 * take:.0f} % and the cash point "
            f"{100 * cash:.0f} %."
        )
    if known.rolls:
        lines.append(f"- A game has {known.rolls[0]:.0f} +- {known.rolls[1]:.0f} rolls on average.")
    for key, owners in (
        ("1 1", "both sides have their token"),
        ("1 0", "only the player on roll has a token"),
        ("0 1", "only the opponent has a token"),
        ("0 0", "both tokens are used"),
    ):
        if known.tokens:
            lines.append(f"- Equity on roll in the starting position when {owners}: {known.tokens[key]:+.3f}.")
    lines += ["", "| roll | best play | equity | second-best play | loss |", "|---|---|---|---|---|"]
    for each in known.openings:
        second = f"{each.second} | {each.loss:.3f}" if each.loss is not None else "none | "
        lines.append(f"| {'-'.join(map(str, each.faces))} | {each.play} | {each.equity:+.3f} | {second} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the pages of some or all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=VARIANTS)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--into", type=Path, default=rules_folder() / "statistics")
    wanted = parser.parse_args()
    wanted.into.mkdir(parents=True, exist_ok=True)
    for name in wanted.names:
        # A 2-1 of Acey-Deucey can have tens of thousands of plays.
        plies = 0 if variant(name).scoring.per_checker else wanted.plies
        known = learn(name, plies, wanted.games)
        (wanted.into / f"{known.name}.json").write_text(json.dumps(asdict(known), indent=1) + "\n", encoding="utf-8")
        (wanted.into / f"{known.name}.md").write_text(page(known), encoding="utf-8")
        print(f"{known.name}: equity of the starting player {known.first_roll:+.4f}", flush=True)


if __name__ == "__main__":
    main()
