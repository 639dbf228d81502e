"""A report as a self-contained HTML page: no scripts and no other files; its pictures are inline SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from barpoint.analysis.findings import Decision, Findings
from barpoint.analysis.text import MARKS, cost_text, format_report, names_text, place_text
from barpoint.analysis.theme_text import theme_sentence, theme_title
from barpoint.analysis.words import choice_text
from barpoint.draw.palette import PAGE
from barpoint.draw.svg import svg
from barpoint.game.event import position_of
from barpoint.language import _, language, number
from barpoint.variants import rules_of_game, variant

MAX_SHOWN: Final = 40
"""Marked decisions shown with a picture; the others are counted in the summary."""

_STYLE = (
    f":root{{--page:{PAGE['page']};--sheet:{PAGE['sheet']};--text:{PAGE['text']};--line:{PAGE['line']}}}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--page)}"
    "pre{overflow:auto;background:var(--sheet);border:1px solid var(--line);border-radius:.6rem;padding:1rem}"
    "article{border-top:1px solid var(--line);padding:1rem 0}svg{max-width:26rem;height:auto;display:block}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{text-align:start;padding:.1rem .8rem .1rem 0}"
    ".made{font-weight:700}"
)


def format_sheet(report: Findings) -> str:
    """The report as HTML."""
    title = escape(names_text(report))
    summary = escape(format_report(report, 0))
    parts = "".join(_article(report, one) for one in report.worst(MAX_SHOWN))
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{title}</h1><pre>{summary}</pre>{parts}</body></html>\n"
    )


def _article(report: Findings, one: Decision) -> str:
    mark = _(MARKS[one.mark])
    head = f"{escape(mark[:1].upper() + mark[1:])}, {number(-one.loss, 3, sign=True)} ({cost_text(report, one.cost)})"
    place = place_text(report, one)
    return (
        f"<article><h2>{head}</h2><p>{escape(place[:1].upper() + place[1:])}</p>"
        f"{''.join(_picture(report, one))}{''.join(_themes(one))}<p>{escape(one.lesson)}</p><table>{''.join(_rows(one))}</table></article>"
    )


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
