"""A report as a self-contained HTML page: no scripts and no other files; its pictures are inline SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from msgspec import UNSET

from barpoint.analysis.findings import Decision, Findings
from barpoint.analysis.lesson import taught_at
from barpoint.analysis.text import MARKS, cost_text, format_report, names_text, other_lines, place_text
from barpoint.analysis.theme_text import theme_sentence, theme_title
from barpoint.analysis.words import choice_text
from barpoint.draw.palette import PAGE
from barpoint.draw.svg import svg
from barpoint.game.event import position_of
from barpoint.language import _, language, number
from barpoint.match import Match
from barpoint.variants import rules_of_game, variant

MAX_SHOWN: Final = 40
"""Marked decisions shown with a picture; the others are counted in the summary."""

_STYLE = (
    f":root{{--page:{PAGE['page']};--sheet:{PAGE['sheet']};--text:{PAGE['text']};--line:{PAGE['line']}}}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--page)}"
    "pre{overflow:auto;background:var(--sheet);border:1px solid var(--line);border-radius:.6rem;padding:1rem}"
    "article{border-top:1px solid var(--line);padding:1rem 0;break-inside:avoid}h2{font-size:1.15rem;margin:0}"
    ".decision{display:flex;flex-wrap:wrap;gap:0 1.5rem}.decision>div{flex:1 1 16rem;min-width:0}"
    "figure{flex:0 1 22rem;margin:.5rem 0}svg{width:100%;height:auto;display:block;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{text-align:start;padding:.1rem .8rem .1rem 0}"
    ".made{font-weight:700}"
    "@page{margin:14mm}"
    "@media print{body{font-size:10pt;max-width:none;margin:0;padding:0;background:none}"
    "pre{white-space:pre-wrap;font-size:8pt;background:none;break-inside:avoid}figure{flex-basis:17rem}}"
)


def format_sheet(report: Findings, match: Match | None = None) -> str:
    """The report as HTML. match: the one that was analysed, for a picture of every decision as it had to be made, and lessons in the language that holds now."""
    title = escape(names_text(report))
    summary = escape(format_report(report, 0))
    worst = report.worst(MAX_SHOWN)
    wanted = {one.event for one in worst}
    history = () if match is None or not wanted else match.history()
    states = {number: then for number, (then, _event) in enumerate(history, 1) if number in wanted}
    parts = "".join(_article(report, one, states.get(one.event)) for one in worst)
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{title}</h1><pre>{summary}</pre>{parts}</body></html>\n"
    )


def _article(report: Findings, one: Decision, then: Match | None) -> str:
    mark = _(MARKS[one.mark])
    head = f"{escape(mark[:1].upper() + mark[1:])}, {number(-one.loss, 3, sign=True)} ({cost_text(report, one.cost)})"
    place = place_text(report, one)
    met = None if report.met is UNSET else report.met
    lesson = one.lesson if then is None else taught_at(then, one, met).lesson
    drawn = _picture(report, one) if then is None else _decided(report, one, then)
    return (
        f'<article><h2>{head}</h2><p>{escape(place[:1].upper() + place[1:])}</p><div class="decision">{"".join(drawn)}'
        f"<div>{''.join(_themes(one))}<p>{escape(lesson)}</p><table>{''.join(_rows(one))}</table>"
        f"{''.join(f'<p>{escape(line)}</p>' for line in other_lines(report, one))}</div></div></article>"
    )


def _decided(report: Findings, one: Decision, then: Match) -> Iterator[str]:
    """The position as it had to be decided, with whoever decides below, and the best play as arrows."""
    near = then.game.player == one.player
    own, other = report.names[one.player], report.names[1 - one.player]
    labels = (own, other) if own and other else None
    drawn = svg(then, near_to_act=near, labels=labels, moves=one.best.moves)
    caption = escape(_("Best is %(play)s.", play=choice_text(one.best.text, one.level) or _("no play")))
    yield f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"


def _themes(one: Decision) -> Iterator[str]:
    for theme in one.themes:
        yield f"<p><b>{escape(theme_title(theme.name))}.</b> {escape(theme_sentence(theme))}</p>"


def _picture(report: Findings, one: Decision) -> Iterator[str]:
    """The position after the best play."""
    if one.best.position is None:
        return
    rules = rules_of_game(variant(report.rules), one.game - 1)
    drawn = svg(position_of(one.best.position), meeting=rules.movement.meeting, dice=one.faces)
    caption = escape(_("After %(play)s", play=one.best.text))
    yield f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"


def _rows(one: Decision) -> Iterator[str]:
    for index, option in enumerate(one.options):
        chosen = ' class="made"' if index == one.chosen else ""
        loss = number(-option.loss, 3, sign=True) if option.loss else ""
        equity = number(option.equity, 3, sign=True)
        yield f"<tr{chosen}><td>{escape(choice_text(option.text, one.level))}</td><td>{equity}</td><td>{loss}</td></tr>"
