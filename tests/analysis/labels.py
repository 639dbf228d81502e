"""The labelled mistakes of `data/themes.tsv` as decisions, and how well the themes that are found agree with the labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption, mark_of
from barpoint.analysis.themes import themes_of
from barpoint.board import Position
from barpoint.engine import CubeInfo, CubeState, Engine, Score
from barpoint.game.event import counts_of
from barpoint.moves import Play, parse_play
from barpoint.record import parse_position
from barpoint.variants import variant

LABELS: Final = Path(__file__).parent / "data" / "themes.tsv"
UNSEEN: Final = LABELS.with_name("themes_unseen.tsv")
"""Mistakes on which no threshold was chosen."""

RULES: Final = variant("backgammon")


@dataclass(frozen=True)
class Labelled:
    """A mistake with its labels. before: seen by the side whose turn it is."""

    cube_info: CubeInfo
    before: Position
    decision: Decision
    labels: frozenset[str]

    @property
    def found(self) -> frozenset[str]:
        """The names of the themes that are found."""
        return frozenset(one.name for one in themes_of(RULES, self.cube_info, self.before, self.decision))


def labelled(file: Path = LABELS) -> list[Labelled]:
    """The labelled mistakes of a file, in its order."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [_parsed(line.split("\t")) for line in lines if not line.startswith("#")]


def _parsed(fields: list[str]) -> Labelled:
    position, roll, cube, away, _, made, best, loss, first, second, labels = fields
    before = parse_position(position)
    info = _cube_info(cube, away)
    if roll == "cube":
        decision = _cube(before, made, best, float(loss), first, second)
    else:
        faces = (int(roll[0]), int(roll[1]))
        plays = [parse_play(RULES, before, faces, "" if text == "-" else text) for text in (best, made)]
        decision = _decision("play", float(loss), 1, tuple(map(_option, plays, (second, first))))
    return Labelled(info, before, decision, frozenset(labels.split()))


def _cube_info(cube: str, away: str) -> CubeInfo:
    value = int(cube.rstrip("ushtem"))
    owner = cube.lstrip("0123456789") or None
    us, _, them = away.rstrip("C").partition("a")
    score = None if away == "-" else Score(int(us), int(them), away.endswith("C"))
    return CubeInfo(CubeState(value, owner) if value else None, score)  # type: ignore[arg-type]


def _option(play: Play, permille: str) -> DecisionOption:
    chances = tuple(int(each) / 1000 for each in permille.split("/"))
    return DecisionOption(str(play), 0.0, 0.0, 0.0, chances, play.moves, counts_of(play.result))


def _cube(before: Position, kind: str, action: str, loss: float, equities: str, chances: str) -> Decision:
    no_double, take_value, pass_value = map(float, equities.split("/"))
    win, take, double, cash, too_good = map(float, chances.split("/"))
    gammon = Engine(RULES).evaluate(before).win_gammon
    cube = CubeEquities(no_double, take_value, pass_value, action, win, take, double, cash, too_good, gammon)
    better = {"no double": "Double", "double": "No double", "take": "Pass", "pass": "Take"}[kind]
    options = DecisionOption(better, 0.0, 0.0, 0.0), DecisionOption(kind.capitalize(), -loss, loss, 0.0)
    return _decision(kind, loss, 1, options, cube)


def _decision(
    kind: str, loss: float, chosen: int, options: tuple[DecisionOption, ...], cube: CubeEquities | None = None
) -> Decision:
    return Decision(1, 1, 0, kind, "contact", chosen, options, loss, 0.0, True, mark_of(loss), (), cube)


@dataclass(frozen=True)
class Agreement:
    """How often a theme was labelled and found, found only, labelled only."""

    both: int
    found_only: int
    labelled_only: int

    @property
    def precision(self) -> float:
        """The share of what was found that is labelled."""
        return self.both / max(1, self.both + self.found_only)

    @property
    def recall(self) -> float:
        """The share of what is labelled that was found."""
        return self.both / max(1, self.both + self.labelled_only)


def agreement(mistakes: list[Labelled]) -> dict[str, Agreement]:
    """By theme."""
    names = sorted({name for one in mistakes for name in one.labels | one.found})
    pairs = [(one.labels, one.found) for one in mistakes]
    return {
        name: Agreement(
            sum(name in labels and name in found for labels, found in pairs),
            sum(name in found and name not in labels for labels, found in pairs),
            sum(name in labels and name not in found for labels, found in pairs),
        )
        for name in names
    }


def total(found: dict[str, Agreement]) -> Agreement:
    """All themes together."""
    every = found.values()
    return Agreement(
        sum(one.both for one in every), sum(one.found_only for one in every), sum(one.labelled_only for one in every)
    )


if __name__ == "__main__":
    for file in (LABELS, UNSEEN):
        measured = agreement(labelled(file))
        for name, one in {**measured, "all of " + file.stem: total(measured)}.items():
            print(f"{name:22}{one.both + one.labelled_only:4}{one.precision:7.2f}{one.recall:7.2f}")
