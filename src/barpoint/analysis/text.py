"""A report as text: the summary, then the worst errors first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from barpoint.analysis.findings import GROUPS, STAGES, UNRATED, Decision, Findings, PlayerTotals, Tally
from barpoint.analysis.other_verdicts import disputed, verdict_text
from barpoint.analysis.theme_text import theme_sentence, theme_title
from barpoint.analysis.words import WORDS, choice_text, kind_text
from barpoint.language import N_, _, ngettext, number, percent

_NAME_WIDTH = 22

MARKS: Final = {"": "", "doubtful": N_("doubtful"), "error": N_("error"), "blunder": N_("blunder")}
"""The marks of decisions in words."""


def format_report(report: Findings, worst: int | None) -> str:
    """The report in lines of at most about 100 characters; worst: how many errors are listed, None for all."""
    lines = [*_head(report), "", *_summary(report), "", *_errors(report, worst), *_disputed(report, worst)]
    return "\n".join(lines) + "\n"


def _head(report: Findings) -> Iterator[str]:
    points = ngettext("%(num)s point", "%(num)s points", report.length)
    kind = points if report.length else _("money session")
    yield f"{report.rules}, {kind}: {names_text(report)}"
    depth = _("analysed at %(plies)s-ply by net %(net)s", plies=report.plies, net=report.net or "-")
    if report.rollout:
        depth = _(
            "analysed at %(plies)s-ply by net %(net)s, and rolled out where close",
            plies=report.plies,
            net=report.net or "-",
        )
    deeper = sum(bool(one.plies or one.games) for one in report.decisions)
    if deeper:
        looked = ngettext(
            "%(num)s decision was analysed more deeply.", "%(num)s decisions were analysed more deeply.", deeper
        )
        depth = f"{depth}; {looked}"
    part = _("the first %(count)s events only", count=report.events)
    yield depth if report.complete else f"{depth}, {part}"


def names_text(report: Findings) -> str:
    """Who played: "Anna against Ben"."""
    return _("%(first)s against %(second)s", first=report.names[0], second=report.names[1])


def _summary(report: Findings) -> Iterator[str]:
    first, second = report.players
    rows = [*_rows(report)]
    width = max(_NAME_WIDTH, *(len(title) for title, _values in rows))
    yield f"{'':{width}}{_cut(first.name):>16}{_cut(second.name):>16}"
    for title, values in rows:
        yield f"{title:{width}}{values[0]:>16}{values[1]:>16}"


def _rows(report: Findings) -> Iterator[tuple[str, tuple[str, str]]]:
    players = report.players
    yield _("performance rating"), _both(players, lambda one: number(one.rating, 2))
    for group in GROUPS:
        if any(group in one.groups and one.groups[group].unforced for one in players):
            yield f"  {_(WORDS[group])}", (_part(players[0].groups.get(group)), _part(players[1].groups.get(group)))
    for stage in STAGES:
        if any(stage in one.stages and one.stages[stage].unforced for one in players):
            yield f"  {_(WORDS[stage])}", (_part(players[0].stages.get(stage)), _part(players[1].stages.get(stage)))
    yield _("unforced decisions"), _both(players, lambda one: f"{one.total.unforced}")
    yield _("loss, normalised"), _both(players, lambda one: number(one.total.loss, 3))
    unit = _("chance lost") if report.length else _("points lost")
    yield unit, _both(players, lambda one: cost_text(report, one.total.cost))
    yield _("doubtful"), _both(players, lambda one: f"{one.total.doubtful}")
    yield _("errors"), _both(players, lambda one: f"{one.total.errors}")
    yield _("blunders"), _both(players, lambda one: f"{one.total.blunders}")
    if any(_lost(one) for one in players):
        yield _("resignations, unrated"), _both(players, _lost)
    yield _("luck"), _both(players, lambda one: number(one.luck, 3, sign=True))
    unit = _("luck, chance") if report.length else _("luck, points")
    yield unit, _both(players, lambda one: signed(report, one.luck_value))
    if report.result is not None and report.adjusted is not None:
        yield _("result"), (_result(report, report.result), "")
        yield _("luck-adjusted result"), (_result(report, report.adjusted), "")


def _both(players: tuple[PlayerTotals, PlayerTotals], of: Callable[[PlayerTotals], str]) -> tuple[str, str]:
    return of(players[0]), of(players[1])


def _part(found: Tally | None) -> str:
    return "-" if found is None or not found.unforced else f"{number(found.rating, 2)} ({found.unforced})"


def _lost(player: PlayerTotals) -> str:
    """What resignations and their answers lost, which no rating counts; "" where they lost nothing."""
    found = player.groups.get(UNRATED)
    return "" if found is None or not found.loss else number(found.loss, 3)


def _result(report: Findings, value: float) -> str:
    return percent(value, 1) if report.length else _("%(number)s points", number=number(value, 2, sign=True))


def cost_text(report: Findings, cost: float) -> str:
    """A loss in chance to win the match, or in points of a session."""
    return percent(cost, 2) if report.length else number(cost, 3)


def signed(report: Findings, value: float) -> str:
    """The same with its sign."""
    if report.length:
        return _("%(number)s%%", number=number(100 * value, 2, sign=True))
    return number(value, 3, sign=True)


def _cut(name: str) -> str:
    return name if len(name) <= 15 else f"{name[:14]}…"


def _errors(report: Findings, worst: int | None) -> Iterator[str]:
    marked = report.worst()
    if not marked:
        yield _("No decision is marked.")
        return
    shown = marked if worst is None else marked[:worst]
    part = _("The worst of %(count)s marked decisions", count=len(marked))
    yield part if len(shown) < len(marked) else _("Marked decisions, the worst first")
    for one in shown:
        yield ""
        loss = f"{number(-one.loss, 3, sign=True)}  ({cost_text(report, one.cost)})"
        yield f"{_(MARKS[one.mark]):<9}{loss}  {place_text(report, one)}"
        for theme in one.themes:
            yield f"  {theme_title(theme.name)}: {theme_sentence(theme)}"
        yield f"  {one.lesson}"
        yield from (f"  {line}" for line in other_lines(report, one))


def other_lines(report: Findings, decision: Decision) -> list[str]:
    """What the program that wrote the match file says of a decision."""
    if not report.other:
        return []
    wanted = decision.event, decision.kind
    found = (one for one in report.other.verdicts if (one.event, one.kind) == wanted)
    return [verdict_text(report.other.program, one) for one in found]


def _disputed(report: Findings, worst: int | None) -> Iterator[str]:
    """Where the program that wrote the match file and ours disagree."""
    found = disputed(report)[:worst]
    if not found or not report.other:
        return
    yield ""
    yield _("Where the programs disagree")
    for one, other in found:
        loss = f"{number(-one.loss, 3, sign=True)}  " if one.loss else ""
        yield ""
        yield f"{loss}{place_text(report, one)}"
        best = choice_text(one.best.text, one.level) or _("no play")
        yield "  " + _("Best is %(play)s.", play=best)
        yield "  " + verdict_text(report.other.program, other)


def place_text(report: Findings, decision: Decision) -> str:
    """Where in the match a decision was made, by whom, and what it was."""
    return _(
        "game %(game)s, event %(event)s, %(player)s: %(decision)s",
        game=decision.game,
        event=decision.event,
        player=report.names[decision.player],
        decision=describe(decision),
    )


def describe(decision: Decision) -> str:
    """What was done, with its roll: "31: 8/5 6/5", "no double"."""
    if decision.kind == "play":
        return f"{faces_text(decision.faces)}: {decision.made.text}"
    if decision.kind in ("call", "keep"):
        roll = faces_text(decision.faces)
        return _("%(roll)s rolled over", roll=roll) if decision.kind == "call" else _("%(roll)s let stand", roll=roll)
    return kind_text(decision.kind, decision.level)


def faces_text(faces: tuple[int, ...]) -> str:
    """ "31", or "11" for the die with twelve sides."""
    return "".join(map(str, faces))
