"""Plots a training run from its log; pictures need matplotlib, which the extra `train` installs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def plot(log: Sequence[dict[str, Any]], path: str | os.PathLike[str]) -> Path:
    """Error against processor minutes, in a file .txt or in a picture of any kind that matplotlib writes; returns its path.

    log: as `TrainingRun.log` gives it. ImportError says what to install where matplotlib is missing.
    """
    path = Path(path)
    minutes, spent = [], 0.0
    for entry in log:
        spent += entry["seconds"] / 60
        minutes.append(spent)
    shown = [(m, e["stage"], e["error"]) for m, e in zip(minutes, log, strict=True) if e["error"]]
    if path.suffix == ".txt":
        lines = (f"{m:8.2f} min  {stage:<16} {error:.4f}\n" for m, stage, error in shown)
        path.write_text("".join(lines), encoding="utf-8")
        return path
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        raise ImportError(f"a picture of a training needs {missing.name}: pip install 'barpoint[train]'") from missing
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot([m for m, _, _ in shown], [error for _, _, error in shown], "o-")
    for m, stage, error in shown:
        axes.annotate(stage, (m, error))
    axes.set_xlabel("processor minutes")
    axes.set_ylabel("root mean square error of the chance to win")
    figure.savefig(path)
    return path
