"""Trains nets for any variant: self-play, labels, fitting, publishing. The extra `train` installs what draws the progress."""

from barpoint.train.arrange import arranged
from barpoint.train.distil import distil, own_values
from barpoint.train.labels import TrainingLabels
from barpoint.train.pieces import label_on
from barpoint.train.plot import plot
from barpoint.train.rare import rare_positions
from barpoint.train.recipe import Recipe
from barpoint.train.run import TrainingRun, refined
from barpoint.train.stages import equity_error, fit, label, learn_by_playing, publish

__all__ = [
    "Recipe",
    "TrainingLabels",
    "TrainingRun",
    "arranged",
    "distil",
    "equity_error",
    "fit",
    "label",
    "label_on",
    "learn_by_playing",
    "own_values",
    "plot",
    "publish",
    "rare_positions",
    "refined",
]
