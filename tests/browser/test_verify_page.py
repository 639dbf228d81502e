"""A dice report verified by the browser alone: accepted unchanged, refused after one roll was changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from barpoint.game.event import counts_of
from barpoint.match import Match, MatchTerms, Proposition, StartingPosition
from barpoint.server.domain.chouette_dice_report import chouette_report
from barpoint.server.domain.dice_report import DiceRefused, DiceReport, check, read_report, report_of, write_report
from barpoint.variants import variant
from tests.server.domain.test_dice_report import COMMITMENTS, SEEDS, played
from tests.support.accounts import serving
from tests.support.chouettes import HEADER, rolled_out
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def reports(served: Served) -> dict[str, Any]:
    """A report of each kind of dice, by the id of its match."""
    ids = [served.call(play_match(served.services, name)) for name in ("roll-over", "duodecagammon", "tabula")]
    return {match_id: httpx.get(f"{served.address}/match/{match_id}/dice.json").json() for match_id in ids}


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    opened = browser.new_page()
    opened.set_default_timeout(PATIENCE_S * 1000)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    opened.close()
    assert problems == []
    assert [url for url in asked if not url.startswith(served.address)] == []


def verdict_on(page: Page, report: object, commitment: str = "") -> str:
    """The page's verdict on a report pasted into it."""
    page.locator("#report").fill(report if isinstance(report, str) else json.dumps(report))
    page.locator("#commitment").fill(commitment)
    page.evaluate("document.getElementById('verdict').textContent = ''")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_have_text(re.compile("Right|Refused"))
    return page.locator("#verdict").inner_text()


def test_the_browser_finds_right_what_the_server_played(page: Page, served: Served, reports: dict[str, Any]) -> None:
    for match_id, report in reports.items():
        page.goto(f"{served.address}/verify?match={match_id}")
        checked = check(read_report(json.dumps(report).encode()))
        assert checked.games == 1
        expect(page.locator("#verdict")).to_contain_text(
            f"Right: {checked.rolls} rolls, {checked.opening_rolls} opening roll"
        )
        expect(page.locator("#verdict")).to_contain_text(", 1 game")
        expect(page.locator("#verdict")).to_contain_text(report["commitment"])


def refusal_of(report: DiceReport) -> str:
    """What the page should say of a report that the command refuses."""
    with pytest.raises(DiceRefused) as refused:
        check(report)
    return f"Refused: {refused.value}."


def without_the_second_game_s_first_roll(report: DiceReport) -> DiceReport:
    second = next(made for made in report.rolls if made.game == 2)
    return replace(report, rolls=tuple(made for made in report.rolls if made is not second))


def test_the_browser_checks_the_dice_of_a_chouette_as_the_command_does(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/verify")
    report = chouette_report(HEADER, rolled_out("roll-over+hypergammon", 3))
    assert "Players gave 2 seeds" in verdict_on(page, write_report(report).decode())
    for changed in (
        replace(report, rolls=report.rolls[1:]),
        replace(report, given=report.given[:1]),
        replace(report, rolls=(*report.rolls[:2], replace(report.rolls[2], faces=(7,)), *report.rolls[3:])),
    ):
        assert verdict_on(page, write_report(changed).decode()) == refusal_of(changed)


def test_the_browser_checks_a_match_whose_winner_starts_as_the_command_does(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/verify")
    report = report_of(SEEDS, played("tavli", length=3), COMMITMENTS)
    assert check(report).games > 1
    assert verdict_on(page, write_report(report).decode()).startswith("Right")
    for changed in (without_the_second_game_s_first_roll(report), replace(report, winner_starts=False)):
        assert verdict_on(page, write_report(changed).decode()) == refusal_of(changed)


def test_the_browser_checks_a_proposition_as_the_command_does(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/verify")
    proposition = Proposition.of(StartingPosition(counts_of(variant("backgammon").start)), games=2)
    report = report_of(SEEDS, played(start=Match.start(terms=MatchTerms(0, proposition=proposition))), COMMITMENTS)
    assert verdict_on(page, write_report(report).decode()).startswith("Right")
    for changed in (without_the_second_game_s_first_roll(report), replace(report, every_game=False)):
        assert verdict_on(page, write_report(changed).decode()) == refusal_of(changed)


def test_browser_and_command_refuse_the_same_roll(page: Page, served: Served, reports: dict[str, Any]) -> None:
    page.goto(f"{served.address}/verify")
    for report in reports.values():
        changes: list[dict[str, Any]] = []
        for index in (0, 1, len(report["rolls"]) - 1):
            rolls = [dict(made) for made in report["rolls"]]
            rolls[index]["faces"] = [1] * len(rolls[index]["faces"]) if rolls[index]["faces"][0] != 1 else [2]
            changes.append(report | {"rolls": rolls})
        changes.append(report | {"rolls": report["rolls"][:4] + report["rolls"][5:]})
        changes.append(report | {"server_seed": "00" * 32})
        changes.append(report | {"client_seeds": ["another", "one"]})
        for changed in changes:
            with pytest.raises(DiceRefused) as refused:
                check(read_report(json.dumps(changed).encode()))
            assert verdict_on(page, changed) == f"Refused: {refused.value}."


def test_a_commitment_that_was_noted_is_compared(page: Page, served: Served, reports: dict[str, Any]) -> None:
    page.goto(f"{served.address}/verify")
    report = next(iter(reports.values()))
    assert verdict_on(page, report, report["commitment"].upper()).startswith("Right")
    assert "not the one that you noted" in verdict_on(page, report, "0" * 64)


@pytest.mark.parametrize("text", ["{", "null", "[]", '{"format":"bgdice/1"}', '{"format":"bgdice/2"}'])
def test_other_text_is_refused(page: Page, served: Served, text: str) -> None:
    page.goto(f"{served.address}/verify")
    assert verdict_on(page, text).startswith("Refused: ")


def test_a_report_is_read_from_a_file_and_fits_a_telephone(
    page: Page, served: Served, reports: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "report.json"
    file.write_text(json.dumps(next(iter(reports.values()))), encoding="utf-8")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{served.address}/verify")
    page.locator("#file").set_input_files(file)
    expect(page.locator("#verdict")).to_contain_text("Right")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
