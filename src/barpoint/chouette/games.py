"""The running game of a chouette: rolls and plays for everybody, each player's cube, and how the games end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Final

from msgspec import structs

from barpoint.chouette.allowed import can_begin, for_box, refusal, settleable
from barpoint.chouette.event import Act, ChouetteEvent
from barpoint.chouette.rotation import next_line
from barpoint.chouette.state import ANSWERS, BOX, TEAM, Chouette, FinishedChouetteGame, Pair
from barpoint.game import Game, Phase, Result, kind_of
from barpoint.game import event as game_event

_ALIKE: Final = frozenset({"double", "take", "pass"})
"""Events that happen in every game alike when the team has one cube."""

_Step = Callable[[Chouette, Act], Chouette]
"""The function that applies a game event to a chouette."""


def begin(chouette: Chouette) -> Chouette:
    """The next event starts the next game: the box against everybody else in line."""
    start = Game.start(chouette.rules, chouette.terms.stakes())
    return replace(
        chouette,
        board=start,
        first=len(chouette.events) + 1,
        pairs=tuple(Pair(player, start) for player in chouette.line[1:]),
        playing=True,
        captain=chouette.line[1],
        tried=(),
        heir=None,
        waived=frozenset(),
        offered=frozenset(),
        taken=frozenset(),
        proposals=(),
    )


def next_game(chouette: Chouette, event: Act) -> Chouette:
    """The next game begins, with the line that the last one left."""
    if not chouette.ordered or not can_begin(chouette) or event.by is not None:
        raise refusal(chouette, event, "no game can begin now")
    return begin(chouette)


def abort(chouette: Chouette, event: Act) -> Chouette:
    """An administrator voids the chouette; no other Abort is allowed."""
    if isinstance(event.event, game_event.Abort) and event.event.voided:
        return replace(chouette, playing=False, pairs=(), over=True)
    return refuse(chouette, event)


def completed(before: Chouette, after: Chouette, event: ChouetteEvent) -> ChouetteEvent:
    """The event as the log keeps it: a play with its resulting position."""
    if not isinstance(event, Act) or not isinstance(event.event, game_event.PlayMade):
        return event
    pair = after.pair(before.running[0].player)
    assert pair is not None
    assert pair.game.last is not None
    return Act(pair.game.last, event.by)


def _in_a_running_game(step: _Step) -> _Step:
    """Wraps a step: refuses it while no game runs, and scores the games that it ends."""

    @wraps(step)
    def wrapped(chouette: Chouette, event: Act) -> Chouette:
        if not chouette.playing:
            raise refusal(chouette, event, "no game is running")
        return _judged(chouette, step(chouette, event))

    return wrapped


@_in_a_running_game
def refuse(chouette: Chouette, event: Act) -> Chouette:
    """Refuses an event that exists only in two-player games."""
    raise refusal(chouette, event, "this does not happen in a chouette")


@_in_a_running_game
def on_the_board(chouette: Chouette, event: Act) -> Chouette:
    """A roll, a play, a reroll: it happens in every game that is not over."""
    return _on_the_board(chouette, event, recorded=False)


@_in_a_running_game
def on_the_board_as_recorded(chouette: Chouette, event: Act) -> Chouette:
    """The same, but trusts a play that records its resulting position."""
    return _on_the_board(chouette, event, recorded=True)


def _on_the_board(chouette: Chouette, event: Act, recorded: bool) -> Chouette:
    made = event.event
    side = getattr(made, "player", None)
    if event.to or event.by != {BOX: chouette.line[0], TEAM: chouette.captain, None: None}[side]:
        raise refusal(chouette, event, "the box and the captain roll and move, nobody else")
    if chouette.must_answer:
        raise refusal(chouette, event, "players %(listed)s must answer first", listed=_listed(chouette.must_answer))
    if isinstance(made, game_event.Roll) and side == TEAM and chouette.undecided:
        raise refusal(
            chouette, event, "players %(listed)s have not said whether they double", listed=_listed(chouette.undecided)
        )
    pairs: list[Pair] = []
    for pair in chouette.pairs:
        if not pair.game.over:
            game = pair.game.replay(made) if recorded else pair.game.apply(made)
            assert game.last is not None
            made, recorded = game.last, True  # a play keeps its resulting position, which the other games reuse
            pair = replace(pair, game=game)
        pairs.append(pair)
    after = replace(chouette, pairs=tuple(pairs))
    if not isinstance(made, game_event.Roll):
        return after
    none: frozenset[int] = frozenset()
    return replace(after, heir=_heir(chouette), waived=none, offered=none, taken=none)


@_in_a_running_game
def in_single_games(chouette: Chouette, event: Act) -> Chouette:
    """A cube action or a resignation: it happens in the games it is aimed at."""
    made = event.event
    side = getattr(made, "player", None)
    if event.by is None or (side == BOX) != (event.by == chouette.line[0]):
        raise refusal(chouette, event, "it must be done by the player whose side it names")
    meant = _meant_by_box(chouette, event) if side == BOX else _meant_by_member(chouette, event)
    pairs = []
    for pair in chouette.pairs:
        if pair.player in meant:
            pair = replace(pair, game=pair.game.apply(made))
        if isinstance(made, game_event.Double) and not pair.game.over:
            pair = replace(
                pair, game=structs.replace(pair.game, rerollable_id=0)
            )  # RC-14: the side that doubles accepts the roll
        pairs.append(pair)
    after = replace(chouette, pairs=tuple(pairs))
    if isinstance(made, game_event.Double) and side == TEAM:
        after = replace(after, offered=chouette.offered | meant)
    if isinstance(made, game_event.Take | game_event.Beaver) and side == BOX:
        after = replace(after, taken=chouette.taken | meant)
    return after


def _meant_by_box(chouette: Chouette, event: Act) -> frozenset[int]:
    """The players of the team at whom the box aims an action; all to whom it can apply, unless it names them."""
    made, kind = event.event, kind_of(event.event)
    level = made.level if isinstance(made, game_event.Resign) else None
    able = frozenset(
        pair.player
        for pair in chouette.running
        if (item := for_box(chouette, pair.player, kind)) and (level is None or level in item.levels)
    )
    meant = frozenset(event.to) or able
    if not meant or not meant <= able:
        raise refusal(chouette, event, "it can be meant for players %(value)s", value=_listed(sorted(able)) or "none")
    if chouette.terms.one_cube and kind in _ALIKE and meant != able:
        raise refusal(chouette, event, "there is one cube for the whole team")
    return meant


def _meant_by_member(chouette: Chouette, event: Act) -> frozenset[int]:
    member = event.by
    if event.to or member is None or not chouette.still_in(member):
        raise refusal(chouette, event, "a player of the team acts in their own game, while it is not over")
    if isinstance(event.event, game_event.Double):
        if not chouette.may_double(member):
            raise refusal(chouette, event, "player %(member)s may not double now", member=member)
        if chouette.terms.one_cube:
            return frozenset(pair.player for pair in chouette.running)
    return frozenset({member})


@_in_a_running_game
def settle(chouette: Chouette, event: Act) -> Chouette:
    """Both sides of one game have agreed on points: one offered them, the other accepts."""
    made = event.event
    assert isinstance(made, game_event.Settle)
    member = event.to[0] if len(event.to) == 1 else None
    other = None if member is None else (chouette.line[0] if event.by == member else member)
    offered = any((one.player, one.member, one.points) == (other, member, made.points) for one in chouette.proposals)
    if member is None or event.by not in (member, chouette.line[0]) or not offered or not settleable(chouette, member):
        raise refusal(chouette, event, "a settlement needs an offer of the other side, of as many points")
    return _in_games(chouette, frozenset({member}), made)


@_in_a_running_game
def timeout(chouette: Chouette, event: Act) -> Chouette:
    """A player out of time loses the games that wait for them; a final roll stands (rulings 2.3, state E)."""
    made = event.event
    assert isinstance(made, game_event.Timeout)
    if event.by is None or event.by not in chouette.waits_for or event.by in chouette.undecided:
        raise refusal(chouette, event, "the game does not wait for this player")
    side = BOX if event.by == chouette.line[0] else TEAM
    if made.player != side:
        raise refusal(chouette, event, "the player is on the other side")
    if chouette.board.phase is Phase.PROVISIONAL_END:
        return _in_games(chouette, frozenset(pair.player for pair in chouette.running), made)
    waiting = [pair for pair in chouette.running if pair.game.actor == side]
    if chouette.must_answer:
        waiting = [pair for pair in waiting if pair.game.phase in ANSWERS]
    return _in_games(chouette, frozenset(p.player for p in waiting if side == BOX or p.player == event.by), made)


def _in_games(chouette: Chouette, players: frozenset[int], made: game_event.Event) -> Chouette:
    pairs = (replace(pair, game=pair.game.apply(made)) if pair.player in players else pair for pair in chouette.pairs)
    return replace(chouette, pairs=tuple(pairs))


def _judged(before: Chouette, chouette: Chouette) -> Chouette:
    """Scores the games that have ended; another captain takes over for the team, or the whole game is over."""
    ended = [
        pair for old, pair in zip(before.pairs, chouette.pairs, strict=True) if pair.game.over and not old.game.over
    ]
    ledger = list(chouette.ledger)
    for pair in ended:
        won = _for_box(pair.game.result)
        ledger[chouette.line[0]] += won
        ledger[pair.player] -= won
    gone = {pair.player for pair in ended}
    chouette = replace(
        chouette, ledger=tuple(ledger), proposals=tuple(one for one in chouette.proposals if one.member not in gone)
    )
    if not chouette.must_answer:
        chouette = _handed_on(chouette)
    chouette = replace(chouette, board=_board(chouette))
    return chouette if chouette.running else _ended(chouette)


def _for_box(result: Result | None) -> float:
    if result is None or result.winner is None:
        return 0
    return result.points if result.winner == BOX else -result.points


def _board(chouette: Chouette) -> Game:
    """The game that shows the board: the captain's, while it is not over."""
    assert chouette.captain is not None
    captain = chouette.pair(chouette.captain)
    assert captain is not None
    return captain.game if not captain.game.over or not chouette.running else chouette.running[0].game


def _handed_on(chouette: Chouette) -> Chouette:
    """After every answer: decides whether the box is lost through its passes, and who becomes captain."""
    captain = chouette.captain
    assert captain is not None
    if chouette.still_in(captain):
        return chouette
    chouette = replace(chouette, heir=_heir(chouette))
    if not chouette.running:
        return chouette
    tried = chouette.tried if chouette.heir is not None else (*chouette.tried, captain)
    return replace(chouette, captain=chouette.running[0].player, tried=tried)


def _heir(chouette: Chouette) -> int | None:
    """Who has beaten the box so far: the captain, in their own game or by the house rule about half of the cubes."""
    captain = chouette.captain
    assert captain is not None
    pair = chouette.pair(captain)
    assert pair is not None
    if chouette.heir is not None:
        return chouette.heir
    if chouette.terms.half_taken and chouette.offered and captain not in chouette.taken:
        if 2 * len(chouette.taken) < len(chouette.offered):
            return captain
        if captain in chouette.offered and chouette.running:
            return None
    result = pair.game.result
    if result is None or result.winner != TEAM or (result.how == "settle" and chouette.running):
        return None
    return captain


def _ended(chouette: Chouette) -> Chouette:
    """The whole game is over: scores it and seats everybody for the next one."""
    assert chouette.captain is not None
    results = tuple((pair.player, pair.game.result) for pair in chouette.pairs if pair.game.result is not None)
    done = FinishedChouetteGame(
        chouette.first, chouette.line, chouette.captain, chouette.heir, results, chouette.ledger
    )
    line = next_line(chouette)
    return replace(
        chouette,
        line=line,
        joining=(),
        leaving=(),
        playing=False,
        finished=(*chouette.finished, done),
        over=not line,
    )


def _listed(players: tuple[int, ...] | list[int]) -> str:
    return ", ".join(map(str, players))
