"""The report of a chouette's dice, from its log: as for a match, plus the rolls for the first order."""

from __future__ import annotations

from collections.abc import Iterator

from barpoint.chouette import Act, Chouette, Order
from barpoint.game import Opening, Roll, Rollover
from barpoint.server.domain.chouettes import ChouetteHeader, seeds_of
from barpoint.server.domain.dice import OPENING_DOMAIN
from barpoint.server.domain.dice_report import (
    DiceReport,
    DiceSecret,
    RollList,
    RollReported,
    SeedGiven,
    report_from,
    reported,
)


def chouette_report(header: ChouetteHeader, chouette: Chouette) -> DiceReport:
    """The report of a closed chouette; DiceSecret while it is open."""
    if not chouette.over:
        raise DiceSecret("the chouette is not closed; its dice can be checked when it is")
    seeds = seeds_of(header, chouette, 0)
    given = tuple(SeedGiven(given.player, given.game, given.text) for given in chouette.seeds)
    return report_from(seeds, chouette.rules, _rolls(header, chouette), of="chouette", given=given)


def _rolls(header: ChouetteHeader, chouette: Chouette) -> RollList:
    rolls = RollList(chouette.rules)
    run = Chouette.start(chouette.rules, chouette.terms)
    for event in chouette.events:
        before, run = run, run.replay(event)
        if isinstance(event, Order):
            rolls.found += _order(header, chouette, before.line, event)
        if run.playing and run.first != before.first:
            rolls.begin_game()
        if not isinstance(event, Act):
            continue
        game = len(before.finished) + 1
        seeds = seeds_of(header, chouette, game)
        match event.event:
            case Opening(faces):
                rolls.add_opening(seeds, game, faces, run.board.roll_id)
            case Roll(_, faces):
                rolls.add(seeds, game, run.board.roll_id, event.by, faces)
            case Rollover(_, number):
                rolls.reroll(number)
    return rolls


def _order(header: ChouetteHeader, chouette: Chouette, line: tuple[int, ...], event: Order) -> Iterator[RollReported]:
    """The rolls for the first order, in sequence: everybody rolls, and ties roll again."""
    seeds, number = seeds_of(header, chouette, 0), 0
    for turn in range(max(map(len, event.rolls), default=0)):
        for player, dice in zip(line, event.rolls, strict=True):
            if turn < len(dice):
                number += 1
                yield reported(seeds, 0, OPENING_DOMAIN, number, player, (dice[turn],), 1)
