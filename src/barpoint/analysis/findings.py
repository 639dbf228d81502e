"""What an analysis finds: decisions with their errors, the luck of rolls, and the totals of each player.

Equities are those of whoever decides or rolls, normalised: a plain win at the present cube is +1. A value is the chance to
win the match (MWC), or points of a money session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType

from barpoint.analysis.phases import PHASES
from barpoint.board import Position
from barpoint.chances import Chances, Margins, outcome_from
from barpoint.engine.deepest import DEEPEST
from barpoint.game.event import MoveMade, PositionCounts, position_of
from barpoint.match import Met

DOUBTFUL: Final = 0.020
ERROR: Final = 0.040
BLUNDER: Final = 0.080
"""Losses from which a decision is marked: eXtreme Gammon calls 0.020 an error, GNU Backgammon 0.040 doubtful, and both
call 0.080 a blunder or very bad."""

LUCKY: Final = 0.3
VERY_LUCKY: Final = 0.6
"""Luck from which a roll is marked lucky, or unlucky when negative; GNU Backgammon's."""

PR_FACTOR: Final = 500
"""The performance rating (PR) is the mean loss of an unforced decision times this, as in eXtreme Gammon."""

STAGES: Final = PHASES
"""The kinds of games in which totals are given."""

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "plays": ("play",),
    "cube": ("double", "no double", "take", "pass", "beaver", "raccoon"),
    "calls": ("call", "keep"),
    "resignations": ("resign", "accept", "reject"),
}
"""Kinds of decisions by the groups in which totals are given."""

UNRATED: Final = "resignations"
"""The group that no rating counts: many a match ends by a lost connection."""

Mark = Literal["", "doubtful", "error", "blunder"]


def mark_of(loss: float) -> Mark:
    """The mark of a decision with this loss."""
    if loss >= BLUNDER:
        return "blunder"
    return "error" if loss >= ERROR else "doubtful" if loss >= DOUBTFUL else ""


def luck_mark(luck: float) -> str:
    """The mark of a roll with this luck."""
    if abs(luck) < LUCKY:
        return ""
    return f"{'very ' if abs(luck) >= VERY_LUCKY else ''}{'lucky' if luck > 0 else 'unlucky'}"


class DecisionOption(Struct, frozen=True, omit_defaults=True):
    """One option of a decision.

    loss: against the best option. value: see above. chances: after it, the five numbers of Chances or the three of Margins.
    moves, position: of a play; the position after it is seen by the mover. error: the standard error, where it was rolled out.
    payments: what a gammon and a backgammon pay.
    """

    text: str
    equity: float
    loss: float
    value: float
    chances: tuple[float, ...] = ()
    moves: tuple[MoveMade, ...] = ()
    position: PositionCounts | None = None
    error: float | None = None
    payments: tuple[int, int] = (2, 3)

    @property
    def outcome(self) -> Chances | Margins | None:
        """`chances` as Chances or Margins, with their equity; None where there are none."""
        return outcome_from(self.chances, self.payments) if self.chances else None

    @property
    def result(self) -> Position | None:
        """`position` as a Position."""
        return None if self.position is None else position_of(self.position)


class CubeEquities(Struct, frozen=True):
    """A cube decision for whoever may double: three equities, and the chances to win at which decisions change.

    gammon: how many games they win as gammons or more; None where the rules count points instead.
    """

    no_double: float
    double_take: float
    double_pass: float
    action: str
    win: float
    take: float
    double: float
    cash: float
    too_good: float
    gammon: float | None = None


class MistakeTheme(Struct, frozen=True):
    """What a mistake is about (`themes.NAMES`). figures: of its sentence (`theme_text.py`): numbers, or points as text.

    Names that end with _share are chances, with _equity equities.
    """

    name: str
    figures: dict[str, float | str]


class RolloutDepth(Struct, frozen=True, omit_defaults=True):
    """How decisions are rolled out. games: of each choice at most. truncate: rolls after which the net evaluates a game; 0: never.

    plies, cube_plies: search depth of plays and of cube decisions in the games.
    """

    games: int = DEEPEST.trials
    truncate: int = DEEPEST.truncate
    plies: int = 0
    cube_plies: int = 0

    def within(self, other: RolloutDepth) -> bool:
        """Whether another rollout is as good in every respect."""
        longer = not other.truncate or 0 < self.truncate <= other.truncate
        pairs = (self.games, other.games), (self.plies, other.plies), (self.cube_plies, other.cube_plies)
        return longer and all(one <= most for one, most in pairs)


class Decision(Struct, frozen=True, omit_defaults=True):
    """A decision as it was made.

    event: the number of the event in the match, from 1, with which it was made. game: from 1.
    kind: see GROUPS; "no double" and "keep" are decisions made by rolling or playing on.
    stage: see STAGES. faces: the roll that was played or rerolled. chosen: index of the option that was taken; best first.
    cost: its loss in value. counted: it was unforced and counts for the performance rating. lesson: what the best option gains.
    themes: what a marked decision is about, what says most first. level: what is resigned: 1 a single game, 2 a gammon, 3 a
    backgammon; 0 elsewhere, and where the rules know one kind of win. plies: its search depth, where it was looked at deeper than the rest of the
    match; games: of the best option, where it was rolled out then, as `rolled` says; as at the deepest level without it.
    """

    event: int
    game: int
    player: int
    kind: str
    stage: str
    chosen: int
    options: tuple[DecisionOption, ...]
    loss: float
    cost: float
    counted: bool
    mark: Mark = ""
    faces: tuple[int, ...] = ()
    cube: CubeEquities | None = None
    lesson: str = ""
    themes: tuple[MistakeTheme, ...] = ()
    level: int = 0
    plies: int | None = None
    games: int = 0
    rolled: RolloutDepth | None = None

    @property
    def made(self) -> DecisionOption:
        """The option that was taken."""
        return self.options[self.chosen]

    @property
    def best(self) -> DecisionOption:
        """The option that should have been taken."""
        return self.options[0]


class RollLuck(Struct, frozen=True, omit_defaults=True):
    """The luck of a roll: its equity with the best play, less the mean over all rolls. value: the same as a value."""

    event: int
    game: int
    player: int
    faces: tuple[int, ...]
    luck: float
    value: float
    mark: str = ""


class CurvePoint(Struct, frozen=True):
    """Player 0's chance after an event: to win the match, or the running game of a money session."""

    event: int
    win: float


class Tally(Struct, frozen=True):
    """Decisions added up. loss, cost, doubtful, errors, blunders: of the unforced ones; of the group of resignations, which no
    rating counts, of all. error_rate: mean loss of an unforced decision in millipoints. rating: PR.
    """

    decisions: int
    unforced: int
    loss: float
    cost: float
    doubtful: int
    errors: int
    blunders: int
    error_rate: float
    rating: float


class PlayerTotals(Struct, frozen=True):
    """The totals of one player's decisions and rolls. luck: of their rolls, summed; luck_value: the same in value."""

    name: str
    total: Tally
    groups: dict[str, Tally]
    stages: dict[str, Tally]
    luck: float
    luck_value: float
    luckiest: int
    unluckiest: int

    @property
    def rating(self) -> float:
        """The performance rating (PR): 500 times the mean loss of an unforced decision; 0 without any."""
        return self.total.rating


class OtherOption(Struct, frozen=True, omit_defaults=True):
    """An option as the program that wrote a match file evaluates it. level: how deep it looked, in the words of the file."""

    text: str
    equity: float
    level: str = ""


class OtherVerdict(Struct, frozen=True, omit_defaults=True):
    """What that program says of a decision. event, kind: as in `Decision`. options: best first, named as ours.

    chosen: index of the option that was taken; None where it says nothing of it. cube: no double, double/take and double/pass for whoever may double.
    """

    event: int
    kind: str
    options: tuple[OtherOption, ...]
    chosen: int | None = None
    cube: tuple[float, ...] = ()

    @property
    def best(self) -> OtherOption:
        """The option that should have been taken."""
        return self.options[0]

    @property
    def loss(self) -> float | None:
        """Its error of what was done; None where it says nothing of it."""
        return None if self.chosen is None else max(0.0, self.best.equity - self.options[self.chosen].equity)


class OtherFindings(Struct, frozen=True):
    """What the file of a match says of its decisions. program: that wrote it, "" where the file does not say."""

    program: str
    verdicts: tuple[OtherVerdict, ...]


class Findings(Struct, frozen=True):
    """Everything that the analysis of a match found.

    net: the version of its nets, "" for a net of one's own that `use_net` has not named. rollout: what was close at `plies` was rolled out. events: how many were analysed; complete: these are all.
    result: of player 0: 1 or 0 for a match won or lost, points of a session since its record began; None while it is
    not over. adjusted: the luck-adjusted result, less the luck of both sides; of a match that begins at another score
    than 0-0, the chance from there. met: the match equity table that was used instead of the standard one. other: what the file of the match says.
    """

    rules: str
    length: int
    names: tuple[str, str]
    plies: int
    net: str
    events: int
    complete: bool
    decisions: tuple[Decision, ...]
    rolls: tuple[RollLuck, ...]
    curve: tuple[CurvePoint, ...]
    players: tuple[PlayerTotals, PlayerTotals]
    result: float | None = None
    adjusted: float | None = None
    rollout: bool = False
    met: Met | UnsetType = UNSET
    other: OtherFindings | UnsetType = UNSET
    format: Literal["barpoint-analysis"] = "barpoint-analysis"
    version: Literal[1] = 1

    def worst(self, most: int | None = None, player: int | None = None) -> tuple[Decision, ...]:
        """Marked decisions, the largest loss first."""
        marked = [one for one in self.decisions if one.mark and player in (None, one.player)]
        return tuple(sorted(marked, key=lambda one: -one.loss)[:most])


def tally(decisions: Iterable[Decision], rated: bool = True) -> Tally:
    """The totals of some decisions. rated: only unforced ones are added up; otherwise all, without a rating."""
    found = list(decisions)
    added = [one for one in found if one.counted or not rated]
    unforced = len(added) if rated else 0
    loss = sum(one.loss for one in added)
    mean = loss / unforced if unforced else 0.0
    marks = [one.mark for one in added]
    return Tally(
        decisions=len(found),
        unforced=unforced,
        loss=loss,
        cost=sum(one.cost for one in added),
        doubtful=marks.count("doubtful"),
        errors=marks.count("error"),
        blunders=marks.count("blunder"),
        error_rate=1000 * mean,
        rating=PR_FACTOR * mean,
    )


def totals(name: str, player: int, decisions: Iterable[Decision], rolls: Iterable[RollLuck]) -> PlayerTotals:
    """The totals of one player."""
    own = [one for one in decisions if one.player == player]
    rolled = [one for one in rolls if one.player == player]
    groups = {
        group: tally((one for one in own if one.kind in kinds), rated=group != UNRATED)
        for group, kinds in GROUPS.items()
    }
    stages = {stage: tally(one for one in own if one.stage == stage) for stage in STAGES}
    return PlayerTotals(
        name,
        tally(own),
        {group: found for group, found in groups.items() if found.decisions},
        {stage: found for stage, found in stages.items() if found.decisions},
        luck=sum(one.luck for one in rolled),
        luck_value=sum(one.value for one in rolled),
        luckiest=sum(one.luck >= LUCKY for one in rolled),
        unluckiest=sum(one.luck <= -LUCKY for one in rolled),
    )
