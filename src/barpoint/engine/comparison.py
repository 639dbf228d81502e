"""Two players against each other: pairs of games on the same dice with the seats exchanged, and who wins how much."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Never

import numpy as np
import numpy.typing as npt

from barpoint.dice import seeded
from barpoint.driver import Player, Policy, play, play_batch
from barpoint.engine.bot import Bot
from barpoint.engine.decision_point import same_game
from barpoint.engine.engine import Engine
from barpoint.engine.net import NetLike, load_pruning_net
from barpoint.engine.rollout import Estimate
from barpoint.error import ArgumentError, OptionError, brief, check_names, whole_number
from barpoint.language import _, ngettext, number
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import rules_of, rules_of_game

Contestant = Engine[Any] | Player | Policy | NetLike
"""Who is compared: an engine, a bot or another player, a policy of `play_batch`, or a net or the file of one."""

BLOCK: Final = 32
"""Pairs of games between two calls of `progress`."""

MAX_ROLLS: Final = 2000
"""Rolls after which a game between two nets ends without a winner."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a player stood against another. points: the first one's mean points a game, from the means of pairs of games.

    games: how many were played. luck_adjusted: of each roll the first one's gain beyond the mean of all rolls was subtracted,
    which leaves the mean as it is and makes the error smaller.
    """

    points: Estimate
    games: int
    luck_adjusted: bool = False

    def __str__(self) -> str:
        low, high = (number(end, 3, sign=True) for end in self.interval())
        games = ngettext("%(num)s game", "%(num)s games", self.games)
        adjusted = ", " + _("luck-adjusted") if self.luck_adjusted else ""
        return _(
            "%(points)s points a game, 95 %% between %(low)s and %(high)s; %(games)s",
            points=self.points,
            low=low,
            high=high,
            games=games + adjusted,
        )

    def interval(self, errors: float = 1.96) -> tuple[float, float]:
        """As `Estimate.interval`, of the points a game."""
        return self.points.interval(errors)


def compare(
    first: Contestant,
    second: Contestant,
    games: int = 400,
    rules: Rules | str | None = None,
    *,
    cube: bool = False,
    seed: int = 1,
    progress: Callable[[Comparison], None] | None = None,
    **unknown: Never,
) -> Comparison:
    """Plays games of two players against each other, in pairs on the same dice with the seats exchanged.

    first, second: nets and engines without search play in the core, luck-adjusted, without a cube; engines that search and
    policies play as in `play_batch`; where one is a bot or another player, or with `cube`, all play as in `play`, engines as
    `Bot(rules, evaluator=engine)`. games: an even number. rules: those of the first engine or bot, or backgammon, if not
    given. cube: money games with the doubling cube.
    progress: called with what stands after every block of games; what it raises, and Ctrl-C, end the comparison at once.
    The same seed gives the same result. ArgumentError for what cannot play, OptionError for other numbers of games.
    """
    check_names(unknown, ("games", "rules", "cube", "seed", "progress"))
    games, seed = whole_number("games", games), whole_number("seed", seed)
    if games < 2 or games % 2:
        raise OptionError("%(games)s games; an even number is allowed: both players have each seat once", games=games)
    known = rules_of_game(rules_of(_rules_of_either(first, second) if rules is None else rules))
    made = _engine_of(known, first), _engine_of(known, second)
    luck_adjusted = not cube and all(isinstance(one, Engine) and _without_search(one) for one in made)
    points: list[float] = []
    for block in _blocks(known, made, games // 2, cube=cube, seed=seed, in_core=luck_adjusted):
        points += block
        found = Comparison(Estimate.of(np.array(points)), 2 * len(points), luck_adjusted)
        if progress is not None:
            progress(found)
    return found


def _rules_of_either(first: Contestant, second: Contestant) -> Rules | str:
    for one in (first, second):
        engine = one.engine if isinstance(one, Bot) else one
        if isinstance(rules := getattr(engine, "rules", None), Rules):
            return rules
    return "backgammon"


def _engine_of(rules: Rules, one: Contestant) -> Engine[Any] | Player | Policy:
    """A contestant, an engine in place of a net; ArgumentError for what cannot play."""
    if isinstance(one, core.Net | str | os.PathLike):
        return Engine(rules, net=one)
    if isinstance(one, Engine) and not same_game(one.rules, rules):
        raise OptionError("an engine of %(name)s; the games are %(rules)s", name=one.rules.name, rules=rules.name)
    if isinstance(one, Engine) or hasattr(one, "event") or callable(one):
        return one
    raise ArgumentError(
        "%(player)s cannot play; allowed: an engine, a bot or another player, a policy, a net or its file",
        player=brief(one),
    )


def _without_search(engine: Engine[Any]) -> bool:
    return engine.plies == 0 and engine.time_ms is None and engine.rollout_settings is None


_Pair = tuple[Engine[Any] | Player | Policy, Engine[Any] | Player | Policy]


def _blocks(rules: Rules, made: _Pair, pairs: int, *, cube: bool, seed: int, in_core: bool) -> Iterator[list[float]]:
    """The first one's mean points a game, of each pair, by blocks of pairs."""
    alone = any(hasattr(one, "event") for one in made)
    with_bots = cube or alone or (bool(rules.rerolls.tokens) and all(isinstance(one, Engine) for one in made))
    for begin in range(0, pairs, BLOCK):
        count = min(BLOCK, pairs - begin)
        if in_core:
            yield _of_nets(rules, made, seed + begin, count)
        elif with_bots:
            yield _of_players(rules, made, range(begin, begin + count), seed, cube=cube)
        else:
            yield _of_policies(rules, made, seed + begin, count)


def _of_nets(rules: Rules, made: _Pair, seed: int, pairs: int) -> list[float]:
    first, second = made
    assert isinstance(first, Engine)
    assert isinstance(second, Engine)
    judge = first if first.entry is not None else second
    pruning_net = None if judge.entry is None else load_pruning_net(judge.entry)
    return pairs_of_net_games(rules, (first.net, second.net), judge.net, pruning_net, seed, pairs)


def pairs_of_net_games(
    rules: Rules,
    nets: tuple[core.Net, core.Net],
    judge: core.Net,
    judge_pruning_net: core.Net | None,
    seed: int,
    pairs: int,
    starts: npt.NDArray[np.uint8] | None = None,
) -> list[float]:
    """The first net's mean points a game, of each pair of games without search; luck is subtracted as the judge sees it.

    starts: [n, 64] packed positions in which pairs begin in turn, at the start of the rules otherwise. Whatever is raised while they are played, Ctrl-C too, stops them.
    """
    compiled = core_rules(rules)
    job = core.start_head_to_head(
        compiled,
        compiled,
        nets[0],
        compiled,
        nets[1],
        first_reluctance=0.0,
        second_reluctance=0.0,
        seed=seed,
        pairs=pairs,
        longest=MAX_ROLLS,
        judge=judge,
        judge_pruning_net=judge_pruning_net,
        starts=starts,
    )
    try:
        while not job.wait(0.2):
            pass
    except BaseException:
        job.stop()
        raise
    return list(job.points())


def _of_policies(rules: Rules, made: _Pair, seed: int, pairs: int) -> list[float]:
    policies: list[Any] = []
    for one in made:
        policies.append(one.policy if isinstance(one, Engine) else one)
    begun = play_batch(rules, pairs, policies, seed=seed).scores
    second = play_batch(rules, pairs, policies[::-1], seed=seed).scores
    return [float(points) for points in (begun - second) / 2]


def _of_players(rules: Rules, made: _Pair, pairs: range, seed: int, *, cube: bool) -> list[float]:
    players: list[Any] = [Bot(rules, evaluator=one) if isinstance(one, Engine) else one for one in made]
    for one in players:
        if not hasattr(one, "event"):
            raise ArgumentError(
                "%(player)s is a policy; it plays against policies, engines and nets only, without a cube",
                player=brief(one),
            )
    return [
        (_score(rules, players, seed, pair, cube=cube) - _score(rules, players[::-1], seed, pair, cube=cube)) / 2
        for pair in pairs
    ]


def _score(rules: Rules, players: list[Any], seed: int, pair: int, *, cube: bool) -> float:
    """Points of player 0 in a game of a pair."""
    *_states, game = play(rules, *players, dice=seeded((seed << 32) + pair), cube=cube)
    assert game.result is not None
    if game.result.winner is None:
        return 0.0
    return float(game.result.points if game.result.winner == 0 else -game.result.points)
