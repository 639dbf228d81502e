"""Analyses a match event by event; it can be stopped after any of them and reports what it found until then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil
from types import NoneType
from typing import Never, overload

from msgspec import UNSET

from barpoint.analysis.earlier_findings import EarlierFindings
from barpoint.analysis.findings import CurvePoint, Decision, RollLuck, luck_mark, totals
from barpoint.analysis.inquiry import check_point, version_in_use
from barpoint.analysis.judge import Judge
from barpoint.analysis.luck import LuckMeter
from barpoint.analysis.other_verdicts import other_findings
from barpoint.analysis.position import PositionAnswer, answer_point
from barpoint.analysis.report import Report
from barpoint.analysis.rolled_decisions import DecisionRollouts
from barpoint.board import Position
from barpoint.engine import Engine, OutcomeProbabilities
from barpoint.engine.cube_info import cube_info_of
from barpoint.engine.decision_point import check_game, decision_point
from barpoint.error import OptionError, check_kind, check_names
from barpoint.game import (
    Accept,
    Beaver,
    Correct,
    Double,
    Event,
    Game,
    Keep,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Roll,
    Rollover,
    Take,
    Void,
    kind_of,
)
from barpoint.match import Match, Met
from barpoint.match.situation import Situation
from barpoint.record import Book
from barpoint.record.book import DEFAULT_NAMES
from barpoint.rules import Rules
from barpoint.variants import rules_of

AnalysisCallback = Callable[[int, int], None]
"""Called with how many events are done, and how many there are."""


class Study:
    """The analysis of a match under way. `for done in study: ...` carries it out; `report()` is possible at any time.

    plies: search depth of decisions; luck is measured at 0-ply, or not at all. engine: instead of a new one, with its own
    depth and net; luck is then measured with that net. earlier: what was found of another version of the match.
    rollouts: every play and cube decision is rolled out so; None: none.
    UnsupportedRules when no net covers the rules, and for an engine of another game.
    """

    def __init__(
        self,
        match: Match | Book,
        plies: int = 2,
        names: tuple[str, str] = DEFAULT_NAMES,
        engine: Engine[OutcomeProbabilities] | None = None,
        luck: bool = True,
        earlier: EarlierFindings | None = None,
        rollouts: DecisionRollouts | None = None,
    ) -> None:
        book = match if isinstance(match, Book) else Book(match, names)
        self.match, self.names, self._book = book.match, book.players, book
        check_kind("engine", engine, Engine, NoneType)
        self.engine: Engine[OutcomeProbabilities] = engine or Engine(self.match.rules, plies=plies)
        if not self.match.rules.sequence.games:
            check_game(self.engine.rules, self.match)
        self._with_luck, self._earlier, self._rollouts = luck, earlier, rollouts
        self._measures: dict[str, tuple[Judge, LuckMeter | None]] = {}
        self.done = 0
        self.decisions: list[Decision] = []
        self.rolls: list[RollLuck] = []
        self.curve: list[CurvePoint] = []

    def __iter__(self) -> Iterator[int]:
        """Analyses one event after the other, and yields how many are done."""
        before = Match.start(rules=self.match.rules, terms=self.match.terms)
        for seq, event in enumerate(self.match.events, start=1):
            after = before.replay(event)
            if seq > self.done:
                self.analyse_event(before, event, after, seq)
                self.done = seq
            yield seq
            before = after

    def _measure(self, game: Game) -> tuple[Judge, LuckMeter | None]:
        """What judges decisions and luck in this game of the match."""
        if game.rules.name not in self._measures:
            engine = self.engine.of_game(game.rules) if self.match.rules.sequence.games else self.engine
            quick = engine.at_depth(0)
            luck = LuckMeter(quick) if self._with_luck else None
            self._measures[game.rules.name] = Judge(engine, quick, self._rollouts), luck
        return self._measures[game.rules.name]

    def analyse_event(self, before: Match, event: Event, after: Match, seq: int) -> None:
        """Analyses one event. seq: its number, from 1."""
        if self._earlier is not None and (kept := self._earlier.of(before, event, seq)) is not None:
            self.decisions += kept[0]
            self.rolls += kept[1]
            self.curve += kept[2]
            return
        self.decisions += self._decisions(before, event, seq)
        if isinstance(event, Void) and self.rolls:
            self.rolls.pop()  # the roll did not count
        luck = self._luck_of(before, event)
        if luck is not None:
            player = after.game.player
            info = cube_info_of(before, player, self.engine.met)
            value = round(info.to_value(luck) - info.to_value(0), 6)
            mark = luck_mark(luck)
            self.rolls.append(RollLuck(seq, _number(before), player, _faces(event), round(luck, 5), value, mark))
        if after.game.over and not before.game.over:
            self.curve.append(CurvePoint(seq, round(_standing(after, self.engine.met), 5)))

    def _decisions(self, before: Match, event: Event, seq: int) -> list[Decision]:
        (judge, _), game = self._measure(before.game), before.game
        match event:
            case PlayMade() | Correct():
                found, win = judge.play(before, event, seq)
                if win is not None:
                    self.curve.append(CurvePoint(seq, round(win, 5)))
                return found
            case Roll(player):
                return [*judge.other_keep(before, player, seq), *judge.cube(before, player, seq, doubled=False)]
            case Double(player):
                return [*judge.other_keep(before, player, seq), *judge.cube(before, player, seq, doubled=True)]
            case Take() | Pass() | Beaver() | Raccoon():
                return judge.answer(before, kind_of(event), seq)
            case Keep(player) if game.phase is Phase.PROVISIONAL_END:
                return judge.other_keep(before, player, seq)
            case Rollover(player):
                return judge.reroll(before, player, seq)
            case Accept() | Reject():
                return judge.resigned(before, seq, isinstance(event, Accept))
            case _:
                return []

    def _luck_of(self, before: Match, event: Event) -> float | None:
        _, luck = self._measure(before.game)
        if luck is None:
            return None
        match event:
            case Roll(_, faces):
                return luck.of_roll(before, faces)
            case Opening((first, second)) if first != second:
                return luck.of_opening(before, (first, second))
            case _:
                return None

    def report(self) -> Report:
        """What was found so far."""
        result = _result(self.match) if self.match.over else None
        lucks = [sum(one.value for one in self.rolls if one.player == player) for player in (0, 1)]
        complete = self.done == len(self.match.events)
        return Report(
            rules=self.match.rules.name,
            length=self.match.length,
            names=self.names,
            plies=self.engine.plies,
            rollout=self.engine.rollout_settings is not None,
            met=UNSET if self.engine.met is None else self.engine.met,
            net=version_in_use(self.engine, self.match.rules),
            events=self.done,
            complete=complete,
            decisions=tuple(self.decisions),
            rolls=tuple(self.rolls),
            curve=tuple(self.curve),
            players=(
                totals(self.names[0], 0, self.decisions, self.rolls),
                totals(self.names[1], 1, self.decisions, self.rolls),
            ),
            result=result,
            other=other_findings(self._book) or UNSET,
            adjusted=None if result is None or not complete else result - lucks[0] + lucks[1],
        )


@overload
def analyse(
    source: Match | Book,
    plies: int = 2,
    *,
    progress: AnalysisCallback | None = None,
    engine: Engine[OutcomeProbabilities] | None = None,
) -> Report: ...
@overload
def analyse(
    source: Position | Situation | Game,
    plies: int = 2,
    *,
    rules: Rules | str | None = None,
    engine: Engine[OutcomeProbabilities] | None = None,
) -> PositionAnswer: ...
def analyse(
    source: Match | Book | Position | Situation | Game,
    plies: int = 2,
    *,
    rules: Rules | str | None = None,
    progress: AnalysisCallback | None = None,
    engine: Engine[OutcomeProbabilities] | None = None,
    **unknown: Never,
) -> Report | PositionAnswer:
    """The analysis of a match: errors, luck, performance rating; or of a position: plays, cube, counts.

    rules: of a position or situation, backgammon for None; games and matches have their own. progress: called after every event of a match;
    what it raises ends the analysis. engine: instead of a new one, such as one with a net of your own; its depth counts in
    place of `plies`, and a position or situation is of its rules. UnsupportedRules when no net covers the rules and for an
    engine of another game, PositionError where nobody is to act, OptionError for other rules besides what has its own.
    """
    check_names(unknown, ("plies", "rules", "progress", "engine"))
    check_kind("engine", engine, Engine, NoneType)
    played = _rules_of(source, engine, rules)
    if isinstance(source, Position | Situation | Game):
        if engine is not None and isinstance(source, Game):
            check_game(engine.rules, source)
        point = decision_point(played, source)
        check_point(played, point.position, judged=engine is not None)
        return answer_point(played, point, plies, engine=engine)
    check_kind("source", source, Match, Book, Position, Situation, Game)
    study = Study(source, plies, engine=engine)
    for done in study:
        if progress is not None:
            progress(done, len(study.match.events))
    return study.report()


def _rules_of(source: object, engine: Engine[OutcomeProbabilities] | None, rules: Rules | str | None) -> Rules:
    """The rules of a game or match, else of the engine, else these, or backgammon for None; OptionError for others besides them."""
    match = source.match if isinstance(source, Book) else source
    owner = match if isinstance(match, Match | Game) else engine
    if owner is None:
        return rules_of("backgammon" if rules is None else rules)
    if rules is not None and rules_of(rules) != owner.rules:
        raise OptionError(
            "rules %(name)s; %(kind)s given is of %(found)s, and has its own",
            name=rules_of(rules).name,
            kind=type(owner).__name__,
            found=owner.rules.name,
        )
    return owner.rules


def _number(match: Match) -> int:
    return len(match.finished) + 1


def _faces(event: Event) -> tuple[int, ...]:
    return event.faces if isinstance(event, Opening | Roll) else ()


def _standing(match: Match, met: Met | None) -> float:
    """Player 0's chance once a game is over: to win the match; in a session 1 when they won the game."""
    if match.terms.money or match.over:
        winner = match.winner if not match.terms.money else match.finished[-1].result.winner
        return 0.5 if winner is None else float(winner == 0)
    crawford_next = match.terms.crawford and not any(game.crawford for game in match.finished)
    return (met or Met.load()).win(ceil(match.away(0)), ceil(match.away(1)), after_crawford=not crawford_next)


def _result(match: Match) -> float | None:
    if match.terms.money:  # what was won before the record began is not in its luck either
        before = match.terms.first_score
        return match.score[0] - before[0] - (match.score[1] - before[1])
    return None if match.winner is None else float(match.winner == 0)
