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


def chouette_report(header: ChouetteHeader, chouette: Chouette) -> DiceReport:
    """The report of a closed chouette; DiceSecret while it is open."""
    if not chouette.over:
        raise DiceSecret("the chouette is not closed; its dice can be checked when it is")
    seeds = seeds_of(header, chouette, 0)
    first, second, *_ = seeds.clients
    return DiceReport(
        format=DOMAIN,
        match=header.id,
        dice=dice_of(chouette.rules),
        opening_played=plays_opening(chouette.rules),
        commitment=seeds.commitment,
        server_seed=seeds.server.hex(),
        client_seeds=(first, second),
        seeds_by=("server", "server"),
        client_commitments=(None, None),
        rolls=tuple(_rolls(header, chouette)),
        of="chouette",
        given=tuple(SeedGiven(given.player, given.game, given.text) for given in chouette.seeds),
    )


def _rolls(header: ChouetteHeader, chouette: Chouette) -> Iterator[RollReported]:
    """Every roll of a chouette, in order; each says whether it was rerolled."""
    found: list[RollReported] = []
    place: dict[int, int] = {}  # indexes of the rolls of the running game, by number
    opening_rolls = 0
    run = Chouette.start(chouette.rules, chouette.terms)
    for event in chouette.events:
        before, run = run, run.replay(event)
        if isinstance(event, Order):
            found += _order(header, chouette, before.line, event)
        if run.playing and run.first != before.first:
            place, opening_rolls = {}, 0
        if not isinstance(event, Act):
            continue
        game = len(before.finished) + 1
        seeds = seeds_of(header, chouette, game)
        match event.event:
            case Opening(faces):
                opening_rolls += 1
                found.append(reported(seeds, game, OPENING_DOMAIN, opening_rolls, None, faces))
                place[run.board.roll_id] = len(found) - 1
            case Roll(_, faces):
                place[run.board.roll_id] = len(found)
                found.append(reported(seeds, game, DOMAIN, run.board.roll_id, event.by, faces))
            case Rollover(_, number):
                found[place[number]] = msgspec.structs.replace(found[place[number]], rerolled=True)
    yield from found


def _order(header: ChouetteHeader, chouette: Chouette, line: tuple[int, ...], event: Order) -> Iterator[RollReported]:
    """The rolls for the first order, in sequence: everybody rolls, and ties roll again."""
    seeds, number = seeds_of(header, chouette, 0), 0
    for turn in range(max(map(len, event.rolls), default=0)):
        for player, dice in zip(line, event.rolls, strict=True):
            if turn < len(dice):
                number += 1
                yield reported(seeds, 0, OPENING_DOMAIN, number, player, (dice[turn],))
