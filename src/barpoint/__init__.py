"""Backgammon and its family: rules, games and matches as values, formats, pictures and a bot for every game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from barpoint import dice
from barpoint.board import Position, Side
from barpoint.chances import Chances, Margins
from barpoint.draw import png, svg
from barpoint.driver import play, play_batch, play_match
from barpoint.error import (
    ArgumentError,
    BarpointError,
    FormatError,
    IllegalEvent,
    IllegalMove,
    OptionError,
    PositionError,
    RollError,
    StakesError,
    UnknownVariant,
    UnsupportedRules,
    VariantsClash,
)
from barpoint.game import Event, Game, Phase, Stakes
from barpoint.match import Match, MatchTerms, Met, gammon_value, take_point
from barpoint.match.situation import Situation, match_at, situation_of
from barpoint.moves import (
    REROLL,
    BatchTurns,
    Outcome,
    Play,
    Turn,
    decode,
    encode,
    flip,
    legal_plays,
    legal_plays_batch,
    outcome,
    outcomes,
    parse_play,
)
from barpoint.rules import Rules, Variant
from barpoint.variants import register, variant, variants

if TYPE_CHECKING:
    from barpoint.analysis import Features, Report, analyse, features
    from barpoint.engine import Bot, CubeState, Engine, Score, compare, use_net
    from barpoint.record import (
        format_gnuid,
        format_ogid,
        format_xgid,
        parse_annotated,
        parse_gnuid,
        parse_id,
        parse_ogid,
        parse_xgid,
        read_annotated_position,
        read_match,
        read_matches,
        read_position,
        write_match,
    )
    from barpoint.variants.variant_file import read_variant

__version__: str
"""The installed version; found when it is first asked for."""

__all__ = [
    "REROLL",
    "ArgumentError",
    "BarpointError",
    "BatchTurns",
    "Bot",
    "Chances",
    "CubeState",
    "Engine",
    "Event",
    "Features",
    "FormatError",
    "Game",
    "IllegalEvent",
    "IllegalMove",
    "Margins",
    "Match",
    "MatchTerms",
    "Met",
    "OptionError",
    "Outcome",
    "Phase",
    "Play",
    "Position",
    "PositionError",
    "Report",
    "RollError",
    "Rules",
    "Score",
    "Side",
    "Situation",
    "Stakes",
    "StakesError",
    "Turn",
    "UnknownVariant",
    "UnsupportedRules",
    "Variant",
    "VariantsClash",
    "analyse",
    "compare",
    "decode",
    "dice",
    "encode",
    "features",
    "flip",
    "format_gnuid",
    "format_ogid",
    "format_xgid",
    "gammon_value",
    "legal_plays",
    "legal_plays_batch",
    "match_at",
    "outcome",
    "outcomes",
    "parse_annotated",
    "parse_gnuid",
    "parse_id",
    "parse_ogid",
    "parse_play",
    "parse_xgid",
    "play",
    "play_batch",
    "play_match",
    "png",
    "read_annotated_position",
    "read_match",
    "read_matches",
    "read_position",
    "read_variant",
    "register",
    "situation_of",
    "svg",
    "take_point",
    "use_net",
    "variant",
    "variants",
    "write_match",
]


_LATER: Final = {
    "barpoint.analysis": ("Features", "Report", "analyse", "features"),
    "barpoint.engine": ("Bot", "CubeState", "Engine", "Score", "compare", "use_net"),
    "barpoint.record": (
        "format_gnuid",
        "format_ogid",
        "format_xgid",
        "parse_annotated",
        "parse_gnuid",
        "parse_id",
        "parse_ogid",
        "parse_xgid",
        "read_annotated_position",
        "read_match",
        "read_matches",
        "read_position",
        "write_match",
    ),
    "barpoint.variants.variant_file": ("read_variant",),
}
"""What is loaded when it is first asked for, by its package: to play a game takes no nets and no formats of files."""


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("barpoint")
    for package, names in _LATER.items():
        if name in names:
            return getattr(import_module(package), name)
    raise AttributeError(f"module 'barpoint' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Also the names that are loaded when first asked for."""
    return sorted({*globals(), *__all__})
