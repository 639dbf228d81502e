"""Distil and publish the pruning net of an entry: python -m training.distil NAME [--hidden N] [--games 3200] [--out FILE]

NAME is an entry of nets.toml. Takes some minutes. The small net is published as the entry's pruning net, or written to
FILE instead. How it is made: src/barpoint/train/distil.py.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from barpoint.engine.net import entries, entry_named, load
from barpoint.train import distil
from training.publish import publish_pruning_net
from training.recipe import RECIPES


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[entry.name for entry in entries()])
    parser.add_argument("--hidden", type=int)
    parser.add_argument("--games", type=int, default=3200)
    parser.add_argument("--out", type=Path)
    said = parser.parse_args()
    net = load(entry_named(said.name))
    data = distil(
        net,
        replace(RECIPES[said.name], pruning_games=said.games),
        hidden=said.hidden,
        epochs=20,
        progress=lambda done, error: print(
            f"\r{done:,} replies, error of the chance to win {error:.4f}  ", end="", flush=True
        ),
    ).bytes()
    print()
    if said.out:
        said.out.write_bytes(data)
    else:
        print(publish_pruning_net(said.name, data))


if __name__ == "__main__":
    main()
