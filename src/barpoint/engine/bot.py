"""A player that makes every decision of a match, at a level."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Final, Never

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, CubeState, Owner, cube_info_of
from barpoint.engine.decision import Evaluator
from barpoint.engine.decision_point import DecisionPoint, played_of, point_of, reroll_point_of, same_game, tokens_of
from barpoint.engine.engine import Engine
from barpoint.engine.level import Level, levels
from barpoint.engine.level import level as level_named
from barpoint.engine.opening_book import book_play
from barpoint.engine.people import MAX_PLAYS, PeopleModel, people_model
from barpoint.engine.prospect import prospect, resignation
from barpoint.error import PositionError, UnknownVariant, UnsupportedRules, check_kind, check_names, whole_number
from barpoint.game import (
    Accept,
    Allowed,
    Beaver,
    Correct,
    Double,
    Event,
    Keep,
    Next,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Roll,
    Rollover,
    Take,
)
from barpoint.match import Match
from barpoint.moves import Play
from barpoint.native import pack
from barpoint.rules import Rules
from barpoint.variants import variant

ACCEPT_MARGIN: Final = 0.002
"""A resignation is accepted when playing on would gain less than this.

A bound: it costs at most 0.002 points, and nets alone are off by 0.007 or more (docs/engine.md).
"""


class Bot:
    """Plays one set of rules at a level; the same seed gives the same decisions. evaluator: replaces our own engine.

    level: of `barpoint.engine.levels()`, from "beginner" to "strongest" and "pr-20" to "pr-4", which err as people do; or a `Level` of one's own.
    Where games take turns, it plays them all. A level without random errors plays the opening book where that holds the roll. time_ms: the budget of milliseconds of each
    decision, in which our engine searches deeper than the level; the strongest level then rolls nothing out.

    UnsupportedRules when no net covers the rules, OptionError for an unknown level.
    """

    def __init__(
        self,
        rules: str | Rules = "backgammon",
        level: str | Level = "strong",
        seed: int = 0,
        evaluator: Evaluator | None = None,
        time_ms: float | None = None,
        **unknown: Never,
    ) -> None:
        check_names(unknown, ("rules", "level", "seed", "evaluator", "time_ms"))
        check_kind("level", level, str, Level)
        check_kind("rules", rules, str, Rules)
        if isinstance(rules, str):
            rules = _rules_called(rules)
        self.level = level_named(level) if isinstance(level, str) else level
        rollout = self.level.rollout and time_ms is None
        self.engine: Evaluator = evaluator or Engine(rules, plies=self.level.plies, time_ms=time_ms, rollout=rollout)
        self.seed, self._time_ms = whole_number("seed", seed), time_ms
        self._by_book = evaluator is None
        self._others: dict[str, Bot] = {}  # the same player in other games of a match
        self.people: PeopleModel | None = people_model(self.level.name) if self.level.people else None

    def __repr__(self) -> str:
        return f"<Bot {self.engine.rules.name}, level {self.level.name}, seed={self.seed}>"

    def event(self, match: Match, player: int) -> Event | None:
        """The event by which `player` acts now; None when they are not to act and want no reroll.

        To roll, it returns a Roll without faces. UnsupportedRules in a match of another game.
        """
        if match.over:
            return None
        game = match.game
        if game.over:
            return Next()
        if game.rules.name != self.engine.rules.name:
            if match.rules.sequence.games:
                return self._in(game.rules).event(match, player)
            if not same_game(self.engine.rules, game.rules):
                raise UnsupportedRules(
                    "a match of %(found)s; this bot plays %(name)s", found=game.rules.name, name=self.engine.rules.name
                )
        if game.actor != player:
            return self._reroll(match, player) if game.phase is Phase.TO_ROLL else None
        match game.phase:
            case Phase.TO_ROLL | Phase.MUST_REROLL:
                return self._before_rolling(match, player)
            case Phase.TO_PLAY:
                return self._reroll(match, player) or self._play(match, player)
            case Phase.DOUBLED:
                return self._answer_double(match, player)
            case Phase.RESIGNED:
                return self._answer_resignation(match, player)
            case Phase.PROVISIONAL_END:
                return self._reroll(match, player) or Keep(player)
            case Phase.TO_CORRECT:
                return Correct(player, self._choose(match).moves)
            case _:
                return None

    def _in(self, rules: Rules) -> Bot:
        """The same player in another game of the match; UnsupportedRules where an evaluator was given for one of them."""
        if not self._by_book:
            raise UnsupportedRules(
                "%(name)s comes up in this match; the evaluator plays %(known)s",
                name=rules.name,
                known=self.engine.rules.name,
            )
        if rules.name not in self._others:
            self._others[rules.name] = Bot(rules, self.level, self.seed, time_ms=self._time_ms)
        return self._others[rules.name]

    # -- decisions at this level

    def _random(self, match: Match, what: str) -> Random:
        """Random numbers: the same for the same question, independent for another."""
        return Random(
            f"{self.seed}/{len(match.finished)}/{pack(match.game.position).hex()}/{match.game.roll_id}/{what}"
        )

    def _noise(self, match: Match, what: str) -> float:
        """A random error."""
        return self._random(match, what).gauss(0, self.level.noise) if self.level.noise else 0.0

    def _calls(self, match: Match, position: Position, gain: float) -> bool:
        """Whether a reroll that gains so much is called for."""
        if self.people is not None:
            return self.people.prefers(self.engine.rules, position, gain, self._random(match, "call"))
        return gain + self._noise(match, "call") > 0

    def _takes(self, match: Match, gain: float, what: str = "take") -> bool:
        """Whether a take that gains so much over passing is made."""
        if self.people is not None:
            return self.people.takes(gain, self._random(match, what))
        return gain + self._noise(match, what) >= 0

    def _choose(self, match: Match) -> Play:
        point = point_of(match)
        if self.people is not None:
            ranked = self.engine.rank(point, limit=MAX_PLAYS)
            return self.people.play(self.engine.rules, point.position, ranked, partial(self._random, match)).play
        if not self.level.noise:
            known = book_play(match.game.rules, point) if self._by_book else None
            return known or self.engine.rank(point, limit=1)[0].play
        ranked = self.engine.rank(point, limit=400)  # only Acey-Deucey has more; a random error reaches no further
        return max(ranked, key=lambda item: item.equity + self._noise(match, pack(item.play.result).hex())).play

    def _play(self, match: Match, player: int) -> Event:
        return PlayMade(player, self._choose(match).moves)

    # -- rerolls

    def _reroll(self, match: Match, player: int) -> Event | None:
        """Spends a token to reroll the roll that is to be played or was just played, if that is allowed and better."""
        game = match.game
        item = _allowed(match.legal_events(), "rollover", player)
        if item is None or game.last_roll is None:
            return None
        point = reroll_point_of(match)
        if game.last_roll.player == player:
            found = self.engine.reroll(point, caller="us")
        elif game.phase is Phase.TO_PLAY:
            return None  # it waits for the play
        else:
            try:
                found = self.engine.reroll(point, caller="them", played=played_of(match))
            except PositionError:  # manual mode: an illegal play stands on the board
                return None
        calls = self._calls(match, point.position, found.call - found.keep)
        return Rollover(player, item.roll_id) if calls else None

    # -- cube

    def _before_rolling(self, match: Match, player: int) -> Event:
        if reroll := self._reroll(match, player):
            return reroll
        if _allowed(match.legal_events(), "double", player):
            return Double(player) if self._doubles(match) else Roll(player)
        return Roll(player)

    def _doubles(self, match: Match) -> bool:
        point = point_of(match)
        found = self.engine.cube(point)
        if self.people is not None:
            return self.people.doubles(self.engine.rules, point.position, found, self._random(match, "double"))
        doubled = min(found.double_take, found.double_pass) + self._noise(match, "double")
        return found.doubles and doubled >= found.no_double

    def _answer_double(self, match: Match, player: int) -> Event:
        if match.game.cube.raises:
            return self._answer_raise(match, player)
        allowed = match.legal_events()
        found = self.engine.cube(point_of(match))
        if not self._takes(match, found.double_pass - found.double_take):
            return Pass(player)
        if (found.action == "double/beaver" or found.double_take < 0) and _allowed(allowed, "beaver", player):
            return Beaver(player)
        return Take(player)

    def _answer_raise(self, match: Match, player: int) -> Event:
        """Beavers and raccoons, money only: play on at the offered cube, redouble at once, or resign half of it."""
        game = match.game
        offered = game.cube.offered
        doubler = game.player
        holder: Owner = "them" if game.cube.raises % 2 else "us"  # who would own the cube, seen by the doubler
        money = cube_info_of(match, doubler).score is None
        after = CubeInfo(CubeState(offered, holder), None, may_double=False)
        equity = self.engine.equity(DecisionPoint(game.position, after, tokens_of(game, doubler)))
        mine = equity if player == doubler else -equity
        if money and mine > 0 and (_allowed(match.legal_events(), "raccoon", player)):
            return Raccoon(player)
        if money and mine > 0 and _allowed(match.legal_events(), "beaver", player):
            return Beaver(player)
        return Take(player) if self._takes(match, mine + 0.5, "raise") else Pass(player)

    # -- resignations

    def _answer_resignation(self, match: Match, player: int) -> Event:
        offered = resignation(self.engine, match, player)
        return Accept(player) if offered >= prospect(self.engine, match, player) - ACCEPT_MARGIN else Reject(player)


def _rules_called(name: str) -> Rules:
    """The rules of that name; UnknownVariant says where a level is meant."""
    try:
        return variant(name)
    except UnknownVariant:
        if name not in {one.name for one in levels()}:
            raise
        raise UnknownVariant(
            "no variant is called %(name)r; it is a level, as in Bot(level=%(name)r)", name=name
        ) from None


def _allowed(items: Iterable[Allowed], kind: str, player: int) -> Allowed | None:
    return next((item for item in items if item.kind == kind and item.player == player), None)
