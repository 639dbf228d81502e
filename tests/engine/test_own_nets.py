"""A net of one's own that plays some rules in this process wherever none is given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import barpoint as bp
from barpoint import train
from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.many import summaries
from barpoint.analysis.position import answer_position
from barpoint.analysis.roll_table import answer_rolls
from barpoint.engine import covers, use_net
from barpoint.engine.net import net_version, own_net
from barpoint.error import ArgumentError, NetError, OptionError, UnsupportedRules
from barpoint.record import format_position, match_files
from barpoint.variants.variant_file import parse_variant
from tests.support.games import AnythingAllowed
from tests.support.own_variants import SHORT_FILE, forgetting


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from forgetting(monkeypatch)


@pytest.fixture
def rules() -> bp.Rules:
    return bp.register(parse_variant(SHORT_FILE))


def fresh(rules: bp.Rules | str) -> train.Recipe:
    return train.Recipe.small(rules, hidden=16)


def test_it_is_used_by_engines_bots_and_analyses(rules: bp.Rules, tmp_path: Path) -> None:
    assert not covers(rules)
    with pytest.raises(UnsupportedRules, match=r"no net has learned short-game.*taken by --net"):
        bp.Bot(rules)
    file = train.publish(fresh(rules).fresh_net(), tmp_path / "short.net")
    bp.use_net("short", file)
    assert covers("short-game")
    engine, given = bp.Engine(rules), bp.Engine(rules, net=file)
    assert engine.evaluate(rules.start) == given.evaluate(rules.start)
    assert "another net" in repr(engine)
    assert engine.rollout(rules.start, trials=36, truncate=2) == given.rollout(rules.start, trials=36, truncate=2)
    players = bp.Bot(rules, "club", seed=1), bp.Bot(rules, "club", seed=2)
    states = bp.play_match(bp.Match.start(3, rules), *players, dice=bp.dice.seeded(1))
    match = next(state for state in states if len(state.events) == 12)
    assert bp.analyse(match, plies=0) == bp.analyse(match, engine=given)
    assert len(net_version(rules)) == 12
    assert bp.analyse(match, plies=0).net == bp.analyse(match.rules.start, engine=given).net == net_version(rules)
    other = bp.Engine(rules, net=fresh(rules).fresh_net(seed=2))
    assert bp.analyse(match, engine=other).net == "", "a net that nobody has named"
    bp.use_net(rules, other.net)
    assert bp.analyse(match, engine=given).net == "", "nor is it the one that was named before"
    bp.use_net(rules, None)
    assert not covers(rules)


def test_it_plays_exactly_the_rules_that_were_named(rules: bp.Rules) -> None:
    use_net("nackgammon", fresh("nackgammon").fresh_net())
    assert own_net(bp.variant("nackgammon")) is not None
    assert own_net(bp.variant("backgammon")) is None
    assert "another net" not in repr(bp.Engine("backgammon"))
    assert net_version(bp.variant("nackgammon")) != net_version(bp.variant("backgammon"))
    assert not covers("roll-over+short-game")


def test_answers_about_positions_are_those_of_the_net_that_is_named_now(rules: bp.Rules) -> None:
    inquiry = Inquiry(rules.name, format_position(rules.start), (3, 1))

    def said(seed: int) -> tuple[float, ...]:
        use_net(rules, fresh(rules).fresh_net(seed))
        found = answer_position(inquiry, 0)
        assert found.net == answer_rolls(inquiry, 0).net == net_version(rules)
        return found.chances

    assert said(1) != said(2)
    assert said(1) == said(1)
    nackgammon = Inquiry("nackgammon", format_position(bp.variant("nackgammon").start))
    usual = answer_position(nackgammon, 0)
    use_net("nackgammon", fresh("nackgammon").fresh_net())
    assert answer_position(nackgammon, 0) != usual
    use_net("nackgammon", None)
    assert answer_position(nackgammon, 0) == usual


def test_what_is_no_net_for_the_rules_is_refused(rules: bp.Rules, tmp_path: Path) -> None:
    with pytest.raises(NetError, match=r"none\.net"):
        use_net(rules, tmp_path / "none.net")
    with pytest.raises(NetError, match="inputs"):
        use_net("plakoto", fresh("backgammon").fresh_net())
    with pytest.raises(ArgumentError, match="net is 3"):
        use_net(rules, 3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="tavli plays portes, plakoto, fevga in turn"):
        use_net("tavli", fresh("portes").fresh_net())
    assert not covers(rules)


def test_other_processes_that_analyse_know_the_same_variants_and_nets(rules: bp.Rules, tmp_path: Path) -> None:
    match = bp.Match.start(1, rules)
    *_, match = bp.play_match(match, AnythingAllowed(1), AnythingAllowed(2), dice=bp.dice.seeded(3))
    bp.write_match(match, tmp_path / "short.json", ("Anna", "Ben"))
    use_net(rules, fresh(rules).fresh_net())
    kept = tmp_path / "kept"
    ((_, found),) = summaries(match_files([tmp_path / "short.json"]), folder=kept)
    assert (found.refused, len(found.matches)) == ((), 1)
    assert [found] == [again for _, again in summaries(match_files([tmp_path / "short.json"]), folder=kept)]
    (one,) = kept.iterdir()
    use_net(rules, train.Recipe.small(rules, hidden=16).fresh_net(seed=2))
    assert [again.refused for _, again in summaries(match_files([tmp_path / "short.json"]), folder=kept)] == [()]
    assert len(list(kept.iterdir())) == 2, "another net says something else"
    assert one in kept.iterdir()
