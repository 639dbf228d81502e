"""Judges decisions: plays, the cube, resignations and calls, each against what would have been best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from barpoint.analysis import lesson
from barpoint.analysis.report import CubeFigures, Decision, Option, mark_of
from barpoint.analysis.shots import stage_of
from barpoint.board import Position
from barpoint.chances import Chances
from barpoint.engine import CubeDecision, CubeState, Engine, RankedPlay, Stake
from barpoint.engine.decision import Figures, Tokens
from barpoint.engine.prospect import prospect, resignation, tokens_of
from barpoint.engine.stake import stake_of
from barpoint.game import Correct, Game, PlayMade
from barpoint.game.allowed import annulment, doubling_barred, raising_barred
from barpoint.game.event import counts_of, position_of
from barpoint.match import Match
from barpoint.moves import outcome

CLOSE: Final = 0.16
"""A cube left alone, or a roll let stand, counts as a decision where doing otherwise would lose less; GNU Backgammon's."""

SAME: Final = 0.001
"""Plays of which the best and the worst differ by less are no decision; neither is a loss below it an error."""

SHOWN: Final = 5
"""Options kept of a decision, besides what was done."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that could be done, with its equity for whoever decides."""

    text: str
    equity: float
    play: RankedPlay | None = None


@dataclass
class Judge:
    """Judges the decisions of one match with one engine.

    quick: the same rules without looking ahead, for what is far from close. played: (game, roll, equity of its play).
    """

    engine: Engine
    quick: Engine
    played: tuple[int, int, float] | None = None
    _again: dict[tuple[Position, Tokens, str, bool], float] = field(default_factory=dict)

    # -- plays

    def play(self, match: Match, event: PlayMade | Correct, seq: int) -> tuple[list[Decision], float | None]:
        """The play and, where the roll could have been called, that it was not; and player 0's chance after it.

        Nothing is said of a play that today's rules do not allow.
        """
        game = match.game
        self.played = None
        if event.position is None or (isinstance(event, PlayMade) and event.illegal):
            return [], None
        stake, tokens = stake_of(match, event.player), tokens_of(game, event.player)
        result = position_of(event.position)
        ranked = self.engine.rank_for(game.position, game.faces, stake, tokens, None)
        at = next(
            (i for i, one in enumerate(ranked) if (one.play.result, one.play.again) == (result, event.again)), None
        )
        if at is None:
            return [], None
        made = ranked[at]
        if not made.deep:
            made = self._deepened(match, made, stake, tokens)
        ranked = tuple(sorted((*ranked[:at], made, *ranked[at + 1 :]), key=lambda one: -one.equity))
        self.played = (len(match.finished), game.roll_id, made.equity)
        cap = self._other_calls(match, ranked[0].equity, stake, tokens)
        choices = [Choice(str(one.play), min(one.equity, cap), one) for one in ranked]
        chosen = ranked.index(made)
        trivial = choices[0].equity - choices[-1].equity < SAME
        found = [self._decision("play", match, event.player, seq, choices, chosen, counted=not trivial)]
        return [*self._own_keep(match, event.player, seq, choices[0].equity), *found], _win(match, made, event.player)

    def _deepened(self, match: Match, made: RankedPlay, stake: Stake, tokens: Tokens) -> RankedPlay:
        """The same play, looked at as deep as the best ones."""
        if made.play.again or outcome(self.engine.rules, made.play.next) is not None:
            return made
        other = (tokens[1], tokens[0])
        equity = -self.engine.stand(made.play.next, stake.flip(), other)
        chances = self.engine.evaluate(made.play.next, other).flip()
        worth = stake.worth(equity) if stake.score else None
        return RankedPlay(made.play, equity, made.loss, chances, worth)

    # -- calls

    def again(self, match: Match, caller: Literal["us", "them"], stake: Stake, tokens: Tokens, quick: bool) -> float:
        """The roller's equity when this roll of his is annulled by a side that has a marker."""
        rolled = match.game.last_roll
        assert rolled is not None
        key = (rolled.before, tokens, caller, quick)
        if key not in self._again:
            if len(self._again) > 8:
                self._again.clear()
            engine = self.quick if quick else self.engine
            self._again[key] = engine.rolled_again(rolled.before, stake, tokens, caller)
        return self._again[key]

    def _call(self, match: Match, caller: Literal["us", "them"], kept: float, stake: Stake, tokens: Tokens) -> float:
        """As `again`, as deep as it matters beside what the roll is worth when it stands."""
        rough = self.again(match, caller, stake, tokens, quick=True)
        return rough if abs(rough - kept) > 2 * CLOSE else self.again(match, caller, stake, tokens, quick=False)

    def _other_calls(self, match: Match, best: float, stake: Stake, tokens: Tokens) -> float:
        """What a play is worth at most because the other side may annul the roll; infinite where it may not."""
        game = match.game
        if not game.rerollable_id or not tokens[1] or not game.rules.rerolls.other:
            return float("inf")
        return self._call(match, "them", best, stake, tokens)

    def _own_keep(self, match: Match, player: int, seq: int, kept: float) -> list[Decision]:
        if annulment(match.game, player) is None:
            return []
        stake, tokens = stake_of(match, player), tokens_of(match.game, player)
        call = self._call(match, "us", kept, stake, tokens)
        return self._calls(match, player, seq, kept, call, called=False)

    def other_keep(self, match: Match, player: int, seq: int) -> list[Decision]:
        """That a player rolls, doubles or says so, and so lets the other's last roll stand."""
        return self._other(match, player, seq, called=False) if annulment(match.game, player) else []

    def rollover(self, match: Match, player: int, seq: int) -> list[Decision]:
        """That a roll was called."""
        game = match.game
        if game.last_roll is None or game.last_roll.player != player:
            return self._other(match, player, seq, called=True)
        stake, tokens = stake_of(match, player), tokens_of(game, player)
        kept = self.engine.rank_for(game.position, game.faces, stake, tokens, 1)[0].equity
        kept = min(kept, self._other_calls(match, kept, stake, tokens))
        call = self._call(match, "us", kept, stake, tokens)
        return self._calls(match, player, seq, kept, call, called=True)

    def _other(self, match: Match, player: int, seq: int, called: bool) -> list[Decision]:
        """A call on the other side's roll after its play, made or left."""
        game = match.game
        if self.played is None or self.played[:2] != (len(match.finished), game.roll_id):
            return []
        roller = 1 - player
        stake, tokens = stake_of(match, roller), tokens_of(game, roller)
        call = self._call(match, "them", self.played[2], stake, tokens)
        return self._calls(match, player, seq, -self.played[2], -call, called)

    def _calls(self, match: Match, player: int, seq: int, kept: float, call: float, called: bool) -> list[Decision]:
        choices, chosen = _sorted([Choice("Let it stand", kept), Choice("Roll over", call)], int(called))
        counted = called or chosen > 0 or abs(kept - call) < CLOSE
        return [self._decision("call" if called else "keep", match, player, seq, choices, chosen, counted)]

    # -- the cube

    def cube(self, match: Match, player: int, seq: int, doubled: bool) -> list[Decision]:
        """A double, or that none was offered before a roll."""
        game = match.game
        if not doubled and doubling_barred(game, player):
            return []
        found = self.engine.cube_for(game.position, stake_of(match, player), tokens_of(game, player))
        double = min(found.double_take, found.double_pass)
        choices, chosen = _sorted([Choice("No double", found.no_double), Choice("Double", double)], int(doubled))
        counted = doubled or chosen > 0 or abs(found.no_double - double) < CLOSE
        figures = _figures(found)
        kind = "double" if doubled else "no double"
        return [self._decision(kind, match, player, seq, choices, chosen, counted, figures)]

    def answer(self, match: Match, kind: str, seq: int) -> list[Decision]:
        """What a double, beaver or raccoon was answered with: kind "take", "pass", "beaver" or "raccoon"."""
        game = match.game
        actor, doubler = game.actor, game.player
        assert actor is not None
        stake, tokens = stake_of(match, doubler), tokens_of(game, doubler)
        found = self.engine.cube_for(game.position, stake, tokens) if not game.cube.raises else None
        sign, offered = (1 if actor == doubler else -1), game.cube.offered
        may_raise = not raising_barred(game)
        plain = found is not None and not may_raise
        take = found.double_take if plain and found else self._held(game, stake, tokens, offered)
        lost = -offered / 2 / game.cube.value
        if found is not None:
            lost = -found.double_pass
        choices = [Choice("Take", sign * take), Choice("Pass", lost)]
        more = "raccoon" if actor == doubler else "beaver"
        if may_raise:
            choices.append(Choice(more.capitalize(), sign * self._held(game, stake, tokens, 2 * offered)))
        done = {"take": 0, "pass": 1}.get(kind, 2)
        if done >= len(choices):
            return []
        choices, chosen = _sorted(choices, done)
        return [self._decision(kind, match, actor, seq, choices, chosen, True, _figures(found) if found else None)]

    def _held(self, game: Game, stake: Stake, tokens: Tokens, value: int) -> float:
        """The doubler's equity, at the cube before he doubled, when the game goes on at this value."""
        after = Stake(CubeState(value, "them"), stake.score, may_double=False)
        return stake.normal(after.worth(self.engine.stand(game.position, after, tokens)))

    # -- resignations

    def resigned(self, match: Match, seq: int, accepted: bool) -> list[Decision]:
        """The answer to a resignation and, where it was accepted, the resignation itself."""
        game = match.game
        assert game.resigning is not None
        player = game.resigning[0]
        other = 1 - player
        gets, goes_on = resignation(self.engine, match, other), prospect(self.engine, match, other)
        choices, chosen = _sorted([Choice("Accept", gets), Choice("Reject", goes_on)], int(not accepted))
        kind = "accept" if accepted else "reject"
        answer = self._decision(kind, match, other, seq, choices, chosen, counted=True)
        if not accepted:
            return [answer]
        choices, chosen = _sorted([Choice("Resign", -gets), Choice("Play on", -goes_on)], 0)
        return [self._decision("resign", match, player, seq - 1, choices, chosen, counted=True), answer]

    # -- what all have in common

    def _decision(
        self,
        kind: str,
        match: Match,
        player: int,
        seq: int,
        choices: list[Choice],
        chosen: int,
        counted: bool,
        cube: CubeFigures | None = None,
    ) -> Decision:
        game = match.game
        stake = stake_of(match, player)
        best = choices[0].equity
        kept = [choice for i, choice in enumerate(choices) if i < SHOWN or i == chosen]
        at = kept.index(choices[chosen])
        options = tuple(_option(choice, best, stake) for choice in kept)
        loss = max(0.0, best - kept[at].equity)
        if loss < SAME:
            loss = 0.0
        cost = options[0].worth - options[at].worth if loss else 0.0
        faces = game.last_roll.faces if kind in ("play", "call", "keep") and game.last_roll is not None else ()
        found = Decision(
            event=seq,
            game=len(match.finished) + 1,
            player=player,
            kind=kind,
            stage=stage_of(game.rules, game.position, game.turn_number),
            chosen=at,
            options=options,
            loss=round(loss, 5),
            cost=round(cost, 6),
            counted=counted,
            mark=mark_of(loss),
            faces=faces,
            cube=cube,
        )
        return lesson.taught(game.rules, stake, found) if found.mark else found


def _sorted(choices: list[Choice], done: int) -> tuple[list[Choice], int]:
    """The choices best first, and where what was done stands; the cheaper of two equal ones is what was done."""
    made = choices[done]
    ordered = sorted(choices, key=lambda one: (-one.equity, one is not made))
    return ordered, ordered.index(made)


def _option(choice: Choice, best: float, stake: Stake) -> Option:
    play = choice.play
    return Option(
        text=choice.text,
        equity=round(choice.equity, 5),
        loss=round(max(0.0, best - choice.equity), 5),
        worth=round(stake.worth(choice.equity), 6),
        chances=() if play is None else _rounded(play.chances),
        moves=() if play is None else play.play.moves,
        position=None if play is None else counts_of(play.play.result),
    )


def _rounded(figures: Figures) -> tuple[float, ...]:
    if isinstance(figures, Chances):
        found: Iterable[float] = (
            figures.win,
            figures.win_gammon,
            figures.win_backgammon,
            figures.lose_gammon,
            figures.lose_backgammon,
        )
    else:
        found = (figures.win, figures.won_points, figures.lost_points)
    return tuple(round(value, 5) for value in found)


def _figures(found: CubeDecision) -> CubeFigures:
    names = ("no_double", "double_take", "double_pass", "take", "double", "cash", "too_good")
    values = {name: round(float(getattr(found, name)), 5) for name in names}
    return CubeFigures(action=found.action, win=round(found.chances.win, 5), **values)


def _win(match: Match, made: RankedPlay, player: int) -> float:
    """Player 0's chance after a play: to win the match, or the game of a session."""
    win = made.mwc if made.mwc is not None else made.chances.win
    return win if player == 0 else 1 - win
