"""Reorder the units of a net's file so that it evaluates faster: python -m training.arrange NAME FILE

NAME is an entry of nets.toml, whose rules are played; the file is replaced. How: src/barpoint/train/arrange.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

from barpoint.engine.net import parse
from barpoint.train import arranged
from training.recipe import RECIPES

if __name__ == "__main__":
    name, file = sys.argv[1], Path(sys.argv[2])
    file.write_bytes(arranged(parse(file.read_bytes()), RECIPES[name].rules).bytes())
