"""Reports of long matches in parts: an outline says what lists and counts show, the games hold the rest, and a short report stays whole."""

from __future__ import annotations

import gzip

import httpx
import msgspec
import pytest
from msgspec import structs

import barpoint as bp
from barpoint.analysis import Report, Study
from barpoint.analysis.findings import RollLuck
from barpoint.analysis.judge import SAME
from barpoint.match import Match, write_log
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.study import report_parts
from barpoint.server.study.report_parts import GamePart
from tests.server.study.test_reviews import brought
from tests.support.scripted_bots import ChanceBot
from tests.support.serving import Served


@pytest.fixture(scope="module")
def judged() -> tuple[Match, Report]:
    """A match of two games, and its report with a roll at each decision."""
    *_, match = bp.play_match(bp.Match.start(length=5), ChanceBot(1), ChanceBot(2), dice=bp.dice.seeded(1))
    for _ in (study := Study(match, plies=0, luck=False)):
        pass
    rolls = tuple(RollLuck(one.event, one.game, one.player, (2, 1), one.loss, 0.0) for one in study.decisions)
    return match, structs.replace(study.report(), rolls=rolls)


def test_a_long_report_comes_as_an_outline_and_game_by_game(
    served: Served, http: httpx.Client, monkeypatch: pytest.MonkeyPatch, judged: tuple[Match, Report]
) -> None:
    match, report = judged
    address = f"{brought(http, write_log(match), 'match.json')}/analysis.json?plies=0"
    review = address.split("/")[2]
    key = served.services.analyses.key(review, match.rules, 0, "review")
    packed = gzip.compress(report.json())
    served.call(served.services.store.write(analysis_storage.put, key, packed, report.events, 1))

    monkeypatch.setattr(report_parts, "LIGHT", len(packed))
    assert http.get(f"{address}&outline=1").content == http.get(address).content == report.json()
    monkeypatch.setattr(report_parts, "LIGHT", len(packed) - 1)
    outline, whole = http.get(f"{address}&outline=1").json(), http.get(address).json()
    assert len(outline["decisions"]) == len(whole["decisions"])
    for short, long in zip(outline.pop("decisions"), whole["decisions"], strict=True):
        options = [one for at, one in enumerate(long["options"]) if at == long["chosen"] or one["loss"] < SAME]
        assert short.pop("options") == [{"text": one["text"], "loss": one["loss"]} for one in options]
        assert options[short.pop("chosen")] == long["options"][long["chosen"]]
        assert short.pop("themes", []) == [{"name": theme["name"]} for theme in long.get("themes", ())]
        assert short.items() <= long.items()
    assert outline == {**{name: of for name, of in whole.items() if name != "decisions"}, "rolls": [], "outline": True}

    parts = [msgspec.json.decode(http.get(f"{address}&game={game}").content, type=GamePart) for game in (1, 2, 3)]
    assert [{one.game for one in (*part.decisions, *part.rolls)} for part in parts] == [{1}, {2}, set()]
    assert tuple(one for part in parts for one in part.decisions) == report.decisions
    assert tuple(one for part in parts for one in part.rolls) == report.rolls
    assert {http.get(address, params={"game": game}).status_code for game in ("x", "-1", "²", "100000")} == {404}
