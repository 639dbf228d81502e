"""A report as a self-contained HTML page: no scripts and no other files; its pictures are inline SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from barpoint.analysis.findings import Decision, Findings
from barpoint.analysis.text import cost_text, describe, format_report
from barpoint.analysis.theme_text import theme_sentence, theme_title
from barpoint.draw.palette import PAGE
from barpoint.draw.svg import svg
from barpoint.game.event import position_of
from barpoint.variants import variant

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
    title = escape(f"{report.names[0]} against {report.names[1]}")
    summary = escape(format_report(report, 0))
    parts = "".join(_article(report, one) for one in report.worst(MAX_SHOWN))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{title}</h1><pre>{summary}</pre>{parts}</body></html>\n"
    )


def _article(report: Findings, one: Decision) -> str:
    head = f"{escape(one.mark.capitalize())}, {-one.loss:+.3f} ({cost_text(report, one.cost)})"
    who = escape(report.names[one.player])
    return (
        f"<article><h2>{head}</h2><p>Game {one.game}, event {one.event}, {who}: {escape(describe(one))}</p>"
        f"{''.join(_picture(report, one))}{''.join(_themes(one))}<p>{escape(one.lesson)}</p><table>{''.join(_rows(one))}</table></article>"
    )


def _themes(one: Decision) -> Iterator[str]:
    for theme in one.themes:
        yield f"<p><b>{escape(theme_title(theme.name))}.</b> {escape(theme_sentence(theme))}</p>"


def _picture(report: Findings, one: Decision) -> Iterator[str]:
    """The position after the best play."""
    if one.best.position is None:
        return
    rules = variant(report.rules)
    drawn = svg(position_of(one.best.position), meeting=rules.movement.meeting, dice=one.faces)
    yield f"<figure>{drawn}<figcaption>After {escape(one.best.text)}</figcaption></figure>"


def _rows(one: Decision) -> Iterator[str]:
    for index, option in enumerate(one.options):
        chosen = ' class="made"' if index == one.chosen else ""
        loss = f"{-option.loss:+.3f}" if option.loss else ""
        yield f"<tr{chosen}><td>{escape(option.text)}</td><td>{option.equity:+.3f}</td><td>{loss}</td></tr>"
