"""Chouettes for tests: short helpers for events, and random players who do anything that is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from barpoint import dice
from barpoint.chouette import (
    BOX,
    TEAM,
    Act,
    Ask,
    Chouette,
    ChouetteEvent,
    ChouetteTerms,
    Join,
    Leave,
    Order,
    Propose,
    Seed,
    can_begin,
    has_room,
    settleable,
)
from barpoint.chouette.agent import decide
from barpoint.game import Abort, Double, Next, Opening, Pass, Phase, PlayMade, Resign, Roll, Settle, Take, Timeout
from barpoint.moves import legal_plays
from barpoint.rules import RULES_VERSION
from barpoint.server.domain.chouettes import ChouetteHeader, opening, with_dice
from barpoint.server.domain.dice import SealedDice
from barpoint.variants import variant
from tests.support.games import Sensible

ORDERED = ((6,), (5,), (4,), (3,), (2,), (1,))
"""Rolls that keep the order of joining: 0 is the box, 1 the captain."""


def seated(players: int = 4, rules: str = "backgammon", *, asks: bool = False, **terms: object) -> Chouette:
    """A chouette whose first game has begun: player 0 is the box, 1 the captain, and nobody has to be asked."""
    table = Chouette.start(rules, ChouetteTerms(**terms))  # type: ignore[arg-type]
    for player in range(players):
        table = table.apply(Join(player))
        if not asks:
            table = table.apply(Ask(player, on=False))
    return table.apply(Order(ORDERED[:players]))


def begun(players: int = 4, rules: str = "backgammon", *, asks: bool = False, **terms: object) -> Chouette:
    """A chouette in which the box has finished its first turn: the team may double, or roll."""
    table = seated(players, rules, asks=asks, **terms).apply(Act(Opening((6, 5))))
    if table.board.phase is Phase.TO_ROLL:
        table = table.apply(Act(Roll(BOX, table.rules.dice.rows[3].faces), table.line[0]))
    return play(table)


def play(table: Chouette) -> Chouette:
    """Plays the current roll by the first legal play."""
    game = table.board
    moves = legal_plays(game.rules, game.position, game.faces)[0].moves
    return table.apply(Act(PlayMade(game.player, moves), mover(table)))


def mover(table: Chouette) -> int:
    """The player who rolls and moves now."""
    by = table.line[0] if table.board.player == BOX else table.captain
    assert by is not None
    return by


def turn(table: Chouette, *faces: int) -> Chouette:
    """The player to roll rolls and plays."""
    return play(table.apply(Act(Roll(table.board.player, faces or (2, 1)), mover(table))))


def double(table: Chouette, *players: int, to: tuple[int, ...] = ()) -> Chouette:
    """These players double, one after the other."""
    for player in players:
        table = table.apply(Act(Double(side_of(table, player)), player, to))
    return table


def take(table: Chouette, *players: int, to: tuple[int, ...] = ()) -> Chouette:
    """These players take."""
    for player in players:
        table = table.apply(Act(Take(side_of(table, player)), player, to))
    return table


def drop(table: Chouette, *players: int, to: tuple[int, ...] = ()) -> Chouette:
    """These players pass."""
    for player in players:
        table = table.apply(Act(Pass(side_of(table, player)), player, to))
    return table


def side_of(table: Chouette, player: int) -> int:
    """The side of a player of the running game."""
    return BOX if player == table.line[0] else TEAM


def team_wins(table: Chouette) -> Chouette:
    """The box resigns a single game, and everybody still in accepts."""
    box = table.line[0]
    table = table.apply(Act(Resign(BOX, 1), box))
    return answer(table, "accept")


def box_wins(table: Chouette) -> Chouette:
    """Everybody still in resigns a single game, the captain last, and the box accepts."""
    for pair in sorted(table.running, key=lambda pair: pair.player == table.captain):
        table = table.apply(Act(Resign(TEAM, 1), pair.player))
    return answer(table, "accept")


def answer(table: Chouette, kind: str) -> Chouette:
    """Everybody who was offered a resignation answers it so."""
    from barpoint.game import Accept, Reject

    while table.must_answer:
        player = table.must_answer[0]
        made = {"accept": Accept, "reject": Reject}[kind](side_of(table, player))
        table = table.apply(Act(made, player))
    return table


def crowd(table: Chouette, seed: int, games: int, *, wild: float = 0.05) -> Iterator[Chouette]:
    """The chouette after each event while people join, play and leave; ends after `games` games or when empty."""
    random, numbers = Random(seed), dice.seeded(seed)
    chooser = Sensible(seed, boldness=0.3)
    while len(table.finished) < games and not table.over:
        event = wild_event(table, random) if random.random() < wild else None
        table = table.apply(event or calm_event(table, chooser, random, numbers))
        yield table


def calm_event(table: Chouette, chooser: Sensible, random: Random, numbers: Iterator[int]) -> ChouetteEvent:
    """The event that continues the chouette."""
    if not table.playing:
        if can_begin(table):
            return Act(Next()) if table.ordered else Order(first_order(len(table.line), random, table.rules.dice.sides))
        return Join(len(table.ledger))
    if table.board.phase is Phase.OPENING:
        made = table.board.next_roll(numbers)
        assert made is not None
        return Act(made)
    event = decide(table, random.choice(table.waits_for), chooser)
    if isinstance(event, Act) and isinstance(event.event, Roll):
        rolled = table.board.next_roll(numbers)
        assert rolled is not None
        return Act(rolled, event.by)
    return event


def wild_event(table: Chouette, random: Random) -> ChouetteEvent | None:
    """Events possible at any time: people join and leave, run out of time, settle."""
    if not table.present:
        return None
    player = random.choice(table.present)
    kind = random.choice(["join", "leave", "ask", "propose", "settle", "timeout"])
    match kind:
        case "join" if has_room(table):
            return Join(len(table.ledger))
        case "leave" if player not in table.leaving and len(table.present) > 3:
            return Leave(player)
        case "ask" if player not in table.leaving:
            return Ask(player, random.random() < 0.5)
        case "timeout" if player in table.waits_for and player not in table.undecided:
            return Act(Timeout(side_of(table, player)), player)
        case "propose" if table.playing and player in table.line[1:] and settleable(table, player):
            return Propose(random.choice([player, table.line[0]]), player, random.randint(-12, 12) / 4)
        case "settle" if table.playing and table.proposals:
            offer = table.proposals[0]
            taker = offer.member if offer.player == table.line[0] else table.line[0]
            if settleable(table, offer.member):
                return Act(Settle(offer.points), taker, (offer.member,))
    return None


def first_order(players: int, random: Random, sides: int) -> tuple[tuple[int, ...], ...]:
    """Rolls of everybody until no two are equal."""
    rolls: list[tuple[int, ...]] = [()] * players
    while len(set(rolls)) < players:
        rolls = [(*one, random.randint(1, sides)) if rolls.count(one) > 1 else one for one in rolls]
    return tuple(rolls)


CHARTER = ChouetteHeader(
    "tabletabletb", variant("backgammon"), ChouetteTerms(), RULES_VERSION, bytes(range(32)), 0, 60_000, True
)
"""The header of a chouette outside any database."""


def rolled_out(rules: str, seed: int, games: int = 2) -> Chouette:
    """A finished chouette with committed dice: one seed comes before the order, one in the first game."""
    random, chooser, dice = Random(seed), Sensible(seed, boldness=0.3), SealedDice()
    table = Chouette.start(rules)
    for player in range(4):
        table = table.apply(Join(player))
    table = table.apply(Seed(2, "of Kim"))
    while len(table.finished) < games:
        if table.playing and len(table.seeds) == 1:
            table = table.apply(Seed(0, "of Anna"))
        if table.playing and table.board.phase is Phase.OPENING:
            opening_rolls = sum(
                isinstance(event, Act) and isinstance(event.event, Opening) for event in table.events[table.first :]
            )
            table = table.apply(Act(opening(dice, CHARTER, table, opening_rolls + 1)))
            continue
        event: ChouetteEvent = Act(Next()) if table.ordered else Order(())
        if table.playing:
            event = decide(table, random.choice(table.waits_for), chooser)
        table = table.apply(with_dice(dice, CHARTER, table, event))
    return table.apply(Act(Abort(voided=True)))
