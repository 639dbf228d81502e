"""Lessons: a sentence that says in numbers what the best option gains, in the language that holds when it is made."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption
from barpoint.analysis.shots import shots
from barpoint.analysis.themes import themes_of
from barpoint.analysis.words import choice_text
from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, cube_info_of
from barpoint.game.event import position_of
from barpoint.language import N_, _, ngettext, number, percent
from barpoint.match import Match, Met
from barpoint.rules import Rules

MIN_DIFFERENCE: Final = 0.003
"""Smaller differences of chances are left out."""

_MORE_OR_FEWER: Final = (
    (N_("wins %(share)s more games"), N_("wins %(share)s fewer games")),
    (N_("wins %(share)s more gammons"), N_("wins %(share)s fewer gammons")),
    (N_("wins %(share)s more backgammons"), N_("wins %(share)s fewer backgammons")),
    (N_("loses %(share)s more gammons"), N_("loses %(share)s fewer gammons")),
    (N_("loses %(share)s more backgammons"), N_("loses %(share)s fewer backgammons")),
)
"""What is said of each of the five numbers of Chances."""


def taught(rules: Rules, cube_info: CubeInfo, before: Position, decision: Decision) -> Decision:
    """The same decision with its lesson and themes. cube_info: of the player whose decision it is. before: seen by the
    side whose turn it is.
    """
    themes = themes_of(rules, cube_info, before, decision)
    return structs.replace(decision, lesson=_lesson(rules, cube_info, decision), themes=themes)


def taught_at(then: Match, decision: Decision, met: Met | None = None) -> Decision:
    """The same, in the language that holds now. then: the match before the decision. met: the table it was judged by."""
    return taught(then.game.rules, cube_info_of(then, decision.player, met), then.game.position, decision)


def _lesson(rules: Rules, cube_info: CubeInfo, decision: Decision) -> str:
    if decision.kind == "play":
        return _play(rules, cube_info, decision)
    if decision.cube is not None and decision.kind in ("double", "no double"):
        return double_lesson(decision.cube)
    return _plain(decision) if decision.cube is None else _answer(decision, decision.cube)


def _play(rules: Rules, cube_info: CubeInfo, decision: Decision) -> str:
    best, made = decision.best, decision.made
    said = _chances(best, made, cube_info) if len(best.chances) == 5 else _points(best, made)
    shot = _shots(rules, best, made)
    if not said and not shot:
        said = [_("has equity %(best)s instead of %(made)s", best=_signed(best.equity), made=_signed(made.equity))]
    if not said:
        return f"{best.text} {shot}."
    other = made.text or _("(no play)")
    text = _("%(best)s instead of %(made)s %(gains)s", best=best.text, made=other, gains=_joined(said))
    return _("%(gain)s; it %(shot)s.", gain=text, shot=shot) if shot else f"{text}."


def _chances(best: DecisionOption, made: DecisionOption, cube_info: CubeInfo) -> list[str]:
    gammons, backgammons = cube_info.gammons_count, cube_info.backgammons_count
    counted = (True, gammons[0], backgammons[0], gammons[1], backgammons[1])
    differences = (b - m for b, m in zip(best.chances, made.chances, strict=True))
    return [
        _(texts[difference < 0], share=_share(difference))
        for texts, difference, counts in zip(_MORE_OR_FEWER, differences, counted, strict=True)
        if counts and abs(difference) >= MIN_DIFFERENCE
    ]


def _points(best: DecisionOption, made: DecisionOption) -> list[str]:
    win, won, lost = (b - m for b, m in zip(best.chances, made.chances, strict=True))
    said = [_(_MORE_OR_FEWER[0][win < 0], share=_share(win))] if abs(win) >= MIN_DIFFERENCE else []
    if abs(won) >= 10 * MIN_DIFFERENCE:
        points = number(abs(won), 2)
        more = _("wins %(points)s points a game more", points=points)
        said.append(more if won > 0 else _("wins %(points)s points a game less", points=points))
    if abs(lost) >= 10 * MIN_DIFFERENCE:
        points = number(abs(lost), 2)
        more = _("loses %(points)s points a game more", points=points)
        said.append(more if lost > 0 else _("loses %(points)s points a game less", points=points))
    return said


def _share(difference: float) -> str:
    return percent(abs(difference), 1)


def _signed(equity: float) -> str:
    return number(equity, 3, sign=True)


def _joined(said: list[str]) -> str:
    return said[0] if len(said) == 1 else _("%(some)s and %(last)s", some=", ".join(said[:-1]), last=said[-1])


def _shots(rules: Rules, best: DecisionOption, made: DecisionOption) -> str:
    """ "can be hit by 11 rolls of 36 instead of 17", "" where both are hit as often."""
    if best.position is None or made.position is None:
        return ""
    first, of = shots(rules, _next(best))
    second, _of = shots(rules, _next(made))
    if first == second:
        return ""
    return ngettext(
        "can be hit by %(num)s roll of %(rolls)s instead of %(other)s",
        "can be hit by %(num)s rolls of %(rolls)s instead of %(other)s",
        first,
        rolls=of,
        other=second,
    )


def _next(option: DecisionOption) -> Position:
    assert option.position is not None
    return position_of(option.position).flip()


def double_lesson(cube: CubeEquities) -> str:
    """What is right for whoever may double, and why."""
    offered, without = min(cube.double_take, cube.double_pass), _signed(cube.no_double)
    gain = _("equity %(double)s with a double, %(no_double)s without", double=_signed(offered), no_double=without)
    win, double = percent(cube.win, 1), percent(cube.double, 1)
    # The points of the window come from a formula; where a search says otherwise, they would only confuse.
    match cube.action:
        case "double/pass" if cube.win < cube.cash:
            return _("Double, and the other side should pass: %(gain)s.", gain=gain)
        case "double/take" | "double/beaver" if cube.win < cube.double:
            return _("Double: %(gain)s.", gain=gain)
        case "no double" if cube.win >= cube.double:
            return _("No double yet: %(gain)s.", gain=gain)
        case "double/pass":
            return _(
                "Double, and the other side should pass: the doubler wins %(win)s of games, and a pass is right from"
                " %(cash)s; %(gain)s.",
                win=win,
                cash=percent(cube.cash, 1),
                gain=gain,
            )
        case "double/take" | "double/beaver":
            return _(
                "Double: the doubler wins %(win)s of games, and a double is right from %(double)s; %(gain)s.",
                win=win,
                double=double,
                gain=gain,
            )
        case "too good":
            return _(
                "Too good to double: equity %(no_double)s by playing on, %(refused)s after a pass.",
                no_double=without,
                refused=_signed(cube.double_pass),
            )
        case _:
            return _no_double(win, double, gain)


def _no_double(win: str, double: str, gain: str) -> str:
    return _(
        "No double yet: the player wins %(win)s of games, and a double is right from %(double)s; %(gain)s.",
        win=win,
        double=double,
        gain=gain,
    )


def _answer(decision: Decision, cube: CubeEquities) -> str:
    """Chances and equities of the player who answers."""
    equities = (f"{choice_text(option.text).lower()} {_signed(option.equity)}" for option in decision.options)
    return _(
        "%(best)s: the answering player wins %(win)s of games, and a take is right from %(needed)s (%(equities)s).",
        best=choice_text(decision.best.text),
        win=percent(1 - cube.win, 1),
        needed=percent(1 - cube.cash, 1),
        equities=", ".join(equities),
    )


def _plain(decision: Decision) -> str:
    best, made = decision.best, decision.made
    said = choice_text(best.text, decision.level)
    if decision.kind in ("call", "keep"):
        again, stands = (best, made) if best.text == "Roll over" else (made, best)
        return _(
            "%(best)s: this roll has equity %(stands)s, a new one %(again)s.",
            best=said,
            stands=_signed(stands.equity),
            again=_signed(again.equity),
        )
    other = choice_text(made.text, decision.level)
    return _(
        "%(best)s: equity %(equity)s, against %(other)s for %(made)s.",
        best=said,
        equity=_signed(best.equity),
        other=_signed(made.equity),
        made=f"{other[0].lower()}{other[1:]}",
    )
