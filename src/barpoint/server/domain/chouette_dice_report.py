"""The report of a chouette's dice, from its log: as for a match, plus the rolls for the first order."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from barpoint.chouette import Act, Chouette, Order
from barpoint.game import Opening, Roll, Rollover
from barpoint.server.domain.chouettes import ChouetteHeader, seeds_of
from barpoint.server.domain.dice import DOMAIN, OPENING_DOMAIN
from barpoint.server.domain.dice_report import (
    DiceReport,
    DiceSecret,
    RollReported,
    SeedGiven,
    dice_of,
    plays_opening,
    reported,
)


def table_report(header: ChouetteHeader, table: Chouette) -> DiceReport:
    """The report of a closed chouette; DiceSecret while it is open."""
    if not table.over:
        raise DiceSecret("the table is not closed; its dice can be checked when it is")
    seeds = seeds_of(header, table, 0)
    first, second, *_ = seeds.clients
    return DiceReport(
        format=DOMAIN,
        match=header.id,
        dice=dice_of(table.rules),
        opening_played=plays_opening(table.rules),
        commitment=seeds.commitment,
        server_seed=seeds.server.hex(),
        client_seeds=(first, second),
        seeds_by=("server", "server"),
        seals=(None, None),
        rolls=tuple(_rolls(header, table)),
        of="chouette",
        given=tuple(SeedGiven(given.player, given.game, given.text) for given in table.seeds),
    )


def _rolls(header: ChouetteHeader, table: Chouette) -> Iterator[RollReported]:
    """Every roll of a chouette, in order; each says whether it was rerolled."""
    found: list[RollReported] = []
    place: dict[int, int] = {}  # indexes of the rolls of the running game, by number
    contests = 0
    run = Chouette.start(table.rules, table.terms)
    for event in table.events:
        before, run = run, run.replay(event)
        if isinstance(event, Order):
            found += _order(header, table, before.line, event)
        if run.playing and run.first != before.first:
            place, contests = {}, 0
        if not isinstance(event, Act):
            continue
        game = len(before.finished) + 1
        seeds = seeds_of(header, table, game)
        match event.event:
            case Opening(faces):
                contests += 1
                found.append(reported(seeds, game, OPENING_DOMAIN, contests, None, faces))
                place[run.board.roll_id] = len(found) - 1
            case Roll(_, faces):
                place[run.board.roll_id] = len(found)
                found.append(reported(seeds, game, DOMAIN, run.board.roll_id, event.by, faces))
            case Rollover(_, number):
                found[place[number]] = msgspec.structs.replace(found[place[number]], annulled=True)
    yield from found


def _order(header: ChouetteHeader, table: Chouette, line: tuple[int, ...], event: Order) -> Iterator[RollReported]:
    """The rolls for the first order, in sequence: everybody rolls, and ties roll again."""
    seeds, number = seeds_of(header, table, 0), 0
    for turn in range(max(map(len, event.rolls), default=0)):
        for player, dice in zip(line, event.rolls, strict=True):
            if turn < len(dice):
                number += 1
                yield reported(seeds, 0, OPENING_DOMAIN, number, player, (dice[turn],))
