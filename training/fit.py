"""Fit a net to labels on processors: python -m training.fit NAME OUT LABELS... [--begin NET] [--stages 5] [--passes 2] [--first-rate 4e-4] [--last-rate 4e-6]
[--threads 2] [--held 3] [--plain LABELS...] [--own REPLIES]

NAME is an entry of src/barpoint/data/nets/nets.toml, whose net, or NET, is fitted on; LABELS are folders of files of training.labels. The fit takes
--stages of --passes over all labels each, in steps that become smaller all the time. OUT is a folder that gets the net after each stage, and in the end final.net,
reordered (training.arrange); the same command goes on where it was stopped. --plain: folders of labels of the same game without tokens, which teach that state.
--own: so many replies in ordinary games are fitted besides with the values that the net itself says, which hold it where it is while labels of rare positions change it elsewhere.
The last --held files of each other folder are not fitted: printed are the errors on them, root
mean square in thousandths of a point, in each state: of the equity, and of its difference from the mean of the plays of its roll, by which plays are chosen.
Two cores pass 94,000 labels a second through the standard net, in batches of 1,024; in batches of 256, from which it learns as much, 54,000. On a GPU: training.fit_torch.
"""

from __future__ import annotations

import argparse
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.engine.net import entries, load, parse, read_net
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train import Recipe, TrainingLabels, arranged, fit, own_values, publish
from barpoint.train.gammon_states import MONEY, WEIGHTS, values_by_state
from barpoint.train.run import labels_in
from training.recipe import RECIPES
from training.refine import SIBLING_WEIGHT
from training.train import shown

BATCH: Final = 1024
Errors = npt.NDArray[np.float64]


def read_labels(
    folders: list[Path], held: int, rules: Rules, plain: list[Path] | None = None
) -> tuple[TrainingLabels, TrainingLabels]:
    """The labels to fit, and those that are held out: of these only positions with all checkers of the rules.

    plain: folders of the same game without tokens, all of whose labels are fitted.
    """
    files = [sorted(folder.glob("*.npz")) for folder in folders]
    fitted, others = (
        TrainingLabels.joined(TrainingLabels.load(file) for each in files for file in each[part])
        for part in (slice(None, -held), slice(-held, None))
    )
    if plain:
        more = TrainingLabels.joined(labels_in(folder) for folder in plain)
        fitted = TrainingLabels.joined([fitted, more.without_tokens(fitted.targets.shape[1])])
    return fitted, others.chosen(others.boards.astype(int).sum(2).min(1) == rules.checkers)


def errors(net: core.Net, rules: Rules, labels: TrainingLabels) -> Errors:
    """[states, 2] in thousandths of a point, as the module says."""
    said = values_by_state(core.Searcher(core_rules(rules), net), net, labels.positions, 0)
    weights = WEIGHTS if net.by_gammons else WEIGHTS[MONEY:]
    missed = ((said.astype(float) - labels.targets) * weights).sum(2)
    rolls = np.cumsum(np.isin(np.arange(len(labels)), labels.firsts)) - 1
    found = np.zeros((missed.shape[1], 2))
    for state, each in enumerate(missed.T):
        known = ~np.isnan(each)
        count = np.bincount(rolls[known], minlength=rolls[-1] + 1)
        mean = np.bincount(rolls[known], each[known], minlength=rolls[-1] + 1) / np.maximum(count, 1)
        beside = (each - mean[rolls])[known & (count[rolls] > 1)]
        found[state] = np.sqrt([np.mean(each[known] ** 2), np.mean(beside**2)])
    return 1000 * found


def main() -> None:
    """Fits, stage by stage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    named = {entry.name: entry for entry in entries() if entry.name in RECIPES}
    parser.add_argument("name", choices=list(named))
    parser.add_argument("out", type=Path)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--plain", type=Path, nargs="*", help="folders of labels of the same game without tokens")
    parser.add_argument("--begin", type=Path, help="a net instead of the entry's")
    parser.add_argument("--own", type=int, default=0, metavar="REPLIES", help="with the net's own values")
    parser.add_argument("--stages", type=int, default=5)
    parser.add_argument("--passes", type=int, default=2, help="over the labels, in a stage")
    parser.add_argument("--first-rate", type=float, default=4e-4, help="size of the first steps")
    parser.add_argument("--last-rate", type=float, default=4e-6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--held", type=int, default=3)
    said = parser.parse_args()
    if said.held < 1:
        parser.error(f"--held is 1 or more, not {said.held}: the errors are those on these files")
    said.out.mkdir(parents=True, exist_ok=True)
    net, rules = read_net(said.begin) if said.begin else load(named[said.name]), RECIPES[said.name].rules
    fitted, held = read_labels(said.labels, said.held, rules, said.plain)
    if said.own:
        fitted = TrainingLabels.joined([fitted, own_values(net, Recipe.small(rules), replies=said.own, tables=False)])
    print(f"{len(fitted):,} labels; before: {errors(net, rules, held).round(3).tolist()}", flush=True)
    rates = np.geomspace(said.first_rate, said.last_rate, said.stages + 1).tolist()
    for stage, (first, last) in enumerate(pairwise(rates), 1):
        file = said.out / f"stage-{stage}.net"
        if not file.exists():
            progress = partial(shown, f"stage {stage}")
            made = fit(
                net,
                fitted,
                epochs=said.passes,
                batch=BATCH,
                first_rate=first,
                last_rate=last,
                sibling_weight=SIBLING_WEIGHT,
                seed=stage,
                threads=said.threads,
                progress=progress,
            )
            publish(made, file)
        net = read_net(file)
        print(f"\nstage {stage}: {errors(net, rules, held).round(3).tolist()}", flush=True)
    publish(arranged(parse(net.bytes()), rules), said.out / "final.net")


if __name__ == "__main__":
    main()
