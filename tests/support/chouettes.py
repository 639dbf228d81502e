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
from barpoint.server.domain.dice import SeededDice
from barpoint.variants import variant
from tests.support.games import Sensible

ORDERED = ((6,), (5,), (4,), (3,), (2,), (1,))
"""Rolls that keep the order of joining: 0 is the box, 1 the captain."""


def seated(players: int = 4, rules: str = "backgammon", *, asks: bool = False, **terms: object) -> Chouette:
    """A chouette whose first game has begun: player 0 is the box, 1 the captain, and nobody has to be asked."""
    chouette = Chouette.start(rules, ChouetteTerms(**terms))  # type: ignore[arg-type]
    for player in range(players):
        chouette = chouette.apply(Join(player))
        if not asks:
            chouette = chouette.apply(Ask(player, on=False))
    return chouette.apply(Order(ORDERED[:players]))


def begun(players: int = 4, rules: str = "backgammon", *, asks: bool = False, **terms: object) -> Chouette:
    """A chouette in which the box has finished its first turn: the team may double, or roll."""
    chouette = seated(players, rules, asks=asks, **terms).apply(Act(Opening((6, 5))))
    if chouette.board.phase is Phase.TO_ROLL:
        chouette = chouette.apply(Act(Roll(BOX, chouette.rules.dice.rows[3].faces), chouette.line[0]))
    return play(chouette)


def play(chouette: Chouette) -> Chouette:
    """Plays the current roll by the first legal play."""
    game = chouette.board
    moves = legal_plays(game.rules, game.position, game.faces)[0].moves
    return chouette.apply(Act(PlayMade(game.player, moves), mover(chouette)))


def mover(chouette: Chouette) -> int:
    """The player who rolls and moves now."""
    by = chouette.line[0] if chouette.board.player == BOX else chouette.captain
    assert by is not None
    return by


def turn(chouette: Chouette, *faces: int) -> Chouette:
    """The player to roll rolls and plays."""
    return play(chouette.apply(Act(Roll(chouette.board.player, faces or (2, 1)), mover(chouette))))


def double(chouette: Chouette, *players: int, to: tuple[int, ...] = ()) -> Chouette:
    """These players double, one after the other."""
    for player in players:
        chouette = chouette.apply(Act(Double(side_of(chouette, player)), player, to))
    return chouette


def take(chouette: Chouette, *players: int, to: tuple[int, ...] = ()) -> Chouette:
    """These players take."""
    for player in players:
        chouette = chouette.apply(Act(Take(side_of(chouette, player)), player, to))
    return chouette


def drop(chouette: Chouette, *players: int, to: tuple[int, ...] = ()) -> Chouette:
    """These players pass."""
    for player in players:
        chouette = chouette.apply(Act(Pass(side_of(chouette, player)), player, to))
    return chouette


def side_of(chouette: Chouette, player: int) -> int:
    """The side of a player of the running game."""
    return BOX if player == chouette.line[0] else TEAM


def team_wins(chouette: Chouette) -> Chouette:
    """The box resigns a single game, and everybody still in accepts."""
    box = chouette.line[0]
    chouette = chouette.apply(Act(Resign(BOX, 1), box))
    return answer(chouette, "accept")


def box_wins(chouette: Chouette) -> Chouette:
    """Everybody still in resigns a single game, the captain last, and the box accepts."""
    for pair in sorted(chouette.running, key=lambda pair: pair.player == chouette.captain):
        chouette = chouette.apply(Act(Resign(TEAM, 1), pair.player))
    return answer(chouette, "accept")


def answer(chouette: Chouette, kind: str) -> Chouette:
    """Everybody who was offered a resignation answers it so."""
    from barpoint.game import Accept, Reject

    while chouette.must_answer:
        player = chouette.must_answer[0]
        made = {"accept": Accept, "reject": Reject}[kind](side_of(chouette, player))
        chouette = chouette.apply(Act(made, player))
    return chouette


def crowd(chouette: Chouette, seed: int, games: int, *, wild: float = 0.05) -> Iterator[Chouette]:
    """The chouette after each event while people join, play and leave; ends after `games` games or when empty."""
    random, numbers = Random(seed), dice.seeded(seed)
    chooser = Sensible(seed, boldness=0.3)
    while len(chouette.finished) < games and not chouette.over:
        event = wild_event(chouette, random) if random.random() < wild else None
        chouette = chouette.apply(event or calm_event(chouette, chooser, random, numbers))
        yield chouette


def calm_event(chouette: Chouette, chooser: Sensible, random: Random, numbers: Iterator[int]) -> ChouetteEvent:
    """The event that continues the chouette."""
    if not chouette.playing:
        if can_begin(chouette):
            return (
                Act(Next())
                if chouette.ordered
                else Order(first_order(len(chouette.line), random, chouette.rules.dice.sides))
            )
        return Join(len(chouette.ledger))
    if chouette.board.phase is Phase.OPENING:
        made = chouette.board.next_roll(numbers)
        assert made is not None
        return Act(made)
    event = decide(chouette, random.choice(chouette.waits_for), chooser)
    if isinstance(event, Act) and isinstance(event.event, Roll):
        rolled = chouette.board.next_roll(numbers)
        assert rolled is not None
        return Act(rolled, event.by)
    return event


def wild_event(chouette: Chouette, random: Random) -> ChouetteEvent | None:
    """Events possible at any time: people join and leave, run out of time, settle."""
    if not chouette.present:
        return None
    player = random.choice(chouette.present)
    kind = random.choice(["join", "leave", "ask", "propose", "settle", "timeout"])
    match kind:
        case "join" if has_room(chouette):
            return Join(len(chouette.ledger))
        case "leave" if player not in chouette.leaving and len(chouette.present) > 3:
            return Leave(player)
        case "ask" if player not in chouette.leaving:
            return Ask(player, random.random() < 0.5)
        case "timeout" if player in chouette.waits_for and player not in chouette.undecided:
            return Act(Timeout(side_of(chouette, player)), player)
        case "propose" if chouette.playing and player in chouette.line[1:] and settleable(chouette, player):
            return Propose(random.choice([player, chouette.line[0]]), player, random.randint(-12, 12) / 4)
        case "settle" if chouette.playing and chouette.proposals:
            offer = chouette.proposals[0]
            taker = offer.member if offer.player == chouette.line[0] else chouette.line[0]
            if settleable(chouette, offer.member):
                return Act(Settle(offer.points), taker, (offer.member,))
    return None


def first_order(players: int, random: Random, sides: int) -> tuple[tuple[int, ...], ...]:
    """Rolls of everybody until no two are equal."""
    rolls: list[tuple[int, ...]] = [()] * players
    while len(set(rolls)) < players:
        rolls = [(*one, random.randint(1, sides)) if rolls.count(one) > 1 else one for one in rolls]
    return tuple(rolls)


HEADER = ChouetteHeader(
    "tabletabletb", variant("backgammon"), ChouetteTerms(), RULES_VERSION, bytes(range(32)), 0, 60_000, True
)
"""The header of a chouette outside any database."""


def rolled_out(rules: str, seed: int, games: int = 2) -> Chouette:
    """A finished chouette with committed dice: one seed comes before the order, one in the first game."""
    random, chooser, dice = Random(seed), Sensible(seed, boldness=0.3), SeededDice()
    chouette = Chouette.start(rules)
    for player in range(4):
        chouette = chouette.apply(Join(player))
    chouette = chouette.apply(Seed(2, "of Kim"))
    while len(chouette.finished) < games:
        if chouette.playing and len(chouette.seeds) == 1:
            chouette = chouette.apply(Seed(0, "of Anna"))
        if chouette.playing and chouette.board.phase is Phase.OPENING:
            opening_rolls = sum(
                isinstance(event, Act) and isinstance(event.event, Opening)
                for event in chouette.events[chouette.first :]
            )
            chouette = chouette.apply(Act(opening(dice, HEADER, chouette, opening_rolls + 1)))
            continue
        event: ChouetteEvent = Act(Next()) if chouette.ordered else Order(())
        if chouette.playing:
            event = decide(chouette, random.choice(chouette.waits_for), chooser)
        chouette = chouette.apply(with_dice(dice, HEADER, chouette, event))
    return chouette.apply(Act(Abort(voided=True)))
