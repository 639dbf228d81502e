"""Judges decisions: plays, the cube, resignations and rerolls, each against the best option."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec import structs

from barpoint.analysis import lesson
from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption, mark_of
from barpoint.analysis.offer import judge_offer
from barpoint.analysis.phases import phase_of
from barpoint.analysis.rolled_decisions import DecisionRollouts, rolled_cube, rolled_offer, rolled_plays
from barpoint.board import Position
from barpoint.chances import Chances, payments_of
from barpoint.engine import CubeDecision, CubeInfo, DecisionPoint, Engine, OutcomeProbabilities, RankedPlay
from barpoint.engine.cube_info import cube_info_of
from barpoint.engine.decision import Caller
from barpoint.engine.decision_point import Tokens, point_of, reroll_point_of
from barpoint.engine.prospect import prospect, resignation
from barpoint.game import Correct, PlayMade
from barpoint.game.allowed import doubling_barred, raising_barred, reroll_right
from barpoint.game.event import counts_of, position_of
from barpoint.match import Match
from barpoint.moves import outcome

CLOSE: Final = 0.16
"""Not doubling, or letting a roll stand, counts as a decision when the alternative would lose less; GNU Backgammon's."""

SAME: Final = 0.001
"""A roll whose best and worst play differ by less is no decision; a loss below it is no error."""

SHOWN: Final = 5
"""Options kept of a decision, besides the one that was taken."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An option with its equity for whoever decides."""

    text: str
    equity: float
    play: RankedPlay[OutcomeProbabilities] | None = None
    error: float | None = None


@dataclass
class Judge:
    """Judges the decisions of one match with one engine.

    quick: the same rules at 0-ply, for decisions far from close. rollouts: plays and cube decisions are rolled out so, close or not; None: they
    are not. played: (game, roll, equity of its play).
    """

    engine: Engine[OutcomeProbabilities]
    quick: Engine[OutcomeProbabilities]
    rollouts: DecisionRollouts | None = None
    played: tuple[int, int, float] | None = None
    _again: dict[tuple[Position, Tokens | None, Caller, bool], float] = field(default_factory=dict)

    # -- plays

    def play(self, match: Match, event: PlayMade | Correct, seq: int) -> tuple[list[Decision], float | None]:
        """The play and, where the roll could have been rerolled, letting it stand; and player 0's chance after it.

        Empty for a play that today's rules do not allow.
        """
        game = match.game
        self.played = None
        if event.position is None or (isinstance(event, PlayMade) and event.illegal):
            return [], None
        point = point_of(match)
        result = position_of(event.position)
        ranked: tuple[RankedPlay[OutcomeProbabilities], ...] = self.engine.rank(point)
        at = next(
            (i for i, one in enumerate(ranked) if (one.play.result, one.play.again) == (result, event.again)), None
        )
        if at is None:
            return [], None
        made = ranked[at]
        if not made.deep:
            made = self._deepened(made, point)
        ranked = tuple(sorted((*ranked[:at], made, *ranked[at + 1 :]), key=lambda one: -one.equity))
        games = 0
        if self.rollouts:
            rolled = rolled_plays(self.engine, point, ranked, made, self.rollouts)
            ranked, made, games = rolled.ranked, rolled.made, rolled.games
        self.played = (len(match.finished), game.roll_id, made.equity)
        cap = self._reroll_cap(match, ranked[0].equity)
        choices = [Candidate(str(one.play), min(one.equity, cap), one) for one in ranked]
        chosen = ranked.index(made)
        trivial = choices[0].equity - choices[-1].equity < SAME
        decision = self._decision("play", match, event.player, seq, choices, chosen, counted=not trivial)
        found = [structs.replace(decision, games=games)]
        return [*self._own_keep(match, event.player, seq, choices[0].equity), *found], _win(match, made, event.player)

    def _deepened(
        self, made: RankedPlay[OutcomeProbabilities], point: DecisionPoint
    ) -> RankedPlay[OutcomeProbabilities]:
        """The same play, searched as deeply as the best ones."""
        if made.play.again or outcome(self.engine.rules, made.play.next) is not None:
            return made
        info, tokens = point.cube_info.under(self.engine.met), point.tokens
        other = None if tokens is None else (tokens[1], tokens[0])
        equity = -self.engine.equity(DecisionPoint(made.play.next, info.flip(), other))
        chances = self.engine.evaluate(made.play.next, other).flip()
        mwc = info.to_value(equity) if info.score else None
        return RankedPlay(made.play, equity, made.loss, chances, mwc, cubeful=made.cubeful)

    # -- rerolls

    def _rerolled(self, point: DecisionPoint, caller: Caller, quick: bool) -> float:
        """The roller's equity when a side that has a token rerolls this roll."""
        key = (point.position, point.tokens, caller, quick)
        if key not in self._again:
            if len(self._again) > 8:
                self._again.clear()
            engine = self.quick if quick else self.engine
            self._again[key] = engine.equity_after_reroll(point, caller)
        return self._again[key]

    def _call(self, match: Match, caller: Caller, kept: float) -> float:
        """The roller's equity after a reroll, at full depth only where it is close to that of the roll as it stands."""
        point = reroll_point_of(match)
        rough = self._rerolled(point, caller, quick=True)
        return rough if abs(rough - kept) > 2 * CLOSE else self._rerolled(point, caller, quick=False)

    def _reroll_cap(self, match: Match, best: float) -> float:
        """The most that a play can gain, because the other side may reroll; infinite where it may not."""
        game = match.game
        if not game.rerollable_id or not game.tokens[1 - game.player] or not game.rules.rerolls.other:
            return float("inf")
        return self._call(match, "them", best)

    def _own_keep(self, match: Match, player: int, seq: int, kept: float) -> list[Decision]:
        if reroll_right(match.game, player) is None:
            return []
        return self._calls(match, player, seq, kept, self._call(match, "us", kept), called=False)

    def other_keep(self, match: Match, player: int, seq: int) -> list[Decision]:
        """A player lets the other's last roll stand: by rolling, doubling or saying so."""
        return self._other(match, player, seq, called=False) if reroll_right(match.game, player) else []

    def reroll(self, match: Match, player: int, seq: int) -> list[Decision]:
        """A player has a roll rerolled."""
        game = match.game
        if game.last_roll is None or game.last_roll.player != player:
            return self._other(match, player, seq, called=True)
        kept = self.engine.rank(point_of(match), limit=1)[0].equity
        kept = min(kept, self._reroll_cap(match, kept))
        return self._calls(match, player, seq, kept, self._call(match, "us", kept), called=True)

    def _other(self, match: Match, player: int, seq: int, called: bool) -> list[Decision]:
        """A reroll of the other side's roll after its play, made or left."""
        game = match.game
        if self.played is None or self.played[:2] != (len(match.finished), game.roll_id):
            return []
        call = self._call(match, "them", self.played[2])
        return self._calls(match, player, seq, -self.played[2], -call, called)

    def _calls(self, match: Match, player: int, seq: int, kept: float, call: float, called: bool) -> list[Decision]:
        choices, chosen = _sorted([Candidate("Let it stand", kept), Candidate("Roll over", call)], int(called))
        counted = called or chosen > 0 or abs(kept - call) < CLOSE
        return [self._decision("call" if called else "keep", match, player, seq, choices, chosen, counted)]

    # -- the cube

    def cube(self, match: Match, player: int, seq: int, doubled: bool) -> list[Decision]:
        """A double, or a roll without one; nothing where a single game at the present cube wins the match already."""
        game = match.game
        if not doubled and (doubling_barred(game, player) or match.cube_is_dead(player)):
            return []
        point, games = point_of(match), 0
        found = self.engine.cube(point)
        if self.rollouts:
            found, games = rolled_cube(self.engine, point, found, self.rollouts)
        double = min(found.double_take, found.double_pass)
        stays, doubles = found.errors or (None, None)
        options = [
            Candidate("No double", found.no_double, error=stays),
            Candidate("Double", double, error=doubles if found.double_take <= found.double_pass else None),
        ]
        choices, chosen = _sorted(options, int(doubled))
        counted = doubled or chosen > 0 or abs(found.no_double - double) < CLOSE
        equities = _equities(found)
        kind = "double" if doubled else "no double"
        decision = self._decision(kind, match, player, seq, choices, chosen, counted, equities)
        return [structs.replace(decision, games=games)]

    def answer(self, match: Match, kind: str, seq: int) -> list[Decision]:
        """The answer to a double, beaver or raccoon; kind: "take", "pass", "beaver" or "raccoon"."""
        game = match.game
        actor = game.actor
        assert actor is not None
        point, games = point_of(match), 0
        judged = judge_offer(self.engine, point, raises=game.cube.raises, may_raise=not raising_barred(game))
        if self.rollouts:
            judged, games = rolled_offer(self.engine, point, judged, self.rollouts)
        found = judged.decision
        choices = [Candidate(each.text, each.equity, error=each.error) for each in judged.answers]
        done = {"take": 0, "pass": 1}.get(kind, 2)
        if done >= len(choices):
            return []
        choices, chosen = _sorted(choices, done)
        equities = _equities(found) if found else None
        decision = self._decision(kind, match, actor, seq, choices, chosen, True, equities)
        return [structs.replace(decision, games=games)]

    # -- resignations

    def resigned(self, match: Match, seq: int, accepted: bool) -> list[Decision]:
        """The answer to a resignation and, where it was accepted, the resignation itself; neither counts for the rating."""
        game = match.game
        assert game.resigning is not None
        player = game.resigning[0]
        other = 1 - player
        gets, goes_on = resignation(self.engine, match, other), prospect(self.engine, match, other)
        choices, chosen = _sorted([Candidate("Accept", gets), Candidate("Reject", goes_on)], int(not accepted))
        kind = "accept" if accepted else "reject"
        answer = self._decision(kind, match, other, seq, choices, chosen, counted=False)
        if not accepted:
            return [answer]
        choices, chosen = _sorted([Candidate("Resign", -gets), Candidate("Play on", -goes_on)], 0)
        return [self._decision("resign", match, player, seq - 1, choices, chosen, counted=False), answer]

    def _resigned_level(self, match: Match) -> int:
        """What is resigned, as in `Decision`; 0 without a resignation."""
        resigning = match.game.resigning
        return resigning[1] if resigning and match.game.rules.scoring.levels > 1 else 0

    # -- all decisions

    def _decision(
        self,
        kind: str,
        match: Match,
        player: int,
        seq: int,
        choices: list[Candidate],
        chosen: int,
        counted: bool,
        cube: CubeEquities | None = None,
    ) -> Decision:
        game = match.game
        info = cube_info_of(match, player, self.engine.met)
        best = choices[0].equity
        kept = [choice for i, choice in enumerate(choices) if i < SHOWN or i == chosen]
        at = kept.index(choices[chosen])
        options = tuple(_option(choice, best, info) for choice in kept)
        loss = max(0.0, best - kept[at].equity)
        if loss < SAME:
            loss = 0.0
        cost = options[0].value - options[at].value if loss else 0.0
        faces = game.last_roll.faces if kind in ("play", "call", "keep") and game.last_roll is not None else ()
        found = Decision(
            event=seq,
            game=len(match.finished) + 1,
            player=player,
            kind=kind,
            stage=phase_of(game.rules, game.position, game.turn_number),
            chosen=at,
            options=options,
            loss=round(loss, 5),
            cost=round(cost, 6),
            counted=counted,
            mark=mark_of(loss),
            faces=faces,
            cube=cube,
            level=self._resigned_level(match),
        )
        return lesson.taught(game.rules, info, game.position, found) if found.mark else found


def _sorted(choices: list[Candidate], done: int) -> tuple[list[Candidate], int]:
    """The choices best first, and the index of the one that was made; of two equal ones it comes first."""
    made = choices[done]
    ordered = sorted(choices, key=lambda one: (-one.equity, one is not made))
    return ordered, ordered.index(made)


def _option(choice: Candidate, best: float, info: CubeInfo) -> DecisionOption:
    play = choice.play
    error = choice.error if play is None else play.error
    return DecisionOption(
        text=choice.text,
        equity=round(choice.equity, 5),
        loss=round(max(0.0, best - choice.equity), 5),
        value=round(info.to_value(choice.equity), 6),
        chances=() if play is None else _rounded(play.chances),
        moves=() if play is None else play.play.moves,
        position=None if play is None else counts_of(play.play.result),
        error=None if error is None else round(error, 5),
        payments=(2, 3) if play is None else payments_of(play.chances),
    )


def _rounded(chances: OutcomeProbabilities) -> tuple[float, ...]:
    if isinstance(chances, Chances):
        found: Iterable[float] = (
            chances.win,
            chances.win_gammon,
            chances.win_backgammon,
            chances.lose_gammon,
            chances.lose_backgammon,
        )
    else:
        found = (chances.win, chances.won_points, chances.lost_points)
    return tuple(round(value, 5) for value in found)


def _equities(found: CubeDecision[OutcomeProbabilities]) -> CubeEquities:
    names = ("no_double", "double_take", "double_pass", "take", "double", "cash", "too_good")
    values = {name: round(float(getattr(found, name)), 5) for name in names}
    chances = found.chances
    gammon = round(chances.win_gammon, 5) if isinstance(chances, Chances) else None
    return CubeEquities(action=found.action, win=round(chances.win, 5), gammon=gammon, **values)


def _win(match: Match, made: RankedPlay[OutcomeProbabilities], player: int) -> float:
    """Player 0's chance after a play: to win the match, or the game of a session."""
    win = made.mwc if made.mwc is not None else made.chances.win
    return win if player == 0 else 1 - win
