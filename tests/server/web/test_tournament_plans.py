"""The form of a tournament's plan: what it shows reads back, keeps what was refused, and changes a plan before the start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from barpoint.error import FormatError
from barpoint.language import in_language
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.domain.tournament_plans import MAX_PLAYERS
from barpoint.server.web.tournament_choices import choices
from barpoint.server.web.tournament_form import plan_fields, read_plan
from barpoint.server.web.tournament_plans import weeks_later
from tests.server.web.test_tournaments import FORM, announce, do
from tests.support.accounts import anna, browser_of, serving
from tests.support.serving import Served

__all__ = ["anna"]

BERLIN = ZoneInfo("Europe/Berlin")

NOW = 1_700_000_040_000
"""A full minute, since forms know no seconds."""

PLANS = st.builds(
    Plan,
    name=st.sampled_from(["Club night", "Ä & <b>"]),
    form=st.sampled_from([Form.KNOCKOUT, Form.SWISS]),
    variant=st.sampled_from(["backgammon", "roll-over", "acey-deucey", "duodecagammon+nackgammon"]),
    lengths=st.sampled_from([(5,), (3, 5, 7), (13,)]),
    cube=st.booleans(),
    time_control=st.sampled_from(["Normal", "Fast"]),
    rated=st.booleans(),
    fee=st.integers(0, 100),
    prizes=st.sampled_from([(100,), (60, 40), (70, 20, 10)]),
    min_players=st.integers(2, 8),
    max_players=st.integers(8, 100),
    starts_at=st.none() | st.integers(1, 1000).map(lambda minutes: NOW + minutes * MINUTE),
    rounds=st.integers(0, 15),
    patience_ms=st.integers(1, 60).map(lambda minutes: minutes * MINUTE),
    by_lot=st.booleans(),
    bots=st.booleans(),
    round_ms=st.integers(60, 5000).map(lambda minutes: minutes * MINUTE),
    late=st.integers(0, 3),
    groups=st.integers(2, 4),
    advance=st.integers(1, 4),
    consolation=st.integers(0, 15),
    byes=st.integers(0, 3),
    bye_won=st.booleans(),
    boards=st.booleans(),
    boards_only=st.booleans(),
).map(lambda plan: _playable(plan))


def _playable(plan: Plan) -> Plan:
    """The plan without what it loses or is refused for."""
    if plan.boards_only:
        plan = changed(plan, boards=True, bots=False)
    return plan if plan.form is Form.KNOCKOUT else changed(plan, consolation=0)


@given(PLANS)
def test_the_fields_of_a_plan_read_back_as_the_plan_and_all_of_them_are_offered(plan: Plan) -> None:
    fields = plan_fields(plan)
    assert read_plan(fields, NOW) == plan
    for name, offered in choices(fields).items():
        assert fields[name] in dict(offered), name


def test_a_refused_form_offers_numbers_that_it_was_sent_and_nothing_that_no_plan_can_have() -> None:
    usual = choices(plan_fields(Plan(name="")))
    sent = {"form": "none", "length": "ten", "patience": "9" * 5000, "prizes": "all", "rounds": "16", "round": "90"}
    changed = {name: offered for name, offered in choices(sent).items() if offered != usual[name]}
    assert changed.keys() == {"rounds", "round"}
    assert changed["rounds"][-1] == ("16", "16")
    assert changed["round"][-1][0] == "90"


def test_values_that_only_the_api_gives_are_offered_in_words() -> None:
    fields = plan_fields(Plan("Odd", patience_ms=7 * MINUTE, round_ms=5 * HOUR, prizes=(70, 20, 10)))
    offered = {name: dict(lines) for name, lines in choices(fields).items()}
    assert offered["patience"]["7"] == "7 minutes"
    assert offered["round"]["300"] == "5 hours"
    assert offered["prizes"]["70,20,10"] == "70% / 20% / 10%"


def test_shares_of_the_pot_are_offered_in_words_of_the_language() -> None:
    def offered() -> list[str]:
        return [line for _, line in choices(plan_fields(Plan("Prizes")))["prizes"]]

    assert offered() == ["All to the winner", "60% / 40%", "50% / 30% / 20%"]
    with in_language("de"):
        assert offered()[1:] == [
            "60\N{NO-BREAK SPACE}% / 40\N{NO-BREAK SPACE}%",
            "50\N{NO-BREAK SPACE}% / 30\N{NO-BREAK SPACE}% / 20\N{NO-BREAK SPACE}%",
        ]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, scheduler_ms=20) as running:
        yield running


def filled(page: str) -> dict[str, str]:
    """The fields of the form as a browser would send them, those that are disabled too."""
    form = page.partition('class="plan"')[2]
    found = dict(re.findall(r'<input (?:type="\S+" )?name="(\w+)" value="([^"]*)"', form))
    ticks = set(re.findall(r'<input type="checkbox" name="(\w+)" value="1" checked', form))
    found = {name: value for name, value in found.items() if name in ticks or f'checkbox" name="{name}"' not in form}
    for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.findall(r'value="([^"]*)" selected', options)
        found[name] = chosen[0] if chosen else re.findall(r'value="([^"]*)"', options)[0]
    return found


def test_a_refused_announcement_keeps_what_was_filled_in(anna: httpx.Client) -> None:
    sent = {**FORM, "name": "Long evening", "form": "robin", "max_players": "63", "rated": "1", "fee": "30"}
    answer = anna.post("/tournaments/new", data=sent)
    assert answer.status_code == 422
    kept = filled(answer.text)
    assert {name: kept.get(name) for name in sent} == sent
    assert announce(anna, **{**kept, "max_players": "24"})


def test_any_number_of_players_that_has_room_can_be_asked_for(anna: httpx.Client) -> None:
    path = announce(anna, max_players="7")
    for page in ("/tournaments/new", f"{path}/plan"):
        fields = re.findall(r'<input type="number" name="max_players" [^>]*>', anna.get(page).text)
        assert [re.findall(r' (?:min|max)="(\d+)"', field) for field in fields] == [["2", str(MAX_PLAYERS)]]
    assert filled(anna.get(f"{path}/plan").text)["max_players"] == "7"
    for number in ("1", str(MAX_PLAYERS + 1)):
        assert anna.post("/tournaments/new", data={**FORM, "max_players": number}).status_code == 422


def test_a_director_changes_the_plan_before_the_start(served: Served, anna: httpx.Client) -> None:
    path = announce(anna, rounds="3", form="swiss")
    assert f'href="{path}/plan"' in anna.get(path).text
    shown = filled(anna.get(f"{path}/plan").text)
    assert (shown["form"], shown["length"], shown["rounds"], shown["cube"]) == ("swiss", "3", "3", "1")
    shown |= {"name": "Club evening", "length": "5", "max_players": "8", "round": "180"}
    del shown["cube"]
    assert anna.post(f"{path}/plan", data=shown).headers["location"] == path
    plan = served.call(served.services.tournaments.known(path.rpartition("/")[2])).now.plan
    assert (plan.name, plan.lengths, plan.max_players, plan.cube) == ("Club evening", (5,), 8, False)
    assert (plan.rounds, plan.round_ms) == (3, DAY // 8)
    assert "The plan was changed" in anna.get(f"{path}/log").text


def test_what_players_have_entered_for_stays_and_the_rest_changes(served: Served, anna: httpx.Client) -> None:
    path = announce(anna, rated="1", fee="10")
    with browser_of(served, "Benedict") as ben:
        assert do(ben, path, "join").status_code == 303
        assert ben.get(f"{path}/plan").status_code == 404
        assert ben.post(f"{path}/plan", data=FORM).status_code == 404
    page = anna.get(f"{path}/plan").text
    assert "What they entered for stays as it is" in page
    disabled = set(re.findall(r'name="(\w+)"[^>]* disabled', page))
    assert disabled >= {"variant", "length", "cube", "rated", "fee", "prizes", "time_control", "form"}
    assert not disabled & {"name", "max_players", "starts", "date", "patience"}
    sent = {name: value for name, value in filled(page).items() if name not in disabled}
    answer = anna.post(f"{path}/plan", data={**sent, "max_players": "6"})
    assert answer.headers.get("location") == path, re.findall(r'role="alert">([^<]*)', answer.text)
    plan = served.call(served.services.tournaments.known(path.rpartition("/")[2])).now.plan
    assert (plan.max_players, plan.lengths, plan.rated, plan.fee) == (6, (3,), True, 10)
    refused = anna.post(f"{path}/plan", data={**sent, "fee": "0"})
    assert refused.status_code == 422
    assert "because players have entered for it" in refused.text


def test_a_plan_does_not_change_after_the_start(served: Served, anna: httpx.Client) -> None:
    path = announce(anna, max_players="2")
    with browser_of(served, "Benedict") as ben:
        do(anna, path, "join")
        do(ben, path, "join")
    assert "/plan" not in anna.get(path).text
    assert anna.get(f"{path}/plan").status_code == 404
    assert anna.post(f"{path}/plan", data=FORM).status_code == 404


def test_a_league_is_announced_with_what_the_form_shows_at_first(anna: httpx.Client) -> None:
    page = anna.get("/tournaments/new").text.partition('name="patience"')[2].partition("</select>")[0]
    assert '<option value="" selected>10 min; arena 2, league 2 weeks<' in page
    path = announce(anna, form="league", patience="")
    assert "20160" in anna.get(f"{path}/plan").text.partition('name="patience"')[2].partition(" selected")[0]
    with pytest.raises(FormatError, match="“A match waits for its players”: 30 minutes; allowed in a league: a day"):
        read_plan({**FORM, "form": "league", "patience": "30"}, NOW)


def test_a_refused_date_is_told_with_its_year() -> None:
    with pytest.raises(FormatError, match="2020"):
        read_plan({**FORM, "date": "2020-12-24T19:30"}, NOW)


def test_who_has_to_log_in_first_comes_back_to_the_form_of_the_club(anna: httpx.Client, http: httpx.Client) -> None:
    club = anna.post("/clubs/new", data={"name": "Tuesdays", "joining": "open", "season": "1"}).headers["location"]
    form = f"/tournaments/new?club={club.rpartition('/')[2]}"
    to_login = f"/login?back={quote(form)}"
    assert f'href="{to_login}"' in http.get(form).text
    assert http.post(form, data=FORM).headers["location"] == to_login
    assert f'value="{form}"' in http.get(to_login).text


def test_an_event_of_a_club_is_for_members_unless_its_director_says_otherwise(anna: httpx.Client) -> None:
    club = anna.post("/clubs/new", data={"name": "Fridays", "joining": "open", "season": "1"}).headers["location"]
    form = f"/tournaments/new?club={club.rpartition('/')[2]}"
    assert 'name="private" value="1" checked' in anna.get(form).text
    refused = anna.post(form, data={**FORM, "length": "99"}).text
    assert 'name="private" value="1" autocomplete' in refused, "what was not ticked stays so"
    assert 'name="private" value="1" checked' in anna.get(f"/chouettes?club={club.rpartition('/')[2]}").text


def test_a_tournament_that_is_over_is_announced_again_with_its_plan_on_the_same_day_of_a_later_week(
    served: Served, anna: httpx.Client
) -> None:
    begins = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=2)
    path = announce(anna, form="swiss", rounds="3", length="7", date=f"{begins:%Y-%m-%dT%H:%M}", zone="UTC")
    assert 'id="again"' not in anna.get(path).text, "it is not over"
    do(anna, path, "cancel")
    again = re.search(r'href="(/tournaments/new[^"]*)" id="again"', anna.get(path).text)
    assert again
    page = anna.get(again[1]).text
    assert f'value="{begins + timedelta(days=7):%Y-%m-%dT%H:%M}"' in page
    assert 'value="Club night"' in page
    assert re.search(r'<option value="7" selected|<option selected>7|value="7" +selected', page)
    with browser_of(served, "Karla") as karla:
        assert 'id="again"' not in karla.get(path).text
        assert karla.get(again[1]).status_code == 404, "only its director sees the plan so"


def clock_in_berlin(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, BERLIN):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("begins", "now", "again"),
    [
        ("2026-10-20 19:30", "2026-10-21 08:00", "2026-10-27 19:30"),
        ("2026-03-24 19:30", "2026-03-25 08:00", "2026-03-31 19:30"),
        ("2026-03-24 19:30", "2026-03-31 19:30", "2026-04-07 19:30"),
        ("2026-10-20 19:30", "2026-10-27 19:00", "2026-10-27 19:30"),
        ("2026-07-07 19:30", "2026-07-01 08:00", "2026-07-14 19:30"),
        ("2026-07-07 19:30", "2026-12-01 08:00", "2026-12-01 19:30"),
    ],
)
def test_a_later_week_has_the_same_hour_on_the_clock_also_after_a_change_of_summer_time(
    begins: str, now: str, again: str
) -> None:
    first, then = (
        int(datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp() * 1000) for text in (begins, now)
    )
    assert clock_in_berlin(weeks_later(first, then, BERLIN)) == again


def test_a_tournament_is_announced_again_at_the_hour_of_its_directors_clock(served: Served, anna: httpx.Client) -> None:
    years = range(datetime.now(UTC).year, datetime.now(UTC).year + 2)
    changes = (datetime(year, 10, day, 19, 30, tzinfo=BERLIN) for year in years for day in range(19, 32))
    begins = next(at for at in changes if at > datetime.now(BERLIN) and at.dst() and not (at + timedelta(days=7)).dst())
    path = announce(anna, date=f"{begins:%Y-%m-%dT%H:%M}", zone="Europe/Berlin")
    do(anna, path, "cancel")
    again = re.search(r'href="(/tournaments/new[^"]*)" id="again"', anna.get(path).text)
    assert again
    later = (begins + timedelta(days=7)).astimezone(UTC)
    assert f'value="{later:%Y-%m-%dT%H:%M}"' in anna.get(again[1]).text
