"""A variant of one's own on the command line: the file in place of a name, and a net for it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import barpoint as bp
from barpoint import train
from barpoint.variants.variant_file import parse_variant
from tests.cli.test_cli import barpoint  # noqa: F401  the fixture
from tests.support.games import AnythingAllowed
from tests.support.own_variants import SHORT_FILE, forget, forgetting

START = "4HMAgAGfAwAMAA"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from forgetting(monkeypatch)


@pytest.fixture(autouse=True)
def files(forgotten: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The file of a variant, a net for it and a match of it, all unknown to this process."""
    monkeypatch.chdir(tmp_path)
    Path("short.toml").write_text(SHORT_FILE, encoding="utf-8")
    rules = bp.register(parse_variant(SHORT_FILE))
    train.publish(train.Recipe.small(rules, hidden=16).fresh_net(), "short.net")
    match = bp.Match.start(1, rules)
    *_, match = bp.play_match(match, AnythingAllowed(1), AnythingAllowed(2), dice=bp.dice.seeded(3))
    bp.write_match(match, "match.json", ("Anna", "Ben"))
    forget(monkeypatch)


def test_a_file_is_shown_as_a_name_is(barpoint) -> None:  # noqa: F811
    shown = barpoint("variants", "short.toml")
    assert (shown.status, shown.out.splitlines()[0]) == (0, "short-game")
    assert f"position {START}" in shown.out
    assert json.loads(barpoint("variants", "short.toml", "--json").out)["checkers"] == 10


def test_a_file_is_composed_with_other_games(barpoint) -> None:  # noqa: F811
    assert barpoint("variants", "roll-over + short.toml").out.splitlines()[0] == "roll-over+short-game"
    ran = barpoint("variants", "nackgammon+short.toml")
    assert (ran.status, ran.err) == (
        2,
        "barpoint: nackgammon and short-game set setup differently; choose one of them\n",
    )


@pytest.mark.parametrize("name", ["nackgammon", "short.toml", "roll-over(tokens=2)+nackgammon"])
def test_any_game_is_written_as_a_file_to_begin_with(barpoint, name: str) -> None:  # noqa: F811
    Path("mine.toml").write_text(barpoint("variants", name, "--toml").out, encoding="utf-8")
    mine, known = (json.loads(barpoint("variants", one, "--json").out) for one in ("mine.toml", name))
    assert mine["name"].startswith("my-")
    assert mine | {"name": ""} == known | {"name": ""}


def test_a_file_needs_a_name_and_is_no_json(barpoint) -> None:  # noqa: F811
    assert barpoint("variants", "--toml").err == "barpoint: --toml needs a name, such as plakoto\n"
    assert barpoint("variants", "plakoto", "--toml", "--json").err == "barpoint: --toml and --json exclude each other\n"


def test_an_error_in_a_file_says_where_and_what_is_allowed(barpoint) -> None:  # noqa: F811
    for text, said in (
        ('[movement]\ncapture = "hitt"', "bad.toml: [movement] capture is 'hitt'; allowed: hit, pin, none"),
        ('[dice]\nplays."2-1" = [9]', "bad.toml: [dice] plays 2-1 is [9]; allowed: 1 to 4 numbers from 1 to 6"),
    ):
        Path("bad.toml").write_text(text, encoding="utf-8")
        ran = barpoint("eval", START, "--variant", "bad.toml")
        assert (ran.status, ran.err) == (2, f"barpoint: {said}\n")
    assert barpoint("eval", START, "-v", "none.toml").err == "barpoint: none.toml: No such file or directory\n"


def test_a_position_is_evaluated_rolled_out_and_drawn(barpoint) -> None:  # noqa: F811
    own = ("--variant", "short.toml")
    ran = barpoint("eval", START, *own)
    assert ran.status == 2
    assert "no net has learned short-game" in ran.err
    assert "taken by --net" in ran.err
    ranked = json.loads(barpoint("eval", START, *own, "--net", "short.net", "-r", "66", "-p", "0", "--json").out)
    assert ranked["plays"]
    rolled = barpoint("rollout", START, *own, "--net", "short.net", "-n", "36", "--truncate", "2")
    assert (rolled.status, "±" in rolled.out) == (0, True)
    assert barpoint("convert", START, "start.svg", *own).status == 0


def test_matches_of_it_are_analysed_counted_and_converted(barpoint) -> None:  # noqa: F811
    unknown = barpoint("analyse", "match.json", "-p", "0")
    assert unknown.status == 2
    assert "no variant is called 'short-game'" in unknown.err
    assert unknown.err.endswith("A variant of your own is known by its file: --variant FILE.toml\n")
    own = ("--variant", "short.toml")
    found = json.loads(barpoint("analyse", "match.json", *own, "--net", "short.net", "-p", "0", "--json").out)
    assert found["rules"] == "short-game"
    counted = json.loads(barpoint("stats", "match.json", *own, "--net", "short.net", "--json").out)
    assert counted["matches"] == 1
    assert barpoint("convert", "match.json", "match.sgf", *own).status == 0


def test_it_is_played_against_a_net_of_ones_own(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    own = ("play", "--variant", "short.toml", "--length", "1", "--seed", "3", "--save", "kept.json")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert "There is no net for short-game: two people play." in barpoint(*own).out
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    played = barpoint(*own, "--net", "short.net")
    assert "Continuing the match in kept.json." in played.out
    assert "Barpoint" in played.out
    other = barpoint("play", "--variant", "backgammon", "--save", "kept.json")
    assert "--variant backgammon: the match in kept.json has --variant short-game" in other.err


def test_requests_of_programs_name_it(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    request = {"id": 1, "do": "rank", "variant": "short-game", "position": START, "roll": [3, 1]}

    class Input:
        buffer = io.BytesIO(json.dumps(request).encode() + b"\n")

    monkeypatch.setattr("sys.stdin", Input())
    ran = barpoint("engine", "--variant", "short.toml", "--net", "short.net")
    assert json.loads(ran.out)["plays"]
