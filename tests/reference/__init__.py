"""The rules in readable Python, written only from the rules text: the oracle for the compiled core.

Clarity comes before speed. It uses only the data types of `board` and `rules` from `barpoint`.
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
