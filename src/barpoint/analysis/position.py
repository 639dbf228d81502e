"""The engine's answer about one position: every play, the cube, the reroll, and the counts."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from barpoint.analysis.findings import mark_of
from barpoint.analysis.inquiry import Inquiry, engine_of, point_of_inquiry, version_in_use
from barpoint.analysis.race_counts import Counts, counts_of_position
from barpoint.board import Position
from barpoint.chances import outcome_from, payments_of
from barpoint.engine import DecisionPoint, Engine, OutcomeProbabilities, RankedPlay, bearoff
from barpoint.engine.decision import cube_text, figure, mwc_text
from barpoint.engine.decision_point import token_state, tokens_left
from barpoint.engine.race import race_cube
from barpoint.error import TableError
from barpoint.game.event import MoveMade, PositionCounts, counts_of, position_of
from barpoint.moves import Play
from barpoint.moves.notation import NO_PLAY
from barpoint.native import core_rules, pack
from barpoint.record import format_position
from barpoint.rules import Rules

MAX_PLAYS: Final = 32
"""Plays of an answer; the others are counted only."""

_SHOWN: Final = 10
"""Plays in the text of an answer."""


class PlayAnswer(Struct, frozen=True, omit_defaults=True):
    """A play. text: its notation, "" where nothing can be played. position: after it, seen by the mover; id: its ID,
    seen by the side that acts next.

    equity, loss: a single win at the present cube is +1. mwc: match winning chance; None for money. chances: of the
    mover: win, win a gammon, win a backgammon, lose a gammon, lose a backgammon; or win, points won, points lost.
    deep: searched to the full depth; the others were clearly worse before. plies: how deep this one was searched, where that
    is known. payments: what a gammon and a backgammon pay.
    """

    text: str
    moves: tuple[MoveMade, ...]
    position: PositionCounts
    id: str
    equity: float
    loss: float
    chances: tuple[float, ...]
    mwc: float | None = None
    deep: bool = True
    mark: str = ""
    plies: int | None = None
    payments: tuple[int, int] = (2, 3)

    def __str__(self) -> str:
        loss = f" ({figure(-self.loss)})" if self.loss else ""
        return f"{self.text or NO_PLAY}  {figure(self.equity)}{loss}{mwc_text(self.mwc)}  {self.outcome}"

    @property
    def outcome(self) -> OutcomeProbabilities:
        """`chances` as Chances or Margins, with their equity."""
        return outcome_from(self.chances, self.payments)

    @property
    def result(self) -> Position:
        """`position` as a Position."""
        return position_of(self.position)


class CubeAnswer(Struct, frozen=True, omit_defaults=True):
    """The cube actions of the player to act, before the roll.

    no_double, double_take, double_pass: their equities; mwc: the same as match winning chances; relative: the same less
    the equity of the best actions of both. loss: what not doubling loses, and doubling. answer_loss: what taking loses,
    and passing. reason: why the player may not double, "" where they may. take: winning chance from which the player to act could take a double themselves; double, cash, too_good:
    from which doubling is right, the other side passes, playing on is better.
    """

    action: str
    no_double: float
    double_take: float
    double_pass: float
    take: float
    double: float
    cash: float
    too_good: float
    loss: tuple[float, float]
    answer_loss: tuple[float, float]
    relative: tuple[float, float, float]
    mwc: tuple[float, float, float] | None = None
    reason: str = ""

    def __str__(self) -> str:
        return cube_text(self)


class RerollAnswer(Struct, frozen=True):
    """Equities of the player to act when they keep the roll and when they spend a token on another one."""

    action: str
    keep: float
    reroll: float

    def __str__(self) -> str:
        return f"keep {figure(self.keep)}, reroll {figure(self.reroll)}"


class PositionAnswer(Struct, frozen=True, omit_defaults=True):
    """The answer to an `Inquiry`, for the player to act.

    net, plies: by what it was got; net is "" for a net of one's own. source: "exact" where a table holds the position with
    its cube, "bear-off" where the bear-off table of each side does, else "net". chances: before the roll. equity: before
    the roll, with the best cube action; cubeless: of the chances alone, in points. plays: best first, at most 32 of `count`; only with a roll.
    payments: as in `PlayAnswer`.
    """

    net: str
    plies: int
    source: str
    chances: tuple[float, ...]
    cubeless: float
    equity: float
    counts: Counts
    plays: tuple[PlayAnswer, ...] = ()
    count: int = 0
    cube: CubeAnswer | None = None
    reroll: RerollAnswer | None = None
    payments: tuple[int, int] = (2, 3)

    def __str__(self) -> str:
        """All of it in lines, of the plays the ten best."""
        lines = [f"before the roll {figure(self.equity)} ({self.source}, {self.plies}-ply)", str(self.outcome)]
        lines += map(str, self.plays[:_SHOWN])
        if (more := self.count - _SHOWN) > 0:
            lines.append(f"and {more} more plays")
        lines += (str(each) for each in (self.cube, self.reroll) if each is not None)
        return "\n".join(lines)

    @property
    def outcome(self) -> OutcomeProbabilities:
        """`chances` as Chances or Margins, with their equity."""
        return outcome_from(self.chances, self.payments)


def answer_position(inquiry: Inquiry, plies: int, threads: int = 1) -> PositionAnswer:
    """Answers an inquiry; BarpointError says why there is no answer."""
    return answer_point(inquiry.rules, point_of_inquiry(inquiry), plies, threads)


def answer_point(
    rules: Rules,
    point: DecisionPoint,
    plies: int,
    threads: int = 1,
    engine: Engine[OutcomeProbabilities] | None = None,
) -> PositionAnswer:
    """The answer about a decision that `check_point` has let pass. engine: instead of one of that depth."""
    engine = engine or engine_of(rules, plies, threads)
    before = DecisionPoint(point.position, point.cube_info, point.tokens)
    chances = engine.evaluate(before)
    ranked = engine.rank(point) if point.faces else ()
    return PositionAnswer(
        net=version_in_use(engine, rules),
        plies=engine.plies,
        source=source_of(rules, point),
        chances=rounded(chances),
        cubeless=round(chances.equity, 6),
        equity=round(engine.equity(before), 6),
        counts=counts_of_position(rules, point.position),
        plays=tuple(play_answer(item) for item in ranked[:MAX_PLAYS]),
        count=len(ranked),
        cube=_cube(engine, before) if not point.faces and point.cube_info.cube else None,
        reroll=_reroll(engine, point) if point.faces else None,
        payments=payments_of(chances),
    )


def play_answer(item: RankedPlay[OutcomeProbabilities]) -> PlayAnswer:
    """A ranked play in the form of an answer."""
    loss = round(item.loss, 6)
    return PlayAnswer(
        text=play_text(item.play),
        moves=item.play.moves,
        position=counts_of(item.play.result),
        id=format_position(item.play.next),
        equity=round(item.equity, 6),
        loss=loss,
        chances=rounded(item.chances),
        mwc=None if item.mwc is None else round(item.mwc, 6),
        deep=item.deep,
        mark=mark_of(loss),
        plies=item.plies,
        payments=payments_of(item.chances),
    )


def play_text(play: Play) -> str:
    """Its notation; "" where nothing can be played."""
    return str(play) if play.moves else ""


def rounded(chances: OutcomeProbabilities) -> tuple[float, ...]:
    """The numbers of an outcome, to six places."""
    return tuple(round(float(each), 6) for each in chances.probabilities)


def _cube(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> CubeAnswer:
    found = engine.cube(point)
    doubled = min(found.double_take, found.double_pass)
    best = max(found.no_double, doubled)
    return CubeAnswer(
        action=found.action,
        no_double=round(found.no_double, 6),
        double_take=round(found.double_take, 6),
        double_pass=round(found.double_pass, 6),
        take=round(found.take, 6),
        double=round(found.double, 6),
        cash=round(found.cash, 6),
        too_good=round(found.too_good, 6),
        loss=(round(best - found.no_double, 6), round(best - doubled, 6)),
        answer_loss=(round(found.double_take - doubled, 6), round(found.double_pass - doubled, 6)),
        relative=(
            round(found.no_double - best, 6),
            round(found.double_take - best, 6),
            round(found.double_pass - best, 6),
        ),
        mwc=None if found.mwc is None else (round(found.mwc[0], 6), round(found.mwc[1], 6), round(found.mwc[2], 6)),
        reason=found.reason or "",
    )


def _reroll(engine: Engine[OutcomeProbabilities], point: DecisionPoint) -> RerollAnswer | None:
    rerolls = engine.rules.rerolls
    if not rerolls.own or not tokens_left(engine.rules, point.tokens)[0]:
        return None
    found = engine.reroll(point)
    return RerollAnswer(found.action, round(found.keep, 6), round(found.call, 6))


def source_of(rules: Rules, point: DecisionPoint) -> str:
    """By what a position is judged: "exact", "bear-off" or "net"."""
    info = point.cube_info
    state = token_state(rules, point.tokens)
    if race_cube(core_rules(rules), pack(point.position), state, info) is not None:
        return "exact"
    return "bear-off" if not state and _all_home(rules, point.position) else "net"


def _all_home(rules: Rules, position: Position) -> bool:
    most = min(rules.checkers, bearoff.MAX_CHECKERS)
    if any(bearoff.home_index(side, most) is None for side in (position.us, position.them)):
        return False
    try:
        bearoff.OneSided.of(rules)
    except TableError:
        return False
    return True
