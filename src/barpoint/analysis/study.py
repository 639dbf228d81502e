"""Looks through a match, event by event; it can be stopped after any of them, and says what is known by then."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from barpoint.analysis.judge import Judge
from barpoint.analysis.luck import Fortune
from barpoint.analysis.report import Decision, Luck, Point, Report, luck_mark, totals
from barpoint.engine import Engine
from barpoint.engine.stake import stake_of
from barpoint.game import (
    Accept,
    Beaver,
    Correct,
    Double,
    Event,
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
from barpoint.record import Book

NAMES = ("Player 1", "Player 2")

Progress = Callable[[int, int], None]
"""Called with how many events are done, and how many there are."""


class Study:
    """The analysis of a match under way. `for done in study: ...` carries it out; `report()` is possible at any time.

    plies: rolls looked ahead for decisions; luck is weighed with the net alone. engine: instead of a new one.
    UnsupportedRules when no net covers the rules.
    """

    def __init__(
        self, match: Match | Book, plies: int = 2, names: tuple[str, str] = NAMES, engine: Engine | None = None
    ) -> None:
        book = match if isinstance(match, Book) else Book(match, names)
        self.match, self.names = book.match, book.players
        self.engine = engine or Engine(self.match.rules, plies=plies)
        quick = Engine(self.match.rules)
        self._judge, self._fortune = Judge(self.engine, quick), Fortune(quick)
        self.done = 0
        self.decisions: list[Decision] = []
        self.rolls: list[Luck] = []
        self.curve: list[Point] = []

    def __iter__(self) -> Iterator[int]:
        """Looks at one event after the other, and yields how many are done."""
        before = Match.start(rules=self.match.rules, terms=self.match.terms)
        for seq, event in enumerate(self.match.events, start=1):
            after = before.replay(event)
            if seq > self.done:
                self._look(before, event, after, seq)
                self.done = seq
            yield seq
            before = after

    def _look(self, before: Match, event: Event, after: Match, seq: int) -> None:
        self.decisions += self._decisions(before, event, seq)
        if isinstance(event, Void) and self.rolls:
            self.rolls.pop()  # it was no roll
        luck = self._luck(before, event)
        if luck is not None:
            player = after.game.player
            stake = stake_of(before, player)
            worth = stake.worth(luck) - stake.worth(0)
            found = Luck(seq, _number(before), player, _faces(event), round(luck, 5), round(worth, 6), luck_mark(luck))
            self.rolls.append(found)
        if after.game.over and not before.game.over:
            self.curve.append(Point(seq, round(_standing(after), 5)))

    def _decisions(self, before: Match, event: Event, seq: int) -> list[Decision]:
        judge, game = self._judge, before.game
        match event:
            case PlayMade() | Correct():
                found, win = judge.play(before, event, seq)
                if win is not None:
                    self.curve.append(Point(seq, round(win, 5)))
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
                return judge.rollover(before, player, seq)
            case Accept() | Reject():
                return judge.resigned(before, seq, isinstance(event, Accept))
            case _:
                return []

    def _luck(self, before: Match, event: Event) -> float | None:
        match event:
            case Roll(_, faces):
                return self._fortune.of_roll(before, faces)
            case Opening((first, second)) if first != second:
                return self._fortune.of_opening(before, (first, second))
            case _:
                return None

    def report(self) -> Report:
        """What is known so far."""
        result = _result(self.match) if self.match.over else None
        lucks = [sum(one.worth for one in self.rolls if one.player == player) for player in (0, 1)]
        complete = self.done == len(self.match.events)
        return Report(
            rules=self.match.rules.name,
            length=self.match.length,
            names=self.names,
            plies=self.engine.plies,
            net="" if self.engine.entry is None else self.engine.entry.file.removesuffix(".net"),
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
            adjusted=None if result is None or not complete else result - lucks[0] + lucks[1],
        )


def analyse(match: Match | Book, plies: int = 2, *, progress: Progress | None = None) -> Report:
    """The analysis of a match: errors, luck, performance rating.

    progress: told after every event; what it raises ends the analysis. UnsupportedRules when no net covers the rules.
    """
    study = Study(match, plies)
    for done in study:
        if progress is not None:
            progress(done, len(study.match.events))
    return study.report()


def _number(match: Match) -> int:
    return len(match.finished) + 1


def _faces(event: Event) -> tuple[int, ...]:
    return event.faces if isinstance(event, Opening | Roll) else ()


def _standing(match: Match) -> float:
    """Player 0's chance once a game is over: to win the match; in a session, whether he has won the game."""
    if match.terms.money or match.over:
        winner = match.winner if not match.terms.money else match.finished[-1].result.winner
        return 0.5 if winner is None else float(winner == 0)
    crawford_next = match.terms.crawford and not any(game.crawford for game in match.finished)
    return Met.load().win(match.away(0), match.away(1), after_crawford=not crawford_next)


def _result(match: Match) -> float | None:
    if match.terms.money:
        return match.score[0] - match.score[1]
    return None if match.winner is None else float(match.winner == 0)
