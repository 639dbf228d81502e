"""Statistics of each game, as text and data: python -m training.knowledge [--plies N] [--games N] [--text] [--executor E] [VARIANT ...]

For every game with a net: the best and the second-best play of every opening roll, the value of starting, gammon rates,
take points, the value of a token, and the length of games. Equities are cubeless points a game, searched to --plies.
Writes docs/rules/statistics/NAME.json, which the rules page shows in its reader's language, and NAME.md; --text writes NAME.md anew
from what was measured before. --executor learns several games at once (docs/cluster.md).
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import asdict
from pathlib import Path
from statistics import mean, stdev
from typing import Final

import numpy as np

from barpoint.analysis.variant_statistics import OpeningEntry, VariantStatistics, section, statistics_of
from barpoint.chances import Chances, Margins, equities
from barpoint.dice import DiceRow
from barpoint.document import rules_folder
from barpoint.engine import CubeState, Engine, contact
from barpoint.engine.executors import add_executor_options, executor_chosen, in_order
from barpoint.engine.net import find_net, load
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, unpack
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import variant

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
    "european-acey-deucey",
    "dutch",
    "portes",
    "plakoto",
    "tapa",
    "fevga",
    "narde",
    "gul-bara",
    "gioul",
    "moultezim",
    "tabula",
    "misere",
)
MAX_ROLLS: Final = 3000
"""Maximum rolls of a game; longer ones are abandoned."""


def opening_rows(rules: Rules) -> list[DiceRow]:
    """Rolls that may open the game, highest last."""
    by_opening_roll = rules.opening.first_roll is FirstRoll.OPENING_ROLL
    return [row for row in rules.dice.rows if not by_opening_roll or len(set(row.faces)) > 1]


def opening(engine: Engine, row: DiceRow) -> OpeningEntry:
    """The best play of a roll at the start."""
    best, *others = engine.rank(engine.rules.start, row.faces)
    second = others[0] if others else None
    return OpeningEntry(
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
            owed = position.us.owed
            row = owed - 1 if owed else dice.choices(range(len(weights)), weights)[0]
            results, again, _, _, values = searcher.candidates(pack(position), row, 0)
            best = int(np.argmax(equities(values[:, 0], rules.scoring.payments)))
            after = unpack(results[best].tobytes())
            position = after if again[best] else after.flip()
            rolls += not owed
        lengths.append(rolls)
    return mean(lengths), stdev(lengths) / len(lengths) ** 0.5


def probabilities_of(start: Chances | Margins) -> dict[str, float]:
    """The fields that a net gives, by name; what the rules pay is not among them."""
    return {name: value for name, value in asdict(start).items() if name != "payments"}


def learn(name: str, plies: int, games: int) -> VariantStatistics:
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
    return VariantStatistics(
        rules.name,
        None if contact.find(rules) else find_net(rules).file.removesuffix(".net"),
        plies,
        openings,
        sum(each.weight * each.equity for each in openings) / total,
        probabilities_of(start),
        tokens,
        window,
        None if rules.rerolls.tokens or not games else game_length(rules, games),
    )


def page(known: VariantStatistics) -> str:
    """The statistics in Markdown, with what judged them."""
    if known.net is None:
        return section(known)
    depth = f"at {known.plies} pl{'y' if known.plies == 1 else 'ies'}" if known.plies else "without lookahead"
    return section(
        known, f"Equities are in points per game without a cube, estimated by the net `{known.net}` {depth}."
    )


def write(known: VariantStatistics, folder: Path) -> None:
    """Writes the data and the page of one game."""
    (folder / f"{known.name}.json").write_text(json.dumps(asdict(known), indent=1) + "\n", encoding="utf-8")
    (folder / f"{known.name}.md").write_text(page(known), encoding="utf-8")


def main() -> None:
    """Writes the pages of some or all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=VARIANTS)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--into", type=Path, default=rules_folder() / "statistics")
    parser.add_argument("--text", action="store_true")
    add_executor_options(parser)
    wanted = parser.parse_args()
    wanted.into.mkdir(parents=True, exist_ok=True)
    if wanted.text:
        for name in wanted.names:
            known = statistics_of(variant(name).name)[0]
            (wanted.into / f"{known.name}.md").write_text(page(known), encoding="utf-8")
        return
    # A 2-1 of Acey-Deucey can have tens of thousands of plays.
    tasks = [(name, 0 if variant(name).scoring.per_checker else wanted.plies, wanted.games) for name in wanted.names]
    with executor_chosen(wanted) as executor:
        for known in in_order(executor, learn, tasks):
            write(known, wanted.into)
            print(f"{known.name}: equity of the starting player {known.first_roll:+.4f}", flush=True)


if __name__ == "__main__":
    main()
