"""Levels that err as people do: the same question gets the same answer, stronger ones lose less, large errors are rarer."""

from random import Random

import numpy as np
import pytest

from barpoint import dice
from barpoint.board import Position
from barpoint.driver import play_match
from barpoint.engine import Bot, Engine, levels
from barpoint.engine.people import (
    BLURS,
    LIKINGS,
    PeopleModel,
    double_value,
    people_model,
    play_features,
    play_values,
    take_value,
)
from barpoint.game import Double, Event, Game, Pass, PlayMade, Rollover, Stakes, Take
from barpoint.match import Match
from barpoint.moves import encode, parse_play
from barpoint.variants import variant

PEOPLE = [level for level in levels() if level.people]
RULES = variant("backgammon")
GAMES = ("backgammon", "cancelgammon+hypergammon", "duodecagammon", "acey-deucey")


def rolled(*faces: int, position: Position = RULES.start) -> Match:
    """A match to 7 points in which player 0 has this roll to play."""
    match = Match.start(7, RULES)
    return Match(RULES, match.terms, Game.at(RULES, position, stakes=Stakes(), faces=faces))


def mean_loss(level: str) -> float:
    """Points that a level loses on average with the opening rolls and replies to them, by many seeds."""
    engine, losses = Engine(RULES), []
    bots = [Bot(RULES, level, seed) for seed in range(40)]
    for faces in ((2, 1), (4, 3), (6, 4)):
        match = rolled(*faces)
        known = {item.play.moves: item.loss for item in engine.rank(match)}
        for bot in bots:
            event = bot.event(match, 0)
            assert isinstance(event, PlayMade)
            losses.append(known[event.moves])
    return float(np.mean(losses))


def values(level: str, losses: list[float]) -> list[float]:
    """How plays please that have no other merit than their equity."""
    model = people_model(level)
    blurs, features = np.zeros(len(BLURS)), np.zeros((len(losses), len(LIKINGS)))
    blurs[0] = 1
    return play_values(model.parameters, model.skill, np.array(losses), blurs, features).tolist()


def features(faces: tuple[int, ...], text: str, position: Position = RULES.start) -> dict[str, float]:
    """What there is to like about a play."""
    play = parse_play(RULES, position, faces, text)
    row = play_features(RULES, encode([position]), encode([play.result]))[0]
    return dict(zip(LIKINGS, row.tolist(), strict=True))


def test_every_level_is_called_by_its_rating_and_has_numbers() -> None:
    assert [level.name for level in PEOPLE] == ["pr-20", "pr-15", "pr-11", "pr-8", "pr-6", "pr-4"]
    for level in PEOPLE:
        assert level.name == f"pr-{level.pr:.0f}"
        assert level.title.endswith(f", PR {level.pr:.0f}")
        assert level.line.endswith(f"PR about {level.pr:.0f}.")
        assert isinstance(people_model(level.name), PeopleModel)
    assert not {level.name for level in levels() if not level.people} & {level.name for level in PEOPLE}


def test_the_skill_of_levels_is_ordered_as_their_ratings() -> None:
    skills = [people_model(level.name).skill for level in PEOPLE]
    assert skills == sorted(skills, reverse=True)
    with pytest.raises(KeyError):
        people_model("strong")


def test_the_same_seed_gives_the_same_play_and_another_seed_may_not() -> None:
    match = rolled(4, 3)
    found: list[Event | None] = [Bot(RULES, "pr-11", seed).event(match, 0) for seed in range(20)]
    assert found == [Bot(RULES, "pr-11", seed).event(match, 0) for seed in range(20)]
    assert len(set(found)) > 1


def test_a_stronger_level_loses_less() -> None:
    weak, middle, strong = (mean_loss(level) for level in ("pr-20", "pr-8", "pr-4"))
    assert weak > middle > strong > 0


@pytest.mark.parametrize("level", [level.name for level in PEOPLE])
def test_a_play_that_loses_more_pleases_less(level: str) -> None:
    found = values(level, [0.0, 0.02, 0.1, 0.4, 1.0])
    assert found == sorted(found, reverse=True)
    assert found[0] == 0


def test_an_error_costs_a_strong_player_more_of_their_liking() -> None:
    assert values("pr-4", [0, 0.1])[1] < values("pr-8", [0, 0.1])[1] < values("pr-20", [0, 0.1])[1]


def test_no_play_seems_worse_than_the_bound() -> None:
    assert values("pr-8", [0, 1.5])[1] == values("pr-8", [0, 20])[1]


def test_what_there_is_to_like_about_a_play_is_counted() -> None:
    point, split = features((3, 1), "8/5 6/5"), features((3, 1), "24/23 13/10")
    assert (point["point"], point["home"], point["blot"], point["hit"]) == (5, 2, 0, 0)
    assert (split["point"], split["home"], split["blot"]) == (3, 1, 3)
    assert split["exposed"] > point["exposed"] == 0
    assert features((6, 5), "24/13")["anchor"] == 0
    assert features((1, 1), "24/22(2)")["anchor"] == 1
    assert features((6, 4), "8/2 6/2")["buried"] == 2
    slot = RULES.start.copy_with(them={24: 1, 20: 1})
    assert features((4, 1), "6/5* 13/9", slot)["hit"] == 1


def test_people_double_more_where_they_gain_and_take_more_where_they_gain() -> None:
    model = people_model("pr-8")
    doubles = [float(double_value(model.parameters, model.skill, gain, 0, 1)) for gain in (-1, -0.2, 0, 0.1, 0.3)]
    takes = [float(take_value(model.parameters, model.skill, gain)) for gain in (-1, -0.2, 0, 0.1, 0.3)]
    assert doubles == sorted(doubles)
    assert takes == sorted(takes)
    assert doubles[0] < -6, "nobody doubles when they are far behind"


def test_a_double_that_changes_nothing_is_not_made() -> None:
    last = RULES.start.copy_with(us={24: 0, 13: 0, 8: 0, 6: 0, 1: 1, 0: 14}, them={24: 0, 13: 0, 8: 0, 6: 2, 0: 13})
    found = Engine(RULES).cube(rolled(position=last))
    model = people_model("pr-20")
    assert found.no_double == pytest.approx(found.double_pass, abs=1e-3)
    assert not any(model.doubles(RULES, last, found, Random(seed)) for seed in range(200))


def test_of_two_things_people_prefer_the_better_one_more_often() -> None:
    model, start = people_model("pr-15"), RULES.start
    counts = [sum(model.prefers(RULES, start, gain, Random(seed)) for seed in range(300)) for gain in (-0.3, 0, 0.3)]
    assert counts[0] < 30 < 100 < counts[1] < 200 < 270 < counts[2]


@pytest.mark.parametrize("name", GAMES)
def test_they_play_every_game_to_its_end_and_the_same_again(name: str) -> None:
    def played() -> list[Event]:
        bots = Bot(variant(name), "pr-8", 1), Bot(variant(name), "pr-20", 2)
        *_, match = play_match(Match.start(1, variant(name)), *bots, dice=dice.seeded(3))
        assert match.over
        return list(match.events)

    events = played()
    assert PlayMade in {type(event) for event in events}
    assert events == played()


def test_they_double_take_pass_and_reroll() -> None:
    kinds: set[type] = set()
    rules = variant("roll-over+hypergammon")
    for seed in range(12):
        bots = Bot(rules, "pr-15", seed), Bot(rules, "pr-6", seed + 10)
        *_, match = play_match(Match.start(3, rules), *bots, dice=dice.seeded(seed))
        kinds |= {type(event) for event in match.events}
    assert {Double, Take, Pass, Rollover} <= kinds
