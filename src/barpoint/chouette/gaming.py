"""The game of a table: what is rolled and played for everybody, the cubes of each, and what the games come to."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from barpoint.chouette.allowed import FOR_EACH, ON_THE_BOARD, may_double, refusal, settleable
from barpoint.chouette.event import Act
from barpoint.chouette.rotation import next_line
from barpoint.chouette.table import ANSWERS, BOX, TEAM, Chouette, FinishedChouetteGame, Pair
from barpoint.game import Game, Phase, Result, kind_of
from barpoint.game import event as game_event

_ALIKE: Final = frozenset({"double", "take", "pass"})
"""What is done with one cube for the whole team in every game alike."""


def begin(table: Chouette, first: int) -> Chouette:
    """The next game begins with event `first`: the box against everybody else in line."""
    start = Game.start(table.rules, table.terms.stakes())
    return replace(
        table,
        board=start,
        first=first,
        pairs=tuple(Pair(player, start) for player in table.line[1:]),
        playing=True,
        captain=table.line[1],
        tried=(),
        heir=None,
        waived=frozenset(),
        offered=frozenset(),
        taken=frozenset(),
        proposals=(),
    )


def act(table: Chouette, event: Act, recorded: bool) -> Chouette:
    """Something happens in the running game."""
    made = event.event
    kind = kind_of(made)
    if kind == "opening" or kind in ON_THE_BOARD:
        after = _on_the_board(table, event, recorded)
    elif kind in FOR_EACH:
        after = _for_each(table, event)
    elif isinstance(made, game_event.Settle):
        after = _settle(table, event, made)
    elif isinstance(made, game_event.Timeout):
        after = _timeout(table, event, made)
    else:
        raise refusal(table, event, "this does not happen at a table of several players")
    return _judged(table, replace(after, events=(*table.events, _completed(table, after, event))))


def _completed(before: Chouette, after: Chouette, event: Act) -> Act:
    """The event as it is kept: a play with what it led to."""
    if not isinstance(event.event, game_event.PlayMade):
        return event
    pair = after.pair(before.running[0].player)
    assert pair is not None
    assert pair.game.last is not None
    return Act(pair.game.last, event.by)


def _on_the_board(table: Chouette, event: Act, recorded: bool) -> Chouette:
    """A roll, a play, a call: it happens in every game that is not over."""
    made = event.event
    side = getattr(made, "player", None)
    if event.to or event.by != {BOX: table.line[0], TEAM: table.captain, None: None}[side]:
        raise refusal(table, event, "the box and the captain roll and move, nobody else")
    if table.must_answer:
        raise refusal(table, event, f"players {_listed(table.must_answer)} must answer first")
    if isinstance(made, game_event.Roll) and side == TEAM and table.undecided:
        raise refusal(table, event, f"players {_listed(table.undecided)} have not said whether they double")
    pairs: list[Pair] = []
    for pair in table.pairs:
        if not pair.game.over:
            game = pair.game.replay(made) if recorded else pair.game.apply(made)
            assert game.last is not None
            made, recorded = game.last, True  # a play keeps what it led to, which the other games take over
            pair = replace(pair, game=game)
        pairs.append(pair)
    after = replace(table, pairs=tuple(pairs))
    if not isinstance(made, game_event.Roll):
        return after
    none: frozenset[int] = frozenset()
    return replace(after, heir=_heir(table), waived=none, offered=none, taken=none)


def _for_each(table: Chouette, event: Act) -> Chouette:
    """Something on a cube, or a resignation: it happens in the games it is meant for."""
    made = event.event
    side = getattr(made, "player", None)
    if event.by is None or (side == BOX) != (event.by == table.line[0]):
        raise refusal(table, event, "it must be done by the player whose side it names")
    meant = _meant_by_box(table, event) if side == BOX else _meant_by_member(table, event)
    pairs = []
    for pair in table.pairs:
        if pair.player in meant:
            pair = replace(pair, game=pair.game.apply(made))
        if isinstance(made, game_event.Double) and not pair.game.over:
            pair = replace(
                pair, game=replace(pair.game, rerollable_id=0)
            )  # RC-14: the side that doubles accepts the roll
        pairs.append(pair)
    after = replace(table, pairs=tuple(pairs))
    if isinstance(made, game_event.Double) and side == TEAM:
        after = replace(after, offered=table.offered | meant)
    if isinstance(made, game_event.Take | game_event.Beaver) and side == BOX:
        after = replace(after, taken=table.taken | meant)
    return after


def _meant_by_box(table: Chouette, event: Act) -> frozenset[int]:
    """The players of the team with whom the box does something; all with whom it can, unless it names them."""
    kind = kind_of(event.event)
    able = frozenset(
        pair.player
        for pair in table.running
        if any(item.kind == kind and item.player == BOX for item in pair.game.legal_events())
    )
    meant = frozenset(event.to) or able
    if not meant or not meant <= able:
        raise refusal(table, event, f"it can be meant for players {_listed(sorted(able)) or 'none'}")
    if table.terms.one_cube and kind in _ALIKE and meant != able:
        raise refusal(table, event, "there is one cube for the whole team")
    return meant


def _meant_by_member(table: Chouette, event: Act) -> frozenset[int]:
    member = event.by
    if event.to or member is None or not table.still_in(member):
        raise refusal(table, event, "a player of the team acts in his own game, while it is not over")
    if isinstance(event.event, game_event.Double):
        if not may_double(table, member):
            raise refusal(table, event, f"player {member} may not double now")
        if table.terms.one_cube:
            return frozenset(pair.player for pair in table.running)
    return frozenset({member})


def _settle(table: Chouette, event: Act, made: game_event.Settle) -> Chouette:
    """Both sides of one game have agreed on points: one has offered them, the other takes them."""
    member = event.to[0] if len(event.to) == 1 else None
    other = None if member is None else (table.line[0] if event.by == member else member)
    offered = any((one.player, one.member, one.points) == (other, member, made.points) for one in table.proposals)
    if member is None or event.by not in (member, table.line[0]) or not offered or not settleable(table, member):
        raise refusal(table, event, "a settlement needs an offer of the other side, of as many points")
    return _in_games(table, frozenset({member}), made)


def _timeout(table: Chouette, event: Act, made: game_event.Timeout) -> Chouette:
    """Who is out of time loses the games that wait for him; a roll that ended the game stands (rulings 2.3, state E)."""
    if event.by is None or event.by not in table.waits_for or event.by in table.undecided:
        raise refusal(table, event, "the game does not wait for this player")
    side = BOX if event.by == table.line[0] else TEAM
    if made.player != side:
        raise refusal(table, event, "the player is on the other side")
    if table.board.phase is Phase.PROVISIONAL_END:
        return _in_games(table, frozenset(pair.player for pair in table.running), made)
    waiting = [pair for pair in table.running if pair.game.actor == side]
    if table.must_answer:
        waiting = [pair for pair in waiting if pair.game.phase in ANSWERS]
    return _in_games(table, frozenset(p.player for p in waiting if side == BOX or p.player == event.by), made)


def _in_games(table: Chouette, players: frozenset[int], made: game_event.Event) -> Chouette:
    pairs = (replace(pair, game=pair.game.apply(made)) if pair.player in players else pair for pair in table.pairs)
    return replace(table, pairs=tuple(pairs))


def _judged(before: Chouette, table: Chouette) -> Chouette:
    """What follows: games that are over are scored, another player plays on, or the whole game is over."""
    ended = [pair for old, pair in zip(before.pairs, table.pairs, strict=True) if pair.game.over and not old.game.over]
    ledger = list(table.ledger)
    for pair in ended:
        won = _for_box(pair.game.result)
        ledger[table.line[0]] += won
        ledger[pair.player] -= won
    gone = {pair.player for pair in ended}
    table = replace(
        table, ledger=tuple(ledger), proposals=tuple(one for one in table.proposals if one.member not in gone)
    )
    if not table.must_answer:
        table = _handed_on(table)
    table = replace(table, board=_board(table))
    return table if table.running else _ended(table)


def _for_box(result: Result | None) -> float:
    if result is None or result.winner is None:
        return 0
    return result.points if result.winner == BOX else -result.points


def _board(table: Chouette) -> Game:
    """The game that shows the board: the captain's, while it is not over."""
    assert table.captain is not None
    captain = table.pair(table.captain)
    assert captain is not None
    return captain.game if not captain.game.over or not table.running else table.running[0].game


def _handed_on(table: Chouette) -> Chouette:
    """Everybody has answered: whether the box is lost by what it passed, and who plays on for the team."""
    captain = table.captain
    assert captain is not None
    if table.still_in(captain):
        return table
    table = replace(table, heir=_heir(table))
    if not table.running:
        return table
    tried = table.tried if table.heir is not None else (*table.tried, captain)
    return replace(table, captain=table.running[0].player, tried=tried)


def _heir(table: Chouette) -> int | None:
    """Who has beaten the box so far: its captain, by his own game or by the house rule about half of the cubes."""
    captain = table.captain
    assert captain is not None
    pair = table.pair(captain)
    assert pair is not None
    if table.heir is not None:
        return table.heir
    if table.terms.half_taken and table.offered and captain not in table.taken:
        if 2 * len(table.taken) < len(table.offered):
            return captain
        if captain in table.offered and table.running:
            return None
    result = pair.game.result
    if result is None or result.winner != TEAM or (result.how == "settle" and table.running):
        return None
    return captain


def _ended(table: Chouette) -> Chouette:
    """The whole game is over: who was beaten, and who sits where in the next one."""
    assert table.captain is not None
    results = tuple((pair.player, pair.game.result) for pair in table.pairs if pair.game.result is not None)
    done = FinishedChouetteGame(table.first, table.line, table.captain, table.heir, results, table.ledger)
    line = next_line(table)
    return replace(
        table,
        line=line,
        joining=(),
        leaving=(),
        playing=False,
        finished=(*table.finished, done),
        over=not line,
    )


def _listed(players: tuple[int, ...] | list[int]) -> str:
    return ", ".join(map(str, players))
