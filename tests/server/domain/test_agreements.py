"""Which agreements may be offered, and by whom."""

import pytest

from barpoint.error import FormatError
from barpoint.match import MatchTerms
from barpoint.server.domain.agreement_form import describe_agreement, read_agreement
from barpoint.server.domain.agreements import Agreement, clock_choices, time_control_named
from barpoint.server.domain.time_control import TIME_CONTROLS
from barpoint.variants import variant

ACCOUNT, GUEST = True, False


@pytest.mark.parametrize("time_control", TIME_CONTROLS, ids=lambda time_control: time_control.name)
def test_every_clock_preset_has_a_name_that_finds_it(time_control: object) -> None:
    assert time_control_named(time_control.name) == time_control  # type: ignore[attr-defined]


def test_correspondence_says_its_days() -> None:
    assert time_control_named("Correspondence 5").delay_ms == 5 * 24 * 3_600_000


@pytest.mark.parametrize(
    "name",
    ["", "fast", "Correspondence 0", "Correspondence 31", "Correspondence 000731", "Correspondence ٣", "<b>", "x" * 99],
)
def test_any_other_clock_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(FormatError, match="allowed: Federation"):
        time_control_named(name)


def test_a_form_becomes_an_offer() -> None:
    agreement = read_agreement(
        {"length": "7", "cube": "1", "time_control": "Fast", "rated": "1", "fee": "250"}, ACCOUNT
    )
    assert (agreement.terms.length, agreement.terms.cube, agreement.time_control, agreement.rated, agreement.fee) == (
        7,
        True,
        "Fast",
        True,
        250,
    )
    assert read_agreement({"length": "7"}, GUEST) == Agreement(
        terms=agreement.terms.__class__(length=7, cube=False, crawford=False)
    )


@pytest.mark.parametrize(
    ("form", "registered", "said"),
    [
        ({"rated": "1"}, GUEST, "rated matches are for players with an account"),
        ({"fee": "5"}, GUEST, "entry fee are for players with an account"),
        ({"length": "0", "rated": "1"}, ACCOUNT, "a money session has no end"),
        ({"length": "0", "fee": "5"}, ACCOUNT, "a money session has no end"),
        ({"fee": "10001"}, ACCOUNT, "allowed: 0 to 10000"),
        ({"fee": "-1"}, ACCOUNT, "allowed: 0 to 10000"),
        ({"time_control": "Bullet"}, ACCOUNT, "allowed: Federation"),
    ],
)  # fmt: skip
def test_what_cannot_be_offered_is_said(form: dict[str, str], registered: bool, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_agreement(form, registered)


def test_a_page_offers_no_clock_first_and_says_of_every_other_what_it_gives() -> None:
    choices = clock_choices()
    assert choices[0] == ("None", "No clock")
    assert ("Federation", "Federation: 120 s/point + 12 s") in choices
    assert ("Correspondence 1", "1 day a turn") in choices
    assert all(time_control_named(name) for name, _ in choices)


def test_a_line_about_a_match_names_its_clock_and_what_it_counts_for() -> None:
    agreement = Agreement(terms=MatchTerms(length=5), time_control="Correspondence 3", rated=True, fee=1)
    assert describe_agreement(agreement) == "5 points, cube, Crawford rule, 3 days a turn, rated, entry fee 1 ticket"
    assert describe_agreement(Agreement(terms=MatchTerms(length=1), time_control="Fast")) == "1 point, Fast clock"
    assert describe_agreement(Agreement(terms=MatchTerms(length=1))) == "1 point"


def test_a_game_without_a_cube_has_no_crawford_rule() -> None:
    assert describe_agreement(Agreement(variant("tavli"), MatchTerms(length=5))) == "5 points"
