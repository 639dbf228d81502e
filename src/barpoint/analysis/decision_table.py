"""The decisions of an analysed match as an array: to search thousands of matches by what is on the board."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from barpoint.analysis.findings import GROUPS, LUCKY, STAGES, Decision, Findings
from barpoint.analysis.phases import OPENING_TURNS, phase_of
from barpoint.analysis.position_features import points_held
from barpoint.analysis.themes import NAMES
from barpoint.board import BAR, OFF, Position, Side
from barpoint.error import FormatError
from barpoint.match import Match
from barpoint.moves import PositionArray
from barpoint.moves.batch import SIDE_COLUMNS
from barpoint.record import format_position
from barpoint.rules import Rules

DecisionTable = npt.NDArray[np.void]
"""[n] of ROW, in the order of the decisions."""

FEATURES: Final = ("anchors", "bar", "home", "prime", "blots", "off")
"""What is counted of each side: anchors, checkers on the bar, points made at home, the longest row of points, blots,
checkers borne off."""

KINDS: Final = tuple(kind for kinds in GROUPS.values() for kind in kinds)
"""The names of `Decision.kind`: "play", "double" and so on."""

PLACES: Final = 27
"""Counts of a side: borne off, the points 1 to 24, the bar, the hand."""

MONEY: Final = 0
MAX_AWAY: Final = 255

ROW: Final = np.dtype(
    [
        ("event", "<u2"),
        ("game", "<u2"),
        ("player", "u1"),
        ("kind", "u1"),
        ("stage", "u1"),
        ("shape", "u1"),
        ("theme", "u1"),
        ("counted", "?"),
        ("loss", "<f4"),
        ("luck", "<f4"),
        ("away", "u1", 2),
        ("features", "u1", (2, len(FEATURES))),
        ("position", "i1", (2, PLACES)),
        ("pinned", "<u4", 2),
    ]
)
"""A decision. event, game: their numbers from 1; player: who decides, 0 or 1. kind, stage: indices in KINDS, `findings.STAGES`; shape: as
`shape_of`; theme: in ("", *`themes.NAMES`). loss: in equity, a single win at the present cube being +1; counted: as in `Decision`. luck: of the
roll that is played, in equity, NaN elsewhere. away: points to go, MONEY in a session. features: as FEATURES. position: counts at PLACES;
pinned: masks of pinned checkers; `positions_of` makes arrays of both. Sides and scores: whoever decides first."""

VERSION: Final = zlib.crc32(repr((ROW, KINDS, STAGES, NAMES)).encode()) >> 1
"""Another number where a table of the same analysis would hold something else."""

CONDITION: Final = re.compile(rf"(own|their)-({'|'.join(FEATURES)})-([0-9]{{1,2}})")

LuckRange = Literal["", "lucky", "unlucky"]


def table_of(match: Match, found: Findings) -> DecisionTable:
    """The decisions of a match. found: its analysis."""
    rows: dict[int, list[Decision]] = defaultdict(list)
    for decision in found.decisions:
        rows[decision.event].append(decision)
    lucks = {(one.event, one.player): one.luck for one in found.rolls}
    table, at, rolled = np.zeros(len(found.decisions), ROW), 0, (float("nan"), float("nan"))
    for seq, (before, _) in enumerate(islice(match.history(), found.events), start=1):
        for decision in rows[seq]:
            _fill(table[at], before, decision, rolled[decision.player] if decision.kind == "play" else float("nan"))
            at += 1
        for player in (0, 1):
            if (seq, player) in lucks:
                rolled = (lucks[seq, player], float("nan")) if player == 0 else (float("nan"), lucks[seq, player])
    return table[:at]


def _fill(row: Any, before: Match, decision: Decision, luck: float) -> None:
    game, player = before.game, decision.player
    position = game.position if game.player == player else game.position.flip()
    row["event"], row["game"], row["player"] = decision.event, decision.game, player
    row["kind"], row["stage"] = KINDS.index(decision.kind), STAGES.index(decision.stage)
    row["shape"] = shape_of(game.rules, position)
    row["theme"] = NAMES.index(decision.themes[0].name) + 1 if decision.themes else 0
    row["counted"], row["loss"], row["luck"] = decision.counted, decision.loss, luck
    if not before.terms.money:
        row["away"] = [min(MAX_AWAY, max(1, round(before.away(side)))) for side in (player, 1 - player)]
    for index, side in enumerate((position.us, position.them)):
        held = points_held(game.rules, side)
        counts = (held.anchors, side.points[BAR], held.home, held.prime, held.blots, side.points[OFF])
        row["features"][index] = [one if isinstance(one, int) else len(one) for one in counts]
        row["position"][index] = [*side.points, side.hand]
        row["pinned"][index] = side.pinned


def shape_of(rules: Rules, position: Position) -> int:
    """The class within which positions are compared: an index in STAGES, whenever in the game it is reached."""
    return STAGES.index(phase_of(rules, position, OPENING_TURNS + 1))


def position_at(row: Any) -> Position:
    """The position of a row, seen by whoever decides."""
    us, them = (
        Side(tuple(map(int, counts[:-1])), int(counts[-1]), int(pinned))
        for counts, pinned in zip(row["position"], row["pinned"], strict=True)
    )
    return Position(us, them)


def positions_of(table: DecisionTable) -> PositionArray:
    """int8 [n, 2, 32]: the positions of the rows, seen by whoever decides, as `encode` makes them, for `Engine.evaluate_array`."""
    found = np.zeros((len(table), 2, SIDE_COLUMNS), np.int8)
    found[..., :PLACES] = table["position"]
    found[..., SIDE_COLUMNS - 4 :] = np.ascontiguousarray(table["pinned"]).view(np.int8).reshape(-1, 2, 4)
    return found


DECISION_COLUMNS: Final = (
    *("event", "game", "player", "name", "kind", "stage", "faces", "position", "away", "away_of_other", "cube"),
    *("made", "best", "loss", "cost", "luck", "counted", "mark", "themes"),
)
"""What `decision_rows` has of each decision."""


def decision_rows(match: Match, found: Findings) -> Iterator[tuple[object, ...]]:
    """The decisions of a match as rows of DECISION_COLUMNS, for tables of text.

    position: its ID, seen by whoever decides. away: points to go, 0 in a session. cube: its value. luck: of the roll that is played.
    """
    states = [before.game.cube.value for before, _ in islice(match.history(), found.events)]
    for row, decision in zip(table_of(match, found), found.decisions, strict=True):
        made, best = decision.options[decision.chosen], decision.options[0]
        yield (
            decision.event,
            decision.game,
            decision.player,
            found.names[decision.player],
            decision.kind,
            decision.stage,
            "-".join(map(str, decision.faces)),
            format_position(position_at(row)),
            *map(int, row["away"]),
            states[decision.event - 1],
            made.text,
            best.text,
            decision.loss,
            decision.cost,
            None if np.isnan(row["luck"]) else round(float(row["luck"]), 5),
            int(decision.counted),
            decision.mark,
            " ".join(theme.name for theme in decision.themes),
        )


def that_hold(table: DecisionTable, condition: str) -> npt.NDArray[np.bool_]:
    """bool [n]: the rows that meet conditions such as "own-bar-1+their-home-4": each a side, one of FEATURES, and how many
    at least. FormatError."""
    held = np.ones(len(table), np.bool_)
    for one in condition.split("+"):
        found = CONDITION.fullmatch(one)
        if found is None:
            raise FormatError(
                "the condition %(found)r; allowed: own or their, one of %(allowed)s, and a number, such as own-anchors-2",
                found=one[:40],
                allowed=", ".join(FEATURES),
            )
        side, feature, least = found.groups()
        held &= table["features"][:, int(side == "their"), FEATURES.index(feature)] >= int(least)
    return held


def with_luck(table: DecisionTable, luck: LuckRange) -> npt.NDArray[np.bool_]:
    """bool [n]: the plays of lucky or unlucky rolls."""
    if luck == "":
        return np.ones(len(table), np.bool_)
    held = table["luck"] >= LUCKY if luck == "lucky" else table["luck"] <= -LUCKY
    return np.asarray(held, np.bool_)


def pack_table(table: DecisionTable) -> bytes:
    """A table as it is stored."""
    return zlib.compress(table.tobytes(), 6)


def unpack_table(packed: bytes) -> DecisionTable:
    """A stored table."""
    return np.frombuffer(zlib.decompress(packed), ROW)
