"""The themes of a mistake: what the better play does that the one made does not, each with its figures.

A theme is found by comparing the two plays on the board and in their outcomes, never by a guess; docs/analysis.md lists
them, with how often they agree with a strong player's labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from barpoint.analysis.board_change import (
    ANCHOR_WORTH,
    DEEP,
    FIRST_ANCHOR,
    HOME,
    POINT_WORTH,
    BoardChange,
)
from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption, MistakeTheme
from barpoint.board import BAR, Position
from barpoint.engine.cube_info import CubeInfo
from barpoint.game.event import position_of
from barpoint.moves import in_contact
from barpoint.rules import Capture, Rules, Winner

_Found = tuple[str, dict[str, float | str]]
"""The name of a theme and its figures."""

NAMES: Final = (
    "missed-hit", "needless-hit", "tempo", "missed-anchor", "broken-anchor", "missed-point", "broken-point", "timing",
    "contact-lost", "escape", "wrong-slot", "missed-slot", "blot-left", "too-safe", "clearance", "buried", "builders",
    "race", "bear-in", "gammon-wins", "gammon-losses", "backgammon-wins", "backgammon-losses", "plain",
    "missed-double", "market-loser", "free-double", "premature-double", "too-good", "wrong-take", "wrong-pass", "gammon-danger",
    "missed-beaver", "wrong-beaver", "wrong-raise",
    "reroll-spent", "reroll-kept", "resigned-early", "resignation-taken", "resignation-refused",
)  # fmt: skip
"""All themes, in the order in which those of one mistake are named."""

MORE_SHOTS: Final = 4
"""Rolls that hit; fewer make no difference that somebody would name."""

MUCH_MORE_SHOTS: Final = 10
SAFE: Final = 24
"""A play is safe in comparison when it is hit by so many rolls less, and by no more than this of 36."""

OUTCOMES: Final = frozenset({"gammon-wins", "gammon-losses", "backgammon-wins", "backgammon-losses"})
"""Themes that are found in the outcomes, not on the board."""

GAMMONS: Final = 0.02
LOST_GAMMONS: Final = 0.035
GAMMON_PART: Final = 0.6
"""Gammons won, and lost, are named when they differ by this, and by this part of the difference in games won; backgammons
likewise, and by this part of the difference in gammons too."""

GAMES: Final = 0.015
"""Games that contact wins at least, where losing it is named."""

BEHIND_PIPS: Final = 20
"""Who waits for a shot is behind by this at least."""

MORE_ROLLS: Final = 4
"""Rolls that make a point; fewer make no difference."""

CLOSING: Final = 0.7
"""The share of the market window from which the market is about to be lost."""

DANGEROUS_GAMMONS: Final = 0.22
"""Gammons of the doubler from which a take is dangerous."""


def themes_of(rules: Rules, cube_info: CubeInfo, before: Position, decision: Decision) -> tuple[MistakeTheme, ...]:
    """The themes of a mistake. cube_info: of the player who decides. before: seen by the side whose turn it is."""
    if decision.kind == "play":
        found = _play(rules, cube_info, before, decision)
    elif decision.cube is not None and decision.kind in ("double", "no double"):
        found = _double(decision, decision.cube, cube_info)
    elif decision.kind in ("take", "pass", "beaver", "raccoon"):
        found = _answer(decision, cube_info)
    else:
        found = _other(decision)
    return tuple(MistakeTheme(name, figures) for name, figures in sorted(found, key=lambda one: NAMES.index(one[0])))


# -- plays


def _play(rules: Rules, cube_info: CubeInfo, before: Position, decision: Decision) -> Iterable[_Found]:
    best, made = decision.best, decision.made
    if best.position is None or made.position is None:
        return ()
    right = BoardChange(rules, before, position_of(best.position), best.moves)
    wrong = BoardChange(rules, before, position_of(made.position), made.moves)
    found = dict(_outcomes(cube_info, best, made))
    first_off = rules.ending.winner is Winner.FIRST_OFF
    race = first_off and not in_contact(rules, before)
    usual = (
        first_off and not race and rules.movement.capture is Capture.HIT
    )  # else no word of blots, anchors and points
    for part in (_race,) if race else (_hits, _points, _back, _safety, _late) if usual else ():
        found.update(part(right, wrong))
    if found.keys() & {"missed-anchor", "missed-hit", "needless-hit"}:
        found.pop("escape", None)  # what the checkers behind do serves the other purpose
    if "needless-hit" in found:
        found["needless-hit"].update(best_equity=best.equity, made_equity=made.equity)
        found.pop("too-safe", None)
    if "contact-lost" in found:
        found["contact-lost"] = {"best_share": best.chances[0], "made_share": made.chances[0]}
        if best.chances[0] - made.chances[0] < GAMES:
            found.pop("contact-lost")
    if usual and not found.keys() - OUTCOMES:
        found.update(_builders(right, wrong))
    if not found:
        found["plain"] = {"best_equity": best.equity, "made_equity": made.equity}
    return found.items()


def _outcomes(cube_info: CubeInfo, best: DecisionOption, made: DecisionOption) -> Iterator[_Found]:
    if len(best.chances) != 5:
        return
    gammons, backgammons = cube_info.gammons_count, cube_info.backgammons_count
    gains = [(b - m) * (1 if at < 3 else -1) for at, (b, m) in enumerate(zip(best.chances, made.chances, strict=True))]
    for name, at, smaller, least, counts in (
        ("gammon-wins", 1, (0,), GAMMONS, gammons[0]),
        ("gammon-losses", 3, (0,), LOST_GAMMONS, gammons[1]),
        ("backgammon-wins", 2, (0, 1), GAMMONS, backgammons[0]),
        ("backgammon-losses", 4, (0, 3), LOST_GAMMONS, backgammons[1]),
    ):
        if counts and gains[at] >= max(least, *(GAMMON_PART * gains[one] for one in smaller)):
            yield name, {"best_share": best.chances[at], "made_share": made.chances[at]}


def _hits(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    extra = [point for point in right.hits if point not in wrong.hits]
    if len(right.hits) > len(wrong.hits):
        yield "missed-hit", {"points": _listed(extra), "pips": sum(extra)}
    elif len(wrong.hits) > len(right.hits):
        hit = [point for point in wrong.hits if point not in right.hits]
        yield "needless-hit", {"points": _listed(hit)}
    if any(point <= HOME for point in right.hits) and not any(point <= HOME for point in wrong.hits):
        home = [point for point in right.hits if point <= HOME]
        yield "tempo", {"points": _listed(home), "dances": right.dances, "rolls": right.shots[1]}


def _listed(points: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(points, reverse=True)))


def _shots(right: BoardChange, wrong: BoardChange) -> dict[str, float | str]:
    return {"best_shots": right.shots[0], "made_shots": wrong.shots[0], "rolls": right.shots[1]}


def _worth(points: Iterable[int], worths: dict[int, float]) -> float:
    return max((worths.get(point, 0.0) for point in points), default=0.0)


def _points(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    gained = right.made_points - wrong.made_points
    best, made = _worth(gained, POINT_WORTH), _worth(wrong.made_points - right.made_points, POINT_WORTH)
    closed = bool(gained) and _home(right) == HOME > _home(wrong)
    if closed or (best > made and best >= 1 and wrong.contact):
        point = max(gained, key=lambda one: POINT_WORTH.get(one, 0.0))
        yield "missed-point", {"point": point}
    given, kept = wrong.broken_points - right.broken_points, right.broken_points - wrong.broken_points
    loss = _worth(given, POINT_WORTH)
    if (
        loss > _worth(kept, POINT_WORTH)
        and loss >= made
        and best < loss
        and loss >= 1
        and right.before.us.rearmost > HOME
    ):
        point = max(given, key=lambda one: POINT_WORTH.get(one, 0.0))
        yield "broken-point", {"point": point}
        if point <= HOME and _waits(right):
            behind = right.before.us.pips - right.before.them.pips
            yield "timing", {"point": point, "behind": behind}


def _counts(right: BoardChange, wrong: BoardChange, first: int, last: int) -> dict[str, float | str]:
    """How many points are held between these two after each play."""
    counts = [sum(count > 1 for count in one.after.us.points[first : last + 1]) for one in (right, wrong)]
    return {"best_count": counts[0], "made_count": counts[1]}


def _home(change: BoardChange) -> int:
    return sum(count > 1 for count in change.after.us.points[1 : HOME + 1])


def _waits(change: BoardChange) -> bool:
    """Whether the mover is behind in the race and has checkers back, which wait for a shot."""
    back = any(change.after.us.points[FIRST_ANCHOR:])
    return back and change.before.us.pips - change.before.them.pips >= BEHIND_PIPS


def _back(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    gained = {point for point in right.made_points if point >= FIRST_ANCHOR} - wrong.made_points
    other = {point for point in wrong.made_points if point >= FIRST_ANCHOR} - right.made_points
    anchor = _worth(gained, ANCHOR_WORTH)
    if anchor > _worth(other, ANCHOR_WORTH):
        yield (
            "missed-anchor",
            {
                "point": max(gained, key=lambda one: ANCHOR_WORTH.get(one, 0.0)),
                **_counts(right, wrong, FIRST_ANCHOR, 24),
            },
        )
    given = {point for point in wrong.broken_points - right.broken_points if point >= FIRST_ANCHOR}
    if _worth(given, ANCHOR_WORTH) > _worth(other, ANCHOR_WORTH):
        yield "broken-anchor", {"point": max(given), **_shots(right, wrong)}
    if right.contact and not wrong.contact:
        yield "contact-lost", {}
    if right.back_pips > wrong.back_pips and not right.back_hits and not given:
        yield "escape", {"best_pips": right.back_pips, "made_pips": wrong.back_pips}


def _safety(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    best, made = right.shots[0], wrong.shots[0]
    if made - best >= MORE_SHOTS:
        slot = _slot(wrong) - _slot(right)
        if slot and not wrong.hits:
            yield "wrong-slot", {"point": max(slot, key=lambda one: POINT_WORTH[one]), **_shots(right, wrong)}
        yield "blot-left", _shots(right, wrong)
    elif (
        best - made >= MUCH_MORE_SHOTS and made <= SAFE * right.shots[1] / 36 and wrong.contact and not _bears_in(right)
    ):
        slot = _slot(right) - _slot(wrong)
        if slot and not right.hits:
            yield "missed-slot", {"point": max(slot, key=lambda one: POINT_WORTH[one]), **_shots(right, wrong)}
        yield "too-safe", _shots(right, wrong)


def _slot(change: BoardChange) -> set[int]:
    """Points of worth on which it puts a single checker, with others behind to cover it."""
    was, after = change.before.us.points, change.after.us.points
    return {point for point, worth in POINT_WORTH.items() if worth >= 3 and after[point] == 1 and not was[point]}


def _bears_in(change: BoardChange) -> bool:
    """Whether the other side has brought all checkers home, so that being hit costs little but time."""
    them = change.before.them
    return not them.points[BAR] and them.rearmost <= HOME


def _late(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    rear = right.before.us.rearmost
    cleared = rear < FIRST_ANCHOR and right.before.us.points[rear] > 1
    if cleared and not right.after.us.points[rear] and wrong.after.us.points[rear]:
        yield "clearance", {"point": rear, "left": wrong.after.us.points[rear]}
    in_play = wrong.before.us.rearmost > HOME and not any(point <= DEEP for point in wrong.hits)
    if wrong.deep > right.deep and in_play:
        yield "buried", {"best_count": right.deep, "made_count": wrong.deep}
    if right.off > wrong.off:
        yield "race", _home_and_off(right, wrong)


def _race(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    best, made = _pips_to_home(right), _pips_to_home(wrong)
    if (right.off, -_outside(right)) > (wrong.off, -_outside(wrong)):
        yield "race", _home_and_off(right, wrong)
    elif right.off == wrong.off and best < made:
        yield "bear-in", {"best_pips": best, "made_pips": made}


def _home_and_off(right: BoardChange, wrong: BoardChange) -> dict[str, float | str]:
    return {"best_off": right.off, "made_off": wrong.off, "best_out": _outside(right), "made_out": _outside(wrong)}


def _outside(change: BoardChange) -> int:
    return sum(change.after.us.points[HOME + 1 :])


def _pips_to_home(change: BoardChange) -> int:
    """Pips until all checkers are home."""
    return sum(pips * count for pips, count in enumerate(change.after.us.points[HOME + 1 :], start=1))


def _builders(right: BoardChange, wrong: BoardChange) -> Iterator[_Found]:
    if right.point_rolls - wrong.point_rolls >= MORE_ROLLS:
        yield "builders", {"best_rolls": right.point_rolls, "made_rolls": wrong.point_rolls, "rolls": right.shots[1]}


# -- the cube


def _double(decision: Decision, cube: CubeEquities, cube_info: CubeInfo) -> Iterator[_Found]:
    window: dict[str, float | str] = {"win_share": cube.win, "double_share": cube.double, "cash_share": cube.cash}
    if decision.kind == "double":
        if cube.action == "too good":
            yield "too-good", {"on_equity": cube.no_double, "pass_equity": cube.double_pass}
        else:
            yield "premature-double", window
        return
    score = cube_info.score
    if score is not None and score.them == 1 and not score.crawford:
        yield "missed-double", window
        yield "free-double", {"away": score.us}
        return
    yield "missed-double", window
    width = cube.cash - cube.double
    if cube.action == "double/pass" or (width > 0 and (cube.win - cube.double) / width >= CLOSING):
        yield "market-loser", {"win_share": cube.win, "cash_share": cube.cash}


def _answer(decision: Decision, cube_info: CubeInfo) -> Iterator[_Found]:
    made, best, cube = decision.made, decision.best, decision.cube
    equities: dict[str, float | str] = {"best_equity": best.equity, "made_equity": made.equity}
    if cube is None:
        yield "wrong-raise", equities
    elif decision.kind == "pass":
        yield "wrong-pass", _needed(cube)
    elif best.text == "Pass":
        yield "wrong-take", _needed(cube)
        if cube.gammon is not None and cube.gammon >= DANGEROUS_GAMMONS and _gammon_pays(cube_info):
            yield "gammon-danger", {"gammon_share": cube.gammon}
    else:
        yield ("missed-beaver" if decision.kind == "take" else "wrong-beaver"), equities


def _gammon_pays(cube_info: CubeInfo) -> bool:
    """Whether a gammon of the doubler pays more than a single game once the double is taken. cube_info: of the side that answers."""
    return cube_info.score is None or cube_info.score.them > 2 * cube_info.cube_value


def _needed(cube: CubeEquities) -> dict[str, float | str]:
    """What the side that answers wins, and what it needs."""
    return {"win_share": round(1 - cube.win, 5), "take_share": round(1 - cube.cash, 5)}


def _other(decision: Decision) -> Iterator[_Found]:
    names = {"call": "reroll-spent", "keep": "reroll-kept", "resign": "resigned-early",
             "accept": "resignation-taken", "reject": "resignation-refused"}  # fmt: skip
    yield names[decision.kind], {"best_equity": decision.best.equity, "made_equity": decision.made.equity}
