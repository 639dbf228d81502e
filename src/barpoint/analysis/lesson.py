"""Lessons: a sentence that says in numbers what the best option gains."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption
from barpoint.analysis.shots import shots
from barpoint.analysis.themes import themes_of
from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo
from barpoint.game.event import position_of
from barpoint.rules import Rules

MIN_DIFFERENCE: Final = 0.003
"""Smaller differences of chances are left out."""


def taught(rules: Rules, cube_info: CubeInfo, before: Position, decision: Decision) -> Decision:
    """The same decision with its lesson and themes. cube_info: of the player whose decision it is. before: seen by the
    side whose turn it is.
    """
    themes = themes_of(rules, cube_info, before, decision)
    return structs.replace(decision, lesson=_lesson(rules, cube_info, decision), themes=themes)


def _lesson(rules: Rules, cube_info: CubeInfo, decision: Decision) -> str:
    if decision.kind == "play":
        return _play(rules, cube_info, decision)
    if decision.cube is not None and decision.kind in ("double", "no double"):
        return _double(decision.cube)
    return _plain(decision) if decision.cube is None else _answer(decision, decision.cube)


def percent(chance: float) -> str:
    """ "71.3 %"."""
    return f"{100 * chance:.1f} %"


def _play(rules: Rules, cube_info: CubeInfo, decision: Decision) -> str:
    best, made = decision.best, decision.made
    said = _chances(best, made, cube_info.gammons_count) if len(best.chances) == 5 else _points(best, made)
    shot = _shots(rules, best, made)
    if not said and not shot:
        said = [f"has equity {best.equity:+.3f} instead of {made.equity:+.3f}"]
    text = f"{best.text} instead of {made.text or '(no play)'} {_joined(said)}" if said else f"{best.text}"
    if shot:
        text += f"{'; it ' if said else ' '}{shot}"
    return text + "."


def _chances(best: DecisionOption, made: DecisionOption, gammons_count: tuple[bool, bool]) -> list[str]:
    win, gammon, _, lose_gammon, _ = (b - m for b, m in zip(best.chances, made.chances, strict=True))
    said = []
    if abs(win) >= MIN_DIFFERENCE:
        said.append(f"wins {percent(abs(win))} {'more' if win > 0 else 'fewer'} games")
    if gammons_count[0] and abs(gammon) >= MIN_DIFFERENCE:
        said.append(f"wins {percent(abs(gammon))} {'more' if gammon > 0 else 'fewer'} gammons")
    if gammons_count[1] and abs(lose_gammon) >= MIN_DIFFERENCE:
        said.append(f"loses {percent(abs(lose_gammon))} {'more' if lose_gammon > 0 else 'fewer'} gammons")
    return said


def _points(best: DecisionOption, made: DecisionOption) -> list[str]:
    win, won, lost = (b - m for b, m in zip(best.chances, made.chances, strict=True))
    said = []
    if abs(win) >= MIN_DIFFERENCE:
        said.append(f"wins {percent(abs(win))} {'more' if win > 0 else 'fewer'} games")
    if abs(won) >= 10 * MIN_DIFFERENCE:
        said.append(f"wins {abs(won):.2f} points a game {'more' if won > 0 else 'less'}")
    if abs(lost) >= 10 * MIN_DIFFERENCE:
        said.append(f"loses {abs(lost):.2f} points a game {'more' if lost > 0 else 'less'}")
    return said


def _joined(said: list[str]) -> str:
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _shots(rules: Rules, best: DecisionOption, made: DecisionOption) -> str:
    """ "can be hit by 11 rolls of 36 instead of 17", "" where both are hit as often."""
    if best.position is None or made.position is None:
        return ""
    first, of = shots(rules, _next(best))
    second, _ = shots(rules, _next(made))
    rolls = "roll" if first == 1 else "rolls"
    return "" if first == second else f"can be hit by {first} {rolls} of {of} instead of {second}"


def _next(option: DecisionOption) -> Position:
    assert option.position is not None
    return position_of(option.position).flip()


def _double(cube: CubeEquities) -> str:
    offered = min(cube.double_take, cube.double_pass)
    gain = f"equity {offered:+.3f} with a double, {cube.no_double:+.3f} without"
    match cube.action:
        case "double/pass":
            return f"Double, and the other side should pass: the doubler wins {percent(cube.win)} of games, and a pass is right from {percent(cube.cash)}; {gain}."
        case "double/take" | "double/beaver":
            return f"Double: the doubler wins {percent(cube.win)} of games, and a double is right from {percent(cube.double)}; {gain}."
        case "too good":
            return (
                f"Too good to double: equity {cube.no_double:+.3f} by playing on, {cube.double_pass:+.3f} after a pass."
            )
        case _:
            return f"No double yet: the player wins {percent(cube.win)} of games, and a double is right from {percent(cube.double)}; {gain}."


def _answer(decision: Decision, cube: CubeEquities) -> str:
    """Chances and equities of the player who answers."""
    win, needed = 1 - cube.win, 1 - cube.cash
    equities = ", ".join(f"{option.text.lower()} {option.equity:+.3f}" for option in decision.options)
    return (
        f"{decision.best.text}: the answering player wins {percent(win)} of games,"
        f" and a take is right from {percent(needed)} ({equities})."
    )


def _plain(decision: Decision) -> str:
    best, made = decision.best, decision.made
    if decision.kind in ("call", "keep"):
        again, stands = (best, made) if best.text == "Roll over" else (made, best)
        return f"{best.text}: this roll has equity {stands.equity:+.3f}, a new one {again.equity:+.3f}."
    return (
        f"{best.text}: equity {best.equity:+.3f}, against {made.equity:+.3f} for {made.text[0].lower()}{made.text[1:]}."
    )
