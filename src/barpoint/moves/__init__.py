"""Legal plays, a turn in progress, and their notation."""

from barpoint.moves.door import Outcome, check_position, outcome
from barpoint.moves.notation import Move
from barpoint.moves.parse import parse_faces, parse_paths, parse_play
from barpoint.moves.play import Play, format_play, legal_plays, legal_plays_batch, play_to, plays_to
from barpoint.moves.turn import Turn, TurnGraph, find_play

__all__ = [
    "Move",
    "Outcome",
    "Play",
    "Turn",
    "TurnGraph",
    "check_position",
    "find_play",
    "format_play",
    "legal_plays",
    "legal_plays_batch",
    "outcome",
    "parse_faces",
    "parse_paths",
    "parse_play",
    "play_to",
    "plays_to",
]
