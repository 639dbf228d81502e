"""The report of a chouette's dice: complete from the rolls for the order on, correct, and refused after any change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from barpoint.chouette import Act, Chouette, Order
from barpoint.game import Opening, Roll, Rollover
from barpoint.server.domain.chouette_dice_report import chouette_report
from barpoint.server.domain.dice_report import (
    Checked,
    DiceRefused,
    DiceReport,
    DiceSecret,
    SeedGiven,
    check,
    read_report,
    write_report,
)
from tests.support.chouettes import HEADER, begun, rolled_out


@pytest.fixture(scope="module")
def closed() -> Chouette:
    return rolled_out("roll-over+hypergammon", 3)


@pytest.fixture(scope="module")
def report(closed: Chouette) -> DiceReport:
    return chouette_report(HEADER, closed)


@pytest.mark.parametrize("name", ["hypergammon", "duodecagammon+hypergammon", "roll-over+duodecagammon+hypergammon"])
def test_the_report_of_a_table_has_every_roll_and_checks(name: str) -> None:
    chouette = rolled_out(name, 5)
    made = chouette_report(HEADER, chouette)
    assert read_report(write_report(made)) == made
    acts = [event.event for event in chouette.events if isinstance(event, Act)]
    order = next(event for event in chouette.events if isinstance(event, Order))
    games = [shown for shown in made.rolls if shown.game]
    assert [shown.faces for shown in games] == [event.faces for event in acts if isinstance(event, Opening | Roll)]
    assert sorted(shown.faces[0] for shown in made.rolls if not shown.game) == sorted(sum(order.rolls, ()))
    rerolled = sum(isinstance(event, Rollover) for event in acts)
    opening_rolls = len(made.rolls) - sum(isinstance(event, Roll) for event in acts)
    assert check(made) == Checked(2, len(made.rolls) - opening_rolls, opening_rolls, rerolled)


def test_a_seed_counts_from_the_game_after_it_was_given(report: DiceReport) -> None:
    """A seed given before the first roll counts from it on; nobody can choose a seed for a game that has begun."""
    assert report.given == (SeedGiven(2, 0, "of Kim"), SeedGiven(0, 2, "of Anna"))
    assert report.seeds(1).clients == (*report.client_seeds, "of Kim")
    assert report.seeds(2).clients == (*report.client_seeds, "of Kim", "of Anna")


def test_rolls_for_the_order_stand_with_who_made_them(report: DiceReport, closed: Chouette) -> None:
    first = [shown for shown in report.rolls if not shown.game][:4]
    assert [shown.player for shown in first] == [0, 1, 2, 3]
    order = next(event for event in closed.events if isinstance(event, Order))
    assert [shown.faces[0] for shown in first] == [dice[0] for dice in order.rolls]


Change = Callable[[DiceReport], DiceReport]


def _without(index: int) -> Change:
    return lambda report: replace(report, rolls=(*report.rolls[:index], *report.rolls[index + 1 :]))


def _face(index: int) -> Change:
    def change(report: DiceReport) -> DiceReport:
        made = report.rolls[index]
        faces = (made.faces[0] % 6 + 1, *made.faces[1:])
        return replace(report, rolls=(*report.rolls[:index], replace(made, faces=faces), *report.rolls[index + 1 :]))

    return change


@pytest.mark.parametrize(
    ("change", "index"),
    [
        (_without(0), 0),
        (_face(2), 2),
        (_face(40), 40),
        (lambda report: replace(report, given=report.given[:1]), None),
        (lambda report: replace(report, given=(replace(report.given[0], seed="another"), report.given[1])), 0),
        (lambda report: replace(report, of="match"), 0),
        (lambda report: replace(report, server_seed="00" * 32), None),
    ],
)
def test_what_was_changed_is_refused(report: DiceReport, change: Change, index: int | None) -> None:
    changed = change(report)
    with pytest.raises(DiceRefused) as refused:
        check(changed)
    if index is not None:
        assert refused.value.index == index


def test_no_report_gives_a_seed_away_before_the_table_is_closed() -> None:
    with pytest.raises(DiceSecret, match="not closed"):
        chouette_report(HEADER, begun())
