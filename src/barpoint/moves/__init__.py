"""Legal plays, a turn in progress, and their notation."""

from barpoint.moves.batch import (
    REROLL,
    BatchTurns,
    OutcomesBatch,
    PlaysBatch,
    PositionArray,
    decode,
    encode,
    flip,
    legal_plays_batch,
    outcomes,
    roll_rows,
)
from barpoint.moves.door import Outcome, check_position, in_contact, outcome
from barpoint.moves.notation import Move
from barpoint.moves.parse import parse_faces, parse_paths, parse_play
from barpoint.moves.play import LegalPlays, Play, format_play, legal_plays, play_to
from barpoint.moves.turn import Turn, TurnGraph, find_play

__all__ = [
    "REROLL",
    "BatchTurns",
    "LegalPlays",
    "Move",
    "Outcome",
    "OutcomesBatch",
    "Play",
    "PlaysBatch",
    "PositionArray",
    "Turn",
    "TurnGraph",
    "check_position",
    "decode",
    "encode",
    "find_play",
    "flip",
    "format_play",
    "in_contact",
    "legal_plays",
    "legal_plays_batch",
    "outcome",
    "outcomes",
    "parse_faces",
    "parse_paths",
    "parse_play",
    "play_to",
    "roll_rows",
]

# The plays are below the parser of their notation, so the package binds it to them.
LegalPlays._parse = parse_play
