"""The rules once more, in readable Python written from the rules text alone: the oracle for the compiled core.

Clarity comes before speed here. Nothing of `barpoint` is used but the values of `board` and `rules`.
"""

from tests.reference.ending import reference_outcome
from tests.reference.play import Move, reference_plays, row_of
from tests.reference.step import forbidden, reference_step
from tests.reference.turn import reference_prefixes, reference_turn

__all__ = [
    "Move",
    "forbidden",
    "reference_outcome",
    "reference_plays",
    "reference_prefixes",
    "reference_step",
    "reference_turn",
    "row_of",
]
