"""How strong the nets of a training are, stage by stage: python -m benchmarks.training_curve FOLDER [PAIRS]

FOLDER is that of `barpoint.train.TrainingRun` for backgammon. Each net plays pairs of games against the published one, without search,
luck-adjusted. Writes benchmarks/data/training.tsv: the stage, processor minutes until it ended, games, points a game and their
error; pictures.py draws it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from barpoint.engine.net import find_net, load
from barpoint.variants import variant
from benchmarks.compare import pairs_of_games
from benchmarks.head_to_head import spread
from benchmarks.pictures import TRAINING

SEED = 11


def stages(folder: Path) -> Iterator[tuple[str, float, Path]]:
    """Each stage that made a net, the processor minutes spent when it ended, and its file."""
    spent = 0.0
    for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        spent += entry["seconds"] / 60
        kind, _, number = entry["stage"].partition("-")
        name = {"first": "first.net", "fit": f"round-{number}.net"}.get(kind)
        if name is not None:
            yield entry["stage"], spent, folder / name


def main(folder: str, pairs: str = "300") -> None:
    """Measures all nets and writes the file."""
    rules = variant("backgammon")
    entry = find_net(rules)
    published = load(entry).bytes()
    lines = [f"# stage, processor minutes, games, points a game against {entry.file}, error"]
    for stage, minutes, file in stages(Path(folder)):
        mean, error = spread(pairs_of_games(rules, file.read_bytes(), published, SEED, int(pairs)))
        lines.append(f"{stage}\t{minutes:.2f}\t{2 * int(pairs)}\t{mean:+.4f}\t{error:.4f}")
        print(f"{stage}, {minutes:.1f} minutes: {mean:+.4f} +- {error:.4f} points a game", flush=True)
    TRAINING.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
