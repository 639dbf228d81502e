"""Plots a training run from its log."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def draw(log: list[dict[str, Any]], folder: Path) -> Path:
    """Error against processor minutes, as progress.png where matplotlib is installed, else as progress.txt."""
    minutes, spent = [], 0.0
    for entry in log:
        spent += entry["seconds"] / 60
        minutes.append(spent)
    shown = [(m, e["stage"], e["error"]) for m, e in zip(minutes, log, strict=True) if e["error"]]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        path = folder / "progress.txt"
        path.write_text("".join(f"{m:8.2f} min  {stage:<16} {error:.4f}\n" for m, stage, error in shown))
        return path
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot([m for m, _, _ in shown], [error for _, _, error in shown], "o-")
    for m, stage, error in shown:
        axes.annotate(stage, (m, error))
    axes.set_xlabel("processor minutes")
    axes.set_ylabel("root mean square error of the chance to win")
    path = folder / "progress.png"
    figure.savefig(path)
    return path
