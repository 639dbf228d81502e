"""Statistics of a player over many analysed matches: rating over time, where it is lost, against whom, and luck."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from barpoint.analysis.findings import GROUPS
from barpoint.analysis.summary import AnalysedMatch, AnalysedPlayer, Losses, LossesPart, Mistake, added

RECENT: Final = 20
"""Matches that the moving rating looks back over."""

WEAKNESSES: Final = 6
"""How many parts are named as those that cost most."""

CUBE_ERRORS: Final = {
    "missed-double": ("no double",),
    "premature-double": ("double",),
    "too-good": ("double",),
    "wrong-take": ("take",),
    "wrong-pass": ("pass",),
    "missed-beaver": ("take",),
    "wrong-beaver": ("beaver", "raccoon"),
    "wrong-raise": ("take", "pass", "beaver", "raccoon"),
}
"""Errors with the cube (`themes.NAMES`), and the kinds of decisions in which they are made."""

RARE_CUBE_ERRORS: Final = ("missed-beaver", "wrong-beaver", "wrong-raise")
"""Those that are listed only where they were made."""


class StatisticsLine(Struct, frozen=True):
    """Some matches or decisions of a player. rating: PR; margin: half its 95 % interval. share: of all that was lost, 0 to 1."""

    name: str
    matches: int
    decisions: int
    rating: float
    margin: float
    loss: float
    cost: float
    doubtful: int
    errors: int
    blunders: int
    share: float


class MatchPoint(Struct, frozen=True):
    """A match with decisions in the course of time. rating: of the match; moving: over it and those before it, RECENT in all."""

    played_on: str
    opponent: str
    length: int
    won: bool | None
    rating: float
    moving: float
    margin: float
    luck: float
    address: str


class Weakness(Struct, frozen=True):
    """A kind of decision at a stage of games. share: of all that was lost. others: the rating of the opponents there."""

    kind: str
    stage: str
    decisions: int
    rating: float
    others: float
    loss: float
    share: float


class ThemeLine(Struct, frozen=True):
    """Mistakes about the same thing (`themes.NAMES`). share: of all that was lost."""

    name: str
    mistakes: int
    loss: float
    share: float


class CubeErrorLine(Struct, frozen=True):
    """Errors of one sort with the cube (CUBE_ERRORS). decisions: those in which it can be made. loss, cost: summed. share: of all that was lost."""

    name: str
    decisions: int
    mistakes: int
    loss: float
    cost: float
    share: float


class ComparedLine(Struct, frozen=True):
    """A line of a period beside the same of another one.

    difference: of the ratings, negative where the first is better. margin: half its 95 % interval. beyond_chance: it is larger than that;
    None where there are too few decisions to tell.
    """

    name: str
    line: StatisticsLine
    other: StatisticsLine
    difference: float
    margin: float
    beyond_chance: bool | None


class PeriodComparison(Struct, frozen=True):
    """Another period, to compare with. matches, won, lost, cube_errors: of it. by: lines by "group", "kind", "stage" and "score"."""

    matches: int
    won: int
    lost: int
    total: ComparedLine
    by: dict[str, tuple[ComparedLine, ...]]
    cube_errors: tuple[CubeErrorLine, ...]


class Statistics(Struct, frozen=True):
    """Statistics of one player. names: those they played under. total: all decisions; opponents: those of the other sides.

    by: lines by "group" (plays, cube ...), "kind", "stage", "score", "opponent", "length", "variant" and "month".
    weaknesses: where most was lost. themes: of the mistakes, the costliest first. plies: the least depth at which a match was analysed.
    compared: with another period, if somebody asks for it.
    """

    names: tuple[str, ...]
    matches: int
    won: int
    lost: int
    plies: int
    total: StatisticsLine
    opponents: StatisticsLine
    luck: float
    luck_value: float
    by: dict[str, tuple[StatisticsLine, ...]]
    course: tuple[MatchPoint, ...]
    weaknesses: tuple[Weakness, ...]
    themes: tuple[ThemeLine, ...]
    cube_errors: tuple[CubeErrorLine, ...] = ()
    compared: PeriodComparison | None = None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match and which of its players is meant. address: where it can be looked at, "" for nowhere."""

    match: AnalysedMatch
    player: int
    address: str = ""

    @property
    def own(self) -> AnalysedPlayer:
        """The sums of that player."""
        return self.match.players[self.player]

    @property
    def other(self) -> AnalysedPlayer:
        """The sums of the opponent."""
        return self.match.players[1 - self.player]

    @property
    def opponent(self) -> str:
        """The opponent's name."""
        return self.match.names[1 - self.player]

    @property
    def mistakes(self) -> list[Mistake]:
        """The player's marked decisions, the largest loss first."""
        return [one for one in self.match.mistakes if one.player == self.player]


def played_by(matches: Iterable[AnalysedMatch], names: Iterable[str]) -> list[PlayedMatch]:
    """The matches of whoever plays under one of the names, upper or lower case; where both sides do, the first one counts."""
    wanted = {name.casefold() for name in names}
    found = []
    for match in matches:
        sides = [player for player in (0, 1) if match.names[player].casefold() in wanted]
        found += [PlayedMatch(match, sides[0])] if sides else []
    return found


def worst_mistakes(played: Iterable[PlayedMatch]) -> list[tuple[PlayedMatch, Mistake]]:
    """Every marked decision of the player with its match, the largest loss first."""
    found = [(one, mistake) for one in played for mistake in one.mistakes]
    return sorted(found, key=lambda pair: -pair[1].loss)


def most_frequent_name(matches: Iterable[AnalysedMatch]) -> str:
    """The name under which most matches were played; "" if there is none."""
    names = Counter(name for match in matches for name in match.names if name)
    return names.most_common(1)[0][0] if names else ""


def statistics_of(played: Sequence[PlayedMatch]) -> Statistics:
    """The statistics of the matches, in the order of their days; those without a day stay in place at the beginning."""
    ordered = sorted(played, key=lambda one: one.match.played_on)
    total = added(one.own.losses for one in ordered)
    results = [one.match.won(one.player) for one in ordered]
    return Statistics(
        names=tuple(dict.fromkeys(one.match.names[one.player] for one in ordered)),
        matches=len(ordered),
        won=results.count(True),
        lost=results.count(False),
        plies=min((one.match.plies for one in ordered), default=0),
        total=_line("", len(ordered), total, total),
        opponents=_line("", len(ordered), added(one.other.losses for one in ordered), total),
        luck=sum(one.own.luck for one in ordered),
        luck_value=sum(one.own.luck_value for one in ordered),
        by={
            "group": _by_part(ordered, total, lambda part: _group(part.kind)),
            "kind": _by_part(ordered, total, lambda part: part.kind),
            "stage": _by_part(ordered, total, lambda part: part.stage),
            "score": _by_part(ordered, total, lambda part: part.score),
            "opponent": _by_match(ordered, total, lambda one: one.opponent),
            "length": _by_match(ordered, total, lambda one: str(one.match.length)),
            "variant": _by_match(ordered, total, lambda one: one.match.rules),
            "month": tuple(sorted(_by_match(ordered, total, _month), key=lambda line: line.name)),
        },
        course=_course(ordered),
        weaknesses=_weaknesses(ordered, total),
        themes=_themes(ordered, total),
        cube_errors=_cube_errors(ordered, total),
    )


def _month(one: PlayedMatch) -> str:
    return one.match.played_on[:7]


def _group(kind: str) -> str:
    return next(group for group, kinds in GROUPS.items() if kind in kinds)


def _line(name: str, matches: int, losses: Losses, total: Losses) -> StatisticsLine:
    return StatisticsLine(
        name=name,
        matches=matches,
        decisions=losses.decisions,
        rating=losses.rating,
        margin=losses.margin,
        loss=losses.loss,
        cost=losses.cost,
        doubtful=losses.doubtful,
        errors=losses.errors,
        blunders=losses.blunders,
        share=losses.loss / total.loss if total.loss else 0.0,
    )


def _by_part(played: list[PlayedMatch], total: Losses, key: Callable[[LossesPart], str]) -> tuple[StatisticsLine, ...]:
    """Lines by a feature of decisions, the one that cost most first."""
    found: dict[str, list[Losses]] = defaultdict(list)
    matches: dict[str, set[int]] = defaultdict(set)
    for number, one in enumerate(played):
        for part in one.own.parts:
            found[key(part)].append(part.losses)
            matches[key(part)].add(number)
    lines = [_line(name, len(matches[name]), added(losses), total) for name, losses in found.items()]
    return tuple(sorted(lines, key=lambda line: (-line.loss, line.name)))


def _by_match(
    played: list[PlayedMatch], total: Losses, key: Callable[[PlayedMatch], str]
) -> tuple[StatisticsLine, ...]:
    """Lines by a feature of matches, the most frequent first."""
    found: dict[str, list[Losses]] = defaultdict(list)
    for one in played:
        found[key(one)].append(one.own.losses)
    lines = [_line(name, len(losses), added(losses), total) for name, losses in found.items()]
    return tuple(sorted(lines, key=lambda line: (-line.matches, line.name)))


def _course(played: list[PlayedMatch]) -> tuple[MatchPoint, ...]:
    """The matches in which the player had something to decide; others have no rating."""
    played = [one for one in played if one.own.losses.decisions]
    losses = [one.own.losses for one in played]
    points = []
    for number, one in enumerate(played):
        moving = added(losses[max(0, number + 1 - RECENT) : number + 1])
        points.append(
            MatchPoint(
                played_on=one.match.played_on,
                opponent=one.opponent,
                length=one.match.length,
                won=one.match.won(one.player),
                rating=losses[number].rating,
                moving=moving.rating,
                margin=moving.margin,
                luck=one.own.luck,
                address=one.address,
            )
        )
    return tuple(points)


def _weaknesses(played: list[PlayedMatch], total: Losses) -> tuple[Weakness, ...]:
    """The parts that cost most, the costliest first."""
    own, others = _parts(one.own for one in played), _parts(one.other for one in played)
    found = [
        Weakness(
            kind=kind,
            stage=stage,
            decisions=losses.decisions,
            rating=losses.rating,
            others=others.get((kind, stage), Losses()).rating,
            loss=losses.loss,
            share=losses.loss / total.loss,
        )
        for (kind, stage), losses in own.items()
        if losses.loss
    ]
    return tuple(sorted(found, key=lambda part: -part.loss)[:WEAKNESSES])


def _parts(players: Iterable[AnalysedPlayer]) -> dict[tuple[str, str], Losses]:
    found: dict[tuple[str, str], list[Losses]] = defaultdict(list)
    for player in players:
        for part in player.parts:
            found[part.kind, part.stage].append(part.losses)
    return {key: added(losses) for key, losses in found.items()}


def _themes(played: list[PlayedMatch], total: Losses) -> tuple[ThemeLine, ...]:
    found: dict[str, list[float]] = defaultdict(list)
    for one in played:
        for mistake in one.mistakes:
            if mistake.theme:
                found[mistake.theme].append(mistake.loss)
    lines = [ThemeLine(name, len(each), sum(each), sum(each) / total.loss) for name, each in found.items()]
    return tuple(sorted(lines, key=lambda line: (-line.loss, line.name)))


def _cube_errors(played: list[PlayedMatch], total: Losses) -> tuple[CubeErrorLine, ...]:
    """Every sort of error with the cube in its usual order; nothing where no cube was turned or held back."""
    decisions: Counter[str] = Counter()
    found: dict[str, list[Mistake]] = defaultdict(list)
    for one in played:
        for part in one.own.parts:
            decisions[part.kind] += part.losses.decisions
        for mistake in one.mistakes:
            if mistake.theme in CUBE_ERRORS:
                found[mistake.theme].append(mistake)
    if not any(decisions[kind] for kind in GROUPS["cube"]):
        return ()
    return tuple(
        CubeErrorLine(
            name=name,
            decisions=sum(decisions[kind] for kind in kinds),
            mistakes=len(found[name]),
            loss=sum(one.loss for one in found[name]),
            cost=sum(one.cost for one in found[name]),
            share=sum(one.loss for one in found[name]) / total.loss if total.loss else 0.0,
        )
        for name, kinds in CUBE_ERRORS.items()
        if found[name] or name not in RARE_CUBE_ERRORS
    )
