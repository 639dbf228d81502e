"""Two judges of decisions of games: bgsage's answers that are kept, and what is printed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from barpoint.board import Position
from barpoint.moves import parse_play
from barpoint.variants import variant
from benchmarks import judges
from benchmarks.judged import sage
from benchmarks.judged.store import Judged, append, read
from benchmarks.peer.player import CubeWorth

RULES = variant("backgammon")
START = RULES.start
PLAY = Judged("game", START, (3, 1), {"8/5 6/5": (0.0, 0.001), "24/23 13/10": (0.16, 0.004)})
OTHER = Judged("game", START, (6, 1), {"13/7 8/7": (0.0, 0.0), "24/18 6/5": (0.2, 0.0)})
CUBE = Judged("game", START, (), {"no double": (0.1, 0.002), "double/take": (0.4, 0.004)})
DECISIONS = (PLAY, OTHER, CUBE)


def written(path: Path, decisions: Sequence[Judged]) -> Path:
    """A file of decisions."""
    list(append(decisions, path))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of their own: decisions, and what bgsage has answered."""
    ours = written(tmp_path / "decisions.tsv", [*DECISIONS, Judged("blitz", START, (2, 1), {"13/11 6/5": (0.0, 0.0)})])
    for module in (sage, judges):
        monkeypatch.setattr(module, "read", lambda path=ours: read(path))
    monkeypatch.setattr(sage, "FILE", ours)
    return tmp_path


def test_what_bgsage_has_answered_is_not_asked_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Judged] = []

    def rolled_out(level: int, decision: Judged) -> Judged:
        asked.append(decision)
        return decision

    monkeypatch.setattr(sage, "rolled_out", rolled_out)
    assert list(sage.ask(3, 2)) == [PLAY, OTHER]
    assert list(sage.ask(3, 100)) == [CUBE], "of games alone"
    assert read(folder / "bgsage_3t.tsv") == list(DECISIONS) == asked


def test_an_answer_is_what_loses_least_and_a_cube_its_equities(folder: Path) -> None:
    written(sage.file_of(2), [PLAY, CUBE])
    player = judges.Answered(2)
    assert player.name == "bgsage 2T"
    assert player.play(START, (3, 1)) == parse_play(RULES, START, (3, 1), "8/5 6/5").result
    assert player.cube(START) == (0.1, 0.4, 1.0)


class Wrong:
    """Plays the second best, always doubles."""

    name, plies, seconds, decisions = "wrong", 0, 0.0, 0

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        second = {(3, 1): "24/23 13/10", (6, 1): "24/18 6/5"}[tuple(faces)]  # type: ignore[index]
        return parse_play(RULES, position, faces, second).result

    def cube(self, position: Position) -> CubeWorth:
        """See Player."""
        return 0.0, 0.5, 1.0


def test_players_are_compared_on_what_they_have_answered(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written(sage.file_of(2), [PLAY, CUBE])
    written(sage.file_of(3), [PLAY, CUBE])
    monkeypatch.setattr(judges, "players", lambda: [Wrong(), judges.Answered(2)])
    judges.main()
    out = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert out == [
        "by our rollouts: 3 decisions, its own error 3.3 millipoints on average",
        "wrong 3 decisions, PR 45.000 +- 26.300, more than two plies +0.000 +- 0.000",
        "bgsage 2T 2 decisions, PR 0.000 +- 0.000, more than two plies -26.667 +- 26.667",
        "by our rollouts, those that 3T has judged: 2 decisions, its own error 3.3 millipoints on average",
        "wrong 2 decisions, PR 26.667 +- 26.667, more than two plies +0.000 +- 0.000",
        "bgsage 2T 2 decisions, PR 0.000 +- 0.000, more than two plies -26.667 +- 26.667",
        "by bgsage's 3T: 2 decisions, its own error 3.3 millipoints on average",
        "wrong 2 decisions, PR 26.667 +- 26.667, more than two plies +0.000 +- 0.000",
        "bgsage 2T 2 decisions, PR 0.000 +- 0.000, more than two plies -26.667 +- 26.667",
    ], "two plies is the first player"
