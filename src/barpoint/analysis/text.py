"""A report as text: the summary, then the worst errors first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from barpoint.analysis.findings import STAGES, Decision, Findings, PlayerTotals, Tally
from barpoint.analysis.theme_text import theme_sentence, theme_title

_NAME_WIDTH = 22


def format_report(report: Findings, worst: int | None) -> str:
    """The report in lines of at most about 100 characters; worst: how many errors are listed, None for all."""
    return "\n".join([*_head(report), "", *_summary(report), "", *_errors(report, worst)]) + "\n"


def _head(report: Findings) -> Iterator[str]:
    kind = f"{report.length} points" if report.length else "money session"
    yield f"{report.rules}, {kind}: {report.names[0]} against {report.names[1]}"
    part = "" if report.complete else f", the first {report.events} events only"
    yield f"analysed at {report.plies}-ply by net {report.net or '-'}{part}"


def _summary(report: Findings) -> Iterator[str]:
    first, second = report.players
    yield f"{'':{_NAME_WIDTH}}{_cut(first.name):>16}{_cut(second.name):>16}"
    for title, values in _rows(report):
        yield f"{title:{_NAME_WIDTH}}{values[0]:>16}{values[1]:>16}"


def _rows(report: Findings) -> Iterator[tuple[str, tuple[str, str]]]:
    players = report.players
    yield "performance rating", _both(players, lambda one: f"{one.rating:.2f}")
    yield "unforced decisions", _both(players, lambda one: f"{one.total.unforced}")
    yield "loss, normalised", _both(players, lambda one: f"{one.total.loss:.3f}")
    unit = "chance lost" if report.length else "points lost"
    yield unit, _both(players, lambda one: cost_text(report, one.total.cost))
    yield "doubtful", _both(players, lambda one: f"{one.total.doubtful}")
    yield "errors", _both(players, lambda one: f"{one.total.errors}")
    yield "blunders", _both(players, lambda one: f"{one.total.blunders}")
    for group in ("plays", "cube", "calls", "resignations"):
        if any(group in one.groups and one.groups[group].unforced for one in players):
            yield f"  {group}", (_part(players[0].groups.get(group)), _part(players[1].groups.get(group)))
    for stage in STAGES:
        if any(stage in one.stages for one in players):
            yield f"  {stage}", (_part(players[0].stages.get(stage)), _part(players[1].stages.get(stage)))
    yield "luck", _both(players, lambda one: f"{one.luck:+.3f}")
    yield f"luck, {'chance' if report.length else 'points'}", _both(players, lambda one: signed(report, one.luck_value))
    if report.result is not None and report.adjusted is not None:
        yield "result", (_result(report, report.result), "")
        yield "luck-adjusted result", (_result(report, report.adjusted), "")


def _both(players: tuple[PlayerTotals, PlayerTotals], of: Callable[[PlayerTotals], str]) -> tuple[str, str]:
    return of(players[0]), of(players[1])


def _part(found: Tally | None) -> str:
    return "-" if found is None or not found.unforced else f"{found.rating:.2f} ({found.unforced})"


def _result(report: Findings, value: float) -> str:
    return f"{100 * value:.1f} %" if report.length else f"{value:+.2f} points"


def cost_text(report: Findings, cost: float) -> str:
    """A loss in chance to win the match, or in points of a session."""
    return f"{100 * cost:.2f} %" if report.length else f"{cost:.3f}"


def signed(report: Findings, value: float) -> str:
    """The same with its sign."""
    return f"{100 * value:+.2f} %" if report.length else f"{value:+.3f}"


def _cut(name: str) -> str:
    return name if len(name) <= 15 else f"{name[:14]}…"


def _errors(report: Findings, worst: int | None) -> Iterator[str]:
    marked = report.worst()
    if not marked:
        yield "No decision is marked."
        return
    shown = marked if worst is None else marked[:worst]
    yield (
        f"The worst of {len(marked)} marked decisions"
        if len(shown) < len(marked)
        else "Marked decisions, the worst first"
    )
    for one in shown:
        yield ""
        yield (
            f"{one.mark:<9}{-one.loss:+.3f}  ({cost_text(report, one.cost)})  game {one.game}, event {one.event}, "
            f"{report.names[one.player]}: {describe(one)}"
        )
        for theme in one.themes:
            yield f"  {theme_title(theme.name)}: {theme_sentence(theme)}"
        yield f"  {one.lesson}"


def describe(decision: Decision) -> str:
    """What was done, with its roll: "31: 8/5 6/5", "no double"."""
    if decision.kind == "play":
        return f"{faces_text(decision.faces)}: {decision.made.text}"
    if decision.kind in ("call", "keep"):
        return f"{faces_text(decision.faces)} {'rolled over' if decision.kind == 'call' else 'let stand'}"
    return decision.kind


def faces_text(faces: tuple[int, ...]) -> str:
    """ "31", or "11" for the die with twelve sides."""
    return "".join(map(str, faces))
