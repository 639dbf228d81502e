"""Statistics of each game: the command, and the files written with it."""

import json
from dataclasses import asdict
from pathlib import Path

import msgspec
import pytest

from barpoint.analysis.variant_statistics import VariantStatistics, statistics_of
from barpoint.document import rules_folder
from barpoint.moves import legal_plays, parse_play
from barpoint.rules import FirstRoll
from barpoint.server.web.rules import chapter
from barpoint.variants import variant
from training.knowledge import VARIANTS, learn, main, page

FOLDER = rules_folder() / "statistics"
FILES = sorted(FOLDER.glob("*.json"))


def test_every_game_of_the_list_has_its_statistics() -> None:
    assert {file.stem for file in FILES} == {variant(name).name for name in VARIANTS}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_statistics_are_about_rolls_that_may_open_the_game_and_their_legal_plays(file: Path) -> None:
    known = json.loads(file.read_text(encoding="utf-8"))
    rules = variant(known["name"])
    by_opening_roll = rules.opening.first_roll is FirstRoll.OPENING_ROLL
    rows = [row.faces for row in rules.dice.rows if not by_opening_roll or len(set(row.faces)) > 1]
    assert [tuple(each["faces"]) for each in known["openings"]] == rows
    for each in known["openings"]:
        parse_play(rules, rules.start, tuple(each["faces"]), each["play"])
        if each["second"] is None:
            assert len(legal_plays(rules, rules.start, tuple(each["faces"]))) == 1
        else:
            assert each["loss"] >= 0


def test_every_text_says_what_was_measured() -> None:
    for file in FILES:
        known = statistics_of(file.stem)[0]
        assert known.name == file.stem
        assert page(known) == file.with_suffix(".md").read_text(encoding="utf-8"), (
            "run python -m training.knowledge --text"
        )


def test_the_page_of_a_game_shows_its_statistics_and_those_of_its_mixtures() -> None:
    shown = chapter("duodecagammon")
    assert shown is not None
    assert "Engine statistics: Duodecagammon" in shown.statistics
    assert "Engine statistics: Roll-Over + Duodecagammon" in shown.statistics
    single = chapter("nackgammon")
    assert single is not None
    assert single.statistics.count("Engine statistics") == 1


def test_a_game_is_learned_and_written_down() -> None:
    known = learn("hypergammon(checkers=1)", 0, 5)
    assert len(known.openings) == 15
    assert msgspec.convert(json.loads(json.dumps(asdict(known))), VariantStatistics).openings == known.openings
    assert known.rolls is not None
    assert known.rolls[0] > 1
    text = page(known) if "(" not in known.name else page(learn("hypergammon", 0, 5))
    assert text.count("\n| ") == 16


def test_games_are_learned_on_an_executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--into", str(tmp_path), "--plies", "0", "--games", "0", "--executor", "threads", "--workers", "2"]
    monkeypatch.setattr("sys.argv", ["knowledge", *words, "hypergammon", "nackgammon"])
    main()
    assert {file.name for file in tmp_path.iterdir()} == {
        "hypergammon.json",
        "hypergammon.md",
        "nackgammon.json",
        "nackgammon.md",
    }
    known = json.loads((tmp_path / "nackgammon.json").read_text(encoding="utf-8"))
    assert known == json.loads(json.dumps(asdict(learn("nackgammon", 0, 0))))
